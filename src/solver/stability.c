// solver/stability.c: is a fixed step too long for what it steps over? See docs/solver/solver.md
#include "base/extreme.h"
#include "solver/method.h"

static const double UNSEEN = 1e-6; // change of a state by a stage that is never too large, of 1
                                   // + |x|
static const double THROWN = 0.25; // change in one step that is always too large

// The stages of the RK4 step that an Euler step might have been, in scratch memory.
static void make_stages(ib_Solver *solver, const ib_System *system, const double *k[4])
{
    double *next[] = {solver->error, solver->probe, solver->rate_t}, *y = solver->y;
    for (int s = 1; s < 4; s++) {
        double h = s < 3 ? 0.5 * solver->h : solver->h;
        for (int i = 0; i < solver->count; i++) y[i] = solver->x0[i] + h * k[s - 1][i];
        system->rate(system->context, h, y, next[s - 1]);
        k[s] = next[s - 1];
    }
    solver->evaluations += 3;
}

// By signs: the product of two small rates may be a subnormal number, which is slow.
static bool is_turned(double a, double b)
{
    return (a < 0 && b > 0) || (a > 0 && b < 0);
}

// The stages of RK4 are powers of h/2 J on the first rate, where f is linear:
//   d1 = k2 - k1 = h/2 J k1,   d2 = k3 - k2 = h/2 J d1,   d3 = (k4 + k1)/2 - k3 = h/2 J d2
// Their ratio along a fast mode is h lambda/2. If each is larger than the last, h lambda > 2: RK4
// amplifies or damps the mode wrongly (stable up to 2.785), Euler is unstable. If f is bounded (dry
// friction), they cannot grow; each stage then reverses the last one's rate, as it does if f is
// linear and h lambda > 2. Returns h lambda, as estimated; 0: the state is not fast.
static double ratio_of(const double *const k[4], int i)
{
    double k1 = k[0][i], k2 = k[1][i], k3 = k[2][i], k4 = k[3][i];
    double d1 = fabs(k2 - k1), d2 = fabs(k3 - k2), d3 = fabs(0.5 * (k4 + k1) - k3);
    if (d2 > d1 && d3 > d2) return 2 * ib_min(d2 / d1, d3 / d2);
    return is_turned(k1, k2) && is_turned(k2, k3) && is_turned(k3, k4) ? 2 : 0;
}

// A sum is never fast by itself: it follows fast states elsewhere.
static bool is_sum(const ib_Solver *solver, int i)
{
    const ib_Block *block = solver->blocks;
    while (i >= block->to) block++;
    return i >= block->sum_from && i < block->sum_to;
}

bool ib_solver_unstable(ib_Solver *solver, const ib_System *system, ib_Instability *found)
{
    const double *k[4] = {solver->k[0]};
    *found = (ib_Instability){.ratio = 0};
    if (solver->method->implicit) return false;
    if (solver->method->stages == 4)
        for (int s = 1; s < 4; s++) k[s] = solver->k[s];
    else
        make_stages(solver, system, k);
    double most = 0;
    for (int i = 0; i < solver->count; i++) {
        double ratio = ratio_of(k, i), size = 1 + fabs(solver->x0[i]);
        double moved = solver->h * fabs(k[2][i] - k[1][i]) / size;
        if (!(ratio > 0 && moved > UNSEEN) || is_sum(solver, i)) continue;
        bool thrown = moved > THROWN && fabs(k[1][i] - k[0][i]) > fabs(k[0][i]);
        if (thrown == found->thrown ? moved > most : thrown) {
            *found = (ib_Instability){.state = i, .ratio = ratio, .thrown = thrown};
            most = moved;
        }
    }
    return found->ratio > 0;
}
