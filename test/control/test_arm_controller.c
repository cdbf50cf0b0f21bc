// Tests of the kind arm_path: what it is wired to, what it shows, and what it refuses.
#include "control/arm_follow_rig.h"
#include "control/arm_site.h"
#include "spread.h"

extern const ib_ControllerKind ib_arm_path_kind;

// As the table of signals in arm_controller.c.
enum { GOAL, HAND = 4, ESTIMATE = 6, ERROR = 12, OFF = 14, PACE, SATURATED, REPLANS, MODE };

static ArmRig rig;
static ib_Controller controller;
static ib_Arena arena;
static ib_Error error;
static double state[IB_ARM_FOLLOW_STATES], shown[32];

static const ib_ControlPin sensors[] = {{.name = "sensor.first", .unit = "rad"},
                                        {.name = "sensor.second", .unit = "rad"},
                                        {.name = "sensor.speed", .unit = "rad/s"},
                                        {.name = "sensor.tap", .unit = "V"}};

static ib_Status open_loop(const ib_ControlPart *on, const ib_ArmPlan *plan,
                           const Setting *settings)
{
    return open_arm(&ib_arm_path_kind, on, plan, sensors, settings, &arena, &controller, state,
                    (int)(sizeof state / sizeof *state), &error);
}

static const Setting none[] = {{NULL, NULL}};

static void plan_ways(void)
{
    arm_rig_init(&rig, 9.5);
    arm_rig_straight(&rig, 0, 1);
}

// Goal: it is wired to the part's angles and inputs, its goals are words, and it does what the
// follower does, with the smaller limit of both inputs. Method: 200 ticks of both, to the bit.
static void it_does_what_the_follower_does(void **unused)
{
    (void)unused;
    plan_ways();
    assert_int_equal(open_loop(&arm_part, &rig.plan, none), IB_OK);
    const ib_ControlPorts *ports = &controller.ports;
    assert_int_equal(ports->measurement_count, 2);
    assert_string_equal(ports->measurements[0], "reach.a");
    assert_string_equal(ports->measurements[1], "reach.b");
    assert_string_equal(ports->outputs[1], "reach.v");
    assert_int_equal(ports->command_count, 1);
    assert_string_equal(ports->commands[0].name, "reach.goal");
    assert_string_equal(ports->commands[0].words[1], "high");
    assert_null(ports->commands[0].words[2]);
    assert_string_equal(ports->facts[0].name, "low_to_high");
    assert_close(ports->facts[0].value, rig.t[0][RIG_POINTS - 1], 0);
    assert_int_equal(controller.period, 5000000);

    rig.config.volts = 10;
    rig.config.ekf.largest = 12;
    rig.noise = 1e-3;
    arm_rig_start(&rig, 0.3, -0.5);
    for (int k = 0; k < 200; k++) {
        double y[2], command = k < 20 ? 0 : 1, volts[2];
        uint64_t n = (uint64_t)k;
        y[0] = rig.x[IB_ARM_TH1] + rig.noise * chance_normal(rig.seed, 1, n);
        y[1] = rig.x[IB_ARM_TH2] + rig.noise * chance_normal(rig.seed, 2, n);
        ib_ControlTick tick = {.command = &command, .measurement = y};
        assert_int_equal(controller.kind->step(controller.model, &tick, state, volts),
                         IB_CONTROL_OK);
        arm_rig_step(&rig, k < 20 ? 0 : 1);
        assert_true(volts[0] == rig.volts[0] && volts[1] == rig.volts[1]);
    }

    // What it shows: where the hand is wanted, by hand; errors are estimates less goals.
    controller.kind->show(controller.model, (double[]){1}, state, shown);
    double l1 = 46.25 * 0.0254, l2 = 41.8 * 0.0254;
    assert_close(shown[GOAL], 1.3, 1e-12);
    assert_close(shown[HAND], l1 * sin(1.3) + l2 * sin(0.9), 1e-12);
    assert_close(shown[HAND + 1], l1 * cos(1.3) + l2 * cos(0.9), 1e-12);
    assert_close(shown[ERROR + 1], shown[ESTIMATE + 2] - 0.9, 1e-15);
    assert_close(shown[OFF],
                 hypot(l1 * sin(shown[ESTIMATE]) + l2 * sin(shown[ESTIMATE + 2]) - shown[HAND],
                       l1 * cos(shown[ESTIMATE]) + l2 * cos(shown[ESTIMATE + 2]) - shown[HAND + 1]),
                 1e-12);
    assert_true(shown[PACE] == 1 && shown[SATURATED] == 0 && shown[REPLANS] == 0);
    assert_true(shown[MODE] == IB_ARM_RESTS);
    arm_rig_close(&rig);
}

// The command of one tick with this battery, the filter's first one; what the motors get, too.
static void command_on(double battery, double command[2], double volts[2])
{
    const double y[3] = {0.3, -0.5, battery}, goal = 0;
    ib_ControlTick tick = {.command = &goal, .measurement = y};
    ib_controller_reset(&controller, state);
    controller.kind->step(controller.model, &tick, state, command);
    memcpy(volts, state + IB_ARM_FOLLOW_U, 2 * sizeof *volts);
}

// Goal: sensors that are named are read, and the battery's with them; a command is a share of what
// the battery has, on a scale of 12 V. Method: names of ports; at rest the motors get the same
// volts from 6, 9 and 12 V, by commands that are in the ratio 12/battery, and as much where the
// sensor says nothing; on the way no more than the input's 10 V are asked for, which are 5 V at
// 6 V, and the filter knows that.
static void named_sensors_are_read(void **unused)
{
    (void)unused;
    plan_ways();
    const Setting settings[] = {
        {"sensors", "first"}, {"sensors", "sensor.second"}, {"battery", "tap"}, {NULL, NULL}};
    assert_int_equal(open_loop(&arm_part, &rig.plan, settings), IB_OK);
    assert_int_equal(controller.ports.measurement_count, 3);
    assert_string_equal(controller.ports.measurements[1], "sensor.second");
    assert_string_equal(controller.ports.measurements[2], "sensor.tap");
    static const double batteries[] = {6, 9, 12, NAN, 0};
    double command[2], volts[2], first[2], most = 0, got = 0;
    command_on(12, command, first);
    assert_true(fabs(first[0]) > 0.1 && command[0] == first[0]);
    for (int n = 0; n < 5; n++) {
        command_on(batteries[n], command, volts);
        for (int i = 0; i < 2; i++) {
            double ratio = batteries[n] > 0 ? 12 / batteries[n] : 1;
            assert_close(volts[i], first[i], 1e-12);
            assert_close(command[i], first[i] * ratio, 1e-12);
        }
    }
    for (int k = 0; k < 100; k++) {
        const double y[3] = {0.3, -0.5, 6}, goal = k < 5 ? 0 : 1;
        ib_ControlTick tick = {.command = &goal, .measurement = y};
        controller.kind->step(controller.model, &tick, state, command);
        most = fmax(most, fmax(fabs(command[0]), fabs(command[1])));
        got = fmax(got, fmax(fabs(state[IB_ARM_FOLLOW_U]), fabs(state[IB_ARM_FOLLOW_U + 1])));
    }
    assert_close(most, 10, 1e-12);
    assert_close(got, 5, 1e-12);
}

// Goal: a voltage below the plan's is told before the run, and how long its slowest way then takes.
// Method: 8 V of 9.5: a note with both; none with 12 V.
static void fewer_volts_are_told(void **unused)
{
    (void)unused;
    plan_ways();
    const Setting few[] = {{"volts", "8 V"}, {NULL, NULL}};
    ib_ControlPin wide[2] = {arm_inputs[0], arm_inputs[1]};
    for (int i = 0; i < 2; i++) wide[i].low = -12, wide[i].high = 12;
    ib_ControlPart part = arm_part;
    part.inputs = wide;
    assert_int_equal(open_loop(&part, &rig.plan, few), IB_OK);
    assert_non_null(controller.ports.note);
    assert_non_null(
        strstr(controller.ports.note, "8 V at most, and its plan counts on 9.5 V: from"));
    assert_int_equal(open_loop(&part, &rig.plan, none), IB_OK);
    assert_null(controller.ports.note);
}

static void assert_refused(const ib_ControlPart *on, const ib_ArmPlan *plan,
                           const Setting *settings, const char *words)
{
    assert_int_equal(open_loop(on, plan, settings), IB_BAD_INPUT);
    if (!strstr(error.text, words)) fail_msg("'%s' has no '%s'", error.text, words);
}

// Goal: what cannot be is refused, by the key at fault. Method: one of each.
static void mistakes_are_named(void **unused)
{
    (void)unused;
    plan_ways();
    assert_refused(&arm_part, NULL, none, "'plan' is missing");
    ib_ControlPart lift = {
        .name = "lift", .state_count = 1, .states = arm_states, .input_count = 1};
    lift.inputs = arm_inputs;
    assert_refused(&lift, &rig.plan, none, "'lift' is no arm of two links");
    const Setting speed[] = {{"sensors", "first"}, {"sensors", "speed"}, {NULL, NULL}};
    assert_refused(&arm_part, &rig.plan, speed, "sensors.1: 'sensor.speed' is in rad/s");
    const Setting one[] = {{"sensors", "first"}, {NULL, NULL}};
    assert_refused(&arm_part, &rig.plan, one, "sensors: expected 2 names");
    const Setting slow[] = {{"period", "50 ms"}, {NULL, NULL}};
    assert_refused(&arm_part, &rig.plan, slow, "period: 50 ms is too long for this arm");
    rig.goals[1].th[0] = 9;
    assert_refused(&arm_part, &rig.plan, none,
                   "plan: track 1: it does not lead from 'low' to 'high'");
    ib_arena_reset(&arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_does_what_the_follower_does),
        cmocka_unit_test(named_sensors_are_read),
        cmocka_unit_test(fewer_volts_are_told),
        cmocka_unit_test(mistakes_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
