// plant/wheel/swerve.h: swerve modules: each turns its rim about a vertical axis, on a bearing in
// the body, by a motor that stands on the body. The derivation is in docs/robot/swerve.md.
//
// Symbols of a module: s angle to the left of the body's front, q = s'; w yaw rate of the body; I
// inertia about its axis, J that of the steering motor's rotor behind its gear; tau torque of the
// steering shaft, c friction of the bearing; k = I/(I + J).
//
//   I (w' + q') + J q' = tau - c q         the module turns with w + q over the floor
//   q' = (tau - c q)/(I + J) - k w'
// The body feels  -I (w' + q'):  the torque  -k (tau - c q),  and an inertia  J k  to carry:
//   (I0 + sum J k) w' = T - sum k (tau - c q)
// Balance of both:  tau q = c q^2 + d/dt (I (w + q)^2/2 + J q^2/2 + I0 w^2/2) - T w Limits: J = 0:
// an impulse on the body does not change w + q. J -> infinity: q does not change.
#ifndef IB_PLANT_WHEEL_SWERVE_H
#define IB_PLANT_WHEEL_SWERVE_H

#include "plant/wheel/rims.h"

typedef struct ib_SwerveRow {
    int count;              ///< of modules
    double inertia;         ///< I of one [kg m^2], > 0
    double rotor;           ///< J of one [kg m^2], >= 0
    double friction;        ///< c of one [N m s], >= 0
    double share;           ///< k
    double per_whole;       ///< 1/(I + J)
    double carried;         ///< by the body: sum J k [kg m^2]
    int shaft;              ///< that of the first module
    int angle[IB_RIMS_MAX]; ///< states: s, for ib_Rims.angles
    int rate[IB_RIMS_MAX];  ///< q
    int stored, lost;       ///< entries of the book
} ib_SwerveRow;

extern const ib_PartKind ib_swerve_part;

void ib_swerve_init(int count, double inertia, double rotor, double friction, ib_SwerveRow *row);

// Signals of each module: angle and rate.
enum { IB_SWERVE_SIGNALS = 2 };
extern const ib_SignalDef ib_swerve_signals[IB_SWERVE_SIGNALS];

// Shows the modules as "prefixes[i].angle" and ".rate"; finds energy.steering and energy.bearings
// in a book that has been declared.
void ib_swerve_declare(ib_SwerveRow *row, const char *const *prefixes, const char *const *parts,
                       ib_Declarations *d);

// The longest step with which RK4 follows the modules on a body of this inertia, `carried`
// included, where a motor brakes each by `brake` [N m s] [s].
double ib_swerve_resolution(const ib_SwerveRow *row, double inertia, double brake);

#endif
