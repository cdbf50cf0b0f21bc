// solver/jump.c: does a rate jump, or is it only steep? See docs/solver/solver.md
#include "solver/method.h"

enum { HALVINGS = 12 };           // the step's 4096th part
static const double STAYS = 0.06; // of the change, at a jump; without one 2^-12 is left

// f at `fraction` of the step last tried.
static void rate_at(ib_Solver *solver, const ib_System *system, double fraction, double *f)
{
    ib__dense(solver, fraction, solver->y);
    system->rate(system->context, fraction * solver->h, solver->y, f);
    solver->evaluations += 1;
}

static double change(ib_Solver *solver, const double *from, const double *to)
{
    for (int i = 0; i < solver->count; i++) solver->rate_t[i] = to[i] - from[i];
    return ib__scaled_norm(solver, solver->rate_t, solver->x0, solver->x1);
}

// Bisection of the step: the half with the larger change of f is kept. A rate without jumps changes
// half as much over half the way; a jump stays whole, however close the two ends come.
bool ib__rate_jumps(ib_Solver *solver, const ib_System *system)
{
    double *from = solver->probe, *to = solver->work, *middle = solver->again, a = 0, b = 1;
    double most = 0, left = 0;

    rate_at(solver, system, a, from);
    rate_at(solver, system, b, to);
    for (int i = 0; i < HALVINGS; i++) {
        double half = a + (b - a) / 2;
        rate_at(solver, system, half, middle);
        double first = change(solver, from, middle), second = change(solver, middle, to);
        double **end = first > second ? &to : &from, *freed = *end;
        *(first > second ? &b : &a) = half;
        *end = middle;
        middle = freed;
        left = first > second ? first : second;
        if (left > most) most = left;
    }
    return left > STAYS * most;
}
