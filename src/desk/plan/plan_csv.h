// desk/plan/plan_csv.h: a way as a table of text, with its times or as a path alone.
#ifndef IB_DESK_PLAN_PLAN_CSV_H
#define IB_DESK_PLAN_PLAN_CSV_H

#include "desk/plan/plan_file.h"

// One row for each point of the way, both. IB_FAILED: the file cannot be written.

// Times, angles, speeds, voltages, place of the hand: a recording like others
// (docs/scenario/record.md), for `ironbird plot`.
ib_Status ib_plan_csv_write(const ib_PlanFile *plan, const ib_PlanWay *way, const char *path,
                            ib_Error *error);

// The path, for `path: {rows: FILE}`: the same points, to the last digit.
ib_Status ib_plan_rows_write(const ib_PlanWay *way, const char *path, ib_Error *error);

#endif
