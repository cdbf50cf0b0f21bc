// study/warnings.h: warnings of a run's deviations from the probable intent of its file, in words.
#ifndef IB_STUDY_WARNINGS_H
#define IB_STUDY_WARNINGS_H

#include "scenario/scenario.h"
#include "sim/sim.h"
#include "sim/watch/step_log.h"
#include "sim/watch/summary.h"

// A finished run, before its simulation is destroyed.
typedef struct ib_RunOutcome {
    const ib_Scenario *scenario;
    const char *file; ///< of the scenario, as given by the user
    const ib_Sim *sim;
    const ib_Summary *summary; ///< with its last values
    const ib_StepLog *steps;   ///< of its routines; NULL: none, or not kept
    ib_Status status;
    const ib_PluginInterface *plugins; ///< whose faults are reported too; NULL: elsewhere
    bool replayed;                     ///< inputs came from a recording
    bool changed;                      ///< a parameter changed during the run
} ib_RunOutcome;

enum { IB_WARNING_TEXT = 1024 };

// Writes warning number `index` of a run, those of its file first, into `text`, and its time;
// false: there are fewer.
bool ib_run_warning(const ib_RunOutcome *run, int index, ib_Time *time, char *text, size_t size);

// Writes a warning that a fixed step was too long for a state from `time` on, with a suitable step;
// also during a run. False: none so far.
bool ib_stability_warning(const ib_Sim *sim, ib_Time *time, char *text, size_t size);

#endif
