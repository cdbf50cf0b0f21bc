// robot/planar.h: a free rigid body in the plane, for robots whose state begins with it: heading
// and place, then velocity and yaw rate, all in the field frame.
#ifndef IB_ROBOT_PLANAR_H
#define IB_ROBOT_PLANAR_H

#include "base/formula.h"
#include "base/maths.h"
#include "robot/kind.h"

enum {
    IB_PLANAR_TH,
    IB_PLANAR_X,
    IB_PLANAR_Y,
    IB_PLANAR_VX,
    IB_PLANAR_VY,
    IB_PLANAR_W,
    IB_PLANAR_STATES,
};

// What ib_RobotKind.respond owes: dv = J/m, dw = (R p x J)/I.
IB_FORMULA void ib_planar_respond(double per_mass, double per_inertia, const double *state,
                                  const double *push, double *change)
{
    double s, c;
    ib_sincos(state[IB_PLANAR_TH], &s, &c);
    change[IB_PLANAR_VX] += push[IB_PUSH_X] * per_mass;
    change[IB_PLANAR_VY] += push[IB_PUSH_Y] * per_mass;
    change[IB_PLANAR_W] += ib_push_torque(push, c, s) * per_inertia;
}

// The same as a matrix, for ib_RobotKind.inverse_mass.
IB_FORMULA void ib_planar_inverse_mass(double per_mass, double per_inertia, double matrix[9])
{
    for (int i = 0; i < 9; i++) matrix[i] = 0;
    matrix[0] = matrix[4] = per_mass;
    matrix[8] = per_inertia;
}

// ib_RobotKind.motion itself; `rate` may be NULL.
static inline void ib_planar_motion(const void *model, const double *state, const double *rate,
                                    ib_Motion *motion)
{
    (void)model;
    *motion = (ib_Motion){.x = state[IB_PLANAR_X],
                          .y = state[IB_PLANAR_Y],
                          .heading = state[IB_PLANAR_TH],
                          .vx = state[IB_PLANAR_VX],
                          .vy = state[IB_PLANAR_VY],
                          .w = state[IB_PLANAR_W]};
    if (!rate) return;
    motion->ax = rate[IB_PLANAR_VX];
    motion->ay = rate[IB_PLANAR_VY];
    motion->alpha = rate[IB_PLANAR_W];
}

#endif
