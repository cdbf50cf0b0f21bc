// test/scenario/mistakes_rig.h: scenarios with mistakes, and parts that have none.
//
// In a text that is to be refused an @ stands right before the place at which the mistake must be
// reported; it is taken out before reading. Without one the place is 1:1.
#ifndef IB_TEST_MISTAKES_RIG_H
#define IB_TEST_MISTAKES_RIG_H

#include "mark.h"
#include "mistakes.h"
#include "scenario/scenario.h"

#define ROBOT  "robot: {kind: roomba}\n"
#define INPUTS "inputs: {left: 1 N, right: 1 N}\n"
#define RUN    "run: {duration: 1 s}\n"
#define BASE   ROBOT INPUTS RUN
#define GOOD   "{kind: roomba, inputs: {left: 1 N, right: 1 N}}"

static ib_Arena arena;
static ib_Diagnostics diagnostics; ///< of the last text

// NULL: it was refused.
static inline ib_Scenario *read_text(const char *text)
{
    ib_arena_reset(&arena);
    diagnostics = (ib_Diagnostics){.arena = &arena};
    return ib_scenario_read_text("t.yaml", text, strlen(text), NULL, &diagnostics);
}

static inline void print_all(const char *text)
{
    print_error("%s", text);
    print_mistakes(&diagnostics);
}

typedef struct Refusal {
    const char *text, *words;
} Refusal;

// Exactly one mistake, at the mark, with the words, in the file.
static inline void assert_refused(const Refusal *refusal)
{
    char text[4000];
    int line = 1, column = 1;
    take_mark(refusal->text, text, &line, &column);
    ib_Scenario *scenario = read_text(text);
    if (scenario || diagnostics.count != 1 || diagnostics.items[0].line != line ||
        diagnostics.items[0].column != column ||
        !strstr(diagnostics.items[0].text, refusal->words)) {
        print_all(text);
        fail_msg("expected one mistake at %d:%d with '%s'", line, column, refusal->words);
    }
    assert_string_equal(diagnostics.items[0].file, "t.yaml");
    ib_arena_reset(&arena);
}

#define ASSERT_ALL(cases)                                                                          \
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) assert_refused(&cases[i])

#endif
