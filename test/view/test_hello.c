// Tests of the first message: what a client learns about a simulation and about a recording.
#include "cmocka_all.h"
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

static ib_Scenario *read_scenario(const char *yaml)
{
    ib_Diagnostics diagnostics = {.arena = &arena};
    ib_Scenario *scenario = ib_scenario_read_text("hello.yaml", yaml, strlen(yaml),
                                                  &(ib_ScenarioOptions){0}, &diagnostics);
    for (int i = 0; i < diagnostics.count; i++) print_error("%s\n", diagnostics.items[i].text);
    assert_non_null(scenario);
    return scenario;
}

static json_t *hello_of(const ib_Scenario *scenario)
{
    int count;
    const ib_LiveParam *params = ib_live_params(scenario->model, &arena, &count);
    ib_HelloModel hello = {scenario, "dir/hello.yaml", 0.002, params, count};
    return parse(ib_hello_model(&hello, &arena));
}

// Goal: the message of a simulation has every part, in order and with its numbers. Method: a Roomba
// and a tank; what the tables say is compared entry by entry.
static void a_simulation_says_what_there_is(void **state)
{
    (void)state;
    ib_Scenario *scenario =
        read_scenario("title: Two \"robots\"\n"
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
        read_scenario("robots:\n"
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
        {0, 1, 0.5, 0, 1},            // a share
        {0.001, 1e4, 2.7, 0.001, 10}, // 8.1 up to 10
        {0.001, 1e4, 54, 0.001, 200}, // 162 up to 200
        {0, 1e9, 1000, 0, 5000},      // 3000 up to 5000
        {0, 1e6, 0, 0, 1},            // nothing to go by
        {-1e6, 1e6, -4, -20, 0},      // below zero
        {1e-3, 1e6, 1e6, 1e-3, 1e6},  // at the end of its range
        {100, 1e6, 100, 100, 500},    // at its start
        {0, 1e-3, 1e-6, 0, 5e-6},     // small
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ib_SliderRange range = ib_slider_range(cases[i].min, cases[i].max, cases[i].value);
        assert_close(range.low, cases[i].low, 1e-12 * fabs(cases[i].low));
        assert_close(range.high, cases[i].high, 1e-12 * fabs(cases[i].high));
    }
}

// Goal: a recording speaks for itself, whatever bytes are in it. Method: facts with a geometry, a
// name that is no UTF-8, and one without facts, which gets a plain block for its pose.
static void a_recording_speaks_for_itself(void **state)
{
    (void)state;
    static ib_Time times[] = {0, IB_SECOND};
    static double values[] = {0, 1};
    ib_LogSeries series[] = {{"red.pose.x", "m", "", 2, times, values},
                             {"red.pose.y", "m", "", 2, times, values},
                             {"strange.\xc3\x28", "", "", 2, times, values}};
    ib_LogFact facts[] = {{"title", "A drive"}, {"geometry", "{\"frames\":\"\x80\"}"}};
    ib_Log log = {.series = series, .series_count = 3, .facts = facts, .fact_count = 2};
    ib_HelloLog own = {&log, "drive.wpilog", 1, 0.01};
    json_t *hello = parse(ib_hello_log(&own, &arena));
    assert_string_equal(text_of(hello, "mode"), "replay");
    assert_string_equal(text_of(hello, "title"), "A drive");
    assert_string_equal(text_of(hello, "geometry_text"), "{\"frames\":\"?\"}");
    assert_null(json_object_get(hello, "geometry"));
    const json_t *signals = json_object_get(hello, "signals");
    assert_string_equal(text_of(json_array_get(signals, 2), "name"), "strange.?(");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_simulation_says_what_there_is, teardown),
        cmocka_unit_test_teardown(sliders_contain_their_values, teardown),
        cmocka_unit_test(slider_ranges_are_round),
        cmocka_unit_test_teardown(a_recording_speaks_for_itself, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
