// Tests of scenario/unknown.c: where something was refused, what depends on it is not blamed, and
// what does not is.
#include "scenario/mistakes_rig.h"

#include <stdio.h>

#define TANK   "robot: {kind: tank}\ninputs: {left: 1 V, right: 1 V}\n" RUN
#define HITS   "expect: [\"at end: contact.hits = 0 +- 0.5\"]\n"
#define BENCH  "{kind: bench, mechanisms: {lift: {kind: elevator, "
#define SENSED "inputs: {left: 1 N, right: 1 N}\n" RUN

// Goal: one value that is wrong is one mistake, whatever names what it would have led to. Method:
// each beside inputs, sensors, expectations, disturbances and bodies of what was refused.
static void a_refused_value_blames_nothing_that_depends_on_it(void **state)
{
    (void)state;
    static const Refusal cases[] = {
        // the field and its parts
        {TANK "field: @banana\n" HITS, "there is no field"},
        {TANK "field: {walls: {length: @banana, width: 3 m}}\n" HITS, "walls.length"},
        {TANK "field: {walls: @banana}\n" HITS, "field.walls"},
        {TANK "field: {elements: {post: {disc: [@banana, 0 m], radius: 1 cm}}}\n" HITS,
         "elements.post.disc.0"},
        {TANK "field: {elements: @banana}\nexpect: [\"at end: field.gate.y > 0 m\"]\n",
         "field.elements"},
        {TANK "field: {zones: @banana}\nexpect: [\"at end: in_home > 0.5\"]\n", "field.zones"},
        {TANK "field: {zones: @[]}\nrecord: {signals: [\"in_*\", \"*home\"]}\n", "field.zones"},
        {TANK "field: {ridges: @banana}\nexpect: [\"at end: ridge.force > 1 N\"]\n",
         "field.ridges"},
        {TANK "field: {preset: @banana, bodies: {cube: {start: {x: 1 m}}}}\n"
              "expect: [\"at end: cube.pose.x > 1 m\", \"at end: other.pose.x > 1 m\"]\n",
         "there is no field"},
        {"robots: {red: " GOOD ", cube: {start: {x: 2 m}}}\n" RUN "field: {bodies: @banana}\n"
         "expect: [\"at end: cube.pose.x > 1 m\", \"at end: red.contact.hits > 1\"]\n"
         "disturbances: [{robot: ball, force: 1 N}]\n",
         "field.bodies"},
        {"robots: {red: " GOOD
         ", cube: {kind: box, carried: {by: truck, until: \"x > 1 m\"}}}\n" RUN "field: @banana\n",
         "there is no field"},
        // the base of a robot and its parts
        {"robot: {kind: roomba, battery: @banana}\n" SENSED
         "expect: [\"at end: battery.voltage > 1 V\"]\n",
         "there is no battery"},
        {"robot: {kind: roomba, battery: @banana, sensors: {v: {signal: battery.voltage}}}\n" SENSED
         "expect: [\"at end: sensor.v > 1 V\"]\n",
         "there is no battery"},
        {"robot: {kind: quadruped, preset: @banana}\nstart: {z: 1 m}\nrun: {duration: 1 s}\n"
         "inputs: {leg.fr.alpha: 1 V}\nexpect: [\"at end: wheel.left.angle > 1 rad\"]\n",
         "there is no quadruped"},
        {"robot: " BENCH "brake: @banana}}}\ninputs: {lift: 1 V, lift.brake: on}\n" RUN,
         "lift.brake"},
        {"robot: " BENCH "limit_switches: @banana}},\n"
         "  sensors: {low: {signal: lift.limit.low}}}\ninputs: {lift: 1 V}\n" RUN
         "expect: [\"at end: sensor.low > 0.5\", \"at end: lift.limit.high > 0.5\"]\n"
         "disturbances: [{signal: lift.limit.low, scale: 2}]\n",
         "limit_switches"},
        {"robot: {kind: bench, mechanisms: {ram: {kind: elevator, cylinder: @banana}}}\n"
         "inputs: {ram: off}\n" RUN "expect: [\"at end: air.pressure > 1 Pa\"]\n",
         "ram.cylinder"},
        {"robot: {kind: bench, @mechansims: {lift: {kind: elevator}}}\ninputs: {lift: 1 V}\n" RUN
         "expect: [\"at end: lift.position > 1 m\"]\n",
         "did you mean 'mechanisms'"},
        // sensors, and who reads them
        {"robot: {kind: roomba, sensors: @banana}\n" SENSED
         "disturbances: [{signal: sensor.gyro, scale: 2}]\n"
         "expect: [\"at end: sensor.gyro > 1 rad/s\"]\n",
         "robot.sensors"},
        {"robot: {kind: roomba, sensors: {gyro: @banana}}\n" SENSED
         "expect: [\"at end: sensor.gyro > 1 rad/s\"]\n",
         "robot.sensors.gyro"},
        {"robot: {kind: roomba, sensors: {v: {signal: @banana}}}\n" SENSED
         "expect: [\"at end: sensor.v > 1 V\"]\n",
         "no signal 'banana'"},
        {"robot: {kind: tank, sensors: {left: {kind: encoder, signal: wheel.left.speed,\n"
         "  counts: 256, radius: @banana}}}\ninputs: {left: 1 V, right: 1 V}\n" RUN
         "expect: [\"at end: sensor.left > 1 m\"]\n",
         "left.radius"},
        {"robot: {kind: tank, sensors: {left: {kind: encoder, signal: wheel.left.speed,\n"
         "  counts: @banana, radius: 5 cm}}}\ninputs: {left: 1 V, right: 1 V}\n" RUN
         "record: {signals: [\"sensor.*\"]}\nexpect: [\"at end: sensor.left > 1 m\"]\n",
         "left.counts"},
        // starts, disturbances, inputs of a loop
        {"robot: {kind: quadruped, preset: thesis-leg}\nstart: @banana\nrun: {duration: 1 s}\n"
         "control: {legs: {kind: legs, mode: foot_path,\n"
         "  foot_path: {start: 2 s, length: 20 cm, height: 6 cm, slow: 4 s, medium: 2 s, fast: 1 "
         "s}}}\n",
         "a map"},
        {BASE "disturbances: @banana\nexpect: [\"at end: disturbance.force.y > 1 N\"]\n",
         "a list of disturbances"},
        {BASE "disturbances: [{force: @banana}]\nexpect: [\"at end: disturbance.force.y > 1 N\"]\n",
         "disturbances.0.force"},
        {"robots: {a: " GOOD ", b: {kind: box}}\n" RUN
         "disturbances: [{robot: @banana, signal: drive.left.force, scale: 2}]\n",
         "there is no robot"},
        {"robot: {kind: tank, sensors: {v: {signal: velocity.forward}}}\n" RUN
         "control: {l: {kind: pid, sensors: v, inputs: @{}, kp: 1 V*s/m}}\n",
         "l.inputs"},
    };
    ASSERT_ALL(cases);
}

typedef struct Two {
    const char *text, *first, *second;
} Two;

static void assert_two(const Two *two)
{
    const char *words[] = {two->first, two->second};
    ib_Scenario *scenario = read_text(two->text);
    bool good = !scenario && diagnostics.count == 2;
    for (int i = 0; good && i < 2; i++) good = strstr(diagnostics.items[i].text, words[i]) != NULL;
    if (!good) print_all(two->text);
    if (!good) fail_msg("expected '%s' and '%s', and no more", words[0], words[1]);
    ib_arena_reset(&arena);
}

// Goal: a mistake is told although something was refused on which it does not depend. Method: a
// value of each part refused, beside a mistake about another part, and both are told.
static void a_refused_value_hides_no_mistake_beside_it(void **state)
{
    (void)state;
    static const Two cases[] = {
        {TANK "field: banana\nexpect: [\"at end: pose.z > 1 m\"]\n", "no field", "pose.z"},
        {TANK "field: {walls: banana}\nexpect: [\"at end: pose.x > 1 s\"]\n", "field.walls",
         "expected a length"},
        {TANK "field: {zones: banana, walls: {length: 9 m, width: 9 m}}\n"
              "expect: [\"at end: contact.hots > 1\"]\n",
         "field.zones", "did you mean 'contact.hits'"},
        {TANK "field: {gravity: banana}\n" HITS, "field.gravity", "contact.hits"},
        {TANK "field: {walls: banana}\nexpect: [\"at end: in_home > 0.5\"]\n", "field.walls",
         "in_home"},
        {"robots: {red: " GOOD "}\n" RUN "field: {bodies: banana}\n"
         "expect: [\"at end: red.pose.z > 1 m\"]\n",
         "field.bodies", "red.pose.z"},
        {"robot: {kind: roomba, mass: banana}\n" SENSED
         "expect: [\"at end: battery.voltage > 1 V\"]\n",
         "robot.mass", "battery.voltage"},
        {"robot: {kind: roomba, battery: banana}\ninputs: {left: 1 m, right: 1 N}\n" RUN,
         "no battery", "inputs.left: expected a force"},
        {"robots: {a: {kind: roomba, battery: banana, inputs: {left: 1 N, right: 1 N}}, b: " GOOD
         "}\n" RUN "expect: [\"at end: b.battery.voltage > 1 V\"]\n",
         "no battery", "b.battery.voltage"},
        {"robot: " BENCH "brake: banana}, arm: {kind: single_arm}}}\n"
         "inputs: {lift: 1 V, arm: 1 V, arm.brake: on}\n" RUN,
         "lift.brake", "inputs.arm.brake: unknown key"},
        {"robot: " BENCH "brake: banana}, arm: {kind: single_arm}}}\n"
         "inputs: {lift: 1 V, arm: 1 V}\n" RUN "expect: [\"at end: arm.position > 1 m\"]\n",
         "lift.brake", "expected an angle"},
        {"robot: {kind: roomba, sensors: {a: banana, b: {signal: pose.x}}}\n" SENSED
         "expect: [\"at end: sensor.b > 1 V\"]\n",
         "sensors.a", "expected a length"},
        {"robot: {kind: roomba, sensors: {a: banana}}\n" SENSED
         "expect: [\"at end: sensor.b > 1 V\"]\n",
         "sensors.a", "no signal 'sensor.b'"},
        {BASE "disturbances: banana\nexpect: [\"at end: sensor.b > 1 V\"]\n", "disturbances",
         "no signal 'sensor.b'"},
        {"robot: {kind: tank, mass: banana, sensors: {v: {signal: velocity.forward}}}\n" RUN
         "control: {l: {kind: pid, sensors: v, inputs: left, kp: 1 V}}\n"
         "inputs: {right: 1 V}\n",
         "robot.mass", "control.l.kp"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) assert_two(&cases[i]);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_refused_value_blames_nothing_that_depends_on_it),
        cmocka_unit_test(a_refused_value_hides_no_mistake_beside_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
