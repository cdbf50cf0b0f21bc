// test/scenario/mistakes_rig.h: scenarios with mistakes, and parts that have none.
#ifndef IB_TEST_MISTAKES_RIG_H
#define IB_TEST_MISTAKES_RIG_H

#include "mistakes.h"
#include "scenario/scenario.h"

#define ROBOT  "robot: {kind: roomba}\n"
#define INPUTS "inputs: {left: 1 N, right: 1 N}\n"
#define RUN    "run: {duration: 1 s}\n"
#define BASE   ROBOT INPUTS RUN
#define GOOD   "{kind: roomba, inputs: {left: 1 N, right: 1 N}}"

static ib_Arena arena;
static ib_Diagnostics diagnostics; ///< of the last text

static inline void print_all(const char *text)
{
    print_error("%s", text);
    print_mistakes(&diagnostics);
}

#endif
