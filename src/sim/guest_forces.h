// sim/guest_forces.h: what a shared world does to its guests. docs/world/mujoco.md
//
// The contacts of the shared world are solved for the state at the start of a piece, with each
// guest where it is, and the forces on the guests are held over the piece; a robot on the floor has
// them among its inputs, as a push. For signals they are solved at the state that is shown.
#ifndef IB_SIM_GUEST_FORCES_H
#define IB_SIM_GUEST_FORCES_H

#include "base/maths.h"
#include "sim/guests.h"
#include "sim/sim_inside.h"

// Of one simulation.
typedef struct ib__GuestRoom {
    ib_GuestState *states; ///< as they were gathered last
    ib_BodyState *movers;
    double (*wrenches)[6];
    // Forces on each robot on the floor: x, y, torque.
    double (*held)[3], (*seen)[3];
    double (*now)[3]; ///< the one of both that acts
} ib__GuestRoom;

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
void ib__guests_output(const ib_Sim *sim, double *signals); ///< while looking

// True if something pushes a robot on the floor now.
static inline bool ib__guests_pushed(const ib_Sim *sim, const ib_RobotModel *robot)
{
    const double *f = sim->guests->now[robot - sim->model->robots];
    return f[0] != 0 || f[1] != 0 || f[2] != 0;
}

// Adds that push to its inputs: cross and dot are such that the torque comes out at this heading.
static inline void ib__guests_push(const ib_Sim *sim, const ib_RobotModel *robot, double heading,
                                   double *input)
{
    const double *f = sim->guests->now[robot - sim->model->robots];
    double s, c;
    ib_sincos(heading, &s, &c);
    input[IB_PUSH_X] += f[0];
    input[IB_PUSH_Y] += f[1];
    input[IB_PUSH_CROSS] += f[2] * c;
    input[IB_PUSH_DOT] -= f[2] * s;
}

#endif
