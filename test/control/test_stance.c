// A body's weight shared by its feet; the force that a leg feels by its torques.
#include "cmocka_all.h"
#include "control/leg/stance.h"
#include "leg_rig.h"

#include <string.h>

static const ib_StanceConfig config = {.torque_cost = 10, .friction = 0.5};

// Feet of the thesis's robot at these angles, about a centre of mass that is aside of the middle.
static void place_feet(const double centre[2], ib_StanceFoot feet[IB_LEG_LEGS])
{
    const double th[3] = {0, -13 * LIMB_DEGREE, 88 * LIMB_DEGREE};
    ib_LegModel leg = thesis_leg();
    ib_Pose shoulders[IB_LEG_LEGS];
    thesis_shoulders(shoulders);
    for (int i = 0; i < IB_LEG_LEGS; i++) {
        double foot[3], J[9];
        ib_leg_foot(&leg, th, foot);
        ib_leg_jacobian(&leg, th, J);
        ib_pose_point(&shoulders[i], foot, feet[i].place);
        for (int k = 0; k < 2; k++) feet[i].place[k] -= centre[k];
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) {
                feet[i].jacobian[3 * r + c] = 0;
                for (int k = 0; k < 3; k++)
                    feet[i].jacobian[3 * r + c] += shoulders[i].turn[3 * r + k] * J[3 * k + c];
            }
        feet[i].load = 1;
    }
}

// Goal: the forces make the wrench that is asked for, with three feet and with four, pull nowhere
// and stay within friction. Method: 100 N up and 5 N to the left on a body that is 5 cm forward and
// 4 cm to the right; sums of forces and moments to 1e-6, as the matrix is softened by 1e-9.
static void forces_make_the_wrench(void **state)
{
    (void)state;
    const double force[3] = {0, 5, 100}, none[3] = {0}, up[3] = {0, 0, 1};
    for (int lifted = -1; lifted < IB_LEG_LEGS; lifted++) {
        if (lifted == IB_LEG_FR || lifted == IB_LEG_RR) continue; // these carry most
        ib_StanceFoot feet[IB_LEG_LEGS];
        double forces[IB_LEG_LEGS][3], sum[6] = {0};
        place_feet((const double[]){lifted < 0 ? 0.05 : 0, -0.06}, feet);
        if (lifted >= 0) feet[lifted].load = 0;
        ib_stance_share(&config, feet, IB_LEG_LEGS, force, none, up, forces);
        for (int i = 0; i < IB_LEG_LEGS; i++) {
            const double *p = feet[i].place, *f = forces[i];
            double along = sqrt(f[0] * f[0] + f[1] * f[1]);
            if (i == lifted) assert_close(f[2], 0, 0);
            assert_true(f[2] >= 0 && along <= 0.5 * f[2] + 1e-9);
            for (int k = 0; k < 3; k++) sum[k] += f[k];
            sum[3] += p[1] * f[2] - p[2] * f[1];
            sum[4] += p[2] * f[0] - p[0] * f[2];
            sum[5] += p[0] * f[1] - p[1] * f[0];
        }
        for (int k = 0; k < 3; k++) assert_close(sum[k], force[k], 1e-5);
        for (int k = 3; k < 6; k++) assert_close(sum[k], 0, 1e-5);
    }
}

// Goal: a foot whose load goes to 0 gives its share away without a jump. Method: loads of 1, 0.1,
// 1e-3 and 0 of one foot of a body in the middle: its force falls, and the last two differ by less
// than 0.1 N.
static void a_load_fades(void **state)
{
    (void)state;
    static const double loads[] = {1, 0.1, 1e-3, 0};
    const double force[3] = {0, 0, 100}, none[3] = {0}, up[3] = {0, 0, 1};
    double before = 100;
    for (int i = 0; i < 4; i++) {
        ib_StanceFoot feet[IB_LEG_LEGS];
        double forces[IB_LEG_LEGS][3];
        place_feet((const double[]){0, -0.06}, feet);
        feet[IB_LEG_RL].load = loads[i];
        ib_stance_share(&config, feet, IB_LEG_LEGS, force, none, up, forces);
        assert_true(forces[IB_LEG_RL][2] <= before);
        if (i == 3) assert_true(before < 0.1);
        before = forces[IB_LEG_RL][2];
    }
}

// Goal: no foot pulls, and none slides on purpose. Method: 10 N up and 40 N sideways.
static void forces_are_clipped(void **state)
{
    (void)state;
    const double force[3] = {0, 40, 10}, none[3] = {0}, up[3] = {0, 0, 1};
    ib_StanceFoot feet[IB_LEG_LEGS];
    double forces[IB_LEG_LEGS][3];
    place_feet((const double[]){0, 0}, feet);
    ib_stance_share(&config, feet, IB_LEG_LEGS, force, none, up, forces);
    for (int i = 0; i < IB_LEG_LEGS; i++) {
        const double *f = forces[i];
        assert_true(f[2] >= 0);
        assert_true(sqrt(f[0] * f[0] + f[1] * f[1]) <= 0.5 * f[2] + 1e-12);
    }
}

// Goal: a leg feels the force on its foot by its torques. Method: torques by ib_leg_hold for a
// force and gravity; those for gravity alone are free.
static void torques_tell_the_force(void **state)
{
    (void)state;
    const double th[3] = {0.2, -13 * LIMB_DEGREE, 88 * LIMB_DEGREE}, none[3] = {0};
    const double force[3] = {3, -4, 25}, gravity[3] = {0, 4.9, -8.5};
    ib_LegModel leg = thesis_leg();
    double J[9], torque[3], own[3], felt[3];
    ib_leg_jacobian(&leg, th, J);
    ib_leg_hold(&leg, th, force, gravity, torque);
    ib_leg_hold(&leg, th, none, gravity, own);
    assert_true(ib_stance_felt(J, torque, own, felt));
    for (int k = 0; k < 3; k++) assert_close(felt[k], force[k], 1e-10);
    memset(J, 0, sizeof J);
    assert_false(ib_stance_felt(J, torque, own, felt));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_make_the_wrench),
        cmocka_unit_test(a_load_fades),
        cmocka_unit_test(forces_are_clipped),
        cmocka_unit_test(torques_tell_the_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
