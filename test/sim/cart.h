// test/sim/cart.h: a cart without friction, its loops and a run, in one struct: for tests of loops
// in the step.
#ifndef IB_TEST_CART_H
#define IB_TEST_CART_H

#include "cmocka_all.h"
#include "sim/loop/control.h"
#include "sim/sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// x' = v, v' = force + other. A gate notes where it was when the force fell below 1/2, in a state
// that nothing else changes.
enum { CART_X, CART_V, CART_NOTED, CART_STATES };
enum { CART_FORCE = IB_ENVIRONMENT_COUNT, CART_OTHER, CART_INPUTS };

typedef struct Cart {
    bool apart; ///< `other` does not exclude `force`
} Cart;

static inline ib_Status cart_init(const void *config, ib_Arena *arena, void *model,
                                  ib_RobotPorts *ports, ib_Error *error)
{
    static const ib_SignalDef signals[] = {{"x", "m", "place", 1e6},
                                           {"v", "m/s", "speed", 1e6},
                                           {"a", "m/s^2", "acceleration", 1e6},
                                           {"force", "N", "force", 1e6}};
    static const ib_StateDef states[] = {{.signal = "x"}, {.signal = "v"}, {.signal = NULL}};
    ib_InputDef *inputs = ib_arena_array(arena, CART_INPUTS, sizeof *inputs);
    (void)model, (void)error;
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
    inputs[CART_OTHER].set = ((const Cart *)config)->apart ? 0 : 2;
    *ports = (ib_RobotPorts){.state_count = CART_STATES,
                             .states = states,
                             .input_count = CART_INPUTS,
                             .inputs = inputs,
                             .signal_count = sizeof signals / sizeof signals[0],
                             .signals = signals,
                             .guard_count = 1};
    return IB_OK;
}

static inline void cart_reset(const void *config, const void *model, double *state)
{
    (void)config, (void)model;
    memset(state, 0, CART_STATES * sizeof *state);
}

static inline void cart_rate(const void *model, const double *state, const double *input,
                             double *rate)
{
    (void)model;
    rate[CART_X] = state[CART_V];
    rate[CART_V] = input[CART_FORCE] + input[CART_OTHER];
    rate[CART_NOTED] = 0;
}

static inline void cart_output(const void *model, const double *state, const double *input,
                               double *y)
{
    (void)model;
    y[0] = state[CART_X];
    y[1] = state[CART_V];
    y[2] = input[CART_FORCE] + input[CART_OTHER];
    y[3] = input[CART_FORCE];
}

static inline void cart_guard(const void *model, const double *state, const double *input,
                              double *guards)
{
    (void)model, (void)state;
    guards[0] = input[CART_FORCE] - 0.5;
}

static inline void cart_update(const void *model, int guard, bool rising, const double *input,
                               double *state)
{
    (void)model, (void)guard, (void)input;
    if (!rising) state[CART_NOTED] = state[CART_X];
}

static const ib_RobotKind cart_kind = {.name = "cart",
                                       .sentence = "a cart",
                                       .docs = "",
                                       .config_size = sizeof(Cart),
                                       .model_size = 1,
                                       .init = cart_init,
                                       .reset = cart_reset,
                                       .rate = cart_rate,
                                       .output = cart_output,
                                       .guard = cart_guard,
                                       .update = cart_update};

// --------------------------------------------------------------------------------------------- rig

enum { CARTS = 3 };

typedef struct CartRig {
    Cart cart;
    ib_Controller loop, second;
    const ib_Controller *loops[2];
    ib_SensorConfig sensor;
    ib_RobotConfig robots[CARTS]; ///< all with the first one's config, loops and sensor
    ib_Timeline inputs[CART_INPUTS + 2];
    ib_SimConfig config;
    ib_Arena arena;
    ib_Model *model;
    ib_Sim *sim;
    ib_Error error;
} CartRig;

static const ib_Time at_start[] = {0};
static const double one[] = {1};

// One cart with this loop, whose goal is 1, a sensor of x every 50 ms, RK4 at 10 ms, for a second.
static inline void cart_default(CartRig *rig, ib_Controller loop)
{
    *rig = (CartRig){.loop = loop};
    rig->sensor = (ib_SensorConfig){.name = "x",
                                    .signal = "x",
                                    .scale = 1,
                                    .low = -INFINITY,
                                    .high = INFINITY,
                                    .period = IB_SECOND / 20};
    rig->inputs[CART_INPUTS] = (ib_Timeline){1, at_start, one, false};
    rig->robots[0] = (ib_RobotConfig){.name = "",
                                      .kind = &cart_kind,
                                      .config = &rig->cart,
                                      .inputs = rig->inputs,
                                      .input_count = CART_INPUTS + 1,
                                      .sensors = &rig->sensor,
                                      .sensor_count = 1,
                                      .controllers = rig->loops,
                                      .controller_count = 1};
    rig->loops[0] = &rig->loop;
    rig->loops[1] = &rig->second;
    rig->config = (ib_SimConfig){.robots = rig->robots,
                                 .robot_count = 1,
                                 .solver = {IB_RK4, 1e-9, 1e-9},
                                 .step = IB_SECOND / 100,
                                 .duration = IB_SECOND};
}

static inline void cart_start(CartRig *rig)
{
    if (ib_model_create(&rig->config, &rig->arena, &rig->model, &rig->error) != IB_OK)
        fail_msg("%s", rig->error.text);
    assert_int_equal(ib_sim_create(rig->model, &rig->sim, &rig->error), IB_OK);
}

static inline void cart_stop(CartRig *rig)
{
    ib_sim_destroy(rig->sim);
    ib_arena_reset(&rig->arena);
}

static inline void cart_go(CartRig *rig, ib_Time until)
{
    if (ib_sim_advance(rig->sim, until, &rig->error) != IB_OK) fail_msg("%s", rig->error.text);
}

static inline double cart_see(const CartRig *rig, const char *name)
{
    double signals[64];
    int at = ib_signals_find(&rig->model->signals, name);
    assert_true(at >= 0 && rig->model->signals.count <= 64);
    ib_sim_sample(rig->sim, signals);
    return signals[at];
}

#endif
