// sim/output.c: all signals for a state and inputs.
#include "base/maths.h"
#include "sim/contact/contact_signals.h"
#include "sim/contact/relief.h"
#include "sim/contact/rider.h"
#include "sim/contact/zones.h"
#include "sim/guest_forces.h"
#include "sim/input/disturbance.h"
#include "sim/shared_world.h"
#include "sim/sim_inside.h"
#include "sim/watch/signal_part.h"

static void output_disturbances(const ib_RobotModel *robot, const double *input, double *signals)
{
    const double *own = input + robot->input;
    double *y = signals + robot->disturbance_signal;
    double s = 0, c = 1;
    if (robot->heading_signal >= 0) ib_sincos(signals[robot->heading_signal], &s, &c);
    y[0] = own[IB_PUSH_X];
    y[1] = own[IB_PUSH_Y];
    y[2] = ib_push_torque(own, c, s);
    y[3] = input[robot->impulse];
    y[4] = input[robot->impulse + 1];
    y[5] = own[IB_SLOPE_X];
    y[6] = own[IB_SLOPE_Y];
    for (int i = 0; i < robot->scaled_count; i++) y[7 + i] = own[robot->scaled[i]];
}

static void output_own(const ib_Sim *sim, int i, const double *state, const double *input,
                       double *signals)
{
    const ib_RobotModel *robot = &sim->model->robots[i];
    if (robot->member >= 0) {
        ib__shared_output(sim, i, state, input, signals);
        return;
    }
    ib_robot_output(robot->kind, robot->model, &robot->ports, sim->rooms[i], state + robot->state,
                    ib__sim_own_input(sim, robot, state, input), signals + robot->signal);
}

void ib__sim_output_own(const ib_Sim *sim, int i, const double *state, const double *input,
                        double *signals)
{
    ib__guests_look(sim, state, input);
    output_own(sim, i, state, input, signals);
    ib__guests_look_away(sim);
}

void ib__sim_output(const ib_Sim *sim, const double *state, const double *input, unsigned parts,
                    double *signals)
{
    const ib_Model *model = sim->model;
    ib__guests_look(sim, state, input);
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        if (parts & IB_PART_OWN)
            output_own(sim, i, state, input, signals);
        else
            ib__output_pose(robot, state, signals);
        if ((parts & IB_PART_PATHS) && robot->path_signal >= 0)
            signals[robot->path_signal] =
                ib_path_distance_to(robot->path, robot->path_pieces, signals[robot->x_signal],
                                    signals[robot->y_signal]);
        if (robot->disturbance_signal >= 0) output_disturbances(robot, input, signals);
    }
    for (int i = 0; model->riders && i < model->riders->count; i++)
        signals[model->riders->items[i].signal] = state[model->riders->items[i].state];
    if (model->relief) ib__relief_output(sim, state, input, signals);
    if (model->world) ib__contact_output(sim, state, input, parts & IB_PART_FORCES, signals);
    ib__guests_output(sim, signals);
    ib__guests_look_away(sim);
    if ((parts & IB_PART_ZONES) && model->zone_count > 0)
        ib__zones_output(model, sim->last_zones, state, signals);
    for (int i = 0; i < model->sensor_count; i++) {
        const ib_SensorModel *sensor = &model->sensors[i];
        signals[sensor->signal] = state[sensor->state] * input[sensor->gain];
    }
    ib__control_output(sim, state, input, signals);
}
