// report/pending.h: plots of a page that wait for their gnuplot. Internal to src/report.
//
// A script stands in the page where its picture will be; when the page is complete, one gnuplot
// draws them all. Pieces of a page may be put together in any order before.
#ifndef IB_REPORT_PENDING_H
#define IB_REPORT_PENDING_H

#include "report/text.h"

// Leaves a place for the script's picture: `label` describes it for screen readers. `html` is
// failed if `script` is.
void ib__pending_add(ib_Text *html, const ib_Text *script, const char *label);

// Puts all pictures in their places, or the reason why one could not be drawn. The number of
// failures, and the first reason, are put into `remark` (may be NULL), "" without failures.
void ib__pending_draw(ib_Text *html, ib_Error *remark);

#endif
