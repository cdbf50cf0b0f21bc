// robot/holonomic/holonomic.h: a base on any number of driven wheels, each where it stands and as
// its rollers let it slide: X-drive, mecanum, kiwi, H-drive and others are data.
// The derivation is in docs/robot/holonomic.md.
//
//   symbol       meaning                                            unit
//   x, y, th     origin (middle of the robot) and heading           m, m, rad
//   u, n, w      velocity forward and to the left, yaw rate         m/s, m/s, rad/s
//   r, Omega     radius and speed of a rim                          m, rad/s
//   G, N         reduction, motors of one rim                       1
//   M, I         mass, inertia about the origin                     kg, kg m^2
//
// Wheels that turn together are a rim. Rims are counted by their first wheels, and so are the
// motors that drive them.
#ifndef IB_ROBOT_HOLONOMIC_H
#define IB_ROBOT_HOLONOMIC_H

#include "control/driving/mixing.h"
#include "plant/electric/drivetrain.h"
#include "plant/electric/motor_row.h"
#include "plant/wheel/rims.h"
#include "robot/equipment.h"
#include "robot/planar.h"

// A wheel as a file has it.
typedef struct ib_HolonomicWheel {
    char name[IB_NAME_LENGTH + 1]; ///< its number
    ib_LayoutWheel layout;
} ib_HolonomicWheel;

typedef struct ib_HolonomicConfig {
    ib_EquipmentConfig equipment;
    double mass;          ///< [kg], > 0
    double inertia;       ///< about the origin [kg m^2]; 0: that of a plate length by width
    double length, width; ///< over the bumpers [m], > 0

    int motor_given; ///< always 1
    ib_MotorConfig motor;
    ib_ThermalConfig thermal;
    double motor_inertia; ///< of the rotor, as the table knows it [kg m^2]; not used by this robot
    ib_DrivetrainConfig drive; ///< of each rim; its wheels are not used, nor its second gear
    int loss;                  ///< IB_LOSS_NONE …
    double current_limit;      ///< of a motor's winding [A], +infinity: off
    double supply_limit;       ///< of what a motor draws [A], +infinity: off
    int coasts;                ///< 0: a motor brakes at command 0, 1: it coasts

    int model; ///< of the wheels: IB_RIMS_ROLLING …
    ib_TyreConfig tyre;
    double roller_friction; ///< along a roller's free direction, as part of mu, at most; 0 .. 1
    double wheel_inertia;   ///< of one wheel [kg m^2], >= 0
    double com_height;      ///< of the centre of mass [m], >= 0; 0: no weight transfer
    int wheel_count;
    ib_HolonomicWheel wheels[IB_LAYOUT_WHEELS];

    ib_MixingConfig mixing;
    ib_BumperConfig bumper;
    ib_PlanarConfig planar;
} ib_HolonomicConfig;

enum {
    IB_HOLONOMIC_STICK_X = IB_ENVIRONMENT_COUNT, ///< -1 .. 1, to the right
    IB_HOLONOMIC_STICK_Y,                        ///< -1 .. 1, forward
    IB_HOLONOMIC_TURN,                           ///< -1 .. 1, to the right
    IB_HOLONOMIC_FRAME, ///< heading by which the stick's directions are turned back [rad]
    IB_HOLONOMIC_GAINS, ///< factors on the motors' torque, one a rim from here on
};

typedef struct ib_HolonomicModel {
    double mass, inertia; ///< [kg, kg m^2], with all that stands on it
    ib_Rims rims;
    ib_MotorRow motors;
    ib_MotorShaft shafts[IB_RIMS_MAX];
    ib_MixingModel mixing;
    // The first of its signals: directions, those of each motor's, one of the published mixing.
    int directions, motor[IB_RIMS_MAX], undefined;
} ib_HolonomicModel;

extern const ib_RobotKind ib_holonomic_kind;

// The wheels of a config as a table; without any, those of an X-drive.
void ib_holonomic_layout(const ib_HolonomicConfig *config, ib_LayoutConfig *layout);

// The entries of the kind's table, each in the file of its subject.
ib_Status ib__holonomic_check(const void *config, ib_Error *error);
ib_Status ib__holonomic_build(const void *config, ib_Build *build, void *model, ib_Error *error);
ib_Status ib__holonomic_locomotion(const void *model, const double *state, double gravity,
                                   ib_Locomotion *base, ib_Error *error);
extern const ib_SignalRows ib__holonomic_signals; ///< signals that each one has itself
// Its geometry, with an arrow for the force on each wheel. NULL without memory.
const ib_Geometry *ib__holonomic_geometry(const ib_HolonomicConfig *config,
                                          const ib_HolonomicModel *model, const ib_ForceDef *forces,
                                          const ib_SignalDef *signals, ib_Arena *arena);

#endif
