// Tests of the first message: what a client learns about a simulation and about a recording.
#include "cmocka_all.h"
#include "scenario/given.h"
#include "view/hello.h"

#include <jansson.h>
#include <string.h>

static ib_Arena arena;

static int teardown(void **state)
{
    (void)state;
    ib_arena_reset(&arena);
    return 0;
}

static json_t *parse(const char *text)
{
    json_error_t error;
    assert_non_null(text);
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (!json) fail_msg("%s in %s", error.text, text);
    return json;
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    assert_non_null(text);
    return text;
}

static double number_of(const json_t *object, const char *key)
{
    assert_true(json_is_number(json_object_get(object, key)));
    return json_number_value(json_object_get(object, key));
}

static json_t *hello_of(const ib_Scenario *scenario)
{
    int count;
    const ib_LiveParam *params = ib_shown_params(scenario->model, &arena, &count);
    ib_HelloModel hello = {scenario, "dir/hello.yaml", 0.002, params, count};
    return parse(ib_hello_model(&hello, &arena));
}

// Goal: the message of a simulation has every part, in order and with its numbers. Method: a Roomba
// and a tank; what the tables say is compared entry by entry.
static void a_simulation_says_what_there_is(void **state)
{
    (void)state;
    ib_Scenario *scenario =
        given("title: Two \"robots\"\n"
              "robots:\n"
              "  red: {kind: roomba, mass: 3 kg, inputs: {source: viewer, left: 1 N}}\n"
              "  blue: {kind: tank, start: {x: 5 m}, inputs: {left: 1 V, right: 1 V}}\n"
              "run: {duration: 12 s, step: 2 ms}\n"
              "expect: ['always: red.pose.x < 99 m']\n");
    json_t *hello = hello_of(scenario);
    assert_string_equal(text_of(hello, "type"), "hello");
    assert_string_equal(text_of(hello, "mode"), "live");
    assert_string_equal(text_of(hello, "title"), "Two \"robots\"");
    assert_string_equal(text_of(hello, "scenario"), "dir/hello.yaml");
    assert_close(number_of(hello, "duration"), 12, 0);
    assert_close(number_of(hello, "step"), 0.002, 0);

    const ib_SignalTable *table = &scenario->model->signals;
    const json_t *signals = json_object_get(hello, "signals");
    assert_int_equal(json_array_size(signals), table->count);
    for (int i = 0; i < table->count; i++) {
        const json_t *signal = json_array_get(signals, (size_t)i);
        assert_string_equal(text_of(signal, "name"), table->items[i].name);
        assert_string_equal(text_of(signal, "unit"), table->items[i].unit);
    }
    const json_t *robots = json_object_get(hello, "robots");
    assert_int_equal(json_array_size(robots), 2);
    assert_string_equal(text_of(json_array_get(robots, 1), "name"), "blue");
    assert_string_equal(text_of(json_array_get(robots, 1), "kind"), "tank");

    // The one input that the scenario leaves to the viewer.
    const json_t *inputs = json_object_get(hello, "inputs");
    assert_int_equal(json_array_size(inputs), 1);
    const json_t *input = json_array_get(inputs, 0);
    assert_string_equal(text_of(input, "name"), "right");
    assert_string_equal(text_of(input, "sentence"), "force of the right wheel");
    assert_string_equal(text_of(input, "unit"), "N");
    assert_close(number_of(input, "robot"), 0, 0);
    assert_close(number_of(input, "high"), 2.7, 0);
    assert_true(json_is_null(json_object_get(input, "words")));
    const ib_RobotPorts *ports = &scenario->model->robots[0].ports;
    assert_string_equal(ports->inputs[(int)number_of(input, "index")].name, "right");

    assert_true(json_is_array(json_object_get(json_object_get(hello, "geometry"), "frames")));
    assert_int_equal(json_array_size(json_object_get(hello, "expectations")), 1);
    const json_t *suggested = json_object_get(hello, "suggested");
    assert_true(json_array_size(suggested) > 0);
    int first = (int)json_integer_value(json_array_get(suggested, 0));
    assert_string_equal(table->items[first].name, "red.velocity.forward");
    json_decref(hello);
    ib_scenario_destroy(scenario);
}

// Goal: every live parameter has a slider that contains its value and stays within what is allowed.
// Method: all of a Roomba's and a tank's.
static void sliders_contain_their_values(void **state)
{
    (void)state;
    ib_Scenario *scenario =
        given("robots:\n"
              "  red: {kind: roomba, mass: 3 kg, inputs: {source: viewer}}\n"
              "  blue: {kind: tank, start: {x: 5 m}, inputs: {source: viewer}}\n"
              "run: {duration: 1 s}\n");
    json_t *hello = hello_of(scenario);
    const json_t *parameters = json_object_get(hello, "parameters");
    assert_true(json_array_size(parameters) >= 8);
    for (size_t i = 0; i < json_array_size(parameters); i++) {
        const json_t *own = json_array_get(parameters, i);
        double low = number_of(own, "low"), high = number_of(own, "high");
        double value = number_of(own, "value");
        assert_true(number_of(own, "min") <= low && high <= number_of(own, "max"));
        assert_true(low <= value && value <= high && low < high);
        assert_close(number_of(own, "initial"), value, 0);
        assert_true(text_of(own, "sentence")[0]);
        if (strcmp(text_of(own, "path"), "robots.red.mass") == 0) {
            assert_close(value, 3, 0);
            assert_string_equal(text_of(own, "unit"), "kg");
        }
    }
    json_decref(hello);
    ib_scenario_destroy(scenario);
}

// Goal: a slider's range is sensible for a person. Method: by hand.
static void slider_ranges_are_round(void **state)
{
    (void)state;
    static const struct {
        double min, max, value, low, high;
    } cases[] = {
        {0, 1, 0.5, 0, 1},           // a share
        {1e-3, 1, 1, 1e-3, 1},       // a share, all of it
        {0, 1, 0.015, 0.002, 0.05},  // a share, but a small one: 0.003 to 0.045
        {0, 10, 1, 0.2, 5},          // friction: 3 up to 5
        {0.001, 1e4, 2.7, 0.5, 10},  // 0.54 down to 0.5, 8.1 up to 10
        {0.001, 1e4, 60, 10, 200},   // 12 down to 10, 180 up to 200
        {0, 1e9, 1000, 200, 5000},   // 3000 up to 5000
        {0, 1e6, 0, 0, 1},           // nothing to go by
        {0, 10, 0, 0, 10},           // 0 within a short range
        {-1e6, 1e6, -4, -20, -0.5},  // below zero: 0.8 down to 0.5
        {1e-3, 1e6, 1e6, 2e5, 1e6},  // at the end of its range
        {100, 1e6, 100, 100, 500},   // at its start
        {0, 1e-3, 1e-6, 2e-7, 5e-6}, // small
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ib_ParamRange range = ib_param_range(cases[i].min, cases[i].max, cases[i].value);
        assert_close(range.low, cases[i].low, 1e-12 * fabs(cases[i].low));
        assert_close(range.high, cases[i].high, 1e-12 * fabs(cases[i].high));
    }
}

static const json_t *find_parameter(const json_t *hello, const char *path)
{
    const json_t *all = json_object_get(hello, "parameters");
    for (size_t i = 0; i < json_array_size(all); i++)
        if (strcmp(text_of(json_array_get(all, i), "path"), path) == 0)
            return json_array_get(all, i);
    return NULL;
}

// Goal: a 0 that stands for something else has no slider, since none could show it; a value that is
// given has. Method: the tank's inertia and static friction, left out and given.
static void stand_ins_have_no_slider(void **state)
{
    (void)state;
    ib_Scenario *scenario = given("robots:\n"
                                  "  red: {kind: tank, inputs: {source: viewer}}\n"
                                  "  blue: {kind: tank, inertia: 4 kg*m^2, start: {x: 5 m},\n"
                                  "         wheels: {model: bristle}, inputs: {source: viewer}}\n"
                                  "run: {duration: 1 s}\n");
    json_t *hello = hello_of(scenario);
    assert_null(find_parameter(hello, "robots.red.inertia"));
    assert_null(find_parameter(hello, "robots.blue.wheels.mu_static")); // 0: 1.2 mu
    assert_non_null(find_parameter(hello, "robots.red.mass"));
    const json_t *inertia = find_parameter(hello, "robots.blue.inertia");
    assert_non_null(inertia);
    assert_close(number_of(inertia, "low"), 0.5, 1e-15); // 4/5 down, 12 up
    assert_close(number_of(inertia, "high"), 20, 1e-13);
    json_decref(hello);
    ib_scenario_destroy(scenario);
}

// All rates of the first robot near its start, driven by its first two commands.
static void rates_of(const ib_Model *model, double rate[128])
{
    const ib_RobotModel *robot = &model->robots[0];
    double state[128], input[64];
    int count = robot->ports.state_count;
    assert_true(count <= 128 && robot->ports.input_count <= 64);
    robot->kind->reset(robot->config, robot->model, state);
    for (int i = 0; i < count; i++) state[i] += 1e-5 * (i + 1); // bristles and currents too
    for (int i = 0; i < robot->ports.input_count; i++) input[i] = robot->ports.inputs[i].neutral;
    input[IB_GRAVITY] = 9.8;
    input[IB_ENVIRONMENT_COUNT] = 7;
    input[IB_ENVIRONMENT_COUNT + 1] = 9;
    robot->kind->rate(robot->model, state, input, rate);
}

// Does it change the rates to make this parameter 1.2 times as large?
static bool changes_rates(const ib_Model *model, const ib_LiveParam *param)
{
    double before[128] = {0}, after[128] = {0};
    ib_Error error;
    ib_Variant *variant;
    ib_Setting setting = {param, 1.2 * ib_live_param_value(model, param)};
    if (ib_variant_create(model, &setting, 1, &variant, &error) != IB_OK)
        fail_msg("%s", error.text);
    rates_of(model, before);
    rates_of(variant->model, after);
    ib_variant_destroy(variant);
    return memcmp(before, after, sizeof before) != 0;
}

#define TANK(more, law)                                                                            \
    "robot: {kind: tank, inertia: 5 kg*m^2, drive: {efficiency: 0.8}" more ", wheels: {" law       \
    "mu_static: 1.3, rolling_resistance: 0.01}}\n"                                                 \
    "start: {velocity: {x: 2 m/s, y: 0.3 m/s, heading: 0.5 rad/s}}\n" REST
#define BENCH(more)                                                                                \
    "robot: {kind: motor_bench, supply: {resistance: 1 mohm}" more                                 \
    ", bearing: {viscous: 1e-4 N*m*s, coulomb: 0.01 N*m}}\nstart: {speed: 9 rad/s}\n" REST
#define REST "inputs: {source: viewer}\nrun: {duration: 1 s}\n"

// Goal: exactly what does nothing has no slider. Method: every live parameter of tanks and benches
// of all laws: with a slider it changes the rates, without one they stay the same bits. Bumpers act
// in contacts alone; an inertia and a static friction are given, so that they count.
static void what_does_nothing_has_no_slider(void **state)
{
    (void)state;
    static const char *const yamls[] = {
        TANK("", "model: rolling, "),         TANK("", "model: viscous, "),
        TANK("", "model: friction_circle, "), TANK("", "model: bristle, "),
        TANK(", equations: published", ""),   BENCH(""),
        BENCH(", current: implicit")};
    for (size_t i = 0; i < sizeof yamls / sizeof yamls[0]; i++) {
        ib_Scenario *scenario = given(yamls[i]);
        int count, sliders, next = 0;
        const ib_LiveParam *live = ib_live_params(scenario->model, &arena, &count);
        const ib_LiveParam *shown = ib_shown_params(scenario->model, &arena, &sliders);
        for (int k = 0; k < count; k++) {
            bool slider = next < sliders && shown[next].param == live[k].param;
            bool bumper = strncmp(live[k].param->key, "bumper.", 7) == 0;
            next += slider;
            if (!bumper && slider != changes_rates(scenario->model, &live[k]))
                fail_msg("%s in %s", live[k].path, yamls[i]);
        }
        assert_int_equal(next, sliders);
        ib_scenario_destroy(scenario);
    }
}

static const json_t *find_signal(const json_t *hello, const char *name)
{
    const json_t *all = json_object_get(hello, "signals");
    for (size_t i = 0; i < json_array_size(all); i++)
        if (strcmp(text_of(json_array_get(all, i), "name"), name) == 0)
            return json_array_get(all, i);
    fail_msg("there is no signal %s", name);
    return NULL;
}

// Goal: a signal comes with the unit that people use, and how to get there. Method: by hand: half a
// turn is 180 deg, 100 pi rad/s are 3000 rpm, one standard atmosphere is 0 psig and 6894.757 Pa
// above it 1 psig, 273.15 K are 0 degC; a voltage is shown as it is.
static void signals_have_the_units_of_people(void **state)
{
    (void)state;
    const double pi = 3.141592653589793;
    const struct {
        const char *name, *unit;
        double si, shown;
    } expected[] = {
        {"pose.heading", "deg", pi, 180},
        {"drive.left.speed", "rpm", 100 * pi, 3000},
        {"air.pressure", "psig", 101325, 0},
        {"air.pressure", "psig", 101325 + 6894.757293168, 1},
        {"air.temperature", "degC", 273.15, 0},
    };
    ib_Scenario *scenario =
        given("robot: {kind: tank, air: {preset: frc-charged}}\ninputs: {left: 1 V, right: "
              "1 V}\nrun: {duration: 1 s}\n");
    json_t *hello = hello_of(scenario);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const json_t *shown = json_object_get(find_signal(hello, expected[i].name), "shown");
        assert_string_equal(text_of(shown, "unit"), expected[i].unit);
        double got = number_of(shown, "factor") * expected[i].si + number_of(shown, "offset");
        assert_close(got, expected[i].shown, 1e-9); // rounding of doubles around 1e5
    }
    assert_true(json_is_null(json_object_get(find_signal(hello, "battery.voltage"), "shown")));
    json_decref(hello);
    ib_scenario_destroy(scenario);
}

// Goal: what a driver's hand does for an input is said with it, so that a page needs no robot's
// name; a switch stays, a button does not. Method: an X-drive with its loop, and a tank.
static void inputs_say_what_a_hand_does_for_them(void **state)
{
    (void)state;
    static const struct {
        const char *name, *axis; // NULL: none
        bool held, button;
    } expected[] = {
        {"stick.x", "right", false, false},    {"stick.y", "forward", false, false},
        {"turn", "turn_right", false, false},  {"field_oriented", NULL, true, false},
        {"rezero", NULL, false, true},         {"left", "left_side", false, false},
        {"right", "right_side", false, false}, {"throttle", "forward", false, false},
        {"turn", "turn_left", false, false},
    };
    enum { COUNT = sizeof expected / sizeof expected[0] };
    ib_Scenario *scenario =
        given("robots:\n"
              "  red: {kind: holonomic, preset: x-drive, inputs: {source: viewer},\n"
              "    sensors: {gyro: {kind: gyro}}, control: {kind: field_oriented}}\n"
              "  blue: {kind: tank, start: {x: 5 m}, inputs: {source: viewer}}\n"
              "run: {duration: 1 s}\n");
    json_t *hello = hello_of(scenario);
    const json_t *inputs = json_object_get(hello, "inputs");
    for (size_t i = 0; i < COUNT; i++) {
        const json_t *input = json_array_get(inputs, i);
        const char *axis = json_string_value(json_object_get(input, "axis"));
        assert_string_equal(text_of(input, "name"), expected[i].name);
        assert_string_equal(axis ? axis : "none", expected[i].axis ? expected[i].axis : "none");
        assert_int_equal(json_is_true(json_object_get(input, "held")), expected[i].held);
        assert_int_equal(json_is_true(json_object_get(input, "button")), expected[i].button);
    }
    json_decref(hello);
    ib_scenario_destroy(scenario);
}

#define RED(which) IB_MEANS(.role = which, .robot = "red")

// Goal: a recording speaks for itself, whatever bytes are in it. Method: facts with a geometry, a
// name that is no UTF-8, and one without facts, which gets a plain block for its pose.
static void a_recording_speaks_for_itself(void **state)
{
    (void)state;
    static ib_Time times[] = {0, IB_SECOND};
    static double values[] = {0, 1};
    ib_LogSeries series[] = {
        {"red.pose.x", "m", "", 2, times, values, RED(IB_ROLE_POSE_X)},
        {"red.pose.y", "m", "", 2, times, values, RED(IB_ROLE_POSE_Y)},
        {"strange.\xc3\x28", "", "", 2, times, values, IB_MEANS(.shown = "cubits")},
        {"strange.turn", "rad", "", 2, times, values, IB_MEANS(.shown = NULL)},
        {"strange.way", "ft", "", 2, times, values, IB_MEANS(.shown = "mm")}};
    ib_LogFact facts[] = {{"title", "A drive"}, {"geometry", "{\"frames\":\"\x80\"}"}};
    ib_Log log = {.series = series, .series_count = 5, .facts = facts, .fact_count = 2};
    ib_HelloLog own = {&log, "drive.wpilog", 1, 0.01};
    json_t *hello = parse(ib_hello_log(&own, &arena));
    assert_string_equal(text_of(hello, "mode"), "replay");
    assert_string_equal(text_of(hello, "title"), "A drive");
    assert_string_equal(text_of(hello, "geometry_text"), "{\"frames\":\"?\"}");
    assert_null(json_object_get(hello, "geometry"));
    const json_t *signals = json_object_get(hello, "signals");
    assert_string_equal(text_of(json_array_get(signals, 2), "name"), "strange.?(");
    assert_true(json_is_null(json_object_get(json_array_get(signals, 2), "shown")));
    // An angle that says nothing is in degrees; what is not in SI is shown as it stands.
    const json_t *turn = json_object_get(json_array_get(signals, 3), "shown");
    assert_string_equal(text_of(turn, "unit"), "deg");
    assert_close(number_of(turn, "factor") * 3.141592653589793, 180, 1e-13); // 4 ulp of 180
    assert_true(json_is_null(json_object_get(json_array_get(signals, 4), "shown")));
    assert_int_equal(json_array_size(json_object_get(hello, "parameters")), 0);
    assert_close(number_of(hello, "duration"), 1, 0);
    json_decref(hello);

    log.fact_count = 0;
    hello = parse(ib_hello_log(&own, &arena));
    assert_string_equal(text_of(hello, "title"), "drive.wpilog");
    const json_t *frames = json_object_get(json_object_get(hello, "geometry"), "frames");
    const json_t *move = json_object_get(json_array_get(frames, 0), "move");
    assert_string_equal(json_string_value(json_array_get(move, 0)), "red.pose.x");
    assert_string_equal(json_string_value(json_array_get(move, 1)), "red.pose.y");
    const json_t *robots = json_object_get(hello, "robots");
    assert_string_equal(text_of(json_array_get(robots, 0), "name"), "red");
    json_decref(hello);
}

// Goal: a client learns the steps of a routine in words, which signals show them, and the way that
// it means to take, without the name of any kind of robot. Method: two moves, the first of 2 m
// along x from (1, 0.5), then 1 m to the left; a robot with a name and a loop with one.
static void a_routine_says_its_steps_and_its_way(void **state)
{
    (void)state;
    ib_Scenario *scenario = given(
        "robots: {red: {kind: tank, start: {x: 1 m, y: 50 cm}, sensors: {gyro: {kind: gyro}},\n"
        "  control: {routine: [{drive: {x: 2 m}}, {wait: 1 s}, {drive: {y: 1 m}}]}}}\n"
        "run: {duration: 1 s}\n");
    json_t *hello = hello_of(scenario);
    const json_t *signals = json_object_get(hello, "signals");
    const json_t *routines = json_object_get(hello, "routines");
    assert_int_equal(json_array_size(routines), 1);
    const json_t *routine = json_array_get(routines, 0);
    assert_string_equal(text_of(routine, "name"), "red.control");
    assert_string_equal(text_of(routine, "robot"), "red");
    const char *names[] = {"step", "late"}, *shown[] = {"red.control.step", "red.control.late"};
    for (int i = 0; i < 2; i++) {
        const json_t *signal = json_array_get(signals, (size_t)number_of(routine, names[i]));
        assert_string_equal(text_of(signal, "name"), shown[i]);
        assert_true(json_is_true(json_object_get(signal, "held")));
    }
    const json_t *words = json_object_get(routine, "words");
    assert_int_equal(json_array_size(words), 4);
    assert_non_null(strstr(json_string_value(json_array_get(words, 2)), "step 2: wait"));

    static const double points[3][2] = {{1, 0.5}, {3, 0.5}, {3, 1.5}};
    const json_t *ways = json_object_get(json_object_get(hello, "geometry"), "ways");
    assert_int_equal(json_array_size(ways), 1);
    const json_t *way = json_array_get(ways, 0);
    assert_string_equal(text_of(way, "body"), "red.body");
    const json_t *way_points = json_object_get(way, "points");
    assert_int_equal(json_array_size(way_points), 3);
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 2; k++) {
            const json_t *point = json_array_get(way_points, i);
            assert_close(json_number_value(json_array_get(point, k)), points[i][k], 1e-12);
        }
    const json_t *now = json_object_get(way, "now");
    assert_string_equal(json_string_value(json_array_get(now, 0)), "red.control.plan.x");
    json_decref(hello);
    ib_scenario_destroy(scenario);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_routine_says_its_steps_and_its_way),
        cmocka_unit_test_teardown(a_simulation_says_what_there_is, teardown),
        cmocka_unit_test_teardown(sliders_contain_their_values, teardown),
        cmocka_unit_test(slider_ranges_are_round),
        cmocka_unit_test_teardown(stand_ins_have_no_slider, teardown),
        cmocka_unit_test_teardown(what_does_nothing_has_no_slider, teardown),
        cmocka_unit_test_teardown(signals_have_the_units_of_people, teardown),
        cmocka_unit_test_teardown(inputs_say_what_a_hand_does_for_them, teardown),
        cmocka_unit_test_teardown(a_recording_speaks_for_itself, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
