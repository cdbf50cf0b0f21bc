// test/control/test_arm_sample.c: a plan looked up by time is one motion.
#include "cmocka_all.h"

#include "arm_rig.h"

static ArmWorkspace workspace;

static void make_plan(bool by_passes)
{
    ib_ArmPlant arm = wound_arm();
    ib_ArmLimits limits = twelve_volts();
    path_b(&workspace, 400);
    ib_ArmVerdict verdict =
        by_passes ? ib_arm_plan_passes(&arm, &limits, &workspace.path, 10, &workspace.timing)
                  : ib_arm_plan_reach(&arm, &limits, &workspace.path, (ib_ArmEnds){0, 0},
                                      &workspace.timing);
    assert_int_equal(verdict.fault, IB_ARM_FINE);
}

// Goal: w is the rate of th, a of w. Method: central differences over 1e-5 s, within cells; of w
// they differ by th" as a straight line, ds^2 v^2/8 of its curvature, and the differences' own.
static void rates_are_rates(void **state)
{
    ib_ArmPlant arm = wound_arm();
    double h = 1e-5;
    (void)state;
    for (int by_passes = 0; by_passes < 2; by_passes++) {
        make_plan(by_passes);
        for (int i = 1; i < 399; i++) {
            double t = 0.5 * (workspace.t[i] + workspace.t[i + 1]);
            ib_ArmSample at = ib_arm_sample(&arm, &workspace.path, &workspace.timing, t, NULL);
            ib_ArmSample a = ib_arm_sample(&arm, &workspace.path, &workspace.timing, t - h, NULL);
            ib_ArmSample b = ib_arm_sample(&arm, &workspace.path, &workspace.timing, t + h, NULL);
            double volts[2];
            for (int k = 0; k < 2; k++) {
                assert_close((b.th[k] - a.th[k]) / (2 * h), at.w[k], 1e-5);
                assert_close((b.w[k] - a.w[k]) / (2 * h), at.a[k], 2e-3);
            }
            ib_arm_volts(&arm, at.th, at.w, at.a, volts);
            for (int k = 0; k < 2; k++) assert_close(at.volts[k], volts[k], 0);
        }
    }
}

// From cell to cell angles and rates do not jump; at its points it is at its points.
static void cells_join(void **state)
{
    ib_ArmPlant arm = wound_arm();
    (void)state;
    for (int by_passes = 0; by_passes < 2; by_passes++) {
        make_plan(by_passes);
        for (int i = 0; i <= 400; i++)
            for (int side = -1; side <= 0; side++) {
                int hint = i + side;
                if (hint < 0 || hint > 399) continue;
                ib_ArmSample at =
                    ib_arm_sample(&arm, &workspace.path, &workspace.timing, workspace.t[i], &hint);
                for (int k = 0; k < 2; k++) {
                    assert_close(at.th[k], workspace.points[i].th[k], 1e-15);
                    assert_close(at.w[k], workspace.points[i].way[k] * workspace.v[i], 1e-14);
                }
            }
    }
}

// Before and beyond it stands, and is held there; ends are exact.
static void it_stands_before_and_beyond(void **state)
{
    ib_ArmPlant arm = wound_arm();
    (void)state;
    make_plan(false);
    double end = arm_time(&workspace), times[] = {-INFINITY, -1, 0, end, end + 1, INFINITY, NAN};
    for (int n = 0; n < 7; n++) {
        bool late = n >= 3 && n < 6;
        const ib_ArmPoint *point = &workspace.points[late ? 400 : 0];
        ib_ArmSample at = ib_arm_sample(&arm, &workspace.path, &workspace.timing, times[n], NULL);
        for (int k = 0; k < 2; k++) {
            assert_close(at.th[k], point->th[k], 0);
            assert_close(at.w[k], 0, 0);
            if (n == 2 || n == 3) continue; // still moving
            assert_close(at.a[k], 0, 0);
            double S = k ? arm.link.second : arm.link.first;
            assert_close(at.volts[k] * arm.gear[k].push, -S * 9.81 * sin(point->th[k]), 1e-12);
        }
    }
}

static void hints_change_nothing(void **state)
{
    ib_ArmPlant arm = wound_arm();
    int hint = 0;
    (void)state;
    make_plan(false);
    for (int n = 0; n < 3000; n++) {
        arm_drawn = (uint64_t)n;
        double t = n % 7 ? arm_time(&workspace) * n / 3000 : arm_uniform(-0.1, 0.7);
        ib_ArmSample with = ib_arm_sample(&arm, &workspace.path, &workspace.timing, t, &hint);
        ib_ArmSample without = ib_arm_sample(&arm, &workspace.path, &workspace.timing, t, NULL);
        assert_memory_equal(&with, &without, sizeof with);
        if (n % 5 == 0) hint = (int)arm_uniform(-3, 500);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_are_rates),
        cmocka_unit_test(cells_join),
        cmocka_unit_test(it_stands_before_and_beyond),
        cmocka_unit_test(hints_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
