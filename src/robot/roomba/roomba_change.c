// robot/roomba/roomba_change.c: a change from one steady motion to another in a few segments of
// constant forces, found by shooting: see docs/control/path.md, "schedule".
#include "base/extreme.h"
#include "base/matrix.h"
#include "robot/roomba/roomba_plan.h"

#include <math.h>
#include <string.h>

enum { CONDITIONS = 5, UNKNOWNS = 2 * IB__ROOMBA_SEGMENTS + 1, ITERATIONS = 60, PATIENCE = 10 };

#define CONVERGED 1e-10 ///< norm of the residuals [m, m/s, rad, rad/s]
#define EASY_SLIP 0.03  ///< sine of the slip angle

// ---------------------------------------------------------------------------------------- shooting

// A wanted change, for the robot itself or for one that slips more.
typedef struct Shooter {
    ib_RoombaModel model;
    ib__RoombaChange change;
    double step; ///< of the integration [s]
} Shooter;

// Unknowns are p with F(p) = F p/sqrt(1 + p^2), so that no step can leave the limits; the last one
// is the length of path before the junction.
static double force_of(const ib_RoombaModel *model, double p)
{
    return model->max_force * p / sqrt(1 + p * p);
}

static double unknown_of(const ib_RoombaModel *model, double force)
{
    double f = ib_max(-0.9, ib_min(0.9, force / model->max_force));
    return f / sqrt(1 - f * f);
}

// The robot at the beginning, in the frame of the junction (at the origin, course 0).
static void begin(const ib__RoombaChange *change, double length, double *state)
{
    ib_PathPoint at = {0};
    if (change->goal != IB__ROOMBA_TO_ARC) at = ib_path_go(at, change->k_before, -length);
    double s, c, heading = at.course;
    if (change->motion.vt > 0) heading -= ib_atan2(change->motion.vn, change->motion.vt);
    ib_sincos(heading, &s, &c);
    state[IB_ROOMBA_X] = at.x;
    state[IB_ROOMBA_Y] = at.y;
    state[IB_ROOMBA_TH] = heading;
    state[IB_ROOMBA_VX] = change->motion.vt * c - change->motion.vn * s;
    state[IB_ROOMBA_VY] = change->motion.vt * s + change->motion.vn * c;
    state[IB_ROOMBA_W] = change->motion.w;
}

// Distance to the left of an element that begins at the origin with course 0, the angle turned
// along it and the length along it to the nearest point:
//   a point of the arc is (sin a, 1 - cos a)/k, hence tan a = k x/(1 - k y)
static double off_element(double k, double x, double y, double *angle, double *along)
{
    *angle = 0;
    *along = x;
    if (k == 0) return y;
    double px = k * x, py = 1 - k * y;
    *angle = ib_atan2(px, py);
    *along = *angle / k;
    return (1 - sqrt(px * px + py * py)) / k;
}

// The states at the beginning of each segment and at the end; the first `known` of them are there.
typedef double Shot[IB__ROOMBA_SEGMENTS + 1][IB_ROOMBA_STATES];

static void shoot(const Shooter *shooter, const double *p, int known, Shot x)
{
    const ib_RoombaModel *model = &shooter->model;
    if (known == 0) begin(&shooter->change, p[UNKNOWNS - 1], x[0]);
    for (int i = known > 0 ? known - 1 : 0; i < IB__ROOMBA_SEGMENTS; i++) {
        memcpy(x[i + 1], x[i], sizeof x[i]);
        ib__roomba_drive(model, force_of(model, p[2 * i]), force_of(model, p[2 * i + 1]),
                         shooter->change.duration / IB__ROOMBA_SEGMENTS, shooter->step, x[i + 1]);
    }
}

// Five conditions at the end. On an arc: its steady motion, on the circle, along its tangent. On a
// line: at the junction, heading along it, neither slipping nor turning. At rest: the place,
// at rest.
static void residuals(const Shooter *shooter, const double *x, double *r)
{
    const ib__RoombaChange *change = &shooter->change;
    double s, c;
    ib_sincos(x[IB_ROOMBA_TH], &s, &c);
    double vt = x[IB_ROOMBA_VX] * c + x[IB_ROOMBA_VY] * s;
    double vn = x[IB_ROOMBA_VY] * c - x[IB_ROOMBA_VX] * s;
    if (change->goal == IB__ROOMBA_TO_ARC) {
        ib__RoombaCircle steady = ib__roomba_circle(&shooter->model, change->k_after);
        double angle, along, v = change->speed;
        r[0] = off_element(change->k_after, x[IB_ROOMBA_X], x[IB_ROOMBA_Y], &angle, &along);
        // The heading shall be the tangent minus the slip.
        r[1] = x[IB_ROOMBA_TH] + ib_atan2(steady.vn, steady.vt) - angle;
        r[2] = vt - v * steady.vt;
        r[3] = vn - v * steady.vn;
        r[4] = x[IB_ROOMBA_W] - v * steady.w;
        return;
    }
    r[0] = x[IB_ROOMBA_X];
    r[1] = x[IB_ROOMBA_Y];
    r[2] = change->goal == IB__ROOMBA_TO_REST ? vt : x[IB_ROOMBA_TH];
    r[3] = vn;
    r[4] = x[IB_ROOMBA_W];
}

static double norm_of(const double *r)
{
    double sum = 0;
    for (int i = 0; i < CONDITIONS; i++) sum += r[i] * r[i];
    return sqrt(sum);
}

// The shortest step dp that lowers the residuals:   dp = -J^T (J J^T + lambda I)^-1 r
static bool find_step(const double *jacobian, const double *r, double lambda, int unknowns,
                      double *dp)
{
    double normal[CONDITIONS * CONDITIONS], y[CONDITIONS];
    int pivot[CONDITIONS];
    for (int i = 0; i < CONDITIONS; i++) {
        for (int j = 0; j < CONDITIONS; j++) {
            double sum = i == j ? lambda : 0;
            for (int n = 0; n < unknowns; n++)
                sum += jacobian[i * UNKNOWNS + n] * jacobian[j * UNKNOWNS + n];
            normal[i * CONDITIONS + j] = sum;
        }
        y[i] = -r[i];
    }
    if (ib_matrix_factor(CONDITIONS, normal, pivot)) return false;
    ib_matrix_solve(CONDITIONS, normal, pivot, y);
    for (int n = 0; n < UNKNOWNS; n++) {
        dp[n] = 0;
        for (int i = 0; n < unknowns && i < CONDITIONS; i++)
            dp[n] += jacobian[i * UNKNOWNS + n] * y[i];
    }
    return true;
}

// Forward differences. A force does not change the motion before its segment.
static void differentiate(const Shooter *shooter, double *p, Shot shot, const double *r,
                          int unknowns, double *jacobian)
{
    Shot x;
    memcpy(x, shot, sizeof x);
    // The order is from the last segment to the first, so that the part before the moved one
    // is unchanged.
    for (int n = unknowns - 1; n >= 0; n--) {
        double moved[CONDITIONS], held = p[n], step = 1e-6 * (1 + fabs(held));
        p[n] = held + step;
        shoot(shooter, p, n == UNKNOWNS - 1 ? 0 : n / 2 + 1, x);
        p[n] = held;
        residuals(shooter, x[IB__ROOMBA_SEGMENTS], moved);
        if (n == UNKNOWNS - 1) memcpy(x, shot, sizeof x);
        for (int i = 0; i < CONDITIONS; i++) jacobian[i * UNKNOWNS + n] = (moved[i] - r[i]) / step;
    }
}

// Levenberg's method on an underdetermined system: Newton's steps where they help, short ones where
// they do not. Gives up when PATIENCE steps have not halved the residuals.
static bool solve(const Shooter *shooter, double *p, Shot shot)
{
    double r[CONDITIONS], jacobian[CONDITIONS * UNKNOWNS], lambda = 1e-4;
    int unknowns = shooter->change.goal == IB__ROOMBA_TO_ARC ? UNKNOWNS - 1 : UNKNOWNS;
    shoot(shooter, p, 0, shot);
    residuals(shooter, shot[IB__ROOMBA_SEGMENTS], r);
    double norm = norm_of(r), mark = norm;
    differentiate(shooter, p, shot, r, unknowns, jacobian);
    for (int n = 1; n <= ITERATIONS && norm > CONVERGED; n++) {
        double dp[UNKNOWNS], trial[UNKNOWNS], next[CONDITIONS];
        Shot x;
        if (!find_step(jacobian, r, lambda, unknowns, dp)) return false;
        for (int i = 0; i < UNKNOWNS; i++) trial[i] = p[i] + ib_max(-1, ib_min(1, dp[i]));
        shoot(shooter, trial, 0, x);
        residuals(shooter, x[IB__ROOMBA_SEGMENTS], next);
        double found = norm_of(next);
        if (found < norm) {
            memcpy(p, trial, sizeof trial);
            memcpy(r, next, sizeof next);
            memcpy(shot, x, sizeof x);
            norm = found;
            lambda = ib_max(lambda * 0.1, 1e-16);
            if (norm > CONVERGED) differentiate(shooter, p, shot, r, unknowns, jacobian);
        } else {
            lambda *= 8;
        }
        if (n % PATIENCE == 0) {
            if (!(norm < 0.5 * mark)) return false;
            mark = norm;
        }
    }
    return norm <= CONVERGED;
}

// The largest distance from the drawn element on the way, which ends or begins at the junction.
static double deviation_of(const Shooter *shooter, const ib__RoombaChanged *changed)
{
    const ib__RoombaChange *change = &shooter->change;
    double x[IB_ROOMBA_STATES], worst = 0, angle, along;
    begin(change, changed->length, x);
    bool after = change->goal == IB__ROOMBA_TO_ARC;
    double k = after ? change->k_after : change->k_before;
    for (int i = 0; i < IB__ROOMBA_SEGMENTS; i++) {
        const ib__RoombaSegment *segment = &changed->segments[i];
        for (int n = 0; n < 8; n++) {
            ib__roomba_drive(&shooter->model, segment->left, segment->right, segment->duration / 8,
                             shooter->step, x);
            double off = off_element(k, x[IB_ROOMBA_X], x[IB_ROOMBA_Y], &angle, &along);
            double beyond = ib_max(0, after ? -along : along);
            worst = ib_max(worst, sqrt(off * off + beyond * beyond));
        }
    }
    return worst;
}

// The same change for a robot with another side drag: a steady circle at its beginning has another
// slip. Steps are short of the rate at which slip settles.
static Shooter with_side_drag(const ib_RoombaModel *model, const ib__RoombaChange *change,
                              double kn)
{
    Shooter shooter = {.model = *model, .change = *change};
    shooter.model.kn = kn;
    double v = sqrt(change->motion.vt * change->motion.vt + change->motion.vn * change->motion.vn);
    if (change->motion.w != 0) {
        ib__RoombaCircle circle = ib__roomba_circle(&shooter.model, change->motion.w / v);
        shooter.change.motion.vt = v * circle.vt;
        shooter.change.motion.vn = v * circle.vn;
    }
    double k = ib_max(fabs(change->k_before), fabs(change->k_after));
    double rate = ib__roomba_settling(&shooter.model, k, ib_max(v, change->speed));
    // A slow robot takes longer over a change: a thousand steps of it are enough.
    double longest = ib_max(4e-3, change->duration / 1000);
    shooter.step = ib_max(2e-5, ib_min(longest, 0.15 / rate));
    return shooter;
}

// Slip grows with the root of the curvature; the less slip, the harder is the shooting. So the
// first robot slips by at least EASY_SLIP, and side drag is then raised to the true one.
static bool solve_in_stages(const ib_RoombaModel *model, const ib__RoombaChange *change, double *p,
                            Shot shot, Shooter *shooter)
{
    double k = ib_max(fabs(change->k_before), fabs(change->k_after));
    double kn = ib_min(model->kn, k * model->m / (2 * EASY_SLIP * EASY_SLIP));
    for (;;) {
        if (kn > 0.5 * model->kn) kn = model->kn;
        *shooter = with_side_drag(model, change, kn);
        if (!solve(shooter, p, shot)) return false;
        if (kn == model->kn) return true;
        kn *= 5;
    }
}

ib__RoombaFound ib__roomba_change(const ib_RoombaModel *model, const ib__RoombaChange *change,
                                  ib__RoombaChanged *changed)
{
    double p[UNKNOWNS], angle;
    Shooter shooter;
    Shot shot;
    for (int i = 0; i < IB__ROOMBA_SEGMENTS; i++) {
        p[2 * i] = unknown_of(model, change->left);
        p[2 * i + 1] = unknown_of(model, change->right);
    }
    double v = sqrt(change->motion.vt * change->motion.vt + change->motion.vn * change->motion.vn);
    p[UNKNOWNS - 1] = v * change->duration;
    if (!solve_in_stages(model, change, p, shot, &shooter)) return IB__ROOMBA_TOO_WEAK;

    for (int i = 0; i < IB__ROOMBA_SEGMENTS; i++)
        changed->segments[i] = (ib__RoombaSegment){
            .duration = change->duration / IB__ROOMBA_SEGMENTS,
            .left = force_of(model, p[2 * i]),
            .right = force_of(model, p[2 * i + 1]),
        };
    const double *x = shot[IB__ROOMBA_SEGMENTS];
    changed->speed = sqrt(x[IB_ROOMBA_VX] * x[IB_ROOMBA_VX] + x[IB_ROOMBA_VY] * x[IB_ROOMBA_VY]);
    changed->length = p[UNKNOWNS - 1];
    if (change->goal == IB__ROOMBA_TO_ARC)
        off_element(change->k_after, x[IB_ROOMBA_X], x[IB_ROOMBA_Y], &angle, &changed->length);
    changed->deviation = deviation_of(&shooter, changed);
    bool near = changed->deviation <= change->allowance;
    bool fits = changed->length > 0 && changed->length <= change->room;
    return near && fits ? IB__ROOMBA_FOUND : IB__ROOMBA_TOO_FAR;
}
