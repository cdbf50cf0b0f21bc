// control/driving/xdrive.h: the motion of an X-drive, and the equations of FTC 12566 for it as
// printed. Their mistakes: docs/reference/errata.md#xdrive
//
// Motors 1 .. 4 stand front right, front left, back left and back right, each across its diagonal,
// and all that turn forward turn the robot to the left:
//   x = (-m1 - m2 + m3 + m4)/4,   y = (m1 - m2 - m3 + m4)/4,   left = (m1 + m2 + m3 + m4)/4
// in shares of full outputs on that axis. Motors are counted from 0 in the code.
#ifndef IB_CONTROL_DRIVING_XDRIVE_H
#define IB_CONTROL_DRIVING_XDRIVE_H

#include "control/driving/stick.h"

enum { IB_XDRIVE_MOTORS = 4 };
enum { IB_XDRIVE_RIGHT, IB_XDRIVE_LEFT }; ///< which way it turns, of (22) to (29)
enum { IB_XDRIVE_X, IB_XDRIVE_Y };        ///< which way the stick moves, of (14) to (21)

// Direction of each motor for a motion forward, to the left, and a turn to the left: the rows of
// the inverse kinematics (ib_mixing_init) without the sizes of wheels and robot.
extern const double ib_xdrive_roll[IB_XDRIVE_MOTORS][3];

// The motion that outputs give, each axis as a share of the most, as a stick that asks for it.
ib_Stick ib_xdrive_motion(const double output[IB_XDRIVE_MOTORS]);

// -------------------------------------------------------------------------------------- as printed

// (10) to (13): a motor's output without a turn.
double ib_xdrive_drive(int motor, double x, double y);

// (14) to (21): its slope along one axis of the stick.
double ib_xdrive_slope(int motor, int axis, double x, double y);

// (22) to (29): the share of a turn, for T = 1; printed is this times T. `used` (may be NULL): the
// first valid one of the four cases, 1 .. 4; 0: none, and the value is 0.
double ib_xdrive_turn(int motor, int side, double x, double y, int *used);

// (34): the stick turned by the heading a [rad], with C's atan2.
ib_Stick ib_xdrive_in_frame(const ib_Stick *stick, double heading);

#endif
