// report/fit_report.h: one HTML file that shows a fit: its constants, their uncertainty, and the
// residuals. docs/design/fit.md
#ifndef IB_REPORT_FIT_REPORT_H
#define IB_REPORT_FIT_REPORT_H

#include "report/text.h"
#include "study/fit_signals.h"

typedef struct ib_FitReport {
    const ib_FitMotor *fit;
    const ib_FitSignals *signals;
    const char *refusal; ///< why there is no answer; NULL: there is one
    const char *files;   ///< the recordings, as they shall be shown
    const char *version; ///< of the program
    const char *date;    ///< when, as it shall be shown
} ib_FitReport;

// Appends the page to `html`. Residuals are shown for a refused fit, too. On missing
// plots: report/report.h.
ib_Status ib_fit_report_render(const ib_FitReport *report, ib_Text *html, ib_Error *error);
ib_Status ib_fit_report_write(const ib_FitReport *report, const char *path, ib_Error *error);

// The correlation of residuals `lag` samples apart, of the same stretch; 1 for lag 0.
double ib_fit_correlation(const ib_FitMotor *fit, int lag);

#endif
