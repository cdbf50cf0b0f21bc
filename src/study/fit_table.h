// study/fit_table.h: the constants of a fit as every printer shows them.
#ifndef IB_STUDY_FIT_TABLE_H
#define IB_STUDY_FIT_TABLE_H

#include "study/fit_signals.h"

enum { IB_FIT_LINES = 5 };

// A constant with its name, its unit and what it is.
typedef struct ib_FitLine {
    const char *name;
    char unit[32];
    const ib_FitValue *value;
    const char *sentence;
} ib_FitLine;

void ib_fit_table(const ib_FitMotor *fit, const ib_FitSignals *signals,
                  ib_FitLine lines[IB_FIT_LINES]);

// Are kV and kA worth a design? Not where they are undetermined, or a weight was overlooked.
bool ib_fit_serves_design(const ib_FitMotor *fit);

// Were the values rounded to steps that can be seen in what is left?
bool ib_fit_is_rounded(const ib_FitMotor *fit);

#endif
