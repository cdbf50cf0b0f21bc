// test/control/test_trajectory.c: motions along paths against closed forms and against the limits.
#include "cmocka_all.h"

#include "base/maths.h"
#include "control/follow_rig.h"
#include "control/path/trajectory.h"

#define PI 3.14159265358979323846

// A base that can do anything and never slips.
static void anything(const ib_Locomotion *base, const ib_AxisMotion *m, ib_MotionDemand *d)
{
    (void)base;
    *d = (ib_MotionDemand){
        .rim = {m->velocity[0] - 0.3 * m->velocity[2], m->velocity[0] + 0.3 * m->velocity[2]}};
}

static const ib_Locomotion able = {.count = 2, .range = 1, .half_track = 0.3, .demand = anything};

static ib_Trajectory make(const ib_TrajectoryConfig *config, const ib_PathConfig *path,
                          const ib_Locomotion *base, ib_Arena *arena)
{
    ib_Trajectory t;
    ib_Error error = {0};
    if (ib_trajectory_init(config, path, (ib_PathPoint){0}, base, arena, &t, &error))
        fail_msg("%s", error.text);
    return t;
}

// Goal: a line is the trapezoid. Method: 4 m at 1 m/s with 1.5 and 1 m/s^2, T = x/v + v/2a + v/2d.
// A corner of the speed lies between two rows, 1 cm apart: off by 1 cm of the speed there at most.
static void a_line_is_a_trapezoid(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    ib_TrajectoryConfig config = ib_trajectory_default();
    config.acceleration = 1.5;
    config.deceleration = 1;
    ib_PathConfig path = {.count = 1, .elements = {{4, 0}}};
    ib_Trajectory t = make(&config, &path, &able, &arena);
    assert_close(t.duration, 4 + 1 / 3.0 + 0.5, 2e-3);
    assert_int_equal(t.slow_count, 0);
    assert_null(t.top.by);
    for (int i = 0; i <= 100; i++) {
        double time = t.duration * i / 100, left = t.duration - time;
        double v = fmin(1, fmin(1.5 * time, left));
        ib_TrajectoryPoint p = ib_trajectory_at(&t, time);
        assert_close(p.speed, v, 0.02);
        assert_close(p.x, p.s, 1e-12);
        assert_close(p.y, 0, 1e-15);
    }
    assert_close(ib_trajectory_at(&t, -1).s, 0, 0);
    ib_TrajectoryPoint end = ib_trajectory_at(&t, 1e9);
    assert_close(end.x, 4, 1e-12);
    assert_close(end.speed, 0, 0);
    assert_close(end.acceleration, 0, 0);
    ib_arena_reset(&arena);
}

// Goal: a circle is driven with v = sqrt(a/k), and the slowdown is said. Method: radius 1 m and
// 0.64 m/s^2 sideways, 0.8 m/s; the lines beside it at 1 m/s.
static void a_circle_is_as_fast_as_sideways_allows(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    ib_TrajectoryConfig config = ib_trajectory_default();
    config.sideways = 0.64;
    ib_PathConfig path = {.count = 3, .elements = {{2, 0}, {2 * PI, 1}, {2, 0}}};
    ib_Trajectory t = make(&config, &path, &able, &arena);
    for (int i = 0; i < t.count; i++)
        if (t.rows[i].s > 2.5 && t.rows[i].s < 7.5) assert_close(t.rows[i].speed, 0.8, 1e-12);
    assert_close(t.top.speed, 1, 1e-12);
    assert_true(t.slow_count >= 1);
    char text[100];
    ib_Slowdown slow = {3.5, 2.1, "the motors", 3.2, 4, false};
    ib_trajectory_say(&slow, text, sizeof text);
    assert_string_equal(text, "slowed to 2.1 m/s from 3.2 m to 4.0 m: the motors");
    assert_string_equal(t.slow[0].by, "sideways acceleration");
    assert_true(t.slow[0].speed <= 0.8 + 1e-12);
    assert_int_equal(t.slow_count, 1); // one part, with the blends at both ends
    assert_close(t.slow[0].from, 2, 0.3);
    assert_close(t.slow[0].to, 2 + 2 * PI, 0.3);
    ib_arena_reset(&arena);
}

static void check_motion(const ib_TrajectoryConfig *config, const ib_Trajectory *t,
                         const ib_PathConfig *path, const ib_Locomotion *base)
{
    ib_TrajectoryPoint last = ib_trajectory_at(t, 0);
    double dt = 2e-3;
    for (double time = dt; time < t->duration; time += dt) {
        ib_TrajectoryPoint p = ib_trajectory_at(t, time);
        assert_true(p.speed <= config->speed + 1e-9);
        assert_true(p.acceleration <= config->acceleration + 1e-9);
        assert_true(p.acceleration >= -config->deceleration - 1e-9);
        assert_true(p.speed * p.speed * fabs(p.curvature) <= config->sideways * 1.02); // in a cell
        // Position, course and heading belong together.
        double v = 0.5 * (p.speed + last.speed), c = 0.5 * (p.course + last.course);
        assert_close(p.x - last.x, v * dt * ib_cos(c), 2e-5);
        assert_close(p.y - last.y, v * dt * ib_sin(c), 2e-5);
        assert_close(p.heading - last.heading, 0.5 * (p.yaw_rate + last.yaw_rate) * dt, 2e-4);
        assert_true(ib_path_distance(path, (ib_PathPoint){0}, p.x, p.y) < 6e-3);
        // What the drive has left is left, but within a cell, where limits are not looked at.
        ib_AxisMotion m =
            ib_motion_ahead(base, p.forward, p.yaw_rate, p.faster, p.yaw_quicker, p.drifting);
        ib_MotionDemand d;
        base->demand(base, &m, &d);
        if (d.share > 1) fail_msg("%s: %g at %g m", ib_motion_limit(d.limit), d.share, p.s);
        last = p;
    }
    ib_PathPoint end = ib_path_point(path, (ib_PathPoint){0}, ib_path_length(path));
    last = ib_trajectory_at(t, t->duration);
    assert_close(last.x, end.x, 1e-4); // pieces of blended curvature are summed up
    assert_close(last.y, end.y, 1e-4);
    assert_close(last.course, end.course, 1e-4);
}

// Goal: every instant is within what was asked for, within what the drive can do, near the drawn
// path, and consistent with its neighbours. Method: tank and Roomba on three paths, at every 2 ms.
static void every_instant_is_within_the_limits(void **state)
{
    (void)state;
    const ib_RobotKind *kinds[] = {&ib_tank_kind, &ib_roomba_kind};
    for (int k = 0; k < 2; k++)
        for (int n = 0; n < 3; n++) {
            FollowRig rig;
            follow_rig_default(&rig, kinds[k]);
            if (n == 0) follow_rig_element(&rig, "line 2 m");
            if (n == 0) follow_rig_element(&rig, "circle 1 m left");
            if (n == 1) follow_rig_waypoint(&rig, 1.5, 0.5);
            if (n == 1) follow_rig_waypoint(&rig, 3, -0.5);
            if (n == 2) follow_rig_element(&rig, "line 1 m");
            if (n == 2) follow_rig_element(&rig, "arc 0.6 m left 90 deg");
            if (n == 2) follow_rig_element(&rig, "arc 0.6 m right 90 deg");
            if (n == 2) follow_rig_waypoint(&rig, 4, 1);
            follow_rig_element(&rig, "line 2 m");
            follow_rig_prepare(&rig);
            check_motion(&rig.follow.trajectory, &rig.model.trajectory, &rig.path, &rig.base);
            follow_rig_free(&rig);
        }
}

// Goal: a path that asks for more than the motors can is slowed, and it is said by what. Method: a
// long line at 20 m/s: the top speed is that at which 85 % of the command are used up, 0.85 of v_t
// (docs/robot/tank.md), less the motors' own loss.
static void more_than_the_motors_can_is_slowed(void **state)
{
    (void)state;
    FollowRig rig;
    follow_rig_default(&rig, &ib_tank_kind);
    rig.follow.trajectory.speed = 20;
    rig.follow.trajectory.acceleration = 4;
    follow_rig_element(&rig, "line 20 m");
    follow_rig_prepare(&rig);
    const ib_Trajectory *t = &rig.model.trajectory;
    assert_string_equal(t->top.by, "the motors");
    assert_true(t->top.speed < 0.85 * 4.0374);
    assert_true(t->top.speed > 0.80 * 4.0374);
    follow_rig_free(&rig);
}

// Goal: what cannot be driven is refused, with place and reason. Method: motors limited to 8 A
// cannot turn a tank on carpet; a path without length; keys out of range.
static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    ib_Error error = {0};
    ib_Trajectory t;
    ib_TrajectoryConfig config = ib_trajectory_default();
    FollowRig rig;
    follow_rig_default(&rig, &ib_tank_kind);
    follow_rig_element(&rig, "line 2 m");
    follow_rig_prepare(&rig);
    ib_TankConfig *tank = rig.config;
    tank->current_limit = 8;
    follow_rig_renew(&rig);
    ib_PathConfig path = {.count = 2, .elements = {{1, 0}, {1, 2}}};
    assert_int_equal(
        ib_trajectory_init(&config, &path, (ib_PathPoint){0}, &rig.base, &arena, &t, &error),
        IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "the current limit"));
    assert_non_null(strstr(error.text, "cannot be driven"));
    ib_PathConfig none = {0};
    assert_int_equal(
        ib_trajectory_init(&config, &none, (ib_PathPoint){0}, &able, &arena, &t, &error),
        IB_BAD_INPUT);
    config.speed = 0;
    assert_int_equal(ib_trajectory_check(&config, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "speed"));
    config = ib_trajectory_default(), config.reserve = 1;
    assert_int_equal(ib_trajectory_check(&config, &error), IB_BAD_INPUT);
    config = ib_trajectory_default(), config.sideways = NAN;
    assert_int_equal(ib_trajectory_check(&config, &error), IB_BAD_INPUT);
    ib_arena_reset(&arena);
    follow_rig_free(&rig);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_a_trapezoid),
        cmocka_unit_test(a_circle_is_as_fast_as_sideways_allows),
        cmocka_unit_test(every_instant_is_within_the_limits),
        cmocka_unit_test(more_than_the_motors_can_is_slowed),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
