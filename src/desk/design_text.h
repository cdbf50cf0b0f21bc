// desk/design_text.h: a design as a table on the terminal, in words that a student knows.
#ifndef IB_DESK_DESIGN_TEXT_H
#define IB_DESK_DESIGN_TEXT_H

#include "desk/design_file.h"

#include <stdio.h>

// Plant, poles, gains, margins, filter and what was checked, gear by gear.
void ib_design_text(const ib_DesignFile *design, FILE *file);

// "damping: 0.43, expected at least 0.5" for each check that failed; returns how many.
int ib_design_text_failed(const ib_DesignFile *design, FILE *file);

#endif
