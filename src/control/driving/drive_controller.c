// control/driving/drive_controller.c: the drive loop as a loop of a robot.
// docs/control/drive_loop.md The driver's commands are `throttle` and `turn`; it sets `left` and
// `right`, voltages on the scale of the nominal one.
//   control: {kind: drive, design: drive.yaml, sensors: [left, right, gyro], half_track: 12 in}
#include "base/extreme.h"
#include "control/controller.h"
#include "control/driving/drive_loop.h"

#include "base/quote.h"

#include <math.h>
#include <string.h>

typedef struct Config {
    ib_WiringConfig wiring;
    ib_Words battery, gears;
    ib_DriveConfig drive;
    double lowest;       ///< voltage that is believed [V], > 0
    double wheel_radius; ///< [m]; 0: encoders measure distances
} Config;

typedef struct Model {
    ib_DriveModel drive;
    double scale[IB_OUTPUTS_MAX]; ///< from the sensor's unit to that of the output
    bool battery, shifts;         ///< measurements behind those of the loop
    int gears[2];                 ///< entries of the loop's schedule: first, second gear
    double lowest;                ///< [V]
} Model;

// States after those of the loop: the decisions of the last step.
enum { WISH, GOAL = 2, VOLTAGE = 4, ON_LINE = 6, SHOWN };

static const ib_ControlCommand commands[] = {
    {"throttle", "1", "wanted speed forward, -1 to 1 of the top speed", 0, -1, 1, true,
     .axis = IB_DRIVES_FORWARD},
    {"turn", "1", "steering wheel, to the left, -1 to 1 of the sharpest curve", 0, -1, 1, false,
     .axis = IB_DRIVES_TURN_LEFT},
};

static const char *const sides[] = {"left", "right"};

enum { S_VOLTAGES, S_GOALS = 2, S_WISHES = 4, S_ESTIMATES = 6, S_ON_LINE = 8, S_COUNT };

// A quantity of the left side and of the right one.
#define SIDES(name, unit, before, after)                                                           \
    {name ".left", unit, before " left " after, 0},                                                \
    {                                                                                              \
        name ".right", unit, before " right " after, 0                                             \
    }

static const ib_SignalDef signals[S_COUNT] = {
    SIDES("voltage", "V", "voltage that the loop wants at the", "motors"),
    SIDES("goal", "m/s", "velocity of the", "side that can be had"),
    SIDES("wish", "m/s", "velocity of the", "side that the driver asks for"),
    SIDES("estimate", "m/s", "velocity of the", "side for the next tick, estimated"),
    {"on_line", "1", "1: the goal keeps the radius that the driver asks for", 0,
     IB_MEANS(.binary = true)},
};

// ------------------------------------------------------------------------------------------ wiring

static ib_Status check_unit(const ib_ControlPin *pin, const char *key, const char *expected,
                            const char *of, ib_Error *error)
{
    if (!expected || strcmp(pin->unit, expected) == 0) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT, "%s: '%s' is in %s, but %s is in %s", key, pin->name,
                        pin->unit, of, expected);
}

// The measurement of one output of the loop: distances by encoders in m, or in rad of the wheels.
static ib_Status wire_output(const Config *config, const ib_ControlSite *site, int index,
                             Model *model, ib_ControlPin *pin, ib_Error *error)
{
    static const char *const keys[IB_OUTPUTS_MAX] = {"sensors.0", "sensors.1", "sensors.2",
                                                     "sensors.3", "sensors.4", "sensors.5",
                                                     "sensors.6", "sensors.7"};
    const ib_Loop *loop = site->design;
    const char *output = loop->gear[0].plant.output[index];
    ib_Status status = ib_site_reading(site, &config->wiring.sensors, index, loop->outputs, output,
                                       "output of the design", pin, error);
    if (status != IB_OK) return status;
    bool way = !strncmp(output, "x_", 2), turns = config->wheel_radius > 0;
    const char *unit = way ? turns ? "rad" : "m" : NULL;
    if (!strcmp(output, "yaw_rate")) unit = "rad/s";
    model->scale[index] = way && turns ? config->wheel_radius : 1;
    return check_unit(pin, config->wiring.sensors.count ? keys[index] : "sensors", unit,
                      way && turns ? "an angle (wheel_radius is given)" : output, error);
}

// `gears: [low_low, high_high]`: entries of the schedule for the robot's two gears; without it the
// first and the last one.
static ib_Status find_gears(const ib_Words *names, const ib_Loop *loop, int gears[2],
                            ib_Error *error)
{
    gears[0] = 0;
    gears[1] = loop->gears - 1;
    if (names->count == 0) return IB_OK;
    if (names->count != 2)
        return ib_error_set(error, IB_BAD_INPUT,
                            "gears: expected 2 names, one per gear of the robot, got %d",
                            names->count);
    for (int i = 0; i < 2; i++) {
        gears[i] = -1;
        for (int k = 0; k < loop->gears; k++)
            if (!strcmp(loop->gear[k].name, names->items[i])) gears[i] = k;
        if (gears[i] < 0)
            return ib_error_set(error, IB_BAD_INPUT,
                                "gears.%d: the design has no gear '%s'; its first is '%s'", i,
                                ib_quote(names->items[i]).text, loop->gear[0].name);
    }
    return IB_OK;
}

static ib_Status init(const void *config_, const ib_ControlSite *site, ib_Arena *arena,
                      void *model_, ib_ControlPorts *ports, ib_Error *error)
{
    const Config *config = config_;
    const ib_Loop *loop = site->design;
    Model *model = model_;
    int count = 0;
    const char **measurements =
        ib_arena_array(arena, (size_t)loop->outputs + 2, sizeof *measurements);
    const char **outputs = ib_arena_array(arena, 2, sizeof *outputs);
    if (!measurements || !outputs)
        return ib_error_set(error, IB_FAILED, "out of memory for a controller");
    if (!(config->drive.half_track > 0))
        return ib_error_set(error, IB_BAD_INPUT,
                            "'half_track' is missing: expected half the distance of the sides, "
                            "such as 12 in");
    ib_ControlPin pin;
    ib_Error reason;
    ib_Status status = ib_drive_init(loop, &config->drive, &model->drive, &reason);
    if (status != IB_OK) return ib_error_set(error, status, "design: %.900s", reason.text);
    for (int i = 0; status == IB_OK && i < loop->outputs; i++) {
        status = wire_output(config, site, i, model, &pin, error);
        measurements[count++] = pin.name;
    }
    for (int i = 0; status == IB_OK && i < 2; i++) {
        status = ib_site_setting(site, &config->wiring.inputs, i, 2, sides[i], "side", &pin, error);
        outputs[i] = pin.name;
    }
    model->battery = config->battery.count > 0;
    if (status == IB_OK && model->battery) {
        status = ib_site_battery(site, &config->battery, &pin, error);
        measurements[count++] = pin.name;
    }
    if (status == IB_OK) status = find_gears(&config->gears, loop, model->gears, error);
    model->shifts = loop->gears > 1 && ib_site_command(site, "gear");
    if (model->shifts) measurements[count++] = "gear";
    model->lowest = config->lowest;
    *ports = (ib_ControlPorts){.state_count = ib_feedback_states(loop) + SHOWN,
                               .command_count = sizeof commands / sizeof commands[0],
                               .commands = commands,
                               .measurement_count = count,
                               .measurements = measurements,
                               .output_count = 2,
                               .outputs = outputs,
                               .signal_count = S_COUNT,
                               .signals = signals};
    return status;
}

// -------------------------------------------------------------------------------------- one period

static void reset(const void *model_, double *state)
{
    const Model *model = model_;
    const ib_Loop *loop = model->drive.loop;
    ib_feedback_reset(loop, NULL, model->gears[0], state);
    double *shown = state + ib_feedback_states(loop);
    for (int i = 0; i < SHOWN; i++) shown[i] = 0;
}

// The plausible voltage of the battery: a failed measurement must not stop a robot.
static double voltage_at_hand(const Model *model, double measured)
{
    double nominal = model->drive.config.voltage;
    if (!model->battery || !(measured > model->lowest)) return nominal;
    return ib_min(measured, 2 * nominal);
}

static ib_ControlStatus step(const void *model_, const ib_ControlTick *tick, double *state,
                             double *output)
{
    const Model *model = model_;
    const ib_Loop *loop = model->drive.loop;
    double y[IB_OUTPUTS_MAX], u[2];
    const double *next = tick->measurement + loop->outputs;
    for (int i = 0; i < loop->outputs; i++) y[i] = model->scale[i] * tick->measurement[i];
    double volts = voltage_at_hand(model, model->battery ? *next++ : 0);
    int gear = model->gears[model->shifts && *next > 0.5];

    ib_DriveGoal goal;
    double nominal = model->drive.config.voltage, *shown = state + ib_feedback_states(loop);
    ib_drive_step(&model->drive, tick->command[0], tick->command[1], ib_min(volts, nominal), gear,
                  y, u, &goal, state);
    for (int i = 0; i < 2; i++) {
        shown[WISH + i] = goal.wish[i];
        shown[GOAL + i] = goal.goal[i];
        shown[VOLTAGE + i] = u[i];
    }
    shown[ON_LINE] = goal.on_line;
    // Commands are shares of the battery's voltage, on the scale of the nominal voltage.
    for (int i = 0; i < 2; i++) output[i] = ib_min(ib_max(u[i] / volts, -1), 1) * nominal;
    return IB_CONTROL_OK;
}

static void show(const void *model_, const double *command, const double *state, double *y)
{
    const Model *model = model_;
    const double *shown = state + ib_feedback_states(model->drive.loop);
    (void)command;
    for (int i = 0; i < 2; i++) {
        y[S_VOLTAGES + i] = shown[VOLTAGE + i];
        y[S_GOALS + i] = shown[GOAL + i];
        y[S_WISHES + i] = shown[WISH + i];
        y[S_ESTIMATES + i] = state[model->drive.velocity[i]];
    }
    y[S_ON_LINE] = shown[ON_LINE];
}

// -------------------------------------------------------------------------------------------- kind

static const ib_Param params[] = {
    IB_WIRING_ROWS,
    IB_PARAM_ROW("battery", IB_PARAM_WORDS, "1", NULL, 0, 0, NULL, Config, battery, false,
                 "the sensor of the battery's voltage; none: the nominal one is at hand"),
    IB_PARAM_ROW("gears", IB_PARAM_WORDS, "1", NULL, 0, 0, NULL, Config, gears, false,
                 "entries of the design's schedule for the robot's two gears; none: first, last"),
    IB_NUMBER_ROW("half_track", "m", "0 m", 0, 10, drive.half_track,
                  "distance from the robot's middle to the wheels of a side; must be given"),
    IB_NUMBER_ROW("radius", "m", "0.6 m", 0.01, 100, drive.radius,
                  "radius of the tightest turn, with the steering wheel fully turned"),
    IB_NUMBER_ROW("top_speed", "m/s", "0 m/s", 0, 100, drive.top_speed,
                  "speed at full throttle; 0: what the full voltage gives in each gear"),
    IB_NUMBER_ROW(
        "pivot_rate", "rad/s", "0 rad/s", 0, 100, drive.pivot_rate,
        "yaw rate on the spot, steering wheel fully turned; 0: what the full voltage gives"),
    IB_NUMBER_ROW("pivot_below", "1", "0.05", 0, 1, drive.pivot_below,
                  "throttle below which the steering wheel turns the robot on the spot"),
    IB_NUMBER_ROW("voltage", "V", "12 V", 0.1, 1000, drive.voltage, "nominal voltage of commands"),
    IB_NUMBER_ROW("lowest_voltage", "V", "5 V", 0.1, 1000, lowest,
                  "voltage below which a reading of the battery is not believed"),
    IB_NUMBER_ROW("wheel_radius", "m", "0 m", 0, 10, wheel_radius,
                  "radius of the wheels, where encoders measure angles; 0: they measure distances"),
};

static const char *idle(const void *config_, const char *key)
{
    const Config *config = config_;
    if (strcmp(key, "lowest_voltage") == 0 && config->battery.count == 0) return "battery";
    bool pivots = config->drive.pivot_below > 0;
    return strcmp(key, "pivot_rate") == 0 && !pivots ? "pivot_below" : NULL;
}

const ib_ControllerKind ib_drive_kind = {
    .name = "drive",
    .sentence = "driving by throttle and turn, with velocities of the sides held by a design",
    .docs = "docs/control/drive_loop.md",
    IB_CONTROLLER_TABLES(Config, Model),
    .params.idle = idle,
    .designed = true,
    IB_CONTROLLER_FUNCTIONS,
};
