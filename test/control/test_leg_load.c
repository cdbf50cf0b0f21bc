// The load that the cylinders of one leg hold.
#include "cmocka_all.h"
#include "control/leg/leg_load.h"
#include "cylinder_legs.h"

#include <string.h>

static ib_LegStrength thesis_strength(void)
{
    LegsNames names;
    ib_LegStrength strength;
    ib_ControlLegs legs = cylinder_legs(&names);
    ib_leg_strength(&legs, IB_LEG_FR, &strength);
    return strength;
}

// Goal: a cylinder pushes with the supply's pressure on one side and the exhaust's on the other,
// less the atmosphere on its rod, and its arm makes a torque of that. Method: the forces of the
// reference sheet, 191.105 N and -165.902 N, to their last digit; arms by differences of the rod's
// place over 2e-6 rad, whose rounding is 1e-9 of it.
static void a_cylinder_pulls_and_pushes_with_the_supply(void **state)
{
    (void)state;
    ib_LegStrength strength = thesis_strength();
    const double angle[3] = {0.3, -0.4, 1.2}, d = 1e-6;
    for (int j = 0; j < IB_LEG_JOINTS; j++) {
        const ib_LinkageModel *linkage = &strength.linkage[j];
        double torque[2], arm = (ib_linkage_at(linkage, angle[j] + d).x -
                                 ib_linkage_at(linkage, angle[j] - d).x) /
                                (2 * d);
        assert_close(strength.force[j][0], -165.902, 6e-4);
        assert_close(strength.force[j][1], 191.105, 6e-4);
        ib_leg_torques(&strength, j, angle[j], torque);
        assert_close(torque[j == 2 ? 0 : 1], 191.105 * arm, 1e-4); // extension lowers gamma
        assert_close(torque[j == 2 ? 1 : 0], -165.902 * arm, 1e-4);
    }
}

// Goal: a load over a joint asks nothing of it, one beside it its arm. Method: legs without weight
// straight down, with the femur level, and both level; closed forms.
static void loads_beside_a_joint_ask_for_their_arm(void **state)
{
    (void)state;
    ib_LegStrength strength = thesis_strength();
    const double right = 90 * LIMB_DEGREE, up[3] = {0, 0, 1};
    const double a2 = strength.leg_model.a2, a3 = strength.leg_model.a3;
    double torque[2], level[2];
    memset(strength.leg_model.mass, 0, sizeof strength.leg_model.mass);

    ib_LegLoad load = ib_leg_load(&strength, (const double[]){0, right, 0}, up, 9.8);
    assert_int_equal(load.joint, -1);
    assert_true(isinf(load.most) && load.most > 0);

    ib_leg_torques(&strength, IB_LEG_BETA, 0, torque);
    load = ib_leg_load(&strength, (const double[]){0, 0, right}, up, 9.8);
    assert_int_equal(load.joint, IB_LEG_BETA);
    assert_close(load.most, torque[1] / a2, 1e-9 * load.most);
    assert_close(load.least, torque[0] / a2, 1e-9 * load.most);

    ib_leg_torques(&strength, IB_LEG_GAMMA, 0, level);
    load = ib_leg_load(&strength, (const double[]){0, 0, 0}, up, 9.8);
    double beta = torque[1] / (a2 + a3), gamma = level[1] / a3;
    assert_int_equal(load.joint, beta < gamma ? IB_LEG_BETA : IB_LEG_GAMMA);
    assert_close(load.most, fmin(beta, gamma), 1e-9 * load.most);
}

// Height along `up` of the foot, and of a link's centre of mass.
static double height(const ib_LegModel *leg, const double th[3], int link, const double up[3])
{
    double place[3];
    ib_Pose frames[3];
    ib_leg_frames(leg, th, frames);
    if (link < 0)
        ib_leg_foot(leg, th, place);
    else
        ib_pose_point(&frames[link], leg->centre[link], place);
    return place[0] * up[0] + place[1] * up[1] + place[2] * up[2];
}

// Goal: with the greatest load the joint that is named has its greatest torque, and no other more
// than its own. Method: torques by virtual work, of differences of heights over 2e-6 rad, in 27
// poses and both with a shoulder that is level and one tilted; 1e-7 N m for their rounding.
static void the_named_joint_is_at_its_limit(void **state)
{
    (void)state;
    const double d = 1e-6, g = 9.8, ups[2][3] = {{0, 0, 1}, {-0.5, 0, 0.86602540378443865}};
    ib_LegStrength strength = thesis_strength();
    const ib_LegModel *leg = &strength.leg_model;
    for (int n = 0; n < 54; n++) {
        double th[3] = {(n % 3 - 1) * 0.4, -0.7 + 0.3 * (n / 3 % 3), 0.9 + 0.3 * (n / 9 % 3)};
        const double *up = ups[n / 27];
        ib_LegLoad load = ib_leg_load(&strength, th, up, g);
        for (int j = 0; j < IB_LEG_JOINTS; j++) {
            double more[3] = {th[0], th[1], th[2]}, less[3] = {th[0], th[1], th[2]}, limit[2];
            more[j] += d;
            less[j] -= d;
            double work = -load.most * (height(leg, more, -1, up) - height(leg, less, -1, up));
            for (int i = 0; i < IB_LEG_JOINTS; i++)
                work += leg->mass[i] * g * (height(leg, more, i, up) - height(leg, less, i, up));
            double torque = work / (2 * d);
            ib_leg_torques(&strength, j, th[j], limit);
            if (j == load.joint)
                assert_close(fmin(fabs(torque - limit[0]), fabs(torque - limit[1])), 0, 1e-7);
            assert_true(torque > limit[0] - 1e-7 && torque < limit[1] + 1e-7);
        }
    }
}

// Goal: at 50 psig a leg holds 34 N at (0, -34, 80) deg, 71 N at (0, -6, 78), 91 N at (0, -12, 90).
// Method: figures of another computation, to their last digit.
static void the_poses_hold_what_another_computation_says(void **state)
{
    (void)state;
    static const double rows[3][3] = {{-34, 80, 34}, {-6, 78, 71}, {-12, 90, 91}};
    const double up[3] = {-0.5, 0, 0.86602540378443865};
    ib_LegStrength strength = thesis_strength();
    for (int i = 0; i < 3; i++) {
        double th[3] = {0, rows[i][0] * LIMB_DEGREE, rows[i][1] * LIMB_DEGREE};
        assert_close(ib_leg_load(&strength, th, up, 9.8).most, rows[i][2], 0.5);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cylinder_pulls_and_pushes_with_the_supply),
        cmocka_unit_test(loads_beside_a_joint_ask_for_their_arm),
        cmocka_unit_test(the_named_joint_is_at_its_limit),
        cmocka_unit_test(the_poses_hold_what_another_computation_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
