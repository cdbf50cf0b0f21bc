#include "record/wpilog.h"

#include "base/formula.h"
#include "record/metadata.h"

#include <math.h>
#include <string.h>

// ----------------------------------------------------------------------------------------- records

void ib_wpilog_put_header(const char *extra, ib_Bytes *bytes)
{
    ib_bytes_put_text(bytes, "WPILOG");
    ib_bytes_put_word(bytes, 0x0100, 2);
    ib_bytes_put_word(bytes, strlen(extra), 4);
    ib_bytes_put_text(bytes, extra);
}

// The size of `word` in bytes, at least one.
static int word_size(uint64_t word)
{
    int size = 1;
    while (size < 8 && word >> (8 * size)) size++;
    return size;
}

// Record: bit field | entry | payload size | timestamp | payload, where the bit field holds the
// lengths, less one, of the three numbers: bits 0-1, 2-3 and 4-6.
static void put_prefix(uint32_t entry, uint64_t micros, size_t size, ib_Bytes *bytes)
{
    int entry_size = word_size(entry), size_size = word_size(size), time_size = word_size(micros);
    ib_bytes_put_word(
        bytes, (uint64_t)((entry_size - 1) | (size_size - 1) << 2 | (time_size - 1) << 4), 1);
    ib_bytes_put_word(bytes, entry, entry_size);
    ib_bytes_put_word(bytes, size, size_size);
    ib_bytes_put_word(bytes, micros, time_size);
}

void ib_wpilog_put_record(uint32_t entry, uint64_t micros, const void *payload, size_t size,
                          ib_Bytes *bytes)
{
    put_prefix(entry, micros, size, bytes);
    ib_bytes_put(bytes, payload, size);
}

void ib_wpilog_put_double(uint32_t entry, uint64_t micros, double value, ib_Bytes *bytes)
{
    put_prefix(entry, micros, 8, bytes);
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    ib_bytes_put_word(bytes, word, 8);
}

void ib_wpilog_put_text(uint32_t entry, uint64_t micros, const char *text, ib_Bytes *bytes)
{
    ib_wpilog_put_record(entry, micros, text, strlen(text), bytes);
}

// ------------------------------------------------------------------------ control records: entry 0

static void put_counted(const char *text, ib_Bytes *bytes)
{
    ib_bytes_put_word(bytes, strlen(text), 4);
    ib_bytes_put_text(bytes, text);
}

static void put_start(uint32_t entry, const char *name, const char *type, const char *metadata,
                      bool slashes, ib_Bytes *bytes)
{
    size_t length = strlen(name);
    put_prefix(0, 0, 1 + 4 + 3 * 4 + length + strlen(type) + strlen(metadata), bytes);
    ib_bytes_put_word(bytes, 0, 1);
    ib_bytes_put_word(bytes, entry, 4);
    ib_bytes_put_word(bytes, length, 4);
    for (; *name; name++) ib_bytes_put_char(bytes, slashes && *name == '.' ? '/' : *name);
    put_counted(type, bytes);
    put_counted(metadata, bytes);
}

void ib_wpilog_put_start(uint32_t entry, const char *name, const char *type, const char *metadata,
                         ib_Bytes *bytes)
{
    put_start(entry, name, type, metadata, true, bytes);
}

// --------------------------------------------------------------------------------- rows of a table

// Entries are numbered from 1: columns, poses, sources of messages, schemas, facts.

static uint32_t pose_entry(const ib_WpilogLayout *layout, int pose)
{
    return (uint32_t)(1 + layout->column_count + pose);
}

static uint32_t source_entry(const ib_WpilogLayout *layout, int source)
{
    return (uint32_t)(1 + layout->column_count + layout->pose_count + source);
}

// Types precede the types made of them.
static const char *const schemas[][2] = {
    {"/.schema/struct:Rotation2d", "double value"},
    {"/.schema/struct:Translation2d", "double x;double y"},
    {"/.schema/struct:Pose2d", "Translation2d translation;Rotation2d rotation"},
};

enum { SCHEMA_COUNT = sizeof schemas / sizeof *schemas };

static void put_schemas(uint32_t entry, ib_Bytes *bytes)
{
    for (int i = 0; i < SCHEMA_COUNT; i++, entry++) {
        put_start(entry, schemas[i][0], "structschema", "", false, bytes);
        ib_wpilog_put_text(entry, 0, schemas[i][1], bytes);
    }
}

static void put_facts(uint32_t entry, const ib_LogFact *facts, int count, ib_Bytes *bytes)
{
    ib_Bytes name = {0};
    for (int i = 0; i < count; i++, entry++) {
        name.count = 0;
        ib_bytes_put_text(&name, "/Metadata/");
        ib_bytes_put(&name, facts[i].key, strlen(facts[i].key) + 1);
        if (name.failed) break;
        put_start(entry, (const char *)name.data, "string", "", false, bytes);
        ib_wpilog_put_text(entry, 0, facts[i].value, bytes);
    }
    bytes->failed |= name.failed;
    ib_bytes_free(&name);
}

static void put_column_starts(const ib_WpilogLayout *layout, ib_Bytes *bytes)
{
    ib_Bytes metadata = {0};
    for (int i = 0; i < layout->column_count; i++) {
        const ib_SignalDef *column = &layout->columns[i];
        metadata.count = 0;
        ib__metadata_put(column->unit, column->sentence, &column->means, &metadata);
        ib_bytes_put(&metadata, "", 1);
        if (metadata.failed) break;
        ib_wpilog_put_start((uint32_t)i + 1, column->name,
                            column->means.binary ? "boolean" : "double",
                            (const char *)metadata.data, bytes);
    }
    bytes->failed |= metadata.failed;
    ib_bytes_free(&metadata);
}

void ib_wpilog_put_layout(const ib_WpilogLayout *layout, const ib_LogFact *facts, int fact_count,
                          ib_Bytes *bytes)
{
    ib_wpilog_put_header("Ironbird", bytes);
    uint32_t next = source_entry(layout, layout->source_count);
    if (layout->pose_count) put_schemas(next, bytes);
    put_facts(next + SCHEMA_COUNT, facts, fact_count, bytes);
    put_column_starts(layout, bytes);
    for (int i = 0; i < layout->pose_count; i++)
        ib_wpilog_put_start(pose_entry(layout, i), layout->poses[i].name, "struct:Pose2d", "",
                            bytes);
    for (int i = 0; i < layout->source_count; i++)
        ib_wpilog_put_start(source_entry(layout, i), layout->sources[i], "string", "", bytes);
}

// The prefixes of a row differ in entry and size only.
typedef struct RowStamp {
    uint64_t micros;
    int time_size;
} RowStamp;

// Writes a record's prefix as put_prefix does; returns the place of the payload. There is room for
// whole words behind it.
IB_FORMULA unsigned char *store_prefix(unsigned char *to, uint32_t entry, const RowStamp *stamp,
                                       unsigned size)
{
    int entry_size = entry < 1u << 8 ? 1 : word_size(entry);
    ib_bytes_store(to, (uint64_t)entry << 8 |
                           (uint64_t)((entry_size - 1) | (stamp->time_size - 1) << 4));
    to += 1 + entry_size;
    *to++ = (unsigned char)size;
    ib_bytes_store(to, stamp->micros);
    return to + stamp->time_size;
}

static unsigned char *store_double(unsigned char *to, double value)
{
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    ib_bytes_store(to, word);
    return to + 8;
}

// Writes the bit of a binary signal; NaN is not written.
static unsigned char *store_binary(unsigned char *to, uint32_t entry, const RowStamp *stamp,
                                   double value)
{
    if (isnan(value)) return to;
    to = store_prefix(to, entry, stamp, 1);
    *to = value != 0;
    return to + 1;
}

size_t ib_wpilog_row_limit(const ib_WpilogLayout *layout)
{
    return (size_t)layout->column_count * (IB_WPILOG_RECORD + 8) +
           (size_t)layout->pose_count * (IB_WPILOG_RECORD + 24) + sizeof(uint64_t);
}

// Room is reserved once: a value costs only its own stores (docs/performance.md).
void ib_wpilog_put_row(const ib_WpilogLayout *layout, ib_Time time, const double *values,
                       const bool *present, ib_Bytes *bytes)
{
    if (!ib_bytes_reserve(bytes, ib_wpilog_row_limit(layout))) return;
    uint64_t micros = ib_wpilog_micros(time);
    const RowStamp stamp = {micros, word_size(micros)};
    unsigned char *to = bytes->data + bytes->count;
    for (int i = 0; i < layout->column_count; i++) {
        if (present && !present[i]) continue;
        uint32_t entry = (uint32_t)i + 1;
        if (layout->columns[i].means.binary)
            to = store_binary(to, entry, &stamp, values[i]);
        else
            to = store_double(store_prefix(to, entry, &stamp, 8), values[i]);
    }
    for (int i = 0; i < layout->pose_count; i++) {
        const ib_PosePlaces *pose = &layout->poses[i];
        if (present && !(present[pose->x] && present[pose->y] && present[pose->heading])) continue;
        to = store_prefix(to, pose_entry(layout, i), &stamp, 24);
        to = store_double(to, values[pose->x]);
        to = store_double(to, values[pose->y]);
        to = store_double(to, values[pose->heading]);
    }
    bytes->count = (size_t)(to - bytes->data);
}

void ib_wpilog_put_message(const ib_WpilogLayout *layout, ib_Time time, int source,
                           ib_LogLevel level, const char *text, ib_Bytes *bytes)
{
    // The level is part of Ironbird's own messages; those of other programs stay as they are.
    static const char *const prefixes[] = {"info: ", "warning: ", "error: "};
    const char *prefix = strcmp(layout->sources[source], "messages") == 0 ? prefixes[level] : "";
    put_prefix(source_entry(layout, source), ib_wpilog_micros(time), strlen(prefix) + strlen(text),
               bytes);
    ib_bytes_put_text(bytes, prefix);
    ib_bytes_put_text(bytes, text);
}
