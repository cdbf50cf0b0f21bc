// claims/xdrive/xdrive.h: the computed values for the claims of "FTC 12566 Equations". Its
// mistakes: docs/reference/errata.md#xdrive
#ifndef IB_CLAIMS_XDRIVE_H
#define IB_CLAIMS_XDRIVE_H

#include "claims/document.h"
#include "claims/xdrive/xdrive_stick.h"

// The forms are the laws of mixing, else the right and the printed value.
enum { IB__MENDED, IB__PRINTED, IB__STANDARD };

enum { IB__XDRIVE_POINTS = 9, IB__XDRIVE_TURNS = 7, IB__XDRIVE_FUNCTIONS = 8 };

// The values of each of (22) to (29), a row each.
enum {
    IB__TURN_LARGEST, ///< of |f + t| with T = 1
    IB__TURN_JUMP,    ///< the largest across a diagonal
    IB__TURN_HOLES,   ///< directions of 16 for which no case holds
    IB__TURN_REST,    ///< output of the motor at rest, T = 1
    IB__TURN_ROWS,
};

// The computed values, a row each.
enum {
    // Driving.
    IB__XDRIVE_POINT = IB_NO_ROW + 1, ///< (1) to (9): largest difference of a motor's output
    IB__XDRIVE_NINE = IB__XDRIVE_POINT + IB__XDRIVE_POINTS, ///< turn to the right of (9)
    IB__XDRIVE_SLOPES,   ///< (14) to (21) less those of (10) to (13), the largest
    IB__XDRIVE_ODD,      ///< number of those other than -1, 0 or 1
    IB__XDRIVE_KINDS,    ///< different slopes of motor 4
    IB__XDRIVE_JUMP,     ///< largest change of f over 1e-9
    IB__XDRIVE_IDENTITY, ///< f less raw within -m .. m, the largest
    IB__XDRIVE_ERROR,    ///< of the direction, the largest [deg]
    IB__XDRIVE_WORST,    ///< its direction in the first octant [deg]
    IB__XDRIVE_OCTANT,   ///< slope of the motion less t/(2 - t), the largest
    IB__XDRIVE_DIAGONAL, ///< speed along a diagonal, the stick on its circle
    IB__XDRIVE_SPEED,    ///< speed to the right over the commanded one at (0.5, 0.25)
    // Turning.
    IB__XDRIVE_TURN,                                        ///< (22) to (29)
    IB__XDRIVE_EDGE =                                       ///< half-quadrants changed by a turn
    IB__XDRIVE_TURN + IB__XDRIVE_FUNCTIONS * IB__TURN_ROWS, ///< ... at full stick,
    IB__XDRIVE_INSIDE,                                      ///< and at half stick
    IB__XDRIVE_RIGHT,                                       ///< turn to the right at rest
    IB__XDRIVE_MAGNITUDE,                                   ///< functions within 1, T a magnitude
    IB__XDRIVE_SIGNED,   ///< functions within 1, T below 0 to the left
    IB__XDRIVE_CORNER,   ///< turn to the right in a corner
    IB__XDRIVE_BEND,     ///< error of the direction while it turns, the largest [deg]
    IB__XDRIVE_LARGEST,  ///< output of all sticks and turns
    IB__XDRIVE_STEEPEST, ///< change of t along an axis of the stick
    IB__XDRIVE_TABLE,    ///< reference C4: largest difference
    // Loops, gyro, frame, route.
    IB__XDRIVE_BRAKE,     ///< deceleration with D = 8/s over that with 2/s
    IB__XDRIVE_STOP,      ///< stopping distance, likewise
    IB__XDRIVE_DOWNHILL,  ///< stopping distance with D = 8/s over that without
    IB__XDRIVE_PEAK,      ///< largest deceleration of a step from rest, 8/s over 2/s
    IB__XDRIVE_SHORT,     ///< error of P and D after 1 m against friction [m]
    IB__XDRIVE_ARRIVES,   ///< the same with I [m]
    IB__XDRIVE_SUM,       ///< error of (33) after a turn from rest to rest [deg]
    IB__XDRIVE_LEAD,      ///< error of (33) in the middle of the turn [deg]
    IB__XDRIVE_ORDERS,    ///< of magnitude of the possible error of the sum
    IB__XDRIVE_AHEAD,     ///< (34) of a robot that has not turned: forward of the stick's forward
    IB__XDRIVE_QUARTER,   ///< (34) of a quarter to the left: right of the stick's forward
    IB__XDRIVE_MEANT,     ///< the same with the angle of (x, y), independent of atan2
    IB__XDRIVE_CLOCKWISE, ///< the same with a counted clockwise
    IB__XDRIVE_LENGTH,    ///< of the stick and of (34): largest difference
    IB__XDRIVE_FRAME,     ///< reference C5: largest difference
    IB__XDRIVE_ROUTE,     ///< turn to the right on route 6.1 [s at full rate]
    IB__XDRIVE_ROUTE_9,   ///< the same, forward as in (9)
    IB__XDRIVE_SIDEWAYS,  ///< distance ahead over distance left while it drives to the left
    IB__XDRIVE_ROWS,
};

// A stick with its outputs in a table.
typedef struct ib__XdriveRow {
    ib_Stick stick;
    double outputs[3][IB_XDRIVE_MOTORS]; ///< by form
} ib__XdriveRow;

// The law of a form.
extern const int ib__xdrive_laws[3];
// (1) to (9) as printed, all forms alike, and reference C4's table.
extern const ib__XdriveRow ib__xdrive_points[IB__XDRIVE_POINTS];
extern const ib__XdriveRow ib__xdrive_turns[IB__XDRIVE_TURNS];

// Each fills its share of the values.
void ib__xdrive_claims_driving(ib_ClaimValue *found);
void ib__xdrive_claims_turning(ib_ClaimValue *found);
void ib__xdrive_claims_control(ib_ClaimValue *found);

void ib__xdrive_claims_figures(const ib_Findings *findings, ib_Text *html);

// The overshoot [m] of a robot that passes its goal with 1 m/s down a slope of 5 degrees, with P =
// 25/s^2 and this D [1/s].
double ib__xdrive_overshoot(double D);

#endif
