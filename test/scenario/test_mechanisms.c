// Tests of `mechanisms:` in a file: what is read, and what is refused, where, and with which words.
//
// In the texts below an @ stands right before the place at which the mistake must be reported; it
// is taken out before reading.
#include "robot/equipment.h"
#include "scenario/given.h"
#include "scenario/mistakes_rig.h"
#include "sim/sim.h"

#include <stdio.h>
#include <string.h>

#define BENCH(items) RUN "robot: {kind: bench, mechanisms: {" items "}}\n"
#define LIFT         "lift: {kind: elevator, travel: [0.2 m, 1 m], brake: 90 N}"

// ----------------------------------------------------------------------------------------- reading

static const ib_MechanismConfig *config_of(const ib_Scenario *scenario, int index)
{
    const ib_EquipmentConfig *equipment = scenario->sim.robots[0].config;
    const void *config = &equipment->mechanisms.items[index].config;
    return config;
}

// Goal: a file's mechanisms come with their kinds, presets, keys and starts. Method: three of them;
// a start that is not given is 0, or the nearer stop.
static void mechanisms_are_read(void **state)
{
    (void)state;
    ib_Scenario *scenario =
        given(BENCH("lift: {kind: elevator, motor: neo, motors: 3, travel: [20 cm, "
                    "1 m], current: implicit}, "
                    "arm: {kind: single_arm, travel: [-2 rad, -1 rad], neutral: "
                    "coast, gravity: 0 m/s^2, "
                    "place: {x: 30 cm, z: 50 cm}}, pad: {kind: lift, travel: [-1 "
                    "m, 2 m]}") "start: {lift: "
                                "{velocity: 2 m/s}, pad: {right: {position: 50 "
                                "cm}}}\ninputs: {lift: 3 V, pad.left: 1 V}\n");
    const ib_EquipmentConfig *equipment = scenario->sim.robots[0].config;
    assert_int_equal(equipment->mechanisms.count, 3);
    assert_string_equal(equipment->mechanisms.items[1].name, "arm");
    assert_string_equal(equipment->mechanisms.items[2].kind->name, "lift");
    assert_true(equipment->mechanisms.items[1].own_gravity);
    assert_false(equipment->mechanisms.items[0].own_gravity);
    const ib_MechanismConfig *lift = config_of(scenario, 0), *arm = config_of(scenario, 1);
    const ib_MechanismConfig *pad = config_of(scenario, 2);
    assert_int_equal(lift->gear.count, 3);
    assert_true(lift->gear.motor.stall_current > 100); // the preset's
    assert_int_equal(lift->act.current, IB_WINDING_IMPLICIT);
    assert_close(lift->act.position[0], 0.2, 0);
    assert_close(lift->act.velocity[0], 2, 0);
    assert_close(arm->act.position[0], -1, 0);
    assert_int_equal(arm->act.neutral, IB_ACTUATOR_COASTS);
    assert_close(arm->act.place[0], 0.3, 0);
    assert_close(arm->act.place[2], 0.5, 0);
    assert_close(pad->act.position[0], 0.5, 0); // level with the end that is given
    assert_close(pad->act.position[1], 0.5, 0);
    assert_true(isinf(arm->act.shaft[0].current_limit) && isinf(lift->act.shaft[0].supply_limit));
    ib_scenario_destroy(scenario);
}

// Goal: gravity is the field's unless the mechanism has its own. Method: two carriages let go on
// the moon, one of which insists on the earth: x = -g t^2/2 after 1 s.
static void gravity_is_the_fields(void **state)
{
    (void)state;
    ib_Scenario *scenario = given("field: {gravity: 1.62 m/s^2}\n" BENCH(
        "moon: {kind: elevator, rotors: false, neutral: coast}, "
        "earth: {kind: elevator, rotors: false, neutral: coast, gravity: 9.80665 m/s^2}"));
    ib_Sim *sim;
    ib_Error error;
    double signals[200];
    assert_int_equal(ib_sim_create(scenario->model, &sim, &error), IB_OK);
    assert_int_equal(ib_sim_advance(sim, IB_SECOND, &error), IB_OK);
    assert_true(scenario->model->signals.count <= 200);
    ib_sim_sample(sim, signals);
    const ib_SignalTable *table = &scenario->model->signals;
    assert_close(signals[ib_signals_find(table, "moon.position")], -1.62 / 2, 1e-12);
    assert_close(signals[ib_signals_find(table, "earth.position")], -9.80665 / 2, 1e-12);
    ib_sim_destroy(sim);
    ib_scenario_destroy(scenario);
}

// Goal: what pushes on a mechanism accelerates it by F/m, T/J, and the book knows its work. Method:
// a carriage of 8 kg under 80 N and an arm of 0.5 kg m^2 under 1 N m for 0.1 s, without gravity and
// with open motors: v = F t/m, x = v t/2, W = F x; of a platform that is pushed at one end the
// middle goes by F t/m.
static void pushes_act_on_mechanisms(void **state)
{
    (void)state;
    ib_Scenario *scenario = given(
        "disturbances: [{at: 0 s, for: 0.1 s, on: lift, force: 80 N}, {for: 0.1 s, on: arm, "
        "torque: 1 N*m}, {for: 0.1 s, on: pad.left, force: 10 N}]\n"
        "run: {duration: 1 s, solver: dopri5}\nfield: {gravity: 0 m/s^2}\n"
        "robot: {kind: bench, mechanisms: {"
        "lift: {kind: elevator, mass: 8 kg, rotors: false, neutral: coast}, "
        "arm: {kind: single_arm, mass: 1 kg, center: 0 m, inertia: 0.5 kg*m^2, rotors: false, "
        "neutral: coast}, "
        "pad: {kind: lift, mass: 20 kg, rotors: false, neutral: coast}}}\n");
    ib_Sim *sim;
    ib_Error error;
    double signals[200];
    const ib_SignalTable *table = &scenario->model->signals;
    assert_int_equal(ib_sim_create(scenario->model, &sim, &error), IB_OK);
    assert_int_equal(ib_sim_advance(sim, IB_SECOND / 10, &error), IB_OK);
    assert_true(table->count <= 200);
    ib_sim_sample(sim, signals);
    assert_close(signals[ib_signals_find(table, "lift.velocity")], 1, 1e-12);
    assert_close(signals[ib_signals_find(table, "lift.position")], 0.05, 1e-12);
    assert_close(signals[ib_signals_find(table, "lift.energy.given")], -4, 1e-11);
    assert_close(signals[ib_signals_find(table, "arm.velocity")], 0.2, 1e-12);
    assert_close(signals[ib_signals_find(table, "arm.energy.given")], -0.01, 1e-13);
    double left = signals[ib_signals_find(table, "pad.left.velocity")];
    double right = signals[ib_signals_find(table, "pad.right.velocity")];
    assert_close(0.5 * (left + right), 10 * 0.1 / 20, 1e-12); // the middle goes by F t/m
    assert_true(left > right);
    assert_close(signals[ib_signals_find(table, "energy.error")], 0, 1e-10);
    ib_sim_destroy(sim);
    ib_scenario_destroy(scenario);
}

// ---------------------------------------------------------------------------------------- refusals

// Goal: an arm's presets have the reference's constants, their own gravity and no stops, and its
// joints start apart. Method: reference D1, to its digits; rotors by hand.
static void presets_of_an_arm_are_the_references(void **state)
{
    (void)state;
    static const double wanted[2][7] = {{8.278433733129, 3.538036545614, 2.870855050067, 15.6275,
                                         20.0925, 42.9296476739, 35.4826679753},
                                        {8.278433733129 + 3.20264, 3.538036545614,
                                         2.870855050067 + 2.64708, 15.6275, 20.0925, 42.9296476739,
                                         35.4826679753}};
    static const char *const names[7] = {"alpha", "beta",  "gamma", "push1",
                                         "push2", "drag1", "drag2"};
    ib_Scenario *scenario = given(
        BENCH("arm: {kind: arm, preset: frc971-2018}, heavy: {kind: arm, preset: "
              "frc971-2018-derived, joint2: {travel: [1 rad, 2 rad]}}") "start: {arm: {theta1: "
                                                                        "0.5 rad}}\n");
    const ib_EquipmentConfig *equipment = scenario->sim.robots[0].config;
    for (int k = 0; k < 2; k++) {
        const ib_MechanismSpec *spec = &equipment->mechanisms.items[k];
        ib_Mechanism m;
        ib_Error error;
        assert_int_equal(ib_mechanism_init(spec->kind, &spec->config, &m, &error), IB_OK);
        assert_true(spec->own_gravity && m.ports.gravity == 9.81);
        for (int j = 0; j < 7; j++)
            assert_close(ib_mechanism_fact(&m, names[j]), wanted[k][j], 1e-10);
        assert_true(isinf(config_of(scenario, k)->act.joint[0].travel[0]));
    }
    assert_close(config_of(scenario, 0)->act.position[0], 0.5, 0);
    assert_close(config_of(scenario, 0)->act.position[1], 0, 0);
    assert_close(config_of(scenario, 1)->act.position[1], 1, 0); // the nearer stop
    ib_scenario_destroy(scenario);
}

// Goal: what a mechanism cannot be is refused at its place. Method: one of each.
static void wrong_mechanisms_are_refused(void **state)
{
    (void)state;
    static const Refusal cases[] = {
        {BENCH("lift: {kind: @elevatr}"), "there is no kind 'elevatr'; did you mean 'elevator'?"},
        {BENCH("lift: {kind: @crane}"),
         "expected one of elevator, flywheel, single_arm, arm, turret"},
        {BENCH("lift: {kind: @drivetrain}"), "there is no kind 'drivetrain'"},
        {BENCH("@lift: {mass: 3 kg}"), "'kind' is missing: expected one of elevator"},
        {BENCH("lift: @elevator"), "expected a map with kind and parameters"},
        {BENCH("lift: {kind: elevator, @mas: 3 kg}"), "unknown key; did you mean 'mass'?"},
        {BENCH("wheel: {kind: flywheel, @travel: [0 rad, 1 rad]}"), "unknown key"},
        {BENCH("lift: {kind: elevator, mass: @3 m}"), "expected a mass"},
        {BENCH("lift: {kind: elevator, efficiency: @1.2}"), "out of range"},
        {BENCH("lift: {kind: elevator, travel: [1 m, @0 m]}"), "0 m"},
        {BENCH("lift: {kind: elevator, travel: @1 m}"), "expected [low, high]"},
        {BENCH("lift: {kind: elevator, loss: @coulomb}"), "expected one of none, viscous"},
        {BENCH("lift: {kind: elevator, current: @explicit}"), "quasi_static, implicit"},
        {BENCH("lift: {kind: elevator, neutral: @hold}"), "expected one of brake, coast"},
        {BENCH("lift: {kind: elevator, current_limit: @0 A}"), "out of range"},
        {BENCH("lift: {kind: elevator, motor: @cimm}"), "cimm"},
        {BENCH("arm: {kind: single_arm, inertia: @0.1 kg*m^2}"), "less than mass times center"},
        {BENCH("arm: {kind: arm, preset: @frc971}"), "frc971-2018"},
        {BENCH("arm: {kind: arm, @travel: [0 rad, 1 rad]}"), "unknown key"},
        {BENCH("arm: {kind: arm, @joint3: {motors: 2}}"), "unknown key"},
        {BENCH("arm: {kind: arm, link1: {center: 0 m, inertia: @0 kg*m^2}}"),
         "expected an inertia"},
        {BENCH("arm: {kind: arm, joint2: {motor: {stall_torque: 1 N*m, stall_current: 10 A, "
               "free_speed: 500 rad/s, free_current: @11 A}}}"),
         "must be below stall_current"},
        {BENCH("arm: {kind: arm, joint1: {limit_switches: @1 deg}}"), "no stops"},
        {BENCH("arm: {kind: arm, joint2: {travel: [1 rad, 2 rad]}}") "start: {arm: {theta2: @3 "
                                                                     "rad}}\n",
         "beyond a stop: expected 1 to 2"},
        {BENCH("arm: {kind: arm, reaction: @true}"), "a bench does not move"},
        {BENCH("a: {kind: turret}, @a: {kind: turret}"), "'a'"},
        {BENCH("@a.b: {kind: turret}"), "a.b"},
        {RUN "robot: {kind: bench, mechanisms: @[lift]}\n", "mechanisms"},
        {RUN "inputs: {command: 1 V}\nrobot: {kind: motor_bench, motor: cim, @mechanisms: {}}\n",
         "unknown key"},
    };
    ASSERT_ALL(cases);
}

// Goal: a name that the base uses already is refused. Method: its inputs, its signals, keys of its
// start, what a run adds.
static void taken_names_are_refused(void **state)
{
    (void)state;
#define TANK(name)                                                                                 \
    RUN "inputs: {left: 1 V, right: 1 V}\nrobot: {kind: tank, mechanisms: {" name                  \
        ": @{kind: turret}}}\n"
    static const Refusal cases[] = {
        {TANK("left"), "mechanisms.left: the tank has 'left' already: expected another name"},
        {TANK("battery"), "the tank has 'battery.voltage' already"},
        {TANK("wheel"), "the tank has 'wheel.left.speed' already"},
        {TANK("x"), "the tank has 'x' already"},
        {TANK("gravity"), "the tank has 'gravity' already"},
        {TANK("sensor"), "the tank has 'sensor' already"},
        {BENCH("energy: @{kind: turret}"), "the bench has 'energy' already"},
        {BENCH("push: @{kind: turret}"), "the bench has 'push.x' already"},
    };
    ASSERT_ALL(cases);
#undef TANK
}

// Goal: starts and inputs that do not fit the mechanisms are refused. Method: one of each.
static void wrong_starts_and_inputs_are_refused(void **state)
{
    (void)state;
    static const Refusal cases[] = {
        {BENCH(LIFT) "start: {lift: {position: @1.5 m}}\n",
         "1.5 m is beyond a stop: expected 0.2 to 1 m, its travel"},
        {BENCH(LIFT) "start: {lift: {position: @0 m}}\n", "0 m is beyond a stop"},
        {BENCH(
             "pad: {kind: lift, travel: [0 m, 1 m]}") "start: {pad: {right: {position: @-1 m}}}\n",
         "beyond a stop"},
        {BENCH(LIFT) "start: {@arm: {position: 1 rad}}\n", "arm: unknown key"},
        {BENCH(LIFT) "start: {lift: {@angle: 1 rad}}\n", "angle: unknown key"},
        {BENCH(LIFT) "start: {lift: {position: @1 rad}}\n", "expected a length"},
        {BENCH("wheel: {kind: flywheel}") "start: {wheel: {@position: 1 rad}}\n", "unknown key"},
        {BENCH(LIFT) "inputs: {@arm: 1 V}\n", "arm"},
        {BENCH(LIFT) "inputs: {lift: @1 A}\n", "expected a voltage"},
        {BENCH(LIFT) "inputs: {lift: 1 V, lift.brake: @maybe}\n", "off, on"},
        {BENCH(LIFT) "inputs: {lift: 1 V, @lift.ball: on}\n", "lift.ball"},
        {BENCH("lift: {kind: elevator}") "inputs: {lift: 1 V, @lift.brake: on}\n", "lift.brake"},
        {BENCH("pad: {kind: lift}") "inputs: {pad.left: 1 V, pad: {@left: 2 V}}\n",
         "'pad.left' is given already: expected it once"},
        {BENCH("pad: {kind: lift}") "inputs: {pad: @2 V}\n", "expected a map of inputs"},
    };
    ASSERT_ALL(cases);
}

// Goal: a push that fits no mechanism is refused at its place. Method: one of each.
static void wrong_pushes_are_refused(void **state)
{
    (void)state;
    static const Refusal cases[] = {
        {BENCH(LIFT) "disturbances: [{on: @lfit, force: 3 N}]\n", "did you mean 'lift'?"},
        {BENCH(LIFT) "disturbances: [{on: lift, @torque: 3 N*m}]\n", "expected 'force'"},
        {BENCH("arm: {kind: single_arm}") "disturbances: [{on: arm, @force: 3 N}]\n",
         "expected 'torque'"},
        {BENCH(LIFT) "disturbances: [@{on: lift}]\n", "'force' is missing"},
        {BENCH(LIFT) "disturbances: [{on: lift, force: @3 V}]\n", "expected a force"},
        {BENCH(LIFT) "disturbances: [{on: lift, force: 3 N, @direction: 3 deg}]\n",
         "has no meaning with 'on'"},
        {BENCH(LIFT) "disturbances: [{force: 3 N, @torque: 3 N*m}]\n", "has no meaning"},
    };
    ASSERT_ALL(cases);
}

// Goal: equations without a bus carry no mechanisms, and there is room for twelve. Method: a tank
// as RoboSim printed it; 12 wheels, and 13.
static void what_no_base_can_carry_is_refused(void **state)
{
    (void)state;
    static const Refusal published = {
        RUN "inputs: {left: 1 V, right: 1 V}\n"
            "robot: {kind: tank, equations: published, mechanisms: @{lift: {kind: elevator}}}\n",
        "these equations of the tank know no bus that mechanisms could share: expected equations: "
        "corrected"};
    assert_refused(&published);
    for (int count = 12; count <= 13; count++) {
        char text[2000] = RUN "robot: {kind: bench, mechanisms: {";
        for (int i = 0; i < count; i++)
            sprintf(text + strlen(text), "m%d: {kind: lift, travel: [0 m, 1 m]}, ", i);
        strcat(text, "}}\n");
        ib_Scenario *scenario = read_text(text);
        assert_true((scenario != NULL) == (count == 12));
        ib_scenario_destroy(scenario);
    }
    assert_int_equal(diagnostics.count, 1);
    assert_non_null(strstr(diagnostics.items[0].text, "at most 12"));
}

static int teardown(void **state)
{
    (void)state;
    ib_arena_reset(&arena);
    return 0;
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(presets_of_an_arm_are_the_references),
        cmocka_unit_test(mechanisms_are_read),
        cmocka_unit_test(gravity_is_the_fields),
        cmocka_unit_test(pushes_act_on_mechanisms),
        cmocka_unit_test(wrong_mechanisms_are_refused),
        cmocka_unit_test(wrong_pushes_are_refused),
        cmocka_unit_test(taken_names_are_refused),
        cmocka_unit_test(wrong_starts_and_inputs_are_refused),
        cmocka_unit_test(what_no_base_can_carry_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, teardown);
}
