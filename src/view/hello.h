// view/hello.h: the first message to every client: signals, inputs and parameters. Its form is
// in docs/view/viewer.md.
#ifndef IB_VIEW_HELLO_H
#define IB_VIEW_HELLO_H

#include "record/log.h"
#include "scenario/scenario.h"
#include "sim/linearise/variant.h"

typedef struct ib_HelloModel {
    const ib_Scenario *scenario;
    const char *path;           ///< of the scenario, as shown to people
    double step;                ///< length of one step of the viewer [s]
    const ib_LiveParam *params; ///< of ib_shown_params
    int param_count;
} ib_HelloModel;

typedef struct ib_HelloLog {
    const ib_Log *log;
    const char *path; ///< of the recording
    double duration;  ///< [s]
    double step;      ///< length of one step of the player [s]
} ib_HelloLog;

// The hello of a running simulation, and of a recording; JSON in `arena`, NULL without memory. The
// geometry of a recording is passed on as a text, unchecked.
const char *ib_hello_model(const ib_HelloModel *model, ib_Arena *arena);
const char *ib_hello_log(const ib_HelloLog *log, ib_Arena *arena);

typedef struct ib_ParamRange {
    double low, high; ///< in the unit of the parameter, SI
} ib_ParamRange;

// The page's range of a parameter, within the allowed one: from a fifth of the value to three times
// it, as round numbers. A fraction (of at least a tenth) has its whole range, as has a value of 0
// if that range is short; otherwise a value of 0 gives the range up to 1.
ib_ParamRange ib_param_range(double min, double max, double value);

// The live parameters of the page, in their order, without those ineffective in this model
// (ib_schema_idle) and those whose value 0 means another one, which nobody could turn. NULL without
// memory or parameters.
const ib_LiveParam *ib_shown_params(const ib_Model *model, ib_Arena *arena, int *count);

#endif
