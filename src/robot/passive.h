// robot/passive.h: a body on the floor without a drive, to be pushed: what box, disc and ball
// share. Here is what it shows, what it does under a given force of the floor, its energy book
// and its looks; the force of the floor is each kind's own.
//
//   push (with the kinetic energy at the start) = kinetic + floor + collision
//
//   symbol       meaning                                      unit
//   x, y, th     centre and heading, field frame              m, m, rad
//   vx, vy, w    velocity and yaw rate, field frame           m/s, m/s, rad/s
//   m, I         mass, inertia about the vertical             kg, kg m^2
#ifndef IB_ROBOT_PASSIVE_H
#define IB_ROBOT_PASSIVE_H

#include "robot/planar.h"

typedef struct ib_PassiveModel {
    ib_PlanarModel planar;
    double mass, inertia; ///< with what it carries [kg, kg m^2], > 0
} ib_PassiveModel;

// What the floor does to the body.
typedef struct ib_FloorForce {
    double fx, fy, torque; ///< on the body, field frame, about the vertical [N, N, N m]
    double power;          ///< lost [W], >= 0
} ib_FloorForce;

// ------------------------------------------------------------------------------------------ tables

// The first states of a passive body; its own follow.
enum {
    IB_PASSIVE_E_FLOOR = IB_PLANAR_STATES, ///< energy lost to the floor [J]
    IB_PASSIVE_E_COLLISION,                ///< energy given away in contacts [J]
    IB_PASSIVE_E_PUSH,                     ///< energy given by pushes and slopes [J]
    IB_PASSIVE_STATES,
};

#define IB_PASSIVE_STATE_ROWS                                                                      \
    IB_PLANAR_STATE_ROWS, [IB_PASSIVE_E_FLOOR] = {.signal = IB_NAME_ENERGY("floor")},              \
                          [IB_PASSIVE_E_COLLISION] = {IB_NAME_ENERGY("collision"),                 \
                                                      IB_STATE_CONTACT_ENERGY},                    \
                          [IB_PASSIVE_E_PUSH] = {IB_NAME_ENERGY("push"), IB_STATE_PUSH_ENERGY}

// The first signals of a passive body; its own follow.
enum {
    IB_PASSIVE_SIGNAL_FLOOR_X = IB_PLANAR_SIGNALS,
    IB_PASSIVE_SIGNAL_FLOOR_Y,
    IB_PASSIVE_SIGNAL_KINETIC,
    IB_PASSIVE_SIGNAL_FLOOR,
    IB_PASSIVE_SIGNAL_COLLISION,
    IB_PASSIVE_SIGNAL_PUSH,
    IB_PASSIVE_SIGNAL_ERROR,
    IB_PASSIVE_SIGNALS,
};

#define IB_PASSIVE_SIGNAL_ROWS                                                                     \
    IB_PLANAR_SIGNAL_ROWS,                                                                         \
        [IB_PASSIVE_SIGNAL_FLOOR_X] = {"force.floor.x", "N",                                       \
                                       "friction force of the floor, field x", 0},                 \
        [IB_PASSIVE_SIGNAL_FLOOR_Y] = {"force.floor.y", "N",                                       \
                                       "friction force of the floor, field y", 0},                 \
        [IB_PASSIVE_SIGNAL_KINETIC] = {IB_NAME_ENERGY("kinetic"), "J",                             \
                                       "kinetic energy of the body, its rotation included", 0,     \
                                       IB_MEANS(.role = IB_ROLE_STORED)},                          \
        [IB_PASSIVE_SIGNAL_FLOOR] = {IB_NAME_ENERGY("floor"), "J",                                 \
                                     "energy lost to the floor so far", 0,                         \
                                     IB_MEANS(.role = IB_ROLE_LOST)},                              \
        [IB_PASSIVE_SIGNAL_COLLISION] =                                                            \
            {IB_NAME_ENERGY("collision"), "J",                                                     \
             "energy lost in contacts or handed to others so far; negative: received", 0,          \
             IB_MEANS(.role = IB_ROLE_LOST)},                                                      \
        [IB_PASSIVE_SIGNAL_PUSH] =                                                                 \
            {IB_NAME_ENERGY("push"), "J",                                                          \
             "energy given by pushes, slopes and the motion it started with, so far", 0,           \
             IB_MEANS(.role = IB_ROLE_GIVEN)},                                                     \
        [IB_PASSIVE_SIGNAL_ERROR] = {IB_NAME_ENERGY("error"), "J",                                 \
                                     "error of the energy book: push - all the others", 0,         \
                                     IB_MEANS(.role = IB_ROLE_BALANCE)}

// --------------------------------------------------------------------------------------- functions

// Mass and inertia, with what it carries; `states` are those of the kind.
void ib_passive_init(const ib_StateDef *states, int count, double mass, double inertia,
                     ib_PassiveModel *model);

// Ports of a body with this outline [m] and bumper, whose friction settles at the rate `fastest`
// [1/s] under 1 m/s^2 of gravity. The kind adds its states, its signals and its look.
ib_RobotPorts ib_passive_ports(const ib_PassiveModel *model, double length, double width,
                               const ib_BumperConfig *bumper, double fastest);

// Kinetic energy of motion and turn in the plane [J].
double ib_passive_kinetic(const ib_PassiveModel *model, const double *state);

// Pose, velocity, and a book that says the kinetic energy in the plane was given before the run.
void ib_passive_reset(const ib_PassiveModel *model, const ib_PlanarConfig *start, double *state);

// Rates of the IB_PASSIVE_STATES:  m v' = F_floor + pushes + m slope,  I w' = torques
void ib_passive_rate(const ib_PassiveModel *model, const ib_FloorForce *floor, const double *state,
                     const double *input, double *rate);

// The IB_PASSIVE_SIGNALS; `kinetic` [J] is all that is stored in motion.
void ib_passive_output(const ib_PassiveModel *model, const ib_FloorForce *floor, double kinetic,
                       const double *state, double *signals);

// The look of a body of this height [m] that is made of these solids, with arrows for velocity and
// friction and a mark, unless that is NULL; a copy in `arena`. NULL without memory, which `error`
// then says.
const ib_Geometry *ib_passive_look(const ib_SolidDef *solids, int count, double height,
                                   const ib_MarkDef *mark, ib_Arena *arena, ib_Error *error);

#endif
