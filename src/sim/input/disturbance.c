#include "sim/input/disturbance.h"

#include "base/extreme.h"
#include "base/maths.h"
#include "robot/planar.h"

#include <math.h>
#include <string.h>

// The input of this role and name; -1: none.
static int find_input(const ib_RobotModel *r, ib_InputRole role, const char *name)
{
    for (int i = 0; i < r->ports.input_count; i++)
        if (r->ports.inputs[i].role == role && !strcmp(r->ports.inputs[i].name, name))
            return r->input + i;
    return -1;
}

// The input that scales `signal` of a robot: a gain of its own, or that of a sensor. -1: none.
static int gain_input(const ib_Model *model, int robot, const char *signal)
{
    int own = find_input(&model->robots[robot], IB_INPUT_GAIN, signal);
    if (own >= 0) return own;
    for (int i = 0; i < model->sensor_count; i++)
        if (model->sensors[i].robot == robot && !strncmp(signal, "sensor.", 7) &&
            !strcmp(model->sensors[i].config->name, signal + 7))
            return model->sensors[i].gain;
    return -1;
}

// Adds one active disturbance to the inputs of one robot.
static void act(const ib_Model *model, const ib_Disturbance *d, int robot, double *input)
{
    const ib_RobotModel *r = &model->robots[robot];
    double s, c;
    ib_sincos(d->direction, &s, &c);
    switch (d->type) {
    case IB_DISTURBANCE_FORCE:
        ib_push_add(input + r->input, d->size * c, d->size * s, d->x, d->y);
        break;
    case IB_DISTURBANCE_IMPULSE:
        input[r->impulse] += d->size * c;
        input[r->impulse + 1] += d->size * s;
        break;
    case IB_DISTURBANCE_TILT: {
        // A floor tilted by a pulls downhill with g sin(a): `press` has the rest.
        double along = model->config->gravity * ib_sin(d->size);
        input[r->input + IB_SLOPE_X] += along * c;
        input[r->input + IB_SLOPE_Y] += along * s;
        break;
    }
    case IB_DISTURBANCE_SCALE: {
        int gain = gain_input(model, robot, d->signal);
        if (gain >= 0) input[gain] *= d->size;
        break;
    }
    case IB_DISTURBANCE_PART: {
        int push = find_input(r, IB_INPUT_PUSH, d->signal);
        if (push >= 0) input[push] += d->size;
        break;
    }
    }
}

// The part of gravity that presses a robot to a sloping floor, computed only here.  g_n^2 = g^2 -
// slope^2, which is above 0 but for roundings: a sum of tilts that reaches g is refused where it
// is read.
static void press(const ib_Model *model, int robot, double *input)
{
    double *own = input + model->robots[robot].input, g = model->config->gravity;
    double along = own[IB_SLOPE_X] * own[IB_SLOPE_X] + own[IB_SLOPE_Y] * own[IB_SLOPE_Y];
    if (along > 0) own[IB_GRAVITY] = sqrt(ib_max(g * g - along, 0));
}

ib_Time ib_disturbances_read(const ib_Model *model, ib_Time time, double *input)
{
    ib_Time until = IB_TIME_NEVER;
    const ib_SimConfig *config = model->config;
    bool tilted = false;
    for (int i = 0; i < config->disturbance_count; i++) {
        const ib_Disturbance *d = &config->disturbances[i];
        // The sum of impulses keeps an impulse for ever; everything else ends.
        bool ended = d->type != IB_DISTURBANCE_IMPULSE && time >= d->until;
        if (time < d->at) until = ib_time_min(until, d->at);
        if (time < d->at || ended) continue;
        if (d->type != IB_DISTURBANCE_IMPULSE) until = ib_time_min(until, d->until);
        tilted |= d->type == IB_DISTURBANCE_TILT;
        for (int robot = 0; robot < model->robot_count; robot++)
            if (d->robot < 0 || d->robot == robot) act(model, d, robot, input);
    }
    for (int robot = 0; tilted && robot < model->robot_count; robot++) press(model, robot, input);
    return until;
}

// Applies one impulse to one robot. The work of an impulse J with torque T about the origin is that
// at the mean of the velocities before and after:
//   W = J . (v0 + v1)/2 + T (w0 + w1)/2
static void jump(const ib_RobotModel *r, const double *push, double *state)
{
    const ib_PlanarModel *planar = r->ports.planar;
    ib_Motion before, after;
    double s, c;
    ib_planar_motion(planar, state, NULL, &before);
    ib_planar_respond(planar, r->kind, r->model, state, push, state);
    if (planar->push_energy < 0) return;
    ib_planar_motion(planar, state, NULL, &after);
    ib_sincos(before.heading, &s, &c);
    state[planar->push_energy] +=
        0.5 * (push[IB_PUSH_X] * (before.vx + after.vx) + push[IB_PUSH_Y] * (before.vy + after.vy) +
               ib_push_torque(push, c, s) * (before.w + after.w));
}

void ib_disturbances_jump(const ib_Model *model, ib_Time time, double *state)
{
    const ib_SimConfig *config = model->config;
    for (int i = 0; i < config->disturbance_count; i++) {
        const ib_Disturbance *d = &config->disturbances[i];
        if (d->type != IB_DISTURBANCE_IMPULSE || d->at != time) continue;
        double push[IB_PUSH_COUNT] = {0}, s, c;
        ib_sincos(d->direction, &s, &c);
        ib_push_add(push, d->size * c, d->size * s, d->x, d->y);
        for (int robot = 0; robot < model->robot_count; robot++) {
            const ib_RobotModel *r = &model->robots[robot];
            if ((d->robot < 0 || d->robot == robot) && r->ports.planar)
                jump(r, push, state + r->state);
        }
    }
}

bool ib_disturbances_push(const ib_Model *model, ib_Time time)
{
    bool some = false;
    for (int i = 0; i < model->config->disturbance_count; i++) {
        const ib_Disturbance *d = &model->config->disturbances[i];
        some |= d->type == IB_DISTURBANCE_IMPULSE && d->at == time;
    }
    return some;
}
