// cli/trial_print.h: the response of a design on the terminal, before and after a change.
#ifndef IB_CLI_TRIAL_PRINT_H
#define IB_CLI_TRIAL_PRINT_H

#include "desk/design_changes.h"

#include <stdio.h>

// Tables, and a plot of each state that moves, for every gear. `before` NULL: there is one response
// only. IB_BAD_INPUT: there is no feedback; IB_FAILED: a trial cannot be run.
ib_Status trial_print(const ib_DesignChanges *changes, const ib_DesignFile *before,
                      const ib_DesignFile *after, FILE *file, ib_Error *error);

// The undisturbed trial of the file in a few lines; nothing where it has none.
void trial_print_brief(const ib_DesignFile *design, int gear, FILE *file);

#endif
