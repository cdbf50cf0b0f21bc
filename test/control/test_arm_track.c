// Tests of a plan as a follower is given it: one that makes no sense is refused.
#include "control/arm_follow_rig.h"

static ib_Error error;

static void assert_refused(const ArmRig *rig, const char *words)
{
    assert_int_equal(ib_arm_plan_check(&rig->plan, &error), IB_BAD_INPUT);
    if (!strstr(error.text, words)) fail_msg("'%s' has no '%s'", error.text, words);
}

// Goal: a plan that makes no sense is refused by what is wrong. Method: one mistake each.
static void plans_without_sense_are_refused(void **unused)
{
    (void)unused;
    static ArmRig rig;
    arm_rig_init(&rig, 12);
    arm_rig_straight(&rig, 0, 1);
    assert_int_equal(ib_arm_plan_check(&rig.plan, &error), IB_OK);
    double *end = &rig.tracks[0].timing.t[rig.tracks[0].path.count - 1], duration = *end;
    *end = INFINITY;
    assert_refused(&rig, "track 1: it takes inf s: expected a finite time");
    *end = duration;
    rig.tracks[0].to = 0;
    assert_refused(&rig, "track 1: expected one from a goal to another");
    rig.tracks[0].to = 1;
    rig.goals[1].th[0] += 1e-3;
    assert_refused(&rig, "track 1: it does not lead from 'low' to 'high'");
    rig.goals[1].th[0] = NAN;
    assert_refused(&rig, "goal 'high': expected two finite angles");
    rig.goals[1].th[0] = 1.3;
    rig.plan.scene.high[0] = 1;
    assert_refused(&rig, "goal 'high' takes the first joint to 1.3 rad: expected at most 1");
    rig.plan.scene.high[0] = -9;
    rig.plan.scene.low[0] = -8;
    assert_refused(&rig, "joint 1 may go from -8 to -9 rad");
    rig.plan.scene = ib_arm_scene_default(&rig.plan.plant.link);
    double hand[2];
    ib_two_link_hand(&rig.plan.plant.link, rig.goals[0].th, hand);
    hand[1] += 0.2;
    arm_rig_disc(&rig, hand, 0.1);
    rig.plan.scene.radius = 0.15;
    assert_refused(&rig, "goal 'low' is inside of obstacle 'post 1' by 0.05 m");
    rig.plan.scene.disc[0].radius = 0;
    assert_refused(&rig, "'post 1' has a radius of 0 m");
    rig.plan.margin = -1;
    assert_refused(&rig, "a margin of -1 m");
    rig.plan.goal_count = 0;
    assert_refused(&rig, "0 goals: expected 1 to 32");
}

// Goal: what the desk plans the follower takes: a goal keeps the margin from discs and from limits,
// and may touch it. Method: a limit, and a disc behind the hand, that are as far away as the
// margin of 0.1 [rad, m], and 0.1 mm less, ten times what is exact.
static void goals_keep_the_margin_and_may_touch_it(void **unused)
{
    (void)unused;
    static ArmRig rig;
    double hand[2];
    for (int disc = 0; disc < 2; disc++) {
        arm_rig_init(&rig, 12);
        rig.plan.margin = 0.1;
        ib_two_link_hand(&rig.plan.plant.link, rig.goals[0].th, hand);
        hand[0] -= 0.35;
        if (disc)
            arm_rig_disc(&rig, hand, 0.25);
        else
            rig.plan.scene.low[0] = 0.2;
        assert_int_equal(ib_arm_plan_check(&rig.plan, &error), IB_OK);
        if (disc)
            rig.plan.scene.disc[0].radius += 1e-4;
        else
            rig.plan.scene.low[0] += 1e-4;
        assert_refused(&rig, disc ? "goal 'low' comes near to obstacle 'post 1' by 0.0999 m"
                                  : "goal 'low' takes the first joint to 0.3 rad: expected at "
                                    "least 0.3001");
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_without_sense_are_refused),
        cmocka_unit_test(goals_keep_the_margin_and_may_touch_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
