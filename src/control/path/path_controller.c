// control/path/path_controller.c: a base follows a path, from its encoders and gyro. The driver has
// nothing to say; at the end it stands. docs/control/follow.md
//   control: {path: [line 2 m, circle 1 m left, line 2 m], speed: 1 m/s}
//   control: {drive: {path: [[1.5 m, 0.5 m], [3 m, -0.5 m], [4.5 m, 0 m, 0 deg]]}, lift: {…}}
#include "base/extreme.h"
#include "control/controller.h"
#include "control/odometry/rim_reader.h"
#include "control/path/follow.h"

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
    ib_RimReader rims;
    bool supply; ///< measured behind the rims
} Model;

// The measurements of the loop, and their periods.
typedef struct Wires {
    const char *names[IB_RIM_READINGS + 1];
    ib_ControlPin pins[IB_RIM_READINGS + 1];
    ib_Gather gathers[IB_RIM_READINGS + 1];
    int count;
    bool ideal;     ///< rims and yaw rate are sampled from the base itself
    ib_Time common; ///< a multiple of the periods of all ways and headings; 0: there are none
    ib_Time rates;  ///< the longest period of speeds and yaw rate
} Wires;

enum { SHORTEST_PERIOD = 1000, USUAL_PERIOD = 5000000, LONGEST_PERIOD = 50000000 }; ///< [ns]

// ------------------------------------------------------------------------------------------ wiring

// The voltage at hand: a sensor that the file names, or ideally where nothing else is measured.
static ib_Status find_supply(const Config *config, const ib_ControlSite *site, bool sensed,
                             ib_ControlPin *pin, ib_Error *error)
{
    *pin = (ib_ControlPin){0};
    if (config->battery.count > 0 && !site->base->supply)
        return ib_error_set(error, IB_BAD_INPUT,
                            "battery: the commands of this base are no shares of a voltage: leave "
                            "this key out");
    if (config->battery.count > 0) return ib_site_battery(site, &config->battery, pin, error);
    if (!sensed && site->base->supply)
        *pin = (ib_ControlPin){.name = site->base->supply, .unit = "V"};
    return IB_OK;
}

// A way is new once in its sensor's period: the loop must see it so often, or every second time, or
// every third … A rate that is held for a while is late, no more.
static ib_Status take_period(const ib_ControlPin *pin, Wires *wires, ib_Error *error)
{
    bool rate = strstr(pin->unit, "/s") != NULL;
    if (rate && pin->period > wires->rates) wires->rates = pin->period;
    if (rate || pin->period == 0) return IB_OK;
    // The least common multiple, by Euclid's divisor.
    ib_Time a = wires->common, b = pin->period;
    while (a > 0) {
        ib_Time rest = b % a;
        b = a;
        a = rest;
    }
    ib_Time times = pin->period / b;
    if (wires->common == 0) wires->common = 1, times = pin->period;
    if (times <= LONGEST_PERIOD / wires->common) {
        wires->common *= times;
        return IB_OK;
    }
    return ib_error_set(
        error, IB_BAD_INPUT,
        "sensors: with '%s' their periods have no common multiple of at most %g ms: "
        "expected shorter ones, or one that divides the other",
        pin->name, 1e3 * ib_time_to_seconds(LONGEST_PERIOD));
}

// The period that the file gives, or the shortest from the usual one on that suits the sensors.
static ib_Status find_period(double given, const Wires *wires, double *period, ib_Error *error)
{
    ib_Time common = wires->common > 0 ? wires->common : 1, least = wires->rates;
    ib_Time from = least > USUAL_PERIOD ? least : USUAL_PERIOD, own = ib_time_from_seconds(given);
    ib_Time suited = (from + common - 1) / common * common;
    if (given > 0 && own < SHORTEST_PERIOD)
        return ib_error_set(error, IB_BAD_INPUT,
                            "period: expected at least %g us, or none, got %g s",
                            1e6 * ib_time_to_seconds(SHORTEST_PERIOD), given);
    *period = given > 0 ? given : ib_time_to_seconds(suited);
    if (given > 0 && own % common == 0 && own >= least) return IB_OK;
    if (!(given > 0) && suited <= LONGEST_PERIOD) return IB_OK;
    if (!(given > 0))
        return ib_error_set(
            error, IB_BAD_INPUT,
            "sensors: a sample every %g ms is too seldom to follow a path: expected "
            "one every %g ms at least",
            1e3 * ib_time_to_seconds(suited), 1e3 * ib_time_to_seconds(LONGEST_PERIOD));
    return ib_error_set(error, IB_BAD_INPUT,
                        "period: the sensors are sampled every %g ms, so that %g ms would take old "
                        "samples for new ones: expected a multiple of %g ms, or none",
                        1e3 * ib_time_to_seconds(own < least ? least : common), 1e3 * given,
                        1e3 * ib_time_to_seconds(own < least ? least : common));
}

// Wires rims, gyro and supply: fills the names, and values that follow from their units.
static ib_Status wire(const Config *config, const ib_ControlSite *site, Model *model,
                      ib_FollowConfig *follow, Wires *wires, ib_Error *error)
{
    const ib_RimReaderConfig reads = {.sensors = &config->wiring.sensors, .named = true};
    ib_Status status =
        ib_rim_reader_wire(&reads, site, &model->rims, &follow->odometry, wires->pins, error);
    wires->count = model->rims.count;
    wires->ideal = model->rims.ideal;
    follow->count = model->rims.step;
    for (int i = 0; status == IB_OK && i < wires->count; i++)
        status = take_period(&wires->pins[i], wires, error);
    ib_ControlPin *supply = &wires->pins[wires->count];
    if (status == IB_OK) status = find_supply(config, site, !wires->ideal, supply, error);
    if (status != IB_OK) return status;
    model->supply = supply->name != NULL;
    if (supply->name) wires->count++;
    for (int i = 0; i < wires->count; i++) wires->names[i] = wires->pins[i].name;
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
    S_LOST,
    S_COUNT,
};

static const ib_SignalDef signals[S_COUNT] = {
    {"odometry.x", "m", "where odometry takes the robot to be, field x", 0},
    {"odometry.y", "m", "where odometry takes the robot to be, field y", 0},
    {"odometry.heading", "rad", "the heading that odometry takes the robot to have", 0},
    {"reference.x", "m", "where the robot should be now, field x", 0},
    {"reference.y", "m", "where the robot should be now, field y", 0},
    {"reference.heading", "rad", "the heading that the robot should have now", 0},
    {"reference.speed", "m/s", "how fast the robot should be now", 0},
    {"error.along", "m", "how far the robot is ahead of the reference, by odometry", 0},
    {"error.across", "m", "how far the robot is to the left of the reference, by odometry", 0},
    {"error.heading", "rad", "how far the robot points to the left of the reference, by odometry",
     0},
    {"pace", "1", "how fast the reference goes on: 1 as planned, 0 it waits", 0},
    {"done", "1", "1: the robot rests at the end of the path", 0, IB_MEANS(.binary = true)},
    {"saturated", "1", "1: the commands of the loop were cut at their limits", 0,
     IB_MEANS(.binary = true)},
    {"lost", "1", "1: the robot is far off and no nearer, so that it stopped for good", 0,
     IB_MEANS(.binary = true)},
};

enum { F_LENGTH, F_DURATION, F_TOP, F_PERIOD, F_SENSORS, F_COUNT, TOLD = 3 };

// "sensor.left, sensor.right, sensor.gyro"
static const char *list_names(const Wires *wires, ib_Arena *arena)
{
    const char *list = wires->count > 0 ? wires->names[0] : "";
    for (int i = 1; list && i < wires->count; i++)
        list = ib_arena_format(arena, "%s, %s", list, wires->names[i]);
    return list;
}

// True if it is worth reporting: not for a speed that was not requested, or is nearly reached.
static bool is_slow(const ib_Slowdown *slow, double wanted)
{
    return isfinite(wanted) && slow->by && !slow->asked && slow->speed < 0.95 * wanted;
}

// The slowest places not reported yet, first one first; returns the number left after them.
static const char *tell_slow(double wanted, const ib_Trajectory *plan, ib_Arena *arena)
{
    bool told[IB_SLOWDOWNS] = {false};
    int left = 0;
    const char *list = "";
    for (int i = 0; i < plan->slow_count; i++) left += is_slow(&plan->slow[i], wanted);
    for (int n = 0; n < TOLD && left > 0; n++, left--) {
        int worst = -1;
        for (int i = 0; i < plan->slow_count; i++)
            if (!told[i] && is_slow(&plan->slow[i], wanted) &&
                (worst < 0 || plan->slow[i].speed < plan->slow[worst].speed))
                worst = i;
        told[worst] = true;
    }
    for (int i = 0; list && i < plan->slow_count; i++) {
        char text[160];
        if (!told[i]) continue;
        ib_trajectory_say(&plan->slow[i], text, sizeof text);
        list = ib_arena_format(arena, "%s%s%s", list, list[0] ? "; " : "", text);
    }
    if (list && left > 0)
        list =
            ib_arena_format(arena, "%s; and at %d more place%s", list, left, left == 1 ? "" : "s");
    return list;
}

// Tells the plan's results, its limits, and its sensors.
static bool tell(const ib_FollowConfig *follow, const ib_Trajectory *plan,
                 const ib_ControlSite *site, const Wires *wires, ib_Arena *arena,
                 ib_ControlPorts *ports)
{
    double wanted = follow->trajectory.speed;
    ib_ControlFact *facts = ib_arena_array(arena, F_COUNT, sizeof *facts);
    const char *by = list_names(wires, arena), *slow = tell_slow(wanted, plan, arena), *top = "";
    if (is_slow(&plan->top, wanted))
        top = ib_arena_format(arena, "%.3g m/s at most%s%s", plan->top.speed,
                              slow && slow[0] ? "" : ": ", slow && slow[0] ? "" : plan->top.by);
    if (!facts || !by || !slow || !top) return false;
    facts[F_LENGTH] = (ib_ControlFact){"length", "m", plan->length, "length of the path"};
    facts[F_DURATION] =
        (ib_ControlFact){"duration", "s", plan->duration, "planned duration of the path"};
    facts[F_TOP] = (ib_ControlFact){"top_speed", "m/s", plan->top.speed, "planned top speed"};
    facts[F_PERIOD] = (ib_ControlFact){"period", "s", follow->period, "time between two samples"};
    facts[F_SENSORS] = (ib_ControlFact){"steers_by", "1", wires->count, by};
    ports->fact_count = F_COUNT;
    ports->lasts = plan->duration;
    ports->facts = facts;
    const char *ideal = wires->ideal && site->sensor_count > 0
                            ? "it steers by ideal samples, since the robot has no sensors called "
                              "left and right, and 'sensors' names no others"
                            : "";
    if (!slow[0] && !top[0] && !ideal[0]) return true;
    bool late = slow[0] || top[0];
    ports->note =
        late ? ib_arena_format(arena, "of a speed of %.4g m/s, it is %s%s%s%s%s", wanted, top,
                               top[0] && slow[0] ? ", " : "", slow, ideal[0] ? "; and " : "", ideal)
             : ideal;
    return ports->note != NULL;
}

static ib_Status init(const void *config_, const ib_ControlSite *site, ib_Arena *arena,
                      void *model_, ib_ControlPorts *ports, ib_Error *error)
{
    const Config *config = config_;
    Model *model = model_;
    ib_FollowConfig follow = ib_follow_default();
    Wires *wires = ib_arena_alloc(arena, sizeof *wires);
    if (!wires) return ib_error_set(error, IB_FAILED, "out of memory for a controller");
    if (!site->base) return ib_error_set(error, IB_BAD_INPUT, "path: %s", site->unmoved);
    if (config->wiring.inputs.count > 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "inputs: a path is driven with the base's own, '%s' and '%s': expected "
                            "none",
                            site->base->commands[0], site->base->commands[1]);
    follow.odometry.settle = config->settle;
    follow.trajectory.speed = config->speed;
    follow.trajectory.acceleration = config->acceleration;
    follow.trajectory.deceleration =
        config->deceleration > 0 ? config->deceleration : config->acceleration;
    follow.trajectory.sideways = config->sideways;
    follow.trajectory.blend = config->blend;
    *wires = (Wires){0};
    ib_Status status = wire(config, site, model, &follow, wires, error);
    if (status == IB_OK) status = find_period(config->wiring.period, wires, &follow.period, error);
    if (status != IB_OK) return status;
    ib_rim_reader_gather(wires->pins, follow.period, &model->rims);
    memcpy(wires->gathers, model->rims.gathers, sizeof model->rims.gathers);
    ib_Error reason;
    status = ib_follow_init(&follow, site->path, site->start, site->base, arena, &model->follow,
                            &reason);
    if (status != IB_OK) {
        bool placed = strncmp(reason.text, "path: ", 6) == 0;
        return ib_error_set(error, status, "path: %.900s", reason.text + (placed ? 6 : 0));
    }
    *ports = (ib_ControlPorts){.state_count = IB_FOLLOW_STATES,
                               .period = follow.period,
                               .measurement_count = wires->count,
                               .measurements = wires->names,
                               .gathers = wires->gathers,
                               .output_count = site->base->count,
                               .outputs = site->base->commands,
                               .signal_count = S_COUNT,
                               .signals = signals,
                               .odometry = true,
                               .path = site->path,
                               .path_start = site->start};
    if (!tell(&follow, &model->follow.trajectory, site, wires, arena, ports))
        return ib_error_set(error, IB_FAILED, "out of memory for a controller");
    return IB_OK;
}

// -------------------------------------------------------------------------------------- one period

static void reset(const void *model, double *state)
{
    ib_follow_reset(&((const Model *)model)->follow, state);
}

static ib_ControlStatus step(const void *model_, const ib_ControlTick *tick, double *state,
                             double *output)
{
    const Model *model = model_;
    double supply = model->supply ? tick->measurement[model->rims.count] : NAN;
    bool before = state[IB_FOLLOW_LOST] != 0;
    ib_rim_reader_step(&model->rims, &model->follow.odometry, tick->measurement, tick->sum, state);
    ib_follow_step(&model->follow, supply, state, output);
    // A failure is reported, with neutral outputs; without brakes that is for one period.
    bool lost = state[IB_FOLLOW_LOST] != 0 && (!before || !model->follow.base->coasts);
    return lost ? IB_CONTROL_FAILED : IB_CONTROL_OK;
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
    y[S_LOST] = state[IB_FOLLOW_LOST];
}

// -------------------------------------------------------------------------------------------- kind

#define NUMBER(key, type, unit, fallback, low, high, field, sentence)                              \
    IB_PARAM_ROW(key, type, unit, fallback, low, high, NULL, Config, field, false, sentence)

static const ib_Param params[] = {
    IB_WIRING_ROWS,
    IB_PARAM_ROW("period", IB_PARAM_NUMBER, "s", "0 s", 0, 0.05, NULL, ib_WiringConfig, period,
                 false, "time between two samples; 0: 5 ms, or as its sensors ask for"),
    IB_PARAM_ROW("battery", IB_PARAM_WORDS, "1", NULL, 0, 0, NULL, Config, battery, false,
                 "the sensor of the voltage at hand; none: what the plan counts on"),
    NUMBER("speed", IB_PARAM_LIMIT, "m/s", "1 m/s", 1e-3, 100, speed,
           "speed wanted along the path; off: as fast as the drive can"),
    NUMBER("acceleration", IB_PARAM_NUMBER, "m/s^2", "1.5 m/s^2", 1e-3, 100, acceleration,
           "largest acceleration while it gets faster"),
    NUMBER("deceleration", IB_PARAM_NUMBER, "m/s^2", "0 m/s^2", 0, 100, deceleration,
           "largest deceleration while it gets slower; 0: as acceleration"),
    NUMBER("sideways", IB_PARAM_NUMBER, "m/s^2", "1 m/s^2", 1e-3, 100, sideways,
           "largest acceleration across the path: slows it in curves"),
    NUMBER("blend", IB_PARAM_NUMBER, "m", "0 m", 0, 100, blend,
           "length over which a jump of curvature is spread; 0: as the jump asks for"),
    NUMBER("settle", IB_PARAM_NUMBER, "s", "0 s", 0, 100, settle,
           "time of rest at the start, in which the gyro's bias is found"),
};

const ib_ControllerKind ib_path_kind = {
    .name = "path",
    .sentence = "follows a path of lines, arcs and waypoints, from odometry and gyro",
    .docs = "docs/control/follow.md",
    IB_CONTROLLER_TABLES(Config, Model),
    .follows = true,
    IB_CONTROLLER_FUNCTIONS,
};
