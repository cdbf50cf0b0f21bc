#include "sim/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

typedef struct Work {
    const ib_Pool *pool;
    int count;
    atomic_int next, done, running;
} Work;

static void *worker(void *argument)
{
    Work *work = argument;
    const ib_Pool *pool = work->pool;
    while (!pool->stop || !*pool->stop) {
        int index = atomic_fetch_add(&work->next, 1);
        if (index >= work->count) break;
        pool->job(pool->self, index);
        atomic_fetch_add(&work->done, 1);
    }
    atomic_fetch_sub(&work->running, 1);
    return NULL;
}

int ib_pool_cores(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > IB_POOL_MAX_THREADS ? IB_POOL_MAX_THREADS : (int)cores;
}

ib_Status ib_pool_run(const ib_Pool *pool, int count, ib_Error *error)
{
    Work work = {.pool = pool, .count = count};
    pthread_t threads[IB_POOL_MAX_THREADS];
    int started = 0;
    IB_ASSERT(pool->threads >= 1 && pool->threads <= IB_POOL_MAX_THREADS);
    atomic_store(&work.running, pool->threads);
    while (started < pool->threads && !pthread_create(&threads[started], NULL, worker, &work))
        started++;
    atomic_fetch_sub(&work.running, pool->threads - started);
    if (started == 0) return ib_error_set(error, IB_FAILED, "no thread could be started");

    while (pool->progress && atomic_load(&work.running) > 0) {
        pool->progress(pool->self, atomic_load(&work.done), count);
        for (int i = 0; i < 20 && atomic_load(&work.running) > 0; i++)
            nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    for (int i = 0; i < started; i++) pthread_join(threads[i], NULL);
    if (pool->progress) pool->progress(pool->self, atomic_load(&work.done), count);
    if (atomic_load(&work.done) < count)
        return ib_error_set(error, IB_INTERRUPTED, "stopped after %d of %d runs",
                            atomic_load(&work.done), count);
    return IB_OK;
}
