// view/live.h: a simulation in a thread of its own, paced by the wall clock. docs/view/viewer.md
// The viewer watches it and drives it.
//
// It talks to the server through view/feed.h; neither waits for the other.
#ifndef IB_VIEW_LIVE_H
#define IB_VIEW_LIVE_H

#include "record/log.h"
#include "scenario/scenario.h"
#include "view/feed.h"

typedef struct ib_LiveOptions {
    const char *scenario;    ///< path as shown to people
    const char *record;      ///< file.wpilog; a second run goes to file-2.wpilog; NULL: none
    const ib_LogFact *facts; ///< about the run, for the recording
    int fact_count;
    double speed; ///< simulated over wall time, IB_SLOWEST … IB_FASTEST; 0: as fast as possible
    bool paused;  ///< waits for the first play command
} ib_LiveOptions;

// Limit of recordings per program: later runs are not recorded, with a message.
enum { IB_LIVE_RECORDINGS = 100 };

#define IB_SLOWEST 0.1
#define IB_FASTEST 1000.0

typedef struct ib_LiveOutcome {
    uint32_t runs;
    int64_t steps;    ///< of all runs
    int64_t paced;    ///< deadlines in the lateness statistics: at real time or slower
    int64_t overruns; ///< of these, missed by a step or more
    double late_p50, late_p99, late_p999, late_max; ///< [s]
    int expectations_failed;                        ///< in the last run
    ib_Status status;                               ///< of the last run: IB_OK also before its end
    ib_Error error; ///< reason of a failure, or of a failed recording
    double time;    ///< end of the last run [s]
    uint64_t hash;  ///< of its final state
} ib_LiveOutcome;

typedef struct ib_Live ib_Live;

// `scenario` must outlive the live simulation and has no other user meanwhile: its expectations
// keep their verdicts there. The texts and facts in `options` must outlive it too.
ib_Status ib_live_create(ib_Scenario *scenario, const ib_LiveOptions *options, ib_Live **live,
                         ib_Error *error);

// Makes the first run, its recording and the thread; called once.
ib_Status ib_live_start(ib_Live *live, ib_Error *error);
void ib_live_stop(ib_Live *live); ///< ends run, recording and thread
ib_ViewSource *ib_live_source(ib_Live *live);
void ib_live_outcome(const ib_Live *live, ib_LiveOutcome *outcome); ///< after the stop
void ib_live_destroy(ib_Live *live);                                ///< stops it; may be NULL

#endif
