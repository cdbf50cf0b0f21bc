// sim/loop/continuous.h: loops that act at every instant: laws inside the rates of the robots.
// Internal to sim/. docs/control/loops.md
//
// With x the states of a robot, z those of its continuous loops and r what is asked for,
//   y = output(x),   u = law(r, r', y, z) within its range,   x' = rate(x, u),   z' = law's rates
// u is no state and is held nowhere: whoever looks at a state finds it anew (ib__sim_rule in
// sim_inside.h). So y may not follow u at once, which is tried before a run.
#ifndef IB_SIM_LOOP_CONTINUOUS_H
#define IB_SIM_LOOP_CONTINUOUS_H

#include "sim/sim_inside.h"

// Which loops are continuous; their states, behind those of this robot; where these end, if it has
// such loops; how large they may be, and what shows them.
ib_Status ib__continuous_create(ib_Model *model, ib_Arena *arena, ib_Error *error);
void ib__continuous_lay_out(ib_Model *model, int robot);
bool ib__continuous_end(const ib_Model *model, const ib_RobotModel *robot, int *end);
void ib__continuous_limits(const ib_Model *model, double *limits, int *shown);

// Refuses a loop that measures anything but signals of its own robot; and, once all loops are
// connected, one that measures what follows the output of such a loop at once.
ib_Status ib__continuous_check(const ib_Model *model, const ib_ControlModel *control,
                               ib_Error *error);
ib_Status ib__continuous_check_loops(const ib_Model *model, ib_Error *error);

// Are its states, what it gives and its rates numbers that can be believed, in this state? What it
// shows then is in sim->shown.
bool ib__continuous_is_sound(const ib_Sim *sim, int loop, const double *state);

// Their states at t = 0, the inputs having been read; what one of them shows.
void ib__continuous_start(ib_Sim *sim);
void ib__continuous_output(const ib_Sim *sim, const ib_ControlModel *control, const double *state,
                           const double *input, double *signals);

#endif
