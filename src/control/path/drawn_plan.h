// control/path/drawn_plan.h: a drawn path of lines, arcs and waypoints, as a planned motion along
// it. The rules are in docs/control/routine.md, "Paths".
#ifndef IB_CONTROL_PATH_DRAWN_PLAN_H
#define IB_CONTROL_PATH_DRAWN_PLAN_H

#include "base/arena.h"
#include "control/path/bezier_plan.h"
#include "control/path/path.h"

typedef struct ib_DrawnPath {
    ib_PathConfig path; ///< its waypoints joined: ib_path_join
    ib_PathPoint start; ///< where it begins, course included
    bool along;         ///< heading along the course; otherwise 0 all the way
} ib_DrawnPath;

// The fastest motion from rest to rest within the limits, which are finite. A path with `along` is
// one for two sides. The samples come from `arena`. IB_BAD_INPUT: it takes too long.
ib_Status ib_drawn_plan(const ib_DrawnPath *drawn, const ib_PlanLimits *limits, ib_Arena *arena,
                        ib_PlannedPath *path, ib_Error *error);

#endif
