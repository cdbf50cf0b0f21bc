// plant/payload.h: a load that an arm moves while the robot drives.
// The derivation is in docs/plant/payload.md.
//
// A point load m at p = (x, y) in the robot's frame, held and moved by an ideal mover: one of the
// body's loads (plant/mass.h). All vectors are in the robot's frame (x forward, y left), which
// turns with w; O is its origin.
#ifndef IB_PLANT_PAYLOAD_H
#define IB_PLANT_PAYLOAD_H

#include "plant/mass.h"

typedef struct ib_Payload {
    double mass;   ///< m [kg], >= 0
    double x, y;   ///< p [m]
    double dx, dy; ///< p' as seen from the robot [m/s]
} ib_Payload;

// Acceleration of the load to its wanted place, critically damped: no overshoot.
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

// Kinetic energy beyond that of a load at rest in the robot:  m p' . (v + w x p) + m p'^2/2  [J]
IB_FORMULA double ib_payload_energy(const ib_Payload *p, const ib_Twist *v)
{
    double vx, vy;
    ib_payload_velocity(p, v, &vx, &vy);
    return p->mass * (p->dx * (vx - 0.5 * p->dx) + p->dy * (vy - 0.5 * p->dy));
}

// Its momentum as seen from the robot, and that about O:  m p',  m p x p'
IB_FORMULA ib_Wrench ib_payload_momentum(const ib_Payload *p)
{
    return (ib_Wrench){p->mass * p->dx, p->mass * p->dy, p->mass * (p->x * p->dy - p->y * p->dx)};
}

// Reaction of its motion on the body: with c = p'' + 2 w x p', its relative and Coriolis
// acceleration,  -m c  and  -m p x c.
IB_FORMULA ib_Wrench ib_payload_push(const ib_Payload *p, double w, double ddx, double ddy)
{
    double fx = -p->mass * (ddx - 2.0 * w * p->dy), fy = -p->mass * (ddy + 2.0 * w * p->dx);
    return (ib_Wrench){fx, fy, p->x * fy - p->y * fx};
}

// The mover pulls it with m a_p, and works m a_p . p' [W], where the body moves with v and a = v':
//   a_p = (u' - w n, n' + w u) + w' x p + c - w^2 p
IB_FORMULA double ib_payload_power(const ib_Payload *p, const ib_Twist *v, const ib_Twist *a,
                                   double ddx, double ddy)
{
    double w = v->w;
    double ax = (a->u - w * v->n) - a->w * p->y + (ddx - 2.0 * w * p->dy) - w * w * p->x;
    double ay = (a->n + w * v->u) + a->w * p->x + (ddy + 2.0 * w * p->dx) - w * w * p->y;
    return p->mass * (ax * p->dx + ay * p->dy);
}

#endif
