#include "sim/loop/control.h"

#include "base/converter.h"
#include "base/flush_to_zero.h"
#include "sim/loop/continuous.h"
#include "sim/loop/failure.h"
#include "sim/loop/gather.h"

#include <math.h>
#include <string.h>

static ib_Status no_memory(ib_Error *error)
{
    return ib_error_set(error, IB_FAILED, "out of memory for a controller");
}

// ------------------------------------------------------------------------------------------- ports

bool ib_input_is(const ib_InputDef *input, const char *name)
{
    if (strcmp(input->name, name) == 0) return true;
    for (int i = 0; i < 2; i++)
        if (input->also[i] && strcmp(input->also[i], name) == 0) return true;
    return false;
}

static bool is_open(const ib_InputDef *input)
{
    return input->role == IB_INPUT_COMMAND || input->role == IB_INPUT_CONTROLLED;
}

// The command with this name: its index, or -1.
static int find_command(const ib_RobotPorts *ports, const char *name)
{
    for (int i = 0; i < ports->input_count; i++)
        if (is_open(&ports->inputs[i]) && ib_input_is(&ports->inputs[i], name)) return i;
    return -1;
}

static ib_InputDef command_input(const ib_ControlCommand *command)
{
    return (ib_InputDef){.name = command->name,
                         .unit = command->unit,
                         .sentence = command->sentence,
                         .role = IB_INPUT_COMMAND,
                         .required = command->required,
                         .kept = command->kept,
                         .neutral = command->neutral,
                         .low = command->low,
                         .high = command->high,
                         .limit = command->limit ? command->limit : "its range",
                         .words = command->words,
                         .held = command->words != NULL,
                         .button = command->button,
                         .axis = command->axis,
                         .also = {command->also[0], command->also[1]}};
}

static void close_input(ib_InputDef *input)
{
    input->role = IB_INPUT_CONTROLLED;
    input->required = false;
}

// The loop's outputs are closed to all others, and so are equivalent inputs: setting left or right
// closes throttle and turn as well. The other one of left and right stays open.
static ib_Status close_outputs(const ib_Controller *controller, const ib_RobotPorts *ports,
                               ib_InputDef *inputs, ib_Error *error)
{
    for (int i = 0; i < controller->ports.output_count; i++) {
        const char *name = controller->ports.outputs[i];
        int output = find_command(ports, name);
        if (output < 0)
            return ib_error_set(error, IB_BAD_INPUT,
                                "%s sets '%s', which is no command of this robot",
                                controller->label, name);
        if (ports->inputs[output].role == IB_INPUT_CONTROLLED)
            return ib_error_set(error, IB_BAD_INPUT,
                                "%s sets '%s', which another loop sets already, or drives in "
                                "another way: expected one loop for it",
                                controller->label, name);
        int set = inputs[output].set;
        for (int k = 0; set && k < ports->input_count; k++)
            if (inputs[k].set && inputs[k].set != set && inputs[k].role == IB_INPUT_COMMAND)
                close_input(&inputs[k]);
        close_input(&inputs[output]);
    }
    return IB_OK;
}

ib_Status ib_control_extend(const ib_Controller *controller, ib_Arena *arena, ib_RobotPorts *ports,
                            ib_Error *error)
{
    const ib_ControlPorts *own = &controller->ports;
    int before = ports->input_count, count = before + own->command_count;
    ib_InputDef *inputs = ib_arena_array(arena, (size_t)count, sizeof *inputs);
    if (!inputs) return no_memory(error);
    memcpy(inputs, ports->inputs, (size_t)before * sizeof *inputs);
    ib_Status status = close_outputs(controller, ports, inputs, error);
    if (status != IB_OK) return status;
    for (int i = 0; i < own->command_count; i++) {
        int same = find_command(ports, own->commands[i].name);
        if (same >= 0 && inputs[same].role == IB_INPUT_COMMAND)
            return ib_error_set(error, IB_BAD_INPUT,
                                "%s takes '%s', which the robot or another loop takes itself",
                                controller->label, own->commands[i].name);
        inputs[before + i] = command_input(&own->commands[i]);
    }
    ports->inputs = inputs;
    ports->input_count = count;
    if (own->base) {
        ports->base = own->base;
        ports->rims = own->rims;
    }
    return IB_OK;
}

ib_Status ib_control_site(const char *loop, const ib_RobotPorts *ports,
                          const ib_SensorConfig *sensors, int sensor_count, ib_Arena *arena,
                          ib_ControlSite *site, ib_Error *error)
{
    ib_ControlPin *pins = ib_arena_array(arena, (size_t)sensor_count, sizeof *pins);
    ib_ControlPin *commands = ib_arena_array(arena, (size_t)ports->input_count, sizeof *commands);
    if (!pins || !commands) return no_memory(error);
    *site = (ib_ControlSite){.loop = loop,
                             .sensor_count = sensor_count,
                             .sensors = pins,
                             .signal_count = ports->signal_count,
                             .signals = ports->signals,
                             .rims = ports->rims,
                             .legs = ports->legs,
                             .commands = commands};
    for (int i = 0; i < sensor_count; i++) {
        pins[i] = (ib_ControlPin){.name = ib_arena_format(arena, "sensor.%s", sensors[i].name),
                                  .unit = sensors[i].unit ? sensors[i].unit : "1",
                                  .step = sensors[i].quantum,
                                  .signal = sensors[i].signal,
                                  .period = sensors[i].period};
        for (int k = 0; !sensors[i].unit && k < ports->signal_count; k++)
            if (!strcmp(ports->signals[k].name, sensors[i].signal))
                pins[i].unit = ports->signals[k].unit;
        if (!pins[i].name) return no_memory(error);
    }
    for (int i = 0; i < ports->input_count; i++) {
        const ib_InputDef *input = &ports->inputs[i];
        if (is_open(input))
            commands[site->command_count++] = (ib_ControlPin){.name = input->name,
                                                              .unit = input->unit,
                                                              .low = input->low,
                                                              .high = input->high,
                                                              .neutral = input->neutral,
                                                              .words = input->words};
    }
    for (int i = 0; i < ports->part_count; i++)
        if (strcmp(ports->parts[i].name, loop) == 0) site->part = &ports->parts[i];
    return IB_OK;
}

// ------------------------------------------------------------------------------------------- model

static const ib_SignalDef odometry_signals[] = {
    {"odometry.error", "m", "distance from where odometry takes the robot to be to where it is", 0},
    {"odometry.heading_error", "rad", "heading by odometry, less the true one", 0,
     IB_MEANS(.shown = "deg")},
};
static const ib_SignalDef heading_signals[] = {
    {"heading_error", "rad", "the heading that it shows, less the true one", 0,
     IB_MEANS(.shown = "deg")},
};

// Adds its errors: the robot's loop cannot know them, but an observer of the run may.
static void add_errors(ib_Model *model, const ib_ControlPorts *ports, const char *prefix,
                       ib_ControlModel *control)
{
    const ib_RobotModel *robot = &model->robots[control->robot];
    bool turns = robot->heading_signal >= 0, posed = robot->x_signal >= 0 && turns;
    control->odometry_error = control->heading_error = -1;
    if (ports->odometry && posed)
        control->odometry_error = ib_signals_add(&model->signals, prefix, odometry_signals, 2);
    if (ports->heading > 0 && turns)
        control->heading_error = ib_signals_add(&model->signals, prefix, heading_signals, 1);
}

// Behind a converter the plant gets something else than the loop gives: one signal for each output.
static bool add_converted(ib_Model *model, const char *prefix, ib_Arena *arena,
                          ib_ControlModel *control)
{
    const ib_Controller *c = control->controller;
    const ib_RobotPorts *robot = &model->robots[control->robot].ports;
    int count = c->ports.output_count;
    control->converted = -1;
    if (c->output_bits == 0) return true;
    ib_SignalDef *signals = ib_arena_array(arena, (size_t)count, sizeof *signals);
    if (!signals) return false;
    for (int i = 0; i < count; i++) {
        const char *output = c->ports.outputs[i];
        const ib_InputDef *input = &robot->inputs[find_command(robot, output)];
        signals[i] = (ib_SignalDef){count == 1 ? "converted"
                                               : ib_arena_format(arena, "converted.%s", output),
                                    input->unit, "what the plant got from the converter", 0};
        if (!signals[i].name) return false;
    }
    control->converted = ib_signals_add(&model->signals, prefix, signals, count);
    return control->converted >= 0;
}

static void raise(int count, int *most)
{
    if (count > *most) *most = count;
}

static ib_Status add_loop(ib_Model *model, int robot, const ib_Controller *controller,
                          ib_Arena *arena, ib_Error *error)
{
    ib_ControlModel *control = &model->controls[model->control_count++];
    const char *own = model->robots[robot].name, *loop = controller->name;
    const char *prefix =
        ib_arena_format(arena, "%s%scontrol%s%s", own, own[0] ? "." : "", loop[0] ? "." : "", loop);
    ib_Time latency = controller->latency;
    const ib_ControlPorts *ports = &controller->ports;
    *control = (ib_ControlModel){.controller = controller, .robot = robot, .sent = -1};
    if (!controller->continuous) {
        control->lag = (int)(latency / controller->period);
        control->part = latency % controller->period;
    }
    control->signal = prefix ? ib_signals_add(&model->signals, prefix, controller->ports.signals,
                                              controller->ports.signal_count)
                             : -1;
    if (control->signal >= 0) add_errors(model, &controller->ports, prefix, control);
    if (control->signal >= 0 && !add_converted(model, prefix, arena, control))
        return no_memory(error);
    if (control->signal >= 0)
        control->failed = ib_signals_add(&model->signals, prefix, ib__failure_signals, 1);
    raise(ports->measurement_count, &model->most_measurements);
    raise(ports->output_count, &model->most_outputs);
    raise(ports->state_count, &model->most_memory);
    raise(ports->signal_count, &model->most_shown);
    return control->signal < 0 || control->failed < 0 ? no_memory(error) : IB_OK;
}

ib_Status ib__control_create(ib_Model *model, ib_Arena *arena, ib_Error *error)
{
    int total = 0;
    for (int i = 0; i < model->robot_count; i++) total += model->config->robots[i].controller_count;
    model->controls = ib_arena_array(arena, (size_t)total, sizeof *model->controls);
    if (!model->controls) return no_memory(error);
    ib_Status status = IB_OK;
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotConfig *config = &model->config->robots[i];
        for (int k = 0; status == IB_OK && k < config->controller_count; k++)
            status = add_loop(model, i, config->controllers[k], arena, error);
    }
    return status == IB_OK ? ib__continuous_create(model, arena, error) : status;
}

// The commands of a robot's loops lie behind its own inputs, in the order of the loops.
void ib__control_lay_out(ib_Model *model)
{
    for (int i = model->control_count - 1, robot = -1, end = 0; i >= 0; i--) {
        ib_ControlModel *control = &model->controls[i];
        const ib_RobotModel *own = &model->robots[control->robot];
        if (control->robot != robot) end = own->input + own->ports.input_count;
        robot = control->robot;
        control->command = end -= control->controller->ports.command_count;
    }
    for (int i = 0; i < model->control_count; i++) {
        ib_ControlModel *control = &model->controls[i];
        const ib_ControlPorts *ports = &control->controller->ports;
        if (control->controller->continuous) continue; // behind its robot
        control->state = model->state_count;
        model->state_count += ports->output_count + ports->state_count;
        if (control->controller->latency > 0) {
            control->sent = model->state_count;
            model->state_count += ports->output_count * (control->lag + 1);
        }
        ib__gather_lay_out(model, control);
    }
}

// A signal of a robot's loop by its name without the robot's, "control.lift.goal.x"; -1: none.
static int find_loop_signal(const ib_Model *model, const char *robot, const char *name)
{
    size_t length = strlen(robot);
    if (strncmp(name, "control.", 8) != 0) return -1;
    for (int i = 0; i < model->signals.count; i++) {
        const char *full = model->signals.items[i].name;
        if (length > 0 && (strncmp(full, robot, length) != 0 || full[length] != '.')) continue;
        if (strcmp(full + (length > 0 ? length + 1 : 0), name) == 0) return i;
    }
    return -1;
}

// A sensor of this robot ("sensor.gyro"), one of its commands ("gear"), a signal of its own, or one
// of its loops, as the last tick left it.
static ib_Reading find_reading(const ib_Model *model, const ib_ControlModel *control,
                               const char *name)
{
    const ib_RobotModel *robot = &model->robots[control->robot];
    ib_Reading reading = {-1, -1, -1};
    for (int i = 0; i < model->sensor_count; i++)
        if (model->sensors[i].robot == control->robot && !strncmp(name, "sensor.", 7) &&
            !strcmp(model->sensors[i].config->name, name + 7))
            reading.sensor = i;
    if (reading.sensor >= 0) return reading;
    int command = find_command(&robot->ports, name);
    if (command >= 0) reading.input = robot->input + command;
    for (int i = 0; command < 0 && i < robot->ports.signal_count; i++)
        if (!strcmp(robot->ports.signals[i].name, name)) reading.signal = robot->signal + i;
    if (command < 0 && reading.signal < 0)
        reading.signal = find_loop_signal(model, robot->name, name);
    return reading;
}

static ib_Status connect(const ib_Model *model, ib_ControlModel *control, ib_Arena *arena,
                         ib_Error *error)
{
    const ib_ControlPorts *ports = &control->controller->ports;
    const ib_RobotModel *robot = &model->robots[control->robot];
    int *outputs = ib_arena_array(arena, (size_t)ports->output_count, sizeof *outputs);
    ib_Reading *readings =
        ib_arena_array(arena, (size_t)ports->measurement_count, sizeof *readings);
    if (!outputs || !readings) return no_memory(error);
    for (int i = 0; i < ports->output_count; i++)
        outputs[i] = robot->input + find_command(&robot->ports, ports->outputs[i]);
    for (int i = 0; i < ports->measurement_count; i++) {
        readings[i] = find_reading(model, control, ports->measurements[i]);
        if (readings[i].sensor < 0 && readings[i].input < 0 && readings[i].signal < 0)
            return ib_error_set(error, IB_BAD_INPUT,
                                "%s reads '%s', which is neither a sensor nor a signal nor a "
                                "command of this robot: expected one of robot.sensors, as "
                                "'sensor.<name>', or a signal, which is sampled ideally",
                                control->controller->label, ports->measurements[i]);
        control->ideal |= readings[i].signal >= 0;
    }
    control->outputs = outputs;
    control->measurements = readings;
    return control->controller->continuous ? ib__continuous_check(model, control, error) : IB_OK;
}

ib_Status ib__control_connect(ib_Model *model, ib_Arena *arena, ib_Error *error)
{
    ib_Status status = IB_OK;
    for (int i = 0; status == IB_OK && i < model->control_count; i++)
        status = connect(model, &model->controls[i], arena, error);
    if (status == IB_OK) status = ib__gather_connect(model, arena, error);
    if (status == IB_OK && model->continuous_count > 0)
        status = ib__continuous_check_loops(model, error);
    return status;
}

// --------------------------------------------------------------------------------------------- run

static double neutral_of(const ib_Model *model, const ib_ControlModel *control, int output)
{
    return model->inputs[control->outputs[output]].neutral;
}

void ib__sim_reset_control(ib_Sim *sim)
{
    const ib_Model *model = sim->model;
    for (int i = 0; i < model->control_count; i++) {
        const ib_ControlModel *control = &model->controls[i];
        const ib_Controller *c = control->controller;
        int outputs = c->ports.output_count;
        double *state = sim->state + control->state, *sent = sim->state + control->sent;
        if (c->continuous) {
            ib_controller_reset(c, state);
            continue;
        }
        for (int k = 0; k < outputs; k++) state[k] = neutral_of(model, control, k);
        for (int k = 0; control->sent >= 0 && k < outputs * (control->lag + 1); k++)
            sent[k] = neutral_of(model, control, k % outputs);
        if (!c->kind->begin) ib_controller_reset(c, state + outputs);
    }
}

bool ib__control_begins(const ib_Model *model)
{
    for (int i = 0; i < model->control_count; i++)
        if (model->controls[i].controller->kind->begin) return true;
    return false;
}

void ib__sim_begin_control(ib_Sim *sim)
{
    const ib_Model *model = sim->model;
    for (int i = 0; i < model->control_count; i++) {
        const ib_ControlModel *control = &model->controls[i];
        const ib_Controller *c = control->controller;
        double *memory = sim->state + control->state + c->ports.output_count;
        if (!c->kind->begin) continue;
        memset(memory, 0, (size_t)c->ports.state_count * sizeof *memory);
        c->kind->begin(c->model, sim->input + control->command, memory);
    }
}

void ib__sim_hold(ib_Sim *sim, const double *state)
{
    const ib_Model *model = sim->model;
    for (int i = 0; i < model->control_count; i++) {
        const ib_ControlModel *control = &model->controls[i];
        if (control->controller->continuous) continue;
        for (int k = 0; k < control->controller->ports.output_count; k++) {
            sim->input[control->outputs[k]] = state[control->state + k];
            sim->slope[control->outputs[k]] = 0;
        }
    }
}

static double measure(const ib_Sim *sim, ib_Reading reading, const double *state)
{
    if (reading.signal >= 0) return sim->truth[reading.signal];
    if (reading.sensor < 0) return ib__sim_continuous_input(sim, state, sim->input)[reading.input];
    const ib_SensorModel *sensor = &sim->model->sensors[reading.sensor];
    return state[sensor->state] * sim->input[sensor->gain];
}

// Returns the code of its D/A converter nearest to the loop's output. A switch has none.
static double to_code(const ib_InputDef *def, int bits, double value)
{
    return bits == 0 || def->words ? value : ib_convert(def->low, def->high, bits, value);
}

// Applies the outputs from now on, each within its range.
static void apply(ib_Sim *sim, const ib_ControlModel *control, const double *output, double *held)
{
    for (int k = 0; k < control->controller->ports.output_count; k++) {
        int input = control->outputs[k];
        sim->input[input] = output[k];
        sim->slope[input] = 0;
        ib__sim_clamp(sim, input);
        held[k] = sim->input[input] = to_code(&sim->model->inputs[input],
                                              control->controller->output_bits, sim->input[input]);
    }
}

// One period of one loop, number `index`; its output is queued after the delayed ones, or acts
// at once.
static void step_one(ib_Sim *sim, int index, double *state)
{
    const ib_ControlModel *control = &sim->model->controls[index];
    const ib_Controller *c = control->controller;
    int outputs = c->ports.output_count;
    double *held = state + control->state, *sent = state + control->sent, *response = held;
    for (int k = 0; k < c->ports.measurement_count; k++) {
        sim->measurement[k] = measure(sim, control->measurements[k], state);
        sim->gathered[k] = ib__gather_take(sim, control, k, state, &sim->measurement[k]);
    }
    if (control->sent >= 0) {
        for (int k = 0; k < outputs * control->lag; k++) sent[k] = sent[k + outputs];
        response = sent + outputs * control->lag;
    }
    ib_ControlTick tick = {.time = sim->time,
                           .command = sim->input + control->command,
                           .measurement = sim->measurement,
                           .slope = sim->slope + control->command,
                           .sum = sim->gathered};
    ib__failure_step(sim, index, &tick, state, response);
    if (control->sent < 0) apply(sim, control, held, held);
}

static bool is_tick(const ib_ControlModel *control, ib_Time time)
{
    return !control->controller->continuous && time % control->controller->period == 0;
}

// True if a delayed output arrives now.
static bool is_arrival(const ib_ControlModel *control, ib_Time time)
{
    return control->sent >= 0 && time >= control->part &&
           (time - control->part) % control->controller->period == 0;
}

ib_Time ib__control_next(const ib_ControlModel *control, ib_Time time)
{
    if (control->controller->continuous) return IB_TIME_NEVER;
    ib_Time period = control->controller->period, tick = ib_time_next(time, period);
    if (control->part == 0) return tick;
    ib_Time arrival = tick - period + control->part;
    return arrival > time ? arrival : ib_time_min(tick, arrival + period);
}

// All loops see the same instant: ideal samples are taken before any of them acts.
bool ib__sim_control(ib_Sim *sim, bool fresh, double *state)
{
    const ib_Model *model = sim->model;
    bool acted = model->continuous_count > 0 && ib__failure_judge_laws(sim, state), ideal = false;
    for (int i = 0; i < model->control_count; i++)
        ideal |= model->controls[i].ideal && is_tick(&model->controls[i], sim->time);
    if (ideal && !fresh) ib__sim_find_truth(sim, state);
    for (int i = 0; i < model->control_count; i++) {
        const ib_ControlModel *control = &model->controls[i];
        bool tick = is_tick(control, sim->time), arrival = is_arrival(control, sim->time);
        if (tick) step_one(sim, i, state);
        if (arrival) apply(sim, control, state + control->sent, state + control->state);
        acted |= arrival || (tick && control->sent < 0);
    }
    if (acted) sim->guards_known = false;
    return acted;
}

bool ib__control_create_shown(ib_Sim *sim)
{
    const ib_Model *model = sim->model;
    sim->last_shown =
        ib_arena_array(&sim->arena, (size_t)model->control_count, sizeof *sim->last_shown);
    for (int i = 0; sim->last_shown && i < model->control_count; i++) {
        const ib_ControlPorts *ports = &model->controls[i].controller->ports;
        if (!model->controls[i].controller->kind->shows_slowly) continue;
        int counts[] = {ports->command_count, ports->state_count, ports->signal_count};
        double **parts[] = {&sim->last_shown[i].command, &sim->last_shown[i].memory,
                            &sim->last_shown[i].signals};
        for (int k = 0; k < 3; k++) {
            *parts[k] = ib_arena_array(&sim->arena, (size_t)counts[k], sizeof(double));
            if (!*parts[k]) return false;
        }
    }
    return sim->last_shown != NULL;
}

void ib__control_forget_shown(ib_Sim *sim)
{
    for (int i = 0; i < sim->model->control_count; i++) sim->last_shown[i].known = false;
}

static void show(const ib_Controller *c, struct ib__Shown *last, const double *command,
                 const double *memory, double *signals)
{
    if (!c->kind->shows_slowly) {
        c->kind->show(c->model, command, memory, signals);
        return;
    }
    size_t commands = (size_t)c->ports.command_count * sizeof *command;
    size_t states = (size_t)c->ports.state_count * sizeof *memory;
    size_t shown = (size_t)c->ports.signal_count * sizeof *signals;
    if (!last->known || memcmp(last->memory, memory, states) != 0 ||
        memcmp(last->command, command, commands) != 0) {
        c->kind->show(c->model, command, memory, last->signals);
        memcpy(last->command, command, commands);
        memcpy(last->memory, memory, states);
        last->known = true;
    }
    memcpy(signals, last->signals, shown);
}

void ib__control_output(const ib_Sim *sim, const double *state, const double *input,
                        double *signals)
{
    const ib_Model *model = sim->model;
    for (int i = 0; i < model->control_count; i++) {
        const ib_ControlModel *control = &model->controls[i];
        const ib_Controller *c = control->controller;
        if (c->continuous)
            ib__continuous_output(sim, control, state, input, signals);
        else if (c->ports.signal_count > 0)
            show(c, &sim->last_shown[i], input + control->command,
                 state + control->state + c->ports.output_count, signals + control->signal);
        signals[control->failed] = state[model->failure_state + i] != IB__LOOP_WORKS;
        for (int k = 0; control->converted >= 0 && k < c->ports.output_count; k++)
            signals[control->converted + k] = state[control->state + k];
        const ib_RobotModel *robot = &model->robots[control->robot];
        const double *guess = signals + control->signal;
        if (control->heading_error >= 0)
            signals[control->heading_error] =
                guess[c->ports.heading - 1] - signals[robot->heading_signal];
        if (control->odometry_error < 0) continue;
        double dx = guess[0] - signals[robot->x_signal], dy = guess[1] - signals[robot->y_signal];
        signals[control->odometry_error] = sqrt(dx * dx + dy * dy);
        signals[control->odometry_error + 1] = guess[2] - signals[robot->heading_signal];
    }
}
