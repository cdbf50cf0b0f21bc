// robot/holonomic/holonomic.h: a base on any number of driven wheels, each where it stands and as
// its rollers let it slide: X-drive, mecanum, kiwi, H-drive and others are data.
// The derivation is in docs/holonomic.md.
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

#include "control/mixing.h"
#include "plant/drivetrain.h"
#include "plant/layout.h"
#include "plant/motor.h"
#include "plant/thermal.h"
#include "robot/outfit.h"
#include "robot/planar.h"

enum { IB_HOLONOMIC_RIMS = IB_LAYOUT_WHEELS };
enum { IB_HOLONOMIC_ROLLING, IB_HOLONOMIC_CIRCLE, IB_HOLONOMIC_BRISTLE };

// A wheel as a file has it.
typedef struct ib_HolonomicWheel {
    char name[IB_NAME_LENGTH + 1]; ///< its number
    ib_LayoutWheel layout;
} ib_HolonomicWheel;

typedef struct ib_HolonomicConfig {
    ib_OutfitConfig outfit;
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

    int model; ///< of the wheels: IB_HOLONOMIC_ROLLING …
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

// The state. What every one has comes first; the rest lies where the model says, if it is there.
// No rate depends on where the robot is or on its books: these are sums (ib_RobotPorts.sum_from).
enum {
    IB_HOLONOMIC_U,
    IB_HOLONOMIC_TH,
    IB_HOLONOMIC_W,
    IB_HOLONOMIC_USED, ///< charge that has left the battery [A s]
    IB_HOLONOMIC_N,
    IB_HOLONOMIC_X, ///< sums from here …
    IB_HOLONOMIC_Y,
    IB_HOLONOMIC_E_BATTERY,    ///< energies so far [J]: given by the battery's chemistry,
    IB_HOLONOMIC_E_RESISTANCE, ///< lost in its resistance,
    IB_HOLONOMIC_E_BACKGROUND, ///< used by controller and radio,
    IB_HOLONOMIC_E_COPPER,     ///< lost in the windings,
    IB_HOLONOMIC_E_CONVERSION, ///< lost between electrical and mechanical power: Ke is not Kt,
    IB_HOLONOMIC_E_LOSS,       ///< lost to the motors' loss torque,
    IB_HOLONOMIC_E_GEAR,       ///< in the gears,
    IB_HOLONOMIC_E_TYRE,       ///< between wheels and floor,
    IB_HOLONOMIC_E_COLLISION,  ///< to contacts,
    IB_HOLONOMIC_E_PUSH,       ///< given by pushes and slopes
    IB_HOLONOMIC_FIXED,        ///< … to here
};

enum {
    IB_HOLONOMIC_STICK_X = IB_ENVIRONMENT_COUNT, ///< -1 .. 1, to the right
    IB_HOLONOMIC_STICK_Y,                        ///< -1 .. 1, forward
    IB_HOLONOMIC_TURN,                           ///< -1 .. 1, to the right
    IB_HOLONOMIC_FRAME, ///< heading by which the stick's directions are turned back [rad]
    IB_HOLONOMIC_GAINS, ///< factors on the motors' torque, one a rim from here on
};

typedef struct ib_HolonomicModel {
    double mass, inertia; ///< [kg, kg m^2], with all that stands on it
    ib_PlanarModel planar;
    ib_LayoutModel layout;
    ib_PatchModel patch;
    ib_PatchRim rim[IB_HOLONOMIC_RIMS]; ///< at rest
    ib_MixingModel mixing;
    ib_MotorModel motor;
    ib_ThermalModel thermal;            ///< of the motors of each rim; its states stand last
    ib_DrivetrainModel drive;           ///< of each rim; its wheels are not used
    double current_limit, supply_limit; ///< of one motor [A]
    double radius[IB_HOLONOMIC_RIMS];   ///< [m]
    double spin[IB_HOLONOMIC_RIMS];     ///< inertia of a rim with its rotors, at the rim [kg m^2]
    double per_spin[IB_HOLONOMIC_RIMS];
    double wheel_spin[IB_HOLONOMIC_RIMS]; ///< of its wheels alone [kg m^2]
    double whole[9];  ///< of wheels that never slip: mass matrix with their inertia,
    double answer[9]; ///< and what an impulse adds to (u, n, w), rows
    double com_height;
    double share[IB_LAYOUT_WHEELS]; ///< of its weight that each wheel carries at rest, alone
    ib_PowerModel power;
    int rims;
    int model;     ///< IB_HOLONOMIC_ROLLING …
    bool plain;    ///< no limits, no breakers of motors, none that coasts or warms up: the bus is
                   ///< one linear equation
    bool coasts;   ///< neutral is open, not shorted
    bool lossless; ///< gears without loss
    bool rolls;    ///< wheels roll with resistance

    // Where optional states begin, -1: not there.
    int rim_state;     ///< speeds of the rims [rad/s]
    int bristle_state; ///< ib_patch_state_count
    int state_count, guard_count;
} ib_HolonomicModel;

extern const ib_RobotKind ib_holonomic_kind;

// The model without its tables of ports; the config has been checked.
ib_Status ib_holonomic_init(const ib_HolonomicConfig *config, ib_HolonomicModel *model,
                            ib_Error *error);

// The wheels of a config as a table; who has none written has those of an X-drive.
void ib_holonomic_layout(const ib_HolonomicConfig *config, ib_LayoutConfig *layout);

#endif
