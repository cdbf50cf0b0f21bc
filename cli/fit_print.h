// cli/fit_print.h: a fit for people and for programs.
#ifndef IB_CLI_FIT_PRINT_H
#define IB_CLI_FIT_PRINT_H

#include "cli.h"
#include "study/fit_signals.h"

void fit_print_table(const ib_FitMotor *fit, const ib_FitSignals *signals, FILE *file);

// `error` NULL: the fit is there; otherwise why it is not, with the counts.
void fit_print_json(const ib_FitMotor *fit, const ib_FitSignals *signals, const char *error,
                    FILE *file);

#endif
