// sim/pool.h: independent jobs on all cores. Knows nothing of what a job does.
#ifndef IB_SIM_POOL_H
#define IB_SIM_POOL_H

#include "base/status.h"

#include <signal.h>

enum { IB_POOL_MAX_THREADS = 256 };

typedef struct ib_Pool {
    int threads; ///< 1 .. IB_POOL_MAX_THREADS
    void (*job)(void *self, int index);
    // Called by the caller's thread about ten times a second and at the end; may be NULL.
    void (*progress)(void *self, int done, int count);
    void *self;
    const volatile sig_atomic_t *stop; ///< no new job begins when it becomes non-zero; may be NULL
} ib_Pool;

// Runs job(self, 0 … count-1), each once, on `threads` threads that take the next free index.
// Returns IB_INTERRUPTED when stopped before all were done.
ib_Status ib_pool_run(const ib_Pool *pool, int count, ib_Error *error);

// How many cores this machine lends us.
int ib_pool_cores(void);

#endif
