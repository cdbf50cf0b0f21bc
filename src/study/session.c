#include "study/session.h"

#include "base/extreme.h"
#include "study/recording.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ probes

enum { TAPE_ROWS = 4096, CHANGE_ROWS = 8192 };

// Attaches rows for the plots: at even times, and at the changes of modes between them.
static ib_Status attach_tapes(ib_Session *session, ib_Error *error)
{
    const ib_Scenario *scenario = session->scenario;
    const ib_SignalTable *signals = &scenario->model->signals;
    ib_Status status = ib_tape_create(scenario->record.every, TAPE_ROWS, signals->count,
                                      &session->arena, &session->tape, error);
    if (status == IB_OK) status = ib_sim_probe(session->sim, ib_tape_probe(session->tape), error);
    if (status == IB_OK)
        status = ib_change_tape_create(signals, CHANGE_ROWS, &session->arena, &session->at_changes,
                                       error);
    if (status != IB_OK || session->at_changes->watched_count == 0) return status;
    return ib_sim_probe(session->sim, ib_change_tape_probe(session->at_changes), error);
}

// Attaches the probes of a report: rows, the changes of its modes, the diagram's row.
static ib_Status attach_report(ib_Session *session, ib_Error *error)
{
    const ib_Scenario *scenario = session->scenario;
    int signals = scenario->model->signals.count;
    ib_Status status = attach_tapes(session, error);
    if (status == IB_OK)
        status = ib_mode_changes_create(&scenario->model->signals, &session->arena,
                                        &session->changes, error);
    if (status == IB_OK && session->changes->watched_count > 0)
        status = ib_sim_probe(session->sim, ib_mode_changes_probe(session->changes), error);
    if (status != IB_OK || session->config.diagram == IB_TIME_NEVER) return status;
    status = ib_tape_create_at(&session->config.diagram, 1, signals, &session->arena,
                               &session->diagram, error);
    if (status != IB_OK) return status;
    return ib_sim_probe(session->sim, ib_tape_probe(session->diagram), error);
}

// True for signals whose ranges warnings, events and batteries need, whatever rows are shown.
static bool is_told(const ib_SignalMeaning *means)
{
    const ib_Mode *mode = means->mode;
    bool told = means->warns || means->role == IB_ROLE_STORED || means->role == IB_ROLE_LOST ||
                means->role == IB_ROLE_SUPPLY_LEFT;
    for (int i = 0; mode && !mode->many && i < IB_MODE_MEANINGS; i++)
        told |= mode->meanings[i].level != IB_MODE_INFO;
    return told;
}

// Attaches the summary, of all signals or of those needed.
static ib_Status attach_summary(ib_Session *session, ib_Error *error)
{
    const ib_Model *model = session->scenario->model;
    int count = model->signals.count;
    ib_Status status =
        ib_summary_create(&model->signals, &session->arena, &session->summary, error);
    if (status == IB_OK && session->config.rows && !session->config.reports) {
        bool *rows = ib_arena_array(&session->arena, (size_t)count, sizeof *rows);
        for (int i = 0; rows && i < count; i++)
            rows[i] = session->config.rows[i] || is_told(&model->signals.items[i].means);
        for (int i = 0; rows && i < model->robot_count; i++)
            if (model->robots[i].contact_signal >= 0) rows[model->robots[i].contact_signal] = true;
        if (!rows) return ib_error_set(error, IB_FAILED, "out of memory for the summary");
        ib_summary_restrict(session->summary, model, rows);
    }
    if (status != IB_OK) return status;
    return ib_sim_probe(session->sim, ib_summary_probe(session->summary), error);
}

// Attaches all probes except the recorder, which opens its files last.
static ib_Status attach(void *self, ib_Sim *sim, ib_Error *error)
{
    ib_Session *session = self;
    ib_Scenario *scenario = session->scenario;
    const ib_SessionConfig *config = &session->config;
    int signals = scenario->model->signals.count;
    ib_Status status =
        config->replay ? ib_replay_attach(config->replay, scenario, sim, error) : IB_OK;
    if (status == IB_OK) status = attach_summary(session, error);
    if (status == IB_OK) status = ib_step_log_create(sim, &session->arena, &session->steps, error);
    if (status == IB_OK && session->steps)
        status = ib_sim_probe(sim, ib_step_log_probe(session->steps), error);
    if (status == IB_OK)
        status = ib_meter_create(&scenario->model->signals, config->reports, &session->arena,
                                 &session->meter, error);
    if (status == IB_OK && session->meter->count > 0)
        status = ib_sim_probe(sim, ib_meter_probe(session->meter), error);
    for (int i = 0; status == IB_OK && i < scenario->expectation_count; i++)
        status = ib_expectation_attach(&scenario->expectations[i], sim, error);
    if (status == IB_OK && config->time_count > 0) {
        status = ib_tape_create_at(config->times, config->time_count, signals, &session->arena,
                                   &session->samples, error);
        if (status == IB_OK) status = ib_sim_probe(sim, ib_tape_probe(session->samples), error);
    }
    if (status == IB_OK && config->reports) status = attach_report(session, error);
    return status;
}

static ib_Status start_recorder(ib_Session *session, ib_Error *error)
{
    const ib_SessionConfig *config = &session->config;
    const char *paths[2];
    ib_LogFormat formats[2] = {IB_LOG_UNKNOWN, IB_LOG_UNKNOWN};
    int path_count = 0, count;
    if (config->csv) {
        formats[path_count] = IB_LOG_CSV; // with any ending
        paths[path_count++] = config->csv;
    }
    if (config->log) paths[path_count++] = config->log;
    if (path_count == 0) return IB_OK;
    const int *selected = ib_scenario_recorded(session->scenario, &session->arena, &count);
    if (!selected) return ib_error_set(error, IB_FAILED, "out of memory for the recorder");
    ib_LogFact facts[IB_RECORDING_FACTS];
    int fact_count = ib_recording_facts(session->scenario, config->options, &session->arena, facts);
    if (fact_count < 0) return ib_error_set(error, IB_FAILED, "out of memory for the recorder");
    ib_RecorderConfig recorder_config = {.signals = &session->scenario->model->signals,
                                         .selected = selected,
                                         .selected_count = count,
                                         .every = session->scenario->record.every,
                                         .paths = paths,
                                         .formats = formats,
                                         .path_count = path_count,
                                         .facts = facts,
                                         .fact_count = fact_count,
                                         .realtime = config->run.realtime,
                                         .inputs = config->replay != NULL,
                                         .stop = config->run.stop};
    ib_Status status = ib_recorder_create(&recorder_config, &session->recorder, error);
    if (status != IB_OK) return status;
    return ib_sim_probe(session->sim, ib_recorder_probe(session->recorder), error);
}

ib_SessionConfig ib_session_default(void)
{
    return (ib_SessionConfig){.diagram = IB_TIME_NEVER};
}

ib_Status ib_session_init(ib_Session *session, const ib_SessionConfig *config,
                          ib_Scenario *scenario, ib_Error *error)
{
    *session = (ib_Session){.config = *config, .scenario = scenario};
    ib_Status status = ib_run_begin(scenario->model, attach, session, &session->sim, error);
    if (status == IB_OK) status = start_recorder(session, error);
    return status;
}

void ib_session_destroy(ib_Session *session)
{
    if (session->recorder) ib_recorder_close(session->recorder, NULL, NULL);
    ib_sim_destroy(session->sim);
    ib_arena_reset(&session->arena);
}

// --------------------------------------------------------------------------------------------- run

// Records the verdicts, each at its time of decision.
static void record_verdicts(const ib_Session *session)
{
    double end = ib_time_to_seconds(ib_sim_time(session->sim));
    for (int i = 0; i < session->scenario->expectation_count; i++) {
        const ib_Expectation *e = &session->scenario->expectations[i];
        char why[160], text[IB_RECORDER_MESSAGE];
        if (!e->decided) continue;
        ib_expectation_explain(e, &session->scenario->model->signals, why, sizeof why);
        snprintf(text, sizeof text, "%s: '%s': %s",
                 e->passed ? "expectation holds" : "expectation failed", e->text, why);
        double at = isfinite(e->seen_at) ? ib_min(ib_max(e->seen_at, 0), end) : end;
        ib_recorder_message(session->recorder, ib_time_from_seconds(at),
                            e->passed ? IB_LEVEL_INFO : IB_LEVEL_ERROR, text);
    }
}

bool ib_session_warning(const ib_Session *session, int index, ib_Time *time, char *text,
                        size_t size)
{
    const ib_Replay *replay = session->config.replay;
    ib_RunOutcome run = {.scenario = session->scenario,
                         .file = session->config.file,
                         .sim = session->sim,
                         .summary = session->summary,
                         .steps = session->steps,
                         .status = session->status,
                         .plugins = session->config.options->plugins,
                         .replayed = replay != NULL,
                         .changed = replay && replay->player.variant};
    return ib_run_warning(&run, index, time, text, size);
}

static void record_warnings(const ib_Session *session)
{
    char text[IB_WARNING_TEXT];
    ib_Time time;
    for (int i = 0; ib_session_warning(session, i, &time, text, sizeof text); i++)
        ib_recorder_message(session->recorder, time, IB_LEVEL_WARNING, text);
}

// The inputs of a replay are in its recording, too, so that it can be replayed.
static void record_input(void *self, const ib_JournalEvent *event)
{
    const ib_Session *session = self;
    char line[IB_JOURNAL_LINE];
    if (!session->recorder) return;
    ib_journal_format(session->scenario->model, session->config.replay->params, event, line);
    ib_recorder_input(session->recorder, event->time, line);
}

static void finish_replay(ib_Session *session)
{
    ib_JournalPlayer *player = &session->config.replay->player;
    bool failed = session->status != IB_OK && session->status != IB_INTERRUPTED;
    ib_journal_player_finish(player);
    record_input(session, &(ib_JournalEvent){.type = failed ? IB_JOURNAL_FAILED : IB_JOURNAL_END,
                                             .time = ib_sim_time(session->sim),
                                             .hash = ib_sim_hash(session->sim)});
    if (player->status != IB_OK) ib_session_fail(session, &player->error);
}

void ib_session_run(ib_Session *session)
{
    ib_RunOptions options = session->config.run;
    if (session->config.replay) {
        ib_JournalPlayer *player = &session->config.replay->player;
        player->echo = record_input;
        player->echo_self = session;
        options.between = ib_journal_between;
        options.player = player;
    }
    session->status = ib_run(session->sim, &options, &session->result, &session->error);
    if (session->config.replay) finish_replay(session);
    for (int i = 0; i < session->scenario->expectation_count; i++)
        ib_expectation_finish(&session->scenario->expectations[i], session->status == IB_OK);
    if (!session->recorder) return;
    record_verdicts(session);
    record_warnings(session);
    if (session->status != IB_OK)
        ib_recorder_message(session->recorder, ib_sim_time(session->sim), IB_LEVEL_ERROR,
                            session->error.text);
}

void ib_session_finish(ib_Session *session)
{
    ib_RecorderCounts recorded = {0};
    ib_Error error = {0};
    if (!session->recorder) return;
    if (ib_recorder_close(session->recorder, &recorded, &error) != IB_OK)
        ib_session_fail(session, &error);
    session->recorder = NULL;
    session->dropped = recorded.dropped;
}

void ib_session_fail(ib_Session *session, const ib_Error *error)
{
    if (session->status != IB_OK) return;
    session->status = error->status == IB_INTERRUPTED ? IB_INTERRUPTED : IB_FAILED;
    session->error = *error;
}

bool ib_session_passed(const ib_Session *session)
{
    bool passed = session->status == IB_OK;
    if (session->config.replay) passed = passed && ib_replay_same(session->config.replay);
    for (int i = 0; i < session->scenario->expectation_count; i++)
        passed = passed && session->scenario->expectations[i].passed;
    return passed;
}
