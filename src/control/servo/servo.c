#include "control/servo/servo.h"

#include "base/extreme.h"
#include "base/maths.h"
#include "base/quote.h"

#include <stdio.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ wiring

// The readings so far.
typedef struct Readings {
    const ib_ControlSite *site;
    ib_Arena *arena;
    bool continuous;
    int count;
    const char *names[IB_LAW_MEASUREMENTS];
} Readings;

static const ib_SignalDef *find_signal(const ib_ControlSite *site, const char *name)
{
    for (int i = 0; i < site->signal_count; i++)
        if (strcmp(site->signals[i].name, name) == 0) return &site->signals[i];
    return NULL;
}

// Adds the sensor or signal that item `index` of a key names, in the words of the loop's part or in
// the robot's; `unit` NULL: any unit will do.
static ib_Status add_named(Readings *readings, const char *key, const ib_Words *given, int index,
                           const char *unit, int *number, ib_Error *error)
{
    const char *name = given->items[index];
    const ib_ControlPart *part = readings->site->part;
    const ib_ControlPin *own = part ? ib_part_state(part, name) : NULL;
    const ib_SignalDef *signal = find_signal(readings->site, own ? own->name : name);
    ib_ControlPin pin;
    char place[48];
    snprintf(place, sizeof place, given->count > 1 ? "%s.%d" : "%s", key, index);
    if (signal) {
        pin = (ib_ControlPin){.name = signal->name, .unit = signal->unit};
    } else {
        ib_Status status = ib_site_sensor(readings->site, place, name, &pin, error);
        if (status != IB_OK) return status;
    }
    if (unit && strcmp(pin.unit, unit) != 0)
        return ib_error_set(error, IB_BAD_INPUT, "%s: '%s' is in %s: expected one in %s", place,
                            pin.name, pin.unit, unit);
    if (readings->continuous && !signal)
        return ib_error_set(error, IB_BAD_INPUT,
                            "%s: the sensor '%s' has ticks, and a continuous loop reads at every "
                            "instant: expected a signal such as %s",
                            place, name, pin.signal ? pin.signal : "that of its truth");
    *number = readings->count;
    readings->names[readings->count++] = pin.name;
    return IB_OK;
}

// The signal beside the position's, "lift.velocity" of "lift.position"; NULL: there is none.
static const char *neighbour(const Readings *readings, const char *tail)
{
    const char *position = readings->names[0], *dot = strrchr(position, '.');
    int length = dot ? (int)(dot - position) + 1 : 0;
    const char *name = ib_arena_format(readings->arena, "%.*s%s", length, position, tail);
    const ib_SignalDef *signal = name ? find_signal(readings->site, name) : NULL;
    return signal ? signal->name : NULL;
}

// The velocity or the acceleration: by name, by its neighbour, or by differences (-1).
static ib_Status add_motion(Readings *readings, const char *key, const ib_Words *given,
                            const char *unit, bool needed, int *number, ib_Error *error)
{
    *number = -1;
    if (given->count > 1)
        return ib_error_set(error, IB_BAD_INPUT, "%s: expected one name, got %d", key,
                            given->count);
    if (!needed) return IB_OK;
    if (given->count == 1) return add_named(readings, key, given, 0, unit, number, error);
    if (!readings->continuous) return IB_OK;
    const char *name = neighbour(readings, key);
    if (!name)
        return ib_error_set(error, IB_BAD_INPUT,
                            "'%s' is missing: a continuous loop takes no differences, and '%s' has "
                            "no such signal beside it. Expected '%s' with a signal, or 'period' as "
                            "a time",
                            key, readings->names[0], key);
    *number = readings->count;
    readings->names[readings->count++] = name;
    return IB_OK;
}

static ib_Status add_pressures(Readings *readings, const ib_Words *given, bool needed, int *number,
                               ib_Error *error)
{
    int second;
    *number = -1;
    if (!needed && given->count == 0) return IB_OK;
    if (given->count == 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "'pressures' is missing: expected two, such as [cap.pressure, "
                            "rod.pressure]");
    if (given->count != 2)
        return ib_error_set(error, IB_BAD_INPUT, "pressures: expected two names, got %d",
                            given->count);
    if (!needed) return IB_OK;
    ib_Status status = add_named(readings, "pressures", given, 0, "Pa", number, error);
    if (status != IB_OK) return status;
    return add_named(readings, "pressures", given, 1, "Pa", &second, error);
}

static ib_Status add_readings(const ib_ServoConfig *config, const ib_ServoNeeds *needs,
                              const ib_HoldPins *pins, Readings *readings, ib_ServoModel *model,
                              ib_Error *error)
{
    const char *unit = pins->reads.unit;
    const char *speed = ib_control_units("Y/s", unit, "1", readings->arena);
    const char *change = ib_control_units("Y/s^2", unit, "1", readings->arena);
    if (!speed || !change) return ib_error_set(error, IB_FAILED, "out of memory for a controller");
    readings->names[readings->count++] = pins->reads.name;
    bool apart = needs->acceleration && config->velocity.count > 0; // a is found from this v
    ib_Status status = add_motion(readings, "velocity", &config->velocity, speed,
                                  needs->velocity || apart, &model->velocity, error);
    if (status == IB_OK)
        status = add_motion(readings, "acceleration", &config->acceleration, change,
                            needs->acceleration, &model->acceleration, error);
    if (status == IB_OK)
        status =
            add_pressures(readings, &config->pressures, needs->pressures, &model->pressures, error);
    model->schedule = 0;
    if (status != IB_OK || !needs->schedule) return status;
    ib_Words over = {1, {needs->schedule}};
    return add_named(readings, "schedule.over", &over, 0, unit, &model->schedule, error);
}

ib_Status ib_servo_init(const ib_ServoConfig *config, const ib_ServoNeeds *needs,
                        const ib_ControlSite *site, ib_Arena *arena, ib_ServoModel *model,
                        ib_ControlPorts *ports, ib_HoldPins *pins, ib_Error *error)
{
    ib_HoldConfig hold = {IB_SERVO_STATES + needs->states, needs->signals};
    ib_Status status = ib_hold_init(&hold, &config->wiring, site, arena, pins, ports, error);
    if (status != IB_OK) return status;
    Readings readings = {
        .site = site, .arena = arena, .continuous = ib_is_continuous(config->wiring.period)};
    *model = (ib_ServoModel){.continuous = readings.continuous,
                             .period = readings.continuous ? 0 : config->wiring.period,
                             .filter_time = config->filter_time,
                             .reference_time = config->reference_time,
                             .offset = ib_hold_offset(config->offset, pins),
                             .limits = {pins->sets.low, pins->sets.high},
                             .act = needs->act,
                             .values = needs->states};
    if (readings.continuous && pins->reads.signal)
        return ib_error_set(error, IB_BAD_INPUT,
                            "sensors.0: the sensor '%s' has ticks, and a continuous loop reads at "
                            "every instant: expected a signal such as %s",
                            config->wiring.sensors.items[0], pins->reads.signal);
    if (!isinf(config->limits[0])) memcpy(model->limits, config->limits, sizeof model->limits);
    if (model->reference_time > 0) model->fade = ib_exp(-model->period / model->reference_time);
    status = add_readings(config, needs, pins, &readings, model, error);
    if (status != IB_OK) return status;
    const char **names = ib_arena_array(arena, (size_t)readings.count, sizeof *names);
    if (!names) return ib_error_set(error, IB_FAILED, "out of memory for a controller");
    memcpy(names, readings.names, (size_t)readings.count * sizeof *names);
    ports->measurements = names;
    ports->measurement_count = readings.count;
    if (readings.continuous) {
        ports->state_count = 0;
        ports->rate_count = ib_servo_rates(model) + needs->rates;
    }
    return IB_OK;
}

const char *ib_servo_idle(const ib_ServoConfig *config, const ib_ServoNeeds *needs, const char *key)
{
    bool continuous = ib_is_continuous(config->wiring.period);
    bool differs = (needs->velocity && config->velocity.count == 0) ||
                   (needs->acceleration && config->acceleration.count == 0);
    if (strcmp(key, "filter_time") == 0) return continuous ? "period" : differs ? NULL : key;
    if (strcmp(key, "velocity") == 0)
        return needs->velocity || (needs->acceleration && !continuous) ? NULL : key;
    if (strcmp(key, "acceleration") == 0) return needs->acceleration ? NULL : key;
    return strcmp(key, "pressures") == 0 && !needs->pressures ? key : NULL;
}

// ----------------------------------------------------------------------------------------- sampled

static bool sane(double value)
{
    return fabs(value) < 1e100;
}

static bool is_good(const ib_ServoModel *model, const ib_ControlTick *tick)
{
    const double *y = tick->measurement;
    bool good = sane(y[0]) && sane(tick->command[0]) && sane(y[model->schedule]);
    if (model->velocity >= 0) good &= sane(y[model->velocity]);
    if (model->acceleration >= 0) good &= sane(y[model->acceleration]);
    if (model->pressures >= 0) good &= sane(y[model->pressures]) && sane(y[model->pressures + 1]);
    return good;
}

// v and a of this sample, which comes `time` after the last good one.
static void find_motion(const ib_ServoModel *model, const double *y, double time, double *state)
{
    double *m = state + IB_SERVO_MEASURED, samples = state[IB_SERVO_SAMPLES];
    double share = 1 / (model->filter_time + time), before = m[1];
    if (model->velocity >= 0)
        m[1] = y[model->velocity];
    else if (samples >= 1)
        m[1] = share * (model->filter_time * m[1] + (y[0] - m[0]));
    if (model->acceleration >= 0)
        m[2] = y[model->acceleration];
    else if (samples >= (model->velocity >= 0 ? 1 : 2))
        m[2] = share * (model->filter_time * m[2] + (m[1] - before));
    m[0] = y[0];
}

// The reference goes on by one period towards the goal that was held meanwhile.
static void move_reference(const ib_ServoModel *model, const ib_ControlTick *tick, double *r)
{
    double T = model->period, tau = model->reference_time, goal = tick->command[0];
    double slope = tick->slope ? tick->slope[0] : 0;
    if (tau == 0) {
        r[0] = goal;
        r[1] = slope;
        r[2] = 0;
        return;
    }
    double d = r[0] - goal, z = r[1] + d / tau;
    r[0] = goal + model->fade * (d + T * z);
    r[1] = model->fade * (r[1] - T * z / tau);
    r[2] = (goal - r[0]) / (tau * tau) - 2 * r[1] / tau;
}

void ib_servo_sample(const ib_ServoModel *model, const ib_ControlTick *tick, double *state,
                     ib_ServoPoint *point)
{
    const double *y = tick->measurement;
    double time = (1 + state[IB_SERVO_MISSED]) * model->period;
    bool good = is_good(model, tick), first = state[IB_SERVO_SAMPLES] == 0;
    if (good) {
        if (first) state[IB_SERVO_REFERENCE] = y[0];
        find_motion(model, y, time, state);
        state[IB_SERVO_PRESSURE] = model->pressures >= 0 ? y[model->pressures] : 0;
        state[IB_SERVO_PRESSURE + 1] = model->pressures >= 0 ? y[model->pressures + 1] : 0;
        state[IB_SERVO_SCHEDULE] = y[model->schedule];
        state[IB_SERVO_SAMPLES] = ib_min(state[IB_SERVO_SAMPLES] + 1, 3);
        state[IB_SERVO_MISSED] = 0;
    } else {
        state[IB_SERVO_MISSED] += 1;
    }
    bool moves = !first || model->reference_time == 0;
    if (moves && sane(tick->command[0])) move_reference(model, tick, state + IB_SERVO_REFERENCE);
    ib_servo_last(model, state, point);
    point->time = good ? time : 0;
}

void ib_servo_last(const ib_ServoModel *model, const double *state, ib_ServoPoint *point)
{
    (void)model;
    memcpy(point->wanted, state + IB_SERVO_REFERENCE, sizeof point->wanted);
    memcpy(point->measured, state + IB_SERVO_MEASURED, sizeof point->measured);
    memcpy(point->pressure, state + IB_SERVO_PRESSURE, sizeof point->pressure);
    point->schedule = state[IB_SERVO_SCHEDULE];
    point->time = model->period;
}

// -------------------------------------------------------------------------------------- continuous

void ib_servo_now(const ib_ServoModel *model, const ib_ControlInstant *now, const double *state,
                  ib_ServoPoint *point)
{
    const double *y = now->measurement;
    double tau = model->reference_time, goal = now->command[0];
    *point = (ib_ServoPoint){.wanted = {goal, now->slope ? now->slope[0] : 0, 0},
                             .measured = {y[0], model->velocity >= 0 ? y[model->velocity] : 0,
                                          model->acceleration >= 0 ? y[model->acceleration] : 0},
                             .pressure = {model->pressures >= 0 ? y[model->pressures] : 0,
                                          model->pressures >= 0 ? y[model->pressures + 1] : 0},
                             .schedule = y[model->schedule]};
    if (tau == 0) return;
    point->wanted[0] = state[0];
    point->wanted[1] = state[1];
    point->wanted[2] = (goal - state[0]) / (tau * tau) - 2 * state[1] / tau;
}

void ib_servo_rate(const ib_ServoModel *model, const ib_ServoPoint *point, double *rate)
{
    if (model->reference_time == 0) return;
    rate[0] = point->wanted[1];
    rate[1] = point->wanted[2];
}

void ib_servo_start(const ib_ServoModel *model, const ib_ControlInstant *now, double *state)
{
    if (model->reference_time > 0) state[0] = now->measurement[0];
}
