// report/figures.h: which plots a report shows, chosen by the names and units of its signals.
// Internal to src/report.
#ifndef IB_REPORT_FIGURES_H
#define IB_REPORT_FIGURES_H

#include "report/report.h"

// Draws a plot on its card, or says there why not.
void ib__figures_draw(const ib_Plot *plot, const char *caption, ib_Text *html);

// The path of every robot that has one, in one figure, with the robots' outlines and the field.
void ib__figures_path(const ib_Report *report, const char *trouble, ib_Text *html);

// A figure for each group of signals with the same first word, a panel for each unit; those that
// differ by a number only (motor.1.current, motor.2.current) stand together. Signals that are zero
// throughout are named instead.
void ib__figures_signals(const ib_Report *report, const char *trouble, ib_Text *html);

// The forces on each robot at one instant.
void ib__figures_forces(const ib_Report *report, ib_Text *html);

// `trouble` above: why there can be no plots at all; NULL: there can.

#endif
