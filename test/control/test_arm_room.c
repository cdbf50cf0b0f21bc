// Tests of the room of an arm: what a way meets, against dense sampling; plans that are refused.
#include "control/arm_follow_rig.h"

static ib_Error error;

// The arm's hand is turned about the shoulder, stretched out: it goes on a circle of l1 + l2.
static ib_ArmPath stretched(double from, double to, int count, ib_ArmPoint *points)
{
    const double a[2] = {from, from}, b[2] = {to, to};
    assert_int_equal(ib_arm_path_straight(a, b, count, points, &error), IB_OK);
    return (ib_ArmPath){count, points};
}

// Goal: a disc between two points is found, however far they are apart. Method: a stretched arm
// turns from -1 to 1 rad in one cell; a disc of 1 cm stands on the circle that its hand draws, one
// stands 2 cm inside of it: the hand misses that one, the second link does not.
static void a_disc_between_points_is_found(void **unused)
{
    (void)unused;
    ib_ArmPlant arm = rig_arm();
    ib_ArmPoint points[2];
    ib_ArmPath path = stretched(-1, 1, 2, points);
    double reach = arm.link.length[0] + arm.link.length[1];
    ib_ArmObstacle discs[2] = {{"far", 5, 5, 0.1, 0},
                               {"post", reach * sin(0.37), reach * cos(0.37), 0.01, 0}};
    ib_ArmRoom room = ib_arm_room_default();
    room.obstacle_count = 2;
    room.obstacles = discs;
    ib_ArmMeeting met = ib_arm_room_along(&room, &arm.link, &path);
    assert_int_equal(met.hindrance, IB_ARM_MEETS_OBSTACLE);
    assert_int_equal(met.index, 1);
    discs[1].x = (reach - 0.02) * sin(0.37), discs[1].z = (reach - 0.02) * cos(0.37);
    assert_int_equal(ib_arm_room_along(&room, &arm.link, &path).hindrance, IB_ARM_FREE);
    discs[1].clearance = 0.011; // 1 cm and 1.1 cm are more than 2 cm
    assert_int_equal(ib_arm_room_along(&room, &arm.link, &path).hindrance, IB_ARM_MEETS_OBSTACLE);
    discs[1].clearance = 0;
    room.links = true;
    met = ib_arm_room_along(&room, &arm.link, &path);
    assert_int_equal(met.hindrance, IB_ARM_MEETS_OBSTACLE);
    assert_int_equal(met.index, 1);
}

// Goal: verdicts are those of dense sampling. Method: 1200 random lines past one disc, hand or
// links, judged at 1000 places by distances to points and to 100 points of each link. Where the
// densest is within 2 mm of touching, both may be right. Both verdicts must be common.
static void verdicts_are_those_of_dense_sampling(void **unused)
{
    (void)unused;
    ib_ArmPlant arm = rig_arm();
    int met = 0, free = 0;
    for (uint64_t n = 0; n < 1200; n++) {
        double r[7];
        for (uint64_t i = 0; i < 7; i++) r[i] = ib_random_uniform(11, i, n);
        const double from[2] = {-1.5 + 3 * r[0], -1.5 + 3 * r[1]};
        const double to[2] = {-1.5 + 3 * r[2], -1.5 + 3 * r[3]};
        ib_ArmPoint points[5];
        ib_ArmObstacle disc = {"post", -2 + 4 * r[4], 2.5 * r[5], 0.05 + 0.2 * r[6], 0.02};
        ib_ArmRoom room = ib_arm_room_default();
        room.obstacle_count = 1;
        room.obstacles = &disc;
        room.links = n % 2 == 0;
        ib_ArmPath path = {5, points};
        assert_int_equal(ib_arm_path_straight(from, to, 5, points, &error), IB_OK);
        double least = INFINITY;
        for (int k = 0; k <= 1000; k++) {
            double th[2], joint[3][2] = {{0, 0}};
            for (int i = 0; i < 2; i++) th[i] = from[i] + (to[i] - from[i]) * k / 1000;
            ib_two_link_elbow(&arm.link, th, joint[1]);
            ib_two_link_hand(&arm.link, th, joint[2]);
            for (int link = room.links ? 0 : 1; link < 2; link++)
                for (int i = room.links ? 0 : 100; i <= 100; i++) {
                    double x = joint[link][0] + (joint[link + 1][0] - joint[link][0]) * i / 100;
                    double z = joint[link][1] + (joint[link + 1][1] - joint[link][1]) * i / 100;
                    least = fmin(least, hypot(x - disc.x, z - disc.z));
                }
        }
        least -= disc.radius + disc.clearance;
        bool hits = ib_arm_room_along(&room, &arm.link, &path).hindrance != IB_ARM_FREE;
        met += hits;
        free += !hits;
        if (fabs(least) > 2e-3 && hits != (least < 0))
            fail_msg("line %d: %g m are left, but the verdict is %d", (int)n, least, hits);
    }
    assert_true(met > 200 && free > 200);
}

// Goal: limits of joints and elbow are named; a goal on a limit is within it. Method: one of each.
static void limits_are_named(void **unused)
{
    (void)unused;
    ib_ArmPlant arm = rig_arm();
    ib_ArmPoint points[9];
    const double from[2] = {0.3, -0.5}, to[2] = {1.3, 0.9};
    assert_int_equal(ib_arm_path_straight(from, to, 9, points, &error), IB_OK);
    ib_ArmPath path = {9, points};
    ib_ArmRoom room = ib_arm_room_default();
    room.high[1] = 0.9;
    assert_int_equal(ib_arm_room_along(&room, &arm.link, &path).hindrance, IB_ARM_FREE);
    room.high[1] = 0.8;
    ib_ArmMeeting met = ib_arm_room_along(&room, &arm.link, &path);
    assert_int_equal(met.hindrance, IB_ARM_MEETS_LIMIT);
    assert_int_equal(met.index, 1);
    assert_int_equal(met.point, 7); // the last cell
    room.high[1] = INFINITY;
    room.elbow_low = 0.5; // th1 - th2 goes from 0.8 to 0.4
    met = ib_arm_room_along(&room, &arm.link, &path);
    assert_int_equal(met.hindrance, IB_ARM_MEETS_LIMIT);
    assert_int_equal(met.index, 2);
    room.low[0] = 0.35; // met before that
    met = ib_arm_room_along(&room, &arm.link, &path);
    assert_int_equal(met.index, 0);
    assert_int_equal(met.point, 0);
    assert_close(met.missing, 0.05, 1e-12);
}

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
    rig.tracks[0].to = 0;
    assert_refused(&rig, "track 1: expected one from a goal to another");
    rig.tracks[0].to = 1;
    rig.goals[1].th[0] += 1e-3;
    assert_refused(&rig, "track 1: it does not lead from 'low' to 'high'");
    rig.goals[1].th[0] = NAN;
    assert_refused(&rig, "goal 'high': expected two finite angles");
    rig.goals[1].th[0] = 1.3;
    rig.plan.room.high[0] = 1;
    assert_refused(&rig, "goal 'high' is 0.3 rad beyond the limit of joint 1");
    rig.plan.room.high[0] = -9;
    rig.plan.room.low[0] = -8;
    assert_refused(&rig, "joint 1: its limits are");
    rig.plan.room = ib_arm_room_default();
    rig.plan.room.obstacle_count = 1;
    rig.plan.room.obstacles = rig.obstacles;
    double hand[2];
    ib_two_link_hand(&rig.plan.plant.link, rig.goals[0].th, hand);
    rig.obstacles[0] = (ib_ArmObstacle){"post", hand[0], hand[1] + 0.2, 0.1, 0.15};
    assert_refused(&rig, "goal 'low' is 0.05 m too near to the obstacle 'post'");
    rig.obstacles[0].radius = 0;
    assert_refused(&rig, "obstacle 'post': expected a place, a radius above 0");
    rig.plan.goal_count = 0;
    assert_refused(&rig, "0 goals: expected 1 to 32");
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_disc_between_points_is_found),
        cmocka_unit_test(verdicts_are_those_of_dense_sampling),
        cmocka_unit_test(limits_are_named),
        cmocka_unit_test(plans_without_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
