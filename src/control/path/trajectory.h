// control/path/trajectory.h: a drawn path as the fastest motion that limits and drive allow.
// The derivation is in docs/control/trajectory.md.
//
// Jumps of curvature are blended, the speed is lowered where curve, tyres, motors or battery ask
// for it, and the robot ends at rest. Planned once, then evaluated by time.
#ifndef IB_CONTROL_PATH_TRAJECTORY_H
#define IB_CONTROL_PATH_TRAJECTORY_H

#include "base/arena.h"
#include "control/driving/locomotion.h"
#include "control/path/path.h"

enum { IB_TRAJECTORY_ROWS = 20000, IB_SLOWDOWNS = 16 };

typedef struct ib_TrajectoryConfig {
    double speed;        ///< wanted [m/s], > 0; infinite: as fast as it can
    double acceleration; ///< most while getting faster [m/s^2], > 0
    double deceleration; ///< most while getting slower [m/s^2], > 0
    double sideways;     ///< most acceleration across the path [m/s^2], > 0
    double drift;        ///< largest angle between course and heading [rad], 0 .. 1
    double reserve;      ///< part of the drive's limits that is left to the control, 0 .. 0.9
    double blend;        ///< over which a jump of curvature is spread [m]; 0: as the jump asks for
} ib_TrajectoryConfig;

// The motion at one instant.
typedef struct ib_TrajectoryPoint {
    double s;            ///< along the path [m]
    double x, y;         ///< [m]
    double course;       ///< direction of travel [rad], continuous
    double curvature;    ///< of the path [1/m]
    double speed;        ///< along the path [m/s]
    double acceleration; ///< along the path [m/s^2]
    double drift;        ///< course less heading [rad]
    double heading;      ///< [rad]
    double forward;      ///< velocity along the heading [m/s]
    double faster;       ///< rate of that [m/s^2]
    double drifting;     ///< rate of the velocity across the heading [m/s^2]
    double yaw_rate;     ///< of the heading [rad/s]
    double yaw_quicker;  ///< [rad/s^2]
} ib_TrajectoryPoint;

// A row; the acceleration is constant up to the next one.
typedef struct ib_TrajectoryRow {
    double t;             ///< [s]
    double s, x, y;       ///< [m]
    double course;        ///< [rad]
    double curvature;     ///< [1/m]
    double speed;         ///< [m/s]
    double drift;         ///< course less heading [rad]
    double bend, bending; ///< d heading/ds [1/m] and its slope [1/m^2]
} ib_TrajectoryRow;

// A stretch slower than wanted.
typedef struct ib_Slowdown {
    double s, speed; ///< the slowest place [m], [m/s]
    const char *by;  ///< "the motors", "sideways acceleration" …
    double from, to; ///< rows about as slow [m]
    bool asked;      ///< limited by the requested acceleration
} ib_Slowdown;

typedef struct ib_Trajectory {
    int count;
    const ib_TrajectoryRow *rows; ///< equally spaced along the path
    double spacing;               ///< of two rows [m]
    double length, duration;      ///< [m], [s]
    double blend;                 ///< used [m]
    ib_Slowdown top;              ///< the fastest place, and its limit; by is NULL if the wanted
                                  ///< speed is reached
    int slow_count;               ///< valleys of the possible speed, the first ones
    ib_Slowdown slow[IB_SLOWDOWNS];
} ib_Trajectory;

// 1 m/s, 1.5 m/s^2 both ways, 1 m/s^2 sideways, 10 deg of drift, 15 % of reserve.
ib_TrajectoryConfig ib_trajectory_default(void);
ib_Status ib_trajectory_check(const ib_TrajectoryConfig *config, ib_Error *error);

// Plans the path (joined, if it has waypoints: ib_path_join) from rest at `start` to rest at its
// end. The rows come from `arena`. IB_BAD_INPUT: it cannot be driven, and where.
ib_Status ib_trajectory_init(const ib_TrajectoryConfig *config, const ib_PathConfig *path,
                             ib_PathPoint start, const ib_Locomotion *base, ib_Arena *arena,
                             ib_Trajectory *trajectory, ib_Error *error);

// The motion at time t [s]: before the start at the start, behind the end at the end, at rest.
ib_TrajectoryPoint ib_trajectory_at(const ib_Trajectory *trajectory, double t);

// The time at which it is nearest to (x, y), within `reach` [m] along the path before or behind its
// point at time t.
double ib_trajectory_nearest(const ib_Trajectory *trajectory, double t, double reach, double x,
                             double y);

// "slowed to 2.1 m/s from 3.2 m to 4 m: the motors". At most `size` letters with the closing NUL.
void ib_trajectory_say(const ib_Slowdown *slow, char *text, size_t size);

#endif
