// robot/tank/tank.h: a tank-drive robot: a body, the wheels of two sides, gearmotors, battery, air,
// and the load of an arm. The derivation is in docs/robot/tank.md.
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

#include "plant/electric/drivetrain.h"
#include "plant/electric/gearbox.h"
#include "plant/electric/motor_row.h"
#include "plant/wheel/sides.h"
#include "robot/payload.h"

enum { IB_TANK_CORRECTED, IB_TANK_PUBLISHED };
enum { IB_CURRENT_QUASI_STATIC, IB_CURRENT_IMPLICIT, IB_CURRENT_EXPLICIT };
enum { IB_NEUTRAL_BRAKE, IB_NEUTRAL_COAST };
enum { IB_SHIFT_INPUT, IB_SHIFT_CYLINDER };

typedef struct ib_TankConfig {
    ib_EquipmentConfig equipment;
    double mass;       ///< [kg], > 0
    double length;     ///< over the bumpers [m], > 0
    double width;      ///< over the bumpers [m]; 0: twice the half track
    double half_track; ///< from the middle to a side's wheels [m], > 0
    double inertia;    ///< about the origin [kg m^2]; 0: RoboSim's formula (10.4d)

    int motor_given; ///< always 1
    ib_MotorConfig motor;
    ib_ThermalConfig thermal;
    double motor_inertia; ///< of the rotor, as the table knows it [kg m^2]; not used by this robot
    ib_DrivetrainConfig drive; ///< motors, gears and their loads; its wheel_inertia is not used
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

// The first states of every tank. Its parts know the places of the others.
enum { IB_TANK_TH, IB_TANK_W, IB_TANK_U, IB_TANK_N, IB_TANK_BODY };

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

// The first of its parts, where it has one gear.
enum { IB__TANK_SIDES, IB__TANK_COMMANDS, IB__TANK_MOTORS };

typedef struct ib_TankModel {
    const ib_PartsModel *robot;
    double mass, inertia; ///< [kg, kg m^2], with all that stands on it, without payload
    ib_Sides sides;
    ib_MotorRow motors;
    ib_MotorShaft shafts[2];
    ib_Gearbox gearbox;
    ib_PayloadPart payload;
    bool published;
    int current;    ///< IB_CURRENT_QUASI_STATIC …
    double period;  ///< Ts of the published 4.1c [s]
    int command[2]; ///< signals
} ib_TankModel;

// Names of its signals, for code about tanks only.
#define IB_NAME_DRIVE(side, what) "drive." side "." what
#define IB_NAME_WHEEL(side, what) "wheel." side "." what

extern const ib_RobotKind ib_tank_kind;

// The entries of the kind's table, each in the file of its subject.
ib_Status ib__tank_check(const void *config, ib_Error *error);
ib_Status ib__tank_build(const void *config, ib_Build *build, void *tank, ib_Error *error);
ib_Status ib__tank_locomotion(const void *tank, const double *state, double gravity,
                              ib_Locomotion *base, ib_Error *error);

// The cylinder of a config that shifts; -1: none does.
int ib__tank_shifter(const ib_TankConfig *config);

// left and right, or throttle and turn; the others are zero:
//   left = 12 V (throttle - turn), right = 12 V (throttle + turn), each within 12 V
void ib__tank_commands(const double *input, double command[2]);

// Its geometry. NULL without memory.
const ib_Geometry *ib__tank_geometry(const ib_TankConfig *config, ib_Arena *arena);

// Switches to RoboSim's printed formulas (robot/tank/tank_published.c): wheels and motors of the
// document; a rate of their own on the same declarations, and the signals of all parts.
void ib__tank_publish(ib_TankModel *tank);
ib_PartsRate ib__tank_published_rate;
void ib__tank_published_solve(const void *robot, ib_Wires *wires, char *notes);

#endif
