// test/plant/test_weight.c: loads of any number of points, at rest and with weight transfer.
#include "cmocka_all.h"

#include "plant/wheel/weight.h"
#include "plant/wheel/wheel.h"
#include "roughtop.h"
#include "spread.h"

#include <stdbool.h>
#include <stdio.h>

static const double WEIGHT = 60 * 9.80665;

typedef struct Stand {
    int count;
    double x[IB_MAX_POINTS], y[IB_MAX_POINTS], load[IB_MAX_POINTS];
} Stand;

static void load_at(Stand *s, double x, double y)
{
    ib_Weight weight = {.force = WEIGHT, .x = x, .y = y};
    ib_weight_loads(&weight, s->count, s->x, s->y, NULL, NULL, s->load);
}

// Sum and moments of the loads are those of a weight at (x, y), within `near`; none pulls.
static void assert_balance(const Stand *s, double x, double y, double near)
{
    double sum = 0, mx = 0, my = 0;
    for (int i = 0; i < s->count; i++) {
        assert_true(s->load[i] >= 0);
        sum += s->load[i];
        mx += s->load[i] * s->x[i];
        my += s->load[i] * s->y[i];
    }
    assert_close(sum, WEIGHT, near);
    assert_close(mx, WEIGHT * x, near);
    assert_close(my, WEIGHT * y, near);
}

// What carries: number, mean and second moments about it.
typedef struct Scatter {
    double n, x, y, xx, xy, yy;
} Scatter;

static Scatter scatter_of(const Stand *s)
{
    Scatter c = {0};
    for (int i = 0; i < s->count; i++) c.n += s->load[i] > 0;
    for (int i = 0; i < s->count; i++) {
        c.x += s->load[i] > 0 ? s->x[i] / c.n : 0;
        c.y += s->load[i] > 0 ? s->y[i] / c.n : 0;
    }
    for (int i = 0; i < s->count; i++) {
        double dx = s->x[i] - c.x, dy = s->y[i] - c.y;
        if (!(s->load[i] > 0)) continue;
        c.xx += dx * dx;
        c.xy += dx * dy;
        c.yy += dy * dy;
    }
    return c;
}

// What rounding leaves of the sum, against the weight: a plane that is tilted by g over the narrow
// side of what carries, lambda = sum of squares across it, has a slope of g/lambda, and each of n
// points is known to (n + 3) 2^-53 of its own place. Both are up to 2 m here. What is on a line to
// 1e-5 has no tilt across it, and lambda along it.
static double rounding_of(const Stand *s)
{
    Scatter c = scatter_of(s);
    double det = c.xx * c.yy - c.xy * c.xy, trace = c.xx + c.yy;
    double lambda = det > 1e-10 * trace * trace ? det / trace : trace;
    return c.n * (c.n + 3) * 0x1p-53 * (lambda > 0 ? 1 + 4 / lambda : 1);
}

static void assert_stands_still(const Stand *s)
{
    double sum = 0;
    for (int i = 0; i < s->count; i++) {
        assert_true(s->load[i] >= 0);
        sum += s->load[i];
    }
    assert_close(sum, WEIGHT, rounding_of(s) * WEIGHT);
}

// Goal: three points are statics, two a lever, one carries all. Method: by hand: a tricycle of
// wheelbase 1 m and track 0.6 m, the weight 0.25 m ahead of the rear axle and 0.06 m left: front
// 1/4, rear 3/8 +- 0.06/0.6 of the weight; a lever of 1 m; beyond its end, the end.
static void three_points_are_statics_and_two_a_lever(void **state)
{
    (void)state;
    Stand s = {.count = 3, .x = {1, 0, 0}, .y = {0, 0.3, -0.3}};
    load_at(&s, 0.25, 0.06);
    assert_close(s.load[0], WEIGHT / 4, 1e-12 * WEIGHT);
    assert_close(s.load[1], WEIGHT * (0.375 + 0.1), 1e-12 * WEIGHT);
    assert_close(s.load[2], WEIGHT * (0.375 - 0.1), 1e-12 * WEIGHT);
    s.count = 2; // front and rear left
    load_at(&s, 0.7, 0.09);
    assert_close(s.load[0], WEIGHT * 0.7, 1e-12 * WEIGHT);
    load_at(&s, 2, -0.3);
    assert_close(s.load[0], WEIGHT, 0);
    assert_close(s.load[1], 0, 0);
    s.count = 1;
    load_at(&s, 5, 5);
    assert_close(s.load[0], WEIGHT, 0);
}

// Goal: six wheels in two rows lie on a plane. Method: by hand: x = -a, 0, a, the weight a/3 ahead:
// 1/6 (1 + e/2) a wheel, e = -1, 0, 1; with the weight a ahead the front pair carries all.
static void six_wheels_lie_on_a_plane(void **state)
{
    (void)state;
    Stand s = {.count = 6, .x = {0.4, 0, -0.4, 0.4, 0, -0.4}, .y = {.3, .3, .3, -.3, -.3, -.3}};
    load_at(&s, 0.4 / 3, 0);
    for (int i = 0; i < 6; i++)
        assert_close(s.load[i], WEIGHT / 6 * (1 + s.x[i] / 0.8), 1e-12 * WEIGHT);
    load_at(&s, 0.4, 0);
    for (int i = 0; i < 6; i++) assert_close(s.load[i], i % 3 ? 0 : WEIGHT / 2, 1e-12 * WEIGHT);
    // Beyond 2/3 a the rear pair is off: a lever between front and middle.
    load_at(&s, 0.32, 0);
    assert_close(s.load[0], WEIGHT * 0.4, 1e-12 * WEIGHT);
    assert_close(s.load[1], WEIGHT * 0.1, 1e-12 * WEIGHT);
    assert_close(s.load[2] + s.load[5], 0, 1e-12 * WEIGHT);
}

// What four wheels at (+-a, +-W) that stand still carry of a weight at (x, y).
static void loads_of_wheels(double a, double W, double x, double y, double load[4])
{
    ib_WheelConfig config = roughtop_wheels();
    config.contact_half_length = a;
    const ib_Weight weight = {.force = WEIGHT, .x = x, .y = y};
    ib_WheelModel model;
    ib_wheel_init(&config, W, &model);
    ib_WheelForces forces = ib_wheel_friction_circle(&model, 0, 0, 0, 0, 0, &weight);
    for (int i = 0; i < 4; i++) load[i] = forces.load[i];
}

// Goal: a rectangle is the tank's closed form, corners in the air and edges included. Method:
// random places all over the rectangle and three times as far; 1e-12 of the weight.
static void rectangle_is_the_closed_form(void **state)
{
    (void)state;
    uint64_t seed = 1;
    int lifted = 0;
    for (int i = 0; i < 20000; i++) {
        double a = spread(&seed, 0.05, 0.5), W = spread(&seed, 0.05, 0.5), exact[4];
        double far = i % 4 ? 1 : 3;
        double dx = far * spread(&seed, -1, 1), dy = far * spread(&seed, -1, 1);
        Stand s = {.count = 4, .x = {a, -a, a, -a}, .y = {W, W, -W, -W}};
        load_at(&s, a * dx, W * dy);
        loads_of_wheels(a, W, a * dx, W * dy, exact);
        for (int j = 0; j < 4; j++) assert_close(s.load[j], exact[j], 1e-12 * WEIGHT);
        lifted += fabs(dx) + fabs(dy) > 1;
    }
    assert_true(lifted > 5000);
}

// The plane of least squares through the loads of what carries. False: it stands on a line, or
// so nearly that rounding counts.
static bool plane_of(const Stand *s, double plane[3])
{
    Scatter c = scatter_of(s);
    double xf = 0, yf = 0, det = c.xx * c.yy - c.xy * c.xy;
    for (int i = 0; i < s->count; i++) {
        xf += (s->x[i] - c.x) * s->load[i];
        yf += (s->y[i] - c.y) * s->load[i];
    }
    if (!(det > 1e-5 * (c.xx + c.yy) * (c.xx + c.yy))) return false;
    plane[1] = (xf * c.yy - yf * c.xy) / det;
    plane[2] = (yf * c.xx - xf * c.xy) / det;
    plane[0] = WEIGHT / c.n - plane[1] * c.x - plane[2] * c.y;
    return true;
}

// 3 to 16 points at random (some amid the others), on a grid, or around an ellipse.
static Stand random_stand(uint64_t *seed, int kind)
{
    Stand s = {.count = 3 + (int)spread(seed, 0, IB_MAX_POINTS - 2.001)};
    double flat = spread(seed, 0.5, 1);
    int columns = 2 + (int)spread(seed, 0, 2.999);
    for (int i = 0; i < s.count; i++) {
        double angle = 6.28 * (i + spread(seed, -0.3, 0.3)) / s.count;
        s.x[i] = kind == 0 ? spread(seed, -1, 1) : kind == 1 ? 0.3 * (i / columns) : cos(angle);
        s.y[i] = kind == 0   ? spread(seed, -1, 1)
                 : kind == 1 ? 0.4 * (i % columns)
                             : flat * sin(angle);
    }
    return s;
}

// Goal: the loads are Fz = max(0, plane) and balance the weight, for any points. Method: 20 000
// stands of 3 to 16 points, the weight anywhere over them, often near the edge: sum and moments
// 1e-10 of the weight (a thin triangle loses five digits), what carries within 1e-9 of a plane,
// what is in the air not below the floor.
static void loads_balance_on_a_plane_that_never_pulls(void **state)
{
    (void)state;
    uint64_t seed = 2;
    int planes = 0, lifted = 0;
    for (int i = 0; i < 20000; i++) {
        Stand s = random_stand(&seed, i % 3);
        double x = 0, y = 0, sum = 0, plane[3];
        for (int j = 0; j < s.count; j++) {
            double part = pow(spread(&seed, 0, 1), 8);
            x += part * s.x[j];
            y += part * s.y[j];
            sum += part;
        }
        load_at(&s, x / sum, y / sum);
        assert_balance(&s, x / sum, y / sum, 1e-4 * WEIGHT); // a line: to the width of a hair
        if (!plane_of(&s, plane)) continue;
        assert_balance(&s, x / sum, y / sum, 1e-10 * WEIGHT);
        planes++;
        for (int j = 0; j < s.count; j++) {
            double at = plane[0] + plane[1] * s.x[j] + plane[2] * s.y[j];
            lifted += s.load[j] == 0;
            assert_close(s.load[j], fmax(0, at), 1e-9 * WEIGHT);
        }
    }
    printf("  %d planes, %d points in the air\n", planes, lifted);
    assert_true(planes > 15000 && lifted > 20000);
}

// Goal: beyond the outline the robot would tip; the whole weight stays on the points. Method:
// places up to five times as far out as the points.
static void beyond_the_outline_the_loads_stay_at_its_edge(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < 20000; i++) {
        Stand s = random_stand(&seed, i % 3);
        load_at(&s, spread(&seed, -5, 5), spread(&seed, -5, 5));
        assert_stands_still(&s);
    }
    Stand s = {.count = 4, .x = {0.2, 0.2, 0.2, 0.2}, .y = {0.1, 0.1, 0.1, 0.1}};
    load_at(&s, 1, 1); // four at one place
    for (int i = 0; i < 4; i++) assert_close(s.load[i], WEIGHT / 4, 0);
}

// Goal: weight transfer has no lag, for any points, even with some in the air. Method: points
// around an ellipse and one in its middle, grips of up to mu = 1.2 about one direction, heights up
// to 0.25 m: the loads balance a centre of pressure at (x, y) - h F/weight with the very forces
// that they make, 1e-11.
// For any stand, height and grip, no load is negative and their sum is the weight.
static void transfer_fits_its_own_forces(void **state)
{
    (void)state;
    uint64_t seed = 4;
    int within = 0, lifted = 0;
    for (int i = 0; i < 30000; i++) {
        Stand s = random_stand(&seed, i % 3);
        bool sound = i % 3 == 2 && s.count > 7 && s.count < IB_MAX_POINTS;
        double kx[IB_MAX_POINTS], ky[IB_MAX_POINTS], fx = 0, fy = 0;
        double way = spread(&seed, -3.2, 3.2);
        if (sound) s.count++; // its last one is at (0, 0)
        for (int j = 0; j < s.count; j++) {
            double size = spread(&seed, 0, 1.2), angle = way + spread(&seed, -1, 1);
            kx[j] = size * cos(angle);
            ky[j] = size * sin(angle);
        }
        ib_Weight weight = {WEIGHT, spread(&seed, -0.6, 0.6), spread(&seed, -0.3, 0.3),
                            spread(&seed, 0, sound ? 0.15 : 1)};
        ib_weight_loads(&weight, s.count, s.x, s.y, kx, ky, s.load);
        assert_stands_still(&s);
        if (!sound) continue;
        double widest = 0, h = weight.height / WEIGHT;
        int in_the_air = 0;
        for (int j = 0; j < s.count; j++) {
            fx += kx[j] * s.load[j];
            fy += ky[j] * s.load[j];
            in_the_air += s.load[j] == 0;
            widest = fmax(widest, fabs(s.y[j]));
        }
        double cx = weight.x - h * fx, cy = weight.y - h * fy;
        if (hypot(cx, cy / widest) > 0.75) continue; // it may tip
        within++;
        lifted += in_the_air;
        assert_balance(&s, cx, cy, 1e-11 * WEIGHT);
    }
    printf("  %d stands, %d points in the air\n", within, lifted);
    assert_true(within > 3000 && lifted > 1000);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_points_are_statics_and_two_a_lever),
        cmocka_unit_test(six_wheels_lie_on_a_plane),
        cmocka_unit_test(rectangle_is_the_closed_form),
        cmocka_unit_test(loads_balance_on_a_plane_that_never_pulls),
        cmocka_unit_test(beyond_the_outline_the_loads_stay_at_its_edge),
        cmocka_unit_test(transfer_fits_its_own_forces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
