// control/arm/arm_cell.h: one cell of a path, from a point to the next: its largest exit speed for
// an entry speed, and vice versa. Used by arm_reach.c; docs/control/arm_plan.md
//
// Symbols: v0, v1 speed at both ends, u0, u1 its rate there, ds length, T time of the cell. Within
// it the rate is a straight line in time:
//   v1 - v0 = (u0 + u1) T/2,   ds = (v0 + v1) T/2 + (u0 - u1) T^2/12
#ifndef IB_CONTROL_ARM_CELL_H
#define IB_CONTROL_ARM_CELL_H

#include "control/arm/arm_limits.h"

#include <stdbool.h>

// The common data of all cells of a plan.
typedef struct ib_ArmRules {
    const ib_ArmPlant *arm;
    const ib_ArmLimits *limits;
} ib_ArmRules;

typedef struct ib_ArmCell {
    const ib_ArmRules *scene;
    const ib_ArmPoint *a, *b;
    const ib_ArmFrame *begin, *end;
    double ds;
} ib_ArmCell;

// Speeds from which all that lies behind a point can still be met.
typedef struct ib_ArmSpeeds {
    double low, high;
} ib_ArmSpeeds;

// The result of entering a cell at a speed.
typedef enum ib_ArmPassage {
    IB_ARM_PASSED,
    IB_ARM_OUTSIDE,  ///< that speed is within no limits at its begin
    IB_ARM_TOO_FAST, ///< it leaves too fast, however it brakes; `slack` was missing
    IB_ARM_TOO_SLOW, ///< it leaves too slowly, however it speeds up
    IB_ARM_LEAKS,    ///< both ends are within the limits, the middle is not; `slack` was missing
} ib_ArmPassage;

typedef struct ib_ArmMove {
    double v1, u0, u1, T;
    double slack; ///< of u0 + u1 [rad/s^2]
} ib_ArmMove;

// Further trials if the fastest way through a cell violates a limit: none, ends hardly slower than
// its begin, or all.
typedef enum ib_ArmPatience { IB_ARM_HASTY, IB_ARM_STEADY, IB_ARM_PATIENT } ib_ArmPatience;

// Enters at v0 and leaves as fast as the limits and `end` allow.
ib_ArmPassage ib__arm_cell_pass(const ib_ArmCell *cell, double v0, ib_ArmSpeeds end,
                                ib_ArmPatience patience, ib_ArmMove *move);

// The largest speed of entry from which it can brake to v1, with u0 + u1 by `slack` above the
// least; may lie outside the limits at the begin. < 0: there is none.
double ib__arm_cell_brake(const ib_ArmCell *cell, double v1, double slack);

// The largest speed at the end, entered at v0; may lie outside the limits there. < 0: none.
double ib__arm_cell_push(const ib_ArmCell *cell, double v0);

// The least speed of entry from which it can be v1 fast at the end; 0: from rest.
double ib__arm_cell_climb(const ib_ArmCell *cell, double v1);

// The largest speed up to `v` within the limits of a place; < 0: there is none.
double ib__arm_fastest_below(const ib_ArmRules *scene, const ib_ArmFrame *frame, double v);

#endif
