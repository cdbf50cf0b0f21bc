// test/control/test_bezier_plan.c: curves with limits against closed forms.
#include "cmocka_all.h"

#include "base/maths.h"
#include "control/path/bezier_plan.h"

#include <string.h>

#define PI  3.14159265358979323846
#define INF INFINITY

static const ib_PlanLimits usual = {2, 3, INF, INF};

// A line of 4 m from (1, 2) along x.
static const ib_PlanWaypoint line[] = {
    {.x = 1, .y = 2, .after_x = 2, .after_y = 2},
    {.x = 5, .y = 2, .before_x = 4, .before_y = 2},
};

static ib_BezierPlan plan_of(const ib_PlanWaypoint *waypoints, int count)
{
    return (ib_BezierPlan){.base = IB_PLANNED_ANY_DIRECTION,
                           .limits = usual,
                           .waypoint_count = count,
                           .waypoints = waypoints};
}

// A quarter of a circle of radius r to the left from the origin, with the arms that have its middle
// on the circle: 4 (sqrt 2 - 1)/3 r. The curvature is within 2.2 % of 1/r.
static void make_quarter(double r, ib_PlanWaypoint waypoints[2])
{
    double arm = 4 * (sqrt(2) - 1) / 3 * r;
    waypoints[0] = (ib_PlanWaypoint){.after_x = arm};
    waypoints[1] = (ib_PlanWaypoint){.x = r, .y = r, .before_x = r, .before_y = r - arm};
}

// Plans into an arena that the caller resets.
static ib_PlannedPath made(const ib_BezierPlan *plan, ib_Arena *arena)
{
    ib_PlannedPath path;
    ib_Error error = {0};
    if (ib_bezier_plan(plan, arena, &path, &error)) fail_msg("%s", error.text);
    return path;
}

static double fastest(const ib_PlannedPath *path)
{
    double most = 0;
    for (int i = 0; i < path->count; i++)
        most = fmax(most, sqrt(path->samples[i].vx * path->samples[i].vx +
                               path->samples[i].vy * path->samples[i].vy));
    return most;
}

// Goal: a line is driven in a trapezoid. Method: time = v/a + s/v for v = 2, a = 3, s = 4; one
// that is too short for the speed takes 2 sqrt(s/a). A cell of 1 cm costs 1e-4 s at most.
static void a_line_takes_the_time_of_a_trapezoid(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    ib_BezierPlan plan = plan_of(line, 2);
    ib_PlannedPath path = made(&plan, &arena);
    assert_close(path.duration, 2.0 / 3 + 4.0 / 2, 1e-4);
    assert_close(path.length, 4, 1e-9);
    assert_close(path.samples[path.count - 1].x, 5, 1e-12);
    ib_PlannedSample s = ib_planned_at(&path, 1);
    assert_close(s.x, 1 + 2.0 / 3 + 2 * (1 - 2.0 / 3), 2e-4);
    assert_close(s.vx, 2, 1e-6);

    plan.limits.speed = 10;
    path = made(&plan, &arena);
    assert_close(path.duration, 2 * sqrt(4.0 / 3), 1e-4);
    assert_close(fastest(&path), sqrt(3 * 4.0), 0.01);
    ib_arena_reset(&arena);
}

// Goal: speeds at both ends count. Method: from 1 m/s to 1.5 m/s over 4 m with 2 m/s and 3 m/s^2:
// (2 - 1)/3 s over 0.5 m, (2 - 1.5)/3 s over 0.2917 m, and the rest at 2 m/s.
static void speeds_at_the_ends_count(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    ib_BezierPlan plan = plan_of(line, 2);
    plan.start_speed = 1;
    plan.end_speed = 1.5;
    ib_PlannedPath path = made(&plan, &arena);
    assert_close(path.duration, 1.0 / 3 + 0.5 / 3 + (4 - 0.5 - 1.75 / 6) / 2, 1e-4);
    assert_close(path.samples[0].vx, 1, 1e-12);
    assert_close(path.samples[path.count - 1].vx, 1.5, 1e-12);

    plan.start_speed = 9; // lowered to what the limits allow
    path = made(&plan, &arena);
    assert_close(path.samples[0].vx, 2, 1e-12);
    ib_arena_reset(&arena);
}

// Goal: in a curve the acceleration across the path is limited. Method: a quarter of a circle of
// 1 m that is entered and left at speed: v = sqrt(a r), and its time is its length over that. The
// curvature is off by 2.2 %, so the speed by 1.1 %.
static void a_curve_is_driven_at_the_root_of_a_r(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    ib_PlanWaypoint quarter[2];
    make_quarter(1, quarter);
    ib_BezierPlan plan = plan_of(quarter, 2);
    plan.limits = (ib_PlanLimits){5, 2, INF, INF};
    plan.start_speed = plan.end_speed = 5;
    ib_PlannedPath path = made(&plan, &arena);
    assert_close(path.length, PI / 2, 1e-3);
    assert_close(path.duration, PI / 2 / sqrt(2.0), 0.015);
    for (int i = 0; i < path.count; i++) {
        const ib_PlannedSample *s = &path.samples[i];
        assert_close(sqrt(s->vx * s->vx + s->vy * s->vy), sqrt(2.0), 0.016);
        assert_close(sqrt(s->x * s->x + (s->y - 1) * (s->y - 1)), 1, 3e-4);
    }
    ib_arena_reset(&arena);
}

// Goal: a base with sides points along the path, or against it, and its yaw rate is limited.
// Method: the quarter at 1 rad/s takes pi/2 s; backwards only the heading differs.
static void a_base_with_sides_points_along_the_path(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    ib_PlanWaypoint quarter[2];
    make_quarter(1, quarter);
    ib_BezierPlan plan = plan_of(quarter, 2);
    plan.base = IB_PLANNED_SIDES;
    plan.limits = (ib_PlanLimits){5, 100, 1, INF};
    plan.start_speed = plan.end_speed = 5;
    ib_PlannedPath path = made(&plan, &arena);
    plan.backwards = true;
    ib_PlannedPath back = made(&plan, &arena);
    assert_close(path.duration, PI / 2, 0.03);
    for (int i = 0; i < path.count; i++) {
        const ib_PlannedSample *s = &path.samples[i];
        assert_close(s->heading, ib_atan2(s->vy, s->vx), 1e-12);
        assert_close(back.samples[i].heading, s->heading + PI, 1e-12);
        assert_close(back.samples[i].vx, s->vx, 0);
        assert_true(s->yaw_rate <= 1 + 1e-12 && s->yaw_rate > 0.95);
    }
    ib_arena_reset(&arena);
}

// Goal: a heading goes to each target by the cosine of the way and the shorter way round. Method: a
// line from -170 deg over 170 deg in the middle to 90 deg: 20 deg, then 80 deg, both clockwise.
static void headings_go_by_the_cosine_of_the_way(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    ib_PlanTurn turn = {.at = 0.5, .heading = 170 * PI / 180};
    ib_BezierPlan plan = plan_of(line, 2);
    plan.start_heading = -170 * PI / 180;
    plan.end_heading = PI / 2;
    plan.turn_count = 1;
    plan.turns = &turn;
    ib_PlannedPath path = made(&plan, &arena);
    for (int i = 0; i < path.count; i++) {
        double s = path.samples[i].x - 1, u = s < 2 ? s / 2 : (s - 2) / 2;
        double from = s < 2 ? -170 : -190, way = s < 2 ? -20 : -80;
        double degrees = from + way * 0.5 * (1 - ib_cos(PI * u));
        assert_close(path.samples[i].heading, degrees * PI / 180, 1e-9);
    }
    // The yaw rate is the slope of the heading: the cubic between samples finds the same.
    ib_PlannedSample s = ib_planned_at(&path, 0.5 * path.duration + 0.3);
    double h = 1e-4;
    double slope = (ib_planned_at(&path, s.t + h).heading - ib_planned_at(&path, s.t - h).heading);
    assert_close(s.yaw_rate, slope / (2 * h), 1e-3);
    ib_arena_reset(&arena);
}

// Goal: in an aim the robot points at its place, and the headings at the ends of the path stay.
// Method: past a point 1 m beside the line, in its middle half; an aim over the whole line begins
// and ends 20 cm from its ends; two that meet are 20 cm apart. No heading jumps.
static void an_aim_points_at_its_place(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    const ib_PlanAim aims[] = {{0.25, 0.75, 3, 3, 0}, {0, 1, 3, 3, PI}};
    ib_PlanMark mark = {0.25, 0.75, "aim"};
    for (int k = 0; k < 2; k++) {
        ib_BezierPlan plan = plan_of(line, 2);
        plan.limits = (ib_PlanLimits){2, 3, 4, 30};
        plan.aim_count = 1;
        plan.aims = &aims[k];
        plan.end_heading = -1;
        plan.mark_count = 1;
        plan.marks = &mark;
        ib_PlannedPath path = made(&plan, &arena);
        double first = k ? 1.2 : ib_planned_at(&path, path.events[0].t).x, last = 6 - first;
        for (int i = 0; i < path.count; i++) {
            const ib_PlannedSample *s = &path.samples[i];
            double to = ib_atan2(1, 3 - s->x) + aims[k].beside, off = to - s->heading;
            off -= 2 * PI * floor(off / (2 * PI) + 0.5);
            if (s->x > first + 0.02 && s->x < last - 0.02) assert_close(off, 0, 1e-9);
            if (i) assert_close(s->heading, path.samples[i - 1].heading, 0.2);
            assert_true(fabs(s->yaw_rate) <= 4 * 1.001);
        }
        assert_close(path.samples[0].heading, 0, 0);
        double end = path.samples[path.count - 1].heading + 1;
        assert_close(end - 2 * PI * floor(end / (2 * PI) + 0.5), 0, 1e-9);
    }
    const ib_PlanAim meeting[] = {{0.25, 0.5, 3, 3, 0}, {0.5, 0.75, 3, 3, PI / 2}};
    ib_BezierPlan plan = plan_of(line, 2);
    plan.aim_count = 2;
    plan.aims = meeting;
    ib_PlannedPath path = made(&plan, &arena);
    for (int i = 1; i < path.count; i++)
        assert_close(path.samples[i].heading, path.samples[i - 1].heading, 0.3);
    ib_arena_reset(&arena);
}

// Goal: no limit is passed anywhere, in a plan that meets all of them. Method: a bend with a turn
// of half a circle, each quantity from differences of the samples; 3 % for their coarseness.
static void no_limit_is_passed(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    const ib_PlanWaypoint bend[] = {
        {.x = 0, .y = 0, .after_x = 1.2, .after_y = 0},
        {.x = 2, .y = 1, .before_x = 2, .before_y = 0.2, .after_x = 2, .after_y = 2},
        {.x = 4, .y = 2, .before_x = 3, .before_y = 2},
    };
    ib_BezierPlan plan = plan_of(bend, 3);
    plan.limits = (ib_PlanLimits){3, 2.5, 2, 4};
    plan.end_heading = 3;
    ib_PlannedPath path = made(&plan, &arena);
    double most = 0, quickest = 0;
    for (int i = 0; i + 1 < path.count; i++) {
        const ib_PlannedSample *a = &path.samples[i], *b = a + 1;
        double v0 = sqrt(a->vx * a->vx + a->vy * a->vy), v1 = sqrt(b->vx * b->vx + b->vy * b->vy);
        double dt = b->t - a->t;
        double across = (a->vx * b->vy - a->vy * b->vx) / fmax(v0, 1e-9) / dt;
        assert_true(v0 <= 3 + 1e-12);
        assert_true(fabs(v1 - v0) / dt <= 2.5 * (1 + 1e-9));
        assert_true(fabs(across) <= 2.5 * 1.03);
        assert_true(fabs(a->yaw_rate) <= 2 * 1.001);
        if (i > 0) most = fmax(most, fabs(b->yaw_rate - a->yaw_rate) / dt);
        quickest = fmax(quickest, fabs(a->yaw_rate));
    }
    assert_true(most <= 4 * 1.05);
    assert_true(quickest > 1.5); // they were met
    ib_arena_reset(&arena);
}

// Goal: a zone has its own limits, exactly between its positions. Method: 1 m/s in the middle half
// of a line by its parameter, which is a little more than half of its length; 2 m/s outside.
static void a_zone_has_its_own_limits(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    ib_PlanZone zone = {0.25, 0.75, {1, 3, INF, INF}};
    ib_PlanMark mark = {0.25, 0.75, "slow"};
    ib_BezierPlan plan = plan_of(line, 2);
    plan.zone_count = plan.mark_count = 1;
    plan.zones = &zone;
    plan.marks = &mark;
    ib_PlannedPath path = made(&plan, &arena);
    // A cubic with the controls at 1/4 and 3/4: s = 3 u (1-u)^2 + 9 u^2 (1-u) + 4 u^3.
    double u = 0.25, from = 3 * u * 0.5625 + 9 * u * u * 0.75 + 4 * u * u * u, to = 4 - from;
    assert_int_equal(path.event_count, 1);
    assert_string_equal(path.events[0].name, "slow");
    assert_close(ib_planned_at(&path, path.events[0].t).x, 1 + from, 1e-9);
    assert_close(ib_planned_at(&path, path.events[0].until).x, 1 + to, 1e-9);
    assert_close(path.events[0].until - path.events[0].t, to - from, 1e-9);
    // Outside: from rest up to the speed from which 1 m/s is reached in time: v^2 = a s + 1/2.
    double v = sqrt(3 * from + 0.5), outside = v / 3 + (v - 1) / 3;
    assert_true(v < 2);
    assert_close(path.events[0].t, outside, 2e-3);
    ib_arena_reset(&arena);
}

static void assert_refused(const ib_PlanWaypoint *waypoints, int count, int at, const char *words)
{
    ib_BezierPlan plan = plan_of(waypoints, count);
    ib_Error error = {0};
    int waypoint = -1;
    assert_int_equal(ib_bezier_plan_check(&plan, &waypoint, &error), IB_BAD_INPUT);
    assert_int_equal(waypoint, at);
    if (!strstr(error.text, words)) fail_msg("'%s' does not say '%s'", error.text, words);
}

// Goal: what is no path is refused at its waypoint. Method: one for each rule.
static void what_is_no_path_is_refused(void **state)
{
    (void)state;
    ib_PlanWaypoint w[3];
    assert_refused(line, 1, 0, "expected 2 to 200 waypoints, got 1");
    memcpy(w, line, sizeof line);
    w[1].x = 1;
    assert_refused(w, 2, 1, "on the spot of the waypoint before");
    memcpy(w, line, sizeof line);
    w[0].after_x = 1.0001;
    assert_refused(w, 2, 0, "a control point on its waypoint");
    memcpy(w, line, sizeof line);
    w[1].x = 5000;
    assert_refused(w, 2, 1, "longer than 1000 m");
    memcpy(w, line, sizeof line);
    w[0].after_x = 4.75; // beyond each other on the line: it stops and turns back
    w[1].before_x = 0.25;
    assert_refused(w, 2, 1, "turns back on the spot");
    memcpy(w, line, sizeof line);
    w[1].after_x = 5;
    w[1].after_y = 3;
    w[2] = (ib_PlanWaypoint){.x = 6, .y = 4, .before_x = 5.5, .before_y = 4};
    assert_refused(w, 3, 1, "a corner of 90 deg");
}

// Goal: a line that turns back is refused however its control points lie. Method: the slope is
// (a - 1) (1 - u)^2 + 2 (b - a) u (1 - u) + (5 - b) u^2; where its least value is below 0 the
// robot would have to stop, and where it is well above it need not.
static void a_line_that_turns_back_is_refused(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    for (double a = 3; a < 9; a += 0.037) {
        for (double b = -3; b < 3; b += 0.41) {
            ib_PlanWaypoint w[2] = {line[0], line[1]};
            w[0].after_x = a;
            w[1].before_x = b;
            double least = INFINITY;
            for (double u = 0; u <= 1; u += 1e-3)
                least = fmin(least, (a - 1) * (1 - u) * (1 - u) + 2 * (b - a) * u * (1 - u) +
                                        (5 - b) * u * u);
            ib_BezierPlan plan = plan_of(w, 2);
            ib_PlannedPath path;
            ib_Status status = ib_bezier_plan(&plan, &arena, &path, NULL);
            if (least < 0) assert_int_equal(status, IB_BAD_INPUT);
            if (least > 0.1) assert_int_equal(status, IB_OK);
            ib_arena_reset(&arena);
        }
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_takes_the_time_of_a_trapezoid),
        cmocka_unit_test(speeds_at_the_ends_count),
        cmocka_unit_test(a_curve_is_driven_at_the_root_of_a_r),
        cmocka_unit_test(a_base_with_sides_points_along_the_path),
        cmocka_unit_test(headings_go_by_the_cosine_of_the_way),
        cmocka_unit_test(an_aim_points_at_its_place),
        cmocka_unit_test(no_limit_is_passed),
        cmocka_unit_test(a_zone_has_its_own_limits),
        cmocka_unit_test(what_is_no_path_is_refused),
        cmocka_unit_test(a_line_that_turns_back_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
