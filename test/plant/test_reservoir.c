// test/plant/test_reservoir.c: the tanks, what is open to them, and the book of the air.
#include "plant/air_rig.h"

static double stored(const Rig *rig)
{
    double sum = rig->x[IB_AIR_MOLES];
    for (int i = 0; i < rig->model.cylinder_count; i++) {
        const double *x = rig->x + IB_AIR_CYLINDERS + i * IB_AIR_CYLINDER_STATES;
        sum += x[IB_AIR_CYLINDER_CAP] + x[IB_AIR_CYLINDER_ROD];
    }
    return sum;
}

// Goal: the ideal gas law. Method: reference B6's amounts at 0 and 115 psig, 10 and 11 digits.
static void moles_follow_the_gas_law(void **state)
{
    (void)state;
    ib_AirConfig config = b6_air();
    Rig rig;
    rig_open(&rig, &config, IB_RK4, 1e-6, 1e-3);
    assert_close(rig.x[IB_AIR_MOLES], 0.047543532292, 1e-12);
    config.start = gauge(115);
    rig_close(&rig);
    rig_open(&rig, &config, IB_RK4, 1e-6, 1e-3);
    assert_close(rig.x[IB_AIR_MOLES], 0.41958526277, 1e-11);
    rig_close(&rig);
}

// Goal: the pressure switch stops at 115 psig and starts at 95. Method: fill from empty in auto;
// the compressor stops at B6's 36.919900088 s and the pressure stays at 115 psig. Then a leak lets
// it down to 95 psig, after ln(P_115/P_95) V/Q seconds (exponential), where it starts.
static void pressure_switch_has_hysteresis(void **state)
{
    (void)state;
    ib_AirConfig config = b6_air();
    Rig rig;
    rig_open(&rig, &config, IB_RK4, 1e-6, 1e-2);
    rig_run(&rig, 36.919900);
    assert_true(ib_air_running(rig.x, &rig.input));
    rig_run(&rig, 36.9199002);
    assert_false(ib_air_running(rig.x, &rig.input));
    rig_run(&rig, 40);
    assert_close(rig_pressure(&rig) / gauge(115), 1, 1e-14);
    rig_close(&rig);

    config.leak = 0.1e-3;
    config.start = gauge(115);
    rig_open(&rig, &config, IB_RK4, 1e-6, 1e-3);
    double wait = log(gauge(115) / gauge(95)) * 1.148e-3 / 0.1e-3;
    rig_run(&rig, wait - 1e-9);
    assert_false(ib_air_running(rig.x, &rig.input));
    rig_run(&rig, wait + 1e-9);
    assert_true(ib_air_running(rig.x, &rig.input));
    rig_close(&rig);
}

// Goal: recovery from 95 to 115 psig takes 8.8170788847 s (reference B6). Method: start at 95 psig
// in auto. 1e-9 s: a unit of the last printed digit but one.
static void recovery_takes_as_long_as_the_reference_says(void **state)
{
    (void)state;
    ib_AirConfig config = b6_air();
    config.start = gauge(95);
    Rig rig;
    rig_open(&rig, &config, IB_RK4, 1e-6, 1e-3);
    assert_true(ib_air_running(rig.x, &rig.input));
    rig.target = gauge(115);
    rig_run(&rig, 20);
    assert_close(rig.t, 8.8170788847, 1e-9);
    assert_false(ib_air_running(rig.x, &rig.input));
    rig_close(&rig);
}

// Goal: commands and the enabling come before the switch. Method: all combinations at 50 psig, with
// the switch closed.
static void commands_override_the_switch(void **state)
{
    (void)state;
    double x[IB_AIR_MAX_STATES] = {0};
    x[IB_AIR_CONTACT] = 1;
    for (int command = 0; command < 3; command++) {
        ib_AirInput input = {.compressor = command, .enabled = true};
        assert_int_equal(ib_air_running(x, &input), command != IB_COMPRESSOR_OFF);
        input.enabled = false;
        assert_false(ib_air_running(x, &input));
    }
    x[IB_AIR_CONTACT] = 0;
    ib_AirInput input = {.compressor = IB_COMPRESSOR_ON, .enabled = true};
    assert_true(ib_air_running(x, &input));
}

// Goal: the relief valve holds the compressor's flow within 2 psi. Method: compressor on for ever;
// the pressure ends where P_atm F(P) = P_atm F_most 2 s^2/(1 + s). With F = f0 - f1 s this is a
// quadratic, (2 F_most + f1) s^2 - (f0 - f1) s - f0 = 0, solved by hand. The slowest way back has a
// rate above 1/s, so 60 s leave nothing but rounding: 1e-9 of the pressure.
static void relief_valve_ends_where_the_flows_are_equal(void **state)
{
    (void)state;
    ib_AirConfig config = b6_air();
    config.start = gauge(124);
    Rig rig;
    rig_open(&rig, &config, IB_RK4, 1e-6, 1e-2);
    rig.input.compressor = IB_COMPRESSOR_ON;
    rig_settle(&rig);
    rig_run(&rig, 60);
    // Between 120 and 150 psig F falls from 0.34 cfm to 0; s counts 2 psi (exact ones) from 125.
    double band = IB_RELIEF_BAND / PSI, most = 0.88, f0 = 0.34 * 25 / 30, f1 = 0.34 * band / 30;
    double a = 2 * most + f1, b = f1 - f0, c = -f0, s = (-b + sqrt(b * b - 4 * a * c)) / (2 * a);
    assert_close(rig_pressure(&rig) / gauge(125 + s * band), 1, 1e-9);
    assert_true(s < 1);
    rig_close(&rig);
}

// Goal: a leak is an exponential that ends at one atmosphere. Method: P = P0 exp(-Q t/V) until the
// tanks are empty; then nothing flows, and never is there a vacuum. RK4 at 10 ms, rate 0.087 1/s:
// 1e-12; at the end one step may pass the atmosphere by its own length, 1e-3.
static void leak_is_exponential_and_ends_at_the_atmosphere(void **state)
{
    (void)state;
    ib_AirConfig config = b6_air();
    config.leak = 0.1e-3;
    config.start = gauge(100);
    Rig rig;
    rig_open(&rig, &config, IB_RK4, 1e-6, 1e-2);
    rig.input.compressor = IB_COMPRESSOR_OFF;
    rig_run(&rig, 10);
    assert_close(rig_pressure(&rig) / gauge(100), exp(-1e-4 * 10 / 1.148e-3), 1e-12);
    rig_run(&rig, 100);
    assert_close(rig_pressure(&rig) / IB_ATMOSPHERE, 1, 1e-3);
    rig_close(&rig);
}

// Goal: fast filling heats, and the heat leaves. Method: closed form. Adiabatic tanks filled from
// n0, T0 with air of T0 hold the energy n T = T0 (n0 + k (n - n0)). With a heat time of 2 s all is
// back at T0 after 40 s: e^-20.
static void tanks_heat_up_by_the_first_law(void **state)
{
    static const double heat_time[] = {INFINITY, 2};
    (void)state;
    for (int i = 0; i < 2; i++) {
        ib_AirConfig config = b6_air();
        config.heat_time = heat_time[i];
        Rig rig;
        rig_open(&rig, &config, IB_DOPRI5, 1e-12, 0.1);
        double n0 = rig.x[IB_AIR_MOLES], T0 = config.temperature;
        rig_run(&rig, 5);
        double n = rig.x[IB_AIR_MOLES], T = rig.x[IB_AIR_TEMPERATURE];
        if (i == 0) assert_close(n * T, T0 * (n0 + 1.4 * (n - n0)), 1e-8);
        assert_true(T > T0 + 5);
        if (i == 1) {
            rig.input.compressor = IB_COMPRESSOR_OFF;
            rig_run(&rig, 45);
            assert_close(rig.x[IB_AIR_TEMPERATURE], T0, 1e-6);
        }
        rig_close(&rig);
    }
}

// Goal: the book of the air: delivered = change of stored + vented, with any solver. Method: two
// cylinders fired 20 times with leak and relief, compressor on from 110 psig; rk4 in steps of 1 ms,
// and dopri5 at a coarse tolerance. 1e-12 relative: the sums of the same flows, rounded.
static void air_book_balances_with_any_solver(void **state)
{
    static const ib_SolverKind kind[] = {IB_RK4, IB_DOPRI5, IB_EULER};
    static const double step[] = {5e-4, 1e-2, 1e-4};
    (void)state;
    for (int k = 0; k < 3; k++) {
        ib_AirConfig config = b6_air();
        config.leak = 0.01e-3;
        config.start = gauge(130);
        config.cylinder_count = 2;
        config.cylinders[0] = config.cylinders[1] = default_cylinder();
        config.cylinders[1].bore = 0.04;
        config.cylinders[1].force = 50;
        Rig rig;
        rig_open(&rig, &config, kind[k], 1e-4, step[k]);
        double before = stored(&rig);
        for (int i = 0; i < 20; i++) {
            rig.solenoid[0] = i & 1;
            rig.solenoid[1] = i >> 1 & 1;
            rig_settle(&rig);
            rig_run(&rig, 0.2 * (i + 1));
        }
        double delivered = rig.x[IB_AIR_DELIVERED], vented = rig.x[IB_AIR_VENTED];
        assert_true(delivered > 0.01 && vented > 0.1);
        assert_close(delivered - vented, stored(&rig) - before, 1e-12 * (before + delivered));
        rig_close(&rig);
    }
}

// Goal: after settling no margin is zero or negative, so that no event can hide. Method: pressures
// on, just below and just above every corner and switch point, both contacts.
static void settled_margins_are_positive(void **state)
{
    static const double at[] = {0, 10, 60, 95, 100, 115, 120, 150, 200};
    (void)state;
    ib_AirConfig config = b6_air();
    config.cylinder_count = 1;
    config.cylinders[0] = default_cylinder();
    Rig rig;
    rig_open(&rig, &config, IB_RK4, 1e-6, 1e-3);
    for (int i = 0; i < 9; i++) {
        for (int side = -1; side <= 1; side++) {
            for (int contact = 0; contact < 2; contact++) {
                double margins[IB_AIR_MARGIN_CYLINDERS + 1];
                double P = gauge(at[i]) * (1 + side * 1e-15);
                rig.x[IB_AIR_MOLES] = ib_gas_moles(P, config.temperature, 1.148e-3);
                rig.x[IB_AIR_CONTACT] = contact;
                rig.x[IB_AIR_ROW] = 5;
                rig_settle(&rig);
                ib_air_margins(&rig.model, rig.x, &rig.input, margins);
                for (int m = 0; m < 3; m++) assert_true(margins[m] > 0);
            }
        }
    }
    rig_close(&rig);
}

// Goal: a relief valve that would empty the tanks is refused. Method: one below the atmosphere.
static void impossible_tanks_are_refused(void **state)
{
    (void)state;
    ib_AirConfig bad = b6_air();
    ib_Error error;
    bad.relief = 9e4;
    assert_int_equal(ib_air_check(&bad, &error), IB_BAD_INPUT);
    assert_ptr_equal(strstr(error.text, "relief"), error.text);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moles_follow_the_gas_law),
        cmocka_unit_test(pressure_switch_has_hysteresis),
        cmocka_unit_test(recovery_takes_as_long_as_the_reference_says),
        cmocka_unit_test(commands_override_the_switch),
        cmocka_unit_test(relief_valve_ends_where_the_flows_are_equal),
        cmocka_unit_test(leak_is_exponential_and_ends_at_the_atmosphere),
        cmocka_unit_test(tanks_heat_up_by_the_first_law),
        cmocka_unit_test(air_book_balances_with_any_solver),
        cmocka_unit_test(settled_margins_are_positive),
        cmocka_unit_test(impossible_tanks_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
