// desk/plan/plan_json.h: the JSON output of `ironbird plan`. docs/commands.md
#ifndef IB_DESK_PLAN_PLAN_JSON_H
#define IB_DESK_PLAN_PLAN_JSON_H

#include "desk/plan/plan_file.h"

#include <stdio.h>

void ib_plan_json_write(const ib_PlanFile *plan, FILE *file);

#endif
