// Files to write to: what stops a wait for a pipe's reader is no failure of the file, and a file
// has one writer at a time.
#include "base/output.h"

#include "cmocka_all.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
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

// The bytes of a file; -1: there is none.
static long size_of(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 ? (long)found.st_size : -1;
}

// Goal: a second writer is refused, in the same program too, and changes nothing; a file may be
// written again when it is closed. Who only tries leaves nothing behind. Method: a file that is
// held open with four bytes in it, a hard link to it, and a name that is not there.
static void a_file_has_one_writer(void **state)
{
    (void)state;
    char folder[] = "/tmp/ironbird_output_XXXXXX", path[64], other[64];
    FILE *first, *second;
    ib_Error error;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a", folder);
    snprintf(other, sizeof other, "%s/b", folder);
    assert_true(ib_output_try(path));
    assert_int_equal(size_of(path), -1);
    assert_int_equal(ib_output_begin(path, &first, &error), IB_OK);
    assert_true(fputs("kept", first) >= 0 && fflush(first) == 0);
    assert_int_equal(link(path, other), 0);
    assert_int_equal(ib_output_begin(other, &second, &error), IB_FAILED);
    assert_non_null(strstr(error.text, "somebody is writing it already"));
    assert_false(ib_output_try(path));
    assert_int_equal(errno, EBUSY);
    assert_int_equal(size_of(path), 4);
    assert_int_equal(ib_output_end(first, path, &error), IB_OK);
    assert_true(ib_output_try(path));
    assert_int_equal(size_of(path), 4);
    assert_int_equal(ib_output_begin(other, &second, &error), IB_OK);
    assert_int_equal(size_of(path), 0);
    assert_int_equal(ib_output_end(second, other, &error), IB_OK);
    unlink(path);
    unlink(other);
    rmdir(folder);
}

// Goal: a writer that is killed does not keep its file. Method: a child that opens it, says so, and
// waits to be killed.
static void a_lock_ends_with_its_program(void **state)
{
    (void)state;
    char path[] = "/tmp/ironbird_output_XXXXXX", byte;
    int ready[2], file = mkstemp(path);
    assert_true(file >= 0 && close(file) == 0 && pipe(ready) == 0);
    pid_t child = fork();
    if (child == 0) {
        bool good = ib_output_open(path) >= 0 && write(ready[1], "x", 1) == 1;
        while (good) pause();
        _exit(1);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_false(ib_output_try(path));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_true(ib_output_try(path));
    close(ready[0]);
    close(ready[1]);
    unlink(path);
}

// Goal: devices have any number of writers. Method: /dev/null, twice at a time.
static void devices_are_not_locked(void **state)
{
    (void)state;
    int one = ib_output_open("/dev/null"), two = ib_output_open("/dev/null");
    assert_true(one >= 0 && two >= 0);
    assert_true(ib_output_try("/dev/null"));
    close(one);
    close(two);
}

// Goal: a file that has lost its name is written through its descriptor. Method: /dev/fd/N of a
// removed file, as shells and other programs hand it over.
static void a_file_without_a_name_is_written(void **state)
{
    (void)state;
    char path[] = "/tmp/ironbird_output_XXXXXX", named[32];
    int file = mkstemp(path);
    assert_true(file >= 0 && unlink(path) == 0);
    snprintf(named, sizeof named, "/dev/fd/%d", file);
    int again = ib_output_open(named);
    assert_true(again >= 0 && write(again, "x", 1) == 1);
    close(again);
    close(file);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wait_that_is_stopped_is_interrupted),
        cmocka_unit_test(other_reasons_keep_their_status),
        cmocka_unit_test(a_file_has_one_writer),
        cmocka_unit_test(a_lock_ends_with_its_program),
        cmocka_unit_test(devices_are_not_locked),
        cmocka_unit_test(a_file_without_a_name_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
