// solver/rosenbrock.c: RODAS, a Rosenbrock method of orders 4 and 3 for stiff problems.
// Its page is docs/solver.md.
//
// Six stages, L-stable and stiffly accurate [Hairer, Wanner, Solving ODEs II, IV.7 and VI.4]. The
// coefficients, and those of its continuous extension of order 3, are the published ones of the
// authors' code RODAS (first method). Linear systems instead of iterations:
// the cost of a step is known beforehand.
//
// Two methods share it: `rosenbrock` chooses its steps by the error estimated, `stiff` takes the
// step that it is given, as RK4 does.
#include "solver/method.h"
#include "solver/rodas.h"

// Where a stage is evaluated, as a fraction of the step, and its share of df/dt.
static const double ALPHA[6] = {0, 0.386, 0.21, 0.63, 1, 1};
static const double SHARE[6] = {0.25, -0.1043, 0.1035, -0.03620000000000023, 0, 0};

// Continuous extension: the two inner coefficients, from stages 1 to 5.
static const double D2[5] = {10.12623508344586, -7.487995877610167, -34.80091861555747,
                             -7.992771707568823, 1.025137723295662};
static const double D3[5] = {-0.6762803392801253, 6.087714651680015, 16.43084320892478,
                             24.76722511418386, -6.594389125716872};

// The rate at the start is kept behind the six stages: it does not depend on the step.
static void prepare(ib_Solver *solver, const ib_System *system, const double *x0)
{
    system->rate(system->context, 0, x0, solver->k[6]);
    solver->evaluations +=
        1 + ib_system_jacobian(system, 0, x0, solver->k[6], solver->blocks, solver->block_count,
                               solver->work, solver->jacobian);
    solver->jacobians += 1;
}

// df/dt by three points of the step's first thousandths: exact for inputs that are ramps or
// parabolas, an error of 3e-7 h^2 f_ttt for the others.
//   f_t = (-3 f(0) + 4 f(d) - f(2 d)) / (2 d),   d = h / 1024
// Where nothing depends on t it is zero, as the differences would say to the bit.
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
    int n = solver->count, finite = 1;
    double diagonal = 1 / (h * IB_RODAS_GAMMA);

    for (int i = 0; i < n * n; i++) {
        solver->lu[i] = -solver->jacobian[i];
        finite &= ib__finite(solver->lu[i]);
    }
    for (int i = 0; i < n; i++) solver->lu[i * n + i] += diagonal;
    if (!finite || ib_matrix_factor(n, solver->lu, solver->pivot)) return 1;
    ib_matrix_pack(n, solver->lu, solver->pivot, &solver->factors);
    return 0;
}

// What stage s makes of the increments before it, in one pass: its state y, and what its right-hand
// side has besides the rate. With s known, nothing is left of the inner loops.
static inline __attribute__((always_inline)) void gather(const ib_Solver *solver, const int s,
                                                         double h, const double *restrict x0,
                                                         double *restrict y,
                                                         double *restrict beside)
{
    const double *restrict rate_t = solver->rate_t;
    double *const *k = solver->k;

    for (int i = 0; i < solver->count; i++) {
        double a = 0, c = 0;
        for (int j = 0; j < s; j++) a += ib_rodas_a[s][j] * k[j][i];
        for (int j = 0; j < s; j++) c += ib_rodas_c[s][j] * k[j][i];
        y[i] = x0[i] + a;
        beside[i] = c / h + SHARE[s] * h * rate_t[i];
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

// Are all of them finite? What is not leaves a NaN behind, whatever it is multiplied by.
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

// Stage s: its state x0 + sum_j a_sj u_j goes to y, its increment u_s to k[s]. Returns finite.
static int stage(ib_Solver *solver, const ib_System *system, int s, double h, const double *x0,
                 double *y)
{
    int n = solver->count;
    double *u = solver->k[s], *side = solver->work;

    gather_for(solver, s, h, x0, y, side);
    if (s > 0) system->rate(system->context, ALPHA[s] * h, y, u);
    add(n, s > 0 ? u : solver->k[6], side);
    ib_matrix_solve_packed(n, &solver->factors, side, u);
    return all_finite(y, n);
}

//   (I/(h gamma) - J) u_s = f(alpha_s h, x0 + sum_j a_sj u_j) + sum_j c_sj u_j / h + gamma_s h f_t
//   x1 = x0 + sum_j a_6j u_j + u_6,   error = u_6
// Limit: on x' = lambda x with h lambda -> -infinity, x1 -> 0 (L-stable).
static int make_stages(ib_Solver *solver, const ib_System *system, double h, const double *x0,
                       double *x1)
{
    int finite = 1;

    differentiate_time(solver, system, h, x0);
    for (int s = 0; s < 6; s++) {
        finite &= stage(solver, system, s, h, x0, s == 5 ? x1 : solver->y);
    }
    for (int i = 0; i < solver->count; i++) {
        solver->error[i] = solver->k[5][i];
        x1[i] += solver->k[5][i];
        finite &= ib__finite(x1[i]);
    }
    solver->evaluations += 5;
    return !finite;
}

static int attempt(ib_Solver *solver, const ib_System *system, double h, const double *x0,
                   double *x1)
{
    return factor(solver, h) || make_stages(solver, system, h, x0, x1);
}

// A matrix that cannot be solved, for a caller who looks at x1 alone: the states whose rates are to
// blame, or all of them.
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

//   x(q) = (1 - q) x0 + q (x1 + (1 - q) (sum_i d2_i u_i + q sum_i d3_i u_i))
static void dense(const ib_Solver *solver, double theta, double *x)
{
    double rest = 1 - theta;

    for (int i = 0; i < solver->count; i++) {
        double c2 = 0, c3 = 0;
        for (int j = 0; j < 5; j++) {
            c2 += D2[j] * solver->k[j][i];
            c3 += D3[j] * solver->k[j][i];
        }
        x[i] = rest * solver->x0[i] + theta * (solver->x1[i] + rest * (c2 + theta * c3));
    }
}

const ib__Method ib__rosenbrock = {
    .order = 4,
    .stages = 7,
    .implicit = true,
    IB__ADAPTIVE_FUNCTIONS,
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
