// view/tryout.h: a design that viewers turn the knobs of. docs/viewer.md
// Every attempt is designed and run on its plant at once, in a thread of its own.
//
// Each client has one place for what it wants to try and one for the answer; a newer one takes the
// place of an older one. The thread goes from client to client, one attempt at a time.
#ifndef IB_VIEW_TRYOUT_H
#define IB_VIEW_TRYOUT_H

#include "desk/design_knobs.h"
#include "view/feed.h"

enum {
    IB_TRYOUT_PERIODS = 20000, ///< of a trial, at most
    IB_TRYOUT_POINTS = 500,    ///< of a trial, as it is sent
};

typedef struct ib_Tryout ib_Tryout;

// `knobs` must outlive it; `path` is the file as shown to people.
ib_Status ib_tryout_create(const ib_DesignKnobs *knobs, const char *path, ib_Tryout **tryout,
                           ib_Error *error);
ib_Status ib_tryout_start(ib_Tryout *tryout, ib_Error *error); ///< its thread
void ib_tryout_stop(ib_Tryout *tryout);
ib_ViewSource *ib_tryout_source(ib_Tryout *tryout);
int64_t ib_tryout_count(ib_Tryout *tryout); ///< attempts answered so far
void ib_tryout_destroy(ib_Tryout *tryout);  ///< stops it; NULL is fine

// The first message to every client, in `arena`; NULL without memory.
const char *ib_tryout_hello(const ib_DesignKnobs *knobs, const char *path, ib_Arena *arena);

// One attempt, worked out.
typedef struct ib_TryoutTask {
    const ib_DesignKnobs *knobs;
    int id, gear;
    const double *values;        ///< of all knobs
    bool (*give_up)(void *self); ///< asked once a period of the trial; may be NULL
    void *give_up_self;
} ib_TryoutTask;

// Its answer as JSON, in `arena`: the design and the response, or why there is none. NULL without
// memory. At most IB_ANSWER_TEXT bytes.
const char *ib_tryout_answer(const ib_TryoutTask *task, ib_Arena *arena);

#endif
