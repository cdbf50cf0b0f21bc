// Tests of the runtime of designed loops: by hand, against the reference, in closed loop with
// noise, disturbance and saturation, and through changes of gear.
#include "control/feedback/state_feedback.h"

#include "cmocka_all.h"
#include "control/loop_rig.h"
#include "spread.h"

#include <math.h>

static ib_Loop loop;

// A speed with one input: v+ = a v + b u, sampled every 10 ms, with everything a loop can have.
static void speed_loop(double a, double b)
{
    memset(&loop, 0, sizeof loop);
    strcpy(loop.name, "speed");
    loop.states = loop.inputs = loop.outputs = loop.gears = 1;
    loop.observer = true;
    loop.period = 0.01;
    loop.low[0] = -12, loop.high[0] = 12;
    ib_LoopGear *gear = &loop.gear[0];
    gear->plant = ib_state_space_default(1, 1, 1);
    gear->plant.period = loop.period;
    gear->plant.A[0] = a, gear->plant.B[0] = b, gear->plant.C[0] = 1;
}

// Goal: one period is the arithmetic of control/loop.h. Method: one state, all terms, binary
// fractions, so that every number here is exact and computed by hand.
static void one_period_by_hand(void **state)
{
    (void)state;
    speed_loop(0.5, 2);
    ib_LoopGear *gear = &loop.gear[0];
    gear->plant.D[0] = 0.25;
    gear->K[0] = 3, gear->F[0] = 0.5, gear->G[0] = 4, gear->M[0] = 0.5;
    loop.integrals = 1, loop.feedforward = true, loop.period = 0.125, loop.Z[0] = 2;
    loop.high[0] = 5;
    double s[IB_FEEDBACK_STATES_MAX], x0 = 1, y = 3, r = 2, r_next = 4, u;
    assert_int_equal(ib_feedback_states(&loop), 4); // x z w u
    ib_feedback_reset(&loop, &x0, 0, s);

    // e = 3 - 1 - 0 = 2, x = 1 + 1 = 2; d = 0, w = 0 + 0.5 (4 - 1) - 0 = 1.5; v = 0, z = 0
    ib_feedback_step(&loop, &y, &r, &r_next, 0, &u, s);
    double first[] = {0.5 * 2 + 2 * 1.5, 0, 1.5, 1.5};
    for (int i = 0; i < 4; i++) assert_true(s[i] == first[i]);
    assert_true(u == 1.5);

    // e = 3 - 4 - 0.25 * 1.5 = -1.375, x = 3.3125; d = 6 - 3.3125 = 2.6875,
    // w = 8.0625 + 0.5 (6 - 3) - 0 = 9.5625, cut to 5; v = 5.375, and 4 v > 0 pushes: z held
    r = 6, r_next = 6;
    ib_feedback_correct(&loop, &y, s);
    assert_true(s[0] == 3.3125);
    ib_feedback_output(&loop, &r, NULL, 0, &u, s);
    assert_true(u == 5 && s[2] == 9.5625 && s[3] == 5);
    ib_feedback_predict(&loop, &r, s);
    assert_true(s[0] == 0.5 * 3.3125 + 10 && s[1] == 0);

    // A missed sample; d = 6 - 11.65625 = -5.65625, w = -16.96875 + 1.5 = -15.46875, cut to -12;
    // v = -11.3125 pushes on down: held. Told that the plant got all of w, z moves: -v T.
    ib_feedback_output(&loop, &r, NULL, 0, &u, s);
    assert_true(u == -12);
    ib_feedback_predict(&loop, &r, s);
    assert_true(s[1] == 0);
    s[0] = 11.65625;
    double all = -15.46875;
    ib_feedback_applied(&loop, &all, s);
    ib_feedback_predict(&loop, &r, s);
    assert_true(s[1] == 11.3125 * 0.125 && s[0] == 0.5 * 11.65625 + 2 * all);
}

// Goal: the offsets join where control/loop.h says. Method: one state about x0 = 4, u0 = 3, y0 = 5,
// moving by 0.5 a period; binary fractions by hand:
//   s = 4 - 2 + 0.5 = 2.5,   drift = 2.5 - 6 = -3.5,   zero = 5 - 4 - 0.75 = 0.25,
//   hold = 3 - 0.5 * 2.5 = 1.75
static void one_period_about_a_point_by_hand(void **state)
{
    (void)state;
    speed_loop(0.5, 2);
    ib_LoopGear *gear = &loop.gear[0];
    gear->plant.D[0] = 0.25;
    gear->K[0] = 3, gear->F[0] = 0.5, gear->M[0] = 0.5;
    loop.feedforward = true;
    double s[IB_FEEDBACK_STATES_MAX], x0 = 4, u0 = 3, y0 = 5, shift = 0.5, y = 5.25, r = 5, u;
    ib_loop_place(&loop, 0, &x0, &u0, &y0, &shift);
    assert_true(loop.offset && loop.start[0] == 4);
    assert_true(gear->drift[0] == -3.5 && gear->zero[0] == 0.25 && gear->hold[0] == 1.75);

    // e = 5.25 - 4 - 0 - 0.25 = 1, x = 4.5; w = 1.75 + 3 * 0.5 + 0.5 (5 - 2.5) = 4.5
    ib_feedback_reset(&loop, NULL, 0, s);
    ib_feedback_step(&loop, &y, &r, NULL, 0, &u, s);
    assert_true(u == 4.5 && s[0] == 0.5 * 4.5 + 2 * 4.5 - 3.5);
    // e = 5.25 - 7.75 - 1.125 - 0.25 = -3.875
    ib_feedback_correct(&loop, &y, s);
    assert_true(s[0] == 7.75 - 0.5 * 3.875);
}

// A random loop with everything.
static const LoopShape all = {"all", 6, 3, 4, 2, 3, true, true, false};

// One that is at a limit of its first input at times and off it at others, with its run: the first
// of 50 draws that is, since about every third never comes to its limits or never leaves them.
static uint64_t draw_bounded(LoopRun *run)
{
    for (uint64_t seed = 9; seed < 9 + 50 * 10; seed += 10) {
        int bounded = 0;
        rig_random_loop(&all, seed, &loop);
        rig_run(&loop, seed, 3, run);
        for (int k = 0; k < RIG_STEPS; k++)
            bounded += run->u[3 * k] == loop.low[0] || run->u[3 * k] == loop.high[0];
        if (bounded >= 3 && bounded <= RIG_STEPS - 3) return seed;
    }
    fail_msg("none of 50 loops was at a limit at times");
    return 0;
}

typedef struct Point {
    double x0[6], u0[3], y0[4], shift[6];
} Point;

static void random_point(uint64_t seed, Point *point)
{
    memset(point, 0, sizeof *point);
    rig_random(seed, 1, 3, 6, point->x0);
    rig_random(seed, 2, 3, 3, point->u0);
    rig_random(seed, 3, 3, 4, point->y0);
}

// Goal: a plant that rests at its point is left there with the input of the point. Method: r = x^ =
// x0 and y = y0, any F: u = u0 and x^ stays, but for the rounding of sums of about 10 terms of 10.
static void a_point_is_held_by_its_own_input(void **state)
{
    (void)state;
    Point at;
    double s[IB_FEEDBACK_STATES_MAX], u[3];
    rig_random_loop(&all, 5, &loop);
    random_point(5, &at);
    for (int i = 0; i < 3; i++) loop.low[i] = -9, loop.high[i] = 9;
    for (int g = 0; g < 3; g++) ib_loop_place(&loop, g, at.x0, at.u0, at.y0, at.shift);
    ib_feedback_reset(&loop, NULL, 0, s);
    for (int k = 0; k < 50; k++) {
        // The first D is zero; from the second period on u is u0.
        ib_feedback_step(&loop, at.y0, at.x0, NULL, k / 20, u, s);
        for (int i = 0; i < 3; i++) assert_close(u[i], at.u0[i], 1e-13);
        for (int i = 0; i < 6; i++) assert_close(s[i], at.x0[i], 1e-13);
    }
}

// Goal: a loop about a point is the loop about zero, moved. Method: the same run in absolute values
// and in differences, through limits, integrals and changes of gear. Rounding of values of 10 in a
// loop that does not amplify: 1e-12.
static void a_moved_loop_is_the_loop_of_differences(void **state)
{
    (void)state;
    static ib_Loop moved;
    static LoopRun run;
    Point at;
    double s[IB_FEEDBACK_STATES_MAX], y[4], r[6], r_next[6], u[3];
    random_point(draw_bounded(&run), &at);
    moved = loop;
    for (int i = 0; i < 3; i++) moved.low[i] += at.u0[i], moved.high[i] += at.u0[i];
    for (int g = 0; g < 3; g++) ib_loop_place(&moved, g, at.x0, at.u0, at.y0, at.shift);
    ib_feedback_reset(&moved, NULL, 0, s);
    for (int k = 0; k < RIG_STEPS; k++) {
        for (int i = 0; i < 4; i++) y[i] = run.y[4 * k + i] + at.y0[i];
        for (int i = 0; i < 6; i++) r[i] = run.r[6 * k + i] + at.x0[i];
        for (int i = 0; i < 6; i++) r_next[i] = run.r[6 * (k + 1) + i] + at.x0[i];
        ib_feedback_step(&moved, y, r, r_next, run.gear[k], u, s);
        for (int i = 0; i < 3; i++) assert_close(u[i] - at.u0[i], run.u[3 * k + i], 1e-12);
        for (int i = 0; i < 6; i++) assert_close(s[i] - at.x0[i], run.x[6 * k + i], 1e-12);
    }
}

// Goal: where a linear plant is taken apart does not matter, moving or not. Method: about any x0,
// u0 it moves by shift = A x0 + B u0 - x0 and shows y0 = C x0 + D u0; nothing must be left of them.
static void a_point_of_a_linear_plant_leaves_no_offset(void **state)
{
    (void)state;
    Point at;
    rig_random_loop(&all, 6, &loop);
    random_point(6, &at);
    ib_LoopGear *gear = &loop.gear[1];
    rig_random(6, 7, 1, 4 * 3, gear->plant.D);
    memset(gear->F, 0, sizeof gear->F);
    for (int i = 0; i < 6; i++) {
        at.shift[i] = -at.x0[i];
        for (int j = 0; j < 6; j++) at.shift[i] += gear->plant.A[i * 6 + j] * at.x0[j];
        for (int j = 0; j < 3; j++) at.shift[i] += gear->plant.B[i * 3 + j] * at.u0[j];
    }
    for (int i = 0; i < 4; i++) {
        at.y0[i] = 0;
        for (int j = 0; j < 6; j++) at.y0[i] += gear->plant.C[i * 6 + j] * at.x0[j];
        for (int j = 0; j < 3; j++) at.y0[i] += gear->plant.D[i * 3 + j] * at.u0[j];
    }
    ib_loop_place(&loop, 1, at.x0, at.u0, at.y0, at.shift);
    for (int i = 0; i < 6; i++) assert_close(gear->drift[i], 0, 1e-14); // a few roundings of 10
    for (int i = 0; i < 4; i++) assert_close(gear->zero[i], 0, 1e-14);
    for (int i = 0; i < 3; i++) assert_true(gear->hold[i] == at.u0[i]); // there is no F
    assert_true(loop.start[0] == 0);                                    // that of the first gear
}

// Goal: the clamped step of the drivetrain is the reference's. Method: states measured without
// noise, 12 V, goal 1 m; its K has 12 digits, so 1e-9 is reached.               [reference D2]
static void clamped_step_matches_the_reference(void **state)
{
    (void)state;
    rig_drivetrain(&loop);
    loop.observer = false;
    const ib_StateSpace *plant = &loop.gear[0].plant;
    double s[IB_FEEDBACK_STATES_MAX], x[4] = {0}, r[4] = {1, 0, 1, 0}, u[2];
    ib_feedback_reset(&loop, NULL, 0, s);
    for (int k = 1, row = 0; k <= 400; k++) {
        ib_feedback_step(&loop, x, r, NULL, 0, u, s);
        assert_true(fabs(u[0]) <= 12 && fabs(u[1]) <= 12);
        double next[4] = {0};
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 4; j++) next[i] += plant->A[i * 4 + j] * x[j];
            for (int j = 0; j < 2; j++) next[i] += plant->B[i * 2 + j] * u[j];
        }
        memcpy(x, next, sizeof x);
        const double *wanted = ib__drive_step[row]; // t, x, v
        if (k != (int)rint(wanted[0] / loop.period)) continue;
        assert_close(x[0], wanted[1], 1e-9);
        assert_close(x[1], wanted[2], 1e-9);
        assert_close(x[2], wanted[1], 1e-9);
        row++;
    }
}

// The speed with poles 0.8 and 0.7 of (v, z): sum 1.9 - 0.1 K, product 0.9 - 0.1 K + 0.001 G.
static void integral_loop(void)
{
    speed_loop(0.9, 0.1);
    loop.integrals = 1, loop.Z[0] = 1;
    loop.gear[0].K[0] = 4, loop.gear[0].G[0] = 60, loop.gear[0].M[0] = 0.3;
}

// Goal: with noise, saturation and a constant push the integral ends at the goal, and without it at
// the closed form. Method: v = b p / (1 - a + b K) off, for the loop that measures well enough.
static void integral_removes_a_constant_push(void **state)
{
    (void)state;
    enum { STEPS = 4000 };
    const double noise = 0.02, push = -3, r = 5;
    for (int with = 0; with < 2; with++) {
        integral_loop();
        if (!with) loop.integrals = 0;
        loop.feedforward = true, loop.gear[0].F[0] = 10;
        loop.observer = false;
        loop.low[0] = -9, loop.high[0] = 9;
        double s[IB_FEEDBACK_STATES_MAX], v = 0, u, mean = 0;
        int cut = 0;
        ib_feedback_reset(&loop, NULL, 0, s);
        for (int k = 0; k < STEPS; k++) {
            double y = v + noise * chance_normal(4, 0, (uint64_t)k);
            ib_feedback_step(&loop, &y, &r, NULL, 0, &u, s);
            assert_true(fabs(u) <= 9);
            cut += fabs(u) == 9;
            if (k >= STEPS / 2) mean += y / (STEPS / 2);
            v = 0.9 * v + 0.1 * (u + push);
        }
        assert_true(cut > 3);
        // The noise of a mean of 2000, through the loop: below 0.02 * 5 / sqrt(2000) * 4 sigma.
        assert_close(mean, with ? 5 : 5 - 0.1 * 3 / (0.1 + 0.4), 0.01);
    }
}

// Goal: an integral does not wind up. Method: 300 periods against a goal that the limits forbid,
// then one they allow: the speed may pass it by no more than it does from a start with z = 0.
static void integral_does_not_wind_up(void **state)
{
    (void)state;
    integral_loop();
    loop.high[0] = 6; // 6 in the end: v = 0.1 * 6 / 0.1
    double s[IB_FEEDBACK_STATES_MAX], v = 0, r = 20, u, highest = 0;
    ib_feedback_reset(&loop, NULL, 0, s);
    for (int k = 0; k < 300; k++) {
        ib_feedback_step(&loop, &v, &r, NULL, 0, &u, s);
        assert_true(u <= 6 && u >= -12);
        v = 0.9 * v + 0.1 * u;
    }
    assert_close(v, 6, 1e-6);
    assert_true(s[1] == 0);

    // From v = 6 down to 3: linear from here on, so the undershoot is the one of two real poles
    // with the zero that the integral brings; a wound-up z would hold v at 6 for 100 periods.
    r = 3;
    for (int k = 0; k < 100; k++) {
        ib_feedback_step(&loop, &v, &r, NULL, 0, &u, s);
        v = 0.9 * v + 0.1 * u;
        if (k >= 3) highest = fmax(highest, v);
    }
    assert_true(highest < 5);
    assert_close(v, 3, 1e-3);
}

// What an actuator may make of w, having given `last` before; `size` is its step, width or rate.
typedef double Actuator(double w, double last, double size);

static double rounds(double w, double last, double size)
{
    (void)last;
    return size * rint(w / size);
}

static double rounds_down(double w, double last, double size)
{
    (void)last;
    return size * floor(w / size);
}

static double rounds_to_zero(double w, double last, double size)
{
    (void)last;
    return size * trunc(w / size);
}

static double has_a_dead_zone(double w, double last, double size)
{
    (void)last;
    return fabs(w) < size ? 0 : w;
}

static double is_slow(double w, double last, double size)
{
    return fmin(fmax(w, last - size), last + size);
}

static double is_cut(double w, double last, double size)
{
    (void)last;
    return fmin(fmax(w, -size), size);
}

// The integral loop under a constant push, told what its actuator made of it. Returns the mean of
// the last half; `highest` may be NULL.
static double run_actuator(Actuator *actuator, double size, double r, int steps, double *highest)
{
    double s[IB_FEEDBACK_STATES_MAX], v = 0, u, last = 0, mean = 0;
    ib_feedback_reset(&loop, NULL, 0, s);
    for (int k = 0; k < steps; k++) {
        ib_feedback_correct(&loop, &v, s);
        ib_feedback_output(&loop, &r, NULL, 0, &u, s);
        last = u = actuator(u, last, size);
        ib_feedback_applied(&loop, &u, s);
        ib_feedback_predict(&loop, &r, s);
        v = 0.9 * v + 0.1 * (u - 0.5);
        if (k >= steps / 2) mean += v / (steps - steps / 2);
        if (highest) *highest = fmax(*highest, v);
    }
    return mean;
}

// How much of u there is: its limits, as much as is meant to be used of it, or nobody says.
enum { LIMITED, MEANT, UNKNOWN };

static void span_loop(int span)
{
    integral_loop();
    loop.observer = false;
    if (span == LIMITED) return;
    loop.low[0] = -INFINITY, loop.high[0] = INFINITY;
    if (span == MEANT) loop.largest[0] = 12;
}

// Goal: an actuator that rounds does not switch the integral off. Method: steps of 1 mV to half a
// volt of 24 (a fiftieth of the span), to the nearest, down and to zero, and a dead zone of half a
// volt: the mean ends at the goal, with limits and without, where it takes 1.5 V to be and where it
// takes 20 mV. What is left is what a u between two steps leaves open, v within one step: the mean
// of 2000 periods to a tenth of it.
static void rounding_leaves_the_integral_on(void **state)
{
    (void)state;
    Actuator *const actuators[] = {rounds, rounds_down, rounds_to_zero, has_a_dead_zone};
    const double sizes[] = {0.001, 0.01, 0.05, 0.2, 0.5}, goals[] = {1, -0.48};
    for (size_t a = 0; a < sizeof actuators / sizeof *actuators; a++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (int span = LIMITED; span <= UNKNOWN; span++)
                for (int g = 0; g < 2; g++) {
                    // Where nobody says, a rounding is a fortieth of u itself.
                    if (span == UNKNOWN && sizes[i] > (goals[g] + 0.5) / 40) continue;
                    span_loop(span);
                    double mean = run_actuator(actuators[a], sizes[i], goals[g], 4000, NULL);
                    assert_close(mean, goals[g], 0.1 * sizes[i]);
                }
}

// Goal: what is no rounding is still seen. Method: told of an actuator that gives 6 of 12 V, or
// that changes by 50 mV a period and more, the loop passes its goal by no more than one whose own
// limit is 6 V and 0.1: the 0.6 V of 24 by which an integral may go on are a tenth of what is at
// work, and the loop takes them back while the speed still rises. An integral left on would wind
// up by 3 V (5 x 0.01 s x 60) in each period. So it is without limits.
static void what_is_cut_or_slow_does_not_wind_up(void **state)
{
    (void)state;
    double own = 0;
    span_loop(LIMITED);
    loop.low[0] = -6, loop.high[0] = 6;
    // 5.2 needs 5.7 V of 6: it takes long at the limit.
    run_actuator(is_cut, 6, 5.2, 300, &own);
    assert_true(own < 5.3);
    for (int span = LIMITED; span <= UNKNOWN; span++) {
        double told = 0;
        span_loop(span);
        run_actuator(is_cut, 6, 5.2, 300, &told);
        assert_true(told < own + 0.1);
        for (double rate = 0.05; rate < 1; rate *= 2) {
            double slow = 0;
            assert_close(run_actuator(is_slow, rate, 5, 4000, &slow), 5, 1e-6);
            assert_true(slow < 5.1);
        }
    }
}

// Goal: the estimate follows what the plant really got. Method: plant and model equal, no noise, no
// correction, a battery that gives 8 of 12 V: told of it, x^ is the plant; not told, far from it.
static void applied_input_keeps_the_estimate(void **state)
{
    (void)state;
    for (int told = 0; told < 2; told++) {
        speed_loop(0.9, 0.1);
        loop.gear[0].K[0] = 10;
        double s[IB_FEEDBACK_STATES_MAX], v = 0, r = 20, u;
        ib_feedback_reset(&loop, NULL, 0, s);
        for (int k = 0; k < 50; k++) {
            ib_feedback_output(&loop, &r, NULL, 0, &u, s);
            u = fmin(u, 8);
            if (told) ib_feedback_applied(&loop, &u, s);
            ib_feedback_predict(&loop, &r, s);
            v = 0.9 * v + 0.1 * u;
        }
        if (told) {
            assert_true(s[0] == v);
        } else {
            assert_true(s[0] - v > 3);
        }
    }
}

static void two_gears(double K_low, double K_high)
{
    speed_loop(0.9, 0.1);
    loop.gears = 2;
    loop.gear[1] = loop.gear[0];
    strcpy(loop.gear[0].name, "low");
    strcpy(loop.gear[1].name, "high");
    loop.gear[0].K[0] = K_low, loop.gear[1].K[0] = K_high;
    loop.fade = 0.8;
}

// Goal: a change of gear makes no jump, and fades as stated. Method: the estimate held still by
// measuring 0; u before and after, and after n periods the new gear's own output less 0.8^n.
static void change_of_gear_does_not_bump(void **state)
{
    (void)state;
    two_gears(2, 5);
    loop.observer = false;
    double s[IB_FEEDBACK_STATES_MAX], v = 0, r = 2, u;
    assert_int_equal(ib_feedback_states(&loop), 5); // x w u carry gear
    ib_feedback_reset(&loop, NULL, 0, s);
    ib_feedback_step(&loop, &v, &r, NULL, 0, &u, s);
    assert_true(u == 4);
    double left = -6;
    for (int k = 0; k < 40; k++) {
        ib_feedback_step(&loop, &v, &r, NULL, 1, &u, s);
        assert_close(u, 10 + left, 1e-14 * 10); // rounding of a sum of 10
        left *= 0.8;
    }
    assert_true(s[4] == 1);
}

// Goal: no carry where both gears are cut at the same limit, and a start in any gear is no change.
// Method: wants of 24 and 60 V at 12 V; once the goal is near the new gear is alone.
static void change_of_gear_at_the_limit_carries_nothing(void **state)
{
    (void)state;
    two_gears(12, 30);
    loop.observer = false;
    double s[IB_FEEDBACK_STATES_MAX], v = 0, r = 2, u;
    ib_feedback_reset(&loop, NULL, 1, s);
    ib_feedback_step(&loop, &v, &r, NULL, 1, &u, s);
    assert_true(u == 12 && s[3] == 0);
    ib_feedback_step(&loop, &v, &r, NULL, 0, &u, s);
    assert_true(u == 12 && s[3] == 0);
    v = 1.9;
    ib_feedback_step(&loop, &v, &r, NULL, 0, &u, s);
    assert_close(u, 1.2, 1e-14);

    // From a limit to a gear that would leave it: u stays, and the carry is just enough.
    loop.gear[1].K[0] = 1;
    v = 0;
    ib_feedback_step(&loop, &v, &r, NULL, 0, &u, s);
    ib_feedback_step(&loop, &v, &r, NULL, 1, &u, s);
    assert_close(u, 12, 1e-14);
    assert_close(s[3], 0.8 * (12 - 2), 1e-14);
}

// Goal: a carry at a limit is not beyond it, which would hold the integrals for a period. Method:
// gears that want -0.6 to -60 V; in binary many of these and what they lack of 12 V are not 12 V.
static void carry_at_the_limit_is_at_the_limit(void **state)
{
    (void)state;
    for (int i = 1; i <= 100; i++) {
        two_gears(12, -0.3 * i);
        loop.observer = false;
        double s[IB_FEEDBACK_STATES_MAX], v = 0, r = 2, u;
        ib_feedback_reset(&loop, NULL, 0, s);
        for (int gear = 0; gear < 2; gear++) {
            ib_feedback_step(&loop, &v, &r, NULL, gear, &u, s);
            assert_true(u == 12 && s[2] == 12);
        }
        assert_true(s[1] == 12); // w
    }
}

// Goal: all that a loop remembers is in its doubles. Method: a random loop with every part; the
// state copied half way and run on from there gives the same bits.
static void a_copied_state_runs_on_the_same(void **state)
{
    (void)state;
    static LoopRun run;
    draw_bounded(&run);
    double s[IB_FEEDBACK_STATES_MAX], copy[IB_FEEDBACK_STATES_MAX], u[3];
    int count = ib_feedback_states(&loop);
    assert_int_equal(count, 6 + 2 + 3 * 3 + 1);
    ib_feedback_reset(&loop, NULL, 0, s);
    for (int k = 0; k < RIG_STEPS; k++) {
        if (k == RIG_STEPS / 2) memcpy(copy, s, sizeof *s * (size_t)count);
        double *from = k < RIG_STEPS / 2 ? s : copy;
        const double *r = run.r + 6 * k;
        ib_feedback_step(&loop, run.y + 4 * k, r, r + 6, run.gear[k], u, from);
        assert_memory_equal(u, run.u + 3 * k, sizeof u);
        assert_memory_equal(from, run.x + 6 * k, 6 * sizeof *s);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_period_by_hand),
        cmocka_unit_test(one_period_about_a_point_by_hand),
        cmocka_unit_test(a_point_is_held_by_its_own_input),
        cmocka_unit_test(a_moved_loop_is_the_loop_of_differences),
        cmocka_unit_test(a_point_of_a_linear_plant_leaves_no_offset),
        cmocka_unit_test(clamped_step_matches_the_reference),
        cmocka_unit_test(integral_removes_a_constant_push),
        cmocka_unit_test(integral_does_not_wind_up),
        cmocka_unit_test(rounding_leaves_the_integral_on),
        cmocka_unit_test(what_is_cut_or_slow_does_not_wind_up),
        cmocka_unit_test(applied_input_keeps_the_estimate),
        cmocka_unit_test(change_of_gear_does_not_bump),
        cmocka_unit_test(change_of_gear_at_the_limit_carries_nothing),
        cmocka_unit_test(carry_at_the_limit_is_at_the_limit),
        cmocka_unit_test(a_copied_state_runs_on_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
