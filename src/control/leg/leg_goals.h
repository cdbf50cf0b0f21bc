// control/leg/leg_goals.h: joint angles from the goals of legs: a body that stands, feet at places,
// angles, or a foot that walks along a path. docs/control/legs.md
//
// Feet stay on the ground below a body that moves by p and turns by R from where it starts:
//   foot = R^T (foot_0 - p)             in the body's frame, foot_0 at the start
// The path of a foot begins `start` seconds into the run; until then the foot goes from its present
// place to the rear end, by S(u) = 10 u^3 - 15 u^4 + 6 u^5.
#ifndef IB_CONTROL_LEG_GOALS_H
#define IB_CONTROL_LEG_GOALS_H

#include "control/leg/foot_path.h"
#include "control/leg/legs.h"

typedef enum ib_LegsMode {
    IB_LEGS_STAND,  ///< goals are height, place and attitude of the body
    IB_LEGS_ANGLES, ///< goals are angles
    IB_LEGS_FEET,   ///< goals are places of the feet
    IB_LEGS_PATH,   ///< a foot drives its path, the other legs stay as they start
} ib_LegsMode;

typedef enum ib_FeetFrame { IB_FEET_IN_BODY, IB_FEET_IN_SHOULDER } ib_FeetFrame;

// The goals of a body that stands, in this order.
enum {
    IB_STAND_HEIGHT, ///< of the body above its feet's centres [m]
    IB_STAND_FORWARD,
    IB_STAND_LEFT, ///< from where it starts [m]
    IB_STAND_PITCH,
    IB_STAND_ROLL, ///< [rad]
    IB_STAND_GOALS,
};

typedef struct ib_LegGoalsConfig {
    int mode;                    ///< ib_LegsMode
    int frame;                   ///< ib_FeetFrame
    int leg;                     ///< number of the leg that drives the path
    double start;                ///< of the path [s], >= 0
    double length, height, duty; ///< as in ib_FootPathConfig; its centre is where the foot starts
    double slow, medium, fast;   ///< periods of the cycles [s]; 0: none of these
    int cycles;                  ///< of each
} ib_LegGoalsConfig;

typedef struct ib_LegGoals {
    int mode, frame, leg;
    int count; ///< of legs
    ib_LegModel leg_model;
    ib_Pose shoulders[IB_LEG_LEGS];
    double angles[IB_LEG_LEGS][IB_LEG_JOINTS]; ///< at the start [rad]
    double feet[IB_LEG_LEGS][3];               ///< at the start, in the body's frame [m]
    double below;                              ///< their mean depth below the body [m]
    double start;
    ib_FootPath path; ///< in the shoulder's frame
    double from[3];   ///< where its foot starts, in the shoulder's frame
} ib_LegGoals;

// An error begins with the key at fault.
ib_Status ib_leg_goals_init(const ib_LegGoalsConfig *config, const ib_ControlLegs *legs,
                            ib_LegGoals *goals, ib_Error *error);

// Number of goals: commands, in the order of the legs.
int ib_leg_goals_count(const ib_LegGoals *goals);

// The angles of one leg for these goals at time t [s]. False: they are out of reach; each joint is
// then as near as its range lets it to where the leg would point.
bool ib_leg_goals_at(const ib_LegGoals *goals, const double *command, double t, int leg,
                     double angle[IB_LEG_JOINTS]);

// Number of cycles of the path begun by the time t [s].
int ib_leg_goals_cycle(const ib_LegGoals *goals, double t);

#endif
