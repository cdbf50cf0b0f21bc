// control/driving/heading_controller.c: a heading from a rate gyro as a signal, without
// outputs. docs/control/heading.md
//   control: {heading: {kind: heading, sensors: gyro, method: sum, settle: 1 s}}
#include "control/controller.h"
#include "control/driving/heading.h"

#include <string.h>

typedef struct Config {
    ib_WiringConfig wiring;
    int method;           ///< ib_HeadingMethod
    double settle, start; ///< [s, rad]
} Config;

typedef struct Model {
    ib_HeadingConfig heading;
    double start; ///< [rad]
    const char *reads;
    ib_Gather gather;
} Model;

static const ib_SignalDef signals[] = {
    {"heading", "rad", "the heading by the gyro", 0, IB_MEANS(.shown = "deg")},
    {"rate", "rad/s", "the yaw rate by the gyro, less its bias", 0},
    {"bias", "rad/s", "the bias of the gyro, as found while the robot stood", 0},
};

enum { S_HEADING, S_RATE, S_BIAS, S_COUNT };

_Static_assert(sizeof signals / sizeof signals[0] == S_COUNT, "each has its row");

static ib_Status init(const void *config_, const ib_ControlSite *site, ib_Arena *arena,
                      void *model_, ib_ControlPorts *ports, ib_Error *error)
{
    const Config *config = config_;
    Model *model = model_;
    ib_ControlPin gyro;
    (void)arena;
    if (config->wiring.inputs.count > 0)
        return ib_error_set(error, IB_BAD_INPUT, "inputs: it sets nothing: expected none");
    ib_Status status =
        ib_site_reading(site, &config->wiring.sensors, 0, 1, "gyro", "gyro", &gyro, error);
    if (status != IB_OK) return status;
    if (strcmp(gyro.unit, "rad/s") != 0)
        return ib_error_set(error, IB_BAD_INPUT, "sensors.0: '%s' is in %s: expected a yaw rate",
                            gyro.name, gyro.unit);
    model->heading = (ib_HeadingConfig){.period = config->wiring.period,
                                        .method = (ib_HeadingMethod)config->method,
                                        .settle = config->settle};
    model->start = config->start;
    model->reads = gyro.name;
    model->gather = ib_heading_gather(&gyro, &model->heading);
    *ports = (ib_ControlPorts){.state_count = IB_HEADING_STATES,
                               .measurement_count = 1,
                               .measurements = &model->reads,
                               .gathers = &model->gather,
                               .signal_count = S_COUNT,
                               .signals = signals,
                               .heading = S_HEADING + 1};
    return ib_heading_check(&model->heading, error);
}

static void reset(const void *model, double *state)
{
    ib_heading_reset(((const Model *)model)->start, state);
}

static ib_ControlStatus step(const void *model, const ib_ControlTick *tick, double *state,
                             double *output)
{
    (void)output;
    ib_heading_step(&((const Model *)model)->heading, tick->measurement[0], ib_tick_sum(tick, 0),
                    state);
    return IB_CONTROL_OK;
}

static void show(const void *model, const double *command, const double *state, double *shown)
{
    (void)model, (void)command;
    shown[S_HEADING] = state[IB_HEADING_ANGLE];
    shown[S_RATE] = state[IB_HEADING_RATE];
    shown[S_BIAS] = state[IB_HEADING_BIAS];
}

static const char *const methods[] = {"trapezoid", "sum", NULL};

static const ib_Param params[] = {
    IB_WIRING_ROWS_OF("the gyro: a name of robot.sensors, or of a signal, sampled ideally; none: "
                      "the sensor called gyro"),
    IB_PERIOD_ROW,
    IB_PARAM_ROW("method", IB_PARAM_CHOICE, "1", "trapezoid", 0, 1, methods, Config, method, false,
                 "how rates are summed up: the mean of two neighbours, or the later one"),
    IB_PARAM_ROW("settle", IB_PARAM_NUMBER, "s", "0 s", 0, 1e6, NULL, Config, settle, false,
                 "the robot stands so long at first: the gyro's mean over that time is its bias"),
    IB_PARAM_ROW("start", IB_PARAM_NUMBER, "rad", "0 rad", -1e6, 1e6, NULL, Config, start, false,
                 "what the heading is taken to be at the start"),
};

const ib_ControllerKind ib_heading_kind = {
    .name = "heading",
    .sentence = "a heading from a rate gyro, by summing up; it sets nothing",
    .docs = "docs/control/heading.md",
    IB_CONTROLLER_TABLES(Config, Model),
    IB_CONTROLLER_FUNCTIONS,
};
