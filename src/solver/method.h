// solver/method.h: a method's table and scratch memory, shared by the files of this folder.
#ifndef IB_SOLVER_METHOD_H
#define IB_SOLVER_METHOD_H

#include "base/matrix.h"
#include "solver/solver.h"

#include <float.h>
#include <math.h>

#define IB__MAX_STAGES 7

// One integration method. Each lives in a file of its own, which ends in its table.
typedef struct ib__Method {
    int order;
    int stages;    ///< stage vectors kept in ib_Solver.k
    bool adaptive; ///< estimates its error and chooses its steps; else takes those given
    bool implicit; ///< solves linear systems with the Jacobian
    // Computes what depends on x0 alone (the rate, to k[0] of an explicit method; the Jacobian),
    // once for all attempts of a step.
    void (*prepare)(ib_Solver *solver, const ib_System *system, const double *x0);
    // x1 and, for the adaptive ones, ib_Solver.error. Returns 1 when something was not finite.
    int (*attempt)(ib_Solver *solver, const ib_System *system, double h, const double *x0,
                   double *x1);
    // x at x0 + theta h, 0 <= theta < 1, from the stages.
    void (*dense)(ib_Solver *solver, double theta, double *x);
    const char *excuse; ///< of an adaptive one: the reason why no step is short enough
} ib__Method;

extern const ib__Method ib__euler, ib__rk4, ib__dopri5, ib__rosenbrock, ib__stiff;

// Every array has `count` elements unless it says otherwise.
struct ib_Solver {
    const ib__Method *method;
    int count;
    const ib_Block *blocks;    ///< independent blocks of the system: ib_solver_set_blocks
    int block_count;           ///< >= 1
    int sum_from, sum_to;      ///< the sums of a single block; of several: none, behind all states
    int core;                  ///< implicit methods: sums are those from here on, to the end
    ib_Block whole;            ///< all states as one block
    double h;                  ///< length of the step last made [s]
    const double *x0, *x1;     ///< its two ends, in the caller's memory
    double *k[IB__MAX_STAGES]; ///< its stages
    double *ahead;             ///< ib_solver_ahead
    double *again;             ///< end of a step made once more for its stages: events
    double *y;                 ///< the state a stage is evaluated at
    double *error;             ///< estimated error of x1; adaptive methods
    double *probe;             ///< for a trial state: initial step, events
    double *rate_t;            ///< df/dt; implicit methods
    double *work;              ///< 3 * count; implicit methods
    double *bends;             ///< 2 * count, of the dense output, known if `bent`; implicit ones
    double *jacobian, *lu;     ///< count * count; implicit methods
    int *pivot;                ///< implicit methods
    ib_MatrixPack factors;     ///< `lu` without its zeros; implicit methods
    int64_t evaluations, jacobians; ///< ib_solver_work
    bool bent;
    bool jumps;         ///< ib_solver_jumps
    double error_ratio; ///< ib_solver_error_ratio
    ib_SolverConfig config;
};

static inline int ib__finite(double x)
{
    return fabs(x) <= DBL_MAX;
}

// `prepare` of an explicit method: the rate at x0 is its first stage.
static inline void ib__rate_first(ib_Solver *solver, const ib_System *system, const double *x0)
{
    system->rate(system->context, 0, x0, solver->k[0]);
    solver->evaluations += 1;
}

// The state at `fraction` (0..1) of the step last made or tried; at 1 it is x1 to the bit.
static inline void ib__dense(ib_Solver *solver, double fraction, double *x)
{
    if (fraction < 1) {
        solver->method->dense(solver, fraction, x);
    } else {
        for (int i = 0; i < solver->count; i++) x[i] = solver->x1[i];
    }
}

// Largest |value| / (tolerance (1 + max(|a|, |b|))); NaN wins.
double ib__scaled_norm(const ib_Solver *solver, const double *value, const double *a,
                       const double *b);

// True if the rate jumps within the step last tried, from x0 to x1.
bool ib__rate_jumps(ib_Solver *solver, const ib_System *system);

// The adaptive half of ib_solver_step_controlled.
ib_Status ib__step_adaptive(ib_Solver *solver, const ib_System *system, double h_max,
                            double *h_next, const double *x0, double *x1, double *h_taken,
                            ib_SolverCounts *counts, ib_Error *error);

#endif
