#include "control/routine/routine.h"

#include <math.h>
#include <string.h>

const char *const ib_step_outcomes[] = {"not begun", "runs", "done", "timed out", "stopped", NULL};

int ib_routine_state_count(const ib_RoutineConfig *config)
{
    return IB_ROUTINE_HELD + config->output_count + config->count * IB_STEP_STATES;
}

static double *step_state(const ib_RoutineConfig *config, double *state, int step)
{
    return state + IB_ROUTINE_HELD + config->output_count + step * IB_STEP_STATES;
}

const double *ib_routine_step_state(const ib_RoutineConfig *config, const double *state, int step)
{
    return state + IB_ROUTINE_HELD + config->output_count + step * IB_STEP_STATES;
}

void ib_routine_reset(const ib_RoutineConfig *config, double *state)
{
    memset(state, 0, (size_t)ib_routine_state_count(config) * sizeof *state);
    for (int i = 0; i < config->output_count; i++) state[IB_ROUTINE_HELD + i] = config->outputs[i];
}

// ------------------------------------------------------------------------------------------- check

static bool holds_steps(ib_StepKind kind)
{
    return kind <= IB_STEP_REPEAT;
}

static ib_Status check_links(const ib_RoutineConfig *config, int i, ib_Error *error)
{
    const ib_RoutineStep *step = &config->steps[i];
    bool inside = step->child > i && step->child < config->count;
    bool beside = step->next == -1 || (step->next > i && step->next < config->count);
    if (!beside || (step->child != -1 && !inside) ||
        (holds_steps(step->kind) != (step->child != -1)))
        return ib_error_set(error, IB_BAD_INPUT, "%d: expected steps in order, each inside one", i);
    return IB_OK;
}

static ib_Status check_step(const ib_RoutineConfig *config, int i, ib_Error *error)
{
    const ib_RoutineStep *step = &config->steps[i];
    if (step->kind < 0 || step->kind >= IB_STEP_KINDS)
        return ib_error_set(error, IB_BAD_INPUT, "%d: not a step", i);
    if (!(step->timeout > 0))
        return ib_error_set(error, IB_BAD_INPUT, "%d: timeout: expected more than 0 s, got %g s", i,
                            step->timeout);
    if (step->kind == IB_STEP_WAIT && !(step->time >= 0 && step->time < INFINITY))
        return ib_error_set(error, IB_BAD_INPUT, "%d: expected a time of 0 s or more, got %g s", i,
                            step->time);
    if (step->kind == IB_STEP_REPEAT && step->times < 1)
        return ib_error_set(error, IB_BAD_INPUT, "%d: times: expected 1 or more, got %d", i,
                            step->times);
    if (step->kind == IB_STEP_UNTIL &&
        !(step->reading >= IB_ROUTINE_CLOCK && step->reading < config->reading_count))
        return ib_error_set(error, IB_BAD_INPUT, "%d: no such reading", i);
    if (step->kind == IB_STEP_SET && !(step->output >= 0 && step->output < config->output_count))
        return ib_error_set(error, IB_BAD_INPUT, "%d: no such output", i);
    return check_links(config, i, error);
}

bool ib_routine_moves(const ib_RoutineStep *steps, int step)
{
    if (steps[step].kind == IB_STEP_MOVE) return true;
    for (int k = steps[step].child; k >= 0; k = steps[k].next)
        if (ib_routine_moves(steps, k)) return true;
    return false;
}

static ib_Status check_sides(const ib_RoutineConfig *config, int i, ib_Error *error)
{
    int before = -1;
    for (int k = config->steps[i].child; k >= 0; k = config->steps[k].next) {
        if (!ib_routine_moves(config->steps, k)) continue;
        if (before >= 0)
            return ib_error_set(error, IB_BAD_INPUT,
                                "%d: two steps side by side move the robot: expected one of them",
                                k);
        before = k;
    }
    return IB_OK;
}

ib_Status ib_routine_check(const ib_RoutineConfig *config, ib_Error *error)
{
    if (!(config->period > 0 && config->period < INFINITY))
        return ib_error_set(error, IB_BAD_INPUT, "0: period: expected more than 0 s, got %g s",
                            config->period);
    if (config->count < 1 || config->count > IB_ROUTINE_STEPS)
        return ib_error_set(error, IB_BAD_INPUT, "0: expected 1 to %d steps, got %d",
                            IB_ROUTINE_STEPS, config->count);
    for (int i = 0; i < config->count; i++) {
        ib_Status status = check_step(config, i, error);
        if (status == IB_OK && config->steps[i].kind == IB_STEP_PARALLEL)
            status = check_sides(config, i, error);
        if (status != IB_OK) return status;
    }
    return IB_OK;
}

// -------------------------------------------------------------------------------------- one period

// Data of a tick.
typedef struct Tick {
    const ib_RoutineConfig *config;
    const ib_Locomotion *base;
    const ib_BasePose *pose;
    const double *reading;
    double *state;
    ib_AxisMotion *motion;
} Tick;

static void end(const Tick *tick, int i, ib_StepOutcome outcome)
{
    const ib_RoutineStep *step = &tick->config->steps[i];
    double *own = step_state(tick->config, tick->state, i);
    own[IB_STEP_OUTCOME] = outcome;
    own[IB_STEP_ENDED] = tick->state[IB_ROUTINE_TIME];
    own[IB_STEP_AT] = tick->pose->x;
    own[IB_STEP_AT + 1] = tick->pose->y;
    own[IB_STEP_AT + 2] = tick->pose->heading;
    if (step->kind == IB_STEP_MOVE)
        ib_move_left(&step->move, tick->pose, own + IB_STEP_MOTION, &own[IB_STEP_MISSED],
                     &own[IB_STEP_MISSED + 1]);
}

// All that runs inside is stopped with it.
static void stop_inside(const Tick *tick, int i)
{
    for (int k = tick->config->steps[i].child; k >= 0; k = tick->config->steps[k].next) {
        double *own = step_state(tick->config, tick->state, k);
        if (own[IB_STEP_OUTCOME] == IB_STEP_RUNS) {
            stop_inside(tick, k);
            end(tick, k, IB_STEP_STOPPED);
        }
    }
}

static void begin(const Tick *tick, int i)
{
    const ib_RoutineStep *step = &tick->config->steps[i];
    double *own = step_state(tick->config, tick->state, i);
    memset(own, 0, IB_STEP_STATES * sizeof *own);
    own[IB_STEP_OUTCOME] = IB_STEP_RUNS;
    own[IB_STEP_BEGAN] = tick->state[IB_ROUTINE_TIME];
    if (step->kind != IB_STEP_MOVE) return;
    own[IB_STEP_PROMISE] = ib_move_promise(&step->move, tick->base, tick->pose);
    ib_move_begin(&step->move, tick->base, tick->pose, own + IB_STEP_MOTION);
}

static bool is_over(double outcome)
{
    return outcome >= IB_STEP_DONE;
}

static bool go_on(const Tick *tick, int i);

// Begun where it was not, and over: true.
static bool run(const Tick *tick, int i)
{
    const ib_RoutineStep *step = &tick->config->steps[i];
    double *own = step_state(tick->config, tick->state, i);
    if (is_over(own[IB_STEP_OUTCOME])) return true;
    if (own[IB_STEP_OUTCOME] == IB_STEP_IDLE) begin(tick, i);
    if (go_on(tick, i)) {
        end(tick, i, IB_STEP_DONE);
        return true;
    }
    // Half a period of rounding is no time.
    double now = tick->state[IB_ROUTINE_TIME] + 0.5 * tick->config->period;
    if (now - own[IB_STEP_BEGAN] < step->timeout) return false;
    stop_inside(tick, i);
    end(tick, i, IB_STEP_LATE);
    *tick->motion = (ib_AxisMotion){0};
    return true;
}

static bool go_on_sequence(const Tick *tick, int i)
{
    for (int k = tick->config->steps[i].child; k >= 0; k = tick->config->steps[k].next)
        if (!run(tick, k)) return false;
    return true;
}

static bool go_on_parallel(const Tick *tick, int i)
{
    bool all = true;
    for (int k = tick->config->steps[i].child; k >= 0; k = tick->config->steps[k].next)
        all &= run(tick, k);
    return all;
}

static void forget(const Tick *tick, int i)
{
    memset(step_state(tick->config, tick->state, i), 0, IB_STEP_STATES * sizeof(double));
    for (int k = tick->config->steps[i].child; k >= 0; k = tick->config->steps[k].next)
        forget(tick, k);
}

// At most one round a tick, so that rounds of no duration do not hang. The results of a round are
// kept until the next one begins.
static bool go_on_repeat(const Tick *tick, int i)
{
    const ib_RoutineStep *step = &tick->config->steps[i];
    double *own = step_state(tick->config, tick->state, i);
    double *inside = step_state(tick->config, tick->state, step->child);
    if (is_over(inside[IB_STEP_OUTCOME])) forget(tick, step->child);
    if (!run(tick, step->child)) return false;
    own[IB_STEP_ROUND] += 1;
    return own[IB_STEP_ROUND] >= step->times;
}

static bool is_met(const ib_RoutineStep *step, double value)
{
    if (step->relation == IB_STEP_ABOVE) return value >= step->value;
    if (step->relation == IB_STEP_BELOW) return value <= step->value;
    return fabs(value - step->value) <= step->tolerance;
}

static bool go_on(const Tick *tick, int i)
{
    const ib_RoutineStep *step = &tick->config->steps[i];
    double *own = step_state(tick->config, tick->state, i);
    double spent = tick->state[IB_ROUTINE_TIME] - own[IB_STEP_BEGAN];
    switch (step->kind) {
    case IB_STEP_SEQUENCE:
        return go_on_sequence(tick, i);
    case IB_STEP_PARALLEL:
        return go_on_parallel(tick, i);
    case IB_STEP_REPEAT:
        return go_on_repeat(tick, i);
    case IB_STEP_WAIT:
        return spent + 1e-9 * tick->config->period >= step->time;
    case IB_STEP_UNTIL:
        return is_met(step, step->reading == IB_ROUTINE_CLOCK ? tick->state[IB_ROUTINE_TIME]
                                                              : tick->reading[step->reading]);
    case IB_STEP_SET:
        tick->state[IB_ROUTINE_HELD + step->output] = step->value;
        return true;
    case IB_STEP_MOVE:
        return ib_move_step(&step->move, tick->base, tick->pose, tick->config->period,
                            own + IB_STEP_MOTION, tick->motion);
    default:
        return true;
    }
}

static bool asks_nothing(const ib_AxisMotion *motion)
{
    for (int i = 0; i < IB_AXES; i++)
        if (motion->velocity[i] != 0 || motion->rate[i] != 0) return false;
    return true;
}

bool ib_routine_tick(const ib_RoutineConfig *config, const ib_Locomotion *base,
                     const ib_BasePose *pose, const double *reading, double *state,
                     ib_AxisMotion *motion)
{
    Tick tick = {config, base, pose, reading, state, motion};
    *motion = (ib_AxisMotion){0};
    bool over = run(&tick, 0);
    if (base && asks_nothing(motion))
        ib_tracking_stand(base, pose, IB_MOVE_GAIN, config->period, motion);
    state[IB_ROUTINE_TIME] += config->period;
    return over;
}

int ib_routine_timed_out(const ib_RoutineConfig *config, const double *state)
{
    int late = -1;
    double when = -1;
    for (int i = 0; i < config->count; i++) {
        const double *own = ib_routine_step_state(config, state, i);
        if (own[IB_STEP_OUTCOME] != IB_STEP_LATE || own[IB_STEP_ENDED] < when) continue;
        late = i;
        when = own[IB_STEP_ENDED];
    }
    return late;
}

int ib_routine_current(const ib_RoutineConfig *config, const double *state)
{
    int current = -1;
    for (int i = 0; i < config->count; i++) {
        bool runs = ib_routine_step_state(config, state, i)[IB_STEP_OUTCOME] == IB_STEP_RUNS;
        bool move = runs && config->steps[i].kind == IB_STEP_MOVE;
        if (move) return i;
        if (runs && config->steps[i].child < 0) current = i;
    }
    return current;
}

double ib_routine_ended(const ib_RoutineConfig *config, const double *state)
{
    const double *whole = ib_routine_step_state(config, state, 0);
    return whole[IB_STEP_OUTCOME] >= IB_STEP_DONE ? whole[IB_STEP_ENDED] : 0;
}
