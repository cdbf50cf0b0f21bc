// control/arm/arm_rows.h: a way of an arm as rows of a table in a file: are they one way, and which
// of them is not? docs/control/arm_plan.md
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
    IB_ARM_ROW_STANDS,  ///< place equal to that of the row before
    IB_ARM_ROW_ANGLE,   ///< `theta` of `joint` is `got`; the row before and th' lead to `expected`
    IB_ARM_ROW_DIRECTION, ///< `omega` of `joint` is `got`; with th" it would be `expected`
} ib_ArmRowFault;

typedef struct ib_ArmRowVerdict {
    ib_ArmRowFault fault;
    int row, joint;       ///< from 0
    double got, expected; ///< SI
} ib_ArmRowVerdict;

// Checks that rows are one way. `tolerance` is relative to a step: an angle may be off by
// `tolerance` times the distance from the row before, a direction by `tolerance`; both also by the
// uncertainty of their last digit, if they have four behind the point or more. th" may jump from
// row to row (an arc begins); a direction must change by a value between both. The wrong one of two
// angles that do not fit is the one that makes the step unlike its neighbour. Without mistakes,
// `points` is filled.
ib_ArmRowVerdict ib_arm_path_rows(const ib_ArmRow *rows, int count, double tolerance,
                                  ib_ArmPoint *points);

#endif
