#include "sim/loop/failure.h"

#include "base/hash.h"
#include "base/ordinary.h"
#include "sim/loop/continuous.h"

#include <math.h>
#include <string.h>

// The squares of a loop's states must be finite: no quantity of a robot is beyond this, in
// any unit.
#define MOST 1e150

const ib_SignalDef ib__failure_signals[1] = {{"failed", "1",
                                              "1: the loop has failed, and its outputs are neutral",
                                              0, IB_MEANS(.binary = true)}};

bool ib__failure_sound(const double *values, int count)
{
    for (int i = 0; i < count; i++)
        if (!(fabs(values[i]) <= MOST)) return false;
    return true;
}

void ib__failure_lay_out(ib_Model *model)
{
    model->failure_state = model->state_count;
    model->state_count += model->control_count;
    for (int i = 0; i < model->continuous_count; i++) {
        ib_ControlModel *control = &model->controls[model->continuous[i]];
        control->last = model->state_count;
        model->state_count += control->controller->ports.signal_count;
    }
}

// The first of a loop's signals that is not a number or beyond its limit; -1: none.
static int find_wild(const ib_ControlPorts *ports, const double *shown)
{
    for (int i = 0; i < ports->signal_count; i++) {
        double limit = ports->signals[i].limit;
        if (!isfinite(shown[i]) || (limit > 0 && fabs(shown[i]) > limit)) return i;
    }
    return -1;
}

// Notes why a loop is lost, the first time.
static void note_lost(ib_Sim *sim, int loop, int signal, double value)
{
    ib_LoopTrouble *trouble = &sim->troubles[loop];
    if (trouble->lost) return;
    trouble->lost = true;
    trouble->signal = signal < 0 ? -1 : sim->model->controls[loop].signal + signal;
    trouble->value = value;
}

static void note(ib_Sim *sim, int loop, ib_ControlStatus status)
{
    ib_LoopTrouble *trouble = &sim->troubles[loop];
    if (trouble->count[status]++ == 0) trouble->first[status] = sim->time;
}

// A period of a loop that works so far.
static ib_ControlStatus try_step(ib_Sim *sim, int loop, const ib_ControlTick *tick, double *state,
                                 double *response)
{
    const ib_ControlModel *control = &sim->model->controls[loop];
    const ib_Controller *c = control->controller;
    int outputs = c->ports.output_count, count = c->ports.state_count;
    double *memory = state + control->state + outputs, *failure = ib__failure(sim, loop, state);
    memcpy(sim->last_memory, memory, (size_t)count * sizeof *memory);
    ib_ControlStatus status = c->kind->step(c->model, tick, memory, response);
    bool ordinary = ib_are_ordinary(memory, count, MOST);
    if (!ordinary) ib_flush(memory, count);
    ib_flush(response, outputs);
    if (c->ports.signal_count > 0)
        c->kind->show(c->model, sim->input + control->command, memory, sim->shown);
    int wild = find_wild(&c->ports, sim->shown);
    *failure = status == IB_CONTROL_FAILED ? IB__LOOP_MISSED : IB__LOOP_WORKS;
    for (int k = 0; k < outputs; k++)
        if (!isfinite(response[k])) *failure = IB__LOOP_MISSED;
    if (wild < 0 && (ordinary || ib__failure_sound(memory, count))) return status;
    if (state == sim->state) note_lost(sim, loop, wild, wild < 0 ? 0 : sim->shown[wild]);
    memcpy(memory, sim->last_memory, (size_t)count * sizeof *memory);
    *failure = IB__LOOP_LOST;
    return IB_CONTROL_FAILED;
}

ib_ControlStatus ib__failure_step(ib_Sim *sim, int loop, const ib_ControlTick *tick, double *state,
                                  double *response)
{
    const ib_ControlModel *control = &sim->model->controls[loop];
    int outputs = control->controller->ports.output_count;
    size_t size = (size_t)outputs * sizeof *response;
    memcpy(sim->last_response, response, size);
    ib_ControlStatus status = IB_CONTROL_FAILED;
    if (*ib__failure(sim, loop, state) != IB__LOOP_LOST)
        status = try_step(sim, loop, tick, state, response);
    if (status == IB_CONTROL_LATE) memcpy(response, sim->last_response, size);
    for (int k = 0; status == IB_CONTROL_FAILED && k < outputs; k++)
        response[k] = sim->model->inputs[control->outputs[k]].neutral;
    if (status != IB_CONTROL_OK && state == sim->state) note(sim, loop, status);
    return status;
}

bool ib__failure_judge_laws(ib_Sim *sim, double *state)
{
    const ib_Model *model = sim->model;
    bool lost = false;
    for (int i = 0; i < model->continuous_count; i++) {
        int loop = model->continuous[i];
        const ib_ControlModel *control = &model->controls[loop];
        const ib_ControlPorts *ports = &control->controller->ports;
        double *failure = ib__failure(sim, loop, state);
        if (*failure == IB__LOOP_LOST) continue;
        bool sound = ib__continuous_is_sound(sim, loop, state);
        int wild = find_wild(ports, sim->shown);
        if (sound && wild < 0) {
            memcpy(state + control->last, sim->shown, (size_t)ports->signal_count * sizeof *state);
            continue;
        }
        *failure = IB__LOOP_LOST;
        lost = true;
        if (state != sim->state) continue;
        note_lost(sim, loop, wild, wild < 0 ? 0 : sim->shown[wild]);
        note(sim, loop, IB_CONTROL_FAILED);
    }
    return lost;
}

uint64_t ib__failure_hash(const ib_Sim *sim, uint64_t hash)
{
    const ib_Model *model = sim->model;
    const double *failures = sim->state + model->failure_state;
    bool some = false;
    for (int i = 0; i < model->control_count; i++) some |= failures[i] != IB__LOOP_WORKS;
    hash = ib_hash_doubles(hash, sim->state, (size_t)model->failure_state);
    if (some) hash = ib_hash_doubles(hash, failures, (size_t)model->control_count);
    return ib_hash_doubles(hash, sim->state + model->step_state, 1);
}
