// test/control/test_arm_scene.c: distances from discs and limits, at a place and along a path.
#include "cmocka_all.h"

#include "control/scene_rig.h"
#include "spread.h"

static ib_Error error;

static double uniform(int stream, int index, double low, double high)
{
    return low + (high - low) * chance_uniform(19, (uint64_t)stream, (uint64_t)index);
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

static void put_disc(ib_ArmScene *scene, const char *name, double x, double z, double radius)
{
    ib_ArmDisc *disc = &scene->disc[scene->discs++];
    strcpy(disc->name, name);
    disc->place[0] = x, disc->place[1] = z, disc->radius = radius;
}

static ib_ArmScene empty(void)
{
    ib_ArmPlant arm = reference_arm();
    return ib_arm_scene_default(&arm.link);
}

// ----------------------------------------------------------------------------------- configuration

// Goal: distance and slope of the hand. Method: straight up, a disc 0.3 m in front of the hand: the
// distance is 0.3 - 0.1 - 0.05, and each angle brings the hand nearer by its link's length.
static void a_hand_straight_up_is_beside_its_disc(void **state)
{
    (void)state;
    ib_ArmScene scene = empty();
    double l1 = scene.length[0], l2 = scene.length[1], slope[2];
    const double up[2] = {0, 0};
    scene.radius = 0.05;
    put_disc(&scene, "ball", 0.3, l1 + l2, 0.1);
    assert_close(ib_arm_scene_from_disc(&scene, 0, up, slope), 0.15, 1e-15);
    assert_close(slope[0], -l1, 1e-15);
    assert_close(slope[1], -l2, 1e-15);
    ib_ArmNear near = ib_arm_scene_near(&scene, up);
    assert_int_equal(near.thing, IB_ARM_DISC);
    assert_close(near.distance, 0.15, 1e-15);
}

// Goal: links are rounded bars. Method: the first link lies forward, the second stands up. Discs
// beside the middle of each, behind the first joint and beyond the hand have distances that are
// read off.
static void links_are_bars_with_round_ends(void **state)
{
    (void)state;
    const double pi_2 = 1.5707963267948966, th[2] = {pi_2, 0};
    ib_ArmScene scene = empty();
    double l1 = scene.length[0], l2 = scene.length[1];
    scene.radius = 0.04;
    scene.clear = IB_ARM_CLEAR_LINKS;
    put_disc(&scene, "under the first", 0.5 * l1, -0.3, 0.1);
    put_disc(&scene, "before the second", l1 + 0.2, 0.5 * l2, 0.1);
    put_disc(&scene, "behind the joint", -0.3, -0.4, 0.1);
    put_disc(&scene, "beyond the hand", l1 + 0.6, l2 + 0.8, 0.1);
    const double wanted[4] = {0.3, 0.2, 0.5, 1.0};
    // t(th1) is straight down, t(th2) forward: how each point comes nearer is read off too.
    const double slopes[4][2] = {{-0.5 * l1, 0}, {0, -0.5 * l2}, {0, 0}, {0.8 * l1, -0.6 * l2}};
    for (int k = 0; k < 4; k++) {
        double slope[2];
        assert_close(ib_arm_scene_from_disc(&scene, k, th, slope), wanted[k] - 0.14, 1e-15);
        for (int i = 0; i < 2; i++) assert_close(slope[i], slopes[k][i], 1e-15);
    }
    // The hand alone does not see what is beside the links.
    scene.clear = IB_ARM_CLEAR_HAND;
    assert_true(ib_arm_scene_from_disc(&scene, 0, th, NULL) > 1);
}

// Goal: slopes. Method: central differences over 1e-6 rad, whose own error is about 1e-12/1e-6 of
// rounding and 1e-12 of curvature; near the middle of a disc the curvature is larger, 1e-5 allowed.
static void slopes_are_those_of_the_distance(void **state)
{
    (void)state;
    ib_ArmScene scene = rig_scene();
    scene.elbow_low = -2, scene.elbow_high = 2, scene.low[0] = -1, scene.high[1] = 2;
    int seen[6] = {0};
    for (int k = 0; k < 2000; k++) {
        scene.clear = k & 1 ? IB_ARM_CLEAR_LINKS : IB_ARM_CLEAR_HAND;
        const double th[2] = {uniform(1, k, -1.2, 2.5), uniform(2, k, -1.2, 2.5)}, h = 1e-6;
        ib_ArmNear near = ib_arm_scene_near(&scene, th);
        seen[near.thing]++;
        for (int i = 0; i < 2; i++) {
            double less[2] = {th[0], th[1]}, more[2] = {th[0], th[1]};
            less[i] -= h, more[i] += h;
            ib_ArmNear before = ib_arm_scene_near(&scene, less);
            ib_ArmNear behind = ib_arm_scene_near(&scene, more);
            // Where another thing becomes the nearest, there is no slope.
            if (before.thing != near.thing || before.index != near.index) continue;
            if (behind.thing != near.thing || behind.index != near.index) continue;
            assert_close((behind.distance - before.distance) / (2 * h), near.slope[i], 1e-5);
        }
    }
    assert_true(seen[IB_ARM_DISC] > 100 && seen[IB_ARM_LOW] > 10 && seen[IB_ARM_HIGH] > 10);
    assert_true(seen[IB_ARM_ELBOW_LOW] > 10 && seen[IB_ARM_ELBOW_HIGH] > 10);
}

// ------------------------------------------------------------------------------------------- paths

// Goal: what lies between two points of a path is found. Method: a path of two points that goes
// through a disc of 1 mm; both its ends are far away.
static void a_needle_between_two_points_is_found(void **state)
{
    (void)state;
    ib_ArmScene scene = empty();
    double middle[2] = {0.8, 0.2}, hand[2], length = sqrt(1 + 1.4 * 1.4);
    ib_ArmPlant arm = reference_arm();
    ib_two_link_hand(&arm.link, middle, hand);
    put_disc(&scene, "needle", hand[0], hand[1], 1e-3);
    ib_ArmPoint points[2];
    for (int k = 0; k < 2; k++)
        points[k] = (ib_ArmPoint){
            .s = k * length, .th = {0.3 + k, -0.5 + 1.4 * k}, .way = {1 / length, 1.4 / length}};
    ib_ArmPath path = {2, points};
    ib_ArmNear near = ib_arm_scene_along(&scene, &path);
    assert_int_equal(near.thing, IB_ARM_DISC);
    assert_close(near.distance, -1e-3, IB_ARM_SCENE_EXACT);
    assert_close(near.s, 0.5 * length, 1e-4); // the needle is 1 mm, and 1 rad moves the hand 1 m
    assert_int_equal(near.point, 0);
    assert_false(ib_arm_scene_line_clear(&scene, RIG_START, RIG_GOAL, 0));
    assert_true(ib_arm_scene_line_clear(&scene, RIG_START, RIG_GOAL, -1.1e-3));

    assert_int_equal(ib_arm_scene_refuse(&scene, &near, 0, "the path", &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "needle"));
    assert_non_null(strstr(error.text, "s = 0.8602 rad"));
    near.distance = 0.1;
    assert_int_equal(ib_arm_scene_refuse(&scene, &near, 0.1, "the path", &error), IB_OK);
}

// A bent way of a few points: cubics between random ones, the length of each cell its chord's.
static void bend_a_way(int seed, int count, ib_ArmPoint *points)
{
    for (int k = 0; k < count; k++) {
        double turn = uniform(seed, 3 * k, -1, 1), s, c;
        ib_sincos(turn, &s, &c);
        points[k] = (ib_ArmPoint){.th = {0.3 * k + uniform(seed, 3 * k + 1, -0.2, 0.2),
                                         0.2 * k + uniform(seed, 3 * k + 2, -0.3, 0.3)},
                                  .way = {c, s}};
        if (k > 0) {
            double d[2] = {points[k].th[0] - points[k - 1].th[0],
                           points[k].th[1] - points[k - 1].th[1]};
            points[k].s = points[k - 1].s + sqrt(d[0] * d[0] + d[1] * d[1]);
        }
    }
}

// Goal: the nearest of a path is the nearest, and nothing is nearer than `least`. Method: 100 bent
// paths, hand and links, with discs and limits; 4000 places a cell through ib_arm_path_at.
static void nothing_on_a_path_is_nearer_than_what_is_said(void **state)
{
    (void)state;
    enum { POINTS = 5, FINE = 4000 };
    for (int seed = 100; seed < 200; seed += IB_ROUNDS(1, 5)) {
        ib_ArmScene scene = rig_scene();
        ib_ArmPoint points[POINTS];
        scene.clear = seed & 1 ? IB_ARM_CLEAR_LINKS : IB_ARM_CLEAR_HAND;
        if (seed % 3 == 0) scene.elbow_high = 0.4, scene.low[1] = -0.1;
        bend_a_way(seed, POINTS, points);
        ib_ArmPath path = {POINTS, points};
        ib_ArmNear near = ib_arm_scene_along(&scene, &path);
        double found = INFINITY;
        int hint = 0;
        for (int k = 0; k <= FINE * (POINTS - 1); k++) {
            double s = points[POINTS - 1].s * k / (FINE * (POINTS - 1));
            ib_ArmPoint at = ib_arm_path_at(&path, s, &hint);
            found = least(found, ib_arm_scene_near(&scene, at.th).distance);
        }
        assert_true(found >= near.least - 1e-12);
        assert_true(near.least >= near.distance - 1.001 * IB_ARM_SCENE_EXACT);
        // Between two of the places an angle changes by 3e-4 rad at most, a distance by half of it.
        assert_close(near.distance, found, 2e-4);
        ib_ArmPoint at = ib_arm_path_at(&path, near.s, NULL);
        assert_close(ib_arm_scene_near(&scene, at.th).distance, near.distance, 1e-9);
    }
}

// Goal: verdicts are those of dense sampling. Method: 1200 random lines past one disc, hand or
// links, judged at 1000 places by distances to points and to 100 points of each link. Where the
// densest is within 2 mm of touching, both may be right. Both verdicts must be common.
static void verdicts_are_those_of_dense_sampling(void **state)
{
    (void)state;
    ib_ArmPlant arm = reference_arm();
    enum { LINES = IB_ROUNDS(1200, 120) };
    int met = 0, free = 0;
    for (int n = 0; n < LINES; n++) {
        const double from[2] = {uniform(11, n, -1.5, 1.5), uniform(12, n, -1.5, 1.5)};
        const double to[2] = {uniform(13, n, -1.5, 1.5), uniform(14, n, -1.5, 1.5)};
        const double margin = 0.02;
        ib_ArmPoint points[5];
        ib_ArmPath path = {5, points};
        ib_ArmScene scene = empty();
        put_disc(&scene, "post", uniform(15, n, -2, 2), uniform(16, n, 0, 2.5),
                 uniform(17, n, 0.05, 0.25));
        const ib_ArmDisc *disc = &scene.disc[0];
        bool links = n % 2 == 0;
        scene.clear = links ? IB_ARM_CLEAR_LINKS : IB_ARM_CLEAR_HAND;
        assert_int_equal(ib_arm_path_straight(from, to, 5, points, &error), IB_OK);
        double left = INFINITY;
        for (int k = 0; k <= 1000; k++) {
            double th[2], joint[3][2] = {{0, 0}};
            for (int i = 0; i < 2; i++) th[i] = from[i] + (to[i] - from[i]) * k / 1000;
            ib_two_link_elbow(&arm.link, th, joint[1]);
            ib_two_link_hand(&arm.link, th, joint[2]);
            for (int link = links ? 0 : 1; link < 2; link++)
                for (int i = links ? 0 : 100; i <= 100; i++) {
                    double x = joint[link][0] + (joint[link + 1][0] - joint[link][0]) * i / 100;
                    double z = joint[link][1] + (joint[link + 1][1] - joint[link][1]) * i / 100;
                    left = least(left, hypot(x - disc->place[0], z - disc->place[1]));
                }
        }
        left -= disc->radius + margin;
        bool clear = ib_arm_scene_path_clear(&scene, &path, margin);
        met += !clear;
        free += clear;
        if (fabs(left) > 2e-3 && clear != (left > 0))
            fail_msg("line %d: %g m are left, but the verdict is %d", n, left, clear);
        if (fabs(left) > 2e-3)
            assert_true(clear == ib_arm_scene_line_clear(&scene, from, to, margin));
    }
    assert_true(met > LINES / 8 && free > LINES / 8);
}

// Goal: a path may end on a limit. Method: it is clear to what is exact, and not with 1e-4 less.
static void a_path_may_end_on_a_limit(void **state)
{
    (void)state;
    ib_ArmPoint points[9];
    ib_ArmPath path = {9, points};
    ib_ArmScene scene = empty();
    assert_int_equal(ib_arm_path_straight(RIG_START, RIG_GOAL, 9, points, &error), IB_OK);
    scene.high[1] = RIG_GOAL[1];
    scene.elbow_low = RIG_GOAL[0] - RIG_GOAL[1]; // it folds from 0.8 to 0.4
    assert_true(ib_arm_scene_path_clear(&scene, &path, -IB_ARM_SCENE_EXACT));
    scene.elbow_low += 1e-4;
    assert_false(ib_arm_scene_path_clear(&scene, &path, -IB_ARM_SCENE_EXACT));
    scene.elbow_low = -INFINITY;
    scene.high[1] -= 1e-4;
    assert_false(ib_arm_scene_path_clear(&scene, &path, -IB_ARM_SCENE_EXACT));
    ib_ArmNear near = ib_arm_scene_along(&scene, &path);
    assert_int_equal(near.thing, IB_ARM_HIGH);
    assert_int_equal(near.index, 1);
    assert_close(near.distance, -1e-4, 1e-12);
}

// Goal: limits have names and places. Method: lines that run beyond one limit each.
static void a_limit_is_named(void **state)
{
    (void)state;
    const struct {
        double to[2];
        const char *says;
    } rows[] = {
        {{-1.5, 0}, "first joint to -1.5 rad at s = 1.5 rad: expected at least -1"},
        {{0, 2.5}, "second joint to 2.5 rad at s = 2.5 rad: expected at most 2"},
        {{1.9, -0.7}, "elbow, theta1 - theta2, to 2.6 rad at s = 2.025 rad: expected at most 2.5"},
    };
    const double from[2] = {0, 0};
    ib_ArmScene scene = empty();
    scene.low[0] = -1, scene.high[1] = 2, scene.elbow_high = 2.5;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        ib_ArmNear near = ib_arm_scene_line(&scene, from, rows[k].to);
        assert_int_equal(ib_arm_scene_refuse(&scene, &near, 0, "the way", &error), IB_BAD_INPUT);
        if (!strstr(error.text, rows[k].says)) fail_msg("%s", error.text);
    }
}

static void a_scene_without_anything_is_clear_everywhere(void **state)
{
    (void)state;
    ib_ArmScene scene = empty();
    ib_ArmNear near = ib_arm_scene_line(&scene, RIG_START, RIG_GOAL);
    assert_int_equal(near.thing, IB_ARM_NOTHING);
    assert_true(near.distance > 1e300 && near.least > 1e300);
    assert_int_equal(ib_arm_scene_refuse(&scene, &near, 1, "the path", &error), IB_OK);
}

// ---------------------------------------------------------------------------------------- refusals

static void a_scene_that_makes_no_sense_is_refused(void **state)
{
    (void)state;
    ib_ArmScene good = rig_scene(), bad;
    assert_int_equal(ib_arm_scene_check(&good, &error), IB_OK);
#define REFUSES(change, says)                                                                      \
    do {                                                                                           \
        bad = good;                                                                                \
        change;                                                                                    \
        assert_int_equal(ib_arm_scene_check(&bad, &error), IB_BAD_INPUT);                          \
        if (!strstr(error.text, says)) fail_msg("%s", error.text);                                 \
    } while (0)
    REFUSES(bad.disc[1].radius = 0, "'lamp' has a radius of 0 m");
    REFUSES(bad.disc[1].place[0] = NAN, "'lamp' is nowhere");
    REFUSES(strcpy(bad.disc[1].name, "bar"), "both called 'bar'");
    REFUSES(bad.disc[0].name[0] = 0, "disc 1 has no name");
    REFUSES(bad.radius = -1, "radius of -1 m");
    REFUSES((bad.low[1] = 1, bad.high[1] = 1), "joint 2 may go from 1 to 1 rad");
    REFUSES(bad.elbow_low = NAN, "the elbow may go from nan");
    REFUSES(bad.length[0] = 0, "link 1 is 0 m long");
    REFUSES(bad.discs = IB_ARM_DISCS + 1, "at most 16");
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hand_straight_up_is_beside_its_disc),
        cmocka_unit_test(links_are_bars_with_round_ends),
        cmocka_unit_test(slopes_are_those_of_the_distance),
        cmocka_unit_test(a_needle_between_two_points_is_found),
        cmocka_unit_test(nothing_on_a_path_is_nearer_than_what_is_said),
        cmocka_unit_test(verdicts_are_those_of_dense_sampling),
        cmocka_unit_test(a_path_may_end_on_a_limit),
        cmocka_unit_test(a_limit_is_named),
        cmocka_unit_test(a_scene_without_anything_is_clear_everywhere),
        cmocka_unit_test(a_scene_that_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
