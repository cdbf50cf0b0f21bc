// control/path/follow.h: keeps any base on a path. docs/control/follow.md The reference is a
// trajectory with a time of its own, the law that of control/path/tracking.h.
//
// Order of a period, after odometry: the reference at its own time, commands within the range. The
// reference waits for a robot that has fallen behind, and speed is reduced before the curve is
// left. A robot that is far off and comes no nearer is lost: it stops for good. At the end it
// holds still.
//
// Everything remembered is in the caller's IB_FOLLOW_STATES doubles. No measurement, however wrong,
// makes a command that is not finite or out of its range.
#ifndef IB_CONTROL_PATH_FOLLOW_H
#define IB_CONTROL_PATH_FOLLOW_H

#include "control/odometry/odometry.h"
#include "control/path/tracking.h"
#include "control/path/trajectory.h"

typedef struct ib_FollowConfig {
    ib_TrajectoryConfig trajectory;
    double period;     ///< between two ticks [s], > 0
    double wait, stop; ///< errors from which the reference slows down and at which it waits [m]
    double rest;       ///< tolerance of the end [m], > 0
    double count;      ///< length of one encoder count [m], >= 0; 0: unknown
    ib_OdometryConfig odometry; ///< without its period; filter 0: as long as `count` asks for
} ib_FollowConfig;

typedef struct ib_FollowModel {
    ib_FollowConfig config;
    const ib_Locomotion *base;
    ib_OdometryModel odometry;
    ib_PathPoint start;
    ib_Trajectory trajectory;
} ib_FollowModel;

// The state: odometry's first.
enum {
    IB_FOLLOW_TIME = IB_ODOMETRY_STATES,        ///< of the reference [s]
    IB_FOLLOW_PACE,                             ///< rate of that time, 0 .. 1
    IB_FOLLOW_ERROR,                            ///< robot less reference: along, across, heading
    IB_FOLLOW_LEARNT = IB_FOLLOW_ERROR + 3,     ///< velocities for lasting errors, forward and left
    IB_FOLLOW_REFERENCE = IB_FOLLOW_LEARNT + 2, ///< x, y, heading, speed
    IB_FOLLOW_DONE = IB_FOLLOW_REFERENCE + 4,   ///< 1: at rest at the end
    IB_FOLLOW_HELD,                             ///< time since the end [s]
    IB_FOLLOW_CREEP,                            ///< velocities, slowly filtered: forward, left
    IB_FOLLOW_SATURATED = IB_FOLLOW_CREEP + 2,  ///< 1: the last commands were cut
    IB_FOLLOW_EXPECTED,                         ///< voltage on which they counted [V], 0: none
    IB_FOLLOW_SAG,                              ///< that over the voltage measured, filtered
    IB_FOLLOW_AWAY,  ///< distance from the reference, slowly filtered [m]
    IB_FOLLOW_STRAY, ///< time far off without approach [s]
    IB_FOLLOW_LOST,  ///< 1: lost, it stops for good
    IB_FOLLOW_STATES,
};

// 5 ms; it waits from 5 cm on, and rests within 5 mm.
ib_FollowConfig ib_follow_default(void);
ib_Status ib_follow_check(const ib_FollowConfig *config, ib_Error *error);

// Plans the path from rest at `start`. `path` may have waypoints that are joined; the call does not
// keep it. `base` must outlive the model; memory comes from `arena`.
ib_Status ib_follow_init(const ib_FollowConfig *config, const ib_PathConfig *path,
                         ib_PathPoint start, const ib_Locomotion *base, ib_Arena *arena,
                         ib_FollowModel *model, ib_Error *error);

void ib_follow_reset(const ib_FollowModel *model, double *state);

// One period, once odometry has made its step in the same state; `supply`: the voltage of which
// commands are shares [V], NaN: not measured. Commands are the base's `count`.
void ib_follow_step(const ib_FollowModel *model, double supply, double *state, double *command);

#endif
