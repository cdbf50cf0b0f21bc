// record/wpilog_read.c: reads a WPILOG in passes over its records.
// The first checks them, collects the entries and counts their samples; wpilog_series.c makes
// series of them. Every other pass hands over samples: into arrays of just that size, or into
// another file.
#include "base/hash.h"
#include "base/quote.h"
#include "record/wpilog_inside.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_SIZE = 12, MAX_ENTRIES = 32768 };

// Types with a number, and the same with "[]" for arrays.
static const ib_StructField doubles[] = {{.name = "", .unit = "", .number = IB_STRUCT_DOUBLE}},
                            floats[] = {{.name = "", .unit = "", .number = IB_STRUCT_FLOAT}},
                            ints[] = {{.name = "", .unit = "", .number = IB_STRUCT_INT64}},
                            booleans[] = {{.name = "", .unit = "", .number = IB_STRUCT_BOOLEAN}};

static const struct {
    const char *type;
    ib_StructLayout layout;
} plain[] = {
    {"double", {doubles, 1, 8}}, {"float", {floats, 1, 4}},     {"int64", {ints, 1, 8}},
    {"int", {ints, 1, 8}},       {"boolean", {booleans, 1, 1}},
};

#define STRUCT_TYPE "struct:"
#define STRUCT_TEXT ".schema.struct:" ///< what stands before the name of a struct

typedef struct Record {
    uint64_t at; ///< its begin in the file
    uint32_t entry;
    uint64_t payload; ///< begin of the payload
    size_t size;
    ib_Time time;
    bool strange; ///< it has an invalid bit
} Record;

static ib_Status bad(const ib__WpilogReader *reader, uint64_t at, const char *what)
{
    return ib_error_set(reader->error, IB_BAD_INPUT, "%s: byte %" PRIu64 ": %s",
                        reader->window->name, at, what);
}

static const unsigned char *look(ib__WpilogReader *reader, uint64_t at, size_t length)
{
    return ib__window_view(reader->window, at, length);
}

static const unsigned char *payload_of(ib__WpilogReader *reader, const Record *record)
{
    return look(reader, record->payload, record->size);
}

// ----------------------------------------------------------------------------------------- records

bool ib_wpilog_recognise(const unsigned char *data, size_t size)
{
    return size >= 6 && memcmp(data, "WPILOG", 6) == 0;
}

static ib_Status read_header(ib__WpilogReader *reader)
{
    if (reader->size == 0) return bad(reader, 0, "the file is empty");
    size_t known = reader->size < HEADER_SIZE ? (size_t)reader->size : HEADER_SIZE;
    const unsigned char *data = look(reader, 0, known);
    if (!data) return reader->window->status;
    if (memcmp(data, "WPILOG", known < 6 ? known : 6) != 0)
        return bad(reader, 0, "not a WPILOG file: it does not begin with 'WPILOG'");
    if (known < HEADER_SIZE) return bad(reader, reader->size, "the file ends inside its header");
    if (data[7] != 1) return bad(reader, 6, "not version 1 of the WPILOG format");
    uint64_t extra = ib_bytes_word(data + 8, 4);
    if (extra > reader->size - HEADER_SIZE)
        return bad(reader, reader->size, "the file ends inside its header");
    reader->at = HEADER_SIZE + extra;
    return IB_OK;
}

// Reads the prefix of the next record. False at the end of the complete part (`truncated`: more
// follows), or when the window fails.
static bool next_record(ib__WpilogReader *reader, Record *record)
{
    uint64_t left = reader->size - reader->at;
    size_t known = left < IB_WPILOG_RECORD ? (size_t)left : IB_WPILOG_RECORD;
    const unsigned char *data = left ? look(reader, reader->at, known) : NULL;
    if (!data) return false;
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
        .payload = reader->at + prefix,
        .size = (size_t)size,
        .time = micros > INT64_MAX / 1000 ? -1 : (ib_Time)micros * 1000,
        .strange = data[0] >> 7,
    };
    reader->at += prefix + record->size;
    return true;
}

// ----------------------------------------------------------------------------------------- entries

static int *bucket(ib__WpilogReader *reader, uint32_t id)
{
    return &reader->buckets[ib_hash_word(IB_HASH_START, id) % IB__WPILOG_BUCKETS];
}

// The entry last started with this id, or NULL.
static ib__WpilogEntry *find_entry(ib__WpilogReader *reader, uint32_t id)
{
    for (int i = *bucket(reader, id); i >= 0; i = reader->entries[i].next)
        if (reader->entries[i].id == id) return &reader->entries[i];
    return NULL;
}

static void forget_entries(ib__WpilogReader *reader)
{
    for (int i = 0; i < IB__WPILOG_BUCKETS; i++) reader->buckets[i] = -1;
}

// "/drive/left" -> "drive.left", and "NT:/drive/left", of NetworkTables, -> "NT.drive.left".
static char *dotted_name(ib_Arena *arena, const char *text, size_t length)
{
    if (length && text[0] == '/') {
        text++;
        length--;
    }
    char *name = ib_arena_text_n(arena, text, length);
    char *to = name;
    for (const char *from = name; from && *from; from++) {
        if (from[0] == ':' && from[1] == '/') continue;
        *to++ = (char)(*from == '/' ? '.' : *from);
    }
    if (to) *to = '\0';
    return name;
}

// Cuts `tail` off the end of `text`; false: `text` ends otherwise.
static bool cut_tail(char *text, const char *tail)
{
    size_t length = strlen(text), cut = strlen(tail);
    if (length < cut || strcmp(text + length - cut, tail) != 0) return false;
    text[length - cut] = '\0';
    return true;
}

static bool begins(const char *text, const char *head)
{
    return strncmp(text, head, strlen(head)) == 0;
}

// Sets an entry's content by its type: a number, text, a struct, or an array of numbers or structs.
static bool set_kind(ib__WpilogReader *reader, ib__WpilogEntry *entry)
{
    if (strcmp(entry->type, "string") == 0 || strcmp(entry->type, "json") == 0) {
        const char *prefix = "Metadata.";
        bool fact = begins(entry->name, prefix) && entry->type[0] == 's';
        entry->kind = fact ? IB__WPILOG_FACT : IB__WPILOG_TEXT;
        if (fact) entry->name += strlen(prefix);
        return true;
    }
    if (strcmp(entry->type, "structschema") == 0) {
        entry->kind = IB__WPILOG_STRUCT_TEXT;
        return true;
    }
    char *element = ib_arena_text(&reader->scratch, entry->type);
    if (!element) return false;
    entry->array = cut_tail(element, "[]");
    entry->structured = begins(element, STRUCT_TYPE);
    entry->element_count = !entry->array;
    if (entry->structured) entry->kind = IB__WPILOG_STRUCT;
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        if (strcmp(element, plain[i].type) == 0) {
            entry->kind = IB__WPILOG_NUMBERS;
            entry->layout = &plain[i].layout;
        }
    return true;
}

static ib__WpilogEntry *add_entry(ib__WpilogReader *reader)
{
    if (reader->entry_count == reader->entry_capacity) {
        int capacity = reader->entry_capacity ? 2 * reader->entry_capacity : 64;
        ib__WpilogEntry *entries =
            ib_arena_array(&reader->scratch, (size_t)capacity, sizeof *entries);
        if (!entries) return NULL;
        if (reader->entry_count)
            memcpy(entries, reader->entries, (size_t)reader->entry_count * sizeof *entries);
        reader->entries = entries;
        reader->entry_capacity = capacity;
    }
    return &reader->entries[reader->entry_count++];
}

// Takes a u32 length and that many bytes off the payload; false when they are missing.
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

// The place in the file of a text in the payload.
static uint64_t place_of(const Record *record, const unsigned char *payload, const char *text)
{
    return record->payload + (uint64_t)((const unsigned char *)text - payload);
}

// Start = u8 0, u32 entry, name, type, metadata.
static ib_Status start_entry(ib__WpilogReader *reader, const Record *record,
                             const unsigned char *begin)
{
    const unsigned char *payload = begin + 5;
    size_t left = record->size - 5, name_length, type_length, metadata_length;
    const char *name, *type, *metadata;
    if (!take_text(&payload, &left, &name, &name_length) ||
        !take_text(&payload, &left, &type, &type_length) ||
        !take_text(&payload, &left, &metadata, &metadata_length))
        return bad(reader, record->at, "the start of an entry has a wrong length inside");
    if (reader->entry_count == MAX_ENTRIES)
        return bad(reader, record->at, "more than 32768 entries");

    ib__WpilogEntry *entry = add_entry(reader);
    char *text = entry ? dotted_name(&reader->log->arena, name, name_length) : NULL;
    char *word = text ? ib_arena_text_n(&reader->log->arena, type, type_length) : NULL;
    if (!word) return ib__wpilog_no_memory(reader);
    uint32_t id = (uint32_t)ib_bytes_word(begin + 1, 4);
    *entry = (ib__WpilogEntry){.id = id,
                               .name = text,
                               .type = word,
                               .metadata_at = place_of(record, begin, metadata),
                               .metadata_size = metadata_length};
    if (!set_kind(reader, entry)) return ib__wpilog_no_memory(reader);
    entry->next = *bucket(reader, id);
    *bucket(reader, id) = reader->entry_count - 1;
    return IB_OK;
}

static ib_Status read_control(ib__WpilogReader *reader, const Record *record)
{
    if (record->size < 5) return bad(reader, record->at, "a control record is too short");
    const unsigned char *begin = payload_of(reader, record);
    if (!begin) return reader->window->status;
    const unsigned char *payload = begin + 5;
    size_t left = record->size - 5;
    const char *metadata;
    ib__WpilogEntry *entry = find_entry(reader, (uint32_t)ib_bytes_word(begin + 1, 4));
    switch (begin[0]) {
    case 0:
        return start_entry(reader, record, begin);
    case 1:
        return IB_OK; // late records of a finished entry are harmless
    case 2:
        if (!entry) return bad(reader, record->at, "metadata of an entry that was never started");
        if (!take_text(&payload, &left, &metadata, &entry->metadata_size))
            return bad(reader, record->at, "metadata with a wrong length inside");
        entry->metadata_at = place_of(record, begin, metadata);
        return IB_OK;
    default:
        return bad(reader, record->at, "a control record of unknown type");
    }
}

// Keeps the description of a struct; the first one of a name counts.
static ib_Status keep_struct_text(ib__WpilogReader *reader, const ib__WpilogEntry *entry,
                                  const Record *record)
{
    // Entries of NetworkTables are in a folder of their own: "NT" and then the same.
    const char *name = strstr(entry->name, STRUCT_TEXT);
    if (!name || reader->text_count == IB__WPILOG_TEXTS) return IB_OK;
    name += strlen(STRUCT_TEXT);
    for (int i = 0; i < reader->text_count; i++)
        if (strcmp(reader->texts[i].name, name) == 0) return IB_OK;
    const unsigned char *payload = payload_of(reader, record);
    if (!payload) return reader->window->status;
    char *text = ib_arena_text_n(&reader->scratch, (const char *)payload, record->size);
    if (!text) return ib__wpilog_no_memory(reader);
    reader->texts[reader->text_count++] = (ib_StructText){name, text};
    return IB_OK;
}

// The layout of a struct, computed once; NULL: it cannot be read.
static const ib_StructLayout *find_struct(ib__WpilogReader *reader, const char *name)
{
    for (int i = 0; i < reader->struct_count; i++)
        if (strcmp(reader->structs[i].name, name) == 0) return reader->structs[i].layout;
    if (reader->struct_count == IB__WPILOG_STRUCTS) return NULL;
    const ib_StructLayout *layout =
        ib_struct_layout(name, reader->texts, reader->text_count, &reader->log->arena);
    reader->structs[reader->struct_count++] = (ib__WpilogStruct){name, layout};
    return layout;
}

// The first record of a struct fixes its layout: descriptions precede the records.
static ib_Status settle_struct(ib__WpilogReader *reader, ib__WpilogEntry *entry)
{
    char *name = ib_arena_text(&reader->scratch, entry->type + strlen(STRUCT_TYPE));
    if (!name) return ib__wpilog_no_memory(reader);
    if (entry->array) cut_tail(name, "[]");
    entry->layout = find_struct(reader, name);
    entry->kind = entry->layout ? IB__WPILOG_NUMBERS : IB__WPILOG_UNREAD;
    return IB_OK;
}

// Each element of an array has one sample for every record that is long enough.
static bool count_elements(ib__WpilogReader *reader, ib__WpilogEntry *entry, size_t elements)
{
    entry->longer |= elements > IB_LOG_MAX_ELEMENTS;
    int count = elements > IB_LOG_MAX_ELEMENTS ? IB_LOG_MAX_ELEMENTS : (int)elements;
    if (count > entry->capacity) {
        int capacity = count > 2 * entry->capacity ? count : 2 * entry->capacity;
        int64_t *lengths = ib_arena_array(&reader->scratch, (size_t)capacity, sizeof *lengths);
        if (!lengths) return false;
        if (entry->capacity)
            memcpy(lengths, entry->lengths, (size_t)entry->capacity * sizeof *lengths);
        entry->lengths = lengths;
        entry->capacity = capacity;
    }
    for (int i = 0; i < count; i++) entry->lengths[i]++;
    if (count > entry->element_count) entry->element_count = count;
    return true;
}

// True if a record of numbers has the size of its entry's type. Others are skipped.
static bool size_fits(const ib__WpilogEntry *entry, const Record *record)
{
    size_t size = entry->layout->size;
    return entry->array ? record->size % size == 0 : record->size == size;
}

static ib_Status count_record(ib__WpilogReader *reader, const Record *record)
{
    if (record->strange) return bad(reader, record->at, "not a record: bit 7 is set");
    if (record->entry == 0) return read_control(reader, record);
    ib__WpilogEntry *entry = find_entry(reader, record->entry);
    if (!entry)
        return ib_error_set(reader->error, IB_BAD_INPUT,
                            "%s: byte %" PRIu64 ": a record of entry %" PRIu32
                            ", which was never started",
                            reader->window->name, record->at, record->entry);
    ib_Status status = IB_OK;
    if (entry->kind == IB__WPILOG_STRUCT) status = settle_struct(reader, entry);
    if (entry->kind == IB__WPILOG_STRUCT_TEXT) status = keep_struct_text(reader, entry, record);
    bool numbers = status == IB_OK && entry->kind == IB__WPILOG_NUMBERS;
    if (numbers && !size_fits(entry, record)) {
        entry->misfits++;
        return IB_OK;
    }
    if (numbers && entry->array &&
        !count_elements(reader, entry, record->size / entry->layout->size))
        return ib__wpilog_no_memory(reader);
    if (status == IB_OK && entry->kind != IB__WPILOG_UNREAD && record->time < 0)
        status = bad(reader, record->at, "a time beyond 292 years");
    entry->records++;
    return status;
}

// A power cut leaves zeros at the end, in the place of data that had not reached the disk.
static bool only_zeros(ib__WpilogReader *reader, uint64_t at)
{
    for (; at < reader->size; at++) {
        const unsigned char *byte = look(reader, at, 1);
        if (!byte || *byte != 0) return false;
    }
    return true;
}

static ib_Status count_records(ib__WpilogReader *reader)
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
    return reader->window->status;
}

// ----------------------------------------------------------------------------------------- samples

static void hand_numbers(const ib__WpilogEntry *entry, const Record *record,
                         const unsigned char *payload, const ib__LogTaker *taker)
{
    const ib_StructLayout *layout = entry->layout;
    size_t elements = record->size / layout->size;
    for (size_t i = 0; i < elements && i < (size_t)entry->element_count; i++)
        for (int field = 0; field < layout->field_count; field++) {
            int place = (int)i * layout->field_count + field;
            taker->number(taker->self, record->time, entry->target[place],
                          ib_struct_number(&layout->fields[field], payload + i * layout->size));
        }
}

static ib_Status hand_record(ib__WpilogReader *reader, const ib__WpilogEntry *entry,
                             const Record *record, const ib__LogTaker *taker)
{
    if (entry->kind == IB__WPILOG_FACT && taker->fact)
        taker->fact(taker->self, entry->target[0], record->at);
    if (record->time < taker->from || record->time >= taker->until) return IB_OK;
    if (entry->kind == IB__WPILOG_TEXT && taker->event)
        taker->event(taker->self, record->time, entry->target[0], record->at);
    if (taker->number && ib__wpilog_width(entry) && size_fits(entry, record)) {
        const unsigned char *payload = payload_of(reader, record);
        if (!payload) return reader->window->status;
        hand_numbers(entry, record, payload, taker);
    }
    return reader->window->status;
}

// An id means the entry last started before the record.
static void start_next(ib__WpilogReader *reader)
{
    ib__WpilogEntry *entry = &reader->entries[reader->started];
    entry->next = *bucket(reader, entry->id);
    *bucket(reader, entry->id) = reader->started++;
}

// Writes of another program into the file between two passes are noticed before they do harm.
static ib_Status changed(const ib__WpilogReader *reader, const Record *record)
{
    return bad(reader, record->at, "the file has changed while it was read");
}

static ib_Status read_samples(void *self, uint64_t end, const ib__LogTaker *taker)
{
    ib__WpilogReader *reader = self;
    Record record;
    while (reader->at < end && next_record(reader, &record)) {
        if (record.entry != 0) {
            const ib__WpilogEntry *entry = find_entry(reader, record.entry);
            if (!entry) return changed(reader, &record);
            ib_Status status = hand_record(reader, entry, &record, taker);
            if (status != IB_OK) return status;
            continue;
        }
        const unsigned char *type = record.size ? look(reader, record.payload, 1) : NULL;
        if (reader->window->status != IB_OK) break;
        if (!type || (*type == 0 && reader->started == reader->entry_count))
            return changed(reader, &record);
        if (*type == 0) start_next(reader);
    }
    return reader->window->status;
}

static ib__LogMark get_mark(const void *self)
{
    const ib__WpilogReader *reader = self;
    return (ib__LogMark){reader->at, reader->started};
}

static void seek_mark(void *self, ib__LogMark mark)
{
    ib__WpilogReader *reader = self;
    if (mark.count < reader->started) {
        forget_entries(reader);
        reader->started = 0;
    }
    while (reader->started < mark.count) start_next(reader);
    reader->at = mark.at;
}

static const char *text_at(void *self, uint64_t at)
{
    ib__WpilogReader *reader = self;
    uint64_t before = reader->at;
    Record record;
    reader->at = at;
    reader->text.count = 0;
    if (next_record(reader, &record)) {
        const unsigned char *payload = payload_of(reader, &record);
        if (payload) ib_bytes_put(&reader->text, payload, record.size);
        ib_bytes_put(&reader->text, "", 1);
    }
    reader->at = before;
    if (reader->window->status != IB_OK) return NULL;
    if (!reader->text.failed && reader->text.count) return (const char *)reader->text.data;
    ib__wpilog_no_memory(reader);
    return NULL;
}

static void destroy(void *self)
{
    ib__WpilogReader *reader = self;
    ib_arena_reset(&reader->scratch);
    ib_bytes_free(&reader->text);
    free(reader);
}

ib_Status ib__wpilog_source_open(ib__Window *window, ib_Log *log, ib__LogSource *source)
{
    ib__WpilogReader *reader = calloc(1, sizeof *reader);
    if (!reader) return ib_error_set(window->error, IB_FAILED, "%s: out of memory", window->name);
    reader->window = window;
    reader->size = window->size;
    reader->log = log;
    reader->error = window->error;

    ib_Status status = read_header(reader);
    uint64_t first = reader->at;
    if (status == IB_OK) status = count_records(reader);
    if (status == IB_OK) status = ib__wpilog_make_tables(reader);
    if (status != IB_OK) {
        destroy(reader);
        return status;
    }
    forget_entries(reader);
    reader->at = first;
    *source = (ib__LogSource){.self = reader,
                              .mark = get_mark,
                              .seek = seek_mark,
                              .read = read_samples,
                              .text = text_at,
                              .destroy = destroy};
    return IB_OK;
}
