#include "sim/pool.h"

#include "base/stop.h"
#include "base/thread.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

typedef struct Work {
    const ib_Pool *pool;
    int64_t count;
    pthread_mutex_t lock; ///< of all below
    pthread_cond_t room;  ///< a job was taken, or no more are wanted
    pthread_cond_t ready; ///< a job is done, or a thread has ended
    int64_t next, done, taken;
    int running, started;
    bool over;  ///< no more are wanted
    bool *ends; ///< of job i at i % ahead: done, and not taken
} Work;

// A thread, which counts itself when it starts.
static void *worker(void *argument)
{
    Work *work = argument;
    const ib_Pool *pool = work->pool;
    pthread_mutex_lock(&work->lock);
    int self = work->started++;
    for (;;) {
        while (!work->over && pool->take && work->next < work->count &&
               work->next - work->taken >= pool->ahead)
            pthread_cond_wait(&work->room, &work->lock);
        if (work->over || work->next >= work->count || ib_is_stopped(pool->stop)) break;
        int64_t index = work->next++;
        pthread_mutex_unlock(&work->lock);
        pool->job(pool->self, self, index);
        pthread_mutex_lock(&work->lock);
        work->done++;
        if (work->ends) work->ends[index % pool->ahead] = true;
        if (index == work->taken) pthread_cond_signal(&work->ready);
    }
    work->running--;
    pthread_cond_signal(&work->ready);
    pthread_mutex_unlock(&work->lock);
    return NULL;
}

int ib_pool_cores(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > IB_POOL_MAX_THREADS ? IB_POOL_MAX_THREADS : (int)cores;
}

// Takes the next job, if done; the lock is held on entry and return.
static bool take_next(Work *work)
{
    const ib_Pool *pool = work->pool;
    bool *end = work->ends ? &work->ends[work->taken % pool->ahead] : NULL;
    if (!end || !*end) return false;
    *end = false;
    pthread_mutex_unlock(&work->lock);
    bool more = pool->take(pool->self, work->taken);
    pthread_mutex_lock(&work->lock);
    work->taken++;
    work->over |= !more;
    pthread_cond_broadcast(&work->room);
    return true;
}

static bool is_before(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec < b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

// Takes finished jobs, and reports progress, until all threads have ended.
static void attend(Work *work)
{
    const ib_Pool *pool = work->pool;
    struct timespec now, shown = {0};
    pthread_mutex_lock(&work->lock);
    while (take_next(work) || work->running > 0) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (pool->progress && !is_before(&now, &shown)) {
            int64_t done = work->done;
            pthread_mutex_unlock(&work->lock);
            pool->progress(pool->self, done, work->count);
            pthread_mutex_lock(&work->lock);
            shown = now;
            shown.tv_nsec += 100000000;
            shown.tv_sec += shown.tv_nsec / 1000000000;
            shown.tv_nsec %= 1000000000;
        }
        if (work->running == 0 || (work->ends && work->ends[work->taken % pool->ahead])) continue;
        if (pool->progress)
            pthread_cond_timedwait(&work->ready, &work->lock, &shown);
        else
            pthread_cond_wait(&work->ready, &work->lock);
    }
    pthread_mutex_unlock(&work->lock);
    if (pool->progress) pool->progress(pool->self, work->done, work->count);
}

ib_Status ib_pool_run(const ib_Pool *pool, int64_t count, ib_Error *error)
{
    Work work = {.pool = pool, .count = count, .running = pool->threads};
    pthread_t threads[IB_POOL_MAX_THREADS];
    pthread_condattr_t steady;
    int started = 0;
    IB_ASSERT(pool->threads >= 1 && pool->threads <= IB_POOL_MAX_THREADS);
    IB_ASSERT(!pool->take || pool->ahead >= 1);
    if (pool->take) work.ends = calloc((size_t)pool->ahead, sizeof *work.ends);
    if (pool->take && !work.ends)
        return ib_error_set(error, IB_FAILED, "out of memory for the results of jobs");
    pthread_mutex_init(&work.lock, NULL);
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_cond_init(&work.room, &steady);
    pthread_cond_init(&work.ready, &steady);
    pthread_condattr_destroy(&steady);
    while (started < pool->threads && !ib_thread_start(&threads[started], worker, &work)) started++;
    pthread_mutex_lock(&work.lock);
    work.running -= pool->threads - started;
    pthread_mutex_unlock(&work.lock);
    if (started > 0) attend(&work);
    for (int i = 0; i < started; i++) pthread_join(threads[i], NULL);
    pthread_cond_destroy(&work.ready);
    pthread_cond_destroy(&work.room);
    pthread_mutex_destroy(&work.lock);
    free(work.ends);
    if (started == 0) return ib_error_set(error, IB_FAILED, "no thread could be started");
    if (work.done < count)
        return ib_error_set(error, IB_INTERRUPTED, "stopped after %lld of %lld runs",
                            (long long)work.done, (long long)count);
    return IB_OK;
}
