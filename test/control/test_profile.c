// Tests of both profiles: closed forms, least times by linear programs, limits and continuity on
// random cases, and the online form.
#include "control/path/jerk.h"
#include "control/path/profile.h"

#include "cmocka_all.h"
#include "spread.h"

#include <stdbool.h>
#include <string.h>

// Three million each were run by hand.
enum { CASES = IB_ROUNDS(400000, 40000), POINTS = 24 };

static ib_Error error;
static ib_Profile profile;

static void assert_ok(ib_Status status)
{
    if (status != IB_OK) fail_msg("%s", error.text);
}

static void plan(ib_ProfileLimits limits, ib_ProfilePoint start, ib_ProfilePoint goal)
{
    assert_ok(ib_profile_init(&limits, &start, &goal, &profile, &error));
}

static void plan_jerk(ib_JerkLimits limits, ib_ProfilePoint start, double goal)
{
    assert_ok(ib_jerk_init(&limits, &start, goal, &profile, &error));
}

// ------------------------------------------------------------------------------------ closed forms

// Goal: rest to rest takes the known times. Method: with a cruise T = x/v + v/2a + v/2d; without
// T = c/a + c/d, c^2 = 2 x a d/(a + d). The numbers are chosen to be short; 1e-14 is rounding.
static void trapezoid_times_are_the_closed_forms(void **state)
{
    (void)state;
    ib_ProfileLimits limits = {2, 1, 4};
    plan(limits, (ib_ProfilePoint){0}, (ib_ProfilePoint){.position = 7.5});
    assert_close(profile.duration, 2 + 2.5 + 0.5, 1e-14); // 2 m, 5 m, 0.5 m
    ib_ProfilePoint p = ib_profile_at(&profile, 3);
    assert_close(p.position, 4, 1e-14);
    assert_true(p.velocity == 2 && p.acceleration == 0);
    p = ib_profile_at(&profile, 4.75);
    assert_close(p.velocity, 1, 1e-14);
    assert_true(p.acceleration == -4);

    plan(limits, (ib_ProfilePoint){0}, (ib_ProfilePoint){.position = -0.625});
    assert_close(profile.duration, 1 + 0.25, 1e-14); // c = -1
    assert_close(ib_profile_at(&profile, 1).velocity, -1, 1e-14);

    // Beyond both ends.
    p = ib_profile_at(&profile, -1);
    assert_true(p.position == 0 && p.velocity == 0);
    p = ib_profile_at(&profile, 9);
    assert_true(p.position == -0.625 && p.velocity == 0 && p.acceleration == 0);
}

// Goal: any start comes to rest at the origin in least time. Method: the time-optimal control of
// the double integrator with |a| <= 1 has the closed form T = s v + sqrt(4 s x + 2 v^2), s = +1
// above the switching curve x = -v |v|/2, else -1 (Athans, Falb, Optimal Control, 7.2). 1e-12:
// rounding of numbers up to 20.
static void trapezoid_is_time_optimal_without_a_speed_limit(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 10000; i++) {
        double x = 20 * chance_uniform(1, 0, i) - 10, v = 6 * chance_uniform(1, 1, i) - 3;
        double s = x > -v * fabs(v) / 2 ? 1 : -1;
        plan((ib_ProfileLimits){1e3, 1, 0}, (ib_ProfilePoint){x, v, 0}, (ib_ProfilePoint){0});
        assert_close(profile.duration, s * v + sqrt(4 * s * x + 2 * v * v), 1e-12);
    }
}

// Goal: rest to rest with a limit of jerk takes the known times, in all four shapes. Method: closed
// forms (Biagiotti, Melchiorri, Trajectory Planning, 3.4): all limits reached x/v + v/a + a/j;
// speed reached, acceleration not x/v + 2 sqrt(v/j); acceleration reached, speed not a/j +
// sqrt(a^2/j^2 + 4 x/a); neither (32 x/j)^(1/3). 1e-13: rounding.
static void jerk_times_are_the_closed_forms(void **state)
{
    (void)state;
    plan_jerk((ib_JerkLimits){2, 1.5, 4}, (ib_ProfilePoint){0}, 9);
    assert_close(profile.duration, 4.5 + 2 / 1.5 + 1.5 / 4, 1e-13);
    assert_int_equal(profile.count, 7);
    plan_jerk((ib_JerkLimits){1, 10, 4}, (ib_ProfilePoint){0}, -9);
    assert_close(profile.duration, 9 + 2 * sqrt(0.25), 1e-13);
    plan_jerk((ib_JerkLimits){20, 1.5, 4}, (ib_ProfilePoint){0}, 9);
    assert_close(profile.duration, 0.375 + sqrt(0.375 * 0.375 + 24), 1e-13);
    plan_jerk((ib_JerkLimits){20, 100, 4}, (ib_ProfilePoint){0}, 9);
    assert_close(profile.duration, cbrt(72), 1e-13);
    assert_close(ib_profile_at(&profile, cbrt(72) / 2).velocity, 2 * 9 / cbrt(72), 1e-13);
}

// Least times by linear programs, independent of any shape: the acceleration (or jerk) constant on
// 400 even pieces, states of the next sample linear in them, limits at every sample, bisection on
// the time until scipy.optimize.linprog (HiGHS, 1.10.1) finds no way. A grid can only be slower.
//   x, v0 -> v1, limits, time
static const double accelerating[][6] = {
    {5, 1, 0.5, 2, 1.5, 3.041693305969239},
    {0.2, 1.5, 0.5, 2, 1.5, 2.6329239368438726},
    {2, -1, 1, 1.2, 1.5, 3.0222489356994635},
    {-3, 0.5, -1, 2, 1.5, 2.708342218399048},
};
//   v0, x, limits, time
static const double jerking[][6] = {
    {0, 3, 2, 1.5, 4, 3.2282413005828863},     {1, 3, 2, 1.5, 4, 2.6288904666900637},
    {1, 0.4, 2, 1.5, 4, 1.6864758729934692},   {1, -2, 2, 1.5, 4, 3.661401748657227},
    {-1.5, 0.5, 2, 1.5, 4, 3.430295324325562}, {0.3, 0.2, 2, 1.5, 4, 0.8702689409255981},
    {1.8, 1, 2, 8, 5, 1.605835008621216},
};

// Goal: no profile of any shape is faster. Method: against the programs above; grid and bisection
// cost them up to 2.2e-5 of the time (a grid of 120 pieces costs 2e-4).
static void no_linear_program_finds_a_faster_way(void **state)
{
    (void)state;
    for (int i = 0; i < (int)(sizeof accelerating / sizeof *accelerating); i++) {
        const double *c = accelerating[i];
        plan((ib_ProfileLimits){c[3], c[4], 0}, (ib_ProfilePoint){0, c[1], 0},
             (ib_ProfilePoint){c[0], c[2], 0});
        assert_close(profile.duration / c[5], 1 - 1e-5, 1.2e-5);
    }
    for (int i = 0; i < (int)(sizeof jerking / sizeof *jerking); i++) {
        const double *c = jerking[i];
        plan_jerk((ib_JerkLimits){c[2], c[3], c[4]}, (ib_ProfilePoint){0, c[0], 0}, c[1]);
        assert_close(profile.duration / c[5], 1 - 1e-5, 1.2e-5);
    }
}

// ------------------------------------------------------------------------------------ random cases

typedef struct Case {
    double top, faster, slower, jerk;
    ib_ProfilePoint start, goal;
} Case;

// From 1/100 to 100, evenly over the decades.
static double over_decades(uint64_t stream, uint64_t i)
{
    return ib_exp(9.21 * (chance_uniform(7, stream, i) - 0.5));
}

static double within(double most, uint64_t stream, uint64_t i)
{
    return most * (2 * chance_uniform(7, stream, i) - 1);
}

// Every fourth start is faster than allowed, every eighth is at rest, every sixteenth on the goal.
static Case draw(uint64_t i)
{
    Case c = {
        .top = over_decades(0, i), .faster = over_decades(1, i), .slower = over_decades(2, i)};
    c.jerk = over_decades(3, i);
    c.start.position = within(10, 4, i);
    c.start.velocity = within(i % 4 == 1 ? 3 * c.top : c.top, 5, i);
    c.goal.position = c.start.position + within(over_decades(6, i), 7, i);
    c.goal.velocity = within(c.top, 8, i);
    if (i % 8 == 0) c.start.velocity = 0;
    if (i % 8 < 4) c.goal.velocity = 0;
    if (i % 16 == 0) c.goal.position = c.start.position;
    return c;
}

// The largest number that occurs in a sum of positions.
static double position_scale(const Case *c)
{
    double farthest = fabs(c->start.position) + fabs(c->goal.position);
    for (int i = 0; i < profile.count; i++)
        farthest = fmax(farthest, fabs(profile.pieces[i].point.position));
    return farthest + fmax(c->top, fabs(c->start.velocity)) * profile.duration;
}

static ib_ProfilePoint piece_end(int i, double end)
{
    const ib_ProfilePiece *piece = &profile.pieces[i];
    double t = end - piece->start;
    ib_ProfilePoint p = piece->point;
    p.position += p.velocity * t + p.acceleration * t * t / 2 + piece->jerk * t * t * t / 6;
    p.velocity += p.acceleration * t + piece->jerk * t * t / 2;
    p.acceleration += piece->jerk * t;
    return p;
}

// Pieces join, the first at the start and the last at the goal; with a jerk the acceleration too.
// Rounding: 1e-12 of the largest value that occurs, and what the last bit of the time is worth.
static void assert_joined(const Case *c, bool smooth)
{
    double x = position_scale(c), v = fmax(c->top, fabs(c->start.velocity));
    double bit = 4e-16 * profile.duration, a = fmax(c->faster, smooth ? 0 : c->slower);
    ib_ProfilePoint before = c->start;
    for (int i = 0; i <= profile.count; i++) {
        bool last = i == profile.count;
        ib_ProfilePoint after = last ? profile.goal : profile.pieces[i].point;
        assert_close(after.position, before.position, fmin(2e-11 * x, 1e-8));
        assert_close(after.velocity, before.velocity, 1e-12 * v + bit * a);
        if (smooth)
            assert_close(after.acceleration, before.acceleration, 1e-12 * a + bit * c->jerk);
        if (last) break;
        before =
            piece_end(i, i + 1 < profile.count ? profile.pieces[i + 1].start : profile.duration);
    }
}

// Never beyond a limit, but for the speed of a start that was too fast, which only falls.
static void assert_within_limits(const Case *c, bool smooth)
{
    double top = fmax(c->top, fabs(c->start.velocity)), last = fabs(c->start.velocity);
    for (int k = 0; k <= POINTS; k++) {
        ib_ProfilePoint p = ib_profile_at(&profile, profile.duration * k / POINTS);
        bool faster = p.acceleration * p.velocity > 0;
        double most = smooth || faster ? c->faster : c->slower;
        // At rest, between getting slower and faster, either limit is right.
        if (!smooth && fabs(p.velocity) < 1e-9 * top) most = fmax(c->faster, c->slower);
        assert_true(fabs(p.velocity) <= top * (1 + 1e-12));
        assert_true(fabs(p.acceleration) <= most * (1 + 1e-12));
        if (last > c->top) assert_true(fabs(p.velocity) <= last * (1 + 1e-12));
        last = fabs(p.velocity);
    }
    for (int i = 0; i < profile.count; i++)
        assert_true(fabs(profile.pieces[i].jerk) <= (smooth ? c->jerk : 0));
}

// Goal: state to state, a trapezoid keeps its limits, does not jump and arrives. Method: random
// limits over four decades with different deceleration, starts too fast, at rest and on the goal.
static void trapezoids_keep_their_limits_and_arrive(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < CASES; i++) {
        Case c = draw(i);
        plan((ib_ProfileLimits){c.top, c.faster, c.slower}, c.start, c.goal);
        assert_true(isfinite(profile.duration));
        assert_joined(&c, false);
        assert_within_limits(&c, false);
    }
}

// Goal: the same with a limit of jerk, and a continuous acceleration. Method: as above.
static void jerk_profiles_keep_their_limits_and_arrive(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < CASES; i++) {
        Case c = draw(i);
        c.goal.velocity = 0;
        plan_jerk((ib_JerkLimits){c.top, c.faster, c.jerk}, c.start, c.goal.position);
        assert_true(isfinite(profile.duration));
        assert_joined(&c, true);
        assert_within_limits(&c, true);
    }
}

// ----------------------------------------------------------------------------------- special cases

// Goal: nothing to do takes no time; a speed that must be kept up takes x/v. Method: by hand.
static void empty_and_plain_ways_are_exact(void **state)
{
    (void)state;
    ib_ProfilePoint here = {3, 0, 0}, flying = {3, 1, 0}, on = {5, 1, 0};
    ib_ProfileLimits limits = {1, 1, 0};
    plan(limits, here, here);
    assert_true(profile.duration == 0 && profile.count == 0);
    assert_true(ib_profile_at(&profile, 0).position == 3 &&
                ib_profile_at(&profile, 1).position == 3);
    plan_jerk((ib_JerkLimits){1, 1, 1}, here, 3);
    assert_true(profile.duration == 0);

    plan(limits, flying, on);
    assert_true(profile.duration == 2 && profile.count == 1);
    assert_true(ib_profile_at(&profile, 3).position == 6); // goes on
    plan(limits, flying, flying);
    assert_true(profile.duration == 0);
}

// Goal: a goal that lies before the place where the robot can stop is overshot and come back to.
// Method: v = 2, d = 1: the stop is at 2 m after 2 s; back to 1 m in 2 sqrt(1) s. With a jerk of 2
// the plain stop takes 2 sqrt(v/j) = 2 s and 2 m as well; for a goal at 1 m the robot turns round
// without standing still, so it comes less far.
static void a_goal_too_near_is_come_back_to(void **state)
{
    (void)state;
    plan((ib_ProfileLimits){5, 1, 0}, (ib_ProfilePoint){0, 2, 0}, (ib_ProfilePoint){1, 0, 0});
    assert_close(profile.duration, 4, 1e-14);
    assert_close(ib_profile_at(&profile, 2).position, 2, 1e-14);
    plan_jerk((ib_JerkLimits){5, 100, 2}, (ib_ProfilePoint){0, 2, 0}, 2);
    assert_close(profile.duration, 2, 1e-14);
    plan_jerk((ib_JerkLimits){5, 100, 2}, (ib_ProfilePoint){0, 2, 0}, 1);
    double beyond = 0;
    for (int i = 0; i < 1000; i++)
        beyond = fmax(beyond, ib_profile_at(&profile, i * profile.duration / 1000).position);
    assert_true(beyond > 1 && beyond < 2 && profile.duration > 2);
}

// Goal: an acceleration at the start goes back to zero without a jump, and the goal is reached.
// Method: a0 = 1, j = 2, v0 = 0: 0.5 s lead to v = 0.25 and x = 1/12.
static void a_starting_acceleration_is_taken_back(void **state)
{
    (void)state;
    plan_jerk((ib_JerkLimits){2, 1.5, 2}, (ib_ProfilePoint){0, 0, 1}, 3);
    ib_ProfilePoint p = ib_profile_at(&profile, 0.5);
    assert_close(p.position, 1.0 / 12, 1e-15);
    assert_close(p.velocity, 0.25, 1e-15);
    assert_close(p.acceleration, 0, 1e-15);
    Case c = {2, 1.5, 1.5, 2, {0, 0, 1}, {3, 0, 0}};
    assert_joined(&c, true);
    assert_within_limits(&c, true);
}

// Goal: planning anew at every period goes the same way. Method: 500 random cases in 7 to 400
// steps; 1e-9 of the way: each of the steps rounds, and near the end of a change the speed follows
// the root of the distance.
static void planning_online_follows_the_plan(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 500; i++) {
        Case c = draw(i);
        ib_ProfileLimits limits = {c.top, c.faster, c.slower};
        plan(limits, c.start, c.goal);
        ib_ProfilePoint p = c.start;
        int steps = 7 + (int)i % 400;
        double dt = profile.duration / (steps - 0.5), scale = position_scale(&c);
        for (int k = 1; k <= steps && dt > 0; k++) {
            ib_ProfilePoint wanted = ib_profile_at(&profile, fmin(k * dt, profile.duration));
            assert_ok(ib_profile_next(&limits, &c.goal, dt, &p, &error));
            assert_close(p.position, wanted.position, 1e-9 * scale);
        }
        if (dt > 0) assert_true(p.position == c.goal.position && p.velocity == c.goal.velocity);
    }
}

// Goal: a goal that moves is followed within the limits. Method: it jumps every 0.3 s; the speed
// may change by a dt and the position by the mean of both speeds in a period, 1e-12 for rounding.
static void a_moving_goal_is_followed_within_the_limits(void **state)
{
    (void)state;
    ib_ProfileLimits limits = {1.5, 2, 4};
    ib_ProfilePoint p = {0};
    const double dt = 0.005;
    for (int k = 0; k < 6000; k++) {
        ib_ProfilePoint goal = {within(2, 9, (uint64_t)(k / 60)), 0, 0}, before = p;
        assert_ok(ib_profile_next(&limits, &goal, dt, &p, &error));
        double change = fabs(p.velocity) - fabs(before.velocity);
        assert_true(fabs(p.velocity) <= 1.5 + 1e-12 && change <= 2 * dt + 1e-12);
        assert_true(fabs(p.velocity - before.velocity) <= 4 * dt + 1e-12);
        assert_true(fabs(p.position - before.position) <= 1.5 * dt + 1e-12);
    }
}

// Goal: what cannot be planned is refused, by name. Method: one thing wrong at a time.
static void refuses_what_cannot_be_planned(void **state)
{
    (void)state;
    ib_ProfileLimits good = {1, 1, 0}, bad = {1, NAN, 0};
    ib_JerkLimits smooth = {1, 1, 0};
    ib_ProfilePoint p = {0}, fast = {0, 2, 0}, far = {INFINITY, 0, 0};
    assert_int_equal(ib_profile_init(&bad, &p, &p, &profile, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "acceleration"));
    assert_int_equal(ib_profile_init(&good, &p, &fast, &profile, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "goal.velocity"));
    assert_int_equal(ib_profile_init(&good, &far, &p, &profile, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "start.position"));
    assert_int_equal(ib_jerk_init(&smooth, &p, 1, &profile, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "jerk"));
    assert_int_equal(ib_profile_next(&good, &fast, 0.1, &p, &error), IB_BAD_INPUT);
    assert_int_equal(ib_profile_next(&good, &p, 0, &p, &error), IB_BAD_INPUT);
    assert_true(p.position == 0 && p.velocity == 0);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trapezoid_times_are_the_closed_forms),
        cmocka_unit_test(trapezoid_is_time_optimal_without_a_speed_limit),
        cmocka_unit_test(jerk_times_are_the_closed_forms),
        cmocka_unit_test(no_linear_program_finds_a_faster_way),
        cmocka_unit_test(trapezoids_keep_their_limits_and_arrive),
        cmocka_unit_test(jerk_profiles_keep_their_limits_and_arrive),
        cmocka_unit_test(empty_and_plain_ways_are_exact),
        cmocka_unit_test(a_goal_too_near_is_come_back_to),
        cmocka_unit_test(a_starting_acceleration_is_taken_back),
        cmocka_unit_test(planning_online_follows_the_plan),
        cmocka_unit_test(a_moving_goal_is_followed_within_the_limits),
        cmocka_unit_test(refuses_what_cannot_be_planned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
