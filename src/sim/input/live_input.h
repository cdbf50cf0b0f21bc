// sim/input/live_input.h: inputs that somebody sets while the run goes on.
// It may be the viewer, or a journal that is played again. Inputs are set between two steps;
// every step reads them at its start.
#ifndef IB_SIM_INPUT_LIVE_INPUT_H
#define IB_SIM_INPUT_LIVE_INPUT_H

#include "sim/sim.h"

typedef struct ib_LiveInput {
    int count;
    double *values; ///< one per input of the model, SI
    bool *given;    ///< false: nobody sets it, and it stays what it would be without
} ib_LiveInput;

ib_Status ib_live_input_init(const ib_Model *model, ib_Arena *arena, ib_LiveInput *live,
                             ib_Error *error);

// May the viewer set this input of the model? A command of a robot whose inputs have
// `source: viewer`, for which the scenario gives no timeline.
bool ib_live_input_open(const ib_Model *model, int input);

// To be connected with ib_sim_connect; `live` must stay where it is.
ib_InputSource ib_live_input_source(ib_LiveInput *live);

#endif
