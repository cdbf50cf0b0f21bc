// plant/mechanism/spinner.h: one inertia behind a gear, against friction alone: the common part
// of flywheel, roller and turret.
//
// Symbols: w speed, th angle if it is a state, J inertia with the rotors', c friction; push and
// drag as in plant/electric/gearmotor.h.
//
//   th' = w,   J w' = T - c w
// Limits: steady at w = push V/(drag + c), reached with the time constant J/(drag + c).
#ifndef IB_PLANT_MECHANISM_SPINNER_H
#define IB_PLANT_MECHANISM_SPINNER_H

#include "plant/actuator/actuator.h"

// The model of a kind that spins begins so.
typedef struct ib_Spinner {
    ib_GearmotorModel gear;
    double inertia;  ///< J [kg m^2]
    double friction; ///< c [N m s]
    int speed;       ///< the state that is w: 0, or 1 behind th
} ib_Spinner;

// `inertia` without the rotors; with `angle` that is a state, and measured; else the speed is.
void ib_spinner_init(const ib_GearmotorConfig *gear, double inertia, double friction, bool angle,
                     ib_Spinner *spinner, ib_MechanismPorts *ports);

// Entries of an ib_MechanismKind.
void ib_spinner_rate(const void *model, const double *x, const double *torque, double g,
                     double *xdot);
void ib_spinner_facts(const void *model, ib_MechanismFacts *facts);
void ib_spinner_energy(const void *model, const double *x, double g, ib_MechanismEnergy *energy);
void ib_spinner_mobility(const void *model, const double *x, double matrix[2][2]);

// Rows of a kind's table with these functions.
#define IB_SPINNER_FUNCTIONS                                                                       \
    .rate = ib_spinner_rate, .energy = ib_spinner_energy, .mobility = ib_spinner_mobility

#endif
