// control/driving/driver_controller.c: a simulated driver with delayed and sampled vision, who
// drives the robot along a path. docs/control/driver.md
//   robot: {sensors: {x: {signal: pose.x, spread: 3 cm, latency: 300 ms, period: 100 ms}, …}}
//   control: {kind: driver, path: [[1 m, 0 m], [2 m, 1 m]], sensors: [x, y, heading],
//             period: 200 ms, reaction: 300 ms, predicts: true, speed: 0.5 m/s}
#include "base/quote.h"
#include "control/controller.h"
#include "control/path/pursuit.h"

#include <string.h>

typedef struct Config {
    ib_WiringConfig wiring;
    double speed, lookahead, acceleration, sideways, reaction, finish;
    bool predicts;
} Config;

typedef struct Model {
    ib_PursuitModel pursuit;
    const ib_Locomotion *base;
} Model;

enum { S_X, S_Y, S_HEADING, S_PROGRESS, S_ASIDE, S_DONE, S_COUNT };

static const ib_Mode done_mode = {
    IB_MODE_STATE, false, {{"the driver drives"}, {"the driver lets go"}}};

static const ib_SignalDef signals[S_COUNT] = {
    [S_X] = {"x", "m", "where the driver takes the robot to be, field x", 1e8},
    [S_Y] = {"y", "m", "the same, field y", 1e8},
    [S_HEADING] = {"heading", "rad", "the heading that the driver takes it to have", 1e8,
                   IB_MEANS(.shown = "deg")},
    [S_PROGRESS] = {"progress", "m", "way along the path so far, as the driver sees it", 1e8},
    [S_ASIDE] = {"aside", "m", "how far to the left of the path the driver takes it to be", 1e8},
    [S_DONE] = {"done", "1", "1: the driver takes the path as driven, and lets go", 0,
                IB_MEANS(.binary = true, .mode = &done_mode)},
};

// ------------------------------------------------------------------------------------------ wiring

enum { SEEN = 3 };

static const struct {
    const char *usual; ///< name of the sensor
    ib_SignalRole role;
    const char *what;
} views[SEEN] = {{"x", IB_ROLE_POSE_X, "x of the robot"},
                 {"y", IB_ROLE_POSE_Y, "y of the robot"},
                 {"heading", IB_ROLE_POSE_HEADING, "heading of the robot"}};

static const ib_SignalDef *find_role(const ib_ControlSite *site, ib_SignalRole role)
{
    for (int i = 0; i < site->signal_count; i++)
        if (site->signals[i].means.role == role) return &site->signals[i];
    return NULL;
}

// A view must be the law's quantity: a sensor of it, or the signal itself.
static ib_Status find_view(const Config *config, const ib_ControlSite *site, int i,
                           const char **name, ib_Error *error)
{
    ib_ControlPin pin;
    const ib_SignalDef *wanted = find_role(site, views[i].role);
    ib_Status status = ib_site_reading(site, &config->wiring.sensors, i, SEEN, views[i].usual,
                                       "view of the robot: x, y and heading", &pin, error);
    if (status != IB_OK) return status;
    const char *measured = pin.signal ? pin.signal : pin.name;
    *name = pin.name;
    if (wanted && strcmp(measured, wanted->name) == 0) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT,
                        "sensors.%d: '%s' is no %s: expected a sensor of %s, or that signal itself",
                        i, ib_quote(pin.name).text, views[i].what,
                        wanted ? wanted->name : "its pose");
}

static ib_Status find_views(const Config *config, const ib_ControlSite *site, const char **names,
                            ib_Error *error)
{
    ib_Status status = IB_OK;
    for (int i = 0; status == IB_OK && i < SEEN; i++)
        status = find_view(config, site, i, &names[i], error);
    return status;
}

static ib_Status check_base(const Config *config, const ib_ControlSite *site, ib_Error *error)
{
    if (site->unmoved) return ib_error_set(error, IB_BAD_INPUT, "path: %s", site->unmoved);
    if (config->wiring.inputs.count > 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "inputs: it drives the base with the base's own: expected none");
    if (config->speed > site->base->top[0])
        return ib_error_set(error, IB_BAD_INPUT,
                            "speed: the base drives %.3g m/s at most: expected no more than that",
                            site->base->top[0]);
    return IB_OK;
}

// ------------------------------------------------------------------------------------------- ports

enum { F_LENGTH, F_DURATION, F_GAIN, F_COUNT };

static bool tell(const ib_PursuitModel *pursuit, ib_Arena *arena, ib_ControlPorts *ports)
{
    ib_ControlFact *facts = ib_arena_array(arena, F_COUNT, sizeof *facts);
    if (!facts) return false;
    facts[F_LENGTH] = (ib_ControlFact){"length", "m", pursuit->length, "length of the path"};
    facts[F_DURATION] = (ib_ControlFact){"duration", "s", pursuit->lasts,
                                         "time of the path by its speeds, without start and end"};
    facts[F_GAIN] =
        (ib_ControlFact){"time_constant", "s", pursuit->config.lookahead / pursuit->config.speed,
                         "in which an error across the path falls to 37 %"};
    ports->fact_count = F_COUNT;
    ports->facts = facts;
    ports->lasts = pursuit->lasts;
    return true;
}

static ib_Status init(const void *config_, const ib_ControlSite *site, ib_Arena *arena,
                      void *model_, ib_ControlPorts *ports, ib_Error *error)
{
    const Config *config = config_;
    Model *model = model_;
    const char **names = ib_arena_array(arena, SEEN, sizeof *names);
    if (!names) return ib_error_set(error, IB_FAILED, "out of memory for a controller");
    ib_Status status = check_base(config, site, error);
    if (status == IB_OK) status = find_views(config, site, names, error);
    if (status != IB_OK) return status;
    ib_PursuitConfig pursuit = {.period = config->wiring.period,
                                .speed = config->speed,
                                .lookahead = config->lookahead,
                                .acceleration = config->acceleration,
                                .sideways = config->sideways,
                                .reaction = config->reaction,
                                .predicts = config->predicts,
                                .finish = config->finish,
                                .heading = site->start.course};
    status = ib_pursuit_init(&pursuit, site->path, site->start, arena, &model->pursuit, error);
    if (status != IB_OK) return status;
    model->base = site->base;
    *ports = (ib_ControlPorts){.state_count = ib_pursuit_states(&model->pursuit),
                               .measurement_count = SEEN,
                               .measurements = names,
                               .output_count = site->base->count,
                               .outputs = site->base->commands,
                               .signal_count = S_COUNT,
                               .signals = signals,
                               .odometry = true,
                               .path = site->path,
                               .path_start = site->start};
    if (site->base->coasts)
        ports->note = "the base does not brake by itself: where the driver lets go it rolls on";
    if (!tell(&model->pursuit, arena, ports))
        return ib_error_set(error, IB_FAILED, "out of memory for a controller");
    return IB_OK;
}

// -------------------------------------------------------------------------------------- one period

static void reset(const void *model, double *state)
{
    ib_pursuit_reset(&((const Model *)model)->pursuit, state);
}

static ib_ControlStatus step(const void *model_, const ib_ControlTick *tick, double *state,
                             double *output)
{
    const Model *model = model_;
    ib_AxisMotion motion;
    ib_pursuit_step(&model->pursuit, model->base, tick->measurement, state, &motion);
    ib_locomotion_command(model->base, &motion, output);
    return IB_CONTROL_OK;
}

static void show(const void *model, const double *command, const double *state, double *shown)
{
    (void)model, (void)command;
    shown[S_X] = state[IB_PURSUIT_X];
    shown[S_Y] = state[IB_PURSUIT_Y];
    shown[S_HEADING] = state[IB_PURSUIT_HEADING];
    shown[S_PROGRESS] = state[IB_PURSUIT_PROGRESS];
    shown[S_ASIDE] = state[IB_PURSUIT_ASIDE];
    shown[S_DONE] = state[IB_PURSUIT_DONE];
}

// -------------------------------------------------------------------------------------------- kind

static const ib_Param params[] = {
    IB_WIRING_ROWS_OF("what the driver sees: sensors of the robot's x, y and heading, or these "
                      "signals, sampled ideally; none: the sensors called x, y and heading"),
    IB_PARAM_ROW("period", IB_PARAM_NUMBER, "s", "200 ms", 1e-6, 1000, NULL, ib_WiringConfig,
                 period, false,
                 "time between two looks, and from one move of the stick to the "
                 "next"),
    IB_NUMBER_ROW("speed", "m/s", "0.5 m/s", 1e-3, 100, speed, "how fast it drives straight on"),
    IB_NUMBER_ROW("lookahead", "m", "40 cm", 1e-3, 100, lookahead,
                  "how far ahead on the path the point is that it drives to"),
    IB_NUMBER_ROW("acceleration", "m/s^2", "2 m/s^2", 1e-3, 1000, acceleration,
                  "how fast what it asks for changes, and how it brakes before a curve"),
    IB_NUMBER_ROW("sideways", "m/s^2", "0.5 m/s^2", 1e-3, 1000, sideways,
                  "largest acceleration across the path: slows it in curves"),
    IB_NUMBER_ROW("reaction", "s", "0 s", 0, 100, reaction,
                  "how old the driver knows what it sees to be, at most 64 periods"),
    IB_PARAM_ROW("predicts", IB_PARAM_FLAG, "1", "false", 0, 1, NULL, Config, predicts, false,
                 "adds to what it sees what it has asked for in that time"),
    IB_NUMBER_ROW("finish", "m", "5 cm", 1e-4, 10, finish,
                  "what may be left of the path when it lets go"),
};

static const char *idle(const void *config, const char *key)
{
    return strcmp(key, "reaction") == 0 && !((const Config *)config)->predicts ? "predicts" : NULL;
}

const ib_ControllerKind ib_driver_kind = {
    .name = "driver",
    .sentence = "a simulated person at the sticks: pursues a path by what is seen of the robot",
    .docs = "docs/control/driver.md",
    IB_CONTROLLER_TABLES(Config, Model),
    .params.idle = idle,
    .follows = true,
    IB_CONTROLLER_FUNCTIONS,
};
