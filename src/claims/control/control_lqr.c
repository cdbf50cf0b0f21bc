// claims/control/control_lqr.c: values for the claims about LQR, poles and the period.
#include "claims/control/control.h"

#include "base/extreme.h"
#include "base/matrix.h"
#include "design/lqr.h"
#include "design/placement/placement.h"
#include "linear/complex.h"

#include <math.h>
#include <string.h>

enum { N = IB__DRIVE_STATES, M = 2 };

// --------------------------------------------------------------------------------- Riccati comment

// The comment above the call of slycot.sb02od, as printed.
static const char comment[] =
    "P = (A.T * P * A) - (A.T * P * B * numpy.linalg.inv(R + B.T * P * B) "
    "* (A.T * P.T * B).T + Q";

static int unclosed(const char *formula)
{
    int open = 0;
    for (; *formula; formula++) open += (*formula == '(') - (*formula == ')');
    return open;
}

typedef struct Problem {
    const ib_StateSpace *plant;
    double Q[N * N], R[M * M];
    ib_Lqr lqr;
} Problem;

static ib_Status solve(const ib_StateSpace *plant, Problem *problem, ib_Error *error)
{
    const double tolerance[N] = {0.14, 0.95, 0.14, 0.95}, effort[M] = {12, 12};
    problem->plant = plant;
    ib_Status status = ib_lqr_weights(N, tolerance, problem->Q, error);
    if (status == IB_OK) status = ib_lqr_weights(M, effort, problem->R, error);
    if (status != IB_OK) return status;
    return ib_lqr(plant, problem->Q, problem->R, NULL, &problem->lqr, error);
}

// G = A'P B (R + B'P B)^-1 B'P A, and the code's F = (R + B'P B)^-1 B'P A.
static void terms(const Problem *p, double *APA, double *G, double *F)
{
    double At[N * N], Bt[M * N], PA[N * N], PB[N * M], S[M * M], APB[N * M];
    int pivot[M];
    const double *A = p->plant->A, *B = p->plant->B, *P = p->lqr.X;
    ib_matrix_transpose(N, N, A, At);
    ib_matrix_transpose(N, M, B, Bt);
    ib_matrix_multiply(N, N, N, P, A, PA);
    ib_matrix_multiply(N, N, M, P, B, PB);
    ib_matrix_multiply(N, N, N, At, PA, APA);
    ib_matrix_multiply(N, N, M, At, PB, APB);
    ib_matrix_multiply(M, N, M, Bt, PB, S);
    ib_matrix_add(M, M, S, 1, p->R, S);
    ib_matrix_multiply(M, N, N, Bt, PA, F);
    ib_matrix_factor(M, S, pivot);
    ib_matrix_solve_columns(M, N, S, pivot, F);
    ib_matrix_multiply(N, M, N, APB, F, G);
}

static void riccati(ib_ClaimValue *found, const Problem *p)
{
    double APA[N * N], G[N * N], F[M * N], before[N * N], behind[N * N], gap = 0, size = 0;
    terms(p, APA, G, F);
    for (int i = 0; i < N * N; i++) {
        before[i] = APA[i] - G[i] + p->Q[i];   // (…) - (…) + Q
        behind[i] = APA[i] - (G[i] + p->Q[i]); // (…) - (… + Q)
        gap = ib_max(gap, fabs(p->lqr.X[i] - behind[i]));
        size = ib_max(size, fabs(p->Q[i]));
    }
    found[IB__LQR_OPEN].form[IB__LETTER] = unclosed(comment);
    found[IB__LQR_BEFORE].form[IB__DESK] = ib__control_gap(N * N, before, p->lqr.X);
    found[IB__LQR_BEHIND].form[IB__LETTER] = gap / size;
    found[IB__LQR_FORMULA].form[IB__DESK] = ib__control_gap(M * N, F, p->lqr.K);
    found[IB__LQR_K].form[IB__DESK] = ib__control_gap(M * N, p->lqr.K, ib__drive_K);
    double poles[N];
    for (int i = 0; i < N; i++) poles[i] = ib_complex_size(p->lqr.poles[i]);
    found[IB__LQR_POLES].form[IB__DESK] = ib__control_gap(N, poles, ib__drive_poles);
}

// -------------------------------------------------------------------------------------------- cost

// J of a run under u = -K x from a start with an error in every state, until it has decayed.
static double cost(const Problem *p, const double *K, double *start_cost)
{
    double x[N] = {1, -0.5, 0.3, 0.8}, Qx[N], Ru[M], u[M], J = 0;
    double Px[N];
    ib_matrix_multiply(N, N, 1, p->lqr.X, x, Px);
    *start_cost = 0;
    for (int i = 0; i < N; i++) *start_cost += x[i] * Px[i];
    for (int n = 0; n < 4000; n++) {
        ib_matrix_multiply(M, N, 1, K, x, u);
        for (int i = 0; i < M; i++) u[i] = -u[i];
        ib_matrix_multiply(N, N, 1, p->Q, x, Qx);
        ib_matrix_multiply(M, M, 1, p->R, u, Ru);
        for (int i = 0; i < N; i++) J += x[i] * Qx[i];
        for (int i = 0; i < M; i++) J += u[i] * Ru[i];
        ib__control_advance(N, M, p->plant->A, p->plant->B, u, x);
    }
    return J;
}

// Each element of K 5 % larger and 5 % smaller: none of the sixteen may cost less.
static void optimum(ib_ClaimValue *found, const Problem *p)
{
    double expected, least = INFINITY, best = cost(p, p->lqr.K, &expected);
    for (int i = 0; i < 2 * M * N; i++) {
        double K[M * N];
        memcpy(K, p->lqr.K, sizeof K);
        K[i / 2] *= i % 2 ? 1.05 : 0.95;
        least = ib_min(least, cost(p, K, &expected) / best - 1);
    }
    found[IB__LQR_COST].form[IB__DESK] = best / expected;
    found[IB__LQR_DEARER].form[IB__DESK] = least;
}

// -------------------------------------------------------------------------------------------- step

// The shortest way from rest to rest, 12 V and then -12 V, both sides alike: v' = -a v + b u.
//   v1 = V (1 - e^(-a t1)),  V = 12 b/a,  t2 = ln(1 + v1/V)/a,  1 m = V (t1 - t2)
static double shortest_time(const ib_StateSpace *slow)
{
    double a = -(slow->A[5] + slow->A[7]), b = slow->B[2] + slow->B[3], top = 12 * b / a;
    double low = 0, high = 10, t2 = 0;
    for (int i = 0; i < 100; i++) {
        double t1 = (low + high) / 2;
        t2 = ib_log(2 - ib_exp(-a * t1)) / a;
        *(top * (t1 - t2) < 1 ? &low : &high) = t1;
    }
    return low + t2;
}

// A step to 1 m with at most 12 V: the reference's times, and the time after which it stays within
// 1 cm.
static void step(ib_ClaimValue *found, const Problem *p, const ib_StateSpace *slow)
{
    double x[N] = {0}, worst = 0, arrived = 0;
    for (int n = 1, row = 0; n <= 400; n++) {
        ib__control_towards(p->plant, p->lqr.K, x);
        double t = n * p->plant->period;
        if (fabs(x[0] - 1) > 0.01) arrived = t + p->plant->period;
        if (row < IB__STEP_TIMES && fabs(t - ib__drive_step[row][0]) < 1e-9) {
            worst = ib_max(worst, fabs(x[0] - ib__drive_step[row][1]));
            worst = ib_max(worst, fabs(x[1] - ib__drive_step[row++][2]));
        }
    }
    found[IB__LQR_STEP].form[IB__DESK] = worst;
    found[IB__LQR_FASTEST].form[IB__DESK] = arrived / shortest_time(slow);
}

// ----------------------------------------------------------------------------------- poles, period

// Both sides alike, 10 rad/s and this damping: settling time of a step of 1 m to 2 %, and the sum
// of u^2.
static ib_Status swing(const ib_StateSpace *slow, double damping, double *settled, double *energy,
                       ib_Error *error)
{
    ib_StateSpace pair = ib_state_space_default(2, 1, 1), plant;
    pair.A[1] = 1, pair.A[3] = slow->A[5] + slow->A[7], pair.B[1] = slow->B[2] + slow->B[3];
    pair.C[0] = 1;
    double w = 10, root = sqrt(fabs(1 - damping * damping));
    ib_Complex s[2] = {{-w * damping, 0}, {-w * damping, 0}}, z[2];
    for (int i = 0; i < 2; i++) {
        *(damping < 1 ? &s[i].im : &s[i].re) += (i ? -1 : 1) * w * root;
        z[i] = ib_placement_pole(s[i], 0.005);
    }
    ib_Placement placement;
    ib_Status status = ib_discretise(&pair, 0.005, &plant, error);
    if (status == IB_OK) status = ib_placement_solve(&plant, z, &placement, error);
    double x[2] = {1, 0}, u;
    for (int n = 0; n < 2000 && status == IB_OK; n++) {
        u = -(placement.K[0] * x[0] + placement.K[1] * x[1]);
        *energy += u * u;
        ib__control_advance(2, 1, plant.A, plant.B, &u, x);
        if (fabs(x[0]) > 0.02) *settled = (n + 2) * 0.005;
    }
    return status;
}

static ib_Status damping(ib_ClaimValue *found, const ib_StateSpace *slow, ib_Error *error)
{
    const double dampings[] = {0.2, 0.8, 3};
    double settled[3] = {0}, energy[3] = {0};
    ib_Status status = IB_OK;
    for (int i = 0; i < 3 && status == IB_OK; i++)
        status = swing(slow, dampings[i], &settled[i], &energy[i], error);
    found[IB__SWING_TIME].form[IB__DESK] = settled[0] / settled[1];
    found[IB__SWING_ENERGY].form[IB__DESK] = energy[0] / energy[1];
    found[IB__LAZY_TIME].form[IB__DESK] = settled[2] / settled[1];
    return status;
}

// The public code designs at 5.05 ms.
static ib_Status period(ib_ClaimValue *found, const double *K, ib_Error *error)
{
    ib_DesignFile *file = ib__control_drivetrain("5.05 ms", error);
    if (!file) return IB_FAILED;
    const ib_Design *design = &file->gears[0].design;
    found[IB__PERIOD_RATE].form[IB__LETTER] = 1 / design->plant.period;
    found[IB__PERIOD_GAIN].form[IB__LETTER] = ib__control_gap(M * N, design->K, K);
    ib_design_file_destroy(file);
    return IB_OK;
}

ib_Status ib__control_claims_lqr(ib_ClaimValue *found, ib_Error *error)
{
    ib_DesignFile *file = ib__control_drivetrain("5 ms", error);
    if (!file) return IB_FAILED;
    const ib_DesignGear *gear = &file->gears[0];
    const ib_StateSpace *slow = &gear->config.plant;
    Problem problem;
    ib_Status status = solve(&gear->design.plant, &problem, error);
    if (status == IB_OK) {
        riccati(found, &problem);
        optimum(found, &problem);
        step(found, &problem, slow);
        status = damping(found, slow, error);
    }
    if (status == IB_OK) status = period(found, problem.lqr.K, error);
    ib_design_file_destroy(file);
    return status;
}
