// robot/holonomic/holonomic_inside.h: what the files of the holonomic base share: everything that
// acts at one instant. The derivation is in docs/holonomic.md.
#ifndef IB_ROBOT_HOLONOMIC_INSIDE_H
#define IB_ROBOT_HOLONOMIC_INSIDE_H

#include "robot/holonomic/holonomic.h"

// Everything electrical and what it does to the rims, at one instant.
typedef struct ib__HolonomicNow {
    double output[IB_HOLONOMIC_RIMS];      ///< of the mixing, -1 .. 1
    double speed[IB_HOLONOMIC_RIMS];       ///< of a rim [rad/s]
    double loss[IB_HOLONOMIC_RIMS];        ///< torque lost in one motor [N m]
    double torque[IB_HOLONOMIC_RIMS];      ///< of one motor at its shaft [N m]
    double scaled[IB_HOLONOMIC_RIMS];      ///< power that a disturbance's factor takes from one [W]
    ib_DriveSide drive[IB_HOLONOMIC_RIMS]; ///< torque at a rim, loss of its gears
    ib_PowerNow power;
} ib__HolonomicNow;

// What the floor does, wheel by wheel. Wheels that never slip: what keeps them from it.
typedef struct ib__HolonomicFloor {
    ib_PatchForces sum;
    double force_x[IB_LAYOUT_WHEELS], force_y[IB_LAYOUT_WHEELS]; ///< robot frame [N]
    double load[IB_LAYOUT_WHEELS];                               ///< [N]
    double slip[IB_LAYOUT_WHEELS]; ///< over the floor, but for what rollers let go [m/s]
} ib__HolonomicFloor;

// The stick as the robot sees it: turned back by the heading of the driver's frame.
ib_Stick ib__holonomic_stick(const double *input);

// Commands, bus and torques; `shared`: the bus is shared with mechanisms and has been solved.
void ib__holonomic_now(const ib_HolonomicModel *model, const double *state, const double *input,
                       const ib_Shared *shared, ib__HolonomicNow *now);

void ib__holonomic_floor(const ib_HolonomicModel *model, const double *state, const double *input,
                         const ib__HolonomicNow *now, const ib_Cargo *cargo,
                         ib__HolonomicFloor *floor);

// Kinetic energies [J].
typedef struct ib__HolonomicKinetic {
    double body, wheels, rotors;
} ib__HolonomicKinetic;

ib__HolonomicKinetic ib__holonomic_kinetic(const ib_HolonomicModel *model, const double *state);

// The entries of the kind's table (holonomic_kind.c), each in the file of its subject.
ib_Status ib__holonomic_check(const void *config, ib_Error *error);
ib_Status ib__holonomic_ports(const void *config, ib_Arena *arena, void *model,
                              ib_RobotPorts *ports, ib_Error *error);
void ib__holonomic_reset(const void *config, const void *model, double *state);
void ib__holonomic_rate(const void *model, const double *state, const double *input, double *rate);
void ib__holonomic_output(const void *model, const double *state, const double *input,
                          double *signals);
ib_Twist ib__holonomic_answer(const void *model, const double *state, double jx, double jy,
                              double turn, double *change);
void ib__holonomic_guard(const void *model, const double *state, const double *input,
                         double *guards);
bool ib__holonomic_settle(const void *model, const double *input, double *state);

extern const ib_StateDef ib__holonomic_roles[IB_HOLONOMIC_FIXED];
// What every one shows; the rows of the supply are empty here.
extern const ib_SignalRows ib__holonomic_signals;

// The same with mechanisms on it.
int ib__holonomic_bridges(const void *model);
const ib_PowerModel *ib__holonomic_power(const void *model);
void ib__holonomic_fill(const void *model, const double *state, const double *input, bool on,
                        ib_Bridge *bridge);
void ib__holonomic_rate_shared(const void *model, const double *state, const double *input,
                               const ib_Shared *shared, double *rate);
void ib__holonomic_output_shared(const void *model, const double *state, const double *input,
                                 const ib_Shared *shared, double *signals);

// How it looks (robot/holonomic/holonomic_look.c). NULL without memory.
const ib_Geometry *ib__holonomic_look(const ib_HolonomicConfig *config,
                                      const ib_HolonomicModel *model, ib_Arena *arena);

// Longest step for a fixed-step solver [s]; 0: any.
double ib__holonomic_resolution(const ib_HolonomicModel *model);

// Where the supply's states lie in every one, as a constant: docs/performance.md
static const ib_PowerBooks ib__holonomic_books = {IB_HOLONOMIC_USED, IB_HOLONOMIC_E_BATTERY,
                                                  IB_HOLONOMIC_E_RESISTANCE,
                                                  IB_HOLONOMIC_E_BACKGROUND};

ib_Status ib__holonomic_move(const void *model, const double *state, ib_AxisDrive axes[3],
                             ib_Error *error);

#endif
