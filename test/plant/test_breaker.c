// test/plant/test_breaker.c: a breaker trips when its table says, cools, latches or closes again.
#include "cmocka_all.h"

#include "plant/electric/breaker.h"

#include <string.h>

// CB185-120, the points of the facts sheet.
static const ib_BreakerConfig main_breaker = {
    .rating = 120,
    .trip = {.count = 11,
             .x = {120, 144, 162, 180, 240, 300, 360, 480, 600, 720, 877},
             .y = {{1800, 1200, 600, 300, 100, 50, 30, 18, 10, 6, 4}}},
    .cooling = 200,
    .reset = 0,
    .ambient = 298.15,
};

static ib_BreakerModel breaker_of(ib_BreakerConfig config)
{
    ib_BreakerModel breaker;
    ib_breaker_init(&config, &breaker);
    return breaker;
}

// Seconds until a constant current trips it from `heat`. The rate is constant above the rating, so
// one division integrates it exactly.
static double time_to_trip(const ib_BreakerModel *breaker, double current, double heat)
{
    return ib_breaker_margin(breaker, heat, true) / ib_breaker_rate(breaker, current, heat, true);
}

// Goal: every point of the table is met, from cold, either way round. Method: constant current;
// 1e-14 is rounding of exp and log. The rating itself is carried for ever.
static void every_point_of_the_table_is_met(void **state)
{
    (void)state;
    ib_BreakerModel breaker = breaker_of(main_breaker);
    const ib_Table *trip = &main_breaker.trip;
    for (int i = 1; i < trip->count; i++) {
        assert_close(time_to_trip(&breaker, trip->x[i], 0) / trip->y[0][i], 1, 2e-14);
        assert_close(time_to_trip(&breaker, -trip->x[i], 0) / trip->y[0][i], 1, 2e-14);
    }
    assert_close(ib_breaker_heating(&breaker, 120), 0, 0);
    assert_close(time_to_trip(&breaker, 120.0000001, 0), 1800, 1e-3);
}

// Goal: log-log between the points and beyond them. Method: by hand: at sqrt(240 300) A the time is
// sqrt(100 50) s; beyond 877 A the last slope goes on.
static void between_points_the_line_is_straight_on_log_log_paper(void **state)
{
    (void)state;
    ib_BreakerModel breaker = breaker_of(main_breaker);
    assert_close(time_to_trip(&breaker, sqrt(240 * 300), 0), sqrt(100 * 50), 1e-12);
    double slope = log(4.0 / 6) / log(877.0 / 720);
    assert_close(time_to_trip(&breaker, 1500, 0), 4 * pow(1500 / 877.0, slope), 1e-12);
    double last = INFINITY;
    for (double I = 121; I < 3000; I *= 1.01) {
        double t = time_to_trip(&breaker, I, 0);
        assert_true(t < last);
        last = t;
    }
}

// Goal: a launch does not trip it. Method: reference B8: 345 A for 0.3 s; the table gives 33.8 s.
static void launch_peak_does_not_trip(void **state)
{
    (void)state;
    ib_BreakerModel breaker = breaker_of(main_breaker);
    double heat = 0.3 * ib_breaker_rate(&breaker, 345, 0, true);
    assert_true(heat > 0 && heat < 0.01);
    assert_true(ib_breaker_update(&breaker, heat, true));
    double expected = 50 * pow(345 / 300.0, log(30.0 / 50) / log(360.0 / 300));
    assert_close(time_to_trip(&breaker, 345, 0), expected, 1e-11);
    assert_close(expected, 33.8, 0.1);
}

// Goal: below the rating heat decays with 200 s. Method: RK4 over 200 s against 1/e; its error at
// 1 s steps is (1/200)^5/120 a step.
static void heat_decays_in_200_seconds(void **state)
{
    (void)state;
    ib_BreakerModel breaker = breaker_of(main_breaker);
    double heat = 0.9;
    for (int i = 0; i < 200; i++) {
        double k1 = ib_breaker_rate(&breaker, 100, heat, true);
        double k2 = ib_breaker_rate(&breaker, 100, heat + 0.5 * k1, true);
        double k3 = ib_breaker_rate(&breaker, 100, heat + 0.5 * k2, true);
        double k4 = ib_breaker_rate(&breaker, 100, heat + k3, true);
        heat += (k1 + 2 * k2 + 2 * k3 + k4) / 6;
    }
    assert_close(heat, 0.9 * exp(-1), 1e-10);
}

// Goal: what is warm trips sooner. Method: half the heat, half the time.
static void warm_breaker_trips_sooner(void **state)
{
    (void)state;
    ib_BreakerModel breaker = breaker_of(main_breaker);
    assert_close(time_to_trip(&breaker, 300, 0.5), 25, 1e-11);
}

// Goal: the main breaker latches. Method: trip it, cool it to nothing: it stays open, and an open
// breaker cools whatever current is claimed.
static void main_breaker_stays_open(void **state)
{
    (void)state;
    ib_BreakerModel breaker = breaker_of(main_breaker);
    assert_true(ib_breaker_margin(&breaker, 1, true) <= 0);
    assert_false(ib_breaker_update(&breaker, 1, true));
    for (double heat = 1; heat > 1e-6; heat *= 0.5) {
        assert_true(ib_breaker_margin(&breaker, heat, false) > 0);
        assert_false(ib_breaker_update(&breaker, heat, false));
        assert_close(ib_breaker_rate(&breaker, 500, heat, false), -heat / 200, 1e-18);
    }
}

// Goal: a branch breaker closes again by itself, and cycles under a lasting overload. Method: 80 A
// on 40 A: it heats from 0.4 to 1 in 0.6 t, cools from 1 to 0.4 in tau ln 2.5; step through three
// cycles by the closed forms.
static void branch_breaker_closes_again(void **state)
{
    (void)state;
    ib_BreakerModel breaker = breaker_of((ib_BreakerConfig){
        .rating = 40,
        .trip = {.count = 3, .x = {40, 80, 160}, .y = {{600, 20, 2}}},
        .cooling = 10,
        .reset = 0.4,
        .ambient = 298.15,
    });
    assert_close(time_to_trip(&breaker, 80, 0), 20, 1e-12);
    bool closed = true;
    double heat = 0;
    for (int cycle = 0; cycle < 3; cycle++) {
        heat += time_to_trip(&breaker, 80, heat) * ib_breaker_rate(&breaker, 80, heat, closed);
        assert_close(heat, 1, 1e-14);
        closed = ib_breaker_update(&breaker, 1, closed);
        assert_false(closed);
        heat = 1 * exp(-10 * log(2.5) / 10);
        assert_close(ib_breaker_margin(&breaker, heat, closed), 0, 1e-15);
        assert_false(ib_breaker_update(&breaker, heat + 1e-9, closed));
        closed = ib_breaker_update(&breaker, 0.4, closed);
        assert_true(closed);
        heat = 0.4;
    }
    assert_close(time_to_trip(&breaker, 80, 0.4), 12, 1e-12);
}

// Goal: heat derates, cold uprates, 1 % a kelvin. Method: at 45 degC 96 A is the rating, and 80 %
// of every current of the table trips in the table's time.
static void hot_surroundings_derate(void **state)
{
    (void)state;
    ib_BreakerConfig config = main_breaker;
    config.ambient = 273.15 + 45;
    ib_BreakerModel breaker = breaker_of(config);
    assert_close(breaker.rating, 96, 1e-10);
    assert_close(time_to_trip(&breaker, 0.8 * 300, 0), 50, 1e-10);
    config.ambient = 273.15 + 5;
    breaker = breaker_of(config);
    assert_close(breaker.rating, 144, 1e-10);
    assert_close(time_to_trip(&breaker, 1.2 * 300, 0), 50, 1e-10);
}

// Goal: impossible breakers are refused by name. Method: one wrong thing at a time.
static void impossible_breakers_are_refused(void **state)
{
    (void)state;
    ib_Error error;
    assert_int_equal(ib_breaker_check(&main_breaker, &error), IB_OK);
    ib_BreakerConfig wrong[7];
    const char *says[] = {"rating",   "cooling",  "reset",      "ambient",
                          "two rows", "positive", "trip sooner"};
    for (int i = 0; i < 7; i++) wrong[i] = main_breaker;
    wrong[0].rating = 0;
    wrong[1].cooling = -1;
    wrong[2].reset = 1;
    wrong[3].ambient = 273.15 + 130;
    wrong[4].trip.count = 1;
    wrong[5].trip.y[0][3] = 0;
    wrong[6].trip.y[0][3] = 700;
    for (int i = 0; i < 7; i++) {
        assert_int_equal(ib_breaker_check(&wrong[i], &error), IB_BAD_INPUT);
        assert_non_null(strstr(error.text, says[i]));
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_point_of_the_table_is_met),
        cmocka_unit_test(between_points_the_line_is_straight_on_log_log_paper),
        cmocka_unit_test(launch_peak_does_not_trip),
        cmocka_unit_test(heat_decays_in_200_seconds),
        cmocka_unit_test(warm_breaker_trips_sooner),
        cmocka_unit_test(main_breaker_stays_open),
        cmocka_unit_test(branch_breaker_closes_again),
        cmocka_unit_test(hot_surroundings_derate),
        cmocka_unit_test(impossible_breakers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
