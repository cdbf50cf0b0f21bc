// report/top_view.h: the solids of a geometry as they are seen from above, as polygons.
#ifndef IB_REPORT_TOP_VIEW_H
#define IB_REPORT_TOP_VIEW_H

#include "base/geometry.h"

typedef struct ib_TopShape {
    const double *x, *y; ///< corners of the outline; the last is joined to the first [m]
    int count;
    double top;      ///< height of its highest point [m]
    uint32_t colour; ///< 0xRRGGBB
    double opacity;  ///< 0 < opacity <= 1
    bool jointed;    ///< on a frame that moves against its body: an arm, a load
    bool painted;    ///< a flat polygon, thinner than a tenth of its width: a front mark
    bool hidden;     ///< all of it lies below one other shape that is opaque
} ib_TopShape;

typedef struct ib_TopView {
    const ib_TopShape *shapes; ///< from low to high: painted in this order, upper cover lower ones
    int count;
    const double *hull_x, *hull_y; ///< the smallest convex outline around those not jointed [m]
    int hull_count;
} ib_TopView;

// The solids at the instant of `lookup`, in the directions of `frame` and around its origin (NULL:
// the field's). A flat polygon keeps its outline; the outlines of all others are convex. Empty
// without solids or memory.
ib_TopView ib_top_view(const ib_Geometry *geometry, const char *frame, ib_SignalLookup lookup,
                       const void *self, ib_Arena *arena);

#endif
