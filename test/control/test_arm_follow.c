// Tests of the arm's follower against a plant with noise, an unknown load, a disturbance and
// saturation, and of goals that change in mid-motion.
#include "control/arm_follow_rig.h"
#include "spread.h"

static ArmRig rig;

// ---------------------------------------------------------------------------------------- tracking

// Goal: what is planned is met. Method: the plan's own plant, exact encoders, 11 V of 12. The volts
// are those of the middle of a period; where the planned acceleration jumps by a = 100 rad/s^2 that
// is a (5 ms)^2/8 = 0.3 mrad, before feedback.
static void a_plan_is_met(void **unused)
{
    (void)unused;
    arm_rig_init(&rig, 11);
    double end = arm_rig_straight(&rig, 0, 1);
    arm_rig_start(&rig, 0.3, -0.5);
    ArmRun run = arm_rig_run(&rig, 1, 400, NULL);
    assert_true(run.off < 1e-3);
    assert_true(run.late < 1e-6);
    assert_true(run.slowest == 1);
    assert_close(run.arrived, end, 6e-3); // of the first tick behind it
    assert_true(rig.state[IB_ARM_FOLLOW_REPLANS] == 0);
    arm_rig_close(&rig);
}

// Goal: with noise of 1 mrad and 0.5 kg that nobody told of (a fifth of the inertia of the second
// link), the arm stays within 50 mrad of its plan on the way and 3 mrad at the goal. Method: 20
// seeds. What is left on the way is physics: the load asks for more braking than 12 V give.
static void noise_and_an_unknown_load_are_borne(void **unused)
{
    (void)unused;
    for (uint64_t seed = 0; seed < 20; seed++) {
        arm_rig_init(&rig, 11);
        arm_rig_straight(&rig, 0, 1);
        rig.noise = 1e-3;
        rig.seed = seed;
        rig.real.link = ib_two_link_loaded(&rig.real.link, 0.5);
        arm_rig_start(&rig, 0.3, -0.5);
        ArmRun run = arm_rig_run(&rig, 1, 600, NULL);
        assert_true(run.off < 0.05);
        assert_true(run.late < 3e-3);
        arm_rig_close(&rig);
    }
}

// Goal: a constant disturbance leaves no error. Method: 1 V and -0.7 V come on top, unknown; the
// filter's errors are those volts after 3 s, to a millivolt.
static void a_constant_disturbance_is_taken_up(void **unused)
{
    (void)unused;
    arm_rig_init(&rig, 10);
    arm_rig_straight(&rig, 0, 1);
    rig.offset[0] = 1, rig.offset[1] = -0.7;
    arm_rig_start(&rig, 0.3, -0.5);
    ArmRun run = arm_rig_run(&rig, 1, 800, NULL);
    assert_true(run.late < 1e-5);
    assert_close(rig.state[IB_ARM_E1], 1, 1e-3);
    assert_close(rig.state[IB_ARM_E2], -0.7, 1e-3);
    arm_rig_close(&rig);
}

// Distance from the straight line of path A.
static double aside(const double x[IB_ARM_X])
{
    const double way[2] = {1 / 1.720465053409, 1.4 / 1.720465053409};
    return fabs((x[IB_ARM_TH1] - 0.3) * way[1] - (x[IB_ARM_TH2] + 0.5) * way[0]);
}

// Goal: of a supply that is known to be low, the way is taken more slowly, and kept. Method: a plan
// for 12 V, 8 V at hand. It arrives later, and never leaves the line by more than 2 mrad; no
// voltage is beyond 8 V (the rig looks). With 8/12 of the voltage it takes sqrt(12/8) times as long
// at least.
static void a_low_supply_slows_the_way(void **unused)
{
    (void)unused;
    arm_rig_init(&rig, 12);
    double end = arm_rig_straight(&rig, 0, 1), most = 0, arrived = 0;
    rig.supply = 8;
    rig.told = true;
    arm_rig_start(&rig, 0.3, -0.5);
    for (int k = 0; k < 600; k++) {
        arm_rig_step(&rig, 1);
        most = fmax(most, aside(rig.x));
        if (arrived == 0 && arm_rig_mode(&rig) == IB_ARM_RESTS) arrived = k * 5e-3;
    }
    assert_true(most < 2e-3);
    assert_true(arrived > sqrt(1.5) * end && arrived < 2 * end);
    assert_close(rig.x[IB_ARM_TH1], 1.3, 1e-4);
    assert_close(rig.x[IB_ARM_TH2], 0.9, 1e-4);
    arm_rig_close(&rig);
}

// Goal: an arm that is held up is waited for. Method: 4 V act against the first joint for 0.1 s
// while it speeds up with 11 of 12 V: the pace falls, what is wanted never jumps, and the goal is
// met. The clock alone would be ahead by 4 V K3/alpha (0.1 s)^2/2 = 38 mrad, and grow.
static void an_arm_that_is_held_up_is_waited_for(void **unused)
{
    (void)unused;
    arm_rig_init(&rig, 11);
    double end = arm_rig_straight(&rig, 0, 1);
    arm_rig_start(&rig, 0.3, -0.5);
    arm_rig_run(&rig, 1, 20, NULL);
    rig.x[IB_ARM_E1] = -4;
    ArmRun held = arm_rig_run(&rig, 1, 20, NULL);
    rig.x[IB_ARM_E1] = 0;
    ArmRun run = arm_rig_run(&rig, 1, 300, NULL);
    assert_true(held.slowest < 0.95 && held.off < 0.03);
    assert_true(held.jump_th < 6e-4 && held.jump_w < 200 && run.jump_w < 200);
    assert_true(run.late < 1e-4 && run.arrived + 0.2 > end + 5e-3);
    arm_rig_close(&rig);
}

// Goal: samples that are missing are lived without. Method: every third is not a number.
static void missing_samples_are_left_out(void **unused)
{
    (void)unused;
    arm_rig_init(&rig, 11);
    arm_rig_straight(&rig, 0, 1);
    rig.blind = 3;
    arm_rig_start(&rig, 0.3, -0.5);
    ArmRun run = arm_rig_run(&rig, 1, 400, NULL);
    assert_true(run.off < 1e-3);
    assert_true(run.late < 1e-6);

    // Without a first sample it does nothing.
    const double none[2] = {NAN, 0.1};
    double volts[2] = {1, 1};
    ib_arm_follow_reset(&rig.follower, rig.state);
    assert_false(ib_arm_follow_step(&rig.follower, none, 1, NAN, rig.state, volts));
    assert_true(volts[0] == 0 && volts[1] == 0);
    arm_rig_close(&rig);
}

// Goal: from anywhere it goes to its goal. Method: it begins 0.4 rad from all goals: a way of its
// own, straight.
static void it_begins_anywhere(void **unused)
{
    (void)unused;
    arm_rig_init(&rig, 11);
    arm_rig_start(&rig, 0.7, -0.9);
    ArmRun run = arm_rig_run(&rig, 1, 500, NULL);
    assert_true(run.late < 1e-6 && run.off < 1e-3);
    assert_true(rig.state[IB_ARM_FOLLOW_REPLANS] == 1);
    assert_close(rig.x[IB_ARM_TH2], 0.9, 1e-5);
    arm_rig_close(&rig);
}

// ------------------------------------------------------------------------------------ goals change

// Goal: when the goal changes in mid-motion, what is wanted does not jump, and the new goal is met.
// Method: 40 instants of the way from low to high, exact encoders. From tick to tick an angle goes
// by the mean of its rates, to a (5 ms)^2/8 = 0.6 mrad at a = 200 rad/s^2, and a rate by no more
// than that a; a jump to rest would be 600 rad/s^2 and more.
static void a_new_goal_in_mid_motion_is_smooth(void **unused)
{
    (void)unused;
    int joins = 0, brakes = 0;
    for (int change = 1; change < 120; change += 3) {
        arm_rig_init(&rig, 11);
        arm_rig_straight(&rig, 0, 1);
        int away = arm_rig_goal(&rig, "away", 1.6, -0.6);
        arm_rig_start(&rig, 0.3, -0.5);
        ArmRun before = arm_rig_run(&rig, 1, change, NULL);
        ArmRun run = arm_rig_run(&rig, away, 400, NULL);
        assert_true(before.jump_th < 6e-4 && before.jump_w < 200);
        assert_true(run.jump_th < 6e-4 && run.jump_w < 200);
        assert_true(run.off < 3e-3);
        assert_true(run.late < 1e-5);
        assert_true(run.arrived > 0.3 && run.arrived < 0.8);
        assert_close(rig.x[IB_ARM_TH1], 1.6, 1e-4);
        assert_close(rig.x[IB_ARM_TH2], -0.6, 1e-4);
        joins += run.modes[IB_ARM_JOINS] > 0;
        brakes += run.modes[IB_ARM_BRAKES] > 0;
        arm_rig_close(&rig);
    }
    assert_true(joins > 5 && brakes > 5); // both happen
}

// Goal: nobody is lost who changes his mind all the time. Method: a goal of three at random, every
// 5 to 60 ticks, 20 000 ticks, noise of 1 mrad. What is wanted never jumps, the arm stays within
// 10 mrad of it, and ends at the last goal.
static void many_changes_are_followed(void **unused)
{
    (void)unused;
    arm_rig_init(&rig, 11);
    arm_rig_straight(&rig, 0, 1);
    arm_rig_straight(&rig, 1, 0);
    arm_rig_goal(&rig, "away", 1.6, -0.6);
    rig.noise = 1e-3;
    arm_rig_start(&rig, 0.3, -0.5);
    int goal = 0;
    for (uint64_t n = 0; rig.tick < IB_ROUNDS(20000, 5000); n++) {
        goal = (int)(3 * chance_uniform(7, 1, n));
        ArmRun run = arm_rig_run(&rig, goal, 5 + (int)(55 * chance_uniform(7, 2, n)), NULL);
        assert_true(run.jump_th < 6e-4 && run.jump_w < 200);
        assert_true(run.off < 0.01);
    }
    ArmRun run = arm_rig_run(&rig, goal, 400, NULL);
    assert_true(run.late < 3e-3);
    assert_int_equal(arm_rig_mode(&rig), IB_ARM_RESTS);
    assert_close(rig.x[IB_ARM_TH1], rig.goals[goal].th[0], 3e-3);
    assert_true(rig.state[IB_ARM_FOLLOW_REPLANS] > IB_ROUNDS(200, 50));
    arm_rig_close(&rig);
}

// Goal: the way back to the goal that it left is no new way. Method: the goal changes for one tick
// to one that it brakes for.
static void a_goal_that_comes_back_needs_no_new_way(void **unused)
{
    (void)unused;
    arm_rig_init(&rig, 11);
    double end = arm_rig_straight(&rig, 0, 1);
    arm_rig_start(&rig, 0.3, -0.5);
    arm_rig_run(&rig, 1, 60, NULL);
    ArmRun run = arm_rig_run(&rig, 0, 1, NULL);
    assert_int_equal(run.modes[IB_ARM_BRAKES], 1);
    run = arm_rig_run(&rig, 1, 300, NULL);
    assert_true(run.jump_w < 200 && run.late < 1e-5);
    assert_true(rig.state[IB_ARM_FOLLOW_REPLANS] == 0);
    assert_true(run.arrived + 0.305 < end + 0.05);
    arm_rig_close(&rig);
}

// --------------------------------------------------------------------------------------- obstacles

// A disc about the hand's place half-way between two places; the hand is 5 cm in radius.
static void put_post(const double a[2], const double b[2], double radius)
{
    double th[2] = {0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])}, hand[2];
    ib_two_link_hand(&rig.plan.plant.link, th, hand);
    rig.plan.scene.radius = 0.05;
    arm_rig_disc(&rig, hand, radius);
}

// The goal changes 0.225 s after the start, with a post half-way to the new one; then 400 ticks.
static ArmRun meet_post(double radius, bool track, double second)
{
    arm_rig_init(&rig, 11);
    arm_rig_straight(&rig, 0, 1);
    int away = arm_rig_goal(&rig, "away", 1.6, -0.6);
    if (track) arm_rig_straight(&rig, 1, away);
    arm_rig_start(&rig, 0.3, -0.5);
    arm_rig_run(&rig, 1, 45, NULL);
    const double *r = rig.state + IB_ARM_FOLLOW_REFERENCE;
    const double now[2] = {r[IB_ARM_TH1], r[IB_ARM_TH2]};
    put_post(now, rig.goals[away].th, radius);
    if (second > 0) put_post(rig.goals[1].th, rig.goals[away].th, second);
    ArmRun run = arm_rig_run(&rig, away, 400, rig.plan.scene.disc[0].place);
    arm_rig_close(&rig);
    return run;
}

// Goal: a post in the new way makes the arm brake along the old one, and go from there. Method: a
// post that the way in mid-motion would hit and the one from where it stops does not. The hand
// keeps the 5 cm but for 1 mrad of 2.2 m, 3 mm.
static void a_post_in_the_new_way_makes_it_brake_first(void **unused)
{
    (void)unused;
    ArmRun free = meet_post(0.01, false, 0);
    assert_true(free.modes[IB_ARM_JOINS] > 0 && free.modes[IB_ARM_BRAKES] == 0);
    double radius = free.least - 0.05 + 0.02;
    ArmRun run = meet_post(radius, false, 0);
    assert_true(run.modes[IB_ARM_BRAKES] > 0);
    assert_int_equal(run.modes[IB_ARM_JOINS] + run.modes[IB_ARM_FINISHES], 0);
    assert_int_equal(arm_rig_mode(&rig), IB_ARM_RESTS);
    assert_true(run.least > radius + 0.05 - 3e-3);
    assert_true(run.jump_th < 6e-4 && run.jump_w < 200);
    assert_close(rig.x[IB_ARM_TH1], 1.6, 1e-4);
}

// Goal: where there is no way from where it stopped either, it finishes its way and goes from
// there, by the plan's track, or straight. Method: a wide post.
static void a_wide_post_makes_it_finish_its_way(void **unused)
{
    (void)unused;
    for (int track = 0; track < 2; track++) {
        ArmRun run = meet_post(0.35, track > 0, 0);
        assert_true(run.modes[IB_ARM_BRAKES] > 0 && run.modes[IB_ARM_FINISHES] > 0);
        assert_int_equal(run.modes[IB_ARM_JOINS] + run.modes[IB_ARM_BLOCKED], 0);
        assert_int_equal(arm_rig_mode(&rig), IB_ARM_RESTS);
        assert_int_equal((int)rig.state[IB_ARM_FOLLOW_REPLANS], 1 - track);
        assert_close(rig.x[IB_ARM_TH1], 1.6, 1e-4);
        assert_true(run.least > 0.35 + 0.05 - 3e-3);
        assert_true(run.jump_th < 6e-4 && run.jump_w < 200);
    }
}

// Goal: without any free way it says so, and stays. Method: a second post on the last line.
static void without_a_free_way_it_stays(void **unused)
{
    (void)unused;
    ArmRun run = meet_post(0.35, false, 0.1);
    assert_int_equal(arm_rig_mode(&rig), IB_ARM_BLOCKED);
    assert_close(rig.x[IB_ARM_TH1], 1.3, 1e-4); // at the end of its way
    assert_close(rig.x[IB_ARM_TH2], 0.9, 1e-4);
    assert_true(run.late < 1e-5);
}

// Goal: a way of its own keeps the plan's margin, from limits as from discs. Method: from rest at
// (0.1, -0.3) rad, beside no goal, straight to goal 1. The first joint may not go below 0 rad, and
// a disc stands 0.1 m behind the hand: it goes with a margin of 0.09, and stays with 0.11.
static void its_own_ways_keep_the_margin(void **unused)
{
    (void)unused;
    for (int k = 0; k < 4; k++) {
        const double from[2] = {0.1, -0.3};
        double hand[2];
        arm_rig_init(&rig, 11);
        ib_two_link_hand(&rig.plan.plant.link, from, hand);
        hand[0] -= 0.3;
        if (k < 2)
            rig.plan.scene.low[0] = 0;
        else
            arm_rig_disc(&rig, hand, 0.2);
        rig.plan.margin = k % 2 ? 0.11 : 0.09;
        arm_rig_start(&rig, from[0], from[1]);
        ArmRun run = arm_rig_run(&rig, 1, 300, NULL);
        assert_int_equal(arm_rig_mode(&rig), k % 2 ? IB_ARM_BLOCKED : IB_ARM_RESTS);
        assert_int_equal(run.modes[IB_ARM_FOLLOWS] > 0, k % 2 == 0);
        arm_rig_close(&rig);
    }
}

// Goal: where straight lines are closed, the plan's tracks lead on, the fewest of them. Method:
// tracks 0 -> 1 -> 2 -> 3 and 0 -> 2, and a post on the straight line from 0 to 3.
static void tracks_lead_on_by_other_goals(void **unused)
{
    (void)unused;
    arm_rig_init(&rig, 11);
    int two = arm_rig_goal(&rig, "two", 1.4, -0.2), three = arm_rig_goal(&rig, "three", 0.6, -1.2);
    arm_rig_straight(&rig, 0, 1);
    arm_rig_straight(&rig, 1, two);
    arm_rig_straight(&rig, two, three);
    arm_rig_straight(&rig, 0, two);
    double hand[2], middle[2] = {0.45, -0.85}; // between 0 and three
    ib_two_link_hand(&rig.plan.plant.link, middle, hand);
    rig.plan.scene.radius = 0.02;
    arm_rig_disc(&rig, hand, 0.05);
    arm_rig_start(&rig, 0.3, -0.5);
    ArmRun run = arm_rig_run(&rig, three, 1, NULL);
    assert_true(rig.state[IB_ARM_FOLLOW_TRACK] == 3); // to `two`, not by 1
    run = arm_rig_run(&rig, three, 500, hand);
    assert_int_equal(arm_rig_mode(&rig), IB_ARM_RESTS);
    assert_true(rig.state[IB_ARM_FOLLOW_TRACK] == 2 && rig.state[IB_ARM_FOLLOW_REPLANS] == 0);
    assert_close(rig.x[IB_ARM_TH1], 0.6, 1e-4);
    assert_true(run.late < 1e-5);
    arm_rig_close(&rig);
}

// Goal: a state is all there is: from a copy the same volts come, to the bit. Method: a run with a
// change of goals, copied in the middle of its own way.
static void a_state_is_all_there_is(void **unused)
{
    (void)unused;
    static ArmRig copy;
    arm_rig_init(&rig, 11);
    arm_rig_straight(&rig, 0, 1);
    int away = arm_rig_goal(&rig, "away", 1.6, -0.6);
    rig.noise = 1e-3;
    arm_rig_start(&rig, 0.3, -0.5);
    arm_rig_run(&rig, 1, 30, NULL);
    arm_rig_run(&rig, away, 20, NULL);
    copy = rig;
    arm_rig_run(&rig, away, 100, NULL);
    memset(rig.state, 0x55, 8); // nothing is left behind outside of it
    arm_rig_run(&copy, away, 100, NULL);
    assert_true(copy.volts[0] == rig.volts[0] && copy.volts[1] == rig.volts[1]);
    assert_memory_equal(copy.x, rig.x, sizeof copy.x);
    arm_rig_close(&rig);
}

// Goal: a config without sense is refused. Method: one of each.
static void settings_without_sense_are_refused(void **unused)
{
    (void)unused;
    ib_Error error;
    arm_rig_init(&rig, 11);
    rig.config.period = 0.5;
    assert_int_equal(ib_arm_follow_init(&rig.config, &rig.plan, &rig.arena, &rig.follower, &error),
                     IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "period: 500 ms is too long for this arm"));
    rig.config = ib_arm_follow_default();
    rig.config.weights.velocity[1] = 0;
    assert_int_equal(ib_arm_follow_init(&rig.config, &rig.plan, &rig.arena, &rig.follower, &error),
                     IB_BAD_INPUT);
    rig.config = ib_arm_follow_default();
    rig.config.volts = NAN;
    assert_int_equal(ib_arm_follow_init(&rig.config, &rig.plan, &rig.arena, &rig.follower, &error),
                     IB_BAD_INPUT);
    arm_rig_close(&rig);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_is_met),
        cmocka_unit_test(noise_and_an_unknown_load_are_borne),
        cmocka_unit_test(a_constant_disturbance_is_taken_up),
        cmocka_unit_test(a_low_supply_slows_the_way),
        cmocka_unit_test(an_arm_that_is_held_up_is_waited_for),
        cmocka_unit_test(missing_samples_are_left_out),
        cmocka_unit_test(it_begins_anywhere),
        cmocka_unit_test(a_new_goal_in_mid_motion_is_smooth),
        cmocka_unit_test(many_changes_are_followed),
        cmocka_unit_test(a_goal_that_comes_back_needs_no_new_way),
        cmocka_unit_test(a_post_in_the_new_way_makes_it_brake_first),
        cmocka_unit_test(a_wide_post_makes_it_finish_its_way),
        cmocka_unit_test(without_a_free_way_it_stays),
        cmocka_unit_test(its_own_ways_keep_the_margin),
        cmocka_unit_test(tracks_lead_on_by_other_goals),
        cmocka_unit_test(a_state_is_all_there_is),
        cmocka_unit_test(settings_without_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
