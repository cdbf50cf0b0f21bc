// control/driving/field_oriented.c: forward on the stick is away from the driver, wherever the
// robot looks. Its page is docs/control/field_oriented.md.
//   control: {kind: field_oriented, sensors: gyro, away: 90 deg, alliance: red}
//
// It integrates a gyro and passes the heading by which the base turns the stick back (its command
// stick.frame; ib_stick_in_frame).
#include "control/controller.h"
#include "control/driving/heading.h"

#include <math.h>
#include <string.h>

enum { NONE, BLUE, RED };

static const char *const alliances[] = {"none", "blue", "red", NULL};
static const char *const methods[] = {"trapezoid", "sum", NULL};
static const char *const switch_words[] = {"off", "on", NULL};

typedef struct Config {
    ib_WiringConfig wiring;
    int method;     // IB_HEADING_TRAPEZOID …
    double settle;  // time of rest at the start, in which the gyro's bias is found [s]
    double heading; // of the robot at the start, as the team sets it down [rad]
    double away;    // direction away from the drivers of the blue alliance [rad]
    int alliance;   // RED: the drivers stand on the other side
} Config;

typedef struct Model {
    ib_HeadingConfig heading;
    double start, away; // [rad]
    ib_Gather gather;
} Model;

// Commands, and the state after that of the heading.
enum { C_ON, C_REZERO, COMMANDS };
enum { ZERO = IB_HEADING_STATES, PRESSED, FRAME, STATES };
enum { S_HEADING, S_FRAME, S_ON, SIGNALS };

static const ib_SignalDef signals[SIGNALS] = {
    [S_HEADING] = {"heading", "rad", "heading by the gyro, in the field", 1e7,
                   IB_MEANS(.shown = "deg")},
    [S_FRAME] = {"frame", "rad", "heading of the robot in the driver's eyes: 0 looks away", 1e7,
                 IB_MEANS(.shown = "deg")},
    [S_ON] = {"on", "1", "1: the stick counts from the driver, 0: from the robot", 0},
};

// ------------------------------------------------------------------------------------------- ports

static bool make_commands(const ib_ControlSite *site, ib_Arena *arena, ib_ControlCommand *commands)
{
    commands[C_ON] = (ib_ControlCommand){
        .name = ib_site_name(site, arena, "field_oriented"),
        .unit = "1",
        .sentence = "on: forward on the stick is away from the driver",
        .high = 1,
        .kept = true,
        .words = switch_words,
    };
    commands[C_REZERO] = (ib_ControlCommand){
        .name = ib_site_name(site, arena, "rezero"),
        .unit = "1",
        .sentence = "on: from now on, where the robot looks is away from the driver",
        .high = 1,
        .words = switch_words,
        .button = true,
    };
    return commands[C_ON].name && commands[C_REZERO].name;
}

// The gyro that it reads and the command that it sets.
typedef struct Pins {
    ib_ControlPin gyro, frame;
} Pins;

static ib_Status find_pins(const Config *config, const ib_ControlSite *site, Pins *pins,
                           ib_Error *error)
{
    const ib_ControlPin *frame = ib_site_command(site, "stick.frame");
    ib_Status status =
        ib_site_reading(site, &config->wiring.sensors, 0, 1, "gyro", "gyro", &pins->gyro, error);
    if (status != IB_OK) return status;
    if (!frame)
        return ib_error_set(error, IB_BAD_INPUT,
                            "the robot has no command 'stick.frame': expected a base that is "
                            "driven by a stick, such as kind: holonomic");
    pins->frame = *frame;
    if (strcmp(pins->gyro.unit, "rad/s") != 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "sensors: '%s' is in %s: expected a gyro, in rad/s", pins->gyro.name,
                            pins->gyro.unit);
    return IB_OK;
}

static ib_Status init(const void *config_, const ib_ControlSite *site, ib_Arena *arena,
                      void *model_, ib_ControlPorts *ports, ib_Error *error)
{
    const Config *config = config_;
    Model *model = model_;
    Pins pins;
    ib_Status status = find_pins(config, site, &pins, error);
    if (status != IB_OK) return status;
    model->heading = (ib_HeadingConfig){.period = config->wiring.period,
                                        .method = (ib_HeadingMethod)config->method,
                                        .settle = config->settle};
    status = ib_heading_check(&model->heading, error);
    if (status != IB_OK) return status;
    model->gather = ib_heading_gather(&pins.gyro, &model->heading);
    model->start = config->heading;
    model->away = config->away + (config->alliance == RED ? M_PI : 0);
    ib_ControlCommand *commands = ib_arena_array(arena, COMMANDS, sizeof *commands);
    const char **names = ib_arena_array(arena, 2, sizeof *names);
    if (!commands || !names || !make_commands(site, arena, commands))
        return ib_error_set(error, IB_FAILED, "out of memory for the loop");
    names[0] = pins.gyro.name;
    names[1] = pins.frame.name;
    *ports = (ib_ControlPorts){.state_count = STATES,
                               .command_count = COMMANDS,
                               .commands = commands,
                               .measurement_count = 1,
                               .measurements = names,
                               .gathers = &model->gather,
                               .output_count = 1,
                               .outputs = names + 1,
                               .signal_count = SIGNALS,
                               .signals = signals,
                               .heading = S_HEADING + 1};
    return IB_OK;
}

// -------------------------------------------------------------------------------------- one period

static void reset(const void *model_, double *state)
{
    const Model *model = model_;
    ib_heading_reset(model->start, state);
    state[ZERO] = model->away;
}

static ib_ControlStatus step(const void *model_, const ib_ControlTick *tick, double *state,
                             double *output)
{
    const Model *model = model_;
    bool pressed = tick->command[C_REZERO] > 0.5, on = tick->command[C_ON] > 0.5;
    ib_heading_step(&model->heading, tick->measurement[0], ib_tick_sum(tick, 0), state);
    if (pressed && state[PRESSED] < 0.5) state[ZERO] = state[IB_HEADING_ANGLE];
    state[PRESSED] = pressed;
    state[FRAME] = state[IB_HEADING_ANGLE] - state[ZERO];
    output[0] = on ? state[FRAME] : 0;
    return IB_CONTROL_OK;
}

static void show(const void *model, const double *command, const double *state, double *y)
{
    (void)model;
    y[S_HEADING] = state[IB_HEADING_ANGLE];
    y[S_FRAME] = state[FRAME];
    y[S_ON] = command[C_ON];
}

// -------------------------------------------------------------------------------------------- kind

static const ib_Param params[] = {
    IB_WIRING_ROWS_OF("the gyro: a name of robot.sensors, or of a signal, sampled ideally; none: "
                      "the sensor called gyro"),
    IB_PERIOD_ROW,
    IB_PARAM_ROW("method", IB_PARAM_CHOICE, "1", "trapezoid", 0, 0, methods, Config, method, false,
                 "how the gyro's rates are summed up: by their means, or as they come (33)"),
    IB_NUMBER_ROW("settle", "s", "0 s", 0, 100, settle,
                  "time of rest at the start, in which the gyro's bias is found"),
    IB_NUMBER_ROW("heading", "rad", "0 rad", -100, 100, heading,
                  "heading of the robot at the start, as the team sets it down"),
    IB_NUMBER_ROW("away", "rad", "0 rad", -100, 100, away,
                  "direction away from the driver, in the field; of the red alliance the opposite"),
    IB_PARAM_ROW("alliance", IB_PARAM_CHOICE, "1", "none", 0, 0, alliances, Config, alliance, false,
                 "whose driver: blue looks along `away`, red against it; none: as blue"),
};

const ib_ControllerKind ib_field_oriented_kind = {
    .name = "field_oriented",
    .sentence = "turns the stick by a gyro's heading: forward is away from the driver",
    .docs = "docs/control/field_oriented.md",
    IB_CONTROLLER_TABLES(Config, Model),
    IB_CONTROLLER_FUNCTIONS,
};
