// report/pending.h: plots of a page that wait for their gnuplot. Internal to src/report.
//
// A script stands in the page where its picture will be; when the page is complete, one gnuplot
// draws them all. Pieces of a page may be put together in any order before.
#ifndef IB_REPORT_PENDING_H
#define IB_REPORT_PENDING_H

#include "report/text.h"

// Leaves a place for what the script will draw: `label` says what for those who cannot see it, and
// `number` keeps the names in the pictures of a page apart. `html` is failed where `script` is.
void ib__pending_add(ib_Text *html, const ib_Text *script, int number, const char *label);

// Puts all pictures in their places, or the reason why one could not be drawn. How many these are,
// and the first reason, is put into `remark` (NULL: nobody asks), "" where there are none.
void ib__pending_draw(ib_Text *html, ib_Error *remark);

#endif
