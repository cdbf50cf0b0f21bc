// test/plant/test_friction_bristles.c: the bristles of law lugre: they bend, hold, break away and
// never make energy.
#include "plant/friction_rig.h"
#include "spread.h"

// A mass on bristles, pushed: x, v, z by RK4.
typedef struct Slider {
    ib_FrictionModel friction;
    double mass, push; ///< [kg], [N]
    double s[3];
} Slider;

static void slider_rate(const Slider *slider, const double *s, double *rate)
{
    ib_FrictionBristle b = ib_friction_lugre(&slider->friction, s[1], s[2], 0.5 * STROKE, 0);
    rate[0] = s[1];
    rate[1] = (slider->push - b.force) / slider->mass;
    rate[2] = b.rate;
}

static void slider_step(Slider *slider, double h)
{
    static const double to[] = {0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
    double at[3], rate[3], sum[3] = {0, 0, 0};
    memcpy(at, slider->s, sizeof at);
    for (int k = 0; k < 4; k++) {
        slider_rate(slider, at, rate);
        for (int i = 0; i < 3; i++) {
            sum[i] += weight[k] * rate[i];
            if (k < 3) at[i] = slider->s[i] + to[k] * h * rate[i];
        }
    }
    for (int i = 0; i < 3; i++) slider->s[i] += h / 6 * sum[i];
}

static Slider make_slider(double push)
{
    return (Slider){.friction = make_law(IB_FRICTION_LUGRE), .mass = 0.2, .push = push};
}

// Goal: at a constant speed bristles bend as a closed form says, from the stiffness sigma_0 at the
// start to the static curve in the end. Method: with v and so g constant
//   z = (g/sigma_0)(1 - e^(-sigma_0 v t/g)),   F = g (1 - e) + sigma_1(v) v e + C_V v
// The rate is put against dz/dt of it and the force against F, at ten times each; sigma_1(v) = 200
// (1 + 50 v/g)^-1. 1e-13: rounding.
static void bristles_bend_as_their_closed_form(void **state)
{
    (void)state;
    ib_FrictionModel f = make_law(IB_FRICTION_LUGRE);
    for (double v = 1e-6; v < 1; v *= 7) {
        double g = force(&f, v) - 0.5 * LBF * v, damping = 200 / (1 + 50 * v / g);
        for (int i = 0; i < 10; i++) {
            double e = exp(-1e5 * (i * 3e-4 / 9) / g), z = g / 1e5 * (1 - e);
            ib_FrictionBristle b = ib_friction_lugre(&f, v, z, 0.02, 0);
            assert_close(b.rate, v * e, 1e-13 * v);
            assert_close(b.force, g * (1 - e) + damping * v * e + 0.5 * LBF * v, 1e-13 * g);
            ib_FrictionBristle back = ib_friction_lugre(&f, -v, -z, 0.02, 0);
            assert_true(back.rate == -b.rate && back.force == -b.force);
        }
        // Steady sliding is the static curve.
        ib_FrictionBristle steady = ib_friction_lugre(&f, v, g / 1e5, 0.02, 0);
        assert_close(steady.force, force(&f, v), 1e-13 * g);
        assert_close(steady.rate, 0, 1e-14 * v);
    }
}

// Goal: below break-away a mass swings on a spring with a damper. Method: closed form of m x'' =
// -sigma_0 x - (sigma_1 + C_V) x', released at 1 nm; slip is |z| sigma_0/F_S = 5e-6 of it, damping
// fades by sigma_1 |v|/(4 F_S) = 2e-6. RK4 with 10 us errs by (w h)^4: 2e-9.
static void small_motion_is_a_damped_swing(void **state)
{
    (void)state;
    Slider slider = make_slider(0);
    double m = slider.mass, a = 1e-9, decay = (200 + 0.5 * LBF) / (2 * m);
    double w = sqrt(1e5 / m - decay * decay);
    slider.s[0] = slider.s[2] = a;
    for (int i = 1; i <= 1000; i++) {
        slider_step(&slider, 1e-5);
        double t = i * 1e-5;
        double x = a * exp(-decay * t) * (cos(w * t) + decay / w * sin(w * t));
        assert_close(slider.s[0], x, 1e-5 * a);
    }
}

// Goal: a load below F_S is held for ever: no creep. Method: 90 % of F_S, brought up in 10 s, then
// held for a minute, in steps of 0.1 ms (w h = 0.07). While it grows the piston gives way by
// (F_S/sigma_0) ln(1/(1 - 0.9)) = 0.461 mm: dx = dz/(1 - z sigma_0/F_S). Its damping then takes
// sigma_1 z' = 4 mN, which are 0.4 um at 10 times the bristles' compliance: 0.1 %, 0.5 % with what
// its inertia adds. In the minute it moves by less than 1 um.
static void bristles_hold_a_load_below_the_static_force(void **state)
{
    (void)state;
    Slider slider = make_slider(0);
    double F_S = 4.5 * LBF, early = 0;
    for (int i = 1; i <= 710000; i++) {
        slider.push = 0.9 * F_S * fmin(i * 1e-5, 1);
        slider_step(&slider, 1e-4);
        if (i == 110000) early = slider.s[0];
    }
    double expected = F_S / 1e5 * log(1 / (1 - 0.9));
    assert_close(early, expected, 0.005 * expected);
    assert_close(slider.s[0], early, 1e-6);
    assert_close(slider.s[2], 0.9 * F_S / 1e5, 1e-12);
    assert_close(slider.s[1], 0, 1e-12);
}

// Goal: it breaks away at F_S. Method: a push that grows by 1 N/s. At 0.98 F_S the piston has given
// way by (F_S/sigma_0) ln 50 = 0.78 mm; 2 % above F_S it is sliding: friction falls to F_C, so that
// it has left its place by more than the stroke.
static void bristles_break_away_at_the_static_force(void **state)
{
    (void)state;
    Slider slider = make_slider(0);
    double F_S = 4.5 * LBF, before = 0;
    for (; slider.push < 1.02 * F_S; slider.push += 1e-4) {
        slider_step(&slider, 1e-4);
        if (slider.push < 0.98 * F_S) before = slider.s[0];
    }
    assert_close(before, F_S / 1e5 * log(50), 0.02e-3);
    assert_true(slider.s[0] > STROKE);
}

// Goal: bristles never make energy, whatever damping was chosen. Method: F v - d/dt(sigma_0 z^2/2)
// at random speeds and deflections is not negative (rounding: 1e-14 of its terms), for dampings to
// 1e6 N s/m, without viscous friction, at random places of a stroke whose ends have the factors 3
// and 0.4. A constant sigma_1 fails that: at v = 1 m/s, g = F_C, z =
// F_C/sigma_0 u it is F_C v (u^2 + c (1 - u)), c = sigma_1 v/F_C = 15. Bristles that were bent by
// F_S have u = 1.5, and pull the piston along as they spring back.
static void bristles_are_passive(void **state)
{
    static const double dampings[] = {0, 20, 200, 2e4, 1e6};
    (void)state;
    ib_FrictionConfig config = ib_friction_default();
    config.law = IB_FRICTION_LUGRE;
    config.viscous = 0;
    config.coulomb_retract = 2 * LBF;
    config.end_factor[0] = 3, config.end_factor[1] = 0.4, config.end_zone = 0.4 * STROKE;
    for (int k = 0; k < 5; k++) {
        config.damping = dampings[k];
        ib_FrictionModel f = make(config);
        for (uint64_t i = 0; i < 20000; i++) {
            double v = (i % 2 ? 1 : -1) * 1e-6 * pow(1e7, chance_uniform(1, 0, i));
            double z = 4.5 * LBF / 1e5 * (2 * chance_uniform(1, 1, i) - 1);
            double x = STROKE * chance_uniform(1, 2, i);
            ib_FrictionBristle b = ib_friction_lugre(&f, v, z, x, 0);
            double taken = b.force * v, stored = 1e5 * z * b.rate;
            assert_true(taken - stored >= -1e-14 * (fabs(taken) + fabs(stored)));
        }
    }
    double c = 200 / (3 * LBF), u = 4.5 / 3;
    assert_true(u * u + c * (1 - u) < 0);
}

// Goal: the ends change what bristles withstand and not how stiff they are. Method: at the cap end,
// factor 3, in the middle, 1, and at the rod end, 0.4: steady sliding takes factor (F_C + surplus),
// at rest the force is sigma_0 z everywhere. 1e-13: rounding.
static void ends_change_what_bristles_withstand(void **state)
{
    static const double factor[] = {3, 1, 0.4};
    (void)state;
    ib_FrictionConfig config = ib_friction_default();
    config.law = IB_FRICTION_LUGRE;
    config.end_factor[0] = 3, config.end_factor[1] = 0.4, config.end_zone = 0.4 * STROKE;
    ib_FrictionModel f = make(config);
    for (int i = 0; i < 3; i++) {
        double x = i * 0.5 * STROKE, v = 0.05, g = factor[i] * (3 + 1.5 * exp(-pow(0.5, 5))) * LBF;
        ib_FrictionBristle steady = ib_friction_lugre(&f, v, g / 1e5, x, 0);
        assert_close(steady.force, g + 0.5 * LBF * v, 1e-13 * g);
        assert_close(steady.rate, 0, 1e-13 * v);
        assert_close(ib_friction_lugre(&f, 0, 1e-5, x, 0).force, 1, 1e-13);
    }
}

// Goal: histories make no energy either: from relaxed bristles on, what went in is never less than
// what is stored. Method: 200 random speeds, both ways or one way only (where bristles bent in a
// slow slide spring back in a fast one), each held for a random time. z is then exponential,
// z = a + (z0 - a) e^(-t/tau), a = g/sigma_0 sign(v), tau = g/(sigma_0 |v|), and the work is
//   v (sigma_0 (a t + (z0 - a) tau (1 - e^(-t/tau))) + sigma_1(v)(z1 - z0)),
// all from ib_friction_lugre's own rate and force: both are linear in z at constant v.
static void histories_never_give_energy_back(void **state)
{
    (void)state;
    ib_FrictionConfig config = ib_friction_default();
    config.law = IB_FRICTION_LUGRE;
    config.viscous = 0;
    config.damping = 5000;
    ib_FrictionModel f = make(config);
    for (uint64_t run = 0; run < 50; run++) {
        double z = 0, work = 0;
        for (uint64_t i = 0; i < 200; i++) {
            double way = run % 2 ? 1 : 2 * chance_uniform(2, run, 3 * i) - 1;
            double v = way * pow(10, -4 * chance_uniform(2, run, 3 * i + 1));
            double t = 1e-4 / fabs(v) * chance_uniform(2, run, 3 * i + 2);
            ib_FrictionBristle at0 = ib_friction_lugre(&f, v, 0, 0.02, 0);
            ib_FrictionBristle at1 = ib_friction_lugre(&f, v, 1e-5, 0.02, 0);
            double pace = (at0.rate - at1.rate) / 1e-5, a = at0.rate / pace;
            double per_z = (at1.force - at0.force) / 1e-5, e = exp(-pace * t);
            double sum = a * t + (z - a) * (1 - e) / pace; // of z dt
            work += v * (at0.force * t + per_z * sum);
            z = a + (z - a) * e;
            assert_true(work >= 0.5e5 * z * z - 1e-12);
        }
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bristles_bend_as_their_closed_form),
        cmocka_unit_test(small_motion_is_a_damped_swing),
        cmocka_unit_test(bristles_hold_a_load_below_the_static_force),
        cmocka_unit_test(bristles_break_away_at_the_static_force),
        cmocka_unit_test(bristles_are_passive),
        cmocka_unit_test(ends_change_what_bristles_withstand),
        cmocka_unit_test(histories_never_give_energy_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
