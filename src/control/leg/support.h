// control/leg/support.h: the static stability margin: how far the centre of mass is inside of the
// polygon of the feet that stand. docs/control/walk.md
#ifndef IB_CONTROL_SUPPORT_H
#define IB_CONTROL_SUPPORT_H

// Distance of a point from the nearest edge of the convex hull of `count` other points, 0 .. 8;
// negative: outside. Fewer than three points, or all on a line: at most 0.
double ib_support_margin(double (*feet)[2], int count, const double centre[2]);

#endif
