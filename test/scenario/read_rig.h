// test/scenario/read_rig.h: a scenario that is read from text, for tests of what is made of it.
#ifndef IB_TEST_READ_RIG_H
#define IB_TEST_READ_RIG_H

#include "scenario/given.h"

static ib_Scenario *scenario; ///< that was read last

static inline int teardown(void **state)
{
    (void)state;
    ib_scenario_destroy(scenario);
    scenario = NULL;
    return 0;
}

// Reads it in place of the last one.
static inline void read_scenario(const char *text)
{
    ib_scenario_destroy(scenario);
    scenario = given(text);
}

#endif
