// base/thread.h: threads with a stack of a stated size.
//
// The default is the `ulimit -s` of the main thread, which may be less than a design or a search
// needs. A stack takes memory only as far as it is used.
#ifndef IB_BASE_THREAD_H
#define IB_BASE_THREAD_H

#include <pthread.h>

enum { IB_STACK_SIZE = 8 << 20 }; ///< bytes; the tests use an eighth of it

// Starts a thread; 0, or the error of pthread_create. Signals that people and timers send are
// blocked in it: they go to the older threads. Signals of its own faults are not blocked.
int ib_thread_start(pthread_t *thread, void *(*work)(void *), void *self);

#endif
