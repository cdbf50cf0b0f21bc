// view/live_trial.h: a design whose knobs viewers turn. docs/view/viewer.md Every request is
// designed and tried on its plant at once, in a thread of its own.
//
// Each client has one place for its request and one for the answer; a newer one replaces an older
// one. The thread goes from client to client, one trial at a time.
#ifndef IB_VIEW_LIVE_TRIAL_H
#define IB_VIEW_LIVE_TRIAL_H

#include "desk/design/design_knobs.h"
#include "view/feed.h"

enum {
    IB_LIVE_TRIAL_PERIODS = 20000, ///< of a trial, at most
    IB_LIVE_TRIAL_POINTS = 500,    ///< of a trial in its message
};

typedef struct ib_LiveTrial ib_LiveTrial;

// `knobs` must outlive the result; `path` is the file as shown to people.
ib_Status ib_live_trial_create(const ib_DesignKnobs *knobs, const char *path,
                               ib_LiveTrial **live_trial, ib_Error *error);
ib_Status ib_live_trial_start(ib_LiveTrial *live_trial, ib_Error *error); ///< starts its thread
void ib_live_trial_stop(ib_LiveTrial *live_trial);
ib_ViewSource *ib_live_trial_source(ib_LiveTrial *live_trial);
int64_t ib_live_trial_count(ib_LiveTrial *live_trial); ///< trials answered so far
void ib_live_trial_destroy(ib_LiveTrial *live_trial);  ///< stops it; may be NULL

// The first message to every client, in `arena`; NULL without memory.
const char *ib_live_trial_hello(const ib_DesignKnobs *knobs, const char *path, ib_Arena *arena);

// The task of one trial.
typedef struct ib_LiveTrialTask {
    const ib_DesignKnobs *knobs;
    int id, gear;
    const double *values;        ///< of all knobs
    bool (*give_up)(void *self); ///< called once a period of the trial; may be NULL
    void *give_up_self;
} ib_LiveTrialTask;

// The answer as JSON, in `arena`: the design and the response, or the reason for their absence.
// NULL without memory. At most IB_ANSWER_TEXT bytes.
const char *ib_live_trial_answer(const ib_LiveTrialTask *task, ib_Arena *arena);

#endif
