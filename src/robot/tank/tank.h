// robot/tank/tank.h: a tank-drive robot: motors, battery, breakers, air, tyres and body as one.
// The derivation is in docs/tank.md.
//
//   symbol       meaning                                            unit
//   x, y, th     origin (middle of the wheels) and heading          m, m, rad
//   u, n, w      velocity forward and to the left, yaw rate         m/s, m/s, rad/s
//   W, r         half the track, radius of a wheel                  m
//   G, N         reduction, motors of one side                      1
//   wm, wh       speed of a motor, of a wheel                       rad/s
//   M, I         mass, inertia about the origin                     kg, kg m^2
//
// Left is side 0 and stands at y = +W; right is side 1 at y = -W.
#ifndef IB_ROBOT_TANK_H
#define IB_ROBOT_TANK_H

#include "plant/air.h"
#include "plant/drivetrain.h"
#include "plant/motor.h"
#include "plant/payload.h"
#include "plant/thermal.h"
#include "plant/wheel.h"
#include "robot/outfit.h"
#include "robot/planar.h"

enum { IB_TANK_CORRECTED, IB_TANK_PUBLISHED };
enum { IB_CURRENT_QUASI_STATIC, IB_CURRENT_IMPLICIT, IB_CURRENT_EXPLICIT };
enum { IB_NEUTRAL_BRAKE, IB_NEUTRAL_COAST };
enum { IB_SHIFT_INPUT, IB_SHIFT_CYLINDER };

typedef struct ib_TankConfig {
    ib_OutfitConfig outfit;
    double mass;       ///< [kg], > 0
    double length;     ///< over the bumpers [m], > 0
    double width;      ///< over the bumpers [m]; 0: twice the half track
    double half_track; ///< from the middle to a side's wheels [m], > 0
    double inertia;    ///< about the origin [kg m^2]; 0: RoboSim's formula (10.4d)

    int motor_given; ///< always 1
    ib_MotorConfig motor;
    ib_ThermalConfig thermal;
    double motor_inertia; ///< of the rotor, as the table knows it [kg m^2]; not used by this robot
    ib_DrivetrainConfig drive; ///< motors, gears and what they turn; its wheel_inertia is not used
    double inductance;         ///< of a winding [H], > 0 unless quasi-static
    int current;               ///< IB_CURRENT_QUASI_STATIC …
    int loss;                  ///< IB_LOSS_NONE …
    double period;             ///< Ts of the published 4.1c [s]
    double current_limit;      ///< of a motor's winding [A], +infinity: off
    double supply_limit;       ///< of what a motor draws [A], +infinity: off
    int neutral;               ///< IB_NEUTRAL_BRAKE …
    int shift_by;              ///< IB_SHIFT_INPUT …

    int wheels_given; ///< always 1
    ib_WheelConfig wheels;

    int payload_on;                            ///< 0: there is none, and never will be
    double payload_mass, payload_x, payload_y; ///< at the start [kg, m, m]
    double payload_most;                       ///< the heaviest that it will hold [kg]
    double payload_response;                   ///< time constant of the arm that moves it [s], > 0

    ib_BumperConfig bumper;
    int equations; ///< IB_TANK_CORRECTED …

    ib_PlanarConfig planar;
} ib_TankConfig;

// The state. What every tank has comes first; the rest lies where the model says, if it is there.
// No rate depends on where the robot is or on its books: these are sums (ib_RobotPorts.sum_from).
// No two that a rate needs first stand side by side: docs/performance.md
enum {
    IB_TANK_U,
    IB_TANK_TH,
    IB_TANK_W,
    IB_TANK_USED, ///< charge that has left the battery [A s]
    IB_TANK_N,
    IB_TANK_X, ///< sums from here …
    IB_TANK_Y,
    IB_TANK_E_BATTERY,    ///< energies so far [J]: given by the battery's chemistry,
    IB_TANK_E_RESISTANCE, ///< lost in its resistance,
    IB_TANK_E_BACKGROUND, ///< used by controller and radio,
    IB_TANK_E_COPPER,     ///< lost in the windings,
    IB_TANK_E_CONVERSION, ///< lost between electrical and mechanical power: Ke is not Kt
    IB_TANK_E_LOSS,       ///< lost to the motors' loss torque,
    IB_TANK_E_GEAR,       ///< in the gears,
    IB_TANK_E_TYRE,       ///< between tyres and floor,
    IB_TANK_E_COLLISION,  ///< to contacts,
    IB_TANK_E_PUSH,       ///< given by pushes and slopes
    IB_TANK_FIXED,        ///< … to here
};

enum {
    IB_TANK_LEFT = IB_ENVIRONMENT_COUNT, ///< voltage commands on a 12 V scale [V]
    IB_TANK_RIGHT,
    IB_TANK_THROTTLE, ///< -1 .. 1
    IB_TANK_TURN,     ///< -1 .. 1, to the left positive
    IB_TANK_GEAR,     ///< 0 first, 1 second
    IB_TANK_PAYLOAD_MASS,
    IB_TANK_PAYLOAD_X,
    IB_TANK_PAYLOAD_Y,
    IB_TANK_COMPRESSOR, ///< 0 auto, 1 on, 2 off
    IB_TANK_GAIN_LEFT,  ///< factors on the motors' torque
    IB_TANK_GAIN_RIGHT,
    IB_TANK_SOLENOIDS, ///< one per cylinder from here on: 0 retract, 1 extend
};

typedef struct ib_TankModel {
    ib_Base base; ///< mass [kg] and inertia [kg m^2] without payload
    ib_PlanarModel planar;
    double half_track; ///< W [m]
    ib_MotorModel motor;
    ib_ThermalModel thermal; ///< of the motors of each side; its states stand behind all others
    ib_DrivetrainModel drive;
    double inductance;                  ///< [H]
    double period;                      ///< Ts of the published 4.1c [s]
    double current_limit, supply_limit; ///< of one motor [A]
    double most_current;                ///< of all that is no motor [A]
    double far_voltage;                 ///< of the bus: far from a brownout; infinite: none is [V]
    ib_WheelModel wheel;
    ib_PowerModel power;
    ib_AirModel air;
    double payload;  ///< the heaviest [kg]
    double response; ///< of the payload's arm [s]
    int wheels;      ///< IB_WHEEL_ROLLING …
    int current;     ///< IB_CURRENT_QUASI_STATIC …
    int shifter;     ///< the cylinder that shifts, -1: none
    bool limited;    ///< some current limit
    bool coasts;     ///< neutral is open, not shorted
    bool published;
    bool lossless; ///< gears without loss
    int level;     ///< how simple it is: see robot/tank/tank_inside.h
    bool rolls;    ///< something rolls with resistance

    // Where optional states begin, -1: not there.
    int wheel_state;   ///< speed of the left and right wheels [rad/s]
    int current_state; ///< of a motor, left and right [A]
    int bristle_state; ///< IB_BRISTLE_STATES
    int gear_state;    ///< 0 first, 1 second
    int payload_state; ///< mass, x, y, x', y', work of the arm [J]
    int air_state;     ///< energy of the compressor [J], then the air's own
    int state_count;

    // Where guards begin, -1: not there.
    int shift_guard, air_guard;
    int guard_count;
} ib_TankModel;

// Names of its signals, for those who speak of a tank and no other robot.
#define IB_NAME_DRIVE(side, what) "drive." side "." what
#define IB_NAME_WHEEL(side, what) "wheel." side "." what

extern const ib_RobotKind ib_tank_kind;

// The model without its tables of ports; the config has been checked.
void ib_tank_init(const ib_TankConfig *config, ib_TankModel *tank);

#endif
