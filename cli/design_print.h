// cli/design_print.h: a design as a table on the terminal, in words that a student knows.
#ifndef IB_CLI_DESIGN_PRINT_H
#define IB_CLI_DESIGN_PRINT_H

#include "scenario/design_file.h"

#include <stdio.h>

// Plant, poles, gains, margins, filter and what was checked, gear by gear.
void design_print(const ib_DesignFile *design, FILE *file);

// "damping: 0.43, expected at least 0.5" for each check that failed; returns how many.
int design_print_failed(const ib_DesignFile *design, FILE *file);

#endif
