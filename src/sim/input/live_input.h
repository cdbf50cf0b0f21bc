// sim/input/live_input.h: inputs set during the run, by the viewer or a replayed journal. Inputs
// are set between two steps; every step reads them at its start.
#ifndef IB_SIM_INPUT_LIVE_INPUT_H
#define IB_SIM_INPUT_LIVE_INPUT_H

#include "sim/sim.h"

typedef struct ib_LiveInput {
    int count;
    double *values; ///< one per input of the model, SI
    bool *given;    ///< false: not set, and the input keeps its other value
} ib_LiveInput;

ib_Status ib_live_input_init(const ib_Model *model, ib_Arena *arena, ib_LiveInput *live,
                             ib_Error *error);

// True if the viewer may set this input of the model: a command of a robot whose inputs have
// `source: viewer`, for which the scenario gives no timeline.
bool ib_live_input_open(const ib_Model *model, int input);

// Source to be connected with ib_sim_connect; `live` must keep its address.
ib_InputSource ib_live_input_source(ib_LiveInput *live);

#endif
