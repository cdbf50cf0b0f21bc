#include "sim/trial.h"

#include "base/random.h"
#include "solver/solver.h"

#include <math.h>
#include <string.h>

enum {
    TICKS_MAX = 1000000,
    LAG_MAX = 100, ///< whole periods of latency
};

static const double RUNAWAY = 1e12; ///< larger states are no response any more

// The plant under held inputs; before the first period nothing is applied.
typedef struct Plant {
    const ib_Trial *trial;
    int states, inputs, outputs;
    double u[IB_INPUTS_MAX];
    int lag;                                 ///< whole periods until an input acts
    double part;                             ///< and this part of one
    double sent[LAG_MAX + 2][IB_INPUTS_MAX]; ///< a ring: of period k at k % (LAG_MAX + 2)
} Plant;

// ------------------------------------------------------------------------------------------- plant

// r = A x + B u + c, in index order.
static void combine(int rows, int states, int inputs, const double *A, const double *B,
                    const double *c, const double *x, const double *u, double *r)
{
    for (int i = 0; i < rows; i++) {
        double sum = 0;
        for (int j = 0; j < states; j++) sum += A[i * states + j] * x[j];
        for (int j = 0; j < inputs; j++) sum += B[i * inputs + j] * u[j];
        r[i] = sum + c[i];
    }
}

static const ib_LoopGear *gear_of(const ib_Trial *trial)
{
    return &trial->loop->gear[trial->gear];
}

static void rate(const void *context, double t, const double *x, double *dx)
{
    const Plant *plant = context;
    (void)t;
    ib_mechanism_rate(plant->trial->mechanism, x, plant->u, dx);
}

static void measure(const Plant *plant, const double *x, int64_t index, double *y)
{
    const ib_Trial *trial = plant->trial;
    const ib_LoopGear *gear = gear_of(trial);
    if (!trial->loop->observer)
        memcpy(y, x, (size_t)plant->states * sizeof *y);
    else if (trial->mechanism)
        ib_mechanism_output(trial->mechanism, x, plant->u, y);
    else
        combine(plant->outputs, plant->states, plant->inputs, gear->plant.C, gear->plant.D,
                gear->zero, x, plant->u, y);
    for (int i = 0; i < ib_loop_measured(trial->loop); i++)
        if (trial->noise[i] > 0)
            y[i] += trial->noise[i] * ib_random_normal(trial->seed, (uint64_t)i, (uint64_t)index);
}

// A while under held inputs; exact for a whole period of the linear plant, which is a sampled one.
static ib_Status go_on(const Plant *plant, double span, ib_Solver *solver, double *wish, double *x,
                       ib_Error *error)
{
    const ib_Trial *trial = plant->trial;
    const ib_LoopGear *gear = gear_of(trial);
    double next[IB_STATES_MAX] = {0}, rest = span, taken;
    size_t size = (size_t)plant->states * sizeof *x;
    ib_System system = {.count = plant->states, .rate = rate, .context = plant};
    ib_SolverReport report = {0};
    if (!trial->mechanism) {
        combine(plant->states, plant->states, plant->inputs, gear->plant.A, gear->plant.B,
                gear->drift, x, plant->u, next);
        memcpy(x, next, size);
        return IB_OK;
    }
    while (rest > 0) {
        ib_Status status =
            ib_solver_advance(solver, &system, rest, wish, x, next, &taken, &report, error);
        if (status != IB_OK) return status;
        memcpy(x, next, size);
        rest -= taken;
        if (rest < 1e-12 * trial->loop->period) rest = 0;
    }
    return IB_OK;
}

// What acts on the plant: the input of period k - lag, and the push.
static void act(Plant *plant, int64_t k, double t)
{
    const ib_Trial *trial = plant->trial;
    for (int i = 0; i < plant->inputs; i++) {
        double sent = k < 0 ? 0 : plant->sent[k % (LAG_MAX + 2)][i];
        plant->u[i] = sent + (t >= trial->push_at ? trial->push[i] : 0);
    }
}

// Period k, in which the input before still acts for a part of it:
//   latency = (lag + part) T:   u[k - lag - 1] for part T, then u[k - lag] for the rest
static ib_Status go_through(Plant *plant, int64_t k, ib_Solver *solver, double *wish,
                            ib_TrialTick *tick, ib_Error *error)
{
    const ib_Trial *trial = plant->trial;
    double period = trial->loop->period, part = plant->part, old[IB_INPUTS_MAX] = {0};
    memcpy(plant->sent[k % (LAG_MAX + 2)], tick->u, sizeof tick->u);
    if (part > 0) {
        act(plant, k - plant->lag - 1, tick->t);
        memcpy(old, plant->u, sizeof old);
        ib_Status status = IB_OK;
        if (trial->mechanism) status = go_on(plant, part * period, solver, wish, tick->x, error);
        if (status != IB_OK) return status;
    }
    act(plant, k - plant->lag, tick->t);
    for (int i = 0; part > 0 && !trial->mechanism && i < plant->inputs; i++)
        plant->u[i] = part * old[i] + (1 - part) * plant->u[i];
    double span = part > 0 && trial->mechanism ? (1 - part) * period : period;
    return go_on(plant, span, solver, wish, tick->x, error);
}

// -------------------------------------------------------------------------------------------- loop

static void control(const ib_Trial *trial, const double *r_next, ib_TrialTick *tick, double *state)
{
    const ib_Loop *loop = trial->loop;
    size_t size = (size_t)loop->states * sizeof *state;
    ib_feedback_correct(loop, tick->y, state);
    memcpy(tick->estimate, state, size);
    ib_feedback_output(loop, tick->r, r_next, trial->gear, tick->u, state);
    ib_feedback_predict(loop, tick->r, state);
    memcpy(tick->next, state, size);
}

static ib_Status check(const Plant *plant, const double *x, double t, ib_Error *error)
{
    for (int i = 0; i < plant->states; i++)
        if (!(fabs(x[i]) < RUNAWAY))
            return ib_error_set(error, IB_FAILED, "%s runs away: %g at %g s",
                                plant->trial->loop->gear[0].plant.state[i], x[i], t);
    return IB_OK;
}

static Plant make_plant(const ib_Trial *trial)
{
    const ib_Loop *loop = trial->loop;
    const ib_Mechanism *mechanism = trial->mechanism;
    Plant plant = {
        .trial = trial, .states = loop->states, .inputs = loop->inputs, .outputs = loop->outputs};
    // To the millionth of a period, so that 10 ms are two of 5 ms.
    double lag = rint(1e6 * fmin(fmax(trial->latency / loop->period, 0), LAG_MAX)) * 1e-6;
    plant.lag = (int)floor(lag);
    plant.part = lag - floor(lag);
    if (mechanism) plant.states = mechanism->ports.states;
    return plant;
}

// Period k of what is planned.
static void look_up(int64_t k, ib_Trial *now)
{
    if (now->plan) now->plan(now->plan_self, k, now);
}

static ib_Status run(const ib_Trial *trial, ib_Solver *solver,
                     void (*give)(void *self, const ib_TrialTick *tick), void *self,
                     ib_Error *error)
{
    const ib_Loop *loop = trial->loop;
    ib_Trial now = *trial, next;
    Plant plant = make_plant(&now);
    double state[IB_FEEDBACK_STATES_MAX], r_next[IB_STATES_MAX] = {0}, wish = 0;
    size_t size = (size_t)plant.states * sizeof *r_next;
    ib_TrialTick tick = {0};
    look_up(0, &now);
    memcpy(tick.x, trial->start, size);
    // Input errors, which a mechanism does not have, are guessed to be 0, as they are in tick.x.
    ib_feedback_reset(loop, trial->known_start ? tick.x : NULL, now.gear, state);
    double count = floor(trial->duration / loop->period + 0.5);
    for (int64_t k = 0; k <= (int64_t)fmin(count, TICKS_MAX); k++) {
        tick.t = (double)k * loop->period;
        next = now;
        look_up(k + 1, &next);
        memcpy(tick.r, now.goal, size);
        memcpy(r_next, next.goal, size);
        measure(&plant, tick.x, k, tick.y);
        control(&now, r_next, &tick, state);
        give(self, &tick);
        if (trial->give_up && trial->give_up(trial->give_up_self))
            return ib_error_set(error, IB_FAILED, "it took too long: given up at %g s", tick.t);
        ib_Status status = go_through(&plant, k, solver, &wish, &tick, error);
        if (status == IB_OK) status = check(&plant, tick.x, tick.t + loop->period, error);
        if (status != IB_OK) return status;
        now = next;
    }
    return IB_OK;
}

ib_Status ib_trial_run(const ib_Trial *trial, void (*tick)(void *self, const ib_TrialTick *tick),
                       void *self, ib_Error *error)
{
    ib_Arena arena = {0};
    ib_SolverConfig config = {.kind = IB_DOPRI5, .tolerance = 1e-9};
    ib_Solver *solver = ib_solver_create(&config, make_plant(trial).states, &arena);
    ib_Status status = solver ? run(trial, solver, tick, self, error)
                              : ib_error_set(error, IB_FAILED, "out of memory for a trial");
    ib_arena_reset(&arena);
    return status;
}
