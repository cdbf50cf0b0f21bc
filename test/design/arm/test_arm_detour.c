// test/design/arm/test_arm_detour.c: ways round obstacles, against a string that is pulled tight.
#include "cmocka_all.h"

#include "control/scene_rig.h"
#include "design/arm/arm_detour.h"

static ib_Error error;
static ib_ArmDetour detours[IB_ARM_DETOURS];

static ib_ArmErrand errand(double margin)
{
    return (ib_ArmErrand){.start = {RIG_START[0], RIG_START[1]},
                          .goal = {RIG_GOAL[0], RIG_GOAL[1]},
                          .margin = margin};
}

static int find(const ib_ArmScene *scene, const ib_ArmErrand *wanted)
{
    int count;
    if (ib_arm_detours_find(scene, wanted, detours, &count, &error) != IB_OK)
        fail_msg("%s", error.text);
    return count;
}

static double apart(const double a[2], const double b[2])
{
    double d[2] = {a[0] - b[0], a[1] - b[1]};
    return sqrt(d[0] * d[0] + d[1] * d[1]);
}

// ------------------------------------------------------------------------------------------- sharp

// Goal: both discs block the straight line, neither by a hair.
static void both_discs_block_the_straight_line(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        ib_ArmScene scene = rig_scene();
        scene.disc[0] = scene.disc[k];
        scene.discs = 1;
        ib_ArmNear near = ib_arm_scene_line(&scene, RIG_START, RIG_GOAL);
        assert_true(near.distance < -0.03);
    }
}

// A string of 200 beads along a detour is pulled tight: each bead goes half-way between its
// neighbours, or to the surface of the disc that it is then in. Its length is that of the shortest
// way on this side of everything.
static double pull_tight(const ib_ArmScene *scene, const ib_ArmDetour *detour, double margin)
{
    enum { BEADS = 201, SWEEPS = IB_ROUNDS(20000, 4000) };
    static double bead[BEADS][2];
    const ib_ArmPlaces *places = &detour->places;
    int line = 0;
    double before = 0, length = 0;
    for (int k = 0; k < BEADS; k++) {
        double at = detour->length * k / (BEADS - 1);
        while (line + 2 < places->count &&
               at > before + apart(places->th[line], places->th[line + 1])) {
            before += apart(places->th[line], places->th[line + 1]);
            line++;
        }
        double part = (at - before) / apart(places->th[line], places->th[line + 1]);
        for (int i = 0; i < 2; i++)
            bead[k][i] =
                places->th[line][i] + part * (places->th[line + 1][i] - places->th[line][i]);
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int k = 1; k < BEADS - 1; k++) {
            for (int i = 0; i < 2; i++) bead[k][i] = 0.5 * (bead[k - 1][i] + bead[k + 1][i]);
            for (int n = 0; n < 4; n++) {
                ib_ArmNear near = ib_arm_scene_near(scene, bead[k]);
                double lacks = margin - near.distance;
                double size = near.slope[0] * near.slope[0] + near.slope[1] * near.slope[1];
                if (lacks <= 0) break;
                for (int i = 0; i < 2; i++) bead[k][i] += lacks * near.slope[i] / size;
            }
        }
    for (int k = 1; k < BEADS; k++) length += apart(bead[k - 1], bead[k]);
    return length;
}

// Goal: detours are clear, come in order, and are the shortest of their kind. Method: the tight
// string is shorter by what a few corners add to a way that hugs a disc, below 1 %, and not longer
// by more than its chords cut into the disc.
static void detours_are_clear_and_as_short_as_a_tight_string(void **state)
{
    (void)state;
    for (int clear = 0; clear < 2; clear++) {
        ib_ArmScene scene = rig_scene();
        scene.clear = clear ? IB_ARM_CLEAR_LINKS : IB_ARM_CLEAR_HAND;
        ib_ArmErrand wanted = errand(0.005);
        int count = find(&scene, &wanted);
        assert_true(count >= 2);
        for (int k = 0; k < count; k++) {
            const ib_ArmPlaces *places = &detours[k].places;
            double length = 0;
            assert_memory_equal(places->th[0], RIG_START, sizeof RIG_START);
            assert_memory_equal(places->th[places->count - 1], RIG_GOAL, sizeof RIG_GOAL);
            for (int n = 0; n + 1 < places->count; n++) {
                ib_ArmNear near = ib_arm_scene_line(&scene, places->th[n], places->th[n + 1]);
                assert_true(near.least >= wanted.margin - 2 * IB_ARM_SCENE_EXACT);
                length += apart(places->th[n], places->th[n + 1]);
            }
            assert_close(length, detours[k].length, 1e-12);
            assert_true(k == 0 || detours[k].length >= detours[k - 1].length);
        }
        double tight = pull_tight(&scene, &detours[0], wanted.margin);
        assert_true(detours[0].length > tight - 1e-3 && detours[0].length < 1.01 * tight);
    }
}

// Goal: the hand passes the bar on one side only (beyond it is out of reach) and the lamp on both;
// links only on one.
static void the_two_shortest_pass_the_lamp_on_either_side(void **state)
{
    (void)state;
    ib_ArmScene scene = rig_scene();
    ib_ArmErrand wanted = errand(0);
    ib_ArmPlant arm = reference_arm();
    double far[2] = {0, 0};
    find(&scene, &wanted);
    for (int k = 0; k < 2; k++) {
        // The nearest place to the lamp: is it further from the first joint than the lamp?
        const ib_ArmPlaces *places = &detours[k].places;
        ib_ArmScene lamp = scene;
        lamp.disc[0] = lamp.disc[1];
        lamp.discs = 1;
        double nearest = INFINITY;
        for (int n = 0; n + 1 < places->count; n++) {
            ib_ArmNear near = ib_arm_scene_line(&lamp, places->th[n], places->th[n + 1]);
            if (near.distance > nearest) continue;
            double hand[2];
            ib_two_link_hand(&arm.link, near.th, hand);
            nearest = near.distance;
            far[k] = sqrt(hand[0] * hand[0] + hand[1] * hand[1]);
        }
    }
    double lamp = sqrt(1.50 * 1.50 + 1.35 * 1.35);
    assert_true((far[0] > lamp) != (far[1] > lamp));
}

static void a_clear_line_is_its_own_detour(void **state)
{
    (void)state;
    ib_ArmScene scene = rig_scene();
    ib_ArmErrand wanted = errand(0);
    scene.discs = 0;
    assert_int_equal(find(&scene, &wanted), 1);
    assert_int_equal(detours[0].places.count, 2);
    assert_close(detours[0].length, sqrt(1 + 1.4 * 1.4), 1e-15);
}

// ------------------------------------------------------------------------------------------- round

// Goal: round corners are clear, bend by 1/0.2 at most, and cost little length. Method: 2001 points
// of the shortest; a corner of d that is rounded by r outside an obstacle adds less than
// r (2 tan(d/2) - d), here below 0.05 rad for both.
static void round_corners_are_clear_and_round(void **state)
{
    (void)state;
    enum { COUNT = 2001 };
    static ib_ArmPoint points[COUNT];
    ib_ArmScene scene = rig_scene();
    ib_ArmErrand wanted = errand(0);
    ib_ArmDetour rounded;
    ib_ArmPath path = {COUNT, points};
    double most = 0;
    find(&scene, &wanted);
    assert_int_equal(ib_arm_detour_round(&scene, &wanted, &detours[0], 0.2, &rounded, &error), 0);
    assert_close(rounded.radius, 0.2, 0);
    assert_int_equal(ib_arm_detour_path(&rounded, COUNT, points, &error), IB_OK);
    assert_true(ib_arm_scene_along(&scene, &path).least > -1e-4); // it was checked on 96 points
    for (int k = 0; k < COUNT; k++) {
        double bend =
            sqrt(points[k].bend[0] * points[k].bend[0] + points[k].bend[1] * points[k].bend[1]);
        if (bend > most) most = bend;
    }
    assert_close(most, 5, 1e-9);
    assert_close(points[COUNT - 1].s, rounded.length, 1e-9);
    double tight = pull_tight(&scene, &detours[0], 0);
    assert_true(rounded.length > tight - 1e-3 && rounded.length < tight + 0.05);
}

// Goal: where there is no room for a radius, the largest that fits is taken and said. Method: 3 rad
// is longer than the whole way.
static void a_radius_without_room_becomes_smaller(void **state)
{
    (void)state;
    ib_ArmScene scene = rig_scene();
    ib_ArmErrand wanted = errand(0);
    ib_ArmDetour rounded;
    find(&scene, &wanted);
    assert_int_equal(ib_arm_detour_round(&scene, &wanted, &detours[0], 3, &rounded, &error), 0);
    assert_true(rounded.radius < 3 && rounded.radius > 0.3);
}

static void a_sharp_detour_is_no_path(void **state)
{
    (void)state;
    ib_ArmPoint points[10];
    ib_ArmScene scene = rig_scene();
    ib_ArmErrand wanted = errand(0);
    find(&scene, &wanted);
    assert_int_equal(ib_arm_detour_path(&detours[0], 10, points, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "round it first"));
}

// ---------------------------------------------------------------------------------------- refusals

static void refuses(const ib_ArmScene *scene, const ib_ArmErrand *wanted, const char *says)
{
    int count;
    assert_int_equal(ib_arm_detours_find(scene, wanted, detours, &count, &error), IB_BAD_INPUT);
    if (!strstr(error.text, says)) fail_msg("%s", error.text);
}

// Goal: a blocked start or goal is named; a wall without a gap too. Method: discs over the hand, a
// limit of the elbow beyond both; the elbow must open by 0.4 rad through a band that is forbidden
// by two discs as large as the reach.
static void what_cannot_be_gone_is_refused_by_name(void **state)
{
    (void)state;
    ib_ArmPlant arm = reference_arm();
    ib_ArmScene scene = rig_scene();
    ib_ArmErrand wanted = errand(0);
    ib_two_link_hand(&arm.link, RIG_START, scene.disc[1].place);
    refuses(&scene, &wanted, "the start is inside of obstacle 'lamp' by 0.2 m");
    ib_two_link_hand(&arm.link, RIG_GOAL, scene.disc[1].place);
    refuses(&scene, &wanted, "the goal is inside of obstacle 'lamp' by 0.2 m");
    scene = rig_scene();
    scene.elbow_high = 0.7;
    refuses(&scene, &wanted, "the start takes the elbow, theta1 - theta2, to 0.8 rad");
    // A disc at the first joint and one ahead of the arm leave no way from above to the front.
    scene = rig_scene();
    scene.clear = IB_ARM_CLEAR_LINKS;
    scene.disc[1] = (ib_ArmDisc){.name = "wall", .place = {0.8, 0.8}, .radius = 0.3};
    scene.low[0] = -0.5, scene.high[0] = 1.6, scene.low[1] = -1, scene.high[1] = 1.6;
    refuses(&scene, &wanted, "there is no way");
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_discs_block_the_straight_line),
        ib_plain_test(detours_are_clear_and_as_short_as_a_tight_string),
        cmocka_unit_test(the_two_shortest_pass_the_lamp_on_either_side),
        cmocka_unit_test(a_clear_line_is_its_own_detour),
        cmocka_unit_test(round_corners_are_clear_and_round),
        cmocka_unit_test(a_radius_without_room_becomes_smaller),
        cmocka_unit_test(a_sharp_detour_is_no_path),
        cmocka_unit_test(what_cannot_be_gone_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
