// test/design/arm/test_arm_estimate.c: the quick time of a path beside the exact one.
#include "cmocka_all.h"

#include "control/scene_rig.h"
#include "design/arm/arm_curve.h"
#include "design/arm/arm_estimate.h"
#include "spread.h"

enum { COUNT = 128, CONTROLS = 8, SHAPES = 300 };

static ib_ArmCurveTable table;
static ib_ArmPoint points[COUNT];
static ib_ArmFrame frames[COUNT];
static double speeds[COUNT], times[COUNT], work[4 * COUNT];

// Bent ways between start and goal of the rig: control points up to 0.2 rad off the line. False:
// it bends within less than 0.1 rad, which a search does not allow.
static bool bend_a_way(int seed)
{
    ib_ArmCurveShape shape = {.controls = CONTROLS};
    for (int k = 0; k < CONTROLS; k++)
        for (int i = 0; i < 2; i++) {
            double off = chance_uniform(11, (uint64_t)seed, (uint64_t)(2 * k + i)) - 0.5;
            double part = (double)k / (CONTROLS - 1);
            if (k == 0 || k == CONTROLS - 1) off = 0;
            shape.c[k][i] = RIG_START[i] + part * (RIG_GOAL[i] - RIG_START[i]) + 0.4 * off;
        }
    assert_true(ib_arm_curve_points(&table, &shape, points));
    for (int k = 0; k < COUNT; k++) {
        const double *bend = points[k].bend;
        if (bend[0] * bend[0] + bend[1] * bend[1] > 100) return false;
    }
    return true;
}

// Goal: the estimate is the exact time to 3 % at worst and 0.3 % in the mean, whatever limits.
// Method: bent ways under each kind of limit; the two share only the limits at one place.
static void estimates_are_near_the_exact_times(void **state)
{
    (void)state;
    ib_ArmPlant arm = reference_arm();
    ib_ArmLimits limits[4] = {reference_limits(12), reference_limits(12), reference_limits(12),
                              reference_limits(12)};
    limits[1].acceleration[0] = 40, limits[1].acceleration[1] = 60;
    limits[2].current[0] = 60, limits[2].current[1] = 100;
    limits[3].battery = 12.6, limits[3].resistance = 0.02;
    ib_arm_curve_table(CONTROLS, COUNT, &table);
    for (int kind = 0; kind < 4; kind++) {
        double off = 0;
        int timed = 0, refused = 0;
        for (int seed = 0; seed < SHAPES; seed++) {
            ib_ArmTiming timing = {speeds, times, work};
            ib_ArmPath path = {COUNT, points};
            if (!bend_a_way(seed)) continue;
            ib_ArmVerdict verdict =
                ib_arm_plan_reach(&arm, &limits[kind], &path, (ib_ArmEnds){0, 0}, &timing);
            if (verdict.fault != IB_ARM_FINE) {
                refused++;
                continue;
            }
            double exact = times[COUNT - 1];
            double guess = ib_arm_estimate(&arm, &limits[kind], &path, frames, speeds);
            assert_close(guess / exact, 1, 0.03);
            off += fabs(guess / exact - 1);
            timed++;
        }
        assert_true(timed >= 50 && refused == 0);
        assert_true(off / timed < 0.003);
    }
}

// Goal: what cannot be gone takes for ever. Method: 2 V do not hold the arm at its goal, where
// gravity alone asks for 4.6 V of the first joint.
static void what_cannot_be_held_takes_for_ever(void **state)
{
    (void)state;
    ib_ArmPlant arm = reference_arm();
    ib_ArmLimits limits = reference_limits(2);
    int seed = 0;
    ib_ArmPath path = {COUNT, points};
    ib_arm_curve_table(CONTROLS, COUNT, &table);
    while (!bend_a_way(seed)) seed++;
    assert_true(isinf(ib_arm_estimate(&arm, &limits, &path, frames, speeds)));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(estimates_are_near_the_exact_times),
        cmocka_unit_test(what_cannot_be_held_takes_for_ever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
