// Files to write to: what stops a wait for a pipe's reader is no failure of the file, and a file
// has one writer at a time.
#include "base/output.h"

#include "base/output_part.h"
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
// held open with four bytes in it, by a hard link to it, and a name that is not there.
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
    close(ib_output_open(path));
    assert_int_equal(link(path, other), 0);
    assert_int_equal(ib_output_begin(path, &first, &error), IB_OK);
    assert_true(fputs("kept", first) >= 0 && fflush(first) == 0);
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

typedef struct Folder {
    char name[32], path[64], part[96];
} Folder;

static void make(Folder *folder)
{
    strcpy(folder->name, "/tmp/ironbird_output_XXXXXX");
    assert_non_null(mkdtemp(folder->name));
    snprintf(folder->path, sizeof folder->path, "%s/a", folder->name);
    snprintf(folder->part, sizeof folder->part, "%s.part-%ld", folder->path, (long)getpid());
}

// The file has this text (NULL: there is none), and is all that there is.
static void assert_left(const Folder *folder, const char *text)
{
    char read[16] = "";
    assert_int_equal(size_of(folder->path), text ? (long)strlen(text) : -1);
    FILE *file = text ? fopen(folder->path, "r") : NULL;
    if (file) assert_non_null(fgets(read, sizeof read, file));
    if (file) fclose(file);
    assert_string_equal(read, text ? text : "");
    unlink(folder->path);
    assert_int_equal(rmdir(folder->name), 0);
}

static FILE *begin(const Folder *folder, const char *text)
{
    FILE *file;
    ib_Error error;
    if (ib_output_begin(folder->path, &file, &error) != IB_OK) fail_msg("%s", error.text);
    assert_true(fputs(text, file) >= 0 && fflush(file) == 0);
    return file;
}

static void end(FILE *file, const Folder *folder)
{
    ib_Error error;
    if (ib_output_end(file, folder->path, &error) != IB_OK) fail_msg("%s", error.text);
}

// Goal: a file is what it was until all of its new text is there, and has its rights; nobody else
// may write it meanwhile. Method: a file that is written again, and one that is new.
static void a_file_appears_when_it_is_whole(void **state)
{
    (void)state;
    Folder folder;
    FILE *second;
    ib_Error error;
    struct stat found;
    make(&folder);
    FILE *file = begin(&folder, "old");
    assert_int_equal(size_of(folder.path), 0);
    end(file, &folder);
    assert_int_equal(chmod(folder.path, 0640), 0);
    file = begin(&folder, "newer");
    assert_int_equal(size_of(folder.path), 3);
    assert_int_equal(size_of(folder.part), 5);
    assert_int_equal(ib_output_begin(folder.path, &second, &error), IB_FAILED);
    assert_non_null(strstr(error.text, "somebody is writing it already"));
    end(file, &folder);
    assert_true(stat(folder.path, &found) == 0 && (found.st_mode & 0777) == 0640);
    assert_left(&folder, "newer");
}

// A child that begins to write and is then stopped by the handler, as Ctrl-C has it.
static void write_and_stop(const Folder *folder, const char *text)
{
    int said[2], status;
    char note[200] = "";
    assert_int_equal(pipe(said), 0);
    pid_t child = fork();
    if (child == 0) {
        begin(folder, text);
        ib_output_part_abandon(said[1]);
        _exit(0);
    }
    close(said[1]);
    assert_true(waitpid(child, &status, 0) == child && status == 0);
    assert_true(read(said[0], note, sizeof note - 1) > 0);
    assert_non_null(strstr(note, "/a' "));
    close(said[0]);
}

// Goal: what is stopped on the way leaves the file as it was, and nothing beside it, and says so;
// a process that was forked meanwhile leaves its parent's alone. Method: a new file, one that is
// there, and a child of the writer.
static void what_is_stopped_leaves_no_cut_file(void **state)
{
    (void)state;
    Folder folder;
    make(&folder);
    write_and_stop(&folder, "new");
    assert_left(&folder, NULL);
    make(&folder);
    end(begin(&folder, "old"), &folder);
    write_and_stop(&folder, "new");
    assert_left(&folder, "old");
    make(&folder);
    FILE *file = begin(&folder, "new");
    pid_t child = fork();
    if (child == 0) {
        ib_output_part_abandon(STDERR_FILENO);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    end(file, &folder);
    assert_left(&folder, "new");
}

// Goal: files that cannot be replaced are written where they are. Method: one with two names, one
// by a symbolic link, which stays one, and one by a descriptor that is open.
static void a_file_of_several_names_stays_one(void **state)
{
    (void)state;
    Folder folder, link_to;
    char other[64], opened[32];
    struct stat found;
    make(&folder);
    end(begin(&folder, "old"), &folder);
    snprintf(other, sizeof other, "%s/b", folder.name);
    assert_int_equal(link(folder.path, other), 0);
    end(begin(&folder, "newer"), &folder);
    assert_int_equal(size_of(other), 5);
    unlink(other);
    assert_int_equal(symlink(folder.path, other), 0);
    link_to = folder;
    strcpy(link_to.path, other);
    end(begin(&link_to, "newest"), &link_to);
    assert_true(lstat(other, &found) == 0 && S_ISLNK(found.st_mode));
    unlink(other);
    FILE *held = fopen(folder.path, "r+");
    assert_non_null(held);
    snprintf(opened, sizeof opened, "/dev/fd/%d", fileno(held));
    strcpy(link_to.path, opened);
    end(begin(&link_to, "last"), &link_to);
    assert_int_equal(fgetc(held), 'l');
    fclose(held);
    assert_left(&folder, "last");
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
        cmocka_unit_test(a_file_appears_when_it_is_whole),
        cmocka_unit_test(what_is_stopped_leaves_no_cut_file),
        cmocka_unit_test(a_file_of_several_names_stays_one),
        cmocka_unit_test(devices_are_not_locked),
        cmocka_unit_test(a_file_without_a_name_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
