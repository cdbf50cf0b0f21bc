// control/leg/walk_signals.h: the signals of a robot that walks, and its legs as a base, between
// walk_signals.c and walk_controller.c.
#ifndef IB_CONTROL_WALK_SIGNALS_H
#define IB_CONTROL_WALK_SIGNALS_H

#include "control/controller.h"
#include "control/leg/walk.h"

// Its goals behind those of the twist, in the order of its commands.
enum {
    IB__WALK_HEIGHT = IB_WALK_TWIST,
    IB__WALK_PITCH,
    IB__WALK_ROLL,
    IB__WALK_GAIT,
    IB__WALK_GOALS
};

// Declares its signals; false: out of memory, as below.
bool ib__walk_signals(const ib_Walk *walk, const ib_ControlSite *site, ib_Arena *arena,
                      ib_ControlPorts *ports);
void ib__walk_show(const ib_WalkState *state, double *signals);
// The legs as a base: its velocities are goals, its rims the ways that the legs tell. Commands and
// signals are declared.
bool ib__walk_base(const ib_Walk *walk, const ib_ControlSite *site, ib_Arena *arena,
                   ib_ControlPorts *ports);

#endif
