// plant/wheel/patch.h: floor forces on any number of contact patches. The derivation is in
// docs/plant/wheel.md, "Any number of patches".
//
// A patch stands at (x, y) in the robot frame (x forward, y left) and belongs to a rim, which rolls
// along the unit vector e with the speed r_w Omega. Rollers let it slide freely along the unit
// vector f. It slips over the floor with
//
//   s = r_w Omega e - (u - w y, n + w x)
//
// and the floor pushes the robot by F = Fz k(s), k the law of plant/wheel/tyre.h. Along f slip goes
// in and force comes out times free_scale; across it, along g = (f_y, -f_x), both are whole. The
// wheel feels -r_w F . e about its axle. An ordinary tyre has f across e and free_scale 1, an omni
// wheel a small one; a mecanum wheel has f at 45 degrees to e.
//
// A robot does, at every instant:
//   ib_patch_slip    velocities to slips
//   ib_patch_grip    slips to forces over load (and rates of the springs)
//   ib_patch_loads   its weight to loads, which fit these very forces
//   ib_patch_forces  sums
// Four patches at (+-a, +-W) on two rims along x are the tank: plant/wheel/wheel.h has the
// same bits.
//
// Symbols: u, n forward and left velocity of the robot's origin [m/s], w yaw rate [rad/s].
#ifndef IB_PLANT_WHEEL_PATCH_H
#define IB_PLANT_WHEEL_PATCH_H

#include "base/status.h"
#include "plant/wheel/tyre.h"
#include "plant/wheel/weight.h"

enum { IB_MAX_PATCHES = IB_MAX_POINTS };

typedef struct ib_PatchPlace {
    double x, y; ///< where it stands, robot frame [m]
    int rim;     ///< to which it belongs, 0 .. rim_count - 1
} ib_PatchPlace;

typedef struct ib_PatchConfig {
    ib_TyreConfig tyre;                  ///< of all patches
    int count;                           ///< of patches, 1 .. IB_MAX_PATCHES
    int rim_count;                       ///< of rims, 1 .. count; each has a patch
    ib_PatchPlace place[IB_MAX_PATCHES]; ///< of each patch
} ib_PatchConfig;

typedef struct ib_PatchModel {
    ib_TyreModel tyre;
    int count, rim_count;                           ///< as in the config
    int rim[IB_MAX_PATCHES];                        ///< to which each patch belongs
    double x[IB_MAX_PATCHES], y[IB_MAX_PATCHES];    ///< where each stands [m]
    double reach_x, reach_y;                        ///< the largest |x|, |y| [m]; 1 where all are 0
    double xi[IB_MAX_PATCHES], eta[IB_MAX_PATCHES]; ///< x/reach_x, y/reach_y, -1 .. 1
    double share[IB_MAX_PATCHES];                   ///< of a rim: 1/number of its patches
    int order[IB_MAX_PATCHES];                      ///< patches, rim by rim
    int begin[IB_MAX_PATCHES + 1];                  ///< of each rim, where it begins in `order`
} ib_PatchModel;

// A rim at this instant.
typedef struct ib_PatchRim {
    double roll_x, roll_y; ///< e: where a positive speed drives the robot, robot frame, length 1
    double free_x, free_y; ///< f: along which it slides freely, length 1
    double free_scale;     ///< friction along f as part of mu, 0 .. 1; 1: an ordinary tyre
    double speed;          ///< r_w Omega [m/s]
} ib_PatchRim;

void ib_patch_init(const ib_PatchConfig *config, ib_PatchModel *model);

// A rim at rest that rolls `roll` to the left of the robot's heading and slides freely at `free` to
// the left of where it rolls [rad]: pi/2 for tyres and omni wheels, +-pi/4 for mecanum wheels.
ib_PatchRim ib_patch_rim(double roll, double free, double free_scale);

// Slips in the rim's own directions [m/s].
typedef struct ib_PatchSlip {
    double across[IB_MAX_PATCHES]; ///< along g: it grips wholly
    double along[IB_MAX_PATCHES];  ///< along f
    double scale[IB_MAX_PATCHES];  ///< free_scale of its rim
} ib_PatchSlip;

void ib_patch_slip(const ib_PatchModel *model, const ib_PatchRim *rims, double u, double n,
                   double w, ib_PatchSlip *slip);

// Force of a patch for each newton of its load.
typedef struct ib_PatchGrip {
    double x[IB_MAX_PATCHES], y[IB_MAX_PATCHES]; ///< force, robot frame [1]
    double power[IB_MAX_PATCHES]; ///< F . s [W/N]. Friction circle: heat, >= 0. Bristle: heat and
                                  ///< stored energy
} ib_PatchGrip;

// Bristle: z of all patches along g, then along f, and their rates [m, m/s]; they turn with the
// rim. Friction circle: no states, NULL.
int ib_patch_state_count(const ib_PatchModel *model);
void ib_patch_grip(const ib_PatchModel *model, const ib_PatchRim *rims, const ib_PatchSlip *slip,
                   const double *z, double *dz, ib_PatchGrip *grip);

// Loads [N] of the patches, which fit the forces that they make: plant/wheel/weight.h.
// grip NULL: at rest.
void ib_patch_loads(const ib_PatchModel *model, const ib_PatchGrip *grip, const ib_Weight *weight,
                    double *load);

// Sum of the floor's forces on the robot, robot frame, about its origin.
typedef struct ib_PatchForces {
    double fx, fy;              ///< [N]
    double torque;              ///< [N m]
    double power;               ///< sum of F . s: power of the patches [W]
    double rim[IB_MAX_PATCHES]; ///< along e, of each rim [N]; its wheels feel -r_w times it
} ib_PatchForces;

void ib_patch_forces(const ib_PatchModel *model, const ib_PatchRim *rims, const ib_PatchGrip *grip,
                     const double *load, ib_PatchForces *forces);

#endif
