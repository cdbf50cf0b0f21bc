// Claims about src/sim/ways.c: where robots mean to drive.
#include "cmocka_all.h"

#include "scenario/given.h"
#include "sim/ways.h"

#include <string.h>

static double length_of(const ib_Way *way)
{
    double length = 0;
    for (int i = 1; i < way->count; i++) {
        double dx = way->x[i] - way->x[i - 1], dy = way->y[i] - way->y[i - 1];
        length += sqrt(dx * dx + dy * dy);
    }
    return length;
}

// Goal: the way of a path is as long as the path; that of a routine has a point for each place, and
// turns on the spot add none; who plans nothing has none. Method: a line of 2 m and a circle of
// 1 m: 2 + 2 pi, short by the chords of 5 cm: at most s^2/24 r^2 = 1e-4 of the circle; a square.
static void ways_are_those_that_were_planned(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846;
    ib_Arena arena = {0};
    ib_Scenario *scenario = given(
        "robots:\n"
        "  path: {kind: tank, start: {x: 5 m}, sensors: {gyro: {kind: gyro}},\n"
        "         control: {path: [line 2 m, circle 1 m left]}}\n"
        "  idle: {kind: box, start: {y: 5 m}}\n"
        "  square: {kind: holonomic, preset: x-drive, start: {x: -4 m}, sensors: {gyro: {kind: "
        "gyro}},\n"
        "           control: {routine: [{repeat: {times: 4, steps: [{drive: {forward: 1 m}},\n"
        "                                                          {turn: 90 deg}]}}]}}\n"
        "run: {duration: 1 s}\n");
    int count;
    const ib_Way *ways = ib_model_ways(scenario->model, &arena, &count);
    assert_int_equal(count, 2);
    assert_int_equal(ways[0].robot, 0);
    assert_int_equal(ways[0].control, -1);
    assert_close(length_of(&ways[0]), 2 + 2 * pi, 2 * pi * 1.1e-4);
    assert_close(ways[0].x[0], 5, 1e-12);
    assert_int_equal(ways[1].robot, 2);
    assert_int_equal(ways[1].count, 5);
    assert_close(length_of(&ways[1]), 4, 1e-9);
    assert_close(ways[1].x[4], -4, 1e-9);
    assert_close(ways[1].y[4], 0, 1e-9);
    ib_scenario_destroy(scenario);
    ib_arena_reset(&arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ways_are_those_that_were_planned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
