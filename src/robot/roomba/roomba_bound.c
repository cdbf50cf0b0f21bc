// robot/roomba/roomba_bound.c: the lower bound of all plans: see docs/control/path.md,
// "lower bound".
#include "base/extreme.h"
#include "robot/roomba/roomba_plan.h"

#include <math.h>

// Along the course:   m v' <= 2 F - 2 kd v^2 cos^2 b - 2 kn v^2 |sin b|^3
// A slip of 2 kd/(3 kn) saves more rolling drag than it costs side drag; the most it can save is
//   kd (1 - (4/27)(kd/kn)^2) instead of kd
// (for kn < 2 kd/3 the best slip would be a right angle, with a drag of kn).
static double least_drag(const ib_RoombaModel *model)
{
    double kd = model->kd, kn = model->kn;
    if (3 * kn < 2 * kd) return ib_min(kd, kn);
    return kn > 0 ? kd * (1 - 4.0 / 27 * (kd / kn) * (kd / kn)) : 0;
}

// The outer wheel on an arc. Newton and Euler added, with the outer wheel's force Fo <= F:
//   m vt' + (I/r) w' = 2 (Fo - kd vo^2) + m w vn,    w vn <= 0 while slip points inward
// Over a time T in which that wheel rolls D, (integral of vo^2) >= D^2/T:
//   kd D^2 <= F T^2 + p T/2,    p = m v + I w/r at the beginning, all of which may be used up
// D = length cos b + r (turn - 2 b) with the slip b of the steady circle.
static double arc_bound(const ib_RoombaModel *model, const ib_PathElement *e, double k_before,
                        double v)
{
    ib__RoombaCircle circle = ib__roomba_circle(model, e->curvature);
    double slip = ib_atan2(fabs(circle.vn), circle.vt), k = fabs(e->curvature);
    double roll = e->length * circle.vt + model->r * ib_max(0, k * e->length - 2 * slip);
    double p = model->m * v + v * ib_max(k, fabs(k_before)) / model->arm, f = model->max_force;
    double half = 0.25 * p;
    return (-half + sqrt(half * half + f * model->kd * roll * roll)) / f;
}

double ib__roomba_bound(const ib__RoombaTask *task)
{
    const ib_PathConfig *path = task->path;
    double kd = least_drag(task->model), v = task->speed, bound = 0;
    for (int i = 0; i < path->count; i++) {
        const ib_PathElement *e = &path->elements[i];
        double t, k_before = i > 0 ? path->elements[i - 1].curvature : 0;
        double next = ib__roomba_speed_up(task->model, kd, v, e->length, &t);
        if (e->curvature != 0) t = ib_max(t, arc_bound(task->model, e, k_before, v));
        bound += t;
        v = next;
    }
    return bound;
}
