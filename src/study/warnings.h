// study/warnings.h: what a run did otherwise than its file may have meant, in words.
#ifndef IB_STUDY_WARNINGS_H
#define IB_STUDY_WARNINGS_H

#include "scenario/scenario.h"
#include "sim/sim.h"
#include "sim/step_log.h"
#include "sim/summary.h"

// A run as it ended, before its simulation goes.
typedef struct ib_RunOutcome {
    const ib_Scenario *scenario;
    const char *file; ///< of the scenario, as it was named
    const ib_Sim *sim;
    const ib_Summary *summary; ///< its last values count
    const ib_StepLog *steps;   ///< of its routines; NULL: none, or not kept
    ib_Status status;
    const ib_PluginDoor *plugins; ///< whose trouble is told too; NULL: it is told elsewhere
    bool replayed;                ///< inputs came from a recording
    bool changed;                 ///< a parameter was changed on the way
} ib_RunOutcome;

enum { IB_WARNING_TEXT = 1024 };

// Warning number `index` of a run into `text`, those of its file first, and the time it belongs
// to; false: there are fewer.
bool ib_run_warning(const ib_RunOutcome *run, int index, ib_Time *time, char *text, size_t size);

// Of a run that may still go on: a fixed step was too long for a state from `time` on, and which
// would do. False: nothing was seen so far.
bool ib_coarse_warning(const ib_Sim *sim, ib_Time *time, char *text, size_t size);

#endif
