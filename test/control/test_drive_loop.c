// Closed-loop driving: the radius is kept and the speed gives way, and no voltage is asked for that
// is not there.
#include "cmocka_all.h"
#include "control/driving/drive_loop.h"
#include "spread.h"

#include <math.h>
#include <string.h>

// Positions, velocities and input errors of two sides: x' = v, v+ = a v + c (other) + b (u + e).
enum { XL, VL, XR, VR, EL, ER, N };

static void put(double *matrix, int columns, int row, int column, double value)
{
    matrix[row * columns + column] = value;
}

static void make_gear(ib_LoopGear *gear, double b, double period)
{
    ib_StateSpace plant = ib_state_space_default(N, 2, 3);
    static const char *const names[N] = {"x_left",  "v_left",     "x_right",
                                         "v_right", "error_left", "error_right"};
    for (int i = 0; i < N; i++) {
        strcpy(plant.state[i], names[i]);
        put(plant.A, N, i, i, 1);
    }
    plant.period = period;
    for (int side = 0; side < 2; side++) {
        int x = 2 * side, v = x + 1, other = VL + VR - v;
        put(plant.A, N, x, v, period);
        put(plant.A, N, v, v, 0.96);
        put(plant.A, N, v, other, 0.01);
        put(plant.A, N, v, EL + side, b);
        put(plant.B, 2, v, side, b);
        put(plant.C, N, side, x, 1);
        put(plant.C, N, 2, v, side ? 1 : -1); // 0.5 m between the middle and a side
        put(gear->K, N, side, v, 20);
        put(gear->K, N, side, EL + side, 1);
        put(gear->F, N, side, v, 1 / b);
        put(gear->M, 3, x, side, 0.5);
        put(gear->M, 3, v, side, 3);
    }
    gear->plant = plant;
}

static const ib_DriveConfig usual = {
    .half_track = 0.5, .radius = 0.8, .pivot_below = 0.05, .voltage = 12};

typedef struct DriveRig {
    ib_Loop loop;
    ib_DriveModel model;
} DriveRig;

static void start(DriveRig *rig)
{
    ib_Error error;
    rig->loop = (ib_Loop){.name = "drive",
                          .states = N,
                          .inputs = 2,
                          .outputs = 3,
                          .observer = true,
                          .feedforward = true,
                          .period = 0.005,
                          .low = {-12, -12},
                          .high = {12, 12},
                          .fade = 0.9,
                          .gears = 2};
    make_gear(&rig->loop.gear[0], 0.01, 0.005);
    make_gear(&rig->loop.gear[1], 0.006, 0.005);
    strcpy(rig->loop.gear[0].name, "low");
    strcpy(rig->loop.gear[1].name, "high");
    assert_int_equal(ib_loop_check(&rig->loop, &error), IB_OK);
    assert_int_equal(ib_drive_init(&rig->loop, &usual, &rig->model, &error), IB_OK);
}

// Goal: top speed and turning rate are those of the full voltage. Method: closed forms: ahead both
// sides alike, v (1 - 0.96 - 0.01) = b V; on the spot v (1 - 0.96 + 0.01) = b V, w = v / 0.5 m.
static void full_throttle_is_what_the_full_voltage_gives(void **unused)
{
    (void)unused;
    DriveRig rig;
    start(&rig);
    assert_close(rig.model.top_speed[0], 0.01 * 12 / 0.03, 1e-12);
    assert_close(rig.model.top_speed[1], 0.006 * 12 / 0.03, 1e-12);
    assert_close(rig.model.pivot_rate[0], 0.01 * 12 / 0.05 / 0.5, 1e-12);
}

// Goal: the wheel sets a radius, whatever the throttle. Method: from rest, half throttle, wheel
// half turned: radius 1.6 m, so v_left : v_right = (1 - 0.5/1.6) : (1 + 0.5/1.6).
static void the_wheel_sets_the_radius(void **unused)
{
    (void)unused;
    DriveRig rig;
    ib_DriveGoal goal;
    double x[N] = {0}, bend = 0.5 / 1.6;
    start(&rig);
    ib_drive_goal(&rig.model, 0.5, 0.5, 12, 0, x, &goal);
    double v = 0.5 * rig.model.top_speed[0];
    assert_close(goal.wish[0], v * (1 - bend), 1e-12);
    assert_close(goal.wish[1], v * (1 + bend), 1e-12);
    assert_true(goal.on_line);
    assert_close(goal.goal[0] * (1 + bend), goal.goal[1] * (1 - bend), 1e-12);
    assert_true(goal.goal[1] < goal.wish[1]); // 20 V/(m/s) from rest: the voltage limits it
}

// Goal: with little throttle the wheel turns on the spot. Method: v_left = -v_right.
static void a_wheel_without_throttle_turns_on_the_spot(void **unused)
{
    (void)unused;
    DriveRig rig;
    ib_DriveGoal goal;
    double x[N] = {0};
    start(&rig);
    ib_drive_goal(&rig.model, 0.01, -0.02, 12, 0, x, &goal);
    assert_close(goal.goal[0], 0.02 * rig.model.pivot_rate[0] * 0.5, 1e-12);
    assert_close(goal.goal[1], -goal.goal[0], 1e-12);
}

// The voltages that the loop asks for with a goal, before its limits.
static void ask(const DriveRig *rig, int gear, const double *x, const ib_DriveGoal *goal, double *w)
{
    double state[IB_FEEDBACK_STATES_MAX], u[2];
    ib_feedback_reset(&rig->loop, x, gear, state);
    ib_feedback_output(&rig->loop, goal->r, goal->r_next, gear, u, state);
    memcpy(w, state + ib_feedback_parts(&rig->loop).w, 2 * sizeof *w);
}

// Both gears about a point that moves.
static void place(DriveRig *rig)
{
    const double x0[N] = {0.5, 1, 0.3, 1.2}, u0[2] = {2, 3}, y0[3] = {0.1, 0.2, 0.4};
    const double shift[N] = {0.005, 0.001, 0.006, -0.002};
    ib_Error error;
    for (int g = 0; g < 2; g++) ib_loop_place(&rig->loop, g, x0, u0, y0, shift);
    for (int g = 0; g < 2; g++) rig->loop.gear[g].F[XL] = 3; // a drift that F counts
    assert_int_equal(ib_drive_init(&rig->loop, &usual, &rig->model, &error), IB_OK);
}

// Goal: the loop never asks for a voltage that is not there, and it asks for all of it where the
// wish is out of reach; the radius is kept wherever a point of the line can be reached. Method: 20
// 000 random estimates, wishes, voltages and gears, half of them with a loop about a point; the
// loop's own output is the judge. Sums of about 10 terms of up to 400 V: 1e-10.
static void no_goal_asks_for_more_voltage_than_there_is(void **unused)
{
    (void)unused;
    DriveRig rig;
    int saturated = 0, off_line = 0;
    start(&rig);
    for (uint64_t i = 0; i < 20000; i++) {
        if (i == 10000) place(&rig);
        double x[N], w[2], roll[10];
        for (uint64_t k = 0; k < 10; k++) roll[k] = 2 * chance_uniform(7, k, i) - 1;
        for (int k = 0; k < N; k++) x[k] = roll[k] * (k == EL || k == ER ? 2 : 4);
        double throttle = roll[6], turn = roll[7], volts = 9 + 3 * roll[8];
        int gear = roll[9] > 0;
        ib_DriveGoal goal;
        ib_drive_goal(&rig.model, throttle, turn, volts, gear, x, &goal);
        ask(&rig, gear, x, &goal, w);
        double most = fmax(fabs(w[0]), fabs(w[1]));
        assert_true(most <= volts + 1e-10);
        bool reached = hypot(goal.goal[0] - goal.wish[0], goal.goal[1] - goal.wish[1]) < 1e-9;
        if (!reached) assert_close(most, volts, 1e-9);
        if (goal.on_line && fabs(throttle) >= 0.05) {
            double bend = turn * 0.5 / 0.8;
            assert_close(goal.goal[0] * (1 + bend), goal.goal[1] * (1 - bend), 1e-9);
        }
        saturated += !reached;
        off_line += !goal.on_line;
    }
    assert_true(saturated > 1000 && off_line > 100); // the claim was put to the test
}

// Goal: a measurement that is not a number does not become a goal. Method: NaN in the estimate.
static void what_is_not_a_number_stands_still(void **unused)
{
    (void)unused;
    DriveRig rig;
    ib_DriveGoal goal;
    double x[N] = {0, NAN};
    start(&rig);
    ib_drive_goal(&rig.model, 1, 0, 12, 0, x, &goal);
    assert_close(goal.goal[0], 0, 0);
    assert_close(goal.goal[1], 0, 0);
    assert_false(goal.on_line);
}

// Goal: a loop that cannot drive is refused by name. Method: no v_left; no observer; no gains.
static void loops_that_cannot_drive_are_refused(void **unused)
{
    (void)unused;
    DriveRig rig;
    ib_Error error;
    start(&rig);
    strcpy(rig.loop.gear[0].plant.state[VL], "speed");
    assert_int_equal(ib_drive_init(&rig.loop, &usual, &rig.model, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "v_left"));
    start(&rig);
    rig.loop.observer = false;
    assert_int_equal(ib_drive_init(&rig.loop, &usual, &rig.model, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "no observer"));
    start(&rig);
    memset(rig.loop.gear[1].K, 0, sizeof rig.loop.gear[1].K);
    memset(rig.loop.gear[1].F, 0, sizeof rig.loop.gear[1].F);
    assert_int_equal(ib_drive_init(&rig.loop, &usual, &rig.model, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "do not hold both velocities"));
}

// Goal: a plant without a top speed asks for the speeds that it needs, that of a pivot only where
// it pivots. Method: sides that lose no speed, with one, with both, and without pivots.
static void speeds_that_nothing_limits_must_be_given(void **unused)
{
    (void)unused;
    DriveRig rig;
    ib_Error error;
    ib_DriveConfig config = usual;
    start(&rig);
    for (int gear = 0; gear < 2; gear++)
        for (int side = 0; side < 2; side++) {
            int v = side ? VR : VL;
            put(rig.loop.gear[gear].plant.A, N, v, v, 1);
            put(rig.loop.gear[gear].plant.A, N, v, VL + VR - v, 0);
        }
    config.top_speed = 3;
    assert_int_equal(ib_drive_init(&rig.loop, &config, &rig.model, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "pivot_rate"));
    config.pivot_rate = 2;
    assert_int_equal(ib_drive_init(&rig.loop, &config, &rig.model, &error), IB_OK);
    assert_true(rig.model.pivot_rate[0] == 2 && rig.model.top_speed[1] == 3);
    config.pivot_rate = config.pivot_below = 0;
    assert_int_equal(ib_drive_init(&rig.loop, &config, &rig.model, &error), IB_OK);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_throttle_is_what_the_full_voltage_gives),
        cmocka_unit_test(the_wheel_sets_the_radius),
        cmocka_unit_test(a_wheel_without_throttle_turns_on_the_spot),
        cmocka_unit_test(no_goal_asks_for_more_voltage_than_there_is),
        cmocka_unit_test(what_is_not_a_number_stands_still),
        cmocka_unit_test(loops_that_cannot_drive_are_refused),
        cmocka_unit_test(speeds_that_nothing_limits_must_be_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
