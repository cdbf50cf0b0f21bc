// robot/uneven.h: a body that carries masses off its middle: mechanisms and a load.
// The derivation is in docs/plant/body.md, the mass matrix in plant/mass.h.
#ifndef IB_ROBOT_UNEVEN_H
#define IB_ROBOT_UNEVEN_H

#include "robot/parts.h"

// A body whose masses may be off the middle from here on; when all else of it is known.
void ib_uneven_declare(ib_Body *body, double carried_inertia);

// With the cargo on the wires: the whole and how it answers; the slope pulls at the common centre.
void ib_uneven_weigh(const ib_Body *body, const double *input, ib_BodyWires *wires);

// The body as its parts load it in this state: what stands on it, and its weight.
void ib_parts_weigh(const ib_PartsModel *robot, const double *x, double gravity,
                    ib_BodyWires *body);

// Its accelerations, and what axles hold it with.
void ib_uneven_accelerate(const ib_Body *body, ib_BodyWires *wires);

// What an impulse or a force at the origin adds to its velocity or its rate.
ib_Twist ib_uneven_response(const ib_BodyWires *wires, double fx, double fy, double torque);

// Where something is mounted that feels it, at y = py, when it moves with v; all but `felt`.
ib_Mount ib_mount_of(const ib_BodyWires *wires, double py, const ib_Twist *v);

// Kinetic energy of the body and of what stands on it [J].
double ib_uneven_energy(const ib_Body *body, const ib_BodyWires *wires);

// What parts have done to their masses since `before`, an instant of the state as it was: momentum
// and angular momentum of the whole are kept. (p0, p1): momentum of what moves in the robot then
// and now. The body's velocity in `x` jumps by `dv`, along its own axes. Returns the work [J].
double ib_uneven_jump(const ib_PartsModel *robot, const ib_BodyWires *before, const ib_Wrench *p0,
                      const ib_Wrench *p1, double *x, ib_Twist *dv);

#endif
