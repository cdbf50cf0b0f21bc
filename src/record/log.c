#include "record/log.h"

#include "record/log_source.h"
#include "record/wpilog.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

ib_LogFormat ib_log_format(const char *path)
{
    const char *dot = strrchr(path, '.');
    if (!dot) return IB_LOG_UNKNOWN;
    if (strcasecmp(dot, ".csv") == 0) return IB_LOG_CSV;
    if (strcasecmp(dot, ".wpilog") == 0) return IB_LOG_WPILOG;
    return IB_LOG_UNKNOWN;
}

ib_Log *ib__log_create(void)
{
    return calloc(1, sizeof(ib_Log));
}

void ib_log_destroy(ib_Log *log)
{
    if (!log) return;
    ib_arena_reset(&log->arena);
    free(log);
}

const ib_LogSeries *ib_log_find(const ib_Log *log, const char *name)
{
    for (int i = 0; i < log->series_count; i++)
        if (strcmp(log->series[i].name, name) == 0) return &log->series[i];
    return NULL;
}

// ------------------------------------------------------------------------------- samples in memory

ib_Status ib__log_source_open(ib__Window *window, ib_Log *log, ib__LogSource *source)
{
    ib_LogFormat format = ib_log_format(window->name);
    if (format == IB_LOG_UNKNOWN) {
        size_t known = window->size < 6 ? (size_t)window->size : 6;
        const unsigned char *data = known ? ib__window_view(window, 0, known) : NULL;
        if (window->status != IB_OK) return window->status;
        format = ib_wpilog_recognise(data, known) ? IB_LOG_WPILOG : IB_LOG_CSV;
    }
    return format == IB_LOG_WPILOG ? ib__wpilog_source_open(window, log, source)
                                   : ib__csv_source_open(window, log, source);
}

ib_LogEvent ib__log_event(const ib_Log *log, ib_Time time, int source, const char *text)
{
    static const char *const prefixes[] = {"info: ", "warning: ", "error: "};
    ib_LogEvent event = {.time = time, .source = source, .text = text};
    for (int i = 0; i < 3 && strcmp(log->sources[source], "messages") == 0; i++) {
        size_t length = strlen(prefixes[i]);
        if (strncmp(text, prefixes[i], length) != 0) continue;
        event.level = (ib_LogLevel)i;
        event.text = text + length;
        break;
    }
    return event;
}

typedef struct Filling {
    ib_Log *log;
    const ib__LogSource *source;
    bool failed; ///< a text could not be read
} Filling;

static void fill_number(void *self, ib_Time time, int series, double value)
{
    ib_LogSeries *to = &((Filling *)self)->log->series[series];
    to->times[to->count] = time;
    to->values[to->count++] = value;
}

// Holes go to the far end of the series' times, the last one first: samples and holes together are
// at most as many as the cells.
static void fill_hole(void *self, ib_Time time, int series)
{
    ib_LogFlaws *flaws = &((Filling *)self)->log->flaws[series];
    *--flaws->hole_times = time;
    flaws->hole_count++;
}

static const char *fill_text(Filling *filling, uint64_t at)
{
    const char *text = filling->source->text(filling->source->self, at);
    if (text) text = ib_arena_text(&filling->log->arena, text);
    if (!text) filling->failed = true;
    return text ? text : "";
}

static void fill_event(void *self, ib_Time time, int source, uint64_t at)
{
    Filling *filling = self;
    ib_Log *log = filling->log;
    log->events[log->event_count++] = ib__log_event(log, time, source, fill_text(filling, at));
}

static void fill_fact(void *self, int fact, uint64_t at)
{
    Filling *filling = self;
    filling->log->facts[fact].value = fill_text(filling, at);
}

// Allocates room for the counted samples and events.
static bool make_room(ib_Log *log)
{
    log->flaws = ib_arena_array(&log->arena, (size_t)log->series_count, sizeof *log->flaws);
    log->events = ib_arena_array(&log->arena, (size_t)log->event_count, sizeof *log->events);
    if (!log->flaws || !log->events) return false;
    log->event_count = 0;
    for (int i = 0; i < log->series_count; i++) {
        ib_LogSeries *series = &log->series[i];
        size_t count = (size_t)series->count;
        series->times = ib_arena_array(&log->arena, count, sizeof(ib_Time));
        series->values = ib_arena_array(&log->arena, count, sizeof(double));
        if (!series->times || !series->values) return false;
        log->flaws[i].hole_times = series->times + count;
        series->count = 0;
    }
    return true;
}

static ib_Status fill(ib__Window *window, ib_Log *log)
{
    ib__LogSource source;
    ib_Status status = ib__log_source_open(window, log, &source);
    if (status != IB_OK) return status;
    Filling filling = {.log = log, .source = &source};
    ib__LogTaker taker = {.self = &filling,
                          IB__ANY_TIME,
                          .number = fill_number,
                          .hole = fill_hole,
                          .event = fill_event,
                          .fact = fill_fact};
    bool room = make_room(log);
    if (room) status = source.read(source.self, window->size, &taker);
    if (status == IB_OK && (!room || filling.failed))
        status = ib_error_set(window->error, IB_FAILED, "%s: out of memory", window->name);
    source.destroy(source.self);
    return status;
}

ib_Status ib_log_parse(const char *name, const unsigned char *data, size_t size, ib_Log **log,
                       ib_Error *error)
{
    *log = NULL;
    ib_Log *made = ib__log_create();
    if (!made) return ib_error_set(error, IB_FAILED, "%s: out of memory", name);
    ib__Window window = ib__window_memory(name, data, size, error);
    ib_Status status = fill(&window, made);
    if (status == IB_OK) status = ib__log_sort(made, error);
    if (status != IB_OK) {
        ib_log_destroy(made);
        return status;
    }
    *log = made;
    return IB_OK;
}

// -------------------------------------------------------------------------- reading the whole file

typedef struct Content {
    unsigned char *data;
    size_t size, capacity;
} Content;

static ib_Status grow(const char *path, Content *content, size_t capacity, ib_Error *error)
{
    unsigned char *data = realloc(content->data, capacity);
    if (!data) return ib_error_set(error, IB_FAILED, "%s: out of memory", path);
    content->data = data;
    content->capacity = capacity;
    return IB_OK;
}

// Reads until the end without relying on the size: the file may be a pipe, or still grow.
static ib_Status read_all(int fd, const char *path, Content *content, ib_Error *error)
{
    for (;;) {
        if (content->size > IB_LOG_MAX_BYTES)
            return ib_error_set(error, IB_BAD_INPUT, "%s: larger than 4 GiB", path);
        if (content->size == content->capacity) {
            ib_Status status = grow(path, content, 2 * content->capacity, error);
            if (status != IB_OK) return status;
        }
        ssize_t got = read(fd, content->data + content->size, content->capacity - content->size);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0)
            return ib_error_set(error, IB_BAD_INPUT, "cannot read '%s': %s", path, strerror(errno));
        if (got == 0) return IB_OK;
        content->size += (size_t)got;
    }
}

ib_Status ib_log_read(const char *path, ib_Log **log, ib_Error *error)
{
    *log = NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return ib_error_set(error, IB_BAD_INPUT, "cannot open '%s': %s", path, strerror(errno));

    struct stat info;
    size_t expected = 64 * 1024;
    if (fstat(fd, &info) == 0 && info.st_size > 0 && (uint64_t)info.st_size <= IB_LOG_MAX_BYTES)
        expected = (size_t)info.st_size + 1;

    Content content = {0};
    ib_Status status = grow(path, &content, expected, error);
    if (status == IB_OK) status = read_all(fd, path, &content, error);
    close(fd);
    if (status == IB_OK) status = ib_log_parse(path, content.data, content.size, log, error);
    free(content.data);
    return status;
}

// ----------------------------------------------------------------------------------- order of time

typedef struct Sample {
    ib_Time time;
    int64_t place; ///< in the file: keeps the sort stable
    double value;
    bool late;
} Sample;

static int compare(ib_Time a, ib_Time b, int64_t place_a, int64_t place_b)
{
    if (a != b) return a < b ? -1 : 1;
    return place_a < place_b ? -1 : place_a > place_b;
}

static int compare_samples(const void *left, const void *right)
{
    const Sample *a = left, *b = right;
    return compare(a->time, b->time, a->place, b->place);
}

static int compare_times(const void *left, const void *right)
{
    const ib_Time *a = left, *b = right;
    return compare(*a, *b, 0, 0);
}

static bool ascending(const ib_Time *times, int64_t count)
{
    for (int64_t i = 1; i < count; i++)
        if (times[i] < times[i - 1]) return false;
    return true;
}

// Sorts samples by time and marks those that move forward: the clock had gone back before them.
static bool sort_series(ib_LogSeries *series, ib_LogFlaws *flaws, ib_Arena *arena)
{
    if (ascending(series->times, series->count)) return true;
    Sample *samples = malloc((size_t)series->count * sizeof *samples);
    flaws->late = ib_arena_array(arena, (size_t)series->count, sizeof *flaws->late);
    if (!samples || !flaws->late) {
        free(samples);
        return false;
    }
    ib_Time latest = series->times[0];
    for (int64_t i = 0; i < series->count; i++) {
        ib_Time time = series->times[i];
        samples[i] = (Sample){time, i, series->values[i], time < latest};
        if (time > latest) latest = time;
    }
    qsort(samples, (size_t)series->count, sizeof *samples, compare_samples);
    for (int64_t i = 0; i < series->count; i++) {
        series->times[i] = samples[i].time;
        series->values[i] = samples[i].value;
        flaws->late[i] = samples[i].late;
    }
    free(samples);
    return true;
}

static void sort_holes(ib_LogFlaws *flaws)
{
    if (!ascending(flaws->hole_times, flaws->hole_count))
        qsort(flaws->hole_times, (size_t)flaws->hole_count, sizeof(ib_Time), compare_times);
}

typedef struct PlacedEvent {
    ib_LogEvent event;
    int64_t place;
} PlacedEvent;

static int compare_events(const void *left, const void *right)
{
    const PlacedEvent *a = left, *b = right;
    return compare(a->event.time, b->event.time, a->place, b->place);
}

static bool sort_events(ib_Log *log)
{
    if (log->event_count < 2) return true;
    PlacedEvent *events = malloc((size_t)log->event_count * sizeof *events);
    if (!events) return false;
    for (int64_t i = 0; i < log->event_count; i++) events[i] = (PlacedEvent){log->events[i], i};
    qsort(events, (size_t)log->event_count, sizeof *events, compare_events);
    for (int64_t i = 0; i < log->event_count; i++) log->events[i] = events[i].event;
    free(events);
    return true;
}

ib_Status ib__log_sort(ib_Log *log, ib_Error *error)
{
    if (!log->flaws)
        log->flaws = ib_arena_array(&log->arena, (size_t)log->series_count, sizeof *log->flaws);
    bool done = log->flaws && sort_events(log);
    for (int i = 0; done && i < log->series_count; i++) {
        sort_holes(&log->flaws[i]);
        done = sort_series(&log->series[i], &log->flaws[i], &log->arena);
    }
    return done ? IB_OK : ib_error_set(error, IB_FAILED, "out of memory while sorting a log");
}
