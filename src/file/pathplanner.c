// file/pathplanner.c: PathPlanner's paths: a motion from their curves and limits.
#include "base/extreme.h"
#include "base/number.h"
#include "base/quote.h"
#include "file/json_tree.h"
#include "file/planner_inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEGREE 0.017453292519943295 ///< [rad]
#define SAME   1e-6                 ///< distance of positions that count as equal

typedef struct Reading {
    ib__Planner *planner;
    ib_BezierPlan plan;
    double last; // position of the last waypoint
} Reading;

// ----------------------------------------------------------------------------------------- version

// "2025.0", which PathPlanner 2025 and 2026 write, and 1.0, of 2024.
static void check_version(ib__Planner *planner, const ib_Node *root)
{
    static const char expected[] = "\"2025.0\" or 1.0, as PathPlanner 2024 to 2026 write; a path "
                                   "of other years has to be drawn in one of these";
    double number = 0;
    const ib_Node *node = ib__planner_need(planner, root, "version", expected);
    if (!node || (node->quoted && strncmp(node->text, "2025.", 5) == 0)) return;
    if (ib_json_is_number(node)) ib_number_read(node->text, &number, NULL);
    if (number == 1) return;
    char got[IB_QUOTE_LENGTH + 8];
    ib_node_describe(node, got, sizeof got);
    ib_wrong_value(&planner->reader, node, "%s: expected a version of %s", got, expected);
}

// --------------------------------------------------------------------------------------- waypoints

static bool read_point(ib__Planner *planner, const ib_Node *waypoint, const char *key, double *x,
                       double *y)
{
    const double far = IB_PLANNER_FARTHEST;
    const ib_Node *node = ib__planner_need(planner, waypoint, key, "a point {x, y}");
    if (!node || !ib_check_map(&planner->reader, node, "a point {x, y}")) return false;
    bool good = ib__planner_number(planner, node, "x", -far, far, x);
    return ib__planner_number(planner, node, "y", -far, far, y) && good;
}

static void read_waypoints(Reading *reading, const ib_Node *list)
{
    ib__Planner *planner = reading->planner;
    ib_PlanWaypoint *waypoints =
        ib_arena_array(planner->reader.arena, (size_t)list->count, sizeof *waypoints);
    if (!waypoints) {
        ib_wrong_value(&planner->reader, list, "out of memory");
        return;
    }
    for (const ib_Node *node = list->first; node; node = node->next) {
        ib_PlanWaypoint *w = &waypoints[node->index];
        if (!ib_check_map(&planner->reader, node, "a map, one waypoint")) continue;
        read_point(planner, node, "anchor", &w->x, &w->y);
        if (node->index > 0) read_point(planner, node, "prevControl", &w->before_x, &w->before_y);
        if (node->next) read_point(planner, node, "nextControl", &w->after_x, &w->after_y);
    }
    reading->plan.waypoints = waypoints;
    reading->plan.waypoint_count = list->count;
    reading->last = list->count - 1;
}

// Reads a position along the path, in waypoints. A position beyond the ends counts as the end, as
// in PathPlanner.
static bool read_position(Reading *reading, const ib_Node *map, const char *key, double *at)
{
    ib__Planner *planner = reading->planner;
    if (!ib__planner_number(planner, map, key, -IB_PLANNER_WIDEST, IB_PLANNER_WIDEST, at))
        return false;
    if (*at < -SAME || *at > reading->last + SAME)
        ib_warn_value(&planner->reader, ib_node_get(map, key),
                      "a position beyond the path, 0 to %g: its end is taken", reading->last);
    *at = ib_max(0, ib_min(reading->last, *at));
    return true;
}

// Reads the two ends of a zone.
static void read_span(Reading *reading, const ib_Node *zone, double *from, double *to)
{
    bool good = read_position(reading, zone, "minWaypointRelativePos", from);
    good &= read_position(reading, zone, "maxWaypointRelativePos", to);
    if (good && *from > *to)
        ib_wrong_value(&reading->planner->reader, ib_node_get(zone, "maxWaypointRelativePos"),
                       "expected a position at or behind the zone's first, %g", *from);
}

// ------------------------------------------------------------------------------------------ limits

static double least_of(double written, double robot)
{
    return robot > 0 ? ib_min(written, robot) : written;
}

// The written limits, at most the robot's own. Angles are in degrees.
static ib_PlanLimits with_robot(const ib_PlanLimits *written, const ib_PlanLimits *robot)
{
    return (ib_PlanLimits){least_of(written->speed, robot->speed),
                           least_of(written->acceleration, robot->acceleration),
                           least_of(written->yaw_rate, robot->yaw_rate),
                           least_of(written->yaw_quicker, robot->yaw_quicker)};
}

static ib_PlanLimits read_limits(ib__Planner *planner, const ib_Node *map)
{
    const double least = 1e-3, fast = IB_PLANNER_FASTEST, wide = IB_PLANNER_WIDEST;
    ib_PlanLimits limits = {0};
    ib__planner_number(planner, map, "maxVelocity", least, fast, &limits.speed);
    ib__planner_number(planner, map, "maxAcceleration", least, fast, &limits.acceleration);
    ib__planner_number(planner, map, "maxAngularVelocity", least, wide, &limits.yaw_rate);
    ib__planner_number(planner, map, "maxAngularAcceleration", least, wide, &limits.yaw_quicker);
    limits.yaw_rate *= DEGREE;
    limits.yaw_quicker *= DEGREE;
    return with_robot(&limits, &planner->options->robot);
}

static void read_global_limits(Reading *reading, const ib_Node *root)
{
    ib__Planner *planner = reading->planner;
    const ib_PlanLimits none = {INFINITY, INFINITY, INFINITY, INFINITY};
    const ib_Node *map = ib__planner_map(planner, root, "globalConstraints");
    bool unlimited = false;
    if (!map) return;
    ib__planner_flag(planner, map, "unlimited", &unlimited);
    reading->plan.limits =
        unlimited ? with_robot(&none, &planner->options->robot) : read_limits(planner, map);
    if (unlimited &&
        !(isfinite(reading->plan.limits.speed) && isfinite(reading->plan.limits.acceleration)))
        ib_wrong_value(&planner->reader, ib_node_get(map, "unlimited"),
                       "only the robot limits this path, and what it can do is not known here: "
                       "expected false");
}

static void read_zones(Reading *reading, const ib_Node *root)
{
    ib__Planner *planner = reading->planner;
    const ib_Node *list = ib__planner_some(planner, root, "constraintZones", IB_PLAN_ZONES);
    if (!list) return;
    ib_PlanZone *zones =
        ib_arena_array(planner->reader.arena, (size_t)list->count + 1, sizeof *zones);
    int count = 0;
    for (const ib_Node *node = list->first; zones && node; node = node->next) {
        ib_PlanZone *zone = &zones[count];
        if (!ib_check_map(&planner->reader, node, "a map, one zone")) continue;
        read_span(reading, node, &zone->from, &zone->to);
        const ib_Node *limits = ib__planner_map(planner, node, "constraints");
        if (limits) zone->limits = read_limits(planner, limits);
        count++;
    }
    reading->plan.zones = zones;
    reading->plan.zone_count = zones ? count : 0;
}

// ---------------------------------------------------------------------------------------- headings

static int by_turn(const void *a, const void *b)
{
    double x = ((const ib_PlanTurn *)a)->at, y = ((const ib_PlanTurn *)b)->at;
    return (x > y) - (x < y);
}

static void read_turns(Reading *reading, const ib_Node *root)
{
    ib__Planner *planner = reading->planner;
    const ib_Node *list = ib__planner_some(planner, root, "rotationTargets", IB_PLAN_TURNS);
    if (!list) return;
    ib_PlanTurn *turns =
        ib_arena_array(planner->reader.arena, (size_t)list->count + 1, sizeof *turns);
    int count = 0;
    for (const ib_Node *node = list->first; turns && node; node = node->next) {
        ib_PlanTurn turn = {0};
        if (!ib_check_map(&planner->reader, node, "a map, one rotation target")) continue;
        bool good = read_position(reading, node, "waypointRelativePos", &turn.at);
        good &= ib__planner_number(planner, node, "rotationDegrees", -IB_PLANNER_WIDEST,
                                   IB_PLANNER_WIDEST, &turn.heading);
        turn.heading *= DEGREE;
        bool inside = turn.at > SAME && turn.at < reading->last - SAME;
        if (good && !inside)
            ib_warn_value(&planner->reader, node,
                          "the states at the start and the end have headings of their own: this "
                          "one is not used");
        if (good && inside) turns[count++] = turn;
    }
    if (turns) qsort(turns, (size_t)count, sizeof *turns, by_turn);
    reading->plan.turns = turns;
    reading->plan.turn_count = turns ? count : 0;
}

// Zones in which the robot points at a place of the field.
static void read_aims(Reading *reading, const ib_Node *root)
{
    ib__Planner *planner = reading->planner;
    const ib_Node *list = ib__planner_some(planner, root, "pointTowardsZones", IB_PLAN_AIMS);
    if (!list) return;
    ib_PlanAim *aims = ib_arena_array(planner->reader.arena, (size_t)list->count + 1, sizeof *aims);
    int count = 0;
    for (const ib_Node *node = list->first; aims && node; node = node->next) {
        ib_PlanAim *aim = &aims[count];
        if (!ib_check_map(&planner->reader, node, "a map, one zone")) continue;
        read_point(planner, node, "fieldPosition", &aim->x, &aim->y);
        ib__planner_number(planner, node, "rotationOffset", -IB_PLANNER_WIDEST, IB_PLANNER_WIDEST,
                           &aim->beside);
        aim->beside *= DEGREE;
        read_span(reading, node, &aim->from, &aim->to);
        count++;
    }
    reading->plan.aims = aims;
    reading->plan.aim_count = aims ? count : 0;
}

// { "velocity": 0, "rotation": 90 }: m/s, degrees.
static void read_state(ib__Planner *planner, const ib_Node *map, double *speed, double *heading)
{
    if (!ib_check_map(&planner->reader, map, "a map {velocity, rotation}")) return;
    ib__planner_number(planner, map, "velocity", 0, IB_PLANNER_FASTEST, speed);
    ib__planner_number(planner, map, "rotation", -IB_PLANNER_WIDEST, IB_PLANNER_WIDEST, heading);
    *heading *= DEGREE;
}

// The start state has another key in files of 2024, and may be missing there.
static const ib_Node *start_state(const ib_Node *root)
{
    const ib_Node *start = ib__planner_find(root, "idealStartingState");
    return start ? start : ib__planner_find(root, "previewStartingState");
}

static void read_states(Reading *reading, const ib_Node *root)
{
    ib__Planner *planner = reading->planner;
    ib_BezierPlan *plan = &reading->plan;
    const ib_Node *start = start_state(root);
    const ib_Node *end = ib__planner_map(planner, root, "goalEndState");
    if (start)
        read_state(planner, start, &plan->start_speed, &plan->start_heading);
    else if (plan->base == IB_PLANNED_ANY_DIRECTION)
        ib_warn_value(&planner->reader, root,
                      "'idealStartingState' is missing: the path begins at rest with heading 0");
    if (end) read_state(planner, end, &plan->end_speed, &plan->end_heading);

    ib__planner_flag(planner, root, "reversed", &plan->backwards);
    if (plan->backwards && plan->base == IB_PLANNED_ANY_DIRECTION) {
        ib_warn_value(&planner->reader, ib_node_get(root, "reversed"),
                      "only a base with sides drives a path backwards: not used");
        plan->backwards = false;
    }
}

// ------------------------------------------------------------------------------------------ events

static int by_mark(const void *a, const void *b)
{
    const ib_PlanMark *x = a, *y = b;
    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    return (x->until > y->until) - (x->until < y->until);
}

static void read_marks(Reading *reading, const ib_Node *root)
{
    ib__Planner *planner = reading->planner;
    const ib_Node *list = ib__planner_some(planner, root, "eventMarkers", IB_PLANNED_EVENTS);
    if (!list) return;
    ib_PlanMark *marks =
        ib_arena_array(planner->reader.arena, (size_t)list->count + 1, sizeof *marks);
    int count = 0;
    for (const ib_Node *node = list->first; marks && node; node = node->next) {
        ib_PlanMark *mark = &marks[count];
        if (!ib_check_map(&planner->reader, node, "a map, one event")) continue;
        mark->name = ib__planner_text(planner, node, "name");
        if (!mark->name || !read_position(reading, node, "waypointRelativePos", &mark->at))
            continue;
        mark->until = mark->at;
        if (ib__planner_find(node, "endWaypointRelativePos"))
            read_position(reading, node, "endWaypointRelativePos", &mark->until);
        if (mark->until < mark->at) mark->until = mark->at; // -1 stands for none
        count++;
    }
    if (marks) qsort(marks, (size_t)count, sizeof *marks, by_mark);
    reading->plan.marks = marks;
    reading->plan.mark_count = marks ? count : 0;
}

// ---------------------------------------------------------------------------------------- the file

static double speed_of(const ib_PlannedSample *s)
{
    return sqrt(s->vx * s->vx + s->vy * s->vy);
}

// Warns of a speed at an end of the path above its limits.
static void compare_speed(ib__Planner *planner, const ib_Node *state, double wanted, double got)
{
    if (got < wanted - 1e-9)
        ib_warn_value(&planner->reader, ib_node_get(state, "velocity"),
                      "the limits allow %.3g m/s at most: that is taken", got);
}

static void make_path(Reading *reading, const ib_Node *root, const ib_Node *waypoints)
{
    ib__Planner *planner = reading->planner;
    const ib_PlannedPath *path = planner->path;
    ib_Error error;
    int waypoint;
    if (ib_bezier_plan_check(&reading->plan, &waypoint, &error)) {
        ib_wrong_value(&planner->reader, ib_node_at(waypoints, waypoint), "%s", error.text);
        return;
    }
    if (ib_bezier_plan(&reading->plan, planner->arena, planner->path, &error)) {
        ib_wrong_value(&planner->reader, waypoints, "%s", error.text);
        return;
    }
    const ib_Node *start = start_state(root);
    if (start)
        compare_speed(planner, start, reading->plan.start_speed, speed_of(&path->samples[0]));
    compare_speed(planner, ib_node_get(root, "goalEndState"), reading->plan.end_speed,
                  speed_of(&path->samples[path->count - 1]));
}

void ib__pathplanner_read(ib__Planner *planner, const ib_Node *root)
{
    Reading reading = {.planner = planner, .plan = {.base = planner->options->base}};
    check_version(planner, root);
    const ib_Node *waypoints = ib__planner_list(planner, root, "waypoints", 2, IB_PLAN_WAYPOINTS);
    if (!waypoints) return;
    read_waypoints(&reading, waypoints);
    read_global_limits(&reading, root);
    read_zones(&reading, root);
    read_turns(&reading, root);
    read_aims(&reading, root);
    read_states(&reading, root);
    read_marks(&reading, root);
    if (!ib__planner_failed(planner)) make_path(&reading, root, waypoints);
}
