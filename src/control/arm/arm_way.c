#include "control/arm/arm_way.h"

#include "base/extreme.h"
#include "control/arm/arm_limits.h"
#include "control/arm/arm_shape.h"

#include <math.h>

enum { POINTS = 161 };

// Slower than that it rests [rad/s].
static const double REST = 1e-3;

// The slowest pace for a low supply: below, it continues and leaves its way.
static const double SLOWEST = 0.05;

// A way may turn by so much from a point to the next [rad].
static const double SHARP = 0.1;

static double hypot_of(double x, double y)
{
    return sqrt(x * x + y * y);
}

static ib_ArmTableRow *own_rows(double *state)
{
    return (ib_ArmTableRow *)(void *)(state + IB_ARM_FOLLOW_ROWS);
}

static void take_table(const ib_ArmTable *table, double *state)
{
    state[IB_ARM_FOLLOW_COUNT] = table->count;
    state[IB_ARM_FOLLOW_SPACING] = table->spacing;
    state[IB_ARM_FOLLOW_TRACK] = -1;
    state[IB_ARM_FOLLOW_T] = 0;
    state[IB_ARM_FOLLOW_PACE] = 1;
}

ib_ArmTable ib__arm_way_table(const ib_ArmFollower *follower, const double *state)
{
    int track = (int)state[IB_ARM_FOLLOW_TRACK];
    if (track >= 0) return follower->tables[track];
    return (ib_ArmTable){.count = (int)state[IB_ARM_FOLLOW_COUNT],
                         .spacing = state[IB_ARM_FOLLOW_SPACING],
                         .rows =
                             (const ib_ArmTableRow *)(const void *)(state + IB_ARM_FOLLOW_ROWS)};
}

ib_ArmReference ib__arm_way_now(const ib_ArmFollower *follower, const double *state)
{
    ib_ArmTable table = ib__arm_way_table(follower, state);
    ib_ArmReference now;
    double p = state[IB_ARM_FOLLOW_PACE];
    ib_arm_table_at(&table, state[IB_ARM_FOLLOW_T], &now);
    for (int i = 0; i < 2; i++) {
        now.w[i] *= p;
        now.a[i] *= p * p;
    }
    return now;
}

// Direction and bend of a motion:  way = w/|w|,   bend = (a - way (way . a))/|w|^2
static double pose_of(const ib_ArmReference *now, ib_ArmPose *pose)
{
    double v = hypot_of(now->w[0], now->w[1]);
    *pose = (ib_ArmPose){.th = {now->th[0], now->th[1]}};
    if (v < REST) return 0;
    double along = (now->w[0] * now->a[0] + now->w[1] * now->a[1]) / v;
    for (int i = 0; i < 2; i++) {
        pose->way[i] = now->w[i] / v;
        pose->bend[i] = (now->a[i] - pose->way[i] * along) / (v * v);
    }
    return v;
}

// Along the way the speed is v = p |w_r| and its rate u = p' |w_r| + p^2 (way . a_r).
double ib__arm_way_brake(const ib_ArmFollower *follower, const double *state)
{
    const ib_ArmPlan *plan = follower->plan;
    ib_ArmReference now = ib__arm_way_now(follower, state);
    ib_ArmPose pose;
    ib_ArmFrame frame;
    double v = pose_of(&now, &pose), p = state[IB_ARM_FOLLOW_PACE];
    if (!(v > 0 && p > 0)) return -INFINITY;
    ib_ArmPoint point = {.th = {pose.th[0], pose.th[1]},
                         .way = {pose.way[0], pose.way[1]},
                         .bend = {pose.bend[0], pose.bend[1]}};
    ib__arm_frame(&plan->plant, &plan->limits, &point, &frame);
    ib_ArmRange range = ib__arm_range(&plan->plant, &plan->limits, &frame, v, 1);
    if (!(range.low <= range.high)) return -INFINITY;
    double along = pose.way[0] * now.a[0] + pose.way[1] * now.a[1];
    return (range.low - along) * p / v;
}

// Volts over a pace, at one place of a way:  V = G + D p + A p^2, G weight, D drag, A the rest.
typedef struct Paced {
    double G, D, A;
} Paced;

// The largest pace up to `high` within the limit, by halving; SLOWEST where there is none.
static double slow_down(const Paced *volts, double limit, double high)
{
    double low = SLOWEST;
    if (fabs(volts->G + high * (volts->D + high * volts->A)) <= limit) return high;
    for (int i = 0; i < 12; i++) {
        double middle = 0.5 * (low + high);
        if (fabs(volts->G + middle * (volts->D + middle * volts->A)) <= limit)
            low = middle;
        else
            high = middle;
    }
    return low;
}

double ib__arm_way_ceiling(const ib_ArmFollower *follower, const double *state, double limit)
{
    static const double none[2];
    const ib_ArmPlan *plan = follower->plan;
    ib_ArmTable table = ib__arm_way_table(follower, state);
    double ceiling = 1;
    if (limit >= ib_max(plan->limits.volts[0], plan->limits.volts[1])) return 1;
    for (int k = (int)(state[IB_ARM_FOLLOW_T] / table.spacing); k + 1 < table.count; k++) {
        ib_ArmReference at;
        double whole[2], weight[2];
        ib_arm_table_at(&table, (k + 0.5) * table.spacing, &at);
        ib_arm_volts(&plan->plant, at.th, at.w, at.a, whole);
        ib_arm_volts(&plan->plant, at.th, none, none, weight);
        for (int i = 0; i < 2; i++) {
            const ib_GearmotorModel *gear = &plan->plant.gear[i];
            Paced volts = {.G = weight[i], .D = gear->drag * at.w[i] / gear->push};
            volts.A = whole[i] - volts.G - volts.D;
            ceiling = slow_down(&volts, limit, ceiling);
        }
    }
    return ceiling;
}

// -------------------------------------------------------------------------------------------- plan

// A proposed way with its times.
typedef struct Proposal {
    ib_ArmPoint points[POINTS];
    double v[POINTS], t[POINTS], work[4 * POINTS];
    ib_ArmPath path;
    ib_ArmTiming timing;
} Proposal;

// True if the points resolve all turns. A goal close behind gives a loop with a corner, which the
// limits would miss between two points.
static bool is_smooth(const ib_ArmPoint *points)
{
    for (int i = 0; i + 1 < POINTS; i++) {
        const ib_ArmPoint *a = &points[i], *b = a + 1;
        double turn = hypot_of(b->way[0] - a->way[0], b->way[1] - a->way[1]);
        double bend = hypot_of(b->bend[0], b->bend[1]) * (b->s - a->s);
        if (!(turn < SHARP && bend < SHARP)) return false;
    }
    return true;
}

// Proposes a way from a pose at a speed to rest at a goal. Returns its duration; infinite: it is
// not free, or beyond the limits.
static double propose(const ib_ArmFollower *follower, const ib_ArmPose *from, double speed,
                      int goal, Proposal *way)
{
    const ib_ArmPlan *plan = follower->plan;
    const ib_ArmGoal *to = &plan->goals[goal];
    ib_ArmPose end = {.th = {to->th[0], to->th[1]}};
    ib_ArmEnds ends = {.begin = speed};
    ib_Error error;
    way->path = (ib_ArmPath){.count = POINTS, .points = way->points};
    way->timing = (ib_ArmTiming){.v = way->v, .t = way->t, .work = way->work};
    if (ib_arm_shape_join(from, &end, POINTS, way->points, &error) != IB_OK) return INFINITY;
    if (!is_smooth(way->points)) return INFINITY;
    // A touch is free, as at the desk.
    double keeps = plan->margin - IB_ARM_SCENE_EXACT;
    if (!ib_arm_scene_path_clear(&plan->scene, &way->path, keeps)) return INFINITY;
    ib_ArmVerdict verdict =
        ib_arm_plan_reach(&plan->plant, &plan->limits, &way->path, ends, &way->timing);
    return verdict.fault == IB_ARM_FINE ? way->t[POINTS - 1] : INFINITY;
}

// About how long it would take to brake first, and to go straight from there: at a rate b it stops
// after v/b, and v^2/(2 b) further on. Limit: slow: the straight way; from there a wide turn to
// keep a little speed takes longer.
static double braked(const ib_ArmFollower *follower, const ib_ArmReference *now, int goal,
                     const double *state, Proposal *way)
{
    ib_ArmPose from;
    double v = pose_of(now, &from), p = state[IB_ARM_FOLLOW_PACE];
    double along = from.way[0] * now->a[0] + from.way[1] * now->a[1];
    double rate = ib_max(ib__arm_way_brake(follower, state), -IB_ARM_PACE_RATE);
    double b = -along - rate * v / p;
    if (!(v > 0 && b > 0)) return INFINITY;
    double further = 0.5 * v * v / b;
    ib_ArmPose stop = {
        .th = {from.th[0] + from.way[0] * further, from.th[1] + from.way[1] * further}};
    return v / b + propose(follower, &stop, 0, goal, way);
}

bool ib__arm_way_plan(const ib_ArmFollower *follower, int goal, double *state)
{
    const ib_ArmFollowConfig *config = &follower->config;
    ib_ArmReference now = ib__arm_way_now(follower, state);
    ib_ArmPose from;
    ib_ArmTable table;
    Proposal way;
    double other = braked(follower, &now, goal, state, &way), speed = pose_of(&now, &from);
    double time = propose(follower, &from, speed, goal, &way);
    if (!isfinite(time) || other < time) return false;
    int count = ib_arm_table_count(time, config->period, IB_ARM_OWN_ROWS);
    ib_arm_table_make(&follower->plan->plant, &way.path, &way.timing, &config->weights,
                      config->period, count, own_rows(state), &table);
    take_table(&table, state);
    state[IB_ARM_FOLLOW_TO] = goal;
    state[IB_ARM_FOLLOW_REPLANS] += 1;
    return true;
}

void ib__arm_way_stand(const ib_ArmFollower *follower, const double th[2], double *state)
{
    const ib_ArmFollowConfig *config = &follower->config;
    ib_ArmTable table;
    ib_arm_table_stand(&follower->plan->plant, th, &config->weights, config->period,
                       own_rows(state), &table);
    take_table(&table, state);
}
