#include "robot/planar.h"

#include <string.h>

const ib_PresetDef ib_bumper_presets = {.file = "bumpers"};
const ib_BumperConfig ib_bumper_foam = {1, 0.3, 1, 0.5};

const ib_SignalDef ib_planar_signals[IB_PLANAR_SIGNALS] = {IB_PLANAR_SIGNAL_ROWS};

void ib_planar_declare(ib_PlanarModel *planar, bool own_axes, double mass, double inertia,
                       ib_Declarations *d)
{
    *planar =
        (ib_PlanarModel){.per_mass = 1 / mass, .per_inertia = 1 / inertia, .own_axes = own_axes};
    planar->contact_energy = planar->push_energy = -1;
    const struct {
        int *at;
        ib_SignalForm form;
    } states[IB_PLANAR_SIGNALS] = {
        [IB_PLANAR_SIGNAL_X] = {&planar->x, IB_SUM},
        [IB_PLANAR_SIGNAL_Y] = {&planar->y, IB_SUM},
        [IB_PLANAR_SIGNAL_HEADING] = {&planar->heading, IB_STATE},
        [IB_PLANAR_SIGNAL_W] = {&planar->yaw_rate, IB_STATE},
        [IB_PLANAR_SIGNAL_VX] = {own_axes ? NULL : &planar->velocity[0], IB_STATE},
        [IB_PLANAR_SIGNAL_VY] = {own_axes ? NULL : &planar->velocity[1], IB_STATE},
        [IB_PLANAR_SIGNAL_FORWARD] = {own_axes ? &planar->velocity[0] : NULL, IB_STATE},
        [IB_PLANAR_SIGNAL_LEFT] = {own_axes ? &planar->velocity[1] : NULL, IB_STATE},
    };
    int first = d->signals.count;
    ib_declare(d, "", NULL, ib_planar_signals, IB_PLANAR_SIGNALS, NULL);
    for (int i = 0; i < IB_PLANAR_SIGNALS; i++) {
        if (!states[i].at) continue;
        ib_declare_states(d, 1, states[i].form, states[i].at);
        ib_declare_shown(d, states[i].at, 0, first + i);
    }
}

void ib_planar_reset(const ib_PlanarModel *planar, const ib_PlanarConfig *config, double *state)
{
    double c, s, vx = config->velocity_x, vy = config->velocity_y;
    ib_sincos(config->heading, &s, &c);
    state[planar->x] = config->x;
    state[planar->y] = config->y;
    state[planar->heading] = config->heading;
    state[planar->velocity[0]] = planar->own_axes ? vx * c + vy * s : vx;
    state[planar->velocity[1]] = planar->own_axes ? vy * c - vx * s : vy;
    state[planar->yaw_rate] = config->velocity_heading;
}

void ib_planar_motion(const ib_PlanarModel *planar, const double *state, const double *rate,
                      ib_Motion *motion)
{
    const int *v = planar->velocity;
    *motion = (ib_Motion){.x = state[planar->x],
                          .y = state[planar->y],
                          .heading = state[planar->heading],
                          .vx = state[v[0]],
                          .vy = state[v[1]],
                          .w = state[planar->yaw_rate]};
    if (rate) {
        motion->ax = rate[v[0]];
        motion->ay = rate[v[1]];
        motion->alpha = rate[planar->yaw_rate];
    }
    if (!planar->own_axes) return;
    // Its own axes turn:  a = (u' - w n, n' + w u)
    double c, s;
    ib_sincos(motion->heading, &s, &c);
    double u = motion->vx, n = motion->vy;
    motion->vx = u * c - n * s;
    motion->vy = u * s + n * c;
    if (!rate) return;
    double a = motion->ax - motion->w * n, b = motion->ay + motion->w * u;
    motion->ax = a * c - b * s;
    motion->ay = a * s + b * c;
}

// A free body answers alike in all directions,  dv = J/m, dw = turn/I:  where its velocity is along
// the field's axes, nothing need be turned.
void ib_planar_respond(const ib_PlanarModel *planar, const ib_RobotKind *kind, const void *model,
                       const double *state, const double *push, double *change)
{
    double c, s, jx = push[IB_PUSH_X], jy = push[IB_PUSH_Y];
    ib_sincos(state[planar->heading], &s, &c);
    double turn = ib_push_torque(push, c, s);
    if (planar->own_axes || kind->response) {
        jx = push[IB_PUSH_X] * c + push[IB_PUSH_Y] * s;
        jy = push[IB_PUSH_Y] * c - push[IB_PUSH_X] * s;
    }
    ib_Twist v = {jx * planar->per_mass, jy * planar->per_mass, turn * planar->per_inertia};
    if (kind->response) {
        v = kind->response(model, state, jx, jy, turn, change);
        if (!planar->own_axes) v = (ib_Twist){v.u * c - v.n * s, v.u * s + v.n * c, v.w};
    }
    change[planar->velocity[0]] += v.u;
    change[planar->velocity[1]] += v.n;
    change[planar->yaw_rate] += v.w;
}

void ib_planar_inverse_mass(const ib_PlanarModel *planar, const ib_RobotKind *kind,
                            const void *model, const double *state, double matrix[9])
{
    if (!kind->response) {
        memset(matrix, 0, 9 * sizeof *matrix);
        matrix[0] = matrix[4] = planar->per_mass;
        matrix[8] = planar->per_inertia;
        return;
    }
    // Columns: the answers to unit impulses along field x, along field y and about the origin.
    double c, s;
    ib_sincos(state[planar->heading], &s, &c);
    const double unit[3][3] = {{c, -s, 0}, {s, c, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; i++) {
        ib_Twist v = kind->response(model, state, unit[i][0], unit[i][1], unit[i][2], NULL);
        matrix[0 + i] = v.u * c - v.n * s;
        matrix[3 + i] = v.u * s + v.n * c;
        matrix[6 + i] = v.w;
    }
}
