// robot/roomba/roomba_locomotion.c: the forces that a motion requires of a Roomba, for routines and
// paths. Symbols as in robot/roomba/roomba.h. Derivation: docs/control/locomotion.md
#include "base/extreme.h"
#include "control/path/trajectory.h"
#include "robot/parts.h"
#include "robot/roomba/roomba.h"

// Only side drag turns the velocity, m (vn' + w vt) = -2 kn vn|vn|; then Newton and Euler:
//   Fl + Fr = m (vt' - w vn) + kd (vl|vl| + vr|vr|),   Fr - Fl = I w'/r + kd (vr|vr| - vl|vl|)
// Without side drag the velocity cannot turn: such a robot slides straight on.
static void demand(const ib_Locomotion *base, const ib_AxisMotion *motion, ib_MotionDemand *d)
{
    const ib_RoombaModel *model = ib_parts_own(base->model);
    double vt = motion->velocity[0], w = motion->velocity[2];
    double across = motion->rate[1] + w * vt;
    double aside = model->kn > 0 ? 0.5 * model->m * across / model->kn : 0;
    *d =
        (ib_MotionDemand){.drift = -copysign(sqrt(fabs(aside)), aside), .limit = IB_LIMIT_COMMANDS};
    double vl = vt - model->r * w, vr = vt + model->r * w;
    double dl = model->kd * vl * fabs(vl), dr = model->kd * vr * fabs(vr);
    double push = 0.5 * model->m * (motion->rate[0] - w * d->drift);
    double turn = 0.5 * motion->rate[2] / model->arm;
    d->rim[0] = vl;
    d->rim[1] = vr;
    d->command[0] = push - turn + dl;
    d->command[1] = push + turn + dr;
    d->share = ib_max(fabs(d->command[0]), fabs(d->command[1])) / model->max_force;
    if (!(model->kn > 0) && across != 0) {
        d->share = INFINITY;
        d->limit = IB_LIMIT_TYRES;
    }
}

// The wheels roll without slip along the heading; across it one implicit step of
//   vn' = -2 kn vn|vn|/m - w vt
static void slide(const ib_Locomotion *base, const double rim[2], double w, double dt,
                  double velocity[2])
{
    const ib_RoombaModel *model = ib_parts_own(base->model);
    double vt = 0.5 * (rim[0] + rim[1]), vn = velocity[1], K = 2 * model->kn / model->m;
    double rate = -K * vn * fabs(vn) - w * vt;
    velocity[0] = vt;
    velocity[1] = vn + dt * rate / (1 + 2 * dt * K * fabs(vn));
}

// True if a loop can drive a path for which no plan was found.
static bool can_follow(const ib_Locomotion *base, const ib_PathConfig *path, ib_PathPoint start)
{
    ib_Arena arena = {0};
    ib_Trajectory trajectory;
    ib_TrajectoryConfig config = ib_trajectory_default();
    bool found = !ib_trajectory_init(&config, path, start, base, &arena, &trajectory, NULL);
    ib_arena_reset(&arena);
    return found;
}

static ib_Status plan(const ib_Locomotion *base, const double *state, const ib_PathConfig *path,
                      ib_Arena *arena, ib_Plan *plan, ib_Error *error)
{
    const ib_PartsModel *robot = base->model;
    ib_Motion m;
    ib_planar_motion(&robot->body.planar, state, NULL, &m);
    const double own[IB_ROOMBA_STATES] = {
        [IB_ROOMBA_TH] = m.heading, [IB_ROOMBA_VX] = m.vx, [IB_ROOMBA_VY] = m.vy,
        [IB_ROOMBA_W] = m.w,        [IB_ROOMBA_X] = m.x,   [IB_ROOMBA_Y] = m.y};
    ib_Status status = ib_roomba_plan(robot->own, own, path, arena, plan, error);
    ib_PathPoint start = {.x = m.x, .y = m.y, .course = m.heading};
    if (status == IB_BAD_INPUT && error && can_follow(base, path, start)) {
        ib_Error why = *error;
        ib_error_set(error, status, "%s; mode: follow drives it", why.text);
    }
    return status;
}

ib_Status ib__roomba_locomotion(const void *robot, const double *state, double gravity,
                                ib_Locomotion *base, ib_Error *error)
{
    const ib_RoombaModel *model = ib_parts_own(robot);
    (void)state;
    if (!(model->drag_arm_left < 0 && model->drag_arm_right > 0))
        return ib_error_set(error, IB_BAD_INPUT,
                            "the published equations turn by themselves and cannot be steered: "
                            "expected equations: corrected");
    *base = (ib_Locomotion){
        .model = robot,
        .gravity = gravity,
        .mass = model->m,
        .inertia = model->inertia,
        .count = 2,
        .commands = {"left", "right"},
        .range = model->max_force,
        .coasts = true,
        .half_track = model->r,
        .demand = demand,
        .slide = slide,
        .plan = plan,
    };
    return IB_OK;
}
