// Tests of scenario/scenario.h: what is refused, where, and with which words.
//
// In the texts below an @ stands right before the place at which the mistake must be reported; it
// is taken out before reading. Without one the place is 1:1.
#include "scenario/mistakes_rig.h"

#include <stdio.h>
#include <string.h>

// Goal: top-level mistakes are refused. Method: one of each.
static void wrong_top_level_keys_are_refused(void **state)
{
    (void)state;
    static const Refusal cases[] = {
        {BASE "@titel: x\n", "titel: unknown key; did you mean 'title'?"},
        {BASE "@zzz: x\n", "zzz: unknown key; known here: format, title"},
        {BASE "format: @2\n", "format: expected 1"},
        {BASE "title: @[a]\n", "title: expected a text, got a list"},
        {BASE "@title:\n", "title: expected a text, got nothing"},
        {"@- a\n", "got a list that begins with 'a'"},
        {"@text\n", "expected a map with keys such as robot and run, got 'text'"},
        {INPUTS RUN, "'robot' is missing"},
        {ROBOT INPUTS, "'run' is missing"},
        {ROBOT RUN "@inputs: {left: 1 N}\n", "inputs: 'right' is missing: expected a force"},
        {BASE "@robots: {red: " GOOD "}\n", "both 'robot' and 'robots'"},
        {BASE "field: {@gravty: 9 m/s^2}\n", "did you mean 'gravity'"},
        {BASE "field: {gravity: @9}\n", "a unit is missing"},
        {BASE "field: {gravity: @9 m}\n", "(a length)"},
        {BASE "field: {gravity: @-1 m/s^2}\n", "out of range"},
        {BASE "field: @moon\n", "there is no field 'moon'"},
    };
    ASSERT_ALL(cases);
}

// Goal: a robot's mistakes are refused. Method: one of each.
static void wrong_robots_are_refused(void **state)
{
    (void)state;
    static const Refusal cases[] = {
        {INPUTS RUN "robot: {kind: @romba}\n", "did you mean 'roomba'"},
        {INPUTS RUN "robot: {kind: @car}\n", "there is no kind 'car'"},
        {INPUTS RUN "@robot: {mass: 3 kg}\n", "'kind' is missing"},
        {INPUTS RUN "robot: @roomba\n", "expected a map with kind"},
        {INPUTS RUN "robot: @[roomba]\n", "got a list"},
        {INPUTS RUN "@robot:\n", "got nothing"},
        {INPUTS RUN "robot: {kind: roomba, @masss: 2.7 kg}\n",
         "robot.masss: unknown key; did you mean 'mass'?"},
        {INPUTS RUN "robot: {kind: roomba, mass: @2.7}\n", "a unit is missing"},
        {INPUTS RUN "robot: {kind: roomba, mass: @2.7 m}\n", "expected a mass"},
        {INPUTS RUN "robot: {kind: roomba, mass: @0 kg}\n", "out of range"},
        {INPUTS RUN "robot: {kind: roomba, mass: @1e9 kg}\n", "out of range"},
        {INPUTS RUN "robot: {kind: roomba, mass: @0x10 kg}\n", "not a plain decimal"},
        {INPUTS RUN "robot: {kind: roomba, mass: @nan kg}\n", "plain decimal"},
        {INPUTS RUN "robot: {kind: roomba, mass: @.inf kg}\n", "plain decimal"},
        {INPUTS RUN "robot: {kind: roomba, mass: @1_000 kg}\n", "underscore"},
        {INPUTS RUN "robot: {kind: roomba, mass: @\"1,5 kg\"}\n", "comma"},
        {INPUTS RUN "robot: {kind: roomba, mass: @2.7 kgg}\n", "kgg"},
        {INPUTS RUN "robot: {kind: roomba, mass: @[2.7 kg]}\n", "got a list"},
        {INPUTS RUN "robot: {kind: roomba, mass: @{a: 1}}\n", "got a map"},
        {INPUTS RUN "robot: {kind: roomba, @mass: }\n", "got nothing"},
        {INPUTS RUN "robot: {kind: roomba, equations: @publishd}\n", "did you mean 'published'"},
        {INPUTS RUN "robot: {kind: roomba, @start: {x: 1 m}}\n", "belongs to the top level"},
        {INPUTS RUN "robot: {kind: roomba, file: @7.yaml}\n", "robot.file: cannot open '7.yaml'"},
        {INPUTS RUN "robot: {kind: roomba, file: @[a]}\n", "the name of a robot file"},
        {BASE "start: {@z: 1 m}\n", "start.z: unknown key"},
        {BASE "start: {x: @1 s}\n", "expected a length"},
        {BASE "start: {heading: @30}\n", "a unit is missing"},
        {BASE "start: {velocity: @1 m/s}\n", "start.velocity: expected a map"},
        {BASE "start: {velocity: {@z: 1 m/s}}\n", "start.velocity.z: unknown key"},
        {BASE "start: {@velocity.x: 1 m/s}\n", "write velocity: {x:"},
        {BASE "start: @0 m\n", "start: expected a map"},
    };
    ASSERT_ALL(cases);
}

// Goal: several robots are held to names and own parts. Method: one of each.
static void wrong_sets_of_robots_are_refused(void **state)
{
    (void)state;
    static const Refusal cases[] = {
        {RUN "robots: {@Red: " GOOD "}\n", "'Red' cannot name a robot"},
        {RUN "robots: {@2red: " GOOD "}\n", "cannot name a robot"},
        {RUN "robots: {@a.b: " GOOD "}\n", "cannot name a robot"},
        {RUN "robots: {@a_name_that_is_longer_than_32_characters: " GOOD "}\n", "cannot name"},
        {RUN "robots: @{}\n", "0 robots: expected 1 to 256"},
        {RUN "robots: @[a]\n", "a map of robots"},
        {RUN "robots: {red: @roomba}\n", "expected a map with kind"},
        {RUN "robots: {red: {kind: roomba, @inputs: {left: 1 N}}}\n",
         "robots.red.inputs: 'right' is missing"},
        {RUN "robots: {red: " GOOD "}\n@start: {x: 1 m}\n", "each robot has its own 'start'"},
        {RUN "robots: {red: " GOOD "}\n@inputs: {left: 1 N}\n", "each robot has its own 'inputs'"},
        {RUN "robots: {red: " GOOD "}\nexpect: [@\"at end: pose.x > 0 m\"]\n", "pose.x"},
        {RUN "robots: {red: " GOOD "}\ndisturbances: [{force: 1 N, robot: @rde}]\n",
         "did you mean 'red'"},
        {RUN "robots: {red: {kind: roomba, start: {x: @1}, inputs: {left: 1 N, right: 1 N}}}\n",
         "robots.red.start.x: a unit is missing"},
    };
    ASSERT_ALL(cases);
}

// Goal: inputs and timelines are checked. Method: one of each.
static void wrong_inputs_are_refused(void **state)
{
    (void)state;
#define LEFT(x) ROBOT RUN "inputs: {right: 1 N, left: " x "}\n"
    static const Refusal cases[] = {
        {LEFT("@1"), "inputs.left: a unit is missing"},
        {LEFT("@1 m"), "expected a force"},
        {LEFT("@[]"), "an empty timeline"},
        {LEFT("[@1 N]"), "a knot [time, value]"},
        {LEFT("[@[0 s]]"), "got a list of 1"},
        {LEFT("[@[0 s, 1 N, 2]]"), "got a list of 3"},
        {LEFT("[[0 s, 1 N], [1 s, @1]]"), "inputs.left.1.1: a unit is missing"},
        {LEFT("[[@0, 1 N]]"), "inputs.left.0.0: a unit is missing"},
        {LEFT("[[@-1 s, 1 N]]"), "out of range: expected a time"},
        {LEFT("[[@2e7 s, 1 N]]"), "out of range: expected a time"},
        {LEFT("[[0 s, 1 N], [@0 s, 2 N]]"), "later than the one before it"},
        {LEFT("[[0 s, 1 N], [2 s, 2 N], [@1 s, 2 N]]"), "later than the one before it (2 s)"},
        {LEFT("[[0 s, 1 N], [@0.4 ns, 2 N]]"), "later than the one before"},
        {LEFT("[[@[0 s], 1 N]]"), "expected a time"},
        {LEFT("[[@{uniform: [0 s, 1 s]}, 1 N]]"), "expected a time, got a map"},
        {ROBOT RUN "inputs: {left: 1 N, right: 1 N, @centre: 1 N}\n",
         "known here: hold, source, left"},
        {ROBOT RUN "inputs: {left: 1 N, right: 1 N, @push.x: 1 N}\n", "unknown key"},
        {ROBOT RUN "inputs: {left: 1 N, right: 1 N, hold: @sticky}\n", "one of step, linear"},
        {ROBOT RUN "inputs: @1 N\n", "a map of inputs"},
        {LEFT("{uniform: @[1 N]}"), "[lowest, highest], got 1"},
        {LEFT("{uniform: @3 N}"), "[lowest, highest], got '3 N'"},
        {LEFT("{uniform: [2 N, @1 N]}"), "'1 N' is below the lowest, '2 N'"},
        {LEFT("{normal: [2 N, @-1 N]}"), "standard deviation below 0: got '-1 N'"},
        {LEFT("{normal: [2 N, @1 m]}"), "expected a force"},
        {LEFT("{uniform: [1 N, 2 N], @normal: [1 N, 2 N]}"), "one key"},
        {LEFT("@{unifrm: [1 N, 2 N]}"), "got a map with 'unifrm'; a random value is uniform"},
        {LEFT("@{gauss: [1 N, 2 N]}"), "expected a force, got a map with 'gauss'"},
        {INPUTS RUN "robot: {kind: roomba, mass: @{gauss: [1 kg, 2 kg]}}\n", "uniform or normal"},
        {INPUTS RUN "robot: {kind: roomba, mass: @{uniform: [-2 kg, -1 kg]}}\n", "out of range"},
    };
    ASSERT_ALL(cases);
}

// Goal: control is checked, and does not share its inputs. Method: one of each.
static void wrong_control_is_refused(void **state)
{
    (void)state;
#define CONTROL(x) ROBOT RUN "control: " x "\n"
    static const Refusal cases[] = {
        {CONTROL("{path: [line 2 m]}\ninputs: {@left: 1 N}"), "'control' sets this input"},
        {ROBOT RUN "@control: {mode: inverse}\n", "'path' is missing"},
        {CONTROL("{path: @line 2 m}"), "a list such as"},
        {CONTROL("{path: @[]}"), "expected 1 to 64 elements"},
        {CONTROL("{path: [line 2 m, @square 1 m]}"), "control.path.1: "},
        {CONTROL("{path: [@line 2]}"), "unit"},
        {CONTROL("{path: [@arc 1 m left]}"), "the angle of the arc is missing"},
        {CONTROL("{path: [@arc  1 m left]}"), "got 'arc 1 m left'"},
        {CONTROL("{path: [line 2 m], mode: @backwards}"), "one of schedule, inverse"},
        {CONTROL("{path: [line 2 m], end: @halt}"), "one of stop, coast"},
        {CONTROL("{path: [line 2 m], blend: @-5 cm}"), "out of range"},
        {CONTROL("{path: [line 2 m], @blnd: 5 cm}"), "did you mean 'blend'"},
        {CONTROL("@[line 2 m]"), "control: expected a map"},
        {CONTROL("{path: @[circle 1 mm left]}"), "control.path: element"},
    };
    ASSERT_ALL(cases);
}

// Goal: sensors are checked. Method: one of each.
static void wrong_sensors_are_refused(void **state)
{
    (void)state;
#define SENSORS(x) INPUTS RUN "robot: {kind: roomba, sensors: " x "}\n"
    static const Refusal cases[] = {
        {SENSORS("@[gyro]"), "a map of sensors"},
        {SENSORS("{@Gyro: {signal: pose.x}}"), "cannot name a sensor"},
        {SENSORS("{gyro: @fine}"), "expected a map"},
        {SENSORS("{@compass: {}}"), "'signal' is missing"},
        {SENSORS("{compass: {signal: @pose.headng}}"), "did you mean 'pose.heading'"},
        {SENSORS("{compass: {signal: @north}}"), "has no signal 'north'; the nearest is '"},
        {SENSORS("{gyro: {noise: @-5 deg/s}}"), "got '-5 deg/s' (-0.087"},
        {SENSORS("{gyro: {noise: @0.1}}"), "a unit is missing"},
        {SENSORS("{gyro: {noise: @0.1 m}}"), "(a length)"},
        {SENSORS("{gyro: {noise: @-0.1 rad/s}}"), "out of range"},
        {SENSORS("{gyro: {bias: @1 kg}}"), "expected an angular velocity"},
        {SENSORS("{gyro: {quantum: @-1 rad/s}}"), "out of range"},
        {SENSORS("{gyro: {range: @[1 rad/s, 1 rad/s]}}"), "got '1 rad/s' to '1 rad/s'"},
        {SENSORS("{gyro: {range: @5 rad/s}}"), "two values"},
        {SENSORS("{gyro: {range: [-1 rad/s, @1 m]}}"), "expected an angular velocity"},
        {SENSORS("{gyro: {period: @0 s}}"), "out of range"},
        {SENSORS("{gyro: {period: 2 ms, latency: @3 ms}}"), "whole number of periods"},
        {SENSORS("{gyro: {latency: @65 ms}}"), "at most 64 periods"},
        {SENSORS("{gyro: {latency: @-1 ms}}"), "out of range"},
        {SENSORS("{gyro: {scale: @1 m}}"), "robot.sensors.gyro.scale"},
        {SENSORS("{gyro: {@nois: 1 rad/s}}"), "did you mean 'noise'"},
    };
    ASSERT_ALL(cases);
}

// Goal: disturbances are checked. Method: one of each.
static void wrong_disturbances_are_refused(void **state)
{
    (void)state;
#define DISTURB(x) BASE "disturbances: " x "\n"
    static const Refusal cases[] = {
        {DISTURB("@{force: 1 N}"), "a list of disturbances"},
        {DISTURB("[@push]"), "expected a map"},
        {DISTURB("[@{at: 1 s}]"), "its effect is missing"},
        {DISTURB("[{force: 1 N, @tilt: 1 deg}]"), "already 'force'"},
        {DISTURB("[{force: @1}]"), "disturbances.0.force: a unit is missing"},
        {DISTURB("[{force: @1 N*m}]"), "expected a force"},
        {DISTURB("[{impulse: @1 N}]"), "got '1 N'"},
        {DISTURB("[{tilt: @91 deg}]"), "expected an angle of less than 90 deg, got 91 deg"},
        {DISTURB("[{tilt: @-1.6 rad}]"), "less than 90 deg, got -91.67325 deg"},
        {DISTURB("[{tilt: 30 deg}, {tilt: @30 deg}]"), "from 0 s on all tilts"}, // 1/2 + 1/2
        // Of what pulled the other way, the end.
        {DISTURB("[{tilt: 60 deg}, {tilt: @-9 deg, for: 0.2 s}, {tilt: 10 deg}]"),
         "disturbances.1.tilt: from 0.2 s on all tilts of the floor pull with 1.04"},
        {DISTURB("[{at: @-1 s, force: 1 N}]"), "out of range"},
        {DISTURB("[{for: @0 s, force: 1 N}]"), "out of range"},
        {DISTURB("[{impulse: 1 N*s, @for: 1 s}]"), "has no meaning with 'impulse'"},
        {DISTURB("[{tilt: 1 deg, @point: [0 m, 0 m]}]"), "has no meaning with 'tilt'"},
        {DISTURB("[{signal: force.side, scale: 1, @direction: 1 rad}]"), "has no meaning"},
        {DISTURB("[{force: 1 N, @scale: 2}]"), "has no meaning with 'force'"},
        {DISTURB("[@{signal: force.side}]"), "'scale' is missing"},
        {DISTURB("[@{scale: 2}]"), "its effect is missing"},
        {DISTURB("[{signal: @pose.x, scale: 2}]"),
         "'pose.x' cannot be scaled; expected one of drive.left.force, drive.right.force"},
        {DISTURB("[{signal: @drive.left.forc, scale: 2}]"), "did you mean 'drive.left.force'"},
        {DISTURB("[{signal: @sensor.gyro, scale: 2}]"), "cannot be scaled"},
        {DISTURB("[{signal: force.side, scale: @2 N}]"), "disturbances.0.scale"},
        {DISTURB("[{force: 1 N, point: @[0 m]}]"), "two values, such as [0.1 m, 0 m], got 1"},
        {DISTURB("[{force: 1 N, point: [0 m, @1]}]"), "a unit is missing"},
        {DISTURB("[{force: 1 N, @robot: red}]"), "the only robot has no name"},
        {DISTURB("[{force: 1 N, @dirction: 1 rad}]"), "did you mean 'direction'"},
    };
    ASSERT_ALL(cases);
}

// Goal: the run is checked. Method: one of each.
static void wrong_runs_are_refused(void **state)
{
    (void)state;
#define RUNS(x) ROBOT INPUTS "run: " x "\n"
    static const Refusal cases[] = {
        {ROBOT INPUTS "@run: {step: 1 ms}\n", "'duration' is missing"},
        {RUNS("@5 s"), "run: expected a map"},
        {RUNS("{duration: @5}"), "a unit is missing"},
        {RUNS("{duration: @0 s}"), "out of range: expected a time"},
        {RUNS("{duration: @-1 s}"), "out of range"},
        {RUNS("{duration: @1.1e7 s}"), "out of range"},
        {RUNS("{duration: @5 m}"), "expected a time"},
        {RUNS("{duration: @0.1 ns}"), "out of range"},
        {RUNS("{duration: 1 s, step: @2 s}"), "at most the duration"},
        {RUNS("{duration: 1 s, step: @0 s}"), "out of range"},
        {RUNS("{duration: 1 s, step: @-1000 us}"), "got '-1000 us' (-0.001 s)"},
        {RUNS("{duration: 1 s, step: @-1 s}"), "10000000 s, got '-1 s'"},
        {RUNS("{duration: 1 s, solver: dopri5, max_step: @0 s}"), "out of range"},
        {RUNS("{duration: 1e7 s, solver: dopri5, max_step: @1 us}"), "at most 1e10"},
        {RUNS("{duration: 1 s, solver: @dopri, max_step: 1 ms}"), "did you mean 'dopri5'"},
        {RUNS("{duration: 1 s, step: @0.5 ns}"), "out of range"},
        {RUNS("{duration: 1e7 s, step: @1 us}"), "steps: expected at most 1e10"},
        {RUNS("{duration: 1 s, solver: @rk45}"), "did you mean 'rk4'"},
        {RUNS("{duration: 1 s, tolerance: @1}"), "1e-14 to 0.1"},
        {RUNS("{duration: 1 s, tolerance: @1e-15}"), "out of range"},
        {RUNS("{duration: 1 s, tolerance: @1e-6 m}"), "run.tolerance"},
        {RUNS("{duration: 1 s, seed: @1.5}"), "a whole number"},
        {RUNS("{duration: 1 s, seed: @-1}"), "out of range"},
        {RUNS("{duration: 1 s, seed: @1e16}"), "out of range"},
        {RUNS("{duration: 1 s, seed: @9007199254740993}"), "got '9007199254740993'"},
        {RUNS("{duration: 1 s, seed: @1.00000000000000000001}"), "a whole number"},
        {RUNS("{duration: 1 s, seed: @{uniform: [1, 2]}}"), "a fixed value"},
        {RUNS("{duration: @{uniform: [1 s, 2 s]}, step: 5 s}"), "a fixed value"},
        {RUNS("{duration: 1 s, seed: @0x10}"), "plain decimal"},
        {RUNS("{duration: 1 s, seed: @1 s}"), "run.seed"},
        {RUNS("{duration: 1 s, @stpe: 1 ms}"), "did you mean 'step'"},
        {RUNS("{duration: 1 s, step: @{uniform: [1 ms, 2 ms]}}"), "a fixed value"},
    };
    ASSERT_ALL(cases);
}

// Goal: recording and expectations are checked. Method: one of each.
static void wrong_records_and_expectations_are_refused(void **state)
{
    (void)state;
    static const Refusal cases[] = {
        {BASE "record: {every: @0 s}\n", "out of range"},
        {BASE "record: {every: @10}\n", "a unit is missing"},
        {BASE "record: {@evry: 10 ms}\n", "did you mean 'every'"},
        {BASE "record: @all\n", "expected a map"},
        {BASE "record: {signals: @pose.x}\n", "a list of patterns"},
        {BASE "record: {signals: @[]}\n", "an empty list"},
        {BASE "record: {signals: [pose.*, @speed.*]}\n", "'speed.*' matches no signal"},
        {BASE "record: {signals: [@pose.headin]}\n", "did you mean 'pose.heading'"},
        {BASE "record: {signals: [@[pose.x]]}\n", "expected a signal or a pattern"},
        {BASE "expect: @always\n", "a list of sentences"},
        {BASE "expect: [@\"always: pose.z > 1 m\"]\n", "did you mean 'pose.x'"},
        {BASE "expect: [@\"always: pose.x > 1 s\"]\n", "expected a length"},
        {BASE "expect: [@\"sometimes: pose.x > 1 m\"]\n", "expect.0: "},
        {BASE "expect: [@\"at 2: pose.x > 1 m\"]\n", "unit"},
        {BASE "expect: [@\"at 9 s: pose.x > 1 m\"]\n", "'at 9 s' is after the end of the run, 1 s"},
        {BASE "expect: [@\"before 2 s: pose.x > 1 m\"]\n", "after the end of the run"},
        {BASE "expect: [@\"after 1.1 s: pose.x > 1 m\"]\n", "after the end of the run"},
        {BASE "expect: [@[a]]\n", "a sentence such as"},
        {BASE "expect: [@{a: 1, b: 2}]\n", "a sentence such as"},
        {BASE "expect:\n  - @always: pose.x >= 1\n", "a unit is missing"},
    };
    ASSERT_ALL(cases);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_top_level_keys_are_refused),
        cmocka_unit_test(wrong_robots_are_refused),
        cmocka_unit_test(wrong_sets_of_robots_are_refused),
        cmocka_unit_test(wrong_inputs_are_refused),
        cmocka_unit_test(wrong_control_is_refused),
        cmocka_unit_test(wrong_sensors_are_refused),
        cmocka_unit_test(wrong_disturbances_are_refused),
        cmocka_unit_test(wrong_runs_are_refused),
        cmocka_unit_test(wrong_records_and_expectations_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
