// Claims about src/record/log_write.c: what a file that takes no more says of its rows.
#include "cmocka_all.h"

#include "record/log.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { ROWS = 2000 };

static ib_Time times[ROWS];
static double values[ROWS];
static char folder[64];

// Writes a log of ROWS rows, 1 ms from one to the next, into a file of `limit` bytes at most.
static void write_cut(const char *path, ib_Time first, rlim_t limit, ib_Error *error)
{
    ib_LogSeries series[] = {{"count", "1", "", ROWS, times, values},
                             {"again", "1", "", ROWS, times, values}};
    ib_Log log = {.series = series, .series_count = 2};
    for (int i = 0; i < ROWS; i++) {
        times[i] = first + i * (IB_SECOND / 1000);
        values[i] = i;
    }
    struct rlimit before, small;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = limit;
    setrlimit(RLIMIT_FSIZE, &small);
    ib_Status status = ib_log_write(&log, path, error);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, handler);
    assert_int_equal(status, IB_FAILED);
}

// Goal: a log that does not fit says up to which time its rows are whole, in both formats and from
// times before 0 on. Method: 40 sizes of a file from 500 bytes on and 40 from 8000 on, more than
// a row has bytes; they are read back, and the last time of both series is the one that was said.
static void rows_of_a_full_disk_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        ib_Time first;
    } cases[] = {{"cut.csv", 0}, {"cut.csv", -2 * IB_SECOND}, {"cut.wpilog", 0}};
    for (int i = 0; i < 3 * 80; i++) {
        char path[128];
        rlim_t limit = (i % 2 ? 8000 : 500) + (rlim_t)(i % 80 / 2);
        ib_Error error;
        ib_Log *log;
        char said[100];
        snprintf(path, sizeof path, "%s/%s", folder, cases[i / 80].name);
        write_cut(path, cases[i / 80].first, limit, &error);
        assert_int_equal(ib_log_read(path, &log, &(ib_Error){0}), IB_OK);
        assert_int_equal(log->series_count, 2);
        int64_t whole = log->series[1].count;
        assert_true(whole > 0 && whole < ROWS);
        snprintf(said, sizeof said,
                 "File too large; %d bytes were kept, rows are whole up to %.9g s", (int)limit,
                 ib_time_to_seconds(log->series[1].times[whole - 1]));
        if (!strstr(error.text, said)) fail_msg("%s: not '%s'", error.text, said);
        ib_log_destroy(log);
        unlink(path);
    }
}

// Goal: where not even the first row fits, that is said. Method: files that end in the first line.
static void no_row_is_whole(void **state)
{
    (void)state;
    ib_Error error;
    char path[128];
    snprintf(path, sizeof path, "%s/cut.csv", folder);
    write_cut(path, 0, 10, &error);
    assert_non_null(strstr(error.text, "10 bytes were kept, no row is whole"));
    unlink(path);
}

static int make_folder(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%.32s/ib_log_write_XXXXXX", base ? base : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_a_full_disk_are_told),
        cmocka_unit_test(no_row_is_whole),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
