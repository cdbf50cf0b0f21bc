#include "record/log_survey.h"

#include <stdlib.h>

// ------------------------------------------------------------------------------------------ blocks

static const ib__Span no_span = {IB_TIME_NEVER, -IB_TIME_NEVER};

static void widen(ib__Span *span, ib_Time first, ib_Time last)
{
    if (first < span->first) span->first = first;
    if (last > span->last) span->last = last;
}

// Joins pairs of blocks: half as many, twice as long.
static void join_pairs(ib__LogSurvey *survey)
{
    int pairs = survey->count / 2;
    for (int i = 0; i < pairs; i++) {
        ib__LogBlock block = survey->blocks[2 * i];
        const ib__LogBlock *behind = &survey->blocks[2 * i + 1];
        block.end = behind->end;
        widen(&block.numbers, behind->numbers.first, behind->numbers.last);
        widen(&block.events, behind->events.first, behind->events.last);
        survey->blocks[i] = block;
    }
    survey->count = pairs;
    survey->bytes *= 2;
}

static bool open_block(ib__LogSurvey *survey, ib__LogMark mark)
{
    if (survey->count == IB__MOST_BLOCKS) join_pairs(survey);
    if (survey->count == survey->capacity) {
        int capacity = survey->capacity ? 2 * survey->capacity : 64;
        ib__LogBlock *blocks = realloc(survey->blocks, (size_t)capacity * sizeof *blocks);
        if (!blocks) return false;
        survey->blocks = blocks;
        survey->capacity = capacity;
    }
    survey->open = &survey->blocks[survey->count++];
    *survey->open = (ib__LogBlock){.mark = mark, .numbers = no_span, .events = no_span};
    return true;
}

// ----------------------------------------------------------------------------------------- samples

static void see_number(void *self, ib_Time time, int series, double value)
{
    ib__LogSurvey *survey = self;
    widen(&survey->open->numbers, time, time);
    if (time < survey->first[series]) survey->first[series] = time;
    if (value != 0 && value != 1) survey->binary[series] = false;
}

static void see_event(void *self, ib_Time time, int source, uint64_t at)
{
    ib__LogSurvey *survey = self;
    (void)source;
    (void)at;
    widen(&survey->open->events, time, time);
}

static void see_fact(void *self, int fact, uint64_t at)
{
    ((ib__LogSurvey *)self)->facts[fact] = at;
}

static bool make_room(ib__LogSurvey *survey, const ib_Log *log, ib_Arena *arena)
{
    size_t count = (size_t)log->series_count;
    survey->first = ib_arena_array(arena, count, sizeof *survey->first);
    survey->binary = ib_arena_array(arena, count, sizeof *survey->binary);
    survey->facts = ib_arena_array(arena, (size_t)log->fact_count, sizeof *survey->facts);
    if (!survey->first || !survey->binary || !survey->facts) return false;
    for (size_t i = 0; i < count; i++) {
        survey->first[i] = IB_TIME_NEVER;
        survey->binary[i] = log->series[i].means.binary;
    }
    return true;
}

ib_Status ib__log_survey(const ib__LogSource *source, const ib_Log *log, uint64_t bytes,
                         ib_Arena *arena, ib__LogSurvey *survey, ib_Error *error)
{
    *survey = (ib__LogSurvey){.bytes = bytes};
    bool room = make_room(survey, log, arena);
    uint64_t size = log->whole_size;
    const ib__LogTaker taker = {.self = survey,
                                IB__ANY_TIME,
                                .exact = survey->binary,
                                .number = see_number,
                                .event = see_event,
                                .fact = see_fact};
    for (ib__LogMark mark = source->mark(source->self); room && mark.at < size;
         mark = source->mark(source->self)) {
        room = open_block(survey, mark);
        if (!room) break;
        uint64_t left = size - mark.at;
        uint64_t end = mark.at + (left < survey->bytes ? left : survey->bytes);
        ib_Status status = source->read(source->self, end, &taker);
        if (status != IB_OK) return status;
        survey->open->end = source->mark(source->self).at;
    }
    return room ? IB_OK : ib_error_set(error, IB_FAILED, "out of memory");
}

void ib__log_survey_free(ib__LogSurvey *survey)
{
    free(survey->blocks);
    survey->blocks = NULL;
}
