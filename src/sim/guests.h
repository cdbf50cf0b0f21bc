// sim/guests.h: bodies that MuJoCo does not move in the world of robots on legs: robots on wheels,
// moving elements of the field, robots with a world of their own. docs/world/mujoco.md
#ifndef IB_SIM_GUESTS_H
#define IB_SIM_GUESTS_H

#include "robot/rigid/rigid_guest.h"
#include "sim/model.h"

// A guest, by its number in the shared world.
typedef struct ib__Guest {
    int robot; ///< -1: an element of the field,
    int mover; ///< which has this number among those that move
    int body;  ///< of a robot with a world of its own; of an element its number
} ib__Guest;

typedef struct ib__Guests {
    int count;
    ib__Guest *items;
} ib__Guests;

// Signals of a robot on the floor beside a shared world, from its legs_signal on.
enum { IB_LEGS_X, IB_LEGS_Y, IB_LEGS_TORQUE, IB_LEGS_SIGNALS };

// The guests of a model in which something shares a world: `list` for that world; NULL: none.
ib_Status ib__guests_find(const ib_Model *model, ib_Arena *arena, ib__Guests **guests,
                          ib_RigidGuest **list, ib_Error *error);
// Their signals, once the world is made.
ib_Status ib__guests_signals(ib_Model *model, ib_Error *error);

// True if MuJoCo moves it in a world of its own beside a shared one.
static inline bool ib__guests_has_world(const ib_RobotModel *robot)
{
    return robot->kind->integrator == &ib_rigid_integrator && !robot->kind->shares;
}

// Where a robot on the floor is, and an element that is moved by this.
void ib__guests_flat(const ib_PlanarModel *planar, const double *own, ib_GuestState *state);
void ib__guests_moved(const ib_ElementConfig *e, const ib_BodyState *by, ib_GuestState *state);

#endif
