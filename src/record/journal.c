#include "record/journal.h"

#include "base/quote.h"
#include "base/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const verbs[] = {"input", "input", "set", "state", "end", "failed"};

// ----------------------------------------------------------------------------------------- writing

// An input's name with its robot: "red.left".
static void name_input(const ib_Model *model, int input, char *text, size_t size)
{
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        int own = input - robot->input;
        if (own < 0 || own >= robot->ports.input_count) continue;
        snprintf(text, size, "%s%s%s", robot->name, robot->name[0] ? "." : "",
                 robot->ports.inputs[own].name);
        return;
    }
    text[0] = '\0';
}

void ib_journal_format(const ib_Model *model, const ib_LiveParam *params,
                       const ib_JournalEvent *event, char text[IB_JOURNAL_LINE])
{
    char name[100];
    long long time = (long long)event->time;
    const char *verb = verbs[event->type];
    switch (event->type) {
    case IB_JOURNAL_INPUT:
    case IB_JOURNAL_NEUTRAL:
        name_input(model, event->index, name, sizeof name);
        if (event->type == IB_JOURNAL_INPUT)
            snprintf(text, IB_JOURNAL_LINE, "%lld %s %s %.17g", time, verb, name, event->value);
        else
            snprintf(text, IB_JOURNAL_LINE, "%lld %s %s neutral", time, verb, name);
        break;
    case IB_JOURNAL_SET:
        snprintf(text, IB_JOURNAL_LINE, "%lld %s %.90s %.17g", time, verb,
                 params[event->index].path, event->value);
        break;
    case IB_JOURNAL_STATE:
    case IB_JOURNAL_END:
        snprintf(text, IB_JOURNAL_LINE, "%lld %s %016" PRIx64, time, verb, event->hash);
        break;
    case IB_JOURNAL_FAILED:
        snprintf(text, IB_JOURNAL_LINE, "%lld %s", time, verb);
        break;
    }
}

// ----------------------------------------------------------------------------------------- reading

typedef struct Reader {
    const ib_Model *model;
    const ib_LiveParam *params;
    int param_count;
} Reader;

enum { WORDS = 4 };

// Splits a copy of the line at its spaces; returns the number of words, or WORDS + 1.
static int split(char *line, char *words[WORDS])
{
    int count = 0;
    for (char *word = line; word; count++) {
        char *space = strchr(word, ' ');
        if (count == WORDS) return WORDS + 1;
        words[count] = word;
        if (space) *space++ = '\0';
        word = space;
    }
    return count;
}

static bool read_time(const char *text, ib_Time *time)
{
    char *end;
    if (text[0] < '0' || text[0] > '9' || strlen(text) > 18) return false;
    *time = strtoll(text, &end, 10);
    return *end == '\0';
}

static bool read_hash(const char *text, uint64_t *hash)
{
    if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16) return false;
    *hash = strtoull(text, NULL, 16);
    return true;
}

// The index of the model's input with this name that the viewer may set; -1: none.
static int find_input(const ib_Model *model, const char *name)
{
    char own[100];
    for (int i = 0; i < model->input_count; i++) {
        if (!ib_live_input_open(model, i)) continue;
        name_input(model, i, own, sizeof own);
        if (strcmp(own, name) == 0) return i;
    }
    return -1;
}

static ib_Status read_input(const Reader *reader, const char *name, const char *value,
                            ib_JournalEvent *event, ib_Error *error)
{
    event->index = find_input(reader->model, name);
    if (event->index < 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "the scenario has no input '%s' that the viewer sets",
                            ib_quote(name).text);
    event->type = strcmp(value, "neutral") == 0 ? IB_JOURNAL_NEUTRAL : IB_JOURNAL_INPUT;
    if (event->type == IB_JOURNAL_NEUTRAL) return IB_OK;
    return ib_number_read(value, &event->value, error);
}

static ib_Status read_set(const Reader *reader, const char *path, const char *value,
                          ib_JournalEvent *event, ib_Error *error)
{
    event->type = IB_JOURNAL_SET;
    event->index = -1;
    for (int i = 0; i < reader->param_count; i++)
        if (strcmp(reader->params[i].path, path) == 0) event->index = i;
    if (event->index < 0)
        return ib_error_set(error, IB_BAD_INPUT, "the scenario has no live parameter '%s'",
                            ib_quote(path).text);
    return ib_number_read(value, &event->value, error);
}

static ib_Status read_line(const Reader *reader, char *line, ib_JournalEvent *event,
                           ib_Error *error)
{
    char *words[WORDS] = {0};
    int count = split(line, words);
    *event = (ib_JournalEvent){.index = -1};
    if (count < 2 || count > WORDS || !read_time(words[0], &event->time))
        return ib_error_set(error, IB_BAD_INPUT,
                            "expected '<nanoseconds> input|set <name> <value>' or "
                            "'<nanoseconds> state|end <hash>'");
    if (count == 2 && strcmp(words[1], "failed") == 0) {
        event->type = IB_JOURNAL_FAILED;
        return IB_OK;
    }
    bool state = strcmp(words[1], "state") == 0, end = strcmp(words[1], "end") == 0;
    if (count == 3 && (state || end)) {
        event->type = end ? IB_JOURNAL_END : IB_JOURNAL_STATE;
        if (read_hash(words[2], &event->hash)) return IB_OK;
        return ib_error_set(error, IB_BAD_INPUT, "expected a hash of 16 digits, got '%s'",
                            ib_quote(words[2]).text);
    }
    if (count == 4 && strcmp(words[1], "input") == 0)
        return read_input(reader, words[2], words[3], event, error);
    if (count == 4 && strcmp(words[1], "set") == 0)
        return read_set(reader, words[2], words[3], event, error);
    return ib_error_set(error, IB_BAD_INPUT,
                        "'%s' is no such line: expected input, set, state, end or "
                        "failed",
                        ib_quote(words[1]).text);
}

static int find_source(const ib_Log *log)
{
    for (int i = 0; i < log->source_count; i++)
        if (strcmp(log->sources[i], IB_JOURNAL_SOURCE) == 0) return i;
    return -1;
}

ib_Status ib_journal_read(const ib_Log *log, const ib_Model *model, const ib_LiveParam *params,
                          int param_count, ib_Arena *arena, ib_Journal *journal, ib_Error *error)
{
    Reader reader = {model, params, param_count};
    int source = find_source(log);
    int64_t count = 0, used = 0;
    *journal = (ib_Journal){0};
    for (int64_t i = 0; i < log->event_count; i++) count += log->events[i].source == source;
    if (source < 0 || count == 0) return IB_OK;
    ib_JournalEvent *events = ib_arena_array(arena, (size_t)count, sizeof *events);
    if (!events) return ib_error_set(error, IB_FAILED, "out of memory for the recorded inputs");
    for (int64_t i = 0; i < log->event_count; i++) {
        if (log->events[i].source != source) continue;
        ib_Error reason;
        char line[IB_JOURNAL_LINE];
        int length = snprintf(line, sizeof line, "%s", log->events[i].text);
        ib_Status status = length >= IB_JOURNAL_LINE
                               ? ib_error_set(&reason, IB_BAD_INPUT, "it is too long")
                               : read_line(&reader, line, &events[used], &reason);
        if (status == IB_OK && used > 0 && events[used].time < events[used - 1].time)
            status = ib_error_set(&reason, IB_BAD_INPUT, "its time is before that of the last one");
        if (status == IB_OK && used > 0 && events[used - 1].type >= IB_JOURNAL_END)
            status = ib_error_set(&reason, IB_BAD_INPUT, "it comes after the end");
        if (status != IB_OK)
            return ib_error_set(error, IB_BAD_INPUT, "recorded input %lld, '%s': %.600s",
                                (long long)used + 1, ib_quote(log->events[i].text).text,
                                reason.text);
        used++;
    }
    *journal = (ib_Journal){used, events};
    return IB_OK;
}
