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
    inputs[CART_OTHER].set = *(const char *)config ? 0 : 2;
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

static ib_ControlStatus keeper_step(const void *self, const ib_ControlTick *tick, double *state,
                                    double *output)
{
    assert_int_equal(tick->time, (ib_Time)state[COUNT] * (IB_SECOND / 10));
    state[COUNT] += 1;
    state[LAST_Y] = tick->measurement[0];
    output[0] = *(const double *)self * (tick->command[0] - tick->measurement[0]);
    return IB_CONTROL_OK;
}

static void keeper_show(const void *self, const double *command, const double *state,
                        double *signals)
{
    (void)self;
    signals[0] = state[COUNT];
    signals[1] = command[0];
}

static const ib_ControllerKind keeper_kind = {
    .name = "keeper", .reset = keeper_reset, .step = keeper_step, .show = keeper_show};

static const ib_ControlCommand keeper_commands[] = {
    {.name = "goal", .unit = "1", .sentence = "", .low = -10, .high = 10}};
static const char *const keeper_measurements[] = {"sensor.x"};
static const char *const keeper_outputs[] = {"force"};
static const ib_SignalDef keeper_signals[] = {{"ticks", "1", "so far", 0}, {"goal", "1", "", 0}};

static ib_Controller make_keeper(const double *gain)
{
    return (ib_Controller){.name = "",
                           .label = "the keeper",
                           .kind = &keeper_kind,
                           .model = gain,
                           .period = IB_SECOND / 10,
                           .ports = {.state_count = KEEPER_STATES,
                                     .command_count = 1,
                                     .commands = keeper_commands,
                                     .measurement_count = 1,
                                     .measurements = keeper_measurements,
                                     .output_count = 1,
                                     .outputs = keeper_outputs,
                                     .signal_count = 2,
                                     .signals = keeper_signals}};
}

// --------------------------------------------------------------------------------------------- rig

typedef struct CartRig {
    char apart; ///< `other` does not exclude `force`
    ib_Controller controller, second;
    const ib_Controller *loops[2];
    ib_SensorConfig sensor;
    ib_RobotConfig robot;
    ib_Timeline inputs[CART_INPUTS + 2];
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
                                  .config = &rig->apart,
                                  .inputs = rig->inputs,
                                  .input_count = CART_INPUTS + 1,
                                  .sensors = &rig->sensor,
                                  .sensor_count = 1,
                                  .controllers = rig->loops,
                                  .controller_count = 1};
    rig->loops[0] = &rig->controller;
    rig->loops[1] = &rig->second;
    rig->config = (ib_SimConfig){.robots = &rig->robot,
                                 .robot_count = 1,
                                 .solver = {IB_RK4, 1e-9, 1e-9},
                                 .step = IB_SECOND / 100,
                                 .duration = IB_SECOND};
}

static void cart_start(CartRig *rig)
{
    if (ib_model_create(&rig->config, &rig->arena, &rig->model, &rig->error) != IB_OK)
        fail_msg("%s", rig->error.text);
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
    for (int solver = IB_RK4; solver <= IB_STIFF; solver++) {
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

// Goal: behind a D/A converter the plant gets the nearest code, which is shown, at once or after a
// latency. Method: 4 bits over -2 to 2 N, 0.25 N a step; the same closed form with forces rounded
// by hand, and, 0.2 s late, the force of two periods ago. A gain that asks for more than all gets
// the highest code, 1.75 N.
static void converters_round_what_a_loop_gives(void **unused)
{
    (void)unused;
    double gain = 0.9, T = 0.1, much = 50, signals[8];
    for (int late = 0; late <= 2; late += 2) {
        CartRig rig;
        cart_default(&rig, &gain);
        rig.controller.output_bits = 4;
        rig.controller.latency = late * (IB_SECOND / 10);
        cart_start(&rig);
        int shown = ib_signals_find(&rig.model->signals, "control.converted");
        assert_true(shown >= 0 && rig.model->signals.count <= 8);
        assert_string_equal(rig.model->signals.items[shown].unit, "N");
        double x = 0, v = 0, given[12] = {0};
        for (int k = 0; k < 10; k++) {
            given[k + late] = -2 + 0.25 * rint((gain * (1 - (x + 0.25)) + 2) / 0.25);
            double u = given[k];
            x += T * v + T * T / 2 * u;
            v += T * u;
            assert_int_equal(ib_sim_advance(rig.sim, k * (IB_SECOND / 10) + 1, &rig.error), IB_OK);
            ib_sim_look(rig.sim, signals);
            assert_true(signals[shown] == u); // quarters: exact
            assert_int_equal(ib_sim_advance(rig.sim, (k + 1) * (IB_SECOND / 10), &rig.error),
                             IB_OK);
            assert_close(ib_sim_state(rig.sim)[CART_X], x, 1e-13);
            assert_close(ib_sim_state(rig.sim)[CART_V], v, 1e-13);
        }
        assert_true(given[late] == 0.75 && given[9] != given[late]);
        cart_stop(&rig);
    }
    CartRig rig;
    cart_default(&rig, &much);
    rig.controller.output_bits = 4;
    cart_start(&rig);
    assert_int_equal(ib_sim_advance(rig.sim, IB_SECOND / 10, &rig.error), IB_OK);
    assert_close(ib_sim_state(rig.sim)[CART_V], 0.175, 1e-15);
    cart_stop(&rig);
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
    rig.controller.ports.measurements = wrong;
    assert_int_equal(ib_model_create(&rig.config, &rig.arena, &rig.model, &rig.error),
                     IB_BAD_INPUT);
    assert_non_null(strstr(rig.error.text, "the keeper reads 'sensor.y'"));
    ib_arena_reset(&rig.arena);
    cart_default(&rig, &gain);
    rig.controller.ports.outputs = nowhere;
    assert_int_equal(ib_model_create(&rig.config, &rig.arena, &rig.model, &rig.error),
                     IB_BAD_INPUT);
    assert_non_null(strstr(rig.error.text, "the keeper sets 'power'"));
    ib_arena_reset(&rig.arena);
}

// ----------------------------------------------------------------------------------- several loops

// u = 1 N in the first period, 2 N in the second …; counts.
static ib_ControlStatus stairs_step(const void *self, const ib_ControlTick *tick, double *state,
                                    double *output)
{
    const int *statuses = self;
    int k = (int)state[COUNT]++;
    state[LAST_Y] = tick->measurement[0];
    output[0] = 0.1 * (k + 1);
    return statuses ? (ib_ControlStatus)statuses[k] : IB_CONTROL_OK;
}

static const ib_ControllerKind stairs_kind = {
    .name = "stairs", .reset = keeper_reset, .step = stairs_step, .show = keeper_show};
static const char *const ideal_measurements[] = {"x"};
static const char *const other_outputs[] = {"other"};

// A second loop beside the keeper: it sets `other`, every 0.25 s, and samples x ideally.
static void add_stairs(CartRig *rig, const int *statuses)
{
    static const ib_ControlCommand command[] = {
        {.name = "stairs.goal", .unit = "1", .sentence = "", .low = -1, .high = 1}};
    rig->second = make_keeper(NULL);
    rig->second.name = "stairs";
    rig->second.label = "the loop 'stairs'";
    rig->second.kind = &stairs_kind;
    rig->second.model = statuses;
    rig->second.period = IB_SECOND / 4;
    rig->second.ports.commands = command;
    rig->second.ports.measurements = ideal_measurements;
    rig->second.ports.outputs = other_outputs;
    rig->robot.input_count = CART_INPUTS + 2;
    rig->robot.controller_count = 2;
}

static double look(CartRig *rig, const char *name)
{
    double signals[16];
    assert_true(rig->model->signals.count <= 16);
    ib_sim_look(rig->sim, signals);
    int at = ib_signals_find(&rig->model->signals, name);
    assert_true(at >= 0);
    return signals[at];
}

// Goal: two loops run side by side, each at its own period, one from a sensor and one from an ideal
// sample. Method: gain 0 for the first; the second gives 0.1, 0.2, 0.3, 0.4 N in the four quarters
// of a second: v = 0.25 (0.1 + 0.2 + 0.3 + 0.4) at its end, and its last sample is x at 0.75 s by
// the closed form, without the sensor's bias.
static void two_loops_keep_their_own_time(void **unused)
{
    (void)unused;
    double gain = 0;
    CartRig rig;
    cart_default(&rig, &gain);
    add_stairs(&rig, NULL);
    rig.apart = 1;
    cart_start(&rig);
    assert_int_equal(ib_sim_advance(rig.sim, IB_SECOND, &rig.error), IB_OK);
    const double *state = ib_sim_state(rig.sim);
    assert_close(state[CART_V], 0.25, 1e-14);
    assert_close(look(&rig, "control.ticks"), 10, 0);
    assert_close(look(&rig, "control.stairs.ticks"), 4, 0);
    double x = 0, v = 0;
    for (int k = 0; k < 3; k++) {
        double u = 0.1 * (k + 1);
        x += 0.25 * v + 0.03125 * u;
        v += 0.25 * u;
    }
    const ib_ControlModel *second = &rig.model->controls[1];
    assert_close(state[second->state + 1 + LAST_Y], x, 1e-14);
    cart_stop(&rig);
}

// Goal: what a loop answers acts when its latency is over, to the nanosecond. Method: stairs every
// 0.25 s that are late by a part of a period, by one, and by one and a part: the speed at the end
// is the sum of forces times the time that each acts.
static void answers_act_after_their_latency(void **unused)
{
    (void)unused;
    static const struct {
        ib_Time latency;
        double v;
    } cases[] = {{IB_SECOND / 10, 0.25 * 0.6 + 0.15 * 0.4},
                 {IB_SECOND / 4, 0.25 * 0.6},
                 {IB_SECOND / 20 * 7, 0.25 * 0.3 + 0.15 * 0.3}};
    double gain = 0;
    for (int solver = IB_RK4; solver <= IB_DOPRI5; solver++)
        for (int i = 0; i < 3; i++) {
            CartRig rig;
            cart_default(&rig, &gain);
            add_stairs(&rig, NULL);
            rig.apart = 1;
            rig.second.latency = cases[i].latency;
            rig.config.solver.kind = (ib_SolverKind)solver;
            rig.config.step = IB_SECOND / 7;
            cart_start(&rig);
            assert_int_equal(ib_sim_advance(rig.sim, IB_SECOND, &rig.error), IB_OK);
            assert_close(ib_sim_state(rig.sim)[CART_V], cases[i].v, 1e-13);
            cart_stop(&rig);
        }
}

// Goal: a step that is late leaves what it gave last, one that fails leaves neutral, and both are
// counted. Method: stairs that are fine, late, failed, fine: 0.1, 0.1, 0, 0.4 N.
static void late_and_failed_steps_are_told(void **unused)
{
    (void)unused;
    static const int statuses[] = {IB_CONTROL_OK, IB_CONTROL_LATE, IB_CONTROL_FAILED, IB_CONTROL_OK,
                                   IB_CONTROL_OK};
    double gain = 0;
    CartRig rig;
    cart_default(&rig, &gain);
    add_stairs(&rig, statuses);
    rig.apart = 1;
    cart_start(&rig);
    assert_int_equal(ib_sim_advance(rig.sim, IB_SECOND, &rig.error), IB_OK);
    assert_close(ib_sim_state(rig.sim)[CART_V], 0.25 * 0.6, 1e-14);
    int count;
    const ib_LoopTrouble *troubles = ib_sim_troubles(rig.sim, &count);
    assert_int_equal(count, 2);
    assert_int_equal(troubles[1].count[IB_CONTROL_LATE], 1);
    assert_true(troubles[1].first[IB_CONTROL_LATE] == IB_SECOND / 4);
    assert_int_equal(troubles[1].count[IB_CONTROL_FAILED], 1);
    assert_true(troubles[1].first[IB_CONTROL_FAILED] == IB_SECOND / 2);
    assert_int_equal(troubles[0].count[IB_CONTROL_FAILED], 0);
    cart_stop(&rig);
}

// Goal: one input has one loop. Method: two loops that set `force`; and one that sets what excludes
// it (another way to drive).
static void two_loops_for_one_input_are_refused(void **unused)
{
    (void)unused;
    double gain = 0;
    for (int i = 0; i < 2; i++) {
        CartRig rig;
        cart_default(&rig, &gain);
        add_stairs(&rig, NULL);
        if (i == 0) rig.second.ports.outputs = keeper_outputs;
        assert_int_equal(ib_model_create(&rig.config, &rig.arena, &rig.model, &rig.error),
                         IB_BAD_INPUT);
        assert_non_null(strstr(rig.error.text, i ? "the loop 'stairs' sets 'other'"
                                                 : "the loop 'stairs' sets 'force'"));
        ib_arena_reset(&rig.arena);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_controller_reads_its_sensor_and_its_output_is_held),
        cmocka_unit_test(outputs_are_clamped_and_nan_is_neutral),
        cmocka_unit_test(converters_round_what_a_loop_gives),
        cmocka_unit_test(a_restored_run_holds_the_same_output),
        cmocka_unit_test(what_a_controller_sets_is_taken),
        cmocka_unit_test(unknown_sensors_and_outputs_are_refused),
        cmocka_unit_test(two_loops_keep_their_own_time),
        cmocka_unit_test(answers_act_after_their_latency),
        cmocka_unit_test(late_and_failed_steps_are_told),
        cmocka_unit_test(two_loops_for_one_input_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
