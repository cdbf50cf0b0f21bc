// solver/rk4.c: the classic Runge-Kutta method, order 4. See docs/solver/solver.md
#include "base/two.h"
#include "solver/method.h"

// x0 + h k for from <= i < to, the state of the next stage. Two states at a
// time: docs/performance.md
static inline void probe(double h, int from, int to, const double *restrict x0,
                         const double *restrict k, double *restrict y)
{
    int i = from;
    for (; i + 2 <= to; i += 2)
        *(ib__TwoOf *)(y + i) = *(const ib__TwoOf *)(x0 + i) + h * *(const ib__TwoOf *)(k + i);
    if (i < to) y[i] = x0[i] + h * k[i];
}

// The states of the next stage without the sums, which no rate depends on. The sums of several
// blocks are computed too: a loop over blocks costs a single block 2 % of its step, and saves two
// tanks 0.2 %.
static inline void probe_all(const ib_Solver *solver, double h, const double *restrict x0,
                             const double *restrict k, double *restrict y)
{
    for (int i = 0; i < solver->sum_from; i++) y[i] = x0[i] + h * k[i];
    probe(h, solver->sum_to, solver->count, x0, k, y);
}

// x1 = x0 + h/6 (k1 + 2 k2 + 2 k3 + k4), the sums in twos.
static inline void combine(const ib_Solver *solver, double sixth, const double *restrict x0,
                           double *restrict x1)
{
    const double *restrict k1 = solver->k[0], *restrict k2 = solver->k[1],
                           *restrict k3 = solver->k[2], *restrict k4 = solver->k[3];
    int i = 0, n = solver->count;
    for (; i < solver->sum_from; i++)
        x1[i] = x0[i] + sixth * ((k1[i] + k4[i]) + 2 * (k2[i] + k3[i]));
    for (; i + 2 <= n; i += 2) {
        ib__TwoOf a = *(const ib__TwoOf *)(k1 + i) + *(const ib__TwoOf *)(k4 + i);
        ib__TwoOf b = *(const ib__TwoOf *)(k2 + i) + *(const ib__TwoOf *)(k3 + i);
        *(ib__TwoOf *)(x1 + i) = *(const ib__TwoOf *)(x0 + i) + sixth * (a + 2 * b);
    }
    if (i < n) x1[i] = x0[i] + sixth * ((k1[i] + k4[i]) + 2 * (k2[i] + k3[i]));
}

//   k1 = f(0, x0)              k2 = f(h/2, x0 + h/2 k1)
//   k3 = f(h/2, x0 + h/2 k2)   k4 = f(h, x0 + h k3)
//   x1 = x0 + h/6 (k1 + 2 k2 + 2 k3 + k4)                                        [Kutta 1901]
// Limits: on x' = i w x the step is multiplied by e^(i w h) up to (w h)^5 / 120; stable for
// h |lambda| <= 2.785 on the real axis and 2.828 on the imaginary one.
static int attempt(ib_Solver *solver, const ib_System *system, double h, const double *restrict x0,
                   double *restrict x1)
{
    double half = 0.5 * h, sixth = h / 6;
    double *k1 = solver->k[0], *k2 = solver->k[1], *k3 = solver->k[2], *k4 = solver->k[3];
    double *y = solver->y;

    probe_all(solver, half, x0, k1, y);
    system->rate(system->context, half, y, k2);
    probe_all(solver, half, x0, k2, y);
    system->rate(system->context, half, y, k3);
    probe_all(solver, h, x0, k3, y);
    system->rate(system->context, h, y, k4);
    combine(solver, sixth, x0, x1);
    solver->evaluations += 3;
    return 0;
}

// The continuous extension of order 3 that needs no further rate:                 [Zennaro 1986]
//   b1 = q - 3/2 q^2 + 2/3 q^3,   b2 = b3 = q^2 - 2/3 q^3,   b4 = -1/2 q^2 + 2/3 q^3
// Limit: q = 1 gives the weights of the step, 1/6 1/3 1/3 1/6.
static void dense(ib_Solver *solver, double theta, double *restrict x)
{
    double q2 = theta * theta, q3 = q2 * theta * (2.0 / 3), h = solver->h;
    double b1 = h * (theta - 1.5 * q2 + q3), b23 = h * (q2 - q3), b4 = h * (q3 - 0.5 * q2);
    const double *restrict x0 = solver->x0, *restrict k1 = solver->k[0],
                           *restrict k2 = solver->k[1], *restrict k3 = solver->k[2],
                           *restrict k4 = solver->k[3];

    for (int i = 0; i < solver->count; i++) {
        x[i] = x0[i] + ((b1 * k1[i] + b4 * k4[i]) + b23 * (k2[i] + k3[i]));
    }
}

const ib__Method ib__rk4 = {
    .order = 4, .stages = 4, .prepare = ib__rate_first, .attempt = attempt, .dense = dense};
