// test/scenario/folder_rig.h: scenarios in files of a folder, with others that they name, and the
// mistakes that were found in them.
#ifndef IB_TEST_FOLDER_RIG_H
#define IB_TEST_FOLDER_RIG_H

#include "folder.h"
#include "mistakes.h"
#include "scenario/scenario.h"

static ib_Arena arena;
static ib_Diagnostics diagnostics; ///< of the last file

static inline int setup(void **state)
{
    diagnostics = (ib_Diagnostics){.arena = &arena};
    return make_folder(state);
}

static inline int teardown(void **state)
{
    ib_arena_reset(&arena);
    return remove_folder(state);
}

// NULL: it was refused.
static inline ib_Scenario *read_file(const char *name, const ib_ScenarioOptions *options)
{
    diagnostics.count = 0;
    return ib_scenario_read(in_folder(name).text, options, &diagnostics);
}

#endif
