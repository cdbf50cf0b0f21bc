// report/plot/svg.h: gnuplot's SVG as part of a page, without invisible parts. Internal
// to src/report.
#ifndef IB_REPORT_PLOT_SVG_H
#define IB_REPORT_PLOT_SVG_H

#include "report/text.h"

// Adds the picture in a box of its shape (class "plot"), which a browser can lay out before it
// draws it. Prologue, title, empty groups and symbols that are not used are left out, lines are
// given to a tenth of a pixel; ids are made unique by `figure`, and `label` describes it.
void ib__svg_embed(ib_Text *html, const ib_Text *svg, int figure, const char *label);

#endif
