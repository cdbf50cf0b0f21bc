#include "control/path/trajectory.h"

#include "base/extreme.h"
#include "base/maths.h"
#include "control/path/trajectory_inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 4, LEAST_ROWS = 200, TURN_STEPS = 6, PARTS = 4, MOST_TRIES = 40 };

#define SPACING         0.01 ///< of two rows, if the path is not too long for it [m]
#define COARSE          0.05 ///< the largest that still knows a blend [m]
#define SLOWEST         0.02 ///< a path that cannot be driven at this speed cannot be driven [m/s]
#define MIN_DRIFT_SPEED 0.1  ///< slower it does not matter where a robot points [m/s]
#define FASTEST         100  ///< largest speed of a request [m/s]
#define EXACT           1e-5 ///< part of the largest value asked for to which a limit is found
#define DRIFT_LENGTH    0.1  ///< over which the drift changes [m]
#define VALLEY          1.1  ///< a twentieth of the speed, in z: a valley
#define SAME_VALLEY     1.6  ///< a quarter of the speed, in z: it belongs to the same valley
#define MAX_DRIFT       1.2  ///< largest angle of drift [rad]
#define MAX_CENTRE      0.95 ///< part of a curve's radius that the turning point may be away

static const char asked[] = "the acceleration asked for", sideways[] = "sideways acceleration",
                  slip[] = "side slip",
                  turning[] = "a load that moves the point around which it turns away from its "
                              "middle";

// Data of the passes, one entry per row. z is the speed squared, the natural unknown: along the
// path dz/ds = 2 a.
typedef struct Plan {
    const ib_TrajectoryConfig *config;
    const ib_Locomotion *base;
    int count;
    double spacing;
    double centre; // around which it turns on the spot, ahead of its origin [m]
    ib_TrajectoryRow *rows;
    double *z, *cap;       // [m^2/s^2]
    const char **by, **to; // limit of the cap (NULL: the wanted speed), limit below that
    ib_MotionDemand last;  // of the last demand
} Plan;

// ------------------------------------------------------------------------------------------ config

ib_TrajectoryConfig ib_trajectory_default(void)
{
    return (ib_TrajectoryConfig){.speed = 1,
                                 .acceleration = 1.5,
                                 .deceleration = 1.5,
                                 .sideways = 1,
                                 .drift = 0.17453292519943295,
                                 .reserve = 0.15};
}

static ib_Status check(const char *key, double value, const char *unit, double least, double most,
                       ib_Error *error)
{
    if (value >= least && value <= most) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT, "%s: expected %g %s to %g %s, got %g %s", key, least,
                        unit, most, unit, value, unit);
}

ib_Status ib_trajectory_check(const ib_TrajectoryConfig *c, ib_Error *error)
{
    ib_Status status = check("speed", c->speed, "m/s", 1e-3, INFINITY, error);
    if (!status) status = check("acceleration", c->acceleration, "m/s^2", 1e-3, INFINITY, error);
    if (!status) status = check("deceleration", c->deceleration, "m/s^2", 1e-3, INFINITY, error);
    if (!status) status = check("sideways", c->sideways, "m/s^2", 1e-3, INFINITY, error);
    if (!status) status = check("drift", c->drift, "rad", 0, 1, error);
    if (!status) status = check("reserve", c->reserve, "1", 0, 0.9, error);
    if (!status) status = check("blend", c->blend, "m", 0, 1e3, error);
    return status;
}

// ------------------------------------------------------------------------------------------ limits

// Demand of row i with z and the acceleration a, b the angle of drift:
//   v = sqrt(z),  w = v h,  w' = a h + z h',   h = d heading/ds,  db/ds = k - h
//   u = v cos b,  u' = a cos b - z db/ds sin b
//   n = v sin b,  n' = a sin b + z db/ds cos b
// `like`: known demand of a similar motion.
static ib_MotionDemand ask(const Plan *p, int i, double z, double a, const ib_MotionDemand *like)
{
    const ib_TrajectoryRow *row = &p->rows[i];
    double v = sqrt(z), sine, cosine, turns = z * (row->curvature - row->bend);
    ib_sincos(row->drift, &sine, &cosine);
    ib_AxisMotion motion =
        ib_motion_ahead(p->base, v * cosine, v * row->bend, a * cosine - turns * sine,
                        a * row->bend + z * row->bending, a * sine + turns * cosine);
    motion.like = like;
    ib_MotionDemand demand;
    p->base->demand(p->base, &motion, &demand);
    return demand;
}

// A question about row i: z at constant speed (way = 0), or, at its own z, an acceleration (1) or a
// deceleration (-1).
typedef struct Question {
    Plan *plan;
    int row, way;
    const char *by; // the last active limit
} Question;

// Excess of the demand over the limits of the drive or of the drift.
static double excess(Question *question, double x)
{
    Plan *p = question->plan;
    double z = question->way ? p->z[question->row] : x, v = sqrt(z);
    const ib_MotionDemand *like = isfinite(p->last.share) ? &p->last : NULL;
    ib_MotionDemand demand = ask(p, question->row, z, question->way * x, like);
    p->last = demand;
    // A robot that turns around another point than its origin moves that aside without slip.
    double drift = demand.drift + p->centre * v * p->rows[question->row].bend;
    double most = ib_max(v, MIN_DRIFT_SPEED),
           slips = (fabs(drift) - p->config->drift * most) / most;
    double takes = demand.share - (1 - p->config->reserve);
    if (!(takes <= 0))
        question->by = ib_motion_limit(demand.limit);
    else if (slips > 0)
        question->by = slip;
    return isnan(takes) ? INFINITY : ib_max(takes, slips);
}

// The largest x of low .. high that nothing forbids, by false position [Illinois], or by halves
// where the excess is not known; low is taken to be allowed.
static double find_largest(Question *question, double low, double high)
{
    double above = excess(question, high), below = -1;
    int side = 0; // of the last answer
    if (above <= 0) return high;
    for (int n = 0; n < MOST_TRIES && high - low > EXACT * high; n++) {
        double x = 0.5 * (low + high), close = 0.5 * EXACT * high;
        if (isfinite(above) && n > 0) x = (low * above - high * below) / (above - below);
        x = ib_max(low + close, ib_min(high - close, x));
        double f = excess(question, x);
        bool allowed = f <= 0;
        if (allowed) {
            above *= side > 0 ? 0.5 : 1;
            low = x, below = f;
        } else {
            below *= side < 0 ? 0.5 : 1;
            high = x, above = f;
        }
        side = allowed ? 1 : -1;
    }
    return low;
}

// The fastest at constant speed: 0 where it cannot be driven at all.
static double find_cap(Plan *p, int i, const char **by)
{
    double wanted = ib_min(p->config->speed, FASTEST), least = SLOWEST * SLOWEST;
    double most = wanted * wanted, k = fabs(p->rows[i].curvature);
    Question question = {p, i, 0, NULL};
    *by = turning;
    if (k * fabs(p->centre) > MAX_CENTRE) return 0;
    *by = NULL;
    if (k * most > p->config->sideways) {
        most = p->config->sideways / k;
        *by = sideways;
    }
    least = ib_min(least, most);
    bool possible = excess(&question, least) <= 0;
    double cap = possible ? find_largest(&question, least, most) : 0;
    if (cap < most) *by = question.by;
    return cap;
}

// The largest acceleration (way = 1) or deceleration (-1) up to `most` that row i can have.
static double find_rate(Plan *p, int i, int way, double most, const char **by)
{
    Question question = {p, i, way, NULL};
    double high = ib_min(most, 1e3), rate = find_largest(&question, 0, high);
    *by = rate < high ? question.by : asked;
    return rate;
}

// ------------------------------------------------------------------------------------------ passes

// Proceeds from row i to its neighbour, on which z may be `most`: no faster than the rate allows,
// with as few demands as necessary.
static void climb(Plan *p, int way, int i, double rate, double most)
{
    const char *by = NULL;
    int next = i + way;
    double step = 2 * p->spacing, needed = (most - p->z[i]) / step;
    p->z[next] = most;
    if (way > 0) p->to[next] = NULL;
    if (!(needed > 0)) return;
    double found = find_rate(p, i, way, ib_min(rate, needed), &by);
    if (found >= needed) return;
    p->z[next] = p->z[i] + step * found;
    p->to[next] = by;
}

// Caps, then as fast as possible from the start on, then as slow as braking asks for from
// the end back.
static ib_Status find_speeds(Plan *p, ib_Error *error)
{
    int last = p->count - 1;
    for (int i = 0; i <= last; i++) {
        p->cap[i] = find_cap(p, i, &p->by[i]);
        if (p->cap[i] > 0) continue;
        return ib_error_set(error, IB_BAD_INPUT,
                            "path: at %.3g m, with a radius of %.3g m, it cannot be driven at all: "
                            "forbidden by %s; expected a wider curve",
                            p->rows[i].s, 1 / fabs(p->rows[i].curvature), p->by[i]);
    }
    p->z[0] = 0;
    for (int i = 0; i < last; i++) climb(p, 1, i, p->config->acceleration, p->cap[i + 1]);
    p->z[last] = 0;
    for (int i = last; i > 0; i--) climb(p, -1, i, p->config->deceleration, p->z[i - 1]);
    return IB_OK;
}

// A mean over 2 m + 1 rows in the place of each, `from` -> `to`.
static void average(int count, int m, const double *from, double *to)
{
    double sum = 0;
    for (int i = -m; i <= m; i++) sum += from[i < 0 ? 0 : i < count ? i : count - 1];
    for (int i = 0; i < count; i++) {
        to[i] = sum / (2 * m + 1);
        int out = i - m, in = i + m + 1;
        sum += from[in < count ? in : count - 1] - from[out < 0 ? 0 : out];
    }
}

// The angle b of drift, from the slip S, drift by slip over speed. A robot that turns around a
// point c ahead of its origin drifts without slip, n = -c w:
//   sin b = S - c h,   h = k - db/ds      ->   sin b = S - c k + c db/ds
// For c > 0 that is stable only from the end back (such a robot turns before the curve begins), for
// c < 0 only forwards. One implicit step in that direction:
//   |c| (b - before)/ds + sin b = S - c k
// Limits: c = 0 -> sin b = S; a circle -> sin b = S - c k.
static double turn_in(double c, double ds, double S, double k, double before)
{
    double r = fabs(c) / ds, right = S - c * k + r * before, b = before;
    for (int n = 0; n < TURN_STEPS; n++) {
        double sine, cosine;
        ib_sincos(b, &sine, &cosine);
        b -= (r * b + sine - right) / (r + ib_max(0.3, cosine));
        b = ib_max(-MAX_DRIFT, ib_min(MAX_DRIFT, b));
    }
    return b;
}

static void find_angles(Plan *p, const double *slips)
{
    int n = p->count, way = p->centre > 0 ? -1 : 1, i = way > 0 ? 0 : n - 1;
    double b = 0;
    for (int from = i; i >= 0 && i < n; from = i, i += way) {
        for (int m = 1; from != i && m <= PARTS; m++) {
            double share = (double)m / PARTS;
            double S = slips[from] + share * (slips[i] - slips[from]);
            double k0 = p->rows[from].curvature, k = k0 + share * (p->rows[i].curvature - k0);
            b = turn_in(p->centre, p->spacing / PARTS, S, k, b);
        }
        p->rows[i].drift = b;
    }
}

// Heading of a sliding robot: course less drift. At this drift the floor's force gives the path's
// curve; the drift is smoothed, since its slope is a yaw rate, and begins at zero as the
// robot does.
static void find_drift(Plan *p)
{
    int n = p->count, m = (int)ceil(0.5 * DRIFT_LENGTH / p->spacing);
    double *rough = p->cap, *smooth = rough + n; // free until the next pass; see `prepare`
    double most = p->config->drift;              // a quadratic drag's outlasts the speed
    for (int i = 0; i < n; i++) {
        int before = i > 0 ? i - 1 : 0, behind = i + 1 < n ? i + 1 : i;
        double a = (p->z[behind] - p->z[before]) / (2 * (behind - before) * p->spacing);
        double z = ib_max(p->z[i], SLOWEST * SLOWEST), v = sqrt(z);
        double slips = ask(p, i, z, a, NULL).drift / v + p->centre * p->rows[i].bend;
        rough[i] = ib_max(-most, ib_min(most, slips)) * ib_min(1, p->rows[i].s / DRIFT_LENGTH);
    }
    average(n, m, rough, smooth);
    average(n, m, smooth, rough);
    find_angles(p, rough);
    double first = p->rows[0].drift;
    for (int i = 0; i < n; i++) p->rows[i].drift -= first * ib_max(0, 1 - i / (2.0 * m));
}

// d heading/ds and its slope, by central differences.
static void find_bends(Plan *p)
{
    int last = p->count - 1;
    for (int i = 0; i <= last; i++) {
        int a = i > 0 ? i - 1 : 0, b = i < last ? i + 1 : last;
        double slope = (p->rows[b].drift - p->rows[a].drift) / ((b - a) * p->spacing);
        p->rows[i].bend = p->rows[i].curvature - slope;
    }
    for (int i = 0; i <= last; i++) {
        int a = i > 0 ? i - 1 : 0, b = i < last ? i + 1 : last;
        p->rows[i].bending = (p->rows[b].bend - p->rows[a].bend) / ((b - a) * p->spacing);
    }
}

static void find_times(Plan *p)
{
    for (int i = 0; i < p->count; i++) {
        ib_TrajectoryRow *row = &p->rows[i];
        row->speed = sqrt(p->z[i]);
        row->t = i == 0 ? 0 : row[-1].t + 2 * p->spacing / (row[-1].speed + row->speed);
    }
}

// ------------------------------------------------------------------------------------------- facts

// Two parts that overlap are one, as slow as the slower; one that is not much of a valley
// beside the other is its surroundings. False: they are apart.
static bool merge_slow(ib_Slowdown *last, const ib_Slowdown *next)
{
    if (next->from > last->to) return false;
    double ratio = next->speed / last->speed;
    if (ratio * ratio > SAME_VALLEY) return true;
    double from = ib_min(last->from, next->from), to = ib_max(last->to, next->to);
    if (ratio < 1) *last = *next;
    last->from = from;
    last->to = to;
    return true;
}

// A valley of the caps around row `low`: rows about as slow. Valleys hidden by acceleration from
// the start or braking for the end do not count.
static void add_slow(const Plan *p, int low, ib_Trajectory *t)
{
    double most = SAME_VALLEY * p->cap[low];
    int from = low, to = low;
    bool felt = false;
    while (from > 0 && p->cap[from - 1] <= most) from--;
    while (to < p->count - 1 && p->cap[to + 1] <= most) to++;
    for (int i = from; i <= to; i++) felt |= p->z[i] >= 0.9 * p->cap[i];
    if (!felt || !p->by[low]) return;
    ib_Slowdown slow = {.s = p->rows[low].s,
                        .speed = sqrt(p->cap[low]),
                        .by = p->by[low],
                        .from = p->rows[from].s,
                        .to = p->rows[to].s};
    if (t->slow_count > 0 && merge_slow(&t->slow[t->slow_count - 1], &slow)) return;
    if (t->slow_count < IB_SLOWDOWNS) t->slow[t->slow_count++] = slow;
}

// The valleys of the caps, deeper than a twentieth of the speed. And the fastest place.
static void find_slow(const Plan *p, ib_Trajectory *t)
{
    double wanted = ib_min(p->config->speed, FASTEST), high = wanted * wanted;
    int low = -1; // the valley it is in; -1: none
    for (int i = 0; i < p->count; i++) {
        double cap = p->cap[i], v = p->rows[i].speed, s = p->rows[i].s;
        const char *by = p->to[i] ? p->to[i] : p->by[i];
        if (v > t->top.speed)
            t->top = (ib_Slowdown){.s = s, .speed = v, .by = by, .from = s, .to = s};
        high = ib_max(high, cap);
        if (low < 0 && VALLEY * cap < high) low = i;
        if (low >= 0 && cap < p->cap[low]) low = i;
        if (low < 0 || (cap <= SAME_VALLEY * p->cap[low] && i < p->count - 1)) continue;
        add_slow(p, low, t);
        low = -1;
        high = cap;
    }
    t->top.asked = t->top.by == asked;
}

void ib_trajectory_say(const ib_Slowdown *slow, char *text, size_t size)
{
    snprintf(text, size, "slowed to %.3g m/s from %.1f m to %.1f m: %s", slow->speed, slow->from,
             slow->to, slow->by);
}

// -------------------------------------------------------------------------------------------- init

// The point around which the base turns on the spot, ahead of its origin [m]: a load in front or
// behind shifts it, n = -w centre. 0 if the base cannot turn on the spot.
static double find_centre(const ib_Locomotion *base)
{
    ib_MotionDemand demand;
    base->demand(base, &(ib_AxisMotion){.velocity = {0, 0, 1}}, &demand);
    return isfinite(demand.share) ? -demand.drift : 0;
}

static ib_Status prepare(const ib_PathConfig *path, ib_Arena *arena, ib_Arena *scratch, Plan *p,
                         ib_Trajectory *t, ib_Error *error)
{
    t->length = ib_path_length(path);
    if (!(t->length > 0 && t->length <= COARSE * IB_TRAJECTORY_ROWS))
        return ib_error_set(error, IB_BAD_INPUT,
                            "path: expected a length of more than 0 m and at most %g m, got %g m",
                            COARSE * IB_TRAJECTORY_ROWS, t->length);
    double rows = ib_max(LEAST_ROWS, ib_min(IB_TRAJECTORY_ROWS - 1, ceil(t->length / SPACING)));
    p->count = t->count = (int)rows + 1;
    p->spacing = t->spacing = t->length / rows;
    size_t n = (size_t)p->count;
    p->rows = ib_arena_array(arena, n, sizeof *p->rows);
    p->z = ib_arena_array(scratch, n, sizeof *p->z);
    p->cap = ib_arena_array(scratch, 2 * n, sizeof *p->cap); // and room for find_drift
    p->by = ib_arena_array(scratch, n, sizeof *p->by);
    p->to = ib_arena_array(scratch, n, sizeof *p->to);
    if (!p->rows || !p->z || !p->cap || !p->by || !p->to)
        return ib_error_set(error, IB_FAILED, "out of memory for the trajectory");
    t->rows = p->rows;
    return IB_OK;
}

ib_Status ib_trajectory_init(const ib_TrajectoryConfig *config, const ib_PathConfig *path,
                             ib_PathPoint start, const ib_Locomotion *base, ib_Arena *arena,
                             ib_Trajectory *trajectory, ib_Error *error)
{
    ib_Arena scratch = {0};
    Plan plan = {
        .config = config, .base = base, .centre = find_centre(base), .last = {.share = INFINITY}};
    *trajectory = (ib_Trajectory){0};
    ib_Status status = ib_trajectory_check(config, error);
    if (!status) status = prepare(path, arena, &scratch, &plan, trajectory, error);
    if (!status) {
        double blend = config->blend > 0 ? config->blend : ib__trajectory_blend(path);
        trajectory->blend = blend;
        ib__trajectory_shape(path, start, blend, plan.count, plan.spacing, plan.rows);
        find_bends(&plan);
        status = find_speeds(&plan, error);
    }
    // Speeds and drift depend on each other; the drift is small, and so is its remaining error.
    for (int round = 1; !status && round < ROUNDS; round++) {
        find_drift(&plan);
        find_bends(&plan);
        status = find_speeds(&plan, error);
    }
    if (!status) {
        find_times(&plan);
        find_slow(&plan, trajectory);
        trajectory->duration = plan.rows[plan.count - 1].t;
    }
    ib_arena_reset(&scratch);
    return status;
}

// ----------------------------------------------------------------------------------------- look up

// The row at or before time t, never the last one.
static int find_row(const ib_Trajectory *trajectory, double t)
{
    int low = 0, high = trajectory->count - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (trajectory->rows[middle].t <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

double ib_trajectory_nearest(const ib_Trajectory *trajectory, double t, double reach, double x,
                             double y)
{
    int at = find_row(trajectory, t), last = trajectory->count - 1;
    int far = (int)ib_min(last, ib_max(0, ceil(reach / trajectory->spacing)));
    int from = at - far > 0 ? at - far : 0, to = at + far < last ? at + far : last, best = at;
    double least = INFINITY;
    for (int i = from; i <= to; i++) {
        double dx = x - trajectory->rows[i].x, dy = y - trajectory->rows[i].y;
        if (!(dx * dx + dy * dy < least)) continue;
        least = dx * dx + dy * dy;
        best = i;
    }
    return trajectory->rows[best].t;
}

// Within a cell the speed is a straight line of time, drift and bend are straight lines of s.
ib_TrajectoryPoint ib_trajectory_at(const ib_Trajectory *trajectory, double t)
{
    t = t > 0 ? ib_min(t, trajectory->duration) : 0;
    int row = find_row(trajectory, t);
    const ib_TrajectoryRow *a = &trajectory->rows[row], *b = a + 1;
    double dt = t - a->t, rate = (b->speed - a->speed) / (b->t - a->t);
    double ds = ib_min(trajectory->spacing, dt * (a->speed + 0.5 * dt * rate));
    double share = ds / trajectory->spacing;
    double curvature = a->curvature + share * (b->curvature - a->curvature);
    ib_PathPoint from = {.x = a->x, .y = a->y, .course = a->course};
    ib_PathPoint p = ib_path_go(from, 0.5 * (a->curvature + curvature), ds);
    double bend = a->bend + share * (b->bend - a->bend);
    double bending = a->bending + share * (b->bending - a->bending);
    ib_TrajectoryPoint point = {.s = a->s + ds,
                                .x = p.x,
                                .y = p.y,
                                .course = p.course,
                                .curvature = curvature,
                                .speed = ib_max(0, a->speed + rate * dt),
                                .acceleration = t < trajectory->duration ? rate : 0};
    double sine, cosine, turns = point.speed * point.speed * (curvature - bend);
    point.drift = a->drift + share * (b->drift - a->drift);
    point.heading = p.course - point.drift;
    ib_sincos(point.drift, &sine, &cosine);
    point.forward = point.speed * cosine;
    point.faster = point.acceleration * cosine - turns * sine;
    point.drifting = point.acceleration * sine + turns * cosine;
    point.yaw_rate = point.speed * bend;
    point.yaw_quicker = point.acceleration * bend + point.speed * point.speed * bending;
    return point;
}
