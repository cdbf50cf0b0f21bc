// control/servo/profiled_controller.c: a PID whose goal moves along a trapezoidal profile, within
// limits. Its page is docs/control/profile.md.
//   control: {hood: {kind: profiled, velocity: 2 rad/s, acceleration: 8 rad/s^2, kp: 20 V/rad}}
#include "control/feedback/pid_controller.h"

#include <math.h>

typedef struct Config {
    ib_PidControllerConfig own;
    ib_ProfileLimits limits;
} Config;

typedef struct Model {
    ib_PidControllerModel own;
    ib_ProfileLimits limits;
    double period; ///< [s]
} Model;

// States: the reference, then those of the PID. Before the first good sample there is no reference.
enum { POSITION, VELOCITY, ACCELERATION, STARTED, PID };

enum { GOAL, REFERENCE, RATE, SHARES }; ///< signals

static const ib_SignalDef own_signals[] = {
    {"reference", "Y", "where the profile is on its way to the goal", 0},
    {"reference_rate", "Y/s", "how fast the profile moves", 0},
    IB_PID_SIGNAL_ROWS,
};

static ib_Status init(const void *config_, const ib_ControlSite *site, ib_Arena *arena,
                      void *model_, ib_ControlPorts *ports, ib_Error *error)
{
    const Config *config = config_;
    Model *model = model_;
    static const ib_HoldConfig hold = {PID + IB_PID_STATES,
                                       {own_signals, sizeof own_signals / sizeof own_signals[0]}};
    ib_Status status = ib_profile_check(&config->limits, error);
    if (status != IB_OK) return status;
    model->limits = config->limits;
    model->period = config->own.wiring.period;
    return ib_pid_controller_init(&config->own, site, &hold, arena, &model->own, ports, error);
}

static void reset(const void *model, double *state)
{
    for (int i = 0; i < PID; i++) state[i] = 0;
    ib_pid_reset(&((const Model *)model)->own.pid, state + PID);
}

// The reference begins at the plant's place, and advances by one period at each tick. A goal of NAN
// keeps the last one.
static ib_ControlStatus step(const void *model_, const ib_ControlTick *tick, double *state,
                             double *output)
{
    const Model *model = model_;
    double measured = tick->measurement[0];
    ib_ProfilePoint goal = {.position = tick->command[0]};
    ib_ProfilePoint now = {state[POSITION], state[VELOCITY], state[ACCELERATION]};
    if (state[STARTED] != 0) {
        ib_profile_next(&model->limits, &goal, model->period, &now, NULL);
    } else if (isfinite(measured)) {
        now.position = measured;
        state[STARTED] = 1;
    }
    state[POSITION] = now.position;
    state[VELOCITY] = now.velocity;
    state[ACCELERATION] = now.acceleration;
    output[0] = ib_pid_controller_step(&model->own, &now, measured, state + PID);
    return IB_CONTROL_OK;
}

static void show(const void *model, const double *command, const double *state, double *signals)
{
    signals[GOAL] = command[0];
    signals[REFERENCE] = state[POSITION];
    signals[RATE] = state[VELOCITY];
    ib_pid_controller_show(&((const Model *)model)->own, state + PID, signals + SHARES);
}

#define LIMIT(key, unit, fallback, least, field, sentence)                                         \
    IB_PARAM_ROW(key, IB_PARAM_NUMBER, unit, fallback, least, 1e9, NULL, Config, limits.field,     \
                 false, sentence)

static const ib_Param params[] = {
    IB_WIRING_ROWS,
    IB_PERIOD_ROW,
    LIMIT("velocity", "Y/s", NULL, 1e-9, velocity, "largest speed of the goal along its profile"),
    LIMIT("acceleration", "Y/s^2", NULL, 1e-9, acceleration,
          "acceleration of the goal while it gets faster"),
    LIMIT("deceleration", "Y/s^2", "0 Y/s^2", 0, deceleration,
          "deceleration of the goal while it gets slower; 0: as acceleration"),
    IB_OFFSET_ROW(Config, own.offset),
    IB_PID_ROWS(Config, own.pid),
    IB_PID_COSINE_ROW(Config, own.cosine),
};

static const char *idle(const void *config, const char *key)
{
    return ib_pid_idle(&((const Config *)config)->own.pid, key);
}

const ib_ControllerKind ib_profiled_kind = {
    .name = "profiled",
    .sentence = "a PID whose goal moves along a trapezoidal profile",
    .docs = "docs/control/profile.md",
    IB_CONTROLLER_TABLES(Config, Model),
    .params.idle = idle,
    IB_CONTROLLER_FUNCTIONS,
};
