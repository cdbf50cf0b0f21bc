#include "report/session/session_report.h"

#include "report/origin.h"
#include "report/report.h"

#include <inttypes.h>
#include <stdio.h>

static ib_ReportSignal *signals_of(const ib_Session *session, ib_Arena *arena)
{
    const ib_SignalTable *table = &session->scenario->model->signals;
    ib_ReportSignal *signals = ib_arena_array(arena, (size_t)table->count, sizeof *signals);
    for (int i = 0; signals && i < table->count; i++)
        signals[i] = (ib_ReportSignal){
            table->items[i].name,     table->items[i].unit,
            table->items[i].sentence, session->summary->final[i],
            session->summary->min[i], session->summary->max[i],
            table->items[i].means,    session->summary->nan_time[i] != IB_TIME_NEVER};
    return signals;
}

static ib_ReportRobot *robots_of(const ib_Session *session, ib_Arena *arena)
{
    const ib_Model *model = session->scenario->model;
    ib_ReportRobot *robots = ib_arena_array(arena, (size_t)model->robot_count, sizeof *robots);
    for (int i = 0; robots && i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        robots[i] = (ib_ReportRobot){.name = robot->name,
                                     .kind = robot->kind,
                                     .config = robot->config,
                                     .ports = &robot->ports,
                                     .facts = robot->plan.facts,
                                     .fact_count = robot->plan.fact_count,
                                     .timelines = robot->timelines};
    }
    return robots;
}

// The steps of each routine, in the order of the loops.
static ib_ReportRoutine *routines_of(const ib_Session *session, ib_Arena *arena, int *count)
{
    const ib_Model *model = session->scenario->model;
    size_t loops = (size_t)model->control_count;
    int all = ib_step_log_count(session->steps);
    ib_ReportRoutine *routines = ib_arena_array(arena, loops, sizeof *routines);
    ib_StepRun *runs = ib_arena_array(arena, (size_t)all + 1, sizeof *runs);
    *count = 0;
    for (int i = 0, used = 0; routines && runs && i < model->control_count; i++) {
        ib_ReportRoutine *routine = &routines[*count];
        *routine = (ib_ReportRoutine){.robot = model->robots[model->controls[i].robot].name,
                                      .loop = model->controls[i].controller->name,
                                      .runs = runs + used};
        for (int k = 0; k < all; k++) {
            runs[used] = ib_step_log_run(session->steps, k);
            if (runs[used].control != i) continue;
            used++;
            routine->run_count++;
        }
        *count += routine->run_count > 0;
    }
    return routines;
}

static ib_ReportExpectation *expectations_of(const ib_Session *session, ib_Arena *arena)
{
    const ib_Scenario *scenario = session->scenario;
    size_t count = (size_t)scenario->expectation_count;
    ib_ReportExpectation *list = ib_arena_array(arena, count, sizeof *list);
    for (size_t i = 0; list && i < count; i++) {
        char text[512];
        const ib_Expectation *e = &scenario->expectations[i];
        ib_expectation_explain(e, &scenario->model->signals, text, sizeof text);
        list[i] = (ib_ReportExpectation){.text = e->text,
                                         .passed = e->passed,
                                         .open = !e->decided,
                                         .explanation = ib_arena_text(arena, text)};
    }
    return list;
}

static const char *const *messages_of(const ib_Session *session, ib_Arena *arena)
{
    char text[IB_WARNING_TEXT];
    ib_Time time;
    int count = 0;
    while (ib_session_warning(session, count, &time, text, sizeof text)) count++;
    const char **messages = ib_arena_array(arena, (size_t)count + 1, sizeof *messages);
    for (int i = 0; messages && i < count; i++) {
        ib_session_warning(session, i, &time, text, sizeof text);
        messages[i] = ib_arena_text(arena, text);
    }
    return messages;
}

// "rk4, step 1 ms in 2 parts"; the solver has nothing to do where all robots move by themselves.
static const char *solver_of(const ib_Session *session, ib_Arena *arena)
{
    const ib_SimConfig *sim = &session->scenario->sim;
    const ib_Model *model = session->scenario->model;
    const char *name = ib_solver_names[sim->solver.kind];
    if (model->external_count == model->robot_count)
        return ib_arena_format(arena, "none: steps of the robot's own, MuJoCo's Euler, %g ms",
                               1e3 * ib_time_to_seconds(sim->step));
    if (ib_solver_adaptive(sim->solver.kind))
        return ib_arena_format(arena, "%s, tolerance %g", name, sim->solver.tolerance);
    int64_t parts = sim->step / model->step;
    char divided[48] = "";
    if (parts > 1) snprintf(divided, sizeof divided, " in %" PRId64 " parts", parts);
    return ib_arena_format(arena, "%s, step %g ms%s", name, 1e3 * ib_time_to_seconds(sim->step),
                           divided);
}

// The sampling of the plots.
static const char *sampling_of(const ib_Session *session, ib_Arena *arena)
{
    const ib_ChangeTape *changes = session->at_changes;
    double every = 1e3 * ib_time_to_seconds(session->tape->every);
    if (changes->watched_count == 0)
        return ib_arena_format(arena, "The plots show an instant every %g ms.", every);
    char until[64] = "";
    if (changes->until != IB_TIME_NEVER)
        snprintf(until, sizeof until, " up to %.6g s, the first %d rows of them",
                 ib_time_to_seconds(changes->until), changes->rows.count);
    return ib_arena_format(arena,
                           "The plots show an instant every %g ms, and those before and behind "
                           "every change of a mode%s.",
                           every, until);
}

// True if a force that a diagram could show acts on a robot.
static bool any_forces(const ib_Model *model)
{
    for (int i = 0; i < model->robot_count; i++)
        if (model->robots[i].ports.force_count > 0 || model->robots[i].disturbance_signal >= 0)
            return true;
    return false;
}

const char *ib_session_no_diagram(const ib_Session *session, ib_Arena *arena)
{
    if (!session->diagram) return NULL;
    if (!any_forces(session->scenario->model))
        return "nothing here stands on the floor, where forces could be drawn";
    if (session->diagram->count > 0) return NULL;
    return ib_arena_format(arena, "the run ended at %.6g s, before %.6g s",
                           ib_time_to_seconds(ib_sim_time(session->sim)),
                           ib_time_to_seconds(session->diagram->wanted[0]));
}

ib_Status ib_session_report_write(const ib_Session *session, const char *path, ib_Error *error)
{
    ib_Arena arena = {0};
    const ib_Scenario *scenario = session->scenario;
    ib_SolverCounts counts = ib_sim_solver_counts(session->sim);
    ib_Report report = ib_report_default();
    report.title = scenario->yaml.title;
    report.file = session->config.file;
    report.text = ib_origin_text(session->config.file, &arena);
    report.version = IB_VERSION;
    report.date = ib_origin_date(&arena);
    report.error = session->status == IB_OK ? NULL : session->error.text;
    report.duration = ib_time_to_seconds(ib_sim_time(session->sim));
    report.steps = ib_sim_steps(session->sim);
    report.wall = session->result.wall;
    report.hash = ib_sim_hash(session->sim);
    report.solver = solver_of(session, &arena);
    report.counters = &counts;
    report.signals = signals_of(session, &arena);
    report.signal_count = scenario->model->signals.count;
    report.meter = session->meter;
    report.changes = session->changes;
    report.series = ib_series_from_tapes(session->tape, &session->at_changes->rows,
                                         &scenario->model->signals, &arena);
    report.sampling = sampling_of(session, &arena);
    report.robots = robots_of(session, &arena);
    report.robot_count = scenario->model->robot_count;
    report.ways = ib_model_ways(scenario->model, &arena, &report.way_count);
    report.routines = routines_of(session, &arena, &report.routine_count);
    report.field = scenario->model->config->field;
    report.expectations = expectations_of(session, &arena);
    report.expectation_count = scenario->expectation_count;
    report.messages = messages_of(session, &arena);
    report.no_diagram = ib_session_no_diagram(session, &arena);
    if (session->diagram) {
        report.diagram_time = ib_time_to_seconds(session->diagram->wanted[0]);
        if (session->diagram->count > 0) report.diagram_row = ib_tape_row(session->diagram, 0);
    }
    ib_Status status = ib_report_write(&report, path, error);
    ib_arena_reset(&arena);
    return status;
}
