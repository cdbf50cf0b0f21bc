// robot/uneven.h: a body that carries masses off its middle: mechanisms and a load.
// The derivation is in docs/plant/body.md, the mass matrix in plant/mass.h.
#ifndef IB_ROBOT_UNEVEN_H
#define IB_ROBOT_UNEVEN_H

#include "robot/parts.h"

// Declares a body whose masses may be off the middle; called when the rest of it is known.
void ib_uneven_declare(ib_Body *body, double carried_inertia);

// With the cargo on the wires: the whole mass and its response; the slope pulls at the
// common centre.
void ib_uneven_weigh(const ib_Body *body, const double *input, ib_BodyWires *wires);

// The body as loaded by its parts in this state: equipment and weight.
void ib_parts_weigh(const ib_PartsModel *robot, const double *x, double gravity,
                    ib_BodyWires *body);

// Its accelerations, and the holding forces of axles.
void ib_uneven_accelerate(const ib_Body *body, ib_BodyWires *wires);

// Change of its velocity or its rate by an impulse or a force at the origin.
ib_Twist ib_uneven_response(const ib_BodyWires *wires, double fx, double fy, double torque);

// The mount of a mechanism that feels the body, at y = py, moving with v; all but `felt`.
ib_Mount ib_mount_of(const ib_BodyWires *wires, double py, const ib_Twist *v);

// Kinetic energy of the body and its equipment [J].
double ib_uneven_energy(const ib_Body *body, const ib_BodyWires *wires);

// Applies the parts' changes of their masses since `before`, the previous state: momentum and
// angular momentum of the whole are kept. (p0, p1): momentum of masses moving in the robot before
// and now. The body's velocity in `x` jumps by `dv`, along its own axes. Returns the work [J].
double ib_uneven_jump(const ib_PartsModel *robot, const ib_BodyWires *before, const ib_Wrench *p0,
                      const ib_Wrench *p1, double *x, ib_Twist *dv);

#endif
