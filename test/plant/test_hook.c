// The law of a hook on a bracket: forces and books against what is stored, rest in closed form,
// when it catches and strikes, refused parameters. Runs of whole robots: test/robot/test_hook.c.
#include "cmocka_all.h"
#include "plant/hook.h"
#include "spread.h"

#include <string.h>

enum { X, Y, HEADING, VX, VY, W, BASE };

static const double g0 = 9.80665, M = 14, m = 1.2;
static const ib_HookConfig plain = {.on = 1,
                                    .bracket = {1, 2, 0.56},
                                    .height = 0.43,
                                    .reach = 0.03,
                                    .sag = 0.005,
                                    .damping = 0.7,
                                    .length = 0.35,
                                    .sway = 0.3,
                                    .floor_sag = 0.004,
                                    .floor_damping = 0.6,
                                    .slot = 0.08,
                                    .outer = 0.2,
                                    .lip = 0.5};
static const ib_HookCarrier carrier = {M, X, Y, HEADING, {VX, VY}, W, false};

static ib_HookModel make(const ib_HookConfig *config)
{
    const double place[2] = {0.06, -0.04};
    ib_HookModel hook;
    ib_hook_init(config, m, place, &hook);
    ib_hook_carry(&carrier, &hook);
    return hook;
}

// A number of -1 .. 1, by sample and stream.
static double any(uint64_t stream, uint64_t sample)
{
    return 2 * chance_uniform(7, stream, sample) - 1;
}

// Somewhere around the bracket, in its walls and on the floor.
static ib_HookMotion somewhere(uint64_t i)
{
    return (ib_HookMotion){.h = 0.05 * any(0, i) + 0.03,
                           .climb = 0.3 * any(1, i),
                           .position = 0.1 + 0.08 * any(2, i),
                           .speed = 0.3 * any(3, i),
                           .x = 1 + 0.25 * any(4, i),
                           .y = 2 + 0.25 * any(5, i),
                           .heading = 3 * any(6, i),
                           .vx = 0.5 * any(7, i),
                           .vy = 0.5 * any(8, i),
                           .yaw_rate = 2 * any(9, i)};
}

static ib_HookMotion after(const ib_HookMotion *at, double dt)
{
    ib_HookMotion then = *at;
    then.h += dt * at->climb;
    then.position += dt * at->speed;
    then.x += dt * at->vx;
    then.y += dt * at->vy;
    then.heading += dt * at->yaw_rate;
    return then;
}

// ------------------------------------------------------------------------------------------ forces

// Goal: what the forces take is stored or lost, nothing else, and nothing is ever given.
// Method: random motions; d(stored)/dt by central differences of 1 us, whose own error of third
// order is below 1e-4 W here.   d(stored)/dt + lost + up z' + floor h' + given = 0
static void forces_store_or_lose(void **state)
{
    (void)state;
    ib_HookModel hook = make(&plain);
    const double dt = 1e-6;
    int hung = 0, stood = 0, struck = 0;
    for (uint64_t i = 0; i < 20000; i++) {
        ib_HookMotion at = somewhere(i), before = after(&at, -dt), then = after(&at, dt);
        ib_HookNow now, a, b;
        bool engaged = i % 2;
        ib_hook_evaluate(&hook, &at, engaged, &now);
        ib_hook_evaluate(&hook, &before, engaged, &a);
        ib_hook_evaluate(&hook, &then, engaged, &b);
        assert_true(now.lost >= 0 && now.tension >= 0 && now.floor >= 0 && now.strike >= 0);
        // Away from where something begins to touch: there the slope has a kink.
        if ((a.wall < 0) != (b.wall < 0) || (before.h < 0.004) != (then.h < 0.004)) continue;
        if (engaged && (a.yields > 0) != (b.yields > 0)) continue;
        double rate = (b.stored - a.stored) / (2 * dt);
        double power = now.up * (at.climb + at.speed) + now.floor * at.climb + now.given;
        assert_close(rate + now.lost + power, 0, 2e-4 * (1 + fabs(power)));
        hung += now.tension > 0;
        stood += now.floor > 0;
        struck += now.strike > 0;
    }
    assert_true(hung > 1000 && stood > 1000 && struck > 1000);
}

// Goal: forces are the slopes of what is stored where nothing moves, the pendulum's as well.
// Method: central differences of 10 nm along x, y and z.
static void resting_forces_are_slopes(void **state)
{
    (void)state;
    ib_HookModel hook = make(&plain);
    const double d = 1e-8;
    for (uint64_t i = 0; i < 5000; i++) {
        ib_HookMotion at = somewhere(i);
        at.climb = at.speed = at.vx = at.vy = at.yaw_rate = 0;
        at.h = 0.01 + fabs(at.h); // off the floor
        ib_HookNow now;
        ib_hook_evaluate(&hook, &at, true, &now);
        double slope[3];
        for (int k = 0; k < 3; k++) {
            ib_HookMotion less = at, more = at;
            double *low = k == 0 ? &less.x : k == 1 ? &less.y : &less.position;
            double *high = k == 0 ? &more.x : k == 1 ? &more.y : &more.position;
            ib_HookNow a, b;
            *low -= d;
            *high += d;
            ib_hook_evaluate(&hook, &less, true, &a);
            ib_hook_evaluate(&hook, &more, true, &b);
            slope[k] = (b.stored - a.stored) / (2 * d);
        }
        double size = 1 + fabs(now.fx) + fabs(now.fy) + fabs(now.up);
        assert_close(now.fx, -slope[0], 1e-4 * size);
        assert_close(now.fy, -slope[1], 1e-4 * size);
        assert_close(now.up, -slope[2], 1e-4 * size);
        assert_close(now.torque, 0, 0);
        assert_close(now.lost, 0, 0);
    }
}

// Goal: at rest it hangs with its weight on the bar, or stands with it on the floor.
// Method: closed form:  T = M g with z = bar - sag + q^2/(2 L);  N = M g with h = 0.
static void rest_is_the_weight(void **state)
{
    (void)state;
    ib_HookModel hook = make(&plain);
    double x[BASE] = {0.95, 2.05, 0.5}, own[IB_HOOK_STATES];
    ib_HookNow now;
    ib_hook_reset(&hook, true, x, 0.02, own);
    ib_HookMotion at = ib_hook_motion(&hook, x, own, 0.02, 0);
    ib_hook_evaluate(&hook, &at, true, &now);
    double qx = 0.95 + 0.06 * cos(0.5) + 0.04 * sin(0.5) - 1;
    double qy = 2.05 + 0.06 * sin(0.5) - 0.04 * cos(0.5) - 2, square = qx * qx + qy * qy;
    assert_close(now.tension, M * g0, 1e-9);
    assert_close(now.z, 0.56 - 0.005 + square / 0.7, 1e-12);
    assert_close(now.fx, -M * g0 * qx / 0.35, 1e-9);
    assert_close(now.fy, -M * g0 * qy / 0.35, 1e-9);
    assert_close(now.floor, 0, 0);
    assert_close(own[IB_HOOK_ENGAGED], 1, 0);
    ib_hook_reset(&hook, false, x, 0.02, own);
    at = ib_hook_motion(&hook, x, own, 0.02, 0);
    ib_hook_evaluate(&hook, &at, false, &now);
    assert_close(own[IB_HOOK_HEIGHT], 0, 0);
    assert_close(now.floor, M * g0, 1e-9);
    assert_close(now.up, 0, 0);
}

// Goal: about rest, bracket, floor and swing have the damping ratios that were asked for.
// Method: slopes of the forces by differences:  c = 2 zeta sqrt(k M), k = M g/sag, or M g/L.
static void damping_is_as_asked(void **state)
{
    (void)state;
    ib_HookModel hook = make(&plain);
    double x[BASE] = {1 - 0.06, 2 + 0.04}, own[IB_HOOK_STATES], v = 1e-6;
    ib_HookNow rest, moved;
    ib_hook_reset(&hook, true, x, 0.02, own);
    ib_HookMotion at = ib_hook_motion(&hook, x, own, 0.02, 0), up = at, side = at;
    up.climb = v;
    side.vx = v;
    ib_hook_evaluate(&hook, &at, true, &rest);
    ib_hook_evaluate(&hook, &up, true, &moved);
    assert_close((rest.up - moved.up) / v, 2 * 0.7 * M * sqrt(g0 / 0.005), 1e-3);
    ib_hook_evaluate(&hook, &side, true, &moved);
    assert_close((rest.fx - moved.fx) / v, 2 * 0.3 * M * sqrt(g0 / 0.35), 1e-3);
    ib_hook_reset(&hook, false, x, 0.02, own);
    at = up = ib_hook_motion(&hook, x, own, 0.02, 0);
    up.climb = v;
    ib_hook_evaluate(&hook, &at, false, &rest);
    ib_hook_evaluate(&hook, &up, false, &moved);
    assert_close((rest.floor - moved.floor) / v, 2 * 0.6 * M * sqrt(g0 / 0.004), 1e-3);
}

// Goal: near one face of a wall the push is that of a plain spring, straight out of it.
// Method: 1 mm behind each face, the others at least 40 mm off: 1/sqrt(1 + 2/1600) at most.
static void walls_push_out_of_the_nearest_face(void **state)
{
    (void)state;
    ib_HookModel hook = make(&plain);
    const struct {
        double q, z, up, out;
    } cases[] = {{0.14, 0.501, -1, 0}, {0.081, 0.6, 0, -1}, {0.199, 0.6, 0, 1}};
    double k = M * g0 / 0.005;
    for (int i = 0; i < 3; i++) {
        ib_HookNow now;
        ib_HookMotion at = {
            .h = 0.02, .position = cases[i].z - 0.45, .x = 1 + cases[i].q - 0.06, .y = 2 + 0.04};
        ib_hook_evaluate(&hook, &at, false, &now);
        assert_close(now.wall, -0.001, 1e-12);
        assert_close(now.strike, k * 0.001, 0.01 * k * 0.001);
        assert_close(now.up, cases[i].up * k * 0.001, 0.01 * k * 0.001);
        assert_close(now.fx, cases[i].out * k * 0.001, 0.01 * k * 0.001);
    }
}

// Goal: whatever axes a robot keeps its velocity in, the hook moves alike.
static void own_axes_are_turned(void **state)
{
    (void)state;
    ib_HookModel field = make(&plain), own = field;
    double c = cos(0.7), s = sin(0.7), u = 0.4, n = -0.3, hook[IB_HOOK_STATES] = {0};
    double x[BASE] = {1, 2, 0.7, u * c - n * s, u * s + n * c, 0.2};
    ib_HookMotion a = ib_hook_motion(&field, x, hook, 0, 0);
    own.carrier.own_axes = true;
    x[VX] = u;
    x[VY] = n;
    ib_HookMotion b = ib_hook_motion(&own, x, hook, 0, 0);
    assert_close(a.vx, b.vx, 1e-15);
    assert_close(a.vy, b.vy, 1e-15);
}

// ------------------------------------------------------------------------------------------- modes

// Goal: it catches above the bar and within reach only, stays while it is loaded or near, and
// counts each strike once. Method: places in order, with what they make of the modes.
static void modes_follow_the_place(void **state)
{
    (void)state;
    ib_HookModel hook = make(&plain);
    const struct {
        double q, z;
        int engaged, struck;
    } way[] = {
        {0.30, 0.45, 0, 0},  {0.30, 0.60, 0, 0},  // outside of everything
        {0.199, 0.60, 0, 1},                      // into the wall from its side
        {0.201, 0.60, 0, 1}, {0.199, 0.60, 0, 1}, // not clear of it yet
        {0.25, 0.60, 0, 1},  {0.14, 0.45, 0, 1},  // clear; below
        {0.14, 0.51, 0, 2},                       // up into the lip
        {0.14, 0.45, 0, 2},  {0.00, 0.45, 0, 2},  // below the bar
        {0.00, 0.55, 0, 2},  {0.00, 0.561, 1, 2}, // over it
        {0.00, 0.55, 1, 2},  {0.05, 0.55, 1, 2},  // loaded: does not slide off
        {0.035, 0.57, 1, 2}, {0.037, 0.57, 0, 2}, // loose: beyond 1.2 times its reach
        {0.031, 0.57, 0, 2}, {0.029, 0.57, 1, 2}, // and catches again within its reach
    };
    double own[IB_HOOK_STATES] = {0};
    for (size_t i = 0; i < sizeof way / sizeof *way; i++) {
        ib_HookNow now;
        ib_HookMotion at = {.position = way[i].z - 0.43, .x = 0.94 + way[i].q, .y = 2.04};
        ib_hook_evaluate(&hook, &at, own[IB_HOOK_ENGAGED] > 0.5, &now);
        bool changes =
            ib_hook_catch_margin(&hook, own, &now) <= 0 || ib_hook_strike_margin(own, &now) <= 0;
        assert_int_equal(ib_hook_settle(&hook, &now, own), changes);
        assert_false(ib_hook_settle(&hook, &now, own)); // once
        if (own[IB_HOOK_ENGAGED] != way[i].engaged || own[IB_HOOK_STRUCK] != way[i].struck)
            fail_msg("place %zu: engaged %g, struck %g", i, own[IB_HOOK_ENGAGED],
                     own[IB_HOOK_STRUCK]);
    }
}

// Goal: a hook that catches is not loaded at once, wherever it catches. Method: random places; the
// tension that comes with the mode is none.
static void catching_is_no_jolt(void **state)
{
    (void)state;
    ib_HookModel hook = make(&plain);
    int caught = 0;
    for (uint64_t i = 0; i < 20000; i++) {
        ib_HookMotion at = somewhere(i);
        double own[IB_HOOK_STATES] = {0};
        ib_HookNow now;
        at.x = 0.94 + 0.05 * any(4, i);
        at.y = 2.04 + 0.05 * any(5, i);
        at.heading = 0;
        ib_hook_evaluate(&hook, &at, false, &now);
        ib_hook_settle(&hook, &now, own);
        if (own[IB_HOOK_ENGAGED] < 0.5) continue;
        ib_hook_evaluate(&hook, &at, true, &now);
        assert_close(now.tension, 0, 0);
        caught++;
    }
    assert_true(caught > 500);
}

// ---------------------------------------------------------------------------------------- refusals

// Goal: what cannot be is refused with the key at fault.
static void impossible_hooks_are_refused(void **state)
{
    (void)state;
    ib_HookConfig narrow = plain, inside_out = plain, none = {.hanging = true}, bare = plain;
    ib_Error error;
    narrow.slot = 0.03;
    inside_out.outer = 0.07;
    bare.outer = 0;
    bare.slot = 0.001;
    assert_int_equal(ib_hook_check(&plain, &error), IB_OK);
    assert_int_equal(ib_hook_check(&bare, &error), IB_OK); // no walls: no slot
    assert_int_equal(ib_hook_check(&narrow, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "hook.walls.slot: "));
    assert_int_equal(ib_hook_check(&inside_out, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "hook.walls.outer: "));
    assert_int_equal(ib_hook_check(&none, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "start.hanging: it has no hook"));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_store_or_lose),
        cmocka_unit_test(resting_forces_are_slopes),
        cmocka_unit_test(rest_is_the_weight),
        cmocka_unit_test(damping_is_as_asked),
        cmocka_unit_test(walls_push_out_of_the_nearest_face),
        cmocka_unit_test(own_axes_are_turned),
        cmocka_unit_test(modes_follow_the_place),
        cmocka_unit_test(catching_is_no_jolt),
        cmocka_unit_test(impossible_hooks_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
