// bench/piles/clock.h: the time, finely: that of the process may count in milliseconds.
#ifndef IB_BENCH_CLOCK_H
#define IB_BENCH_CLOCK_H

#include <time.h>

static inline double clock_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

#endif
