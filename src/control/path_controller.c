// control/path_controller.c: a base follows a path, from its encoders and gyro. The driver has
// nothing to say; at the end it stands. docs/control/follow.md
//   control: {path: [line 2 m, circle 1 m left, line 2 m], speed: 1 m/s}
//   control: {drive: {path: [[1.5 m, 0.5 m], [3 m, -0.5 m], [4.5 m, 0 m, 0 deg]]}, lift: {…}}
#include "control/controller.h"
#include "control/follow.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Config {
    ib_WiringConfig wiring;
    ib_Words battery;
    double speed, acceleration, deceleration, sideways, blend, settle;
} Config;

typedef struct Model {
    ib_FollowModel follow;
    double scale[2];   ///< from what is measured of a side to m or m/s
    bool gyro, supply; ///< measured behind the sides
} Model;

// ------------------------------------------------------------------------------------------ wiring

// Without a list: sensors called so, where the robot has them; else ideal samples of the base.
static const char *const usual[] = {"left", "right", "gyro"};

static bool has_sensor(const ib_ControlSite *site, const char *name)
{
    ib_ControlPin pin;
    ib_Error error;
    return ib_site_sensor(site, "", name, &pin, &error) == IB_OK;
}

static const ib_SignalDef *signal_of(const ib_ControlSite *site, const char *name)
{
    for (int i = 0; name && i < site->signal_count; i++)
        if (strcmp(site->signals[i].name, name) == 0) return &site->signals[i];
    return NULL;
}

// What the loop reads as its number `index`: a side or the gyro.
static ib_Status find_pin(const Config *config, const ib_ControlSite *site, int index, int count,
                          bool sensed, ib_ControlPin *pin, ib_Error *error)
{
    const ib_Steering *steering = site->steering;
    const ib_Words *given = &config->wiring.sensors;
    const char *ideal = index < 2 ? steering->rims[index] : steering->yaw_rate;
    if (given->count > 0)
        return ib_site_reading(site, given, index, count, NULL, "side, and one for the gyro", pin,
                               error);
    if (sensed) return ib_site_sensor(site, "sensors", usual[index], pin, error);
    const ib_SignalDef *signal = signal_of(site, ideal);
    if (!signal) return ib_error_set(error, IB_BAD_INPUT, "the base shows no '%s'", ideal);
    *pin = (ib_ControlPin){.name = signal->name, .unit = signal->unit};
    return IB_OK;
}

// A side is measured in m, m/s, or rad and rad/s of its wheels.
static ib_Status take_side(const ib_ControlPin *pin, const ib_Steering *steering, int index,
                           Model *model, ib_FollowConfig *follow, ib_Error *error)
{
    bool turns = strncmp(pin->unit, "rad", 3) == 0;
    bool speed = strcmp(pin->unit, turns ? "rad/s" : "m/s") == 0;
    bool way = strcmp(pin->unit, turns ? "rad" : "m") == 0;
    if (!speed && !way)
        return ib_error_set(error, IB_BAD_INPUT,
                            "sensors.%d: '%s' is in %s: expected the way or the speed of a side, "
                            "in m, m/s, rad or rad/s",
                            index, pin->name, pin->unit);
    if (index == 1 && speed != follow->speeds)
        return ib_error_set(error, IB_BAD_INPUT,
                            "sensors.1: '%s' is in %s: expected the same as the left side",
                            pin->name, pin->unit);
    model->scale[index] = turns ? steering->radius : 1;
    follow->speeds = speed;
    follow->count = fmax(follow->count, pin->step * model->scale[index]);
    return IB_OK;
}

static ib_Status take_gyro(const ib_ControlPin *pin, ib_FollowConfig *follow, ib_Error *error)
{
    bool rate = strcmp(pin->unit, "rad/s") == 0, angle = strcmp(pin->unit, "rad") == 0;
    follow->gyro = rate ? IB_ODOMETRY_BY_RATE : IB_ODOMETRY_BY_HEADING;
    if (rate || angle) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT,
                        "sensors.2: '%s' is in %s: expected a yaw rate or a heading", pin->name,
                        pin->unit);
}

// The voltage at hand: a sensor that the file names, or ideally where nothing else is measured.
static ib_Status find_supply(const Config *config, const ib_ControlSite *site, bool sensed,
                             ib_ControlPin *pin, ib_Error *error)
{
    *pin = (ib_ControlPin){0};
    if (config->battery.count > 0)
        return ib_site_sensor(site, "battery", config->battery.items[0], pin, error);
    const ib_SignalDef *signal = sensed ? NULL : signal_of(site, site->steering->supply);
    if (signal) *pin = (ib_ControlPin){.name = signal->name, .unit = signal->unit};
    return IB_OK;
}

// Sides, gyro and supply: fills the names, and what follows from their units.
static ib_Status wire(const Config *config, const ib_ControlSite *site, Model *model,
                      ib_FollowConfig *follow, const char **names, int *count, ib_Error *error)
{
    int given = config->wiring.sensors.count;
    bool named = has_sensor(site, "left") && has_sensor(site, "right");
    bool sensed = given > 0 || named;
    int reads = given > 0 ? (given == 2 ? 2 : 3) : named && !has_sensor(site, "gyro") ? 2 : 3;
    ib_ControlPin pin;
    ib_Status status = IB_OK;
    for (int i = 0; status == IB_OK && i < reads; i++) {
        status = find_pin(config, site, i, reads, named, &pin, error);
        if (status == IB_OK)
            status = i < 2 ? take_side(&pin, site->steering, i, model, follow, error)
                           : take_gyro(&pin, follow, error);
        names[(*count)++] = pin.name;
    }
    model->gyro = reads == 3;
    if (!model->gyro) follow->gyro = IB_ODOMETRY_BY_SIDES;
    if (status == IB_OK) status = find_supply(config, site, sensed, &pin, error);
    if (status != IB_OK) return status;
    model->supply = pin.name != NULL;
    if (pin.name) names[(*count)++] = pin.name;
    return IB_OK;
}

// ------------------------------------------------------------------------------------------- ports

enum {
    S_X, ///< where it takes the robot to be: the first three, as ib_ControlPorts.odometry says
    S_Y,
    S_HEADING,
    S_REFERENCE,               ///< x, y, heading, speed
    S_ERROR = S_REFERENCE + 4, ///< along, across, heading
    S_PACE = S_ERROR + 3,
    S_DONE,
    S_SATURATED,
    S_COUNT,
};

static const ib_SignalDef signals[S_COUNT] = {
    {"odometry.x", "m", "where it takes the robot to be, field x", 0},
    {"odometry.y", "m", "where it takes the robot to be, field y", 0},
    {"odometry.heading", "rad", "the heading that it takes the robot to have", 0},
    {"reference.x", "m", "where the robot should be now, field x", 0},
    {"reference.y", "m", "where the robot should be now, field y", 0},
    {"reference.heading", "rad", "the heading that the robot should have now", 0},
    {"reference.speed", "m/s", "how fast the robot should be now", 0},
    {"error.along", "m", "how far it is behind the reference, by odometry", 0},
    {"error.across", "m", "how far the reference is to its left, by odometry", 0},
    {"error.heading", "rad", "how far it should turn to the left, by odometry", 0},
    {"pace", "1", "how fast the reference goes on: 1 as planned, 0 it waits", 0},
    {"done", "1", "1: at rest at the end of the path", 0},
    {"saturated", "1", "1: its commands were cut", 0},
};

enum { F_LENGTH, F_DURATION, F_TOP, F_COUNT };

// What the plan came to, and what it had to give way to.
static bool tell(const ib_FollowConfig *follow, const ib_Trajectory *plan, ib_Arena *arena,
                 ib_ControlPorts *ports)
{
    ib_ControlFact *facts = ib_arena_array(arena, F_COUNT, sizeof *facts);
    char text[160];
    if (!facts) return false;
    facts[F_LENGTH] = (ib_ControlFact){"length", "m", plan->length, "of the path"};
    facts[F_DURATION] = (ib_ControlFact){"duration", "s", plan->duration, "planned"};
    facts[F_TOP] = (ib_ControlFact){"top_speed", "m/s", plan->top.speed, "planned"};
    ports->fact_count = F_COUNT;
    ports->facts = facts;
    if (!plan->top.by || !isfinite(follow->trajectory.speed)) return true;
    ib_trajectory_say(&plan->top, text, sizeof text);
    ports->note =
        ib_arena_format(arena, "the path asks for %.4g m/s: %s", follow->trajectory.speed, text);
    return ports->note != NULL;
}

static ib_Status init(const void *config_, const ib_ControlSite *site, ib_Arena *arena,
                      void *model_, ib_ControlPorts *ports, ib_Error *error)
{
    const Config *config = config_;
    Model *model = model_;
    ib_FollowConfig follow = ib_follow_default();
    const char **names = ib_arena_array(arena, 4, sizeof *names);
    int count = 0;
    if (!names) return ib_error_set(error, IB_FAILED, "out of memory for a controller");
    if (!site->steering) return ib_error_set(error, IB_BAD_INPUT, "path: %s", site->unsteered);
    follow.period = config->wiring.period;
    follow.settle = config->settle;
    follow.trajectory.speed = config->speed;
    follow.trajectory.acceleration = config->acceleration;
    follow.trajectory.deceleration =
        config->deceleration > 0 ? config->deceleration : config->acceleration;
    follow.trajectory.sideways = config->sideways;
    follow.trajectory.blend = config->blend;
    ib_Status status = wire(config, site, model, &follow, names, &count, error);
    if (status != IB_OK) return status;
    ib_Error reason;
    status = ib_follow_init(&follow, site->path, site->start, site->steering, arena, &model->follow,
                            &reason);
    if (status != IB_OK) {
        bool placed = strncmp(reason.text, "path: ", 6) == 0;
        return ib_error_set(error, status, "path: %.900s", reason.text + (placed ? 6 : 0));
    }
    *ports = (ib_ControlPorts){.state_count = IB_FOLLOW_STATES,
                               .measurement_count = count,
                               .measurements = names,
                               .output_count = 2,
                               .outputs = site->steering->commands,
                               .signal_count = S_COUNT,
                               .signals = signals,
                               .odometry = true,
                               .path = site->path,
                               .path_start = site->start};
    if (!tell(&follow, &model->follow.trajectory, arena, ports))
        return ib_error_set(error, IB_FAILED, "out of memory for a controller");
    return IB_OK;
}

// --------------------------------------------------------------------------------------- one
// period

static void reset(const void *model, double *state)
{
    ib_follow_reset(&((const Model *)model)->follow, state);
}

static ib_ControlStatus step(const void *model_, const ib_ControlTick *tick, double *state,
                             double *output)
{
    const Model *model = model_;
    const double *y = tick->measurement;
    double side[2] = {model->scale[0] * y[0], model->scale[1] * y[1]};
    double yaw = model->gyro ? y[2] : 0, supply = model->supply ? y[2 + model->gyro] : NAN;
    ib_follow_step(&model->follow, side, yaw, supply, state, output);
    return IB_CONTROL_OK;
}

static void show(const void *model, const double *command, const double *state, double *y)
{
    (void)model;
    (void)command;
    y[S_X] = state[IB_ODOMETRY_X];
    y[S_Y] = state[IB_ODOMETRY_Y];
    y[S_HEADING] = state[IB_ODOMETRY_HEADING];
    for (int i = 0; i < 4; i++) y[S_REFERENCE + i] = state[IB_FOLLOW_REFERENCE + i];
    for (int i = 0; i < 3; i++) y[S_ERROR + i] = state[IB_FOLLOW_ERROR + i];
    y[S_PACE] = state[IB_FOLLOW_PACE];
    y[S_DONE] = state[IB_FOLLOW_DONE];
    y[S_SATURATED] = state[IB_FOLLOW_SATURATED];
}

// -------------------------------------------------------------------------------------------- kind

#define NUMBER(key, type, unit, fallback, low, high, field, sentence)                              \
    IB_PARAM_ROW(key, type, unit, fallback, low, high, NULL, Config, field, false, sentence)

static const ib_Param params[] = {
    IB_WIRING_ROWS,
    IB_PERIOD_ROW,
    IB_PARAM_ROW("battery", IB_PARAM_WORDS, "1", NULL, 0, 0, NULL, Config, battery, false,
                 "the sensor of the voltage at hand; none: what the plan counts on"),
    NUMBER("speed", IB_PARAM_LIMIT, "m/s", "1 m/s", 1e-3, 100, speed,
           "wanted along the path; off: as fast as the drive can"),
    NUMBER("acceleration", IB_PARAM_NUMBER, "m/s^2", "1.5 m/s^2", 1e-3, 100, acceleration,
           "most while it gets faster"),
    NUMBER("deceleration", IB_PARAM_NUMBER, "m/s^2", "0 m/s^2", 0, 100, deceleration,
           "most while it gets slower; 0: as acceleration"),
    NUMBER("sideways", IB_PARAM_NUMBER, "m/s^2", "1 m/s^2", 1e-3, 100, sideways,
           "most acceleration across the path: slows it in curves"),
    NUMBER("blend", IB_PARAM_NUMBER, "m", "0 m", 0, 100, blend,
           "length over which a jump of curvature is spread; 0: as the jump asks for"),
    NUMBER("settle", IB_PARAM_NUMBER, "s", "0 s", 0, 100, settle,
           "rest at the start, in which the gyro's bias is found"),
};

const ib_ControllerKind ib_path_kind = {
    .name = "path",
    .sentence = "follows a path of lines, arcs and waypoints, from odometry and gyro",
    .docs = "docs/control/follow.md",
    .params = {params, sizeof params / sizeof params[0]},
    .config_size = sizeof(Config),
    .model_size = sizeof(Model),
    .follows = true,
    .init = init,
    .reset = reset,
    .step = step,
    .show = show,
};
