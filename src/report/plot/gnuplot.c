#include "report/plot/gnuplot.h"

#include "base/quote.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TIMEOUT_MS = 60 * 1000 };

extern char **environ;

// The separator of two pictures of one gnuplot. No SVG has this character, and ib_text_line removes
// it from texts.
#define PARTING '\001'

// gnuplot reads a file by its name in blocks, but its standard input and output a character and a
// line at a time: both are called by name.
static const char *const opening = "set output '/dev/stdout'\n";

// After each picture but the last: close it, part it from the next, and forget all of it.
static const char *const closing = "unset multiplot\nunset output\n"
                                   "set print '-'\nprint \"\\001\"\nunset print\n"
                                   "reset\nundefine $*\n";

// The three ends that gnuplot gets. Scripts and complaints are files in memory: neither side can
// block on them, a gnuplot that dies early sends no SIGPIPE, and no file is left after a kill. The
// pictures come through a pipe.
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

static bool write_words(int file, const char *words)
{
    return write_all(file, words, strlen(words));
}

static bool write_scripts(int file, const ib_GnuplotJob *jobs, int count)
{
    for (int i = 0; i < count; i++) {
        if (i > 0 && !write_words(file, closing)) return false;
        if (!write_words(file, opening)) return false;
        if (!write_all(file, jobs[i].script, jobs[i].length)) return false;
    }
    return lseek(file, 0, SEEK_SET) == 0;
}

static ib_Status streams_open(const ib_GnuplotJob *jobs, int count, Streams *streams,
                              ib_Error *error)
{
    *streams = (Streams){-1, -1, {-1, -1}};
    streams->script = memfd_create("script", MFD_CLOEXEC);
    streams->complaints = memfd_create("complaints", MFD_CLOEXEC);
    bool good = streams->script >= 0 && streams->complaints >= 0 &&
                pipe2(streams->picture, O_CLOEXEC) == 0 &&
                write_scripts(streams->script, jobs, count);
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
    // -d: no start-up files, so that the user's settings do not change the picture.
    char name[] = "gnuplot", plain[] = "-d", from_stdin[] = "/dev/stdin";
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

// Adds bytes to the picture that is being drawn, and continues with the next at a separator; a
// single picture may have any bytes. Returns the current one.
static int hand_out(const char *bytes, size_t length, ib_GnuplotJob *jobs, int count, int turn)
{
    while (length > 0) {
        if (turn > 0 && jobs[turn].picture->length == 0 && *bytes == '\n') { // of the parting
            bytes++, length--;
            continue;
        }
        const char *parting = turn < count - 1 ? memchr(bytes, PARTING, length) : NULL;
        size_t own = parting ? (size_t)(parting - bytes) : length;
        ib_text_add_n(jobs[turn].picture, bytes, own);
        if (!parting) break;
        turn++;
        bytes += own + 1;
        length -= own + 1;
    }
    return turn;
}

// Reads the pictures to their end; false when the time for one of them is up. `turn` is the one
// that was being drawn at last.
static bool receive(int from, ib_GnuplotJob *jobs, int count, int *turn)
{
    int64_t deadline = now_ms() + TIMEOUT_MS;
    char bytes[1 << 16];
    *turn = 0;
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
        if (got <= 0) continue;
        int next = hand_out(bytes, (size_t)got, jobs, count, *turn);
        if (next > *turn) deadline = now_ms() + TIMEOUT_MS;
        *turn = next;
    }
}

// -------------------------------------------------------------------------------------- complaints

static int count_lines(const char *bytes, size_t length)
{
    int count = 0;
    for (size_t i = 0; i < length; i++) count += bytes[i] == '\n';
    return count;
}

// The lines that gnuplot has read before the script of job `turn` begins.
static int lines_before(const ib_GnuplotJob *jobs, int turn)
{
    int count = count_lines(opening, strlen(opening));
    for (int i = 0; i < turn; i++)
        count += count_lines(jobs[i].script, jobs[i].length) +
                 count_lines(opening, strlen(opening)) + count_lines(closing, strlen(closing));
    return count;
}

// gnuplot prints the line, a caret below it and then "/dev/stdin" line 12: its message. The last
// such line is taken, since those before are warnings about earlier pictures; counted from the
// first line of its script.
static ib_Status complain(int complaints, int result, int before, ib_Error *error)
{
    char text[4096];
    off_t end = lseek(complaints, 0, SEEK_END), most = sizeof text - 1;
    ssize_t length = pread(complaints, text, sizeof text - 1, end > most ? end - most : 0);
    text[length > 0 ? length : 0] = '\0';
    char silent[80] = "it drew nothing, and gave no reason";
    if (WIFSIGNALED(result))
        snprintf(silent, sizeof silent, "it was ended by signal %d", WTERMSIG(result));
    else if (WEXITSTATUS(result) != 0)
        snprintf(silent, sizeof silent, "it gave no reason, and exit code %d", WEXITSTATUS(result));
    const char *reason = silent, *place = NULL;
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (!place) reason = line + strspn(line, " \t^");
        const char *numbered = strstr(line, "line ");
        if (numbered) reason = place = numbered;
    }
    int number, used = 0;
    if (place && sscanf(place, "line %d%n", &number, &used) == 1)
        return ib_error_set(error, IB_FAILED, "gnuplot could not draw this: line %d%s",
                            number - before, ib_quote(place + used).text);
    return ib_error_set(error, IB_FAILED, "gnuplot could not draw this: %s", ib_quote(reason).text);
}

// --------------------------------------------------------------------------------------------- run

static void settle(ib_GnuplotJob *job, ib_Status status, const ib_Error *error)
{
    job->status = status;
    job->error = *error;
}

// Nothing more can be drawn, for one reason.
static int settle_all(ib_GnuplotJob *jobs, int from, int count, const ib_Error *error)
{
    for (int i = from; i < count; i++) settle(&jobs[i], IB_FAILED, error);
    return count;
}

// Evaluates gnuplot's end for the last picture, and for those before.
static int settle_drawn(const Streams *streams, int result, ib_GnuplotJob *jobs, int count,
                        int turn)
{
    bool died = !WIFEXITED(result) || WEXITSTATUS(result) != 0 || turn < count - 1;
    for (int i = 0; i <= turn; i++) {
        ib_Error error = {0};
        ib_Status status = IB_OK;
        if ((died && i == turn) || jobs[i].picture->length == 0)
            status = complain(streams->complaints, result, lines_before(jobs, i), &error);
        else if (jobs[i].picture->failed)
            status = ib_error_set(&error, IB_FAILED, "out of memory for the picture");
        settle(&jobs[i], status, &error);
    }
    return turn + 1;
}

// One gnuplot for as many as it can draw: at a mistake it ends. Returns how many are settled.
static int run_once(ib_GnuplotJob *jobs, int count)
{
    Streams streams;
    ib_Error error = {0};
    if (streams_open(jobs, count, &streams, &error)) return settle_all(jobs, 0, count, &error);
    pid_t child;
    if (start(&streams, &child, &error)) {
        streams_close(&streams);
        return settle_all(jobs, 0, count, &error);
    }

    // Our own copy of the write end must go, or the end of the pictures never comes.
    close_end(&streams.picture[1]);
    int result = 0, turn, settled;
    bool complete = receive(streams.picture[0], jobs, count, &turn);
    if (!complete) kill(child, SIGKILL);
    while (waitpid(child, &result, 0) < 0 && errno == EINTR) continue;

    if (complete && WIFEXITED(result) && WEXITSTATUS(result) == 127) {
        missing(ENOENT, &error); // where a spawn tells of a missing program only so
        settled = settle_all(jobs, 0, count, &error);
    } else if (complete)
        settled = settle_drawn(&streams, result, jobs, count, turn);
    else {
        // After one timeout of a minute the remaining pictures are not waited for.
        ib_error_set(&error, IB_FAILED, "gnuplot did not finish within a minute");
        if (turn > 0) settle_drawn(&streams, 0, jobs, turn, turn - 1);
        settled = settle_all(jobs, turn, count, &error);
    }
    streams_close(&streams);
    return settled;
}

void ib_gnuplot_run_all(ib_GnuplotJob *jobs, int count)
{
    for (int done = 0; done < count;) done += run_once(jobs + done, count - done);
}

ib_Status ib_gnuplot_run(const ib_Text *script, ib_Text *picture, ib_Error *error)
{
    if (script->failed) return ib_error_set(error, IB_FAILED, "out of memory for the plot");
    ib_GnuplotJob job = {.script = script->bytes, .length = script->length, .picture = picture};
    ib_gnuplot_run_all(&job, 1);
    return job.status ? ib_error_set(error, job.status, "%s", job.error.text) : IB_OK;
}

ib_Status ib_gnuplot_check(ib_Error *error)
{
    // The path is searched as by a spawn.
    const char *path = getenv("PATH");
    for (const char *at = path ? path : "/bin:/usr/bin"; at;) {
        int length = (int)strcspn(at, ":");
        char file[4096];
        snprintf(file, sizeof file, "%.*s%sgnuplot", length, at, length ? "/" : "");
        if (access(file, X_OK) == 0) return IB_OK;
        at = at[length] ? at + length + 1 : NULL;
    }
    return missing(ENOENT, error);
}
