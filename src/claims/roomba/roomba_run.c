// claims/roomba/roomba_run.c: a run of the document's robot, and its steady circle.
#include "claims/roomba/roomba.h"

#include "base/extreme.h"
#include "sim/run.h"

#include <math.h>
#include <string.h>

// --------------------------------------------------------------------------------------- observing

static const char *const state_names[IB_ROOMBA_STATES] = {
    [IB_ROOMBA_X] = IB_NAME_POSE_X,        [IB_ROOMBA_VX] = IB_NAME_VELOCITY_X,
    [IB_ROOMBA_Y] = IB_NAME_POSE_Y,        [IB_ROOMBA_VY] = IB_NAME_VELOCITY_Y,
    [IB_ROOMBA_TH] = IB_NAME_POSE_HEADING, [IB_ROOMBA_W] = IB_NAME_YAW_RATE,
};

typedef struct Signals {
    int index[IB_ROOMBA_STATES]; ///< of each state among the signals
} Signals;

typedef struct Watcher {
    const Signals *signals;
    ib__RoombaCrossing *crossing;
} Watcher;

typedef struct Viewer {
    const Signals *signals;
    ib__RoombaRun *run;
    int next;          ///< index of the next look
    double t[2], w[2]; ///< yaw rate at the starts of the last two steps
} Viewer;

static void keep(const Signals *signals, const double *values, double *state)
{
    for (int i = 0; i < IB_ROOMBA_STATES; i++) state[i] = values[signals->index[i]];
}

static ib_Time next_look(const Viewer *viewer)
{
    if (viewer->next >= viewer->run->look_count) return IB_TIME_NEVER;
    return ib_time_from_seconds(viewer->run->looks[viewer->next].at);
}

static ib_Time view(void *self, ib_Time time, const double *values)
{
    Viewer *viewer = self;
    viewer->t[0] = viewer->t[1];
    viewer->w[0] = viewer->w[1];
    viewer->t[1] = ib_time_to_seconds(time);
    viewer->w[1] = values[viewer->signals->index[IB_ROOMBA_W]];
    if (time == next_look(viewer))
        keep(viewer->signals, values, viewer->run->looks[viewer->next++].state);
    return next_look(viewer);
}

static double margin(const void *self, const double *values)
{
    const Watcher *watcher = self;
    return values[watcher->signals->index[watcher->crossing->signal]] - watcher->crossing->level;
}

static void crossed(void *self, double seconds, const double *values, bool rising)
{
    Watcher *watcher = self;
    ib__RoombaCrossing *crossing = watcher->crossing;
    if (isfinite(crossing->seconds) || rising != crossing->rising) return;
    crossing->seconds = seconds;
    keep(watcher->signals, values, crossing->state);
}

// -------------------------------------------------------------------------------------------- runs

enum { MAX_CROSSINGS = 8 };

// The parts of a run.
typedef struct Rig {
    ib_Timeline inputs[IB_ROOMBA_INPUTS];
    ib_Time times[IB__MAX_LEGS];
    double left[IB__MAX_LEGS], right[IB__MAX_LEGS];
    ib_RobotConfig robot;
    ib_SimConfig config;
    Signals signals;
    Viewer viewer;
    Watcher watchers[MAX_CROSSINGS];
    ib_Arena arena;
    bool ran; ///< a step was made
} Rig;

ib__RoombaRun ib__roomba_run_default(int equations, const ib__RoombaLeg *legs, int leg_count,
                                     double duration)
{
    ib__RoombaRun run = {.solver = {IB_DOPRI5, 1e-12, 1e-9},
                         .step = 5e-3,
                         .legs = legs,
                         .leg_count = leg_count,
                         .duration = duration};
    ib_Error error;
    IB_ASSERT(ib_schema_default(&ib_roomba_kind.params, &run.roomba, &error) == IB_OK);
    IB_ASSERT(ib_schema_default(&ib_roomba_kind.start, &run.roomba, &error) == IB_OK);
    run.roomba.equations = equations;
    return run;
}

// The run as a simulation: legs become timelines of the two forces.
static void rig_init(Rig *rig, ib__RoombaRun *run)
{
    IB_ASSERT(run->leg_count <= IB__MAX_LEGS && run->crossing_count <= MAX_CROSSINGS);
    memset(rig, 0, sizeof *rig);
    rig->viewer = (Viewer){.signals = &rig->signals, .run = run};
    for (int i = 0; i < run->leg_count; i++) {
        rig->times[i] = ib_time_from_seconds(run->legs[i].from);
        rig->left[i] = run->legs[i].left;
        rig->right[i] = run->legs[i].right;
    }
    rig->inputs[IB_ROOMBA_LEFT] = (ib_Timeline){run->leg_count, rig->times, rig->left, false};
    rig->inputs[IB_ROOMBA_RIGHT] = (ib_Timeline){run->leg_count, rig->times, rig->right, false};
    rig->robot = (ib_RobotConfig){.name = "",
                                  .kind = &ib_roomba_kind,
                                  .config = &run->roomba,
                                  .inputs = rig->inputs,
                                  .input_count = IB_ROOMBA_INPUTS};
    rig->config = (ib_SimConfig){.title = "verify",
                                 .robots = &rig->robot,
                                 .robot_count = 1,
                                 .gravity = 9.80665,
                                 .solver = run->solver,
                                 .step = ib_time_from_seconds(run->step),
                                 .duration = ib_time_from_seconds(run->duration),
                                 .seed = 1};
}

static ib_Status attach(void *self, ib_Sim *sim, ib_Error *error)
{
    Rig *rig = self;
    ib__RoombaRun *run = rig->viewer.run;
    for (int i = 0; i < IB_ROOMBA_STATES; i++) {
        rig->signals.index[i] = ib_signals_find(&ib_sim_model(sim)->signals, state_names[i]);
        IB_ASSERT(rig->signals.index[i] >= 0);
    }
    for (int i = 0; i < run->look_count; i++)
        for (int k = 0; k < IB_ROOMBA_STATES; k++) run->looks[i].state[k] = NAN;
    ib_Probe probe = {&rig->viewer, next_look(&rig->viewer), true, view, false};
    ib_Status status = ib_sim_probe(sim, probe, error);
    for (int i = 0; i < run->crossing_count && status == IB_OK; i++) {
        ib__RoombaCrossing *crossing = &run->crossings[i];
        crossing->seconds = NAN;
        for (int k = 0; k < IB_ROOMBA_STATES; k++) crossing->state[k] = NAN;
        rig->watchers[i] = (Watcher){&rig->signals, crossing};
        status = ib_sim_watch(
            sim, (ib_Watch){&rig->watchers[i], margin, crossed, 0, NULL, NULL, NULL}, error);
    }
    return status;
}

// The pole of a yaw rate that diverges like 1/(t* - t): its inverse is a straight line with its
// zero at t*.
static double pole(const Viewer *viewer)
{
    double now = 1 / viewer->w[1], before = 1 / viewer->w[0];
    return viewer->t[1] + now * (viewer->t[1] - viewer->t[0]) / (before - now);
}

static void note_end(void *self, const ib_Sim *sim, ib_Status status, const ib_RunResult *result)
{
    Rig *rig = self;
    ib__RoombaRun *run = rig->viewer.run;
    (void)sim;
    (void)result;
    rig->ran = true;
    run->finite = status == IB_OK ? run->duration : pole(&rig->viewer);
}

ib_Status ib__roomba_run(ib__RoombaRun *run, ib_Error *error)
{
    Rig rig;
    rig_init(&rig, run);
    ib_Model *model;
    ib_Status status = ib_model_create(&rig.config, &rig.arena, &model, error);
    ib_RunPlan plan = {
        .attach = attach, .ended = note_end, .self = &rig, .options = {.only_whole = true}};
    if (status == IB_OK) {
        ib_Error failure;
        plan.model = model;
        status = ib_run_whole(&plan, &failure);
        // Divergence is a result.
        if (!rig.ran) *error = failure;
    }
    ib_arena_reset(&rig.arena);
    return rig.ran ? IB_OK : status;
}

// ----------------------------------------------------------------------------- robot, states, legs

const ib__RoombaLeg ib__roomba_legs[IB__ROOMBA_LEGS] = {
    {0, 2.7, 2.7}, {2.4, 1.4, 2.7}, {10.6665, 2.7, 2.7}, {11.84589, 0, 0}};

ib_RoombaModel ib__roomba_document(int equations)
{
    ib__RoombaRun run = ib__roomba_run_default(equations, NULL, 0, 1);
    ib_RoombaModel model;
    ib_roomba_init(&run.roomba, &model);
    return model;
}

void ib__roomba_wheels(double left, double right, double input[IB_ROOMBA_INPUTS])
{
    memset(input, 0, IB_ROOMBA_INPUTS * sizeof *input);
    for (int i = IB_ROOMBA_GAIN_LEFT; i < IB_ROOMBA_INPUTS; i++) input[i] = 1;
    input[IB_ROOMBA_LEFT] = left;
    input[IB_ROOMBA_RIGHT] = right;
}

double ib__roomba_speed(const double *state)
{
    double vx = state[IB_ROOMBA_VX], vy = state[IB_ROOMBA_VY];
    return sqrt(vx * vx + vy * vy);
}

double ib__roomba_distance(const double *from, const double *to)
{
    double dx = to[IB_ROOMBA_X] - from[IB_ROOMBA_X], dy = to[IB_ROOMBA_Y] - from[IB_ROOMBA_Y];
    return sqrt(dx * dx + dy * dy);
}

double ib__roomba_slip(const double *state)
{
    double s, c, vx = state[IB_ROOMBA_VX], vy = state[IB_ROOMBA_VY];
    ib_sincos(state[IB_ROOMBA_TH], &s, &c);
    return ib_atan2(vy * c - vx * s, vx * c + vy * s) * 57.29577951308232;
}

// ------------------------------------------------------------------------------------- equilibrium

static double signed_root(double x)
{
    return copysign(sqrt(fabs(x)), x);
}

// The velocities for a given load p on both wheels; returns p minus the load that they make.
static double steady_residual(const ib_RoombaModel *model, double left, double right, double p,
                              ib__SteadyCircle *circle)
{
    double vl = signed_root(left / model->kd - p), vr = signed_root(right / model->kd - p);
    circle->vt = (vl + vr) / 2;
    circle->w = (vr - vl) / (2 * model->r);
    double vn2 = model->m * fabs(circle->w) * ib_max(circle->vt, 0) / (2 * model->kn);
    circle->vn = copysign(sqrt(vn2), -circle->w);
    return p - model->m * fabs(circle->w * circle->vn) / (2 * model->kd);
}

// Equilibrium in the robot's frame (all rates zero), with p = -m w vn/(2 kd) >= 0:
//   kd vr|vr| = Fr - kd p,   kd vl|vl| = Fl - kd p     (sum and difference of force and moment)
//   m w vt = -2 kn vn|vn|                              (side drag bends the path)
// One unknown, p, between 0 (no slip) and (Fl + Fr)/(2 kd) (vt = 0), found by bisection.
// Limits: kn -> infinity gives p = 0, v = sqrt(F/kd) of each wheel; Fl = Fr gives w = 0.
ib__SteadyCircle ib__steady_circle(const ib_RoombaModel *model, double left, double right)
{
    ib__SteadyCircle circle;
    double low = 0, high = (left + right) / (2 * model->kd);
    for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        if (steady_residual(model, left, right, middle, &circle) < 0)
            low = middle;
        else
            high = middle;
    }
    steady_residual(model, left, right, (low + high) / 2, &circle);
    circle.speed = sqrt(circle.vt * circle.vt + circle.vn * circle.vn);
    circle.radius = circle.speed / fabs(circle.w);
    circle.slip = ib_atan2(circle.vn, circle.vt);
    return circle;
}
