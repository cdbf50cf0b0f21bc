// report/plot/gnuplot.h: scripts in, pictures out.
// gnuplot runs as a process of its own, started without a shell; one draws many pictures. Nothing
// is written to a disk, so that runs side by side cannot meet and a killed one leaves nothing.
#ifndef IB_REPORT_PLOT_GNUPLOT_H
#define IB_REPORT_PLOT_GNUPLOT_H

#include "report/text.h"

// Runs `script`; its output goes to `picture`, which is empty. Fails with gnuplot's own message,
// with the package to install if it is missing, or after a timeout of one minute.
ib_Status ib_gnuplot_run(const ib_Text *script, ib_Text *picture, ib_Error *error);

// One of several pictures.
typedef struct ib_GnuplotJob {
    const char *script; ///< `length` bytes, whole lines
    size_t length;
    ib_Text *picture; ///< empty at first; SVG, or anything where there is one job only
    ib_Status status; ///< its result, filled in
    ib_Error error;   ///< why it failed
} ib_GnuplotJob;

// Runs them all as if each had a gnuplot of its own. One gnuplot draws them one after the other;
// where it cannot draw one, another draws those behind. After a minute without an end of a picture
// the rest fails, too.
void ib_gnuplot_run_all(ib_GnuplotJob *jobs, int count);

// IB_OK if there is a gnuplot; else the error names the package to install. No process is started.
ib_Status ib_gnuplot_check(ib_Error *error);

#endif
