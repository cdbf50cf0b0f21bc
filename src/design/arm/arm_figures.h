// design/arm/arm_figures.h: what a timed path of an arm asks for, and whether the plant really does
// it: peaks, limits that bind, and a run on the plant. docs/plan.md
//
// Nothing in here is taken from the planner but its path and its times: voltages come from the
// inverse dynamics at many times within every cell, and the run from the forward dynamics.
#ifndef IB_DESIGN_ARM_FIGURES_H
#define IB_DESIGN_ARM_FIGURES_H

#include "control/arm/arm_plan.h"

// What may bind.
typedef enum ib_ArmBinding {
    IB_ARM_BINDS_VOLTS1,
    IB_ARM_BINDS_VOLTS2,
    IB_ARM_BINDS_CURRENT1,
    IB_ARM_BINDS_CURRENT2,
    IB_ARM_BINDS_SPEED1,
    IB_ARM_BINDS_SPEED2,
    IB_ARM_BINDS_ACCELERATION,
    IB_ARM_BINDS_BATTERY,
    IB_ARM_BINDINGS,
} ib_ArmBinding;

extern const char *const ib_arm_binding_names[IB_ARM_BINDINGS]; ///< "volts1"

// A limit counts as binding from this part of it on.
#define IB_ARM_BINDS 0.999

// The value that is farthest from 0, with its sign, and where.
typedef struct ib_ArmPeak {
    double value;
    double s, t; ///< [rad], [s]
} ib_ArmPeak;

typedef struct ib_ArmFigures {
    double time;                ///< [s]
    ib_ArmPeak volts[2];        ///< [V]
    ib_ArmPeak current[2];      ///< of a joint's motors together [A]
    ib_ArmPeak speed[2];        ///< [rad/s]
    ib_ArmPeak acceleration[2]; ///< [rad/s^2]
    ib_ArmPeak bus;             ///< where the battery is lowest [V]; it does not sag: its voltage
    ib_ArmPeak hand;            ///< speed of the hand [m/s]
    double energy;              ///< taken from the battery, less what was given back [J]
    // Of each limit: how much of it is used at most (1: all), and which share of the time it binds.
    ib_ArmPeak part[IB_ARM_BINDINGS];
    double binds[IB_ARM_BINDINGS];
    int samples; ///< times looked at
} ib_ArmFigures;

// At `parts` times in each cell, its ends included.
void ib_arm_figures(const ib_ArmPlant *arm, const ib_ArmLimits *limits, const ib_ArmPath *path,
                    const ib_ArmTiming *timing, int parts, ib_ArmFigures *figures);

// The limit of which most is used.
ib_ArmBinding ib_arm_figures_tightest(const ib_ArmFigures *figures);

// A run of the arm's forward dynamics under the plan's voltages, and nothing else: no feedback, so
// an error anywhere in the plan shows as a way that leaves it. An arm that stands up falls over so:
// an error grows e-fold in sqrt(l/g), 0.3 s. So beside the one run there is another, which begins
// anew on the path every IB_ARM_RERUN_WHILE: what it is off by is the plan's own error.
#define IB_ARM_RERUN_WHILE 0.1  ///< [s]
#define IB_ARM_RERUN_DRIFT 1e-3 ///< most of a plan that is true [rad]: an encoder's noise
#define IB_ARM_RERUN_LOST  0.1  ///< so far from the path the one run ends [rad]
typedef struct ib_ArmRerun {
    double off[2];    ///< farthest from the planned angle of a joint [rad]
    double missed[2]; ///< where it ended [rad]
    double volts[2];  ///< largest that was applied, either way [V]
    int steps;        ///< of the one run
    double ran;       ///< how long it was [s]: less than the plan, it was lost or too long
    ib_ArmPeak drift; ///< of the other run, farthest from the path [rad]
    double th[2];     ///< where on the path that was [rad]
} ib_ArmRerun;

// By Runge and Kutta's method in `parts` steps for each cell, more where they would be longer than
// 10 ms. Without `one` there is the other run alone: only the drift and the volts are told.
void ib_arm_rerun(const ib_ArmPlant *arm, const ib_ArmPath *path, const ib_ArmTiming *timing,
                  int parts, bool one, ib_ArmRerun *rerun);

#endif
