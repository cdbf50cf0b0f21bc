// control/path/bezier_plan.h: curves with limits to their speeds, made into a planned path.
// The rules are in docs/control/planners.md.
//
// Positions along a path are counted in waypoints: 1.5 is the middle of the second curve, by its
// parameter, not by its length.
#ifndef IB_CONTROL_PATH_BEZIER_PLAN_H
#define IB_CONTROL_PATH_BEZIER_PLAN_H

#include "base/arena.h"
#include "control/path/planned.h"

#include <stdbool.h>

enum { IB_PLAN_WAYPOINTS = 200, IB_PLAN_ZONES = 200, IB_PLAN_TURNS = 200, IB_PLAN_AIMS = 200 };
#define IB_PLAN_LONGEST 1000.0 ///< longest path [m]

typedef struct ib_PlanLimits {
    double speed;        ///< [m/s], > 0, also infinite, as all of these
    double acceleration; ///< along the path, and across it [m/s^2]
    double yaw_rate;     ///< [rad/s]
    double yaw_quicker;  ///< rate of that [rad/s^2]
} ib_PlanLimits;

// The path from one waypoint to the next is the Bezier curve of x, after, before of the next, x.
typedef struct ib_PlanWaypoint {
    double x, y;               ///< field frame [m]
    double before_x, before_y; ///< control point of the curve that ends here; of none at the first
    double after_x, after_y;   ///< control point of the curve that begins here; of none at the last
} ib_PlanWaypoint;

typedef struct ib_PlanZone {
    double from, to;      ///< positions
    ib_PlanLimits limits; ///< in the place of those of the path
} ib_PlanZone;

typedef struct ib_PlanTurn {
    double at;      ///< position
    double heading; ///< there [rad]
} ib_PlanTurn;

typedef struct ib_PlanAim {
    double from, to; ///< positions between which the robot points at a place
    double x, y;     ///< which one, field frame [m]
    double beside;   ///< angle to the left of it [rad]; pi: away from it
} ib_PlanAim;

typedef struct ib_PlanMark {
    double at, until; ///< positions of an event and of its end
    const char *name;
} ib_PlanMark;

typedef struct ib_BezierPlan {
    ib_PlannedBase base;
    bool backwards; ///< a base with sides drives it backwards
    ib_PlanLimits limits;
    double start_speed, end_speed;     ///< [m/s], >= 0
    double start_heading, end_heading; ///< of a base that goes in any direction [rad]
    int waypoint_count;
    const ib_PlanWaypoint *waypoints;
    int zone_count;
    const ib_PlanZone *zones; ///< the first that has a position counts there
    int turn_count;
    const ib_PlanTurn *turns; ///< their positions rise, between the ends of the path
    int aim_count;
    const ib_PlanAim *aims; ///< count in the place of turns; the first that has a position
    int mark_count;
    const ib_PlanMark *marks; ///< positions rise; `until` >= `at`
} ib_BezierPlan;

// Refuses waypoints on one spot, control points on their waypoint, corners, curves that turn back
// on the spot and paths that are too long, with the waypoint at fault.
ib_Status ib_bezier_plan_check(const ib_BezierPlan *plan, int *waypoint, ib_Error *error);

// Plans as fast as the limits allow. A speed at the start or the end that they do not allow is
// lowered. Samples and events come from `arena`, names are those of the plan. IB_BAD_INPUT: a plan
// that the check refuses, or one that takes too long.
ib_Status ib_bezier_plan(const ib_BezierPlan *plan, ib_Arena *arena, ib_PlannedPath *path,
                         ib_Error *error);

#endif
