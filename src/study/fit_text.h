// study/fit_text.h: a fit for people and for programs.
#ifndef IB_STUDY_FIT_TEXT_H
#define IB_STUDY_FIT_TEXT_H

#include "study/fit_signals.h"

#include <stdio.h>

void ib_fit_text(const ib_FitMotor *fit, const ib_FitSignals *signals, FILE *file);

// `error` NULL: the fit succeeded; otherwise the reason of its failure, with the counts.
void ib_fit_json(const ib_FitMotor *fit, const ib_FitSignals *signals, const char *error,
                 FILE *file);

#endif
