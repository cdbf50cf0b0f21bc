// test/control/arm_follow_rig.h: an arm on its way: a plan of the reference's arm with ways of the
// test, a follower, and a plant that is not quite the one of the plan. The plant is integrated by
// RK4 of 0.1 ms with its own rates, the follower runs every 5 ms.
#ifndef IB_TEST_ARM_FOLLOW_RIG_H
#define IB_TEST_ARM_FOLLOW_RIG_H

#include "cmocka_all.h"
#include "control/arm/arm_follow.h"
#include "control/reference_arm.h"
#include "spread.h"

#include <stdio.h>
#include <string.h>

enum { RIG_POINTS = 401, RIG_TRACKS = 4 };

typedef struct ArmRig {
    // Set by arm_rig_init; change them before arm_rig_start.
    ib_ArmPlan plan;
    ib_ArmFollowConfig config;
    ib_ArmGoal goals[8];
    ib_ArmPlant real; // the arm as it is
    double noise;     // of each encoder, standard deviation [rad]
    double offset[2]; // volts that come on top, unknown
    double supply;    // most that the motors get [V]; infinite: what they are given
    bool told;        // the follower knows the supply
    int blind;        // every so many samples one is missing; 0: none
    uint64_t seed;
    // Read these.
    ib_ArmTrack tracks[RIG_TRACKS];
    ib_ArmPoint points[RIG_TRACKS][RIG_POINTS];
    double v[RIG_TRACKS][RIG_POINTS], t[RIG_TRACKS][RIG_POINTS], work[4 * RIG_POINTS];
    ib_Arena arena;
    ib_ArmFollower follower;
    double state[IB_ARM_FOLLOW_STATES];
    double x[IB_ARM_X]; // of the plant: th1, w1, th2, w2, offsets
    double volts[2];
    int tick;
} ArmRig;

// Goals 0 and 1 are the ends of path A of the reference.
static inline void arm_rig_init(ArmRig *rig, double volts)
{
    memset(rig, 0, sizeof *rig);
    rig->plan = (ib_ArmPlan){.name = "test",
                             .plant = reference_arm(),
                             .limits = {{volts, volts},
                                        {INFINITY, INFINITY},
                                        {INFINITY, INFINITY},
                                        {INFINITY, INFINITY},
                                        12.6,
                                        0},
                             .goal_count = 2};
    rig->goals[0] = (ib_ArmGoal){"low", {0.3, -0.5}};
    rig->goals[1] = (ib_ArmGoal){"high", {1.3, 0.9}};
    rig->plan.goals = rig->goals;
    rig->plan.tracks = rig->tracks;
    rig->plan.scene = ib_arm_scene_default(&rig->plan.plant.link);
    rig->config = ib_arm_follow_default();
    rig->real = rig->plan.plant;
    rig->supply = INFINITY;
    rig->seed = 19;
}

// Another goal; its index.
static inline int arm_rig_goal(ArmRig *rig, const char *name, double th1, double th2)
{
    rig->goals[rig->plan.goal_count] = (ib_ArmGoal){name, {th1, th2}};
    return rig->plan.goal_count++;
}

// Another disc that the hand must stay clear of.
static inline void arm_rig_disc(ArmRig *rig, const double place[2], double radius)
{
    ib_ArmScene *scene = &rig->plan.scene;
    ib_ArmDisc *disc = &scene->disc[scene->discs++];
    *disc = (ib_ArmDisc){.place = {place[0], place[1]}, .radius = radius};
    snprintf(disc->name, sizeof disc->name, "post %d", scene->discs);
}

// A way along `path`, which is filled already, timed by reachability; returns how long it takes.
static inline double arm_rig_time(ArmRig *rig, int from, int to)
{
    int i = rig->plan.track_count++;
    ib_ArmTrack *track = &rig->tracks[i];
    *track = (ib_ArmTrack){.from = from,
                           .to = to,
                           .path = {RIG_POINTS, rig->points[i]},
                           .timing = {rig->v[i], rig->t[i], rig->work}};
    ib_ArmVerdict verdict = ib_arm_plan_reach(&rig->plan.plant, &rig->plan.limits, &track->path,
                                              (ib_ArmEnds){0, 0}, &track->timing);
    assert_int_equal(verdict.fault, IB_ARM_FINE);
    return rig->t[i][RIG_POINTS - 1];
}

// Straight from a goal to another.
static inline double arm_rig_straight(ArmRig *rig, int from, int to)
{
    ib_Error error;
    assert_int_equal(ib_arm_path_straight(rig->goals[from].th, rig->goals[to].th, RIG_POINTS,
                                          rig->points[rig->plan.track_count], &error),
                     IB_OK);
    return arm_rig_time(rig, from, to);
}

// At rest at a place.
static inline void arm_rig_start(ArmRig *rig, double th1, double th2)
{
    ib_Error error;
    if (ib_arm_follow_init(&rig->config, &rig->plan, &rig->arena, &rig->follower, &error) != IB_OK)
        fail_msg("%s", error.text);
    ib_arm_follow_reset(&rig->follower, rig->state);
    double x[IB_ARM_X] = {th1, 0, th2, 0, rig->offset[0], rig->offset[1]};
    memcpy(rig->x, x, sizeof x);
    rig->tick = 0;
}

static inline void arm_rig_close(ArmRig *rig)
{
    ib_arena_reset(&rig->arena);
}

// One period: encoders, follower, then 50 steps of the plant. No voltage is ever beyond the limit.
static inline void arm_rig_step(ArmRig *rig, int goal)
{
    uint64_t n = (uint64_t)rig->tick++;
    double y[2] = {rig->x[IB_ARM_TH1] + rig->noise * chance_normal(rig->seed, 1, n),
                   rig->x[IB_ARM_TH2] + rig->noise * chance_normal(rig->seed, 2, n)};
    if (rig->blind > 0 && n > 0 && n % (uint64_t)rig->blind == 0) y[0] = NAN;
    ib_arm_follow_step(&rig->follower, y, goal, rig->told ? rig->supply : NAN, rig->state,
                       rig->volts);
    double u[2];
    for (int i = 0; i < 2; i++) {
        assert_true(fabs(rig->volts[i]) <= rig->config.volts);
        if (rig->told) assert_true(fabs(rig->volts[i]) <= rig->supply);
        u[i] = fmin(fmax(rig->volts[i], -rig->supply), rig->supply);
    }
    for (int k = 0; k < 50; k++) ib_arm_advance(&rig->real, u, 1e-4, rig->x);
}

static inline ib_ArmMode arm_rig_mode(const ArmRig *rig)
{
    return (ib_ArmMode)rig->state[IB_ARM_FOLLOW_MODE];
}

// What was wanted at the last tick is off by that from where the plant was then.
static inline double arm_rig_off(const ArmRig *rig, const double at[IB_ARM_X])
{
    const double *r = rig->state + IB_ARM_FOLLOW_REFERENCE;
    return hypot(at[IB_ARM_TH1] - r[IB_ARM_TH1], at[IB_ARM_TH2] - r[IB_ARM_TH2]);
}

// What came of some ticks with one goal.
typedef struct ArmRun {
    double off;              // most from what was wanted [rad]
    double late;             // the same of the last 100 ticks
    double arrived;          // when it rested [s], 0: never
    double slowest;          // pace
    double least;            // distance of the hand from a place, `from` [m]
    double jump_th;          // most that an angle wanted is off its rates' mean [rad]
    double jump_w;           // most that a rate wanted changed, per second [rad/s^2]
    int modes[IB_ARM_MODES]; // ticks in each
} ArmRun;

static inline ArmRun arm_rig_run(ArmRig *rig, int goal, int ticks, const double *from)
{
    ArmRun run = {.slowest = 1, .least = INFINITY};
    const double *r = rig->state + IB_ARM_FOLLOW_REFERENCE;
    double h = rig->config.period;
    for (int k = 0; k < ticks; k++) {
        double at[IB_ARM_X], before[IB_ARM_FED], hand[2];
        bool began = arm_rig_mode(rig) != IB_ARM_WAITS;
        memcpy(at, rig->x, sizeof at);
        memcpy(before, r, sizeof before);
        arm_rig_step(rig, goal);
        double off = arm_rig_off(rig, at);
        run.off = fmax(run.off, off);
        if (k >= ticks - 100) run.late = fmax(run.late, off);
        run.slowest = fmin(run.slowest, rig->state[IB_ARM_FOLLOW_PACE]);
        run.modes[arm_rig_mode(rig)]++;
        if (arm_rig_mode(rig) == IB_ARM_RESTS && run.arrived == 0) run.arrived = k * h;
        for (int i = 0; began && i < 2; i++) {
            double th = r[2 * i] - before[2 * i], w = r[2 * i + 1], w0 = before[2 * i + 1];
            run.jump_th = fmax(run.jump_th, fabs(th - 0.5 * h * (w + w0)));
            run.jump_w = fmax(run.jump_w, fabs(w - w0) / h);
        }
        double th[2] = {rig->x[IB_ARM_TH1], rig->x[IB_ARM_TH2]};
        ib_two_link_hand(&rig->real.link, th, hand);
        if (from) run.least = fmin(run.least, hypot(hand[0] - from[0], hand[1] - from[1]));
    }
    return run;
}

#endif
