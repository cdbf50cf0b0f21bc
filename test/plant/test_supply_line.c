// test/plant/test_supply_line.c: what feeds a valve: one pressure, or a line and a regulator.
#include "plant/air/supply_line.h"

#include "cmocka_all.h"

#include <string.h>

static const double T = 298, R = 287, atmosphere = 101325;

static ib_OrificeModel make_orifice(void)
{
    ib_OrificeConfig config = ib_orifice_default();
    ib_OrificeModel orifice;
    ib_orifice_init(&config, &orifice);
    return orifice;
}

static ib_SupplyModel make(ib_SupplyConfig config)
{
    ib_OrificeModel orifice = make_orifice();
    ib_SupplyModel supply;
    ib_Error error;
    assert_int_equal(ib_supply_check(&config, &error), IB_OK);
    ib_supply_init(&config, &orifice, R, T, atmosphere, &supply);
    return supply;
}

static const ib_SupplyConfig line = {.pressure = 4.5e5,
                                     .volume = 1e-4,
                                     .source = 8e5,
                                     .area = 2e-6,
                                     .band = 3e4,
                                     .relieving = false};

// Goal: without a volume the pressure stays, whatever is taken. Method: any mass.
static void supply_without_a_line_keeps_its_pressure(void **state)
{
    (void)state;
    ib_SupplyConfig config = line;
    config.volume = 0;
    ib_SupplyModel supply = make(config);
    assert_close(ib_supply_mass(&supply), 0, 0);
    assert_close(ib_supply_pressure(&supply, 0), 4.5e5, 0);
    assert_close(ib_supply_pressure(&supply, 1), 4.5e5, 0);
}

// Goal: a line's air. Method: P V = m R T by hand, at the setting and at half of it.
static void line_holds_its_air(void **state)
{
    (void)state;
    ib_SupplyModel supply = make(line);
    double m = 4.5e5 * 1e-4 / (R * T);
    assert_close(ib_supply_mass(&supply), m, 1e-15);
    assert_close(ib_supply_pressure(&supply, m / 2), 2.25e5, 1e-9);
}

// Goal: the regulator opens in proportion to what is missing. Method: choked from 8 bar at half the
// band and below it all, C2 A P/sqrt(T) with C2 = 0.0404184; shut at its setting.
static void regulator_gives_what_is_missing(void **state)
{
    (void)state;
    ib_SupplyModel supply = make(line);
    double choked = 0.040418419894 * 2e-6 * 8e5 / sqrt(T);
    assert_close(ib_supply_inflow(&supply, 4.2e5), choked, 1e-12);
    assert_close(ib_supply_inflow(&supply, 1e5), choked, 1e-12);
    assert_close(ib_supply_inflow(&supply, 4.5e5), 0, 0);
    // At 4.35e5 Pa the ratio is 0.54375, just unchoked: the textbook's nozzle.
    double r = 4.35 / 8, psi = sqrt(5) * 1.728 * pow(r, 5.0 / 7) * sqrt(1 - pow(r, 2.0 / 7));
    assert_close(ib_supply_inflow(&supply, 4.35e5), 0.5 * choked * psi, 1e-12);
}

// Goal: above its setting a regulator lets nothing back, and lets out where it relieves. Method: by
// hand at half the band above; 4.65 bar to the open air is choked.
static void only_a_relieving_one_lets_out(void **state)
{
    (void)state;
    ib_SupplyConfig config = line;
    ib_SupplyModel supply = make(config);
    assert_close(ib_supply_inflow(&supply, 5e5), 0, 0);
    assert_close(ib_supply_inflow(&supply, 9e5), 0, 0);
    config.relieving = true;
    supply = make(config);
    double out = 0.040418419894 * 0.5 * 2e-6 * 4.65e5 / sqrt(T);
    assert_close(ib_supply_inflow(&supply, 4.65e5), -out, 1e-12);
    assert_close(ib_supply_inflow(&supply, 4.5e5), 0, 0);
}

// Goal: a source below the setting is refused where there is a line. Method: both.
static void weak_source_is_refused(void **state)
{
    (void)state;
    ib_SupplyConfig config = line;
    ib_Error error;
    config.source = 4e5;
    assert_int_equal(ib_supply_check(&config, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "supply.source: "));
    config.volume = 0;
    assert_int_equal(ib_supply_check(&config, &error), IB_OK);
}

// Goal: what does nothing without a line says so. Method: each key.
static void keys_of_a_line_need_one(void **state)
{
    (void)state;
    ib_SupplyConfig config = line;
    assert_null(ib_supply_idle(&config, "supply.source"));
    config.volume = 0;
    assert_string_equal(ib_supply_idle(&config, "supply.source"), "supply.volume");
    assert_string_equal(ib_supply_idle(&config, "supply.relieving"), "supply.volume");
    assert_null(ib_supply_idle(&config, "supply.pressure"));
    assert_null(ib_supply_idle(&config, "mass"));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(supply_without_a_line_keeps_its_pressure),
        cmocka_unit_test(line_holds_its_air),
        cmocka_unit_test(regulator_gives_what_is_missing),
        cmocka_unit_test(only_a_relieving_one_lets_out),
        cmocka_unit_test(weak_source_is_refused),
        cmocka_unit_test(keys_of_a_line_need_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
