#include "robot/passive.h"

#include "robot/solid.h"

static const ib_SignalDef forces[] = {
    {"force.floor.x", "N", "friction force of the floor, field x", 0},
    {"force.floor.y", "N", "friction force of the floor, field y", 0},
};
static const ib_SignalDef book[] = {
    {IB_NAME_ENERGY("kinetic"), "J", "kinetic energy of the body, its rotation included", 0,
     IB_MEANS(.role = IB_ROLE_STORED)},
    {IB_NAME_ENERGY("floor"), "J", "energy lost to the floor so far", 0,
     IB_MEANS(.role = IB_ROLE_LOST, .form = IB_SUM)},
    {IB_NAME_ENERGY("collision"), "J",
     "energy lost in contacts or handed to others so far; negative: received", 0,
     IB_MEANS(.role = IB_ROLE_LOST, .form = IB_SUM)},
    {IB_NAME_ENERGY("push"), "J",
     "energy given by pushes, slopes and the motion it started with, so far", 0,
     IB_MEANS(.role = IB_ROLE_GIVEN, .form = IB_SUM)},
    {IB_NAME_ENERGY("error"), "J", "error of the energy balance: push - all the others", 0,
     IB_MEANS(.role = IB_ROLE_BALANCE)},
};
const ib_SignalRows ib_passive_signals = {book, sizeof book / sizeof *book};

void ib_passive_declare(ib_Build *build, double mass, double inertia, size_t start,
                        ib_Passive *passive)
{
    ib_build_body(build, false, mass, inertia, start);
    passive->force = build->d->signals.count;
    ib_declare(build->d, "", NULL, forces, sizeof forces / sizeof *forces, NULL);
    ib_build_book(build, book, sizeof book / sizeof *book);
    ib_declare_find(build->d, IB_NAME_ENERGY("floor"), &passive->lost);
}

void ib_passive_ports(ib_Build *build, double length, double width, const ib_BumperConfig *bumper,
                      double fastest)
{
    static const ib_ForceDef arrows[] = {
        {"F_x", "force.floor.x", 0, 0, 1, 0, .in_field = true},
        {"F_y", "force.floor.y", 0, 0, 0, 1, .in_field = true},
    };
    ib_RobotPorts *ports = build->ports;
    ib_build_outline(build, length, width, bumper);
    // RK4 follows e^(-z) to 1e-3 at z = 0.7.
    ports->resolution = 0.7 / (fastest * 9.80665 + 1e-9);
    ports->force_count = sizeof arrows / sizeof arrows[0];
    ports->forces = arrows;
}

ib_FloorMotion ib_passive_motion(const ib_BodyWires *b)
{
    return (ib_FloorMotion){.c = b->c,
                            .s = b->s,
                            .vx = b->v.u * b->c - b->v.n * b->s,
                            .vy = b->v.u * b->s + b->v.n * b->c,
                            .w = b->v.w,
                            .weight = b->weight.force};
}

void ib_passive_push(const ib_FloorForce *floor, ib_BodyWires *b)
{
    b->force.fx += floor->fx * b->c + floor->fy * b->s;
    b->force.fy += floor->fy * b->c - floor->fx * b->s;
    b->force.torque += floor->torque;
}

void ib_passive_output(const ib_Passive *passive, const ib_FloorForce *floor, double *signals)
{
    signals[passive->force] = floor->fx;
    signals[passive->force + 1] = floor->fy;
}

// Friction and velocity are known in the field's directions: their arrows stand on a frame that
// moves with the body and does not turn.
ib_Status ib_passive_geometry(const ib_SolidDef *solids, int count, double height,
                              const ib_MarkDef *mark, ib_Build *build, ib_Error *error)
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
        ib_frame_body,
        {.name = "floor", .place = {0, 0, 0.1 * height}, .move = {"pose.x", "pose.y", NULL}},
        {.name = "place", .parent = "floor", .place = {0, 0, height}},
    };
    ib_Geometry whole = {frames, 3, solids, count, arrows, 2, mark, mark != NULL};
    build->ports->geometry = ib_geometry_keep(&whole, build->arena);
    if (build->ports->geometry) return IB_OK;
    return ib_error_set(error, IB_FAILED, "out of memory for the robot's tables");
}
