// sim/advice.c: advice that was tried before it is given, in keys of a file.
#include "sim/advice.h"

#include "base/extreme.h"
#include "sim/health/limit.h"
#include "sim/sim_inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ trying

// A solver gets on if it would be let through the second (sim/health/step_budget.c) at the pace of
// its next so many tries.
enum { TRIES = 1000 };

// Tolerances that are larger than this leave too little of the result to be advised.
static const double WORTH = 1e-3;

// True if an adaptive solver reaches a plausible state from here, under these inputs.
static bool gets_on(ib_Sim *sim, ib_Solver *solver, double tolerance)
{
    double *x = sim->sample_state, *next = sim->course_state;
    double span = (double)TRIES / IB__MAX_TRIES, gone = 0, wish = 0, taken;
    ib_SolverCounts counts = {0};
    memcpy(x, sim->state, (size_t)sim->model->robot_state_count * sizeof *x);
    ib_solver_set_tolerance(solver, tolerance);
    while (gone < span && counts.steps + counts.rejected < TRIES) {
        if (ib_solver_step_controlled(solver, &sim->system, span - gone, &wish, x, next, &taken,
                                      &counts, NULL) ||
            ib__limit_check(sim, next, gone, NULL))
            return false;
        double *held = x;
        x = next;
        next = held;
        gone += taken;
    }
    return gone >= span;
}

// The first of the tolerances from, 10 from, 100 from … with which it gets on; 0: none.
static double find_tolerance(ib_Sim *sim, ib_Solver *solver, double from)
{
    double tolerance = from;
    while (tolerance <= ib_max(from, WORTH)) {
        if (gets_on(sim, solver, tolerance)) return tolerance;
        tolerance *= 10;
    }
    return 0;
}

// The first tolerance with which rosenbrock gets on; 0: none. Its memory grows with the square of
// the states and is asked for once in a run, if at all: where a run ends, or a step is too long.
static double try_rosenbrock(ib_Sim *sim)
{
    ib_SolverConfig config = sim->model->config->solver;
    ib_Arena arena = {0};
    config.kind = IB_ROSENBROCK;
    ib_Solver *solver = ib_solver_create(&config, sim->model->robot_state_count, &arena);
    double tolerance = solver ? find_tolerance(sim, solver, config.tolerance) : 0;
    ib_arena_reset(&arena);
    return tolerance;
}

ib_Advice ib__sim_advise(ib_Sim *sim)
{
    double tolerance = sim->model->config->solver.tolerance;
    ib_Advice advice = {0};
    if (sim->adaptive && 10 * tolerance <= WORTH)
        advice.tolerance = find_tolerance(sim, sim->solver, 10 * tolerance);
    if (sim->model->config->solver.kind != IB_ROSENBROCK) advice.rosenbrock = try_rosenbrock(sim);
    return advice;
}

// ------------------------------------------------------------------------------------- without one

double ib_advice_step(const ib_SimConfig *config, double step)
{
    double least = ib_max(IB_LEAST_STEP, ib_time_to_seconds(config->duration) / IB_MOST_STEPS);
    static const double powers[] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9};
    double power = 1;
    for (int i = 0; i < 9 && step < power; i++) power = powers[i];
    if (step < power) return 0;
    double part = step / power;
    double row = power * (part >= 5 ? 5 : part >= 2 ? 2 : 1);
    // 1 ns and 2 ns are not exact in binary.
    return row >= (1 - 1e-9) * least ? row : 0;
}

ib_Advice ib_advice_finer(const ib_Model *model)
{
    const ib_SimConfig *config = model->config;
    double tolerance = config->solver.tolerance;
    if (!ib_solver_adaptive(config->solver.kind)) {
        double step = 0.1 * ib_time_to_seconds(model->step);
        return (ib_Advice){.step = ib_advice_step(config, step), .rosenbrock = tolerance};
    }
    bool least = tolerance <= IB_LEAST_TOLERANCE;
    return (ib_Advice){.tolerance = least ? 0 : ib_max(0.01 * tolerance, IB_LEAST_TOLERANCE)};
}

// ------------------------------------------------------------------------------------------- words

// Alternatives tried in vain.
static const char *const tried[] = {
    [IB_EULER] = "neither a shorter run.step nor run.solver: rosenbrock",
    [IB_RK4] = "neither a shorter run.step nor run.solver: rosenbrock",
    [IB_DOPRI5] = "neither a larger run.tolerance nor run.solver: rosenbrock",
    [IB_ROSENBROCK] = "no larger run.tolerance",
    [IB_STIFF] = "neither a shorter run.step nor run.solver: rosenbrock",
};

bool ib_advice_helps(const ib_Advice *advice)
{
    return advice->step > 0 || advice->tolerance > 0 || advice->rosenbrock > 0;
}

void ib_advice_format(const ib_Advice *advice, const ib_SimConfig *config,
                      char text[IB_ADVICE_TEXT])
{
    int used = 0;
    bool fine = advice->step < 1e-6;
    const char *lead = "try ";
    text[0] = '\0';
    if (advice->step > 0) {
        used += snprintf(text, IB_ADVICE_TEXT, "%srun.step: %.9g %s", lead,
                         advice->step * (fine ? 1e9 : 1e3), fine ? "ns" : "ms");
        lead = ", or ";
    }
    if (advice->tolerance > 0) {
        used += snprintf(text + used, (size_t)(IB_ADVICE_TEXT - used), "%srun.tolerance: %g", lead,
                         advice->tolerance);
        lead = ", or ";
    }
    if (advice->rosenbrock > 0) {
        used += snprintf(text + used, (size_t)(IB_ADVICE_TEXT - used), "%srun.solver: rosenbrock",
                         lead);
        if (advice->rosenbrock > config->solver.tolerance)
            used += snprintf(text + used, (size_t)(IB_ADVICE_TEXT - used),
                             " with run.tolerance: %g", advice->rosenbrock);
    }
    if (used == 0)
        snprintf(text, IB_ADVICE_TEXT,
                 "%s would do; what makes it so fast has to change: a large drag, stiffness or "
                 "factor, a small mass or inertia",
                 tried[config->solver.kind]);
}
