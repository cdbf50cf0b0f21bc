// Files to write to: what stops a wait for a pipe's reader is no failure of the file.
#include "base/output.h"

#include "cmocka_all.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

static void on_alarm(int number)
{
    (void)number;
}

// An alarm every millisecond: one of them comes while the pipe is waited for, however late that is.
static void set_alarms(int micros)
{
    struct sigaction action = {.sa_handler = on_alarm};
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
    struct itimerval timer = {{0, micros}, {0, micros}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

// Goal: who stops the wait for a reader gets IB_INTERRUPTED, and the name of the pipe.
// Method: a pipe without a reader, and signals whose handler lets no call go on.
static void a_wait_that_is_stopped_is_interrupted(void **state)
{
    (void)state;
    char folder[] = "/tmp/ironbird_output_XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/pipe", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    FILE *file;
    ib_Error error;
    set_alarms(1000);
    ib_Status status = ib_output_begin(path, &file, &error);
    set_alarms(0);
    assert_int_equal(status, IB_INTERRUPTED);
    assert_int_equal(error.status, IB_INTERRUPTED);
    assert_null(file);
    assert_non_null(strstr(error.text, path));
    unlink(path);
    rmdir(folder);
}

// Goal: every other reason keeps the status that the caller says, with the system's words.
static void other_reasons_keep_their_status(void **state)
{
    (void)state;
    FILE *file;
    ib_Error error;
    assert_int_equal(ib_output_begin("/nowhere/x", &file, &error), IB_FAILED);
    assert_null(file);
    assert_int_equal(ib_output_failed("x", ENOSPC, IB_BAD_INPUT, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, strerror(ENOSPC)));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wait_that_is_stopped_is_interrupted),
        cmocka_unit_test(other_reasons_keep_their_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
