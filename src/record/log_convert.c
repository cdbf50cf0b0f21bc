// record/log_convert.c: converts a recording without all of it in memory.
//
// Rows are by time, and a file may have its samples in any order. Therefore the samples of a span
// of time are collected, sorted and written, then those of the next span, each as long as room
// allows. A survey knows the blocks of the file with times in a span, and only those are read: each
// about once in a file in order, as nearly all are. A file in no order at all is read once for
// every span; memory stays the same.
#include "record/log_convert.h"

#include "record/log_survey.h"
#include "record/row_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PICKS = 1024 }; ///< random samples for the choice of a cut

typedef struct Sample {
    ib_Time time;
    union {
        double value;
        uint64_t at; ///< of an event: its record
    };
    int of;    ///< series or source
    int place; ///< order among equal times, from 0
} Sample;

typedef struct Conversion {
    ib_Log *log;
    const ib__LogSource *source;
    const ib__LogSurvey *survey;
    ib_RowFile file;
    Sample *samples;
    int count, room;
    ib__LogTaker taker; ///< its `until` decreases when the room is full
    int64_t *ranks;     ///< of each series: samples so far at the present time
    int64_t first_rank; ///< of the wanted ones
    double *values;     ///< of a row
    bool *present;
    bool failed; ///< a text could not be read
} Conversion;

// ------------------------------------------------------------------------------------- order, cuts

static int compare_samples(const void *left, const void *right)
{
    const Sample *a = left, *b = right;
    if (a->time != b->time) return a->time < b->time ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

static int compare_times(const void *left, const void *right)
{
    const ib_Time *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

// Sorts by time, equal times as in the file.
static void sort_samples(Conversion *to)
{
    bool ascending = true;
    for (int i = 1; i < to->count && ascending; i++)
        ascending = to->samples[i - 1].time <= to->samples[i].time;
    if (ascending) return;
    for (int i = 0; i < to->count; i++) to->samples[i].place = i;
    qsort(to->samples, (size_t)to->count, sizeof *to->samples, compare_samples);
}

// Keeps the samples before `until`, in their order.
static void keep_before(Conversion *to, ib_Time until)
{
    int kept = 0;
    for (int i = 0; i < to->count; i++)
        if (to->samples[i].time < until) to->samples[kept++] = to->samples[i];
    to->count = kept;
    to->taker.until = until;
}

// A time with about one sample in eight at or after it, estimated from some of them.
static ib_Time late_time(const Conversion *to)
{
    ib_Time times[PICKS];
    int picks = to->count < PICKS ? to->count : PICKS;
    for (int i = 0; i < picks; i++) times[i] = to->samples[(int64_t)i * to->count / picks].time;
    qsort(times, (size_t)picks, sizeof *times, compare_times);
    return times[picks - 1 - picks / 8];
}

// Makes room by a shorter span. A time with more samples than fit ends it: the span is then empty,
// or ends before that time.
static void shorten(Conversion *to)
{
    ib_Time first = to->samples[0].time, last = first, cut = late_time(to);
    for (int i = 1; i < to->count; i++) {
        ib_Time time = to->samples[i].time;
        if (time < first) first = time;
        if (time > last) last = time;
    }
    if (cut == first && last > first) cut = first + 1;
    keep_before(to, cut);
    if (to->count <= to->room - to->room / 64) return;

    // The estimate failed: all samples are sorted.
    sort_samples(to);
    cut = to->samples[to->count / 2].time;
    keep_before(to, cut > first ? cut : first + 1);
}

static void take(Conversion *to, Sample sample)
{
    if (sample.time >= to->taker.until) return;
    if (to->count == to->room) shorten(to);
    if (sample.time < to->taker.until) to->samples[to->count++] = sample;
}

static void take_number(void *self, ib_Time time, int series, double value)
{
    take(self, (Sample){.time = time, .value = value, .of = series});
}

static void take_event(void *self, ib_Time time, int source, uint64_t at)
{
    take(self, (Sample){.time = time, .at = at, .of = source});
}

// Reads all blocks with a time in the span, which may become shorter meanwhile.
static ib_Status read_span(Conversion *to, bool events)
{
    const ib__LogSource *source = to->source;
    for (int i = 0; i < to->survey->count; i++) {
        const ib__LogBlock *block = &to->survey->blocks[i];
        const ib__Span *span = events ? &block->events : &block->numbers;
        if (span->last < to->taker.from || span->first >= to->taker.until) continue;
        if (source->mark(source->self).at != block->mark.at)
            source->seek(source->self, block->mark);
        ib_Status status = source->read(source->self, block->end, &to->taker);
        if (status != IB_OK) return status;
    }
    return IB_OK;
}

// ----------------------------------------------------------------------------------------- writing

static void write_row(Conversion *to, const Sample *samples, int count)
{
    for (int i = 0; i < count; i++) {
        to->values[samples[i].of] = samples[i].value;
        to->present[samples[i].of] = true;
    }
    ib__row_file_row(&to->file, samples[0].time, to->values, to->present);
    for (int i = 0; i < count; i++) to->present[samples[i].of] = false;
}

// Writes samples of one time with their ranks as places, sorted: a row for each rank.
static void write_ranks(Conversion *to, const Sample *samples, int count)
{
    for (int i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && samples[end].place == samples[i].place;) end++;
        write_row(to, samples + i, end - i);
    }
}

// Writes all samples of one time. A series with two of them gets two rows.
static void write_time(Conversion *to, Sample *samples, int count)
{
    bool single = true;
    for (int i = 0; i < count; i++) {
        samples[i].place = (int)to->ranks[samples[i].of]++;
        single &= samples[i].place == 0;
    }
    for (int i = 0; i < count; i++) to->ranks[samples[i].of] = 0;
    if (!single) qsort(samples, (size_t)count, sizeof *samples, compare_samples);
    write_ranks(to, samples, count);
}

static void write_rows(Conversion *to)
{
    sort_samples(to);
    for (int i = 0, end; i < to->count; i = end) {
        for (end = i + 1; end < to->count && to->samples[end].time == to->samples[i].time;) end++;
        write_time(to, to->samples + i, end - i);
    }
}

static void write_event(void *self, ib_Time time, int source, uint64_t at)
{
    Conversion *to = self;
    const char *text = to->failed ? NULL : to->source->text(to->source->self, at);
    if (!text) {
        to->failed = true;
        return;
    }
    ib_LogEvent event = ib__log_event(to->log, time, source, text);
    ib__row_file_message(&to->file, time, source, event.level, event.text);
}

static void write_events(Conversion *to)
{
    sort_samples(to);
    for (int i = 0; i < to->count; i++)
        write_event(to, to->samples[i].time, to->samples[i].of, to->samples[i].at);
}

// --------------------------------------------------------------- times of which there are too many

static void take_ranked(void *self, ib_Time time, int series, double value)
{
    Conversion *to = self;
    int64_t rank = to->ranks[series]++ - to->first_rank;
    if (rank < 0 || rank >= to->room / to->log->series_count) return;
    to->samples[to->count++] =
        (Sample){.time = time, .value = value, .of = series, .place = (int)rank};
}

// Writes the rows of one time, as many at once as fit if every series has a sample in each.
static ib_Status write_crowd(Conversion *to, ib_Time time)
{
    to->taker = (ib__LogTaker){.self = to, .from = time, .until = time + 1, .number = take_ranked};
    ib_Status status = IB_OK;
    size_t size = (size_t)to->log->series_count * sizeof *to->ranks;
    for (to->first_rank = 0; status == IB_OK && !to->file.sink.failure;) {
        to->count = 0;
        status = read_span(to, false);
        memset(to->ranks, 0, size);
        if (to->count == 0) break;
        qsort(to->samples, (size_t)to->count, sizeof *to->samples, compare_samples);
        if (status == IB_OK) write_ranks(to, to->samples, to->count);
        to->first_rank += to->room / to->log->series_count;
    }
    return status;
}

// Events of one time are written in the order of the file: none needs to be kept.
static ib_Status pass_events(Conversion *to, ib_Time time)
{
    to->taker = (ib__LogTaker){.self = to, .from = time, .until = time + 1, .event = write_event};
    return read_span(to, true);
}

// Writes the rows of the next span, or the events, which come before them. Returns its end.
static ib_Status write_span(Conversion *to, bool events, ib_Time *from)
{
    to->taker = (ib__LogTaker){.self = to, .from = *from, .until = IB_TIME_NEVER};
    if (events)
        to->taker.event = take_event;
    else
        to->taker.number = take_number;
    to->count = 0;
    ib_Status status = read_span(to, events);
    if (status != IB_OK) return status;
    *from = to->taker.until;
    if (to->count == 0 && *from < IB_TIME_NEVER) {
        ib_Time crowded = (*from)++;
        return events ? pass_events(to, crowded) : write_crowd(to, crowded);
    }
    if (events)
        write_events(to);
    else
        write_rows(to);
    return IB_OK;
}

static ib_Status write_spans(Conversion *to, bool events)
{
    for (ib_Time from = -IB_TIME_NEVER; from < IB_TIME_NEVER && !to->file.sink.failure;) {
        ib_Status status = write_span(to, events, &from);
        if (status == IB_OK && to->failed) status = IB_FAILED;
        if (status != IB_OK) return status;
    }
    return IB_OK;
}

// ---------------------------------------------------------------------------------- the conversion

static ib_Status load_facts(const Conversion *to, ib_Error *error)
{
    for (int i = 0; i < to->log->fact_count; i++) {
        if (to->survey->facts[i] == 0) continue;
        const char *text = to->source->text(to->source->self, to->survey->facts[i]);
        if (!text) return IB_FAILED;
        to->log->facts[i].value = ib_arena_text(&to->log->arena, text);
        if (!to->log->facts[i].value) return ib_error_set(error, IB_FAILED, "out of memory");
    }
    return IB_OK;
}

// A series has no samples here: the survey has the properties of its samples.
static ib_Status judge_series(const Conversion *to, bool wpilog, ib_Error *error)
{
    for (int i = 0; i < to->log->series_count; i++) {
        ib_LogSeries *series = &to->log->series[i];
        series->means.binary &= to->survey->binary[i];
        series->count = 0;
        ib_Status status =
            wpilog ? ib__log_check_begin(series, to->survey->first[i], error) : IB_OK;
        if (status != IB_OK) return status;
    }
    return IB_OK;
}

static ib_Status make_room(Conversion *to, int room, ib_Arena *arena, ib_Error *error)
{
    size_t count = (size_t)to->log->series_count;
    to->room = room > to->log->series_count ? room : to->log->series_count;
    to->samples = ib_arena_array(arena, (size_t)to->room, sizeof *to->samples);
    to->ranks = ib_arena_array(arena, count, sizeof *to->ranks);
    to->values = ib_arena_array(arena, count, sizeof *to->values);
    to->present = ib_arena_array(arena, count, sizeof *to->present);
    bool made = to->samples && to->ranks && to->values && to->present;
    return made ? IB_OK : ib_error_set(error, IB_FAILED, "out of memory");
}

static ib_Status write_file(Conversion *to, const char *path, const ib_Packer *packer,
                            ib_Arena *arena, ib_Error *error)
{
    ib_Status status = ib__row_file_create(path, true, packer, arena, &to->file, error);
    if (status != IB_OK) return status;
    ib__row_file_begin(&to->file, to->log->facts, to->log->fact_count);
    if (packer->format == IB_LOG_WPILOG && to->log->event_count) status = write_spans(to, true);
    if (status == IB_OK) status = write_spans(to, false);
    if (status == IB_OK) return ib__row_file_close(&to->file, error);
    to->file.sink.dropped = true;
    ib__row_file_close(&to->file, NULL);
    return status;
}

static ib_Status convert(Conversion *to, const char *path, const ib__ConvertLimits *limits,
                         ib_Error *error)
{
    ib_Arena arena = {0};
    ib__LogSurvey survey = {0};
    ib_Packer packer;
    to->survey = &survey;
    ib_Status status = ib__log_survey(to->source, to->log, limits->block, &arena, &survey, error);
    if (status == IB_OK) status = load_facts(to, error);
    if (status == IB_OK) status = judge_series(to, ib_log_format(path) == IB_LOG_WPILOG, error);
    if (status == IB_OK) status = ib__log_packer(to->log, path, &arena, &packer, error);
    if (status == IB_OK) status = make_room(to, limits->room, &arena, error);
    if (status == IB_OK) status = write_file(to, path, &packer, &arena, error);
    ib__log_survey_free(&survey);
    ib_arena_reset(&arena);
    return status;
}

static ib_Status convert_file(ib__Window *window, const char *path, const ib__ConvertLimits *limits,
                              ib_Log **log, ib_Error *error)
{
    ib_Log *made = ib__log_create();
    if (!made) return ib_error_set(error, IB_FAILED, "%s: out of memory", window->name);
    ib__LogSource source;
    ib_Status status = ib__log_source_open(window, made, &source);
    if (status != IB_OK) {
        ib_log_destroy(made);
        return status;
    }
    Conversion to = {.log = made, .source = &source};
    status = convert(&to, path, limits, error);
    source.destroy(source.self);
    *log = made;
    return status;
}

static ib_Status convert_in_memory(const char *from, const char *to, ib_Log **log, ib_Error *error)
{
    ib_Status status = ib_log_read(from, log, error);
    return status == IB_OK ? ib_log_write(*log, to, error) : status;
}

ib_Status ib__log_convert_within(const char *from, const char *to, const ib__ConvertLimits *limits,
                                 ib_Log **log, ib_Error *error)
{
    *log = NULL;
    ib_Status status = ib__log_check_path(to, error);
    if (status != IB_OK) return status;
    int fd = open(from, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return ib_error_set(error, IB_BAD_INPUT, "cannot open '%s': %s", from, strerror(errno));
    struct stat info;
    bool plain = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0;
    if (plain) {
        ib__Window window =
            ib__window_file(from, fd, limits->window, (uint64_t)info.st_size, error);
        status = convert_file(&window, to, limits, log, error);
        ib__window_free(&window);
    }
    close(fd);
    return plain ? status : convert_in_memory(from, to, log, error);
}

ib_Status ib_log_convert(const char *from, const char *to, ib_Log **log, ib_Error *error)
{
    static const ib__ConvertLimits usual = {
        .room = 1 << 18, .window = IB__WINDOW_SIZE, .block = 1 << 16};
    return ib__log_convert_within(from, to, &usual, log, error);
}
