// view/live_inside.h: the inside of a live simulation, shared by the files view/live*.c.
#ifndef IB_VIEW_LIVE_INSIDE_H
#define IB_VIEW_LIVE_INSIDE_H

#include "record/journal.h"
#include "record/recorder.h"
#include "sim/pace.h"
#include "view/extremes.h"
#include "view/live.h"
#include "view/mode_watch.h"
#include "view/seats.h"
#include "view/worker.h"

#include <pthread.h>
#include <stdatomic.h>

// A change of a live parameter: made by the server's thread, applied by the runner.
typedef struct ib__Change {
    struct ib__Change *older;
    uint64_t number; ///< 1, 2, …
    int parameter;
    double value; ///< the new one, SI
    ib_Variant *variant;
} ib__Change;

// One run of the scenario: made anew by every reset.
typedef struct ib__LiveRun {
    ib_Arena arena;
    ib_Sim *sim;
    ib_ModeWatch modes;
    ib_Extremes extremes;
    ib_Recorder *recorder; ///< NULL: nothing is recorded (any more)
    double *recorded;      ///< per input: its value in the recording
    bool *recorded_given;  ///< per input: set in the recording
    ib_Time next_hash;     ///< time of the next recorded state hash
    bool *told;            ///< per expectation: its failure was reported
    bool instability_told; ///< a step that is too long was reported
    int failed, passed;
} ib__LiveRun;

struct ib_Live {
    ib_Arena arena;
    ib_Scenario *scenario;
    ib_LiveOptions options;
    ib_Feed *feed;
    ib_ViewSource source;
    const ib_LiveParam *params;
    int param_count;
    bool driven;  ///< some input is open to the viewer
    ib_Time grid; ///< simulated time from one deadline to the next at real time

    // The server's thread.
    ib__Change *changes; ///< newest first

    // Both.
    _Atomic uint64_t applied; ///< number of the change in use; older ones may be freed
    atomic_bool stop;

    // The runner's thread.
    ib__Worker worker;
    ib__LiveRun run;
    ib_LiveInput input;
    ib_Seats seats;
    int drivers[IB_FEED_ROBOTS]; ///< last reported
    const ib_Model *model;       ///< with the present parameters
    bool *changed;               ///< per parameter: by the viewer
    ib_Pace pace;
    ib_FeedStatus status;
    int64_t anchor_wall; ///< reference point of the pace: wall clock …
    ib_Time anchor_time; ///< … and time of the run
    int64_t row_due;     ///< wall clock of the next row and status
    bool dirty;          ///< something has changed since the last row
    bool jump;           ///< the next row is not joined to the last
    int64_t ratio_wall;  ///< start of the window of status.ratio
    ib_Time ratio_time;
    int64_t overrun_told; ///< wall clock of the last event about overruns
    int64_t overrun_wall; ///< wall clock of their last count
    int64_t overruns;     ///< overruns at that count
    int64_t steps_due;    ///< requested in a pause, not made yet
    int recordings;       ///< files begun so far
    int64_t record_wall;  ///< wall clock of the last check of the recording
    bool slow_told;       ///< a speed above real time that is not reached was reported
    int64_t steps_before; ///< of the runs before this one
    ib_Status end_status;
    ib_Error end_error;
};

// ----------------------------------------------------------------------------- live_run.c: one run

ib_Status ib__live_begin(ib_Live *live, ib_Error *error);

// Advances the run to `until`; false: it has failed or reached its end (and is ended).
bool ib__live_advance(ib_Live *live, ib_Time until);

// Ends the run: last samples, verdicts, recording. `complete`: it reached its end by itself.
void ib__live_end(ib_Live *live, bool complete);
void ib__live_discard(ib_Live *live); ///< frees it

// Continues with a changed parameter.
void ib__live_change(ib_Live *live, const ib__Change *change);

// Reports an event at the present time.
void ib__live_tell(ib_Live *live, int kind, ib_ModeLevel level, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// ---------------------------------------------------------------- live_loop.c: the runner's thread

void *ib__live_loop(void *live);

#endif
