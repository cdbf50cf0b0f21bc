// control/leg/legs.h: the legs of a robot for its loops: the joints, their signals and inputs, and
// the places of the shoulders. docs/control/legs.md
#ifndef IB_CONTROL_LEGS_H
#define IB_CONTROL_LEGS_H

#include "control/leg/leg.h"
#include "control/path/path.h"
#include "plant/linkage.h"

enum { IB_LEGS_JOINTS = IB_LEG_LEGS * IB_LEG_JOINTS };

// One joint. Names are the robot's.
typedef struct ib_LegJoint {
    const char *name;         ///< "fr.alpha"
    const char *angle;        ///< signal of its angle [rad]
    const char *stroke;       ///< of its cylinder: how far the rod is out [m]; NULL: it has none
    const char *pressures[2]; ///< of its cylinder: cap side, rod side [Pa]; NULL: it has none
    const char *command;      ///< its input: a valve [V], an angle [rad]; NULL: none
    double start;             ///< its angle at t = 0 [rad]
    double area[2];           ///< of its piston, cap side and rod side [m^2]; 0: no cylinder
    double outside;           ///< force of the atmosphere on its rod [N]
    ib_LinkageModel linkage;  ///< of its cylinder, or of the one that it would have
} ib_LegJoint;

typedef struct ib_ControlLegs {
    int count;                          ///< of legs, 1 .. IB_LEG_LEGS
    const char *names[IB_LEG_LEGS];     ///< "fr"
    const char *forces[IB_LEG_LEGS];    ///< signal of the ground's force on each foot, upwards [N]
    const char *attitude[3];            ///< signals of the body's pitch, roll and heading [rad]
    ib_Pose shoulders[IB_LEG_LEGS];     ///< of each leg in the body's frame
    ib_LegModel leg_model;              ///< the same for all of them
    ib_LegJoint joints[IB_LEGS_JOINTS]; ///< alpha, beta, gamma of the first leg, of the second …
    ib_PathPoint at;                    ///< where the body is at t = 0, and its heading
    double mass;                        ///< of the body without its legs, with what it carries [kg]
    double centre[3];                   ///< of that mass, in the body's frame [m]
    double gravity;                     ///< [m/s^2]
    double foot_radius;                 ///< of a foot's round end [m]
    double supply, exhaust;             ///< of the cylinders [Pa], absolute
} ib_ControlLegs;

#endif
