// view/worker.h: a thread beside the one that serves: the live run, the player, the desk.
// Signals stay with the thread that serves.
#ifndef IB_VIEW_WORKER_H
#define IB_VIEW_WORKER_H

#include "base/status.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

// `what` for the message: "the player".
static inline ib_Status ib__worker_start(pthread_t *thread, void *(*work)(void *), void *self,
                                         const char *what, ib_Error *error)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failure = pthread_create(thread, NULL, work, self);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!failure) return IB_OK;
    return ib_error_set(error, IB_FAILED, "cannot start the thread of %s: %s", what,
                        strerror(failure));
}

#endif
