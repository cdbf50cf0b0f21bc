// Independent jobs on all cores.
#include "cmocka_all.h"
#include "sim/pool.h"

#include <stdatomic.h>

enum { JOBS = 5000 };

static atomic_int done_by_index[JOBS];
static volatile sig_atomic_t stop;

static void job(void *self, int index)
{
    atomic_fetch_add(&done_by_index[index], 1);
    if (self && index == 100) stop = 1;
}

// Goal: every job is done exactly once, for any number of threads. Method: count per index.
static void every_job_is_done_once(void **unused)
{
    (void)unused;
    static const int threads[] = {1, 2, 3, 8, 64};
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < JOBS; k++) atomic_store(&done_by_index[k], 0);
        ib_Error error;
        ib_Pool pool = {.threads = threads[i], .job = job};
        assert_int_equal(ib_pool_run(&pool, JOBS, &error), IB_OK);
        for (int k = 0; k < JOBS; k++) assert_int_equal(atomic_load(&done_by_index[k]), 1);
    }
}

// Goal: a stopped pool starts no new job and says so. Method: job 100 sets the flag.
static void stopped_pool_says_so(void **unused)
{
    (void)unused;
    for (int k = 0; k < JOBS; k++) atomic_store(&done_by_index[k], 0);
    ib_Error error;
    ib_Pool pool = {.threads = 1, .job = job, .self = &error, .stop = &stop};
    assert_int_equal(ib_pool_run(&pool, JOBS, &error), IB_INTERRUPTED);
    assert_int_equal(atomic_load(&done_by_index[100]), 1);
    assert_int_equal(atomic_load(&done_by_index[101]), 0);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_job_is_done_once),
        cmocka_unit_test(stopped_pool_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
