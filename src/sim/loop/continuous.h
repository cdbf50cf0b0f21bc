// sim/loop/continuous.h: loops that act at every instant: laws inside the rates of the robots.
// Internal to sim/. docs/control/loops.md
//
// With x the states of a robot, z those of its continuous loops and r the references,
//   y = output(x),   u = law(r, r', y, z) within its range,   x' = rate(x, u),   z' = law's rates
// u is no state and is stored nowhere: every evaluation of a state computes it anew
// (ib__sim_apply_continuous in sim_inside.h). Direct feedthrough from u to y is therefore refused,
// by a trial before a run.
#ifndef IB_SIM_LOOP_CONTINUOUS_H
#define IB_SIM_LOOP_CONTINUOUS_H

#include "sim/sim_inside.h"

// The continuous loops and their states, after those of this robot; the end of these, if it has
// such loops; their limits and signals.
ib_Status ib__continuous_create(ib_Model *model, ib_Arena *arena, ib_Error *error);
void ib__continuous_lay_out(ib_Model *model, int robot);
bool ib__continuous_end(const ib_Model *model, const ib_RobotModel *robot, int *end);
void ib__continuous_limits(const ib_Model *model, double *limits, int *shown);

// Refuses a loop that measures anything but signals of its own robot; and, once all loops are
// connected, one that measures a signal with direct feedthrough from such a loop.
ib_Status ib__continuous_check(const ib_Model *model, const ib_ControlModel *control,
                               ib_Error *error);
ib_Status ib__continuous_check_loops(const ib_Model *model, ib_Error *error);

// True if its states, outputs and rates are plausible numbers in this state. Its signals are then
// in sim->shown.
bool ib__continuous_is_sound(const ib_Sim *sim, int loop, const double *state);

// Their states at t = 0, after the inputs were read; the signals of one of them.
void ib__continuous_start(ib_Sim *sim);
void ib__continuous_output(const ib_Sim *sim, const ib_ControlModel *control, const double *state,
                           const double *input, double *signals);

#endif
