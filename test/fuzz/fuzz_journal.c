// Fuzz target: any bytes, line by line, as the recorded inputs of a drive. They must be read or
// refused; what is read is in order, names what exists, and comes back from its own line.
#include "record/journal.h"
#include "scenario/scenario.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LINES = 1000 };

static const char tanks[] = "robots:\n"
                            "  red: {kind: tank, inputs: {source: viewer}}\n"
                            "  blue: {kind: roomba, inputs: {source: viewer}}\n"
                            "run: {duration: 1 s}\n";

static ib_Scenario *scenario;
static ib_Arena param_arena;
static const ib_LiveParam *params;
static int param_count;

static void prepare(void)
{
    ib_Arena arena = {0};
    ib_Diagnostics diagnostics = {.arena = &arena};
    scenario = ib_scenario_read_text("t.yaml", tanks, strlen(tanks), &(ib_ScenarioOptions){0},
                                     &diagnostics);
    IB_ASSERT(scenario);
    params = ib_live_params(scenario->model, &param_arena, &param_count);
    ib_arena_reset(&arena);
}

static void check(const ib_Journal *journal)
{
    for (int64_t i = 0; i < journal->count; i++) {
        const ib_JournalEvent *event = &journal->events[i];
        char line[IB_JOURNAL_LINE];
        IB_ASSERT(i == 0 || event->time >= journal->events[i - 1].time);
        IB_ASSERT(event->type != IB_JOURNAL_INPUT || isfinite(event->value));
        IB_ASSERT(event->type != IB_JOURNAL_SET || event->index < param_count);
        ib_journal_format(scenario->model, params, event, line);
        IB_ASSERT(strlen(line) < IB_JOURNAL_LINE - 1);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *sources[] = {IB_JOURNAL_SOURCE};
    static ib_LogEvent events[LINES];
    if (!scenario) prepare();
    char *text = malloc(size + 1);
    if (!text) return 0;
    if (size) memcpy(text, data, size);
    text[size] = '\0';
    ib_Log log = {.sources = sources, .source_count = 1, .events = events};
    char *rest = text;
    for (char *line; log.event_count < LINES && (line = strsep(&rest, "\n"));)
        events[log.event_count++] = (ib_LogEvent){.text = line};
    ib_Arena arena = {0};
    ib_Journal journal;
    ib_Error error;
    if (ib_journal_read(&log, scenario->model, params, param_count, &arena, &journal, &error) ==
        IB_OK)
        check(&journal);
    else
        IB_ASSERT(error.status == IB_BAD_INPUT && strlen(error.text) > 0);
    ib_arena_reset(&arena);
    free(text);
    return 0;
}
