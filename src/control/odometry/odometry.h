// control/odometry/odometry.h: pose and velocity of a robot from the roll of its wheels, by least
// squares. The derivation is in docs/control/odometry.md.
//
// Each rim has a row with its roll by the robot's motion; one turned by a module has two, ahead and
// to the left. Once a period the motion of least deviation from the rims is found; the deviation is
// the residual, in which slip shows. The slip is subtracted if the base has a law of it. The motion
// of a period is an arc, integrated exactly.
//
// The state is in the caller's IB_ODOMETRY_STATES doubles. A measurement that is no plausible
// number counts as missed: the motion is found from the other rims; if these are too few, the rim
// is assumed to roll on as before. A later measured way corrects the missed part.
#ifndef IB_CONTROL_ODOMETRY_ODOMETRY_H
#define IB_CONTROL_ODOMETRY_ODOMETRY_H

#include "control/driving/heading.h"
#include "control/path/tracking.h"

enum { IB_ODOMETRY_ROWS = 16 }; ///< at most

// Roll of a rim: forward * (way ahead) + left * (way to the left) + turn * (turn to the left).
typedef struct ib_WheelRow {
    double forward, left; ///< [1]
    double turn;          ///< [m/rad]
} ib_WheelRow;

typedef enum ib_OdometryGyro {
    IB_ODOMETRY_BY_RIMS,    ///< the turn is that of the rims
    IB_ODOMETRY_BY_RATE,    ///< yaw rate [rad/s]
    IB_ODOMETRY_BY_HEADING, ///< heading [rad], continuous, from any zero
} ib_OdometryGyro;

typedef struct ib_OdometryConfig {
    double period; ///< between two ticks [s], > 0
    int count;     ///< of rims, 1 .. IB_ODOMETRY_ROWS, half of that where modules turn them
    bool angled;   ///< modules turn the rims: their angles are measured behind them [rad]
    ib_WheelRow rows[IB_ODOMETRY_ROWS]; ///< of each rim; of one that is angled ahead, to the left
    int hold_count;                     ///< 0 .. 3
    ib_WheelRow holds[3];      ///< directions blocked by wheels without rollers: a motion not
                               ///< determined by the rims is the one for which these are 0
    double filter;             ///< time constant of the velocities shown [s], >= 0
    double calm;               ///< time constant in which a measured heading is believed [s], >= 0
    bool speeds;               ///< the rims are measured as speeds [m/s], not as ways [m]
    ib_OdometryGyro gyro;      ///< the sensor of the turn
    double settle;             ///< the robot stands so long at first, and the gyro's mean over that
                               ///< time is its bias [s], >= 0; only for a yaw rate
    const ib_Locomotion *base; ///< whose two sides slip as it knows; NULL: it moves as they roll
} ib_OdometryConfig;

// Immutable, shared by threads.
typedef struct ib_OdometryModel {
    ib_OdometryConfig config;
    int unknowns;        ///< of a motion: forward, left and, without a gyro, turn
    int untold;          ///< of these, motions determined only by constraints of wheels,
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
    IB_ODOMETRY_RESIDUAL, ///< root mean square disagreement of the rims [m/s]
    IB_ODOMETRY_ROLLING,  ///< velocities by the rims alone, filtered: as IB_AXES
    IB_ODOMETRY_RISE = IB_ODOMETRY_ROLLING + IB_AXES, ///< rates of these
    IB_ODOMETRY_SLIDE = IB_ODOMETRY_RISE + IB_AXES, ///< velocity by `slide`, forward and left [m/s]
    IB_ODOMETRY_SCRUB = IB_ODOMETRY_SLIDE + 2, ///< difference of the sides beyond the turn [m/s]
    IB_ODOMETRY_BEHIND,                        ///< its lag behind its sides' mean [m/s]
    IB_ODOMETRY_GYRO, ///< of a yaw rate: an ib_heading's; else the heading measured last [rad]
    IB_ODOMETRY_COUNT = IB_ODOMETRY_GYRO + IB_HEADING_STATES, ///< ticks so far
    IB_ODOMETRY_ROLLED, ///< sums of each rim [m]; after them the last angles
    IB_ODOMETRY_SPEED = IB_ODOMETRY_ROLLED + IB_ODOMETRY_ROWS, ///< last [m/s]
    IB_ODOMETRY_STATES = IB_ODOMETRY_SPEED + IB_ODOMETRY_ROWS,
};

// Derives the model. Rims that do not determine a motion, even with the constraints, are refused,
// and the motion is named.
ib_Status ib_odometry_init(const ib_OdometryConfig *config, ib_OdometryModel *model,
                           ib_Error *error);

// State of rest at this pose.
void ib_odometry_reset(double x, double y, double heading, double *state);

// One period. The first call only notes the first measurements. `rim`: each rim's way or speed,
// then the angles of their modules; `yaw`: the measurement of `gyro`, not used without one. `sum`:
// integrals of each rim's speed, then of a yaw rate, by samples of another period since the last
// call [m, rad]; NaN, or NULL for all of them: none.
void ib_odometry_step(const ib_OdometryModel *model, const double *rim, double yaw,
                      const double *sum, double *state);

// Estimated pose of the base.
ib_BasePose ib_odometry_pose(const double *state);

// True while it finds the gyro's bias.
bool ib_odometry_settles(const ib_OdometryModel *model, const double *state);

// Moves a pose (x, y, heading) on by an arc: ahead and aside [m] in its own turning frame, turned
// by phi [rad].
void ib_odometry_advance(double ahead, double aside, double phi, double pose[3]);

#endif
