// desk/plan_csv.h: a timed way as a table of text: times, angles, speeds, voltages, where the hand
// is. It is a recording like others (docs/record.md): `ironbird plot` draws it.
#ifndef IB_DESK_PLAN_CSV_H
#define IB_DESK_PLAN_CSV_H

#include "desk/plan_file.h"

// One row for each point of the way. IB_FAILED: the file cannot be written.
ib_Status ib_plan_csv_write(const ib_PlanFile *plan, const ib_PlanWay *way, const char *path,
                            ib_Error *error);

#endif
