#include "robot/box.h"

#include "robot/look.h"

#include <stddef.h>

// ------------------------------------------------------------------------------------ declarations

#define NUMBER(key, unit, fallback, min, max, field, live, sentence)                               \
    {                                                                                              \
        key, IB_PARAM_NUMBER, unit, fallback, min, max, NULL, offsetof(ib_BoxConfig, field), live, \
            sentence                                                                               \
    }

static const ib_Param params[] = {
    NUMBER("mass", "kg", "5 kg", 1e-3, 1e4, mass, true, "mass of the box, evenly spread"),
    NUMBER("length", "m", "0.4 m", 1e-3, 100, length, false, "length of the box, along its own x"),
    NUMBER("width", "m", "0.4 m", 1e-3, 100, width, false, "width of the box, along its own y"),
    NUMBER("mu", "1", "0.5", 0, 10, mu, true, "friction coefficient with the floor"),
    NUMBER("slip_speed", "m/s", "0.02 m/s", 1e-4, 10, slip_speed, false,
           "speed around which the friction fades; below it the box creeps"),
    IB_BUMPER_ROWS(ib_BoxConfig, "its sides", false),
    IB_OUTFIT_ROWS(ib_BoxConfig),
};

static const ib_Param start[] = {IB_PLANAR_START_ROWS(offsetof(ib_BoxConfig, planar))};

enum {
    S_FLOOR_X = IB_PLANAR_SIGNALS,
    S_FLOOR_Y,
    S_KINETIC,
    S_FLOOR,
    S_COLLISION,
    S_PUSH,
    S_ERROR,
    S_COUNT,
};

static const ib_SignalDef signals[S_COUNT] = {
    IB_PLANAR_SIGNAL_ROWS,
    [S_FLOOR_X] = {"force.floor.x", "N", "friction force of the floor, field x", 0},
    [S_FLOOR_Y] = {"force.floor.y", "N", "friction force of the floor, field y", 0},
    [S_KINETIC] = {IB_NAME_ENERGY("kinetic"), "J",
                   "kinetic energy of the body, its rotation included", 0,
                   IB_MEANS(.role = IB_ROLE_STORED)},
    [S_FLOOR] = {IB_NAME_ENERGY("floor"), "J", "energy lost to the floor so far", 0,
                 IB_MEANS(.role = IB_ROLE_LOST)},
    [S_COLLISION] = {IB_NAME_ENERGY("collision"), "J",
                     "energy lost in contacts or handed to others so far; negative: received", 0,
                     IB_MEANS(.role = IB_ROLE_LOST)},
    [S_PUSH] = {IB_NAME_ENERGY("push"), "J",
                "energy given by pushes, slopes and the motion it started with, so far", 0,
                IB_MEANS(.role = IB_ROLE_GIVEN)},
    [S_ERROR] = {IB_NAME_ENERGY("error"), "J", "error of the energy book: push - all the others", 0,
                 IB_MEANS(.role = IB_ROLE_BALANCE)},
};
static const ib_SignalRows rows = {signals, S_COUNT};

static const ib_ForceDef forces[] = {
    {"F_x", "force.floor.x", 0, 0, 1, 0, .in_field = true},
    {"F_y", "force.floor.y", 0, 0, 0, 1, .in_field = true},
};

static const ib_StateDef states[IB_BOX_STATES] = {
    IB_PLANAR_STATE_ROWS,
    [IB_BOX_E_FLOOR] = {.signal = IB_NAME_ENERGY("floor")},
    [IB_BOX_E_COLLISION] = {IB_NAME_ENERGY("collision"), IB_STATE_CONTACT_ENERGY},
    [IB_BOX_E_PUSH] = {IB_NAME_ENERGY("push"), IB_STATE_PUSH_ENERGY},
};

// ----------------------------------------------------------------------------------------- physics

void ib_box_init(const ib_BoxConfig *config, ib_BoxModel *box)
{
    double l2 = config->length * config->length, w2 = config->width * config->width;
    double mass = config->mass + config->outfit.carried;
    *box = (ib_BoxModel){
        .mass = mass,
        // A uniform plate, and what stands on it.
        .inertia = config->mass * (l2 + w2) / 12 + config->outfit.carried_inertia,
        .mu = config->mu,
        .per_slip = 1 / config->slip_speed,
        .foot_x = config->length * 0.28867513459481287, // 1/sqrt(12)
        .foot_y = config->width * 0.28867513459481287,
    };
    // A spin fades like a slide; faster, where what it carries presses on the feet and
    // has no inertia.
    box->fastest = config->mu / config->slip_speed * (mass / config->mass);
    ib_planar_init(states, IB_BOX_STATES, box->mass, box->inertia, &box->planar);
}

static void rate(const void *model, const double *state, const double *input, double *dx)
{
    const ib_BoxModel *box = model;
    double s, c, w = state[IB_PLANAR_W], vx = state[IB_PLANAR_VX], vy = state[IB_PLANAR_VY];
    ib_sincos(state[IB_PLANAR_TH], &s, &c);
    ib_BoxFloor floor = ib_box_floor(box, state, input[IB_GRAVITY]);
    double px = input[IB_PUSH_X] + box->mass * input[IB_SLOPE_X];
    double py = input[IB_PUSH_Y] + box->mass * input[IB_SLOPE_Y];
    double torque = ib_push_torque(input, c, s);
    dx[IB_PLANAR_TH] = w;
    dx[IB_PLANAR_X] = vx;
    dx[IB_PLANAR_Y] = vy;
    dx[IB_PLANAR_VX] = (floor.fx + px) * box->planar.per_mass;
    dx[IB_PLANAR_VY] = (floor.fy + py) * box->planar.per_mass;
    dx[IB_PLANAR_W] = (floor.torque + torque) * box->planar.per_inertia;
    dx[IB_BOX_E_FLOOR] = floor.power;
    dx[IB_BOX_E_COLLISION] = 0;
    dx[IB_BOX_E_PUSH] = px * vx + py * vy + torque * w;
}

static double kinetic(const ib_BoxModel *box, const double *state)
{
    double vx = state[IB_PLANAR_VX], vy = state[IB_PLANAR_VY], w = state[IB_PLANAR_W];
    return 0.5 * box->mass * (vx * vx + vy * vy) + 0.5 * box->inertia * w * w;
}

static void output(const void *model, const double *state, const double *input, double *y)
{
    const ib_BoxModel *box = model;
    double s, c;
    ib_sincos(state[IB_PLANAR_TH], &s, &c);
    ib_BoxFloor floor = ib_box_floor(box, state, input[IB_GRAVITY]);
    ib_planar_output(&box->planar, state, c, s, y);
    y[S_FLOOR_X] = floor.fx;
    y[S_FLOOR_Y] = floor.fy;
    y[S_KINETIC] = kinetic(box, state);
    y[S_FLOOR] = state[IB_BOX_E_FLOOR];
    y[S_COLLISION] = state[IB_BOX_E_COLLISION];
    y[S_PUSH] = state[IB_BOX_E_PUSH];
    // `reset` put the kinetic energy of the start into the push account.
    y[S_ERROR] = y[S_PUSH] - y[S_KINETIC] - y[S_FLOOR] - y[S_COLLISION];
}

static void reset(const void *config_, const void *model, double *state)
{
    const ib_BoxConfig *config = config_;
    const ib_BoxModel *box = model;
    ib_planar_reset(&box->planar, &config->planar, state);
    state[IB_BOX_E_FLOOR] = state[IB_BOX_E_COLLISION] = 0;
    state[IB_BOX_E_PUSH] = kinetic(box, state); // what it was given before the run began
}

// ------------------------------------------------------------------------------------------- ports

// A crate with two battens on its lid, along its own x. Friction and velocity are known in the
// field's directions: their arrows stand on a frame that moves with it and does not turn.
static const ib_Geometry *look(const ib_BoxConfig *config, ib_Arena *arena)
{
    static const ib_ArrowDef arrows[] = {
        {.name = "velocity",
         .frame = "place",
         .kind = IB_ARROW_VELOCITY,
         .signal = {"velocity.x", "velocity.y", NULL},
         .along = {{1, 0, 0}, {0, 1, 0}}},
        {.name = "F_floor",
         .frame = "floor",
         .kind = IB_ARROW_FORCE,
         .signal = {"force.floor.x", "force.floor.y", NULL},
         .along = {{1, 0, 0}, {0, 1, 0}}},
    };
    double l = config->length, w = config->width, h = 0.8 * fmin(l, w), t = 0.06 * h;
    const ib_FrameDef frames[] = {
        ib_look_body,
        {.name = "floor", .place = {0, 0, 0.1 * h}, .move = {"pose.x", "pose.y", NULL}},
        {.name = "place", .parent = "floor", .place = {0, 0, h}},
    };
    const ib_SolidDef solids[] = {
        {"crate",
         "body",
         IB_SOLID_BOX,
         {0, 0, h / 2},
         {0},
         {l, w, h},
         .colour = IB_COLOUR_WOOD,
         .livery = true},
        {"left batten",
         "body",
         IB_SOLID_BOX,
         {0, 0.3 * w, h + t / 2},
         {0},
         {l, 0.15 * w, t},
         .colour = IB_COLOUR_BATTEN},
        {"right batten",
         "body",
         IB_SOLID_BOX,
         {0, -0.3 * w, h + t / 2},
         {0},
         {l, 0.15 * w, t},
         .colour = IB_COLOUR_BATTEN},
    };
    const ib_MarkDef centre = {"centre of mass", "body", {0, 0, h / 2}, {NULL}};
    ib_Geometry whole = {frames, 3, solids, 3, arrows, 2, &centre, 1};
    return ib_look_keep(&whole, arena);
}

static ib_Status init(const void *config_, ib_Arena *arena, void *model, ib_RobotPorts *ports,
                      ib_Error *error)
{
    const ib_BoxConfig *config = config_;
    ib_BoxModel *box = model;
    ib_box_init(config, box);
    *ports = (ib_RobotPorts){
        .state_count = IB_BOX_STATES,
        .states = states,
        .sum_from = IB_BOX_E_FLOOR,
        .sum_to = IB_BOX_STATES,
        .signal_count = S_COUNT,
        .signals = signals,
        .planar = &box->planar,
        .length = config->length,
        .width = config->width,
        .restitution = config->bumper.restitution,
        .yield_speed = config->bumper.yield_speed,
        .friction = config->bumper.friction,
        // RK4 follows e^(-z) to 1e-3 at z = 0.7.
        .resolution = 0.7 / (box->fastest * 9.80665 + 1e-9),
        .geometry = look(config, arena),
        .force_count = sizeof forces / sizeof forces[0],
        .forces = forces,
    };
    if (!ports->geometry)
        return ib_error_set(error, IB_FAILED, "out of memory for the robot's tables");
    return IB_OK;
}

const ib_RobotKind ib_box_kind = {
    .name = "box",
    .sentence = "a box on the floor, to be pushed: no drive, floor friction",
    .docs = "docs/box.md",
    IB_ROBOT_TABLES(ib_BoxConfig, ib_BoxModel),
    .params.idle = ib_outfit_idle,
    .signals = &rows,
    .outfits = true,
    IB_ROBOT_FUNCTIONS,
};
