// record/wpilog_read.c: reads a WPILOG in two passes over its records.
// The first checks them, collects the entries and counts their samples, the second reads the
// samples into arrays of just that size.
#include "base/hash.h"
#include "base/quote.h"
#include "record/metadata.h"
#include "record/wpilog.h"
#include "robot/planar.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEADER_SIZE = 12,
    MAX_ENTRIES = 32768,
    MAX_METADATA = 65536, ///< longer ones are not looked into
    BUCKETS = 1024,
    POSE_FIELDS = 3,
};

typedef enum Kind { SKIPPED, DOUBLE, FLOAT, INT64, BOOLEAN, TEXT, FACT, POSE } Kind;

static const struct {
    const char *type;
    Kind kind;
    size_t size; ///< of a payload; 0: any
} kinds[] = {
    {"double", DOUBLE, 8},   {"float", FLOAT, 4}, {"int64", INT64, 8},
    {"boolean", BOOLEAN, 1}, {"string", TEXT, 0}, {"struct:Pose2d", POSE, 24},
};

typedef struct Entry {
    uint32_t id;
    int next; ///< older entry in the same bucket, -1: none
    Kind kind;
    size_t size;      ///< of a payload; 0: any
    const char *name; ///< dotted
    const char *metadata;
    size_t metadata_size;
    int64_t count;           ///< records
    bool hidden;             ///< a pose of which plain signals exist
    int target[POSE_FIELDS]; ///< group of equal names, then index of the series, source or fact
} Entry;

typedef struct Reader {
    const char *name;
    const unsigned char *data;
    size_t size, at;
    ib_Arena scratch;
    Entry *entries;
    int entry_count, entry_capacity;
    int started; ///< entries whose start the second pass has seen
    int buckets[BUCKETS];
    ib_Log *log;
    ib_Error *error;
} Reader;

typedef struct Record {
    size_t at; ///< where it begins in the file
    uint32_t entry;
    size_t size;
    ib_Time time;
    const unsigned char *payload;
} Record;

static ib_Status bad(const Reader *reader, size_t at, const char *what)
{
    return ib_error_set(reader->error, IB_BAD_INPUT, "%s: byte %zu: %s", reader->name, at, what);
}

static ib_Status no_memory(const Reader *reader)
{
    return ib_error_set(reader->error, IB_FAILED, "%s: out of memory", reader->name);
}

// ----------------------------------------------------------------------------------------- records

bool ib_wpilog_recognise(const unsigned char *data, size_t size)
{
    return size >= 6 && memcmp(data, "WPILOG", 6) == 0;
}

static ib_Status read_header(Reader *reader)
{
    if (reader->size == 0) return bad(reader, 0, "the file is empty");
    size_t known = reader->size < 6 ? reader->size : 6;
    if (memcmp(reader->data, "WPILOG", known) != 0)
        return bad(reader, 0, "not a WPILOG file: it does not begin with 'WPILOG'");
    if (reader->size < HEADER_SIZE)
        return bad(reader, reader->size, "the file ends inside its header");
    if (reader->data[7] != 1) return bad(reader, 6, "not version 1 of the WPILOG format");
    uint64_t extra = ib_bytes_word(reader->data + 8, 4);
    if (extra > reader->size - HEADER_SIZE)
        return bad(reader, reader->size, "the file ends inside its header");
    reader->at = HEADER_SIZE + (size_t)extra;
    return IB_OK;
}

// Reads the next record. False at the end of what is whole: `truncated` says whether more follows.
static bool next_record(Reader *reader, Record *record)
{
    size_t left = reader->size - reader->at;
    const unsigned char *data = reader->data + reader->at;
    if (left == 0) return false;
    int entry_size = (data[0] & 3) + 1, size_size = (data[0] >> 2 & 3) + 1,
        time_size = (data[0] >> 4 & 7) + 1;
    size_t prefix = (size_t)(1 + entry_size + size_size + time_size);
    uint64_t size = left < prefix ? 0 : ib_bytes_word(data + 1 + entry_size, size_size);
    if (left < prefix || size > left - prefix) {
        reader->log->truncated = true;
        return false;
    }
    uint64_t micros = ib_bytes_word(data + 1 + entry_size + size_size, time_size);
    *record = (Record){
        .at = reader->at,
        .entry = (uint32_t)ib_bytes_word(data + 1, entry_size),
        .size = (size_t)size,
        .time = micros > INT64_MAX / 1000 ? -1 : (ib_Time)micros * 1000,
        .payload = data + prefix,
    };
    reader->at += prefix + record->size;
    return true;
}

// ----------------------------------------------------------------------------------------- entries

static int *bucket(Reader *reader, uint32_t id)
{
    return &reader->buckets[ib_hash_word(IB_HASH_START, id) % BUCKETS];
}

// The entry that was started last with this id, or NULL.
static Entry *find_entry(Reader *reader, uint32_t id)
{
    for (int i = *bucket(reader, id); i >= 0; i = reader->entries[i].next)
        if (reader->entries[i].id == id) return &reader->entries[i];
    return NULL;
}

static void forget_entries(Reader *reader)
{
    for (int i = 0; i < BUCKETS; i++) reader->buckets[i] = -1;
}

// "/drive/left" -> "drive.left"
static char *dotted_name(ib_Arena *arena, const char *text, size_t length)
{
    if (length && text[0] == '/') {
        text++;
        length--;
    }
    char *name = ib_arena_text_n(arena, text, length);
    for (char *c = name; c && *c; c++)
        if (*c == '/') *c = '.';
    return name;
}

static void set_kind(Entry *entry, const char *type, size_t length)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strlen(kinds[i].type) == length && memcmp(kinds[i].type, type, length) == 0) {
            entry->kind = kinds[i].kind;
            entry->size = kinds[i].size;
        }
    const char *prefix = "Metadata.";
    if (entry->kind == TEXT && strncmp(entry->name, prefix, strlen(prefix)) == 0) {
        entry->kind = FACT;
        entry->name += strlen(prefix);
    }
}

static Entry *add_entry(Reader *reader)
{
    if (reader->entry_count == reader->entry_capacity) {
        int capacity = reader->entry_capacity ? 2 * reader->entry_capacity : 64;
        Entry *entries = ib_arena_array(&reader->scratch, (size_t)capacity, sizeof *entries);
        if (!entries) return NULL;
        if (reader->entry_count)
            memcpy(entries, reader->entries, (size_t)reader->entry_count * sizeof *entries);
        reader->entries = entries;
        reader->entry_capacity = capacity;
    }
    return &reader->entries[reader->entry_count++];
}

// Takes a u32 length and that many bytes off the payload; false when they are not there.
static bool take_text(const unsigned char **payload, size_t *left, const char **text,
                      size_t *length)
{
    if (*left < 4) return false;
    *length = (size_t)ib_bytes_word(*payload, 4);
    if (*length > *left - 4) return false;
    *text = (const char *)*payload + 4;
    *payload += 4 + *length;
    *left -= 4 + *length;
    return true;
}

// Start = u8 0, u32 entry, name, type, metadata.
static ib_Status start_entry(Reader *reader, const Record *record)
{
    const unsigned char *payload = record->payload + 5;
    size_t left = record->size - 5, name_length, type_length, metadata_length;
    const char *name, *type, *metadata;
    if (!take_text(&payload, &left, &name, &name_length) ||
        !take_text(&payload, &left, &type, &type_length) ||
        !take_text(&payload, &left, &metadata, &metadata_length))
        return bad(reader, record->at, "the start of an entry has a wrong length inside");
    if (reader->entry_count == MAX_ENTRIES)
        return bad(reader, record->at, "more than 32768 entries");

    Entry *entry = add_entry(reader);
    char *text = entry ? dotted_name(&reader->log->arena, name, name_length) : NULL;
    if (!text) return no_memory(reader);
    uint32_t id = (uint32_t)ib_bytes_word(record->payload + 1, 4);
    *entry =
        (Entry){.id = id, .name = text, .metadata = metadata, .metadata_size = metadata_length};
    set_kind(entry, type, type_length);
    entry->next = *bucket(reader, id);
    *bucket(reader, id) = reader->entry_count - 1;
    return IB_OK;
}

static ib_Status read_control(Reader *reader, const Record *record)
{
    if (record->size < 5) return bad(reader, record->at, "a control record is too short");
    const unsigned char *payload = record->payload + 5;
    size_t left = record->size - 5;
    Entry *entry = find_entry(reader, (uint32_t)ib_bytes_word(record->payload + 1, 4));
    switch (record->payload[0]) {
    case 0:
        return start_entry(reader, record);
    case 1:
        return IB_OK; // late records of a finished entry do no harm
    case 2:
        if (!entry) return bad(reader, record->at, "metadata of an entry that was never started");
        if (!take_text(&payload, &left, &entry->metadata, &entry->metadata_size))
            return bad(reader, record->at, "metadata with a wrong length inside");
        return IB_OK;
    default:
        return bad(reader, record->at, "a control record of unknown type");
    }
}

static ib_Status count_record(Reader *reader, const Record *record)
{
    if (reader->data[record->at] & 0x80)
        return bad(reader, record->at, "not a record: bit 7 is set");
    if (record->entry == 0) return read_control(reader, record);
    Entry *entry = find_entry(reader, record->entry);
    if (!entry)
        return ib_error_set(reader->error, IB_BAD_INPUT,
                            "%s: byte %zu: a record of entry %" PRIu32 ", which was never started",
                            reader->name, record->at, record->entry);
    if (entry->kind == SKIPPED) return IB_OK;
    if (entry->size && record->size != entry->size)
        return ib_error_set(
            reader->error, IB_BAD_INPUT, "%s: byte %zu: %s: expected a value of %zu bytes, got %zu",
            reader->name, record->at, ib_quote(entry->name).text, entry->size, record->size);
    if (record->time < 0) return bad(reader, record->at, "a time beyond 292 years");
    entry->count++;
    return IB_OK;
}

// A power cut leaves a tail of zeros where data had not reached the disk.
static bool only_zeros(const Reader *reader, size_t at)
{
    while (at < reader->size && reader->data[at] == 0) at++;
    return at == reader->size;
}

static ib_Status count_records(Reader *reader)
{
    Record record;
    forget_entries(reader);
    while (next_record(reader, &record)) {
        ib_Status status = count_record(reader, &record);
        if (status == IB_BAD_INPUT && only_zeros(reader, record.at)) {
            reader->log->truncated = true;
            reader->at = record.at;
            break;
        }
        if (status != IB_OK) return status;
    }
    reader->size = reader->at;
    reader->log->whole_size = reader->at;
    return IB_OK;
}

// -------------------------------------------------------------------------- from entries to series

static bool is_series(const Entry *entry)
{
    return entry->kind != SKIPPED && entry->kind != TEXT && entry->kind != FACT;
}

static int field_count(const Entry *entry)
{
    return !is_series(entry) || entry->hidden ? 0 : entry->kind == POSE ? POSE_FIELDS : 1;
}

// The name that a field of an entry wants for its series: "Pose" stands for "pose.x", ….
static const char *field_name(ib_Arena *arena, const Entry *entry, int field)
{
    static const char *const fields[POSE_FIELDS] = {"x", "y", "heading"};
    static const char *const own[POSE_FIELDS] = {IB_NAME_POSE_X, IB_NAME_POSE_Y,
                                                 IB_NAME_POSE_HEADING};
    if (entry->kind != POSE) return entry->name;
    size_t length = strlen(entry->name), last = length;
    while (last && entry->name[last - 1] != '.') last--;
    if (strcmp(entry->name + last, IB_POSE_ENTRY) == 0)
        return ib_arena_format(arena, "%.*s%s", (int)last, entry->name, own[field]);
    return ib_arena_format(arena, "%s.%s", entry->name, fields[field]);
}

typedef struct Wanted {
    const char *name;
    int entry, field;
    bool pose;
} Wanted;

static int compare_wanted(const void *left, const void *right)
{
    const Wanted *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    if (order) return order;
    if (a->pose != b->pose) return a->pose ? 1 : -1;
    return a->entry != b->entry ? (a->entry < b->entry ? -1 : 1) : a->field - b->field;
}

// Numbers the groups of fields with equal names, from 0, and returns how many there are. A pose
// that shares a name with a plain signal only repeats it: it is hidden, and *hidden is set.
static int group_fields(Reader *reader, Wanted *wanted, int count, bool *hidden)
{
    int group = -1;
    bool plain = false;
    for (int i = 0; i < count; i++) {
        Entry *entry = &reader->entries[wanted[i].entry];
        if (i == 0 || strcmp(wanted[i].name, wanted[i - 1].name) != 0) {
            group++;
            plain = !wanted[i].pose;
        }
        entry->target[wanted[i].field] = group;
        if (wanted[i].pose && plain) *hidden = entry->hidden = true;
    }
    return group + 1;
}

// Collects the fields of all entries, sorted by name. NULL: out of memory.
static Wanted *collect_fields(Reader *reader, int *count)
{
    *count = 0;
    for (int i = 0; i < reader->entry_count; i++) *count += field_count(&reader->entries[i]);
    Wanted *wanted = ib_arena_array(&reader->scratch, (size_t)*count, sizeof *wanted);
    int next = 0;
    for (int i = 0; wanted && i < reader->entry_count; i++)
        for (int field = 0; field < field_count(&reader->entries[i]); field++) {
            const Entry *entry = &reader->entries[i];
            const char *name = field_name(&reader->log->arena, entry, field);
            if (!name) return NULL;
            wanted[next++] = (Wanted){name, i, field, entry->kind == POSE};
        }
    if (wanted) qsort(wanted, (size_t)*count, sizeof *wanted, compare_wanted);
    return wanted;
}

static bool describe(Reader *reader, const Entry *entry, int field, ib_LogSeries *series)
{
    ib_Arena *arena = &reader->log->arena;
    size_t length = entry->metadata_size > MAX_METADATA ? 0 : entry->metadata_size;
    ib_Metadata data;
    if (!ib__metadata_read(entry->metadata, length, arena, &data)) return false;
    series->name = field_name(arena, entry, field);
    series->unit = entry->kind == POSE ? (field == 2 ? "rad" : "m") : data.unit;
    series->sentence = data.sentence;
    series->means = data.means;
    if (series->name && !data.meant) ib__log_recognise(series, arena);
    if (entry->kind == BOOLEAN) series->means.binary = true;
    return series->name != NULL;
}

// Gives every group one series, in the order in which the file starts them.
static ib_Status make_series(Reader *reader, int group_count)
{
    ib_Log *log = reader->log;
    if (group_count > IB_LOG_MAX_SIGNALS)
        return ib_error_set(reader->error, IB_BAD_INPUT, "%s: more than %d signals", reader->name,
                            IB_LOG_MAX_SIGNALS);
    int *series_of = ib_arena_array(&reader->scratch, (size_t)group_count, sizeof *series_of);
    log->series = ib_arena_array(&log->arena, (size_t)group_count, sizeof *log->series);
    if (!series_of || !log->series) return no_memory(reader);
    for (int i = 0; i < group_count; i++) series_of[i] = -1;

    for (int i = 0; i < reader->entry_count; i++)
        for (int field = 0; field < field_count(&reader->entries[i]); field++) {
            Entry *entry = &reader->entries[i];
            int *series = &series_of[entry->target[field]];
            if (*series < 0) {
                *series = log->series_count++;
                if (!describe(reader, entry, field, &log->series[*series]))
                    return no_memory(reader);
            }
            entry->target[field] = *series;
            log->series[*series].count += entry->count;
        }
    return IB_OK;
}

static ib_Status make_texts(Reader *reader)
{
    ib_Log *log = reader->log;
    size_t entries = (size_t)reader->entry_count;
    log->facts = ib_arena_array(&log->arena, entries, sizeof *log->facts);
    log->sources = ib_arena_array(&log->arena, entries, sizeof *log->sources);
    if (!log->facts || !log->sources) return no_memory(reader);
    int64_t events = 0;
    for (int i = 0; i < reader->entry_count; i++) {
        Entry *entry = &reader->entries[i];
        if (entry->kind == FACT) {
            log->facts[log->fact_count] = (ib_LogFact){entry->name, ""};
            entry->target[0] = log->fact_count++;
        } else if (entry->kind == TEXT) {
            log->sources[log->source_count] = entry->name;
            entry->target[0] = log->source_count++;
            events += entry->count;
        }
    }
    log->events = ib_arena_array(&log->arena, (size_t)events, sizeof *log->events);
    return log->events ? IB_OK : no_memory(reader);
}

static ib_Status make_tables(Reader *reader)
{
    bool hidden = false;
    int count;
    Wanted *wanted = collect_fields(reader, &count);
    int groups = wanted ? group_fields(reader, wanted, count, &hidden) : 0;
    if (hidden) {
        wanted = collect_fields(reader, &count);
        groups = wanted ? group_fields(reader, wanted, count, &hidden) : 0;
    }
    if (!wanted) return no_memory(reader);
    ib_Status status = make_series(reader, groups);
    if (status == IB_OK) status = make_texts(reader);

    ib_Log *log = reader->log;
    for (int i = 0; status == IB_OK && i < log->series_count; i++) {
        ib_LogSeries *series = &log->series[i];
        series->times = ib_arena_array(&log->arena, (size_t)series->count, sizeof(ib_Time));
        series->values = ib_arena_array(&log->arena, (size_t)series->count, sizeof(double));
        if (!series->times || !series->values) status = no_memory(reader);
        series->count = 0;
    }
    return status;
}

// ----------------------------------------------------------------------------------------- samples

static double read_value(Kind kind, const unsigned char *payload)
{
    uint64_t word = ib_bytes_word(payload, kind == FLOAT ? 4 : kind == BOOLEAN ? 1 : 8);
    if (kind == BOOLEAN) return word != 0;
    if (kind == INT64) return (double)(int64_t)word;
    if (kind == FLOAT) {
        uint32_t bits = (uint32_t)word;
        float value;
        memcpy(&value, &bits, sizeof value);
        return (double)value;
    }
    double value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static void add_event(ib_Log *log, const Entry *entry, ib_Time time, const char *text)
{
    static const char *const prefixes[] = {"info: ", "warning: ", "error: "};
    ib_LogEvent event = {.time = time, .source = entry->target[0], .text = text};
    for (int i = 0; i < 3 && strcmp(entry->name, "messages") == 0; i++) {
        size_t length = strlen(prefixes[i]);
        if (strncmp(text, prefixes[i], length) != 0) continue;
        event.level = (ib_LogLevel)i;
        event.text = text + length;
        break;
    }
    log->events[log->event_count++] = event;
}

static ib_Status fill_record(Reader *reader, const Entry *entry, const Record *record)
{
    ib_Log *log = reader->log;
    if (entry->kind == TEXT || entry->kind == FACT) {
        char *text = ib_arena_text_n(&log->arena, (const char *)record->payload, record->size);
        if (!text) return no_memory(reader);
        if (entry->kind == FACT)
            log->facts[entry->target[0]].value = text;
        else
            add_event(log, entry, record->time, text);
        return IB_OK;
    }
    for (int field = 0; field < field_count(entry); field++) {
        ib_LogSeries *series = &log->series[entry->target[field]];
        series->times[series->count] = record->time;
        series->values[series->count++] = read_value(entry->kind, record->payload + 8 * field);
    }
    return IB_OK;
}

static ib_Status fill_records(Reader *reader)
{
    Record record;
    forget_entries(reader);
    while (next_record(reader, &record)) {
        if (record.entry != 0) {
            ib_Status status = fill_record(reader, find_entry(reader, record.entry), &record);
            if (status != IB_OK) return status;
        } else if (record.payload[0] == 0) {
            // An id means the entry that was started last before the record.
            Entry *entry = &reader->entries[reader->started];
            entry->next = *bucket(reader, entry->id);
            *bucket(reader, entry->id) = reader->started++;
        }
    }
    return IB_OK;
}

ib_Status ib_wpilog_parse(const char *name, const unsigned char *data, size_t size, ib_Log *log,
                          ib_Error *error)
{
    Reader *reader = calloc(1, sizeof *reader);
    if (!reader) return ib_error_set(error, IB_FAILED, "%s: out of memory", name);
    reader->name = name;
    reader->data = data;
    reader->size = size;
    reader->log = log;
    reader->error = error;

    ib_Status status = read_header(reader);
    size_t first = reader->at;
    if (status == IB_OK) status = count_records(reader);
    if (status == IB_OK) status = make_tables(reader);
    reader->at = first;
    if (status == IB_OK) status = fill_records(reader);
    ib_arena_reset(&reader->scratch);
    free(reader);
    return status;
}
