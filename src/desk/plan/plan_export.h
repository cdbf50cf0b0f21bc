// desk/plan/plan_export.h: a plan as files for a microcontroller.
#ifndef IB_DESK_PLAN_PLAN_EXPORT_H
#define IB_DESK_PLAN_PLAN_EXPORT_H

#include "desk/plan/plan_file.h"

// Writes <name>.h, <name>.c and <name>_test.c (design/export/export_arm_table.h), and the same of
// <name>_follow (design/export/export_arm.h), into `folder`, which is created if missing. Files
// that this program did not write are left alone (IB_BAD_INPUT), unless `force`.
ib_Status ib_plan_export(const ib_PlanFile *plan, const char *folder, bool force, ib_Error *error);

#endif
