// control/path/planned.h: the trajectory of an external planner: a robot's place and velocity at
// any time. docs/control/planners.md
//
// A planned path is a table of samples in the field's frame. Between two of them place and heading
// go by the cubic that has both places and both velocities, so that a motion with a constant
// acceleration is met exactly, and velocity is the slope of place everywhere.
#ifndef IB_CONTROL_PATH_PLANNED_H
#define IB_CONTROL_PATH_PLANNED_H

#include "base/status.h"

enum { IB_PLANNED_SAMPLES = 20000, IB_PLANNED_EVENTS = 1000, IB_PLANNED_SPLITS = 1000 };
#define IB_PLANNED_LONGEST 3600.0 ///< longest planned path [s]

// The base for which it was made.
typedef enum ib_PlannedBase {
    IB_PLANNED_SIDES,         ///< with a left and a right side: it drives along its heading
    IB_PLANNED_ANY_DIRECTION, ///< such as swerve or mecanum: the heading is free
} ib_PlannedBase;

typedef struct ib_PlannedSample {
    double t;        ///< from the start [s], >= 0
    double x, y;     ///< field frame [m]
    double heading;  ///< [rad], continuous from sample to sample
    double vx, vy;   ///< field frame [m/s]
    double yaw_rate; ///< [rad/s]
} ib_PlannedSample;

typedef struct ib_PlannedEvent {
    double t;         ///< from the start [s]
    double until;     ///< where it lasts, its end [s]; else t
    const char *name; ///< as the planner's user called it
} ib_PlannedEvent;

typedef struct ib_PlannedPath {
    ib_PlannedBase base;
    int count;                       ///< 2 .. IB_PLANNED_SAMPLES
    const ib_PlannedSample *samples; ///< their times rise from 0
    double duration;                 ///< time of the last sample [s]
    double length;                   ///< of the way [m]
    int event_count;                 ///< 0 .. IB_PLANNED_EVENTS
    const ib_PlannedEvent *events;   ///< in the order of their times
    int split_count;                 ///< 0 .. IB_PLANNED_SPLITS
    const double *splits;            ///< times at which the planner parted it [s], rising
} ib_PlannedPath;

// Makes a path of samples, which must live as long: checks that they are finite and that their
// times rise from 0, makes their headings continuous, finds duration and length. The path then has
// no events and no splits. IB_BAD_INPUT: the wrong sample, counted from 0.
ib_Status ib_planned_init(ib_PlannedBase base, ib_PlannedSample *samples, int count,
                          ib_PlannedPath *path, ib_Error *error);

// The motion at time t [s]: before the start at the start, behind the end at the end, at rest.
ib_PlannedSample ib_planned_at(const ib_PlannedPath *path, double t);

// A sample of a path that was made elsewhere: turned by `angle` [rad] about the origin, then moved
// to (x, y) [m].
ib_PlannedSample ib_planned_laid(const ib_PlannedSample *sample, double x, double y, double angle);

// The way from the start to time t [m].
double ib_planned_way(const ib_PlannedPath *path, double t);

#endif
