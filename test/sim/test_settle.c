// Modes that follow what has changed, steps that are divided, strides that stop before a jump.
#include "cmocka_all.h"
#include "sim/sim.h"

#include <stdlib.h>
#include <string.h>

// A thermostat: warms up while on, cools while off; a lamp follows one settling later.
//   T' = on ? heat : -cool;   on -> off at T >= high, off -> on at T <= low
typedef struct Stove {
    double heat, cool, low, high; // [K/s, K/s, K, K]
    double resolution;            // [s]
    bool endless;                 // its lamp never settles
} Stove;

enum { TEMPERATURE, ON, LAMP, SWITCHES, STOVE_STATES };
enum { STOVE_WANTED = IB_ENVIRONMENT_COUNT, STOVE_INPUTS };

static const ib_SignalDef stove_signals[] = {{"temperature", "K", "of the stove", 1e6},
                                             {"on", "1", "it heats", 0},
                                             {"lamp", "1", "follows `on`", 0},
                                             {"switches", "1", "so far", 0}};
static const ib_StateDef stove_states[] = {
    {.signal = "temperature"}, {.signal = "on"}, {.signal = "lamp"}, {.signal = "switches"}};

static ib_Status stove_init(const void *config, ib_Arena *arena, void *model, ib_RobotPorts *ports,
                            ib_Error *error)
{
    ib_InputDef *inputs = ib_arena_array(arena, STOVE_INPUTS, sizeof *inputs);
    (void)error;
    if (!inputs) abort();
    memcpy(inputs, ib_environment_inputs, sizeof ib_environment_inputs);
    inputs[STOVE_WANTED] = (ib_InputDef){.name = "wanted",
                                         .unit = "1",
                                         .sentence = "0: may not heat",
                                         .role = IB_INPUT_COMMAND,
                                         .neutral = 1,
                                         .high = 1,
                                         .held = true};
    *(Stove *)model = *(const Stove *)config;
    *ports = (ib_RobotPorts){.state_count = STOVE_STATES,
                             .states = stove_states,
                             .input_count = STOVE_INPUTS,
                             .inputs = inputs,
                             .signal_count = 4,
                             .signals = stove_signals,
                             .guard_count = 1,
                             .resolution = ((const Stove *)config)->resolution};
    return IB_OK;
}

static void stove_reset(const void *config, const void *model, double *state)
{
    (void)config;
    (void)model;
    memset(state, 0, STOVE_STATES * sizeof *state);
}

static void stove_rate(const void *model, const double *state, const double *input, double *rate)
{
    const Stove *stove = model;
    (void)input;
    memset(rate, 0, STOVE_STATES * sizeof *rate);
    rate[TEMPERATURE] = state[ON] > 0.5 ? stove->heat : -stove->cool;
}

static void stove_output(const void *model, const double *state, const double *input, double *y)
{
    (void)model;
    (void)input;
    memcpy(y, state, STOVE_STATES * sizeof *y);
}

static double stove_margin(const Stove *stove, const double *state)
{
    return state[ON] > 0.5 ? stove->high - state[TEMPERATURE] : state[TEMPERATURE] - stove->low;
}

static void stove_guard(const void *model, const double *state, const double *input, double *guards)
{
    (void)input;
    guards[0] = stove_margin(model, state);
}

// One change a call: first the switch, then the lamp, so that two rounds are needed.
static bool stove_settle(const void *model, const double *input, double *state)
{
    const Stove *stove = model;
    bool on = state[ON] > 0.5, next = stove_margin(stove, state) > 0 ? on : !on;
    if (input[STOVE_WANTED] < 0.5) next = false;
    if (next != on) {
        state[ON] = next;
        state[SWITCHES] += 1;
        return true;
    }
    double lamp = stove->endless ? 1 - state[LAMP] : state[ON];
    bool changed = lamp != state[LAMP];
    state[LAMP] = lamp;
    return changed;
}

static const ib_RobotKind stove_kind = {.name = "stove",
                                        .sentence = "a stove with a thermostat",
                                        .docs = "",
                                        .config_size = sizeof(Stove),
                                        .model_size = sizeof(Stove),
                                        .init = stove_init,
                                        .reset = stove_reset,
                                        .rate = stove_rate,
                                        .output = stove_output,
                                        .guard = stove_guard,
                                        .settle = stove_settle};

// --------------------------------------------------------------------------------------------- rig

typedef struct StoveRig {
    Stove stove;
    ib_RobotConfig robot;
    ib_Timeline inputs[STOVE_INPUTS];
    ib_SimConfig config;
    ib_Arena arena;
    ib_Model *model;
    ib_Sim *sim;
    ib_Error error;
} StoveRig;

static void stove_default(StoveRig *rig, double duration)
{
    *rig = (StoveRig){.stove = {.heat = 2, .cool = 0.5, .low = 1, .high = 3}};
    rig->robot = (ib_RobotConfig){.name = "",
                                  .kind = &stove_kind,
                                  .config = &rig->stove,
                                  .inputs = rig->inputs,
                                  .input_count = STOVE_INPUTS};
    rig->config = (ib_SimConfig){.robots = &rig->robot,
                                 .robot_count = 1,
                                 .solver = {IB_RK4, 1e-9, 1e-9},
                                 .step = IB_SECOND / 100,
                                 .duration = ib_time_from_seconds(duration)};
}

static void stove_start(StoveRig *rig)
{
    assert_int_equal(ib_model_create(&rig->config, &rig->arena, &rig->model, &rig->error), IB_OK);
    assert_int_equal(ib_sim_create(rig->model, &rig->sim, &rig->error), IB_OK);
}

static void stove_stop(StoveRig *rig)
{
    ib_sim_destroy(rig->sim);
    ib_arena_reset(&rig->arena);
}

// ------------------------------------------------------------------------------------------ claims

static double temperature(double t)
{
    if (t <= 1.5) return 2 * t;
    if (t <= 5.5) return 3 - (t - 1.5) / 2;
    return t <= 5.75 ? 1 + 2 * (t - 5.5) : 1.5 - (t - 5.75) / 2;
}

// Goal: modes settle at the start, after a jump and after a new input, as often as it takes.
// Method: a stove from 0 K: on at once; 3 K after 1.5 s, then off; 1 K at 5.5 s, on again; an input
// forbids it at 5.75 s (1.5 K). Every solver; the lamp, which needs a second round, always agrees.
static void modes_settle_at_start_jumps_and_inputs(void **unused)
{
    (void)unused;
    static const ib_Time times[] = {0, IB_SECOND * 23 / 4};
    static const double wanted[] = {1, 0};
    for (int solver = IB_EULER; solver < IB_SOLVER_COUNT; solver++) {
        StoveRig rig;
        stove_default(&rig, 6);
        rig.config.solver.kind = (ib_SolverKind)solver;
        rig.inputs[STOVE_WANTED] = (ib_Timeline){2, times, wanted, false};
        stove_start(&rig);
        while (!ib_sim_done(rig.sim)) {
            assert_int_equal(ib_sim_step(rig.sim, &rig.error), IB_OK);
            const double *state = ib_sim_state(rig.sim);
            double t = ib_time_to_seconds(ib_sim_time(rig.sim));
            assert_close(state[TEMPERATURE], temperature(t), 1e-12); // straight lines
            assert_close(state[LAMP], state[ON], 0);
        }
        assert_close(ib_sim_state(rig.sim)[SWITCHES], 4, 0);
        stove_stop(&rig);
    }
}

// Goal: modes that never settle end the run with a name for it, not with a hang. Method: a lamp
// that turns itself over for ever.
static void endless_modes_are_reported(void **unused)
{
    (void)unused;
    StoveRig rig;
    stove_default(&rig, 1);
    rig.stove.endless = true;
    stove_start(&rig);
    assert_int_equal(ib_sim_step(rig.sim, &rig.error), IB_FAILED);
    assert_non_null(strstr(rig.error.text, "stove"));
    assert_non_null(strstr(rig.error.text, "settle"));
    stove_stop(&rig);
}

// Goal: steps are divided where a robot asks for shorter ones. Method: 10 ms with a resolution of 3
// ms become 4 equal parts, with 2.5 ms the same 4, with 20 ms none, with 7 us (1429 parts, which do
// not divide 10 ms) the next number that does; an adaptive solver is left alone.
static void steps_are_divided_by_the_resolution(void **unused)
{
    (void)unused;
    static const struct {
        double resolution;
        ib_Time step;
    } cases[] = {{0, 10000000},    {0.02, 10000000},  {0.01, 10000000},
                 {0.003, 2500000}, {0.0025, 2500000}, {7e-6, 6250}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        StoveRig rig;
        stove_default(&rig, 0.1);
        rig.stove.resolution = cases[i].resolution;
        stove_start(&rig);
        assert_int_equal(rig.model->step, cases[i].step);
        assert_int_equal(ib_sim_advance(rig.sim, IB_SECOND / 10, &rig.error), IB_OK);
        assert_int_equal(ib_sim_steps(rig.sim), IB_SECOND / 10 / cases[i].step);
        stove_stop(&rig);
        stove_default(&rig, 0.1);
        rig.stove.resolution = cases[i].resolution;
        rig.config.solver.kind = IB_DOPRI5;
        stove_start(&rig);
        assert_int_equal(rig.model->step, IB_SECOND / 100);
        stove_stop(&rig);
    }
}

// Goal: strides, which spare the closer look where no guard is near zero, make the same bits as
// single steps. Method: stoves that switch at many places of a step, on its ends and next to them,
// some several times within one step: ib_sim_advance against ib_sim_step.
static void quiet_and_single_steps_make_the_same_hash(void **unused)
{
    (void)unused;
    static const double highs[] = {3, 1.5, 1.02, 1.0200000001, 1.0199999999, 1.005, 1.001, 1.0001};
    for (int solver = IB_EULER; solver <= IB_RK4; solver++)
        for (int i = 0; i < 8; i++) {
            StoveRig one, all;
            stove_default(&one, 4);
            one.stove.high = highs[i];
            one.config.solver.kind = (ib_SolverKind)solver;
            all = one;
            all.robot.config = &all.stove;
            all.robot.inputs = all.inputs;
            all.config.robots = &all.robot;
            stove_start(&one);
            stove_start(&all);
            while (!ib_sim_done(one.sim)) assert_int_equal(ib_sim_step(one.sim, &one.error), IB_OK);
            assert_int_equal(ib_sim_advance(all.sim, all.config.duration, &all.error), IB_OK);
            assert_int_equal(ib_sim_steps(one.sim), ib_sim_steps(all.sim));
            assert_true(ib_sim_hash(one.sim) == ib_sim_hash(all.sim));
            // A cycle takes (high - low)(1/2 + 2) s, and has two switches; the first is at t = 0.
            double cycle = (highs[i] - 1) * 2.5, first = highs[i] / 2;
            double switches = 2 + 2 * floor((4 - first) / cycle);
            assert_true(fabs(ib_sim_state(one.sim)[SWITCHES] - switches) <= 1);
            stove_stop(&one);
            stove_stop(&all);
        }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_settle_at_start_jumps_and_inputs),
        cmocka_unit_test(endless_modes_are_reported),
        cmocka_unit_test(steps_are_divided_by_the_resolution),
        ib_plain_test(quiet_and_single_steps_make_the_same_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
