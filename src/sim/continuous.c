#include "sim/continuous.h"

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

// A robot as it is at t = 0, to be tried.
typedef struct Trial {
    const ib_RobotModel *robot;
    double *start, *state, *input, *signals, *others;
} Trial;

static bool open_trial(const ib_Model *model, const ib_RobotModel *robot, ib_Arena *arena,
                       Trial *trial)
{
    const ib_RobotPorts *ports = &robot->ports;
    trial->robot = robot;
    trial->start = ib_arena_array(arena, (size_t)ports->state_count, sizeof(double));
    trial->state = ib_arena_array(arena, (size_t)ports->state_count, sizeof(double));
    trial->input = ib_arena_array(arena, (size_t)ports->input_count, sizeof(double));
    trial->signals = ib_arena_array(arena, (size_t)ports->signal_count, sizeof(double));
    trial->others = ib_arena_array(arena, (size_t)ports->signal_count, sizeof(double));
    if (!trial->start || !trial->state || !trial->input || !trial->signals || !trial->others)
        return false;
    robot->kind->reset(robot->config, robot->model, trial->start);
    for (int i = 0; i < ports->input_count; i++) trial->input[i] = ports->inputs[i].neutral;
    trial->input[IB_GRAVITY] = model->config->gravity;
    return true;
}

enum { LEVELS = 3, SETTLINGS = 100 };

// What an input is tried with: the ends of its range and its neutral value.
static double level(const ib_InputDef *input, int number)
{
    double low = input->low > -1e100 ? input->low : input->neutral - 1;
    double high = input->high < 1e100 ? input->high : input->neutral + 1;
    return number == 0 ? low : number == 1 ? high : input->neutral;
}

// Does the signal follow this input while the state stays as it is? Tried from the start, and from
// the modes that each end of the range leads to: what stands on a stop or sticks does not answer.
static bool follows(const Trial *trial, int input, int signal)
{
    const ib_RobotModel *robot = trial->robot;
    const ib_InputDef *def = &robot->ports.inputs[input];
    size_t size = (size_t)robot->ports.state_count * sizeof *trial->state;
    bool found = false;
    for (int from = 0; from < LEVELS && !found; from++) {
        memcpy(trial->state, trial->start, size);
        trial->input[input] = level(def, from);
        for (int i = 0; robot->kind->settle && i < SETTLINGS; i++)
            if (!robot->kind->settle(robot->model, trial->input, trial->state)) break;
        robot->kind->output(robot->model, trial->state, trial->input, trial->signals);
        for (int to = 0; to < LEVELS && !found; to++) {
            trial->input[input] = level(def, to);
            robot->kind->output(robot->model, trial->state, trial->input, trial->others);
            double a = trial->signals[signal], b = trial->others[signal];
            found = !(a == b) && (isfinite(a) || isfinite(b));
        }
    }
    trial->input[input] = def->neutral;
    return found;
}

// Does what one loop measures follow at once what another one of the same robot, or itself, sets?
static ib_Status check_pair(const ib_ControlModel *reads, const ib_ControlModel *sets,
                            const Trial *trial, ib_Error *error)
{
    const ib_RobotModel *robot = trial->robot;
    const ib_ControlPorts *ports = &reads->controller->ports;
    for (int i = 0; i < ports->measurement_count; i++)
        for (int k = 0; k < sets->controller->ports.output_count; k++) {
            int signal = reads->measurements[i].signal - robot->signal;
            int input = sets->outputs[k] - robot->input;
            if (!follows(trial, input, signal)) continue;
            return ib_error_set(
                error, IB_BAD_INPUT,
                "%s is continuous and reads '%s', which follows '%s' at once: what it reads and "
                "what it sets would be one equation. Expected 'period' as a time, such as 1 ms",
                reads->controller->label, ports->measurements[i], robot->ports.inputs[input].name);
        }
    return IB_OK;
}

ib_Status ib__continuous_check_loops(const ib_Model *model, ib_Error *error)
{
    ib_Status status = IB_OK;
    ib_Arena arena = {0};
    for (int i = 0; status == IB_OK && i < model->continuous_count; i++) {
        const ib_ControlModel *reads = loop_of(model, i);
        Trial trial;
        if (!open_trial(model, &model->robots[reads->robot], &arena, &trial))
            status = no_memory(error);
        for (int k = 0; status == IB_OK && k < model->continuous_count; k++)
            if (loop_of(model, k)->robot == reads->robot)
                status = check_pair(reads, loop_of(model, k), &trial, error);
    }
    ib_arena_reset(&arena);
    return status;
}

// --------------------------------------------------------------------------------------------- run

static ib_ControlInstant instant(const ib_Sim *sim, const ib_ControlModel *control,
                                 const double *input, const double *signals,
                                 double measurement[IB_LAW_MEASUREMENTS])
{
    int count = control->controller->ports.measurement_count;
    for (int i = 0; i < count; i++) measurement[i] = signals[control->measurements[i].signal];
    return (ib_ControlInstant){.command = input + control->command,
                               .slope = sim->slope + control->command,
                               .measurement = measurement};
}

// What a command becomes on its way to the robot (sim/clamp.c).
static double kept_within(const ib_InputDef *input, double value)
{
    if (!isfinite(value)) return input->neutral;
    return value > input->high ? input->high : value < input->low ? input->low : value;
}

const double *ib__sim_rule(const ib_Sim *sim, const double *state, const double *input,
                           double *rate)
{
    const ib_Model *model = sim->model;
    double measurement[IB_LAW_MEASUREMENTS], output[IB_LAW_OUTPUTS], rates[IB_LAW_RATES];
    memcpy(sim->ruled_input, input, (size_t)model->input_count * sizeof *input);
    for (int i = 0, seen = -1; i < model->continuous_count; i++) {
        const ib_ControlModel *control = loop_of(model, i);
        const ib_Controller *c = control->controller;
        const ib_RobotModel *robot = &model->robots[control->robot];
        if (control->robot != seen) // all its loops see the same instant
            robot->kind->output(robot->model, state + robot->state,
                                ib__sim_own_input(sim, robot, state, input),
                                sim->law_signals + robot->signal);
        seen = control->robot;
        ib_ControlInstant now = instant(sim, control, input, sim->law_signals, measurement);
        c->kind->law(c->model, &now, state + control->state, output,
                     rate ? rate + control->state : rates);
        for (int k = 0; k < c->ports.output_count; k++)
            sim->ruled_input[control->outputs[k]] =
                kept_within(&model->inputs[control->outputs[k]], output[k]);
    }
    return sim->ruled_input;
}

void ib__continuous_start(ib_Sim *sim)
{
    const ib_Model *model = sim->model;
    double measurement[IB_LAW_MEASUREMENTS];
    for (int i = 0; i < model->continuous_count; i++) {
        const ib_ControlModel *control = loop_of(model, i);
        const ib_Controller *c = control->controller;
        const ib_RobotModel *robot = &model->robots[control->robot];
        if (!c->kind->start) continue;
        robot->kind->output(robot->model, sim->state + robot->state,
                            ib__sim_own_input(sim, robot, sim->state, sim->input),
                            sim->law_signals + robot->signal);
        ib_ControlInstant now = instant(sim, control, sim->input, sim->law_signals, measurement);
        c->kind->start(c->model, &now, sim->state + control->state);
    }
}

void ib__continuous_output(const ib_Sim *sim, const ib_ControlModel *control, const double *state,
                           const double *input, double *signals)
{
    const ib_Controller *c = control->controller;
    double measurement[IB_LAW_MEASUREMENTS];
    ib_ControlInstant now = instant(sim, control, input, signals, measurement);
    if (c->ports.signal_count > 0)
        c->kind->law_show(c->model, &now, state + control->state, signals + control->signal);
}
