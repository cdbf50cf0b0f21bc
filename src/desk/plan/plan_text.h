// desk/plan/plan_text.h: a plan of an arm as tables on the terminal.
#ifndef IB_DESK_PLAN_PLAN_TEXT_H
#define IB_DESK_PLAN_PLAN_TEXT_H

#include "desk/plan/plan_file.h"

#include <stdio.h>

// Prints each way: its times by both methods, its peaks, the binding limits, and the results of the
// finer check.
void ib_plan_text(const ib_PlanFile *plan, FILE *file);

#endif
