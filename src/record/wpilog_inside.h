// record/wpilog_inside.h: types shared by the readers of a WPILOG, from its entries to series.
// Internal to src/record.
#ifndef IB_RECORD_WPILOG_INSIDE_H
#define IB_RECORD_WPILOG_INSIDE_H

#include "record/log_source.h"
#include "record/struct_layout.h"
#include "record/wpilog.h"

enum {
    IB__WPILOG_BUCKETS = 1024,
    IB__WPILOG_TEXTS = 256,   ///< descriptions of structs; more are skipped
    IB__WPILOG_STRUCTS = 512, ///< kinds of structs in records
};

typedef enum ib__WpilogKind {
    IB__WPILOG_UNREAD, ///< its records are skipped
    IB__WPILOG_NUMBERS,
    IB__WPILOG_TEXT,
    IB__WPILOG_FACT,
    IB__WPILOG_STRUCT,      ///< numbers, if its layout is known at its first record
    IB__WPILOG_STRUCT_TEXT, ///< description of a struct
} ib__WpilogKind;

typedef struct ib__WpilogEntry {
    uint32_t id;
    int next; ///< older entry in the same bucket, -1: none
    ib__WpilogKind kind;
    const char *name, *type; ///< dotted; as the file has it
    uint64_t metadata_at;    ///< its place in the file
    size_t metadata_size;
    const ib_StructLayout *layout; ///< of an element; NULL: any bytes
    bool array, structured;
    bool hidden;       ///< a struct that repeats plain signals
    int64_t records;   ///< without the misfits
    int64_t misfits;   ///< records of numbers with a wrong size, which are skipped
    int64_t *lengths;  ///< of an array: samples of each element
    int element_count; ///< of the longest record read; 1 without an array
    int capacity;      ///< of `lengths`
    bool longer;       ///< some record has more elements than are read
    int *target; ///< for each field of each element the group of equal names, then the series;
                 ///< for texts and facts the source or the fact
} ib__WpilogEntry;

typedef struct ib__WpilogStruct {
    const char *name;
    const ib_StructLayout *layout; ///< NULL: it cannot be read
} ib__WpilogStruct;

typedef struct ib__WpilogReader {
    ib__Window *window;
    uint64_t size, at; ///< of the complete part; of the next record
    ib_Arena scratch;
    ib_Bytes text; ///< of the event or fact last asked for
    ib__WpilogEntry *entries;
    int entry_count, entry_capacity;
    int started; ///< entries started before `at`, once all are known
    int buckets[IB__WPILOG_BUCKETS];
    ib_StructText texts[IB__WPILOG_TEXTS];
    int text_count;
    ib__WpilogStruct structs[IB__WPILOG_STRUCTS];
    int struct_count;
    ib_Log *log;
    ib_Error *error;
} ib__WpilogReader;

// The number of series of an entry: fields times elements; 0 without numbers or if hidden.
static inline int ib__wpilog_width(const ib__WpilogEntry *entry)
{
    if (entry->kind != IB__WPILOG_NUMBERS || entry->hidden) return 0;
    return entry->element_count * entry->layout->field_count;
}

// Makes the tables of the log after all records are counted, with the target of every entry's
// samples, and names unread entries. Series and events have their counts, and no room for samples.
ib_Status ib__wpilog_make_tables(ib__WpilogReader *reader);

static inline ib_Status ib__wpilog_no_memory(const ib__WpilogReader *reader)
{
    return ib_error_set(reader->error, IB_FAILED, "%s: out of memory", reader->window->name);
}

#endif
