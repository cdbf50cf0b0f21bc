#include "sim/signal_part.h"

#include "sim/field.h"
#include "sim/rider.h"

// Hits stand in the state, everything else about contacts has to be solved for.
static bool is_force(int row)
{
    bool hit = row == IB_CONTACT_HITS || row == IB_CONTACT_IMPULSE ||
               (row >= IB_CONTACT_HIT_X && row <= IB_CONTACT_HIT_TIME);
    return row >= 0 && row < IB_CONTACT_SIGNALS && !hit;
}

unsigned ib_signal_part(const ib_Model *model, int signal)
{
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        int zone = signal - robot->zone_signal;
        if (robot->path_signal >= 0 && signal == robot->path_signal) return IB_PART_PATHS;
        if (robot->zone_signal >= 0 && zone >= 0 && zone < model->zone_count) return IB_PART_ZONES;
        if (robot->contact_signal >= 0 && is_force(signal - robot->contact_signal))
            return IB_PART_FORCES;
    }
    return 0;
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
