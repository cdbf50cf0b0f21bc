// sim/loop/law.c: the laws of continuous loops at one instant: their outputs, states and signals.
#include "sim/loop/continuous.h"
#include "sim/loop/failure.h"

#include <math.h>
#include <string.h>

static const ib_ControlModel *loop_of(const ib_Model *model, int number)
{
    return &model->controls[model->continuous[number]];
}

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

// The value of a command on its way to the robot (sim/input/clamp.c).
static double kept_within(const ib_InputDef *input, double value)
{
    if (!isfinite(value)) return input->neutral;
    return value > input->high ? input->high : value < input->low ? input->low : value;
}

// Reads the measurements of a robot's loops.
static void look(const ib_Sim *sim, const ib_RobotModel *robot, const double *state,
                 const double *input)
{
    ib_robot_output(robot->kind, robot->model, &robot->ports, NULL, state + robot->state,
                    ib__sim_own_input(sim, robot, state, input), sim->law_signals + robot->signal);
}

const double *ib__sim_apply_continuous(const ib_Sim *sim, const double *state, const double *input,
                                       double *rate)
{
    const ib_Model *model = sim->model;
    double measurement[IB_LAW_MEASUREMENTS], output[IB_LAW_OUTPUTS], rates[IB_LAW_RATES];
    memcpy(sim->continuous_input, input, (size_t)model->input_count * sizeof *input);
    for (int i = 0, seen = -1; i < model->continuous_count; i++) {
        const ib_ControlModel *control = loop_of(model, i);
        const ib_Controller *c = control->controller;
        if (control->robot != seen) // all its loops see the same instant
            look(sim, &model->robots[control->robot], state, input);
        seen = control->robot;
        ib_ControlInstant now = instant(sim, control, input, sim->law_signals, measurement);
        double *own = rate ? rate + control->state : rates;
        c->kind->law(c->model, &now, state + control->state, output, own);
        // One that has failed, or does so within this step, does nothing.
        bool works = *ib__failure(sim, model->continuous[i], sim->state) == IB__LOOP_WORKS &&
                     ib__failure_sound(own, c->ports.rate_count);
        for (int k = 0; !works && k < c->ports.rate_count; k++) own[k] = 0;
        for (int k = 0; k < c->ports.output_count; k++)
            sim->continuous_input[control->outputs[k]] =
                kept_within(&model->inputs[control->outputs[k]], works ? output[k] : (double)NAN);
    }
    return sim->continuous_input;
}

bool ib__continuous_is_sound(const ib_Sim *sim, int loop, const double *state)
{
    const ib_ControlModel *control = &sim->model->controls[loop];
    const ib_Controller *c = control->controller;
    double measurement[IB_LAW_MEASUREMENTS], output[IB_LAW_OUTPUTS], rate[IB_LAW_RATES];
    look(sim, &sim->model->robots[control->robot], state, sim->input);
    ib_ControlInstant now = instant(sim, control, sim->input, sim->law_signals, measurement);
    c->kind->law(c->model, &now, state + control->state, output, rate);
    if (c->ports.signal_count > 0)
        c->kind->law_show(c->model, &now, state + control->state, sim->shown);
    return ib__failure_sound(state + control->state, c->ports.rate_count) &&
           ib__failure_sound(rate, c->ports.rate_count) &&
           ib__failure_sound(output, c->ports.output_count);
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
        look(sim, robot, sim->state, sim->input);
        ib_ControlInstant now = instant(sim, control, sim->input, sim->law_signals, measurement);
        c->kind->start(c->model, &now, sim->state + control->state);
    }
}

void ib__continuous_output(const ib_Sim *sim, const ib_ControlModel *control, const double *state,
                           const double *input, double *signals)
{
    const ib_Controller *c = control->controller;
    int loop = (int)(control - sim->model->controls), count = c->ports.signal_count;
    double measurement[IB_LAW_MEASUREMENTS];
    if (count == 0) return;
    if (state[sim->model->failure_state + loop] == IB__LOOP_LOST) {
        memcpy(signals + control->signal, state + control->last, (size_t)count * sizeof *signals);
        return;
    }
    ib_ControlInstant now = instant(sim, control, input, signals, measurement);
    c->kind->law_show(c->model, &now, state + control->state, signals + control->signal);
}
