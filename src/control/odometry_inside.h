// control/odometry_inside.h: what odometry by two sides and odometry by any wheels share: what can
// be believed, filters that follow a ramp, and the arc of a period. See docs/control/odometry.md
#ifndef IB_CONTROL_ODOMETRY_INSIDE_H
#define IB_CONTROL_ODOMETRY_INSIDE_H

#include "base/maths.h"
#include "control/odometry.h"

#include <math.h>

#define IB__ODOMETRY_FASTEST 1e3 ///< no side rolls faster, no robot turns faster [m/s, rad/s]

// A change within one period that can be believed; a NaN is none.
static inline bool ib__odometry_believable(double change, double period)
{
    return fabs(change) <= IB__ODOMETRY_FASTEST * period;
}

// How far the robot has turned by a heading that is measured, with the time constant `calm`. The
// difference of two noisy angles would be a very noisy rate: as in ib__odometry_smooth, of a ramp.
static inline double ib__odometry_follow(double calm, double dt, double heading, double *last,
                                         double *rate)
{
    double angle = *rate * dt;
    if (ib__odometry_believable(heading - *last, dt)) {
        double theta = calm / (calm + dt), miss = heading - *last - *rate * dt;
        angle += (1 - theta * theta) * miss;
        *rate += (1 - theta) * (1 - theta) * miss / dt;
    }
    *last += angle;
    return angle;
}

// A filter that follows a ramp without lag (alpha-beta, both poles at theta = T/(T + dt)):
//   r += dt r',   miss = speed - r,   r += (1 - theta^2) miss,   r' += (1 - theta)^2 miss/dt
// Limit: T = 0 -> r = speed.
static inline void ib__odometry_smooth(double filter, double dt, double speed, double *r,
                                       double *rise)
{
    double theta = filter / (filter + dt);
    *r += dt * *rise;
    double miss = speed - *r;
    *r += (1 - theta * theta) * miss;
    *rise += (1 - theta) * (1 - theta) * miss / dt;
}

// With the velocity constant in the robot's frame and the turn phi, the way is an arc of a circle,
// whose chord lies in the direction of the middle heading:
//   (dx, dy) = sin(phi/2)/(phi/2) R(th + phi/2) (ahead, aside)
// Limits: phi = 0 -> a straight line; aside = 0 -> the arc of ib_path_go.
static inline void ib__odometry_advance(double ahead, double aside, double phi, double *state)
{
    double half = 0.5 * phi, s, c;
    double chord = fabs(half) < 1e-8 ? 1 : ib_sin(half) / half;
    ib_sincos(state[IB_ODOMETRY_HEADING] + half, &s, &c);
    state[IB_ODOMETRY_X] += chord * (ahead * c - aside * s);
    state[IB_ODOMETRY_Y] += chord * (ahead * s + aside * c);
    state[IB_ODOMETRY_HEADING] += phi;
}

#endif
