// Controllers in the step: they read sensors at their own period, hold what they give, and are part
// of the state.
#include "cmocka_all.h"
#include "sim/control.h"
#include "sim/sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A cart without friction: x' = v, v' = u.
enum { CART_X, CART_V, CART_STATES };
enum { CART_FORCE = IB_ENVIRONMENT_COUNT, CART_OTHER, CART_INPUTS };

static const ib_SignalDef cart_signals[] = {{"x", "m", "place", 1e6}, {"v", "m/s", "speed", 1e6}};
static const ib_StateDef cart_states[] = {{.signal = "x"}, {.signal = "v"}};

static ib_Status cart_init(const void *config, ib_Arena *arena, void *model, ib_RobotPorts *ports,
                           ib_Error *error)
{
    ib_InputDef *inputs = ib_arena_array(arena, CART_INPUTS, sizeof *inputs);
    (void)config;
    (void)model;
    (void)error;
    if (!inputs) abort();
    memcpy(inputs, ib_environment_inputs, sizeof ib_environment_inputs);
    inputs[CART_FORCE] = (ib_InputDef){.name = "force",
                                       .unit = "N",
                                       .sentence = "",
                                       .role = IB_INPUT_COMMAND,
                                       .required = true,
                                       .low = -2,
                                       .high = 2,
                                       .set = 1};
    inputs[CART_OTHER] = inputs[CART_FORCE];
    inputs[CART_OTHER].name = "other";
    inputs[CART_OTHER].set = 2;
    *ports = (ib_RobotPorts){.state_count = CART_STATES,
                             .states = cart_states,
                             .input_count = CART_INPUTS,
                             .inputs = inputs,
                             .signal_count = 2,
                             .signals = cart_signals};
    return IB_OK;
}

static void cart_reset(const void *config, const void *model, double *state)
{
    (void)config;
    (void)model;
    state[CART_X] = state[CART_V] = 0;
}

static void cart_rate(const void *model, const double *state, const double *input, double *rate)
{
    (void)model;
    rate[CART_X] = state[CART_V];
    rate[CART_V] = input[CART_FORCE] + input[CART_OTHER];
}

static void cart_output(const void *model, const double *state, const double *input, double *y)
{
    (void)model;
    (void)input;
    y[0] = state[CART_X];
    y[1] = state[CART_V];
}

static const ib_RobotKind cart_kind = {.name = "cart",
                                       .sentence = "a cart",
                                       .docs = "",
                                       .config_size = 1,
                                       .model_size = 1,
                                       .init = cart_init,
                                       .reset = cart_reset,
                                       .rate = cart_rate,
                                       .output = cart_output};

// ------------------------------------------------------------------------------------- controllers

enum { COUNT, LAST_Y, KEEPER_STATES };

// u = gain (goal - y); counts its ticks.
static void keeper_reset(const void *self, double *state)
{
    (void)self;
    state[COUNT] = state[LAST_Y] = 0;
}

static void keeper_step(const void *self, ib_Time time, const double *command,
                        const double *measurement, double *state, double *output)
{
    assert_int_equal(time, (ib_Time)state[COUNT] * (IB_SECOND / 10));
    state[COUNT] += 1;
    state[LAST_Y] = measurement[0];
    output[0] = *(const double *)self * (command[0] - measurement[0]);
}

static void keeper_show(const void *self, const double *state, double *signals)
{
    (void)self;
    signals[0] = state[COUNT];
}

static const ib_ControlCommand keeper_commands[] = {{"goal", "1", "", 0, -10, 10, false}};
static const char *const keeper_measurements[] = {"sensor.x"};
static const char *const keeper_outputs[] = {"force"};
static const ib_SignalDef keeper_signals[] = {{"control.ticks", "1", "so far", 0}};

static ib_Controller make_keeper(const double *gain)
{
    return (ib_Controller){.name = "the keeper",
                           .self = gain,
                           .period = IB_SECOND / 10,
                           .state_count = KEEPER_STATES,
                           .command_count = 1,
                           .commands = keeper_commands,
                           .measurement_count = 1,
                           .measurements = keeper_measurements,
                           .output_count = 1,
                           .outputs = keeper_outputs,
                           .signal_count = 1,
                           .signals = keeper_signals,
                           .reset = keeper_reset,
                           .step = keeper_step,
                           .show = keeper_show};
}

// --------------------------------------------------------------------------------------------- rig

typedef struct CartRig {
    char nothing;
    ib_Controller controller;
    ib_SensorConfig sensor;
    ib_RobotConfig robot;
    ib_Timeline inputs[CART_INPUTS + 1];
    ib_SimConfig config;
    ib_Arena arena;
    ib_Model *model;
    ib_Sim *sim;
    ib_Error error;
} CartRig;

static const ib_Time at_start[] = {0};
static const double one[] = {1};

static void cart_default(CartRig *rig, const double *gain)
{
    *rig = (CartRig){0};
    rig->controller = make_keeper(gain);
    rig->sensor = (ib_SensorConfig){.name = "x",
                                    .signal = "x",
                                    .scale = 1,
                                    .bias = 0.25,
                                    .low = -INFINITY,
                                    .high = INFINITY,
                                    .period = IB_SECOND / 20};
    rig->inputs[CART_INPUTS] = (ib_Timeline){1, at_start, one, false};
    rig->robot = (ib_RobotConfig){.name = "",
                                  .kind = &cart_kind,
                                  .config = &rig->nothing,
                                  .inputs = rig->inputs,
                                  .input_count = CART_INPUTS + 1,
                                  .sensors = &rig->sensor,
                                  .sensor_count = 1,
                                  .controller = &rig->controller};
    rig->config = (ib_SimConfig){.robots = &rig->robot,
                                 .robot_count = 1,
                                 .solver = {IB_RK4, 1e-9, 1e-9},
                                 .step = IB_SECOND / 100,
                                 .duration = IB_SECOND};
}

static void cart_start(CartRig *rig)
{
    assert_int_equal(ib_model_create(&rig->config, &rig->arena, &rig->model, &rig->error), IB_OK);
    assert_int_equal(ib_sim_create(rig->model, &rig->sim, &rig->error), IB_OK);
}

static void cart_stop(CartRig *rig)
{
    ib_sim_destroy(rig->sim);
    ib_arena_reset(&rig->arena);
}

// ------------------------------------------------------------------------------------------ claims

// Goal: a controller reads its sensor at its period and what it gives is held in between, with
// every solver. Method: the closed form of a double integrator under forces that are held for 0.1
// s: x+ = x + T v + T^2/2 u, v+ = v + T u, with u = 0.5 (1 - (x + bias)): the sensor's bias shows
// that the truth is not read.
static void a_controller_reads_its_sensor_and_its_output_is_held(void **unused)
{
    (void)unused;
    double gain = 0.5, T = 0.1;
    for (int solver = IB_RK4; solver <= IB_ROSENBROCK; solver++) {
        CartRig rig;
        cart_default(&rig, &gain);
        rig.config.solver.kind = (ib_SolverKind)solver;
        cart_start(&rig);
        double x = 0, v = 0;
        for (int k = 0; k < 10; k++) {
            double u = gain * (1 - (x + 0.25));
            x += T * v + T * T / 2 * u;
            v += T * u;
            ib_Time until = (k + 1) * (IB_SECOND / 10);
            assert_int_equal(ib_sim_advance(rig.sim, until, &rig.error), IB_OK);
            assert_true(ib_sim_time(rig.sim) == until);
            assert_close(ib_sim_state(rig.sim)[CART_X], x, 1e-13); // a parabola: exact but rounding
            assert_close(ib_sim_state(rig.sim)[CART_V], v, 1e-13);
        }
        double signals[8];
        assert_true(rig.model->signals.count <= 8);
        ib_sim_look(rig.sim, signals);
        int ticks = ib_signals_find(&rig.model->signals, "control.ticks");
        assert_true(ticks >= 0);
        assert_close(signals[ticks], 10, 0); // 0, 0.1 … 0.9 s
        cart_stop(&rig);
    }
}

// Goal: what a controller gives is kept within the range of the command, and what is no number is
// neutral, both noted once. Method: a gain that asks for 37.5 N of 2 N at most, and a NaN.
static void outputs_are_clamped_and_nan_is_neutral(void **unused)
{
    (void)unused;
    double gains[] = {50, NAN};
    for (int i = 0; i < 2; i++) {
        CartRig rig;
        cart_default(&rig, &gains[i]);
        cart_start(&rig);
        assert_int_equal(ib_sim_advance(rig.sim, IB_SECOND / 10, &rig.error), IB_OK);
        assert_close(ib_sim_state(rig.sim)[CART_V], i ? 0 : 0.2, 1e-15);
        int count;
        const ib_Clamp *clamps = ib_sim_clamps(rig.sim, &count);
        assert_int_equal(count, 1);
        assert_int_equal(clamps[0].input, CART_FORCE);
        assert_close(clamps[0].used, i ? 0 : 2, 0);
        cart_stop(&rig);
    }
}

// Goal: a run that is restored between two ticks goes on with the same bits. Method: 0.33 s, saved;
// on to the end; restored in a fresh run, on to the end; equal hashes.
static void a_restored_run_holds_the_same_output(void **unused)
{
    (void)unused;
    double gain = 0.7, saved[32];
    CartRig rig, other;
    cart_default(&rig, &gain);
    cart_start(&rig);
    assert_true(rig.model->state_count <= 32);
    assert_int_equal(ib_sim_advance(rig.sim, IB_SECOND / 100 * 33, &rig.error), IB_OK);
    ib_Time time = ib_sim_time(rig.sim);
    int64_t steps = ib_sim_steps(rig.sim);
    memcpy(saved, ib_sim_state(rig.sim), (size_t)rig.model->state_count * sizeof *saved);
    assert_int_equal(ib_sim_advance(rig.sim, IB_SECOND, &rig.error), IB_OK);

    cart_default(&other, &gain);
    cart_start(&other);
    ib_sim_restore(other.sim, time, steps, saved);
    assert_int_equal(ib_sim_advance(other.sim, IB_SECOND, &other.error), IB_OK);
    assert_true(ib_sim_hash(rig.sim) == ib_sim_hash(other.sim));
    cart_stop(&rig);
    cart_stop(&other);
}

// Goal: what a controller sets is open to nobody else, nor are other ways to drive; its own
// commands come behind the robot's. Method: the roles of the inputs.
static void what_a_controller_sets_is_taken(void **unused)
{
    (void)unused;
    double gain = 1;
    CartRig rig;
    cart_default(&rig, &gain);
    cart_start(&rig);
    assert_int_equal(rig.model->inputs[CART_FORCE].role, IB_INPUT_CONTROLLED);
    assert_int_equal(rig.model->inputs[CART_OTHER].role, IB_INPUT_CONTROLLED);
    assert_int_equal(rig.model->inputs[CART_INPUTS].role, IB_INPUT_COMMAND);
    assert_string_equal(rig.model->inputs[CART_INPUTS].name, "goal");
    cart_stop(&rig);
}

// Goal: a controller that wants what the robot does not have is refused by name. Method: a sensor
// and an output that do not exist.
static void unknown_sensors_and_outputs_are_refused(void **unused)
{
    (void)unused;
    static const char *const wrong[] = {"sensor.y"}, *const nowhere[] = {"power"};
    double gain = 1;
    CartRig rig;
    cart_default(&rig, &gain);
    rig.controller.measurements = wrong;
    assert_int_equal(ib_model_create(&rig.config, &rig.arena, &rig.model, &rig.error),
                     IB_BAD_INPUT);
    assert_non_null(strstr(rig.error.text, "the keeper reads 'sensor.y'"));
    ib_arena_reset(&rig.arena);
    cart_default(&rig, &gain);
    rig.controller.outputs = nowhere;
    assert_int_equal(ib_model_create(&rig.config, &rig.arena, &rig.model, &rig.error),
                     IB_BAD_INPUT);
    assert_non_null(strstr(rig.error.text, "the keeper sets 'power'"));
    ib_arena_reset(&rig.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_controller_reads_its_sensor_and_its_output_is_held),
        cmocka_unit_test(outputs_are_clamped_and_nan_is_neutral),
        cmocka_unit_test(a_restored_run_holds_the_same_output),
        cmocka_unit_test(what_a_controller_sets_is_taken),
        cmocka_unit_test(unknown_sensors_and_outputs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
