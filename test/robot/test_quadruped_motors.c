// Claims about legs with motors, and about cylinders that drink from the robot's own air.
#include "robot/quadruped_rig.h"

#include <string.h>

enum { V_ALPHA = IB_ENVIRONMENT_COUNT };

// A robot that is moved by hand, without a simulation.
typedef struct Stage {
    Rig rig;
    ib_RobotKind kind;
    ib_Robot robot;
    void *workspace;
    double state[512], input[64], signals[512];
} Stage;

// Leg fr on a body that is held; alpha has a CIM behind 60 : 1, and no stops in reach.
static void set(Stage *stage)
{
    ib_QuadrupedConfig *config = &stage->rig.config;
    stage->kind = ib_quadruped_kind;
    stage->kind.check = NULL; // ranges that no linkage has
    rig_default(&stage->rig, 1);
    config->legs = IB_LEGS_FR;
    config->base = IB_BASE_FIXED;
    config->place[2] = 2;
    config->drive = IB_DRIVE_LIMP;
    config->joints[0].drive = IB_DRIVE_MOTOR + 1;
    config->pose[1] = -10 * DEG;
    config->pose[2] = 60 * DEG;
    for (int j = 0; j < 3; j++) {
        config->joints[j].linkage.range[0] = -6;
        config->joints[j].linkage.range[1] = 6;
    }
    config->motors.motor = (ib_MotorConfig){12, 2.42, 133, 556, 2.7};
    config->motors.reduction = 60;
    config->rotor_inertia = 7e-5;
    config->power.battery.resistance = 0.01;
}

static void make(Stage *stage)
{
    ib_Error error;
    if (ib_robot_init(&stage->kind, &stage->rig.config, &stage->rig.arena, &stage->robot, &error) !=
        IB_OK)
        fail_msg("%s", error.text);
    const ib_RobotPorts *ports = &stage->robot.ports;
    assert_true(ports->state_count <= 512 && ports->signal_count <= 512);
    stage->workspace = stage->kind.integrator->workspace(stage->robot.model, &stage->rig.arena);
    stage->robot.kind->reset(&stage->rig.config, stage->robot.model, stage->state);
    for (int i = 0; i < ports->input_count; i++) stage->input[i] = ports->inputs[i].neutral;
    stage->input[IB_GRAVITY] = 9.8;
}

static void go(Stage *stage, double seconds, double h)
{
    ib_Error error;
    for (int i = 0; i < (int)lround(seconds / h); i++)
        if (stage->kind.integrator->advance(stage->robot.model, stage->workspace, stage->state,
                                            stage->input, h, stage->state, &error) != IB_OK)
            fail_msg("%s", error.text);
}

static double *input_of(Stage *stage, const char *name)
{
    const ib_RobotPorts *ports = &stage->robot.ports;
    for (int i = 0; i < ports->input_count; i++)
        if (strcmp(ports->inputs[i].name, name) == 0) return &stage->input[i];
    fail_msg("there is no input %s", name);
    return NULL;
}

static double shown(Stage *stage, const char *name)
{
    const ib_RobotPorts *ports = &stage->robot.ports;
    ib_robot_output(stage->robot.kind, stage->robot.model, ports, stage->workspace, stage->state,
                    stage->input, stage->signals);
    for (int i = 0; i < ports->signal_count; i++)
        if (strcmp(ports->signals[i].name, name) == 0) return stage->signals[i];
    fail_msg("there is no signal %s", name);
    return 0;
}

// Goal: a motor's torque is on its joint, and its rotor's inertia. Method: at rest, by hand,
//   T = G Kt d V/R,  V = E - Rb d I,  I = d V/R:  V = E/(1 + Rb d^2/R),  at d = 1/2,
// without loss and without a background current; the joint's inertia with and without a rotor.
static void a_motor_turns_its_joint(void **state)
{
    (void)state;
    double felt[2];
    for (int k = 0; k < 2; k++) {
        static Stage stage;
        set(&stage);
        stage.rig.config.power.background_current = 0;
        stage.rig.config.power.battery.open_circuit = 12;
        stage.rig.config.motors.loss = IB_LOSS_NONE;
        if (k == 1) stage.rig.config.rotor_inertia = 0;
        make(&stage);
        stage.input[V_ALPHA] = 6;
        double R = 12 / 133.0, Kt = 2.42 / 133, V = 12 / (1 + 0.01 * 0.25 / R);
        double expected = 60 * Kt * 0.5 * V / R;
        assert_true(fabs(shown(&stage, "leg.fr.alpha.torque") / expected - 1) < 1e-9);
        const ib_QuadrupedModel *model = ib_parts_own(stage.robot.model);
        const double down[3] = {0, 0, -9.8};
        double M[9];
        ib_MujocoWorkspace *workspace = ib_mujoco_workspace(model->rigid.world, &stage.rig.arena);
        assert_int_equal(
            ib_mujoco_place(model->rigid.world, workspace, model->rigid.start, down, NULL), IB_OK);
        ib_mujoco_inertia(model->rigid.world, workspace, M);
        felt[k] = M[0];
        ib_arena_reset(&stage.rig.arena);
    }
    assert_true(fabs(felt[0] - felt[1] - 60 * 60 * 7e-5) < 1e-12);
}

// Goal: what the battery gave is lost, or went to the joints, to rounding; MuJoCo was told of the
// same work, and its bodies have it, both to the first order of the step. Method: 0.4 s at 3 V in
// steps of 1 and 0.5 ms; what is off halves.
static void motors_are_accounted_for(void **state)
{
    (void)state;
    double told[2], kept[2], work = 0;
    for (int run = 0; run < 2; run++) {
        static Stage stage;
        set(&stage);
        make(&stage);
        stage.input[V_ALPHA] = 3;
        double first = shown(&stage, "energy.kinetic") + shown(&stage, "energy.potential");
        go(&stage, 0.4, run ? 5e-4 : 1e-3);
        double gain = shown(&stage, "energy.kinetic") + shown(&stage, "energy.potential") - first;
        work = shown(&stage, "energy.motors");
        told[run] = shown(&stage, "energy.handed") - work;
        kept[run] = gain - shown(&stage, "energy.handed");
        assert_true(fabs(shown(&stage, "energy.error")) < 1e-12 * shown(&stage, "energy.battery"));
        ib_arena_reset(&stage.rig.arena);
    }
    assert_true(work > 0.1 && fabs(told[0]) < 0.01 * work && fabs(kept[0]) < 0.05 * work);
    assert_true(fabs(told[1]) < 0.6 * fabs(told[0]) && fabs(kept[0] / kept[1] - 2) < 0.1);
}

// Goal: what cylinders take comes out of the tanks, what they let out is vented, and what the
// compressor does is in both books. Method: valves thrown open, one way and the other, the second
// time with the compressor on; moles delivered, stored and vented, and the energy, to rounding. At
// 8e5 Pa the table has 1.2e-4 m^3/s of free air and 8.4 A: in 0.3 s 1.5e-3 mol for 30 J.
static void cylinders_drink_from_the_robots_air(void **state)
{
    (void)state;
    static Stage stage;
    set(&stage);
    ib_QuadrupedConfig *config = &stage.rig.config;
    stage.kind.check = ib_quadruped_kind.check;
    config->drive = IB_DRIVE_TORQUE;
    set_linkages(config);
    config->pose[1] = -34 * DEG;
    config->air = (ib_AirConfig){
        .on = 1,
        .tanks = 2,
        .tank_volume = 0.574e-3,
        .temperature = 294,
        .start = 8e5,
        .pressure_switch = {7.5e5, 9e5},
        .relief = 9.6e5,
        .regulator = {4.5e5, INFINITY},
        .compressor = {.low = {12, {2, {1e5, 11e5}, {{4e-4, 0}, {7, 9}}}}, .cutoff = 6},
    };
    make(&stage);
    double first = shown(&stage, "air.stored"), tanks = shown(&stage, "air.moles");
    for (int i = 1; i < 3; i++) stage.input[V_ALPHA + i] = 9;
    go(&stage, 0.3, 1e-3);
    for (int i = 1; i < 3; i++) stage.input[V_ALPHA + i] = 1;
    *input_of(&stage, "compressor") = IB_COMPRESSOR_ON;
    go(&stage, 0.3, 1e-3);
    double gained = shown(&stage, "air.stored") - first;
    assert_true(shown(&stage, "air.moles") < tanks - 1e-4 && shown(&stage, "air.vented") > 1e-4);
    assert_true(shown(&stage, "air.delivered") > 1e-3 && shown(&stage, "energy.compressor") > 20);
    assert_true(fabs(shown(&stage, "air.delivered") - gained - shown(&stage, "air.vented")) <
                1e-13);
    assert_true(fabs(shown(&stage, "energy.error")) < 1e-9);
    ib_arena_reset(&stage.rig.arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_motor_turns_its_joint),
        cmocka_unit_test(motors_are_accounted_for),
        cmocka_unit_test(cylinders_drink_from_the_robots_air),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
