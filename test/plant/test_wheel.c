// test/plant/test_wheel.c: the tank's four patches. The law of one is in test_tyre.c, any number of
// them in test_patch.c, the whole robot against reference sheet B7 and B8 in test_drivetrain.c.
#include "cmocka_all.h"

#include "plant/wheel/wheel.h"
#include "roughtop.h"
#include "solver/solver.h"
#include "spread.h"

#include <stdio.h>
#include <string.h>

static const double HALF_TRACK = 0.3, WEIGHT = 60 * 9.80665;
static const ib_Weight IN_THE_MIDDLE = {.force = 60 * 9.80665};

static ib_WheelModel make(ib_WheelConfig config)
{
    ib_WheelModel model;
    ib_Error error;
    assert_int_equal(ib_wheel_check(&config, &error), IB_OK);
    ib_wheel_init(&config, HALF_TRACK, &model);
    return model;
}

typedef struct Motion {
    double u, n, w, left, right;
} Motion;

// Slips from nothing to a few metres per second, small ones as often as large ones.
static Motion random_motion(uint64_t *seed)
{
    double size = pow(10, spread(seed, -6, 0.7));
    Motion m = {spread(seed, -4, 4), spread(seed, -size, size), spread(seed, -size, size) / 0.3, 0,
                0};
    m.left = m.u + spread(seed, -size, size);
    m.right = m.u + spread(seed, -size, size);
    return m;
}

static ib_WheelForces circle(const ib_WheelModel *m, const Motion *v, double x_com, double y_com)
{
    ib_Weight weight = {WEIGHT, x_com, y_com, m->config.com_height};
    return ib_wheel_friction_circle(m, v->u, v->n, v->w, v->left, v->right, &weight);
}

// --------------------------------------------------------------------------------- friction circle

// Goal: the law of B8, patch by patch. Method: the same sum written out with tanh of the C library;
// 1e-12 of the weight.
static void friction_circle_is_the_law_of_b8(void **state)
{
    (void)state;
    ib_WheelConfig config = roughtop_wheels();
    uint64_t seed = 1;
    config.tyre.mu = 1.1;
    config.contact_half_length = 0.27;
    ib_WheelModel m = make(config);
    for (int i = 0; i < 2000; i++) {
        Motion v = random_motion(&seed);
        double fx = 0, fy = 0, torque = 0, power = 0, left = 0;
        for (int patch = 0; patch < 4; patch++) {
            double x = patch % 2 ? -0.27 : 0.27, y = patch < 2 ? 0.3 : -0.3;
            double sx = (patch < 2 ? v.left : v.right) - v.u + v.w * y, sy = -(v.n + v.w * x);
            double size = hypot(sx, sy), F = 1.1 * WEIGHT / 4 * tanh(size / 0.1);
            double Fx = F * sx / size, Fy = F * sy / size;
            fx += Fx;
            fy += Fy;
            torque += x * Fy - y * Fx;
            power += Fx * sx + Fy * sy;
            if (patch < 2) left += Fx;
        }
        ib_WheelForces p = circle(&m, &v, 0, 0);
        double near = 1e-12 * WEIGHT;
        assert_close(p.fx, fx, near);
        assert_close(p.fy, fy, near);
        assert_close(p.torque, torque, near);
        assert_close(p.left, left, near);
        assert_close(p.fx, p.left + p.right, near);
        assert_close(p.power, power, near * (1 + fabs(power) / WEIGHT));
        assert_true(p.power >= 0);
    }
}

// Goal: no more than mu times the weight, in any direction; across, side_scale of it; and what the
// patches take is what wheels and body lose. Method: random motion with random side_scale.
static void force_stays_in_its_ellipse_and_power_balances(void **state)
{
    (void)state;
    ib_WheelConfig config = roughtop_wheels();
    uint64_t seed = 2;
    for (int i = 0; i < 2000; i++) {
        config.side_scale = i % 5 ? spread(&seed, 0, 1) : 0;
        ib_WheelModel m = make(config);
        Motion v = random_motion(&seed);
        ib_WheelForces p = circle(&m, &v, 0, 0);
        double limit = WEIGHT * (1 + 1e-12), side = config.side_scale;
        assert_true(hypot(p.fx, side > 0 ? p.fy / side : 0) <= limit);
        if (side == 0) assert_close(p.fy, 0, 0);
        double lost =
            p.left * v.left + p.right * v.right - p.fx * v.u - p.fy * v.n - p.torque * v.w;
        assert_close(p.power, lost, 1e-11 * WEIGHT);
    }
}

// Goal: a robot at rest on wheels at rest feels nothing. Method: exact zeros.
static void no_slip_no_force(void **state)
{
    (void)state;
    ib_WheelModel m = make(roughtop_wheels());
    Motion rest = {0}, rolls = {.u = 2.5, .left = 2.5, .right = 2.5};
    ib_WheelForces p = circle(&m, &rest, 0, 0), q = circle(&m, &rolls, 0, 0);
    assert_close(p.fx, 0, 0);
    assert_close(p.fy, 0, 0);
    assert_close(p.torque, 0, 0);
    assert_close(p.power, 0, 0);
    assert_close(q.fx, 0, 0);
}

// ------------------------------------------------------------------------------------------- loads

static void assert_loads(const double load[4], double x, double y, double a)
{
    double sum = load[0] + load[1] + load[2] + load[3];
    assert_close(sum, WEIGHT, 1e-12 * WEIGHT);
    assert_close(a * (load[0] - load[1] + load[2] - load[3]), x * WEIGHT, 1e-12 * WEIGHT);
    assert_close(0.3 * (load[0] + load[1] - load[2] - load[3]), y * WEIGHT, 1e-12 * WEIGHT);
    for (int i = 0; i < 4; i++) assert_true(load[i] >= 0);
}

// Goal: loads carry the weight where it is, and none pulls. Method: sum and both
// moments for centres of pressure all over the rectangle; beyond it, still the whole
// weight and nothing negative.
static void loads_balance_over_the_whole_rectangle(void **state)
{
    (void)state;
    uint64_t seed = 3;
    ib_WheelModel m = make(roughtop_wheels());
    Motion still = {0};
    for (int i = 0; i < 5000; i++) {
        double x = spread(&seed, -0.3, 0.3), y = spread(&seed, -HALF_TRACK, HALF_TRACK);
        assert_loads(circle(&m, &still, x, y).load, x, y, 0.3);
        const ib_WheelForces far = circle(&m, &still, 3 * x, 3 * y);
        assert_close(far.load[0] + far.load[1] + far.load[2] + far.load[3], WEIGHT, 1e-12 * WEIGHT);
        for (int j = 0; j < 4; j++) assert_true(far.load[j] >= 0);
    }
}

// Goal: weight transfer has no lag: the loads fit the very forces they make, with all four wheels
// on the floor and with a corner in the air. Method: the centre of pressure found back from the
// loads is that of the mass, moved by -h F/weight; 1e-11, as long as it is within the rectangle
// of the patches; whatever happens, no load is negative.
static void weight_transfer_fits_its_own_forces(void **state)
{
    (void)state;
    ib_WheelConfig config = roughtop_wheels();
    uint64_t seed = 4;
    int within = 0, lifted = 0;
    for (int i = 0; i < 10000; i++) {
        config.com_height = spread(&seed, 0.01, 0.25);
        config.tyre.mu = spread(&seed, 0.2, 0.9);
        ib_WheelModel m = make(config);
        Motion v = random_motion(&seed);
        double x_com = spread(&seed, -0.25, 0.25), y_com = spread(&seed, -0.25, 0.25);
        ib_WheelForces p = circle(&m, &v, x_com, y_com);
        double x = x_com - config.com_height * p.fx / WEIGHT;
        double y = y_com - config.com_height * p.fy / WEIGHT;
        for (int j = 0; j < 4; j++) assert_true(p.load[j] >= 0);
        assert_close(p.load[0] + p.load[1] + p.load[2] + p.load[3], WEIGHT, 1e-12 * WEIGHT);
        if (fmax(fabs(x), fabs(y)) > 0.299) continue;
        within++;
        lifted += fabs(x) + fabs(y) > 0.3;
        assert_close(0.3 * (p.load[0] - p.load[1] + p.load[2] - p.load[3]), x * WEIGHT,
                     1e-11 * WEIGHT);
        assert_close(0.3 * (p.load[0] + p.load[1] - p.load[2] - p.load[3]), y * WEIGHT,
                     1e-11 * WEIGHT);
    }
    printf("  %d stand, %d of them on three wheels\n", within, lifted);
    assert_true(within > 7000 && lifted > 1000);
}

// Goal: a robot on three wheels is a matter of statics. Method: by hand: h/a = h/W = 1/2, mu = 1;
// it turns on the spot and its right wheels spin, so that the floor pushes the left patches by
// (0, -+1) of their loads and the right ones by (4/5, -+3/5), front and rear. Of the weight 1/10
// on the front left, 6/10 on the front right and 3/10 on the rear right wheel and none on the rear
// left one have their centre at (0.4, -0.8) in units of a. The forces are
//   Fx = 4/5 (6/10 + 3/10) = 0.72,   Fy = -1/10 - 3/5 6/10 + 3/5 3/10 = -0.28
// and move the centre by half of them, so that the mass is at (0.4 + 0.36, -0.8 - 0.14).
static void three_wheels_are_statics(void **state)
{
    (void)state;
    ib_WheelConfig config = roughtop_wheels();
    config.com_height = 0.15;
    ib_WheelModel m = make(config);
    // Slips of 3 m/s and more are 30 times the slip speed: the law gives mu to the last bit.
    Motion turn = {.w = 10, .left = -3, .right = 3 + 4};
    ib_WheelForces p = circle(&m, &turn, 0.3 * 0.76, 0.3 * -0.94);
    assert_close(p.load[0], 0.1 * WEIGHT, 1e-12 * WEIGHT);
    assert_close(p.load[1], 0, 1e-12 * WEIGHT);
    assert_close(p.load[2], 0.6 * WEIGHT, 1e-12 * WEIGHT);
    assert_close(p.load[3], 0.3 * WEIGHT, 1e-12 * WEIGHT);
    assert_close(p.fx, 0.72 * WEIGHT, 1e-12 * WEIGHT);
    assert_close(p.fy, -0.28 * WEIGHT, 1e-12 * WEIGHT);
}

// Goal: nothing jumps where corners lift off and where it would tip. Method: the centre of mass
// goes along lines all over the rectangle and beyond in steps of 1 um; no load changes by more than
// 1e-4 of the weight in one (a slope of 1/(4 a) is 1e-6 a step; a small determinant makes it ten
// times as much).
static void loads_have_no_jumps(void **state)
{
    (void)state;
    ib_WheelConfig config = roughtop_wheels();
    uint64_t seed = 6;
    config.com_height = 0.29;
    ib_WheelModel m = make(config);
    for (int i = 0; i < IB_ROUNDS(15, 4); i++) {
        Motion v = random_motion(&seed);
        double x0 = spread(&seed, -0.4, 0.4), y0 = spread(&seed, -0.4, 0.4);
        double x1 = spread(&seed, -0.4, 0.4), y1 = spread(&seed, -0.4, 0.4);
        int steps = (int)(hypot(x1 - x0, y1 - y0) / 1e-6);
        ib_WheelForces p = circle(&m, &v, x0, y0), q;
        for (int k = 1; k <= steps; k++, p = q) {
            double part = (double)k / steps;
            q = circle(&m, &v, x0 + (x1 - x0) * part, y0 + (y1 - y0) * part);
            for (int j = 0; j < 4; j++) assert_close(q.load[j], p.load[j], 1e-4 * WEIGHT);
        }
    }
}

// Goal: a launch presses on the rear wheels. Method: by hand: full wheel spin, mu = 1, h = 0.15 m,
// a = 0.3 m: dx = -1/2, so a front wheel carries 1/8 and a rear wheel 3/8 of the weight.
static void launch_presses_on_the_rear_wheels(void **state)
{
    (void)state;
    ib_WheelConfig config = roughtop_wheels();
    config.com_height = 0.15;
    ib_WheelModel m = make(config);
    Motion spin = {.left = 5, .right = 5};
    ib_WheelForces p = circle(&m, &spin, 0, 0);
    assert_close(p.load[0], WEIGHT / 8, 1e-10);
    assert_close(p.load[3], WEIGHT * 3 / 8, 1e-10);
    assert_close(p.fx, WEIGHT, 1e-10);
}

// ----------------------------------------------------------------------------------------- bristle

// A robot of 60 kg whose wheels may turn freely, pushed at its middle.
enum { X, Y, U, N, W, LEFT, RIGHT, Z, STATES = Z + IB_BRISTLE_STATES };

typedef struct Pushed {
    ib_WheelModel wheels;
    double px, py, drive; // [N], [N], torque of a side [N m]
} Pushed;

static void pushed_rate(const void *context, double t, const double *x, double *dx)
{
    const Pushed *c = context;
    const double mass = 60, inertia = 4.392, side = 0.0207791355, r = 0.0762;
    (void)t;
    ib_WheelForces p = ib_wheel_bristle(&c->wheels, x[U], x[N], x[W], r * x[LEFT], r * x[RIGHT],
                                        &IN_THE_MIDDLE, x + Z, dx + Z);
    dx[X] = x[U];
    dx[Y] = x[N];
    dx[U] = (p.fx + c->px) / mass + x[W] * x[N];
    dx[N] = (p.fy + c->py) / mass - x[W] * x[U];
    dx[W] = p.torque / inertia;
    dx[LEFT] = (c->drive - r * p.left) / side;
    dx[RIGHT] = (c->drive - r * p.right) / side;
}

// RK4 steps of h; returns the farthest |y| on the way.
static double run_pushed(const Pushed *pushed, double h, int steps, double *x)
{
    ib_Arena arena = {0};
    ib_SolverConfig config = {IB_RK4, 1e-6, 0};
    ib_Solver *solver = ib_solver_create(&config, STATES, &arena);
    ib_System system = {STATES, pushed_rate, NULL, pushed};
    double next[STATES], farthest = 0;
    assert_non_null(solver);
    for (int i = 0; i < steps; i++) {
        assert_int_equal(ib_solver_step(solver, &system, h, x, next), 0);
        memcpy(x, next, sizeof next);
        farthest = fmax(farthest, fabs(x[Y]));
    }
    ib_arena_reset(&arena);
    return farthest;
}

static Pushed make_pushed(double mu)
{
    ib_WheelConfig config = roughtop_wheels();
    config.model = IB_WHEEL_BRISTLE;
    config.tyre.mu = mu;
    return (Pushed){.wheels = make(config)};
}

// Goal: sections 3.2.4 and 3.2.5: friction holds up to mu_static. Method: a sudden push
// sideways for 10 s at 1 ms, for slippery and sticky wheels: at 90 % it moves less than 1 mm,
// comes to rest and does not creep (less than 1 nm in the last 5 s); at 110 % it slides off
// with (1.1 mu_s - mu) g.
static void ninety_percent_holds_and_hundred_and_ten_slides(void **state)
{
    (void)state;
    static const double mus[] = {0.5, 1.0, 1.9};
    for (int i = 0; i < 3; i++) {
        Pushed c = make_pushed(mus[i]);
        double limit = c.wheels.tyre.mu_static * WEIGHT, x[STATES] = {0}, y5;
        double h = mus[i] > 1 ? 0.5e-3 : 1e-3;
        int seconds = (int)lround(1 / h);
        c.py = 0.9 * limit;
        double farthest = run_pushed(&c, h, 5 * seconds, x);
        y5 = x[Y];
        farthest = fmax(farthest, run_pushed(&c, h, 5 * seconds, x));
        printf("  mu %.1f: 90 %% of the limit moves it %.3f mm\n", mus[i], farthest * 1e3);
        assert_true(farthest < 1e-3);
        assert_close(x[N], 0, 1e-9);
        assert_close(x[Y], y5, 1e-9);

        double slid[STATES] = {0};
        c.py = 1.1 * limit;
        run_pushed(&c, h, 2 * seconds, slid);
        double n2 = slid[N];
        run_pushed(&c, h, seconds, slid);
        assert_close(slid[N] - n2, (1.1 * 1.2 - 1) * mus[i] * 9.80665, 1e-3);
    }
}

// Goal: pulled at a steady slip, a patch gives mu Fz; pulled slowly from rest, its force first
// rises to mu_static Fz. Method: prescribed slip along y, z integrated by midpoint; 2e-4 at 1 m/s
// (the Stribeck curve's tail), peak within 2 % at 10 mm/s.
static void sliding_gives_mu_and_breakaway_mu_static(void **state)
{
    (void)state;
    Pushed c = make_pushed(1);
    double peak = 0, force = 0;
    for (int fast = 0; fast < 2; fast++) {
        double z[8] = {0}, half[8], dz[8], n = fast ? -1 : -0.01, h = 1e-5;
        peak = 0;
        for (int i = 0; i < 20000; i++) {
            ib_wheel_bristle(&c.wheels, 0, n, 0, 0, 0, &IN_THE_MIDDLE, z, dz);
            for (int j = 0; j < 8; j++) half[j] = z[j] + h / 2 * dz[j];
            force = ib_wheel_bristle(&c.wheels, 0, n, 0, 0, 0, &IN_THE_MIDDLE, half, dz).fy;
            for (int j = 0; j < 8; j++) z[j] += h * dz[j];
            peak = fmax(peak, force);
        }
        if (!fast) assert_close(peak, 1.2 * WEIGHT, 0.02 * WEIGHT);
        if (fast) assert_close(force, WEIGHT, 2e-4 * WEIGHT);
    }
}

// Goal: the patch is passive. Method: at random slips and deflections, what it takes is at least
// what its springs gain: F . s >= V', V' = sum of Fz sigma_0 z . z'; 1e-12 for rounding.
static void bristles_never_give_more_than_they_hold(void **state)
{
    (void)state;
    ib_WheelConfig config = roughtop_wheels();
    uint64_t seed = 5;
    double least = 1;
    config.model = IB_WHEEL_BRISTLE;
    for (int i = 0; i < 20000; i++) {
        config.side_scale = i % 3 ? 1 : spread(&seed, 0, 1);
        ib_WheelModel m = make(config);
        Motion v = random_motion(&seed);
        double z[8], dz[8], gain = 0, reach = config.tyre.bristle_deflection;
        for (int j = 0; j < 8; j++) z[j] = spread(&seed, -reach, reach);
        ib_WheelForces p =
            ib_wheel_bristle(&m, v.u, v.n, v.w, v.left, v.right, &IN_THE_MIDDLE, z, dz);
        for (int j = 0; j < 8; j++) gain += p.load[j % 4] * m.tyre.stiffness * z[j] * dz[j];
        assert_true(p.power - gain >= -1e-12 * WEIGHT);
        least = fmin(least, p.power);
    }
    assert_true(least < 0); // it does give back what it holds
}

// Goal: one millisecond is enough for the default bristles at any slip, and what is asked for is
// not much less. Method: a robot thrown sideways at 5 m/s and turning, and a launch with full wheel
// spin, against 0.1 ms; 0.1 mm.
static void rk4_at_one_millisecond_follows_fast_slides(void **state)
{
    (void)state;
    Pushed c = make_pushed(1);
    ib_WheelCarried carried = {60, 4.392, WEIGHT, 0.0207791355, 0.0762};
    assert_true(ib_wheel_resolution(&c.wheels, &carried) >= 0.5e-3);
    for (int launch = 0; launch < 2; launch++) {
        double coarse[STATES] = {0}, fine[STATES];
        c.drive = launch ? 30 : 0;
        coarse[N] = launch ? 0 : 5;
        coarse[U] = launch ? 0 : 1;
        coarse[W] = launch ? 0 : 8;
        memcpy(fine, coarse, sizeof fine);
        run_pushed(&c, 1e-3, 600, coarse);
        run_pushed(&c, 1e-4, 6000, fine);
        assert_close(coarse[X], fine[X], 1e-4);
        assert_close(coarse[Y], fine[Y], 1e-4);
    }
}

// ---------------------------------------------------------------------------------------- the rest

// Goal: the two plain laws. Method: by hand: 200 N s/m at 0.5 m/s is 100 N; 2 % of 588 N at full
// speed, half that at artanh(1/2) v_s.
static void side_and_rolling_resistance_oppose_motion(void **state)
{
    (void)state;
    ib_WheelConfig config = roughtop_wheels();
    config.tyre.rolling_resistance = 0.02;
    ib_WheelModel m = make(config);
    assert_close(ib_wheel_side_force(&m, 0.5), -100, 1e-12);
    assert_close(ib_wheel_rolling_force(&m, 3, WEIGHT), -0.02 * WEIGHT, 1e-12);
    assert_close(ib_wheel_rolling_force(&m, -0.1 * atanh(0.5), WEIGHT), 0.01 * WEIGHT, 1e-12);
    assert_close(ib_wheel_rolling_force(&m, 0, WEIGHT), 0, 0);
}

// Goal: wrong parameters are refused by name, and the plain laws ask for no step.
// Method: each once.
static void bad_parameters_are_refused(void **state)
{
    (void)state;
    ib_Error error;
    ib_WheelConfig good = roughtop_wheels();
    ib_WheelCarried carried = {60, 4.392, WEIGHT, 0.02, 0.0762};
    ib_WheelConfig bad = good;
    bad.tyre.mu_static = 0.9;
    assert_int_equal(ib_wheel_check(&bad, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "mu_static"));
    good.model = IB_WHEEL_BRISTLE;
    good.tyre.mu = 0;
    assert_int_equal(ib_wheel_check(&good, &error), IB_BAD_INPUT);
    good = roughtop_wheels();
    good.model = IB_WHEEL_VISCOUS;
    ib_WheelModel m = make(good);
    assert_close(ib_wheel_resolution(&m, &carried), 0, 0);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_circle_is_the_law_of_b8),
        cmocka_unit_test(force_stays_in_its_ellipse_and_power_balances),
        cmocka_unit_test(no_slip_no_force),
        cmocka_unit_test(loads_balance_over_the_whole_rectangle),
        cmocka_unit_test(weight_transfer_fits_its_own_forces),
        cmocka_unit_test(three_wheels_are_statics),
        cmocka_unit_test(loads_have_no_jumps),
        cmocka_unit_test(launch_presses_on_the_rear_wheels),
        cmocka_unit_test(ninety_percent_holds_and_hundred_and_ten_slides),
        cmocka_unit_test(sliding_gives_mu_and_breakaway_mu_static),
        cmocka_unit_test(bristles_never_give_more_than_they_hold),
        cmocka_unit_test(rk4_at_one_millisecond_follows_fast_slides),
        cmocka_unit_test(side_and_rolling_resistance_oppose_motion),
        cmocka_unit_test(bad_parameters_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
