// cli/session_print.c: the result of a run, as a table for people and as JSON for programs.
#include "replay.h"
#include "session.h"

#include "base/json.h"
#include "report/battery_use.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void print_expectations(const Session *session, FILE *file)
{
    const ib_Scenario *scenario = session->scenario;
    for (int i = 0; i < scenario->expectation_count; i++) {
        const ib_Expectation *e = &scenario->expectations[i];
        char text[512];
        ib_expect_explain(e, &scenario->model->signals, text, sizeof text);
        const char *verdict = !e->decided ? "open  " : e->passed ? "passed" : "FAILED";
        fprintf(file, "%s  %s\n        %s\n", verdict, e->text, text);
    }
    if (scenario->expectation_count) fputc('\n', file);
}

static int widest_name(const ib_SignalTable *table)
{
    int wide = 6;
    for (int i = 0; i < table->count; i++) {
        int length = (int)strlen(table->items[i].name);
        if (length > wide) wide = length;
    }
    return wide;
}

// One block for each time of --at.
static void print_samples(const Session *session, FILE *file)
{
    const ib_SignalTable *table = &session->scenario->model->signals;
    const ib_Tape *tape = session->samples;
    int wide = widest_name(table);
    for (int row = 0; row < tape->count; row++) {
        fprintf(file, "at %.9g s\n", ib_time_to_seconds(tape->times[row]));
        for (int i = 0; i < table->count; i++)
            fprintf(file, "%-*s  %-6s %14.7g\n", wide, table->items[i].name, table->items[i].unit,
                    ib_tape_row(tape, row)[i]);
        fputc('\n', file);
    }
}

static void print_plans(const Session *session, FILE *file)
{
    const ib_Model *model = session->scenario->model;
    for (int i = 0; i < model->robot_count; i++) {
        const ib_Plan *plan = &model->robots[i].plan;
        if (plan->fact_count)
            fprintf(file, "plan%s%s\n", model->robots[i].name[0] ? " of " : "",
                    model->robots[i].name);
        for (int k = 0; k < plan->fact_count; k++)
            fprintf(file, "%-28s %14.9g %-6s %s\n", plan->facts[k].name, plan->facts[k].value,
                    plan->facts[k].unit, plan->facts[k].sentence);
        if (plan->fact_count) fputc('\n', file);
    }
}

// One line for each robot with a battery; a run cannot end with more charge than it began with, so
// that the most it had is what it began with.
static void print_batteries(const Session *session, FILE *file)
{
    const ib_Model *model = session->scenario->model;
    const ib_Summary *summary = session->summary;
    for (int i = 0; i < model->robot_count; i++) {
        const char *name = model->robots[i].name;
        int used = ib_signals_role(&model->signals, name, IB_ROLE_SUPPLY_USED);
        int charge = ib_signals_role(&model->signals, name, IB_ROLE_SUPPLY_LEFT);
        if (used < 0 || charge < 0) continue;
        ib_BatteryTotal total =
            ib_battery_total(summary->final[used], summary->max[charge], summary->final[charge]);
        char left[64];
        ib_battery_describe(&total, left, sizeof left);
        fprintf(file, "battery%s%s: %.3g A*h used, %.3g %% of a full one", name[0] ? " of " : "",
                name, total.used / 3600, 100 * total.part);
        fprintf(file, "%s%s\n", left[0] ? "; " : "", left);
    }
}

void session_print(const Session *session, FILE *file)
{
    const ib_SignalTable *table = &session->scenario->model->signals;
    const ib_Summary *summary = session->summary;
    double reached = ib_time_to_seconds(ib_sim_time(session->sim));
    fprintf(file, "%s\n\n", session->scenario->title);
    int wide = widest_name(table);
    fprintf(file, "%-*s  %-6s %14s %14s %14s\n", wide, "signal", "unit", "final", "min", "max");
    for (int i = 0; i < table->count; i++)
        fprintf(file, "%-*s  %-6s %14.7g %14.7g %14.7g\n", wide, table->items[i].name,
                table->items[i].unit, summary->final[i], summary->min[i], summary->max[i]);
    fputc('\n', file);
    if (session->samples) print_samples(session, file);
    print_plans(session, file);
    print_expectations(session, file);
    print_batteries(session, file);
    fprintf(file,
            "%.9g s simulated in %" PRId64
            " steps and %.3g s (%.3g times real time), hash %016" PRIx64 "\n",
            reached, ib_sim_steps(session->sim), session->result.wall,
            session->result.wall > 0 ? reached / session->result.wall : 0,
            ib_sim_hash(session->sim));
    if (session->config->realtime)
        fprintf(file,
                "real time: %" PRId64 " overruns; a step began %.3g ms late on average, %.3g ms at "
                "p99, %.3g ms at most\n",
                session->result.overruns, 1e3 * session->result.late_mean,
                1e3 * session->result.late_p99, 1e3 * session->result.late_max);
    if (session->replay) replay_print(session->replay, file);
    if (session->dropped)
        fprintf(file, "the disk was too slow: %" PRId64 " rows were not recorded\n",
                session->dropped);
}

// -------------------------------------------------------------------------------------------- JSON

static void json_signals(const Session *session, ib_Json *json)
{
    const ib_SignalTable *table = &session->scenario->model->signals;
    ib_json_open(json, "signals", '{');
    for (int i = 0; i < table->count; i++) {
        ib_json_open(json, table->items[i].name, '{');
        ib_json_text(json, "unit", table->items[i].unit);
        ib_json_number(json, "final", session->summary->final[i]);
        ib_json_number(json, "min", session->summary->min[i]);
        ib_json_number(json, "max", session->summary->max[i]);
        ib_json_close(json, '}');
    }
    ib_json_close(json, '}');
}

static void json_samples(const Session *session, ib_Json *json)
{
    const ib_SignalTable *table = &session->scenario->model->signals;
    const ib_Tape *tape = session->samples;
    ib_json_open(json, "samples", '{');
    ib_json_open(json, "t", '[');
    for (int row = 0; row < tape->count; row++)
        ib_json_number(json, NULL, ib_time_to_seconds(tape->times[row]));
    ib_json_close(json, ']');
    for (int i = 0; i < table->count; i++) {
        ib_json_open(json, table->items[i].name, '[');
        for (int row = 0; row < tape->count; row++)
            ib_json_number(json, NULL, ib_tape_row(tape, row)[i]);
        ib_json_close(json, ']');
    }
    ib_json_close(json, '}');
}

static void json_expectations(const Session *session, ib_Json *json)
{
    const ib_Scenario *scenario = session->scenario;
    ib_json_open(json, "expect", '[');
    for (int i = 0; i < scenario->expectation_count; i++) {
        const ib_Expectation *e = &scenario->expectations[i];
        char text[512];
        ib_expect_explain(e, &scenario->model->signals, text, sizeof text);
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

static void json_plans(const Session *session, ib_Json *json)
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

static void json_warnings(const Session *session, ib_Json *json)
{
    char text[WARNING_TEXT];
    ib_Time time;
    ib_json_open(json, "warnings", '[');
    for (int i = 0; session_warning(session, i, &time, text, sizeof text); i++)
        ib_json_text(json, NULL, text);
    ib_json_close(json, ']');
}

static void json_solver(const Session *session, ib_Json *json)
{
    const ib_SolverReport *report = ib_sim_report(session->sim);
    ib_json_open(json, "solver", '{');
    ib_json_text(json, "name", ib_solver_names[session->scenario->sim.solver.kind]);
    ib_json_integer(json, "evaluations", report->evaluations);
    ib_json_integer(json, "rejected", report->rejected);
    ib_json_integer(json, "non_finite", report->non_finite);
    ib_json_close(json, '}');
}

static void json_realtime(const Session *session, ib_Json *json)
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

void session_print_json(const Session *session, FILE *file)
{
    ib_Json json = {.file = file};
    char hash[32];
    snprintf(hash, sizeof hash, "%016" PRIx64, ib_sim_hash(session->sim));
    ib_json_open(&json, NULL, '{');
    ib_json_text(&json, "scenario", session->config->scenario);
    ib_json_text(&json, "title", session->scenario->title);
    ib_json_number(&json, "duration_s", ib_time_to_seconds(ib_sim_time(session->sim)));
    ib_json_integer(&json, "seed", (int64_t)session->scenario->sim.seed);
    ib_json_integer(&json, "steps", ib_sim_steps(session->sim));
    ib_json_number(&json, "wall_s", session->result.wall);
    ib_json_text(&json, "hash", hash);
    if (session->status != IB_OK) ib_json_text(&json, "error", session->error.text);
    json_signals(session, &json);
    if (session->samples) json_samples(session, &json);
    json_expectations(session, &json);
    json_plans(session, &json);
    json_warnings(session, &json);
    json_solver(session, &json);
    if (session->config->realtime) json_realtime(session, &json);
    if (session->replay) replay_print_json(session->replay, &json);
    ib_json_close(&json, '}');
    fputc('\n', file);
}
