// test/plant/test_orifice.c: the flow through a restriction, by either law.
#include "plant/air/orifice.h"

#include "plant/air_rig.h"

static ib_OrificeModel make_orifice(ib_OrificeConfig config)
{
    ib_OrificeModel orifice;
    ib_Error error;
    assert_int_equal(ib_orifice_check(&config, &error), IB_OK);
    ib_orifice_init(&config, &orifice);
    return orifice;
}

static ib_OrificeModel make_ideal(double laminar, int published)
{
    ib_OrificeConfig config = ib_orifice_default();
    config.laminar = laminar;
    config.published = published;
    return make_orifice(config);
}

static ib_OrificeModel make_iso(double b, double m, double laminar)
{
    ib_OrificeConfig config = ib_orifice_default();
    config.law = IB_ORIFICE_ISO;
    config.b = b;
    config.m = m;
    config.laminar = laminar;
    return make_orifice(config);
}

// Goal: the mass flux of the reference sheet. Method: its table A2 (T = 298 K, no laminar zone, so
// that ours ends at 1e-12 of 1), printed to 1e-10.
static void ideal_flux_is_that_of_the_reference(void **state)
{
    static const struct {
        double down, up, flux;
    } table[] = {
        {100000, 100000, 0},
        {99000, 100000, 48.0979746933},
        {90000, 100000, 144.4976373635},
        {70000, 100000, 218.2667034770},
        {52900, 100000, 234.1373549408},
        {52828.2, 100000, 234.1376199122},
        {52800, 100000, 234.1376199123},
        {52790, 100000, 234.1376199123},
        {30000, 100000, 234.1376199123},
        {108247.732, 448159.4, 1049.3097525730},
        {300000, 448159.4, 1001.9109307832},
    };
    (void)state;
    ib_OrificeModel orifice = make_ideal(1 - 1e-12, 0);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        double flux = ib_orifice_flow(&orifice, 1, table[i].up, sqrt(298), table[i].down);
        assert_close(flux, table[i].flux, 1e-10);
    }
}

// Goal: the constants of the sheet. Method: C2 = 0.040418419894, C1 = 0.156173761889 = C2 times the
// formula's factor, printed to 1e-12; by hand C1/C2 = sqrt(5) 1.2^3.
static void constants_are_those_of_the_reference(void **state)
{
    (void)state;
    ib_OrificeModel orifice = make_ideal(0.9999, 0);
    assert_close(orifice.choked, 0.040418419894, 1e-12);
    assert_close(orifice.choked * IB__ORIFICE_PEAK, 0.156173761889, 1e-12);
    assert_close(IB__ORIFICE_PEAK, sqrt(5) * 1.728, 1e-15);
    assert_close(orifice.critical, 0.528281787717, 5e-13);
    assert_close(orifice.critical, pow(5.0 / 6, 3.5), 2e-16);
}

// Goal: where choking begins there is no step with the exact ratio, and the known one with 0.528 as
// printed. Method: both sides of the ratio; the reference sheet gives -1.742e-7 to four digits.
static void critical_ratio_is_smooth_if_exact(void **state)
{
    (void)state;
    ib_OrificeModel exact = make_ideal(0.9999, 0), printed = make_ideal(0.9999, 1);
    double r = exact.critical;
    assert_close(ib_orifice_share(&exact, r), 1, 0);
    assert_close(ib_orifice_share(&exact, nextafter(r, 1)), 1, 1e-15);
    assert_close(ib_orifice_share(&printed, 0.528), 1, 0);
    assert_close(ib_orifice_share(&printed, nextafter(0.528, 1)) - 1, -1.742e-7, 0.5e-10);
}

// Goal: near equal pressures the ideal flow is linear with the value of the nozzle at the joint.
// Method: the textbook's formula with the C library's power at 0.9999, 1e-11: 1 - s^2 is 3e-5.
static void laminar_flow_is_linear(void **state)
{
    (void)state;
    ib_OrificeModel orifice = make_ideal(0.9999, 0);
    double joint = sqrt(5) * 1.728 * pow(0.9999, 5.0 / 7) * sqrt(1 - pow(0.9999, 2.0 / 7));
    for (int i = 0; i <= 10; i++)
        assert_close(ib_orifice_share(&orifice, 1 - 1e-5 * i), joint * i / 10, 1e-11);
    // A difference of pressures far below the rounding of r still counts in proportion.
    double a = ib_orifice_flow(&orifice, 1, 1e5, 17, 1e5 - 0x1p-36);
    double b = ib_orifice_flow(&orifice, 1, 1e5, 17, 1e5 - 0x1p-30);
    assert_close(b / a, 64, 1e-12);
    assert_close(ib_orifice_flow(&orifice, 1, 1e5, 17, 1e5), 0, 0);
}

// Goal: the slope is the derivative of the share. Method: central differences over d: they err by
// d^2 psi'''/6 and by rounding, 1e-16/d times what 1 - s^2 loses.
static void slope_is_the_derivative(void **state)
{
    const double d = 1e-6, laminar = 0.98;
    ib_OrificeModel ideal = make_ideal(laminar, 0), *orifice = &ideal;
    (void)state;
    for (int i = 1; i < 1000; i++) {
        double r = 0.001 * i + 1e-5;
        if (fabs(r - laminar) < 2 * d) continue;
        double above = ib_orifice_share(orifice, r + d), below = ib_orifice_share(orifice, r - d);
        double slope = (above - below) / (2 * d);
        assert_close(ib__orifice_ideal_slope(orifice, r), slope, 1e-6 * (1 + fabs(slope)));
    }
}

// Goal: the law of ISO 6358 with any index. Method: by hand, b = 0.2, r = 0.8: z = 0.75,
// psi = (7/16)^m; the joint by one-sided differences (psi'' < 4e3 over 1e-6); 0 at the end.
static void iso_share_has_its_index(void **state)
{
    static const double m[] = {0.4, 0.5, 0.6, 1};
    (void)state;
    for (int i = 0; i < 4; i++) {
        ib_OrificeModel orifice = make_iso(0.2, m[i], 0.97);
        double d = 1e-6, at = ib_orifice_share(&orifice, 0.97);
        assert_close(ib_orifice_share(&orifice, 0.8), pow(7.0 / 16, m[i]), 1e-15);
        assert_close(ib_orifice_share(&orifice, 0.2), 1, 0);
        assert_close(ib_orifice_share(&orifice, 1), 0, 0);
        double left = (at - ib_orifice_share(&orifice, 0.97 - d)) / d;
        double right = (ib_orifice_share(&orifice, 0.97 + d) - at) / d;
        assert_close(right, left, 4e-3);
    }
}

// Goal: flows by the two laws are the same where both are choked. Method: the closed form.
static void choked_flow_is_that_of_both_laws(void **state)
{
    (void)state;
    ib_OrificeModel ideal = make_ideal(0.9999, 0), iso = make_iso(0.3, 0.5, 0.98);
    double choked = 1e-6 * 0.040418419894 * 8e5 / 17;
    assert_close(ib_orifice_flow(&iso, 1e-6, 8e5, 17, 2e5), choked, choked * 1e-10);
    assert_close(ib_orifice_flow(&ideal, 1e-6, 8e5, 17, 2e5), choked, choked * 1e-10);
}

// Goal: what data sheets say becomes a sonic conductance. Method: by hand, in the comments; the
// constants of the definitions are exact, the digits here are as many as are written.
static void sheets_become_conductances(void **state)
{
    (void)state;
    // 1 gal/min = 0.2271247 m^3/h, sqrt(1 bar/1 psi) = 3.8083820.
    assert_close(ib_orifice_Kv_of_Cv(1), 0.2271247 * 3.8083820, 1e-6);
    // Kv = 1: Av = 1/36000 m^2; b = 0.19: sqrt(1 - b) = 0.9; Rs = 8.314462618/0.0289647 = 287.0550,
    // sqrt(Rs 293.15) = 290.0865; C = 2/3 0.9/36000 290.0865/1e5.
    assert_close(ib_orifice_C_of_Kv(1, 0.19), 2.0 / 3 * 0.9 / 36000 * 290.0865e-5, 2e-15);
    assert_close(ib_orifice_C_of_Kv(2, 0.19), 2 * ib_orifice_C_of_Kv(1, 0.19), 1e-22);
}

// Goal: the table of docs/plant/orifice.md holds, and R is 287.055 J/(kg K). Method: its rows by
// hand in six digits, in dm^3/(s bar); with R = 287 the first two columns would be 1e-4 less.
static void conductances_are_those_of_the_page(void **state)
{
    static const double rows[][3] = {{5.09630, 4.40819, 0.478433},
                                     {4.80484, 4.15608, 0.453517},
                                     {4.49451, 3.88765, 0.427222},
                                     {4.16111, 3.59927, 0.399322},
                                     {3.79856, 3.28567, 0.369547}};
    (void)state;
    for (int i = 0; i < 5; i++) {
        double b = 0.1 * (i + 1), Kv = ib_orifice_Kv_of_Cv(1);
        assert_close(1e8 * ib_orifice_C_of_Kv(1, b), rows[i][0], 6e-6);
        assert_close(1e8 * ib_orifice_C_of_Kv(Kv, b), rows[i][1], 6e-6);
        assert_close(1e8 * ib_orifice_C_of_nominal(0.1 / 60, b, 0.5), rows[i][2], 6e-7);
    }
}

// Goal: a valve made from a nominal flow passes it. Method: the flow of plant/air/valve.h from 6
// bar to 5 bar gauge at 20 degC, in moles, against 10 L/s at 0 degC and 101325 Pa, which are 10e-3
// 101325/(R 273.15) mol/s; for two indices.
static void nominal_flow_passes(void **state)
{
    static const double m[] = {0.5, 0.6};
    (void)state;
    for (int i = 0; i < 2; i++) {
        ib_ValveConfig config = {.b = 0.35, .laminar = 0.98, .m = m[i], .nominal_flow = 10e-3};
        config.C = 1; // not used
        Valve valve = valve_make(&config, 293.15);
        double moles = 10e-3 * 101325 / (8.314462618 * 273.15);
        assert_close(valve_flow(&valve, 701325, 601325), moles, moles * 1e-14);
    }
}

// Goal: area and conductance are the same choked flow. Method: 1 dm^3/(s bar) passes 6e-3 m^3/s of
// reference air from 6 bar, with R = 287 6e-3 1e5/(287 293.15) kg/s.
static void area_has_the_choked_flow(void **state)
{
    (void)state;
    ib_OrificeModel orifice = make_ideal(0.9999, 0);
    double area = ib_orifice_area(1e-8, 287), expected = 6e-3 * 1e5 / (287 * 293.15);
    assert_close(ib_orifice_flow(&orifice, area, 6e5, sqrt(293.15), 1e5), expected, 1e-16);
}

// Goal: numbers that make no orifice are refused with the key. Method: one bad number each.
static void impossible_orifices_are_refused(void **state)
{
    static const struct {
        ib_OrificeConfig config;
        const char *key;
    } bad[] = {
        {{IB_ORIFICE_IDEAL, 287, 0.3, 0.5, 0.5, 0}, "laminar"},
        {{IB_ORIFICE_ISO, 287, 0.3, 0.5, 0.3, 0}, "laminar"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ib_Error error;
        assert_int_equal(ib_orifice_check(&bad[i].config, &error), IB_BAD_INPUT);
        size_t length = strlen(bad[i].key);
        assert_int_equal(strncmp(error.text, bad[i].key, length), 0);
        assert_int_equal(error.text[length], ':');
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ideal_flux_is_that_of_the_reference),
        cmocka_unit_test(constants_are_those_of_the_reference),
        cmocka_unit_test(critical_ratio_is_smooth_if_exact),
        cmocka_unit_test(laminar_flow_is_linear),
        cmocka_unit_test(slope_is_the_derivative),
        cmocka_unit_test(iso_share_has_its_index),
        cmocka_unit_test(choked_flow_is_that_of_both_laws),
        cmocka_unit_test(sheets_become_conductances),
        cmocka_unit_test(conductances_are_those_of_the_page),
        cmocka_unit_test(nominal_flow_passes),
        cmocka_unit_test(area_has_the_choked_flow),
        cmocka_unit_test(impossible_orifices_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
