// robot/roomba/roomba_steer.c: what a motion takes of a Roomba, for whoever steers it. Symbols as
// in robot/roomba/roomba.h. Derivation: docs/control/follow.md
#include "base/extreme.h"
#include "robot/roomba/roomba.h"

// Only side drag turns the velocity, m (vn' + w vt) = -2 kn vn|vn|; then Newton and Euler:
//   Fl + Fr = m (vt' - w vn) + kd (vl|vl| + vr|vr|),   Fr - Fl = I w'/r + kd (vr|vr| - vl|vl|)
// Without side drag nothing would turn the velocity: such a robot slides straight on.
static void demand(const ib_Steering *steering, const ib_SteerMotion *motion, ib_SteerDemand *d)
{
    const ib_RoombaModel *model = steering->model;
    double vt = motion->speed, w = motion->yaw_rate;
    double across = motion->drifting + w * vt;
    double aside = model->kn > 0 ? 0.5 * model->m * across / model->kn : 0;
    d->drift = -copysign(sqrt(fabs(aside)), aside);
    double vl = vt - model->r * w, vr = vt + model->r * w;
    double dl = model->kd * vl * fabs(vl), dr = model->kd * vr * fabs(vr);
    double push = 0.5 * model->m * (motion->faster - w * d->drift);
    double turn = 0.5 * motion->yaw_quicker / model->arm;
    d->rim[0] = vl;
    d->rim[1] = vr;
    d->supply = 0;
    d->command[0] = push - turn + dl;
    d->command[1] = push + turn + dr;
    d->share = ib_max(fabs(d->command[0]), fabs(d->command[1])) / model->max_force;
    d->limit = IB_STEERING_COMMANDS;
    if (!(model->kn > 0) && across != 0) {
        d->share = INFINITY;
        d->limit = IB_STEERING_TYRES;
    }
}

// The wheels roll without slip along the heading; across it one implicit step of
//   vn' = -2 kn vn|vn|/m - w vt
static void slide(const void *self, const double rim[2], double w, double dt, double velocity[2])
{
    const ib_RoombaModel *model = ((const ib_Steering *)self)->model;
    double vt = 0.5 * (rim[0] + rim[1]), vn = velocity[1], K = 2 * model->kn / model->m;
    double rate = -K * vn * fabs(vn) - w * vt;
    velocity[0] = vt;
    velocity[1] = vn + dt * rate / (1 + 2 * dt * K * fabs(vn));
}

ib_Status ib__roomba_steer(const ib_RoombaModel *model, double gravity, ib_Steering *steering,
                           ib_Error *error)
{
    if (!(model->drag_arm_left < 0 && model->drag_arm_right > 0))
        return ib_error_set(error, IB_BAD_INPUT,
                            "the published equations turn by themselves and cannot be steered: "
                            "expected equations: corrected");
    *steering = (ib_Steering){
        .model = model,
        .gravity = gravity,
        .mass = model->m,
        .inertia = model->inertia,
        .commands = {"left", "right"},
        .range = model->max_force,
        .rims = {"wheel.left.speed", "wheel.right.speed"},
        .radius = 1,
        .yaw_rate = "velocity.heading",
        .half_track = model->r,
        .demand = demand,
        .slide = slide,
    };
    return IB_OK;
}
