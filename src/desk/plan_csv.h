// desk/plan_csv.h: a way as a table of text, with its times or as a path alone.
#ifndef IB_DESK_PLAN_CSV_H
#define IB_DESK_PLAN_CSV_H

#include "desk/plan_file.h"

// One row for each point of the way, both. IB_FAILED: the file cannot be written.

// Times, angles, speeds, voltages, where the hand is: a recording like others (docs/record.md),
// `ironbird plot` draws it.
ib_Status ib_plan_csv_write(const ib_PlanFile *plan, const ib_PlanWay *way, const char *path,
                            ib_Error *error);

// The path, as `path: {rows: FILE}` reads it: the same points, to the last digit.
ib_Status ib_plan_rows_write(const ib_PlanWay *way, const char *path, ib_Error *error);

#endif
