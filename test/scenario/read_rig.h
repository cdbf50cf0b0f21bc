// test/scenario/read_rig.h: a scenario that is read from text, for tests of what is made of it.
#ifndef IB_TEST_READ_RIG_H
#define IB_TEST_READ_RIG_H

#include "cmocka_all.h"
#include "scenario/scenario.h"

#include <string.h>

static ib_Arena arena;
static ib_Diagnostics diagnostics;
static ib_Scenario *scenario; ///< that was read last

static inline int teardown(void **state)
{
    (void)state;
    ib_scenario_destroy(scenario);
    scenario = NULL;
    ib_arena_reset(&arena);
    return 0;
}

// Reads it in place of the last one; mistakes are printed, and fail.
static inline void read_scenario(const char *text)
{
    ib_scenario_destroy(scenario);
    ib_arena_reset(&arena);
    diagnostics = (ib_Diagnostics){.arena = &arena};
    scenario = ib_scenario_read_text("t.yaml", text, strlen(text), NULL, &diagnostics);
    for (int i = 0; i < diagnostics.count; i++)
        print_error("%d:%d: %s\n", diagnostics.items[i].line, diagnostics.items[i].column,
                    diagnostics.items[i].text);
    assert_non_null(scenario);
}

#endif
