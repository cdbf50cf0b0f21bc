// study/fit_table.h: the constants of a fit, in the form for all printers.
#ifndef IB_STUDY_FIT_TABLE_H
#define IB_STUDY_FIT_TABLE_H

#include "study/fit_signals.h"

enum { IB_FIT_LINES = 5 };

// A constant with its name, unit and description.
typedef struct ib_FitLine {
    const char *name;
    char unit[32];
    const ib_FitValue *value;
    const char *sentence;
} ib_FitLine;

void ib_fit_table(const ib_FitMotor *fit, const ib_FitSignals *signals,
                  ib_FitLine lines[IB_FIT_LINES]);

// True if kV and kA serve a design: they are determined, and no weight was overlooked.
bool ib_fit_serves_design(const ib_FitMotor *fit);

// True if the values were rounded to steps that show in the residuals.
bool ib_fit_is_rounded(const ib_FitMotor *fit);

#endif
