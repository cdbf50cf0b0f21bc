// view/worker.h: a thread beside the server's: the live run, the player, the live trial. Signals go
// to the server's thread.
#ifndef IB_VIEW_WORKER_H
#define IB_VIEW_WORKER_H

#include "base/status.h"
#include "base/thread.h"

#include <stdbool.h>
#include <string.h>

typedef struct ib__Worker {
    pthread_t thread;
    bool started; ///< started and not yet joined
} ib__Worker;

// `what` names the thread in the message: "the player".
static inline ib_Status ib__worker_start(ib__Worker *worker, void *(*work)(void *), void *self,
                                         const char *what, ib_Error *error)
{
    int failure = ib_thread_start(&worker->thread, work, self);
    worker->started = !failure;
    if (!failure) return IB_OK;
    return ib_error_set(error, IB_FAILED, "cannot start the thread of %s: %s", what,
                        strerror(failure));
}

// Waits for the end of its work after a stop request.
static inline void ib__worker_join(ib__Worker *worker)
{
    pthread_join(worker->thread, NULL);
    worker->started = false;
}

#endif
