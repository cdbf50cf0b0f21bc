// control/path/trajectory_inside.h: declarations shared by the files of the trajectory.
#ifndef IB_CONTROL_PATH_TRAJECTORY_INSIDE_H
#define IB_CONTROL_PATH_TRAJECTORY_INSIDE_H

#include "control/path/trajectory.h"

// The length over which jumps of curvature are spread, where none is asked for [m].
double ib__trajectory_blend(const ib_PathConfig *path);

// Fills place, course and curvature of `count` rows, `spacing` [m] apart along the path. Its jumps
// of curvature are spread over `blend` [m].
void ib__trajectory_shape(const ib_PathConfig *path, ib_PathPoint start, double blend, int count,
                          double spacing, ib_TrajectoryRow *rows);

#endif
