// test/scenario/given.h: a scenario that a test takes for granted: mistakes are printed, and fail.
#ifndef IB_TEST_GIVEN_H
#define IB_TEST_GIVEN_H

#include "mistakes.h"
#include "scenario/scenario.h"

// Of a text, with `file` as its name; or, where `text` is NULL, of the file itself.
static inline ib_Scenario *given_with(const char *file, const char *text,
                                      const ib_ScenarioOptions *options)
{
    ib_Arena mistakes = {0};
    ib_Diagnostics diagnostics = {.arena = &mistakes};
    ib_Scenario *scenario =
        text ? ib_scenario_read_text(file, text, strlen(text), options, &diagnostics)
             : ib_scenario_read(file, options, &diagnostics);
    print_mistakes(&diagnostics);
    ib_arena_reset(&mistakes);
    assert_non_null(scenario);
    return scenario;
}

static inline ib_Scenario *given(const char *text)
{
    return given_with("t.yaml", text, NULL);
}

#endif
