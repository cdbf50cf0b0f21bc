// Fuzz target: any bytes as the journal of a sweep, alone, behind its head, or as the rows of a
// block whose checksum is right. A sweep goes on with them or refuses them; what comes out are as
// many runs as there are on the list, those of the journal are rows, and the journal that is left
// holds all of them.
#include "study/sweep/sweep_journal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { RUNS = 3, HEAD = 40 };

static ib_Sweep *sweep;
static int file = -1;
static char path[64], scenario[64];
static unsigned char head[HEAD];

static void fill(int fd, const void *bytes, size_t size)
{
    IB_ASSERT(ftruncate(fd, 0) == 0);
    IB_ASSERT(pwrite(fd, bytes, size, 0) == (ssize_t)size);
}

static void prepare(void)
{
    static const char text[] = "robot: {kind: roomba}\ninputs: {left: 1 N, right: 1 N}\n"
                               "run: {duration: 2 ms, step: 1 ms}\n"
                               "expect: ['at end: pose.x > 0 m']\n";
    ib_Arena arena = {0};
    ib_Diagnostics diagnostics = {.arena = &arena};
    ib_SweepJournal journal;
    ib_Error error;
    int source = memfd_create("scenario", 0);
    file = memfd_create("journal", 0);
    IB_ASSERT(source >= 0 && file >= 0);
    fill(source, text, strlen(text));
    snprintf(scenario, sizeof scenario, "/proc/self/fd/%d", source);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    ib_SweepPlan plan = {.file = scenario, .has_seeds = true, .seed_count = RUNS};
    sweep = ib_sweep_create(&plan, &diagnostics);
    IB_ASSERT(sweep);
    IB_ASSERT(ib_sweep_journal_open(&journal, path, sweep, false, &error) == IB_OK);
    IB_ASSERT(pread(file, head, HEAD, 0) == HEAD);
    ib_sweep_journal_close(&journal, false);
    ib_arena_reset(&arena);
}

// The journal that this input stands for, by its first byte.
static void make_journal(const uint8_t *data, size_t size)
{
    ib_SweepJournal journal;
    ib_Error error;
    ib_Bytes bytes = {0};
    int kind = size ? data[0] % 4 : 0;
    if (size) data++, size--;
    if (kind == 0) ib_bytes_put(&bytes, data, size);
    if (kind == 1) ib_bytes_put(&bytes, head, HEAD);
    if (kind == 1) ib_bytes_put(&bytes, data, size);
    fill(file, bytes.data, bytes.count);
    bytes.count = 0;
    if (kind >= 2) {
        ib_bytes_put(&bytes, data, size);
        fill(file, "", 0);
        IB_ASSERT(ib_sweep_journal_open(&journal, path, sweep, false, &error) == IB_OK);
        IB_ASSERT(ib_sweep_journal_append(&journal, &bytes, kind - 1, &error) == IB_OK);
        ib_sweep_journal_close(&journal, false);
    }
    ib_bytes_free(&bytes);
}

static bool take(void *self, int64_t index, const ib_SweepResult *result)
{
    int64_t *count = self;
    IB_ASSERT(index == (*count)++);
    IB_ASSERT((result->status == IB_OK) == !result->error);
    IB_ASSERT(ib_sweep_warning_count(result) >= 0);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ib_SweepJournal journal;
    ib_Error error = {0};
    int64_t count = 0, held, runs;
    if (!sweep) prepare();
    make_journal(data, size);
    ib_sweep_journal_examine(path, sweep, &held, &runs);
    IB_ASSERT(held >= 0);
    ib_Status status = ib_sweep_journal_open(&journal, path, sweep, true, &error);
    if (status == IB_OK) {
        ib_SweepRun run = {.threads = 1, .journal = &journal, .take = take, .self = &count};
        status = ib_sweep_run(sweep, &run, &error);
        ib_sweep_journal_close(&journal, false);
        ib_SweepJournalState state = ib_sweep_journal_examine(path, sweep, &held, &runs);
        IB_ASSERT(status != IB_OK || (state == IB_SWEEP_JOURNAL_OURS && held == RUNS));
    }
    if (status == IB_OK) IB_ASSERT(count == RUNS);
    if (status != IB_OK) IB_ASSERT(status == IB_BAD_INPUT && strlen(error.text) > 0);
    return 0;
}
