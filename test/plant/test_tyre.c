// test/plant/test_tyre.c: the law of one patch, from slip to force over load.
#include "cmocka_all.h"

#include "plant/wheel/tyre.h"
#include "roughtop.h"
#include "spread.h"

#include <stdio.h>
#include <string.h>

static ib_TyreModel make(ib_TyreConfig config)
{
    ib_TyreModel model;
    ib_Error error;
    assert_int_equal(ib_tyre_check(&config, &error), IB_OK);
    ib_tyre_init(&config, &model);
    return model;
}

// Goal: phi = tanh(q)/q to 1e-15. Method: against the C library in long double, densely over 0 ..
// 25 and by factors from 1e-9 to 1e12; at zero exactly 1.
static void phi_is_right_to_fifteen_digits(void **state)
{
    (void)state;
    double worst = 0;
    for (int i = 0; i < 200000; i++) {
        double q = i < 100000 ? 2.5e-4 * i + 1e-9 : 1e-9 * pow(10, 21.0 * (i - 100000) / 1e5);
        long double exact = tanhl((long double)q) / (long double)q;
        double got = ib__first(ib__tyre_phi(ib__two(q, 1)));
        worst = fmax(worst, fabs((double)(((long double)got - exact) / exact)));
    }
    printf("  phi: worst error %.2g\n", worst);
    assert_true(worst < 1e-15);
    assert_close(ib__second(ib__tyre_phi(ib__tyre_root(ib__two(4, 0)))), 1, 0);
}

// Goal: the law of B8, k = mu s/|s| tanh(|s|/v_s), never above mu. Method: tanh of the C library,
// slips of 1 nm/s to 100 m/s in all directions, four patches with slips of their own at a time;
// 3e-15 of mu, six roundings.
static void friction_circle_is_tanh_of_the_slip(void **state)
{
    (void)state;
    ib_TyreConfig config = roughtop;
    config.mu = 1.1;
    ib_TyreModel t = make(config);
    uint64_t seed = 1;
    for (int i = 0; i < 20000; i++) {
        double x[4], y[4], kx[4], ky[4];
        for (int j = 0; j < 4; j++) {
            double size = pow(10, spread(&seed, -8, 3)), angle = spread(&seed, -3.2, 3.2);
            x[j] = size * cos(angle);
            y[j] = size * sin(angle);
        }
        ib__TyreSlip a = ib__tyre_slip(ib__two(x[0], x[1]), ib__two(y[0], y[1]));
        ib__TyreSlip b = ib__tyre_slip(ib__two(x[2], x[3]), ib__two(y[2], y[3]));
        ib__TyreGrip k[2];
        ib__tyre_circle(&t, &a, &b, &k[0], &k[1]);
        for (int j = 0; j < 2; j++) {
            kx[2 * j] = ib__first(k[j].x);
            kx[2 * j + 1] = ib__second(k[j].x);
            ky[2 * j] = ib__first(k[j].y);
            ky[2 * j + 1] = ib__second(k[j].y);
        }
        for (int j = 0; j < 4; j++) {
            double q = hypot(x[j], y[j]), whole = 1.1 * tanh(q);
            assert_close(kx[j], whole * x[j] / q, 3e-15 * 1.1);
            assert_close(ky[j], whole * y[j] / q, 3e-15 * 1.1);
            assert_true(hypot(kx[j], ky[j]) <= 1.1 * (1 + 1e-15));
        }
    }
}

// Goal: a bristle's rate and force. Method: by hand, v_s = v_r = 0.1 m/s, mu = 1, mu_static = 1.5,
// sigma_0 = 1.5/1 mm = 1500/m, slip 0.1 m/s along x, z = 0.2 mm along x and 0.1 mm along y:
//   g = 1 + 0.5/2.5 = 1.2,  f = 1/2,  decay = 1500 0.1/1.2 = 125/s
//   zx' = (0.1 - 125 0.0002)/2 = 0.0375,  zy' = -125 0.0001/2 = -0.00625 m/s
//   kx = 1500 0.0002/2 + 1.2/2 = 0.75,  ky = 1500 0.0001/2 = 0.075
// The other lane is at rest: its spring alone pulls, and does not move.
static void bristle_by_hand(void **state)
{
    (void)state;
    ib_TyreConfig config = {.law = IB_TYRE_BRISTLE,
                            .mu = 1,
                            .mu_static = 1.5,
                            .slip_speed = 0.1,
                            .bristle_deflection = 1e-3,
                            .bristle_relax = 0.1};
    ib_TyreModel t = make(config);
    ib__TyreBristle b =
        ib__tyre_bristle(&t, ib__two(0.1, 0), ib__two(0, 0), ib__two(2e-4, 2e-4), ib__two(1e-4, 0));
    assert_close(ib__first(b.zx), 0.0375, 1e-16);
    assert_close(ib__first(b.zy), -0.00625, 1e-17);
    assert_close(ib__first(b.grip.x), 0.75, 1e-15);
    assert_close(ib__first(b.grip.y), 0.075, 1e-16);
    assert_close(ib__first(b.slip), 0.1, 1e-17);
    assert_close(ib__second(b.zx), 0, 0);
    assert_close(ib__second(b.grip.x), 0.3, 1e-15);
}

// Goal: the patch is passive, k . s >= V'/Fz = sigma_0 z . z', and its force never passes
// mu_static while its spring is bent by no more than it holds. Method: random slips and deflections
// within; 1e-15 for rounding, of slips of 1 m/s.
static void bristle_is_passive_and_holds_mu_static(void **state)
{
    (void)state;
    ib_TyreConfig config = roughtop;
    config.law = IB_TYRE_BRISTLE;
    ib_TyreModel t = make(config);
    uint64_t seed = 2;
    for (int i = 0; i < 20000; i++) {
        double size = pow(10, spread(&seed, -6, 1)), angle = spread(&seed, -3.2, 3.2);
        double bent = config.bristle_deflection * spread(&seed, 0, 1);
        double side = spread(&seed, -3.2, 3.2), zx = bent * cos(side), zy = bent * sin(side);
        double sx = size * cos(angle), sy = size * sin(angle);
        ib__TyreBristle b =
            ib__tyre_bristle(&t, ib__two(sx, 0), ib__two(sy, 0), ib__two(zx, 0), ib__two(zy, 0));
        double kx = ib__first(b.grip.x), ky = ib__first(b.grip.y);
        double gain = t.stiffness * (zx * ib__first(b.zx) + zy * ib__first(b.zy));
        assert_true(kx * sx + ky * sy - gain >= -1e-15 * fmax(1, size));
        assert_true(hypot(kx, ky) <= t.mu_static * (1 + 1e-14));
    }
}

// Goal: rolling resistance opposes the rolling. Method: by hand: 2 % of 588 N at full speed, half
// that at artanh(1/2) v_s, none at rest.
static void rolling_resistance_opposes_the_rolling(void **state)
{
    (void)state;
    ib_TyreConfig config = roughtop;
    config.rolling_resistance = 0.02;
    ib_TyreModel t = make(config);
    assert_close(ib_tyre_rolling_force(&t, 3, 588), -11.76, 1e-13);
    assert_close(ib_tyre_rolling_force(&t, -0.1 * atanh(0.5), 588), 5.88, 1e-13);
    assert_close(ib_tyre_rolling_force(&t, 0, 588), 0, 0);
}

// Goal: the fastest rate. Method: by hand: mu/v_s = 10 s/m times 100 m/s^2; a bristle by its damper
// 1.2/0.08 = 15 s/m times 200 m/s^2, or by forgetting, 20000 0.08/1.
// (Its swing is between the two.)
static void fastest_rate_by_hand(void **state)
{
    (void)state;
    ib_TyreConfig config = roughtop;
    ib_TyreModel t = make(config);
    assert_close(ib_tyre_fastest(&t, 100), 1000, 1e-12);
    config.law = IB_TYRE_BRISTLE;
    t = make(config);
    assert_close(ib_tyre_fastest(&t, 200), 3000, 1e-11);
    assert_close(ib_tyre_fastest(&t, 1e-4), 1600, 1e-11);
}

// Goal: wrong parameters are refused by name. Method: each once.
static void bad_parameters_are_refused(void **state)
{
    (void)state;
    ib_Error error;
    ib_TyreConfig good = roughtop;
#define REFUSED(field, value)                                                                      \
    do {                                                                                           \
        ib_TyreConfig bad = good;                                                                  \
        bad.field = (value);                                                                       \
        assert_int_equal(ib_tyre_check(&bad, &error), IB_BAD_INPUT);                               \
        assert_non_null(strstr(error.text, #field));                                               \
    } while (0)
    REFUSED(mu_static, 0.9);
    good.law = IB_TYRE_BRISTLE;
    REFUSED(mu, 0);
#undef REFUSED
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phi_is_right_to_fifteen_digits),
        cmocka_unit_test(friction_circle_is_tanh_of_the_slip),
        cmocka_unit_test(bristle_by_hand),
        cmocka_unit_test(bristle_is_passive_and_holds_mu_static),
        cmocka_unit_test(rolling_resistance_opposes_the_rolling),
        cmocka_unit_test(fastest_rate_by_hand),
        cmocka_unit_test(bad_parameters_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
