// control/driving/locomotion.h: the motion of a base over the floor, for planners, routines,
// followers and drivers: commands, limits and slip of a motion. docs/control/locomotion.md
//
// A base fills one of these from its own model (robot/kind.h, `locomotion`); this file knows no
// robot. Axes: 0 forward, 1 to the left, 2 turn to the left; robot frame. A base with two sides has
// no axis 1: its drift comes from floor and turns. Left is side 0, right is side 1.
#ifndef IB_CONTROL_DRIVING_LOCOMOTION_H
#define IB_CONTROL_DRIVING_LOCOMOTION_H

#include "base/arena.h"
#include "control/path/path.h"

enum { IB_AXES = 3 };

// The limit of a motion.
typedef enum ib_MotionLimit {
    IB_LIMIT_NONE,
    IB_LIMIT_COMMANDS, ///< the motors: full command is not enough
    IB_LIMIT_CURRENT,  ///< a current limit of the motors
    IB_LIMIT_SUPPLY,   ///< the battery: its voltage falls too far
    IB_LIMIT_TYRES,    ///< the floor does not hold
    IB_LIMIT_GAIT,     ///< the legs
} ib_MotionLimit;

typedef struct ib_MotionDemand ib_MotionDemand;
typedef struct ib_Plan ib_Plan; ///< (robot/kind.h)

// A motion on a flat floor, of the robot's origin.
typedef struct ib_AxisMotion {
    double velocity[IB_AXES]; ///< [m/s, m/s, rad/s]; of an axis that it has not, nothing counts
    double rate[IB_AXES];     ///< acceleration along its axes [m/s^2, m/s^2, rad/s^2]; of an axis
                              ///< that it has not the rate of the drift
    const ib_MotionDemand *like; ///< of a motion much like it, to begin with; NULL: none is known
} ib_AxisMotion;

// Commands and shares of a motion, once the floor's slip has settled.
struct ib_MotionDemand {
    double command[IB_AXES]; ///< `count` of them; may be beyond the range
    double rim[2];           ///< speeds at which the sides roll [m/s]
    double drift;            ///< velocity of the origin to the left, which slip gives it [m/s]
    double supply;           ///< voltage on which the commands count [V]; 0: they count on none
    double share;            ///< of the limit that is nearest: 1: at it, more: impossible
    ib_MotionLimit limit;    ///< which one that is
};

// A command of 1 alone is a top speed along its axis, reached with a time constant:
//   command = sign (velocity + lag rate)/top
typedef struct ib_AxisDrive {
    const char *command; ///< input of the robot
    double sign;         ///< 1, or -1 where its positive way is the other one
    double top;          ///< [m/s, rad/s], > 0
    double lag;          ///< [s], >= 0
    bool coasts;         ///< a command of 0 lets it roll on
    double unit;         ///< size of a command of 1 in its own unit; 0: 1
    double quick;        ///< rate of the velocity that follows a command, at most; 0: by the lag
} ib_AxisDrive;

typedef struct ib_Locomotion ib_Locomotion;

// Moves the velocity (forward, left) [m/s] of the robot's origin on by dt [s], its sides rolling
// with `rim` [m/s] and the robot turning with `yaw_rate` [rad/s].
typedef void ib_SlideFn(const ib_Locomotion *base, const double rim[2], double yaw_rate, double dt,
                        double velocity[2]);

struct ib_Locomotion {
    const void *model;             ///< of the base
    int count;                     ///< of commands
    const char *commands[IB_AXES]; ///< inputs of the robot
    double range;                  ///< of each command, either way, in its unit
    double top[IB_AXES];   ///< fastest, alone; 0: it cannot go there by itself [m/s, m/s, rad/s]
    double quick[IB_AXES]; ///< largest rate from rest, alone [m/s^2, m/s^2, rad/s^2]
    bool coasts;           ///< commands of 0 let it roll on
    double gain;           ///< of the law of tracking, where it has to be less [1/s]; 0: the law's
    const char *supply;    ///< signal of the voltage of which commands are shares; NULL: none
    // Demand of a motion. All results are finite except `share`, which may be infinite.
    void (*demand)(const ib_Locomotion *base, const ib_AxisMotion *motion, ib_MotionDemand *demand);
    // Turns a path into timelines of inputs (robot/kind.h), from `state` on; NULL: a loop does.
    ib_Status (*plan)(const ib_Locomotion *base, const double *state, const ib_PathConfig *path,
                      ib_Arena *arena, ib_Plan *plan, ib_Error *error);
    ib_AxisDrive axes[IB_AXES]; ///< of a base with a command for each axis
    // For a base with two sides:
    ib_SlideFn *slide;    ///< its slip, for odometry; NULL: none
    double half_track;    ///< from the middle to a side [m]
    double gravity;       ///< [m/s^2]
    double mass, inertia; ///< of all that moves, about the origin [kg, kg m^2]
    double x, y, height;  ///< of its centre of mass, robot frame and over the floor [m]
};

// Fills all that follows from a command for each axis, of a base that has no more to tell.
void ib_locomotion_of_axes(const ib_AxisDrive axes[IB_AXES], ib_Locomotion *base);

// Finds top and quick of a base with two sides. Refused: too weak to drive or to turn.
ib_Status ib_locomotion_find_top(ib_Locomotion *base, ib_Error *error);

// True if it can go sideways without turning.
bool ib_is_holonomic(const ib_Locomotion *base);

// Commands of a motion: base->count of them, which may be beyond their range.
void ib_locomotion_command(const ib_Locomotion *base, const ib_AxisMotion *motion, double *command);

// Cuts commands to their range; true: they were beyond it, or no numbers. The turn has priority
// within the range, and the drive is reduced, in its own direction.
bool ib_locomotion_limit(const ib_Locomotion *base, double *command);

// A motion along its heading, u with rate u', turning with w and w'; n' the rate of its drift. A
// base that can go sideways must push itself around the curve, n' + w u.
ib_AxisMotion ib_motion_ahead(const ib_Locomotion *base, double u, double w, double faster,
                              double quicker, double drifting);

// A noun for a limit: "the motors", "the tyres".
const char *ib_motion_limit(ib_MotionLimit limit);

// The effective half track of a turn: excess of a side's speed over the middle's for each rad/s
// [m]. Without slip it is the half track.
double ib_locomotion_track(const ib_Locomotion *base, double speed, double yaw_rate);

#endif
