// A plug-in that does what its command `mischief` asks for, one wrong thing at a time;
// 0: it behaves. mischief_2.c compiles it for version 2 of the interface.
#include "ironbird/plugin.h"

#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "mischief.h"

static int init(double *state)
{
    state[0] = 100;
    return 0;
}

static volatile int depth;
static int *volatile nowhere;

static double recurse(double x)
{
    volatile double room[512];
    room[depth % 512] = x;
    depth++;
    return depth < 0 ? x : recurse(x + 1) + room[depth % 512];
}

// By the instruction itself: a compiler knows how to divide 1 by anything without one.
static void divide_by_zero(void)
{
#if defined(__x86_64__)
    int low = 1, high = 0, zero = 0;
    __asm__ volatile("idivl %2" : "+a"(low), "+d"(high) : "r"(zero) : "cc");
#else
    raise(SIGFPE); // other machines divide by zero in silence
#endif
}

static void trap(void)
{
#if defined(__x86_64__)
    __asm__ volatile("int3"); // __builtin_trap() is an illegal instruction here
#elif defined(__aarch64__)
    __builtin_trap();
#else
    raise(SIGTRAP);
#endif
}

static void crash(int what)
{
    switch (what) {
    case SEGFAULT:
        *nowhere = 1;
        break;
    case DIVIDES:
        divide_by_zero();
        break;
    case ABORTS:
        abort();
    case RECURSES:
        depth = (int)recurse(1);
        break;
    case EXITS:
        exit(0);
    case ENDS_THREAD:
        pthread_exit(NULL);
    case TRAPS:
        trap();
        break;
    case CALLS_WRONGLY:
        raise(SIGSYS); // as under seccomp
        break;
    }
}

// Writes where nobody reads; true: the write just failed.
static bool break_pipe(void)
{
    int ends[2];
    if (pipe(ends) != 0) return false;
    close(ends[0]);
    bool failed = write(ends[1], "x", 1) == -1 && errno == EPIPE;
    close(ends[1]);
    return failed;
}

static void block_signals(void)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
}

static void waste_time(int what)
{
    switch (what) {
    case GOES_DEAF:
        block_signals();
        for (;;) pause();
    case LATE:
        usleep(LATE_MS * 1000);
        break;
    case SPINS:
        for (;;) depth++;
    case SLEEPS:
        for (;;) pause();
    case ALLOCATES: // most of its time inside of the C library, with a lock in hand
        for (;;) {
            void *volatile block = malloc(100000);
            free(block);
        }
    }
}

static void write_wrong(int what, double *state, double *measurement, double *command,
                        double *output)
{
    switch (what) {
    case NAN_OUTPUT:
        output[1] = NAN;
        break;
    case INF_OUTPUT:
        output[0] = INFINITY;
        break;
    case NAN_STATE:
        state[1] = NAN;
        break;
    case BEYOND_OUTPUTS:
        output[2] = 1;
        break;
    case FAR_BEYOND_OUTPUTS:
        for (int i = 0; i < 5000; i++) output[i] = 1;
        break;
    case BEFORE_OUTPUTS:
        output[-1] = 1;
        break;
    case BEYOND_STATE:
        state[2] = 1;
        break;
    case BEFORE_STATE:
        state[-1] = 1;
        break;
    case BEYOND_MEASUREMENTS:
        measurement[1] = 1;
        break;
    case BEYOND_COMMANDS:
        command[1] = 1;
        break;
    }
}

static int step(double *state, const double *measurement, const double *command, double *output)
{
    int what = (int)command[0];
    state[0] += 1;
    state[1] = measurement[0];
    if (what == FORGETS) return 0;
    output[0] = output[1] = 2;
    if (what == RETURNS_ERROR) return -7;
    if (what == ROUNDS_UP) fesetround(FE_UPWARD);
    if (what == BREAKS_PIPE && !break_pipe()) return -8;
    crash(what);
    waste_time(what);
    write_wrong(what, state, (double *)(uintptr_t)measurement, (double *)(uintptr_t)command,
                output);
    return 0;
}

static const ironbird_command commands[] = {{"mischief", "1", "which", 0, 0, 100}};
static const char *const measurements[] = {"sensor.gyro"};
static const char *const outputs[] = {"left", "right"};
static const ironbird_signal signals[] = {{"steps", "1", "made, and 100", 0}};

#ifdef VERSION_2
static int init_2(const ironbird_world *world, double *state)
{
    (void)world;
    return init(state);
}

static int step_2(const ironbird_tick *tick, double *state, const double *measurement,
                  const double *command, double *output)
{
    (void)tick;
    return step(state, measurement, command, output);
}

typedef ironbird_plugin_v2 Table;
#define ABI              IRONBIRD_PLUGIN_ABI_2
#define FUNCTIONS        .init = init_2, .step = step_2
#define ironbird_plugin_ ironbird_plugin_2
#else
typedef ironbird_plugin_v1 Table;
#define ABI              IRONBIRD_PLUGIN_ABI
#define FUNCTIONS        .init = init, .step = step
#define ironbird_plugin_ ironbird_plugin
#endif

const Table *ironbird_plugin_(void)
{
    static const Table plugin = {.abi = ABI,
                                 .size = sizeof plugin,
                                 .name = "mischief",
                                 .period = 0.01,
                                 .state_count = 2,
                                 .command_count = 1,
                                 .measurement_count = 1,
                                 .output_count = 2,
                                 .signal_count = 1,
                                 .commands = commands,
                                 .measurements = measurements,
                                 .outputs = outputs,
                                 .signals = signals,
                                 FUNCTIONS};
    return &plugin;
}
