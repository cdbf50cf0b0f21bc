// test/plant/test_valve.c: the flow through a valve after ISO 6358.
#include "plant/air_rig.h"

static Valve make_valve(double C, double b, double laminar, double temperature)
{
    ib_ValveConfig config = {.C = C, .b = b, .laminar = laminar, .m = 0.5};
    return valve_make(&config, temperature);
}

// Goal: C is what the data sheet says. Method: at the reference temperature a choked valve with 1
// dm^3/(s bar) passes 6 dm^3/s of reference air from 6 bar: 6e-3 1e5/(R 293.15) mol/s by hand.
// 1e-15 of 0.25: rounding.
static void choked_flow_is_conductance_times_pressure(void **state)
{
    (void)state;
    Valve valve = make_valve(1e-8, 0.3, 0.98, 293.15);
    double expected = 6e-3 * 1e5 / (8.314462618 * 293.15);
    assert_close(valve_flow(&valve, 6e5, 1e5), expected, 1e-15);
    assert_close(valve_flow(&valve, 6e5, 1.8e5), expected, 1e-15);
    // Warmer air is thinner: sqrt(T0/T1).
    Valve warm = make_valve(1e-8, 0.3, 0.98, 4 * 293.15);
    assert_close(valve_flow(&warm, 6e5, 1e5), expected / 2, 1e-15);
}

// Goal: a hand-computed point below choking. Method: b = 0.2, r = 0.8: z = 0.75, psi = sqrt(7)/4.
static void subsonic_flow_follows_the_ellipse(void **state)
{
    (void)state;
    Valve valve = make_valve(1e-8, 0.2, 0.98, 293.15);
    double choked = valve_flow(&valve, 5e5, 0);
    assert_close(valve_flow(&valve, 5e5, 4e5) / choked, sqrt(7.0) / 4, 1e-15);
}

// Goal: no jump in value or slope anywhere. Method: one-sided differences of psi at both joints,
// for several valves. A difference over 1e-6 is off by 1e-6 psi''/2, psi'' < 4e3 here:
// 4e-3 for both.
static void share_has_no_corner(void **state)
{
    static const double b[] = {0, 0.3, 0.528, 0.8}, laminar[] = {0.95, 0.98, 0.99};
    (void)state;
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 3; j++) {
            Valve valve = make_valve(1e-8, b[i], laminar[j], 293.15);
            double joint[] = {b[i], laminar[j]}, d = 1e-6;
            for (int k = b[i] > 0 ? 0 : 1; k < 2; k++) {
                double r = joint[k], at = ib_iso_drive(&valve.orifice.iso, 1, r);
                double left = (at - ib_iso_drive(&valve.orifice.iso, 1, r - d)) / d;
                double right = (ib_iso_drive(&valve.orifice.iso, 1, r + d) - at) / d;
                assert_close(right, left, 4e-3);
            }
            assert_close(ib_iso_drive(&valve.orifice.iso, 1, 1), 0, 0);
        }
    }
}

// Goal: the flow falls as the pressure behind the valve rises, turns with the pressures and is odd.
// Method: 2000 pressures downstream from 0 to twice the upstream one.
static void flow_is_monotone_and_odd(void **state)
{
    (void)state;
    Valve valve = make_valve(1.2e-8, 0.3, 0.98, 294);
    double last = INFINITY;
    for (int i = 0; i <= 2000; i++) {
        double down = 5e5 * i / 1000, q = valve_flow(&valve, 5e5, down);
        assert_true(q <= last);
        assert_true(down <= 3 * 0.5e5 || q < last);
        assert_close(valve_flow(&valve, down, 5e5), -q, 0);
        last = q;
    }
    assert_close(valve_flow(&valve, 5e5, 5e5), 0, 0);
}

typedef struct Vessel {
    Valve valve;
    double volume, temperature, outside;
} Vessel;

static void vessel_rate(const void *context, double t, const double *x, double *dx)
{
    const Vessel *vessel = context;
    (void)t;
    double P = x[0] * IB_GAS_CONSTANT * vessel->temperature / vessel->volume;
    dx[0] = valve_flow(&vessel->valve, vessel->outside, P);
}

static double vessel_run(const Vessel *vessel, double pressure, double duration, int steps)
{
    ib_Arena arena = {0};
    ib_SolverConfig config = {IB_RK4, 1e-6, 0};
    ib_Solver *solver = ib_solver_create(&config, 1, &arena);
    ib_System system = {1, vessel_rate, NULL, vessel};
    double x = ib_gas_moles(pressure, vessel->temperature, vessel->volume), next;
    for (int i = 0; i < steps; i++) {
        assert_int_equal(ib_solver_step(solver, &system, duration / steps, &x, &next), 0);
        x = next;
    }
    ib_arena_reset(&arena);
    return x * IB_GAS_CONSTANT * vessel->temperature / vessel->volume;
}

// Goal: a volume filled through a choked valve fills at a constant rate. Method: closed form
//   P(t) = P0 + k P1 R T t/V  while  P/P1 < b
// from 1 bar to 2 bar behind 7 bar (b = 0.3: choked to 2.1 bar). RK4 is exact on a straight line:
// 1e-9 Pa is rounding of 100 steps.
static void choked_fill_is_a_straight_line(void **state)
{
    (void)state;
    Vessel vessel = {make_valve(1.2e-8, 0.3, 0.98, 294), 1e-3, 294, 7e5};
    double k = 1.2e-8 * 1e5 / (8.314462618 * 293.15) * sqrt(293.15 / 294);
    double rate = k * 7e5 * 8.314462618 * 294 / 1e-3, fill = 1e5 / rate;
    assert_close(vessel_run(&vessel, 1e5, fill, 100), 2e5, 1e-8);
}

// Goal: a volume emptied through a choked valve empties exponentially. Method: closed form
//   P(t) = P0 exp(-k R T t/V)  while  P_atm/P < b
// from 8 bar to 4 bar. 400 steps of RK4 err by (ln 2/400)^4 ln 2/120: 5e-14 relative.
static void choked_discharge_is_exponential(void **state)
{
    (void)state;
    Vessel vessel = {make_valve(1.2e-8, 0.3, 0.98, 294), 1e-3, 294, IB_ATMOSPHERE};
    double k = 1.2e-8 * 1e5 / (8.314462618 * 293.15) * sqrt(293.15 / 294);
    double half_life = log(2) * 1e-3 / (k * 8.314462618 * 294);
    assert_close(vessel_run(&vessel, 8e5, half_life, 400), 4e5, 4e5 * 1e-12);
}

// Goal: restrictions in a row.
// Method: two equal ones pass 1/sqrt(2); an infinite one changes nothing.
static void series_of_two_passes_less(void **state)
{
    (void)state;
    assert_close(ib_valve_series(3e-8, 3e-8), 3e-8 / sqrt(2), 1e-22);
    assert_close(ib_valve_series(3e-8, INFINITY), 3e-8, 1e-22);
}

// Goal: a valve's size in place of C is used, also for a cylinder's exhaust and supply. Method: Kv
// = 1 and b = 0.19 are 4.834775 dm^3/(s bar) (test_orifice.c); a regulator as wide halves C^2.
static void size_in_place_of_C_is_used(void **state)
{
    (void)state;
    ib_ValveConfig config = {.C = 1e-8, .b = 0.19, .laminar = 0.98, .m = 0.5, .Kv = 1};
    double n0 = 1e5 / (8.314462618 * 293.15), C = 4.834775e-8;
    assert_close(ib_valve_conductance(&config), C, C * 1e-6);
    ib_AirCylinderConfig cylinder = default_cylinder();
    ib_AirCylinderModel model;
    cylinder.valve = config;
    ib_air_cylinder_init(&cylinder, 293.15, C, &model);
    assert_close(ib_air_cylinder_conductance(&model, model.exhaust), C * n0, C * n0 * 1e-6);
    assert_close(ib_air_cylinder_conductance(&model, model.supply), C * n0 / sqrt(2),
                 C * n0 * 1e-6);
}

// Goal: numbers that make no valve are refused with the key. Method: one bad number each.
static void impossible_valves_are_refused(void **state)
{
    static const struct {
        ib_ValveConfig config;
        const char *key;
    } bad[] = {
        {{1e-8, 0.3, 0.3, 0.5, 0, 0, 0}, "valve.laminar:"},
        {{1e-8, 0.3, 0.98, 0.5, 1, 2, 0}, "valve.Kv:"},
        {{1e-8, 0.3, 0.98, 0.5, 1, 0, 1e-3}, "valve.nominal_flow:"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ib_Error error;
        assert_int_equal(ib_valve_check(&bad[i].config, &error), IB_BAD_INPUT);
        assert_ptr_equal(strstr(error.text, bad[i].key), error.text);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(choked_flow_is_conductance_times_pressure),
        cmocka_unit_test(subsonic_flow_follows_the_ellipse),
        cmocka_unit_test(share_has_no_corner),
        cmocka_unit_test(flow_is_monotone_and_odd),
        cmocka_unit_test(choked_fill_is_a_straight_line),
        cmocka_unit_test(choked_discharge_is_exponential),
        cmocka_unit_test(series_of_two_passes_less),
        cmocka_unit_test(size_in_place_of_C_is_used),
        cmocka_unit_test(impossible_valves_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
