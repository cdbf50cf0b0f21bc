// The Roomba document's claims as numbers: what the reference sheet finds for each of them.
#include "cmocka_all.h"
#include "robot/roomba_rig.h"

#include <math.h>

static const double deg = 0.017453292519943295, two_pi = 6.283185307179586;

// RK4 at 1 ms is within 1.4e-11 of the reference; its last printed digit is 1e-10 or smaller.
static const double reference_tolerance = 1e-9;

static const Segment both_wheels[] = {{0, 2.7, 2.7}};
static const Segment left_wheel[] = {{0, 2.7, 0}};
static const Segment schedule[] = {
    {0, 2.7, 2.7}, {2.4, 1.4, 2.7}, {10.6665, 2.7, 2.7}, {11.84589, 0, 0}};

// ---------------------------------------------------------------------------------------- straight

// Goal: when x is 1.4 m, and where y is then. Method: event location against the inverse of the
// closed form, t = tau arcosh(exp(s/(vt tau))), and the five printed digits.
static void straight_run_is_late_at_its_claimed_end(void **unused)
{
    (void)unused;
    Rig rig;
    Crossing there;
    rig_default(&rig, both_wheels, 1, 3);
    rig.roomba.planar.heading = 30 * deg;
    rig_start(&rig);
    rig_watch(&rig, &there, "pose.x", 1.4, 1);
    assert_non_null(rig_run(&rig, 3));
    double vt = sqrt(2.7 / 3.4), tau = 2.7 * vt / (2 * 2.7);
    assert_close(there.seconds[0], tau * acosh(exp(1.4 / cos(30 * deg) / (vt * tau))),
                 reference_tolerance);
    assert_close(there.seconds[0], 2.12288, 5e-6);
    assert_close(there.signals[1], 0.8083, 5e-5);
    rig_stop(&rig);
}

// Goal: the first leg takes 2.55317 s to 2 m. Method: as above.
static void first_leg_needs_longer_for_two_metres(void **unused)
{
    (void)unused;
    Rig rig;
    Crossing there;
    rig_default(&rig, both_wheels, 1, 3);
    rig_start(&rig);
    rig_watch(&rig, &there, "pose.x", 2, 1);
    assert_non_null(rig_run(&rig, 3));
    double vt = sqrt(2.7 / 3.4), tau = 2.7 * vt / (2 * 2.7);
    assert_close(there.seconds[0], tau * acosh(exp(2 / (vt * tau))), reference_tolerance);
    assert_close(there.seconds[0], 2.55317, 5e-6);
    rig_stop(&rig);
}

// ------------------------------------------------------------------------------------------ circle

// Goal: no point of the circle run lies beyond the bound of A4, and the claimed one does. Method:
// distance <= (sqrt(3)/2) (F/m) t^2 at every step up to 0.6 s; position there to five digits.
static void circle_stays_within_what_energy_allows(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig, left_wheel, 1, 1);
    rig_start(&rig);
    double bound = 0;
    const double *state = NULL;
    for (int i = 1; i <= 600; i++) {
        state = rig_run(&rig, i * 1e-3);
        assert_non_null(state);
        bound = sqrt(3) / 2 * (2.7 / 2.7) * i * i * 1e-6;
        assert_true(hypot(state[IB_ROOMBA_X], state[IB_ROOMBA_Y]) <= bound);
    }
    assert_close(state[IB_ROOMBA_X], 0.09267, 5e-6);
    assert_close(state[IB_ROOMBA_Y], -0.06228, 5e-6);
    assert_close(bound, 0.31, 5e-3);
    assert_true(hypot(0.9, 0.9) > 4 * bound);
    rig_stop(&rig);
}

// Goal: the circle it settles into (A2). Method: 40 s decay the transient; the centre lies v/w to
// the left of the velocity (turned by +90 degrees), the largest x a radius further.
static void circle_settles_where_the_reference_says(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig, left_wheel, 1, 40);
    rig_start(&rig);
    const double *state = rig_run(&rig, 40);
    double vx = state[IB_ROOMBA_VX], vy = state[IB_ROOMBA_VY], w = state[IB_ROOMBA_W];
    double c = cos(state[IB_ROOMBA_TH]), s = sin(state[IB_ROOMBA_TH]);
    double centre_x = state[IB_ROOMBA_X] - vy / w, centre_y = state[IB_ROOMBA_Y] + vx / w;
    assert_close(centre_x, 0.0053896680794, reference_tolerance);
    assert_close(centre_y, -0.086300222787, reference_tolerance);
    assert_close(centre_x + hypot(vx, vy) / -w, 0.10356787926, reference_tolerance);
    assert_close(vx * c + vy * s, 0.32057706544, reference_tolerance);
    assert_close(vy * c - vx * s, 0.037721131035, reference_tolerance);
    rig_stop(&rig);
}

// Goal: the radius of the tight circle nears r = 0.165 m as kn grows, slowly (A2). Method: settle
// at three values of kn (the larger, the longer the inner wheel takes); eight printed digits.
static void circle_nears_no_slip_slowly(void **unused)
{
    (void)unused;
    static const struct {
        double kn, settle, radius;
    } rows[] = {{1e4, 30, 0.12470971}, {1e5, 40, 0.14157771}, {1e6, 70, 0.15159823}};
    for (int i = 0; i < 3; i++) {
        Rig rig;
        rig_default(&rig, left_wheel, 1, rows[i].settle);
        rig.roomba.side_drag = rows[i].kn;
        rig_start(&rig);
        const double *state = rig_run(&rig, rows[i].settle);
        double v = hypot(state[IB_ROOMBA_VX], state[IB_ROOMBA_VY]);
        assert_close(v / -state[IB_ROOMBA_W], rows[i].radius, 1e-8);
        rig_stop(&rig);
    }
}

// ---------------------------------------------------------------------------------------- schedule

// Goal: extent, radius and end of the circle leg (A3). Method: watches on the leg, continued; times
// to four printed decimals, positions to 1e-9.
static void circle_leg_has_the_extent_of_the_reference(void **unused)
{
    (void)unused;
    Rig rig;
    Crossing right, left, top, turn;
    rig_default(&rig, schedule, 2, 12);
    rig_start(&rig);
    rig_watch(&rig, &right, "velocity.x", 0, 0);
    rig_watch(&rig, &left, "velocity.x", 0, 1);
    rig_watch(&rig, &top, "velocity.y", 0, 0);
    rig_watch(&rig, &turn, "pose.heading", two_pi, 1);
    const double *state = rig_run(&rig, 10.667);
    double v = hypot(state[IB_ROOMBA_VX], state[IB_ROOMBA_VY]);
    assert_close(v, 0.7612344438, reference_tolerance);
    assert_close(v / state[IB_ROOMBA_W], 0.9995927407, reference_tolerance);
    assert_non_null(rig_run(&rig, 12));
    assert_close(right.seconds[0], 4.6725, 5e-5);
    assert_close(right.signals[0], 3.0564946145, reference_tolerance);
    assert_close(left.seconds[0], 8.7978, 5e-5);
    assert_close(left.signals[0], 1.0573023182, reference_tolerance);
    assert_close(top.seconds[0], 6.7351, 5e-5);
    assert_close(top.signals[1], 2.0133686112, reference_tolerance);
    assert_close(turn.seconds[0], 10.812181775, reference_tolerance);
    assert_close(turn.signals[0], 2.0201725965, reference_tolerance);
    assert_close(turn.signals[1], 0.014857897344, reference_tolerance);
    rig_stop(&rig);
}

// Goal: how far the heading falls short of 2 pi, and that the coast does not stop. Method: the
// schedule at 10.6665 s and 18 s.
static void schedule_ends_short_of_a_turn_and_still_moves(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig, schedule, 4, 18);
    rig_start(&rig);
    const double *state = rig_run(&rig, 10.6665);
    assert_close(two_pi - state[IB_ROOMBA_TH], 0.110943168, reference_tolerance);
    state = rig_run(&rig, 18);
    assert_close(two_pi - state[IB_ROOMBA_TH], 0.0167927870, reference_tolerance);
    assert_close(hypot(state[IB_ROOMBA_VX], state[IB_ROOMBA_VY]), 0.06016, 5e-6);
    rig_stop(&rig);
}

// Goal: full force to the end is past 5 m at the claimed 14.3 s.
// Method: the schedule without its last switch.
static void full_force_is_far_past_four_metres_at_the_claimed_time(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig, schedule, 3, 15);
    rig_start(&rig);
    assert_close(rig_run(&rig, 14.3)[IB_ROOMBA_X], 5.1152509456, reference_tolerance);
    rig_stop(&rig);
}

// --------------------------------------------------------------------------------------- published

// Goal: what eq. (11) as printed makes of the circle and of the schedule (A5). Method: events and
// end values, to the digits printed there.
static void equation_11_gives_none_of_the_figures(void **unused)
{
    (void)unused;
    Rig rig;
    Crossing turn, top;
    rig_default(&rig, left_wheel, 1, 3);
    rig.roomba.equations = IB_ROOMBA_PUBLISHED;
    rig_start(&rig);
    rig_watch(&rig, &turn, "pose.heading", -two_pi, 0);
    rig_watch(&rig, &top, "velocity.x", 0, 0);
    const double *state = rig_run(&rig, 3);
    assert_close(state[IB_ROOMBA_W], -50.96, 5e-3);
    assert_close(turn.seconds[0], 0.8194, 5e-5);
    assert_close(top.seconds[0], 0.480, 5e-4);
    assert_close(top.signals[0], 0.0563, 5e-5);
    rig_stop(&rig);

    rig_default(&rig, schedule, 4, 18);
    rig.roomba.equations = IB_ROOMBA_PUBLISHED;
    rig_start(&rig);
    state = rig_run(&rig, 2.4);
    assert_close(state[IB_ROOMBA_X], 0.2347, 5e-5);
    assert_close(state[IB_ROOMBA_Y], -0.1053, 5e-5);
    assert_close(state[IB_ROOMBA_W], -34.9, 0.05);
    rig_stop(&rig);
}

static double yaw_growth(int equations)
{
    Rig rig;
    rig_default(&rig, both_wheels, 1, 1);
    rig.roomba.equations = equations;
    rig.roomba.planar.velocity_x = sqrt(2.7 / 3.4);
    rig.roomba.planar.velocity_heading = 1e-6;
    rig_start(&rig);
    double w = rig_run(&rig, 0.5)[IB_ROOMBA_W];
    rig_stop(&rig);
    return log(w / 1e-6) / 0.5;
}

// Goal: straight running damps a yaw rate at 8 kd vt/m; eq. (3) makes it grow as fast (A5). Method:
// a yaw rate of 1e-6 rad/s at terminal speed; what is left out of the linearisation is 1e-5 of it.
static void yaw_is_damped_and_equation_3_feeds_it(void **unused)
{
    (void)unused;
    double rate = 8 * 3.4 * sqrt(2.7 / 3.4) / 2.7;
    assert_close(rate, 8.977, 5e-4);
    assert_close(yaw_growth(IB_ROOMBA_CORRECTED), -rate, 1e-4);
    assert_close(yaw_growth(IB_ROOMBA_PUBLISHED_EQ3), rate, 1e-4);
}

// Goal: eq. (3) with the left wheel alone has a pole at 0.48491 s (A5). Method: for large |w| it is
// w' = (4 kd r/m) w|w|, so t* = t + 1/((4 kd r/m) |w|) + …; the remainder falls with 1/w^2.
static void equation_3_has_a_pole(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig, left_wheel, 1, 1);
    rig.roomba.equations = IB_ROOMBA_PUBLISHED_EQ3;
    rig.sim_config.solver = (ib_SolverConfig){IB_DOPRI5, 1e-12, 1e-9};
    rig_start(&rig);
    ib_Error error;
    double t = 0, w = 0;
    while (ib_sim_step(rig.sim, &error) == IB_OK) {
        t = ib_time_to_seconds(ib_sim_time(rig.sim));
        w = ib_sim_state(rig.sim)[IB_ROOMBA_W];
    }
    assert_true(w < -5000); // the run is stopped at 1e4 rad/s
    assert_close(t + 1 / (4 * 3.4 * 0.165 / 2.7 * -w), 0.48491, 5e-6);
    rig_stop(&rig);
}

// ------------------------------------------------------------------------------------------ solver

// Goal: RK4's error on the circle is the one of A6. Method: three step lengths against dopri5 at
// 1e-13; the sheet prints three digits, 1 % is for its own reference.
static void rk4_errors_are_those_of_the_reference(void **unused)
{
    (void)unused;
    static const struct {
        ib_Time step;
        double error;
    } rows[] = {{IB_SECOND / 50, 2.97e-6}, {IB_SECOND / 100, 1.35e-7}, {IB_SECOND / 200, 8.27e-9}};
    Rig rig;
    double exact[IB_ROOMBA_STATES];
    rig_default(&rig, left_wheel, 1, 3);
    rig.sim_config.solver = (ib_SolverConfig){IB_DOPRI5, 1e-13, 1e-9};
    rig_start(&rig);
    memcpy(exact, rig_run(&rig, 3), sizeof exact);
    rig_stop(&rig);
    for (int i = 0; i < 3; i++) {
        rig_default(&rig, left_wheel, 1, 3);
        rig.sim_config.step = rows[i].step;
        rig_start(&rig);
        const double *state = rig_run(&rig, 3);
        double error = 0;
        for (int k = 0; k < IB_ROOMBA_STATES; k++) error = fmax(error, fabs(state[k] - exact[k]));
        assert_close(error, rows[i].error, 0.01 * rows[i].error);
        rig_stop(&rig);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight_run_is_late_at_its_claimed_end),
        cmocka_unit_test(first_leg_needs_longer_for_two_metres),
        cmocka_unit_test(circle_stays_within_what_energy_allows),
        cmocka_unit_test(circle_settles_where_the_reference_says),
        cmocka_unit_test(circle_nears_no_slip_slowly),
        cmocka_unit_test(circle_leg_has_the_extent_of_the_reference),
        cmocka_unit_test(schedule_ends_short_of_a_turn_and_still_moves),
        cmocka_unit_test(full_force_is_far_past_four_metres_at_the_claimed_time),
        cmocka_unit_test(equation_11_gives_none_of_the_figures),
        cmocka_unit_test(yaw_is_damped_and_equation_3_feeds_it),
        cmocka_unit_test(equation_3_has_a_pole),
        cmocka_unit_test(rk4_errors_are_those_of_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
