// Independent jobs on all cores.
#include "cmocka_all.h"
#include "sim/pool.h"

#include <stdatomic.h>

enum { JOBS = 5000 };

static atomic_int done_by_index[JOBS];
static volatile sig_atomic_t stop;

static void job(void *self, int worker, int64_t index)
{
    (void)worker;
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

// What one pool has seen of itself.
typedef struct Seen {
    atomic_int begun, most; ///< jobs begun and not taken: now, and the most at any time
    atomic_bool busy[8];    ///< per worker
    int64_t next;           ///< job to be taken
    int64_t end;            ///< no more are wanted after this one; -1: all are
} Seen;

static void note(void *self, int worker, int64_t index)
{
    Seen *seen = self;
    int begun = atomic_fetch_add(&seen->begun, 1) + 1;
    for (int most = atomic_load(&seen->most);
         begun > most && !atomic_compare_exchange_weak(&seen->most, &most, begun);) {
    }
    IB_ASSERT(!atomic_exchange(&seen->busy[worker], true));
    atomic_fetch_add(&done_by_index[index], 1);
    atomic_store(&seen->busy[worker], false);
}

static bool take(void *self, int64_t index)
{
    Seen *seen = self;
    assert_int_equal(index, seen->next++);
    assert_int_equal(atomic_load(&done_by_index[index]), 1);
    atomic_fetch_sub(&seen->begun, 1);
    return index != seen->end;
}

// Goal: jobs are taken in their order, each after its end, a worker does one at a time, and no more
// are open than may be. Method: for several numbers of threads and of jobs ahead, down to one.
static void jobs_are_taken_in_order(void **unused)
{
    (void)unused;
    static const int threads[] = {1, 2, 3, 8}, ahead[] = {1, 2, 5, 32};
    for (int i = 0; i < 16; i++) {
        Seen seen = {.end = -1};
        ib_Error error;
        for (int k = 0; k < JOBS; k++) atomic_store(&done_by_index[k], 0);
        ib_Pool pool = {.threads = threads[i / 4],
                        .job = note,
                        .take = take,
                        .ahead = ahead[i % 4],
                        .self = &seen};
        assert_int_equal(ib_pool_run(&pool, JOBS, &error), IB_OK);
        assert_int_equal(seen.next, JOBS);
        assert_true(atomic_load(&seen.most) <= ahead[i % 4]);
    }
}

// Goal: who wants no more gets what had begun, and nothing behind it. Method: job 70 is the last
// that is wanted, at most 5 are open.
static void no_more_are_begun_than_wanted(void **unused)
{
    (void)unused;
    Seen seen = {.end = 70};
    ib_Error error;
    for (int k = 0; k < JOBS; k++) atomic_store(&done_by_index[k], 0);
    ib_Pool pool = {.threads = 3, .job = note, .take = take, .ahead = 5, .self = &seen};
    assert_int_equal(ib_pool_run(&pool, JOBS, &error), IB_INTERRUPTED);
    assert_true(seen.next > 70 && seen.next <= 70 + 5);
    for (int k = 0; k < JOBS; k++) assert_int_equal(atomic_load(&done_by_index[k]), k < seen.next);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_job_is_done_once),
        cmocka_unit_test(jobs_are_taken_in_order),
        cmocka_unit_test(no_more_are_begun_than_wanted),
        cmocka_unit_test(stopped_pool_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
