// test/plant/test_compressor.c: flow and current of a compressor, and reference B6.
#include "plant/air_rig.h"
#include "plant/electric/bus.h"
#include "refusal.h"

enum { B6_ROWS = 14 };
static const double b6_psig[B6_ROWS] = {10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 100, 110, 115, 120};
// Fill times [s], reference B6: corrected, and as published with P absolute.
static const double b6_time[2][B6_ROWS] = {
    {2.0900016482, 4.4895151623, 7.0169807984, 9.6875856852, 12.517608649, 15.528391724,
     18.808698048, 22.369504564, 26.131971885, 28.102821203, 30.17225309, 34.58847754, 36.919900088,
     39.318909432},
    {1.5796745085, 2.7766002533, 3.7163886655, 4.5079545607, 5.2057850418, 5.8411716761,
     6.4462287229, 7.0298929384, 7.5847642278, 7.8549553226, 8.1260136914, 8.6682393316,
     8.9376167558, 9.2043170672},
};

static ib_CompressorModel make_compressor(const ib_CompressorConfig *config)
{
    ib_CompressorModel compressor;
    ib_Error error;
    assert_int_equal(ib_compressor_check(config, &error), IB_OK);
    ib_compressor_init(config, &compressor);
    return compressor;
}

// Two curves with corners in different places.
static ib_CompressorConfig two_curves(void)
{
    ib_CompressorConfig config = {.cutoff = 6};
    config.low = (ib_CompressorCurve){12, {3, {1e5, 3e5, 9e5}, {{4e-4, 2e-4, 0}, {6, 8, 9}}}};
    config.high = (ib_CompressorCurve){13.8, {2, {1e5, 5e5}, {{5e-4, 3e-4}, {7.8, 9.8}}}};
    return config;
}

static double flow_at(const ib_CompressorModel *compressor, double P, double volts)
{
    return ib_compressor_flow(compressor, ib_compressor_row(compressor, P), P, volts);
}

static double current_at(const ib_CompressorModel *compressor, double P, double volts)
{
    int row = ib_compressor_row(compressor, P);
    return ib_load_current(ib_compressor_load(compressor, row, P, volts), volts);
}

// Goal: the fill times of reference B6, all rows, both equations, to the printed digits. Method:
// dopri5 at 1e-12 and rk4 at 1 ms; the time at which the pressure passes each row is located. 1e-9
// s: the reference has 10 digits, half a unit of the last is 5e-10 s.
static void fill_times_are_those_of_the_reference(void **state)
{
    static const ib_SolverKind kind[] = {IB_DOPRI5, IB_RK4};
    (void)state;
    for (int published = 0; published < 2; published++) {
        for (int k = 0; k < 2; k++) {
            ib_AirConfig config = b6_air();
            config.published = published;
            Rig rig;
            rig_open(&rig, &config, kind[k], 1e-12, k ? 1e-3 : 1);
            rig.input.compressor = IB_COMPRESSOR_ON;
            for (int i = 0; i < B6_ROWS; i++) {
                rig.target = gauge(b6_psig[i]);
                rig_run(&rig, 60);
                assert_close(rig.t, b6_time[published][i], 1e-9);
            }
            rig_close(&rig);
        }
    }
}

// Goal: a step that ends at the table's corners keeps RK4's accuracy; one that does not, loses it.
// Method: pressure at B6's 115 psig time. Its 11 printed digits allow 1e-11 of the pressure; a step
// of 10 ms across the corners misses by more than 1e-8.
static void corners_of_the_table_cost_accuracy_unless_located(void **state)
{
    static const double step[] = {1e-3, 1e-2, 5e-2};
    (void)state;
    for (int plain = 0; plain < 2; plain++) {
        for (int i = 0; i < 3; i++) {
            ib_AirConfig config = b6_air();
            Rig rig;
            rig_open(&rig, &config, IB_RK4, 1e-6, step[i]);
            rig.plain = plain;
            rig.input.compressor = IB_COMPRESSOR_ON;
            rig_run(&rig, b6_time[0][12]);
            double error = fabs(rig_pressure(&rig) / gauge(115) - 1);
            if (!plain) assert_close(error, 0, 1e-11);
            if (plain && i > 0) assert_true(error > 1e-8);
            if (!plain) assert_close(rig.x[IB_AIR_MOLES], 0.41958526277, 1e-11);
            rig_close(&rig);
        }
    }
}

// Goal: a second way to the same numbers. Method: inside a row dP/dt = a + c P has the time
//   t = ln((a + c P1)/(a + c P0))/c
// summed over the rows by hand, against the integration; 1e-10 s is its tolerance times 40 s.
static void fill_time_is_the_sum_of_logarithms(void **state)
{
    (void)state;
    ib_CompressorConfig table = b6_compressor();
    const ib_Table *points = &table.low.points;
    double t = 0, V = 2 * 0.574e-3;
    for (int i = 0; i < 12; i++) {
        double f0 = IB_ATMOSPHERE * points->y[0][i] / V,
               f1 = IB_ATMOSPHERE * points->y[0][i + 1] / V;
        double c = (f1 - f0) / (points->x[i + 1] - points->x[i]);
        t += log(f1 / f0) / c;
    }
    ib_AirConfig config = b6_air();
    Rig rig;
    rig_open(&rig, &config, IB_DOPRI5, 1e-12, 1);
    rig.input.compressor = IB_COMPRESSOR_ON;
    rig.target = gauge(120);
    rig_run(&rig, 60);
    assert_close(rig.t, t, 1e-10);
    rig_close(&rig);
}

// Goal: the published equation makes energy. Method: isothermal compression from one atmosphere
// takes n' R T ln(P/P_atm). At 100 psig and 0.39 cfm, free air needs 38.32 W of the 108 W that the
// motor draws (9 A at 12 V), the published amount 299.1 W.  [reference B6: four digits]
static void published_equation_makes_power_from_nothing(void **state)
{
    static const double expected[] = {38.32, 299.1}, digits[] = {0.005, 0.05};
    (void)state;
    for (int published = 0; published < 2; published++) {
        ib_AirConfig config = b6_air();
        config.published = published;
        config.start = gauge(100);
        Rig rig;
        double rate[IB_AIR_MAX_STATES];
        rig_open(&rig, &config, IB_RK4, 1e-6, 1e-3);
        rig.input.compressor = IB_COMPRESSOR_ON;
        rig_settle(&rig);
        ib_air_rate(&rig.model, rig.x, &rig.input, rate);
        double RT = IB_GAS_CONSTANT * config.temperature;
        double power = rate[IB_AIR_DELIVERED] * RT * log(gauge(100) / IB_ATMOSPHERE);
        assert_close(power, expected[published], digits[published]);
        ib_Load load = ib_air_load(&rig.model, rig.x, &rig.input, 12);
        assert_close(12 * ib_load_current(load, 12), 108, 1e-9);
        rig_close(&rig);
    }
}

// Goal: two curves are joined on voltage. Method: by hand at 2e5 Pa: flow 3e-4 and 4.5e-4, current
// 7 and 8.3; at 4e5 Pa a corner of one curve only is between.
static void flow_and_current_are_interpolated_on_voltage(void **state)
{
    (void)state;
    ib_CompressorConfig config = two_curves();
    ib_CompressorModel compressor = make_compressor(&config);
    assert_close(flow_at(&compressor, 2e5, 12), 3e-4, 1e-18);
    assert_close(flow_at(&compressor, 2e5, 13.8), 4.5e-4, 1e-18);
    assert_close(flow_at(&compressor, 2e5, 12.9), 3.75e-4, 1e-18);
    assert_close(flow_at(&compressor, 2e5, 6), 1.5e-4, 1e-18);
    assert_close(flow_at(&compressor, 2e5, 0), 0, 0);
    assert_close(current_at(&compressor, 2e5, 12.9), 7.65, 1e-14);
    assert_close(current_at(&compressor, 2e5, 9), 7, 1e-14);
    assert_close(current_at(&compressor, 2e5, 3), 3.5, 1e-14);
    // 4e5 Pa: low curve 2e-4 - 2e-4/6, high curve 3.5e-4.
    assert_close(flow_at(&compressor, 4e5, 12), 2e-4 * 5 / 6, 1e-18);
    assert_close(flow_at(&compressor, 4e5, 13.8), 3.5e-4, 1e-18);
    // Beyond the ends the end values hold.
    assert_close(flow_at(&compressor, 9e4, 12), 4e-4, 0);
    assert_close(flow_at(&compressor, 2e6, 12), 0, 0);
    assert_close(flow_at(&compressor, 2e6, 13.8), 3e-4, 1e-18);
}

// Goal: nothing jumps, neither from row to row nor from piece to piece. Method: both sides of every
// corner and of the voltages at which the rule changes.
static void flow_and_current_are_continuous(void **state)
{
    (void)state;
    ib_CompressorConfig config = two_curves();
    ib_CompressorModel compressor = make_compressor(&config);
    for (int row = 0; row + 1 < compressor.count; row++) {
        double P = compressor.edge[row + 1];
        for (double volts = 1; volts < 15; volts += 1.7) {
            double left = ib_compressor_flow(&compressor, row, P, volts);
            assert_close(ib_compressor_flow(&compressor, row + 1, P, volts), left, 1e-18);
            ib_Load a = ib_compressor_load(&compressor, row, P, volts);
            ib_Load b = ib_compressor_load(&compressor, row + 1, P, volts);
            assert_close(ib_load_current(b, volts), ib_load_current(a, volts), 1e-13);
        }
    }
    static const double change[] = {6, 12};
    for (int i = 0; i < 2; i++) {
        double below = nextafter(change[i], 0);
        assert_close(current_at(&compressor, 2e5, below), current_at(&compressor, 2e5, change[i]),
                     1e-13);
        assert_close(flow_at(&compressor, 2e5, below), flow_at(&compressor, 2e5, change[i]), 1e-17);
    }
}

// Goal: with one curve the voltage does nothing above the cutoff (reference B6 has no voltage).
// Method: 6 to 14 V, all the same; half the cutoff, half of both.
static void single_curve_ignores_voltage(void **state)
{
    (void)state;
    ib_CompressorConfig config = b6_compressor();
    ib_CompressorModel compressor = make_compressor(&config);
    double P = gauge(55);
    for (double volts = 6; volts <= 14; volts += 0.5) {
        assert_close(flow_at(&compressor, P, volts), 0.55 * CFM, 1e-17);
        assert_close(current_at(&compressor, P, volts), 9.5, 1e-12);
    }
    assert_close(flow_at(&compressor, P, 3), 0.275 * CFM, 1e-17);
    assert_close(current_at(&compressor, P, 3), 4.75, 1e-12);
}

// Goal: a battery with a compressor and other loads is solved exactly by the bus. Method: for
// batteries that end in each of the three pieces, V = E - Rb (I(V) + other) holds to rounding.
static void the_bus_takes_a_piece_without_lag(void **state)
{
    static const double open_circuit[] = {14.5, 13, 12, 9, 5, 1};
    (void)state;
    ib_CompressorConfig config = two_curves();
    ib_CompressorModel compressor = make_compressor(&config);
    double P = 2e5, other = 20, Rb = 0.02;
    int row = ib_compressor_row(&compressor, P);
    for (int i = 0; i < 6; i++) {
        double E = open_circuit[i], V = E;
        for (int round = 0; round < 3; round++) {
            ib_Load load = ib_compressor_load(&compressor, row, P, V);
            ib_Bus bus;
            ib_bus_solve(E, Rb, other + load.at_zero, load.per_volt, NULL, 0, &bus);
            V = bus.voltage;
            if (V >= load.from && V <= load.to) break;
        }
        assert_close(V, E - Rb * (current_at(&compressor, P, V) + other), 1e-14);
    }
}

// Goal: tables that make no compressor are refused with the key. Method: one fault each.
static void impossible_tables_are_refused(void **state)
{
    (void)state;
    ib_CompressorConfig bad[4];
    for (int i = 0; i < 4; i++) bad[i] = two_curves();
    bad[0].low.points.count = 1;
    bad[1].low.points.y[0][1] = -1;
    bad[2].high.voltage = 12;
    bad[3].cutoff = 13;
    static const char *const key[] = {"compressor.low.points", "compressor.low.points",
                                      "compressor.high.voltage", "compressor.cutoff"};
    for (int i = 0; i < 4; i++) {
        ib_Error error;
        assert_int_equal(ib_compressor_check(&bad[i], &error), IB_BAD_INPUT);
        assert_ptr_equal(strstr(error.text, key[i]), error.text);
    }
}

static void make_the_default(void)
{
    ib_CompressorConfig config = {.cutoff = 6};
    ib_CompressorModel compressor;
    ib_compressor_init(&config, &compressor);
}

// Goal: a model is made of curves or not at all. Method: the default, which has none, unchecked.
static void one_without_curves_is_no_model(void **state)
{
    (void)state;
    assert_aborts(make_the_default, "low.points.count");
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fill_times_are_those_of_the_reference),
        cmocka_unit_test(corners_of_the_table_cost_accuracy_unless_located),
        cmocka_unit_test(fill_time_is_the_sum_of_logarithms),
        cmocka_unit_test(published_equation_makes_power_from_nothing),
        cmocka_unit_test(flow_and_current_are_interpolated_on_voltage),
        cmocka_unit_test(flow_and_current_are_continuous),
        cmocka_unit_test(single_curve_ignores_voltage),
        cmocka_unit_test(the_bus_takes_a_piece_without_lag),
        cmocka_unit_test(impossible_tables_are_refused),
        cmocka_unit_test(one_without_curves_is_no_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
