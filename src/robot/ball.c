#include "robot/ball.h"

#include "base/extreme.h"

#include <stddef.h>

// ------------------------------------------------------------------------------------ declarations

static const char *const motions[] = {"rolling", "sliding", NULL};

#define NUMBER(key, unit, fallback, min, max, field, live, sentence)                               \
    IB_PARAM_ROW(key, IB_PARAM_NUMBER, unit, fallback, min, max, NULL, ib_BallConfig, field, live, \
                 sentence)

static const ib_Param params[] = {
    NUMBER("mass", "kg", "0.5 kg", 1e-3, 1e4, mass, true, "mass of the ball"),
    NUMBER("diameter", "m", "0.2 m", 1e-3, 100, diameter, false, "diameter of the ball"),
    NUMBER("inertia_factor", "1", "0.4", 0.1, 0.67, inertia_factor, true,
           "inertia about its centre over mass and radius squared: solid 0.4, a thin shell 0.667"),
    NUMBER("mu", "1", "0.5", 0, 10, mu, true,
           "friction coefficient with the floor, where it slips"),
    NUMBER("slip_speed", "m/s", "0.03 m/s", 1e-3, 10, slip_speed, false,
           "speed around which friction and resistance fade"),
    NUMBER("rolling", "1", "0.02", 0, 1, rolling, true,
           "rolling resistance: the pull that keeps it rolling, over its weight"),
    NUMBER("spinning", "1", "0.02", 0, 1, spinning, true,
           "resistance against its spin about the vertical: torque over weight and radius"),
    IB_BUMPER_ROWS(ib_BallConfig, "its sides", false),
};

static const ib_Param start[] = {
    IB_PLANAR_START_ROWS(offsetof(ib_BallConfig, planar)),
    IB_PARAM_ROW("motion", IB_PARAM_CHOICE, "1", "rolling", 0, 1, motions, ib_BallConfig, motion,
                 false, "with its velocity it rolls, or it slides without roll"),
};

enum {
    S_ROLL_X = IB_PASSIVE_SIGNALS,
    S_ROLL_Y,
    S_SLIP,
    S_COUNT,
};

static const ib_SignalDef signals[S_COUNT] = {
    IB_PASSIVE_SIGNAL_ROWS,
    [S_ROLL_X] = {"roll.x", "rad/s", "rate of roll about field x; rolling towards -y is positive",
                  1e7},
    [S_ROLL_Y] = {"roll.y", "rad/s", "rate of roll about field y; rolling towards +x is positive",
                  1e7},
    [S_SLIP] = {"slip.speed", "m/s", "speed of its lowest point over the floor; 0: it rolls", 0},
};
static const ib_SignalRows rows = {signals, S_COUNT};

static const ib_StateDef states[IB_BALL_STATES] = {
    IB_PASSIVE_STATE_ROWS,
    [IB_BALL_P] = {.signal = "roll.x"},
    [IB_BALL_Q] = {.signal = "roll.y"},
};

// ----------------------------------------------------------------------------------------- physics

void ib_ball_init(const ib_BallConfig *config, ib_BallModel *ball)
{
    double r = config->diameter / 2;
    *ball = (ib_BallModel){
        .radius = r,
        .mu = config->mu,
        .per_slip = 1 / config->slip_speed,
        .rolling = config->rolling,
        .spinning = config->spinning,
    };
    ib_passive_init(states, IB_BALL_STATES, config->mass,
                    config->inertia_factor * config->mass * r * r, &ball->body);
}

// How fast friction settles, at 1 m/s^2 of gravity [1/s]. Near rolling, in speeds v and u = r q:
//   v' = -(mu/vs) (v - u),   k u' = (mu/vs) (v - u) - (cr/vs) u
// The two rates add up to (mu (1 + 1/k) + cr/k)/vs, which neither exceeds; the spin's is cs/(k vs).
// Mass and radius are in none of them.
static double fastest(const ib_BallConfig *config)
{
    double k = config->inertia_factor;
    double slip = config->mu * (1 + 1 / k) + config->rolling / k, spin = config->spinning / k;
    return ib_max(slip, spin) / config->slip_speed;
}

// A ball turns alike about all axes: no gyroscopic torque,  I (p, q, w)' = torque.
static void rate(const void *model, const double *state, const double *input, double *dx)
{
    const ib_BallModel *ball = model;
    ib_BallFloor floor = ib_ball_floor(ball, state, input[IB_GRAVITY]);
    ib_passive_rate(&ball->body, &floor.force, state, input, dx);
    dx[IB_BALL_P] = floor.torque_x * ball->body.planar.per_inertia;
    dx[IB_BALL_Q] = floor.torque_y * ball->body.planar.per_inertia;
}

static double kinetic_of_roll(const ib_BallModel *ball, const double *state)
{
    double p = state[IB_BALL_P], q = state[IB_BALL_Q];
    return 0.5 * ball->body.inertia * (p * p + q * q);
}

static void output(const void *model, const double *state, const double *input, double *y)
{
    const ib_BallModel *ball = model;
    ib_BallFloor floor = ib_ball_floor(ball, state, input[IB_GRAVITY]);
    double kinetic = ib_passive_kinetic(&ball->body, state) + kinetic_of_roll(ball, state);
    ib_passive_output(&ball->body, &floor.force, kinetic, state, y);
    y[S_ROLL_X] = state[IB_BALL_P];
    y[S_ROLL_Y] = state[IB_BALL_Q];
    y[S_SLIP] = floor.slip;
}

static void reset(const void *config_, const void *model, double *state)
{
    const ib_BallConfig *config = config_;
    const ib_BallModel *ball = model;
    bool rolls = config->motion == IB_BALL_ROLLING;
    ib_passive_reset(&ball->body, &config->planar, state);
    state[IB_BALL_P] = rolls ? -config->planar.velocity_y / ball->radius : 0;
    state[IB_BALL_Q] = rolls ? config->planar.velocity_x / ball->radius : 0;
    state[IB_PASSIVE_E_PUSH] += kinetic_of_roll(ball, state);
}

// ------------------------------------------------------------------------------------------- ports

// A ball, which is a capsule of next to no length. It has the colour of a warning where it slips.
// Its attitude is no state: it turns with its heading and is not seen to roll.
static const ib_Geometry *look(const ib_BallConfig *config, ib_Arena *arena, ib_Error *error)
{
    double r = config->diameter / 2;
    const ib_SolidDef ball = {.name = "ball",
                              .frame = "body",
                              .form = IB_SOLID_CAPSULE,
                              .place = {0, 0, r},
                              .size = {r, 1e-3 * r},
                              .colour = IB_COLOUR_METAL,
                              .livery = true,
                              .tint = "slip.speed",
                              .tint_label = "ball slip",
                              .tint_full = 0.5,
                              .tint_colour = IB_COLOUR_WARNING};
    return ib_passive_look(&ball, 1, config->diameter, NULL, arena, error);
}

static ib_Status init(const void *config_, ib_Arena *arena, void *model, ib_RobotPorts *ports,
                      ib_Error *error)
{
    const ib_BallConfig *config = config_;
    ib_BallModel *ball = model;
    ib_ball_init(config, ball);
    *ports = ib_passive_ports(&ball->body, config->diameter, config->diameter, &config->bumper,
                              fastest(config));
    ports->round = true;
    ports->state_count = IB_BALL_STATES;
    ports->states = states;
    ports->signal_count = S_COUNT;
    ports->signals = signals;
    ports->geometry = look(config, arena, error);
    return ports->geometry ? IB_OK : IB_FAILED;
}

const ib_RobotKind ib_ball_kind = {
    .name = "ball",
    .sentence = "a ball on the floor, to be pushed: it slips, rolls and rolls out",
    .docs = "docs/ball.md",
    IB_ROBOT_TABLES(ib_BallConfig, ib_BallModel),
    .signals = &rows,
    IB_ROBOT_FUNCTIONS,
};
