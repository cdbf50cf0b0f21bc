// control/pid_controller.c: a PID as a loop of a robot. docs/control/pid.md
//   control: {wrist: {kind: pid, kp: 60 V/m, ki: 40 V/(m*s), kd: 6 V*s/m, period: 5 ms}}
#include "control/pid_controller.h"

#include "base/maths.h"

#include <math.h>
#include <string.h>

ib_Status ib_pid_controller_init(const ib_PidControllerConfig *config, const ib_ControlSite *site,
                                 const ib_HoldConfig *hold, ib_Arena *arena,
                                 ib_PidControllerModel *model, ib_ControlPorts *ports,
                                 ib_Error *error)
{
    ib_HoldPins pins;
    ib_PidConfig pid = config->pid;
    ib_Status status = ib_hold_init(hold, &config->wiring, site, arena, &pins, ports, error);
    if (status != IB_OK) return status;
    if (isinf(pid.limits[0])) {
        pid.limits[0] = pins.sets.low;
        pid.limits[1] = pins.sets.high;
    }
    if (pid.proportional == 0 && pid.integral == 0 && pid.derivative == 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "it has no gain: expected kp, ki or kd, such as kp: 10 %s/%s",
                            pins.sets.unit, pins.reads.unit);
    status = ib_pid_init(&pid, config->wiring.period, &model->pid, error);
    if (status != IB_OK) return status;
    model->cosine = config->cosine;
    model->turns = strcmp(pins.reads.unit, "rad") == 0;
    if (config->cosine != 0 && !model->turns)
        return ib_error_set(error, IB_BAD_INPUT,
                            "feedforward.cosine: '%s' is in %s: expected an angle", pins.reads.name,
                            pins.reads.unit);
    return IB_OK;
}

// -------------------------------------------------------------------------------------- one period

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

static const ib_SignalDef own_signals[] = {IB_PID_SIGNAL_ROWS};

static ib_Status init(const void *config, const ib_ControlSite *site, ib_Arena *arena, void *model,
                      ib_ControlPorts *ports, ib_Error *error)
{
    static const ib_HoldConfig hold = {IB_PID_STATES,
                                       {own_signals, sizeof own_signals / sizeof own_signals[0]}};
    return ib_pid_controller_init(config, site, &hold, arena, model, ports, error);
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

// A goal that steps has no rate, so that nothing can be fed forward of it.
static const char *idle(const void *config, const char *key)
{
    static const char *const rates[] = {"feedforward.static", "feedforward.velocity",
                                        "feedforward.acceleration"};
    for (int i = 0; i < 3; i++)
        if (strcmp(key, rates[i]) == 0) return key;
    return ib_pid_idle(&((const ib_PidControllerConfig *)config)->pid, key);
}

const ib_ControllerKind ib_pid_kind = {
    .name = "pid",
    .sentence = "a PID with a filtered derivative, limits, anti-windup and feed-forward",
    .docs = "docs/control/pid.md",
    IB_CONTROLLER_TABLES(ib_PidControllerConfig, ib_PidControllerModel),
    .params.idle = idle,
    IB_CONTROLLER_FUNCTIONS,
};
