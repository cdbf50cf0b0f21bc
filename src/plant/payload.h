// plant/payload.h: a load that an arm moves while the robot drives.
// The derivation is in docs/plant/payload.md.
//
// Two bodies: the base, mass m0 and inertia I0, centre of mass in the origin O of the robot frame;
// and a point load m at p = (x, y) in that frame, which an ideal mover holds and moves. All vectors
// are in the robot frame (x forward, y left), which turns with w.
//
// Symbols: M = m0 + m, mu = m0 m/M (reduced mass), r^2 = x^2 + y^2.
#ifndef IB_PLANT_PAYLOAD_H
#define IB_PLANT_PAYLOAD_H

#include "base/formula.h"

typedef struct ib_Base {
    double mass;    ///< m0 [kg], > 0
    double inertia; ///< I0 about O [kg m^2], > 0
} ib_Base;

typedef struct ib_Payload {
    double mass;   ///< m [kg], >= 0
    double x, y;   ///< p [m]
    double dx, dy; ///< p' as seen from the robot [m/s]
} ib_Payload;

// Velocity of O and yaw rate; with a dot in front: their rates.
typedef struct ib_Twist {
    double u, n; ///< forward, left [m/s]
    double w;    ///< [rad/s]
} ib_Twist;

// What drives the load to where it is wanted, critically damped: no overshoot.
//   p'' = k^2 (wanted - p) - 2 k p',   k = 1/response
IB_FORMULA double ib_payload_mover(double wanted, double p, double dp, double response)
{
    double k = 1.0 / response;
    return k * (k * (wanted - p) - 2.0 * dp);
}

// Velocity of the load over the floor: v = (u - w y + x', n + w x + y') [m/s].
IB_FORMULA void ib_payload_velocity(const ib_Payload *p, const ib_Twist *v, double *vx, double *vy)
{
    *vx = v->u - v->w * p->y + p->dx;
    *vy = v->n + v->w * p->x + p->dy;
}

typedef struct ib_PayloadResult {
    ib_Twist rate;    ///< u', n' [m/s^2], w' [rad/s^2] of O, robot frame
    double arm_power; ///< work of the mover per second [W]; negative when it brakes
} ib_PayloadResult;

// Both bodies under an outer force (fx, fy) and torque about O. With a = (u' - w n, n' + w u)
// the acceleration of O, and c = p'' + 2 w x p' + w x (w x p) that of the load as far as w'
// does not enter:
//   M ax - m y w' = fx - m cx,   M ay + m x w' = fy - m cy
//   I0 w' + m p x (a + w' x p + c) = torque
// Eliminating a:
//   w' = [torque - m/M (x fy - y fx) - mu (x cy - y cx)] / (I0 + mu r^2)
// The mover pulls the load with m a_p and the base with its opposite: its power is m a_p . p'.
IB_FORMULA ib_PayloadResult ib_payload_rate(const ib_Base *base, const ib_Payload *p,
                                            const ib_Twist *v, double ddx, double ddy, double fx,
                                            double fy, double torque)
{
    double m = p->mass, M = base->mass + m, per_M = 1.0 / M, reduced = base->mass * m * per_M;
    double x = p->x, y = p->y, w = v->w;
    double cx = ddx - 2.0 * w * p->dy - w * w * x;
    double cy = ddy + 2.0 * w * p->dx - w * w * y;
    double dw = (torque - m * per_M * (x * fy - y * fx) - reduced * (x * cy - y * cx)) /
                (base->inertia + reduced * (x * x + y * y));
    double ax = (fx - m * (cx - y * dw)) * per_M;
    double ay = (fy - m * (cy + x * dw)) * per_M;
    ib_PayloadResult result;
    result.rate.u = ax + w * v->n;
    result.rate.n = ay - w * v->u;
    result.rate.w = dw;
    result.arm_power = m * ((ax - y * dw + cx) * p->dx + (ay + x * dw + cy) * p->dy);
    return result;
}

// Energy and momenta of both bodies.
typedef struct ib_PayloadBooks {
    double energy;       ///< kinetic [J]
    double px, py;       ///< momentum, robot frame [kg m/s]
    double about_o;      ///< angular momentum about O [kg m^2/s]
    double about_com;    ///< angular momentum about the common centre of mass [kg m^2/s]
    double x_com, y_com; ///< that centre [m]
    double inertia;      ///< about it [kg m^2]
} ib_PayloadBooks;

IB_FORMULA ib_PayloadBooks ib_payload_books(const ib_Base *base, const ib_Payload *p,
                                            const ib_Twist *v)
{
    double m = p->mass, m0 = base->mass, M = m0 + m, x = p->x, y = p->y, vx, vy;
    ib_payload_velocity(p, v, &vx, &vy);
    ib_PayloadBooks b;
    b.energy = 0.5 * (m0 * (v->u * v->u + v->n * v->n) + base->inertia * v->w * v->w +
                      m * (vx * vx + vy * vy));
    b.px = m0 * v->u + m * vx;
    b.py = m0 * v->n + m * vy;
    b.about_o = base->inertia * v->w + m * (x * vy - y * vx);
    b.about_com = base->inertia * v->w + m0 * m / M * (x * (vy - v->n) - y * (vx - v->u));
    b.x_com = m * x / M;
    b.y_com = m * y / M;
    b.inertia = base->inertia + m0 * m / M * (x * x + y * y);
    return b;
}

// The twist that carries a given momentum and angular momentum about O (the inverse of the books):
//   w = [L - m/M (x Py - y Px) - mu (x y' - y x')] / (I0 + mu r^2)
//   u = (Px - m x' + m w y)/M,   n = (Py - m y' - m w x)/M
IB_FORMULA ib_Twist ib_payload_twist(const ib_Base *base, const ib_Payload *p, double px, double py,
                                     double about_o)
{
    double m = p->mass, M = base->mass + m, per_M = 1.0 / M, reduced = base->mass * m * per_M;
    double x = p->x, y = p->y;
    ib_Twist v;
    v.w = (about_o - m * per_M * (x * py - y * px) - reduced * (x * p->dy - y * p->dx)) /
          (base->inertia + reduced * (x * x + y * y));
    v.u = (px - m * (p->dx - v.w * y)) * per_M;
    v.n = (py - m * (p->dy + v.w * x)) * per_M;
    return v;
}

typedef struct ib_Handover {
    ib_Twist twist; ///< of the base afterwards
    double energy;  ///< pick-up: lost in the grip, >= 0 [J]; set-down: carried away by the load [J]
} ib_Handover;

// The load's mass becomes `mass`. More: the difference lay at rest on the floor, and is gripped
// without a bounce: momentum and angular momentum of all are kept, energy is lost. Less: the
// difference is let go with the velocity it has, and the rest moves on as before.
// The hand rests in the robot (p' = 0) for a pick-up; a moving hand is stopped and started by the
// mover in no time, whose work is then part of `energy`.
IB_FORMULA ib_Handover ib_payload_change(const ib_Base *base, const ib_Payload *p,
                                         const ib_Twist *v, double mass)
{
    ib_PayloadBooks before = ib_payload_books(base, p, v);
    ib_Payload changed = *p;
    ib_Handover result = {*v, 0.0};
    changed.mass = mass;
    if (mass > p->mass)
        result.twist = ib_payload_twist(base, &changed, before.px, before.py, before.about_o);
    result.energy = before.energy - ib_payload_books(base, &changed, &result.twist).energy;
    return result;
}

#endif
