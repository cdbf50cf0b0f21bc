// control/steering.h: what a base with two driven sides tells whoever steers it.
// It tells its commands, what they take for a motion, and what it cannot do: docs/control/follow.md
//
// A base fills one of these from its own model (robot/kind.h, `steer`); nothing here knows a robot.
// Left is side 0, right is side 1.
#ifndef IB_CONTROL_STEERING_H
#define IB_CONTROL_STEERING_H

#include "control/odometry.h"

// What a motion is limited by.
typedef enum ib_SteeringLimit {
    IB_STEERING_FREE,     ///< nothing
    IB_STEERING_COMMANDS, ///< the motors: full command is not enough
    IB_STEERING_CURRENT,  ///< a current limit of the motors
    IB_STEERING_SUPPLY,   ///< the battery: its voltage falls too far
    IB_STEERING_TYRES,    ///< the floor does not hold
} ib_SteeringLimit;

typedef struct ib_SteerDemand ib_SteerDemand;

// A motion on a flat floor, of the robot's origin.
typedef struct ib_SteerMotion {
    double speed;               ///< forward [m/s]
    double yaw_rate;            ///< to the left [rad/s]
    double faster;              ///< rate of the speed [m/s^2]
    double yaw_quicker;         ///< rate of the yaw rate [rad/s^2]
    double drifting;            ///< rate of the velocity to the left [m/s^2]
    const ib_SteerDemand *like; ///< of a motion much like it, to begin with; NULL: none is known
} ib_SteerMotion;

// What a motion takes, once the floor's slip has settled.
struct ib_SteerDemand {
    double command[2]; ///< left, right; may be beyond the range
    double rim[2];     ///< speeds at which the sides roll [m/s]
    double drift;      ///< velocity of the origin to the left, which slip gives it [m/s]
    double supply;     ///< voltage on which the commands count [V]; 0: they count on none
    double share;      ///< of the limit that is nearest: 1: at it, more: the motion is impossible
    ib_SteeringLimit limit; ///< which one that is
};

typedef struct ib_Steering ib_Steering;
struct ib_Steering {
    const void *model;       ///< of the base
    double gravity;          ///< [m/s^2]
    double mass, inertia;    ///< of all that moves, about the origin [kg, kg m^2]
    double x, y, height;     ///< of its centre of mass, robot frame and over the floor [m]
    const char *commands[2]; ///< inputs of the robot
    double range;            ///< of each command, either way, in its unit
    const char *rims[2];     ///< signals that show how fast the sides roll
    double radius;           ///< such a signal times this is a speed [m/s]
    const char *yaw_rate;    ///< signal of the yaw rate [rad/s]
    const char *supply;      ///< signal of the voltage of which commands are shares; NULL: none
    double half_track;       ///< from the middle to a side [m]
    bool brakes;             ///< commands of 0 bring it to rest and keep it there
    // What a motion takes. All results are finite but `share`, which may be infinite.
    void (*demand)(const ib_Steering *steering, const ib_SteerMotion *motion,
                   ib_SteerDemand *demand);
    ib_SlideFn *slide; ///< for odometry, its `self` is the steering; NULL: it never slips
};

// A noun for a limit: "the motors", "the tyres".
const char *ib_steering_limit(ib_SteeringLimit limit);

// The half track as far as turning goes: a side must roll so much faster than the middle for each
// rad/s [m]. On a floor that does not slip it is the half track.
double ib_steering_track(const ib_Steering *steering, double speed, double yaw_rate);

#endif
