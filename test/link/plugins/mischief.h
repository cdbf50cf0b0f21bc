// test/link/plugins/mischief.h: what mischief.c can be asked for, by its command of the same name.
#ifndef IB_TEST_LINK_PLUGINS_MISCHIEF_H
#define IB_TEST_LINK_PLUGINS_MISCHIEF_H

enum {
    BEHAVES,
    RETURNS_ERROR,
    NAN_OUTPUT,
    INF_OUTPUT,
    FORGETS,
    NAN_STATE,
    BEYOND_OUTPUTS,
    FAR_BEYOND_OUTPUTS,
    BEFORE_OUTPUTS,
    BEYOND_STATE,
    BEFORE_STATE,
    BEYOND_MEASUREMENTS,
    BEYOND_COMMANDS,
    ROUNDS_UP,
    LATE,
    SPINS,
    SLEEPS,
    ALLOCATES,
    SEGFAULT,
    DIVIDES,
    ABORTS,
    RECURSES,
    EXITS,
    TRAPS,
    CALLS_WRONGLY,
    BREAKS_PIPE,
    ENDS_THREAD,
    GOES_DEAF,
};

enum { LATE_MS = 500 }; // what a late step sleeps

#endif
