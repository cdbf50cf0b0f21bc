// desk/trial/trial_plant.c: ideal plants of trials. One is a mechanism driven by voltages; the
// other the sampled linear plant of a loop: x+ = A x + B u + drift at every tick.
#include "desk/trial/trial_inside.h"

#include "plant/mechanism/mechanism.h"

#include <float.h>
#include <string.h>

typedef struct Model {
    const ib_Trial *trial;
    int states, inputs, outputs;
    int u, push, gear, tick; ///< inputs
    bool sampled;
} Model;

int ib__trial_states(const ib_Trial *trial)
{
    if (trial->robot && !trial->robot->part) return trial->robot->states;
    return trial->mechanisms[0] ? trial->mechanisms[0]->ports.states : trial->loop->states;
}

// ------------------------------------------------------------------------------------------- ports

// Inputs of the ideal plant: the environment, u, the pushes on u, the gear and the tick.
static bool make_inputs(const Model *model, ib_Arena *arena, ib_RobotPorts *ports)
{
    int count = model->tick + 1;
    ib_InputDef *in = ib_arena_array(arena, (size_t)count, sizeof *in);
    if (!in) return false;
    memcpy(in, ib_environment_inputs, sizeof ib_environment_inputs);
    for (int i = IB_ENVIRONMENT_COUNT; i < count; i++)
        in[i] = (ib_InputDef){.name = i == model->gear ? "gear" : "tick",
                              .unit = "1",
                              .sentence = "",
                              .role = IB_INPUT_COMMAND,
                              .low = -DBL_MAX,
                              .high = DBL_MAX};
    in[model->tick].neutral = -1;
    for (int i = 0; i < model->inputs; i++) {
        in[model->u + i].name = in[model->push + i].name = ib_arena_format(arena, "u.%d", i);
        in[model->push + i].role = IB_INPUT_PUSH;
        if (!in[model->u + i].name) return false;
    }
    ports->inputs = in;
    ports->input_count = count;
    return true;
}

static bool make_signals(const Model *model, ib_Arena *arena, ib_RobotPorts *ports)
{
    int n = model->states, count = n + model->outputs;
    const ib_StateSpace *plant = &model->trial->loop->gear[0].plant;
    ib_SignalDef *signals = ib_arena_array(arena, (size_t)count, sizeof *signals);
    ib_StateDef *states = ib_arena_array(arena, (size_t)n + 1, sizeof *states);
    if (!signals || !states) return false;
    for (int i = 0; i < count; i++) {
        signals[i] =
            (ib_SignalDef){.name = i < n ? plant->state[i] : ib_arena_format(arena, "y.%d", i - n),
                           .unit = "1",
                           .sentence = "",
                           .limit = i < n ? 1e12 : 0};
        if (i < n) states[i].signal = signals[i].name;
        if (!signals[i].name) return false;
    }
    ports->signals = signals;
    ports->signal_count = count;
    ports->states = states;
    ports->state_count = n + 1; // and the last tick
    return true;
}

static ib_Status init(const void *config, ib_Arena *arena, void *model_, ib_RobotPorts *ports,
                      ib_Error *error)
{
    Model *model = model_;
    const ib_Trial *trial = ((const ib__TrialPlantConfig *)config)->trial;
    int m = trial->loop->inputs;
    *model = (Model){.trial = trial,
                     .states = ib__trial_states(trial),
                     .inputs = m,
                     .outputs = trial->loop->outputs,
                     .u = IB_ENVIRONMENT_COUNT,
                     .push = IB_ENVIRONMENT_COUNT + m,
                     .gear = IB_ENVIRONMENT_COUNT + 2 * m,
                     .tick = IB_ENVIRONMENT_COUNT + 2 * m + 1,
                     .sampled = !trial->mechanisms[0]};
    if (!make_inputs(model, arena, ports) || !make_signals(model, arena, ports))
        return ib_error_set(error, IB_FAILED, "out of memory for a trial");
    return IB_OK;
}

// ---------------------------------------------------------------------------------------- dynamics

static void reset(const void *config, const void *model_, double *state)
{
    const Model *model = model_;
    const ib_Trial *trial = ((const ib__TrialPlantConfig *)config)->trial;
    memcpy(state, trial->start, (size_t)model->states * sizeof *state);
    state[model->states] = -1;
}

static void drive(const Model *model, const double *input, double *u)
{
    for (int i = 0; i < model->inputs; i++) u[i] = input[model->u + i] + input[model->push + i];
}

static int gear_of(const Model *model, const double *input)
{
    int gear = (int)input[model->gear];
    return gear >= 0 && gear < model->trial->loop->gears ? gear : 0;
}

static void rate(const void *model_, const double *state, const double *input, double *dx)
{
    const Model *model = model_;
    double u[IB_INPUTS_MAX];
    dx[model->states] = 0;
    drive(model, input, u);
    if (model->sampled)
        memset(dx, 0, (size_t)model->states * sizeof *dx);
    else
        ib_mechanism_rate(model->trial->mechanisms[gear_of(model, input)], state, u, dx);
}

// r = A x + B u + c, in index order.
static void combine(int rows, int states, int inputs, const double *A, const double *B,
                    const double *c, const double *x, const double *u, double *r)
{
    for (int i = 0; i < rows; i++) {
        double sum = 0;
        for (int j = 0; j < states; j++) sum += A[i * states + j] * x[j];
        for (int j = 0; j < inputs; j++) sum += B[i * inputs + j] * u[j];
        r[i] = sum + c[i];
    }
}

// Advances a sampled plant at the begin of a period: its state is then that of the next tick.
static bool settle(const void *model_, const double *input, double *state)
{
    const Model *model = model_;
    const ib_LoopGear *gear = &model->trial->loop->gear[gear_of(model, input)];
    double next[IB_STATES_MAX], u[IB_INPUTS_MAX];
    int n = model->states;
    if (!model->sampled || input[model->tick] == state[n] || input[model->tick] < 0) return false;
    drive(model, input, u);
    combine(n, n, model->inputs, gear->plant.A, gear->plant.B, gear->drift, state, u, next);
    memcpy(state, next, (size_t)n * sizeof *state);
    state[n] = input[model->tick];
    return true;
}

static void output(const void *model_, const double *state, const double *input, double *y)
{
    const Model *model = model_;
    const ib_LoopGear *gear = &model->trial->loop->gear[gear_of(model, input)];
    double u[IB_INPUTS_MAX];
    drive(model, input, u);
    memcpy(y, state, (size_t)model->states * sizeof *y);
    if (model->sampled)
        combine(model->outputs, model->states, model->inputs, gear->plant.C, gear->plant.D,
                gear->zero, state, u, y + model->states);
    else
        ib_mechanism_output(model->trial->mechanisms[gear_of(model, input)], state,
                            y + model->states);
}

const ib_RobotKind ib__trial_plant = {
    .name = "plant",
    .sentence = "a plant of the desk",
    .docs = "docs/design/trial.md",
    .config_size = sizeof(ib__TrialPlantConfig),
    .model_size = sizeof(Model),
    .init = init,
    .reset = reset,
    .rate = rate,
    .output = output,
    .settle = settle,
};
