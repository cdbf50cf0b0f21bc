// control/follow_gains.c: the regulator's gains along a trajectory, from its end back.
// They come from Riccati's recursion. The derivation is in docs/control/follow.md.
//
// Symbols: e errors (along, across, heading, forward speed u, yaw rate), c commands less those of
// the reference, P cost to go, K gains, c = -K e.
#include "control/follow.h"

#include "base/extreme.h"
#include "base/maths.h"
#include "base/matrix.h"
#include "linear/exponential.h"

#include <math.h>
#include <string.h>

enum { N = IB_FOLLOW_ERRORS, M = IB_FOLLOW_COMMANDS, STEPS_MOST = 40, REST_STEPS = 400 };

#define SPACING 0.02 ///< of two gains, if the trajectory is not too long for it [s]

enum { ALONG, ACROSS, HEADING, SPEED, YAW };

// The motion around which the base is made linear, and how far the differences reach.
static const double reach[4] = {0.02, 0.05, 0.1, 0.2};

static double *entry(ib_SteerMotion *motion, int k)
{
    double *const entries[4] = {&motion->speed, &motion->yaw_rate, &motion->faster,
                                &motion->yaw_quicker};
    return entries[k];
}

// How commands and drift change with speed, yaw rate and their rates: c[0..1][k], drift[k].
static bool differences(const ib_Steering *steering, const ib_SteerMotion *at, double c[2][4],
                        double drift[4])
{
    for (int k = 0; k < 4; k++) {
        ib_SteerMotion less = *at, more = *at;
        ib_SteerDemand a, b;
        *entry(&less, k) -= reach[k];
        *entry(&more, k) += reach[k];
        steering->demand(steering, &less, &a);
        steering->demand(steering, &more, &b);
        double per = 0.5 / reach[k];
        for (int i = 0; i < 2; i++) c[i][k] = (b.command[i] - a.command[i]) * per;
        drift[k] = (b.drift - a.drift) * per;
        if (!isfinite(c[0][k]) || !isfinite(c[1][k]) || !isfinite(drift[k])) return false;
    }
    return true;
}

// In the frame of the reference, which travels with v and turns with v k, b the angle of drift:
//   along'   = cos b du + sin b dn + v k across
//   across'  = v dheading - v k along - sin b du + cos b dn,   dn = n_u du + n_w dw
//   heading' = dw
// and the base, c = c_u du + c_w dw + c_a du' + c_q dw', solved for the rates du', dw'.
// Written as one block [A B; 0 0] for the exponential. False: the base gives no numbers here.
static bool linearise(const ib_FollowModel *model, const ib_TrajectoryPoint *p,
                      double block[(N + M) * (N + M)])
{
    enum { S = N + M };
    double c[2][4], n[4];
    ib_SteerMotion at = {p->forward, p->yaw_rate, p->faster, p->yaw_quicker, p->drifting};
    if (!differences(&model->steering, &at, c, n)) return false;
    double det = c[0][2] * c[1][3] - c[0][3] * c[1][2];
    double size = fabs(c[0][2] * c[1][3]) + fabs(c[0][3] * c[1][2]);
    if (!(fabs(det) > 1e-9 * size)) return false;
    // The inverse of [c_a c_q].
    double inverse[2][2] = {{c[1][3] / det, -c[0][3] / det}, {-c[1][2] / det, c[0][2] / det}};
    memset(block, 0, S * S * sizeof *block);
    double turn = p->speed * p->curvature, sine, cosine;
    ib_sincos(p->drift, &sine, &cosine);
    block[ALONG * S + SPEED] = cosine + sine * n[0];
    block[ALONG * S + YAW] = sine * n[1];
    block[ALONG * S + ACROSS] = turn;
    block[ACROSS * S + ALONG] = -turn;
    block[ACROSS * S + HEADING] = p->speed;
    block[ACROSS * S + SPEED] = cosine * n[0] - sine;
    block[ACROSS * S + YAW] = cosine * n[1];
    block[HEADING * S + YAW] = 1;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            block[(SPEED + i) * S + SPEED + j] =
                -(inverse[i][0] * c[0][j] + inverse[i][1] * c[1][j]);
            block[(SPEED + i) * S + N + j] = inverse[i][j];
        }
    return true;
}

// A and B of one period.
typedef struct Discrete {
    double A[N * N], B[N * M];
} Discrete;

static bool discretise(const ib_FollowModel *model, const ib_TrajectoryPoint *p, Discrete *d)
{
    enum { S = N + M };
    double block[S * S], result[S * S];
    if (!linearise(model, p, block)) return false;
    for (int i = 0; i < S * S; i++) block[i] *= model->config.period;
    if (ib_matrix_exponential(S, block, result, NULL) != IB_OK) return false;
    for (int i = 0; i < N; i++) {
        memcpy(d->A + i * N, result + i * S, N * sizeof *d->A);
        memcpy(d->B + i * M, result + i * S + N, M * sizeof *d->B);
    }
    return true;
}

// One step back in time:
//   K = (R + B' P B)^-1 B' P A,   P <- Q + A' P (A - B K)
static bool step_back(const Discrete *d, const double Q[N], const double R, double *P, double *K)
{
    double PA[N * N], PB[N * M], Bt[M * N], G[M * M], closed[N * N], At[N * N], next[N * N];
    int pivot[M];
    ib_matrix_multiply(N, N, N, P, d->A, PA);
    ib_matrix_multiply(N, N, M, P, d->B, PB);
    ib_matrix_transpose(N, M, d->B, Bt);
    ib_matrix_multiply(M, N, M, Bt, PB, G);
    ib_matrix_multiply(M, N, N, Bt, PA, K);
    for (int i = 0; i < M; i++) G[i * M + i] += R;
    if (ib_matrix_factor(M, G, pivot)) return false;
    ib_matrix_solve_columns(M, N, G, pivot, K);
    ib_matrix_multiply(N, M, N, d->B, K, closed);
    ib_matrix_add(N, N, d->A, -1, closed, closed);
    ib_matrix_multiply(N, N, N, P, closed, PA);
    ib_matrix_transpose(N, N, d->A, At);
    ib_matrix_multiply(N, N, N, At, PA, next);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double even = 0.5 * (next[i * N + j] + next[j * N + i]);
            P[i * N + j] = even + (i == j ? Q[i] : 0);
        }
    return true;
}

static void weigh(const ib_FollowModel *model, double Q[N], double *R)
{
    const ib_FollowConfig *c = &model->config;
    const double allowed[N] = {c->along, c->across, c->heading, c->speed, c->yaw_rate};
    double command = c->command * model->steering.range;
    for (int i = 0; i < N; i++) Q[i] = 1 / (allowed[i] * allowed[i]);
    *R = 1 / (command * command);
}

// At rest for ever: what holds the robot at the end, and the cost with which the way back begins.
// At rest nothing moves a robot aside, so that this error keeps its plain weight.
static bool end_cost(const Discrete *d, const double Q[N], double R, double *P, double *K)
{
    for (int i = 0; i < N; i++) P[i * N + i] = Q[i];
    for (int n = 0; n < REST_STEPS; n++) {
        if (!step_back(d, Q, R, P, K)) return false;
        for (int i = 0; i < N; i++) P[ACROSS * N + i] = P[i * N + ACROSS] = 0;
        P[ACROSS * N + ACROSS] = Q[ACROSS];
    }
    return true;
}

ib_Status ib__follow_gains(ib_FollowModel *model, ib_Arena *arena, ib_Error *error)
{
    double duration = model->trajectory.duration, period = model->config.period;
    model->spacing = ib_max(SPACING, duration / (IB_FOLLOW_GAINS - 2));
    model->count = (int)ceil(duration / model->spacing) + 1;
    double *gains = ib_arena_array(arena, (size_t)model->count * N * M, sizeof *gains);
    if (!gains) return ib_error_set(error, IB_FAILED, "out of memory for the path's gains");
    double steps = ib_max(1, ib_min(STEPS_MOST, rint(model->spacing / period)));
    double Q[N], R, P[N * N] = {0}, K[M * N] = {0};
    Discrete d;
    bool known = false;
    weigh(model, Q, &R);
    for (int k = model->count - 1; k >= 0; k--) {
        ib_TrajectoryPoint p = ib_trajectory_at(&model->trajectory, k * model->spacing);
        known = discretise(model, &p, &d) || known;
        if (known && k == model->count - 1) known = end_cost(&d, Q, R, P, K);
        for (int n = 0; known && n < steps; n++)
            if (!step_back(&d, Q, R, P, K)) known = false;
        double sum = ib_matrix_norm(M, N, K);
        if (!known || !isfinite(sum))
            return ib_error_set(error, IB_BAD_INPUT,
                                "path: at %.3g m the robot does not answer to its commands, so "
                                "that no control can be found",
                                p.s);
        memcpy(gains + k * N * M, K, sizeof K);
    }
    model->gains = gains;
    return IB_OK;
}
