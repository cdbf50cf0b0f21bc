// report/session/session_json.c: the result of a run as JSON, for programs: every signal, or those
// of --signals, 17 digits, SI.
#include "report/session/session_text.h"

#include "base/json.h"

#include <inttypes.h>
#include <math.h>

static void json_signals(const ib_Session *session, const bool *rows, ib_Json *json)
{
    const ib_SignalTable *table = &session->scenario->model->signals;
    ib_json_open(json, "signals", '{');
    for (int i = 0; i < table->count; i++) {
        if (rows && !rows[i]) continue;
        ib_json_open(json, table->items[i].name, '{');
        ib_json_text(json, "unit", table->items[i].unit);
        ib_json_number(json, "final", session->summary->final[i]);
        ib_json_number(json, "min", session->summary->min[i]);
        ib_json_number(json, "max", session->summary->max[i]);
        ib_Time nan_time = session->summary->nan_time[i];
        if (nan_time != IB_TIME_NEVER) ib_json_number(json, "nan_s", ib_time_to_seconds(nan_time));
        ib_json_close(json, '}');
    }
    ib_json_close(json, '}');
}

static void json_samples(const ib_Session *session, const bool *rows, ib_Json *json)
{
    const ib_SignalTable *table = &session->scenario->model->signals;
    const ib_Tape *tape = session->samples;
    ib_json_open(json, "samples", '{');
    ib_json_open(json, "t", '[');
    for (int row = 0; row < tape->count; row++)
        ib_json_number(json, NULL, ib_time_to_seconds(tape->times[row]));
    ib_json_close(json, ']');
    for (int i = 0; i < table->count; i++) {
        if (rows && !rows[i]) continue;
        ib_json_open(json, table->items[i].name, '[');
        for (int row = 0; row < tape->count; row++)
            ib_json_number(json, NULL, ib_tape_row(tape, row)[i]);
        ib_json_close(json, ']');
    }
    ib_json_close(json, '}');
}

static void json_expectations(const ib_Session *session, ib_Json *json)
{
    const ib_Scenario *scenario = session->scenario;
    ib_json_open(json, "expect", '[');
    for (int i = 0; i < scenario->expectation_count; i++) {
        const ib_Expectation *e = &scenario->expectations[i];
        char text[512];
        ib_expectation_explain(e, &scenario->model->signals, text, sizeof text);
        ib_json_open(json, NULL, '{');
        ib_json_text(json, "text", e->text);
        if (e->decided)
            ib_json_flag(json, "passed", e->passed);
        else
            ib_json_number(json, "passed", NAN);
        ib_json_number(json, "value", e->decided ? e->seen : NAN);
        ib_json_number(json, "at_s", e->decided ? e->seen_at : NAN);
        ib_json_text(json, "explanation", text);
        ib_json_close(json, '}');
    }
    ib_json_close(json, ']');
}

static void json_plans(const ib_Session *session, ib_Json *json)
{
    const ib_Model *model = session->scenario->model;
    ib_json_open(json, "plan", '{');
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        if (!robot->path) continue;
        if (robot->name[0]) ib_json_open(json, robot->name, '{');
        for (int k = 0; k < robot->plan.fact_count; k++)
            ib_json_number(json, robot->plan.facts[k].name, robot->plan.facts[k].value);
        if (robot->name[0]) ib_json_close(json, '}');
    }
    ib_json_close(json, '}');
}

// Every loop: its kind, its plan, and its counts of late and failed periods.
static void json_loops(const ib_Session *session, ib_Json *json)
{
    const ib_Model *model = session->scenario->model;
    int count;
    const ib_LoopTrouble *troubles = ib_sim_troubles(session->sim, &count);
    ib_json_open(json, "loops", '[');
    for (int i = 0; i < count; i++) {
        const ib_Controller *loop = model->controls[i].controller;
        ib_json_open(json, NULL, '{');
        ib_json_text(json, "robot", model->robots[model->controls[i].robot].name);
        ib_json_text(json, "name", loop->name);
        ib_json_text(json, "kind", loop->kind->name);
        // One that acts at every instant has no period: null, no number to divide by.
        ib_json_flag(json, "continuous", loop->continuous);
        ib_json_number(json, "period_s", loop->continuous ? NAN : ib_time_to_seconds(loop->period));
        ib_json_number(json, "latency_s", ib_time_to_seconds(loop->latency));
        ib_json_integer(json, "late", troubles[i].count[IB_CONTROL_LATE]);
        ib_json_integer(json, "failed", troubles[i].count[IB_CONTROL_FAILED]);
        ib_json_open(json, "plan", '{');
        for (int k = 0; k < loop->ports.fact_count; k++)
            ib_json_number(json, loop->ports.facts[k].name, loop->ports.facts[k].value);
        ib_json_close(json, '}');
        if (loop->ports.step_count > 0) ib__session_steps_json(session, i, json);
        ib_json_close(json, '}');
    }
    ib_json_close(json, ']');
}

static void json_warnings(const ib_Session *session, ib_Json *json)
{
    char text[IB_WARNING_TEXT];
    ib_Time time;
    ib_json_open(json, "warnings", '[');
    for (int i = 0; ib_session_warning(session, i, &time, text, sizeof text); i++)
        ib_json_text(json, NULL, text);
    ib_json_close(json, ']');
}

static void json_solver(const ib_Session *session, ib_Json *json)
{
    ib_SolverCounts counts = ib_sim_solver_counts(session->sim);
    ib_json_open(json, "solver", '{');
    ib_json_text(json, "name", ib_solver_names[session->scenario->sim.solver.kind]);
    ib_json_integer(json, "evaluations", counts.evaluations);
    ib_json_integer(json, "rejected", counts.rejected);
    ib_json_integer(json, "non_finite", counts.non_finite);
    ib_json_close(json, '}');
}

static void json_realtime(const ib_Session *session, ib_Json *json)
{
    ib_json_open(json, "realtime", '{');
    ib_json_integer(json, "overruns", session->result.overruns);
    ib_json_number(json, "late_mean_s", session->result.late_mean);
    ib_json_number(json, "late_p50_s", session->result.late_p50);
    ib_json_number(json, "late_p99_s", session->result.late_p99);
    ib_json_number(json, "late_p999_s", session->result.late_p999);
    ib_json_number(json, "late_max_s", session->result.late_max);
    ib_json_close(json, '}');
}

static void json_replay(const ib_Replay *replay, ib_Json *json)
{
    const ib_JournalPlayer *player = &replay->player;
    ib_json_open(json, "replay", '{');
    ib_json_text(json, "recording", replay->recording);
    ib_json_flag(json, "compared", replay->compares);
    ib_json_flag(json, "same", player->wrong == 0 && player->checked > 0);
    ib_json_integer(json, "checked", player->checked);
    ib_json_integer(json, "wrong", player->wrong);
    ib_json_flag(json, "ended", player->ended);
    ib_json_flag(json, "changed", replay->changed);
    ib_json_close(json, '}');
}

void ib_session_json(const ib_Session *session, const bool *rows, FILE *file)
{
    ib_Json json = {.file = file};
    char hash[32];
    snprintf(hash, sizeof hash, "%016" PRIx64, ib_sim_hash(session->sim));
    ib_json_open(&json, NULL, '{');
    ib_json_text(&json, "scenario", session->config.file);
    ib_json_text(&json, "title", session->scenario->yaml.title);
    ib_json_number(&json, "duration_s", ib_time_to_seconds(ib_sim_time(session->sim)));
    ib_json_integer(&json, "seed", (int64_t)session->scenario->sim.seed);
    ib_json_integer(&json, "steps", ib_sim_steps(session->sim));
    ib_json_number(&json, "wall_s", session->result.wall);
    ib_json_text(&json, "hash", hash);
    if (session->status != IB_OK) ib_json_text(&json, "error", session->error.text);
    json_signals(session, rows, &json);
    if (session->samples) json_samples(session, rows, &json);
    json_expectations(session, &json);
    json_plans(session, &json);
    json_loops(session, &json);
    json_warnings(session, &json);
    json_solver(session, &json);
    if (session->config.run.realtime) json_realtime(session, &json);
    if (session->config.replay) json_replay(session->config.replay, &json);
    ib_json_close(&json, '}');
    fputc('\n', file);
}
