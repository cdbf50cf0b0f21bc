#include "base/child_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// The answer that a child sends through its pipe.
typedef struct Answer {
    ib_Status status;
    ib_Error error;
} Answer;

static void keep_quiet(void)
{
    int nowhere = open("/dev/null", O_RDWR);
    for (int i = 0; nowhere >= 0 && i <= STDERR_FILENO; i++) dup2(nowhere, i);
}

// The work of the child, which ends with its parent and by signals, even those that the
// parent handles.
static void be_child(ib_ChildWork *work, void *self, int seconds, int out)
{
    static const int deadly[] = {SIGINT, SIGTERM, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS};
    Answer answer = {.status = IB_OK};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++) signal(deadly[i], SIG_DFL);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    setrlimit(RLIMIT_CPU, &(struct rlimit){(rlim_t)seconds, (rlim_t)seconds + 1});
    keep_quiet();
    answer.status = work(self, &answer.error);
    bool whole = write(out, &answer, sizeof answer) == (ssize_t)sizeof answer;
    _exit(whole ? 0 : 1);
}

// True: the whole answer was there. The stop signal may reach another thread, which ends no wait
// here: the flag is polled.
static bool hear(int in, const volatile sig_atomic_t *stop, Answer *answer)
{
    enum { LOOK_MS = 50 };
    size_t got = 0;
    while (got < sizeof *answer) {
        struct pollfd waits = {.fd = in, .events = POLLIN};
        if (ib_is_stopped(stop)) return false;
        if (poll(&waits, 1, LOOK_MS) <= 0) continue;
        ssize_t more = read(in, (char *)answer + got, sizeof *answer - got);
        if (more < 0 && errno == EINTR) continue;
        if (more <= 0) return false;
        got += (size_t)more;
    }
    return true;
}

static ib_Status describe_end(int status, int seconds, ib_Error *error)
{
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
        return ib_error_set(error, IB_BAD_INPUT, "it took more than %d s of processor time",
                            seconds);
    if (WIFSIGNALED(status))
        return ib_error_set(error, IB_BAD_INPUT, "it ended by signal %d (%s)", WTERMSIG(status),
                            strsignal(WTERMSIG(status)));
    return ib_error_set(error, IB_BAD_INPUT, "it ended with exit code %d",
                        WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

ib_Status ib_child_process(ib_ChildWork *work, void *self, int seconds,
                           const volatile sig_atomic_t *stop, ib_Error *error)
{
    int pipe_ends[2], status = 0;
    Answer answer;
    if (pipe2(pipe_ends, O_CLOEXEC) != 0)
        return ib_error_set(error, IB_FAILED, "no pipe to a child process");
    fflush(NULL); // else both would write it
    pid_t child = fork();
    if (child == 0) be_child(work, self, seconds, pipe_ends[1]);
    close(pipe_ends[1]);
    bool heard = child > 0 && hear(pipe_ends[0], stop, &answer);
    bool stopped = !heard && ib_is_stopped(stop);
    close(pipe_ends[0]);
    if (child < 0) return ib_error_set(error, IB_FAILED, "no child process");
    if (stopped) kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    if (stopped) return ib_error_set(error, IB_INTERRUPTED, "it was stopped");
    if (!heard) return describe_end(status, seconds, error);
    if (answer.status != IB_OK && error) *error = answer.error;
    return answer.status;
}
