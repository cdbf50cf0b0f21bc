// Claims about src/control/driving/stick.c: dead zone, curve, and the frame that a stick is
// meant in.
#include "cmocka_all.h"

#include "control/driving/stick.h"
#include "spread.h"

static const double PI = 3.14159265358979323846;

static void assert_stick(ib_Stick got, double x, double y, double turn, double tolerance)
{
    assert_close(got.x, x, tolerance);
    assert_close(got.y, y, tolerance);
    assert_close(got.turn, turn, tolerance);
}

// Goal: ((r - d)/(1 - d))^n of the radius, the turn by itself. Method: by hand, r = 0.5 along a
// 3-4-5 triangle, d = 0.2: s = 3/8.
static void the_radius_is_shaped(void **state)
{
    (void)state;
    const ib_Stick stick = {0.3, -0.4, -0.6};
    double s = 0.375, t = 0.5;
    assert_stick(ib_stick_shaped(&stick, 0, IB_STICK_LINEAR), 0.3, -0.4, -0.6, 1e-15);
    assert_stick(ib_stick_shaped(&stick, 0.2, IB_STICK_LINEAR), 0.6 * s, -0.8 * s, -t, 1e-15);
    assert_stick(ib_stick_shaped(&stick, 0.2, IB_STICK_SQUARED), 0.6 * s * s, -0.8 * s * s, -t * t,
                 1e-15);
    assert_stick(ib_stick_shaped(&stick, 0.2, IB_STICK_CUBED), 0.6 * s * s * s, -0.8 * s * s * s,
                 -t * t * t, 1e-15);
    assert_stick(ib_stick_shaped(&stick, 0, IB_STICK_CUBED), 0.6 * 0.125, -0.8 * 0.125, -0.216,
                 1e-15);
}

// Goal: nothing inside the dead zone, all at full stick, in between no jump and never more for
// less. Method: along a ray, in steps of 1e-4; the steepest is n/(1 - d).
static void the_shape_is_continuous_and_rises(void **state)
{
    (void)state;
    for (int curve = IB_STICK_LINEAR; curve <= IB_STICK_CUBED; curve++) {
        double before = 0;
        for (int k = 0; k <= 14142; k++) {
            double r = k * 1e-4, c = cos(0.3), s = sin(0.3);
            ib_Stick got = ib_stick_shaped(&(ib_Stick){r * c, r * s, 0}, 0.25, curve);
            double now = hypot(got.x, got.y);
            assert_close(got.x * s, got.y * c, 1e-15);
            if (r <= 0.25) assert_true(now == 0);
            assert_true(now >= before - 1e-15 && now - before <= 1e-4 * (curve + 1) / 0.75 + 1e-12);
            before = now;
        }
        assert_close(before, 1.4142, 1e-12);
        assert_stick(ib_stick_shaped(&(ib_Stick){0, -1, 1}, 0.25, curve), 0, -1, 1, 0);
        assert_stick(ib_stick_shaped(&(ib_Stick){1, -1, -1}, 0.25, curve), 1, -1, -1, 0);
        assert_stick(ib_stick_shaped(&(ib_Stick){0, 0, 0.25}, 0.25, curve), 0, 0, 0, 0);
    }
}

// Goal: (34) as it must be. Method: reference C5, last column; its ten digits are rounded.
static void the_drivers_frame_is_turned_back(void **state)
{
    (void)state;
    static const double rows[][5] = {
        {0, 1, 0, 0, 1},
        {1, 0, 0, 1, 0},
        {0, 1, 90, 1, 0},
        {1, 0, 90, 0, -1},
        {0.6, 0.3, 30, 0.6696152423, -0.0401923789},
        {-0.2, 0.9, -45, -0.7778174593, 0.4949747468},
    };
    for (int i = 0; i < 6; i++) {
        const double *r = rows[i];
        ib_Stick got = ib_stick_in_frame(&(ib_Stick){r[0], r[1], 0.7}, r[2] * PI / 180);
        assert_stick(got, r[3], r[4], 0.7, 6e-11);
    }
}

// Goal: the robot then drives where the driver points, whatever its heading. Method: random
// sticks; the robot's motion, turned by its heading, is the stick again.
static void the_field_sees_what_the_driver_meant(void **state)
{
    (void)state;
    uint64_t seed = 16;
    for (int i = 0; i < 1000; i++) {
        ib_Stick stick = {spread_signed(&seed), spread_signed(&seed), 0};
        double a = 20 * spread_signed(&seed);
        ib_Stick own = ib_stick_in_frame(&stick, a);
        // x is the robot's right: right = (sin a, -cos a), forward = (cos a, sin a) on the field.
        assert_close(own.x * sin(a) + own.y * cos(a), stick.y, 1e-14);
        assert_close(-own.x * cos(a) + own.y * sin(a), -stick.x, 1e-14);
    }
}

// Goal: a stick beyond its square is pulled back along its direction. Method: a corner, turned by
// 45 degrees, by hand.
static void a_stick_beyond_its_square_is_pulled_back(void **state)
{
    (void)state;
    ib_Stick turned = ib_stick_in_frame(&(ib_Stick){1, 1, 1}, PI / 4);
    assert_stick(turned, sqrt(2), 0, 1, 1e-15);
    assert_stick(ib_stick_limited(&turned), 1, 0, 1, 1e-15);
    assert_stick(ib_stick_limited(&(ib_Stick){-3, 1.5, -2}), -1, 0.5, -1, 0);
    assert_stick(ib_stick_limited(&(ib_Stick){1, -1, 0.5}), 1, -1, 0.5, 0);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_radius_is_shaped),
        cmocka_unit_test(the_shape_is_continuous_and_rises),
        cmocka_unit_test(the_drivers_frame_is_turned_back),
        cmocka_unit_test(the_field_sees_what_the_driver_meant),
        cmocka_unit_test(a_stick_beyond_its_square_is_pulled_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
