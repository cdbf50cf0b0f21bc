// test/control/test_path.c: drawn paths: what is read, where they go, how far a point is away.
#include "cmocka_all.h"

#include "base/maths.h"
#include "control/path/path.h"

#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

// Goal: the three forms give the lengths and curvatures of school geometry. Method: by hand.
static void elements_are_read_as_written(void **state)
{
    (void)state;
    ib_Error error;
    ib_PathElement e;
    assert_int_equal(ib_path_read("line 2 m", &e, &error), IB_OK);
    assert_close(e.length, 2, 0);
    assert_close(e.curvature, 0, 0);
    assert_int_equal(ib_path_read("  circle  50 cm   right ", &e, &error), IB_OK);
    assert_close(e.length, PI, 1e-15 * 4);
    assert_close(e.curvature, -2, 1e-15);
    assert_int_equal(ib_path_read("arc 1 m left 90 deg", &e, &error), IB_OK);
    assert_close(e.length, PI / 2, 1e-15);
    assert_close(e.curvature, 1, 0);
    assert_int_equal(ib_path_read("arc 2 m right 1 rad", &e, &error), IB_OK);
    assert_close(e.length, 2, 0);
}

// Goal: what is not an element is refused, and the text says what was expected. Method: one wrong
// text for each rule, with a word that its error must contain.
static void bad_elements_are_refused_with_a_hint(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"", "line 2 m"},
        {"line", "line 2 m"},
        {"spiral 2 m", "circle 1 m left"},
        {"line 2", "length"},
        {"line 2 kg", "length"},
        {"line -1 m", "length of the line"},
        {"line 0 m", "length of the line"},
        {"line nan m", "length of the line"},
        {"circle 1 m", "left' or 'right"},
        {"circle left", "left' or 'right"},
        {"circle 1 m left 90 deg", "full turn"},
        {"circle 0 m left", "radius"},
        {"circle 1 s left", "radius"},
        {"arc 1 m left", "angle of the arc"},
        {"arc 1 m left 90", "angle of the arc"},
        {"arc 1 m left 90 m", "angle of the arc"},
        {"arc 1 m leftwards 90 deg", "left' or 'right"},
        {"arc 1 m right -90 deg", "angle of the arc"},
        {"Line 2 m", "line 2 m"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ib_Error error = {0};
        ib_PathElement e;
        assert_int_equal(ib_path_read(bad[i][0], &e, &error), IB_BAD_INPUT);
        if (!strstr(error.text, bad[i][1]))
            fail_msg("'%s' -> '%s', expected '%s' in it", bad[i][0], error.text, bad[i][1]);
    }
    char text[600];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    ib_PathElement e;
    assert_int_equal(ib_path_read(text, &e, NULL), IB_BAD_INPUT);
}

static const ib_PathPoint origin = {0};

// Goal: points lie where circles and lines put them. Method: a line, a full circle and a line end
// where the two lines alone would; a quarter circle to the right ends at (R, -R), course -90 deg.
static void points_follow_lines_and_circles(void **state)
{
    (void)state;
    ib_PathConfig path = {.count = 3, .elements = {{2, 0}, {2 * PI, 1}, {2, 0}}};
    assert_close(ib_path_length(&path), 4 + 2 * PI, 1e-15 * 16);
    ib_PathPoint top = ib_path_point(&path, origin, 2 + PI);
    assert_close(top.x, 2, 1e-15);
    assert_close(top.y, 2, 1e-15);
    assert_close(top.course, PI, 1e-15);
    assert_close(top.curvature, 1, 0);
    ib_PathPoint end = ib_path_point(&path, origin, ib_path_length(&path));
    assert_close(end.x, 4, 4e-15);
    assert_close(end.y, 0, 4e-15);
    // Beyond the end the last element goes on.
    assert_close(ib_path_point(&path, origin, ib_path_length(&path) + 1).x, 5, 4e-15);

    ib_PathConfig quarter = {.count = 1, .elements = {{PI, -0.5}}};
    end = ib_path_point(&quarter, origin, PI);
    assert_close(end.x, 2, 4e-15);
    assert_close(end.y, -2, 4e-15);
    assert_close(end.course, -PI / 2, 1e-15);
}

// Goal: a nearly straight arc does not lose digits. Method: k = 1e-12 over 1 m is 0.5e-12 m off the
// line; the closed form with sines would be off by 1e-4.
static void slight_arcs_keep_their_digits(void **state)
{
    (void)state;
    ib_PathConfig path = {.count = 1, .elements = {{1, 1e-12}}};
    ib_PathPoint end = ib_path_point(&path, origin, 1);
    assert_close(end.x, 1, 1e-15);
    assert_close(end.y, 0.5e-12, 1e-15);
}

// Goal: the distance is that to the nearest point. Method: against the smallest distance to 3001
// points of the path, d apart, which is too large by d/2 at most and by d^2/8 over the distance far
// away (three times that where the path bends towards the point).
static void distance_is_that_to_the_nearest_point(void **state)
{
    (void)state;
    ib_PathConfig path = {.count = 4, .elements = {{1, 0}, {PI / 2, 1}, {3, -0.7}, {2, 0}}};
    ib_PathPoint start = {.x = 0.3, .y = -0.2, .course = 0.7};
    double length = ib_path_length(&path), d = length / 3000;
    for (int n = 0; n < 40; n++) {
        double x = -1.5 + 0.16 * n, y = 2.5 * ib_sin(7.0 * n), best = INFINITY;
        for (int i = 0; i <= 3000; i++) {
            ib_PathPoint p = ib_path_point(&path, start, i * d);
            best = fmin(best, sqrt((x - p.x) * (x - p.x) + (y - p.y) * (y - p.y)));
        }
        double found = ib_path_distance(&path, start, x, y);
        assert_true(found <= best + 1e-12);
        assert_close(found, best, fmin(0.5 * d, 3 * d * d / (8 * best)));
    }
    ib_PathConfig circle = {.count = 1, .elements = {{2 * PI, 1}}};
    assert_close(ib_path_distance(&circle, origin, 0, 1), 1, 1e-15);
    assert_close(ib_path_distance(&circle, origin, 0, 2.25), 0.25, 1e-15);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_are_read_as_written),
        cmocka_unit_test(bad_elements_are_refused_with_a_hint),
        cmocka_unit_test(points_follow_lines_and_circles),
        cmocka_unit_test(slight_arcs_keep_their_digits),
        cmocka_unit_test(distance_is_that_to_the_nearest_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
