// cli/main.c: the program. One file per command: cmd_*.c.
#include "cli.h"

#include "base/quote.h"
#include "base/thread.h"
#include "base/word.h"
#include "world/mujoco.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *sentence;
} commands[] = {
    {"run", cmd_run, "run a scenario and judge its expectations"},
    {"check", cmd_check, "say what is wrong with scenario files, without running them"},
    {"list", cmd_list, "show robot kinds, their parameters, units, and the signals of a scenario"},
    {"plot", cmd_plot, "draw signals of a log"},
    {"report", cmd_report, "run a scenario and write a self-contained HTML report"},
    {"serve", cmd_serve, "run a scenario, or play a log, for the viewer in a browser"},
    {"replay", cmd_replay, "make a recorded run again and compare it with the recording"},
    {"sweep", cmd_sweep, "run a scenario many times, over seeds and parameters, on all cores"},
    {"optimise", cmd_optimise, "find the values for which a measure is best, in few runs"},
    {"convert", cmd_convert, "turn a log into another format"},
    {"verify", cmd_verify, "hold a source document's claims against the computed values"},
    {"design", cmd_design, "design a controller: feedback, filter, poles and margins"},
    {"plan", cmd_plan, "find the fastest motion of an arm along a path, or the path too"},
    {"fit", cmd_fit, "find the constants of a motor in recordings of it"},
    {"bench", cmd_bench, "measure how fast a scenario runs on this machine"},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static int help(FILE *file)
{
    fprintf(file, "ironbird " IB_VERSION ": a robot simulation and control workbench\n\n"
                  "usage: ironbird COMMAND [options]\n\ncommands:\n");
    for (int i = 0; i < COMMANDS; i++)
        fprintf(file, "  %-9s %s\n", commands[i].name, commands[i].sentence);
    fprintf(file, "\n'ironbird COMMAND --help' shows the options of a command, with an example.\n"
                  "example:\n  ironbird run scenarios/roomba_straight.yaml\n");
    return EXIT_DONE;
}

extern const char built_commit[]; ///< made by cmake/commit.cmake; "": not known

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        help(stderr);
        return EXIT_BAD_INPUT;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))
        return help(stdout);
    if (!strcmp(argv[1], "--version")) {
        bool known = built_commit[0] != 0;
        printf("ironbird " IB_VERSION "%s%s%s\n", known ? " (" : "", built_commit,
               known ? ")" : "");
        return EXIT_DONE;
    }
    const char *names[COMMANDS + 1] = {0};
    for (int i = 0; i < COMMANDS; i++) {
        if (!strcmp(argv[1], commands[i].name)) return commands[i].run(argc - 1, argv + 1);
        names[i] = commands[i].name;
    }
    const char *near = ib_nearest_word(argv[1], names);
    ib_tell(stderr, "ironbird: there is no command '%s'; ", argv[1]);
    if (near)
        ib_tell(stderr, "did you mean '%s'?\n", near);
    else
        ib_tell(stderr, "'ironbird --help' lists them\n");
    return EXIT_BAD_INPUT;
}

// ------------------------------------------------------------------------------------------- stack

typedef struct Call {
    int argc, code;
    char **argv;
    sigset_t signals; ///< that were blocked before
} Call;

static void *call(void *self)
{
    Call *own = self;
    pthread_sigmask(SIG_SETMASK, &own->signals, NULL);
    own->code = dispatch(own->argc, own->argv);
    return NULL;
}

// A command has a thread of its own, whose stack is large enough for any `ulimit -s`. It alone
// receives signals, so that Ctrl-C ends a wait in it; the thread that waits for it blocks them.
static int dispatch_on_stack(int argc, char **argv)
{
    Call own = {.argc = argc, .argv = argv};
    pthread_t thread;
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &own.signals);
    if (ib_thread_start(&thread, call, &own) == 0)
        pthread_join(thread, NULL);
    else
        call(&own); // where there can be no second thread, on this one's
    pthread_sigmask(SIG_SETMASK, &own.signals, NULL);
    return own.code;
}

// IRONBIRD_MODELS=apart: for a server that must not fall over a file of strangers.
static bool heed_environment(void)
{
    const char *models = getenv("IRONBIRD_MODELS");
    if (!models || !models[0]) return true;
    ib_mujoco_try_apart(true);
    if (strcmp(models, "apart") == 0) return true;
    ib_tell(stderr, "ironbird: IRONBIRD_MODELS: expected 'apart' or nothing, got '%s'\n",
            ib_quote(models).text);
    return false;
}

int main(int argc, char **argv)
{
    begin_output();
    begin_interrupt();
    if (!heed_environment()) return finish_output(EXIT_BAD_INPUT);
    return finish_output(dispatch_on_stack(argc, argv));
}
