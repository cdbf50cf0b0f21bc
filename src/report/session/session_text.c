// report/session/session_text.c: the result of a run for people: verdicts first, then the
// important rows.
#include "report/session/session_text.h"

#include "report/battery_use.h"
#include "study/recording.h"
#include "study/recording_filter.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------- verdicts

enum { FAILED, OPEN, PASSED };

static int verdict_of(const ib_Expectation *e)
{
    return !e->decided ? OPEN : e->passed ? PASSED : FAILED;
}

// Failed ones first. The margins of passed ones only on request.
static void print_expectations(const ib_Session *session, bool all, ib_Paint paint, FILE *file)
{
    static const char *const words[] = {"FAILED", "open  ", "passed"};
    const char *const colours[] = {paint.bad, paint.bold, paint.good};
    const ib_Scenario *scenario = session->scenario;
    for (int turn = FAILED; turn <= PASSED; turn++) {
        for (int i = 0; i < scenario->expectation_count; i++) {
            const ib_Expectation *e = &scenario->expectations[i];
            if (verdict_of(e) != turn) continue;
            char text[512];
            ib_expectation_explain(e, &scenario->model->signals, text, sizeof text);
            fprintf(file, "%s%s%s  %s\n", colours[turn], words[turn], paint.off, e->text);
            if (turn == PASSED && !all) continue;
            fprintf(file, "        %s%s%s\n", paint.dim, text, paint.off);
        }
    }
    if (scenario->expectation_count) fputc('\n', file);
}

// True if the robot's supply browned out; with `off`, only if that switched the outputs off.
static bool browned_out(const ib_Session *session, const char *robot, bool off)
{
    const ib_SignalTable *table = &session->scenario->model->signals;
    for (int i = 0; i < table->count; i++) {
        const ib_SignalMeaning *means = &table->items[i].means;
        const ib_Mode *mode = means->mode;
        if (!mode || mode->kind != IB_MODE_BROWNOUT || !ib_meaning_is_of(means, robot)) continue;
        double worst = ib_mode_value(mode, session->summary->max[i]);
        ib_ModeMeaning meaning = ib_mode_meaning(mode, worst);
        if (off ? meaning.dead : meaning.level != IB_MODE_INFO) return true;
    }
    return false;
}

// The three largest loads at the lowest voltage of a robot's supply, largest first.
static void print_loads(const ib_Session *session, const char *robot, FILE *file)
{
    enum { LARGEST = 3 };
    const ib_SignalDef *signals = session->scenario->model->signals.items;
    const ib_MeterItem *largest[LARGEST + 1];
    int count = 0;
    for (int i = 0; i < session->meter->count; i++) {
        const ib_MeterItem *item = &session->meter->items[i];
        const ib_SignalMeaning *means = &signals[item->signal].means;
        if (means->role != IB_ROLE_LOAD || !ib_meaning_is_of(means, robot)) continue;
        if (!(item->at_lowest > 0)) continue;
        int at = count;
        for (; at > 0 && largest[at - 1]->at_lowest < item->at_lowest; at--)
            largest[at] = largest[at - 1];
        largest[at] = item;
        if (count < LARGEST) count++;
    }
    for (int k = 0; k < count; k++) {
        const ib_MeterSupply *supply = &session->meter->supplies[largest[k]->supply];
        if (k == 0) fprintf(file, "at its lowest, %.3g V: ", supply->lowest);
        fprintf(file, "%s%s %.3g A", k ? ", " : "", signals[largest[k]->signal].name,
                largest[k]->at_lowest);
    }
    if (count) fputc('\n', file);
}

// Abnormal events: modes that were a warning or worse, at the extremes of their signals.
static void print_events(const ib_Session *session, ib_Paint paint, FILE *file)
{
    const ib_SignalTable *table = &session->scenario->model->signals;
    const ib_Summary *summary = session->summary;
    int count = 0;
    for (int i = 0; i < table->count; i++) {
        const ib_SignalMeaning *means = &table->items[i].means;
        if (!means->mode || means->mode->many) continue; // steps have a table of their own
        const double value[] = {summary->min[i], summary->max[i]};
        const ib_Time time[] = {summary->min_time[i], summary->max_time[i]};
        for (int k = 0; k < 2; k++) {
            ib_ModeMeaning meaning =
                ib_mode_meaning(means->mode, ib_mode_value(means->mode, value[k]));
            char text[160];
            if (meaning.level == IB_MODE_INFO || (k == 1 && value[1] == value[0])) continue;
            ib_mode_sentence(meaning, means->robot, means->part, text, sizeof text);
            fprintf(file, "%s%s%s at %.4g s\n",
                    meaning.level == IB_MODE_ERROR ? paint.bad : paint.bold, text, paint.off,
                    ib_time_to_seconds(time[k]));
            count++;
        }
    }
    const ib_Model *model = session->scenario->model;
    for (int i = 0; i < model->robot_count; i++)
        if (browned_out(session, model->robots[i].name, false))
            print_loads(session, model->robots[i].name, file);
    if (count) fputc('\n', file);
}

// ------------------------------------------------------------------------------------------- facts

enum { FEW_FACTS = 10 }; ///< of one plan; the others only on request

static void print_fact(bool all, int index, int count, const char *name, double value,
                       const char *unit, const char *sentence, FILE *file)
{
    if (all || count <= FEW_FACTS + 2 || index < FEW_FACTS)
        fprintf(file, "%-28s %10.*g %-6s %s\n", name, all ? 9 : 4, value, unit, sentence);
    else if (index == FEW_FACTS)
        fprintf(file, "and %d more: --all prints them\n", count - FEW_FACTS);
}

// Plans of a loop.
static void print_loops(const ib_Session *session, bool all, FILE *file)
{
    const ib_Model *model = session->scenario->model;
    for (int i = 0; i < model->control_count; i++) {
        const ib_Controller *loop = model->controls[i].controller;
        int count = loop->ports.fact_count;
        if (count) fprintf(file, "%s\n", loop->label);
        for (int k = 0; k < count; k++) {
            const ib_ControlFact *fact = &loop->ports.facts[k];
            print_fact(all, k, count, fact->name, fact->value, fact->unit, fact->sentence, file);
        }
        if (count) fputc('\n', file);
    }
}

static void print_plans(const ib_Session *session, bool all, FILE *file)
{
    const ib_Model *model = session->scenario->model;
    for (int i = 0; i < model->robot_count; i++) {
        const ib_Plan *plan = &model->robots[i].plan;
        int count = plan->fact_count;
        if (count)
            fprintf(file, "plan%s%s\n", model->robots[i].name[0] ? " of " : "",
                    model->robots[i].name);
        for (int k = 0; k < count; k++)
            print_fact(all, k, count, plan->facts[k].name, plan->facts[k].value,
                       plan->facts[k].unit, plan->facts[k].sentence, file);
        if (count) fputc('\n', file);
    }
}

// One line for each robot with a battery; a run cannot end with more charge than at its start, so
// that the largest charge is the first.
static void print_batteries(const ib_Session *session, FILE *file)
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
        if (browned_out(session, name, true)) left[0] = '\0'; // such a run is none to repeat
        fprintf(file, "battery%s%s: %.3g A*h used, %.3g %% of a full one", name[0] ? " of " : "",
                name, total.used / 3600, 100 * total.part);
        fprintf(file, "%s%s\n", left[0] ? "; " : "", left);
    }
}

static void print_replay(const ib_Session *session, FILE *file)
{
    const ib_Replay *replay = session->config.replay;
    const ib_JournalPlayer *player = &replay->player;
    ib_Time reached = ib_sim_time(session->sim);
    if (session->status == IB_OK && session->config.options->duration &&
        reached < session->scenario->sim.duration)
        fprintf(file,
                "replay: the recording ends at %.9g s, and the run with it, before the --duration "
                "of %.9g s\n",
                ib_time_to_seconds(reached), ib_time_to_seconds(session->scenario->sim.duration));
    if (replay->changed)
        fprintf(file, "replay: the scenario's files, or the program, have changed since the "
                      "recording\n");
    const char *filtered = ib_recording_fact(replay->log, IB_FACT_FILTERED);
    if (filtered)
        fprintf(file,
                "replay: states are compared, not signals: what the recording has of %s was "
                "filtered since\n",
                filtered);
    if (!replay->compares) {
        fprintf(file, "replay: not compared with the recording, since --set, --seed or --duration "
                      "make it another run\n");
    } else if (player->status != IB_OK) {
        fprintf(file, "replay: it cannot be made again: %s\n", player->error.text);
    } else if (player->checked == 0) {
        fprintf(file,
                "replay: the recording was cut off before its first state: nothing to compare "
                "with\n");
    } else if (player->wrong == 0) {
        fprintf(file, "replay: the same state at all %" PRId64 " recorded times, up to %.9g s%s\n",
                player->checked, ib_time_to_seconds(player->good),
                player->ended   ? ", which is the end"
                : player->fails ? "; then the recorded run failed"
                                : " (the recording was cut off there)");
    } else {
        fprintf(file, "replay: NOT the same: the states differ from %.9g s on",
                ib_time_to_seconds(player->bad));
        if (player->good >= 0)
            fprintf(file, ", and were the same until %.9g s", ib_time_to_seconds(player->good));
        fputc('\n', file);
    }
}

// Loops that had failed by the end, as the run's last words: the exit code is not for them.
static void print_failures(const ib_Session *session, ib_Paint paint, FILE *file)
{
    const ib_Model *model = session->scenario->model;
    for (int i = 0; i < model->control_count; i++) {
        const ib_ControlModel *control = &model->controls[i];
        if (!(session->summary->final[control->failed] > 0)) continue;
        fprintf(file, "%s%s had failed%s at the end, its outputs were neutral", paint.bad,
                control->controller->label, paint.off);
        if (ib_session_passed(session))
            fprintf(file, "; expect \"never: %s > 0\" makes that exit code 1",
                    model->signals.items[control->failed].name);
        fputc('\n', file);
    }
}

static void print_end(const ib_Session *session, FILE *file)
{
    double reached = ib_time_to_seconds(ib_sim_time(session->sim));
    fprintf(file,
            "%.9g s simulated in %" PRId64
            " steps and %.3g s (%.3g times real time), hash %016" PRIx64 "\n",
            reached, ib_sim_steps(session->sim), session->result.wall,
            session->result.wall > 0 ? reached / session->result.wall : 0,
            ib_sim_hash(session->sim));
    if (session->config.run.realtime)
        fprintf(file,
                "real time: %" PRId64 " overrun%s; a step began %.3g ms late on average, %.3g ms "
                "at p99, %.3g ms at most\n",
                session->result.overruns, session->result.overruns == 1 ? "" : "s",
                1e3 * session->result.late_mean, 1e3 * session->result.late_p99,
                1e3 * session->result.late_max);
    if (session->config.replay) print_replay(session, file);
    if (session->dropped)
        fprintf(file, "the disk was too slow: %" PRId64 " row%s not recorded\n", session->dropped,
                session->dropped == 1 ? " was" : "s were");
}

void ib_session_text(const ib_Session *session, const bool *rows, bool all, FILE *file)
{
    ib_Paint paint = ib_paint_for(file);
    fprintf(file, "%s%s%s\n\n", paint.bold, session->scenario->yaml.title, paint.off);
    print_expectations(session, all, paint, file);
    ib__session_rows_text(session, rows, paint, file);
    print_events(session, paint, file);
    print_plans(session, all, file);
    print_loops(session, all, file);
    ib__session_steps_text(session, all, paint, file);
    print_batteries(session, file);
    print_end(session, file);
    print_failures(session, paint, file);
}
