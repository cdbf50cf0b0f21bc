// study/sweep/sweep_options.h: the options of a sweep, as they are written:
//
//   --over robot.mass=2 kg,3 kg       a list, with commas inside of brackets and quotes
//   --over robot.drive.reduction=4..14 by 0.5
//   --over robot.lift.current_limit=20 A..60 A by 10 A
//   --seeds 0..49
//   --measure first pose.x > 8 m
//   --best largest min battery.voltage
#ifndef IB_STUDY_SWEEP_SWEEP_OPTIONS_H
#define IB_STUDY_SWEEP_SWEEP_OPTIONS_H

#include "study/sweep/sweep.h"

enum { IB_SWEEP_MOST_VALUES = 100000, IB_SWEEP_RANGE = 3 }; ///< of a range; numbers in its text

// One axis; `add` refuses a path that is there already.
ib_Status ib_sweep_axis_read(const char *text, ib_Arena *arena, ib_SweepAxis *axis,
                             ib_Error *error);
ib_Status ib_sweep_axis_add(ib_SweepPlan *plan, const char *text, ib_Arena *arena, ib_Error *error);

// The numbers of a range, 2 ends, or 3 with a step, from its parts, which are cut behind them. All
// have one unit. `written` is the whole.
ib_Status ib_sweep_range_read(char *part[], int count, const char *written, double number[],
                              const char **unit, ib_Error *error);

// "41.5 A", as it is written into a run; NULL: no memory.
const char *ib_sweep_number_text(double number, const char *unit, ib_Arena *arena);

ib_Status ib_sweep_seeds_read(const char *text, ib_SweepPlan *plan, ib_Error *error);
ib_Status ib_sweep_measure_add(ib_SweepPlan *plan, const char *text, ib_Error *error);

// The measure of --best: its number among those of the plan, which gets it if it has it not.
ib_Status ib_sweep_best_read(const char *text, ib_SweepPlan *plan, int *measure, bool *largest,
                             ib_Error *error);

#endif
