#include "sim/watch/signal_part.h"

#include "robot/planar.h"
#include "sim/contact/field.h"
#include "sim/contact/rider.h"

// Hits stand in the state, everything else about contacts has to be solved for.
static bool is_force(int row)
{
    bool hit = row == IB_CONTACT_HITS || row == IB_CONTACT_IMPULSE ||
               (row >= IB_CONTACT_HIT_X && row <= IB_CONTACT_HIT_TIME);
    return row >= 0 && row < IB_CONTACT_SIGNALS && !hit;
}

// True if all poses are states, and other signals depend on the robots' poses only.
static bool are_poses_states(const ib_Model *model)
{
    bool all =
        !model->relief && !model->riders && model->continuous_count + model->external_count == 0;
    for (int i = 0; i < model->robot_count; i++)
        all &= model->robots[i].x_signal < 0 || model->robots[i].ports.planar != NULL;
    return all;
}

static bool is_own(const ib_RobotModel *robot, int signal)
{
    bool pose =
        signal == robot->x_signal || signal == robot->y_signal || signal == robot->heading_signal;
    return signal >= robot->signal && signal < robot->signal + robot->ports.signal_count && !pose;
}

static unsigned part_of(const ib_Model *model, int signal)
{
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        if (is_own(robot, signal)) return IB_PART_OWN;
        int zone = signal - robot->zone_signal;
        if (robot->path_signal >= 0 && signal == robot->path_signal) return IB_PART_PATHS;
        if (robot->zone_signal >= 0 && zone >= 0 && zone < model->zone_count) return IB_PART_ZONES;
        if (robot->contact_signal >= 0 && is_force(signal - robot->contact_signal))
            return IB_PART_FORCES;
    }
    return 0;
}

unsigned ib_signal_part(const ib_Model *model, int signal)
{
    return part_of(model, signal) | (are_poses_states(model) ? 0 : IB_PART_OWN);
}

void ib__output_pose(const ib_RobotModel *robot, const double *state, double *signals)
{
    const ib_PlanarModel *planar = robot->ports.planar;
    const double *own = state + robot->state;
    if (robot->x_signal >= 0) signals[robot->x_signal] = own[planar->x];
    if (robot->y_signal >= 0) signals[robot->y_signal] = own[planar->y];
    if (robot->heading_signal >= 0) signals[robot->heading_signal] = own[planar->heading];
}

unsigned ib__parts_of_sensors(const ib_Model *model)
{
    unsigned parts = 0;
    for (int i = 0; i < model->sensor_count; i++)
        parts |= ib_signal_part(model, model->sensors[i].truth);
    for (int i = 0; i < model->control_count; i++) {
        const ib_ControlModel *control = &model->controls[i];
        for (int k = 0; k < control->controller->ports.measurement_count; k++)
            parts |= ib_signal_part(model, control->measurements[k].signal);
    }
    return parts;
}

unsigned ib__parts_of_riders(const ib_Model *model)
{
    unsigned parts = 0;
    for (int i = 0; model->riders && i < model->riders->count; i++)
        parts |= ib_signal_part(model, model->riders->items[i].config->signal);
    return parts;
}
