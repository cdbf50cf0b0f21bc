// Tests of the kind arm_mpc: what it is wired to, that it does what arm_mpc.h does, what it shows
// and what it refuses. That it stalls before a bar is scenarios/arm_mpc_stalls.yaml.
#include "control/arm/arm_mpc.h"
#include "control/arm_follow_rig.h"
#include "control/arm_site.h"
#include "control/scene_rig.h"
#include "spread.h"

extern const ib_ControllerKind ib_arm_mpc_kind;

// As the table of signals in arm_mpc_controller.c.
enum { GOAL, HAND = 2, END = 4, LEFT = 6, COST, CLEAR };

static ib_Controller controller;
static ib_Arena arena;
static ib_Error error;
static double state[256], shown[16];

static const ib_ControlPin sensors[] = {{.name = "sensor.first", .unit = "rad"},
                                        {.name = "sensor.second", .unit = "rad"},
                                        {.name = "sensor.fast", .unit = "rad/s"},
                                        {.name = "sensor.faster", .unit = "rad/s"}};
static const Setting none[] = {{NULL, NULL}};

static const ib_ArmGoal goals[] = {{"low", {0.3, -0.5}}, {"high", {1.3, 0.9}}};

static ib_ArmPlan scene(void)
{
    return (ib_ArmPlan){.name = "scene",
                        .plant = reference_arm(),
                        .limits = reference_limits(12),
                        .scene = rig_scene(),
                        .goal_count = 2,
                        .goals = goals};
}

static ib_Status open_loop(const ib_ControlPart *on, const ib_ArmPlan *plan,
                           const Setting *settings)
{
    return open_arm(&ib_arm_mpc_kind, on, plan, sensors, settings, &arena, &controller, state,
                    (int)(sizeof state / sizeof *state), &error);
}

static void tick(const double x[4], double goal, double volts[2])
{
    ib_ControlTick now = {.command = &goal, .measurement = x};
    assert_int_equal(controller.kind->step(controller.model, &now, state, volts), IB_CONTROL_OK);
}

// One period of the plant, by its own rates; x is th1, th2, w1, w2.
static void move(const ib_ArmPlant *arm, const double volts[2], double period, double x[4])
{
    double at[IB_ARM_X] = {0};
    at[IB_ARM_TH1] = x[0], at[IB_ARM_W1] = x[2], at[IB_ARM_TH2] = x[1], at[IB_ARM_W2] = x[3];
    for (int k = 0; k < 100; k++) ib_arm_advance(arm, volts, period / 100, at);
    x[0] = at[IB_ARM_TH1], x[2] = at[IB_ARM_W1], x[1] = at[IB_ARM_TH2], x[3] = at[IB_ARM_W2];
}

// -------------------------------------------------------------------------------------------- does

// Goal: it reads both angles, then both rates, of its part; its goals are words; without keys it is
// the controller of arm_mpc.h with its defaults, the plan's discs and the smaller limit of both
// inputs. Method: 40 ticks of both on one plant, to the bit.
static void it_does_what_the_function_does(void **unused)
{
    (void)unused;
    ib_ArmPlan plan = scene();
    assert_int_equal(open_loop(&arm_part, &plan, none), IB_OK);
    const ib_ControlPorts *ports = &controller.ports;
    static const char *const reads[4] = {"reach.a", "reach.b", "reach.ar", "reach.br"};
    assert_int_equal(ports->measurement_count, 4);
    for (int i = 0; i < 4; i++) assert_string_equal(ports->measurements[i], reads[i]);
    assert_string_equal(ports->outputs[0], "reach.u");
    assert_string_equal(ports->outputs[1], "reach.v");
    assert_int_equal(ports->command_count, 1);
    assert_string_equal(ports->commands[0].name, "reach.goal");
    assert_string_equal(ports->commands[0].words[1], "high");
    assert_int_equal(controller.period, 15000000);

    ib_ArmMpcConfig config = ib_arm_mpc_default();
    config.most = 10;
    config.goal[0] = 1.3, config.goal[1] = 0.9;
    config.discs = 2;
    for (int k = 0; k < 2; k++) {
        const ib_ArmDisc *disc = &plan.scene.disc[k];
        config.place[k][0] = disc->place[0], config.place[k][1] = disc->place[1];
        config.radius[k] = disc->radius + 0.05;
    }
    ib_ArmMpc mpc;
    double x[4] = {0.3, -0.5, 0, 0}, volts[2], wanted[2], most = 0;
    ib_arm_mpc_reset(&plan.plant, x, &mpc);
    for (int k = 0; k < 40; k++) {
        tick(x, 1, volts);
        ib_arm_mpc_update(&config, &plan.plant, x, &mpc, wanted);
        assert_true(volts[0] == wanted[0] && volts[1] == wanted[1]);
        most = fmax(most, fmax(fabs(volts[0]), fabs(volts[1])));
        if (k < 39) move(&plan.plant, volts, 0.015, x);
    }
    assert_true(most == 10);

    // What it shows, by hand.
    controller.kind->show(controller.model, (double[]){1}, state, shown);
    double l1 = 46.25 * 0.0254, l2 = 41.8 * 0.0254;
    assert_true(shown[GOAL] == 1.3 && shown[GOAL + 1] == 0.9);
    assert_close(shown[HAND], l1 * sin(1.3) + l2 * sin(0.9), 1e-12);
    assert_close(shown[HAND + 1], l1 * cos(1.3) + l2 * cos(0.9), 1e-12);
    assert_true(shown[END] == mpc.x[20][0] && shown[END + 1] == mpc.x[20][1]);
    assert_close(shown[LEFT], hypot(x[0] - 1.3, x[1] - 0.9), 1e-12);
    assert_true(shown[COST] == mpc.cost);
    double off =
        hypot(l1 * sin(x[0]) + l2 * sin(x[1]) - 0.55, l1 * cos(x[0]) + l2 * cos(x[1]) - 2.05);
    assert_close(shown[CLEAR], off - 0.15, 1e-6); // until the next tick it hardly moves
}

// Goal: what is touched between two ticks is told. Method: both links in line swing past the disc
// 'bar' at 10 rad/s: its centre is at 0.2622 rad, 2.1225 m away, and the hand's circle of 2.2365 m
// goes by it 3.6 cm too near; before it and behind it, 0.075 rad to either side, the hand is clear
// by 5 cm. 2 mm: the voltages bend the way a little.
static void what_is_touched_between_ticks_is_told(void **unused)
{
    (void)unused;
    ib_ArmPlan plan = scene();
    assert_int_equal(open_loop(&arm_part, &plan, none), IB_OK);
    double x[4] = {0.2622 - 0.075, 0.2622 - 0.075, 10, 10}, volts[2], ends[2];
    for (int k = 0; k < 2; k++) {
        double l1 = 46.25 * 0.0254, l2 = 41.8 * 0.0254;
        tick(x, 1, volts);
        if (k == 0) controller.kind->show(controller.model, (double[]){1}, state, shown);
        ends[k] =
            hypot(l1 * sin(x[0]) + l2 * sin(x[1]) - 0.55, l1 * cos(x[0]) + l2 * cos(x[1]) - 2.05) -
            0.15;
        move(&plan.plant, volts, 0.015, x);
    }
    assert_true(ends[0] > 0.04 && ends[1] > 0.03);
    assert_close(shown[CLEAR], 2.2365 - 2.1225 - 0.15, 2e-3);
}

// Goal: every key arrives. Method: another one each makes another first plan; the horizon in
// seconds is rounded to periods.
static void every_key_counts(void **unused)
{
    (void)unused;
    static const char *const keys[][2] = {
        {"horizon", "0.15 s"},
        {"rounds", "1"},
        {"volts", "9 V"},
        {"clearance", "10 cm"},
        {"weights.position", "0.5 rad"},
        {"weights.velocity", "5 rad/s"},
        {"weights.volts", "10 V"},
        {"weights.end_position", "1 rad"},
        {"weights.end_velocity", "10 rad/s"},
        {"weights.clearance", "30 cm"},
        {"period", "10 ms"},
    };
    ib_ArmPlan plan = scene();
    const double x[4] = {0.25, 0.0, 1, 2};
    double volts[2], cost;
    assert_int_equal(open_loop(&arm_part, &plan, none), IB_OK);
    assert_int_equal(controller.ports.signal_count, CLEAR + 1);
    int few = controller.ports.state_count - 2 * 20;
    tick(x, 1, volts);
    controller.kind->show(controller.model, (double[]){1}, state, shown);
    cost = shown[COST];
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const Setting settings[] = {{keys[i][0], keys[i][1]}, {NULL, NULL}};
        assert_int_equal(open_loop(&arm_part, &plan, settings), IB_OK);
        tick(x, 1, volts);
        controller.kind->show(controller.model, (double[]){1}, state, shown);
        if (!(fabs(shown[COST] - cost) > 1e-4 * cost)) fail_msg("%s changes nothing", keys[i][0]);
    }
    const Setting odd[] = {{"horizon", "0.16 s"}, {NULL, NULL}};
    assert_int_equal(open_loop(&arm_part, &plan, odd), IB_OK);
    assert_int_equal(controller.ports.state_count, few + 2 * 11);
    plan.scene.discs = 0;
    assert_int_equal(open_loop(&arm_part, &plan, none), IB_OK);
    assert_int_equal(controller.ports.signal_count, CLEAR);
}

// Goal: with sensors of noise and nothing in the way it arrives and goes back, within its voltage.
// Method: named sensors, 1 mrad and 10 mrad/s of noise; error at rest below ten times the noise of
// an angle.
static void it_goes_to_and_fro_by_its_sensors(void **unused)
{
    (void)unused;
    const Setting settings[] = {{"sensors", "first"},
                                {"sensors", "second"},
                                {"sensors", "fast"},
                                {"sensors", "sensor.faster"},
                                {NULL, NULL}};
    ib_ArmPlan plan = scene();
    plan.scene.discs = 0;
    assert_int_equal(open_loop(&arm_part, &plan, settings), IB_OK);
    assert_string_equal(controller.ports.measurements[1], "sensor.second");
    assert_string_equal(controller.ports.measurements[2], "sensor.fast");
    double x[4] = {0.3, -0.5, 0, 0};
    for (int k = 0; k < 200; k++) {
        double y[4], volts[2];
        int goal = k < 100;
        for (int i = 0; i < 4; i++)
            y[i] = x[i] + (i < 2 ? 1e-3 : 1e-2) * chance_normal(7, (uint64_t)i, (uint64_t)k);
        tick(y, goal, volts);
        assert_true(fabs(volts[0]) <= 10 && fabs(volts[1]) <= 10);
        move(&plan.plant, volts, 0.015, x);
        if (k % 100 < 70) continue;
        for (int i = 0; i < 2; i++) assert_close(x[i], goals[goal].th[i], 1e-2);
    }
}

// Goal: without a sample nothing is asked for; when one is missing later, the plan goes on. Method:
// NAN first; then the second voltages of what was planned, which a tick with the sample that was
// planned would begin with.
static void a_missing_sample_leaves_the_plan(void **unused)
{
    (void)unused;
    ib_ArmPlan plan = scene();
    ib_ArmMpc mpc;
    ib_ArmMpcConfig config = ib_arm_mpc_default();
    const double blind[4] = {0.3, -0.5, NAN, 0}, x[4] = {0.3, -0.5, 0, 0};
    double volts[2] = {5, 5}, first[2];
    plan.scene.discs = 0;
    assert_int_equal(open_loop(&arm_part, &plan, none), IB_OK);
    tick(blind, 1, volts);
    assert_true(volts[0] == 0 && volts[1] == 0);
    config.most = 10;
    config.goal[0] = 1.3, config.goal[1] = 0.9;
    ib_arm_mpc_reset(&plan.plant, x, &mpc);
    ib_arm_mpc_update(&config, &plan.plant, x, &mpc, first);
    tick(x, 1, volts);
    assert_true(volts[0] == first[0] && volts[1] == first[1]);
    for (int n = 1; n < 25; n++) {
        int last = n < 20 ? n : 19;
        tick(blind, 1, volts);
        assert_true(volts[0] == mpc.u[last][0] && volts[1] == mpc.u[last][1]);
    }
}

// ----------------------------------------------------------------------------------------- refuses

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
    ib_ArmPlan plan = scene();
    assert_refused(&arm_part, NULL, none, "'plan' is missing");
    ib_ControlPart lift = {
        .name = "lift", .state_count = 1, .states = arm_states, .input_count = 1};
    lift.inputs = arm_inputs;
    assert_refused(&lift, &plan, none, "'lift' is no arm of two links");
    const Setting two[] = {{"sensors", "first"}, {"sensors", "second"}, {NULL, NULL}};
    assert_refused(&arm_part, &plan, two, "sensors: expected 4 names");
    const Setting mixed[] = {{"sensors", "first"},
                             {"sensors", "fast"},
                             {"sensors", "second"},
                             {"sensors", "faster"},
                             {NULL, NULL}};
    assert_refused(&arm_part, &plan, mixed,
                   "sensors.1: 'sensor.fast' is in rad/s: expected the angle");
    const Setting angles[] = {{"sensors", "first"},
                              {"sensors", "second"},
                              {"sensors", "first"},
                              {"sensors", "faster"},
                              {NULL, NULL}};
    assert_refused(&arm_part, &plan, angles,
                   "sensors.2: 'sensor.first' is in rad: expected the rate");
    const Setting far[] = {{"horizon", "2 s"}, {NULL, NULL}};
    assert_refused(&arm_part, &plan, far,
                   "horizon: 2 s is 133 periods of 0.015 s: expected 1 to 64");
    const Setting near[] = {{"horizon", "5 ms"}, {NULL, NULL}};
    assert_refused(&arm_part, &plan, near, "horizon: 0.005 s is 0.333 periods");
}

// Goal: limits of a plan that it would not keep are refused, each by its name.
static void limits_that_it_does_not_keep_are_refused(void **unused)
{
    (void)unused;
    ib_ArmPlan plan = scene();
    plan.scene.clear = IB_ARM_CLEAR_LINKS;
    assert_refused(&arm_part, &plan, none, "plan: it has links that stay clear, which");
    plan = scene();
    plan.scene.high[1] = 2;
    assert_refused(&arm_part, &plan, none, "plan: it has limits of joints");
    plan = scene();
    plan.scene.elbow_low = -2;
    assert_refused(&arm_part, &plan, none, "plan: it has limits of the elbow");
    plan = scene();
    plan.limits.acceleration[0] = 40;
    assert_refused(&arm_part, &plan, none, "plan: it has a limit of acceleration");
    plan = scene();
    plan.limits.current[1] = 80;
    assert_refused(&arm_part, &plan, none, "plan: it has a limit of current");
    plan = scene();
    plan.limits.speed[1] = 8;
    assert_refused(&arm_part, &plan, none, "plan: it has a limit of speed");
    plan = scene();
    plan.limits.resistance = 0.03;
    assert_refused(&arm_part, &plan, none, "plan: it has a battery that sags");
    plan = scene();
    plan.goal_count = 0;
    assert_refused(&arm_part, &plan, none, "plan: ");
    ib_arena_reset(&arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_does_what_the_function_does),
        cmocka_unit_test(what_is_touched_between_ticks_is_told),
        cmocka_unit_test(every_key_counts),
        cmocka_unit_test(it_goes_to_and_fro_by_its_sensors),
        cmocka_unit_test(a_missing_sample_leaves_the_plan),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(limits_that_it_does_not_keep_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
