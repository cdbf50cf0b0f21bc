#include "control/arm/arm_track.h"

#include "base/quote.h"

#include <math.h>
#include <stdio.h>

// A goal may touch an obstacle, as in the desk's ways.
static ib_Status check_goal(const ib_ArmPlan *plan, const ib_ArmGoal *goal, ib_Error *error)
{
    char what[80];
    if (!isfinite(goal->th[0]) || !isfinite(goal->th[1]))
        return ib_error_set(error, IB_BAD_INPUT, "goal '%s': expected two finite angles",
                            ib_quote(goal->name).text);
    snprintf(what, sizeof what, "goal '%s'", ib_quote(goal->name).text);
    ib_ArmNear near = ib_arm_scene_near(&plan->scene, goal->th);
    if (near.distance >= plan->margin - IB_ARM_SCENE_EXACT) return IB_OK;
    return ib_arm_scene_refuse(&plan->scene, &near, plan->margin, what, error);
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
    double duration = track->timing.t[track->path.count - 1];
    if (!(duration > 0 && isfinite(duration)))
        return ib_error_set(error, IB_BAD_INPUT, "track %d: it takes %g s: expected a finite time",
                            index + 1, duration);
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
    if (!(plan->margin >= 0 && isfinite(plan->margin)))
        return ib_error_set(error, IB_BAD_INPUT, "a margin of %g m: expected 0 or more",
                            plan->margin);
    ib_Status status = ib_arm_scene_check(&plan->scene, error);
    for (int i = 0; status == IB_OK && i < plan->goal_count; i++)
        status = check_goal(plan, &plan->goals[i], error);
    for (int i = 0; status == IB_OK && i < plan->track_count; i++)
        status = check_track(plan, i, error);
    return status;
}
