// base/thread.h: threads with a stack of a stated size.
//
// Without it a thread has what `ulimit -s` leaves to the main thread, which may be less than a
// design or a search needs. Memory is taken as far as a stack is used.
#ifndef IB_BASE_THREAD_H
#define IB_BASE_THREAD_H

#include <pthread.h>

enum { IB_STACK_SIZE = 8 << 20 }; ///< bytes; an eighth does for all that the tests run

// Starts a thread; 0, or the error of pthread_create. Signals that people and timers send are
// blocked in it: they stay with the threads that were there. Its own faults are not.
int ib_thread_start(pthread_t *thread, void *(*work)(void *), void *self);

#endif
