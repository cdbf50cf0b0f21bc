// report/plot/plot_layers.h: rectangles, hatching and numbers of a heat map, in pixels from the
// bottom left of the picture. Internal to src/report.
#ifndef IB_REPORT_PLOT_PLOT_LAYERS_H
#define IB_REPORT_PLOT_PLOT_LAYERS_H

#include "report/plot/plot_script.h"

// One above the other; each is a data block of the script.
typedef struct ib_Layers {
    ib_Text cells;   ///< left, right, bottom, top, colour
    ib_Text barred;  ///< lines of the hatching of barred cells
    ib_Text empty;   ///< the same of cells without a value
    ib_Text numbers; ///< x, y, text, colour
    ib_Text mark;    ///< closed lines around the best
} ib_Layers;

typedef struct ib_Box {
    double left, right, bottom, top; ///< [px]
} ib_Box;

void ib__layers_destroy(ib_Layers *layers);

// A rectangle, 0xRRGGBB. Those to the right and above must follow: they cover its seam.
void ib__layers_add_box(ib_Layers *layers, ib_Box box, uint32_t colour);

// Lines through a box, rising (slope 1) or falling (-1); lines of neighbours meet.
void ib__lines_add_hatching(ib_Text *lines, ib_Box box, int slope, double pitch);

// A frame around a box that is large, a ring at the middle of one that is small.
bool ib__box_is_large(ib_Box box, double em);
void ib__layers_add_mark(ib_Layers *layers, ib_Box box, bool frame, double em);

// One plot as large as the picture.
void ib__layers_script(const ib_Layers *layers, const ib_Canvas *canvas, ib_Text *script);

#endif
