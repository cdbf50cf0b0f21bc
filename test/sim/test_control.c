// Controllers in the step: they read sensors at their own period, hold what they give, and are part
// of the state.
#include "sim/cart.h"

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

static void keeper_default(CartRig *rig, const double *gain)
{
    cart_default(rig, make_keeper(gain));
    rig->sensor.bias = 0.25;
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
    for (int solver = IB_RK4; solver < IB_SOLVER_COUNT; solver++) {
        CartRig rig;
        keeper_default(&rig, &gain);
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
        assert_close(cart_see(&rig, "control.ticks"), 10, 0); // 0, 0.1 … 0.9 s
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
        keeper_default(&rig, &gains[i]);
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
    double gain = 0.9, T = 0.1, much = 50;
    for (int late = 0; late <= 2; late += 2) {
        CartRig rig;
        keeper_default(&rig, &gain);
        rig.loop.output_bits = 4;
        rig.loop.latency = late * (IB_SECOND / 10);
        cart_start(&rig);
        int shown = ib_signals_find(&rig.model->signals, "control.converted");
        assert_true(shown >= 0);
        assert_string_equal(rig.model->signals.items[shown].unit, "N");
        double x = 0, v = 0, given[12] = {0};
        for (int k = 0; k < 10; k++) {
            given[k + late] = -2 + 0.25 * rint((gain * (1 - (x + 0.25)) + 2) / 0.25);
            double u = given[k];
            x += T * v + T * T / 2 * u;
            v += T * u;
            assert_int_equal(ib_sim_advance(rig.sim, k * (IB_SECOND / 10) + 1, &rig.error), IB_OK);
            assert_true(cart_see(&rig, "control.converted") == u); // quarters: exact
            assert_int_equal(ib_sim_advance(rig.sim, (k + 1) * (IB_SECOND / 10), &rig.error),
                             IB_OK);
            assert_close(ib_sim_state(rig.sim)[CART_X], x, 1e-13);
            assert_close(ib_sim_state(rig.sim)[CART_V], v, 1e-13);
        }
        assert_true(given[late] == 0.75 && given[9] != given[late]);
        cart_stop(&rig);
    }
    CartRig rig;
    keeper_default(&rig, &much);
    rig.loop.output_bits = 4;
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
    keeper_default(&rig, &gain);
    cart_start(&rig);
    assert_true(rig.model->state_count <= 32);
    assert_int_equal(ib_sim_advance(rig.sim, IB_SECOND / 100 * 33, &rig.error), IB_OK);
    ib_Time time = ib_sim_time(rig.sim);
    int64_t steps = ib_sim_steps(rig.sim);
    memcpy(saved, ib_sim_state(rig.sim), (size_t)rig.model->state_count * sizeof *saved);
    assert_int_equal(ib_sim_advance(rig.sim, IB_SECOND, &rig.error), IB_OK);

    keeper_default(&other, &gain);
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
    keeper_default(&rig, &gain);
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
    keeper_default(&rig, &gain);
    rig.loop.ports.measurements = wrong;
    assert_int_equal(ib_model_create(&rig.config, &rig.arena, &rig.model, &rig.error),
                     IB_BAD_INPUT);
    assert_non_null(strstr(rig.error.text, "the keeper reads 'sensor.y'"));
    ib_arena_reset(&rig.arena);
    keeper_default(&rig, &gain);
    rig.loop.ports.outputs = nowhere;
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
    rig->robots[0].input_count = CART_INPUTS + 2;
    rig->robots[0].controller_count = 2;
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
    keeper_default(&rig, &gain);
    add_stairs(&rig, NULL);
    rig.cart.apart = true;
    cart_start(&rig);
    assert_int_equal(ib_sim_advance(rig.sim, IB_SECOND, &rig.error), IB_OK);
    const double *state = ib_sim_state(rig.sim);
    assert_close(state[CART_V], 0.25, 1e-14);
    assert_close(cart_see(&rig, "control.ticks"), 10, 0);
    assert_close(cart_see(&rig, "control.stairs.ticks"), 4, 0);
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
    for (int solver = IB_RK4; solver < IB_SOLVER_COUNT; solver++)
        for (int i = 0; i < 3; i++) {
            CartRig rig;
            keeper_default(&rig, &gain);
            add_stairs(&rig, NULL);
            rig.cart.apart = true;
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
    keeper_default(&rig, &gain);
    add_stairs(&rig, statuses);
    rig.cart.apart = true;
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
        keeper_default(&rig, &gain);
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
