// control/odometry.h: where a robot is, from what its two sides have rolled and how fast it turns.
// The derivation is in docs/control/odometry.md.
//
// Once a period it takes the way of each side (or its speed) and a gyro's yaw rate or heading. The
// motion of a period is an arc, summed up exactly. What a side rolls is not what the robot moves:
// where the floor lets it slip, a `slide` tells how, from the robot's own model.
//
// Everything remembered is in the caller's IB_ODOMETRY_STATES doubles. A measurement that is no
// number, or none that can be believed, counts as missed: the motion goes on as it was, and an
// encoder that comes back makes up for what was missed.
#ifndef IB_CONTROL_ODOMETRY_H
#define IB_CONTROL_ODOMETRY_H

#include "base/status.h"

#include <stdbool.h>

typedef enum ib_OdometryGyro {
    IB_ODOMETRY_BY_SIDES,   ///< heading from the difference of the sides over the track
    IB_ODOMETRY_BY_RATE,    ///< yaw rate [rad/s]
    IB_ODOMETRY_BY_HEADING, ///< heading [rad], continuous, from any zero
} ib_OdometryGyro;

// Moves the velocity (forward, left) [m/s] of the robot's origin on by dt [s], its sides rolling
// with `rim` [m/s] and the robot turning with `yaw_rate` [rad/s].
typedef void ib_SlideFn(const void *self, const double rim[2], double yaw_rate, double dt,
                        double velocity[2]);

typedef struct ib_OdometryConfig {
    double period;        ///< between two ticks [s], > 0
    double half_track;    ///< from the middle to a side, as far as turning goes [m], > 0
    double filter;        ///< time constant of the speeds shown [s], >= 0
    double calm;          ///< time constant in which a measured heading is believed [s], >= 0
    bool speeds;          ///< the sides are measured as speeds [m/s], not as distances [m]
    ib_OdometryGyro gyro; ///< what the third measurement is
    double settle;        ///< the robot stands so long at first, and the gyro's mean over that time
                          ///< is its bias [s], >= 0; only for a yaw rate
    ib_SlideFn *slide;    ///< NULL: it moves as its sides roll
    const void *self;     ///< of `slide`
} ib_OdometryConfig;

// The state. Pose and velocities are for everybody to read.
enum {
    IB_ODOMETRY_X,        ///< field frame [m]
    IB_ODOMETRY_Y,        ///< the same [m]
    IB_ODOMETRY_HEADING,  ///< heading, continuous [rad]
    IB_ODOMETRY_FORWARD,  ///< velocity of the origin, filtered [m/s]
    IB_ODOMETRY_LEFT,     ///< the same, to the left [m/s]
    IB_ODOMETRY_YAW_RATE, ///< [rad/s]
    IB_ODOMETRY_RIM,      ///< speeds of the left and the right side, filtered [m/s]
    IB_ODOMETRY_RISE = IB_ODOMETRY_RIM + 2,     ///< how fast these change [m/s^2]
    IB_ODOMETRY_SLIDE = IB_ODOMETRY_RISE + 2,   ///< velocity by `slide`, forward and left [m/s]
    IB_ODOMETRY_SCRUB = IB_ODOMETRY_SLIDE + 2,  ///< difference of the sides beyond the turn [m/s]
    IB_ODOMETRY_BEHIND,                         ///< how far it falls behind its sides' mean [m/s]
    IB_ODOMETRY_ROLLED,                         ///< what has been summed up of each side [m]
    IB_ODOMETRY_SPEED = IB_ODOMETRY_ROLLED + 2, ///< last speed of each side [m/s]
    IB_ODOMETRY_TURNED = IB_ODOMETRY_SPEED + 2, ///< last yaw rate [rad/s], or heading measured
    IB_ODOMETRY_BIAS,                           ///< of the gyro, found so far [rad/s]
    IB_ODOMETRY_COUNT,                          ///< ticks so far
    IB_ODOMETRY_STATES,
};

ib_Status ib_odometry_check(const ib_OdometryConfig *config, ib_Error *error);

// At rest at this pose.
void ib_odometry_reset(double x, double y, double heading, double *state);

// One period. The first call only notes where the measurements begin. `side`: left and right;
// `yaw`: as `gyro` says, not used without one. `sum`: of speeds and a yaw rate, in this order, what
// samples of another period add up to since the last call [m, m, rad]; NaN, or NULL for all three:
// nobody adds them up.
void ib_odometry_step(const ib_OdometryConfig *config, const double side[2], double yaw,
                      const double sum[3], double *state);

// Is it still finding the gyro's bias?
bool ib_odometry_settles(const ib_OdometryConfig *config, const double *state);

#endif
