// robot/rigid/rigid_inside.h: parts of a step of robot/rigid/rigid.c, for a robot that is alone and
// for several in one world (robot/rigid/rigid_group.c).
#ifndef IB_ROBOT_RIGID_INSIDE_H
#define IB_ROBOT_RIGID_INSIDE_H

#include "robot/rigid/rigid.h"

// Memory of one simulation of one robot.
typedef struct ib__RigidRoom {
    ib_MujocoWorkspace *world; ///< its own, or its share of one
    const ib_PartsModel *of;   ///< whose forces are solved; NULL: none are
    double *state, *input;     ///< for this state and these inputs
    double *stage, *rate[2];   ///< of parts with rates
    double *outer;             ///< pushes from outside on each body's centre of mass, 6;
    double *outer_solved;      ///< those that were solved; NULL: there are none
    ib_Instant *then;          ///< the wires of a stage
    ib_Instant now;            ///< those that were solved
} ib__RigidRoom;

ib__RigidRoom *ib__rigid_room(const ib_PartsModel *r, ib_MujocoWorkspace *world, ib_Arena *arena);

// True if its forces are solved for this state and these inputs.
bool ib__rigid_is_solved(const ib_PartsModel *r, ib__RigidRoom *room, const double *x,
                         const double *input);

// An instant: offers, before the bodies are placed; then bus, air and pushes, before the
// accelerations are found.
void ib__rigid_offer(const ib_PartsModel *r, ib__RigidRoom *room, const double *x,
                     const double *input);
void ib__rigid_push(const ib_PartsModel *r, ib__RigidRoom *room);

// The end of a step, behind MuJoCo's `next`: the heading, then the parts and their modes.
void ib__rigid_turn(const ib_PartsModel *r, const ib__RigidRoom *room, double *next);
void ib__rigid_move_parts(const ib_PartsModel *r, ib__RigidRoom *room, double h, double *next);

// All signals; not solved: after a failed run the state is known, and forces are not.
void ib__rigid_show(const ib_PartsModel *r, const ib__RigidRoom *room, const double *x, bool solved,
                    double *y);

#endif
