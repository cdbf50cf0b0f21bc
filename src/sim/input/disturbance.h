// sim/input/disturbance.h: pushes, tilts and faults as an input source like any other.
#ifndef IB_SIM_INPUT_DISTURBANCE_H
#define IB_SIM_INPUT_DISTURBANCE_H

#include "sim/model.h"

// Writes the environment, impulse-sum and gain inputs of all robots as they are at `time`. Returns
// when they change next.
ib_Time ib_disturbances_read(const ib_Model *model, ib_Time time, double *input);

// Applies the impulses that fall on exactly `time` to the state.
void ib_disturbances_jump(const ib_Model *model, ib_Time time, double *state);

// True if there is a sudden push at exactly this time.
bool ib_disturbances_push(const ib_Model *model, ib_Time time);

#endif
