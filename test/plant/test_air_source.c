// test/plant/test_air_source.c: a bottle that empties and an engine that makes air, against their
// closed forms.
#include "plant/air_rig.h"

#define MOLE (IB_GAS_CONSTANT / 287) // kg of a mole of air

// Air whose tanks are 0.5 L at the regulator's 60 psig, and a source in the compressor's place.
static ib_AirConfig air_of(int law)
{
    ib_AirConfig config = b6_air();
    config.tanks = 1;
    config.tank_volume = 0.5e-3;
    config.start = gauge(100);
    config.source = (ib_AirSourceConfig){.on = 1,
                                         .law = law,
                                         .mass = 0.4,
                                         .volume = 1e-3,
                                         .pressure = 2e7,
                                         .shell = 800,
                                         .energy = 2e4,
                                         .energy_density = 1e6,
                                         .efficiency = 0.25,
                                         .flow = 5e-4};
    return config;
}

static const double *source_of(const Rig *rig)
{
    return rig->x + rig->model.source_state;
}

static void show(const Rig *rig, double signals[IB_AIR_SOURCE_SIGNALS])
{
    ib_air_output_source(&rig->model, rig->x, signals);
}

// Isentropic work for a kilogram by an engine of 0.25, in the C library's own functions [J/kg].
static double work_at(double P, double T)
{
    return 287 * 3.5 * T * (pow(P / IB_ATMOSPHERE, 2.0 / 7) - 1) / 0.25;
}

// Goal: a bottle behind a regulator lasts for what it has above the setting over the flow. Method:
// isothermal, 2 mmol/s drawn; it is spent when (P0 - P_set) V/(R T q) has gone by, located to 1e-9
// of that; the flow shown is 2 mmol/s at any time, time_left what is still missing.
static void a_bottle_lasts_for_its_usable_air_over_the_flow(void **state)
{
    (void)state;
    ib_AirConfig config = air_of(IB_AIR_BOTTLE);
    double q = 2e-3, RT = IB_GAS_CONSTANT * config.temperature, y[IB_AIR_SOURCE_SIGNALS];
    double lasts = (2e7 - gauge(60)) * 1e-3 / (RT * q);
    Rig rig;
    rig_open(&rig, &config, IB_RK4, 1e-6, 1);
    rig.input.taken = rig.input.vented = q;
    rig_run(&rig, 0.25 * lasts);
    show(&rig, y);
    assert_close(y[IB_AIR_SOURCE_SIGNAL_FLOW], q * MOLE, 1e-12 * q);
    assert_close(y[IB_AIR_SOURCE_SIGNAL_TIME], 0.75 * lasts, 1e-9 * lasts);
    assert_close(y[IB_AIR_SOURCE_SIGNAL_LEFT], 0.75 * lasts * q * MOLE, 1e-12);
    assert_close(y[IB_AIR_SOURCE_SIGNAL_MASS], 1.2 + rig.x[IB_AIR_MOLES] * MOLE, 1e-12);
    rig_run(&rig, lasts * (1 - 1e-9));
    assert_true(source_of(&rig)[IB_AIR_SOURCE_SPENT] < 0.5);
    rig_run(&rig, lasts * (1 + 1e-9));
    assert_true(source_of(&rig)[IB_AIR_SOURCE_SPENT] > 0.5);
    show(&rig, y);
    assert_close(y[IB_AIR_SOURCE_SIGNAL_ERROR], 0, 1e-12);
    rig_close(&rig);
}

// Goal: a bottle without heat from outside cools by T = T0 (n/n0)^(k - 1), and is spent sooner.
// Method: half of its air drawn in 100 s. RK4 at 0.1 s, rates of 0.01/s: 1e-9; then to the
// setting, where n/n0 = (P_set/P0)^(1/k).
static void a_bottle_without_heat_cools_and_is_spent_sooner(void **state)
{
    (void)state;
    ib_AirConfig config = air_of(IB_AIR_BOTTLE);
    config.heat_time = INFINITY;
    Rig rig;
    rig_open(&rig, &config, IB_RK4, 1e-6, 0.1);
    double n0 = rig.x[IB_AIR_MOLES], q = n0 / 200;
    rig.input.taken = rig.input.vented = q;
    rig_run(&rig, 100);
    assert_close(rig.x[IB_AIR_TEMPERATURE] / config.temperature, pow(0.5, 0.4), 1e-9);
    double lasts = (1 - pow(gauge(60) / 2e7, 1 / 1.4)) * n0 / q;
    assert_true(lasts < (1 - gauge(60) / 2e7) * n0 / q - 5);
    rig_run(&rig, lasts - 1e-3);
    assert_true(source_of(&rig)[IB_AIR_SOURCE_SPENT] < 0.5);
    rig_run(&rig, lasts + 1e-3);
    assert_true(source_of(&rig)[IB_AIR_SOURCE_SPENT] > 0.5);
    rig_close(&rig);
}

// Goal: an engine makes its flow until its energy is gone, at the work of compression over its
// efficiency for each gram. Method: as much is drawn as it makes, so that the pressure stays at
// 80 psig: it lasts E/(M n' w), located to 1e-9 of that, and makes E/w in all.
static void an_engine_gives_the_air_of_its_energy(void **state)
{
    (void)state;
    ib_AirConfig config = air_of(IB_AIR_ENGINE);
    config.start = gauge(80);
    double q = IB_ATMOSPHERE * 5e-4 / (IB_GAS_CONSTANT * config.temperature);
    double each = work_at(gauge(80), config.temperature), lasts = 2e4 / (q * MOLE * each);
    double y[IB_AIR_SOURCE_SIGNALS];
    Rig rig;
    rig_open(&rig, &config, IB_RK4, 1e-6, 0.1);
    rig.input.taken = rig.input.vented = q;
    rig_run(&rig, lasts * (1 - 1e-9));
    assert_true(source_of(&rig)[IB_AIR_SOURCE_SPENT] < 0.5);
    rig_run(&rig, lasts * (1 + 1e-9));
    assert_true(source_of(&rig)[IB_AIR_SOURCE_SPENT] > 0.5);
    rig_run(&rig, lasts + 1);
    assert_close(rig.x[IB_AIR_DELIVERED] * MOLE, 2e4 / each, 1e-9 * 2e4 / each);
    assert_close(source_of(&rig)[IB_AIR_SOURCE_ENERGY], 0, 1e-3);
    show(&rig, y);
    assert_close(y[IB_AIR_SOURCE_SIGNAL_ERROR], 0, 1e-15);
    assert_close(y[IB_AIR_SOURCE_SIGNAL_MASS], 0.4, 1e-8);
    rig_close(&rig);
}

// Goal: an engine fills the tanks as the pressure switch says, without the battery. Method: by hand
// at 90 psig: n' = P_atm F/(R T), no current at any voltage, also in a brownout; nothing above
// 115 psig, where the switch opens.
static void an_engine_heeds_the_switch_and_no_battery(void **state)
{
    (void)state;
    ib_AirConfig config = air_of(IB_AIR_ENGINE);
    config.start = gauge(90);
    Rig rig;
    double rate[IB_AIR_MAX_STATES], T = config.temperature;
    rig_open(&rig, &config, IB_RK4, 1e-6, 1e-2);
    rig.input.enabled = false;
    ib_air_rate(&rig.model, rig.x, &rig.input, rate);
    double q = IB_ATMOSPHERE * 5e-4 / (IB_GAS_CONSTANT * T);
    assert_close(rate[IB_AIR_DELIVERED], q, 1e-15);
    assert_close(rate[rig.model.source_state + IB_AIR_SOURCE_ENERGY],
                 -q * MOLE * work_at(gauge(90), T), 1e-9);
    ib_Load load = ib_air_load(&rig.model, rig.x, &rig.input, 12);
    assert_close(ib_load_current(load, 12), 0, 0);
    rig_run(&rig, 60);
    ib_air_rate(&rig.model, rig.x, &rig.input, rate);
    assert_close(rig_pressure(&rig) / gauge(115), 1, 1e-12);
    assert_close(rate[IB_AIR_DELIVERED], 0, 0);
    rig_close(&rig);
}

// Goal: air is neither made nor lost between a source and cylinders. Method: a cylinder strokes
// every 0.4 s on either source, with a leak; made - vented - gained after every step to 1e-12 kg of
// the 240 g in the bottle.
static void the_air_of_a_source_is_accounted_for(void **state)
{
    (void)state;
    for (int law = 0; law < 2; law++) {
        ib_AirConfig config = air_of(law ? IB_AIR_ENGINE : IB_AIR_BOTTLE);
        double y[IB_AIR_SOURCE_SIGNALS], worst = 0;
        config.start = gauge(94);
        config.leak = 1e-6;
        config.cylinder_count = 1;
        config.cylinders[0] = default_cylinder();
        Rig rig;
        rig_open(&rig, &config, IB_RK4, 1e-6, 4e-4);
        for (int i = 0; i < 5; i++) {
            rig.solenoid[0] = i % 2 == 0;
            rig_settle(&rig);
            rig_run(&rig, 0.4 * (i + 1));
            show(&rig, y);
            worst = fmax(worst, fabs(y[IB_AIR_SOURCE_SIGNAL_ERROR]));
        }
        assert_true(rig.x[IB_AIR_VENTED] * MOLE > 1e-4 && worst < 1e-12);
        rig_close(&rig);
    }
}

// Goal: the mass that is carried. Method: by hand: valve, shell and P V/(R_air T); engine and fuel.
static void the_mass_of_a_source_is_all_of_it(void **state)
{
    (void)state;
    ib_AirSourceConfig bottle = air_of(IB_AIR_BOTTLE).source, engine = air_of(IB_AIR_ENGINE).source;
    assert_close(ib_air_source_mass(&bottle, 293.15), 0.4 + 0.8 + 2e4 / (287 * 293.15), 1e-12);
    assert_close(ib_air_source_mass(&engine, 293.15), 0.4 + 0.02, 1e-12);
    bottle.on = 0;
    assert_close(ib_air_source_mass(&bottle, 293.15), 0, 0);
}

// Goal: a bottle below one atmosphere is refused.
static void refuses_a_bottle_without_air(void **state)
{
    (void)state;
    ib_AirConfig config = air_of(IB_AIR_BOTTLE);
    ib_Error error;
    config.source.pressure = 5e4;
    assert_int_equal(ib_air_check(&config, &error), IB_BAD_INPUT);
    assert_true(strstr(error.text, "source.pressure") && strstr(error.text, "one atmosphere"));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bottle_lasts_for_its_usable_air_over_the_flow),
        cmocka_unit_test(a_bottle_without_heat_cools_and_is_spent_sooner),
        cmocka_unit_test(an_engine_gives_the_air_of_its_energy),
        cmocka_unit_test(an_engine_heeds_the_switch_and_no_battery),
        cmocka_unit_test(the_air_of_a_source_is_accounted_for),
        cmocka_unit_test(the_mass_of_a_source_is_all_of_it),
        cmocka_unit_test(refuses_a_bottle_without_air),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
