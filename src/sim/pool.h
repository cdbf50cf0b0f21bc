// sim/pool.h: independent jobs of any kind on all cores.
//
// Jobs are done in any order and may be taken in that of their numbers, by one thread: results are
// therefore the same for any number of threads. No job begins too far ahead of the last one taken,
// which bounds the memory for results.
#ifndef IB_SIM_POOL_H
#define IB_SIM_POOL_H

#include "base/status.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

enum { IB_POOL_MAX_THREADS = 256 };

typedef struct ib_Pool {
    int threads; ///< 1 .. IB_POOL_MAX_THREADS
    // Does a job. `worker`, 0 .. threads - 1, does one at a time.
    void (*job)(void *self, int worker, int64_t index);
    // Called by the caller's thread for each finished job, in the order of their numbers. False: no
    // new job begins. May be NULL.
    bool (*take)(void *self, int64_t index);
    // Used with `take`: job i begins when job i - ahead was taken; >= 1.
    int ahead;
    // Called by the caller's thread about ten times a second and at the end; may be NULL.
    void (*progress)(void *self, int64_t done, int64_t count);
    void *self;
    const volatile sig_atomic_t *stop; ///< no new job begins when it becomes non-zero; may be NULL
} ib_Pool;

// Runs job(self, …, 0 … count - 1), each once, on `threads` threads that take the next free number.
// Every job that has begun is brought to its end, and taken. Returns IB_INTERRUPTED when stopped
// before all were done.
ib_Status ib_pool_run(const ib_Pool *pool, int64_t count, ib_Error *error);

// Number of cores available.
int ib_pool_cores(void);

#endif
