// solver/rosenbrock.c: RODAS, a Rosenbrock method of orders 4 and 3 for stiff problems.
// Its page is docs/solver/solver.md.
//
// Six stages, L-stable and stiffly accurate [Hairer, Wanner, Solving ODEs II, IV.7 and VI.4]. The
// coefficients, and those of its continuous extension of order 3, are the published ones of the
// authors' code RODAS (first method). Linear systems instead of iterations: the cost of a step is
// known beforehand.
//
// Two methods share this file: `rosenbrock` chooses its steps by the estimated error, `stiff` takes
// the given step, as RK4 does.
#include "solver/method.h"
#include "solver/rodas.h"

// The instant of each stage, as a fraction of the step, and its share of df/dt.
static const double ALPHA[6] = {0, 0.386, 0.21, 0.63, 1, 1};
static const double SHARE[6] = {0.25, -0.1043, 0.1035, -0.03620000000000023, 0, 0};

// Continuous extension: the two inner coefficients, from stages 1 to 5.
static const double D2[5] = {10.12623508344586, -7.487995877610167, -34.80091861555747,
                             -7.992771707568823, 1.025137723295662};
static const double D3[5] = {-0.6762803392801253, 6.087714651680015, 16.43084320892478,
                             24.76722511418386, -6.594389125716872};

// A sum, which no rate depends on, needs no linear system. With G_s = f_s + J u_s + gamma_s h f_t,
// f_s the rate of stage s and u_s the increments of all other states, its own increments are
//   v = h gamma (I - gamma C)^-1 G
// and every result of them is a quadrature, h sum_s w_s G_s. The weights follow from the
// coefficients: of the step, of its error, and of the two inner ones above. The sums at the end of
// a single block are computed this way if the Jacobian is the system's own.
enum { STEP, ERROR, SECOND, THIRD, QUADRATURES };
static const double WEIGHT[QUADRATURES][6] = {
    {0.3484442712860508, 0.2130136219118989, -0.15410253266231788, 0.47132077939149575,
     -0.1286761399271284, 0.25},
    {-2.0801894941809373, 0.5957623556766836, 1.7016177982672624, -0.08851451983588055,
     -0.3786761399271284, 0.25},
    {4.786970949445337, 0.6966969867332768, -4.491962205415939, -1.247990161586589,
     0.2562844308239155, 0},
    {-12.742021716038721, 1.8944219846936774, 11.130209592703059, 1.3659874200712039,
     -1.648597281429218, 0},
};
// sum_s w_s gamma_s, of f_t
static const double OF_TIME[QUADRATURES] = {0.031882322711579494, -0.4028637195035919,
                                            0.7043363972339385, -2.280565693775042};

// The rate at the start is kept behind the six stages: it does not depend on the step.
static void prepare(ib_Solver *solver, const ib_System *system, const double *x0)
{
    system->rate(system->context, 0, x0, solver->k[6]);
    int calls = ib_system_jacobian(system, 0, x0, solver->k[6], solver->blocks, solver->block_count,
                                   solver->work, solver->jacobian);
    bool behind = calls == 0 && solver->sum_to == solver->count;
    solver->core = behind ? solver->sum_from : solver->count;
    solver->evaluations += 1 + calls;
    solver->jacobians += 1;
}

// df/dt by three points of the step's first thousandths: exact for inputs that are ramps or
// parabolas, an error of 3e-7 h^2 f_ttt for the others.
//   f_t = (-3 f(0) + 4 f(d) - f(2 d)) / (2 d),   d = h / 1024
// A system that does not depend on t has zero, the same bits as from the differences.
static void differentiate_time(ib_Solver *solver, const ib_System *system, double h,
                               const double *x0)
{
    double d = h / 1024;
    double *f0 = solver->k[6], *f1 = solver->work, *f2 = f1 + solver->count;

    if (system->steady) {
        for (int i = 0; i < solver->count; i++) solver->rate_t[i] = 0;
        return;
    }
    system->rate(system->context, d, x0, f1);
    system->rate(system->context, 2 * d, x0, f2);
    for (int i = 0; i < solver->count; i++) {
        // Differences first: a rate that does not depend on t gives exactly zero.
        solver->rate_t[i] = (4 * (f1[i] - f0[i]) - (f2[i] - f0[i])) / (2 * d);
    }
    solver->evaluations += 2;
}

// I / (h gamma) - J, factored. Returns 1 when it is singular or not finite.
static int factor(ib_Solver *solver, double h)
{
    int m = solver->core, n = solver->count, finite = 1;
    double diagonal = 1 / (h * IB_RODAS_GAMMA);

    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            solver->lu[i * m + j] = -solver->jacobian[i * n + j];
            finite &= ib__finite(solver->lu[i * m + j]);
        }
    for (int i = 0; i < m; i++) solver->lu[i * m + i] += diagonal;
    if (!finite || ib_matrix_factor(m, solver->lu, solver->pivot)) return 1;
    ib_matrix_pack(m, solver->lu, solver->pivot, &solver->factors);
    return 0;
}

// The state y of stage s from the increments before it, and its right-hand side without the rate,
// in one pass. A constant s unrolls the inner loops.
static inline __attribute__((always_inline)) void gather(const ib_Solver *solver, const int s,
                                                         double h, const double *restrict x0,
                                                         double *restrict y,
                                                         double *restrict beside)
{
    const double *restrict rate_t = solver->rate_t;
    double *const *k = solver->k;
    double per_h = 1 / h, share = SHARE[s] * h;

    for (int i = 0; i < solver->core; i++) {
        double a = 0, c = 0;
        for (int j = 0; j < s; j++) a += ib_rodas_a[s][j] * k[j][i];
        for (int j = 0; j < s; j++) c += ib_rodas_c[s][j] * k[j][i];
        y[i] = x0[i] + a;
        beside[i] = c * per_h + share * rate_t[i];
    }
}

static void gather_for(const ib_Solver *solver, int s, double h, const double *x0, double *y,
                       double *beside)
{
    switch (s) {
    case 0:
        gather(solver, 0, h, x0, y, beside);
        break;
    case 1:
        gather(solver, 1, h, x0, y, beside);
        break;
    case 2:
        gather(solver, 2, h, x0, y, beside);
        break;
    case 3:
        gather(solver, 3, h, x0, y, beside);
        break;
    case 4:
        gather(solver, 4, h, x0, y, beside);
        break;
    default:
        gather(solver, 5, h, x0, y, beside);
        break;
    }
}

// True if all are finite. An element that is not gives NaN in any product.
static int all_finite(const double *x, int count)
{
    double trap = 0;
    for (int i = 0; i < count; i++) trap += 0 * x[i];
    return trap == 0;
}

// b + a, in b.
static inline void add(int count, const double *restrict a, double *restrict b)
{
    for (int i = 0; i < count; i++) b[i] = a[i] + b[i];
}

// Stage s: its state x0 + sum_j a_sj u_j goes to y, its increment u_s to k[s], where the sums keep
// their rate. Returns finite.
static int stage(ib_Solver *solver, const ib_System *system, int s, double h, const double *x0,
                 double *y)
{
    int m = solver->core;
    double *u = solver->k[s], *side = solver->work;

    gather_for(solver, s, h, x0, y, side);
    if (s > 0) system->rate(system->context, ALPHA[s] * h, y, u);
    add(m, s > 0 ? u : solver->k[6], side);
    ib_matrix_solve_packed(m, &solver->factors, side, u);
    return all_finite(y, m);
}

// One of the quadratures of all sums.
static void sum_up(const ib_Solver *solver, int which, double *restrict result)
{
    const double *w = WEIGHT[which], *const restrict time = solver->rate_t;
    const double *const restrict f0 = solver->k[6], *const restrict f1 = solver->k[1],
                                 *const restrict f2 = solver->k[2],
                                 *const restrict f3 = solver->k[3],
                                 *const restrict f4 = solver->k[4],
                                 *const restrict f5 = solver->k[5];
    int m = solver->core, n = solver->count;
    double h = solver->h, *z = solver->work, of_time = OF_TIME[which] * h;

    for (int j = 0; j < m; j++) {
        z[j] = 0;
        for (int s = 0; s < 6; s++) z[j] += w[s] * solver->k[s][j];
    }
    for (int i = m; i < n; i++)
        result[i] = ((w[0] * f0[i] + w[1] * f1[i]) + (w[2] * f2[i] + w[3] * f3[i])) +
                    ((w[4] * f4[i] + w[5] * f5[i]) + of_time * time[i]);
    for (int i = m; i < n; i++) {
        const double *row = solver->jacobian + i * n;
        double dot = 0;
        for (int j = 0; j < m; j++) dot += row[j] * z[j];
        result[i] = h * (result[i] + dot);
    }
}

//   (I/(h gamma) - J) u_s = f(alpha_s h, x0 + sum_j a_sj u_j) + sum_j c_sj u_j / h + gamma_s h f_t
//   x1 = x0 + sum_j a_6j u_j + u_6,   error = u_6
// Limit: on x' = lambda x with h lambda -> -infinity, x1 -> 0 (L-stable).
static int make_stages(ib_Solver *solver, const ib_System *system, double h, const double *x0,
                       double *x1)
{
    int m = solver->core, n = solver->count, finite = 1;

    differentiate_time(solver, system, h, x0);
    for (int s = 0; s < 6; s++) {
        finite &= stage(solver, system, s, h, x0, s == 5 ? x1 : solver->y);
    }
    for (int i = 0; i < m; i++) {
        solver->error[i] = solver->k[5][i];
        x1[i] += solver->k[5][i];
    }
    if (m < n) {
        sum_up(solver, STEP, x1);
        for (int i = m; i < n; i++) x1[i] += x0[i];
        if (solver->method->adaptive) sum_up(solver, ERROR, solver->error);
    }
    solver->bent = false;
    solver->evaluations += 5;
    return !(finite & all_finite(x1, n));
}

static int attempt(ib_Solver *solver, const ib_System *system, double h, const double *x0,
                   double *x1)
{
    return factor(solver, h) || make_stages(solver, system, h, x0, x1);
}

// Makes x1 not finite after a singular matrix, for a caller who checks x1 alone: in the states
// whose rates are the cause, or in all of them.
static void show_broken(const ib_Solver *solver, double *x1)
{
    int n = solver->count, all = 1;
    for (int i = 0; i < n; i++) {
        int finite = 1;
        for (int j = 0; j < n; j++) finite &= ib__finite(solver->jacobian[i * n + j]);
        x1[i] = finite ? solver->x0[i] : NAN;
        all &= finite;
    }
    for (int i = 0; all && i < n; i++) x1[i] = NAN;
}

static int attempt_fixed(ib_Solver *solver, const ib_System *system, double h, const double *x0,
                         double *x1)
{
    if (!factor(solver, h)) return make_stages(solver, system, h, x0, x1);
    show_broken(solver, x1);
    return 1;
}

//   x(q) = (1 - q) x0 + q (x1 + (1 - q) (c2 + q c3)),   c = sum_i d_i u_i
static void bend(ib_Solver *solver)
{
    double *c2 = solver->bends, *c3 = c2 + solver->count;

    for (int i = 0; i < solver->core; i++) {
        c2[i] = c3[i] = 0;
        for (int j = 0; j < 5; j++) {
            c2[i] += D2[j] * solver->k[j][i];
            c3[i] += D3[j] * solver->k[j][i];
        }
    }
    if (solver->core < solver->count) {
        sum_up(solver, SECOND, c2);
        sum_up(solver, THIRD, c3);
    }
    solver->bent = true;
}

static void dense(ib_Solver *solver, double theta, double *x)
{
    const double *c2 = solver->bends, *c3 = c2 + solver->count;
    double rest = 1 - theta;

    if (!solver->bent) bend(solver);
    for (int i = 0; i < solver->count; i++)
        x[i] = rest * solver->x0[i] + theta * (solver->x1[i] + rest * (c2[i] + theta * c3[i]));
}

const ib__Method ib__rosenbrock = {
    .order = 4,
    .stages = 7,
    .implicit = true,
    .adaptive = true,
    .prepare = prepare,
    .attempt = attempt,
    .dense = dense,
    .excuse = "the state moves too fast for it, or runs away",
};

const ib__Method ib__stiff = {
    .order = 4,
    .stages = 7,
    .implicit = true,
    .prepare = prepare,
    .attempt = attempt_fixed,
    .dense = dense,
};
