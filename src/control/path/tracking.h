// control/path/tracking.h: the law that keeps every base on its reference. docs/control/tracking.md
//
// With the errors along, across and of the heading in the base's own axes, of which R' is the turn
//   any way:    (u, n) = R' v_ref + K (along, across),   w = w_ref + K e_heading
//   two sides:  u = R' v_ref + K along,                  w = w_ref + K e_heading + Q u_ref across
//               u' = R' a_ref + 2 K (u - u_now),         w' = w'_ref + 2 K (w - w_now)
// with Q = 3/4 K^2 [Kanayama et al. 1990]. On a base that cannot go sideways, an error across bends
// the heading, and an error of velocity adds to the rate: a base moved by forces keeps its velocity
// without them.
#ifndef IB_CONTROL_PATH_TRACKING_H
#define IB_CONTROL_PATH_TRACKING_H

#include "control/driving/locomotion.h"

// Estimated pose of a base.
typedef struct ib_BasePose {
    double x, y, heading;          ///< field frame [m, m, rad]
    double forward, left, turning; ///< velocities, robot frame [m/s, m/s, rad/s]
} ib_BasePose;

// The reference.
typedef struct ib_Reference {
    double x, y, heading;     ///< field frame [m, m, rad]; the heading continuous
    double vx, vy, turning;   ///< field frame [m/s, m/s, rad/s]
    double ax, ay, turn_rate; ///< field frame [m/s^2, m/s^2, rad/s^2]
    bool ended;               ///< it stays there
} ib_Reference;

// Reference less pose, in the base's axes.
typedef struct ib_TrackingError {
    double along, across, heading; ///< [m, m, rad]
} ib_TrackingError;

ib_TrackingError ib_tracking_error(const ib_BasePose *pose, const ib_Reference *reference);

// The commanded motion, with K [1/s] > 0, without errors of velocity; and with them.
void ib_tracking_motion(const ib_Locomotion *base, const ib_BasePose *pose,
                        const ib_Reference *reference, double K, ib_AxisMotion *motion);
void ib_tracking_push(const ib_Locomotion *base, const ib_BasePose *pose, double K,
                      ib_AxisMotion *motion);

// Remaining error once the base has come to rest: one that rolls on goes speed/(2 K) further.
double ib_tracking_rest(const ib_Locomotion *base, double error, double speed, double K);

// The motion that keeps a base at rest, once a period of dt [s] > 0: none, or a brake if commands
// of 0 would let it roll on.
void ib_tracking_stand(const ib_Locomotion *base, const ib_BasePose *pose, double K, double dt,
                       ib_AxisMotion *motion);

#endif
