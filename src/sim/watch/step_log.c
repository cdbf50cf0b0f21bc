#include "sim/watch/step_log.h"

#include "base/maths.h"

#include <math.h>
#include <stdio.h>

// Facts of one step between two samples.
typedef struct Watched {
    int run;      ///< the current one of `runs`; -1: none, or one without room
    double began; ///< by the loop's own clock; NAN: never
    int rounds;
    int lost; ///< the worst run so far that is lost, of `runs`; -1: none
} Watched;

struct ib_StepLog {
    const ib_Sim *sim;
    ib_StepRun *runs;
    int count;
    int64_t untold;
    int *first;       ///< of each loop: its first one of
    Watched *watched; ///< all steps of all loops
    int watched_count;
};

static int steps_of(const ib_Model *model, int control)
{
    const ib_Controller *loop = model->controls[control].controller;
    return loop->kind->tell ? loop->ports.step_count : 0;
}

void ib_step_log_reset(ib_StepLog *log)
{
    if (!log) return;
    log->count = 0;
    log->untold = 0;
    for (int i = 0; i < log->watched_count; i++)
        log->watched[i] = (Watched){.run = -1, .began = NAN, .lost = -1};
}

ib_Status ib_step_log_create(const ib_Sim *sim, ib_Arena *arena, ib_StepLog **log, ib_Error *error)
{
    const ib_Model *model = ib_sim_model(sim);
    int steps = 0;
    *log = NULL;
    for (int i = 0; i < model->control_count; i++) steps += steps_of(model, i);
    if (steps == 0) return IB_OK;
    ib_StepLog *made = ib_arena_alloc(arena, sizeof *made);
    if (!made) return ib_error_set(error, IB_FAILED, "out of memory for the log of steps");
    *made = (ib_StepLog){
        .sim = sim,
        .runs = ib_arena_array(arena, IB_STEP_LOG_ROOM, sizeof *made->runs),
        .first = ib_arena_array(arena, (size_t)model->control_count, sizeof *made->first),
        .watched = ib_arena_array(arena, (size_t)steps, sizeof *made->watched)};
    if (!made->runs || !made->first || !made->watched)
        return ib_error_set(error, IB_FAILED, "out of memory for the log of steps");
    for (int i = 0; i < model->control_count; i++) {
        made->first[i] = made->watched_count;
        made->watched_count += steps_of(model, i);
    }
    ib_step_log_reset(made);
    *log = made;
    return IB_OK;
}

// -------------------------------------------------------------------------------------------- look

static ib_StepRun unknown(int control, const ib_ControlStep *step)
{
    double none = (double)NAN;
    return (ib_StepRun){.control = control,
                        .step = *step,
                        .began = IB_TIME_NEVER,
                        .ended = IB_TIME_NEVER,
                        .where = {none, none, none},
                        .error = none,
                        .error_angle = none,
                        .off = none,
                        .off_angle = none,
                        .most = none,
                        .most_time = IB_TIME_NEVER};
}

// Place of the robot; false: no signal has it.
static bool find_pose(const ib_Model *model, int control, const double *signals, double where[3])
{
    const ib_RobotModel *robot = &model->robots[model->controls[control].robot];
    bool posed = robot->x_signal >= 0 && robot->y_signal >= 0 && robot->heading_signal >= 0;
    if (!posed || !model->controls[control].controller->ports.odometry) return false;
    where[0] = signals[robot->x_signal];
    where[1] = signals[robot->y_signal];
    where[2] = signals[robot->heading_signal];
    return true;
}

static double distance(const double a[3], const double b[3])
{
    double dx = a[0] - b[0], dy = a[1] - b[1];
    return sqrt(dx * dx + dy * dy);
}

// One angle less another, -pi .. pi.
static double less(double a, double b)
{
    double s, c;
    ib_sincos(a - b, &s, &c);
    return ib_atan2(s, c);
}

// A move goes on, or ends at its goal. One that was stopped on the way has no place any more at
// which it should be: its plan is then the goal, which it had not promised to reach by now.
static void compare(ib_StepRun *run, ib_Time time, const double where[3])
{
    ib_StepOutcome outcome = run->step.outcome;
    double off = distance(where, run->step.plan);
    if (!run->step.moves || (outcome != IB_STEP_RUNS && outcome != IB_STEP_DONE)) return;
    if (run->most >= off) return;
    run->most = off;
    run->most_time = time;
}

static void finish(ib_StepRun *run, ib_Time time, bool posed, const double where[3])
{
    run->ended = time;
    run->posed = posed;
    if (!posed) return;
    for (int i = 0; i < 3; i++) run->where[i] = where[i];
    run->error = distance(run->step.at, where);
    run->error_angle = run->step.at[2] - where[2];
    if (!run->step.moves) return;
    run->off = distance(run->step.goal, where);
    run->off_angle = less(where[2], run->step.goal[2]);
}

static bool is_away(const ib_StepRun *run)
{
    return run->off > fabs(run->step.missed[0]) + IB_STEP_LOST;
}

// Unnoticed distance from its goal, relative to the threshold of a lost move.
static double how_lost(const ib_StepRun *run)
{
    double way = (run->off - fabs(run->step.missed[0])) / IB_STEP_LOST;
    double angle = (fabs(run->off_angle) - fabs(run->step.missed[1])) / IB_STEP_LOST_ANGLE;
    return run->step.faces && angle > way ? angle : way;
}

// Finds the round of a step that ended furthest from its goal by mistake. A known distance, such as
// a hold that was pushed away or a wide `near`, does not count.
static void find_lost(ib_StepLog *log, Watched *watched)
{
    ib_StepRun *run = &log->runs[watched->run];
    bool done = run->step.moves && run->step.outcome == IB_STEP_DONE;
    bool worst = watched->lost < 0 || how_lost(run) > how_lost(&log->runs[watched->lost]);
    if (!done || !(how_lost(run) > 1) || !worst) return;
    if (watched->lost >= 0) log->runs[watched->lost].lost = false;
    run->lost = true;
    watched->lost = watched->run;
}

static void look_at_step(ib_StepLog *log, int control, int index, ib_Time time,
                         const double *signals)
{
    const ib_Model *model = ib_sim_model(log->sim);
    const ib_Controller *loop = model->controls[control].controller;
    const double *state =
        ib_sim_state(log->sim) + model->controls[control].state + loop->ports.output_count;
    Watched *watched = &log->watched[log->first[control] + index];
    ib_ControlStep step;
    double where[3];
    loop->kind->tell(loop->model, state, index, &step);
    if (step.outcome == IB_STEP_IDLE) return;
    if (step.began != watched->began) {
        watched->began = step.began;
        watched->rounds++;
        watched->run = log->count < IB_STEP_LOG_ROOM ? log->count++ : -1;
        log->untold += watched->run < 0;
        if (watched->run < 0) return;
        log->runs[watched->run] = unknown(control, &step);
        log->runs[watched->run].began = time;
        log->runs[watched->run].round = watched->rounds;
    }
    if (watched->run < 0) return;
    ib_StepRun *run = &log->runs[watched->run];
    bool posed = find_pose(model, control, signals, where);
    run->step = step;
    if (posed) compare(run, time, where);
    if (step.outcome == IB_STEP_RUNS) return;
    finish(run, time, posed, where);
    find_lost(log, watched);
    watched->run = -1;
}

static ib_Time sample(void *self, ib_Time time, const double *signals)
{
    ib_StepLog *log = self;
    const ib_Model *model = ib_sim_model(log->sim);
    for (int i = 0; i < model->control_count; i++) {
        const ib_Controller *loop = model->controls[i].controller;
        if (loop->continuous || time % loop->period != 0) continue;
        for (int k = 0; k < steps_of(model, i); k++) look_at_step(log, i, k, time, signals);
    }
    return IB_TIME_NEVER;
}

ib_Probe ib_step_log_probe(ib_StepLog *log)
{
    return (ib_Probe){.self = log,
                      .next = IB_TIME_NEVER,
                      .each_step = true,
                      .sample = sample,
                      .spares = IB_PARTS_ALL};
}

// -------------------------------------------------------------------------------------------- rows

static bool never_began(const ib_StepLog *log, int index)
{
    return log->watched[index].rounds == 0;
}

int ib_step_log_count(const ib_StepLog *log)
{
    int count = log ? log->count : 0;
    for (int i = 0; log && i < log->watched_count; i++) count += never_began(log, i);
    return count;
}

ib_StepRun ib_step_log_run(const ib_StepLog *log, int index)
{
    const ib_Model *model = ib_sim_model(log->sim);
    if (index < log->count) return log->runs[index];
    index -= log->count;
    int control = 0, place = 0;
    while (!never_began(log, place) || index-- > 0) place++;
    for (int i = 0; i < model->control_count; i++)
        if (steps_of(model, i) > 0 && log->first[i] <= place) control = i;
    const ib_Controller *loop = model->controls[control].controller;
    ib_ControlStep step;
    loop->kind->tell(loop->model,
                     ib_sim_state(log->sim) + model->controls[control].state +
                         loop->ports.output_count,
                     place - log->first[control], &step);
    return unknown(control, &step);
}

int64_t ib_step_log_untold(const ib_StepLog *log)
{
    return log ? log->untold : 0;
}

// ------------------------------------------------------------------------------------------- words

const char *ib_step_run_outcome(const ib_StepRun *run)
{
    return run->step.outcome == IB_STEP_RUNS ? "still running"
                                             : ib_step_outcomes[run->step.outcome];
}

double ib_step_run_took(const ib_StepRun *run, ib_Time end)
{
    if (run->began == IB_TIME_NEVER) return (double)NAN;
    return ib_time_to_seconds((run->ended == IB_TIME_NEVER ? end : run->ended) - run->began);
}

bool ib_step_run_warning(const ib_Model *model, const ib_StepRun *run, char *text, size_t size)
{
    const ib_ControlStep *step = &run->step;
    bool runs = step->outcome == IB_STEP_RUNS && !step->holds;
    if (!runs && !run->lost && step->outcome != IB_STEP_LATE) return false;
    const ib_ControlModel *control = &model->controls[run->control];
    const char *robot = model->robots[control->robot].name, *loop = control->controller->name;
    int length = snprintf(text, size, "%s%s%s: step %d '%s'", robot, robot[0] ? "." : "",
                          loop[0] ? loop : "routine", step->number, step->label);
    char *more = text + (length < (int)size ? length : (int)size - 1);
    size_t left = size - (size_t)(more - text);
    char line[32] = "", round[48] = "";
    if (step->line > 0) snprintf(line, sizeof line, " (line %d)", step->line);
    if (run->round > 1) snprintf(round, sizeof round, ", the %d. time,", run->round);
    if (runs)
        snprintf(more, left, "%s%s was still running at the end", line, round);
    else if (run->lost && !is_away(run))
        snprintf(more, left, "%s%s took itself to be at its goal, and was turned %.0f deg from it",
                 line, round, 57.29577951308232 * fabs(run->off_angle));
    else if (run->lost)
        snprintf(more, left, "%s%s took itself to be at its goal, and was %.2f m from it", line,
                 round, run->off);
    else
        snprintf(more, left, "%s%s had no more time at %.4g s", line, round,
                 ib_time_to_seconds(run->ended));
    return true;
}
