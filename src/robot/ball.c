#include "robot/ball.h"

#include "base/extreme.h"
#include "robot/loose.h"
#include "robot/solid.h"

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

enum { S_ROLL_X, S_ROLL_Y, S_SLIP, S_COUNT };

static const ib_SignalDef signals[S_COUNT] = {
    [S_ROLL_X] = {"roll.x", "rad/s", "rate of roll about field x; rolling towards -y is positive",
                  1e7, IB_MEANS(.form = IB_STATE)},
    [S_ROLL_Y] = {"roll.y", "rad/s", "rate of roll about field y; rolling towards +x is positive",
                  1e7, IB_MEANS(.form = IB_STATE)},
    [S_SLIP] = {"slip.speed", "m/s", "speed of its lowest point over the floor; 0: it rolls", 0},
};

static const ib_SignalRows rows = {signals, S_COUNT};

// ----------------------------------------------------------------------------------------- physics

void ib_ball_init(const ib_BallConfig *config, ib_BallModel *ball)
{
    double r = config->diameter / 2;
    *ball = (ib_BallModel){
        .inertia = config->inertia_factor * config->mass * r * r,
        .radius = r,
        .mu = config->mu,
        .per_slip = 1 / config->slip_speed,
        .rolling = config->rolling,
        .spinning = config->spinning,
    };
}

// Rate at which friction settles, at 1 m/s^2 of gravity [1/s]. Near rolling, in speeds v and u =
// r q:
//   v' = -(mu/vs) (v - u),   k u' = (mu/vs) (v - u) - (cr/vs) u
// The two rates add up to (mu (1 + 1/k) + cr/k)/vs, which neither exceeds; the spin's is cs/(k vs).
// Mass and radius are in none of them.
static double fastest(const ib_BallConfig *config)
{
    double k = config->inertia_factor;
    double slip = config->mu * (1 + 1 / k) + config->rolling / k, spin = config->spinning / k;
    return ib_max(slip, spin) / config->slip_speed;
}

static void push(const void *part, void *notes, ib_Wires *w)
{
    const ib_BallModel *ball = part;
    ib_BallFloor *floor = notes;
    ib_FloorMotion motion = ib_passive_motion(&w->body);
    *floor = ib_ball_floor(ball, &motion, w->x[ball->roll[0]], w->x[ball->roll[1]]);
    ib_passive_push(&floor->force, &w->body);
}

// A ball turns alike about all axes: no gyroscopic torque,  I (p, q, w)' = torque.
static void rate(const void *part, const void *notes, ib_Wires *w, double *dx)
{
    const ib_BallModel *ball = part;
    const ib_BallFloor *floor = notes;
    (void)w;
    dx[ball->body.lost] += floor->force.power;
    dx[ball->roll[0]] = floor->torque_x / ball->inertia;
    dx[ball->roll[1]] = floor->torque_y / ball->inertia;
}

static double kinetic_of_roll(const ib_BallModel *ball, const double *x)
{
    double p = x[ball->roll[0]], q = x[ball->roll[1]];
    return 0.5 * ball->inertia * (p * p + q * q);
}

static void output(const void *part, const void *notes, const ib_Wires *w, double *y)
{
    const ib_BallModel *ball = part;
    const ib_BallFloor *floor = notes;
    ib_passive_output(&ball->body, &floor->force, y);
    y[ball->kinetic] += kinetic_of_roll(ball, w->x);
    y[ball->slip] = floor->slip;
}

static void reset(const void *part, const void *config_, const ib_Wires *w, double *x)
{
    const ib_BallConfig *config = config_;
    const ib_BallModel *ball = part;
    (void)w;
    if (config->motion != IB_BALL_ROLLING) return;
    x[ball->roll[0]] = -config->planar.velocity_y / ball->radius;
    x[ball->roll[1]] = config->planar.velocity_x / ball->radius;
}

static double kinetic(const void *part, const ib_Wires *w)
{
    return kinetic_of_roll(part, w->x);
}

static const ib_PartKind rolling_part = {.name = "rolling",
                                         .notes = sizeof(ib_BallFloor),
                                         .reset = reset,
                                         .push = push,
                                         .rate = rate,
                                         .output = output,
                                         .kinetic = kinetic};

// ------------------------------------------------------------------------------------------- ports

// A ball, which is a capsule of next to no length. Its colour is that of a warning while it slips.
// Its attitude is no state: it turns with its heading and does not visibly roll.
static ib_SolidDef draw(const ib_BallConfig *config)
{
    double r = config->diameter / 2;
    return (ib_SolidDef){.name = "ball",
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
}

static ib_Status look(const ib_BallConfig *config, ib_Build *build, ib_Error *error)
{
    ib_SolidDef ball = draw(config);
    return ib_passive_geometry(&ball, 1, config->diameter, NULL, build, error);
}

static ib_Status build(const void *config_, ib_Build *build, void *model, ib_Error *error)
{
    const ib_BallConfig *config = config_;
    ib_BallModel *ball = model;
    ib_Declarations *d = build->d;
    ib_ball_init(config, ball);
    ib_passive_declare(build, config->mass, ball->inertia, offsetof(ib_BallConfig, planar),
                       &ball->body);
    ib_declare_find(d, IB_NAME_ENERGY("kinetic"), &ball->kinetic);
    ib_declare(d, "", NULL, signals, S_SLIP, ball->roll);
    ib_declare(d, "", NULL, &signals[S_SLIP], 1, &ball->slip);
    ib_passive_ports(build, config->diameter, config->diameter, &config->bumper, fastest(config));
    ib_build_part(build, &rolling_part, ball);
    build->ports->round = true;
    return look(config, build, error);
}

// It is drawn with a stripe, by which one sees it roll.
static ib_Status build_loose(const void *config_, ib_Build *build, void *model, ib_Error *error)
{
    const ib_BallConfig *config = config_;
    double d = config->diameter, own = config->inertia_factor * config->mass * 0.25 * d * d;
    const ib_Loose loose = {.form = IB_LOOSE_BALL,
                            .mass = config->mass,
                            .size = {d, d, d},
                            .inertia = {own, own, own},
                            .mu = config->mu,
                            .rolling = config->rolling,
                            .spinning = config->spinning,
                            .start = config->planar,
                            .rolls = config->motion == IB_BALL_ROLLING};
    ib_SolidDef solids[] = {draw(config),
                            ib_solid_upright("stripe", "body", (double[]){0, 0, 0.5 * d}, 0.1 * d,
                                             1.01 * d, IB_COLOUR_DARK)};
    solids[0].tint = NULL;
    return ib_loose_build(&loose, solids, 2, build, model, error);
}

#define SENTENCE "a ball on the floor, to be pushed: it slips, rolls and rolls out"

static const ib_RobotKind loose_kind = {
    .name = "ball",
    .sentence = SENTENCE,
    .docs = "docs/robot/passive.md",
    IB_ROBOT_TABLES(ib_BallConfig, ib_LooseModel),
    IB_LOOSE_ENTRIES,
    .build = build_loose,
};

const ib_RobotKind ib_ball_kind = {
    .name = "ball",
    .sentence = SENTENCE,
    .docs = "docs/robot/passive.md",
    .rigid = &loose_kind,
    IB_ROBOT_TABLES(ib_BallConfig, ib_BallModel),
    .signals = &rows,
    .build = build,
};
