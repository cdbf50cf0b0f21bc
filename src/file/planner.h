// file/planner.h: files of path planners, as they are: Choreo's .traj and PathPlanner's .path.
// Formats, versions, what is read and what is not: docs/planners.md
#ifndef IB_FILE_PLANNER_H
#define IB_FILE_PLANNER_H

#include "control/bezier_plan.h"
#include "file/diagnostics.h"

#include <stdbool.h>

// Beyond these a number in a file is taken for a mistake.
#define IB_PLANNER_FARTHEST 1000.0   ///< |x| and |y| [m]
#define IB_PLANNER_FASTEST  1000.0   ///< [m/s], [m/s^2], [rad/s]
#define IB_PLANNER_WIDEST   100000.0 ///< of a heading, in the file's unit; also deg/s and deg/s^2

// What a .path leaves open. A .traj says all that is needed.
typedef struct ib_PlannerOptions {
    ib_PlannedBase base; ///< which one drives it: its heading follows the path, or is free
    ib_PlanLimits robot; ///< what the robot can do, which counts beside what is written; 0: unknown
} ib_PlannerOptions;

// A base that goes in any direction, of which nothing else is known.
ib_PlannerOptions ib_planner_default(void);

// Reads `length` bytes of text, or the file itself where `text` is NULL; what the map at its root
// has decides whose file it is. What is wrong is in `diagnostics`, each mistake at its place, with
// what was expected; so are warnings. False: it was refused. The path lives in `arena`.
bool ib_planner_read(const char *file, const char *text, size_t length,
                     const ib_PlannerOptions *options, ib_Arena *arena, ib_PlannedPath *path,
                     ib_Diagnostics *diagnostics);

#endif
