// desk/plan_shelf.h: plans that were worked out, kept for all who name them: to search for a path
// takes a second, and the runs of a sweep all name the same plan. docs/plan.md
#ifndef IB_DESK_PLAN_SHELF_H
#define IB_DESK_PLAN_SHELF_H

#include "control/arm/arm_track.h"
#include "file/reader.h"

typedef struct ib_PlanShelf ib_PlanShelf;

// NULL: out of memory.
ib_PlanShelf *ib_plan_shelf_create(void);
void ib_plan_shelf_destroy(ib_PlanShelf *shelf);

// The plan of a file, in the reader's arena; the reader notes its files and warnings. It is worked
// out where it is not on the shelf yet, and where one of its files holds something else by now;
// without a shelf (NULL) every time. Without `ways` it has none of them, and is there at once. On
// mistakes NULL, with all of them in the reader's diagnostics, or with one in `error`. Threads may
// ask at the same time: they wait for each other.
const ib_ArmPlan *ib_plan_shelf_take(ib_PlanShelf *shelf, ib_Reader *reader, const char *path,
                                     bool ways, ib_Error *error);

// How many plans it has worked out so far.
int ib_plan_shelf_count(ib_PlanShelf *shelf);

#endif
