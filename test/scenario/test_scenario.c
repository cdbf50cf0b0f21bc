// Tests of scenario/scenario.h: what a right file becomes. What is refused: test_refusal.c.
#include "base/units.h"
#include "cmocka_all.h"
#include "desk/design/design_loader.h"
#include "mistakes.h"
#include "robot/roomba/roomba.h"
#include "scenario/scenario.h"
#include "scenario/schemas.h"
#include "sensor/encoder.h"
#include "sensor/gyro.h"
#include "sensor/tap.h"

#include <stdio.h>
#include <string.h>

#define ROBOT  "robot: {kind: roomba}\n"
#define INPUTS "inputs: {left: 1 N, right: 1 N}\n"
#define RUN    "run: {duration: 1 s}\n"

static ib_Arena arena;
static ib_Diagnostics diagnostics;

static int setup(void **state)
{
    (void)state;
    diagnostics = (ib_Diagnostics){.arena = &arena};
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    ib_arena_reset(&arena);
    return 0;
}

static ib_Scenario *read_with(const char *text, const ib_ScenarioOptions *options)
{
    ib_Scenario *scenario =
        ib_scenario_read_text("folder/t.yaml", text, strlen(text), options, &diagnostics);
    print_mistakes(&diagnostics);
    assert_non_null(scenario);
    assert_non_null(scenario->model);
    assert_ptr_equal(scenario->model->config, &scenario->sim);
    return scenario;
}

static ib_Scenario *read_text(const char *text)
{
    return read_with(text, NULL);
}

static const ib_RoombaConfig *config_of(const ib_Scenario *scenario, int robot)
{
    return scenario->sim.robots[robot].config;
}

// ----------------------------------------------------------------------------------------- reading

// Goal: the example of the design is read field by field. Method: compare with values by hand.
static void the_example_is_read_field_by_field(void **state)
{
    (void)state;
    ib_Scenario *s =
        read_text("title: Roomba, straight\n"
                  "format: 1\n"
                  "robot: {kind: roomba, mass: 6 lb, drag: 3 N*s^2/m^2, max_force: 5 N,"
                  " equations: published}\n"
                  "field: {gravity: 1.62 m/s^2}\n"
                  "start: {x: 1 m, y: -2 cm, heading: 30 deg, velocity: {x: 3 m/s,"
                  " heading: 60 rpm}}\n"
                  "inputs:\n"
                  "  hold: linear\n"
                  "  left: [[0 s, 2.7 N], [2.4 s, 1.4 N]]\n"
                  "  right: 2 N\n"
                  "run: {duration: 5 s, step: 2 ms, solver: euler, seed: 42}\n"
                  "record: {every: 20 ms, signals: [pose.*, velocity.forward]}\n"
                  "expect:\n"
                  "  - \"at 2 s: pose.x = 1.305 m +- 1 mm\"\n"
                  "  - always: velocity.forward <= 0.9 m/s\n");
    const ib_RoombaConfig *c = config_of(s, 0);
    assert_string_equal(s->yaml.title, "Roomba, straight");
    assert_string_equal(s->yaml.file, "folder/t.yaml");
    assert_close(c->mass, 6 * 0.45359237, 1e-15);
    assert_close(c->drag, 3, 0);
    assert_close(c->side_drag, 1000, 0);
    assert_int_equal(c->equations, IB_ROOMBA_PUBLISHED);
    assert_close(s->sim.gravity, 1.62, 0);
    assert_close(c->planar.x, 1, 0);
    assert_close(c->planar.y, -0.02, 1e-17);
    assert_close(c->planar.heading, 3.14159265358979323846 / 6, 1e-15);
    assert_close(c->planar.velocity_x, 3, 0);
    assert_close(c->planar.velocity_y, 0, 0);
    assert_close(c->planar.velocity_heading, 2 * 3.14159265358979323846, 1e-14);

    const ib_Timeline *left = &s->sim.robots[0].inputs[IB_ROOMBA_LEFT];
    const ib_Timeline *right = &s->sim.robots[0].inputs[IB_ROOMBA_RIGHT];
    assert_int_equal(s->sim.robots[0].input_count, IB_ROOMBA_INPUTS);
    assert_int_equal(left->count, 2);
    assert_true(left->linear && right->linear);
    assert_true(left->times[1] == 2400000000);
    assert_close(left->values[1], 1.4, 0);
    assert_int_equal(right->count, 1);
    assert_true(right->times[0] == 0);
    assert_close(right->values[0], 2, 0);

    assert_true(s->sim.duration == 5 * IB_SECOND && s->sim.step == 2000000);
    assert_int_equal(s->sim.solver.kind, IB_EULER);
    assert_true(s->sim.seed == 42);
    assert_true(s->record.every == 20000000);
    assert_string_equal(s->record.signals[0], "pose.*");
    assert_string_equal(s->record.signals[1], "velocity.forward");
    assert_null(s->record.signals[2]);
    assert_int_equal(s->expectation_count, 2);
    assert_string_equal(s->expectations[0].text, "at 2 s: pose.x = 1.305 m +- 1 mm");
    assert_string_equal(s->expectations[1].text, "always: velocity.forward <= 0.9 m/s");
    assert_int_equal(s->expectations[1].when, IB_WHEN_ALWAYS);
    ib_scenario_destroy(s);
}

// Goal: what is left out has its default. Method: the shortest scenario.
static void what_is_left_out_has_its_default(void **state)
{
    (void)state;
    ib_Scenario *s = read_text(ROBOT INPUTS RUN);
    assert_string_equal(s->yaml.title, "t.yaml");
    assert_close(config_of(s, 0)->mass, 2.7, 0);
    assert_close(config_of(s, 0)->diameter, 0.33, 0);
    assert_close(s->sim.gravity, 9.80665, 0);
    assert_true(s->sim.step == 1000000 && s->sim.duration == IB_SECOND && s->sim.seed == 1);
    assert_int_equal(s->sim.solver.kind, IB_RK4);
    assert_close(s->sim.solver.tolerance, 1e-9, 0);
    assert_true(s->record.every == 10000000);
    assert_string_equal(s->record.signals[0], "*");
    assert_null(s->record.signals[1]);
    assert_string_equal(s->sim.robots[0].name, "");
    assert_false(s->sim.robots[0].inputs[IB_ROOMBA_LEFT].linear);
    assert_null(s->sim.robots[0].path);
    assert_int_equal(s->sim.disturbance_count + s->expectation_count, 0);
    ib_scenario_destroy(s);
}

// Goal: adaptive solvers are capped by max_step or the end only, a default step never exceeds the
// run. Method: with and without a step.
static void the_default_step_fits_solver_and_run(void **state)
{
    (void)state;
    static const struct {
        const char *run;
        ib_Time step;
    } cases[] = {{"{duration: 5 s, solver: dopri5}", 5 * IB_SECOND},
                 {"{duration: 5 s, solver: dopri5, step: 1 ms}", 5 * IB_SECOND},
                 {"{duration: 5 s, solver: rosenbrock, max_step: 10 ms}", 10000000},
                 {"{duration: 5 s, solver: dopri5, max_step: 1 h}", 5 * IB_SECOND},
                 {"{duration: 0.5 ms}", 500000},
                 {"{duration: 5 s, step: 1.4 ns, solver: rk4}", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[200];
        snprintf(text, sizeof text, ROBOT INPUTS "run: %s\n", cases[i].run);
        ib_Scenario *s = read_text(text);
        assert_true(s->sim.step == cases[i].step);
        ib_scenario_destroy(s);
    }
}

// Goal: times become the nearest nanosecond. Method: a third of a nanosecond more or less.
static void times_are_rounded_to_nanoseconds(void **state)
{
    (void)state;
    ib_Scenario *s =
        read_text(ROBOT "inputs: {left: [[1.2 ns, 1 N], [10.6665 s, 0 N]], right: 0 N}\n"
                        "run: {duration: 1.0000000003 s}\n");
    const ib_Timeline *left = &s->sim.robots[0].inputs[IB_ROOMBA_LEFT];
    assert_true(left->times[0] == 1 && left->times[1] == 10666500000);
    assert_true(s->sim.duration == IB_SECOND);
    ib_scenario_destroy(s);
}

// Goal: sensors are read in the unit of what they measure. Method: a gyro and a speedometer.
static void sensors_are_read_in_the_unit_of_their_signal(void **state)
{
    (void)state;
    ib_Scenario *s = read_text(
        "robot: {kind: roomba, sensors: {gyro: {noise: 1 deg/s, bias: 0.1 rad/s, quantum: 1 "
        "mrad/s, range: [-5 rad/s, 6 rad/s], period: 5 ms, latency: 10 ms, scale: 1.01}, speed: "
        "{signal: velocity.forward, noise: 1 cm/s}}}\n" INPUTS RUN);
    assert_int_equal(s->sim.robots[0].sensor_count, 2);
    const ib_SensorConfig *gyro = &s->sim.robots[0].sensors[0], *speed = gyro + 1;
    assert_string_equal(gyro->name, "gyro");
    assert_string_equal(gyro->signal, "velocity.heading");
    assert_close(gyro->noise, 3.14159265358979323846 / 180, 1e-17);
    assert_close(gyro->bias, 0.1, 0);
    assert_close(gyro->quantum, 1e-3, 1e-18);
    assert_close(gyro->scale, 1.01, 0);
    assert_true(gyro->low == -5 && gyro->high == 6);
    assert_true(gyro->period == 5000000 && gyro->latency == 10000000);
    assert_string_equal(speed->signal, "velocity.forward");
    assert_close(speed->noise, 0.01, 1e-17);
    assert_true(speed->period == 1000000 && speed->latency == 0 && speed->scale == 1);
    assert_true(isinf(speed->low) && isinf(speed->high));
    assert_true(ib_signals_find(&s->model->signals, "sensor.speed") >= 0);
    ib_scenario_destroy(s);
}

static const ib_SignalDef *signal_of(const ib_Scenario *s, const char *name)
{
    int i = ib_signals_find(&s->model->signals, name);
    assert_true(i >= 0);
    return &s->model->signals.items[i];
}

// Goal: each kind of sensor reads its own keys and names what it shows. Method: one of each; a bias
// drawn from the seed differs between seeds; the words of `kind` are the names of the kinds.
static void kinds_of_sensors_are_read(void **state)
{
    (void)state;
    static const char text[] =
        "robot: {kind: roomba, sensors: {\n"
        "  left: {kind: encoder, signal: wheel.left.speed, counts: 512, radius: 3 cm,\n"
        "    missed: 0.1 %, direction: reverse, velocity: true, period: 5 ms, latency: 5 ms},\n"
        "  rate: {kind: gyro, noise_density: 0.02 deg/s, drift: 1 mrad/s, scale: 1.01,\n"
        "    bias: {normal: [0 deg/s, 1 deg/s]}, range: [-5 rad/s, 5 rad/s]},\n"
        "  power: {kind: tap, signal: power.drag, bits: 10, range: [0 W, 5 W], filter: 2 ms,\n"
        "    noise: 10 mW, bias: 0.1 W}, plain: {kind: sampled, signal: pose.x}}}\n" INPUTS;
    char file[sizeof text + 64];
    double bias[2];
    for (int seed = 0; seed < 2; seed++) {
        snprintf(file, sizeof file, "%srun: {duration: 1 s, seed: %d}\n", text, seed);
        ib_Scenario *s = read_text(file);
        const ib_SensorConfig *left = s->sim.robots[0].sensors, *rate = left + 1, *tap = left + 2;
        const ib_EncoderConfig *encoder = (const void *)left->own;
        const ib_GyroConfig *gyro = (const void *)rate->own;
        const ib_TapConfig *own = (const void *)tap->own;
        assert_string_equal(left->kind->name, "encoder");
        assert_int_equal(encoder->counts, 512);
        assert_true(encoder->radius == 0.03 && encoder->missed == 0.001);
        assert_true(encoder->velocity && encoder->scale == -1);
        assert_true(left->period == 5000000 && left->latency == 5000000);
        assert_string_equal(signal_of(s, "sensor.left")->unit, "m/s");
        assert_string_equal(rate->kind->name, "gyro");
        assert_string_equal(rate->signal, "velocity.heading");
        assert_close(gyro->noise_density, 0.02 * 3.14159265358979323846 / 180, 1e-18);
        assert_true(gyro->drift == 1e-3 && rate->scale == 1.01 && rate->high == 5);
        assert_string_equal(signal_of(s, "sensor.rate")->unit, "rad/s");
        assert_string_equal(tap->kind->name, "tap");
        assert_true(own->bits == 10 && own->filter == 2e-3 && tap->high == 5);
        assert_true(tap->noise == 0.01 && tap->bias == 0.1 && tap->scale == 1);
        assert_string_equal(signal_of(s, "sensor.power")->unit, "W");
        assert_string_equal(tap[1].kind->name, "sampled");
        bias[seed] = rate->bias;
        ib_scenario_destroy(s);
    }
    assert_true(bias[0] != bias[1] && bias[0] != 0);
}

// Goal: each type of disturbance arrives with its times, size and target. Method: one of each.
static void disturbances_of_every_type_are_read(void **state)
{
    (void)state;
    ib_Scenario *s = read_text(
        "robots:\n"
        "  red: {kind: roomba, inputs: {left: 1 N, right: 1 N}, sensors: {gyro: {}}}\n"
        "  blue: {kind: roomba, inputs: {left: 1 N, right: 1 N}}\n" RUN "disturbances:\n"
        "  - {at: 3 s, for: 0.1 s, force: 2 N, direction: 90 deg, point: [0.1 m, -1 cm]}\n"
        "  - {at: 1 s, impulse: 0.2 N*s, robot: blue}\n"
        "  - {tilt: 2 deg, direction: -1 rad}\n"
        "  - {at: 1 s, for: 1 s, signal: drive.left.force, scale: 0.5}\n"
        "  - {signal: sensor.gyro, scale: 0, robot: red}\n");
    const ib_Disturbance *d = s->sim.disturbances;
    assert_int_equal(s->sim.disturbance_count, 5);
    assert_int_equal(d[0].type, IB_DISTURBANCE_FORCE);
    assert_int_equal(d[0].robot, -1);
    assert_true(d[0].at == 3 * IB_SECOND && d[0].until == 3100000000);
    assert_close(d[0].size, 2, 0);
    assert_close(d[0].direction, 3.14159265358979323846 / 2, 1e-15);
    assert_close(d[0].x, 0.1, 0);
    assert_close(d[0].y, -0.01, 1e-17);
    assert_int_equal(d[1].type, IB_DISTURBANCE_IMPULSE);
    assert_int_equal(d[1].robot, 1);
    assert_close(d[1].size, 0.2, 0);
    assert_int_equal(d[2].type, IB_DISTURBANCE_TILT);
    assert_true(d[2].at == 0 && d[2].until >= s->sim.duration);
    assert_int_equal(d[3].type, IB_DISTURBANCE_SCALE);
    assert_string_equal(d[3].signal, "drive.left.force");
    assert_close(d[3].size, 0.5, 0);
    assert_int_equal(d[4].robot, 0);
    ib_scenario_destroy(s);
}

// Goal: a drawn path arrives with its options and needs no inputs. Method: both modes.
static void control_is_read_into_a_path(void **state)
{
    (void)state;
    ib_Scenario *s = read_text(
        ROBOT "control: {path: [line 2 m, circle 1 m left, arc 50 cm right 90 deg], mode: inverse,"
              " end: stop, blend: 10 cm}\n" RUN);
    const ib_PathConfig *path = s->sim.robots[0].path;
    assert_non_null(path);
    assert_int_equal(path->count, 3);
    assert_int_equal(path->mode, IB_PATH_INVERSE);
    assert_int_equal(path->end, IB_PATH_STOP);
    assert_close(path->blend, 0.1, 1e-17);
    assert_close(path->elements[0].length, 2, 0);
    assert_close(path->elements[1].curvature, 1, 1e-15);
    assert_close(path->elements[2].curvature, -2, 1e-15);
    ib_scenario_destroy(s);

    s = read_text(ROBOT "control: {path: [line 2 m]}\n" RUN);
    path = s->sim.robots[0].path;
    assert_int_equal(path->mode, IB_PATH_SCHEDULE);
    assert_int_equal(path->end, IB_PATH_COAST);
    assert_close(path->blend, 0.05, 1e-17);
    ib_scenario_destroy(s);
}

// Goal: titles and sentences are one line, however they are written. Method: folded text.
static void texts_in_several_lines_become_one(void **state)
{
    (void)state;
    ib_Scenario *s = read_text("title: |\n  one\n  two\n" ROBOT INPUTS RUN
                               "expect:\n  - >\n    at end: pose.x\n    > 0 m\n");
    assert_string_equal(s->yaml.title, "one two");
    assert_string_equal(s->expectations[0].text, "at end: pose.x > 0 m");
    ib_scenario_destroy(s);
}

// Goal: several robots keep their own start, inputs and names. Method: two that differ.
static void several_robots_keep_what_is_theirs(void **state)
{
    (void)state;
    ib_Scenario *s = read_text(
        "robots:\n"
        "  red: {kind: roomba, mass: 3 kg, start: {x: 1 m}, inputs: {left: 1 N, right: 2 N}}\n"
        "  blue_2: {kind: roomba, start: {x: 2 m}, control: {path: [line 1 m]}}\n" RUN
        "expect: [\"at end: red.pose.x > 0 m\", \"at end: blue_2.pose.x > 0 m\"]\n");
    assert_int_equal(s->sim.robot_count, 2);
    assert_string_equal(s->sim.robots[0].name, "red");
    assert_string_equal(s->sim.robots[1].name, "blue_2");
    assert_close(config_of(s, 0)->mass, 3, 0);
    assert_close(config_of(s, 1)->mass, 2.7, 0);
    assert_close(config_of(s, 1)->planar.x, 2, 0);
    assert_close(s->sim.robots[0].inputs[IB_ROOMBA_RIGHT].values[0], 2, 0);
    assert_null(s->sim.robots[0].path);
    assert_non_null(s->sim.robots[1].path);
    ib_scenario_destroy(s);
}

// --------------------------------------------------------------------------------------- overrides

// Goal: --set, --seed and --duration change the run, the last one wins. Method: several at once.
static void options_change_the_scenario(void **state)
{
    (void)state;
    static const ib_Override overrides[] = {
        {"robot.mass", "3 kg"},
        {"robot.mass", "6 lb"},
        {"start.velocity.x", "1 m/s"},
        {"inputs.left", "[[0 s, 1 N], [1 s, 2 N]]"},
        {"inputs.left.1.1", "2.5 N"},
        {"record.signals", "[pose.x]"},
        {"expect", "['at end: pose.x > 0 m']"},
        {"expect.1", "always: pose.y < 1 m"},
        {"title", "Changed"},
    };
    ib_ScenarioOptions options = {.overrides = overrides,
                                  .override_count = sizeof overrides / sizeof overrides[0],
                                  .has_seed = true,
                                  .seed = 99,
                                  .duration = "7 s"};
    ib_Scenario *s = read_with(ROBOT INPUTS RUN, &options);
    assert_close(config_of(s, 0)->mass, 6 * 0.45359237, 1e-15);
    assert_close(config_of(s, 0)->planar.velocity_x, 1, 0);
    assert_int_equal(s->sim.robots[0].inputs[IB_ROOMBA_LEFT].count, 2);
    assert_close(s->sim.robots[0].inputs[IB_ROOMBA_LEFT].values[1], 2.5, 0);
    assert_string_equal(s->record.signals[0], "pose.x");
    assert_int_equal(s->expectation_count, 2);
    assert_string_equal(s->yaml.title, "Changed");
    assert_true(s->sim.seed == 99 && s->sim.duration == 7 * IB_SECOND);
    ib_scenario_destroy(s);
}

// Goal: --set makes a list where there is none. Method: the first and the second expectation.
static void options_begin_a_list(void **state)
{
    (void)state;
    static const ib_Override overrides[] = {{"expect.0", "at end: pose.x > 0 m"},
                                            {"expect.1", "always: pose.y < 1 m"}};
    ib_ScenarioOptions options = {.overrides = overrides, .override_count = 2};
    ib_Scenario *s = read_with(ROBOT INPUTS RUN, &options);
    assert_int_equal(s->expectation_count, 2);
    ib_scenario_destroy(s);
}

// Goal: --duration and --seed win over --set, wherever they stand. Method: both at once.
static void duration_and_seed_options_win_over_set(void **state)
{
    (void)state;
    static const ib_Override overrides[] = {{"run.duration", "3 s"}, {"run.seed", "5"}};
    ib_ScenarioOptions options = {.overrides = overrides,
                                  .override_count = 2,
                                  .has_seed = true,
                                  .seed = 6,
                                  .duration = "4 s"};
    ib_Scenario *s = read_with(ROBOT INPUTS RUN, &options);
    assert_true(s->sim.duration == 4 * IB_SECOND && s->sim.seed == 6);
    ib_scenario_destroy(s);
}

// Goal: --duration serves a scenario that has none. Method: a run without one.
static void duration_option_serves_a_run_without_one(void **state)
{
    (void)state;
    ib_ScenarioOptions options = {.duration = "2 min"};
    ib_Scenario *s = read_with(ROBOT INPUTS, &options);
    assert_true(s->sim.duration == 120 * IB_SECOND);
    ib_scenario_destroy(s);
}

// Goal: a mistake on the command line is located there. Method: value, key, syntax, path.
static void mistakes_in_options_are_located(void **state)
{
    (void)state;
    static const struct {
        const char *path, *yaml, *words;
    } cases[] = {{"robot.mass", "3", "a unit is missing"},
                 {"robot.masss", "3 kg", "did you mean 'mass'"},
                 {"robot.mass", "[1, 2", "not YAML"},
                 {"robot.mass.x", "1", "expected a mass"},
                 {"robot.kind.x", "1", "is a value"},
                 {"robot.mass", "", "robot.mass: empty value"},
                 {"robot.mass", " # none", "robot.mass: empty value"},
                 {"robot.mass", "3 kg\n---\n4 kg", "second document"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char text[] = ROBOT INPUTS RUN;
        ib_Override override = {cases[i].path, cases[i].yaml};
        ib_ScenarioOptions options = {.overrides = &override, .override_count = 1};
        char file[60];
        diagnostics.count = 0;
        assert_null(ib_scenario_read_text("t.yaml", text, strlen(text), &options, &diagnostics));
        assert_true(diagnostics.count >= 1);
        snprintf(file, sizeof file, "--set %s", cases[i].path);
        assert_string_equal(diagnostics.items[0].file, file);
        if (!strstr(diagnostics.items[0].text, cases[i].words))
            fail_msg("'%s' lacks '%s'", diagnostics.items[0].text, cases[i].words);
    }
    ib_ScenarioOptions options = {.duration = "0 s"};
    diagnostics.count = 0;
    assert_null(ib_scenario_read_text("t.yaml", ROBOT INPUTS, strlen(ROBOT INPUTS), &options,
                                      &diagnostics));
    assert_string_equal(diagnostics.items[0].file, "--duration");
}

// ------------------------------------------------------------------------------------------ random

static double drawn_mass(const char *extra, uint64_t seed)
{
    char text[400];
    snprintf(text, sizeof text,
             "robot: {kind: roomba, mass: {uniform: [2 kg, 3 kg]}%s}\n"
             "start: {x: {normal: [5 m, 1 cm]}}\n"
             "inputs: {left: [[0 s, {uniform: [1 N, 2 N]}]], right: {uniform: [0 N, 1 N]}}\n" RUN,
             extra);
    ib_ScenarioOptions options = {.has_seed = true, .seed = seed};
    ib_Scenario *s = read_with(text, &options);
    double mass = config_of(s, 0)->mass;
    assert_true(mass >= 2 && mass < 3);
    assert_close(config_of(s, 0)->planar.x, 5,
                 0.09); // 9 standard deviations; a draw never exceeds 8.6
    double left = s->sim.robots[0].inputs[IB_ROOMBA_LEFT].values[0];
    double right = s->sim.robots[0].inputs[IB_ROOMBA_RIGHT].values[0];
    assert_true(left >= 1 && left < 2 && right >= 0 && right < 1);
    assert_true(left - 1 != right && mass - 2 != right); // every place has its own stream
    ib_scenario_destroy(s);
    return mass;
}

// Goal: a draw depends on seed and place, on nothing else. Method: same seed, other seeds, other
// values drawn beside it.
static void random_values_follow_seed_and_place(void **state)
{
    (void)state;
    double first = drawn_mass("", 1);
    assert_true(drawn_mass("", 1) == first);
    assert_true(drawn_mass(", drag: {uniform: [1 N*s^2/m^2, 2 N*s^2/m^2]}", 1) == first);
    double mean = 0;
    for (uint64_t seed = 0; seed < 100; seed++) mean += drawn_mass("", seed) / 100;
    assert_close(mean, 2.5, 0.15); // sd of the mean is 0.029: five of them
}

// Goal: the project's own scenarios are right. Method: read each.
static void the_projects_scenarios_are_right(void **state)
{
    (void)state;
    static const char *const names[] = {
        "roomba_straight", "roomba_circle", "roomba_schedule",      "roomba_push",
        "roomba_two",      "roomba_noise",  "roomba_path_schedule", "roomba_path_inverse",
        "showcase",        "roomba_heading"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[400];
        snprintf(path, sizeof path, "%s/scenarios/%s.yaml", IB_SOURCE_DIR, names[i]);
        ib_Scenario *s = ib_scenario_read(path, &(ib_ScenarioOptions){.designs = &ib_design_loader},
                                          &diagnostics);
        print_mistakes(&diagnostics);
        assert_non_null(s);
        ib_scenario_destroy(s);
    }
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        CASE(the_example_is_read_field_by_field),
        CASE(what_is_left_out_has_its_default),
        CASE(the_default_step_fits_solver_and_run),
        CASE(times_are_rounded_to_nanoseconds),
        CASE(sensors_are_read_in_the_unit_of_their_signal),
        CASE(kinds_of_sensors_are_read),
        CASE(disturbances_of_every_type_are_read),
        CASE(control_is_read_into_a_path),
        CASE(texts_in_several_lines_become_one),
        CASE(several_robots_keep_what_is_theirs),
        CASE(options_change_the_scenario),
        CASE(options_begin_a_list),
        CASE(duration_and_seed_options_win_over_set),
        CASE(duration_option_serves_a_run_without_one),
        CASE(mistakes_in_options_are_located),
        CASE(random_values_follow_seed_and_place),
        CASE(the_projects_scenarios_are_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
