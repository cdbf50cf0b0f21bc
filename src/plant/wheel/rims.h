// plant/wheel/rims.h: the driven wheels of a base, between the shafts of its motors and the floor.
// The derivation is in docs/robot/holonomic.md.
//
// Wheels that turn together are a rim, which a shaft turns. Symbols of a rim: r radius, Omega
// speed, J inertia with the rotors behind it, tau torque of its shaft, F force of the floor along
// it, R force of its resistance to rolling. v = (u, n, w) of the body.
//
//   slipping   J Omega' = tau - r F + r R       F from the slip: plant/wheel/patch.h
//   rolling    Omega = turn . v, so that the body feels  turn (tau + r R)  and the inertia
//              J turn turn^T, and moves only as all rims allow: plant/wheel/layout.h
// A rim may be turned to where it rolls: by an angle that is a state of the part that turns it.
#ifndef IB_PLANT_WHEEL_RIMS_H
#define IB_PLANT_WHEEL_RIMS_H

#include "plant/part.h"
#include "plant/wheel/layout.h"
#include "plant/wheel/patch.h"

enum { IB_RIMS_MAX = IB_LAYOUT_WHEELS };

// Laws of the wheels.
enum { IB_RIMS_ROLLING, IB_RIMS_CIRCLE, IB_RIMS_BRISTLE };

typedef struct ib_RimsConfig {
    int law; ///< IB_RIMS_ROLLING …
    ib_LayoutConfig layout;
    ib_TyreConfig tyre;
    double roller_friction; ///< along a roller's free direction, as part of mu; 0 .. 1
    double wheel_inertia;   ///< of one wheel [kg m^2], >= 0
    double rotors;          ///< inertia of the motors of a rim, at the rim [kg m^2], >= 0
} ib_RimsConfig;

typedef struct ib_Rims {
    int count;    ///< of rims
    int law;      ///< IB_RIMS_ROLLING …
    bool resists; ///< rolls with resistance
    ib_LayoutModel layout;
    ib_PatchModel patch;
    ib_PatchRim rim[IB_RIMS_MAX]; ///< at rest
    double radius[IB_RIMS_MAX];   ///< [m]
    double spin[IB_RIMS_MAX];     ///< J [kg m^2]
    double per_spin[IB_RIMS_MAX];
    double wheel_spin[IB_RIMS_MAX]; ///< of its wheels alone [kg m^2]
    double share[IB_LAYOUT_WHEELS]; ///< of the weight that each wheel carries at rest, alone
    const int *angles;              ///< states by which rims are turned [rad]; NULL: none is
    int shaft;                      ///< the base's: that of the first rim
    int speed, bristles;            ///< states; -1: not there
    int tyre, wheels, rotors;       ///< entries of the book: lost; kinetic energies
    int signal[IB_LAYOUT_WHEELS];   ///< the first of each wheel's
} ib_Rims;

// Values that its calls leave for each other.
typedef struct ib_RimsNotes {
    ib_PatchRim rim[IB_RIMS_MAX]; ///< as they are turned now
    ib_PatchSlip slips;
    ib_PatchGrip grip;
    double load[IB_LAYOUT_WHEELS];       ///< [N]
    ib_PatchForces sum;                  ///< with F of each rim
    double drag[IB_RIMS_MAX];            ///< R of each rim [N]
    double bristles[2 * IB_MAX_PATCHES]; ///< their rates
    double power;                        ///< taken by the floor [W]
} ib_RimsNotes;

extern const ib_PartKind ib_rims_part;

void ib_rims_init(const ib_RimsConfig *config, ib_Rims *rims);

// Shafts are those of the motors' row. `names`: prefixes of each wheel's signals, for its look and
// its steering.
enum {
    IB_WHEEL_SPEED,
    IB_WHEEL_SLIP,
    IB_WHEEL_FORCE,
    IB_WHEEL_SIDE,
    IB_WHEEL_LOAD,
    IB_WHEEL_SIGNALS
};
extern const ib_SignalDef ib_wheel_signals[IB_WHEEL_SIGNALS];
void ib_rims_declare(ib_Rims *rims, ib_Declarations *d);
void ib_rims_declare_wheel(ib_Rims *rims, int wheel, const char *prefix, const char *part,
                           ib_Declarations *d);

// Adds sum J turn turn^T, the inertia of wheels that never slip, to a mass matrix.
void ib_rims_load(const ib_Rims *rims, double whole[9]);
// Response of v to an impulse, rows, for a body of this mass and inertia; and the mass matrix with
// their inertia.
void ib_rims_response(const ib_Rims *rims, double mass, double inertia, double whole[9],
                      double response[9]);

// The longest step with which RK4 follows rims and patches on a body of this mass and inertia,
// where motors brake each rim by `brake` [N m s] [s]; `answer`: of rolling wheels. Infinite: any.
double ib_rims_resolution(const ib_Rims *rims, double mass, double inertia,
                          const double response[9], double brake);

#endif
