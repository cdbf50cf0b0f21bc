// sim/loop/gather.h: all samples of a sensor between two ticks of a loop that integrates it.
// A loop that sees one sample a tick wastes the others of a faster sensor, and takes those of a
// slower one for new. docs/control/loops.md, "Sensors of other periods"
//
// The state of each is part of the loop's:
//   [ integral since the last tick, up to the newest sample | newest sample | mean before that ]
#ifndef IB_SIM_LOOP_GATHER_H
#define IB_SIM_LOOP_GATHER_H

#include "sim/sim_inside.h"

enum { IB__GATHER_INTEGRAL, IB__GATHER_NEWEST, IB__GATHER_MEAN, IB__GATHER_STATES };

// Lays out the states of a loop's gathers at the end of the flat state.
void ib__gather_lay_out(ib_Model *model, ib_ControlModel *control);

// Lists the integrals of the loops, once all of them are connected.
ib_Status ib__gather_connect(ib_Model *model, ib_Arena *arena, ib_Error *error);

// At a tick of a loop: the integral of a measurement since its last tick, which then begins anew,
// and the loop's present value of the measurement: of a faster sensor by all samples of its last
// two periods, or else the newest sample, unchanged.
double ib__gather_take(const ib_Sim *sim, const ib_ControlModel *control, int measurement,
                       double *state, double *seen);

#endif
