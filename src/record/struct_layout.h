// record/struct_layout.h: which numbers an element of a WPILib struct holds, and where.
// A log tells what its structs are made of in texts of their own, "double x;double y" (WPILib calls
// them schemas). What a log does not tell is looked up among the types that every robot has.
// Names that result: docs/record.md
#ifndef IB_RECORD_STRUCT_LAYOUT_H
#define IB_RECORD_STRUCT_LAYOUT_H

#include "base/arena.h"
#include "base/signal.h"

#include <stdbool.h>
#include <stddef.h>

// How a number is written: little endian, without padding.
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
    IB_STRUCT_YAW, ///< the heading that a quaternion of four doubles w x y z stands for [rad]
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

// What a log says a struct is made of.
typedef struct ib_StructText {
    const char *name; ///< "Pose2d"
    const char *text;
} ib_StructText;

enum { IB_STRUCT_MAX_FIELDS = 64 };

// The layout of the struct `name`, in `arena`. NULL: it is not known, is made of what cannot be
// read (bit fields), of more than IB_STRUCT_MAX_FIELDS numbers, of none, or there is no memory.
const ib_StructLayout *ib_struct_layout(const char *name, const ib_StructText *texts,
                                        int text_count, ib_Arena *arena);

// The number of a field in the element that begins there.
double ib_struct_number(const ib_StructField *field, const unsigned char *element);

#endif
