// control/follow_gains.c: the regulator's gains along a trajectory, from its end back.
// They come from Riccati's recursion. The derivation is in docs/control/follow.md.
//
// Symbols: e errors (along, across, heading, velocities u forward, n to the left, w), c commands
// less those of the reference, P cost to go, K gains, c = -K e. An axis that a base lacks is a row
// and a column of zeros.
#include "control/follow.h"

#include "base/extreme.h"
#include "base/maths.h"
#include "base/matrix.h"
#include "linear/exponential.h"

#include <math.h>
#include <string.h>

enum { N = IB_FOLLOW_ERRORS, M = IB_AXES, STEPS_MOST = 40, REST_STEPS = 400 };

#define BACK    10.0 ///< [1/s]
#define SPACING 0.02 ///< of two gains, if the trajectory is not too long for it [s]

enum { ALONG, ACROSS, HEADING, SPEED, LEFT, YAW };

// How far the differences reach from the motion around which the base is made linear.
static const double reach[2][M] = {{0.02, 0.02, 0.05}, {0.1, 0.1, 0.2}};

// How commands change with velocities (0) and accelerations (1): slope[0..1], command by axis; and
// the drift with velocities.
static bool differences(const ib_Locomotion *base, const ib_AxisMotion *at, double slope[2][M * M],
                        double drift[M])
{
    for (int k = 0; k < 2 * M; k++) {
        ib_AxisMotion less = *at, more = *at;
        ib_MotionDemand a, b;
        int rate = k / M, axis = k % M;
        if (axis == 1 && !ib_is_holonomic(base)) continue;
        (rate ? less.rate : less.velocity)[axis] -= reach[rate][axis];
        (rate ? more.rate : more.velocity)[axis] += reach[rate][axis];
        base->demand(base, &less, &a);
        base->demand(base, &more, &b);
        double per = 0.5 / reach[rate][axis], drifts = (b.drift - a.drift) * per;
        for (int i = 0; i < base->count; i++) {
            double *c = &slope[rate][i * M + axis];
            *c = (b.command[i] - a.command[i]) * per;
            if (!isfinite(*c)) return false;
        }
        if (!rate) drift[axis] = drifts;
        if (!isfinite(drifts)) return false;
    }
    return true;
}

// From slopes [C_v, C_a] to rates of velocities: inverse = C_a^-1, closed = -C_a^-1 C_v. False: the
// base does not answer to its commands.
static bool invert(double slope[2][M * M], double inverse[M * M], double closed[M * M])
{
    int pivot[M];
    double size = ib_matrix_norm(M, M, slope[1]);
    memset(inverse, 0, M * M * sizeof *inverse);
    for (int i = 0; i < M; i++) inverse[i * M + i] = 1;
    if (ib_matrix_factor(M, slope[1], pivot)) return false;
    ib_matrix_solve_columns(M, M, slope[1], pivot, inverse);
    if (!(size * ib_matrix_norm(M, M, inverse) < 1e9)) return false;
    ib_matrix_multiply(M, M, M, inverse, slope[0], closed);
    for (int i = 0; i < M * M; i++) closed[i] = -closed[i];
    return true;
}

// In the frame of the reference, which travels with v and turns with v k, b the angle of drift:
//   along'   = cos b du + sin b dn + v k across
//   across'  = v dheading - v k along - sin b du + cos b dn
//   heading' = dw
// and the base, c = C_v (du, dn, dw) + C_a (du' - w dn, dn' + w du + u dw, dw'), solved for the
// rates; without an axis to the left dn = n_u du + n_w dw is no state.
// Written as one block [A B; 0 0] for the exponential. False: the base gives no numbers here.
static bool linearise(const ib_FollowModel *model, const ib_TrajectoryPoint *p,
                      double block[(N + M) * (N + M)])
{
    enum { S = N + M };
    double slope[2][M * M] = {{0}}, n[M] = {0}, inverse[M * M], closed[M * M];
    bool any = ib_is_holonomic(model->base);
    ib_AxisMotion at = ib_motion_ahead(model->base, p->forward, p->yaw_rate, p->faster,
                                       p->yaw_quicker, p->drifting);
    if (!differences(model->base, &at, slope, n)) return false;
    if (!any) slope[1][2 * M + 1] = ib_matrix_norm(M, M, slope[1]); // its own, of nothing
    if (!invert(slope, inverse, closed)) return false;
    memset(block, 0, S * S * sizeof *block);
    double turn = p->speed * p->curvature, sine, cosine;
    ib_sincos(p->drift, &sine, &cosine);
    if (any) n[1] = 1;
    for (int k = 0; k < M; k++) {
        block[ALONG * S + SPEED + k] = sine * n[k];
        block[ACROSS * S + SPEED + k] = cosine * n[k];
    }
    block[ALONG * S + SPEED] += cosine;
    block[ACROSS * S + SPEED] -= sine;
    block[ALONG * S + ACROSS] = turn;
    block[ACROSS * S + ALONG] = -turn;
    block[ACROSS * S + HEADING] = p->speed;
    block[HEADING * S + YAW] = 1;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M && (any || i != 1); j++) {
            block[(SPEED + i) * S + SPEED + j] = closed[i * M + j];
            block[(SPEED + i) * S + N + j] = inverse[i * M + j];
        }
    if (!any) return true;
    block[SPEED * S + LEFT] += p->yaw_rate;
    block[LEFT * S + SPEED] -= p->yaw_rate;
    block[LEFT * S + YAW] -= p->forward;
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
static bool step_back(const Discrete *d, const double Q[N], const double R[M], double *P, double *K)
{
    double PA[N * N], PB[N * M], Bt[M * N], G[M * M], closed[N * N], At[N * N], next[N * N];
    int pivot[M];
    ib_matrix_multiply(N, N, N, P, d->A, PA);
    ib_matrix_multiply(N, N, M, P, d->B, PB);
    ib_matrix_transpose(N, M, d->B, Bt);
    ib_matrix_multiply(M, N, M, Bt, PB, G);
    ib_matrix_multiply(M, N, N, Bt, PA, K);
    for (int i = 0; i < M; i++) G[i * M + i] += R[i];
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

// By Bryson's rule. An axis of its own goes back at BACK times the error that is allowed: more
// would make each count of an encoder a motion aside, for which a module has to turn.
static void weigh(const ib_FollowModel *model, double Q[N], double R[M])
{
    const ib_FollowConfig *c = &model->config;
    const ib_Locomotion *base = model->base;
    const double allowed[N] = {c->along, c->across, c->heading, c->speed, c->speed, c->yaw_rate};
    for (int i = 0; i < N; i++) Q[i] = 1 / (allowed[i] * allowed[i]);
    for (int i = 0; i < M; i++) {
        double command = c->command * base->range;
        if (ib_is_holonomic(base)) command = BACK * allowed[i] / base->top[i];
        R[i] = 1 / (command * command);
    }
}

// At rest for ever: what holds the robot at the end, and the cost with which the way back begins.
// At rest nothing moves a robot on two sides aside, so that this error keeps its plain weight.
static bool end_cost(const Discrete *d, const double Q[N], const double R[M], bool any, double *P,
                     double *K)
{
    for (int i = 0; i < N; i++) P[i * N + i] = Q[i];
    for (int n = 0; n < REST_STEPS; n++) {
        if (!step_back(d, Q, R, P, K)) return false;
        if (any) continue;
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
    double Q[N], R[M], P[N * N] = {0}, K[M * N] = {0};
    Discrete d;
    bool known = false, any = ib_is_holonomic(model->base);
    weigh(model, Q, R);
    for (int k = model->count - 1; k >= 0; k--) {
        ib_TrajectoryPoint p = ib_trajectory_at(&model->trajectory, k * model->spacing);
        known = discretise(model, &p, &d) || known;
        if (known && k == model->count - 1) known = end_cost(&d, Q, R, any, P, K);
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
