// control/wheel_odometry.h: where a robot is, from what any number of wheels have rolled, by least
// squares, and how fast it turns. The derivation is in docs/control/odometry.md, "Any wheels".
//
// Of each rim a row says what it rolls when the robot moves. Once a period the motion is found that
// the rims agree on best; what they do not agree on is the residual, in which slip shows. Two sides
// that slip while they turn are control/odometry.h, which knows their floor.
//
// Everything remembered is in the caller's IB_WHEEL_ODOMETRY_STATES doubles. A measurement that is
// no number, or none that can be believed, counts as missed: the motion is found from the other
// rims; where these are too few, the rim is taken to roll on as it did. A way that comes back makes
// up for what was missed.
#ifndef IB_CONTROL_WHEEL_ODOMETRY_H
#define IB_CONTROL_WHEEL_ODOMETRY_H

#include "base/status.h"
#include "control/heading.h"
#include "control/odometry.h"

enum { IB_WHEEL_ODOMETRY_RIMS = 16 }; ///< at most

// What a rim rolls: forward * (way ahead) + left * (way to the left) + turn * (turn to the left).
typedef struct ib_WheelRow {
    double forward, left; ///< [1]
    double turn;          ///< [m/rad]
} ib_WheelRow;

typedef struct ib_WheelOdometryConfig {
    double period; ///< between two ticks [s], > 0
    int count;     ///< of rims, 1 .. IB_WHEEL_ODOMETRY_RIMS
    ib_WheelRow rows[IB_WHEEL_ODOMETRY_RIMS];
    int hold_count;       ///< 0 .. 3
    ib_WheelRow holds[3]; ///< ways that wheels without rollers do not let it go: where the rims do
                          ///< not tell a motion, it is the one for which these are none
    double filter;        ///< time constant of the velocities shown [s], >= 0
    double calm;          ///< time constant in which a measured heading is believed [s], >= 0
    bool speeds;          ///< the rims are measured as speeds [m/s], not as ways [m]
    ib_OdometryGyro gyro; ///< what measures the turn; IB_ODOMETRY_BY_SIDES: the rims themselves
    double settle; ///< the robot stands so long at first, and the gyro's mean over that time is its
                   ///< bias [s], >= 0; only for a yaw rate
} ib_WheelOdometryConfig;

// Immutable, shared by threads.
typedef struct ib_WheelOdometryModel {
    ib_WheelOdometryConfig config;
    int unknowns;        ///< of a motion: forward, left and, without a gyro, turn
    int untold;          ///< of these, ways that only what wheels hold tells of,
    ib_WheelRow held[3]; ///< by rows that are 0
    double reach;        ///< of the rim that a turn moves most [m/rad]; 1: none is moved
} ib_WheelOdometryModel;

// The state. It begins with pose and velocities, for everybody to read, which are those of
// control/odometry.h: IB_ODOMETRY_X to IB_ODOMETRY_YAW_RATE.
enum {
    IB_WHEEL_ODOMETRY_RESIDUAL = IB_ODOMETRY_YAW_RATE + 1, ///< root of the mean square of what the
                                                           ///< rims do not agree on [m/s]
    IB_WHEEL_ODOMETRY_RISE, ///< how fast the three velocities change [m/s^2, rad/s^2]
    IB_WHEEL_ODOMETRY_GYRO = IB_WHEEL_ODOMETRY_RISE + 3, ///< of a yaw rate: an ib_heading's;
                                                         ///< else the heading measured last [rad]
    IB_WHEEL_ODOMETRY_COUNT = IB_WHEEL_ODOMETRY_GYRO + IB_HEADING_STATES, ///< ticks so far
    IB_WHEEL_ODOMETRY_ROLLED, ///< what has been summed up of each rim [m]
    IB_WHEEL_ODOMETRY_SPEED = IB_WHEEL_ODOMETRY_ROLLED + IB_WHEEL_ODOMETRY_RIMS, ///< last [m/s]
    IB_WHEEL_ODOMETRY_STATES = IB_WHEEL_ODOMETRY_SPEED + IB_WHEEL_ODOMETRY_RIMS,
};

// Derives the model. Rims from which a motion cannot be found, nor from what is held, are refused,
// and the motion is named.
ib_Status ib_wheel_odometry_init(const ib_WheelOdometryConfig *config, ib_WheelOdometryModel *model,
                                 ib_Error *error);

// At rest at this pose.
void ib_wheel_odometry_reset(double x, double y, double heading, double *state);

// One period. The first call only notes where the measurements begin. `rim`: each rim's way or
// speed; `yaw`: as `gyro` says, not used without one. `sum`: of each rim's speed, then of a yaw
// rate, what samples of another period add up to since the last call [m, rad]; NaN, or NULL for all
// of them: nobody adds them up.
void ib_wheel_odometry_step(const ib_WheelOdometryModel *model, const double *rim, double yaw,
                            const double *sum, double *state);

// Is it still finding the gyro's bias?
bool ib_wheel_odometry_settles(const ib_WheelOdometryModel *model, const double *state);

#endif
