// study/sweep/sweep_run.c: all runs of a sweep: those in a journal first, then blocks of runs on
// many threads, taken in the order of the list.
#include "base/stop.h"
#include "sim/pool.h"
#include "study/sweep/sweep_inside.h"
#include "study/sweep/sweep_journal.h"

#include <stdlib.h>
#include <string.h>

// A block of runs made by a worker, until it is taken.
typedef struct Block {
    ib_Bytes rows;
    int count;
    bool cut; ///< a run was stopped: it and the runs behind it were not made
} Block;

typedef struct Course {
    const ib_Sweep *sweep;
    const ib_SweepRun *run;
    ib_SweepShape shape;
    int64_t first; ///< first run that is not in the journal
    int64_t size;  ///< of a block [runs]
    ib__SweepWorker *workers;
    Block *blocks; ///< `ahead` of them: number i is at i % ahead
    int ahead;
    ib_SweepResult result; ///< the result being taken
    int64_t taken;         ///< runs
    bool over;             ///< no more are wanted
    ib_Status status;
    ib_Error *error;
} Course;

// ------------------------------------------------------------------------------------------ blocks

// The number of runs in a block: some thousand steps, so that a Ctrl-C works soon and a kill loses
// little; rows of some 64 KiB, so that few are in memory; and few enough for several blocks
// per thread.
static int64_t block_size(const Course *course, int64_t count)
{
    enum { STEPS = 4096, BYTES = 64 * 1024, SHARE = 8 };
    const ib_Scenario *first = course->sweep->first;
    if (!first) return 1; // a design or a plan takes milliseconds
    int64_t steps = first->sim.duration / ib_time_min(first->sim.step, IB_SECOND / 1000);
    int64_t size = STEPS / (steps < 1 ? 1 : steps);
    int64_t fits = (int64_t)(BYTES / ib_sweep_row_size(course->shape));
    int64_t share = count / (SHARE * course->run->threads);
    if (size > fits) size = fits;
    if (size > share) size = share;
    return size < 1 ? 1 : size > IB_SWEEP_BLOCK_ROWS ? IB_SWEEP_BLOCK_ROWS : size;
}

// A job for the pool: makes the runs of one block.
static void make_block(void *self, int worker, int64_t index)
{
    Course *course = self;
    Block *block = &course->blocks[index % course->ahead];
    int64_t first = course->first + index * course->size;
    block->rows.count = 0;
    block->count = 0;
    block->cut = false;
    for (int64_t i = first; i < first + course->size && i < course->sweep->count; i++) {
        ib_SweepResult result = {.status = IB_INTERRUPTED};
        if (!ib_is_stopped(course->run->stop))
            ib__sweep_worker_make(&course->workers[worker], i, &result);
        block->cut = result.status == IB_INTERRUPTED;
        if (block->cut) break;
        ib_sweep_row_put(course->shape, &result, &block->rows);
        block->count++;
    }
}

// ------------------------------------------------------------------------------------------ taking

// Gives the rows to the receiver; false: they are invalid.
static bool give_rows(Course *course, const unsigned char *rows, size_t length, int count)
{
    const ib_SweepRun *run = course->run;
    for (int i = 0; i < count; i++) {
        size_t size = ib_sweep_row_get(course->shape, rows, length, &course->result);
        if (size == 0) return false;
        if (!course->over && !run->take(run->self, course->taken++, &course->result))
            course->over = true;
        rows += size;
        length -= size;
    }
    if (!course->over && run->pause && !run->pause(run->self)) course->over = true;
    return length == 0;
}

// The journal is on disk before the receiver gets the rows. Runs behind a stopped one are not
// taken, for rows have no gap.
static bool take_block(void *self, int64_t index)
{
    Course *course = self;
    Block *block = &course->blocks[index % course->ahead];
    if (course->status != IB_OK || course->over) return false;
    if (block->rows.failed)
        course->status = ib_error_set(course->error, IB_FAILED, "out of memory for the rows");
    else if (course->run->journal && block->count > 0)
        course->status = ib_sweep_journal_append(course->run->journal, &block->rows, block->count,
                                                 course->error);
    if (course->status == IB_OK)
        IB_ASSERT(give_rows(course, block->rows.data, block->rows.count, block->count));
    course->over |= block->cut;
    return course->status == IB_OK && !course->over;
}

static void tell_progress(void *self, int64_t done, int64_t count)
{
    const Course *course = self;
    int64_t runs = course->first + done * course->size;
    (void)count;
    if (runs > course->sweep->count) runs = course->sweep->count;
    if (course->over) runs = course->taken; // without stopped ones
    course->run->progress(course->run->self, runs, course->sweep->count);
}

// ----------------------------------------------------------------------------------------- journal

// The first run, repeated, must equal the journal's: it may be from another program.
static ib_Status check_first(Course *course, const unsigned char *rows, size_t length)
{
    ib_Bytes again = {0};
    ib_SweepResult result;
    ib__sweep_worker_make(&course->workers[0], 0, &result);
    course->over = result.status == IB_INTERRUPTED;
    if (course->over) return IB_OK;
    ib_sweep_row_put(course->shape, &result, &again);
    bool same = !again.failed && again.count <= length && !memcmp(again.data, rows, again.count);
    ib_bytes_free(&again);
    if (same) return IB_OK;
    return ib_error_set(course->error, IB_BAD_INPUT,
                        "'%s' was written by another program: its first run came out otherwise. "
                        "Remove it, or name another journal",
                        course->run->journal->path);
}

static void take_journal(Course *course)
{
    const unsigned char *rows;
    size_t length;
    int count;
    ib_SweepJournal *journal = course->run->journal;
    while (course->status == IB_OK && !course->over && !ib_is_stopped(course->run->stop) &&
           ib_sweep_journal_next(journal, &rows, &length, &count)) {
        if (course->taken == 0) course->status = check_first(course, rows, length);
        if (course->status == IB_OK && !course->over && !give_rows(course, rows, length, count))
            course->status =
                ib_error_set(course->error, IB_BAD_INPUT,
                             "'%s' is damaged behind run %lld: its checksum is right, its rows are "
                             "none. Remove it, or name another journal",
                             journal->path, (long long)course->taken);
    }
    course->first = course->taken;
}

// --------------------------------------------------------------------------------------------- run

static bool allocate(Course *course)
{
    int threads = course->run->threads;
    course->ahead = 4 * threads;
    course->workers = calloc((size_t)threads, sizeof *course->workers);
    course->blocks = calloc((size_t)course->ahead, sizeof *course->blocks);
    course->result.values = calloc((size_t)course->shape.columns + 1, sizeof(double));
    course->result.passed = calloc((size_t)course->shape.expectations + 1, sizeof(bool));
    bool good = course->workers && course->blocks && course->result.values && course->result.passed;
    for (int i = 0; good && i < threads; i++)
        good = ib__sweep_worker_init(&course->workers[i], course->sweep, course->run->stop);
    return good;
}

static void release(Course *course)
{
    for (int i = 0; course->workers && i < course->run->threads; i++)
        ib__sweep_worker_destroy(&course->workers[i]);
    for (int i = 0; course->blocks && i < course->ahead; i++)
        ib_bytes_free(&course->blocks[i].rows);
    free(course->workers);
    free(course->blocks);
    free(course->result.values);
    free(course->result.passed);
}

static void run_blocks(Course *course)
{
    const ib_SweepRun *run = course->run;
    int64_t left = course->sweep->count - course->first;
    if (left == 0 || course->over || ib_is_stopped(course->run->stop)) return;
    course->size = block_size(course, left);
    ib_Pool pool = {.threads = run->threads,
                    .job = make_block,
                    .take = take_block,
                    .ahead = course->ahead,
                    .progress = run->progress ? tell_progress : NULL,
                    .self = course,
                    .stop = run->stop};
    ib_Error reason;
    ib_Status status = ib_pool_run(&pool, (left - 1) / course->size + 1, &reason);
    // The caller reports a stop, in runs.
    if (status != IB_FAILED || course->status != IB_OK) return;
    course->status = status;
    *course->error = reason;
}

ib_Status ib_sweep_run(const ib_Sweep *sweep, const ib_SweepRun *run, ib_Error *error)
{
    Course course = {.sweep = sweep,
                     .run = run,
                     .shape = ib_sweep_shape(sweep),
                     .status = IB_OK,
                     .error = error};
    if (!allocate(&course)) course.status = ib_error_set(error, IB_FAILED, "out of memory");
    if (course.status == IB_OK && run->journal) take_journal(&course);
    if (course.status == IB_OK) run_blocks(&course);
    release(&course);
    if (course.status == IB_OK && course.taken < sweep->count)
        return ib_error_set(error, IB_INTERRUPTED, "stopped after %lld of %lld runs",
                            (long long)course.taken, (long long)sweep->count);
    return course.status;
}
