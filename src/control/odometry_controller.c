// control/odometry_controller.c: where a base takes itself to be, from the encoders of any wheels
// and a gyro, for everybody to see. It sets nothing. docs/control/odometry.md, "Any wheels"
//   control: {odometry: {kind: odometry, sensors: [e1, e2, e3, e4, gyro], start: {x: 1 m}}}
#include "control/controller.h"
#include "control/wheel_odometry.h"

#include <string.h>

typedef struct Config {
    ib_WiringConfig wiring;
    double settle, filter;
    double x, y, heading; ///< where it is taken to start [m, m, rad]
} Config;

enum { READINGS = IB_WHEEL_ODOMETRY_RIMS + 1 };

typedef struct Model {
    ib_WheelOdometryModel odometry;
    double scale[IB_WHEEL_ODOMETRY_RIMS]; ///< from what is measured of a rim to m or m/s
    double x, y, heading;
    bool gyro; ///< measured behind the rims
    const char *reads[READINGS];
} Model;

enum { S_X, S_Y, S_HEADING, S_FORWARD, S_LEFT, S_YAW_RATE, S_RESIDUAL, S_COUNT };

static const ib_SignalDef signals[S_COUNT] = {
    [S_X] = {"x", "m", "where it takes the robot to be, field x", 1e7},
    [S_Y] = {"y", "m", "the same, field y", 1e7},
    [S_HEADING] = {"heading", "rad", "its heading, continuous", 1e7, IB_MEANS(.shown = "deg")},
    [S_FORWARD] = {"forward", "m/s", "velocity along the heading, by the rims", 0},
    [S_LEFT] = {"left", "m/s", "the same, to the left", 0},
    [S_YAW_RATE] = {"turning", "rad/s", "yaw rate, by the gyro or the rims", 0,
                    IB_MEANS(.shown = "deg/s")},
    [S_RESIDUAL] = {"residual", "m/s", "what the rims do not agree on: slip shows here", 0},
};

#define CALM 0.03 ///< in which a sensor's heading is believed [s]

// ------------------------------------------------------------------------------------------ wiring

static const ib_SignalDef *signal_of(const ib_ControlSite *site, const char *name)
{
    for (int i = 0; i < site->signal_count; i++)
        if (strcmp(site->signals[i].name, name) == 0) return &site->signals[i];
    return NULL;
}

// What it reads as its number `index`: a rim, or the gyro behind them. Without a list the rims are
// sampled ideally, and a sensor called gyro is read where there is one.
static ib_Status find_pin(const Config *config, const ib_ControlSite *site, int index, int count,
                          ib_ControlPin *pin, ib_Error *error)
{
    const ib_Words *given = &config->wiring.sensors;
    if (given->count > 0)
        return ib_site_reading(site, given, index, count, NULL, "rim, and one for the gyro", pin,
                               error);
    if (index == site->rims->count) return ib_site_sensor(site, "sensors", "gyro", pin, error);
    const ib_SignalDef *signal = signal_of(site, site->rims->signals[index].name);
    IB_ASSERT(signal);
    *pin = (ib_ControlPin){.name = signal->name, .unit = signal->unit, .signal = signal->name};
    return IB_OK;
}

// What a rim rolls for each radian that a sensor of it shows; 0, with an error, where it is of
// another rim, or of none.
static double find_radius(const ib_ControlPin *pin, const ib_ControlRims *rims, int index,
                          ib_Error *error)
{
    for (int i = 0; i < rims->signal_count; i++) {
        const ib_RimSignal *own = &rims->signals[i];
        if (!pin->signal || strcmp(own->name, pin->signal) != 0) continue;
        if (own->rim == index) return own->radius;
        ib_error_set(error, IB_BAD_INPUT,
                     "sensors.%d: '%s' measures %s, of motor %d: expected the sensors in the order "
                     "of the motors, here one of motor %d",
                     index, pin->name, own->name, own->rim + 1, index + 1);
        return 0;
    }
    ib_error_set(error, IB_BAD_INPUT,
                 "sensors.%d: '%s' measures %s, which is no wheel: expected %s, or a way or a "
                 "speed in m or m/s",
                 index, pin->name, pin->signal ? pin->signal : "something else",
                 rims->signals[index].name);
    return 0;
}

// A rim is measured in m, m/s, or rad and rad/s of its wheels or motors; all of them alike.
static ib_Status take_rim(const ib_ControlPin *pin, const ib_ControlRims *rims, int index,
                          Model *model, ib_WheelOdometryConfig *odometry, ib_Error *error)
{
    bool turns = strncmp(pin->unit, "rad", 3) == 0;
    bool speed = strcmp(pin->unit, turns ? "rad/s" : "m/s") == 0;
    bool way = strcmp(pin->unit, turns ? "rad" : "m") == 0;
    if (!speed && !way)
        return ib_error_set(error, IB_BAD_INPUT,
                            "sensors.%d: '%s' is in %s: expected the way or the speed of a rim, in "
                            "m, m/s, rad or rad/s",
                            index, pin->name, pin->unit);
    if (index > 0 && speed != odometry->speeds)
        return ib_error_set(error, IB_BAD_INPUT,
                            "sensors.%d: '%s' is in %s: expected the same as the first rim", index,
                            pin->name, pin->unit);
    odometry->speeds = speed;
    model->scale[index] = turns ? find_radius(pin, rims, index, error) : 1;
    return model->scale[index] > 0 ? IB_OK : IB_BAD_INPUT;
}

static ib_Status take_gyro(const ib_ControlPin *pin, int index, ib_WheelOdometryConfig *odometry,
                           ib_Error *error)
{
    bool rate = strcmp(pin->unit, "rad/s") == 0, angle = strcmp(pin->unit, "rad") == 0;
    odometry->gyro = rate ? IB_ODOMETRY_BY_RATE : IB_ODOMETRY_BY_HEADING;
    if (angle && pin->period > 0) odometry->calm = CALM;
    if (rate || angle) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT,
                        "sensors.%d: '%s' is in %s: expected a yaw rate or a heading", index,
                        pin->name, pin->unit);
}

// How many readings there are: the rims, and a gyro where one is given or called so.
static int count_readings(const Config *config, const ib_ControlSite *site)
{
    ib_ControlPin pin;
    ib_Error error;
    int rims = site->rims->count, given = config->wiring.sensors.count;
    if (given > 0) return given == rims ? rims : rims + 1;
    return ib_site_sensor(site, "", "gyro", &pin, &error) == IB_OK ? rims + 1 : rims;
}

static ib_Status wire(const Config *config, const ib_ControlSite *site, Model *model,
                      ib_WheelOdometryConfig *odometry, ib_Error *error)
{
    const ib_ControlRims *rims = site->rims;
    int count = count_readings(config, site);
    for (int i = 0; i < count; i++) {
        ib_ControlPin pin;
        ib_Status status = find_pin(config, site, i, count, &pin, error);
        if (status == IB_OK)
            status = i < rims->count ? take_rim(&pin, rims, i, model, odometry, error)
                                     : take_gyro(&pin, i, odometry, error);
        if (status != IB_OK) return status;
        model->reads[i] = pin.name;
    }
    model->gyro = count > rims->count;
    return IB_OK;
}

static ib_Status init(const void *config_, const ib_ControlSite *site, ib_Arena *arena,
                      void *model_, ib_ControlPorts *ports, ib_Error *error)
{
    const Config *config = config_;
    Model *model = model_;
    (void)arena;
    if (config->wiring.inputs.count > 0)
        return ib_error_set(error, IB_BAD_INPUT, "inputs: it sets nothing: expected none");
    if (!site->rims)
        return ib_error_set(error, IB_BAD_INPUT,
                            "the base does not tell how its wheels turn with it: expected one "
                            "such as kind: holonomic");
    ib_WheelOdometryConfig odometry = {.period = config->wiring.period,
                                       .count = site->rims->count,
                                       .filter = config->filter,
                                       .settle = config->settle};
    memcpy(odometry.rows, site->rims->rows, (size_t)odometry.count * sizeof *odometry.rows);
    odometry.hold_count = site->rims->hold_count;
    memcpy(odometry.holds, site->rims->holds, sizeof odometry.holds);
    ib_Status status = wire(config, site, model, &odometry, error);
    if (status != IB_OK) return status;
    model->x = config->x;
    model->y = config->y;
    model->heading = config->heading;
    *ports = (ib_ControlPorts){.state_count = IB_WHEEL_ODOMETRY_STATES,
                               .measurement_count = odometry.count + model->gyro,
                               .measurements = model->reads,
                               .signal_count = S_COUNT,
                               .signals = signals,
                               .odometry = true};
    return ib_wheel_odometry_init(&odometry, &model->odometry, error);
}

// -------------------------------------------------------------------------------------- one period

static void reset(const void *model_, double *state)
{
    const Model *model = model_;
    ib_wheel_odometry_reset(model->x, model->y, model->heading, state);
}

static ib_ControlStatus step(const void *model_, const ib_ControlTick *tick, double *state,
                             double *output)
{
    const Model *model = model_;
    int count = model->odometry.config.count;
    double rim[IB_WHEEL_ODOMETRY_RIMS];
    (void)output;
    for (int i = 0; i < count; i++) rim[i] = model->scale[i] * tick->measurement[i];
    ib_wheel_odometry_step(&model->odometry, rim, model->gyro ? tick->measurement[count] : 0,
                           state);
    return IB_CONTROL_OK;
}

static void show(const void *model, const double *command, const double *state, double *shown)
{
    (void)model, (void)command;
    shown[S_X] = state[IB_ODOMETRY_X];
    shown[S_Y] = state[IB_ODOMETRY_Y];
    shown[S_HEADING] = state[IB_ODOMETRY_HEADING];
    shown[S_FORWARD] = state[IB_ODOMETRY_FORWARD];
    shown[S_LEFT] = state[IB_ODOMETRY_LEFT];
    shown[S_YAW_RATE] = state[IB_ODOMETRY_YAW_RATE];
    shown[S_RESIDUAL] = state[IB_WHEEL_ODOMETRY_RESIDUAL];
}

static const ib_Param params[] = {
    IB_WIRING_ROWS_OF("names of robot.sensors, or of signals, sampled ideally: one of each rim in "
                      "the order of the motors, then a gyro or none; none at all: the rims, "
                      "ideally, and a sensor called gyro where there is one"),
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
