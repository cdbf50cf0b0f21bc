// control/pid_controller.c: a PID as a loop of a robot. docs/control/pid.md
//   control: {wrist: {kind: pid, kp: 60 V/m, ki: 40 V/(m*s), kd: 6 V*s/m, period: 5 ms}}
#include "control/pid_controller.h"

#include "base/maths.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const ib_SignalDef shares[IB_PID_SHOWN] = {
    {"proportional", "U", "what the error adds to the output", 0},
    {"integral", "U", "what past errors add to the output", 0},
    {"derivative", "U", "what the rate of change adds to the output", 0},
    {"feedforward", "U", "what is added whatever is measured", 0},
    {"output", "U", "what the plant got", 0},
};

// ------------------------------------------------------------------------------------------- ports

// The loop's goal, named after the state that it is of: lift.goal, lift.goal.position, lift.goal.x.
static bool name_goal(const ib_ControlSite *site, const ib_ControlPin *pin, ib_Arena *arena,
                      ib_ControlCommand *command)
{
    *command = (ib_ControlCommand){.name = ib_site_name(site, arena, "goal"),
                                   .unit = pin->unit,
                                   .sentence = ib_arena_format(arena, "wanted %s", pin->name),
                                   .low = -DBL_MAX,
                                   .high = DBL_MAX,
                                   .required = true,
                                   .kept = true};
    if (pin->local && isfinite(pin->low)) {
        command->low = pin->low;
        command->high = pin->high;
        command->limit = "its travel";
        command->neutral = fmin(fmax(0, pin->low), pin->high);
    }
    if (pin->local) {
        const char *tail = strrchr(pin->name, '.');
        command->also[0] = ib_site_name(site, arena, ib_arena_format(arena, "goal.%s", tail + 1));
        command->also[1] = ib_site_name(site, arena, ib_arena_format(arena, "goal.%s", pin->local));
        if (!command->also[0] || !command->also[1]) return false;
    }
    return command->name && command->sentence;
}

static bool make_ports(const ib_ControlSite *site, const ib_ControlPin *reads,
                       const ib_ControlPin *sets, const ib_SignalDef *more, int more_count,
                       ib_Arena *arena, ib_ControlPorts *ports)
{
    int count = 1 + more_count + IB_PID_SHOWN;
    ib_ControlCommand *command = ib_arena_alloc(arena, sizeof *command);
    const char **names = ib_arena_array(arena, 2, sizeof *names);
    ib_SignalDef *signals = ib_arena_array(arena, (size_t)count, sizeof *signals);
    if (!command || !names || !signals || !name_goal(site, reads, arena, command)) return false;
    names[0] = reads->name;
    names[1] = sets->name;
    signals[0] = (ib_SignalDef){"goal", reads->unit, command->sentence, 0};
    for (int i = 0; i < more_count; i++) signals[1 + i] = more[i];
    for (int i = 0; i < IB_PID_SHOWN; i++) {
        signals[1 + more_count + i] = shares[i];
        signals[1 + more_count + i].unit = sets->unit;
    }
    ports->command_count = 1;
    ports->commands = command;
    ports->measurement_count = 1;
    ports->measurements = &names[0];
    ports->output_count = 1;
    ports->outputs = &names[1];
    ports->signal_count = count;
    ports->signals = signals;
    return true;
}

ib_Status ib_pid_controller_init(const ib_PidControllerConfig *config, const ib_ControlSite *site,
                                 const ib_SignalDef *more, int more_count, int states,
                                 ib_Arena *arena, ib_PidControllerModel *model,
                                 ib_ControlPorts *ports, ib_Error *error)
{
    ib_ControlPin reads, sets;
    ib_PidConfig pid = config->pid;
    ib_Status status = ib_site_reading(site, &config->wiring.sensors, 0, 1, NULL,
                                       "value that it holds", &reads, error);
    if (status == IB_OK)
        status = ib_site_setting(site, &config->wiring.inputs, 0, 1, NULL, "output", &sets, error);
    if (status != IB_OK) return status;
    if (isinf(pid.limits[0])) {
        pid.limits[0] = sets.low;
        pid.limits[1] = sets.high;
    }
    if (pid.proportional == 0 && pid.integral == 0 && pid.derivative == 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "it has no gain: expected kp, ki or kd, such as kp: 10 %s/%s",
                            sets.unit, reads.unit);
    status = ib_pid_init(&pid, config->wiring.period, &model->pid, error);
    if (status != IB_OK) return status;
    model->cosine = config->cosine;
    model->turns = strcmp(reads.unit, "rad") == 0;
    if (config->cosine != 0 && !model->turns)
        return ib_error_set(error, IB_BAD_INPUT,
                            "feedforward.cosine: '%s' is in %s: expected an angle", reads.name,
                            reads.unit);
    ports->state_count = states + IB_PID_STATES;
    if (!make_ports(site, &reads, &sets, more, more_count, arena, ports))
        return ib_error_set(error, IB_FAILED, "out of memory for a controller");
    return IB_OK;
}

// --------------------------------------------------------------------------------------- one
// period

double ib_pid_controller_step(const ib_PidControllerModel *model, const ib_ProfilePoint *wanted,
                              double measured, double *state)
{
    double carry = model->cosine != 0 ? model->cosine * ib_cos(measured) : 0;
    return ib_pid_step(&model->pid, wanted, measured, carry, state);
}

void ib_pid_controller_show(const ib_PidControllerModel *model, const double *state, double *shown)
{
    ib_PidShares s = ib_pid_shares(&model->pid, state);
    shown[IB_PID_SHOWN_PROPORTIONAL] = s.proportional;
    shown[IB_PID_SHOWN_INTEGRAL] = s.integral;
    shown[IB_PID_SHOWN_DERIVATIVE] = s.derivative;
    shown[IB_PID_SHOWN_FEEDFORWARD] = s.feedforward;
    shown[IB_PID_SHOWN_OUTPUT] = s.output;
}

// --------------------------------------------------------------------------------------------- pid

static ib_Status init(const void *config, const ib_ControlSite *site, ib_Arena *arena, void *model,
                      ib_ControlPorts *ports, ib_Error *error)
{
    return ib_pid_controller_init(config, site, NULL, 0, 0, arena, model, ports, error);
}

static void reset(const void *model, double *state)
{
    ib_pid_reset(&((const ib_PidControllerModel *)model)->pid, state);
}

// A goal that steps has no rate.
static ib_ControlStatus step(const void *model, const ib_ControlTick *tick, double *state,
                             double *output)
{
    ib_ProfilePoint wanted = {.position = tick->command[0]};
    output[0] = ib_pid_controller_step(model, &wanted, tick->measurement[0], state);
    return IB_CONTROL_OK;
}

static void show(const void *model, const double *command, const double *state, double *signals)
{
    signals[0] = command[0];
    ib_pid_controller_show(model, state, signals + 1);
}

static const ib_Param params[] = {
    IB_WIRING_ROWS,
    IB_PERIOD_ROW,
    IB_PID_ROWS(ib_PidControllerConfig, pid),
    IB_PID_COSINE_ROW(ib_PidControllerConfig, cosine),
};

const ib_ControllerKind ib_pid_kind = {
    .name = "pid",
    .sentence = "a PID with a filtered derivative, limits, anti-windup and feed-forward",
    .docs = "docs/control/pid.md",
    .params = {params, sizeof params / sizeof params[0]},
    .config_size = sizeof(ib_PidControllerConfig),
    .model_size = sizeof(ib_PidControllerModel),
    .init = init,
    .reset = reset,
    .step = step,
    .show = show,
};
