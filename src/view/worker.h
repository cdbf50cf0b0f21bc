// view/worker.h: a thread beside the one that serves: the live run, the player, the live trial.
// Signals stay with the thread that serves.
#ifndef IB_VIEW_WORKER_H
#define IB_VIEW_WORKER_H

#include "base/status.h"
#include "base/thread.h"

#include <stdbool.h>
#include <string.h>

typedef struct ib__Worker {
    pthread_t thread;
    bool started; ///< and not yet joined
} ib__Worker;

// `what` for the message: "the player".
static inline ib_Status ib__worker_start(ib__Worker *worker, void *(*work)(void *), void *self,
                                         const char *what, ib_Error *error)
{
    int failure = ib_thread_start(&worker->thread, work, self);
    worker->started = !failure;
    if (!failure) return IB_OK;
    return ib_error_set(error, IB_FAILED, "cannot start the thread of %s: %s", what,
                        strerror(failure));
}

// Waits for the end of its work, which somebody has asked for.
static inline void ib__worker_join(ib__Worker *worker)
{
    pthread_join(worker->thread, NULL);
    worker->started = false;
}

#endif
