// robot/swerve.h: a base on four swerve modules: wheels that motors drive, turned by other motors.
// The derivation is in docs/robot/swerve.md.
//
//   symbol       meaning                                            unit
//   x, y, th     origin (middle of the robot) and heading           m, m, rad
//   u, n, w      velocity forward and to the left, yaw rate         m/s, m/s, rad/s
//   s, q         angle of a module in the body, its rate            rad, rad/s
//   Omega        speed of a wheel                                   rad/s
//   M, I0        mass; inertia of the body without its modules      kg, kg m^2
//
// Modules 1 to 4: front right, front left, back left, back right.
#ifndef IB_ROBOT_SWERVE_H
#define IB_ROBOT_SWERVE_H

#include "plant/electric/drivetrain.h"
#include "plant/electric/motor_row.h"
#include "plant/wheel/swerve.h"
#include "robot/equipment.h"
#include "robot/planar.h"

enum { IB_SWERVE_MODULES = 4 };

// The motor that turns a module.
typedef struct ib_SwerveSteer {
    int motor_given; ///< always 1
    ib_MotorConfig motor;
    double motor_inertia; ///< of the rotor, as the table knows it [kg m^2]; not used by this robot
    double reduction;     ///< motor speed over that of the module, > 0
    double rotor_inertia; ///< of the motor's rotor [kg m^2], >= 0
    double inertia;       ///< of a module about its axis, wheel included [kg m^2], > 0
    double friction;      ///< of its bearing, viscous [N m s], >= 0
} ib_SwerveSteer;

typedef struct ib_SwerveConfig {
    ib_EquipmentConfig equipment;
    double mass;          ///< modules included [kg], > 0
    double inertia;       ///< about the origin, its modules held [kg m^2]; 0: that of a plate
    double length, width; ///< over the bumpers [m], > 0
    double inset;         ///< of the modules' axes from the outline [m], > 0

    int motor_given; ///< always 1
    ib_MotorConfig motor;
    double motor_inertia; ///< of the rotor, as the table knows it [kg m^2]; not used by this robot
    ib_DrivetrainConfig drive; ///< of each wheel; its second gear is not used
    int loss;                  ///< IB_LOSS_NONE …, of all motors
    double current_limit;      ///< of a driving motor's winding [A], +infinity: off
    double supply_limit;       ///< of a driving motor's bus current [A], +infinity: off
    int coasts;                ///< 0: a driving motor brakes at command 0, 1: it coasts
    ib_SwerveSteer steer;

    int model; ///< of the wheels: 0 friction circle, 1 bristle
    ib_TyreConfig tyre;
    double com_height; ///< of the centre of mass [m], >= 0; 0: no weight transfer
    ib_BumperConfig bumper;
    ib_PlanarConfig planar;
} ib_SwerveConfig;

typedef struct ib_SwerveModel {
    ib_Rims rims;
    ib_SwerveRow modules;
    ib_MotorRow drive, steer;
    ib_MotorShaft drive_shaft[IB_SWERVE_MODULES], steer_shaft[IB_SWERVE_MODULES];
    int command; ///< first of its inputs: driving and turning of module 1, …
    int stick;   ///< first of those of its stick
    double place[IB_SWERVE_MODULES][2]; ///< [m]
    double reach;                       ///< of the module that a turn moves most [m]
    double servo; ///< of a module that the stick turns: share of the bus for an error [1/rad]
    ib_FootDef feet[IB_SWERVE_MODULES];
} ib_SwerveModel;

extern const ib_RobotKind ib_swerve_kind;

// Place of module i [m].
void ib_swerve_place(const ib_SwerveConfig *config, int module, double place[2]);

// ---- robot/swerve_drive.c: all modules together, by the stick

void ib__swerve_init_drive(ib_SwerveModel *h);

// Adds the stick's command of each bridge to the wires.
void ib__swerve_drive(const ib_SwerveModel *h, ib_Wires *w);

ib_Status ib__swerve_locomotion(const void *robot, const double *state, double gravity,
                                ib_Locomotion *base, ib_Error *error);

// Turns of its rims by its motion, for odometry; NULL without memory.
const ib_ControlRims *ib__swerve_rims(const ib_SwerveModel *h, const ib_SignalDef *signals,
                                      ib_Arena *arena);

// Its geometry. NULL without memory.
const ib_Geometry *ib__swerve_geometry(const ib_SwerveConfig *config, ib_Arena *arena);

#endif
