// control/driving/stick.h: a driver's stick: its dead zone, its curve, and its frame. Reasons and
// pictures: docs/control/mixing.md
//
//   r = |(x, y)|,   s = ((r - d)/(1 - d))^n   from r = d on,   (x, y) <- (x, y) s/r
//   and the same of the turn by itself, r = |turn|
//
// Symbols: d the dead zone, n = 1, 2 or 3 the curve. On the circle r = 1 and beyond it, in the
// corners of a stick that moves in a square, nothing changes: s = r. Limits: d = 0 and n = 1 -> the
// stick unchanged; r <= d -> 0, from which s begins without a jump.
#ifndef IB_CONTROL_DRIVING_STICK_H
#define IB_CONTROL_DRIVING_STICK_H

#include "base/formula.h"

// x to the right, y forward, the turn to the right (clockwise from above), each -1 .. 1.
typedef struct ib_Stick {
    double x, y, turn;
} ib_Stick;

enum { IB_STICK_LINEAR, IB_STICK_SQUARED, IB_STICK_CUBED };

extern const char *const ib_stick_curves[]; ///< NULL-terminated, in the order of the enum

// Dead zone, 0 <= dead_zone < 1, and curve.
ib_Stick ib_stick_shaped(const ib_Stick *stick, double dead_zone, int curve);

// A field-oriented stick in the robot's frame:     [12566 (34), errata]
//   x' = x cos a + y sin a,   y' = -x sin a + y cos a
// with the robot's heading a [rad], counter-clockwise positive and 0 where its forward is the
// driver's. Limits: a = 0 -> the same; a quarter to the left -> the driver's forward is its right.
ib_Stick ib_stick_in_frame(const ib_Stick *stick, double heading);

// Within -1 .. 1, with the direction of (x, y) kept: a corner of the stick that was turned into
// another frame may be 1.41 to the right.
IB_FORMULA ib_Stick ib_stick_limited(const ib_Stick *stick)
{
    double x = stick->x, y = stick->y, turn = stick->turn;
    double across = x < 0 ? -x : x, along = y < 0 ? -y : y;
    double most = across > along ? across : along;
    if (most > 1) x /= most, y /= most;
    return (ib_Stick){x, y, turn > 1 ? 1 : turn < -1 ? -1 : turn};
}

#endif
