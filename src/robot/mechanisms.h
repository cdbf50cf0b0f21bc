// robot/mechanisms.h: mechanisms on the body of a robot, each a part of it. docs/robot/parts.md
#ifndef IB_ROBOT_MECHANISMS_H
#define IB_ROBOT_MECHANISMS_H

#include "robot/parts.h"

typedef struct ib_MechanismPart {
    ib_Actuator actuator;
    const void *config; ///< its kind's
    const ib_PartsModel *robot;
    bool own_bridges; ///< it takes of the bus
    int taken;        ///< entry: energy taken from the bus by all mechanisms
    int stored;       ///< signal: air in chambers; -1: the robot has no air
} ib_MechanismPart;

typedef struct ib_Mechanisms {
    int count;
    ib_MechanismPart *items;
    int hook;   ///< the one whose hook lifts the robot; -1: none does
    int reacts; ///< the one that the body feels, and that feels it; -1: none does
} ib_Mechanisms;

// Adds all of an equipment as parts, behind those of the kind, with the supply where the kind
// has none.
ib_Status ib_mechanisms_build(const ib_EquipmentConfig *equipment, ib_Build *build,
                              ib_Error *error);
// Adds the parts that need the whole robot: a hook that carries it, looks, names for loops, the
// longest step.
ib_Status ib_mechanisms_begin(ib_Build *build, ib_Error *error);

// The body's accelerations without it are known: adds the force of the one that reacts. False:
// there is none.
bool ib_mechanisms_react(const ib_PartsModel *robot, ib_Wires *wires);
// Effect of an impulse on the body and on the mechanism that reacts: as ib_RobotKind.answer.
ib_Twist ib_mechanisms_response(const ib_PartsModel *robot, const double *x, double jx, double jy,
                                double turn, double *change);

// Names each mechanism for loops, with the signals and inputs that are its states and inputs at
// the desk.
bool ib_mechanism_name(const ib_Actuator *actuator, const ib_RobotPorts *ports, ib_Arena *arena,
                       ib_ControlPart *part);
bool ib_mechanisms_name(const ib_Mechanisms *mechanisms, ib_Arena *arena, ib_RobotPorts *ports);
// Their solids on the body's look.
bool ib_mechanisms_geometry(const ib_Mechanisms *mechanisms, ib_Arena *arena, ib_RobotPorts *ports);

#endif
