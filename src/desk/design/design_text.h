// desk/design/design_text.h: a design as a table on the terminal, in textbook words.
#ifndef IB_DESK_DESIGN_DESIGN_TEXT_H
#define IB_DESK_DESIGN_DESIGN_TEXT_H

#include "desk/design/design_file.h"

#include <stdio.h>

// Prints plant, poles, gains, margins, filter and checks, gear by gear.
void ib_design_text(const ib_DesignFile *design, FILE *file);

// "damping: 0.43, expected at least 0.5" for each failed check; returns their number.
int ib_design_text_failed(const ib_DesignFile *design, FILE *file);

#endif
