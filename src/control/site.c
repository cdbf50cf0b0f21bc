#include "control/site.h"

#include "base/quote.h"
#include "base/word.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

// ------------------------------------------------------------------------------------------- names

static const char sensor_prefix[] = "sensor.";

// The name without "sensor." in front.
static const char *plain(const char *sensor)
{
    size_t length = sizeof sensor_prefix - 1;
    return strncmp(sensor, sensor_prefix, length) == 0 ? sensor + length : sensor;
}

static const ib_ControlPin *find_sensor(const ib_ControlSite *site, const char *name)
{
    for (int i = 0; i < site->sensor_count; i++)
        if (strcmp(plain(site->sensors[i].name), plain(name)) == 0) return &site->sensors[i];
    return NULL;
}

static const ib_SignalDef *find_signal(const ib_ControlSite *site, const char *name)
{
    for (int i = 0; i < site->signal_count; i++)
        if (strcmp(site->signals[i].name, name) == 0) return &site->signals[i];
    return NULL;
}

const ib_ControlPin *ib_site_command(const ib_ControlSite *site, const char *name)
{
    for (int i = 0; i < site->command_count; i++)
        if (strcmp(site->commands[i].name, name) == 0) return &site->commands[i];
    return NULL;
}

// True for the pin's local name, or the end of the robot's name after that of the part.
static bool is_called(const ib_ControlPart *part, const ib_ControlPin *pin, const char *name)
{
    size_t length = strlen(part->name);
    if (strcmp(pin->local, name) == 0 || strcmp(pin->name, name) == 0) return true;
    return pin->name[length] == '.' && strcmp(pin->name + length + 1, name) == 0;
}

const ib_ControlPin *ib_part_state(const ib_ControlPart *part, const char *name)
{
    for (int i = 0; i < part->state_count; i++)
        if (is_called(part, &part->states[i], name)) return &part->states[i];
    return NULL;
}

const ib_ControlPin *ib_part_input(const ib_ControlPart *part, const char *name)
{
    for (int i = 0; i < part->input_count; i++)
        if (is_called(part, &part->inputs[i], name)) return &part->inputs[i];
    return NULL;
}

const char *ib_site_name(const ib_ControlSite *site, ib_Arena *arena, const char *name)
{
    return ib_arena_format(arena, "%s%s%s", site->loop, site->loop[0] ? "." : "", name);
}

// ---------------------------------------------------------------------------------------- messages

// Keeps the nearer of two guesses.
static void guess(const char *text, const char *name, const char **near, int *least)
{
    const char *one[] = {name, NULL};
    int distance = ib_word_distance(text, name);
    if (distance >= *least || !ib_nearest_word(text, one)) return;
    *near = name;
    *least = distance;
}

// `key`: where it stands, such as "sensors.1".
static ib_Status no_sensor(const ib_ControlSite *site, const char *key, const char *text,
                           bool signals, ib_Error *error)
{
    const char *near = NULL;
    int least = INT_MAX;
    for (int i = 0; i < site->sensor_count; i++)
        guess(text, plain(site->sensors[i].name), &near, &least);
    for (int i = 0; signals && i < site->signal_count; i++)
        guess(text, site->signals[i].name, &near, &least);
    return ib_error_set(error, IB_BAD_INPUT, "%s: the robot has no sensor '%s'%s%s%s", key,
                        ib_quote(text).text,
                        near ? "; did you mean '" : ": expected one of robot.sensors",
                        near ? near : "", near ? "'?" : "");
}

static ib_Status no_command(const ib_ControlSite *site, const char *key, const char *text,
                            ib_Error *error)
{
    const char *near = NULL;
    int least = INT_MAX;
    for (int i = 0; i < site->command_count; i++)
        guess(text, site->commands[i].name, &near, &least);
    return ib_error_set(error, IB_BAD_INPUT, "%s'%s' is no input of this robot%s%s%s", key,
                        ib_quote(text).text, near ? "; did you mean '" : "", near ? near : "",
                        near ? "'?" : ": expected one of those that `inputs:` may have");
}

static ib_Status wrong_count(const char *key, int given, int count, const char *what,
                             ib_Error *error)
{
    if (given == 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "'%s' is missing: expected a list of %d, one per %s", key, count, what);
    return ib_error_set(error, IB_BAD_INPUT, "%s: expected %d name%s, one per %s, got %d", key,
                        count, count == 1 ? "" : "s", what, given);
}

// -------------------------------------------------------------------------------------------- pins

ib_Status ib_site_sensor(const ib_ControlSite *site, const char *key, const char *name,
                         ib_ControlPin *pin, ib_Error *error)
{
    const ib_ControlPin *found = find_sensor(site, name);
    if (!found) return no_sensor(site, key, name, false, error);
    *pin = *found;
    return IB_OK;
}

ib_Status ib_site_battery(const ib_ControlSite *site, const ib_Words *given, ib_ControlPin *pin,
                          ib_Error *error)
{
    if (given->count != 1)
        return ib_error_set(error, IB_BAD_INPUT, "battery: expected one sensor, got %d",
                            given->count);
    ib_Status status = ib_site_sensor(site, "battery", given->items[0], pin, error);
    if (status != IB_OK || strcmp(pin->unit, "V") == 0) return status;
    return ib_error_set(error, IB_BAD_INPUT, "battery: '%s' is in %s, but a voltage is in V",
                        pin->name, pin->unit);
}

ib_Gather ib_pin_gather(const ib_ControlPin *pin, double period, ib_Gather method)
{
    size_t length = strlen(pin->unit);
    bool rate = length > 2 && strcmp(pin->unit + length - 2, "/s") == 0;
    bool other = pin->period > 0 && pin->period != ib_time_from_seconds(period);
    return rate && other ? method : IB_GATHER_NONE;
}

ib_Gather ib_heading_gather(const ib_ControlPin *gyro, const ib_HeadingConfig *heading)
{
    return ib_pin_gather(gyro, heading->period,
                         heading->method == IB_HEADING_SUM ? IB_GATHER_SUM : IB_GATHER_TRAPEZOID);
}

// A sensor, or a signal that is sampled ideally; of a part also by the name that the part has for
// it: "cap.pressure".
static ib_Status find_given(const ib_ControlSite *site, const ib_Words *given, int index,
                            ib_ControlPin *pin, ib_Error *error)
{
    const char *name = given->items[index];
    const ib_ControlPin *sensor = find_sensor(site, name);
    const ib_ControlPin *own = site->part ? ib_part_state(site->part, name) : NULL;
    const ib_SignalDef *signal = sensor ? NULL : find_signal(site, own ? own->name : name);
    char key[32];
    snprintf(key, sizeof key, "sensors.%d", index);
    if (!sensor && !signal) return no_sensor(site, key, name, true, error);
    *pin = sensor ? *sensor : (ib_ControlPin){.name = signal->name, .unit = signal->unit};
    return IB_OK;
}

ib_Status ib_site_reading(const ib_ControlSite *site, const ib_Words *given, int index, int count,
                          const char *wanted, const char *what, ib_ControlPin *pin, ib_Error *error)
{
    const ib_ControlPart *part = site->part;
    const ib_ControlPin *found = NULL;
    if (given->count == count) return find_given(site, given, index, pin, error);
    if (given->count > 0) return wrong_count("sensors", given->count, count, what, error);
    if (part && part->state_count > 0)
        found = wanted ? ib_part_state(part, wanted) : &part->states[part->measured];
    else if (wanted)
        found = find_sensor(site, wanted);
    if (!found && part && wanted)
        return ib_error_set(error, IB_BAD_INPUT,
                            "'sensors' is missing: '%s' has no '%s', which is %s %d%s", part->name,
                            wanted, what, index + 1,
                            site->design ? ": is the design for another mechanism?" : "");
    if (!found) return wrong_count("sensors", 0, count, what, error);
    *pin = *found;
    return IB_OK;
}

// The pin of the part with the wanted name, or the one at `index` if the part has `count` of them.
static const ib_ControlPin *input_of(const ib_ControlPart *part, int index, int count,
                                     const char *wanted)
{
    const ib_ControlPin *named = wanted ? ib_part_input(part, wanted) : NULL;
    return named || part->input_count != count ? named : &part->inputs[index];
}

ib_Status ib_site_setting(const ib_ControlSite *site, const ib_Words *given, int index, int count,
                          const char *wanted, const char *what, ib_ControlPin *pin, ib_Error *error)
{
    const ib_ControlPin *found = NULL;
    char key[32] = "";
    if (given->count > 0 && given->count != count)
        return wrong_count("inputs", given->count, count, what, error);
    if (given->count > 0) {
        wanted = given->items[index];
        snprintf(key, sizeof key, "inputs.%d: ", index);
    } else if (site->part) {
        found = input_of(site->part, index, count, wanted);
        if (!found)
            return ib_error_set(error, IB_BAD_INPUT,
                                "'%s' has %d inputs: expected `inputs:` with %d, one per %s",
                                site->part->name, site->part->input_count, count, what);
    }
    if (!found && !wanted && site->loop[0])
        return ib_error_set(error, IB_BAD_INPUT,
                            "'inputs' is missing: the robot has no mechanism '%s', expected %d "
                            "that it sets, one per %s",
                            site->loop, count, what);
    if (!found && !wanted) return wrong_count("inputs", 0, count, what, error);
    if (!found) found = ib_site_command(site, wanted);
    if (!found) return no_command(site, key, wanted, error);
    *pin = *found;
    return IB_OK;
}

const ib_ControlRims *ib_rims_of_sides(double half_track, const ib_RimSignal *signals, int count,
                                       ib_Arena *arena)
{
    ib_ControlRims *rims = ib_arena_alloc(arena, sizeof *rims);
    ib_WheelRow *rows = ib_arena_array(arena, 2, sizeof *rows);
    ib_RimSignal *own = ib_arena_array(arena, (size_t)count, sizeof *own);
    if (!rims || !rows || !own) return NULL;
    memcpy(own, signals, (size_t)count * sizeof *own);
    rows[0] = (ib_WheelRow){1, 0, -half_track};
    rows[1] = (ib_WheelRow){1, 0, half_track};
    *rims = (ib_ControlRims){.count = 2,
                             .rows = rows,
                             .signal_count = count,
                             .signals = own,
                             .hold_count = 1,
                             .holds = {{0, 1, 0}}};
    return rims;
}
