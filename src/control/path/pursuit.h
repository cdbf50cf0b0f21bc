// control/path/pursuit.h: pure pursuit of a path: always towards its point at a distance ahead. The
// law of a driver with delayed and sampled vision. docs/control/driver.md
//
// With s the progress along the path, P(s) its points, L the lookahead and p the estimated place,
// the command for a base that goes any way is
//
//   s <- nearest point in s .. s + L,   d = P(min(s + L, end)) - p,   v = V(s) min(1, |d|/L) d/|d|
//
// and for one with two sides the arc through that point, w = 2 v left/|d|^2. V(s) is the speed,
// less in curves. The view is `reaction` old; a prediction adds the commands since. The state is in
// the caller's ib_pursuit_states() doubles.
#ifndef IB_CONTROL_PATH_PURSUIT_H
#define IB_CONTROL_PATH_PURSUIT_H

#include "base/arena.h"
#include "control/driving/locomotion.h"
#include "control/path/path.h"

enum { IB_PURSUIT_LOOKS = 64 }; ///< the oldest that is seen, in periods

typedef struct ib_PursuitConfig {
    double period;       ///< between two views [s], > 0
    double speed;        ///< on a straight [m/s], > 0, at most lookahead/period
    double lookahead;    ///< L [m], > 0
    double acceleration; ///< limit of the command's rate [m/s^2], > 0
    double sideways;     ///< most across the path, which slows it in curves [m/s^2], > 0
    double reaction;     ///< age of the view [s], 0 .. IB_PURSUIT_LOOKS periods
    bool predicts;       ///< adds the commands of that time
    double finish;       ///< rest of the path at the stop [m], > 0
    double heading;      ///< that a base which goes any way keeps [rad]
} ib_PursuitConfig;

typedef struct ib_PursuitPoint {
    double x, y;  ///< field frame [m]
    double speed; ///< V [m/s]
} ib_PursuitPoint;

// Immutable.
typedef struct ib_PursuitModel {
    ib_PursuitConfig config;
    int count;      ///< of points, 2 ..
    double spacing; ///< of points along the path [m]
    double length;  ///< of the path [m]
    double lasts;   ///< by the speeds V alone [s]
    const ib_PursuitPoint *points;
    int looks; ///< remembered periods of commands, 1 .. IB_PURSUIT_LOOKS
} ib_PursuitModel;

enum {
    IB_PURSUIT_X, ///< where the robot is taken to be: x, y, heading
    IB_PURSUIT_Y,
    IB_PURSUIT_HEADING,
    IB_PURSUIT_PROGRESS, ///< s [m]; it never goes back
    IB_PURSUIT_ASIDE,    ///< estimated distance to the left of the path [m]
    IB_PURSUIT_DONE,     ///< 1: it has stopped, for good
    IB_PURSUIT_VELOCITY, ///< asked for last: field x and y; of two sides ahead and 0 [m/s]
    IB_PURSUIT_ASKED = IB_PURSUIT_VELOCITY + 2, ///< robot frame, the newest first: `looks` times 3
};

// Derives a model; its points are in `arena`. An error begins with the key at fault.
ib_Status ib_pursuit_init(const ib_PursuitConfig *config, const ib_PathConfig *path,
                          ib_PathPoint start, ib_Arena *arena, ib_PursuitModel *model,
                          ib_Error *error);

int ib_pursuit_states(const ib_PursuitModel *model);

// State of rest at the beginning of the path.
void ib_pursuit_reset(const ib_PursuitModel *model, double *state);

// One look at the robot: x, y, heading. The motion is asked for until the next one. A look that is
// no number counts as none: the motion goes on from where the robot was taken to be.
void ib_pursuit_step(const ib_PursuitModel *model, const ib_Locomotion *base, const double seen[3],
                     double *state, ib_AxisMotion *motion);

#endif
