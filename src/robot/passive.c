#include "robot/passive.h"

#include "robot/look.h"

void ib_passive_init(const ib_StateDef *states, int count, double mass, double inertia,
                     ib_PassiveModel *model)
{
    *model = (ib_PassiveModel){.mass = mass, .inertia = inertia};
    ib_planar_init(states, count, mass, inertia, &model->planar);
}

ib_RobotPorts ib_passive_ports(const ib_PassiveModel *model, double length, double width,
                               const ib_BumperConfig *bumper, double fastest)
{
    static const ib_ForceDef forces[] = {
        {"F_x", "force.floor.x", 0, 0, 1, 0, .in_field = true},
        {"F_y", "force.floor.y", 0, 0, 0, 1, .in_field = true},
    };
    return (ib_RobotPorts){
        .sum_from = IB_PASSIVE_E_FLOOR,
        .sum_to = IB_PASSIVE_STATES,
        .planar = &model->planar,
        .length = length,
        .width = width,
        .restitution = bumper->restitution,
        .yield_speed = bumper->yield_speed,
        .friction = bumper->friction,
        // RK4 follows e^(-z) to 1e-3 at z = 0.7.
        .resolution = 0.7 / (fastest * 9.80665 + 1e-9),
        .force_count = sizeof forces / sizeof forces[0],
        .forces = forces,
    };
}

double ib_passive_kinetic(const ib_PassiveModel *model, const double *state)
{
    double vx = state[IB_PLANAR_VX], vy = state[IB_PLANAR_VY], w = state[IB_PLANAR_W];
    return 0.5 * model->mass * (vx * vx + vy * vy) + 0.5 * model->inertia * w * w;
}

void ib_passive_reset(const ib_PassiveModel *model, const ib_PlanarConfig *start, double *state)
{
    ib_planar_reset(&model->planar, start, state);
    state[IB_PASSIVE_E_FLOOR] = state[IB_PASSIVE_E_COLLISION] = 0;
    state[IB_PASSIVE_E_PUSH] = ib_passive_kinetic(model, state);
}

void ib_passive_rate(const ib_PassiveModel *model, const ib_FloorForce *floor, const double *state,
                     const double *input, double *rate)
{
    double s, c, w = state[IB_PLANAR_W], vx = state[IB_PLANAR_VX], vy = state[IB_PLANAR_VY];
    ib_sincos(state[IB_PLANAR_TH], &s, &c);
    double px = input[IB_PUSH_X] + model->mass * input[IB_SLOPE_X];
    double py = input[IB_PUSH_Y] + model->mass * input[IB_SLOPE_Y];
    double torque = ib_push_torque(input, c, s);
    rate[IB_PLANAR_TH] = w;
    rate[IB_PLANAR_X] = vx;
    rate[IB_PLANAR_Y] = vy;
    rate[IB_PLANAR_VX] = (floor->fx + px) * model->planar.per_mass;
    rate[IB_PLANAR_VY] = (floor->fy + py) * model->planar.per_mass;
    rate[IB_PLANAR_W] = (floor->torque + torque) * model->planar.per_inertia;
    rate[IB_PASSIVE_E_FLOOR] = floor->power;
    rate[IB_PASSIVE_E_COLLISION] = 0;
    rate[IB_PASSIVE_E_PUSH] = px * vx + py * vy + torque * w;
}

void ib_passive_output(const ib_PassiveModel *model, const ib_FloorForce *floor, double kinetic,
                       const double *state, double *y)
{
    double s, c;
    ib_sincos(state[IB_PLANAR_TH], &s, &c);
    ib_planar_output(&model->planar, state, c, s, y);
    y[IB_PASSIVE_SIGNAL_FLOOR_X] = floor->fx;
    y[IB_PASSIVE_SIGNAL_FLOOR_Y] = floor->fy;
    y[IB_PASSIVE_SIGNAL_KINETIC] = kinetic;
    y[IB_PASSIVE_SIGNAL_FLOOR] = state[IB_PASSIVE_E_FLOOR];
    y[IB_PASSIVE_SIGNAL_COLLISION] = state[IB_PASSIVE_E_COLLISION];
    y[IB_PASSIVE_SIGNAL_PUSH] = state[IB_PASSIVE_E_PUSH];
}

// Friction and velocity are known in the field's directions: their arrows stand on a frame that
// moves with the body and does not turn.
const ib_Geometry *ib_passive_look(const ib_SolidDef *solids, int count, double height,
                                   const ib_MarkDef *mark, ib_Arena *arena, ib_Error *error)
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
    const ib_FrameDef frames[] = {
        ib_look_body,
        {.name = "floor", .place = {0, 0, 0.1 * height}, .move = {"pose.x", "pose.y", NULL}},
        {.name = "place", .parent = "floor", .place = {0, 0, height}},
    };
    ib_Geometry whole = {frames, 3, solids, count, arrows, 2, mark, mark != NULL};
    const ib_Geometry *kept = ib_look_keep(&whole, arena);
    if (!kept) ib_error_set(error, IB_FAILED, "out of memory for the robot's tables");
    return kept;
}
