// ironbird/report.h: everything public of src/report.
#ifndef IRONBIRD_REPORT_H
#define IRONBIRD_REPORT_H

#include "report/design_report.h"
#include "report/drawing.h"
#include "report/fit_report.h"
#include "report/plot.h"
#include "report/report.h"
#include "report/series.h"
#include "report/session_report.h"

#endif
