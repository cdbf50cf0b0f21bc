#include "control/leg/leg_goals.h"

#include "base/extreme.h"

#include <string.h>

// ------------------------------------------------------------------------------------------- start

// Forward and up of the body, in the frame of the shoulder that carries the leg.
static ib_Status make_path(const ib_LegGoalsConfig *config, const ib_ControlLegs *legs,
                           ib_LegGoals *goals, ib_Error *error)
{
    const double periods[] = {config->slow, config->medium, config->fast};
    ib_FootPathConfig path = {
        .length = config->length, .height = config->height, .duty = config->duty};
    const ib_Pose *shoulder = &goals->shoulders[goals->leg];
    ib_leg_direction_into(shoulder, (double[]){1, 0, 0}, path.along);
    ib_leg_direction_into(shoulder, (double[]){0, 0, 1}, path.up);
    ib_leg_foot(&legs->leg_model, goals->angles[goals->leg], goals->from);
    memcpy(path.centre, goals->from, sizeof path.centre);
    for (int i = 0; i < 3; i++)
        if (periods[i] > 0) path.pace[path.paces++] = (ib_FootPace){periods[i], config->cycles};
    if (path.paces == 0)
        return ib_error_set(
            error, IB_BAD_INPUT,
            "foot_path.slow: the path has no cycles: expected a period of slow, medium "
            "or fast ones");
    ib_Error why = {0};
    ib_Status status = ib_foot_path_check(&path, &why);
    if (status == IB_OK) {
        ib_foot_path_init(&path, &goals->path);
        status = ib_foot_path_reach(&goals->path, &goals->leg_model, NULL, &why);
    }
    return status == IB_OK ? status : ib_error_set(error, status, "foot_path: %s", why.text);
}

ib_Status ib_leg_goals_init(const ib_LegGoalsConfig *config, const ib_ControlLegs *legs,
                            ib_LegGoals *goals, ib_Error *error)
{
    *goals = (ib_LegGoals){.mode = config->mode,
                           .frame = config->frame,
                           .count = legs->count,
                           .leg_model = legs->leg_model,
                           .start = config->start};
    for (int i = 0; i < legs->count; i++) {
        double foot[3];
        goals->shoulders[i] = legs->shoulders[i];
        for (int j = 0; j < IB_LEG_JOINTS; j++)
            goals->angles[i][j] = legs->joints[IB_LEG_JOINTS * i + j].start;
        ib_leg_foot(&legs->leg_model, goals->angles[i], foot);
        ib_pose_point(&goals->shoulders[i], foot, goals->feet[i]);
        goals->below -= goals->feet[i][2] / legs->count;
    }
    if (config->mode != IB_LEGS_PATH) return IB_OK;
    goals->leg = config->leg;
    return make_path(config, legs, goals, error);
}

int ib_leg_goals_count(const ib_LegGoals *goals)
{
    switch (goals->mode) {
    case IB_LEGS_STAND:
        return IB_STAND_GOALS;
    case IB_LEGS_PATH:
        return 0;
    default:
        return IB_LEG_JOINTS * goals->count;
    }
}

// -------------------------------------------------------------------------------------------- feet

static void stand(const ib_LegGoals *goals, const double *c, int leg, double foot[3])
{
    const double place[3] = {c[IB_STAND_FORWARD], c[IB_STAND_LEFT],
                             c[IB_STAND_HEIGHT] - goals->below};
    const double attitude[3] = {0, c[IB_STAND_PITCH], c[IB_STAND_ROLL]};
    ib_Pose field = ib_pose_field(), body = ib_pose_in(&field, place, attitude);
    double in_body[3];
    ib_leg_point_into(&body, goals->feet[leg], in_body);
    ib_leg_point_into(&goals->shoulders[leg], in_body, foot);
}

static void walk(const ib_LegGoals *goals, double t, double foot[3])
{
    ib_FootPoint at = ib_foot_path_at(&goals->path, t - goals->start);
    double u = goals->start > 0 ? t / goals->start : 1;
    if (u > 1) u = 1;
    double share = u * u * u * (10 + u * (6 * u - 15));
    for (int i = 0; i < 3; i++) foot[i] = goals->from[i] + share * (at.place[i] - goals->from[i]);
}

bool ib_leg_goals_at(const ib_LegGoals *goals, const double *command, double t, int leg,
                     double angle[IB_LEG_JOINTS])
{
    bool each = goals->mode == IB_LEGS_ANGLES || goals->mode == IB_LEGS_FEET;
    const double *own = each ? command + IB_LEG_JOINTS * leg : NULL; // a path has no goals
    double foot[3];
    ib_LegReach reach;
    switch (goals->mode) {
    case IB_LEGS_ANGLES:
        memcpy(angle, own, IB_LEG_JOINTS * sizeof *angle);
        return true;
    case IB_LEGS_STAND:
        stand(goals, command, leg, foot);
        break;
    case IB_LEGS_FEET:
        memcpy(foot, own, sizeof foot);
        if (goals->frame == IB_FEET_IN_BODY) ib_leg_point_into(&goals->shoulders[leg], own, foot);
        break;
    default:
        memcpy(angle, goals->angles[leg], IB_LEG_JOINTS * sizeof *angle);
        if (leg != goals->leg) return true;
        walk(goals, t, foot);
    }
    bool reached = ib_leg_reach(&goals->leg_model, foot, &reach);
    memcpy(angle, reach.angle, sizeof reach.angle);
    for (int j = 0; !reached && j < IB_LEG_JOINTS; j++)
        angle[j] =
            ib_min(ib_max(angle[j], goals->leg_model.range[j][0]), goals->leg_model.range[j][1]);
    return reached;
}

int ib_leg_goals_cycle(const ib_LegGoals *goals, double t)
{
    double into = t - goals->start;
    if (goals->mode != IB_LEGS_PATH || into < 0) return 0;
    if (into >= goals->path.duration) return goals->path.cycles;
    return ib_foot_path_at(&goals->path, into).cycle + 1;
}
