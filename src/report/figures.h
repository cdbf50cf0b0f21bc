// report/figures.h: which plots a report shows, chosen by the names and units of its signals.
// Internal to src/report.
#ifndef IB_REPORT_FIGURES_H
#define IB_REPORT_FIGURES_H

#include "report/report.h"

// The path of every robot that has one, in one figure, with the robots' outlines.
void ib__figures_path(const ib_Report *report, const char *trouble, ib_Text *html);

// A figure for each group of signals with the same first word, a panel for each unit. Signals that
// are zero throughout are named instead.
void ib__figures_signals(const ib_Report *report, const char *trouble, ib_Text *html);

// The forces on each robot at one instant.
void ib__figures_forces(const ib_Report *report, ib_Text *html);

// `trouble` above: why there can be no plots at all; NULL: there can.

#endif
