// Tests of robots as linear plants: hand-derived matrices of the bench, the Roomba and the tank.
#include "cmocka_all.h"
#include "plant/mechanism/mechanism.h"
#include "robot/motor_bench.h"
#include "robot/roomba/roomba.h"
#include "robot/tank/tank.h"
#include "sim/linearise/linearise.h"
#include "sim/sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ib_Error error;

// ----------------------------------------------------------------------------------------- a robot

typedef struct Rig {
    union {
        ib_MotorBenchConfig bench;
        ib_RoombaConfig roomba;
        ib_TankConfig tank;
    } config;
    ib_Timeline inputs[64];
    ib_Time start;
    double values[64];
    ib_RobotConfig robot;
    ib_SimConfig sim;
    ib_Arena arena;
    ib_Model *model;
} Rig;

static void set(const ib_Schema *schema, const char *key, const char *text, void *config)
{
    const ib_Param *param = ib_schema_find(schema, key);
    if (!param || ib_schema_set(param, text, config, &error) != IB_OK)
        fail_msg("%s: %s", key, param ? error.text : "unknown");
}

static void rig_default(Rig *rig, const ib_RobotKind *kind)
{
    memset(rig, 0, sizeof *rig);
    assert_int_equal(ib_schema_default(&kind->params, &rig->config, &error), IB_OK);
    assert_int_equal(ib_schema_default(&kind->start, &rig->config, &error), IB_OK);
    rig->robot = (ib_RobotConfig){
        .name = "", .kind = kind, .config = &rig->config, .inputs = rig->inputs, .input_count = 64};
    rig->sim = (ib_SimConfig){.title = "rig",
                              .robots = &rig->robot,
                              .robot_count = 1,
                              .gravity = 9.80665,
                              .solver = {IB_RK4, 1e-9, 1e-9},
                              .step = IB_SECOND / 1000,
                              .duration = 10 * IB_SECOND,
                              .seed = 1};
}

// A command that is held from the start on.
static void rig_hold(Rig *rig, int input, double value)
{
    rig->values[input] = value;
    rig->inputs[input] = (ib_Timeline){1, &rig->start, &rig->values[input], false};
}

static void rig_model(Rig *rig)
{
    if (ib_model_create(&rig->sim, &rig->arena, &rig->model, &error) != IB_OK)
        fail_msg("%s", error.text);
}

// The five numbers of a CIM under these keys; without loss,
// and with the free point as FRC 971 has it.
static void set_motor(const ib_Schema *schema, const char *prefix, void *config)
{
    const char *const cim[][2] = {{"voltage", "12 V"},
                                  {"stall_torque", "2.42 N*m"},
                                  {"stall_current", "133 A"},
                                  {"free_speed", "5500 rpm"},
                                  {"free_current", "4.7 A"}};
    for (int i = 0; i < 5; i++) {
        char key[64];
        snprintf(key, sizeof key, "%s.%s", prefix, cim[i][0]);
        set(schema, key, cim[i][1], config);
    }
}

// ------------------------------------------------------------------------------------------- bench

// Goal: the motor bench is J w' = Kt (V - Ke w)/R - b w, and its current (V - Ke w)/R. Method: the
// matrices by hand from the data sheet; the plant is linear,
// so that differences leave 1e-10 of an element's size.
static void bench_has_the_matrices_of_the_data_sheet(void **state)
{
    (void)state;
    static Rig rig;
    rig_default(&rig, &ib_motor_bench_kind);
    set_motor(&ib_motor_bench_kind.params, "motor", &rig.config);
    rig.config.bench.inertia = 0.002;
    rig_hold(&rig, IB_BENCH_COMMAND, 7);
    rig_model(&rig);
    const char *const states[] = {"motor.angle", "motor.speed"}, *const inputs[] = {"command"};
    const char *const outputs[] = {"motor.current", "motor.speed"};
    const double x0[2] = {3, 200};
    ib_LineariseQuery query = {.states = states,
                               .state_count = 2,
                               .x0 = x0,
                               .inputs = inputs,
                               .input_count = 1,
                               .outputs = outputs,
                               .output_count = 2};
    ib_Linearisation r;
    assert_int_equal(ib_linearise(rig.model, &query, &r, &error), IB_OK);

    double wf = 5500 * 3.14159265358979323846 / 30, R = 12.0 / 133, Kt = 2.42 / 133;
    double Ke = (12 - 4.7 * R) / wf, b = Kt * 4.7 / wf, slope = -(Kt * Ke / R + b) / 0.002;
    assert_close(r.plant.A[0], 0, 1e-12);
    assert_close(r.plant.A[1], 1, 1e-10);
    assert_close(r.plant.A[2], 0, 1e-10);
    assert_close(r.plant.A[3], slope, 1e-10 * fabs(slope));
    assert_close(r.plant.B[0], 0, 1e-10);
    assert_close(r.plant.B[1], Kt / (R * 0.002), 1e-10 * Kt / (R * 0.002));
    assert_close(r.plant.C[1], -Ke / R, 1e-10);
    assert_close(r.plant.C[3], 1, 1e-12);
    assert_close(r.plant.D[0], 1 / R, 1e-9);
    assert_close(r.rate0[1], Kt / (R * 0.002) * 7 + slope * 200, 1e-8);
    assert_true(r.x0[1] == 200 && r.u0[0] == 7 && r.low[0] == -12 && r.high[0] == 12);
    assert_true(r.held_count == 0 && r.kink_count == 0 && r.error < 1e-9);
    assert_string_equal(r.plant.state[1], "motor.speed");
    ib_arena_reset(&rig.arena);
}

// Goal: a state that is held and acts on those asked for is named. Method: an inductive winding,
// its current not asked for.
static void held_state_that_acts_is_named(void **state)
{
    (void)state;
    static Rig rig;
    rig_default(&rig, &ib_motor_bench_kind);
    set_motor(&ib_motor_bench_kind.params, "motor", &rig.config);
    rig.config.bench.current = IB_BENCH_IMPLICIT;
    rig_hold(&rig, IB_BENCH_COMMAND, 7);
    rig_model(&rig);
    const char *const states[] = {"motor.speed"}, *const inputs[] = {"command"};
    ib_LineariseQuery query = {
        .states = states, .state_count = 1, .inputs = inputs, .input_count = 1};
    ib_Linearisation r;
    assert_int_equal(ib_linearise(rig.model, &query, &r, &error), IB_OK);
    assert_int_equal(r.held_count, 1);
    assert_string_equal(r.held[0], "motor.current");
    ib_arena_reset(&rig.arena);
}

// ------------------------------------------------------------------------------------------ Roomba

// Goal: the Roomba at a steady speed v: both speeds are damped by 4 kd v. Method: by hand from its
// equations at heading 0, wheels pushing as much as the drag:
//   vx' = … -4 kd v/m vx,  w' = … -4 kd v r^2/I w,  side drag has no slope at vn = 0 (kn vn |vn|),
//   but a turned body meets it: vn = vy - v th
// v |v| has no second derivative at 0: the extrapolation must see through that. 1e-8 asked for, of
// elements of size 10 with rounding over steps of 1e-4.
static void roomba_has_its_hand_derived_matrices(void **state)
{
    (void)state;
    static Rig rig;
    const double v = 0.6, m = 2.7, radius = 0.165, kd = 3.4, I = 0.5 * m * radius * radius;
    rig_default(&rig, &ib_roomba_kind);
    rig.config.roomba.planar.velocity_x = v;
    rig_hold(&rig, IB_ROOMBA_LEFT, kd * v * v);
    rig_hold(&rig, IB_ROOMBA_RIGHT, kd * v * v);
    rig_model(&rig);
    const char *const states[] = {"pose.heading", "velocity.x", "velocity.y", "velocity.heading"};
    const char *const inputs[] = {"left", "right"}, *const outputs[] = {"velocity.left"};
    ib_LineariseQuery query = {.states = states,
                               .state_count = 4,
                               .inputs = inputs,
                               .input_count = 2,
                               .outputs = outputs,
                               .output_count = 1};
    ib_Linearisation r;
    assert_int_equal(ib_linearise(rig.model, &query, &r, &error), IB_OK);
    double along = -4 * kd * v / m, turn = -4 * kd * v * radius * radius / I;
    const double A[16] = {0, 0, 0, 1, 0, along, 0, 0, 0, 0, 0, 0, 0, 0, 0, turn};
    const double B[8] = {0, 0, 1 / m, 1 / m, 0, 0, -radius / I, radius / I};
    for (int i = 0; i < 16; i++) assert_close(r.plant.A[i], A[i], 1e-8);
    for (int i = 0; i < 8; i++) assert_close(r.plant.B[i], B[i], 1e-9);
    assert_close(r.plant.C[0], -v, 1e-9);
    assert_close(r.plant.C[2], 1, 1e-9);
    for (int i = 0; i < 4; i++) assert_close(r.rate0[i], 0, 1e-12);
    assert_int_equal(r.held_count, 0);
    assert_int_equal(r.kink_count, 0);
    ib_arena_reset(&rig.arena);
}

// Goal: `at` goes along the run. Method: the Roomba runs up from rest for 2 s with 2.7 N a wheel;
// its speed is then v_t tanh(t/tau), closed form, and the slope -4 kd v/m there.
// RK4 at 1 ms leaves 1e-9.
static void point_may_lie_within_the_run(void **state)
{
    (void)state;
    static Rig rig;
    rig_default(&rig, &ib_roomba_kind);
    rig_hold(&rig, IB_ROOMBA_LEFT, 2.7);
    rig_hold(&rig, IB_ROOMBA_RIGHT, 2.7);
    rig_model(&rig);
    const char *const states[] = {"velocity.x"}, *const inputs[] = {"left"};
    ib_LineariseQuery query = {.at = IB_SECOND / 2,
                               .states = states,
                               .state_count = 1,
                               .inputs = inputs,
                               .input_count = 1};
    ib_Linearisation r;
    assert_int_equal(ib_linearise(rig.model, &query, &r, &error), IB_OK);
    double end = sqrt(2.7 / 3.4), tau = 2.7 / (2 * sqrt(2.7 * 3.4)), v = end * tanh(0.5 / tau);
    assert_close(r.x0[0], v, 1e-9);
    assert_close(r.plant.A[0], -4 * 3.4 * v / 2.7, 1e-8);
    ib_arena_reset(&rig.arena);
}

// -------------------------------------------------------------------------------------------- tank

static void tank_default(Rig *rig, const char *efficiency)
{
    const ib_Schema *schema = &ib_tank_kind.params;
    rig_default(rig, &ib_tank_kind);
    set_motor(schema, "drive.motor", &rig->config);
    set(schema, "drive.loss", "none", &rig->config);
    set(schema, "drive.efficiency", efficiency, &rig->config);
    set(schema, "wheels.model", "rolling", &rig->config);
    set(schema, "wheels.rolling_resistance", "0", &rig->config);
    set(schema, "battery.resistance", "0 ohm", &rig->config);
    set(schema, "mass", "68 kg", &rig->config);
    set(schema, "inertia", "6 kg*m^2", &rig->config);
    ib_PowerConfig *power = &rig->config.tank.equipment.power;
    power->breaker_on = power->branch_on = power->brownout_on = 0;
    rig->config.tank.equipment.air.on = rig->config.tank.payload_on = 0;
}

// The same robot as a mechanism of the desk.
static void drivetrain_of_the_desk(ib_StateSpace *plant)
{
    const ib_MechanismKind *kind = ib_mechanism_kind_find("drivetrain");
    ib_MechanismMemory config = {{0}};
    ib_Mechanism m;
    assert_int_equal(ib_schema_default(&kind->params, &config, &error), IB_OK);
    set_motor(&kind->params, "motor", &config);
    set(&kind->params, "mass", "68 kg", &config);
    set(&kind->params, "inertia", "6 kg*m^2", &config);
    set(&kind->params, "positions", "false", &config);
    assert_int_equal(ib_mechanism_init(kind, &config, &m, &error), IB_OK);
    assert_int_equal(ib_mechanism_linearise(&m, &m.ports.rest, plant, &error), IB_OK);
}

// Goal: the tank on rolling wheels with a stiff battery is the desk's drivetrain. Method: its
// matrices for (forward speed, yaw rate), brought to the speeds of the sides: v = T x, T = [1 -W; 1
// W]; two programs by two hands, 1e-9 apart at most.
// The yaw rate at the point is 0: w n would couple.
static void tank_is_the_drivetrain_of_the_desk(void **state)
{
    (void)state;
    static Rig rig;
    tank_default(&rig, "1");
    rig_hold(&rig, IB_TANK_LEFT, 6);
    rig_hold(&rig, IB_TANK_RIGHT, 6);
    rig_model(&rig);
    const char *const states[] = {"velocity.forward", "velocity.heading"};
    const char *const inputs[] = {"left", "right"};
    const char *const outputs[] = {"wheel.left.speed", "wheel.right.speed"};
    const double x0[2] = {1.5, 0};
    ib_LineariseQuery query = {.states = states,
                               .state_count = 2,
                               .x0 = x0,
                               .inputs = inputs,
                               .input_count = 2,
                               .outputs = outputs,
                               .output_count = 2};
    ib_Linearisation r;
    assert_int_equal(ib_linearise(rig.model, &query, &r, &error), IB_OK);
    assert_int_equal(r.held_count, 0);
    assert_int_equal(r.kink_count, 0);
    ib_StateSpace desk;
    drivetrain_of_the_desk(&desk);

    // T A T^-1 and T B, with A = diag(a, c) for equal sides.
    const double W = 0.3, *A = r.plant.A, *B = r.plant.B;
    assert_close(A[1], 0, 1e-9);
    assert_close(A[2], 0, 1e-9);
    assert_close((A[0] + A[3]) / 2, desk.A[0], 1e-9);
    assert_close((A[0] - A[3]) / 2, desk.A[1], 1e-9);
    for (int j = 0; j < 2; j++) {
        assert_close(B[j] - W * B[2 + j], desk.B[j], 1e-9);
        assert_close(B[j] + W * B[2 + j], desk.B[2 + j], 1e-9);
        assert_close(r.plant.C[2 * j], 1 / 0.0762, 1e-8);
        assert_close(r.plant.C[2 * j + 1], (j ? W : -W) / 0.0762, 1e-8);
    }
    ib_arena_reset(&rig.arena);
}

// Goal: a point on a kink says so, with everything that has one. Method: gears with loss jump in
// slope at standstill under a torque (plant/electric/drivetrain.h: |w| in the blend).
static void kink_at_standstill_is_named(void **state)
{
    (void)state;
    static Rig rig;
    tank_default(&rig, "0.7");
    rig_hold(&rig, IB_TANK_LEFT, 6);
    rig_hold(&rig, IB_TANK_RIGHT, 6);
    rig_model(&rig);
    const char *const states[] = {"velocity.forward", "velocity.heading"};
    const char *const inputs[] = {"left", "right"};
    ib_LineariseQuery query = {
        .states = states, .state_count = 1, .inputs = inputs, .input_count = 2};
    ib_Linearisation r;
    assert_int_equal(ib_linearise(rig.model, &query, &r, &error), IB_OK);
    assert_int_equal(r.kink_count, 1);
    assert_string_equal(r.kinks[0], "velocity.forward");
    query.state_count = 2; // turning turns the wheels as well
    assert_int_equal(ib_linearise(rig.model, &query, &r, &error), IB_OK);
    assert_int_equal(r.kink_count, 2);
    assert_string_equal(r.kinks[1], "velocity.heading");
    ib_arena_reset(&rig.arena);
}

// ---------------------------------------------------------------------------------------- refusals

static void assert_refused(const Rig *rig, const ib_LineariseQuery *query, const char *words)
{
    ib_Linearisation r;
    assert_int_equal(ib_linearise(rig->model, query, &r, &error), IB_BAD_INPUT);
    if (!strstr(error.text, words)) fail_msg("'%s' does not say '%s'", error.text, words);
}

// Goal: names that are not there, not states or there twice are refused, with what there is; so are
// points that are none. Method: one of each, on the Roomba.
static void bad_questions_are_refused(void **state)
{
    (void)state;
    static Rig rig;
    rig_default(&rig, &ib_roomba_kind);
    rig_hold(&rig, IB_ROOMBA_LEFT, 1);
    rig_hold(&rig, IB_ROOMBA_RIGHT, 1);
    rig_model(&rig);
    const char *const states[] = {"velocity.x"}, *const inputs[] = {"left"};
    const char *const misspelt[] = {"velocity.z"}, *const none[] = {"velocity.forward"};
    const char *const twice[] = {"velocity.x", "velocity.x"}, *const push[] = {"push.x"};
    const ib_LineariseQuery good = {
        .states = states, .state_count = 1, .inputs = inputs, .input_count = 1};
    ib_LineariseQuery q = good;
    q.states = misspelt;
    assert_refused(&rig, &q,
                   "states: velocity.z is no state of the roomba: did you mean velocity.");
    q.states = none;
    assert_refused(&rig, &q, "is no state of the roomba");
    q.states = twice, q.state_count = 2;
    assert_refused(&rig, &q, "states: velocity.x is there twice");
    q = good, q.inputs = push;
    assert_refused(&rig, &q, "inputs: push.x is no command of the roomba; it has left, right");
    q = good, q.outputs = misspelt, q.output_count = 1;
    assert_refused(&rig, &q, "outputs: velocity.z is no signal");
    q = good, q.at = 11 * IB_SECOND;
    assert_refused(&rig, &q, "at: 11 s is not within");
    q = good, q.state_count = 0;
    assert_refused(&rig, &q, "states: expected 1 to 16");
    const double nowhere = NAN;
    q = good, q.x0 = &nowhere;
    assert_refused(&rig, &q, "not finite");
    ib_arena_reset(&rig.arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bench_has_the_matrices_of_the_data_sheet),
        cmocka_unit_test(held_state_that_acts_is_named),
        cmocka_unit_test(roomba_has_its_hand_derived_matrices),
        cmocka_unit_test(point_may_lie_within_the_run),
        cmocka_unit_test(tank_is_the_drivetrain_of_the_desk),
        cmocka_unit_test(kink_at_standstill_is_named),
        cmocka_unit_test(bad_questions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
