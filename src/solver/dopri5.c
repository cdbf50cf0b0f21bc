// solver/dopri5.c: Dormand and Prince's pair of orders 5 and 4. See docs/solver/solver.md
//
// The coefficients are those of [Dormand, Prince 1980, table 2]; the continuous extension is that
// of [Hairer, Norsett, Wanner, Solving ODEs I, II.6]. The last stage of a step is the rate at its
// end, but it is not carried into the next step: the input may jump there, and the solver would
// hold state of its own.
#include "solver/method.h"

static const double C[7] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};

static const double A[7][6] = {
    {0},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
};

// Weights of the 5th-order result less those of the 4th-order one.
static const double E[7] = {
    71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40,
};

// The term of the continuous extension that neither end nor slope determines.
static const double D[7] = {
    -12715105075.0 / 11282082432.0,  0,
    87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0,
};

// The state of stage s for from <= i < to. Returns whether all are finite.
static inline int stage(const ib_Solver *solver, int s, double h, int from, int to,
                        const double *restrict x0, double *restrict y)
{
    double *const *k = solver->k;
    int finite = 1;
    for (int i = from; i < to; i++) {
        double sum = A[s][0] * k[0][i];
        for (int j = 1; j < s; j++) sum += A[s][j] * k[j][i];
        y[i] = x0[i] + h * sum;
        finite &= ib__finite(y[i]);
    }
    return finite;
}

//   k_i = f(c_i h, x0 + h sum_j a_ij k_j),   x1 = the state of stage 7,   error = h sum_i e_i k_i
// A stage state that is not finite counts even where its rate's weight is zero.
static int attempt(ib_Solver *solver, const ib_System *system, double h, const double *restrict x0,
                   double *restrict x1)
{
    int n = solver->count, finite = 1;
    double **k = solver->k;
    const ib_Block *first = solver->blocks, *end = first + solver->block_count;

    for (int s = 1; s < 6; s++) {
        for (const ib_Block *b = first; b < end; b++) {
            finite &= stage(solver, s, h, b->from, b->sum_from, x0, solver->y);
            finite &= stage(solver, s, h, b->sum_to, b->to, x0, solver->y);
        }
        system->rate(system->context, C[s] * h, solver->y, k[s]);
    }
    finite &= stage(solver, 6, h, 0, n, x0, x1);
    system->rate(system->context, C[6] * h, x1, k[6]);
    for (int i = 0; i < n; i++) {
        double sum = E[0] * k[0][i];
        for (int j = 2; j < 7; j++) sum += E[j] * k[j][i];
        solver->error[i] = h * sum;
        finite &= ib__finite(sum);
    }
    solver->evaluations += 6;
    return !finite;
}

// With q' = 1 - q and d = x1 - x0:
//   x(q) = x0 + q (d + q' (b + q (d - h k7 - b + q' h sum_i d_i k_i))),   b = h k1 - d
// Limits: the ends are x0 and x1, the slopes there k1 and k7; the error in between is O(h^5).
static void dense(ib_Solver *solver, double theta, double *restrict x)
{
    double h = solver->h, rest = 1 - theta;
    double *const *k = solver->k;

    for (int i = 0; i < solver->count; i++) {
        double d = solver->x1[i] - solver->x0[i];
        double b = h * k[0][i] - d;
        double sum = D[0] * k[0][i];
        for (int j = 2; j < 7; j++) sum += D[j] * k[j][i];
        double inner = d - h * k[6][i] - b + rest * (h * sum);
        x[i] = solver->x0[i] + theta * (d + rest * (b + theta * inner));
    }
}

const ib__Method ib__dopri5 = {
    .order = 5,
    .stages = 7,
    .adaptive = true,
    .prepare = ib__rate_first,
    .attempt = attempt,
    .dense = dense,
    .excuse = "the problem is too stiff for it, or the state runs away",
};
