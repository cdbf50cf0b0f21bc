// control/follow.h: keeps a base on a path, whatever moves it. docs/control/follow.md
// It adds the feed-forward of a trajectory and a time-varying linear-quadratic regulator around it,
// from odometry.
//
// Once a period, after odometry: the reference at its own time, commands within the range. The
// reference waits for a robot that has fallen behind, and speed gives way before the curve does. A
// robot that is much faster than the reference gets no more power, and one that is far off and
// comes no nearer is lost: it stops for good. At the end the robot holds still.
//
// Everything remembered is in the caller's IB_FOLLOW_STATES doubles. No measurement, however wrong,
// makes a command that is not finite or out of its range.
#ifndef IB_CONTROL_FOLLOW_H
#define IB_CONTROL_FOLLOW_H

#include "control/odometry.h"
#include "control/trajectory.h"

enum {
    IB_FOLLOW_ERRORS = 6,   ///< along, across, heading; velocities forward, left, turn
    IB_FOLLOW_GAINS = 20000 ///< most that are kept
};

typedef struct ib_FollowConfig {
    ib_TrajectoryConfig trajectory;
    double period; ///< between two ticks [s], > 0

    // Errors that weigh the same, and the command that weighs as much (Bryson's rule).
    double along, across; ///< [m], > 0
    double heading;       ///< [rad], > 0
    double speed;         ///< [m/s], > 0
    double yaw_rate;      ///< [rad/s], > 0
    double command;       ///< as part of the range, > 0

    double learning;   ///< time in which lasting errors are learnt [s], > 0; infinite: never
    double wait, stop; ///< errors from which the reference slows down and at which it waits [m]
    double rest;       ///< how near the end is near enough [m], > 0
    double count;      ///< what one count of an encoder stands for [m], >= 0; 0: none is known
    ib_OdometryConfig odometry; ///< without its period; filter 0: as long as `count` asks for
} ib_FollowConfig;

typedef struct ib_FollowModel {
    ib_FollowConfig config;
    const ib_Locomotion *base;
    ib_OdometryModel odometry;
    ib_PathPoint start;
    ib_Trajectory trajectory;
    int count;           ///< gains
    double spacing;      ///< of two gains [s]
    const double *gains; ///< each IB_AXES x IB_FOLLOW_ERRORS, row-major
} ib_FollowModel;

// The state: odometry's first.
enum {
    IB_FOLLOW_TIME = IB_ODOMETRY_STATES, ///< of the reference [s]
    IB_FOLLOW_PACE,                      ///< how fast that time passes, 0 .. 1
    IB_FOLLOW_ERROR,                     ///< IB_FOLLOW_ERRORS, as in the enum above
    IB_FOLLOW_LEARNT = IB_FOLLOW_ERROR + IB_FOLLOW_ERRORS, ///< commands for lasting errors
    IB_FOLLOW_COMMAND = IB_FOLLOW_LEARNT + IB_AXES,        ///< the last ones
    IB_FOLLOW_REFERENCE = IB_FOLLOW_COMMAND + IB_AXES,     ///< x, y, heading, speed
    IB_FOLLOW_DONE = IB_FOLLOW_REFERENCE + 4,              ///< 1: at rest at the end
    IB_FOLLOW_HELD,                                        ///< time since the end [s]
    IB_FOLLOW_CREEP,                                 ///< velocities by the rims, slowly filtered
    IB_FOLLOW_SATURATED = IB_FOLLOW_CREEP + IB_AXES, ///< 1: the last commands were cut
    IB_FOLLOW_EXPECTED,                              ///< voltage on which they counted [V], 0: none
    IB_FOLLOW_SAG,                                   ///< that over the voltage measured, filtered
    IB_FOLLOW_AWAY,  ///< distance from the reference, slowly filtered [m]
    IB_FOLLOW_STRAY, ///< how long it has been far off, no nearer [s]
    IB_FOLLOW_LOST,  ///< 1: lost, it stops for good
    IB_FOLLOW_STATES,
};

// 5 ms, and weights that keep a tank on the carpet within 3 cm.
ib_FollowConfig ib_follow_default(void);
ib_Status ib_follow_check(const ib_FollowConfig *config, ib_Error *error);

// Plans the path from rest at `start` and finds the gains. `path` may have waypoints that are
// joined; it is not kept. `base` must outlive the model;
// memory comes from `arena`.
ib_Status ib_follow_init(const ib_FollowConfig *config, const ib_PathConfig *path,
                         ib_PathPoint start, const ib_Locomotion *base, ib_Arena *arena,
                         ib_FollowModel *model, ib_Error *error);

void ib_follow_reset(const ib_FollowModel *model, double *state);

// One period, once odometry has made its step in the same state; `supply`: the voltage of which
// commands are shares [V], NaN where nobody measures it. Commands are the base's `count`.
void ib_follow_step(const ib_FollowModel *model, double supply, double *state, double *command);

// ------------------------------------------------------------------------------------------ inside

// Fills the gains (control/follow_gains.c).
ib_Status ib__follow_gains(ib_FollowModel *model, ib_Arena *arena, ib_Error *error);

#endif
