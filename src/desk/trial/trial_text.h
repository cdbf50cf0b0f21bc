// desk/trial/trial_text.h: the response of a design on the terminal, before and after a change.
#ifndef IB_DESK_TRIAL_TRIAL_TEXT_H
#define IB_DESK_TRIAL_TRIAL_TEXT_H

#include "desk/design/design_changes.h"

#include <stdio.h>

// Tables, and a plot of each state that moves, for every gear. `before` NULL: one response only.
// IB_BAD_INPUT: no feedback; IB_FAILED: a trial cannot be run.
ib_Status ib_trial_text(const ib_DesignChanges *changes, const ib_DesignFile *before,
                        const ib_DesignFile *after, FILE *file, ib_Error *error);

// Prints the undisturbed trial of the file in a few lines; nothing without one.
void ib_trial_text_brief(const ib_DesignFile *design, int gear, FILE *file);

#endif
