// report/routine_log.h: the steps of routines in a run, and the errors of their moves.
// docs/control/routine.md, "What it tells"
#ifndef IB_REPORT_ROUTINE_LOG_H
#define IB_REPORT_ROUTINE_LOG_H

#include "report/report.h"

enum { IB_ROUTINE_SHOWN = 200 }; ///< steps of one routine; the rest is counted

bool ib__routine_present(const ib_Report *report);
void ib__routine_write(const ib_Report *report, ib_Text *html);

#endif
