#include "report/gnuplot.h"

#include "base/quote.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TIMEOUT_MS = 60 * 1000 };

extern char **environ;

// The three ends that gnuplot gets. Script and complaints are files in memory: neither side can
// block on them, and a gnuplot that dies early sends no SIGPIPE. The picture comes through a pipe.
typedef struct Streams {
    int script, complaints;
    int picture[2]; // read end, write end
} Streams;

static void close_end(int *end)
{
    if (*end >= 0) close(*end);
    *end = -1;
}

static void streams_close(Streams *streams)
{
    close_end(&streams->script);
    close_end(&streams->complaints);
    close_end(&streams->picture[0]);
    close_end(&streams->picture[1]);
}

static bool write_all(int file, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t done = write(file, bytes, length);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        bytes += done;
        length -= (size_t)done;
    }
    return true;
}

// Script and complaints are files in memory, so that gnuplot never waits for us; the picture comes
// through a pipe.
static ib_Status streams_open(const ib_Text *script, Streams *streams, ib_Error *error)
{
    *streams = (Streams){-1, -1, {-1, -1}};
    streams->script = memfd_create("script", MFD_CLOEXEC);
    streams->complaints = memfd_create("complaints", MFD_CLOEXEC);
    bool good = streams->script >= 0 && streams->complaints >= 0 &&
                pipe2(streams->picture, O_CLOEXEC) == 0 &&
                write_all(streams->script, script->bytes, script->length) &&
                lseek(streams->script, 0, SEEK_SET) == 0;
    if (good) return IB_OK;
    ib_error_set(error, IB_FAILED, "cannot hand the plot to gnuplot: %s", strerror(errno));
    streams_close(streams);
    return IB_FAILED;
}

static ib_Status missing(int reason, ib_Error *error)
{
    if (reason == ENOENT)
        return ib_error_set(error, IB_FAILED,
                            "gnuplot is not installed: apt-get install gnuplot-nox");
    return ib_error_set(error, IB_FAILED, "cannot start gnuplot: %s", strerror(reason));
}

static ib_Status start(const Streams *streams, pid_t *child, ib_Error *error)
{
    // -d: no start-up files, so that a person's own settings do not change the picture.
    char name[] = "gnuplot", plain[] = "-d", from_stdin[] = "-";
    char *const arguments[] = {name, plain, from_stdin, NULL};
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0) return missing(ENOMEM, error);
    int failed = posix_spawn_file_actions_adddup2(&actions, streams->script, STDIN_FILENO);
    if (!failed)
        failed = posix_spawn_file_actions_adddup2(&actions, streams->picture[1], STDOUT_FILENO);
    if (!failed)
        failed = posix_spawn_file_actions_adddup2(&actions, streams->complaints, STDERR_FILENO);
    if (!failed) failed = posix_spawnp(child, "gnuplot", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failed ? missing(failed, error) : IB_OK;
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// Reads the picture to its end; false when the time is up.
static bool receive(int from, ib_Text *picture)
{
    int64_t deadline = now_ms() + TIMEOUT_MS;
    char bytes[1 << 16];
    for (;;) {
        int64_t left = deadline - now_ms();
        if (left <= 0) return false;
        struct pollfd wait = {.fd = from, .events = POLLIN};
        int ready = poll(&wait, 1, (int)left);
        if (ready < 0 && errno != EINTR) return false;
        if (ready <= 0) continue;
        ssize_t got = read(from, bytes, sizeof bytes);
        if (got == 0) return true;
        if (got < 0 && errno != EINTR) return false;
        if (got > 0) ib_text_add_n(picture, bytes, (size_t)got);
    }
}

// gnuplot prints the line, a caret below it and then "line 12: what is wrong": take that line.
static void complain(int complaints, ib_Error *error)
{
    char text[4096];
    ssize_t length = pread(complaints, text, sizeof text - 1, 0);
    text[length > 0 ? length : 0] = '\0';
    const char *reason = "no reason given";
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        reason = line + strspn(line, " \t^");
        if (strstr(line, "line ")) break;
    }
    ib_error_set(error, IB_FAILED, "gnuplot could not draw this: %s", ib_quote(reason).text);
}

ib_Status ib_gnuplot_run(const ib_Text *script, ib_Text *picture, ib_Error *error)
{
    if (script->failed) return ib_error_set(error, IB_FAILED, "out of memory for the plot");
    Streams streams;
    ib_Status status = streams_open(script, &streams, error);
    if (status) return status;

    pid_t child;
    status = start(&streams, &child, error);
    if (status) {
        streams_close(&streams);
        return status;
    }

    // Our own copy of the write end must go, or the end of the picture never comes.
    close_end(&streams.picture[1]);
    bool complete = receive(streams.picture[0], picture);
    if (!complete) kill(child, SIGKILL);
    int result = 0;
    while (waitpid(child, &result, 0) < 0 && errno == EINTR) continue;

    if (!complete)
        status = ib_error_set(error, IB_FAILED, "gnuplot did not finish within a minute");
    else if (WIFEXITED(result) && WEXITSTATUS(result) == 127)
        status = missing(ENOENT, error); // where a spawn tells of a missing program only so
    else if (!WIFEXITED(result) || WEXITSTATUS(result) != 0 || picture->length == 0) {
        complain(streams.complaints, error);
        status = IB_FAILED;
    } else if (picture->failed)
        status = ib_error_set(error, IB_FAILED, "out of memory for the picture");
    streams_close(&streams);
    return status;
}

ib_Status ib_gnuplot_check(ib_Error *error)
{
    ib_Text script = {0}, answer = {0};
    ib_text_add(&script, "set print '-'; print GPVAL_VERSION\n");
    ib_Status status = ib_gnuplot_run(&script, &answer, error);
    ib_text_destroy(&script);
    ib_text_destroy(&answer);
    return status;
}
