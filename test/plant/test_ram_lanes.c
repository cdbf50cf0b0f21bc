// test/plant/test_ram_lanes.c: cylinders side by side, against each other, the rig's own solver,
// the reference sheet and conservation.
#include "cmocka_all.h"

#include "plant/ram_lanes.h"
#include "robot/cylinder_rig/cylinder_rig.h"
#include "solver/solver.h"

#include <string.h>

enum { STATES = 64 };

// A cylinder with its rig's numbers and a state of the rig.
typedef struct One {
    ib_RigPartConfig part;
    ib_CylinderRigModel rig;
    double state[STATES], input[IB_RIG_INPUTS];
} One;

// The thesis's rig; `pairs` are keys and values, NULL behind the last.
static void make_one(One *one, const char *const *pairs)
{
    const ib_MechanismKind *kind = &ib_cylinder_mechanism;
    ib_Error error;
    memset(one, 0, sizeof *one);
    assert_int_equal(ib_schema_default(&kind->params, &one->part, &error), IB_OK);
    assert_int_equal(ib_schema_default(&kind->start, &one->part, &error), IB_OK);
    one->part.rig.gravity = 9.81;
    for (; pairs && *pairs; pairs += 2) {
        const ib_Param *param = ib_schema_find(&kind->params, pairs[0]);
        if (!param) param = ib_schema_find(&kind->start, pairs[0]);
        assert_non_null(param);
        assert_int_equal(ib_schema_set(param, pairs[1], &one->part, &error), IB_OK);
    }
    ib_cylinder_rig_init(&one->part.rig, &one->rig);
    ib_cylinder_rig_reset(&one->rig, one->state);
    one->input[IB_RIG_GAIN] = 1;
}

static void command(One *one, double volts)
{
    one->input[IB_RIG_VALVE] = volts;
    while (ib_cylinder_rig_settle(&one->rig, one->input, one->state)) continue;
}

// Puts it into the next lane.
static int put(ib_RamLanes *lanes, const One *one)
{
    const ib_CylinderRigModel *rig = &one->rig;
    assert_null(ib_lanes_refuse(&rig->ram, &rig->friction));
    int lane = ib_lanes_add(lanes, &rig->ram, &rig->friction, rig->mass);
    for (int i = 0; i < IB_LANE_STATES; i++) lanes->y[i][lane] = one->state[i];
    lanes->push[lane] = rig->mass * rig->gravity * rig->down;
    return lane;
}

static void open_lane(ib_RamLanes *lanes, int lane, const One *one, double volts)
{
    ib_lanes_open(lanes, lane, volts - one->rig.ram.valve.centre, one->rig.supply.pressure);
}

// Voltages that throw the rod about: against stops, back from them, and to a standstill between.
static double thrown(int number, int millisecond)
{
    static const double volts[] = {0, 10, 4.2, 6.6, 5.25, 8, 2, 5.8};
    return volts[(millisecond / 110 + 3 * number) % 8];
}

// ------------------------------------------------------------------------------------------- lanes

// Goal: a lane knows nothing of its neighbours. Method: a cylinder alone, and in every lane of a
// block beside two kinds of others (mass, start and voltages differ), over 2 s with stops met and
// left; its states after every millisecond, to the bit.
static void lane_has_the_bits_of_the_cylinder_alone(void **state)
{
    (void)state;
    static One own, others[2];
    make_one(&own, NULL);
    make_one(&others[0], (const char *[]){"mass", "2.3 kg", "position", "20 mm", NULL});
    make_one(&others[1], (const char *[]){"mass", "8 kg", "stroke", "30 mm", "position", "0 m",
                                          "friction.coulomb", "5 N", NULL});
    for (int place = 0; place < IB_LANES; place++)
        for (int other = 0; other < 2; other++) {
            ib_RamLanes alone = {0}, block = {0};
            put(&alone, &own);
            for (int l = 0; l < IB_LANES; l++) put(&block, l == place ? &own : &others[other]);
            for (int t = 0; t < 2000; t++) {
                open_lane(&alone, 0, &own, thrown(0, t));
                for (int l = 0; l < IB_LANES; l++)
                    open_lane(&block, l, &own, thrown(l == place ? 0 : 1 + other, t));
                ib_lanes_step(&alone, 1e-3, 2);
                ib_lanes_step(&block, 1e-3, 2);
                for (int i = 0; i < IB_LANE_STATES; i++)
                    assert_memory_equal(&alone.y[i][0], &block.y[i][place], sizeof(double));
            }
        }
}

// Goal: stops hold the rod, and let it go. Method: thrown about for 6 s; it is never beyond an end,
// stands at one without speed exactly where the lane says so, and has met and left both.
static void stops_are_met_and_left(void **state)
{
    (void)state;
    static One one;
    make_one(&one, NULL);
    ib_RamLanes lanes = {0};
    int met[2] = {0}, left[2] = {0};
    put(&lanes, &one);
    double stroke = one.rig.ram.stroke;
    for (int t = 0; t < 6000; t++) {
        bool stood = lanes.free[0] == 0, low = lanes.y[IB_LANE_POSITION][0] < 0.5 * stroke;
        open_lane(&lanes, 0, &one, thrown(0, t));
        ib_lanes_step(&lanes, 1e-3, 2);
        double x = lanes.y[IB_LANE_POSITION][0], v = lanes.y[IB_LANE_VELOCITY][0];
        assert_true(x >= -1e-12 && x <= stroke + 1e-12);
        bool stands = lanes.free[0] == 0;
        if (stands) assert_true(v == 0 && (x == 0 || x == stroke));
        left[!low] += stood && !stands;
        met[x > 0] += stands && !stood;
    }
    for (int i = 0; i < 2; i++) assert_true(met[i] >= 5 && left[i] >= 5);
}

// ---------------------------------------------------------------------------------- the rig itself

static void rate_of(const void *context, double t, const double *x, double *dx)
{
    const One *one = context;
    (void)t;
    ib_cylinder_rig_rate(&one->rig, x, one->input, dx);
}

static bool jacobian_of(const void *context, double t, const double *x, double *J)
{
    const One *one = context;
    int n = one->rig.state_count;
    (void)t;
    memset(J, 0, (size_t)(n * n) * sizeof *J);
    return ib_cylinder_rig_jacobian(&one->rig, x, one->input, J, n);
}

// Sizes of the states, for comparisons.
static const double sizes[IB_LANE_STATES] = {0.04, 0.3, 20, 10, 20, 10};

// Goal: lanes make the steps of `stiff`. Method: the rig's own rates and Jacobian under that
// solver, 0.5 ms a step, and a lane beside it, through 60 ms in which the rod moves and meets no
// stop, under four voltages and with walls that warm; all six states. The two eliminate in another
// order, and 120 steps of roundings of 1e-16, of which friction that falls with the speed makes up
// to e^(155 1/s 0.06 s) = 1e4 (reference A7), stay below 1e-10.
static void lane_makes_the_steps_of_the_stiff_solver(void **state)
{
    (void)state;
    const char *const walls[] = {"position", "20 mm",    "cap.pressure", "300 kPa", "rod.pressure",
                                 "300 kPa",  "heat.law", "walls",        NULL};
    const char *const none[] = {"position", "20 mm", "cap.pressure", "300 kPa", "rod.pressure",
                                "300 kPa",  NULL};
    const double volts[] = {5.0, 5.4, 5.7, 6.2};
    for (int i = 0; i < 8; i++) {
        static One one;
        make_one(&one, i < 4 ? none : walls);
        command(&one, volts[i % 4]);
        int n = one.rig.state_count;
        ib_System system = {n, rate_of, jacobian_of, &one, NULL, true};
        ib_SolverConfig config = {IB_STIFF, 1e-6, 1e-9};
        ib_Arena arena = {0};
        ib_Solver *solver = ib_solver_create(&config, n, &arena);
        ib_RamLanes lanes = {0};
        double next[STATES];
        put(&lanes, &one);
        open_lane(&lanes, 0, &one, volts[i % 4]);
        for (int t = 0; t < 60; t++) {
            for (int half = 0; half < 2; half++) {
                assert_int_equal(ib_solver_step(solver, &system, 0.5e-3, one.state, next), 0);
                memcpy(one.state, next, sizeof next);
            }
            ib_lanes_step(&lanes, 1e-3, 2);
            assert_true(lanes.free[0] == 1);
            for (int k = 0; k < IB_LANE_STATES; k++)
                assert_close(lanes.y[k][0] / sizes[k], one.state[k] / sizes[k], 1e-10);
        }
        ib_arena_reset(&arena);
    }
}

// The instant within the millisecond behind `before` at which the lane's rod stops or starts.
static double instant(const ib_RamLanes *before)
{
    double low = 0, high = 1e-3;
    for (int i = 0; i < 30; i++) {
        double t = 0.5 * (low + high);
        ib_RamLanes look = *before;
        ib_lanes_step(&look, t, 2);
        *(look.free[0] == before->free[0] ? &low : &high) = t;
    }
    return high;
}

// Goal: lanes follow the reference sheet. Method: its step of +1.25 V behind 5 s of opposite
// saturation (A4, with the published equations), two parts a millisecond: where the rod is at
// 5.2 s, within the 20 um that a fixed step is allowed there, and when it meets the lower stop,
// leaves it and meets the upper one. It meets them at 0.28 and 0.27 m/s, where 20 um are 70 us;
// what it leaves by is pressure alone, held as tightly as the sheet says, 1 us.
static void lane_follows_the_reference(void **state)
{
    (void)state;
    static One one;
    make_one(&one, (const char *[]){"equations", "published", NULL});
    ib_RamLanes lanes = {0};
    const double times[] = {0.056199807, 5.059968808, 5.499988764};
    const double allowed[] = {70e-6, 1e-6, 70e-6};
    int turns = 0;
    put(&lanes, &one);
    for (int t = 0; t < 6000; t++) {
        open_lane(&lanes, 0, &one, t < 5000 ? 0 : 6.25);
        ib_RamLanes before = lanes;
        ib_lanes_step(&lanes, 1e-3, 2);
        if (t == 5199) assert_close(lanes.y[IB_LANE_POSITION][0], 0.0117443423, 20e-6);
        if (lanes.free[0] == before.free[0]) continue;
        assert_true(turns < 3);
        assert_close(1e-3 * t + instant(&before), times[turns], allowed[turns]);
        turns++;
    }
    assert_int_equal(turns, 3);
}

// ------------------------------------------------------------------------------------------ slopes

// Goal: the rig's Jacobian is that of its rates. Method: central differences of all rows, books
// too, by the states that rates depend on: air in and out, choked and not, laminar, with walls,
// moving both ways and at a stop. A difference over d of a rate r has an error of r eps/d, and what
// is curved one of d^2; with d = 1e-6 of a state's size both are below 1e-6 of the rates' size.
static void jacobian_is_that_of_the_rates(void **state)
{
    (void)state;
    static const struct {
        const char *x, *v, *cap, *rod, *heat;
        double volts;
    } cases[] = {
        {"20 mm", "0.2 m/s", "300 kPa", "300 kPa", "adiabatic", 6.2},
        {"20 mm", "-0.2 m/s", "150 kPa", "400 kPa", "adiabatic", 4.3},
        {"5 mm", "0.05 m/s", "440 kPa", "115 kPa", "walls", 6.0},
        {"40 mm", "-0.01 m/s", "200 kPa", "200 kPa", "walls", 5.4},
        {"30 mm", "0.1 m/s", "448150 Pa", "108250 Pa", "adiabatic", 10},
        {"0 m", "0 m/s", "200 kPa", "400 kPa", "adiabatic", 6.2},
        {"0 m", "0 m/s", "200 kPa", "400 kPa", "walls", 6.2},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        static One one;
        make_one(&one, (const char *[]){"position", cases[c].x, "velocity", cases[c].v,
                                        "cap.pressure", cases[c].cap, "rod.pressure", cases[c].rod,
                                        "heat.law", cases[c].heat, "cap.temperature", "310 K",
                                        "rod.temperature", "280 K", NULL});
        one.input[IB_RIG_LOAD] = 3;
        command(&one, cases[c].volts);
        double J[STATES * STATES], ahead[STATES], behind[STATES], x[STATES], rate[STATES];
        int n = one.rig.state_count;
        assert_true(jacobian_of(&one, 0, one.state, J));
        rate_of(&one, 0, one.state, rate);
        for (int j = 0; j < IB_LANE_STATES; j++) {
            double d = 1e-6 * sizes[j];
            memcpy(x, one.state, sizeof x);
            x[j] = one.state[j] + d;
            rate_of(&one, 0, x, ahead);
            x[j] = one.state[j] - d;
            rate_of(&one, 0, x, behind);
            for (int i = 0; i < n; i++) {
                double slope = (ahead[i] - behind[i]) / (2 * d);
                double size = fabs(J[i * n + j]) + (fabs(rate[i]) + 1e-6) / sizes[j];
                assert_close(J[i * n + j], slope, 1e-5 * size);
            }
        }
        for (int i = 0; i < n; i++) // nothing depends on modes and books
            for (int j = IB_LANE_STATES; j < n; j++) assert_true(J[i * n + j] == 0);
    }
}

// ------------------------------------------------------------------------------------ conservation

// Goal: air that cannot get out stays, and keeps its energy. Method: both ports closed, no friction
// at all; the rod swings on its two cushions. Masses stay to the bit; air, motion and what gravity
// and atmosphere have taken are as much as at the start,
//   U_c + U_r + m v^2/2 + (P_atm A_shaft - push) x = const
// but for what the method of order 4 loses of a swing of 110 rad/s: halving the step leaves a 16th.
static void closed_ports_conserve_mass_and_energy(void **state)
{
    (void)state;
    static One one;
    make_one(&one, (const char *[]){"friction.law", "viscous", "friction.viscous", "0 N*s/m",
                                    "position", "20 mm", "velocity", "0.3 m/s", "cap.pressure",
                                    "200 kPa", "rod.pressure", "200 kPa", "mass", "1 kg", NULL});
    double lost[2];
    for (int i = 0; i < 2; i++) {
        ib_RamLanes lanes = {0};
        put(&lanes, &one);
        lanes.cap_port[0] = lanes.rod_port[0] = 0;
        const ib_RamModel *ram = &one.rig.ram;
        double energy[2], pull = ram->atmosphere * ram->shaft - lanes.push[0];
        for (int end = 0; end < 2; end++) {
            if (end)
                for (int t = 0; t < 500; t++) ib_lanes_step(&lanes, 1e-3, 1 + i);
            double x = lanes.y[IB_LANE_POSITION][0], v = lanes.y[IB_LANE_VELOCITY][0];
            energy[end] = lanes.y[IB_LANE_AIR + IB_RAM_CAP_ENERGY][0] +
                          lanes.y[IB_LANE_AIR + IB_RAM_ROD_ENERGY][0] + 0.5 * v * v + pull * x;
        }
        for (int m = IB_RAM_CAP_MASS; m <= IB_RAM_ROD_MASS; m += 2)
            assert_true(lanes.y[IB_LANE_AIR + m][0] == one.state[IB_RIG_AIR + m]);
        assert_true(lanes.free[0] == 1);
        lost[i] = fabs(energy[1] - energy[0]);
    }
    assert_true(lost[0] < 1e-5 && lost[1] < lost[0] / 12);
}

// Goal: a rod may be led, its chambers follow. Method: no weight on its forces, closed ports,
// 0.2 m/s given: the cap side shrinks from 32 + 12 mm to half of that and its pressure grows by
// 2^1.4 = 2.6390158 (reference A6). In steps of 0.5 ms, each 2 % of the volume or less, a method of
// order 4 is right to 1e-7.
static void led_rod_presses_its_air_together(void **state)
{
    (void)state;
    static One one;
    make_one(&one, (const char *[]){"position", "32 mm", "cap.pressure", "110 kPa", NULL});
    ib_RamLanes lanes = {0};
    put(&lanes, &one);
    lanes.cap_port[0] = lanes.rod_port[0] = lanes.per_mass[0] = 0;
    lanes.y[IB_LANE_VELOCITY][0] = -0.2;
    for (int t = 0; t < 110; t++) ib_lanes_step(&lanes, 1e-3, 2);
    double x = lanes.y[IB_LANE_POSITION][0], U = lanes.y[IB_LANE_AIR + IB_RAM_CAP_ENERGY][0];
    assert_close(x, 0.010, 1e-12);
    double pressure = one.rig.ram.k1 * U / ib_ram_volume(&one.rig.ram.cap, x);
    assert_close(pressure / 110e3, 2.6390158215, 1e-7);
}

// ---------------------------------------------------------------------------------------- refusals

// Goal: what lanes cannot do is said. Method: one part of the model at a time.
static void what_does_not_run_in_lanes_is_refused(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"leak.piston", "1e-9 m^2"},       {"leak.seal", "1e-9 m^2"}, {"cushion.length", "5 mm"},
        {"heat.law", "isothermal"},        {"valve.law", "spool"},    {"orifice.law", "iso_6358"},
        {"valve.lost.rule", "constant"},   {"friction.law", "lugre"}, {"friction.exponent", "2.5"},
        {"valve.spool.dynamics", "first"},
    };
    static One one;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        make_one(&one, (const char *[]){pairs[i][0], pairs[i][1], NULL});
        assert_non_null(ib_lanes_refuse(&one.rig.ram, &one.rig.friction));
    }
    make_one(&one, (const char *[]){"friction.ends.cap", "2", "friction.end_zone", "5 mm", NULL});
    assert_non_null(ib_lanes_refuse(&one.rig.ram, &one.rig.friction));
    make_one(&one, (const char *[]){"valve.law", "linear", "friction.exponent", "2", NULL});
    assert_null(ib_lanes_refuse(&one.rig.ram, &one.rig.friction));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lane_has_the_bits_of_the_cylinder_alone),
        cmocka_unit_test(stops_are_met_and_left),
        cmocka_unit_test(lane_makes_the_steps_of_the_stiff_solver),
        cmocka_unit_test(lane_follows_the_reference),
        cmocka_unit_test(jacobian_is_that_of_the_rates),
        cmocka_unit_test(closed_ports_conserve_mass_and_energy),
        cmocka_unit_test(led_rod_presses_its_air_together),
        cmocka_unit_test(what_does_not_run_in_lanes_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
