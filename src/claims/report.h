// claims/report.h: a document's claims, tables and figures as one HTML page.
#ifndef IB_CLAIMS_REPORT_H
#define IB_CLAIMS_REPORT_H

#include "claims/document.h"
#include "report/plot/plot.h"

// Missing plots are treated as in report/report.h.
ib_Status ib_claims_report_write(const ib_Findings *findings, const char *path, ib_Error *error);

// A curve of a figure, in the n-th colour.
ib_PlotSeries ib__claims_curve(const char *label, const char *unit, const double *x,
                               const double *y, int count, int colour);

// Curves over time, as wide as the page.
ib_Plot ib__claims_plot(const char *title, const ib_PlotSeries *series, int count, int height);

// Appends one figure of the page; one that cannot be drawn gives the reason.
void ib__claims_figure(const ib_Plot *plot, ib_Text *html);

#endif
