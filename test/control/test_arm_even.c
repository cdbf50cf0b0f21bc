// test/control/test_arm_even.c: plans with one rate in each cell, of arms that are weak and slow.
#include "cmocka_all.h"

#include "arm_rig.h"

static ArmWorkspace workspace;

static double even(const ib_ArmPlant *arm, const ib_ArmLimits *limits)
{
    ib_ArmVerdict verdict = ib_arm_plan_even(arm, limits, &workspace.path, &workspace.timing);
    assert_int_equal(verdict.fault, IB_ARM_FINE);
    return arm_time(&workspace);
}

// Goal: it comes to the optimum from above, to first order. Method: paths A and B of reference D6;
// half the cells' length leaves 0.6 of the error at most, and 800 cells 0.4 %.
static void it_comes_to_the_optimum(void **state)
{
    static const double optimum[2] = {0.565074982, 0.538877742};
    ib_ArmPlant arm = wound_arm();
    ib_ArmLimits limits = twelve_volts();
    (void)state;
    for (int b = 0; b < 2; b++) {
        double last = INFINITY;
        for (int cells = 100; cells <= 800; cells *= 2) {
            b ? path_b(&workspace, cells) : path_a(&workspace, cells);
            double late = even(&arm, &limits) - optimum[b];
            assert_true(late > 0 && late < 0.6 * last);
            assert_true(arm_loads(&arm, &limits, &workspace, 10).most <= 1 + 1e-4);
            last = late;
        }
        assert_true(last < 0.004 * optimum[b]);
    }
}

// A weak arm on a straight way: motors that give what holds it still, and up to a half more.
static ib_ArmLimits draw_weak(ib_ArmPlant *arm, int cells)
{
    ib_ArmLimits limits = twelve_volts();
    double from[2], to[2];
    *arm = wound_arm();
    arm->link.alpha = arm_uniform(0.8, 4), arm->link.beta = arm_uniform(0.1, 0.55);
    arm->link.gamma = arm_uniform(0.4, 1.5);
    arm->link.first = arm_uniform(0.7, 1.6), arm->link.second = arm_uniform(0.2, 0.8);
    for (int i = 0; i < 2; i++) {
        arm->gear[i].push = arm_uniform(10, 35);
        arm->gear[i].drag = arm->gear[i].push * arm_uniform(1.5, 2.4);
        from[i] = arm_uniform(-3, 3);
        to[i] = from[i] + arm_uniform(-2, 2);
    }
    arm_workspace_init(&workspace, cells + 1);
    assert_int_equal(ib_arm_path_straight(from, to, cells + 1, workspace.points, NULL), IB_OK);
    for (int i = 0; i < 2; i++) {
        double holds = 0, still[2] = {0, 0}, volts[2];
        for (int k = 0; k <= cells; k++) {
            ib_arm_volts(arm, workspace.points[k].th, still, still, volts);
            holds = fmax(holds, fabs(volts[i]));
        }
        limits.volts[i] = holds * arm_uniform(1.03, 1.5);
    }
    return limits;
}

// How long it takes at the speed that can be kept at each point: with V = B v^2 + C v + D, B small,
// the least v at which a joint is at its limit, by Newton's method from 0 for each limit.
static double kept_time(const ib_ArmPlant *arm, const ib_ArmLimits *limits)
{
    double time = 0;
    for (int k = 0; k + 1 < workspace.path.count; k++) {
        ib_ArmPoint at = ib_arm_path_within(&workspace.points[k], &workspace.points[k + 1], 0.5);
        double slowest = INFINITY;
        for (int n = 0; n < 4; n++) {
            int i = n / 2;
            double v = 0, limit = n % 2 ? limits->volts[i] : -limits->volts[i], V[2], W[2];
            for (int step = 0; step < 8; step++) {
                double w[2] = {at.way[0] * v, at.way[1] * v};
                double more[2] = {at.way[0] * (v + 1e-6), at.way[1] * (v + 1e-6)};
                ib_arm_volts(arm, at.th, w, (double[2]){0, 0}, V);
                ib_arm_volts(arm, at.th, more, (double[2]){0, 0}, W);
                v += (limit - V[i]) / (W[i] - V[i]) * 1e-6;
            }
            if (v > 0) slowest = fmin(slowest, v);
        }
        time += (workspace.points[k + 1].s - workspace.points[k].s) / slowest;
    }
    return time;
}

// Goal: a weak arm that can hold still all along its way gets there, no later than by the speeds
// that it can keep. Method: drawn arms; the way takes 20 s and more, motors and links settle in
// 0.1 s, so that both ends take 1.5 % more at most. It may be faster: slowing down helps. Cells are
// late to first order: where 800 of them take more, it is where they and 1600 of them lead to.
static void weak_arms_go_as_fast_as_they_can_keep(void **state)
{
    int slow = 0;
    (void)state;
    for (int n = 0; slow < 20; n++) {
        ib_ArmPlant arm;
        arm_drawn = (uint64_t)n * 100;
        ib_ArmLimits limits = draw_weak(&arm, 800);
        double kept = kept_time(&arm, &limits);
        if (kept < 20) continue;
        slow++;
        double time = even(&arm, &limits), limit = time;
        assert_true(arm_loads(&arm, &limits, &workspace, 10).most <= 1 + 1e-4);
        if (time >= 1.015 * kept) {
            arm_drawn = (uint64_t)n * 100;
            limits = draw_weak(&arm, 1600);
            limit = 2 * even(&arm, &limits) - time;
        }
        if (!(limit < 1.015 * kept)) fail_msg("arm %d: %.4g s, not %.4g s", n, limit, kept);
    }
}

// Goal: what cannot be is named. Method: a second joint with less than it needs to hold itself at
// the end of path A, where that is most.
static void what_cannot_be_held_is_named(void **state)
{
    ib_ArmPlant arm = wound_arm();
    ib_ArmLimits limits = twelve_volts();
    (void)state;
    path_a(&workspace, 200);
    limits.volts[1] = arm.link.second * 9.81 * sin(0.9) / arm.gear[1].push / 1.25;
    ib_ArmVerdict verdict = ib_arm_plan_even(&arm, &limits, &workspace.path, &workspace.timing);
    assert_int_equal(verdict.fault, IB_ARM_CANNOT_HOLD);
    assert_int_equal(verdict.joint, 1);
    assert_true(verdict.needs > 1);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_comes_to_the_optimum),
        cmocka_unit_test(weak_arms_go_as_fast_as_they_can_keep),
        cmocka_unit_test(what_cannot_be_held_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
