// claims/control/control_goal.c: values for the claims about polytopes and the turning of
// the drivetrain.
#include "claims/control/control.h"

#include "base/extreme.h"
#include "control/driving/drive_loop.h"
#include "control/feedback/polytope.h"

#include <math.h>

static double distance(const double a[2], const double b[2])
{
    double dx = a[0] - b[0], dy = a[1] - b[1];
    return sqrt(dx * dx + dy * dy);
}

// The distance of a point from the region; rows of H have unit length.
static double outside(const ib__GoalCase *goal, const double q[2])
{
    double most = 0;
    for (int i = 0; i < 4; i++)
        most = ib_max(most, goal->H[2 * i] * q[0] + goal->H[2 * i + 1] * q[1] - goal->k[i]);
    return most;
}

static double off_line(const ib__GoalCase *goal, const double q[2])
{
    double length = sqrt(goal->K[0] * goal->K[0] + goal->K[1] * goal->K[1]);
    return fabs(goal->K[0] * q[0] + goal->K[1] * q[1] - goal->w) / length;
}

// The eight cases: the program's answer by the text's rule, and that of the public code.
static void cases(ib_ClaimValue *found)
{
    double worst = 0, out[2] = {0}, off[2] = {0};
    for (int i = 0; i < IB__GOAL_CASES; i++) {
        const ib__GoalCase *goal = &ib__goal_cases[i];
        double answer[2] = {NAN, NAN};
        ib_PolytopeOutcome outcome =
            ib_polytope2_coerce(4, goal->H, goal->k, goal->K, goal->w, goal->dot, answer);
        bool right = outcome == (goal->on_line ? IB_POLYTOPE_OK : IB_POLYTOPE_OFF_LINE);
        worst = right ? ib_max(worst, distance(answer, goal->answer)) : INFINITY;
        found[IB__GOAL_CASE + i].form[IB__LETTER] = distance(goal->code, answer);
        out[IB__DESK] = ib_max(out[IB__DESK], outside(goal, answer));
        out[IB__LETTER] = ib_max(out[IB__LETTER], outside(goal, goal->code));
        if (goal->on_line) {
            off[IB__DESK] = ib_max(off[IB__DESK], off_line(goal, answer));
            off[IB__LETTER] = ib_max(off[IB__LETTER], off_line(goal, goal->code));
        }
    }
    found[IB__GOAL_ANSWER].form[IB__DESK] = worst;
    for (int form = IB__DESK; form <= IB__LETTER; form++) {
        found[IB__GOAL_OUTSIDE].form[form] = out[form];
        found[IB__GOAL_OFF].form[form] = off[form];
    }
}

// A dot inside of the region and beside the line. The public code returns it unchanged.
static void dot_inside(ib_ClaimValue *found)
{
    ib__GoalCase goal = ib__goal_cases[5];
    double answer[2] = {NAN, NAN};
    goal.dot[0] = 3, goal.dot[1] = 0;
    ib_polytope2_coerce(4, goal.H, goal.k, goal.K, goal.w, goal.dot, answer);
    found[IB__GOAL_INSIDE].form[IB__DESK] = off_line(&goal, answer);
    found[IB__GOAL_INSIDE].form[IB__LETTER] = off_line(&goal, goal.dot);
}

// "The problem does generalize to n dimensions": a cube of +-12, the plane x = y, the dot
// (13, 0, 5), whose foot (6.5, 6.5, 5) is inside.
static void in_space(ib_ClaimValue *found)
{
    const double H[18] = {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1};
    const double k[6] = {12, 12, 12, 12, 12, 12}, K[3] = {1, -1, 0}, w = 0, dot[3] = {13, 0, 5};
    double answer[3] = {NAN, NAN, NAN};
    ib_polytope_coerce(3, 6, H, k, 1, K, &w, dot, answer);
    double off = ib_max(fabs(answer[0] - 6.5), fabs(answer[1] - 6.5));
    found[IB__GOAL_SPACE].form[IB__DESK] = ib_max(off, fabs(answer[2] - 5));
}

// Full throttle from rest with half of the wheel: 12 V do not give that speed at once.
static ib_Status turning(ib_ClaimValue *found, const ib_Loop *loop, ib_Error *error)
{
    const ib_DriveConfig config = {.half_track = 0.308, .radius = 1, .voltage = 12};
    const double rest[IB_STATES_MAX] = {0};
    ib_DriveModel model;
    ib_DriveGoal goal;
    ib_Status status = ib_drive_init(loop, &config, &model, error);
    if (status != IB_OK) return status;
    ib_drive_goal(&model, 1, 0.5, 12, 0, rest, &goal);
    double left = goal.goal[0], right = goal.goal[1];
    found[IB__GOAL_RADIUS].form[IB__DESK] = 0.308 * (right + left) / (right - left) / 2; // of 2 m
    found[IB__GOAL_SPEED].form[IB__DESK] = (left + right) / (goal.wish[0] + goal.wish[1]);
    return IB_OK;
}

ib_Status ib__control_claims_goal(ib_ClaimValue *found, ib_Error *error)
{
    cases(found);
    dot_inside(found);
    in_space(found);
    ib_DesignFile *file = ib__control_drivetrain("5 ms", error);
    if (!file) return IB_FAILED;
    ib_Status status = turning(found, file->loop, error);
    ib_design_file_destroy(file);
    return status;
}
