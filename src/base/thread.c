#include "base/thread.h"

#include <signal.h>

static int create(pthread_t *thread, void *(*work)(void *), void *self)
{
    pthread_attr_t attributes;
    int failure = pthread_attr_init(&attributes);
    if (failure) return failure;
    failure = pthread_attr_setstacksize(&attributes, IB_STACK_SIZE);
    if (!failure) failure = pthread_create(thread, &attributes, work, self);
    pthread_attr_destroy(&attributes);
    return failure;
}

int ib_thread_start(pthread_t *thread, void *(*work)(void *), void *self)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    sigset_t sent, before;
    sigfillset(&sent);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) sigdelset(&sent, faults[i]);
    pthread_sigmask(SIG_SETMASK, &sent, &before);
    int failure = create(thread, work, self);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failure;
}
