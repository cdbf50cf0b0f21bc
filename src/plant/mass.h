// plant/mass.h: a rigid body in the plane whose mass may lie off its origin.
// The derivation is in docs/plant/body.md.
//
//   symbol   meaning                                                     unit
//   M        mass of the whole                                           kg
//   S        first moments, sum of m r                                   kg m
//   I        inertia about the origin                                    kg m^2
//   v        (u, n, w): velocity of the origin along its own axes        m/s, m/s, rad/s
//
//   W = [M 0 -Sy; 0 M Sx; -Sy Sx I],   W v' = Q
#ifndef IB_PLANT_MASS_H
#define IB_PLANT_MASS_H

#include "base/formula.h"

// Velocity of the origin and yaw rate; with a dot in front: their rates.
typedef struct ib_Twist {
    double u, n; ///< forward, left [m/s]
    double w;    ///< [rad/s]
} ib_Twist;

typedef struct ib_Mass {
    double mass;    ///< M [kg]
    double x, y;    ///< S [kg m]
    double inertia; ///< I [kg m^2]
} ib_Mass;

// Forces on the body about its origin, in its own frame.
typedef struct ib_Wrench {
    double fx, fy; ///< forward, left [N]
    double torque; ///< counter-clockwise [N m]
} ib_Wrench;

// W, rows.
IB_FORMULA void ib_mass_matrix(const ib_Mass *m, double W[9])
{
    const double rows[9] = {m->mass, 0, -m->y, 0, m->mass, m->x, -m->y, m->x, m->inertia};
    for (int i = 0; i < 9; i++) W[i] = rows[i];
}

// W v: momentum, and angular momentum about the origin.
IB_FORMULA ib_Wrench ib_mass_momentum(const ib_Mass *m, const ib_Twist *v)
{
    return (ib_Wrench){m->mass * v->u - m->y * v->w, m->mass * v->n + m->x * v->w,
                       m->inertia * v->w + m->x * v->n - m->y * v->u};
}

//   v . W v/2 [J]
IB_FORMULA double ib_mass_energy(const ib_Mass *m, const ib_Twist *v)
{
    ib_Wrench p = ib_mass_momentum(m, v);
    return 0.5 * (p.fx * v->u + p.fy * v->n + p.torque * v->w);
}

// Q: the force, and the contribution of the turning frame,
//   (M w n + w^2 Sx, -M w u + w^2 Sy, -w (Sx u + Sy n))
IB_FORMULA ib_Wrench ib_mass_drive(const ib_Mass *m, const ib_Twist *v, const ib_Wrench *f)
{
    double w = v->w;
    return (ib_Wrench){f->fx + w * (m->mass * v->n + w * m->x),
                       f->fy - w * (m->mass * v->u - w * m->y),
                       f->torque - w * (m->x * v->u + m->y * v->n)};
}

// Response of v to a wrench on a body with the mass matrix `whole`, restricted to the motions
// `allowed` (rows):  answer = B (B^T whole B)^-1 B^T,  rows.
void ib_mass_response(const double whole[9], int count, const double (*allowed)[3],
                      double response[9]);

#endif
