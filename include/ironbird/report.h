// ironbird/report.h: everything public of src/report.
#ifndef IRONBIRD_REPORT_H
#define IRONBIRD_REPORT_H

#include "report/plot.h"
#include "report/report.h"
#include "report/series.h"

#endif
