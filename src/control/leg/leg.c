// control/leg/leg.c: a leg's angles from its foot, its frames, the torques that hold it.
#include "control/leg/leg.h"

#include "base/extreme.h"

#include <math.h>
#include <string.h>

#define PI     3.14159265358979323846
#define DEGREE (PI / 180)
#define SLACK  1e-9 ///< an angle that rounding has taken out of its range by so much is in it [rad]

const char *const ib_leg_joints[] = {"alpha", "beta", "gamma", NULL};

// ------------------------------------------------------------------------------------------ config

ib_LegConfig ib_leg_default(void)
{
    return (ib_LegConfig){
        .a1 = 0.1462,
        .d1 = 0.025,
        .a2 = 0.174,
        .a3 = 0.2795,
        .range = {{-47 * DEGREE, 90 * DEGREE},
                  {-67 * DEGREE, -1 * DEGREE},
                  {17 * DEGREE, 95 * DEGREE}},
    };
}

ib_Status ib_leg_check(const ib_LegConfig *c, ib_Error *error)
{
    const struct {
        const char *key;
        double value;
        bool above;
    } lengths[] = {{"a1", c->a1, false}, {"a2", c->a2, true}, {"a3", c->a3, true}};
    for (int i = 0; i < 3; i++) {
        double value = lengths[i].value;
        if (isfinite(value) && (lengths[i].above ? value > 0 : value >= 0)) continue;
        return ib_error_set(error, IB_BAD_INPUT, "%s: expected %s, got %g m", lengths[i].key,
                            lengths[i].above ? "more than 0 m" : "0 m or more", value);
    }
    if (!isfinite(c->d1))
        return ib_error_set(error, IB_BAD_INPUT, "d1: expected a length, got %g m", c->d1);
    for (int i = 0; i < IB_LEG_JOINTS; i++) {
        const double *range = c->range[i];
        if (!(isfinite(range[0]) && isfinite(range[1]) && range[0] < range[1]))
            return ib_error_set(error, IB_BAD_INPUT,
                                "%s.range: expected a lower angle and a higher one, got %g deg and "
                                "%g deg",
                                ib_leg_joints[i], range[0] / DEGREE, range[1] / DEGREE);
        if (range[1] - range[0] > 2 * PI)
            return ib_error_set(error, IB_BAD_INPUT,
                                "%s.range: expected at most one turn, got %g deg", ib_leg_joints[i],
                                (range[1] - range[0]) / DEGREE);
    }
    return IB_OK;
}

void ib_leg_init(const ib_LegConfig *c, ib_LegModel *leg)
{
    *leg = (ib_LegModel){.a1 = c->a1,
                         .d1 = c->d1,
                         .a2 = c->a2,
                         .a3 = c->a3,
                         .far = c->a2 + c->a3,
                         .near = fabs(c->a2 - c->a3)};
    memcpy(leg->range, c->range, sizeof leg->range);
    for (int i = 0; i < IB_LEG_JOINTS; i++) {
        leg->mass[i] = c->links[i].mass;
        memcpy(leg->centre[i], c->links[i].centre, sizeof leg->centre[i]);
    }
}

// ---------------------------------------------------------------------------------------- forwards

// Columns of a turn are the axes. At beta and gamma z is (-s1, c1, 0), and x points along the link,
// down by the sum of the angles.
static ib_Pose planar_frame(const ib_LegPose *p, double s, double c)
{
    return (ib_Pose){
        .turn = {p->c1 * c, -p->c1 * s, -p->s1, p->s1 * c, -p->s1 * s, p->c1, -s, -c, 0}};
}

void ib_leg_frames(const ib_LegModel *leg, const double th[3], ib_Pose frames[3])
{
    ib_LegPose p = ib_leg_pose(leg, th);
    frames[0] = (ib_Pose){.turn = {p.c1, -p.s1, 0, p.s1, p.c1, 0, 0, 0, 1}};
    frames[1] = planar_frame(&p, p.s2, p.c2);
    frames[2] = planar_frame(&p, p.s23, p.c23);
    double knee = leg->a1 + leg->a2 * p.c2;
    const double beta[3] = {p.c1 * leg->a1, p.s1 * leg->a1, leg->d1};
    const double gamma[3] = {p.c1 * knee, p.s1 * knee, leg->d1 - leg->a2 * p.s2};
    memcpy(frames[1].place, beta, sizeof beta);
    memcpy(frames[2].place, gamma, sizeof gamma);
}

// --------------------------------------------------------------------------------------- backwards

// The same angle, half a turn or less from the middle of the range.
static double near_range(double angle, const double range[2])
{
    double middle = 0.5 * (range[0] + range[1]);
    if (angle > middle + PI) angle -= 2 * PI;
    if (angle < middle - PI) angle += 2 * PI;
    return angle;
}

// The joint of these angles that is farthest out of its range, and the excess [rad].
static double worst(const ib_LegModel *leg, const double angle[3], int *joint)
{
    double most = -INFINITY;
    for (int i = 0; i < IB_LEG_JOINTS; i++) {
        double out = ib_max(leg->range[i][0] - angle[i], angle[i] - leg->range[i][1]);
        if (out > most) {
            most = out;
            *joint = i;
        }
    }
    return most;
}

// One of the four solutions: `side` -1 reaches back over the shoulder, `knee` is the sign of gamma.
// Half the knee's angle is well behaved for a stretched knee:
//   tan(th3/2) = sqrt((far^2 - D^2)/(D^2 - near^2)),   D^2 = rho^2 + z'^2
// Returns D [m]; beyond far and near the knee is at its limit and points there.
static double solve(const ib_LegModel *leg, const double foot[3], double side, double knee,
                    double angle[3])
{
    double x = foot[0], y = foot[1], down = leg->d1 - foot[2];
    double rho = side * sqrt(x * x + y * y) - leg->a1, D = sqrt(rho * rho + down * down);
    double over = ib_max((leg->far - D) * (leg->far + D), 0);
    double under = ib_max((D - leg->near) * (D + leg->near), 0);
    double s3, c3;
    angle[0] = near_range(ib_atan2(side * y, side * x), leg->range[0]);
    angle[2] = near_range(knee * 2 * ib_atan2(sqrt(over), sqrt(under)), leg->range[2]);
    ib_sincos(angle[2], &s3, &c3);
    double bend = ib_atan2(leg->a3 * s3, leg->a2 + leg->a3 * c3);
    angle[1] = near_range(ib_atan2(down, rho) - bend, leg->range[1]);
    return D;
}

// Distances within rounding of the limits count as reached; NAN is too far.
static ib_LegLimit distance_limit(const ib_LegModel *leg, double D)
{
    double rounding = 1e-15 * leg->far;
    if (!(D <= leg->far + rounding)) return IB_LEG_TOO_FAR;
    return D < leg->near - rounding ? IB_LEG_TOO_NEAR : IB_LEG_REACHED;
}

bool ib_leg_reach(const ib_LegModel *leg, const double foot[3], ib_LegReach *reach)
{
    // The likeliest first: in front of the shoulder, the knee the way its range has it.
    double knee = leg->range[2][0] + leg->range[2][1] >= 0 ? 1 : -1, least = INFINITY;
    memset(reach, 0, sizeof *reach);
    memcpy(reach->foot, foot, sizeof reach->foot);
    for (int n = 0; n < 4; n++) {
        double angle[3], side = n < 2 ? 1 : -1;
        int joint = 0;
        double D = solve(leg, foot, side, n % 2 == 0 ? knee : -knee, angle);
        ib_LegLimit limit = distance_limit(leg, D);
        if (n == 0 && limit != IB_LEG_REACHED) {
            reach->limit = limit;
            reach->is = D;
            reach->may = limit == IB_LEG_TOO_FAR ? leg->far : leg->near;
            memcpy(reach->angle, angle, sizeof angle);
        }
        if (limit != IB_LEG_REACHED) continue;
        double out = worst(leg, angle, &joint);
        // If the leg's own side does not reach, the other one is not reported.
        bool beside = reach->limit == IB_LEG_TOO_FAR || reach->limit == IB_LEG_TOO_NEAR;
        if (!(out < least) || (beside && out > SLACK)) continue;
        least = out;
        reach->limit = out > SLACK ? IB_LEG_BEYOND : IB_LEG_REACHED;
        reach->joint = joint;
        reach->is = angle[joint];
        reach->may = leg->range[joint][angle[joint] > leg->range[joint][0]];
        memcpy(reach->angle, angle, sizeof angle);
        if (out <= SLACK) return true;
    }
    return false;
}

ib_Status ib_leg_refuse(const ib_LegReach *reach, ib_Error *error)
{
    const double *p = reach->foot;
    if (reach->limit == IB_LEG_BEYOND)
        return ib_error_set(error, IB_BAD_INPUT,
                            "foot at (%g, %g, %g) m of its shoulder: joint %s would be at %g deg, "
                            "beyond its %g deg",
                            p[0], p[1], p[2], ib_leg_joints[reach->joint], reach->is / DEGREE,
                            reach->may / DEGREE);
    bool far = reach->limit == IB_LEG_TOO_FAR;
    return ib_error_set(error, IB_BAD_INPUT,
                        "foot at (%g, %g, %g) m of its shoulder: too %s: %g m from the beta joint, "
                        "where femur and tibia reach %s %g m",
                        p[0], p[1], p[2], far ? "far" : "near", reach->is,
                        far ? "no farther than" : "no nearer than", reach->may);
}

// Rates in the leg's plane, with u = th2' and w = th2' + th3':
//   r' = -a2 s2 u - a3 s23 w,   z' = -a2 c2 u - a3 c23 w,   det = a2 a3 sin(th3)
bool ib_leg_rates(const ib_LegModel *leg, const double th[3], const double velocity[3],
                  double rates[3])
{
    ib_LegPose p = ib_leg_pose(leg, th);
    double out = p.c1 * velocity[0] + p.s1 * velocity[1], up = velocity[2];
    double about = p.c1 * velocity[1] - p.s1 * velocity[0];
    double s3 = p.s23 * p.c2 - p.c23 * p.s2, det = leg->a2 * leg->a3 * s3;
    rates[0] = rates[1] = rates[2] = 0;
    if (fabs(p.r) < SLACK * leg->far || fabs(s3) < SLACK) return false;
    double u = leg->a3 * (p.c23 * out - p.s23 * up) / det;
    double w = leg->a2 * (p.s2 * up - p.c2 * out) / det;
    rates[0] = about / p.r;
    rates[1] = u;
    rates[2] = w - u;
    return true;
}

// ------------------------------------------------------------------------------------------ forces

// Torque of a force at a point about each of the first `joints` axes:  z_j . ((p - o_j) x f)
static void take_torques(const ib_Pose frames[3], int joints, const double point[3],
                         const double f[3], double scale, double torque[3])
{
    for (int j = 0; j < joints; j++) {
        const double *o = frames[j].place, *turn = frames[j].turn;
        double d[3] = {point[0] - o[0], point[1] - o[1], point[2] - o[2]};
        torque[j] -=
            scale * (turn[2] * (d[1] * f[2] - d[2] * f[1]) + turn[5] * (d[2] * f[0] - d[0] * f[2]) +
                     turn[8] * (d[0] * f[1] - d[1] * f[0]));
    }
}

void ib_leg_hold(const ib_LegModel *leg, const double th[3], const double force[3],
                 const double gravity[3], double torque[3])
{
    ib_Pose frames[3];
    double point[3];
    ib_leg_frames(leg, th, frames);
    ib_leg_foot(leg, th, point);
    torque[0] = torque[1] = torque[2] = 0;
    take_torques(frames, 3, point, force, 1, torque);
    for (int i = 0; i < IB_LEG_JOINTS; i++) {
        ib_pose_point(&frames[i], leg->centre[i], point);
        take_torques(frames, i + 1, point, gravity, leg->mass[i], torque);
    }
}

// --------------------------------------------------------------------------------------- shoulders

ib_Pose ib_leg_shoulder(const ib_ShoulderConfig *config)
{
    ib_Pose body = ib_pose_field();
    const double attitude[3] = {config->heading, config->tilt, 0};
    return ib_pose_in(&body, config->place, attitude);
}

void ib_leg_shoulders(double along, double across, double up, double tilt,
                      ib_Pose shoulders[IB_LEG_LEGS])
{
    for (int i = 0; i < IB_LEG_LEGS; i++) {
        bool front = i == IB_LEG_FL || i == IB_LEG_FR, left = i == IB_LEG_FL || i == IB_LEG_RL;
        ib_ShoulderConfig config = {.place = {front ? along : -along, left ? across : -across, up},
                                    .heading = left ? 0.5 * PI : -0.5 * PI,
                                    .tilt = tilt};
        shoulders[i] = ib_leg_shoulder(&config);
    }
}

ib_Pose ib_leg_body(const double place[3], const double quaternion[4])
{
    double w = quaternion[0], x = quaternion[1], y = quaternion[2], z = quaternion[3];
    double k = 2 / (w * w + x * x + y * y + z * z);
    return (ib_Pose){.turn = {1 - k * (y * y + z * z), k * (x * y - w * z), k * (x * z + w * y),
                              k * (x * y + w * z), 1 - k * (x * x + z * z), k * (y * z - w * x),
                              k * (x * z - w * y), k * (y * z + w * x), 1 - k * (x * x + y * y)},
                     .place = {place[0], place[1], place[2]}};
}

ib_Pose ib_leg_chain(const ib_Pose *parent, const ib_Pose *child)
{
    ib_Pose pose;
    ib_pose_point(parent, child->place, pose.place);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            pose.turn[3 * i + k] = parent->turn[3 * i] * child->turn[k] +
                                   parent->turn[3 * i + 1] * child->turn[3 + k] +
                                   parent->turn[3 * i + 2] * child->turn[6 + k];
    return pose;
}

void ib_leg_direction_into(const ib_Pose *pose, const double outer[3], double own[3])
{
    const double *turn = pose->turn;
    double x = outer[0], y = outer[1], z = outer[2]; // they may be the same memory
    for (int k = 0; k < 3; k++) own[k] = turn[k] * x + turn[3 + k] * y + turn[6 + k] * z;
}

void ib_leg_point_into(const ib_Pose *pose, const double outer[3], double own[3])
{
    const double *place = pose->place;
    double from[3] = {outer[0] - place[0], outer[1] - place[1], outer[2] - place[2]};
    ib_leg_direction_into(pose, from, own);
}
