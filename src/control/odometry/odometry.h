// control/odometry/odometry.h: where a robot is, from what its wheels have rolled, by least
// squares, and how fast it turns. The derivation is in docs/control/odometry.md.
//
// Of each rim a row says what it rolls when the robot moves; one that a module turns has two, as if
// it looked ahead and to the left. Once a period the motion is found that the rims agree on best;
// what they do not agree on is the residual, in which slip shows. Where a base knows how its sides
// slip, that is taken off. The motion of a period is an arc, summed up exactly.
//
// Everything remembered is in the caller's IB_ODOMETRY_STATES doubles. A measurement that is no
// number, or none that can be believed, counts as missed: the motion is found from the other rims;
// where these are too few, the rim is taken to roll on as it did. A way that comes back makes up
// for what was missed.
#ifndef IB_CONTROL_ODOMETRY_ODOMETRY_H
#define IB_CONTROL_ODOMETRY_ODOMETRY_H

#include "control/driving/heading.h"
#include "control/path/tracking.h"

enum { IB_ODOMETRY_ROWS = 16 }; ///< at most

// What a rim rolls: forward * (way ahead) + left * (way to the left) + turn * (turn to the left).
typedef struct ib_WheelRow {
    double forward, left; ///< [1]
    double turn;          ///< [m/rad]
} ib_WheelRow;

typedef enum ib_OdometryGyro {
    IB_ODOMETRY_BY_RIMS,    ///< the turn is what the rims tell
    IB_ODOMETRY_BY_RATE,    ///< yaw rate [rad/s]
    IB_ODOMETRY_BY_HEADING, ///< heading [rad], continuous, from any zero
} ib_OdometryGyro;

typedef struct ib_OdometryConfig {
    double period; ///< between two ticks [s], > 0
    int count;     ///< of rims, 1 .. IB_ODOMETRY_ROWS, half of that where modules turn them
    bool angled;   ///< modules turn the rims: their angles are measured behind them [rad]
    ib_WheelRow rows[IB_ODOMETRY_ROWS]; ///< of each rim; of one that is angled ahead, to the left
    int hold_count;                     ///< 0 .. 3
    ib_WheelRow holds[3];      ///< ways that wheels without rollers do not let it go: where the
                               ///< rims do not tell a motion, it is the one for which these are 0
    double filter;             ///< time constant of the velocities shown [s], >= 0
    double calm;               ///< time constant in which a measured heading is believed [s], >= 0
    bool speeds;               ///< the rims are measured as speeds [m/s], not as ways [m]
    ib_OdometryGyro gyro;      ///< what measures the turn
    double settle;             ///< the robot stands so long at first, and the gyro's mean over that
                               ///< time is its bias [s], >= 0; only for a yaw rate
    const ib_Locomotion *base; ///< whose two sides slip as it knows; NULL: it moves as they roll
} ib_OdometryConfig;

// Immutable, shared by threads.
typedef struct ib_OdometryModel {
    ib_OdometryConfig config;
    int unknowns;        ///< of a motion: forward, left and, without a gyro, turn
    int untold;          ///< of these, ways that only what wheels hold tells of,
    ib_WheelRow held[3]; ///< by rows that are 0
    double reach;        ///< of the rim that a turn moves most [m/rad]; 1: none is moved
} ib_OdometryModel;

// The state. Pose and velocities are for everybody to read.
enum {
    IB_ODOMETRY_X,        ///< field frame [m]
    IB_ODOMETRY_Y,        ///< the same [m]
    IB_ODOMETRY_HEADING,  ///< heading, continuous [rad]
    IB_ODOMETRY_FORWARD,  ///< velocity of the origin, filtered [m/s]
    IB_ODOMETRY_LEFT,     ///< the same, to the left [m/s]
    IB_ODOMETRY_YAW_RATE, ///< [rad/s]
    IB_ODOMETRY_RESIDUAL, ///< root of the mean square of what the rims do not agree on [m/s]
    IB_ODOMETRY_ROLLING,  ///< velocities by the rims alone, filtered: as IB_AXES
    IB_ODOMETRY_RISE = IB_ODOMETRY_ROLLING + IB_AXES, ///< how fast these change
    IB_ODOMETRY_SLIDE = IB_ODOMETRY_RISE + IB_AXES, ///< velocity by `slide`, forward and left [m/s]
    IB_ODOMETRY_SCRUB = IB_ODOMETRY_SLIDE + 2, ///< difference of the sides beyond the turn [m/s]
    IB_ODOMETRY_BEHIND,                        ///< how far it falls behind its sides' mean [m/s]
    IB_ODOMETRY_GYRO, ///< of a yaw rate: an ib_heading's; else the heading measured last [rad]
    IB_ODOMETRY_COUNT = IB_ODOMETRY_GYRO + IB_HEADING_STATES, ///< ticks so far
    IB_ODOMETRY_ROLLED, ///< what has been summed up of each rim [m]; behind them the last angles
    IB_ODOMETRY_SPEED = IB_ODOMETRY_ROLLED + IB_ODOMETRY_ROWS, ///< last [m/s]
    IB_ODOMETRY_STATES = IB_ODOMETRY_SPEED + IB_ODOMETRY_ROWS,
};

// Derives the model. Rims from which a motion cannot be found, nor from what is held, are refused,
// and the motion is named.
ib_Status ib_odometry_init(const ib_OdometryConfig *config, ib_OdometryModel *model,
                           ib_Error *error);

// At rest at this pose.
void ib_odometry_reset(double x, double y, double heading, double *state);

// One period. The first call only notes where the measurements begin. `rim`: each rim's way or
// speed, then the angles of their modules; `yaw`: as `gyro` says, not used without one. `sum`: of
// each rim's speed, then of a yaw rate, what samples of another period add up to since the last
// call [m, rad]; NaN, or NULL for all of them: nobody adds them up.
void ib_odometry_step(const ib_OdometryModel *model, const double *rim, double yaw,
                      const double *sum, double *state);

// Where it takes the base to be.
ib_BasePose ib_odometry_pose(const double *state);

// Is it still finding the gyro's bias?
bool ib_odometry_settles(const ib_OdometryModel *model, const double *state);

// Moves a pose (x, y, heading) on by an arc: ahead and aside [m] in its own turning frame, turned
// by phi [rad].
void ib_odometry_advance(double ahead, double aside, double phi, double pose[3]);

#endif
