// study/sweep_axis.h: the values of one axis of a sweep, as they are written:
//
//   robot.mass=2 kg,3 kg              a list, with commas inside of brackets and quotes
//   robot.drive.reduction=4..14 by 0.5
//   robot.lift.current_limit=20 A..60 A by 10 A
#ifndef IB_STUDY_SWEEP_AXIS_H
#define IB_STUDY_SWEEP_AXIS_H

#include "study/sweep.h"

enum { IB_SWEEP_MOST_VALUES = 100000 }; ///< of a range

ib_Status ib_sweep_axis_read(const char *text, ib_Arena *arena, ib_SweepAxis *axis,
                             ib_Error *error);

#endif
