// test/refusal.h: what a bug says before the program ends, heard from a child.
#ifndef IB_TEST_REFUSAL_H
#define IB_TEST_REFUSAL_H

#include "cmocka_all.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// The call ends in an IB_ASSERT whose message has these words.
static inline void assert_aborts(void (*call)(void), const char *words)
{
    int ends[2], status = 0;
    char text[2048] = "";
    size_t used = 0;
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        dup2(ends[1], STDERR_FILENO);
        call();
        _exit(0);
    }
    close(ends[1]);
    for (ssize_t got; used + 1 < sizeof text; used += (size_t)got)
        if ((got = read(ends[0], text + used, sizeof text - 1 - used)) <= 0) break;
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFSIGNALED(status) || !strstr(text, words))
        fail_msg("'%s' does not say '%s'", text, words);
}

#endif
