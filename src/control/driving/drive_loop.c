#include "control/driving/drive_loop.h"

#include "base/extreme.h"
#include "control/feedback/polytope.h"

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------- model

static int find_state(const ib_StateSpace *plant, const char *name)
{
    for (int i = 0; i < plant->states; i++)
        if (!strcmp(plant->state[i], name)) return i;
    return -1;
}

// du/dq = K_v + F_v (I - A_v): feedback, and the feed-forward of a goal that stays.
static void find_reach(const ib_DriveModel *model, int gear, double reach[4])
{
    const ib_LoopGear *g = &model->loop->gear[gear];
    int n = model->loop->states;
    const int *v = model->velocity;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            double sum = g->K[i * n + v[j]];
            for (int k = 0; k < 2; k++)
                sum += g->F[i * n + v[k]] * ((k == j ? 1.0 : 0.0) - g->plant.A[v[k] * n + v[j]]);
            reach[2 * i + j] = sum;
        }
}

// Steady velocities under the voltages u: (I - A_v) v = B_v u + drift_v. False: there are none.
static bool steady(const ib_DriveModel *model, int gear, double left, double right, double v[2])
{
    const ib_StateSpace *plant = &model->loop->gear[gear].plant;
    int n = plant->states, l = model->velocity[0], r = model->velocity[1];
    double a = 1 - plant->A[l * n + l], b = -plant->A[l * n + r];
    double c = -plant->A[r * n + l], d = 1 - plant->A[r * n + r];
    const double *drift = model->loop->gear[gear].drift;
    double force_l = plant->B[l * 2] * left + plant->B[l * 2 + 1] * right + drift[l];
    double force_r = plant->B[r * 2] * left + plant->B[r * 2 + 1] * right + drift[r];
    double det = a * d - b * c;
    if (!(fabs(det) > 1e-12 * (fabs(a * d) + fabs(b * c)))) return false;
    v[0] = (d * force_l - b * force_r) / det;
    v[1] = (a * force_r - c * force_l) / det;
    return isfinite(v[0]) && isfinite(v[1]);
}

static ib_Status init_gear(ib_DriveModel *model, int gear, ib_Error *error)
{
    const ib_DriveConfig *c = &model->config;
    double *reach = model->reach[gear], ahead[2], around[2];
    find_reach(model, gear, reach);
    double det = reach[0] * reach[3] - reach[1] * reach[2];
    if (!(fabs(det) > 1e-9 * (fabs(reach[0] * reach[3]) + fabs(reach[1] * reach[2]))))
        return ib_error_set(error, IB_BAD_INPUT,
                            "the loop's gains do not hold both velocities: expected K with "
                            "independent columns for v_left and v_right");
    bool moves = steady(model, gear, c->voltage, c->voltage, ahead) &&
                 steady(model, gear, -c->voltage, c->voltage, around);
    if (!moves && !(c->top_speed > 0 && (c->pivot_rate > 0 || c->pivot_below == 0)))
        return ib_error_set(error, IB_BAD_INPUT,
                            "the plant has no top speed of its own: expected top_speed and "
                            "pivot_rate");
    model->top_speed[gear] = c->top_speed > 0 ? c->top_speed : 0.5 * (ahead[0] + ahead[1]);
    model->pivot_rate[gear] =
        c->pivot_rate > 0 || !moves ? c->pivot_rate : 0.5 * (around[1] - around[0]) / c->half_track;
    return IB_OK;
}

ib_Status ib_drive_init(const ib_Loop *loop, const ib_DriveConfig *config, ib_DriveModel *model,
                        ib_Error *error)
{
    const ib_StateSpace *plant = &loop->gear[0].plant;
    *model = (ib_DriveModel){.loop = loop, .config = *config};
    model->velocity[0] = find_state(plant, "v_left");
    model->velocity[1] = find_state(plant, "v_right");
    if (loop->inputs != 2 || model->velocity[0] < 0 || model->velocity[1] < 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "the loop has %d inputs and %s: driving expects two inputs and the "
                            "states v_left and v_right",
                            loop->inputs,
                            model->velocity[0] < 0 ? "no state v_left" : "these states");
    if (!loop->observer)
        return ib_error_set(error, IB_BAD_INPUT,
                            "the loop has no observer: driving reads sensors, give `kalman:`");
    for (int i = 0; i < loop->states; i++)
        model->followed[i] = i != model->velocity[0] && i != model->velocity[1] &&
                             strncmp(plant->state[i], "error_", 6) != 0;
    for (int gear = 0; gear < loop->gears; gear++) {
        ib_Status status = init_gear(model, gear, error);
        if (status != IB_OK) return status;
    }
    return IB_OK;
}

// -------------------------------------------------------------------------------------------- goal

// The driver's wish: a point, and the line on which the radius is kept.
static void find_wish(const ib_DriveModel *model, double throttle, double turn, int gear,
                      double wish[2], double line[2])
{
    const ib_DriveConfig *c = &model->config;
    if (fabs(throttle) < c->pivot_below) {
        double v = turn * model->pivot_rate[gear] * c->half_track;
        wish[0] = -v;
        wish[1] = v;
        line[0] = line[1] = 1;
        return;
    }
    double bend = turn * c->half_track / c->radius, v = throttle * model->top_speed[gear];
    wish[0] = v * (1 - bend);
    wish[1] = v * (1 + bend);
    line[0] = 1 + bend;
    line[1] = -(1 - bend);
}

// Four half-planes: |reach q + offset| <= voltage, with the u of q = 0 as offset:
//   hold - K x^ + F drift,   K without and F with the states that are followed, which drift along
static void find_region(const ib_DriveModel *model, int gear, const double *x, double voltage,
                        double H[8], double k[4])
{
    const ib_LoopGear *g = &model->loop->gear[gear];
    int n = model->loop->states;
    for (int i = 0; i < 2; i++) {
        double offset = g->hold[i];
        for (int j = 0; j < n; j++) {
            if (!model->followed[j]) offset -= g->K[i * n + j] * x[j];
            if (model->followed[j]) offset += g->F[i * n + j] * g->drift[j];
        }
        for (int j = 0; j < 2; j++) {
            H[4 * i + j] = model->reach[gear][2 * i + j];
            H[4 * i + 2 + j] = -H[4 * i + j];
        }
        k[2 * i] = voltage - offset;
        k[2 * i + 1] = voltage + offset;
    }
}

// The whole wanted state: positions as they are and go on, errors none.
static void spread_goal(const ib_DriveModel *model, int gear, const double *x, ib_DriveGoal *goal)
{
    const ib_LoopGear *now = &model->loop->gear[gear];
    const ib_StateSpace *plant = &now->plant;
    int n = plant->states;
    for (int i = 0; i < n; i++) goal->r[i] = model->followed[i] ? x[i] : 0;
    for (int i = 0; i < 2; i++) goal->r[model->velocity[i]] = goal->goal[i];
    for (int i = 0; i < n; i++) {
        goal->r_next[i] = goal->r[i];
        if (!model->followed[i]) continue;
        double sum = plant->A[i * n] * goal->r[0];
        for (int j = 1; j < n; j++) sum += plant->A[i * n + j] * goal->r[j];
        goal->r_next[i] = model->loop->offset ? sum + now->drift[i] : sum;
    }
}

void ib_drive_goal(const ib_DriveModel *model, double throttle, double turn, double voltage,
                   int gear, const double *x, ib_DriveGoal *goal)
{
    double line[2], H[8], k[4];
    find_wish(model, throttle, turn, gear, goal->wish, line);
    find_region(model, gear, x, voltage, H, k);
    // A region that cannot be (a sensor gave no number): stand still.
    goal->goal[0] = goal->goal[1] = 0;
    goal->on_line = ib_polytope2_coerce(4, H, k, line, 0, goal->wish, goal->goal) == IB_POLYTOPE_OK;
    spread_goal(model, gear, x, goal);
}

// -------------------------------------------------------------------------------------------- step

void ib_drive_step(const ib_DriveModel *model, double throttle, double turn, double voltage,
                   int gear, const double *y, double u[2], ib_DriveGoal *goal, double *state)
{
    const ib_Loop *loop = model->loop;
    ib_feedback_correct(loop, y, state);
    ib_drive_goal(model, throttle, turn, voltage, gear, state, goal);
    ib_feedback_output(loop, goal->r, goal->r_next, gear, u, state);
    for (int i = 0; i < 2; i++) u[i] = ib_min(ib_max(u[i], -voltage), voltage);
    ib_feedback_applied(loop, u, state);
    ib_feedback_predict(loop, goal->r, state);
}
