// report/plot/svg.h: gnuplot's SVG as part of a page. Internal to src/report.
#ifndef IB_REPORT_PLOT_SVG_H
#define IB_REPORT_PLOT_SVG_H

#include "report/text.h"

// Adds the picture in a box of its shape (class "plot"), which a browser can lay out before it
// draws it; `label` describes it. All pictures have the same symbols: one of a page brings them
// (`symbols`). Names, titles and empty groups are left out, lines are given to a tenth of a pixel.
void ib__svg_embed(ib_Text *html, const ib_Text *svg, bool symbols, const char *label);

#endif
