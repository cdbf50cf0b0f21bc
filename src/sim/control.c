#include "sim/control.h"

#include "base/word.h"
#include "sim/inside.h"

#include <string.h>

static ib_Status no_memory(ib_Error *error)
{
    return ib_error_set(error, IB_FAILED, "out of memory for a controller");
}

// ------------------------------------------------------------------------------------------- ports

static int find_command(const ib_RobotPorts *ports, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if ((ports->inputs[i].role == IB_INPUT_COMMAND ||
             ports->inputs[i].role == IB_INPUT_CONTROLLED) &&
            !strcmp(ports->inputs[i].name, name))
            return i;
    return -1;
}

static ib_InputDef command_input(const ib_ControlCommand *command)
{
    return (ib_InputDef){.name = command->name,
                         .unit = command->unit,
                         .sentence = command->sentence,
                         .role = IB_INPUT_COMMAND,
                         .required = command->required,
                         .neutral = command->neutral,
                         .low = command->low,
                         .high = command->high,
                         .limit = "its range"};
}

ib_Status ib_control_extend(const ib_Controller *controller, ib_Arena *arena, ib_RobotPorts *ports,
                            ib_Error *error)
{
    int own = ports->input_count, count = own + controller->command_count;
    ib_InputDef *inputs = ib_arena_array(arena, (size_t)count, sizeof *inputs);
    if (!inputs) return no_memory(error);
    memcpy(inputs, ports->inputs, (size_t)own * sizeof *inputs);
    for (int i = 0; i < own; i++)
        if (inputs[i].set && inputs[i].role == IB_INPUT_COMMAND) {
            inputs[i].role = IB_INPUT_CONTROLLED;
            inputs[i].required = false;
        }
    for (int i = 0; i < controller->output_count; i++) {
        int output = find_command(ports, own, controller->outputs[i]);
        if (output < 0)
            return ib_error_set(error, IB_BAD_INPUT,
                                "%s sets '%s', which is no command of this robot", controller->name,
                                controller->outputs[i]);
        inputs[output].role = IB_INPUT_CONTROLLED;
        inputs[output].required = false;
    }
    for (int i = 0; i < controller->command_count; i++) {
        int same = find_command(ports, own, controller->commands[i].name);
        if (same >= 0 && inputs[same].role == IB_INPUT_COMMAND)
            return ib_error_set(error, IB_BAD_INPUT, "%s takes '%s', which the robot takes itself",
                                controller->name, controller->commands[i].name);
        inputs[own + i] = command_input(&controller->commands[i]);
    }
    ports->inputs = inputs;
    ports->input_count = count;
    return IB_OK;
}

// ------------------------------------------------------------------------------------------- model

ib_Status ib__control_create(ib_Model *model, ib_Arena *arena, ib_Error *error)
{
    model->controls = ib_arena_array(arena, (size_t)model->robot_count, sizeof *model->controls);
    if (!model->controls) return no_memory(error);
    for (int i = 0; i < model->robot_count; i++) {
        const ib_Controller *controller = model->config->robots[i].controller;
        if (!controller) continue;
        ib_ControlModel *control = &model->controls[model->control_count++];
        *control = (ib_ControlModel){.controller = controller, .robot = i};
        control->signal = ib_signals_add(&model->signals, model->robots[i].name,
                                         controller->signals, controller->signal_count);
        if (control->signal < 0) return no_memory(error);
    }
    return IB_OK;
}

void ib__control_lay_out(ib_Model *model)
{
    for (int i = 0; i < model->control_count; i++) {
        ib_ControlModel *control = &model->controls[i];
        const ib_RobotModel *robot = &model->robots[control->robot];
        control->state = model->state_count;
        model->state_count += control->controller->output_count + control->controller->state_count;
        control->command =
            robot->input + robot->ports.input_count - control->controller->command_count;
    }
}

// A sensor of this robot ("sensor.gyro"), or one of its commands ("gear").
static ib_Reading find_reading(const ib_Model *model, const ib_ControlModel *control,
                               const char *name)
{
    const ib_RobotModel *robot = &model->robots[control->robot];
    for (int i = 0; i < model->sensor_count; i++)
        if (model->sensors[i].robot == control->robot && !strncmp(name, "sensor.", 7) &&
            !strcmp(model->sensors[i].config->name, name + 7))
            return (ib_Reading){.sensor = i, .input = -1};
    int own = robot->ports.input_count - control->controller->command_count;
    int command = find_command(&robot->ports, own, name);
    return (ib_Reading){.sensor = -1, .input = command < 0 ? -1 : robot->input + command};
}

ib_Status ib__control_connect(ib_Model *model, ib_Arena *arena, ib_Error *error)
{
    for (int i = 0; i < model->control_count; i++) {
        ib_ControlModel *control = &model->controls[i];
        const ib_Controller *c = control->controller;
        const ib_RobotModel *robot = &model->robots[control->robot];
        int own = robot->ports.input_count - c->command_count;
        int *outputs = ib_arena_array(arena, (size_t)c->output_count, sizeof *outputs);
        ib_Reading *readings =
            ib_arena_array(arena, (size_t)c->measurement_count, sizeof *readings);
        if (!outputs || !readings) return no_memory(error);
        for (int k = 0; k < c->output_count; k++)
            outputs[k] = robot->input + find_command(&robot->ports, own, c->outputs[k]);
        for (int k = 0; k < c->measurement_count; k++) {
            readings[k] = find_reading(model, control, c->measurements[k]);
            if (readings[k].sensor < 0 && readings[k].input < 0)
                return ib_error_set(error, IB_BAD_INPUT,
                                    "%s reads '%s', which is neither a sensor nor a command of "
                                    "this robot: expected one of robot.sensors, as 'sensor.<name>'",
                                    c->name, c->measurements[k]);
        }
        control->outputs = outputs;
        control->measurements = readings;
    }
    return IB_OK;
}

// --------------------------------------------------------------------------------------------- run

void ib__sim_reset_control(ib_Sim *sim)
{
    const ib_Model *model = sim->model;
    for (int i = 0; i < model->control_count; i++) {
        const ib_ControlModel *control = &model->controls[i];
        const ib_Controller *c = control->controller;
        double *state = sim->state + control->state;
        for (int k = 0; k < c->output_count; k++)
            state[k] = model->inputs[control->outputs[k]].neutral;
        c->reset(c->self, state + c->output_count);
    }
}

void ib__sim_hold(ib_Sim *sim, const double *state)
{
    const ib_Model *model = sim->model;
    for (int i = 0; i < model->control_count; i++) {
        const ib_ControlModel *control = &model->controls[i];
        for (int k = 0; k < control->controller->output_count; k++) {
            sim->input[control->outputs[k]] = state[control->state + k];
            sim->slope[control->outputs[k]] = 0;
        }
    }
}

static double measure(const ib_Sim *sim, ib_Reading reading, const double *state)
{
    if (reading.sensor < 0) return sim->input[reading.input];
    const ib_SensorModel *sensor = &sim->model->sensors[reading.sensor];
    return state[sensor->state] * sim->input[sensor->gain];
}

// One period of one controller; what it gives is held within its range.
static void step_one(ib_Sim *sim, const ib_ControlModel *control, double *state)
{
    const ib_Controller *c = control->controller;
    double measurement[IB_CONTROL_MEASUREMENTS_MAX];
    double *held = state + control->state;
    for (int k = 0; k < c->measurement_count; k++)
        measurement[k] = measure(sim, control->measurements[k], state);
    c->step(c->self, sim->time, sim->input + control->command, measurement, held + c->output_count,
            held);
    for (int k = 0; k < c->output_count; k++) {
        int input = control->outputs[k];
        sim->input[input] = held[k];
        sim->slope[input] = 0;
        ib__sim_clamp(sim, input);
        held[k] = sim->input[input];
    }
}

bool ib__sim_control(ib_Sim *sim, double *state)
{
    bool acted = false;
    for (int i = 0; i < sim->model->control_count; i++) {
        const ib_ControlModel *control = &sim->model->controls[i];
        if (sim->time % control->controller->period != 0) continue;
        step_one(sim, control, state);
        acted = true;
    }
    if (acted) sim->guards_known = false;
    return acted;
}

void ib__control_output(const ib_Model *model, const double *state, double *signals)
{
    for (int i = 0; i < model->control_count; i++) {
        const ib_ControlModel *control = &model->controls[i];
        const ib_Controller *c = control->controller;
        if (c->signal_count > 0)
            c->show(c->self, state + control->state + c->output_count, signals + control->signal);
    }
}
