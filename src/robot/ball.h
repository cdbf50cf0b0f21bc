// robot/ball.h: a ball that rolls on the floor, to be pushed: friction where it slips, rolling
// resistance, an energy balance. The derivation is in docs/robot/passive.md.
//
//   symbol       meaning                                              unit
//   vx, vy       velocity of the centre, field frame                  m/s
//   p, q, w      rates of turn about field x, field y, the vertical   rad/s
//   m, r         mass, radius                                         kg, m
//   k            inertia about any axis over m r^2                    1
//   sx, sy       slip: velocity of the lowest point over the floor    m/s
//   mu, vs       friction with the floor, speed below which all       1, m/s
//                resistance fades
//   cr, cs       coefficients of rolling and of spinning resistance   1
#ifndef IB_ROBOT_BALL_H
#define IB_ROBOT_BALL_H

#include "base/formula.h"
#include "base/maths.h"
#include "robot/passive.h"

#include <math.h>

typedef enum ib_BallStart { IB_BALL_ROLLING, IB_BALL_SLIDING } ib_BallStart;

typedef struct ib_BallConfig {
    double mass;            ///< [kg], > 0
    double diameter;        ///< [m], > 0
    double inertia_factor;  ///< k, 0.1 .. 2/3: solid 2/5, hollow 2/3
    double mu;              ///< friction with the floor where it slips, >= 0
    double slip_speed;      ///< friction is full well above this speed [m/s], > 0
    double rolling;         ///< cr, of the couple against its roll, >= 0
    double spinning;        ///< cs, of the couple against its spin about the vertical, >= 0
    ib_BumperConfig bumper; ///< its sides
    ib_PlanarConfig planar;
    int motion; ///< an ib_BallStart
} ib_BallConfig;

typedef struct ib_BallModel {
    ib_Passive body;
    double inertia;           ///< about any axis [kg m^2]
    double radius;            ///< [m]
    double mu, per_slip;      ///< 1/vs [s/m]
    double rolling, spinning; ///< cr, cs
    int roll[2];              ///< states: rates of roll about field x and y [rad/s]
    int slip;                 ///< signal
    int kinetic;              ///< entry
} ib_BallModel;

// The floor's action on the ball.
typedef struct ib_BallFloor {
    ib_FloorForce force;
    double torque_x, torque_y; ///< about its centre, field frame [N m]
    double slip;               ///< size of the slip [m/s], >= 0
} ib_BallFloor;

// tanh(|x|/vs)/|x|: turns a speed x into a friction of at most 1 against it.
IB_FORMULA double ib__ball_fade(double size, double per_slip)
{
    return size > 0 ? ib_tanh(size * per_slip) / size : per_slip;
}

// The lowest point is at -r z:   s = v + (p, q, w) x (-r z) = (vx - r q, vy + r p)
//   friction            F = -mu m g s/|s| tanh(|s|/vs),  its torque  (-r z) x F = (r Fy, -r Fx)
//   rolling resistance  -cr m g r (p, q)/|(p, q)| tanh(r |(p, q)|/vs),  a couple
//   spinning resistance -cs m g r w/|w| tanh(r |w|/vs),  likewise
// Limits: rolling, s = 0 -> no friction; sliding fast -> mu m g; rolling fast at an even speed ->
// the couple asks for a pull of cr m g at the centre.
IB_FORMULA ib_BallFloor ib_ball_floor(const ib_BallModel *ball, const ib_FloorMotion *m, double p,
                                      double q)
{
    double r = ball->radius, weight = m->weight, w = m->w;
    double sx = m->vx - r * q, sy = m->vy + r * p;
    double slip = sqrt(sx * sx + sy * sy), roll = r * sqrt(p * p + q * q), spin = r * fabs(w);
    double friction = ball->mu * weight * ib__ball_fade(slip, ball->per_slip);
    double couple = ball->rolling * weight * ib__ball_fade(roll, ball->per_slip);
    double drill = ball->spinning * weight * ib__ball_fade(spin, ball->per_slip);
    double fx = -friction * sx, fy = -friction * sy;
    return (ib_BallFloor){
        .force = {fx, fy, -drill * r * r * w,
                  friction * slip * slip + couple * roll * roll + drill * spin * spin},
        .torque_x = r * fy - couple * r * r * p,
        .torque_y = -r * fx - couple * r * r * q,
        .slip = slip,
    };
}

extern const ib_RobotKind ib_ball_kind;

void ib_ball_init(const ib_BallConfig *config, ib_BallModel *model);

#endif
