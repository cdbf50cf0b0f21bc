// cli/plan_print.h: a plan of an arm as tables on the terminal.
#ifndef IB_CLI_PLAN_PRINT_H
#define IB_CLI_PLAN_PRINT_H

#include "desk/plan_file.h"

#include <stdio.h>

// Each way: its times by both methods, its peaks, which limits bind, and what a finer look found.
void plan_print(const ib_PlanFile *plan, FILE *file);

#endif
