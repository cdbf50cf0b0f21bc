// control/feedback/pid_controller.c: a PID as a loop of a robot. docs/control/pid.md
//   control: {wrist: {kind: pid, kp: 60 V/m, ki: 40 V/(m*s), kd: 6 V*s/m, period: 5 ms}}
#include "control/feedback/pid_controller.h"

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
    pid.feed_constant += ib_hold_offset(config->offset, &pins);
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

typedef struct Config {
    ib_PidControllerConfig own;
    ib_Words interlock; ///< the sensor that lets the goal through; none: it always counts
} Config;

typedef struct Model {
    ib_PidControllerModel own;
    bool locked; ///< it has an interlock
} Model;

// States of the PID, then with an interlock the goal that it follows, once it has one.
enum { FOLLOWED = IB_PID_STATES, STARTED, STATES };

// The first row is there with an interlock only.
static const ib_SignalDef own_signals[] = {
    {"followed", "Y", "goal that it follows: the one asked for while its interlock is on", 0},
    IB_PID_SIGNAL_ROWS,
};
enum { OWN = sizeof own_signals / sizeof own_signals[0] };

// The sensor of the key is read after the measurement.
static ib_Status lock(const ib_Words *given, const ib_ControlSite *site, ib_Arena *arena,
                      ib_ControlPorts *ports, ib_Error *error)
{
    ib_ControlPin pin;
    const char **names = ib_arena_array(arena, 2, sizeof *names);
    if (!names) return ib_error_set(error, IB_FAILED, "out of memory for a controller");
    if (given->count != 1)
        return ib_error_set(error, IB_BAD_INPUT, "interlock: expected one sensor, got %d",
                            given->count);
    ib_Status status = ib_site_sensor(site, "interlock", given->items[0], &pin, error);
    if (status != IB_OK) return status;
    if (strcmp(pin.unit, "1") != 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "interlock: '%s' is in %s: expected a switch, a sensor that is 0 or 1",
                            pin.name, pin.unit);
    names[0] = ports->measurements[0];
    names[1] = pin.name;
    ports->measurements = names;
    ports->measurement_count = 2;
    return IB_OK;
}

static ib_Status init(const void *config_, const ib_ControlSite *site, ib_Arena *arena,
                      void *model_, ib_ControlPorts *ports, ib_Error *error)
{
    static const ib_HoldConfig holds[] = {{IB_PID_STATES, {own_signals + 1, OWN - 1}},
                                          {STATES, {own_signals, OWN}}};
    const Config *config = config_;
    Model *model = model_;
    model->locked = config->interlock.count > 0;
    ib_Status status = ib_pid_controller_init(&config->own, site, &holds[model->locked], arena,
                                              &model->own, ports, error);
    if (status != IB_OK || !model->locked) return status;
    return lock(&config->interlock, site, arena, ports, error);
}

static void reset(const void *model, double *state)
{
    ib_pid_reset(&((const Model *)model)->own.pid, state);
}

// The effective goal: the command while the interlock is on, else the last effective one, and at
// first the measured place of the plant. A NAN is no release, and no place.
static double follow(const ib_ControlTick *tick, double *state)
{
    double measured = tick->measurement[0];
    if (tick->measurement[1] >= 0.5) {
        state[FOLLOWED] = tick->command[0];
        state[STARTED] = 1;
    } else if (state[STARTED] == 0 && isfinite(measured)) {
        state[FOLLOWED] = measured;
        state[STARTED] = 1;
    }
    return state[STARTED] != 0 ? state[FOLLOWED] : measured;
}

// A goal that steps has no rate.
static ib_ControlStatus step(const void *model_, const ib_ControlTick *tick, double *state,
                             double *output)
{
    const Model *model = model_;
    ib_ProfilePoint wanted = {.position = model->locked ? follow(tick, state) : tick->command[0]};
    output[0] = ib_pid_controller_step(&model->own, &wanted, tick->measurement[0], state);
    return IB_CONTROL_OK;
}

static void show(const void *model_, const double *command, const double *state, double *signals)
{
    const Model *model = model_;
    signals[0] = command[0];
    if (model->locked) signals[1] = state[FOLLOWED];
    ib_pid_controller_show(&model->own, state, signals + 1 + model->locked);
}

static const ib_Param params[] = {
    IB_WIRING_ROWS,
    IB_PERIOD_ROW,
    IB_OFFSET_ROW(Config, own.offset),
    IB_PID_ROWS(Config, own.pid),
    IB_PID_COSINE_ROW(Config, own.cosine),
    IB_PARAM_ROW("interlock", IB_PARAM_WORDS, "1", NULL, 0, 0, NULL, Config, interlock, false,
                 "a sensor that is 0 or 1: only while it is 1 a new goal counts; none: always"),
};

// A goal that steps has no rate, so that nothing can be fed forward of it.
static const char *idle(const void *config, const char *key)
{
    static const char *const rates[] = {"feedforward.static", "feedforward.velocity",
                                        "feedforward.acceleration"};
    for (int i = 0; i < 3; i++)
        if (strcmp(key, rates[i]) == 0) return key;
    return ib_pid_idle(&((const Config *)config)->own.pid, key);
}

const ib_ControllerKind ib_pid_kind = {
    .name = "pid",
    .sentence = "a PID with a filtered derivative, limits, anti-windup and feed-forward",
    .docs = "docs/control/pid.md",
    IB_CONTROLLER_TABLES(Config, Model),
    .params.idle = idle,
    IB_CONTROLLER_FUNCTIONS,
};
