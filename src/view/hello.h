// view/hello.h: the first message to every client: what there is to see, to drive and to change.
// Its form: docs/viewer.md
#ifndef IB_VIEW_HELLO_H
#define IB_VIEW_HELLO_H

#include "record/log.h"
#include "scenario/scenario.h"
#include "sim/variant.h"

typedef struct ib_HelloModel {
    const ib_Scenario *scenario;
    const char *path;           ///< of the scenario, as shown to people
    double step;                ///< how far one step of the viewer goes [s]
    const ib_LiveParam *params; ///< of ib_shown_params
    int param_count;
} ib_HelloModel;

typedef struct ib_HelloLog {
    const ib_Log *log;
    const char *path; ///< of the recording
    double duration;  ///< [s]
    double step;      ///< how far one step of the player goes [s]
} ib_HelloLog;

// Of a simulation that runs, and of a recording; JSON in `arena`, NULL without memory. What a
// recording says about its geometry is handed on as a text: nobody has checked it.
const char *ib_hello_model(const ib_HelloModel *model, ib_Arena *arena);
const char *ib_hello_log(const ib_HelloLog *log, ib_Arena *arena);

typedef struct ib_ParamRange {
    double low, high; ///< in the unit of the parameter, SI
} ib_ParamRange;

// How far the page lets a person turn a parameter, within what is allowed: from a fifth of the
// value to three times it, as round numbers. A share (of at least a tenth) has all of its
// range, and so has a value of 0 where that is short; otherwise 0 says nothing, and it goes to 1.
ib_ParamRange ib_param_range(double min, double max, double value);

// The live parameters that the page shows, in their order: not those that do nothing in this model
// (ib_schema_idle), nor those whose value 0 stands for another one, which nobody could turn. NULL
// without memory or where there are none.
const ib_LiveParam *ib_shown_params(const ib_Model *model, ib_Arena *arena, int *count);

#endif
