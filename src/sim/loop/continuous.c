#include "sim/loop/continuous.h"

#include "sim/loop/control.h"

#include <float.h>
#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------- model

static ib_Status no_memory(ib_Error *error)
{
    return ib_error_set(error, IB_FAILED, "out of memory for a controller");
}

ib_Status ib__continuous_create(ib_Model *model, ib_Arena *arena, ib_Error *error)
{
    int *numbers = ib_arena_array(arena, (size_t)model->control_count, sizeof *numbers);
    if (!numbers) return no_memory(error);
    for (int i = 0; i < model->control_count; i++)
        if (model->controls[i].controller->continuous) numbers[model->continuous_count++] = i;
    model->continuous = numbers;
    return IB_OK;
}

static ib_ControlModel *loop_of(const ib_Model *model, int number)
{
    return &model->controls[model->continuous[number]];
}

void ib__continuous_lay_out(ib_Model *model, int robot)
{
    for (int i = 0; i < model->continuous_count; i++) {
        ib_ControlModel *control = loop_of(model, i);
        if (control->robot != robot) continue;
        control->state = model->state_count;
        model->state_count += control->controller->ports.rate_count;
    }
}

bool ib__continuous_end(const ib_Model *model, const ib_RobotModel *robot, int *end)
{
    bool some = false;
    for (int i = 0; i < model->continuous_count; i++) {
        const ib_ControlModel *control = loop_of(model, i);
        if (&model->robots[control->robot] != robot) continue;
        *end = control->state + control->controller->ports.rate_count;
        some = true;
    }
    return some;
}

void ib__continuous_limits(const ib_Model *model, double *limits, int *shown)
{
    for (int i = 0; i < model->continuous_count; i++) {
        const ib_ControlModel *control = loop_of(model, i);
        for (int k = 0; k < control->controller->ports.rate_count; k++) {
            limits[control->state + k] = DBL_MAX;
            shown[control->state + k] = -1;
        }
    }
}

// ------------------------------------------------------------------------------------------ checks

ib_Status ib__continuous_check(const ib_Model *model, const ib_ControlModel *control,
                               ib_Error *error)
{
    const ib_RobotModel *robot = &model->robots[control->robot];
    const ib_ControlPorts *ports = &control->controller->ports;
    for (int i = 0; i < ports->measurement_count; i++) {
        int signal = control->measurements[i].signal - robot->signal;
        if (signal >= 0 && signal < robot->ports.signal_count) continue;
        return ib_error_set(error, IB_BAD_INPUT,
                            "%s is continuous and reads '%s', which changes at ticks: expected a "
                            "signal of the robot itself, such as %s",
                            control->controller->label, ports->measurements[i],
                            robot->ports.signals[0].name);
    }
    return IB_OK;
}

// Tries each two loops of a robot, and each alone.
ib_Status ib__continuous_check_loops(const ib_Model *model, ib_Error *error)
{
    ib_Error why;
    for (int i = 0; i < model->continuous_count; i++)
        for (int k = 0; k < model->continuous_count; k++) {
            const ib_ControlModel *reads = loop_of(model, i), *sets = loop_of(model, k);
            const ib_RobotModel *own = &model->robots[reads->robot];
            if (sets->robot != reads->robot) continue;
            ib_Robot robot = {own->kind, (void *)own->model, own->ports};
            ib_Status status = ib_control_try(reads->controller, sets->controller, &robot,
                                              own->config, model->config->gravity, &why);
            if (status != IB_OK)
                return ib_error_set(error, status, "%s: %.900s", reads->controller->label,
                                    why.text);
        }
    return IB_OK;
}
