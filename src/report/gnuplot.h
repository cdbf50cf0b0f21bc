// report/gnuplot.h: a script in, a picture out.
// gnuplot runs as a process of its own, started without a shell.
#ifndef IB_REPORT_GNUPLOT_H
#define IB_REPORT_GNUPLOT_H

#include "report/text.h"

// Runs `script` and appends what it draws to `picture`. Fails with the first line of gnuplot's own
// complaint, with what to install where it is missing, or after a minute without an end.
ib_Status ib_gnuplot_run(const ib_Text *script, ib_Text *picture, ib_Error *error);

// Is there a gnuplot to run? The error says what to install.
ib_Status ib_gnuplot_check(ib_Error *error);

#endif
