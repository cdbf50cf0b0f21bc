// base/quaternion.h: the attitude of a body as a quaternion q = (w, r), of length 1.
#ifndef IB_BASE_QUATERNION_H
#define IB_BASE_QUATERNION_H

#include "base/maths.h"

#include <math.h>

// Heading, pitch and roll: R = Rz Ry Rx.
static inline void ib_quaternion_attitude(const double q[4], double attitude[3])
{
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double forward[3] = {w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y)};
    double up = w * w - x * x - y * y + z * z;
    attitude[0] = ib_atan2(forward[1], forward[0]);
    attitude[1] = ib_atan2(-forward[2], sqrt(forward[0] * forward[0] + forward[1] * forward[1]));
    attitude[2] = ib_atan2(2 * (y * z + w * x), up);
}

// A vector of the outer frame in the body's own:
//   t = 2 v x r,   v + w t + t x r
static inline void ib_quaternion_into(const double q[4], const double v[3], double own[3])
{
    const double *r = q + 1;
    const double t[3] = {2 * (v[1] * r[2] - v[2] * r[1]), 2 * (v[2] * r[0] - v[0] * r[2]),
                         2 * (v[0] * r[1] - v[1] * r[0])};
    own[0] = v[0] + q[0] * t[0] + t[1] * r[2] - t[2] * r[1];
    own[1] = v[1] + q[0] * t[1] + t[2] * r[0] - t[0] * r[2];
    own[2] = v[2] + q[0] * t[2] + t[0] * r[1] - t[1] * r[0];
}

// Turns the body by a vector in its own frame, of the size of the angle [rad]:
//   q <- q (cos(a/2), v/a sin(a/2)),   a = |v|
static inline void ib_quaternion_turn(double q[4], const double v[3])
{
    double a = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), s, c;
    if (!(a > 0)) return;
    ib_sincos(0.5 * a, &s, &c);
    double x = v[0] * s / a, y = v[1] * s / a, z = v[2] * s / a, w = q[0];
    const double r[3] = {q[1], q[2], q[3]};
    q[0] = w * c - r[0] * x - r[1] * y - r[2] * z;
    q[1] = w * x + c * r[0] + r[1] * z - r[2] * y;
    q[2] = w * y + c * r[1] + r[2] * x - r[0] * z;
    q[3] = w * z + c * r[2] + r[0] * y - r[1] * x;
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++) q[i] /= length;
}

#endif
