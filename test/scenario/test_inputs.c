// Tests of `inputs:` for robots with dotted inputs, words, switches and two ways to drive.
//
// In the texts below an @ stands right before the place at which the mistake must be reported;
// without one the place is 1:1.
#include "cmocka_all.h"
#include "file/yaml.h"
#include "mark.h"
#include "mistakes.h"
#include "robot/roomba/roomba.h"
#include "scenario/scenario_inside.h"
#include "sim/input/wave.h"

#include <stdio.h>
#include <string.h>

static const char *const modes[] = {"auto", "on", "off", NULL};
static const char *const switches[] = {"off", "on", NULL};

enum { LEFT, RIGHT, THROTTLE, TURN, COMPRESSOR, ARM, CLAW, LOAD, INPUTS };

// Left and right, or throttle and turn; the rest may be left out.
static const ib_InputDef inputs[INPUTS] = {
    [LEFT] = {.name = "left", .unit = "V", .role = IB_INPUT_COMMAND, .required = true, .set = 1},
    [RIGHT] = {.name = "right", .unit = "V", .role = IB_INPUT_COMMAND, .required = true, .set = 1},
    [THROTTLE] =
        {.name = "throttle", .unit = "1", .role = IB_INPUT_COMMAND, .required = true, .set = 2},
    [TURN] = {.name = "turn", .unit = "1", .role = IB_INPUT_COMMAND, .required = true, .set = 2},
    [COMPRESSOR] =
        {.name = "compressor", .unit = "1", .role = IB_INPUT_COMMAND, .words = modes, .held = true},
    [ARM] = {.name = "solenoid.arm",
             .unit = "1",
             .role = IB_INPUT_COMMAND,
             .words = switches,
             .held = true},
    [CLAW] = {.name = "solenoid.claw",
              .unit = "1",
              .role = IB_INPUT_COMMAND,
              .words = switches,
              .held = true},
    [LOAD] = {.name = "load", .unit = "kg", .role = IB_INPUT_COMMAND, .held = true},
};

static ib_Arena arena;
static ib_Diagnostics diagnostics;

static int teardown(void **state)
{
    (void)state;
    ib_arena_reset(&arena);
    return 0;
}

static const ib_Timeline *read_inputs(const char *text)
{
    diagnostics = (ib_Diagnostics){.arena = &arena};
    ib_Reader reader = {.file = "t.yaml", .arena = &arena, .diagnostics = &diagnostics};
    ib__Robot robot = {.config = {.name = "", .kind = &ib_roomba_kind},
                       .made.ports = {.input_count = INPUTS, .inputs = inputs}};
    ib_Node *root = ib_yaml_read("t.yaml", text, strlen(text), &arena, &diagnostics);
    robot.inputs = root ? ib_node_get(root, "inputs") : NULL;
    ib__read_inputs(&(ib__ScenarioReader){.reader = &reader}, &robot);
    return robot.timelines;
}

static const ib_Timeline *read_good(const char *text)
{
    const ib_Timeline *timelines = read_inputs(text);
    assert_no_mistakes(&diagnostics, text);
    return timelines;
}

// Goal: a dot in an input's name is a map in the file. Method: one switch over time, one fixed.
static void dotted_inputs_are_nested_maps(void **state)
{
    (void)state;
    const ib_Timeline *t = read_good("inputs: {left: 1 V, right: 2 V, solenoid: {arm: [[0 s, off], "
                                     "[2 s, on]], claw: on}}\n");
    assert_int_equal(t[ARM].count, 2);
    assert_true(t[ARM].values[0] == 0 && t[ARM].values[1] == 1);
    assert_true(t[ARM].times[1] == 2 * IB_SECOND);
    assert_true(t[CLAW].count == 1 && t[CLAW].values[0] == 1);
    assert_true(t[LEFT].values[0] == 1 && t[RIGHT].values[0] == 2);
    assert_int_equal(t[THROTTLE].count + t[TURN].count + t[LOAD].count + t[COMPRESSOR].count, 0);
}

// Goal: words are values by name or number. Method: each word, and its number.
static void words_are_read_by_name_or_number(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        char text[100];
        snprintf(text, sizeof text, "inputs: {left: 1 V, right: 2 V, compressor: %s}\n", modes[i]);
        assert_true(read_good(text)[COMPRESSOR].values[0] == i);
        snprintf(text, sizeof text, "inputs: {left: 1 V, right: 2 V, compressor: %d}\n", i);
        assert_true(read_good(text)[COMPRESSOR].values[0] == i);
    }
}

// Goal: a switch never ramps. Method: hold: linear, all timelines.
static void held_inputs_never_ramp(void **state)
{
    (void)state;
    const ib_Timeline *t = read_good("inputs: {hold: linear, throttle: 0.5, turn: 0, load: 3 kg, "
                                     "compressor: auto}\n");
    assert_true(t[THROTTLE].linear && t[TURN].linear);
    assert_false(t[LOAD].linear || t[COMPRESSOR].linear || t[ARM].linear);
    assert_true(t[THROTTLE].values[0] == 0.5 && t[LOAD].values[0] == 3);
}

// Goal: a dotted key means the nested map. Method: both give the same timeline.
static void a_dotted_key_is_a_nested_map(void **state)
{
    (void)state;
    const ib_Timeline *t = read_good("inputs: {left: 1 V, right: 2 V, solenoid.arm: on}\n");
    assert_true(t[ARM].count == 1 && t[ARM].values[0] == 1);
    t = read_good("inputs: {left: 1 V, right: 2 V, solenoid: {arm: on}}\n");
    assert_true(t[ARM].count == 1 && t[ARM].values[0] == 1);
}

// Goal: what repeats is what its knots say when written out, to the nanosecond. Method: a whole
// timeline, a part of one between knots, and the words of a switch; the others by hand.
static void repeats_are_their_knots_written_out(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"{repeat: {every: 10.5 s, times: 3, timeline: [[4.2 s, 5 V], [6.35 s, 0 V]]}}",
         "[[4.2 s, 5 V], [6.35 s, 0 V], [14.7 s, 5 V], [16.85 s, 0 V], [25.2 s, 5 V], [27.35 s, 0 "
         "V]]"},
        {"[[0 s, 1 V], {repeat: {every: 100 ms, times: 2, timeline: [[1 s, 2 V]]}}, [1.2 s, 3 V]]",
         "[[0 s, 1 V], [1 s, 2 V], [1.1 s, 2 V], [1.2 s, 3 V]]"},
        {"{repeat: {every: 1 s, times: 1, timeline: [[0 s, 1 V], [5 s, 2 V]]}}",
         "[[0 s, 1 V], [5 s, 2 V]]"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        ib_Timeline both[2];
        for (int k = 0; k < 2; k++) {
            char text[300];
            snprintf(text, sizeof text, "inputs: {right: 2 V, left: %s}\n", pairs[i][k]);
            both[k] = read_good(text)[LEFT];
        }
        size_t count = (size_t)both[1].count;
        assert_int_equal(both[0].count, both[1].count);
        assert_memory_equal(both[0].times, both[1].times, count * sizeof *both[0].times);
        assert_memory_equal(both[0].values, both[1].values, count * sizeof *both[0].values);
    }
    const ib_Timeline *t =
        read_good("inputs: {left: 1 V, right: 2 V, solenoid: {arm: {repeat: {every: 2 s, times: "
                  "1000, timeline: [[0 s, on], [1 s, off]]}}}}\n");
    assert_int_equal(t[ARM].count, 2000);
    assert_true(t[ARM].times[1999] == 1999 * IB_SECOND && t[ARM].values[1998] == 1);
}

// Goal: a wave is read with its units, its rate in three ways. Method: each; the values by hand.
static void waves_are_read(void **state)
{
    (void)state;
    static const char *const rates[] = {"frequency: 2.5 Hz", "angular_frequency: 900 deg/s",
                                        "period: 0.4 s"};
    for (int i = 0; i < 3; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "inputs: {right: 2 V, left: {wave: sine, mean: 500 mV, amplitude: 3 V, %s, phase: "
                 "90 deg, start: 2 s, end: 30 s}}\n",
                 rates[i]);
        const ib_Timeline *t = read_good(text);
        const ib_Wave *wave = t[LEFT].wave;
        assert_non_null(wave);
        assert_null(t[RIGHT].wave);
        assert_true(wave->shape == IB_WAVE_SINE && wave->mean == 0.5 && wave->amplitude == 3);
        assert_close(wave->frequency, 2.5, 1e-15);
        assert_close(wave->phase, 0.25, 1e-16);
        assert_true(wave->start == 2 * IB_SECOND && wave->end == 30 * IB_SECOND);
        // The one knot of its timeline: from when on, and with what.
        assert_true(t[LEFT].count == 1 && t[LEFT].times[0] == 2 * IB_SECOND);
        assert_close(t[LEFT].values[0], 3.5, 1e-15);
    }
    const ib_Wave *square =
        read_good("inputs: {left: 1 V, right: 1 V, load: {wave: square, amplitude: 1 kg, mean: 1 "
                  "kg, period: 2 s}}\n")[LOAD]
            .wave;
    assert_true(square->shape == IB_WAVE_SQUARE && square->end == IB_TIME_NEVER);
    const ib_Wave *chirp = read_good("inputs: {throttle: {wave: chirp, amplitude: 0.5, frequency: "
                                     "1 Hz, growth: 8, end: 3 s}, turn: 0}\n")[THROTTLE]
                               .wave;
    assert_true(chirp->growth == 8 && chirp->mean == 0);
}

typedef struct Refusal {
    const char *text, *words;
    int count; ///< mistakes in all
} Refusal;

static void assert_refused(const Refusal *refusal)
{
    char text[1000];
    int line = 1, column = 1;
    take_mark(refusal->text, text, &line, &column);
    read_inputs(text);
    const ib_Diagnostic *item = &diagnostics.items[0];
    bool right = diagnostics.count == refusal->count && item->line == line &&
                 item->column == column && strstr(item->text, refusal->words);
    if (right) return;
    print_mistakes(&diagnostics);
    fail_msg("%s: expected %d mistakes, one at 1:%d with '%s'", text, refusal->count, column,
             refusal->words);
}

#define DRIVE "left: 1 V, right: 1 V"

// Goal: mistakes are refused at their place. Method: one of each.
static void wrong_inputs_are_refused(void **state)
{
    (void)state;
    static const Refusal cases[] = {
        {"{}",
         "'inputs.left' is missing: expected a voltage, or a timeline [[time, value], …]; or give "
         "throttle and turn",
         2},
        {"@inputs: {}",
         "inputs: 'left' is missing: expected a voltage, or a timeline [[time, value], "
         "…]; or give throttle and turn",
         2},
        {"@inputs: {left: 1 V}", "'right' is missing: expected a voltage", 1},
        {"@inputs: {turn: 0.1}", "'throttle' is missing: expected a pure number", 1},
        {"inputs: {" DRIVE ", @throttle: 1, turn: 0}",
         "inputs.throttle: 'left' is given already: expected either left and right, or throttle "
         "and "
         "turn",
         1},
        {"inputs: {turn: 0, @left: 1 V}",
         "'turn' is given already: expected either throttle and turn, "
         "or left and right",
         1},
        {"inputs: {" DRIVE ", compressor: @atuo}",
         "expected one of auto, on, off, got 'atuo': did you "
         "mean 'auto'?",
         1},
        {"inputs: {" DRIVE ", compressor: @3}", "expected one of auto, on, off, got '3'", 1},
        {"inputs: {" DRIVE ", compressor: @1.5}", "expected one of auto, on, off, got '1.5'", 1},
        {"inputs: {" DRIVE ", compressor: [[0 s, @-1]]}", "expected one of auto, on, off", 1},
        {"inputs: {" DRIVE ", compressor: @{uniform: [0, 1]}}", "got a map", 1},
        {"inputs: {" DRIVE ", solenoid: {@arn: on}}",
         "inputs.solenoid.arn: unknown key; did you mean "
         "'arm'? Known here: arm, claw",
         1},
        {"inputs: {" DRIVE ", solenoid: @on}", "expected a map of inputs, got 'on'", 1},
        {"inputs: {" DRIVE ", solenoid: {arm: on}, @solenoid.arm: off}",
         "'solenoid.arm' is given already: expected it once", 1},
        {"inputs: {" DRIVE ", @solenoids: {arm: on}}", "did you mean 'solenoid'", 1},
        {"inputs: {" DRIVE ", load: @on}", "expected a mass", 1},
        {"inputs: {right: 1 V, left: {wave: @sin, amplitude: 1 V, period: 1 s}}",
         "expected one of sine, square, triangle, trapezoid, chirp, got 'sin'", 1},
        {"inputs: {right: 1 V, @left: {wave: sine, period: 1 s}}", "'amplitude' is missing", 1},
        {"inputs: {right: 1 V, left: {wave: sine, amplitude: @1 N, period: 1 s}}",
         "expected a voltage", 1},
        {"inputs: {right: 1 V, @left: {wave: sine, amplitude: 1 V}}",
         "'frequency' is missing: expected it in Hz, angular_frequency in rad/s, or period in s",
         1},
        {"inputs: {right: 1 V, left: {wave: sine, amplitude: 1 V, frequency: @5 rad/s}}",
         "expected a frequency", 1},
        {"inputs: {right: 1 V, left: {wave: sine, amplitude: 1 V, period: 1 s, @frequency: 1 Hz}}",
         "'period' is given already: expected only one of frequency, angular_frequency and period",
         1},
        {"inputs: {right: 1 V, left: {wave: sine, amplitude: 1 V, period: @0 s}}",
         "expected more than 0 Hz", 1},
        {"inputs: {right: 1 V, left: {wave: sine, amplitude: 1 V, period: @1 us}}",
         "expected more than 0 Hz and at most 100000 Hz", 1},
        {"inputs: {right: 1 V, @left: {wave: chirp, amplitude: 1 V, period: 1 s}}",
         "end: a chirp has one", 1},
        {"inputs: {right: 1 V, left: {wave: trapezoid, amplitude: 1 V, period: 1 s, ramp: @0.6 s}}",
         "expected at most half a period, 0.5 s", 1},
        {"inputs: {right: 1 V, left: {wave: sine, amplitude: 1 V, period: 1 s, start: 3 s, end: @2 "
         "s}}",
         "expected a time later than its start, 3 s", 1},
        {"inputs: {right: 1 V, left: {wave: sine, amplitude: 1 V, period: 1 s, @top: 1 V}}",
         "unknown key", 1},
        {"inputs: {" DRIVE ", load: {wave: @sine, amplitude: 1 kg, period: 1 s}}",
         "'load' never ramps: expected a square, got 'sine'", 1},
        {"inputs: {" DRIVE ", compressor: {wave: @square, amplitude: 1, period: 1 s}}",
         "'compressor' has words, no waves", 1},
        {"inputs: {right: 1 V, left: {repeat: {every: @2 s, times: 2, timeline: [[1 s, 1 V], [3 s, "
         "0 V]]}}}",
         "a pass takes 2 s, from its first knot to its last: expected more", 1},
        {"inputs: {right: 1 V, left: {@repeat: {every: 2 s, times: 2}}}", "'timeline' is missing",
         1},
        {"inputs: {right: 1 V, left: {repeat: {every: 2 s, times: @0, timeline: [[1 s, 1 V]]}}}",
         "out of range", 1},
        {"inputs: {right: 1 V, left: {@repeat: {times: 2, timeline: [[1 s, 1 V]]}}}",
         "'every' is missing", 1},
        {"inputs: {right: 1 V, left: {repeat: {every: 2 s, times: 2, timeline: @[]}}}",
         "an empty timeline", 1},
        {"inputs: {right: 1 V, left: {repeat: @3}}", "a map with every, times and timeline", 1},
        {"inputs: {right: 1 V, left: {repeat: {every: 2 s, times: 2, timeline: [[1 s, 1 V]]}, "
         "@hold: step}}",
         "unknown key", 1},
        {"inputs: {right: 1 V, left: [{repeat: {every: 2 s, times: 3, timeline: [[1 s, 1 V]]}}, "
         "[@4 "
         "s, 0 V]]}",
         "expected a time later than the one before it (5 s)", 1},
        {"inputs: {right: 1 V, left: {repeat: {every: 2 s, times: @100000, timeline: [[0 s, 1 V], "
         "[0.1 s, 1 V], [0.2 s, 1 V], [0.3 s, 1 V], [0.4 s, 1 V], [0.5 s, 1 V], [0.6 s, 1 V], [0.7 "
         "s, 1 V], [0.8 s, 1 V], [0.9 s, 1 V], [1 s, 1 V]]}}}",
         "11 knots 100000 times are too many", 1},
        {"inputs: {right: 1 V, left: @{sine: {amplitude: 1 V}}}", "expected a voltage, got a map",
         1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) assert_refused(&cases[i]);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(dotted_inputs_are_nested_maps, teardown),
        cmocka_unit_test_teardown(words_are_read_by_name_or_number, teardown),
        cmocka_unit_test_teardown(held_inputs_never_ramp, teardown),
        cmocka_unit_test_teardown(waves_are_read, teardown),
        cmocka_unit_test_teardown(a_dotted_key_is_a_nested_map, teardown),
        cmocka_unit_test_teardown(repeats_are_their_knots_written_out, teardown),
        cmocka_unit_test_teardown(wrong_inputs_are_refused, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
