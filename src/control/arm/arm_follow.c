#include "control/arm/arm_follow.h"

#include "base/extreme.h"
#include "base/matrix.h"
#include "control/arm/arm_way.h"

#include <math.h>
#include <string.h>

enum { TRACK_ROWS = 100000 }; ///< most of a track's table

// An arm that is found so near to a goal stands at it [rad].
static const double NEAR = 0.02;

// A pace that has come to 0, but for a rounding.
static const double STOPPED = 1e-9;

ib_ArmFollowConfig ib_arm_follow_default(void)
{
    return (ib_ArmFollowConfig){
        .period = 5e-3,
        .volts = 12,
        .weights = {.position = {0.05, 0.05}, .velocity = {1, 1}, .volts = {12, 12}},
        .ekf = ib_arm_ekf_default()};
}

// -------------------------------------------------------------------------------------------- init

static ib_Status check_weights(const ib_ArmWorth *weights, ib_Error *error)
{
    const double values[] = {weights->position[0], weights->position[1], weights->velocity[0],
                             weights->velocity[1], weights->volts[0],    weights->volts[1]};
    for (int i = 0; i < 6; i++)
        if (!(values[i] > 0 && isfinite(values[i])))
            return ib_error_set(error, IB_BAD_INPUT, "weights: %g: expected above 0", values[i]);
    return IB_OK;
}

// The series of a period's transition must be good at every goal.
static ib_Status check_period(const ib_ArmFollowConfig *config, const ib_ArmPlan *plan,
                              ib_Error *error)
{
    static const double none[2];
    double A[IB_ARM_XX], most = 0;
    for (int i = 0; i < plan->goal_count; i++) {
        double x[IB_ARM_X] = {
            [IB_ARM_TH1] = plan->goals[i].th[0], [IB_ARM_TH2] = plan->goals[i].th[1]};
        ib_arm_slopes(&plan->plant, x, none, A);
        most = ib_max(most, ib_matrix_norm(IB_ARM_X, IB_ARM_X, A));
    }
    if (config->period * most <= 1) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT,
                        "period: %g ms is too long for this arm, whose motions change in %g ms: "
                        "expected at most that",
                        1e3 * config->period, 1e3 / most);
}

static ib_Status make_tables(ib_ArmFollower *follower, ib_Arena *arena, ib_Error *error)
{
    const ib_ArmPlan *plan = follower->plan;
    const ib_ArmFollowConfig *config = &follower->config;
    ib_ArmTable *tables = ib_arena_array(arena, (size_t)plan->track_count, sizeof *tables);
    bool good = tables != NULL;
    for (int i = 0; good && i < plan->track_count; i++) {
        const ib_ArmTrack *track = &plan->tracks[i];
        double end = track->timing.t[track->path.count - 1];
        int count = ib_arm_table_count(end, config->period, TRACK_ROWS);
        ib_ArmTableRow *rows = ib_arena_array(arena, (size_t)count, sizeof *rows);
        good = rows != NULL;
        if (good)
            ib_arm_table_make(&plan->plant, &track->path, &track->timing, &config->weights,
                              config->period, count, rows, &tables[i]);
    }
    follower->tables = tables;
    return good ? IB_OK : ib_error_set(error, IB_FAILED, "out of memory for the ways of an arm");
}

ib_Status ib_arm_follow_init(const ib_ArmFollowConfig *config, const ib_ArmPlan *plan,
                             ib_Arena *arena, ib_ArmFollower *follower, ib_Error *error)
{
    if (!(config->period > 0 && config->volts > 0 && isfinite(config->volts)))
        return ib_error_set(error, IB_BAD_INPUT, "a period of %g s and %g V: expected both above 0",
                            config->period, config->volts);
    *follower = (ib_ArmFollower){.config = *config, .plan = plan};
    ib_Status status = ib_arm_plan_check(plan, error);
    if (status == IB_OK) status = check_weights(&config->weights, error);
    if (status == IB_OK) status = ib_arm_ekf_check(&config->ekf, error);
    if (status == IB_OK) status = check_period(config, plan, error);
    if (status != IB_OK) return status;
    ib_arm_ekf_init(&config->ekf, &plan->plant, config->period, &follower->ekf);
    return make_tables(follower, arena, error);
}

void ib_arm_follow_reset(const ib_ArmFollower *follower, double *state)
{
    (void)follower;
    memset(state, 0, IB_ARM_FOLLOW_STATES * sizeof *state);
    state[IB_ARM_FOLLOW_MODE] = IB_ARM_WAITS;
    state[IB_ARM_FOLLOW_GOAL] = state[IB_ARM_FOLLOW_TO] = state[IB_ARM_FOLLOW_TRACK] = -1;
    state[IB_ARM_FOLLOW_PACE] = 1;
}

// ------------------------------------------------------------------------------------------- goals

// The track from a goal to another, or -1.
static int find_track(const ib_ArmPlan *plan, int from, int to)
{
    for (int i = 0; i < plan->track_count; i++)
        if (plan->tracks[i].from == from && plan->tracks[i].to == to) return i;
    return -1;
}

// The first of the fewest tracks that lead from a goal to another, found from its end; -1: none.
static int first_track(const ib_ArmPlan *plan, int from, int to)
{
    bool known[IB_ARM_GOALS] = {false}, next[IB_ARM_GOALS];
    if (from < 0) return -1;
    known[to] = true;
    for (int round = 0; round < plan->goal_count; round++) {
        memcpy(next, known, sizeof next);
        for (int i = 0; i < plan->track_count; i++) {
            const ib_ArmTrack *track = &plan->tracks[i];
            if (!known[track->to]) continue;
            if (track->from == from) return i;
            next[track->from] = true;
        }
        memcpy(known, next, sizeof known);
    }
    return -1;
}

static void take_track(const ib_ArmFollower *follower, int track, double *state)
{
    state[IB_ARM_FOLLOW_TRACK] = track;
    state[IB_ARM_FOLLOW_TO] = follower->plan->tracks[track].to;
    state[IB_ARM_FOLLOW_T] = 0;
    state[IB_ARM_FOLLOW_PACE] = 1;
    state[IB_ARM_FOLLOW_MODE] = IB_ARM_FOLLOWS;
}

// Leaves rest at the end of its way: by the plan's track, else straight, else by other goals.
static void leave(const ib_ArmFollower *follower, double *state)
{
    int from = (int)state[IB_ARM_FOLLOW_TO], to = (int)state[IB_ARM_FOLLOW_GOAL];
    int track = from < 0 ? -1 : find_track(follower->plan, from, to);
    if (from == to)
        state[IB_ARM_FOLLOW_MODE] = IB_ARM_RESTS;
    else if (track >= 0)
        take_track(follower, track, state);
    else if (ib__arm_way_plan(follower, to, state))
        state[IB_ARM_FOLLOW_MODE] = IB_ARM_FOLLOWS;
    else if ((track = first_track(follower->plan, from, to)) >= 0)
        take_track(follower, track, state);
    else
        state[IB_ARM_FOLLOW_MODE] = IB_ARM_BLOCKED;
}

static bool has_arrived(const ib_ArmFollower *follower, const double *state)
{
    ib_ArmTable table = ib__arm_way_table(follower, state);
    return state[IB_ARM_FOLLOW_T] >= ib_arm_table_end(&table);
}

// A new goal: from rest, or in mid-motion.
static void retarget(const ib_ArmFollower *follower, double *state)
{
    int goal = (int)state[IB_ARM_FOLLOW_GOAL];
    if (has_arrived(follower, state))
        leave(follower, state);
    else if (goal == (int)state[IB_ARM_FOLLOW_TO])
        state[IB_ARM_FOLLOW_MODE] = IB_ARM_FOLLOWS;
    else if (ib__arm_way_plan(follower, goal, state))
        state[IB_ARM_FOLLOW_MODE] = IB_ARM_JOINS;
    else
        state[IB_ARM_FOLLOW_MODE] = IB_ARM_BRAKES;
}

// The transition from its mode.
static void go_on(const ib_ArmFollower *follower, double *state)
{
    ib_ArmMode mode = (ib_ArmMode)state[IB_ARM_FOLLOW_MODE];
    int goal = (int)state[IB_ARM_FOLLOW_GOAL];
    if (mode == IB_ARM_RESTS || mode == IB_ARM_BLOCKED) return;
    if (has_arrived(follower, state))
        leave(follower, state);
    else if (mode == IB_ARM_BRAKES && state[IB_ARM_FOLLOW_PACE] < STOPPED)
        state[IB_ARM_FOLLOW_MODE] =
            ib__arm_way_plan(follower, goal, state) ? IB_ARM_FOLLOWS : IB_ARM_FINISHES;
}

// -------------------------------------------------------------------------------------------- step

// Starts at rest at the measured place, or at the goal beside it.
static void start(const ib_ArmFollower *follower, const double y[2], double *state)
{
    const ib_ArmPlan *plan = follower->plan;
    const double *th = y;
    ib_arm_ekf_reset(&follower->ekf, y, state);
    for (int i = plan->goal_count - 1; i >= 0; i--) {
        const double *at = plan->goals[i].th;
        if (fabs(y[0] - at[0]) > NEAR || fabs(y[1] - at[1]) > NEAR) continue;
        state[IB_ARM_FOLLOW_TO] = i;
        th = at;
    }
    ib__arm_way_stand(follower, th, state);
    state[IB_ARM_FOLLOW_MODE] = IB_ARM_RESTS;
}

// The filter up to now; false: there is no first sample yet.
static bool estimate(const ib_ArmFollower *follower, const double y[2], double *state)
{
    if ((ib_ArmMode)state[IB_ARM_FOLLOW_MODE] == IB_ARM_WAITS) {
        if (!isfinite(y[0]) || !isfinite(y[1])) return false;
        start(follower, y, state);
        return true;
    }
    ib_arm_ekf_predict(&follower->ekf, state + IB_ARM_FOLLOW_U, state);
    ib_arm_ekf_correct(&follower->ekf, y, state);
    return true;
}

bool ib_arm_follow_step(const ib_ArmFollower *follower, const double y[2], int goal, double supply,
                        double *state, double volts[2])
{
    const ib_ArmFollowConfig *config = &follower->config;
    IB_ASSERT(goal >= 0 && goal < follower->plan->goal_count);
    volts[0] = volts[1] = 0;
    if (!estimate(follower, y, state)) return false;
    if (goal != (int)state[IB_ARM_FOLLOW_GOAL]) {
        state[IB_ARM_FOLLOW_GOAL] = goal;
        retarget(follower, state);
    }
    go_on(follower, state);

    // Volts along the way, at the pace that they allow.
    ib_ArmTable table = ib__arm_way_table(follower, state);
    ib_ArmReference reference;
    double limit = isfinite(supply) ? ib_min(config->volts, ib_max(supply, 0)) : config->volts;
    double p = state[IB_ARM_FOLLOW_PACE];
    bool brakes = (ib_ArmMode)state[IB_ARM_FOLLOW_MODE] == IB_ARM_BRAKES;
    ib_ArmPace pace = {.t = state[IB_ARM_FOLLOW_T],
                       .pace = p,
                       .wanted = brakes ? 0 : ib__arm_way_ceiling(follower, state, limit),
                       .low = brakes ? ib__arm_way_brake(follower, state) : -INFINITY};
    bool cut = ib_arm_follow_act(&follower->plan->plant, &table, config->period, limit, state,
                                 &pace, volts, &reference);
    state[IB_ARM_FOLLOW_T] = pace.t;
    state[IB_ARM_FOLLOW_PACE] = pace.pace;
    state[IB_ARM_FOLLOW_SATURATED] = cut;
    for (int i = 0; i < 2; i++) {
        state[IB_ARM_FOLLOW_REFERENCE + 2 * i] = reference.th[i];
        state[IB_ARM_FOLLOW_REFERENCE + 2 * i + 1] = p * reference.w[i];
        state[IB_ARM_FOLLOW_U + i] = volts[i];
    }
    return true;
}
