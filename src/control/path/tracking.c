#include "control/path/tracking.h"

#include "base/extreme.h"
#include "base/maths.h"

#define BEND 0.6 ///< most that an error across bends the heading [rad]

ib_TrackingError ib_tracking_error(const ib_BasePose *pose, const ib_Reference *reference)
{
    double s, c, ex = reference->x - pose->x, ey = reference->y - pose->y;
    ib_sincos(pose->heading, &s, &c);
    return (ib_TrackingError){c * ex + s * ey, c * ey - s * ex, reference->heading - pose->heading};
}

void ib_tracking_motion(const ib_Locomotion *base, const ib_BasePose *pose,
                        const ib_Reference *reference, double K, ib_AxisMotion *motion)
{
    const ib_Reference *r = reference;
    ib_TrackingError e = ib_tracking_error(pose, r);
    double s, c;
    if (base->gain > 0) K = base->gain;
    double Q = 0.75 * K * K;
    ib_sincos(pose->heading, &s, &c);
    double ahead = c * r->vx + s * r->vy, left = c * r->vy - s * r->vx;
    double w = r->turning + K * e.heading;
    *motion =
        (ib_AxisMotion){{ahead + K * e.along, 0, w}, {c * r->ax + s * r->ay, 0, r->turn_rate}};
    if (ib_is_holonomic(base)) {
        motion->velocity[1] = left + K * e.across;
        motion->rate[1] = c * r->ay - s * r->ax;
    } else {
        motion->velocity[2] += ib_max(-BEND * K, ib_min(BEND * K, Q * ahead * e.across));
    }
}

void ib_tracking_push(const ib_Locomotion *base, const ib_BasePose *pose, double K,
                      ib_AxisMotion *motion)
{
    if (ib_is_holonomic(base)) return;
    motion->rate[0] += 2 * K * (motion->velocity[0] - pose->forward);
    motion->rate[2] += 2 * K * (motion->velocity[2] - pose->turning);
}

double ib_tracking_rest(const ib_Locomotion *base, double error, double speed, double K)
{
    return base->coasts ? error - speed / (2 * K) : error;
}

void ib_tracking_stand(const ib_Locomotion *base, const ib_BasePose *pose, double K, double dt,
                       ib_AxisMotion *motion)
{
    const double now[IB_AXES] = {pose->forward, pose->left, pose->turning};
    *motion = (ib_AxisMotion){0};
    for (int i = 0; base->coasts && i < IB_AXES; i++)
        motion->rate[i] = -ib_min(2 * K, 0.5 / dt) * now[i];
}
