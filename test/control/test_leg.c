// test/control/test_leg.c: a leg's foot and angles, velocities and torques.
#include "cmocka_all.h"

#include "leg_rig.h"
#include "spread.h"

#include <string.h>

#define G 9.8 ///< of the reference [m/s^2]

static void radians(const double degrees[3], double th[3])
{
    for (int i = 0; i < 3; i++) th[i] = degrees[i] * LIMB_DEGREE;
}

static void random_pose(uint64_t *seed, const ib_LegModel *leg_model, double th[3])
{
    for (int i = 0; i < 3; i++)
        th[i] = spread(seed, leg_model->range[i][0], leg_model->range[i][1]);
}

// --------------------------------------------------------------------------------------- reference

// Feet of reference C, in the shoulder's frame and, with the thorax at 0.8 m, in the world, for the
// front legs; ten digits behind the point.
static void feet_are_the_references(void **state)
{
    static const struct {
        double degrees[3], own[3], left[3], right[3];
    } rows[] = {
        {{0, -34, 80},
         {0.4846095522, 0.0000000000, -0.0787559090},
         {0.3750000000, 0.4263062286, 0.4808906060},
         {0.3750000000, -0.4263062286, 0.4808906060}},
        {{-47, -67, 17},
         {0.2686025670, -0.2880409883, 0.3992772664},
         {0.6630409883, 0.4782552798, 1.0028829723},
         {0.0869590117, -0.4782552798, 1.0028829723}},
        {{90, -1, 95},
         {0.0000000000, 0.3006765645, -0.2507824333},
         {0.0743234355, -0.0793912167, 0.5742160419},
         {0.6756765645, 0.0793912167, 0.5742160419}},
        {{20, -34, 56},
         {0.5164554637, 0.1879744161, 0.0175970223},
         {0.1870255839, 0.5020620627, 0.5484117365},
         {0.5629744161, -0.5020620627, 0.5484117365}},
        {{45, -10, 40},
         {0.3957044850, 0.3957044850, -0.0845352171},
         {-0.0207044850, 0.3464225279, 0.5203381120},
         {0.7707044850, -0.3464225279, 0.5203381120}},
        {{-20, -50, 90},
         {0.4436800675, -0.1614863381, -0.0213674038},
         {0.5364863381, 0.4195545077, 0.5510552517},
         {0.2135136619, -0.4195545077, 0.5510552517}},
    };
    const double place[3] = {0, 0, 0.8}, upright[4] = {1, 0, 0, 0};
    ib_LegModel leg_model = thesis_leg();
    ib_Pose shoulders[IB_LEG_LEGS], thorax = ib_leg_body(place, upright);
    (void)state;
    thesis_shoulders(shoulders);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double th[3], own[3], body[3], world[3];
        ib_LegReach reach;
        radians(rows[i].degrees, th);
        ib_leg_foot(&leg_model, th, own);
        for (int k = 0; k < 3; k++) assert_close(own[k], rows[i].own[k], 5.1e-11);
        for (int leg = IB_LEG_FL; leg <= IB_LEG_FR; leg++) {
            const double *expected = leg == IB_LEG_FL ? rows[i].left : rows[i].right;
            ib_pose_point(&shoulders[leg], own, body);
            ib_pose_point(&thorax, body, world);
            for (int k = 0; k < 3; k++) assert_close(world[k], expected[k], 5.1e-11);
            ib_Pose chain = ib_leg_chain(&thorax, &shoulders[leg]);
            ib_pose_point(&chain, own, body);
            for (int k = 0; k < 3; k++) assert_close(body[k], world[k], 1e-15);
            ib_leg_point_into(&chain, world, body);
            for (int k = 0; k < 3; k++) assert_close(body[k], own[k], 1e-15);
        }
        assert_true(
            ib_leg_reach(&leg_model, rows[i].own, &reach)); // 2 of them at corners of the range
        for (int k = 0; k < 3; k++) assert_close(reach.angle[k], th[k], 1e-9);
    }
}

// Shoulders by the reference: places, and alpha axes tilted by 30 degrees outwards.
static void shoulders_are_the_references(void **state)
{
    ib_Pose shoulders[IB_LEG_LEGS];
    (void)state;
    thesis_shoulders(shoulders);
    for (int leg = 0; leg < IB_LEG_LEGS; leg++) {
        double front = leg < IB_LEG_RL ? 1 : -1, left = leg % 2 == 0 ? 1 : -1;
        const double place[3] = {0.375 * front, 0.046 * left, -0.0086};
        const double axis[3] = {0, 0.5 * left, 0.8660254038},
                     out[3] = {0, 0.8660254038 * left, -0.5};
        for (int k = 0; k < 3; k++) {
            assert_close(shoulders[leg].place[k], place[k], 1e-16);
            assert_close(shoulders[leg].turn[3 * k + 2], axis[k], 1e-10);
            assert_close(shoulders[leg].turn[3 * k], out[k], 1e-10);
        }
    }
}

// Goal: standing at (0, -34, 80) degrees each foot bears a quarter of the robot, straight up; and
// with its legs in the air. Method: reference C, to 2e-8 N m: its last two digits are not those of
// statics in the leg's upright plane by hand (angles below the horizontal), which is held to 1e-13.
static void hold_torques_are_the_references(void **state)
{
    static const double standing[3] = {0, 34.4571007606, 9.7385909338},
                        hanging[3] = {0, -0.4433970706, -0.0455645282};
    const double f = 144.69927537, b = (30 - 34) * LIMB_DEGREE, c = b + 80 * LIMB_DEGREE;
    ib_LegModel leg_model = thesis_leg();
    ib_Pose shoulders[IB_LEG_LEGS];
    double degrees[3] = {0, -34, 80}, th[3], nothing[3] = {0, 0, 0};
    double tibia = leg_model.mass[2] * G * 0.152 * cos(c);
    double femur =
        leg_model.mass[1] * G * 0.087 * cos(b) + leg_model.mass[2] * G * 0.174 * cos(b) + tibia;
    (void)state;
    radians(degrees, th);
    thesis_shoulders(shoulders);
    for (int leg = 0; leg < IB_LEG_LEGS; leg++) {
        const double up[3] = {0, 0, f}, down[3] = {0, 0, -G};
        double F[3], g[3], T[3];
        ib_leg_direction_into(&shoulders[leg], up, F);
        ib_leg_direction_into(&shoulders[leg], down, g);
        ib_leg_hold(&leg_model, th, F, g, T);
        for (int k = 0; k < 3; k++) assert_close(T[k], standing[k], 2e-8);
        assert_close(T[1], f * (0.174 * cos(b) + 0.2795 * cos(c)) - femur, 1e-13);
        assert_close(T[2], f * 0.2795 * cos(c) - tibia, 1e-13);
        ib_leg_hold(&leg_model, th, nothing, g, T);
        for (int k = 0; k < 3; k++) assert_close(T[k], hanging[k], 3e-10);
        assert_close(T[1], -femur, 1e-15);
        assert_close(T[2], -tibia, 1e-15);
    }
}

//   a.I a + m |d x a|^2,   d from the point to the centre of mass                        [Steiner]
static double about_axis(const ib_Link *link, const double point[3], const double a[3])
{
    const double *I = link->inertia;
    double across = 0, d[3];
    for (int k = 0; k < 3; k++) d[k] = link->centre[k] - point[k];
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        across += (d[i] * a[j] - d[j] * a[i]) * (d[i] * a[j] - d[j] * a[i]);
    }
    return I[0] * a[0] * a[0] + I[1] * a[1] * a[1] + I[2] * a[2] * a[2] +
           2 * (I[3] * a[0] * a[1] + I[4] * a[0] * a[2] + I[5] * a[1] * a[2]) + link->mass * across;
}

// Inertia about each joint at (0, -34, 56) degrees: SrLib's capsules make 5.8 %, 9.0 % and 6.1 %
// too much of it, as reference C has it to two digits.
static void srlib_makes_the_joints_heavier(void **state)
{
    static const double share[3] = {0.058, 0.090, 0.061};
    double degrees[3] = {0, -34, 56}, th[3], inertia[2][3] = {{0}};
    (void)state;
    radians(degrees, th);
    for (int coded = 0; coded < 2; coded++) {
        ib_LegConfig config = leg_config(coded ? IB_LINK_SRLIB_CAPSULE : IB_LINK_CAPSULE);
        ib_LegModel leg_model;
        ib_Pose frames[3];
        ib_leg_init(&config, &leg_model);
        ib_leg_frames(&leg_model, th, frames);
        for (int joint = 0; joint < 3; joint++)
            for (int link = joint; link < 3; link++) {
                const double *turn = frames[joint].turn;
                double point[3], axis[3], z[3] = {turn[2], turn[5], turn[8]};
                ib_leg_point_into(&frames[link], frames[joint].place, point);
                ib_leg_direction_into(&frames[link], z, axis);
                inertia[coded][joint] += about_axis(&config.links[link], point, axis);
            }
    }
    for (int k = 0; k < 3; k++) assert_close(inertia[1][k] / inertia[0][k] - 1, share[k], 0.00051);
}

// -------------------------------------------------------------------------------------- round trip

// 100 000 poses inside the limits: 1e-12 rad, of both the angles and the place.
static void angles_and_foot_go_both_ways(void **state)
{
    ib_LegModel leg_model = thesis_leg();
    uint64_t seed = 20;
    double worst = 0;
    (void)state;
    for (int n = 0; n < 100000; n++) {
        double th[3], foot[3], again[3];
        ib_LegReach reach;
        random_pose(&seed, &leg_model, th);
        ib_leg_foot(&leg_model, th, foot);
        if (!ib_leg_reach(&leg_model, foot, &reach)) fail_msg("pose %d was not reached", n);
        assert_int_equal(reach.limit, IB_LEG_REACHED);
        ib_leg_foot(&leg_model, reach.angle, again);
        for (int k = 0; k < 3; k++) {
            worst = fmax(worst, fabs(reach.angle[k] - th[k]));
            assert_close(again[k], foot[k], 1e-14);
        }
    }
    assert_true(worst < 1e-12);
}

// Goal: the ranges choose the branch. Method: legs whose ranges leave only one of the other three:
// the knee the other way, and over the shoulder with either knee; poses come back as they were.
static void ranges_choose_the_branch(void **state)
{
    static const double ranges[][3][2] = {
        {{-60, 60}, {-20, 100}, {-120, -20}}, // knee the other way
        {{-60, 60}, {120, 200}, {-60, -10}},  // over the shoulder
        {{-60, 60}, {-200, -140}, {10, 60}},
        {{150, 230}, {-67, -1}, {17, 95}}, // angles beyond half a turn
    };
    (void)state;
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        ib_LegConfig config = ib_leg_default();
        ib_LegModel leg_model;
        ib_Error error;
        uint64_t seed = 5;
        for (int j = 0; j < 3; j++)
            for (int end = 0; end < 2; end++)
                config.range[j][end] = ranges[i][j][end] * LIMB_DEGREE;
        assert_int_equal(ib_leg_check(&config, &error), IB_OK);
        ib_leg_init(&config, &leg_model);
        for (int n = 0; n < 1000; n++) {
            double th[3], foot[3];
            ib_LegReach reach;
            random_pose(&seed, &leg_model, th);
            ib_leg_foot(&leg_model, th, foot);
            assert_true(ib_leg_reach(&leg_model, foot, &reach));
            for (int k = 0; k < 3; k++) assert_close(reach.angle[k], th[k], 1e-11);
        }
    }
}

// The Jacobian against central differences: h^2/6 of 0.6 m is 1e-11, rounding 1e-16/h 1e-11.
static void jacobian_is_that_of_the_foot(void **state)
{
    const double h = 1e-5;
    ib_LegModel leg_model = thesis_leg();
    uint64_t seed = 6;
    (void)state;
    for (int n = 0; n < 1000; n++) {
        double th[3], J[9];
        random_pose(&seed, &leg_model, th);
        ib_leg_jacobian(&leg_model, th, J);
        for (int j = 0; j < 3; j++) {
            double a[3], b[3], at = th[j];
            th[j] = at - h;
            ib_leg_foot(&leg_model, th, a);
            th[j] = at + h;
            ib_leg_foot(&leg_model, th, b);
            th[j] = at;
            for (int k = 0; k < 3; k++) assert_close(J[3 * k + j], (b[k] - a[k]) / (2 * h), 5e-11);
        }
    }
}

// Rates that move the foot: J times them is the velocity again; and none where there is no way.
static void rates_move_the_foot_as_asked(void **state)
{
    ib_LegModel leg_model = thesis_leg();
    uint64_t seed = 7;
    double rates[3], straight[3] = {0, -0.5, 0}, sideways[3] = {0, 1, 0};
    (void)state;
    for (int n = 0; n < 1000; n++) {
        double th[3], J[9], v[3];
        random_pose(&seed, &leg_model, th);
        for (int k = 0; k < 3; k++) v[k] = spread_signed(&seed);
        ib_leg_jacobian(&leg_model, th, J);
        assert_true(ib_leg_rates(&leg_model, th, v, rates));
        for (int k = 0; k < 3; k++)
            assert_close(J[3 * k] * rates[0] + J[3 * k + 1] * rates[1] + J[3 * k + 2] * rates[2],
                         v[k], 1e-13);
    }
    assert_false(ib_leg_rates(&leg_model, straight, sideways, rates));
    assert_close(fabs(rates[0]) + fabs(rates[1]) + fabs(rates[2]), 0, 0);
}

// Goal: holding torques are virtual work. Method: -T is the slope, by differences, of the work of
// force and gravity over each angle; frames and centres of mass as they are drawn.
static void hold_torques_are_virtual_work(void **state)
{
    const double h = 1e-5, F[3] = {30, -50, 100}, g[3] = {1, 5, -8};
    ib_LegModel leg_model = thesis_leg();
    uint64_t seed = 8;
    (void)state;
    for (int n = 0; n < 100; n++) {
        double th[3], T[3];
        random_pose(&seed, &leg_model, th);
        ib_leg_hold(&leg_model, th, F, g, T);
        for (int j = 0; j < 3; j++) {
            double work[2] = {0, 0}, at = th[j];
            for (int side = 0; side < 2; side++) {
                ib_Pose frames[3];
                double p[3];
                th[j] = at + (side ? h : -h);
                ib_leg_foot(&leg_model, th, p);
                for (int k = 0; k < 3; k++) work[side] += F[k] * p[k];
                ib_leg_frames(&leg_model, th, frames);
                for (int link = 0; link < 3; link++) {
                    ib_pose_point(&frames[link], leg_model.centre[link], p);
                    for (int k = 0; k < 3; k++) work[side] += leg_model.mass[link] * g[k] * p[k];
                }
            }
            th[j] = at;
            assert_close(-T[j], (work[1] - work[0]) / (2 * h), 5e-9); // 60 J of rounding over h
        }
    }
}

// The last frame's x axis leads to the foot, and the femur's to the knee; by hand at 0, 0, 90
// degrees, where the tibia points down.
static void frames_lead_to_the_foot(void **state)
{
    ib_LegModel leg_model = thesis_leg();
    uint64_t seed = 9;
    ib_Pose frames[3];
    double th[3] = {0, 0, 90 * LIMB_DEGREE}, tip[3] = {leg_model.a3, 0, 0}, foot[3], p[3];
    (void)state;
    ib_leg_frames(&leg_model, th, frames);
    assert_close(frames[2].place[0], 0.1462 + 0.174, 1e-16);
    assert_close(frames[2].place[2], 0.025, 1e-16);
    assert_close(frames[2].turn[6], -1, 1e-16); // x points down
    for (int n = 0; n < 100; n++) {
        random_pose(&seed, &leg_model, th);
        ib_leg_frames(&leg_model, th, frames);
        ib_pose_point(&frames[2], tip, p);
        ib_leg_foot(&leg_model, th, foot);
        for (int k = 0; k < 3; k++) assert_close(p[k], foot[k], 1e-15);
        double knee[3] = {leg_model.a2, 0, 0};
        ib_pose_point(&frames[1], knee, p);
        for (int k = 0; k < 3; k++) assert_close(p[k], frames[2].place[k], 1e-15);
    }
}

// A body that is turned by a quaternion: a quarter turn to the left, of any length.
static void quaternions_turn_the_body(void **state)
{
    const double place[3] = {1, 2, 3}, quarter[4] = {2, 0, 0, 2}, p[3] = {1, 0, 5};
    double q[3];
    (void)state;
    ib_Pose body = ib_leg_body(place, quarter);
    ib_pose_point(&body, p, q);
    assert_close(q[0], 1, 1e-15);
    assert_close(q[1], 3, 1e-15);
    assert_close(q[2], 8, 1e-15);
}

// ---------------------------------------------------------------------------------------- refusals

static void assert_out_of_reach(const double foot[3], int limit, const char *words)
{
    ib_LegModel leg_model = thesis_leg();
    ib_LegReach reach;
    ib_Error error = {0};
    assert_false(ib_leg_reach(&leg_model, foot, &reach));
    assert_int_equal(reach.limit, limit);
    assert_int_equal(ib_leg_refuse(&reach, &error), IB_BAD_INPUT);
    if (!strstr(error.text, words)) fail_msg("'%s' does not say '%s'", error.text, words);
}

// Each limit in its words. What is outside a range is made by the leg itself with that angle.
static void unreachable_feet_are_refused_with_the_limit(void **state)
{
    ib_LegModel leg_model = thesis_leg();
    const struct {
        double degrees[3];
        const char *words;
    } rows[] = {
        {{0, -80, 60}, "joint beta would be at -80 deg, beyond its -67 deg"},
        {{0, 10, 60}, "joint beta would be at 10 deg, beyond its -1 deg"},
        {{-60, -34, 60}, "joint alpha would be at -60 deg, beyond its -47 deg"},
        {{0, -34, 110}, "joint gamma would be at 110 deg, beyond its 95 deg"},
        {{0, -34, 5}, "joint gamma would be at 5 deg, beyond its 17 deg"},
    };
    const double far[3] = {0.7, 0, 0.025}, near[3] = {0.2, 0, 0.025};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double th[3], foot[3];
        radians(rows[i].degrees, th);
        ib_leg_foot(&leg_model, th, foot);
        assert_out_of_reach(foot, IB_LEG_BEYOND, rows[i].words);
    }
    assert_out_of_reach(far, IB_LEG_TOO_FAR,
                        "foot at (0.7, 0, 0.025) m of its shoulder: too far: 0.5538 m from the "
                        "beta joint, where femur and tibia reach no farther than 0.4535 m");
    assert_out_of_reach((double[3]){INFINITY, 0, 0}, IB_LEG_TOO_FAR, "too far: inf m");
    assert_out_of_reach((double[3]){0.4, 0, NAN}, IB_LEG_TOO_FAR, "too far");
    assert_out_of_reach(near, IB_LEG_TOO_NEAR,
                        "too near: 0.0538 m from the beta joint, where "
                        "femur and tibia reach no nearer than 0.1055 m");
}

static void wrong_legs_are_refused_by_name(void **state)
{
    const ib_LegConfig right = ib_leg_default();
    ib_LegConfig wrong[6];
    static const char *const words[6] = {
        "a1: expected 0 m or more, got -1 m",
        "a2: expected more than 0 m, got 0 m",
        "a3: expected more than 0 m",
        "d1: expected a length",
        "beta.range: expected a lower angle and a higher one, got -1 deg and -67 deg",
        "alpha.range: expected at most one turn, got 450 deg",
    };
    (void)state;
    for (int i = 0; i < 6; i++) wrong[i] = right;
    wrong[0].a1 = -1;
    wrong[1].a2 = 0;
    wrong[2].a3 = NAN;
    wrong[3].d1 = INFINITY;
    wrong[4].range[1][0] = -LIMB_DEGREE;
    wrong[4].range[1][1] = -67 * LIMB_DEGREE;
    wrong[5].range[0][0] = -360 * LIMB_DEGREE;
    for (int i = 0; i < 6; i++) {
        ib_Error error = {0};
        assert_int_equal(ib_leg_check(&wrong[i], &error), IB_BAD_INPUT);
        if (!strstr(error.text, words[i])) fail_msg("'%s' does not say '%s'", error.text, words[i]);
    }
    ib_Error error;
    assert_int_equal(ib_leg_check(&right, &error), IB_OK);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(feet_are_the_references),
        cmocka_unit_test(shoulders_are_the_references),
        cmocka_unit_test(hold_torques_are_the_references),
        cmocka_unit_test(srlib_makes_the_joints_heavier),
        cmocka_unit_test(angles_and_foot_go_both_ways),
        cmocka_unit_test(ranges_choose_the_branch),
        cmocka_unit_test(jacobian_is_that_of_the_foot),
        cmocka_unit_test(rates_move_the_foot_as_asked),
        cmocka_unit_test(hold_torques_are_virtual_work),
        cmocka_unit_test(frames_lead_to_the_foot),
        cmocka_unit_test(quaternions_turn_the_body),
        cmocka_unit_test(unreachable_feet_are_refused_with_the_limit),
        cmocka_unit_test(wrong_legs_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
