// study/session.h: one run of a scenario with its probes: a summary of all signals, the
// expectations, rows at chosen times, recordings, and the data of a report.
#ifndef IB_STUDY_SESSION_H
#define IB_STUDY_SESSION_H

#include "record/change_tape.h"
#include "record/recorder.h"
#include "scenario/scenario.h"
#include "sim/run.h"
#include "sim/watch/meter.h"
#include "sim/watch/mode_changes.h"
#include "sim/watch/step_log.h"
#include "sim/watch/summary.h"
#include "study/replay.h"
#include "study/warnings.h"

typedef struct ib_SessionConfig {
    const char *file;                  ///< of the scenario, as given by the user
    const ib_ScenarioOptions *options; ///< with which it was read
    const bool *rows;     ///< signals with wanted ranges, beside those of warnings; NULL: all
    const ib_Time *times; ///< rows wanted, ascending, within the run
    int time_count;
    const char *csv, *log; ///< files to record into; NULL: none
    bool reports;          ///< keeps the data of a report
    ib_Time diagram;       ///< of the report's free-body diagram; IB_TIME_NEVER: chosen by
                           ///< the report
    ib_RunOptions run;     ///< pace, stop flag, progress; its player is the replay's
    ib_Replay *replay;     ///< NULL: inputs are the scenario's own
} ib_SessionConfig;

ib_SessionConfig ib_session_default(void);

typedef struct ib_Session {
    ib_SessionConfig config;
    ib_Scenario *scenario;
    ib_Sim *sim;
    ib_Arena arena;
    ib_Summary *summary;
    ib_StepLog *steps;         ///< of routines; NULL: none
    ib_Tape *samples;          ///< rows of `times`; NULL: none
    ib_Tape *tape;             ///< rows for the report; NULL: none
    ib_ChangeTape *at_changes; ///< rows for it between these; NULL: none
    ib_Meter *meter;           ///< loads of the supplies; NULL: none
    ib_ModeChanges *changes;   ///< of modes, for the report; NULL: none
    ib_Tape *diagram;          ///< the row for its free-body diagram; NULL: chosen by the report
    ib_Recorder *recorder;     ///< NULL: none, or closed
    ib_RunResult result;
    ib_Status status; ///< of the run
    ib_Error error;   ///< reason of failure or stop
    int64_t dropped;  ///< rows dropped by the recorder
} ib_Session;

// Makes the run and attaches its probes. To be destroyed in any case; the scenario stays the
// caller's, and must live longer.
ib_Status ib_session_init(ib_Session *session, const ib_SessionConfig *config,
                          ib_Scenario *scenario, ib_Error *error);

// Runs to the end and decides the expectations; verdicts, warnings and the reason of a failure
// become part of the recording. The result is in `status`.
void ib_session_run(ib_Session *session);

// Closes the recording; a failed one makes the session fail.
void ib_session_finish(ib_Session *session);

// True if the run reached its end, as expected and as recorded.
bool ib_session_passed(const ib_Session *session);

// Marks the session as failed by a result that could not be written (a report), unless it has
// failed before.
void ib_session_fail(ib_Session *session, const ib_Error *error);

void ib_session_destroy(ib_Session *session);

// Warning number `index` of the run, as in ib_run_warning.
bool ib_session_warning(const ib_Session *session, int index, ib_Time *time, char *text,
                        size_t size);

#endif
