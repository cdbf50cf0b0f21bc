// test/sim/ball.h: a bouncing ball as a robot kind: the smallest plant with guards and jumps.
//
//   z'' = -g;   at z = 0, falling: z' -> -e z'
#ifndef IB_TEST_BALL_H
#define IB_TEST_BALL_H

#include "robot/kind.h"

typedef struct Ball {
    double height, bounce, gravity;
} Ball;

static const ib_SignalDef ball_signals[] = {
    {"ball.height", "m", "height above the floor", 1e6},
    {"ball.speed", "m/s", "upward speed", 1e6},
};
static const ib_StateDef ball_states[] = {{.signal = "ball.height"}, {.signal = "ball.speed"}};

static ib_Status ball_init(const void *config, ib_Arena *arena, void *model, ib_RobotPorts *ports,
                           ib_Error *error)
{
    (void)arena;
    (void)error;
    *(Ball *)model = *(const Ball *)config;
    *ports = (ib_RobotPorts){.state_count = 2,
                             .states = ball_states,
                             .input_count = IB_ENVIRONMENT_COUNT,
                             .inputs = ib_environment_inputs,
                             .signal_count = 2,
                             .signals = ball_signals,
                             .guard_count = 1};
    return IB_OK;
}

static void ball_reset(const void *config, const void *model, double *state)
{
    (void)model;
    state[0] = ((const Ball *)config)->height;
    state[1] = 0;
}

static void ball_rate(const void *model, const double *state, const double *input, double *rate)
{
    (void)input;
    rate[0] = state[1];
    rate[1] = -((const Ball *)model)->gravity;
}

static void ball_output(const void *model, const double *state, const double *input, double *y)
{
    (void)model;
    (void)input;
    y[0] = state[0];
    y[1] = state[1];
}

static void ball_guard(const void *model, const double *state, const double *input, double *guards)
{
    (void)model;
    (void)input;
    guards[0] = state[0];
}

static void ball_update(const void *model, int guard, bool rising, const double *input,
                        double *state)
{
    (void)guard;
    (void)input;
    if (!rising && state[1] < 0) {
        state[0] = 0;
        state[1] *= -((const Ball *)model)->bounce;
    }
}

static const ib_RobotKind ball_kind = {.name = "ball",
                                       .sentence = "a bouncing ball",
                                       .docs = "",
                                       .config_size = sizeof(Ball),
                                       .model_size = sizeof(Ball),
                                       .init = ball_init,
                                       .reset = ball_reset,
                                       .rate = ball_rate,
                                       .output = ball_output,
                                       .guard = ball_guard,
                                       .update = ball_update};

#endif
