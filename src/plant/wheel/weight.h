// plant/wheel/weight.h: the loads of a robot's points of support. Derivation:
// docs/plant/wheel.md, "Loads"
//
// Points are as soft as each other and the robot is stiff, so that the loads lie on a plane over
// the floor; a point cannot pull, so that one under which the plane has sunk carries nothing:
//
//   Fz = max(0, p + q x + r y),   sum Fz = weight,   sum Fz (x, y) = weight c
//
// c is the centre of pressure. At rest it is below the centre of mass. The floor's forces F act at
// the floor, and move it:  c = (x, y) - height F/weight   (pushes and gravity on a slope act at the
// centre of mass and do not). Limits: three points: statics. A rectangle: the closed form of
// plant/wheel/wheel.h. Beyond the outline of the points a robot tips over; here the loads stay at
// its edge.
#ifndef IB_PLANT_WHEEL_WEIGHT_H
#define IB_PLANT_WHEEL_WEIGHT_H

#include <stdbool.h>

typedef struct ib_Weight {
    double force;  ///< M g [N], >= 0
    double x, y;   ///< of the centre of mass, robot frame [m]
    double height; ///< of the centre of mass over the floor [m], >= 0; 0: no weight transfer
} ib_Weight;

// Moments of mass of a base's loads: mass, mass times the place of its centre, and times its
// distance from the base's middle squared [kg, kg m, kg m^2].
typedef struct ib_Cargo {
    double mass, x, y, z;
    double inertia;
    double extra; ///< of the mass: picked up since the start
} ib_Cargo;

// Adds a point mass.
static inline void ib_cargo_add(ib_Cargo *cargo, double mass, double x, double y, double z)
{
    cargo->mass += mass;
    cargo->x += mass * x;
    cargo->y += mass * y;
    cargo->z += mass * z;
    cargo->inertia += mass * (x * x + y * y);
}

enum { IB_MAX_POINTS = 16 }; ///< that share a weight

// Loads [N] of `count` points at (x, y) [m], 1 to IB_MAX_POINTS: none is negative, and their sum is
// the weight. (kx, ky): the floor's force on each over its load; NULL: the robot is at rest.
void ib_weight_loads(const ib_Weight *weight, int count, const double *x, const double *y,
                     const double *kx, const double *ky, double *load);

// True if one of them has no load beyond rounding.
static inline bool ib_weight_lifts(const ib_Weight *weight, int count, const double *load)
{
    for (int i = 0; i < count; i++)
        if (load[i] <= 1e-9 * weight->force) return true;
    return false;
}

#endif
