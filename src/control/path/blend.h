// control/path/blend.h: a drawn path whose jumps of curvature are spread over a short length.
// A robot with inertia can follow it. The derivation is in docs/control/path.md.
//
// The root w of the curvature, k = w |w|, changes smoothly: side slip is proportional to it. A
// blend has the turn of the jump it replaces. If that alone would shift the path by more than 0.5
// mm in all, blends overshoot to end at the jump's end.
#ifndef IB_CONTROL_PATH_BLEND_H
#define IB_CONTROL_PATH_BLEND_H

#include "control/path/path.h"

typedef struct ib_Blend {
    double start;   ///< where it begins, along the path [m]
    double length;  ///< [m], > 0; 0: there is none
    double before;  ///< curvature before it [1/m]
    double after;   ///< curvature after it [1/m]
    double hump;    ///< size of its overshoot
    double forward; ///< +1: from the smaller to the larger curvature, -1: the other way
} ib_Blend;

typedef struct ib_BlendedPath {
    ib_PathConfig path;               ///< the lines and arcs between the blends
    ib_Blend blends[IB_PATH_MAX + 1]; ///< at the start of element i
} ib_BlendedPath;

// Spreads each jump over `path->blend`, or over the room of the elements beside it. `moving`: the
// robot drives straight at the start, so an arc there needs a blend as well. The last few
// centimetres of an arc with `end: stop` become a line, to brake on; they leave the arc by less
// than 1 mm.
void ib_blend_path(const ib_PathConfig *path, int moving, ib_BlendedPath *blended);

// The curvature at distance s from the start [1/m].
double ib_blend_curvature(const ib_BlendedPath *blended, double s);

#endif
