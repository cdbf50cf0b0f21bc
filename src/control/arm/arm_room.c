#include "control/arm/arm_track.h"

#include "base/quote.h"

#include <math.h>

// Symbols: f what is left between the arm and one thing that hinders it, [m] or [rad]; < 0: it is
// met. Along a way f changes by no more than L a radian: both links turn, so that no point of the
// arm goes further than l1 |dth1| + l2 |dth2| <= sqrt(l1^2 + l2^2) ds. So a stretch of length ds
// with f0 and f1 at its ends is free if
//   f0 + f1 > L ds
// and is halved if not. Limit: it lies along the edge of something: halved HALVINGS times.
enum { HALVINGS = 12, ELBOW = 2, LIMITS = 3 };

// A limit that is met to this is not exceeded: goals may lie on it [m], [rad].
static const double TOUCH = 1e-9;

ib_ArmRoom ib_arm_room_default(void)
{
    return (ib_ArmRoom){.low = {-INFINITY, -INFINITY},
                        .high = {INFINITY, INFINITY},
                        .elbow_low = -INFINITY,
                        .elbow_high = INFINITY};
}

// ------------------------------------------------------------------------------------------- spare

// From a point to the line from `a` to `b`.
static double from_line(const double point[2], const double a[2], const double b[2])
{
    double way[2] = {b[0] - a[0], b[1] - a[1]}, off[2] = {point[0] - a[0], point[1] - a[1]};
    double square = way[0] * way[0] + way[1] * way[1];
    double part = square > 0 ? (off[0] * way[0] + off[1] * way[1]) / square : 0;
    part = fmin(fmax(part, 0), 1);
    double x = off[0] - part * way[0], z = off[1] - part * way[1];
    return sqrt(x * x + z * z);
}

static double from_obstacle(const ib_ArmRoom *room, const ib_TwoLink *arm, const double th[2],
                            int index)
{
    static const double origin[2];
    const ib_ArmObstacle *thing = &room->obstacles[index];
    double centre[2] = {thing->x, thing->z}, elbow[2], hand[2], distance;
    ib_two_link_hand(arm, th, hand);
    if (room->links) {
        ib_two_link_elbow(arm, th, elbow);
        distance = fmin(from_line(centre, origin, elbow), from_line(centre, elbow, hand));
    } else {
        distance = from_line(centre, hand, hand);
    }
    return distance - thing->radius - thing->clearance;
}

// Of hindrance number `index`: both joints, the elbow, then the obstacles.
static double spare(const ib_ArmRoom *room, const ib_TwoLink *arm, const double th[2], int index)
{
    if (index >= LIMITS) return from_obstacle(room, arm, th, index - LIMITS);
    if (index == ELBOW)
        return fmin(th[0] - th[1] - room->elbow_low, room->elbow_high - th[0] + th[1]);
    return fmin(th[index] - room->low[index], room->high[index] - th[index]);
}

// ------------------------------------------------------------------------------------------- along

typedef struct Stretch {
    const ib_ArmRoom *room;
    const ib_TwoLink *arm;
    const ib_ArmPoint *a, *b;
    int index;    ///< of the hindrance
    double steep; ///< L
} Stretch;

// The least that is left between `from` and `to` of the cell's length, or something above 0.
static double least(const Stretch *cell, double from, double to, double f0, double f1, int left)
{
    double ds = (to - from) * (cell->b->s - cell->a->s), ends = fmin(f0, f1);
    if (ends < -TOUCH || left == 0 || f0 + f1 > cell->steep * ds) return ends;
    double middle = 0.5 * (from + to);
    ib_ArmPoint at = ib_arm_path_within(cell->a, cell->b, middle);
    double f = spare(cell->room, cell->arm, at.th, cell->index);
    double before = least(cell, from, middle, f0, f, left - 1);
    return before < -TOUCH ? before : least(cell, middle, to, f, f1, left - 1);
}

static bool counts(const ib_ArmRoom *room, int index)
{
    if (index >= LIMITS) return true;
    if (index == ELBOW) return isfinite(room->elbow_low) || isfinite(room->elbow_high);
    return isfinite(room->low[index]) || isfinite(room->high[index]);
}

ib_ArmMeeting ib_arm_room_along(const ib_ArmRoom *room, const ib_TwoLink *arm,
                                const ib_ArmPath *path)
{
    ib_ArmMeeting first = {.hindrance = IB_ARM_FREE};
    double l1 = arm->length[0], l2 = arm->length[1];
    Stretch cell = {.room = room, .arm = arm};
    int last = path->count - 1;
    for (int index = 0; index < LIMITS + room->obstacle_count; index++) {
        if (!counts(room, index)) continue;
        // An angle changes by no more than the way, a difference of angles by sqrt(2) of it.
        cell.steep = index < LIMITS ? 1.4142135623730951 : sqrt(l1 * l1 + l2 * l2);
        cell.index = index;
        double f0 = spare(room, arm, path->points[0].th, index);
        for (int i = 0; i < last; i++) {
            cell.a = &path->points[i];
            cell.b = cell.a + 1;
            double f1 = spare(room, arm, cell.b->th, index);
            double f = least(&cell, 0, 1, f0, f1, HALVINGS);
            f0 = f1;
            if (f >= -TOUCH) continue;
            first = (ib_ArmMeeting){.hindrance =
                                        index < LIMITS ? IB_ARM_MEETS_LIMIT : IB_ARM_MEETS_OBSTACLE,
                                    .index = index < LIMITS ? index : index - LIMITS,
                                    .point = i,
                                    .missing = -f};
            last = i;
        }
    }
    return first;
}

// ------------------------------------------------------------------------------------------- check

static ib_Status check_room(const ib_ArmRoom *room, ib_Error *error)
{
    for (int i = 0; i < 2; i++)
        if (!(room->low[i] < room->high[i]))
            return ib_error_set(error, IB_BAD_INPUT,
                                "joint %d: its limits are %g and %g rad: expected the lower one "
                                "first",
                                i + 1, room->low[i], room->high[i]);
    if (!(room->elbow_low < room->elbow_high))
        return ib_error_set(error, IB_BAD_INPUT,
                            "elbow: its limits are %g and %g rad: expected the lower one first",
                            room->elbow_low, room->elbow_high);
    if (room->obstacle_count < 0 || room->obstacle_count > IB_ARM_OBSTACLES)
        return ib_error_set(error, IB_BAD_INPUT, "%d obstacles: expected at most %d",
                            room->obstacle_count, IB_ARM_OBSTACLES);
    for (int i = 0; i < room->obstacle_count; i++) {
        const ib_ArmObstacle *thing = &room->obstacles[i];
        if (!(thing->radius > 0 && thing->clearance >= 0 && isfinite(thing->radius) &&
              isfinite(thing->clearance) && isfinite(thing->x) && isfinite(thing->z)))
            return ib_error_set(error, IB_BAD_INPUT,
                                "obstacle '%s': expected a place, a radius above 0 and a "
                                "clearance of 0 or more",
                                ib_quote(thing->name).text);
    }
    return IB_OK;
}

// A goal is a way that goes nowhere.
static ib_Status check_goal(const ib_ArmPlan *plan, const ib_ArmGoal *goal, ib_Error *error)
{
    if (!isfinite(goal->th[0]) || !isfinite(goal->th[1]))
        return ib_error_set(error, IB_BAD_INPUT, "goal '%s': expected two finite angles",
                            ib_quote(goal->name).text);
    ib_ArmPoint points[2] = {{.th = {goal->th[0], goal->th[1]}}, {.s = 1e-12}};
    points[1].th[0] = goal->th[0], points[1].th[1] = goal->th[1];
    ib_ArmPath stand = {.count = 2, .points = points};
    ib_ArmMeeting met = ib_arm_room_along(&plan->room, &plan->plant.link, &stand);
    if (met.hindrance == IB_ARM_MEETS_OBSTACLE)
        return ib_error_set(error, IB_BAD_INPUT,
                            "goal '%s' is %.4g m too near to the obstacle '%s': expected one that "
                            "keeps its clearance",
                            ib_quote(goal->name).text, met.missing,
                            plan->room.obstacles[met.index].name);
    if (met.hindrance == IB_ARM_MEETS_LIMIT)
        return ib_error_set(error, IB_BAD_INPUT,
                            "goal '%s' is %.4g rad beyond the limit of %s: expected one within it",
                            ib_quote(goal->name).text, met.missing,
                            met.index == ELBOW ? "the elbow"
                            : met.index == 0   ? "joint 1"
                                               : "joint 2");
    return IB_OK;
}

static bool is_at(const double th[2], const ib_ArmGoal *goal)
{
    return fabs(th[0] - goal->th[0]) <= 1e-6 && fabs(th[1] - goal->th[1]) <= 1e-6;
}

static ib_Status check_track(const ib_ArmPlan *plan, int index, ib_Error *error)
{
    const ib_ArmTrack *track = &plan->tracks[index];
    bool known = track->from >= 0 && track->from < plan->goal_count && track->to >= 0 &&
                 track->to < plan->goal_count && track->from != track->to;
    if (!known)
        return ib_error_set(error, IB_BAD_INPUT,
                            "track %d: expected one from a goal to another of the %d goals",
                            index + 1, plan->goal_count);
    if (track->path.count < 2)
        return ib_error_set(error, IB_BAD_INPUT, "track %d: expected two points or more",
                            index + 1);
    const ib_ArmPoint *begin = track->path.points, *end = begin + track->path.count - 1;
    if (is_at(begin->th, &plan->goals[track->from]) && is_at(end->th, &plan->goals[track->to]))
        return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT,
                        "track %d: it does not lead from '%s' to '%s': expected one that begins "
                        "and ends there",
                        index + 1, ib_quote(plan->goals[track->from].name).text,
                        ib_quote(plan->goals[track->to].name).text);
}

ib_Status ib_arm_plan_check(const ib_ArmPlan *plan, ib_Error *error)
{
    if (plan->goal_count < 1 || plan->goal_count > IB_ARM_GOALS)
        return ib_error_set(error, IB_BAD_INPUT, "%d goals: expected 1 to %d", plan->goal_count,
                            IB_ARM_GOALS);
    if (plan->track_count < 0 || plan->track_count > IB_ARM_TRACKS)
        return ib_error_set(error, IB_BAD_INPUT, "%d tracks: expected at most %d",
                            plan->track_count, IB_ARM_TRACKS);
    ib_Status status = check_room(&plan->room, error);
    for (int i = 0; status == IB_OK && i < plan->goal_count; i++)
        status = check_goal(plan, &plan->goals[i], error);
    for (int i = 0; status == IB_OK && i < plan->track_count; i++)
        status = check_track(plan, i, error);
    return status;
}
