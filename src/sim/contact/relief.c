#include "sim/contact/relief.h"

#include "base/extreme.h"
#include "base/maths.h"
#include "robot/planar.h"
#include "sim/guest_forces.h"

#include <math.h>
#include <string.h>

#define PART 0.0625 ///< of a ridge's width that a piece crosses at most

static const ib_SignalDef signals[IB_RIDGE_SIGNALS] = {
    [IB_RIDGE_HEIGHT] = {"ridge.height", "m",
                         "mean height of what it stands on over the flat floor, by its loads", 0},
    [IB_RIDGE_FORCE] = {"ridge.force", "N", "size of the force of the ridges under it", 0},
};

// -------------------------------------------------------------------------------------------- init

// Finds the feet; without any: the corners of its outline, or the middle of a round one or none.
static bool find_feet(const ib_RobotPorts *ports, ib_Arena *arena, ib__Stand *stand)
{
    stand->count = ports->foot_count;
    stand->feet = ports->feet;
    if (stand->count == 0) {
        bool corners = ports->length > 0 && ports->width > 0 && !ports->round;
        double a = ports->length / 2, b = ports->width / 2;
        ib_FootDef *feet = ib_arena_array(arena, 4, sizeof *feet);
        stand->count = corners ? 4 : 1;
        stand->feet = feet;
        if (!feet) return false;
        feet[0].share = 1;
        for (int i = 0; corners && i < 4; i++)
            feet[i] = (ib_FootDef){i & 1 ? a : -a, i & 2 ? b : -b, 0.25};
    }
    for (int i = 0; i < stand->count; i++) {
        const ib_FootDef *foot = &stand->feet[i];
        stand->reach = ib_max(stand->reach, sqrt(foot->x * foot->x + foot->y * foot->y));
    }
    return true;
}

ib_Status ib__relief_create(ib_Model *model, ib_Arena *arena, ib_Error *error)
{
    const ib_FieldConfig *field = model->config->field;
    int count = field ? field->ridge_count : 0;
    if (count == 0) return IB_OK;
    ib__Relief *relief = ib_arena_alloc(arena, sizeof *relief);
    bool good = relief != NULL;
    if (good) {
        relief->count = count;
        relief->ridges = ib_arena_array(arena, (size_t)count, sizeof *relief->ridges);
        relief->stands = ib_arena_array(arena, (size_t)model->robot_count, sizeof *relief->stands);
        good = relief->ridges && relief->stands;
    }
    for (int i = 0; good && i < count; i++) {
        ib_Status status = ib_ridge_check(&field->ridges[i], error);
        if (status != IB_OK) return status;
        ib_ridge_init(&field->ridges[i], &relief->ridges[i]);
    }
    for (int i = 0; good && i < model->robot_count; i++) {
        ib_RobotModel *robot = &model->robots[i];
        const ib_PlanarModel *planar = robot->ports.planar;
        if (!planar) continue;
        relief->stands[i].mass = 1 / planar->per_mass;
        good = find_feet(&robot->ports, arena, &relief->stands[i]);
        robot->ridge_signal =
            ib_signals_add(&model->signals, robot->name, signals, IB_RIDGE_SIGNALS);
        good &= robot->ridge_signal >= 0;
    }
    model->relief = relief;
    return good ? IB_OK : ib_error_set(error, IB_FAILED, "out of memory for the ridges");
}

// ------------------------------------------------------------------------------------------- force

static const ib__Stand *stand_of(const ib_Model *model, const ib_RobotModel *robot)
{
    return &model->relief->stands[robot - model->robots];
}

// True if it is so near to a ridge that a foot may be on it.
static bool is_near(const ib_Model *model, const ib_RobotModel *robot, const double *own)
{
    const ib__Stand *stand = stand_of(model, robot);
    const ib_PlanarModel *planar = robot->ports.planar;
    bool near = false;
    for (int i = 0; stand->count > 0 && i < model->relief->count; i++)
        near |= ib_ridge_gap(&model->relief->ridges[i], own[planar->x], own[planar->y],
                             stand->reach) <= 0;
    return near;
}

// Adds the force of all ridges to a robot's pushes; returns the mean height of its feet.
//   F_i = -share_i m g grad z(p_i)
static double push(const ib_Model *model, const ib_RobotModel *robot, const double *own,
                   double gravity, double *sums)
{
    const ib__Stand *stand = stand_of(model, robot);
    const ib_PlanarModel *planar = robot->ports.planar;
    double s, c, mean = 0;
    ib_sincos(own[planar->heading], &s, &c);
    for (int i = 0; i < stand->count; i++) {
        const ib_FootDef *foot = &stand->feet[i];
        double x = own[planar->x] + (c * foot->x - s * foot->y);
        double y = own[planar->y] + (s * foot->x + c * foot->y);
        double load = foot->share * stand->mass * gravity;
        for (int k = 0; k < model->relief->count; k++) {
            double slope[2];
            mean += foot->share * ib_ridge_height(&model->relief->ridges[k], x, y, slope);
            if (slope[0] == 0 && slope[1] == 0) continue;
            ib_push_add(sums, -load * slope[0], -load * slope[1], foot->x, foot->y);
        }
    }
    return mean;
}

// A carried body is independent of the floor: it has the inputs of a body in empty space.
const double *ib__sim_special_input(const ib_Sim *sim, const ib_RobotModel *robot,
                                    const double *state, const double *input)
{
    static const double nothing[IB_ENVIRONMENT_COUNT] = {0};
    const double *own = input + robot->input;
    if (ib__sim_rides(sim, robot)) return nothing;
    bool near = sim->model->relief && is_near(sim->model, robot, state + robot->state);
    bool pushed = sim->guests && ib__guests_pushed(sim, robot);
    if (!near && !pushed) return own;
    memcpy(sim->own_input, own, (size_t)robot->ports.input_count * sizeof *own);
    if (near) push(sim->model, robot, state + robot->state, own[IB_GRAVITY], sim->own_input);
    if (pushed)
        ib__guests_push(sim, robot, state[robot->state + robot->ports.planar->heading],
                        sim->own_input);
    return sim->own_input;
}

// ----------------------------------------------------------------------------------------- lengths

// The time in which it may come from here to the ridge and PART of its width farther, D, at the
// speed v that it has and an acceleration of g:
//   v t + g t^2/2 = D,   t = 2 D/(v + sqrt(v^2 + 2 g D))
double ib__relief_longest(const ib_Sim *sim)
{
    const ib_Model *model = sim->model;
    double longest = INFINITY;
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        const ib__Stand *stand = stand_of(model, robot);
        if (stand->count == 0) continue;
        ib_Motion m;
        ib_planar_motion(robot->ports.planar, sim->state + robot->state, NULL, &m);
        double speed = sqrt(m.vx * m.vx + m.vy * m.vy) + stand->reach * fabs(m.w);
        for (int k = 0; k < model->relief->count; k++) {
            const ib_Ridge *ridge = &model->relief->ridges[k];
            double gap = ib_max(0, ib_ridge_gap(ridge, m.x, m.y, stand->reach));
            double way = gap + PART * 2 * ridge->half;
            double sum = speed + sqrt(speed * speed + 2 * model->config->gravity * way);
            if (sum > 0) longest = ib_min(longest, 2 * way / sum);
        }
    }
    // An adaptive solver's step ends with the piece, and on a whole nanosecond.
    return sim->adaptive && longest < 1e6 ? ib_max(1, floor(longest * 1e9)) * 1e-9 : longest;
}

// ----------------------------------------------------------------------------------------- signals

void ib__relief_output(const ib_Sim *sim, const double *state, const double *input, double *y)
{
    const ib_Model *model = sim->model;
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        const double *own = state + robot->state;
        double sums[IB_PUSH_COUNT] = {0}, height = 0;
        if (robot->ridge_signal < 0) continue;
        if (!ib__sim_rides(sim, robot) && is_near(model, robot, own))
            height = push(model, robot, own, input[robot->input + IB_GRAVITY], sums);
        double fx = sums[IB_PUSH_X], fy = sums[IB_PUSH_Y];
        y[robot->ridge_signal + IB_RIDGE_HEIGHT] = height;
        y[robot->ridge_signal + IB_RIDGE_FORCE] = sqrt(fx * fx + fy * fy);
    }
}
