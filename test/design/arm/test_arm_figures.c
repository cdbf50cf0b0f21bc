// Tests of design/arm/arm_figures.h: what a timed path asks for, and a run of it on the plant.
#include "cmocka_all.h"

#include "control/scene_rig.h"
#include "design/arm/arm_figures.h"

#include <math.h>
#include <string.h>

enum { POINTS = 401 };

static ib_ArmPoint points[POINTS];
static double v[POINTS], t[POINTS], work[4 * POINTS];
static const ib_ArmPath path = {POINTS, points};
static ib_ArmTiming timing = {v, t, work};
static ib_ArmFigures figures;

// A straight way that is gone along with v' = +-a: speeds and times in closed form.
static void ramp_up_and_down(const double from[2], const double to[2], double a)
{
    assert_int_equal(ib_arm_path_straight(from, to, POINTS, points, NULL), IB_OK);
    double length = points[POINTS - 1].s, half = sqrt(length / a);
    for (int i = 0; i < POINTS; i++) {
        double s = points[i].s, left = length - s;
        v[i] = sqrt(2 * a * fmin(s, left));
        t[i] = s < left ? sqrt(2 * s / a) : 2 * half - sqrt(2 * left / a);
    }
}

// Goal: figures are those of the motion. Method: a ramp of v' = +-a on a straight way, where
// speeds, accelerations and the time have closed forms, and the hand's speed too where the links
// turn alike (both as one body: (l1 + l2) w); 1e-9 for the roundings of 400 cells.
static void figures_of_a_ramp_are_its_closed_forms(void **state)
{
    (void)state;
    const double from[2] = {0.2, 0.2}, to[2] = {1.0, 1.0}, a = 5, length = 0.8 * sqrt(2.0);
    ib_ArmPlant arm = reference_arm();
    ib_ArmLimits limits = reference_limits(12);
    ramp_up_and_down(from, to, a);
    ib_arm_figures(&arm, &limits, &path, &timing, 10, &figures);
    double top = sqrt(a * length), reach = arm.link.length[0] + arm.link.length[1];
    assert_close(figures.time, 2 * sqrt(length / a), 1e-9);
    for (int i = 0; i < 2; i++) {
        assert_close(figures.speed[i].value, top / sqrt(2.0), 1e-9);
        assert_close(fabs(figures.acceleration[i].value), a / sqrt(2.0), 1e-6);
        assert_close(figures.speed[i].s, length / 2, 1e-9);
    }
    assert_close(figures.hand.value, reach * top / sqrt(2.0), 1e-9);
    assert_close(figures.hand.t, figures.time / 2, 1e-9);
}

// Goal: the energy that is taken out is what the books have. Method: the arm begins and ends at
// rest, so all of it is the gain of potential energy and the heat in the windings, sum of
// integral R I^2, with motors that lose nothing else: K4 = K3^2 R. The integral by Simpson's rule
// over the same plan; 1e-5 of it, for the trapezoids that the figures take.
static void energy_is_lift_and_heat(void **state)
{
    (void)state;
    const double from[2] = {0.3, -0.5}, to[2] = {1.3, 0.9};
    ib_ArmPlant arm = reference_arm();
    ib_ArmLimits limits = reference_limits(12);
    for (int j = 0; j < 2; j++) {
        arm.gear[j].drag = arm.gear[j].push * arm.gear[j].push * arm.gear[j].R;
        arm.gear[j].Kv = 0; // known by push and drag alone
    }
    ramp_up_and_down(from, to, 10);
    ib_arm_figures(&arm, &limits, &path, &timing, 10, &figures);
    double heat = 0, g = arm.gravity;
    for (int i = 0; i < POINTS - 1; i++) {
        double h = t[i + 1] - t[i], weight[3] = {h / 6, 4 * h / 6, h / 6};
        for (int k = 0; k < 3; k++) {
            int hint = i;
            double at = k == 2 ? t[i + 1] : t[i] + 0.5 * k * h;
            ib_ArmSample now = ib_arm_sample(&arm, &path, &timing, at, &hint);
            for (int j = 0; j < 2; j++) {
                double ir = now.volts[j] - arm.gear[j].drag / arm.gear[j].push * now.w[j];
                heat += weight[k] * ir * ir / arm.gear[j].R;
            }
        }
    }
    double lift =
        ib_two_link_potential(&arm.link, to, g) - ib_two_link_potential(&arm.link, from, g);
    assert_close(figures.energy, lift + heat, 1e-5 * heat);
}

// Goal: the run on the plant finds a plan that lies. Method: a right plan stays within 1e-6 rad of
// its path (RK4 in steps of 0.1 ms); one whose points say that they turn, by 0.2/rad, though they
// lie on a straight line, asks for other voltages, and leaves it by 1e-3 rad and more; and within
// 0.1 s by 1e-4, where it is fastest. Of the second run alone the same is told.
static void a_rerun_tells_a_right_plan_from_a_wrong_one(void **state)
{
    (void)state;
    const double from[2] = {0.3, -0.5}, to[2] = {1.3, 0.9};
    ib_ArmPlant arm = reference_arm();
    ib_ArmRerun rerun;
    ramp_up_and_down(from, to, 10);
    ib_arm_rerun(&arm, &path, &timing, 10, true, &rerun);
    assert_true(rerun.off[0] < 1e-6 && rerun.off[1] < 1e-6);
    assert_true(rerun.drift.value < 1e-6);
    assert_close(rerun.ran, t[POINTS - 1], 1e-12);
    assert_int_equal(rerun.steps, 10 * (POINTS - 1));
    ib_ArmRerun drift;
    ib_arm_rerun(&arm, &path, &timing, 10, false, &drift);
    assert_true(drift.steps == 0 && drift.drift.value == rerun.drift.value);
    for (int i = 0; i < POINTS; i++) {
        points[i].bend[0] = -0.2 * points[i].way[1];
        points[i].bend[1] = 0.2 * points[i].way[0];
    }
    ib_arm_rerun(&arm, &path, &timing, 10, true, &rerun);
    assert_true(rerun.off[0] > 1e-3 && rerun.off[1] > 1e-3);
    assert_true(rerun.drift.value > 1e-4 && rerun.drift.value < 0.1 * rerun.off[0]);
}

// Goal: a limit that binds is told with its share of the time. Method: voltage limit at half of
// what a ramp needs at its peak: parts are quotients of peaks and limits, and some of the time is
// spent beyond it, some not.
static void what_binds_is_told(void **state)
{
    (void)state;
    const double from[2] = {0.3, -0.5}, to[2] = {1.3, 0.9};
    ib_ArmPlant arm = reference_arm();
    ib_ArmLimits limits = reference_limits(12);
    ramp_up_and_down(from, to, 10);
    ib_arm_figures(&arm, &limits, &path, &timing, 10, &figures);
    double peak = fabs(figures.volts[0].value), fastest = figures.speed[1].value;
    limits.volts[0] = peak / 2;
    limits.speed[1] = 2 * fastest;
    ib_arm_figures(&arm, &limits, &path, &timing, 10, &figures);
    assert_close(figures.part[IB_ARM_BINDS_VOLTS1].value, 2, 1e-12);
    assert_close(figures.part[IB_ARM_BINDS_SPEED2].value, 0.5, 1e-12);
    assert_int_equal(ib_arm_figures_tightest(&figures), IB_ARM_BINDS_VOLTS1);
    assert_true(figures.binds[IB_ARM_BINDS_VOLTS1] > 0.1);
    assert_true(figures.binds[IB_ARM_BINDS_VOLTS1] < 0.9);
    assert_true(figures.binds[IB_ARM_BINDS_SPEED2] == 0);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_of_a_ramp_are_its_closed_forms),
        cmocka_unit_test(energy_is_lift_and_heat),
        cmocka_unit_test(a_rerun_tells_a_right_plan_from_a_wrong_one),
        cmocka_unit_test(what_binds_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
