// view/live_run.c: one run of the scenario, with its probes.
#include "base/utf8.h"
#include "sim/run.h"
#include "study/warnings.h"
#include "view/live_inside.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// ----------------------------------------------------------------------------------------- telling

static ib_Time now(const ib_Live *live)
{
    return live->run.sim ? ib_sim_time(live->run.sim) : 0;
}

static ib_FeedEvent event_now(const ib_Live *live, int kind, ib_ModeLevel level)
{
    return (ib_FeedEvent){.time = ib_time_to_seconds(now(live)),
                          .run = live->status.run,
                          .kind = kind,
                          .level = level,
                          .parameter = -1};
}

// Reports an event to the viewer and in the recording, except modes, whose signals it has.
static void tell(ib_Live *live, const ib_FeedEvent *event)
{
    static const ib_LogLevel levels[] = {IB_LEVEL_INFO, IB_LEVEL_WARNING, IB_LEVEL_ERROR};
    ib_feed_event(live->feed, event);
    if (live->run.recorder)
        ib_recorder_message(live->run.recorder, now(live), levels[event->level], event->text);
}

void ib__live_tell(ib_Live *live, int kind, ib_ModeLevel level, const char *format, ...)
{
    ib_FeedEvent event = event_now(live, kind, level);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(event.text, sizeof event.text, format, arguments);
    va_end(arguments);
    ib_utf8_clean(event.text);
    tell(live, &event);
}

// --------------------------------------------------------------------------------------- recording

static void write_journal(ib_Live *live, ib_JournalEvent event)
{
    if (!live->run.recorder) return;
    char line[IB_JOURNAL_LINE];
    event.time = now(live);
    ib_journal_format(live->scenario->model, live->params, &event, line);
    ib_recorder_input(live->run.recorder, event.time, line);
}

// Records the inputs of the next step that have changed.
static void record_inputs(ib_Live *live)
{
    ib__LiveRun *run = &live->run;
    for (int i = 0; run->recorder && live->driven && i < live->input.count; i++) {
        bool given = live->input.given[i];
        double value = live->input.values[i];
        if (given == run->recorded_given[i] && (!given || value == run->recorded[i])) continue;
        run->recorded_given[i] = given;
        run->recorded[i] = value;
        write_journal(live, (ib_JournalEvent){.type = given ? IB_JOURNAL_INPUT : IB_JOURNAL_NEUTRAL,
                                              .index = i,
                                              .value = value});
    }
}

// Records the state's hash once a second, so that a replay can name its first difference.
static void record_hash(ib_Live *live)
{
    ib__LiveRun *run = &live->run;
    if (!run->recorder || ib_sim_time(run->sim) < run->next_hash) return;
    run->next_hash = ib_time_next(ib_sim_time(run->sim), IB_SECOND);
    write_journal(live, (ib_JournalEvent){.type = IB_JOURNAL_STATE, .hash = ib_sim_hash(run->sim)});
}

// "drive.wpilog", then "drive-2.wpilog" …: a run never overwrites an older recording.
static ib_Status choose_name(ib_Live *live, const char **name, ib_Error *error)
{
    enum { TRIES = 1000 };
    const char *path = *name = live->options.record;
    if (live->status.run == 1) return IB_OK;
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    int stem = dot ? (int)(dot - path) : (int)strlen(path);
    struct stat status;
    for (uint32_t i = live->status.run, tries = 0; tries < TRIES; i++, tries++) {
        *name = ib_arena_format(&live->run.arena, "%.*s-%u%s", stem, path, i, dot ? dot : "");
        if (!*name) return ib_error_set(error, IB_FAILED, "out of memory for the recording");
        if (stat(*name, &status) != 0) return IB_OK;
    }
    return ib_error_set(error, IB_FAILED,
                        "recording: %d names up to '%s' are taken: move these files away", TRIES,
                        *name);
}

static ib_Status start_recorder(ib_Live *live, ib_Error *error)
{
    ib__LiveRun *run = &live->run;
    const ib_LiveOptions *options = &live->options;
    size_t inputs = (size_t)live->input.count;
    int count;
    const char *path;
    ib_Status status = choose_name(live, &path, error);
    if (status != IB_OK) return status;
    const int *selected = ib_scenario_recorded(live->scenario, &run->arena, &count);
    run->recorded = ib_arena_array(&run->arena, inputs, sizeof *run->recorded);
    run->recorded_given = ib_arena_array(&run->arena, inputs, sizeof *run->recorded_given);
    if (!selected || !run->recorded || !run->recorded_given)
        return ib_error_set(error, IB_FAILED, "out of memory for the recording");
    ib_RecorderConfig config = {.signals = &live->scenario->model->signals,
                                .selected = selected,
                                .selected_count = count,
                                .every = live->scenario->record.every,
                                .paths = &path,
                                .path_count = 1,
                                .facts = options->facts,
                                .fact_count = options->fact_count,
                                .realtime = true,
                                .inputs = true};
    status = ib_recorder_create(&config, &run->recorder, error);
    if (status == IB_OK) live->recordings++;
    if (status == IB_OK) status = ib_sim_probe(run->sim, ib_recorder_probe(run->recorder), error);
    if (status == IB_OK) ib__live_tell(live, IB_EVENT_NOTE, IB_MODE_INFO, "recording to %s", path);
    return status;
}

// True if this run is to be recorded. The limit keeps a mishap or malice from filling the disk.
static bool is_recorded(ib_Live *live)
{
    if (!live->options.record) return false;
    if (live->recordings < IB_LIVE_RECORDINGS) return true;
    ib__live_tell(live, IB_EVENT_FAILURE, IB_MODE_ERROR,
                  "this run is not recorded: there are %d recordings already, the most that one "
                  "program leaves; start it again",
                  IB_LIVE_RECORDINGS);
    return false;
}

static void close_recorder(ib_Live *live)
{
    ib__LiveRun *run = &live->run;
    if (!run->recorder) return;
    // A failed step leaves an undefined state.
    bool failed = live->end_status != IB_OK;
    write_journal(live, (ib_JournalEvent){.type = failed ? IB_JOURNAL_FAILED : IB_JOURNAL_END,
                                          .hash = ib_sim_hash(run->sim)});
    ib_Error error = {0};
    ib_Status status = ib_recorder_close(run->recorder, NULL, &error);
    run->recorder = NULL;
    live->status.recording = false;
    if (status == IB_OK) return;
    ib__live_tell(live, IB_EVENT_FAILURE, IB_MODE_ERROR, "recording: %s", error.text);
    if (live->end_error.text[0] == '\0') live->end_error = error;
}

// ------------------------------------------------------------------------------------------- begin

// Parameters that the viewer has changed stay changed. They are inputs of the new run from its
// first step on, not another start, so that a replay of the recording finds them.
static void carry_parameters(ib_Live *live)
{
    if (live->model == live->scenario->model) return;
    ib_sim_change(live->run.sim, live->model);
    for (int i = 0; i < live->param_count; i++) {
        double value = ib_live_param_value(live->model, &live->params[i]);
        if (!live->changed[i]) continue;
        write_journal(live, (ib_JournalEvent){.type = IB_JOURNAL_SET, .index = i, .value = value});
        ib__live_tell(live, IB_EVENT_NOTE, IB_MODE_INFO, "%.150s stays at %.6g",
                      live->params[i].path, value);
    }
}

// Attaches all probes except the recorder.
static ib_Status attach(void *self, ib_Sim *sim, ib_Error *error)
{
    ib_Live *live = self;
    ib__LiveRun *run = &live->run;
    ib_Scenario *scenario = live->scenario;
    // The input source is connected even without drivable inputs: it limits the step for
    // the display.
    ib_sim_connect(sim, ib_live_input_source(&live->input));
    ib_Status status =
        ib_mode_watch_init(&run->modes, &scenario->model->signals, &run->arena, error);
    if (status == IB_OK && run->modes.count > 0)
        status = ib_sim_probe(sim, ib_mode_watch_probe(&run->modes), error);
    bool room = ib_extremes_init(&run->extremes, scenario->model->signals.count, &run->arena);
    if (status == IB_OK && room)
        status = ib_sim_probe(sim, ib_extremes_probe(&run->extremes), error);
    for (int i = 0; status == IB_OK && i < scenario->expectation_count; i++)
        status = ib_expectation_attach(&scenario->expectations[i], sim, error);
    run->told = ib_arena_array(&run->arena, (size_t)scenario->expectation_count + 1, 1);
    if (status == IB_OK && (!run->told || !room))
        status = ib_error_set(error, IB_FAILED, "out of memory for the viewer");
    return status;
}

// Reports the warnings of the scenario file.
static void tell_warnings(ib_Live *live)
{
    for (int i = 0; i < live->scenario->yaml.warning_count; i++) {
        char text[IB_FEED_TEXT];
        ib_diagnostic_format(&live->scenario->yaml.warnings[i], text, sizeof text);
        ib__live_tell(live, IB_EVENT_NOTE, IB_MODE_WARNING, "%s", text);
    }
}

// Reports a step that proves too long, once a run.
static void tell_instability(ib_Live *live)
{
    char text[IB_FEED_TEXT];
    ib_Time since;
    if (live->run.instability_told ||
        !ib_stability_warning(live->run.sim, &since, text, sizeof text))
        return;
    live->run.instability_told = true;
    ib__live_tell(live, IB_EVENT_NOTE, IB_MODE_WARNING, "%s", text);
}

ib_Status ib__live_begin(ib_Live *live, ib_Error *error)
{
    ib__LiveRun *run = &live->run;
    *run = (ib__LiveRun){0};
    live->end_status = IB_OK;
    live->end_error = (ib_Error){0};
    ib_Status status = ib_run_begin(live->scenario->model, attach, live, &run->sim, error);
    // Without its recording a run does not begin, but its start is shown.
    if (status == IB_OK && is_recorded(live)) status = start_recorder(live, error);
    live->status.recording = run->recorder != NULL;
    if (status == IB_OK) carry_parameters(live);
    if (status == IB_OK) tell_warnings(live);
    return status;
}

void ib__live_discard(ib_Live *live)
{
    if (live->run.recorder) ib_recorder_close(live->run.recorder, NULL, NULL);
    ib_sim_destroy(live->run.sim);
    ib_arena_reset(&live->run.arena);
    live->run = (ib__LiveRun){0};
}

// ---------------------------------------------------------------------------------------- verdicts

static void tell_modes(ib_Live *live, bool all)
{
    ib_ModeWatch *modes = &live->run.modes;
    ib_mode_watch_catch_up(modes, all);
    for (int i = 0; i < modes->note_count; i++) {
        ib_FeedEvent event = event_now(live, IB_EVENT_NOTE, IB_MODE_INFO);
        if (ib_mode_watch_event(modes, i, &event)) ib_feed_event(live->feed, &event);
    }
    modes->note_count = 0;
}

static void tell_verdict(ib_Live *live, const ib_Expectation *e, const char *verdict,
                         ib_ModeLevel level)
{
    char why[160];
    ib_expectation_explain(e, &live->scenario->model->signals, why, sizeof why);
    if (!e->decided) // `before` whose time has passed
        snprintf(why, sizeof why, "it has not come true in time");
    ib__live_tell(live, IB_EVENT_EXPECTATION, level, "%s: '%s': %s", verdict, e->text, why);
}

// Reports known failures at once.
static void tell_failures(ib_Live *live)
{
    ib__LiveRun *run = &live->run;
    ib_Time time = ib_sim_time(run->sim);
    int failed = 0, passed = 0;
    for (int i = 0; i < live->scenario->expectation_count; i++) {
        const ib_Expectation *e = &live->scenario->expectations[i];
        bool bad = ib_expectation_failed(e, time);
        failed += bad;
        passed += e->decided && e->passed;
        if (bad && !run->told[i]) tell_verdict(live, e, "expectation failed", IB_MODE_ERROR);
        run->told[i] |= bad;
    }
    run->failed = failed;
    run->passed = passed;
}

// Reports all verdicts at the end; earlier failures with the worst value since.
static void tell_all_verdicts(ib_Live *live, bool complete)
{
    const ib_Scenario *scenario = live->scenario;
    for (int i = 0; i < scenario->expectation_count; i++) {
        ib_Expectation *e = &scenario->expectations[i];
        ib_expectation_finish(e, complete);
        if (live->run.told[i]) tell_verdict(live, e, "failed, in the end", IB_MODE_WARNING);
    }
    for (int i = 0; complete && i < scenario->expectation_count; i++) {
        const ib_Expectation *e = &scenario->expectations[i];
        if (e->passed) tell_verdict(live, e, "expectation holds", IB_MODE_INFO);
    }
    tell_failures(live);
}

// --------------------------------------------------------------------------------------------- run

bool ib__live_advance(ib_Live *live, ib_Time until)
{
    ib__LiveRun *run = &live->run;
    record_inputs(live);
    live->end_status = ib_sim_advance(run->sim, until, &live->end_error);
    live->dirty = true;
    tell_modes(live, false);
    tell_instability(live);
    if (live->end_status != IB_OK) {
        ib__live_tell(live, IB_EVENT_FAILURE, IB_MODE_ERROR, "%s", live->end_error.text);
        ib__live_end(live, false);
        live->status.state = IB_FEED_FAILED;
        return false;
    }
    record_hash(live);
    tell_failures(live);
    if (!ib_sim_done(run->sim)) return true;
    ib__live_end(live, true);
    live->status.state = IB_FEED_ENDED;
    return false;
}

void ib__live_end(ib_Live *live, bool complete)
{
    ib_sim_finish(live->run.sim);
    tell_modes(live, true);
    tell_all_verdicts(live, complete);
    if (complete)
        ib__live_tell(live, IB_EVENT_NOTE, IB_MODE_INFO, "the run has come to its end, %g s",
                      ib_time_to_seconds(ib_sim_time(live->run.sim)));
    close_recorder(live);
}

void ib__live_change(ib_Live *live, const ib__Change *change)
{
    const ib_LiveParam *param = &live->params[change->parameter];
    bool pure = strcmp(param->param->unit, "1") == 0;
    live->model = change->variant->model;
    live->changed[change->parameter] = true;
    if (live->run.sim) ib_sim_change(live->run.sim, live->model);
    atomic_store_explicit(&live->applied, change->number, memory_order_release);
    live->dirty = true;
    write_journal(live, (ib_JournalEvent){.type = IB_JOURNAL_SET,
                                          .index = change->parameter,
                                          .value = change->value});
    ib_FeedEvent event = event_now(live, IB_EVENT_CHANGE, IB_MODE_INFO);
    event.parameter = change->parameter;
    event.value = change->value;
    snprintf(event.text, sizeof event.text, "%.150s is now %.6g%s%s", param->path, change->value,
             pure ? "" : " ", pure ? "" : ib_schema_unit(param->param->unit, NULL));
    tell(live, &event);
}
