// record/struct_layout.h: the numbers in an element of a WPILib struct, and their places. A log
// describes its structs in texts of their own, "double x;double y" (WPILib calls them schemas).
// Structs without a description are looked up among WPILib's common types. The resulting names are
// in docs/scenario/record.md.
#ifndef IB_RECORD_STRUCT_LAYOUT_H
#define IB_RECORD_STRUCT_LAYOUT_H

#include "base/arena.h"
#include "base/signal.h"

#include <stdbool.h>
#include <stddef.h>

// The form of a number: little endian, without padding.
typedef enum ib_StructNumber {
    IB_STRUCT_DOUBLE,
    IB_STRUCT_FLOAT,
    IB_STRUCT_BOOLEAN,
    IB_STRUCT_INT8,
    IB_STRUCT_INT16,
    IB_STRUCT_INT32,
    IB_STRUCT_INT64,
    IB_STRUCT_UINT8,
    IB_STRUCT_UINT16,
    IB_STRUCT_UINT32,
    IB_STRUCT_UINT64,
    IB_STRUCT_YAW, ///< the heading of a quaternion of four doubles w x y z [rad]
} ib_StructNumber;

typedef struct ib_StructField {
    const char *name; ///< dotted: "x", "heading"; "": that of the whole
    const char *unit; ///< "": not known
    ib_SignalRole role;
    ib_StructNumber number;
    size_t offset; ///< in the element [bytes]
} ib_StructField;

typedef struct ib_StructLayout {
    const ib_StructField *fields;
    int field_count;
    size_t size; ///< of an element [bytes], > 0
} ib_StructLayout;

// A log's description of a struct.
typedef struct ib_StructText {
    const char *name; ///< "Pose2d"
    const char *text;
} ib_StructText;

enum { IB_STRUCT_MAX_FIELDS = 64 };

// The layout of the struct `name`, in `arena`. NULL: it is unknown, has unreadable members (bit
// fields), more than IB_STRUCT_MAX_FIELDS numbers or none, or memory is out.
const ib_StructLayout *ib_struct_layout(const char *name, const ib_StructText *texts,
                                        int text_count, ib_Arena *arena);

// The number of a field in the element that begins there.
double ib_struct_number(const ib_StructField *field, const unsigned char *element);

#endif
