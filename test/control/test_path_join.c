// test/control/test_path_join.c: smooth curves through waypoints, alone and among lines and arcs.
#include "cmocka_all.h"

#include "base/maths.h"
#include "control/path/path.h"

#include <string.h>

#define PI 3.14159265358979323846

static const ib_PathPoint origin = {0};

static void add(ib_PathConfig *path, double x, double y)
{
    assert_true(ib_path_add(path, &(ib_Waypoint){.given = true, .x = x, .y = y}));
}

static void add_headed(ib_PathConfig *path, double x, double y, double heading)
{
    ib_Waypoint w = {.given = true, .headed = true, .x = x, .y = y, .heading = heading};
    assert_true(ib_path_add(path, &w));
}

static ib_PathConfig slalom(void)
{
    ib_PathConfig path = {0};
    add(&path, 1, 0.5);
    add(&path, 2, -0.5);
    add_headed(&path, 3, 0.5, 0.2);
    add(&path, 4, 0);
    return path;
}

// Goal: a waypoint is read with its units. Method: by hand, and one wrong text for each part.
static void waypoints_are_read_as_written(void **state)
{
    (void)state;
    ib_Error error;
    ib_Waypoint w;
    assert_int_equal(ib_path_read_waypoint("1.5 m", "-20 cm", NULL, &w, &error), IB_OK);
    assert_true(w.given && !w.headed);
    assert_close(w.x, 1.5, 0);
    assert_close(w.y, -0.2, 1e-16);
    assert_int_equal(ib_path_read_waypoint("0 m", "0 m", "90 deg", &w, &error), IB_OK);
    assert_true(w.headed);
    assert_close(w.heading, PI / 2, 1e-15);
    assert_int_equal(ib_path_read_waypoint("1 kg", "0 m", NULL, &w, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "x of the waypoint"));
    assert_int_equal(ib_path_read_waypoint("1 m", "0", NULL, &w, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "y of the waypoint"));
    assert_int_equal(ib_path_read_waypoint("1 m", "0 m", "1 m", &w, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "heading of the waypoint"));
}

// Goal: the path passes every waypoint, with its heading where one is given. Method: the point at
// the sum of the lengths so far.
static void the_path_passes_every_waypoint(void **state)
{
    (void)state;
    ib_PathConfig path = slalom();
    assert_int_equal(ib_path_join(&path, origin, NULL), IB_OK);
    double s = 0;
    for (int i = 0; i < path.count; i++) {
        s += path.elements[i].length;
        ib_PathPoint p = ib_path_point(&path, origin, s - 1e-9);
        assert_close(p.x, path.waypoints[i].x, 2e-9); // a nanometre before it
        assert_close(p.y, path.waypoints[i].y, 2e-9);
        if (path.waypoints[i].headed) assert_close(p.course, path.waypoints[i].heading, 1e-8);
    }
    assert_close(ib_path_point(&path, origin, 0).course, 0, 1e-12);
}

// Goal: points, course and curvature belong together and are continuous, across waypoints, lines
// and arcs. Method: sums of small steps ds against the point: position by the course in the middle
// (error ds^3), course by the curvature there, which changes by less than 30/m^2; a jump of
// curvature between neighbours would be 1/m.
static void curvature_is_continuous(void **state)
{
    (void)state;
    ib_PathConfig path = {.count = 1, .elements = {{1, 0}}};
    ib_PathPoint start = {.x = -1};
    add(&path, 1, 0.4);
    add_headed(&path, 2, 0, -0.3);
    path.elements[path.count++] = (ib_PathElement){1.2, -0.5};
    assert_int_equal(ib_path_join(&path, start, NULL), IB_OK);
    double length = ib_path_length(&path), ds = length / 20000;
    ib_PathPoint last = start;
    for (int i = 1; i <= 20000; i++) {
        ib_PathPoint p = ib_path_point(&path, start, i * ds), m;
        m = ib_path_point(&path, start, (i - 0.5) * ds);
        assert_close(p.x - last.x, ds * ib_cos(m.course), 1e-9);
        assert_close(p.y - last.y, ds * ib_sin(m.course), 1e-9);
        assert_close(p.course - last.course, ds * m.curvature, 30 * ds * ds / 8);
        if (i > 1) assert_close(p.curvature, last.curvature, 30 * ds);
        last = p;
    }
    assert_close(last.curvature, -0.5, 1e-12);
}

// Goal: waypoints on a circle, with the circle's headings, give nearly that circle: a curve of
// fifth order. Method: 8 points of a circle; the error of a spline falls with h^4 (16-fold for
// twice the points, within a factor of 2, as the ends weigh differently).
static void waypoints_on_a_circle_give_a_circle(void **state)
{
    (void)state;
    double worst[2];
    for (int n = 0; n < 2; n++) {
        int count = 8 << n;
        ib_PathConfig path = {0};
        for (int i = 1; i <= count; i++) {
            double a = 2 * PI * i / count;
            if (i < count)
                add(&path, ib_sin(a), 1 - ib_cos(a));
            else
                add_headed(&path, 0, 0, 0);
        }
        assert_int_equal(ib_path_join(&path, origin, NULL), IB_OK);
        worst[n] = 0;
        for (int i = 0; i <= 1000; i++) {
            ib_PathPoint p = ib_path_point(&path, origin, ib_path_length(&path) * i / 1000);
            double r = sqrt(p.x * p.x + (p.y - 1) * (p.y - 1));
            worst[n] = fmax(worst[n], fabs(r - 1));
        }
    }
    assert_true(worst[0] < 5e-3);
    assert_true(worst[0] > 8 * worst[1]);
    assert_true(worst[0] < 32 * worst[1]);
}

// Goal: the distance to a path with curves is that to its nearest point. Method: against 8001
// points, as for lines and arcs.
static void distance_is_that_to_the_nearest_point(void **state)
{
    (void)state;
    ib_PathConfig path = slalom();
    path.elements[path.count++] = (ib_PathElement){1, 0};
    assert_int_equal(ib_path_join(&path, origin, NULL), IB_OK);
    double d = ib_path_length(&path) / 8000;
    static ib_PathPoint points[8001];
    for (int i = 0; i <= 8000; i++) points[i] = ib_path_point(&path, origin, i * d);
    for (int n = 0; n < 60; n++) {
        double x = -0.5 + 0.1 * n, y = 0.9 * ib_sin(7.0 * n), best = INFINITY;
        for (int i = 0; i <= 8000; i++) {
            double dx = x - points[i].x, dy = y - points[i].y;
            best = fmin(best, sqrt(dx * dx + dy * dy));
        }
        assert_close(ib_path_distance(&path, origin, x, y), best, 0.5 * d);
    }
}

static double curve_distance(const ib_Curve *curve, double x, double y)
{
    double samples[2 * IB_CURVE_SAMPLES];
    ib_curve_sample(curve, samples);
    return ib_curve_distance(curve, samples, x, y);
}

// Goal: the distance from a curve is exact to rounding. Method: points beside it at a known
// distance along its normal, less than the radius of any of its bends.
static void distance_from_a_curve_is_that_along_its_normal(void **state)
{
    (void)state;
    ib_PathConfig path = slalom();
    assert_int_equal(ib_path_join(&path, origin, NULL), IB_OK);
    for (int i = 0; i < path.count; i++) {
        const ib_Curve *curve = &path.waypoints[i].curve;
        for (int n = 0; n <= 500; n++) {
            ib_CurvePoint p = ib_curve_point(curve, curve->span * n / 500);
            double d = 0.05 * ib_sin(n), pace = sqrt(p.dx * p.dx + p.dy * p.dy);
            double found = curve_distance(curve, p.x - d * p.dy / pace, p.y + d * p.dx / pace);
            assert_close(found, fabs(d), 4e-15);
        }
    }
}

// Goal: the order in which the curves are looked at, and those that are left out, change no bit of
// the distance. Method: against the least of the distances to all, near the path and far from it.
static void curves_left_out_are_farther_away(void **state)
{
    (void)state;
    ib_PathConfig path = slalom();
    assert_int_equal(ib_path_join(&path, origin, NULL), IB_OK);
    for (int n = 0; n < 2000; n++) {
        double x = -2 + 0.005 * n, y = (n % 3 ? 0.5 : 5) * ib_sin(7.0 * n), best = INFINITY;
        for (int i = 0; i < path.count; i++)
            best = fmin(best, curve_distance(&path.waypoints[i].curve, x, y));
        assert_true(ib_path_distance(&path, origin, x, y) == best);
    }
}

// Goal: what no robot can drive is refused by name. Method: a waypoint on the spot, and one that
// lies straight behind.
static void impossible_waypoints_are_refused(void **state)
{
    (void)state;
    ib_Error error;
    ib_PathConfig same = {0}, back = {0};
    add(&same, 1, 0);
    add(&same, 1, 0);
    assert_int_equal(ib_path_join(&same, origin, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "element 2"));
    add_headed(&back, -1, 0, 0);
    assert_int_equal(ib_path_join(&back, origin, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "turns back"));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waypoints_are_read_as_written),
        cmocka_unit_test(the_path_passes_every_waypoint),
        cmocka_unit_test(curvature_is_continuous),
        cmocka_unit_test(waypoints_on_a_circle_give_a_circle),
        cmocka_unit_test(distance_is_that_to_the_nearest_point),
        cmocka_unit_test(distance_from_a_curve_is_that_along_its_normal),
        cmocka_unit_test(curves_left_out_are_farther_away),
        cmocka_unit_test(impossible_waypoints_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
