// Goals of a body, of feet and along a path, as angles of joints.
#include "cmocka_all.h"
#include "control/leg/leg_goals.h"
#include "legs_rig.h"

#include <math.h>
#include <string.h>

static const double pose[3] = {0, -34, 80};

static ib_LegGoals make(const ib_LegGoalsConfig *config)
{
    LegsNames names;
    ib_ControlLegs told = legs_told(pose, &names);
    ib_LegGoals goals;
    ib_Error error;
    if (ib_leg_goals_init(config, &told, &goals, &error) != IB_OK) fail_msg("%s", error.text);
    return goals;
}

// Where the foot of a leg with these angles is in the body's frame.
static void foot_of(const ib_LegGoals *goals, int leg, const double *angle, double foot[3])
{
    double in_shoulder[3];
    ib_leg_foot(&goals->leg_model, angle, in_shoulder);
    ib_pose_point(&goals->shoulders[leg], in_shoulder, foot);
}

// Goal: feet stay where they are while the body moves above them. Method: a body that shall be
// higher, forward, to the left, pitched and rolled; the angles put every foot into the body's frame
// such that the body's new pose takes it back to where it started, to rounding (1e-12 m of 0.5 m).
static void feet_stay_below_a_body_that_moves(void **state)
{
    (void)state;
    ib_LegGoals goals = make(&(ib_LegGoalsConfig){.mode = IB_LEGS_STAND});
    // Reference sheet C: at this pose feet are 0.8 - 0.4808906060 m below the body.
    assert_close(goals.below, 0.8 - 0.4808906060, 1e-9);
    const double command[IB_STAND_GOALS] = {0.33, 0.02, -0.01, 0.06, -0.04};
    const double place[3] = {0.02, -0.01, 0.33 - goals.below}, attitude[3] = {0, 0.06, -0.04};
    ib_Pose field = ib_pose_field(), body = ib_pose_in(&field, place, attitude);
    assert_int_equal(ib_leg_goals_count(&goals), IB_STAND_GOALS);
    for (int leg = 0; leg < IB_LEG_LEGS; leg++) {
        double angle[3], foot[3], there[3];
        assert_true(ib_leg_goals_at(&goals, command, 0, leg, angle));
        foot_of(&goals, leg, angle, foot);
        ib_pose_point(&body, foot, there);
        for (int k = 0; k < 3; k++) assert_close(there[k], goals.feet[leg][k], 1e-12);
    }
}

// Goal: a body that shall stay as it starts asks for the angles of its start. Method: its own
// height and nothing else; 1e-9 rad, which a knee of 80 degrees makes of rounding.
static void the_start_is_its_own_goal(void **state)
{
    (void)state;
    ib_LegGoals goals = make(&(ib_LegGoalsConfig){.mode = IB_LEGS_STAND});
    double command[IB_STAND_GOALS] = {goals.below}, angle[3];
    for (int leg = 0; leg < IB_LEG_LEGS; leg++) {
        assert_true(ib_leg_goals_at(&goals, command, 7, leg, angle));
        for (int j = 0; j < 3; j++) assert_close(angle[j], pose[j] * LIMB_DEGREE, 1e-9);
    }
}

// Goal: feet are told in the body's or in their shoulder's frame. Method: points of the
// reference sheet for (20, -34, 56) degrees: in the shoulder's frame, and of L1 in the world
// with the body at z = 0.8 m, which is (0, 0, 0.8) off the body's frame. Its digits are 1e-10;
// angles follow to 1e-8.
static void feet_are_told_in_either_frame(void **state)
{
    (void)state;
    const double wanted[3] = {20, -34, 56};
    double command[IB_LEGS_JOINTS] = {0.5164554637, 0.1879744161, 0.0175970223}, angle[3];
    ib_LegGoals goals =
        make(&(ib_LegGoalsConfig){.mode = IB_LEGS_FEET, .frame = IB_FEET_IN_SHOULDER});
    assert_int_equal(ib_leg_goals_count(&goals), IB_LEGS_JOINTS);
    assert_true(ib_leg_goals_at(&goals, command, 0, IB_LEG_FL, angle));
    for (int j = 0; j < 3; j++) assert_close(angle[j], wanted[j] * LIMB_DEGREE, 1e-8);
    goals = make(&(ib_LegGoalsConfig){.mode = IB_LEGS_FEET, .frame = IB_FEET_IN_BODY});
    memcpy(command, (double[]){0.1870255839, 0.5020620627, 0.5484117365 - 0.8},
           3 * sizeof *command);
    assert_true(ib_leg_goals_at(&goals, command, 0, IB_LEG_FL, angle));
    for (int j = 0; j < 3; j++) assert_close(angle[j], wanted[j] * LIMB_DEGREE, 1e-8);
}

// Goal: what no leg reaches is told, and leaves each joint within its range. Method: a foot a metre
// ahead; a body 70 cm above its feet, for which the knee stretches as far as it can.
static void what_is_out_of_reach_is_told(void **state)
{
    (void)state;
    double far[IB_LEGS_JOINTS] = {1, 1, 1}, high[IB_STAND_GOALS] = {0.7}, angle[3];
    ib_LegGoals goals = make(&(ib_LegGoalsConfig){.mode = IB_LEGS_FEET});
    assert_false(ib_leg_goals_at(&goals, far, 0, 0, angle));
    goals = make(&(ib_LegGoalsConfig){.mode = IB_LEGS_STAND});
    assert_false(ib_leg_goals_at(&goals, high, 0, 0, angle));
    assert_close(angle[IB_LEG_GAMMA], goals.leg_model.range[IB_LEG_GAMMA][0], 0);
    for (int j = 0; j < IB_LEG_JOINTS; j++)
        assert_true(angle[j] >= goals.leg_model.range[j][0] &&
                    angle[j] <= goals.leg_model.range[j][1]);
}

static const ib_LegGoalsConfig walking = {.mode = IB_LEGS_PATH,
                                          .leg = IB_LEG_FR,
                                          .start = 2,
                                          .length = 0.2,
                                          .height = 0.05,
                                          .duty = 0.5,
                                          .slow = 4,
                                          .fast = 1,
                                          .cycles = 2};

// Goal: the foot goes to the rear end, up to the front, and is dragged back; the others stay.
// Method: a path of 20 cm about where the foot starts: in the body's frame it is 10 cm behind at
// its start, 10 cm ahead where the arc ends (half a period later), 5 cm up in its middle; 1e-9 m.
static void a_foot_walks_from_rear_to_front(void **state)
{
    (void)state;
    ib_LegGoals goals = make(&walking);
    static const struct {
        double t, ahead, up;
    } rows[] = {{0, 0, 0}, {2, -0.1, 0}, {4, 0.1, 0}, {5, 0, 0}, {6, -0.1, 0}, {99, -0.1, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double angle[3], foot[3];
        assert_true(ib_leg_goals_at(&goals, NULL, rows[i].t, IB_LEG_FR, angle));
        foot_of(&goals, IB_LEG_FR, angle, foot);
        assert_close(foot[0] - goals.feet[IB_LEG_FR][0], rows[i].ahead, 1e-9);
        assert_close(foot[1] - goals.feet[IB_LEG_FR][1], 0, 1e-9);
        assert_close(foot[2] - goals.feet[IB_LEG_FR][2], rows[i].up, 1e-9);
        assert_true(ib_leg_goals_at(&goals, NULL, rows[i].t, IB_LEG_RL, angle));
        for (int j = 0; j < 3; j++) assert_close(angle[j], pose[j] * LIMB_DEGREE, 0);
    }
    double angle[3], foot[3];
    assert_true(ib_leg_goals_at(&goals, NULL, 3, IB_LEG_FR, angle));
    foot_of(&goals, IB_LEG_FR, angle, foot);
    assert_close(foot[2] - goals.feet[IB_LEG_FR][2], 0.05, 1e-9);
}

// Goal: no joint jumps on the whole way, the way to its start included. Method: 1 ms apart, angles
// differ by no more than the fastest foot moves: 1.9 times 40 cm/s of a fast arc's mean speed, at
// the shortest lever of 0.2 m: 4e-3 rad. Cycles are counted.
static void no_joint_jumps(void **state)
{
    (void)state;
    ib_LegGoals goals = make(&walking);
    double before[3], angle[3];
    assert_true(ib_leg_goals_at(&goals, NULL, 0, IB_LEG_FR, before));
    for (int i = 1; i <= 13000; i++) {
        assert_true(ib_leg_goals_at(&goals, NULL, 1e-3 * i, IB_LEG_FR, angle));
        for (int j = 0; j < 3; j++) assert_close(angle[j], before[j], 4e-3);
        memcpy(before, angle, sizeof before);
    }
    static const double times[] = {0, 1.999, 2.001, 5.999, 6.001, 10.001, 11.001, 12.001, 50};
    static const int cycles[] = {0, 0, 1, 1, 2, 3, 4, 4, 4};
    for (int i = 0; i < 9; i++) assert_int_equal(ib_leg_goals_cycle(&goals, times[i]), cycles[i]);
}

// Goal: a path that the leg cannot follow, or without cycles, is refused by its key. Method: a
// metre long; no period at all.
static void a_path_out_of_reach_is_refused(void **state)
{
    (void)state;
    LegsNames names;
    ib_ControlLegs told = legs_told(pose, &names);
    ib_LegGoalsConfig config = walking;
    ib_LegGoals goals;
    ib_Error error;
    config.length = 1;
    assert_int_equal(ib_leg_goals_init(&config, &told, &goals, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "foot_path: "));
    config = walking;
    config.slow = config.fast = 0;
    assert_int_equal(ib_leg_goals_init(&config, &told, &goals, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "foot_path.slow: "));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(feet_stay_below_a_body_that_moves),
        cmocka_unit_test(the_start_is_its_own_goal),
        cmocka_unit_test(feet_are_told_in_either_frame),
        cmocka_unit_test(what_is_out_of_reach_is_told),
        cmocka_unit_test(a_foot_walks_from_rear_to_front),
        cmocka_unit_test(no_joint_jumps),
        cmocka_unit_test(a_path_out_of_reach_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
