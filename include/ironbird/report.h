// ironbird/report.h: everything public of src/report.
#ifndef IRONBIRD_REPORT_H
#define IRONBIRD_REPORT_H

#include "report/design/design_report.h"
#include "report/fit_report.h"
#include "report/plot/drawing.h"
#include "report/plot/plot.h"
#include "report/report.h"
#include "report/series.h"
#include "report/session/session_report.h"

#endif
