// solver/euler.c: the explicit Euler method, order 1. See docs/solver/solver.md
#include "solver/method.h"

//   x1 = x0 + h f(0, x0)
// Local error h^2/2 x''; stable for h |lambda| <= 2 on the negative real axis, never on the
// imaginary one: an undamped oscillator gains energy by (1 + (h w)^2) a step.
static int attempt(ib_Solver *solver, const ib_System *system, double h, const double *restrict x0,
                   double *restrict x1)
{
    const double *restrict k = solver->k[0];

    (void)system;
    for (int i = 0; i < solver->count; i++) x1[i] = x0[i] + h * k[i];
    return 0;
}

// A shorter Euler step would give the same straight line.
static void dense(ib_Solver *solver, double theta, double *x)
{
    for (int i = 0; i < solver->count; i++) {
        x[i] = solver->x0[i] + theta * solver->h * solver->k[0][i];
    }
}

const ib__Method ib__euler = {
    .order = 1, .stages = 1, .prepare = ib__rate_first, .attempt = attempt, .dense = dense};
