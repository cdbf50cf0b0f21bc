// control/odometry/odometry_controller.c: the estimated pose of a base as signals, from the
// encoders of any wheels and a gyro, without outputs. docs/control/odometry.md, "Any wheels"
//   control: {odometry: {kind: odometry, sensors: [e1, e2, e3, e4, gyro], start: {x: 1 m}}}
#include "control/controller.h"
#include "control/odometry/rim_reader.h"

#include <string.h>

typedef struct Config {
    ib_WiringConfig wiring;
    double settle, filter;
    double x, y, heading; ///< estimated pose at the start [m, m, rad]
} Config;

typedef struct Model {
    ib_RimReader rims;
    ib_OdometryModel odometry;
    double x, y, heading;
} Model;

enum { S_RESIDUAL = IB_RIM_SIGNALS, S_COUNT };

static const ib_SignalDef signals[S_COUNT] = {
    IB_RIM_SIGNAL_ROWS,
    [S_RESIDUAL] = {"residual", "m/s", "what the rims do not agree on: slip shows here", 0},
};

static ib_Status init(const void *config_, const ib_ControlSite *site, ib_Arena *arena,
                      void *model_, ib_ControlPorts *ports, ib_Error *error)
{
    const Config *config = config_;
    Model *model = model_;
    (void)arena;
    if (config->wiring.inputs.count > 0)
        return ib_error_set(error, IB_BAD_INPUT, "inputs: it sets nothing: expected none");
    ib_OdometryConfig odometry = {
        .period = config->wiring.period, .filter = config->filter, .settle = config->settle};
    const ib_RimReaderConfig reads = {.sensors = &config->wiring.sensors};
    ib_Status status =
        ib_rim_reader_init(&reads, site, &odometry, &model->rims, &model->odometry, error);
    model->x = config->x;
    model->y = config->y;
    model->heading = config->heading;
    *ports = (ib_ControlPorts){.state_count = IB_ODOMETRY_STATES,
                               .measurement_count = model->rims.count,
                               .measurements = model->rims.reads,
                               .gathers = model->rims.gathers,
                               .signal_count = S_COUNT,
                               .signals = signals,
                               .odometry = true};
    return status;
}

// -------------------------------------------------------------------------------------- one period

static void reset(const void *model_, double *state)
{
    const Model *model = model_;
    ib_odometry_reset(model->x, model->y, model->heading, state);
}

static ib_ControlStatus step(const void *model_, const ib_ControlTick *tick, double *state,
                             double *output)
{
    const Model *model = model_;
    (void)output;
    ib_rim_reader_step(&model->rims, &model->odometry, tick->measurement, tick->sum, state);
    return IB_CONTROL_OK;
}

static void show(const void *model, const double *command, const double *state, double *shown)
{
    (void)model, (void)command;
    ib_rim_reader_show(state, shown);
    shown[S_RESIDUAL] = state[IB_ODOMETRY_RESIDUAL];
}

static const ib_Param params[] = {
    IB_WIRING_ROWS_OF("names of robot.sensors, or of signals, sampled ideally: one of each rim in "
                      "the order of the motors, then a gyro or none; none at all: the rims, "
                      "ideally, and a sensor called gyro or, of two sides that slip, the yaw rate"),
    IB_PERIOD_ROW,
    IB_NUMBER_ROW("settle", "s", "0 s", 0, 100, settle,
                  "time of rest at the start, in which the gyro's bias is found"),
    IB_NUMBER_ROW("filter", "s", "20 ms", 0, 10, filter,
                  "time constant of the velocities that it shows"),
    IB_NUMBER_ROW("start.x", "m", "0 m", -1e6, 1e6, x, "where it is taken to start, field x"),
    IB_NUMBER_ROW("start.y", "m", "0 m", -1e6, 1e6, y, "where it is taken to start, field y"),
    IB_NUMBER_ROW("start.heading", "rad", "0 rad", -1e4, 1e4, heading,
                  "the heading that it is taken to have at the start"),
};

const ib_ControllerKind ib_odometry_kind = {
    .name = "odometry",
    .sentence = "where a base is, by least squares over the encoders of its wheels; sets nothing",
    .docs = "docs/control/odometry.md",
    IB_CONTROLLER_TABLES(Config, Model),
    IB_CONTROLLER_FUNCTIONS,
};
