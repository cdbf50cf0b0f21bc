// record/wpilog_inside.h: what the readers of a WPILOG share, from its entries to series.
// Internal to src/record.
#ifndef IB_RECORD_WPILOG_INSIDE_H
#define IB_RECORD_WPILOG_INSIDE_H

#include "record/log_source.h"
#include "record/struct_layout.h"
#include "record/wpilog.h"

enum {
    IB__WPILOG_BUCKETS = 1024,
    IB__WPILOG_TEXTS = 256,   ///< descriptions of structs that are looked at; more are passed over
    IB__WPILOG_STRUCTS = 512, ///< kinds of structs that records may be of
};

typedef enum ib__WpilogKind {
    IB__WPILOG_UNREAD, ///< its records are stepped over
    IB__WPILOG_NUMBERS,
    IB__WPILOG_TEXT,
    IB__WPILOG_FACT,
    IB__WPILOG_STRUCT,      ///< numbers, once its first record has shown that its layout is known
    IB__WPILOG_STRUCT_TEXT, ///< says what a struct is made of
} ib__WpilogKind;

typedef struct ib__WpilogEntry {
    uint32_t id;
    int next; ///< older entry in the same bucket, -1: none
    ib__WpilogKind kind;
    const char *name, *type; ///< dotted; as the file has it
    uint64_t metadata_at;    ///< where the file has it
    size_t metadata_size;
    const ib_StructLayout *layout; ///< of an element; NULL: any bytes
    bool array, structured;
    bool hidden;       ///< a struct that only repeats plain signals
    int64_t records;   ///< without the misfits
    int64_t misfits;   ///< records of numbers whose size is wrong: they are passed over
    int64_t *lengths;  ///< of an array: samples of each element
    int element_count; ///< of the longest record, of those that are read; 1 of what is no array
    int capacity;      ///< of `lengths`
    bool longer;       ///< some record has more than are read
    int *target; ///< for each field of each element the group of equal names, then the series;
                 ///< of texts and facts the source or the fact
} ib__WpilogEntry;

typedef struct ib__WpilogStruct {
    const char *name;
    const ib_StructLayout *layout; ///< NULL: it cannot be read
} ib__WpilogStruct;

typedef struct ib__WpilogReader {
    ib__Window *window;
    uint64_t size, at; ///< of what is whole; of the next record
    ib_Arena scratch;
    ib_Bytes text; ///< of the event or fact that was asked for last
    ib__WpilogEntry *entries;
    int entry_count, entry_capacity;
    int started; ///< entries whose start is before `at`, once all are known
    int buckets[IB__WPILOG_BUCKETS];
    ib_StructText texts[IB__WPILOG_TEXTS];
    int text_count;
    ib__WpilogStruct structs[IB__WPILOG_STRUCTS];
    int struct_count;
    ib_Log *log;
    ib_Error *error;
} ib__WpilogReader;

// How many series an entry has: fields times elements; 0 of what is no numbers or is hidden.
static inline int ib__wpilog_width(const ib__WpilogEntry *entry)
{
    if (entry->kind != IB__WPILOG_NUMBERS || entry->hidden) return 0;
    return entry->element_count * entry->layout->field_count;
}

// Once all records are counted: makes the tables of the log, says where every entry's samples go,
// and names what is not read. Series and events have their numbers, and no room for samples.
ib_Status ib__wpilog_make_tables(ib__WpilogReader *reader);

static inline ib_Status ib__wpilog_no_memory(const ib__WpilogReader *reader)
{
    return ib_error_set(reader->error, IB_FAILED, "%s: out of memory", reader->window->name);
}

#endif
