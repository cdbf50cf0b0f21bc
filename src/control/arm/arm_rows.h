// control/arm/arm_rows.h: a way of an arm as rows of a table, as somebody wrote them: are they one
// way, and which of them is not? docs/control/arm_plan.md
#ifndef IB_CONTROL_ARM_ROWS_H
#define IB_CONTROL_ARM_ROWS_H

#include "control/arm/arm_path.h"

// A row as the source writes them: th1, th1', th1", th2, th2', th2".           [FRC 971, 2018]
typedef struct ib_ArmRow {
    double theta[2], omega[2], alpha[2];
} ib_ArmRow;

typedef enum ib_ArmRowFault {
    IB_ARM_ROWS_FINE,
    IB_ARM_ROWS_FEW,    ///< fewer than 2
    IB_ARM_ROW_NUMBER,  ///< not a finite number
    IB_ARM_ROW_LENGTH,  ///< |th'| is `got`, not 1
    IB_ARM_ROW_SLANTED, ///< th' and th" are not at right angles: th'.th" is `got`, not 0
    IB_ARM_ROW_STANDS,  ///< it is where the row before is
    IB_ARM_ROW_ANGLE,   ///< `theta` of `joint` is `got`; the row before and th' lead to `expected`
    IB_ARM_ROW_DIRECTION, ///< `omega` of `joint` is `got`; with th" it would be `expected`
} ib_ArmRowFault;

typedef struct ib_ArmRowVerdict {
    ib_ArmRowFault fault;
    int row, joint;       ///< from 0
    double got, expected; ///< SI
} ib_ArmRowVerdict;

// Are rows one way? `tolerance` is relative to a step: an angle may be off by `tolerance` times the
// distance from the row before, a direction by `tolerance`; both by what their last digit leaves
// open as well, where they have four behind the point or more. th" may jump from row to row (an arc
// begins); a direction must change by something between both. Of two angles that do not belong
// together that one is blamed which makes the step another one than its neighbour. If all is well,
// `points` is filled.
ib_ArmRowVerdict ib_arm_path_rows(const ib_ArmRow *rows, int count, double tolerance,
                                  ib_ArmPoint *points);

#endif
