// file/planner.h: unchanged files of path planners: Choreo's .traj and PathPlanner's .path.
// Formats, versions and supported keys: docs/control/planners.md
#ifndef IB_FILE_PLANNER_H
#define IB_FILE_PLANNER_H

#include "control/path/bezier_plan.h"
#include "file/diagnostics.h"

#include <stdbool.h>

// A number in a file beyond these counts as a mistake.
#define IB_PLANNER_FARTHEST 1000.0   ///< |x| and |y| [m]
#define IB_PLANNER_FASTEST  1000.0   ///< [m/s], [m/s^2], [rad/s]
#define IB_PLANNER_WIDEST   100000.0 ///< of a heading, in the file's unit; also deg/s and deg/s^2

// Options for the data that a .path lacks. A .traj is complete.
typedef struct ib_PlannerOptions {
    ib_PlannedBase base; ///< the kind of base: its heading follows the path, or is free
    ib_PlanLimits robot; ///< the robot's limits, which apply beside the written ones; 0: unknown
} ib_PlannerOptions;

// A base that moves in any direction, with unknown limits.
ib_PlannerOptions ib_planner_default(void);

// Reads `length` bytes of text, or the file itself where `text` is NULL; the keys of the root map
// decide the format. `diagnostics` gets each mistake at its place, with the expected form, and
// warnings. False: refused. The path lives in `arena`.
bool ib_planner_read(const char *file, const char *text, size_t length,
                     const ib_PlannerOptions *options, ib_Arena *arena, ib_PlannedPath *path,
                     ib_Diagnostics *diagnostics);

#endif
