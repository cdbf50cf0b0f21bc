// test/plant/test_friction.c: the laws of a piston's friction.
#include "plant/friction_rig.h"

#include "plant/default_cylinder.h"

// -------------------------------------------------------------------------------- the thesis's law

// Goal: the law of thesis 4.2.6 in both readings of its speed. Method: table A3 of the reference,
// printed to 10 digits behind the point; 1e-9 relative is its tolerance.
static void stribeck_is_the_table_in_both_units(void **state)
{
    static const double table[][3] = {
        {0.000, 0.0000000000, 0.0000000000}, {0.001, 0.1804040614, 4.1367636857},
        {0.005, 0.8906888485, 3.0984243282}, {0.010, 1.7147646309, 3.1968503937},
        {0.025, 3.4385586299, 3.4921259843}, {0.050, 4.3186340946, 3.9842519685},
        {0.075, 4.1999398029, 4.4763779528}, {0.100, 3.5994369557, 4.9685039370},
        {0.150, 3.0757185092, 5.9527559055}, {0.300, 3.1499999998, 8.9055118110},
        {1.000, 3.5000000000, 22.6850393701}};
    (void)state;
    ib_FrictionConfig inches = ib_friction_default();
    inches.velocity_unit = 0.0254;
    ib_FrictionModel metres = make(ib_friction_default()), other = make(inches);
    for (int i = 0; i < 11; i++) {
        double v = table[i][0];
        assert_close(force(&metres, v) / LBF, table[i][1], 1e-9 * table[i][1]);
        assert_close(force(&other, v) / LBF, table[i][2], 1e-9 * table[i][2]);
    }
}

// Goal: the peak of the law, which is not F_S. Method: the zero of the slope by bisection against
// the reference, A3: 4.349627 lbf at 0.057409 m/s, half a unit of the last digit each.
static void stribeck_peaks_below_its_static_force(void **state)
{
    (void)state;
    ib_FrictionModel friction = make(ib_friction_default());
    double low = 0.01, high = 0.1;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        if (ib_friction_slope(&friction, middle, 0.02, 0) > 0)
            low = middle;
        else
            high = middle;
    }
    assert_close(low, 0.057409, 5e-7);
    assert_close(force(&friction, low) / LBF, 4.349627, 5e-7);
}

// Goal: a steep tanh is the sign: F_S at the onset of sliding, Coulomb and viscous friction far
// from it. Method: k = 1e6 s/m, where tanh is 1 from 20 um/s on; (1e-4/0.1)^5 = 1e-15 of the bump
// are gone at 0.1 mm/s, and e^-(3^5) of it is left at 0.3 m/s. 1e-13 N: rounding.
static void steep_stribeck_is_static_then_coulomb_and_viscous(void **state)
{
    (void)state;
    ib_FrictionConfig config = ib_friction_default();
    config.steepness = 1e6;
    ib_FrictionModel friction = make(config), sliding = make_law(IB_FRICTION_COULOMB_VISCOUS);
    assert_close(force(&friction, 1e-4), 4.5 * LBF + 0.5 * LBF * 1e-4, 1e-13);
    assert_close(force(&friction, 0.3), 3 * LBF + 0.5 * LBF * 0.3, 1e-13);
    assert_close(force(&friction, -0.3), force(&sliding, -0.3), 1e-13);
}

// ---------------------------------------------------------------------------------- the other laws

// Goal: each law by hand. Method: F_C 10 N extending and 12 N retracting, F_S 15 N, C_V 20 N s/m,
// saturation at 0.05 m/s, at +0.03 m/s and -0.2 m/s.
static void laws_are_their_equations(void **state)
{
    static const struct {
        int law;
        double slow, fast; ///< [N] at 0.03 m/s and at -0.2 m/s
    } table[] = {
        {IB_FRICTION_NONE, 0, 0},
        {IB_FRICTION_COULOMB, 10, -12},
        {IB_FRICTION_COULOMB_VISCOUS, 10.6, -16},
        {IB_FRICTION_VISCOUS, 0.6, -4},
        {IB_FRICTION_SATURATED, 6 + 0.6, -16},
        // 0.03/sqrt(0.0034) = 3/sqrt(34), 0.2/sqrt(0.0425) = 4/sqrt(17)
        {IB_FRICTION_SMOOTH, 10 * 0.5144957554275266 + 0.6, -12 * 0.9701425001453319 - 4},
        // (0.03/0.1)^2 = 0.09 and 4: e^-0.09, e^-4
        {IB_FRICTION_LUGRE, 10 + 5 * 0.9139311852712282 + 0.6, -12 - 3 * 0.01831563888873418 - 4},
    };
    (void)state;
    ib_FrictionConfig config = ib_friction_default();
    config.static_force = 15;
    config.coulomb_extend = 10;
    config.coulomb_retract = 12;
    config.viscous = 20;
    config.saturation_speed = 0.05;
    config.exponent = 2;
    for (int i = 0; i < 7; i++) {
        config.law = table[i].law;
        ib_FrictionModel friction = make(config);
        assert_close(force(&friction, 0.03), table[i].slow, 1e-14);
        assert_close(force(&friction, -0.2), table[i].fast, 1e-14);
        assert_close(force(&friction, 0), 0, 0);
    }
}

// Goal: friction opposes motion, equally both ways, and never drives. Method: all laws over eight
// decades of speed, to the bit.
static void laws_are_odd_and_oppose_motion(void **state)
{
    (void)state;
    for (int law = 0; law < IB_FRICTION_LAWS; law++) {
        ib_FrictionModel friction = make_law(law);
        for (double v = 1e-7; v < 20; v *= 1.3) {
            double F = force(&friction, v);
            assert_true(force(&friction, -v) == -F);
            assert_true(law == IB_FRICTION_NONE ? F == 0 : F > 0);
        }
    }
}

// Goal: with another Coulomb force each way the Stribeck law still has no jump at v = 0, nor at a
// turn. Method: just beside 0 it is F_S k v: the Coulomb force does not count there.
static void unequal_coulomb_forces_meet_at_rest(void **state)
{
    (void)state;
    ib_FrictionConfig config = ib_friction_default();
    config.coulomb_retract = 1 * LBF;
    ib_FrictionModel friction = make(config);
    double v = 1e-9, slope = 4.5 * LBF * 40 + 0.5 * LBF;
    assert_close(force(&friction, v) / v, slope, 1e-9 * slope);
    assert_close(force(&friction, -v) / -v, slope, 1e-9 * slope);
    assert_close(force(&friction, 1) / LBF, 3.5, 1e-14);
    assert_close(force(&friction, -1) / LBF, -1.5, 1e-14);
}

// Goal: slopes are those of the forces. Method: central differences over h = 1e-6 v on both sides
// of every bend, with ends and a side load. Rounding of F is 1e-16 F/h = 1e-10 F/v and some ulps of
// exp and tanh times that, the third derivative gives 1e-12: 1e-8 F/v.
static void slopes_are_differences_of_forces(void **state)
{
    (void)state;
    ib_FrictionConfig config = ib_friction_default();
    config.coulomb_retract = 2 * LBF;
    config.side_coefficient = 0.2;
    config.end_factor[0] = 1.5;
    config.end_zone = 0.02;
    for (int law = 0; law < IB_FRICTION_LAWS; law++) {
        config.law = law;
        ib_FrictionModel f = make(config);
        for (int i = 0; i < 60; i++) {
            double v = (i % 2 ? -1 : 1) * 1.1e-4 * pow(1.2, i), h = 1e-6 * fabs(v), x = 0.005;
            double up = ib_friction_force(&f, v + h, x, 8),
                   down = ib_friction_force(&f, v - h, x, 8);
            double slope = ib_friction_slope(&f, v, x, 8);
            double scale = fabs(up) / fabs(v) + 1;
            assert_close((up - down) / (2 * h), slope, 1e-8 * scale);
        }
        // At rest: the steepest of all.
        double rest = ib_friction_slope(&f, 0, 0.02, 0);
        double steep = law == IB_FRICTION_STRIBECK    ? 4.5 * LBF * 40
                       : law == IB_FRICTION_SATURATED ? 3 * LBF / 0.01
                       : law == IB_FRICTION_SMOOTH    ? 3 * LBF / 0.01
                                                      : 0;
        assert_close(rest, steep + f.viscous, 1e-12 * steep);
    }
}

// Goal: the bump falls with any exponent, whole (by squares) or not. Method: g = F_C + (F_S - F_C)
// exp(-(v/v_S)^i) with the C library's functions. A power's rounding counts s times in e^-s, and
// that of a quick one |i ln u| times more: 1e-13 of F_S.
static void every_exponent_is_a_power(void **state)
{
    static const double exponents[] = {0.5, 1, 2, 2.5, 3, 5, 6.25, 7, 8, 11, 14, 15, 15.5, 16, 40};
    (void)state;
    ib_FrictionConfig config = ib_friction_default();
    config.law = IB_FRICTION_LUGRE;
    config.viscous = 0;
    for (size_t i = 0; i < sizeof exponents / sizeof exponents[0]; i++) {
        config.exponent = exponents[i];
        ib_FrictionModel friction = make(config);
        for (double v = 1e-3; v < 1; v *= 1.1) {
            double bump = exp(-pow(v / 0.1, exponents[i]));
            assert_close(force(&friction, v), (3 + 1.5 * bump) * LBF, 1e-13 * 4.5 * LBF);
        }
    }
}

// Goal: a far slide costs no digits and makes no NaN. Method: speeds at which (v/v_S)^i leaves the
// range of doubles: F_C + C_V v is left, its slope is C_V.
static void fast_slides_are_coulomb_and_viscous(void **state)
{
    (void)state;
    ib_FrictionConfig config = ib_friction_default();
    config.exponent = 50;
    ib_FrictionModel friction = make(config);
    for (double v = 1; v < 1e9; v *= 10) {
        assert_close(force(&friction, v), (3 + 0.5 * v) * LBF, 1e-15 * (3 + 0.5 * v) * LBF);
        assert_close(ib_friction_slope(&friction, v, 0.02, 0), 0.5 * LBF, 1e-15);
    }
}

// Goal: the seals of a cylinder on a robot's air rub by law smooth. Method: its acceleration at
// speeds either way, m v' = F - 31 v - 7 v/sqrt(v^2 + creep^2) with 10 mm/s of creep, by hand.
static void smooth_is_the_law_of_the_tanks_cylinder(void **state)
{
    (void)state;
    ib_AirCylinderConfig cylinder = default_cylinder();
    ib_AirCylinderModel model;
    const ib_AirSupply supply = {6e5, false, true};
    cylinder.load = 2;
    cylinder.viscous = 31;
    cylinder.friction = 7;
    ib_air_cylinder_init(&cylinder, 294, INFINITY, &model);
    for (double v = -1; v < 1; v += 0.0137) {
        double x[] = {0.05, v, 1e-3, 1e-3, IB_PISTON_FORTH}, rate[IB_AIR_CYLINDER_STATES];
        double F = ib_air_cylinder_push(&model, 0.05, x + IB_AIR_CYLINDER_CAP).force;
        ib_air_cylinder_move(&model, x, &supply, true, rate);
        double drag = 31 * v + 7 * v / sqrt(v * v + 1e-4);
        assert_close(rate[IB_AIR_CYLINDER_VELOCITY], (F - drag) / 2, 1e-12);
    }
}

// ---------------------------------------------------------------------------------------- sticking

// Goal: what a stuck piston withstands and how it begins to slide. Method: by hand; errata 4.2.1
// and 4.2.4: Coulomb's law holds F_C either way, the other F_S, and viscous friction adds to it.
static void stuck_pistons_hold_their_static_force(void **state)
{
    (void)state;
    ib_FrictionConfig config = ib_friction_default();
    config.static_force = 15;
    config.coulomb_extend = 10;
    config.coulomb_retract = 12;
    config.viscous = 20;
    config.side_coefficient = 0.1;
    for (int law = 0; law < IB_FRICTION_LAWS; law++) {
        config.law = law;
        ib_FrictionModel f = make(config);
        bool coulomb = law == IB_FRICTION_COULOMB, both = law == IB_FRICTION_COULOMB_VISCOUS;
        bool bristles = law == IB_FRICTION_LUGRE;
        assert_int_equal(ib_friction_sticks(&f), coulomb || both);
        assert_int_equal(ib_friction_bristles(&f), bristles);
        double hold = coulomb ? 10 : both || bristles ? 15 : 0, side = hold > 0 ? 0.1 * 30 : 0;
        assert_close(ib_friction_breakaway(&f, 1, 0.02, 30), hold + side, 1e-14);
        if (coulomb) hold = 12;
        assert_close(ib_friction_breakaway(&f, -1, 0.02, 30), hold + side, 1e-14);
    }
    config.law = IB_FRICTION_COULOMB_VISCOUS;
    ib_FrictionModel f = make(config);
    assert_close(ib_friction_sliding(&f, 0, 1, 0.02, 30), 13, 1e-14);
    assert_close(ib_friction_sliding(&f, 0, -1, 0.02, 30), -15, 1e-14);
    assert_close(ib_friction_sliding(&f, -0.5, -1, 0.02, 0), -12 - 10, 1e-14);
    // Rounding has taken it past 0: the mode decides.
    assert_close(ib_friction_sliding(&f, -1e-12, 1, 0.02, 0), 10, 1e-10);
}

// --------------------------------------------------------------------------------- ends, side load

// Goal: dry friction at the ends is the factor's, and 1 in the middle, without a corner. Method:
// factors 2 and 0.5 over 10 mm; the fade at half its zone is 1/2 by symmetry; differences over
// 1e-7 m around both joints, where the curvature 6/zone^2 gives 6e-3 at most.
static void ends_have_factors_of_their_own(void **state)
{
    (void)state;
    ib_FrictionConfig config = ib_friction_default();
    config.end_factor[0] = 2;
    config.end_factor[1] = 0.5;
    config.end_zone = 0.01;
    ib_FrictionModel f = make(config);
    assert_close(ib_friction_factor(&f, 0), 2, 0);
    assert_close(ib_friction_factor(&f, -1e-6), 2, 0); // a stop that yields
    assert_close(ib_friction_factor(&f, STROKE), 0.5, 0);
    assert_close(ib_friction_factor(&f, STROKE + 1e-6), 0.5, 0);
    assert_close(ib_friction_factor(&f, 0.005), 1.5, 1e-15);
    assert_close(ib_friction_factor(&f, STROKE - 0.005), 0.75, 1e-15);
    for (double x = 0.01; x < STROKE - 0.01; x += 0.001)
        assert_close(ib_friction_factor(&f, x), 1, 0);
    double joints[] = {0, 0.01, STROKE - 0.01, STROKE}, d = 1e-7;
    for (int i = 0; i < 4; i++) {
        double at = ib_friction_factor(&f, joints[i]);
        assert_close((at - ib_friction_factor(&f, joints[i] - d)) / d, 0, 7e-3);
        assert_close((ib_friction_factor(&f, joints[i] + d) - at) / d, 0, 7e-3);
    }
    // Viscous friction is not dry: 2 (F - C_V v) + C_V v.
    double v = 0.08, drag = 0.5 * LBF * v, middle = force(&f, v) - drag;
    assert_close(ib_friction_force(&f, v, 0, 0), 2 * middle + drag, 1e-13);
    assert_close(ib_friction_breakaway(&f, 1, 0, 0), 0, 0);
}

// Goal: the zone of an end is not longer than the stroke, and none is none. Method: at either end
// the factor is that end's.
static void end_zones_fit_into_the_stroke(void **state)
{
    (void)state;
    ib_FrictionConfig config = ib_friction_default();
    config.end_factor[0] = 3;
    config.end_factor[1] = 2;
    config.end_zone = 1;
    ib_FrictionModel wide = make(config);
    assert_close(ib_friction_factor(&wide, 0), 3, 1e-15);
    assert_close(ib_friction_factor(&wide, STROKE), 2, 1e-15);
    config.end_zone = 0;
    ib_FrictionModel none = make(config);
    for (double x = 0; x <= STROKE; x += STROKE / 8)
        assert_close(ib_friction_factor(&none, x), 1, 0);
}

// Goal: a side load adds mu N to dry friction, and nothing where there is none. Method: 25 N with
// mu 0.2: 5 N times tanh(40 0.03) for the Stribeck law, 3/sqrt(10) for smooth, 5 N while sliding.
static void side_loads_add_their_share(void **state)
{
    static const double share[IB_FRICTION_LAWS] = {
        [IB_FRICTION_COULOMB] = 1,   [IB_FRICTION_COULOMB_VISCOUS] = 1,
        [IB_FRICTION_SATURATED] = 1, [IB_FRICTION_STRIBECK] = 0.8336546070121552,
        [IB_FRICTION_LUGRE] = 1,     [IB_FRICTION_SMOOTH] = 0.9486832980505138,
    };
    (void)state;
    ib_FrictionConfig config = ib_friction_default();
    config.side_coefficient = 0.2;
    for (int law = 0; law < IB_FRICTION_LAWS; law++) {
        config.law = law;
        ib_FrictionModel f = make(config);
        double more = ib_friction_force(&f, 0.03, 0.02, 25) - ib_friction_force(&f, 0.03, 0.02, 0);
        assert_close(more, 5 * share[law], 1e-14);
    }
}

// ------------------------------------------------------------------------------------------- steps

// Goal: the longest step is what RK4 bears. Method: reference, section on steps: the friction
// eigenvalue at rest with 0.2 kg is -4014.52 1/s in m/s and -158052.0 1/s in in/s, printed to 0.01
// and 0.1; the step is 2.5 over it.
static void steps_follow_the_steepest_slope(void **state)
{
    (void)state;
    ib_FrictionConfig config = ib_friction_default();
    ib_FrictionModel f = make(config);
    assert_close(ib_friction_slope(&f, 0, 0.02, 0) / 0.2, 4014.52, 0.005);
    assert_close(ib_friction_resolution(&f, 0.2, 1, 0), 2.5 / 4014.52, 1e-9);
    config.velocity_unit = 0.0254;
    f = make(config);
    assert_close(ib_friction_slope(&f, 0, 0.02, 0) / 0.2, 158052.0, 0.05);
    assert_close(ib_friction_resolution(&f, 0.2, 1, 0), 2.5 / 158052.0, 1e-11);
    f = make_law(IB_FRICTION_NONE);
    assert_true(isinf(ib_friction_resolution(&f, 0.2, 1, 0)));
    // Bristles at 1 m/s: dragged along with 1e5/(3 lbf), and a swing of sqrt(1e5/0.2).
    f = make_law(IB_FRICTION_LUGRE);
    double most = 2.5 / (1e5 / (3 * LBF) + sqrt(5e5));
    assert_close(ib_friction_resolution(&f, 0.2, 1, 0), most, 1e-12);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stribeck_is_the_table_in_both_units),
        cmocka_unit_test(stribeck_peaks_below_its_static_force),
        cmocka_unit_test(steep_stribeck_is_static_then_coulomb_and_viscous),
        cmocka_unit_test(laws_are_their_equations),
        cmocka_unit_test(laws_are_odd_and_oppose_motion),
        cmocka_unit_test(unequal_coulomb_forces_meet_at_rest),
        cmocka_unit_test(slopes_are_differences_of_forces),
        cmocka_unit_test(every_exponent_is_a_power),
        cmocka_unit_test(fast_slides_are_coulomb_and_viscous),
        cmocka_unit_test(smooth_is_the_law_of_the_tanks_cylinder),
        cmocka_unit_test(stuck_pistons_hold_their_static_force),
        cmocka_unit_test(ends_have_factors_of_their_own),
        cmocka_unit_test(end_zones_fit_into_the_stroke),
        cmocka_unit_test(side_loads_add_their_share),
        cmocka_unit_test(steps_follow_the_steepest_slope),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
