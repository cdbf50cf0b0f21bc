// sim/guests.h: bodies that MuJoCo does not move in the world of robots on legs: robots on wheels,
// moving elements of the field, robots with a world of their own. docs/world/mujoco.md
//
// The contacts of the shared world are solved for the state at the start of a piece, with each
// guest where it is, and the forces on the guests are held over the piece; a robot on the floor has
// them among its inputs, as a push. For signals they are solved at the state that is shown.
#ifndef IB_SIM_GUESTS_H
#define IB_SIM_GUESTS_H

#include "robot/rigid_guest.h"
#include "sim/sim_inside.h"

// A guest, by its number in the shared world.
typedef struct ib__Guest {
    int robot; ///< -1: an element of the field,
    int mover; ///< which has this number among those that move
    int body;  ///< of a robot with a world of its own
} ib__Guest;

typedef struct ib__Guests {
    int count;
    ib__Guest *items;
} ib__Guests;

// Signals of a robot on the floor beside a shared world, from its legs_signal on.
enum { IB_LEGS_X, IB_LEGS_Y, IB_LEGS_TORQUE, IB_LEGS_SIGNALS };

// The guests of a model in which something shares a world: `list` for that world.
ib_Status ib__guests_find(const ib_Model *model, ib_Arena *arena, ib__Guests **guests,
                          ib_RigidGuest **list, ib_Error *error);
// Their signals, once the world is made.
ib_Status ib__guests_signals(ib_Model *model, ib_Error *error);

// Memory of one simulation, behind the workspaces of its robots; false: there is none.
bool ib__guests_room(ib_Sim *sim);

// Forces on all guests `from` seconds after the step's start, for a piece `ahead` seconds long:
// held from now on.
void ib__guests_hold(ib_Sim *sim, const double *state, double from, double ahead);
// Forces on robots with worlds of their own, for their next step from this state.
void ib__guests_press(const ib_Sim *sim, double from, const double *state, const double *input);

// Forces at this state, for signals, until looking away.
void ib__guests_look(const ib_Sim *sim, const double *state, const double *input);
void ib__guests_look_away(const ib_Sim *sim);

// Adds the present push on a robot on the floor, at this heading, to its inputs.
bool ib__guests_pushed(const ib_Sim *sim, const ib_RobotModel *robot);
void ib__guests_push(const ib_Sim *sim, const ib_RobotModel *robot, double heading, double *input);

// Where all of them are, as they were gathered last; NULL: there are none.
const ib_GuestState *ib__guests_states(const ib_Sim *sim);

void ib__guests_output(const ib_Sim *sim, double *signals); ///< while looking

#endif
