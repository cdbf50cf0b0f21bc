// test/control/test_drawn_plan.c: drawn paths as motions, against closed forms.
#include "cmocka_all.h"

#include "base/maths.h"
#include "control/path/drawn_plan.h"

#include <string.h>

#define PI 3.14159265358979323846

static const ib_PlanLimits usual = {.speed = 1, .acceleration = 2, .yaw_rate = 3, .yaw_quicker = 8};

// Plans a path that starts at a pose, written as in a file; into an arena that the caller resets.
static ib_PlannedPath made(const char *const *elements, ib_PathPoint start, bool along,
                           const ib_PlanLimits *limits, ib_Arena *arena)
{
    ib_DrawnPath *drawn = ib_arena_alloc(arena, sizeof *drawn);
    ib_PlannedPath path;
    ib_Error error = {0};
    assert_non_null(drawn);
    *drawn = (ib_DrawnPath){.start = start, .along = along};
    for (int i = 0; elements[i]; i++)
        assert_int_equal(
            ib_path_read(elements[i], &drawn->path.elements[drawn->path.count++], &error), IB_OK);
    if (ib_drawn_plan(drawn, limits, arena, &path, &error)) fail_msg("%s", error.text);
    return path;
}

static double speed_of(const ib_PlannedSample *s)
{
    return sqrt(s->vx * s->vx + s->vy * s->vy);
}

// Goal: a line is driven in a trapezoid, wherever it begins. Method: s/v + v/a of 3 m at 1 m/s and
// 2 m/s^2, and 2 sqrt(s/a) of 20 cm, too short for the speed. Of one cell of 1 cm, in which the
// trapezoid has its corner, 1e-4 s are left.
static void a_line_takes_the_time_of_a_trapezoid(void **state)
{
    (void)state;
    static const char *const lines[][2] = {{"line 3 m", NULL}, {"line 20 cm", NULL}};
    const double times[] = {3.5, 2 * sqrt(0.1)}, lengths[] = {3, 0.2};
    ib_PathPoint start = {.x = 1, .y = -2, .course = PI / 6};
    for (int i = 0; i < 4; i++) {
        ib_Arena arena = {0};
        ib_PlannedPath path = made(lines[i % 2], start, i < 2, &usual, &arena);
        ib_PlannedSample end = ib_planned_at(&path, path.duration);
        double s, c;
        ib_sincos(PI / 6, &s, &c);
        assert_close(path.duration, times[i % 2], 1e-4);
        assert_close(path.length, lengths[i % 2], 1e-9);
        assert_close(end.x, 1 + c * lengths[i % 2], 1e-9);
        assert_close(end.y, -2 + s * lengths[i % 2], 1e-9);
        assert_close(end.heading, i < 2 ? PI / 6 : 0, 1e-12);
        assert_true(path.base == (i < 2 ? IB_PLANNED_SIDES : IB_PLANNED_ANY_DIRECTION));
        ib_arena_reset(&arena);
    }
}

// Goal: a circle is driven as fast as the acceleration across it and the yaw rate allow. Method: of
// 25 cm v = sqrt(a r) = 0.707 m/s with the heading kept; with the heading along it v = W r =
// 0.75 m/s is no limit, and 0.5 m/s is one with W = 2 rad/s.
static void circles_keep_their_limits(void **state)
{
    (void)state;
    static const char *const circle[] = {"circle 25 cm left", NULL};
    for (int i = 0; i < 3; i++) {
        ib_Arena arena = {0};
        ib_PlanLimits limits = usual;
        if (i == 2) limits.yaw_rate = 2;
        ib_PlannedPath path = made(circle, (ib_PathPoint){0}, i > 0, &limits, &arena);
        ib_PlannedSample middle = ib_planned_at(&path, 0.5 * path.duration);
        assert_close(speed_of(&middle), i == 2 ? 0.5 : sqrt(0.5), 1e-3);
        assert_close(path.length, PI / 2, 1e-6);
        assert_close(middle.heading, i > 0 ? PI : 0, 0.01);
        ib_arena_reset(&arena);
    }
}

// Goal: nothing passes a limit, and place, velocity and heading belong together, on a path with
// lines and arcs both ways. Method: speed, yaw rate and, at a jump of curvature, its jump at each
// sample: of the yaw rate the mean of both sides, half of W' 0.1 s = 0.4 rad/s beside a line; place
// by the trapezoid of the velocities between samples, of 1 cm, to
//   h^3/12 |x'''| <= L^3/12 (k^2 + 3 a k/v^2)
// for cells of L = 1 cm, k = 1/(30 cm) and a = 2 m/s^2.
static void limits_hold_along_a_way(void **state)
{
    (void)state;
    static const char *const way[] = {"line 1 m", "arc 50 cm left 90 deg", "arc 30 cm right 60 deg",
                                      "line 50 cm", NULL};
    ib_Arena arena = {0};
    ib_PlannedPath path = made(way, (ib_PathPoint){0}, true, &usual, &arena);
    for (int i = 0; i < path.count; i++) {
        const ib_PlannedSample *s = &path.samples[i];
        double v = speed_of(s);
        assert_true(v <= 1 + 1e-12 && fabs(s->yaw_rate) <= 3 + 1e-9);
        if (i == 0) continue;
        double dt = s->t - s[-1].t, way_x = 0.5 * dt * (s->vx + s[-1].vx);
        double slow = fmin(v, speed_of(s - 1)), k = 1 / 0.3;
        if (slow > 0)
            assert_close(s->x - s[-1].x, way_x, 1e-6 / 12 * k * (k + 3 * 2 / (slow * slow)));
        assert_true(fabs(v * v - speed_of(s - 1) * speed_of(s - 1)) <= 2 * 2 * 0.0101);
    }
    ib_PlannedSample joint = path.samples[100]; // 1 m: the line ends, the arc of 50 cm begins
    assert_close(joint.x, 1, 1e-9);
    assert_close(speed_of(&joint), 0.8 * 0.5, 1e-9);
    assert_close(joint.yaw_rate, 0.5 * 0.8, 1e-9);
    // The end: 1.5, 0.5 heading 90 deg after the first arc, then to the right by 60 deg.
    ib_PlannedSample end = ib_planned_at(&path, path.duration);
    double c = 0.5, s = sqrt(0.75); // of 60 deg
    assert_close(end.heading, PI / 6, 1e-9);
    assert_close(end.x, 1.5 + 0.3 * (1 - c) + 0.5 * s, 1e-9);
    assert_close(end.y, 0.5 + 0.3 * s + 0.5 * c, 1e-9);
    ib_arena_reset(&arena);
}

// Goal: what would take longer than an hour is refused. Method: 1 km at 10 cm/s.
static void what_takes_too_long_is_refused(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    ib_PlanLimits limits = {0.1, 1, 1, 1};
    ib_DrawnPath *drawn = ib_arena_alloc(&arena, sizeof *drawn);
    ib_PlannedPath path;
    ib_Error error;
    assert_non_null(drawn);
    *drawn = (ib_DrawnPath){.path = {.count = 1, .elements = {{.length = 1000}}}};
    assert_int_equal(ib_drawn_plan(drawn, &limits, &arena, &path, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "expected at most 3600 s"));
    ib_arena_reset(&arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_takes_the_time_of_a_trapezoid),
        cmocka_unit_test(circles_keep_their_limits),
        cmocka_unit_test(limits_hold_along_a_way),
        cmocka_unit_test(what_takes_too_long_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
