// plant/environment.h: external forces on any planar robot: pushes, a tilted floor, gravity.
//
// These are the first inputs of every robot. A push is a force F (field frame) at a point p fixed
// to the robot. Its torque needs the heading, which only the robot knows, so the push is handed
// over as four sums over all pushes, from which the torque follows exactly at any heading th:
//
//   R(th) p x F = cos(th) (p x F) - sin(th) (p . F)
//
// with  p x F = px Fy - py Fx  and  p . F = px Fx + py Fy.
#ifndef IB_PLANT_ENVIRONMENT_H
#define IB_PLANT_ENVIRONMENT_H

enum {
    IB_PUSH_X,     ///< sum of forces, field x [N]
    IB_PUSH_Y,     ///< sum of forces, field y [N]
    IB_PUSH_CROSS, ///< sum of p x F [N m]
    IB_PUSH_DOT,   ///< sum of p . F [N m]
    IB_PUSH_COUNT,
    IB_SLOPE_X = IB_PUSH_COUNT, ///< gravity along a tilted floor, field x [m/s^2]
    IB_SLOPE_Y,                 ///< the same, field y [m/s^2]
    IB_GRAVITY,                 ///< gravity into the floor, g cos of the tilt [m/s^2]
    IB_ENVIRONMENT_COUNT,
};

// Torque of the pushes about the robot's origin at a heading with cosine c and sine s [N m].
static inline double ib_push_torque(const double *push, double c, double s)
{
    return c * push[IB_PUSH_CROSS] - s * push[IB_PUSH_DOT];
}

// Adds a force (fx, fy) at the body point (px, py).
static inline void ib_push_add(double *push, double fx, double fy, double px, double py)
{
    push[IB_PUSH_X] += fx;
    push[IB_PUSH_Y] += fy;
    push[IB_PUSH_CROSS] += px * fy - py * fx;
    push[IB_PUSH_DOT] += px * fx + py * fy;
}

#endif
