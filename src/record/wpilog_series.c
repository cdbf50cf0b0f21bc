// record/wpilog_series.c: from the entries of a WPILOG to the series of a log: their names, entries
// of equal names, and the targets of samples.
#include "record/metadata.h"
#include "record/wpilog_inside.h"
#include "robot/planar.h"
#include "sim/recognise.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_METADATA = 65536 }; ///< longer ones are not read

typedef ib__WpilogReader Reader;
typedef ib__WpilogEntry Entry;

// True if a struct of this entry is a robot's own pose: "Pose" stands for "pose.x", ….
static bool is_own_pose(const Entry *entry, size_t *stem)
{
    size_t last = strlen(entry->name);
    while (last && entry->name[last - 1] != '.') last--;
    *stem = last;
    return entry->structured && !entry->array && strcmp(entry->name + last, IB_POSE_ENTRY) == 0;
}

// Ironbird's name of a pose's field, or NULL.
static const char *own_name(ib_SignalRole role)
{
    return role == IB_ROLE_POSE_X         ? IB_NAME_POSE_X
           : role == IB_ROLE_POSE_Y       ? IB_NAME_POSE_Y
           : role == IB_ROLE_POSE_HEADING ? IB_NAME_POSE_HEADING
                                          : NULL;
}

static const ib_StructField *field_at(const Entry *entry, int place)
{
    return &entry->layout->fields[place % entry->layout->field_count];
}

// "Odometry.Robot", or "Vision.Poses.2" of an array.
static const char *element_name(ib_Arena *arena, const Entry *entry, int place)
{
    if (!entry->array) return entry->name;
    return ib_arena_format(arena, "%s.%d", entry->name, place / entry->layout->field_count);
}

// The wanted series name of an element's field.
static const char *field_name(ib_Arena *arena, const Entry *entry, int place)
{
    size_t stem;
    const ib_StructField *field = field_at(entry, place);
    const char *own = own_name(field->role);
    if (own && is_own_pose(entry, &stem))
        return ib_arena_format(arena, "%.*s%s", (int)stem, entry->name, own);
    const char *element = element_name(arena, entry, place);
    if (!element || !field->name[0]) return element;
    return ib_arena_format(arena, "%s.%s", element, field->name);
}

// ------------------------------------------------------------------------------------- what is one

typedef struct Wanted {
    const char *name;
    int entry, place;
    bool structured;
} Wanted;

static int compare_wanted(const void *left, const void *right)
{
    const Wanted *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    if (order) return order;
    if (a->structured != b->structured) return a->structured ? 1 : -1;
    return a->entry != b->entry ? (a->entry < b->entry ? -1 : 1) : a->place - b->place;
}

// Numbers the groups of fields with equal names, from 0, and returns their count. A struct that
// shares a name with a plain signal repeats it: it is hidden, and *hidden is set.
static int group_fields(Reader *reader, Wanted *wanted, int count, bool *hidden)
{
    int group = -1;
    bool plain = false;
    for (int i = 0; i < count; i++) {
        Entry *entry = &reader->entries[wanted[i].entry];
        if (i == 0 || strcmp(wanted[i].name, wanted[i - 1].name) != 0) {
            group++;
            plain = !wanted[i].structured;
        }
        entry->target[wanted[i].place] = group;
        if (wanted[i].structured && plain) *hidden = entry->hidden = true;
    }
    return group + 1;
}

// Collects the fields of all entries, sorted by name. NULL: out of memory.
static Wanted *collect_fields(Reader *reader, int *count)
{
    *count = 0;
    for (int i = 0; i < reader->entry_count; i++) *count += ib__wpilog_width(&reader->entries[i]);
    Wanted *wanted = ib_arena_array(&reader->scratch, (size_t)*count, sizeof *wanted);
    int next = 0;
    for (int i = 0; wanted && i < reader->entry_count; i++)
        for (int place = 0; place < ib__wpilog_width(&reader->entries[i]); place++) {
            const Entry *entry = &reader->entries[i];
            const char *name = field_name(&reader->log->arena, entry, place);
            if (!name) return NULL;
            wanted[next++] = (Wanted){name, i, place, entry->structured};
        }
    if (wanted) qsort(wanted, (size_t)*count, sizeof *wanted, compare_wanted);
    return wanted;
}

// ------------------------------------------------------------------------------------------ series

// True if a pose from another program is that of a robot with the entry's name; elements of arrays
// are not: they may be any poses, and many.
static bool means_pose(Reader *reader, const Entry *entry, int place, ib_LogSeries *series)
{
    ib_SignalRole role = field_at(entry, place)->role;
    if (role == IB_ROLE_NONE || entry->array || series->means.role != IB_ROLE_NONE) return true;
    series->means.role = role;
    series->means.robot = ib_arena_text(&reader->log->arena, entry->name);
    return series->means.robot != NULL;
}

static bool describe(Reader *reader, const Entry *entry, int place, ib_LogSeries *series)
{
    ib_Arena *arena = &reader->log->arena;
    size_t length = entry->metadata_size > MAX_METADATA ? 0 : entry->metadata_size;
    const unsigned char *text = ib__window_view(reader->window, entry->metadata_at, length);
    ib_Metadata data;
    if (!text || !ib__metadata_read((const char *)text, length, arena, &data)) return false;
    series->name = field_name(arena, entry, place);
    series->unit = entry->structured ? field_at(entry, place)->unit : data.unit;
    series->sentence = data.sentence;
    series->means = data.means;
    if (series->name && !data.meant)
        ib_signal_recognise(series->name, series->unit, arena, &series->means);
    if (field_at(entry, place)->number == IB_STRUCT_BOOLEAN) series->means.binary = true;
    return series->name && means_pose(reader, entry, place, series);
}

// The number of samples in a field of an entry.
static int64_t sample_count(const Entry *entry, int place)
{
    return entry->array ? entry->lengths[place / entry->layout->field_count] : entry->records;
}

// Gives every group one series, in the order in which the file starts them.
static ib_Status make_series(Reader *reader, int group_count)
{
    ib_Log *log = reader->log;
    if (group_count > IB_LOG_MAX_SIGNALS)
        return ib_error_set(reader->error, IB_BAD_INPUT, "%s: more than %d signals",
                            reader->window->name, IB_LOG_MAX_SIGNALS);
    int *series_of = ib_arena_array(&reader->scratch, (size_t)group_count, sizeof *series_of);
    log->series = ib_arena_array(&log->arena, (size_t)group_count, sizeof *log->series);
    if (!series_of || !log->series) return ib__wpilog_no_memory(reader);
    for (int i = 0; i < group_count; i++) series_of[i] = -1;

    for (int i = 0; i < reader->entry_count; i++)
        for (int place = 0; place < ib__wpilog_width(&reader->entries[i]); place++) {
            Entry *entry = &reader->entries[i];
            int *series = &series_of[entry->target[place]];
            if (*series < 0) {
                *series = log->series_count++;
                if (!describe(reader, entry, place, &log->series[*series]))
                    return reader->window->status != IB_OK ? reader->window->status
                                                           : ib__wpilog_no_memory(reader);
            }
            entry->target[place] = *series;
            log->series[*series].count += sample_count(entry, place);
        }
    return IB_OK;
}

static ib_Status make_texts(Reader *reader)
{
    ib_Log *log = reader->log;
    size_t entries = (size_t)reader->entry_count;
    log->facts = ib_arena_array(&log->arena, entries, sizeof *log->facts);
    log->sources = ib_arena_array(&log->arena, entries, sizeof *log->sources);
    if (!log->facts || !log->sources) return ib__wpilog_no_memory(reader);
    for (int i = 0; i < reader->entry_count; i++) {
        Entry *entry = &reader->entries[i];
        if (entry->kind == IB__WPILOG_FACT) {
            log->facts[log->fact_count] = (ib_LogFact){entry->name, ""};
            entry->target[0] = log->fact_count++;
        } else if (entry->kind == IB__WPILOG_TEXT) {
            log->sources[log->source_count] = entry->name;
            entry->target[0] = log->source_count++;
            log->event_count += entry->records;
        }
    }
    return IB_OK;
}

// -------------------------------------------------------------------------------- what is not read

// Counts an unread entry under its type and reason; once the rows are full, in the last one.
static void add_unread(ib_Log *log, const Entry *entry, ib_LogUnreadReason reason)
{
    int i = 0;
    while (i < log->unread_count && i < IB_LOG_MAX_UNREAD - 1 &&
           (log->unread[i].reason != reason || strcmp(log->unread[i].type, entry->type) != 0))
        i++;
    if (i == log->unread_count)
        log->unread[log->unread_count++] =
            (ib_LogUnread){.reason = reason, .type = entry->type, .example = entry->name};
    log->unread[i].entries++;
    log->unread[i].records += reason == IB_UNREAD_SIZE ? entry->misfits : entry->records;
}

// Leaves out arrays and structs without room, after all plain signals, and names unread entries.
static ib_Status leave_out(Reader *reader)
{
    int room = IB_LOG_MAX_SIGNALS;
    reader->log->unread =
        ib_arena_array(&reader->log->arena, IB_LOG_MAX_UNREAD, sizeof(ib_LogUnread));
    if (!reader->log->unread) return ib__wpilog_no_memory(reader);
    for (int i = 0; i < reader->entry_count; i++) {
        const Entry *entry = &reader->entries[i];
        if (!entry->array && !entry->structured) room -= ib__wpilog_width(entry);
    }
    for (int i = 0; i < reader->entry_count; i++) {
        Entry *entry = &reader->entries[i];
        int width = ib__wpilog_width(entry);
        bool long_one = entry->kind == IB__WPILOG_NUMBERS && entry->longer;
        if (entry->kind == IB__WPILOG_UNREAD && entry->records)
            add_unread(reader->log, entry, IB_UNREAD_TYPE);
        if (entry->misfits) add_unread(reader->log, entry, IB_UNREAD_SIZE);
        if (!entry->array && !entry->structured) continue;
        if (width > room) {
            entry->kind = IB__WPILOG_UNREAD;
            add_unread(reader->log, entry, IB_UNREAD_MANY);
        } else {
            room -= width;
            if (long_one) add_unread(reader->log, entry, IB_UNREAD_LONG);
        }
    }
    return IB_OK;
}

static ib_Status make_targets(Reader *reader)
{
    for (int i = 0; i < reader->entry_count; i++) {
        Entry *entry = &reader->entries[i];
        size_t width = (size_t)ib__wpilog_width(entry);
        entry->target = ib_arena_array(&reader->scratch, width + 1, sizeof *entry->target);
        if (!entry->target) return ib__wpilog_no_memory(reader);
    }
    return IB_OK;
}

ib_Status ib__wpilog_make_tables(Reader *reader)
{
    ib_Status status = leave_out(reader);
    if (status == IB_OK) status = make_targets(reader);
    if (status != IB_OK) return status;

    // Hidden structs take no part in the second round.
    bool hidden = false;
    int count, groups = 0;
    Wanted *wanted = collect_fields(reader, &count);
    if (wanted) groups = group_fields(reader, wanted, count, &hidden);
    if (hidden) {
        wanted = collect_fields(reader, &count);
        if (wanted) groups = group_fields(reader, wanted, count, &hidden);
    }
    if (!wanted) return ib__wpilog_no_memory(reader);
    status = make_series(reader, groups);
    return status == IB_OK ? make_texts(reader) : status;
}
