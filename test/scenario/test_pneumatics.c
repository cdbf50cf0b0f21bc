// test/scenario/test_pneumatics.c: mechanisms that air moves, on a bench with its own tanks.
#include "cmocka_all.h"

#include "plant/actuator/actuator.h"
#include "scenario/given.h"
#include "sim/sim.h"
#include "spread.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// All signals every 10 ms.
enum { ROWS = 512, WIDTH = 256 };
typedef struct Rows {
    int count, width;
    double values[ROWS][WIDTH];
} Rows;

static ib_Time keep(void *self, ib_Time time, const double *signals)
{
    Rows *rows = self;
    if (rows->count < ROWS)
        memcpy(rows->values[rows->count++], signals, (size_t)rows->width * sizeof *signals);
    return time + 10 * (IB_SECOND / 1000);
}

static void run(const ib_Scenario *scenario, Rows *rows)
{
    ib_Sim *sim = NULL;
    ib_Error error;
    ib_Probe probe = {.self = rows, .sample = keep, .at_end = true};
    rows->count = 0;
    rows->width = scenario->model->signals.count;
    assert_true(rows->width <= WIDTH);
    assert_int_equal(ib_sim_create(scenario->model, &sim, &error), IB_OK);
    assert_int_equal(ib_sim_probe(sim, probe, &error), IB_OK);
    assert_int_equal(ib_sim_advance(sim, scenario->sim.duration, &error), IB_OK);
    ib_sim_finish(sim);
    ib_sim_destroy(sim);
}

static int signal_of(const ib_Scenario *scenario, const char *name)
{
    int at = ib_signals_find(&scenario->model->signals, name);
    if (at < 0) fail_msg("there is no signal %s", name);
    return at;
}

// Goal: the same air behind two mechanics moves alike. Method: a ram that lifts 4 kg, and the
// cylinder part (plant/air/air_cylinder.h) with a load of 4 kg and their weight as a constant
// force; both out and in again. The cylinder's stop is found 1 nm behind it: 3e-9 m.
static void a_ram_moves_as_the_cylinder_does(void **state)
{
    static Rows rows;
    (void)state;
    ib_Scenario *scenario = given(
        "robot:\n"
        "  kind: bench\n"
        "  air:\n"
        "    preset: frc-charged\n"
        "    cylinders: {same: {bore: 1 in, rod: 0.25 in, stroke: 20 cm, load: 4 kg, force: "
        "39.2266 N,\n"
        "                       viscous: 3 N*s/m, friction: 5 N, dead_volume: 8 mL}}\n"
        "  mechanisms:\n"
        "    ram: {kind: elevator, mass: 4 kg, cylinder: {bore: 1 in, rod: 0.25 in, stroke: 20 "
        "cm,\n"
        "          viscous: 3 N*s/m, friction: 5 N, dead_volume: 8 mL}}\n"
        "inputs: {ram: [[0.1 s, on], [1 s, off]], solenoid.same: [[0.1 s, on], [1 s, off]]}\n"
        "run: {duration: 2 s, solver: dopri5, tolerance: 1e-11}\n");
    run(scenario, &rows);
    int ram = signal_of(scenario, "ram.position"),
        own = signal_of(scenario, "cylinder.same.position");
    int speed = signal_of(scenario, "ram.velocity");
    double farthest = 0, fastest = 0;
    for (int i = 0; i < rows.count; i++) {
        assert_close(rows.values[i][ram], rows.values[i][own], 3e-9);
        farthest = fmax(farthest, rows.values[i][ram]);
        fastest = fmax(fastest, fabs(rows.values[i][speed]));
    }
    assert_true(rows.count > 190 && farthest == 0.2 && fastest > 1);
    ib_scenario_destroy(scenario);
}

// Goal: air is neither made nor lost, and each book balances. Method: the project's bench of air:
// delivered = change of stored + vented at every sample, to rounding; the mechanisms' books to 1e-6
// of what the air gave.
static void air_and_energy_are_accounted_for(void **state)
{
    static Rows rows;
    (void)state;
    ib_Scenario *scenario = given_with(IB_SOURCE_DIR "/scenarios/bench_air.yaml", NULL, NULL);
    run(scenario, &rows);
    int stored = signal_of(scenario, "air.stored"), vented = signal_of(scenario, "air.vented");
    int delivered = signal_of(scenario, "air.delivered"),
        gave = signal_of(scenario, "arm.energy.air");
    int arm = signal_of(scenario, "arm.energy.error"),
        ram = signal_of(scenario, "ram.energy.error");
    for (int i = 0; i < rows.count; i++) {
        const double *y = rows.values[i];
        assert_close(y[delivered], y[stored] - rows.values[0][stored] + y[vented], 1e-13);
    }
    const double *end = rows.values[rows.count - 1];
    assert_true(end[vented] > 0.01 && end[gave] > 30);
    assert_close(end[arm], 0, 1e-6 * end[gave]);
    assert_close(end[ram], 0, 1e-6 * end[gave]);
    ib_scenario_destroy(scenario);
}

// Goal: a path sets the wheels, the script all that stands on the robot. Method: a Roomba on a path
// with eight cylinders and a ram, of which the last ones are told to move, beside a second one.
static void a_script_goes_on_beside_a_path(void **state)
{
    static Rows rows;
    (void)state;
    ib_Scenario *scenario =
        given("robots:\n"
              "  a:\n"
              "    kind: roomba\n"
              "    air: {preset: frc-charged, cylinders: {c1: {}, c2: {}, c3: {}, c4: {}, c5: {}, "
              "c6: {}, c7: {}, c8: {}}}\n"
              "    mechanisms: {ram: {kind: elevator, brake: 300 N, cylinder: {bore: 1 in}}}\n"
              "    control: {path: [line 2 m], mode: schedule}\n"
              "    inputs: {ram: [[0.5 s, on]], solenoid: {c8: [[1 s, on]]}}\n"
              "  b: {kind: roomba, control: {path: [line 1 m], mode: schedule}, start: {y: 2 m}}\n"
              "run: {duration: 2 s}\n");
    run(scenario, &rows);
    const double *end = rows.values[rows.count - 1];
    assert_close(end[signal_of(scenario, "a.ram.position")], 0.1524, 1e-9);
    assert_close(end[signal_of(scenario, "a.cylinder.c8.position")], 0.1524, 1e-9);
    assert_true(end[signal_of(scenario, "a.pose.x")] > 0.5);
    ib_scenario_destroy(scenario);
}

static void set(const ib_MechanismKind *kind, const char *key, const char *text, void *config)
{
    ib_Error error;
    const ib_Param *param = ib_schema_find(&kind->params, key);
    assert_non_null(param);
    assert_int_equal(ib_schema_set(param, text, config, &error), IB_OK);
}

// Goal: the triangle of joint and pins. Method: the pins as points in the plane, their distance as
// the cylinder's length, its slope by central differences (1e-6 rad:
// 1e-9 of it is their own error).
static void an_arms_cylinder_is_the_third_side(void **state)
{
    const ib_MechanismKind *kind = ib_mechanism_kind_find("single_arm");
    ib_MechanismMemory config = {0};
    (void)state;
    assert_int_equal(ib_schema_default(&kind->params, &config, NULL), IB_OK);
    set(kind, "cylinder.base", "31 cm", &config);
    set(kind, "cylinder.angle", "-70 deg", &config);
    set(kind, "cylinder.lever", "17 cm", &config);
    set(kind, "cylinder.retracted", "22 cm", &config);
    double angle = -70 * 3.14159265358979323846 / 180, px = 0.31 * cos(angle),
           py = 0.31 * sin(angle);
    for (uint64_t i = 0; i < 200; i++) {
        double th = angle + 0.2 + 2.5 * chance_uniform(1, 2, i), length[3];
        for (int k = 0; k < 3; k++) {
            double at = th + (k - 1) * 1e-6;
            length[k] = hypot(0.17 * cos(at) - px, 0.17 * sin(at) - py);
        }
        double x[2] = {th, 0};
        ib_PistonPlace place;
        kind->piston(&config, x, &place);
        assert_close(place.at, length[1] - 0.22, 1e-15);
        assert_close(place.ratio, (length[2] - length[0]) / 2e-6, 1e-9);
    }
}

// Goal: the travel is what the stroke allows. Method: at both ends the piston is at its own.
static void travel_ends_where_the_stroke_does(void **state)
{
    const ib_MechanismKind *kind = ib_mechanism_kind_find("single_arm");
    ib_MechanismMemory config = {0};
    (void)state;
    assert_int_equal(ib_schema_default(&kind->params, &config, NULL), IB_OK);
    set(kind, "cylinder.stroke", "9 cm", &config);
    double travel[2] = {-INFINITY, INFINITY};
    assert_int_equal(kind->reach(&config, travel, NULL), IB_OK);
    for (int i = 0; i < 2; i++) {
        double x[2] = {travel[i], 0};
        ib_PistonPlace place;
        kind->piston(&config, x, &place);
        assert_close(place.at, i * 0.09, 1e-15);
    }
    assert_true(travel[1] > travel[0]);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ram_moves_as_the_cylinder_does),
        cmocka_unit_test(air_and_energy_are_accounted_for),
        cmocka_unit_test(a_script_goes_on_beside_a_path),
        cmocka_unit_test(an_arms_cylinder_is_the_third_side),
        cmocka_unit_test(travel_ends_where_the_stroke_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
