// design/arm/arm_figures.h: the demands of an arm's timed path, and its check on the plant: peaks,
// binding limits, and a run. docs/design/plan.md
//
// Only the path and its times come from the planner: voltages come from the inverse dynamics at
// many times within every cell, and the run from the forward dynamics.
#ifndef IB_DESIGN_ARM_FIGURES_H
#define IB_DESIGN_ARM_FIGURES_H

#include "control/arm/arm_plan.h"

// The limits that may bind.
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

// A limit binds from this used part on.
#define IB_ARM_BINDS 0.999

// The value farthest from 0, with its sign, and its place.
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
    ib_ArmPeak bus;             ///< lowest battery voltage [V]; without sag: its voltage
    ib_ArmPeak hand;            ///< speed of the hand [m/s]
    double energy;              ///< net energy from the battery [J]
    // For each limit: its largest used part (1: all), and the share of the time for which it binds.
    ib_ArmPeak part[IB_ARM_BINDINGS];
    double binds[IB_ARM_BINDINGS];
    int samples; ///< instants evaluated
} ib_ArmFigures;

// The figures from `parts` instants in each cell, its ends included.
void ib_arm_figures(const ib_ArmPlant *arm, const ib_ArmLimits *limits, const ib_ArmPath *path,
                    const ib_ArmTiming *timing, int parts, ib_ArmFigures *figures);

// The limit with the largest used part.
ib_ArmBinding ib_arm_figures_tightest(const ib_ArmFigures *figures);

// A run of the arm's forward dynamics under the plan's voltages alone: without feedback any error
// in the plan shows as a deviation. An arm that stands up is unstable: an error grows e-fold in
// sqrt(l/g), 0.3 s. Therefore a second run restarts on the path every IB_ARM_RERUN_WHILE: its
// deviation is the plan's own error.
#define IB_ARM_RERUN_WHILE 0.1  ///< [s]
#define IB_ARM_RERUN_DRIFT 1e-3 ///< largest drift of a correct plan [rad]: an encoder's noise
#define IB_ARM_RERUN_LOST  0.1  ///< distance from the path at which the one run ends [rad]
typedef struct ib_ArmRerun {
    double off[2];    ///< farthest from the planned angle of a joint [rad]
    double missed[2]; ///< error at the end [rad]
    double volts[2];  ///< largest applied, either way [V]
    int steps;        ///< of the one run
    double ran;       ///< its length [s]: less than the plan if lost or too long
    ib_ArmPeak drift; ///< of the second run, farthest from the path [rad]
    double th[2];     ///< its place on the path [rad]
} ib_ArmRerun;

// The reruns by Runge and Kutta's method in `parts` steps for each cell, more if they would be
// longer than 10 ms. Without `one` only the second run is made: only the drift and the volts
// are set.
void ib_arm_rerun(const ib_ArmPlant *arm, const ib_ArmPath *path, const ib_ArmTiming *timing,
                  int parts, bool one, ib_ArmRerun *rerun);

#endif
