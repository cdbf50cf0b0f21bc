// base/stop.h: the flag that stops a run or a computation: Ctrl-C, in a signal's handler.
//
// A handler may write a volatile sig_atomic_t; these two functions let other threads read it
// meanwhile. On the machines of this project they are a plain load and a plain store.
#ifndef IB_BASE_STOP_H
#define IB_BASE_STOP_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

// NULL: never stopped.
static inline bool ib_is_stopped(const volatile sig_atomic_t *stop)
{
    return stop && __atomic_load_n(stop, __ATOMIC_RELAXED) != 0;
}

static inline void ib_stop(volatile sig_atomic_t *stop, int reason)
{
    __atomic_store_n(stop, reason, __ATOMIC_RELAXED);
}

#endif
