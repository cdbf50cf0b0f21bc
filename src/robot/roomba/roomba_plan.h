// robot/roomba/roomba_plan.h: the pieces the planner of the Roomba is made of. docs/control/path.md
//
//   symbol   meaning                                                     unit
//   k        curvature of the path, left positive                        1/m
//   v        speed along the path                                        m/s
//   b        slip angle: course minus heading, sin b = vn/v              rad
//   K        2 kn/m                                                      1/m
//   F        max_force                                                   N
#ifndef IB_ROBOT_ROOMBA_PLAN_H
#define IB_ROBOT_ROOMBA_PLAN_H

#include "robot/roomba/roomba.h"

#include <stdint.h>

enum { IB__ROOMBA_EFFORT = 5000000 }; ///< points of all drafts together: a second or two

// The path to be driven, its robot, and its start.
typedef struct ib__RoombaTask {
    const ib_RoombaModel *model;
    const ib_PathConfig *path;
    ib_PathPoint start;
    const double *state; ///< the robot at the start
    double speed;        ///< straight ahead at the start [m/s], >= 0
    double step;         ///< of the check [s]
    double share;        ///< of max_force in the first draft of the speed, inverse only
    bool fine;           ///< a grid for a start on an arc, inverse only
    int64_t *effort;     ///< points of speed profiles that may still be worked on, inverse only
} ib__RoombaTask;

// Forces over time as they will be run: knots in whole nanoseconds.
typedef struct ib__RoombaCourse {
    int count;
    ib_Time *t;
    double *left, *right;            ///< from each knot on [N]
    bool linear;                     ///< they go on evenly from knot to knot
    ib_Time begins[IB_PATH_MAX + 1]; ///< each element, and the end
    double blend[IB_PATH_MAX];       ///< length of the blend at the start of each element [m]
} ib__RoombaCourse;

// An empty plan of `duration` [s] with room for `knots`. A plan is run before it is handed out, and
// its times must fit the clock: a longer one is refused.
ib_Status ib__roomba_course(const ib__RoombaTask *task, double duration, size_t knots,
                            ib_Arena *arena, ib__RoombaCourse *course, ib_Error *error);
void ib__roomba_knot(ib__RoombaCourse *course, ib_Time t, double left, double right);

typedef struct ib__RoombaMotion {
    double vt, vn, w;
} ib__RoombaMotion;

// A steady drive on a circle of curvature k. All of it scales with the speed: velocities with v,
// forces with v^2.
typedef struct ib__RoombaCircle {
    double vt, vn, w;   ///< at 1 m/s
    double left, right; ///< at 1 m/s [N s^2/m^2]
    double top;         ///< speed at which the outer wheel needs all of F [m/s]
} ib__RoombaCircle;

ib__RoombaCircle ib__roomba_circle(const ib_RoombaModel *model, double k);

// Rate at which side slip settles at speed v on curvature k, the fastest rate of the robot [1/s].
double ib__roomba_settling(const ib_RoombaModel *model, double k, double v);

// One step of RK4 of length h [s], in place, with the wheel forces at its beginning, in its middle
// and at its end, {left, right} each.
void ib__roomba_step(const ib_RoombaModel *model, double force[3][2], double h, double *state);

// Drives with constant wheel forces for `duration`, in place, by RK4 with steps of at most `step`.
void ib__roomba_drive(const ib_RoombaModel *model, double left, double right, double duration,
                      double step, double *state);

// Both wheels with F straight on, with drag kd, from speed v0 [m/s] over a distance s: the speed
// then, and the time it takes.
double ib__roomba_speed_up(const ib_RoombaModel *model, double kd, double v0, double s, double *t);

// A time that no forces within F can beat on this path [s]. Derivation: docs/control/path.md
double ib__roomba_bound(const ib__RoombaTask *task);

// ------------------------------------------------------------------------------ piecewise constant

enum { IB__ROOMBA_SEGMENTS = 6 };

typedef struct ib__RoombaSegment {
    double duration;    ///< [s]
    double left, right; ///< [N]
} ib__RoombaSegment;

// The goal of a change from one steady motion to another.
typedef enum ib__RoombaGoal {
    IB__ROOMBA_TO_ARC,  ///< begins at the junction, ends in the steady circle of the next element
    IB__ROOMBA_TO_LINE, ///< begins before the junction, ends there driving straight
    IB__ROOMBA_TO_REST, ///< begins before the end of the path, ends there at rest
} ib__RoombaGoal;

typedef struct ib__RoombaChange {
    ib__RoombaGoal goal;
    ib__RoombaMotion motion;  ///< at its beginning
    double left, right;       ///< forces to try first [N]
    double k_before, k_after; ///< curvature before and after the junction
    double speed;             ///< at its end, for IB__ROOMBA_TO_ARC [m/s]
    double duration;          ///< of the whole change [s]
    double allowance;         ///< largest deviation from the drawn path on the way [m]
    double room;              ///< length of drawn path there is for it [m]
} ib__RoombaChange;

typedef enum ib__RoombaFound {
    IB__ROOMBA_FOUND,
    IB__ROOMBA_TOO_WEAK, ///< no forces within F do it in that time
    IB__ROOMBA_TOO_FAR,  ///< too far off the path, or too long for it: a shorter time may help
} ib__RoombaFound;

typedef struct ib__RoombaChanged {
    ib__RoombaSegment segments[IB__ROOMBA_SEGMENTS];
    double length;    ///< of drawn path used: after the junction, or before it [m]
    double deviation; ///< largest distance from the drawn path on the way [m]
    double speed;     ///< at its end [m/s]
} ib__RoombaChanged;

// Finds the forces by shooting.
ib__RoombaFound ib__roomba_change(const ib_RoombaModel *model, const ib__RoombaChange *change,
                                  ib__RoombaChanged *changed);

ib_Status ib__roomba_schedule(const ib__RoombaTask *task, ib_Arena *arena, ib__RoombaCourse *course,
                              ib_Error *error);

// -------------------------------------------------------------------------------------- continuous

ib_Status ib__roomba_inverse(const ib__RoombaTask *task, ib_Arena *arena, ib__RoombaCourse *course,
                             ib_Error *error);

#endif
