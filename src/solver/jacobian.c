// solver/jacobian.c: df/dx of a system, given or by differences. See docs/solver/solver.md
#include "solver/solver.h"

#include <math.h>

// The state of a block that is displaced in this round; -1: no states but sums are left.
static int look_of(const ib_Block *block, int round)
{
    int j = block->from + round;
    if (j >= block->sum_from) j += block->sum_to - block->sum_from;
    return j < block->to ? j : -1;
}

// Column j:   df/dx_j = (f(t, x + d e_j) - f(t, x)) / d,   d = sqrt(eps) (1 + |x_j|)
// which balances truncation (d f''/2) against rounding (eps f / d). The step has the sign of the
// rate, so that a tank at zero is not emptied further.
static double aside(double x, double rate)
{
    double d = 1.4901161193847656e-8 * (1 + fabs(x)); // 2^-26
    return x + (rate < 0 ? -d : d);
}

int ib_system_jacobian(const ib_System *system, double t, const double *x, const double *rate,
                       const ib_Block *blocks, int block_count, double *work, double *jacobian)
{
    int n = system->count, rounds = 0;
    double *y = work, *f = work + n;
    const double *base = rate;
    void (*call)(const void *, double, const double *, double *) = system->rate;

    if (system->jacobian && system->jacobian(system->context, t, x, jacobian)) return 0;
    for (int i = 0; i < n; i++) y[i] = x[i];
    for (int i = 0; i < n * n; i++) jacobian[i] = 0;
    for (int b = 0; b < block_count; b++)
        while (look_of(&blocks[b], rounds) >= 0) rounds++;

    if (system->frozen_rate) {
        call = system->frozen_rate;
        call(system->context, t, x, work + 2 * n);
        base = work + 2 * n;
    }
    for (int round = 0; round < rounds; round++) {
        // One state of each block steps aside: no rate of another block sees it.
        for (int b = 0; b < block_count; b++) {
            int j = look_of(&blocks[b], round);
            if (j >= 0) y[j] = aside(x[j], rate[j]);
        }
        call(system->context, t, y, f);
        for (int b = 0; b < block_count; b++) {
            int j = look_of(&blocks[b], round);
            if (j < 0) continue;
            double d = y[j] - x[j]; // the difference after rounding
            for (int i = blocks[b].from; i < blocks[b].to; i++)
                jacobian[i * n + j] = (f[i] - base[i]) / d;
            y[j] = x[j];
        }
    }
    return base == rate ? rounds : rounds + 1;
}
