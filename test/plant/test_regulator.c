// test/plant/test_regulator.c: the working pressure.
#include "plant/air_rig.h"

// Goal: a regulator lowers a pressure and never raises one.
// Method: supplies above and below 60 psig.
static void working_pressure_is_the_lower_of_both(void **state)
{
    (void)state;
    double setting = gauge(60);
    assert_close(ib_regulator_pressure(setting, gauge(110)), setting, 0);
    assert_close(ib_regulator_pressure(setting, gauge(40)), gauge(40), 0);
    assert_int_equal(ib_regulator_returns(setting, gauge(110)), 0);
    assert_int_equal(ib_regulator_returns(setting, gauge(40)), 1);
}

// Goal: air pushed back by a load never enters tanks of higher pressure. Method: an extended
// cylinder with twice its working pressure, tanks at 100 psig, then at 40 psig; the tanks' rate has
// the sign of the regulator's rule and the book of the rates balances to rounding.
static void backflow_is_let_out_unless_the_regulator_is_open(void **state)
{
    static const double supply[] = {100, 40};
    (void)state;
    for (int i = 0; i < 2; i++) {
        ib_AirConfig config = b6_air();
        config.start = gauge(supply[i]);
        config.cylinder_count = 1;
        config.cylinders[0] = default_cylinder();
        Rig rig;
        rig_open(&rig, &config, IB_RK4, 1e-6, 1e-3);
        rig.input.compressor = IB_COMPRESSOR_OFF;
        rig.solenoid[0] = 1;
        const ib_AirCylinderModel *cylinder = &rig.model.cylinders[0];
        double *x = rig.x + IB_AIR_CYLINDERS, rate[IB_AIR_MAX_STATES];
        double stroke = cylinder->air.stroke;
        double volume = ib_cylinder_volume(&cylinder->air.side[IB_SIDE_CAP], stroke);
        x[IB_AIR_CYLINDER_POSITION] = stroke;
        x[IB_AIR_CYLINDER_CAP] = ib_gas_moles(gauge(120), config.temperature, volume);
        ib_air_rate(&rig.model, rig.x, &rig.input, rate);

        const double *dx = rate + IB_AIR_CYLINDERS;
        assert_true(dx[IB_AIR_CYLINDER_CAP] < 0);
        if (i == 0)
            assert_close(rate[IB_AIR_MOLES], 0, 0);
        else
            assert_close(rate[IB_AIR_MOLES], -dx[IB_AIR_CYLINDER_CAP], 0);
        double stored = rate[IB_AIR_MOLES] + dx[IB_AIR_CYLINDER_CAP] + dx[IB_AIR_CYLINDER_ROD];
        assert_close(stored + rate[IB_AIR_VENTED], 0, 1e-17);
        rig_close(&rig);
    }
}

// Goal: a regulator with a conductance of its own slows the filling, not the exhaust. Method: equal
// conductances of regulator and valve: the supply passes 1/sqrt(2).
static void droop_is_a_restriction_in_series(void **state)
{
    (void)state;
    ib_AirCylinderConfig config = default_cylinder();
    ib_AirCylinderModel cylinder;
    ib_air_cylinder_init(&config, 294, config.valve.C, &cylinder);
    assert_close(cylinder.supply * sqrt(2), cylinder.exhaust, 1e-21);
    ib_air_cylinder_init(&config, 294, INFINITY, &cylinder);
    assert_close(cylinder.supply, cylinder.exhaust, 0);
}

// Goal: a setting below the atmosphere is refused. Method: one below, one above.
static void impossible_regulators_are_refused(void **state)
{
    ib_AirConfig air = b6_air();
    ib_Error error;
    (void)state;
    assert_int_equal(ib_air_check(&air, &error), IB_OK);
    air.regulator.setting = 9e4;
    assert_int_equal(ib_air_check(&air, &error), IB_BAD_INPUT);
    assert_ptr_equal(strstr(error.text, "regulator"), error.text);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(working_pressure_is_the_lower_of_both),
        cmocka_unit_test(backflow_is_let_out_unless_the_regulator_is_open),
        cmocka_unit_test(droop_is_a_restriction_in_series),
        cmocka_unit_test(impossible_regulators_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
