#include "study/fit_signals.h"

#include "base/units.h"
#include "base/word.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

// The columns of SysId's tables, which have no units or roles.
#define PLAIN_VOLTAGE "voltage"
#define PLAIN_MOTION  "velocity"

static ib_Status no_memory(ib_Error *error)
{
    return ib_error_set(error, IB_FAILED, "out of memory");
}

// ---------------------------------------------------------------------------------------- choosing

static bool ends_with(const char *name, const char *end)
{
    size_t size = strlen(name), length = strlen(end);
    return size >= length && !strcasecmp(name + size - length, end) &&
           (size == length || name[size - length - 1] == '.');
}

// The only signal whose name has this ending; NULL: none or several.
static const ib_LogSeries *find_ending(const ib_Log *log, const char *end)
{
    const ib_LogSeries *found = NULL;
    for (int i = 0; i < log->series_count; i++) {
        if (!ends_with(log->series[i].name, end)) continue;
        if (found) return NULL;
        found = &log->series[i];
    }
    return found;
}

static const ib_LogSeries *find_named(const char *file, const ib_Log *log, const char *name,
                                      ib_Error *error)
{
    const ib_LogSeries *series = ib_log_find(log, name);
    if (series) return series;
    const char *near = NULL;
    int least = 4;
    for (int i = 0; i < log->series_count; i++) {
        int distance = ib_word_distance(name, log->series[i].name);
        if (distance < least) least = distance, near = log->series[i].name;
    }
    ib_error_set(error, IB_BAD_INPUT, "'%s' has no signal '%s'%s%s%s", file, name,
                 near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return NULL;
}

typedef struct Choice {
    const ib_LogSeries *voltage, *velocity, *position, *slip;
} Choice;

// The first signal of this role, of the part of `beside` (NULL: of any); NULL: none, or several
// robots have one.
static const ib_LogSeries *find_role(const ib_Log *log, ib_SignalRole role,
                                     const ib_LogSeries *beside)
{
    const ib_LogSeries *found = NULL;
    for (int i = 0; i < log->series_count; i++) {
        const ib_LogSeries *series = &log->series[i];
        if (series->means.role != role) continue;
        if (beside && !ib_meaning_same_part(&series->means, &beside->means)) continue;
        if (found && !ib_meaning_is_of(&series->means, found->means.robot)) return NULL;
        if (!found) found = series;
    }
    return found;
}

// Completes unnamed signals by their roles: the first motor with voltage and motion, or the one
// whose voltage was named; else by plain names.
static void complete(const ib_Log *log, bool motion, Choice *choice)
{
    const ib_LogSeries *voltage = choice->voltage;
    if (!voltage) voltage = find_role(log, IB_ROLE_MOTOR_VOLTAGE, NULL);
    if (voltage && voltage->means.role == IB_ROLE_MOTOR_VOLTAGE) {
        const ib_LogSeries *speed = find_role(log, IB_ROLE_MOTOR_MOTION, voltage);
        choice->slip = find_role(log, IB_ROLE_MOTOR_SLIP, voltage);
        if (motion || speed) choice->voltage = voltage;
        if (!motion) choice->velocity = speed;
    }
    if (!choice->voltage) choice->voltage = find_ending(log, PLAIN_VOLTAGE);
    if (!motion && !choice->velocity) choice->velocity = find_ending(log, PLAIN_MOTION);
}

// Chooses the signals: those that the caller names, the others by role; an ambiguous one is
// an error.
static ib_Status choose(const char *file, const ib_Log *log, const ib_FitWish *wish, Choice *choice,
                        ib_Error *error)
{
    bool motion = wish->velocity || wish->position;
    if (wish->voltage && !(choice->voltage = find_named(file, log, wish->voltage, error)))
        return IB_BAD_INPUT;
    if (wish->velocity && !(choice->velocity = find_named(file, log, wish->velocity, error)))
        return IB_BAD_INPUT;
    if (wish->position && !(choice->position = find_named(file, log, wish->position, error)))
        return IB_BAD_INPUT;
    complete(log, motion, choice);
    if (!choice->voltage)
        return ib_error_set(error, IB_BAD_INPUT,
                            "which signal of '%s' is the voltage? Name it with --voltage", file);
    if (!choice->velocity && !choice->position)
        return ib_error_set(error, IB_BAD_INPUT,
                            "which signal of '%s' is the motion? Name it with --velocity or "
                            "--position",
                            file);
    return IB_OK;
}

// ------------------------------------------------------------------------------------------ values

// Factor to SI of a series; 1 if the recording has no unit. `units`: the accepted ones,
// NULL-terminated; `found`: the actual one.
static ib_Status find_factor(const ib_LogSeries *series, const char *const *units, double *factor,
                             const char **found, ib_Error *error)
{
    char text[64];
    ib_Error none; // an unknown unit is not accepted, either
    ib_Quantity quantity;
    ib_Dimension dimension;
    *factor = 1.0;
    *found = NULL;
    if (!series->unit[0] || !strcmp(series->unit, "1")) return IB_OK;
    snprintf(text, sizeof text, "1 %s", series->unit);
    for (int i = 0; units[i] && ib_quantity_read(text, &quantity, &none) == IB_OK; i++) {
        if (ib_units_dimension(units[i], &dimension, &none) != IB_OK ||
            !ib_dimension_equal(dimension, quantity.dimension))
            continue;
        *factor = quantity.value;
        *found = units[i];
        return IB_OK;
    }
    return ib_error_set(error, IB_BAD_INPUT, "%s is in %s, expected %s%s%s", series->name,
                        series->unit, units[0], units[1] ? " or " : "", units[1] ? units[1] : "");
}

// A series in SI, with the flaws of its file.
typedef struct Samples {
    int count;
    double *time, *value; ///< NAN: a cell without a number
    bool *late;           ///< came after a later one in the file
} Samples;

static bool is_long(const ib_Log *log, const ib_LogSeries *series)
{
    return series->count + log->flaws[series - log->series].hole_count > 10000000;
}

// Samples and holes, merged by time.
static bool take(const ib_Log *log, const ib_LogSeries *series, double factor, ib_Arena *arena,
                 Samples *taken)
{
    const ib_LogFlaws *flaws = &log->flaws[series - log->series];
    int64_t i = 0, hole = 0;
    size_t size = (size_t)(series->count + flaws->hole_count);
    taken->time = ib_arena_array(arena, size + 1, sizeof *taken->time);
    taken->value = ib_arena_array(arena, size + 1, sizeof *taken->value);
    taken->late = ib_arena_array(arena, size + 1, sizeof *taken->late);
    if (!taken->time || !taken->value || !taken->late) return false;
    taken->count = (int)size;
    for (int n = 0; n < taken->count; n++) {
        bool good = hole == flaws->hole_count ||
                    (i < series->count && series->times[i] <= flaws->hole_times[hole]);
        taken->time[n] = ib_time_to_seconds(good ? series->times[i] : flaws->hole_times[hole]);
        taken->value[n] = good ? factor * series->values[i] : NAN;
        taken->late[n] = good && flaws->late && flaws->late[i];
        *(good ? &i : &hole) += 1;
    }
    return true;
}

// ------------------------------------------------------------------------------------- bad samples

// 0.25 m/s: a tyre that rolls slips by a few cm/s.
static bool is_slipping(const ib_LogSeries *series, double value)
{
    (void)series;
    return value > 0.25;
}

// 0.1 rad/s: a robot that is driven straight turns more slowly. While it turns its other side
// pushes this one, and tyres scrub sideways.
static bool is_turning(const ib_LogSeries *series, double value)
{
    (void)series;
    return fabs(value) > 0.1;
}

static bool is_pushed(const ib_LogSeries *series, double value)
{
    (void)series;
    return value != 0.0;
}

static bool is_dead(const ib_LogSeries *series, double value)
{
    return ib_mode_meaning(series->means.mode, value).dead;
}

// Marks samples at times when `series` (its last value) is bad.
static void mark(const ib_LogSeries *series, bool (*is_bad)(const ib_LogSeries *, double),
                 ib_FitDrop reason, const ib_FitLog *fit, unsigned char *spoilt)
{
    int64_t k = -1;
    for (int i = 0; i < fit->count; i++) {
        while (k + 1 < series->count && ib_time_to_seconds(series->times[k + 1]) <= fit->time[i])
            k++;
        bool bad = k >= 0 && is_bad(series, series->values[k]);
        if (bad && spoilt[i] == IB_FIT_KEPT) spoilt[i] = (unsigned char)reason;
    }
}

// Marks samples if the counter `series` has changed since the sample before.
static void mark_changes(const ib_LogSeries *series, ib_FitDrop reason, const ib_FitLog *fit,
                         unsigned char *spoilt)
{
    int64_t k = -1;
    for (int i = 0; i < fit->count; i++) {
        bool changed = false;
        for (; k + 1 < series->count && ib_time_to_seconds(series->times[k + 1]) <= fit->time[i];
             k++)
            changed |= k >= 0 && series->values[k + 1] != series->values[k];
        if (changed && spoilt[i] == IB_FIT_KEPT) spoilt[i] = (unsigned char)reason;
    }
}

// Marks samples at which something else moves a robot on its wheels: its other side, walls,
// pushes, slopes.
static void mark_base(const ib_Log *log, const ib_LogSeries *slip, const ib_FitLog *fit,
                      unsigned char *spoilt)
{
    for (int i = 0; i < log->series_count; i++) {
        const ib_LogSeries *series = &log->series[i];
        const ib_SignalMeaning *means = &series->means;
        if (!ib_meaning_is_of(means, slip->means.robot)) continue;
        if (means->mode && means->mode->kind == IB_MODE_CONTACT)
            mark_changes(series, IB_FIT_PUSHED, fit, spoilt);
        switch (means->role) {
        case IB_ROLE_YAW_RATE:
            mark(series, is_turning, IB_FIT_TURN, fit, spoilt);
            break;
        case IB_ROLE_CONTACT_FORCE:
        case IB_ROLE_PUSH_X:
        case IB_ROLE_PUSH_Y:
        case IB_ROLE_PUSH_TORQUE:
        case IB_ROLE_SLOPE_X:
        case IB_ROLE_SLOPE_Y:
            mark(series, is_pushed, IB_FIT_PUSHED, fit, spoilt);
            break;
        default:
            break;
        }
    }
}

// True if this signal shows the motor's power: a mode of its robot, or of its own part.
static bool shows_power(const ib_LogSeries *series, const ib_LogSeries *voltage)
{
    const ib_SignalMeaning *means = &series->means;
    if (!means->mode) return false;
    return means->part ? ib_meaning_same_part(means, &voltage->means)
                       : ib_meaning_is_of(means, voltage->means.robot);
}

// Known from the file: its clock went back. From other signals: the motor had no power,
// the wheels slipped, something else moved the robot.
static bool mark_all(const ib_Log *log, const Choice *choice, const ib_FitWish *wish,
                     const Samples *motion, ib_Arena *arena, ib_FitLog *fit)
{
    unsigned char *spoilt = ib_arena_array(arena, (size_t)fit->count + 1, 1);
    if (!spoilt) return false;
    for (int i = 0; i < fit->count; i++) {
        if (motion->late[i]) spoilt[i] = IB_FIT_TIME;
        if (fit->time[i] < wish->from || fit->time[i] > wish->to) spoilt[i] = IB_FIT_OUTSIDE;
    }
    for (int i = 0; i < log->series_count; i++)
        if (shows_power(&log->series[i], choice->voltage))
            mark(&log->series[i], is_dead, IB_FIT_BROWNOUT, fit, spoilt);
    if (choice->slip) {
        mark(choice->slip, is_slipping, IB_FIT_SLIP, fit, spoilt);
        mark_base(log, choice->slip, fit, spoilt);
    }
    fit->spoilt = spoilt;
    return true;
}

ib_Status ib_fit_signals_take(const char *file, const ib_Log *log, const ib_FitWish *wish,
                              ib_Arena *arena, ib_FitSignals *signals, ib_FitLog *fit,
                              ib_Error *error)
{
    static const char *const volts[] = {"V", NULL}, *const speeds[] = {"rad/s", "m/s", NULL},
                             *const ways[] = {"rad", "m", NULL};
    Choice choice = {0};
    double volt_factor, factor;
    const char *found;
    ib_Status status = choose(file, log, wish, &choice, error);
    if (status != IB_OK) return status;
    const ib_LogSeries *motion = choice.position ? choice.position : choice.velocity;
    status = find_factor(choice.voltage, volts, &volt_factor, &found, error);
    if (status == IB_OK)
        status =
            find_factor(motion, motion == choice.position ? ways : speeds, &factor, &found, error);
    if (status != IB_OK) return status;
    if (is_long(log, motion) || is_long(log, choice.voltage))
        return ib_error_set(error, IB_BAD_INPUT, "'%s' has more than 10 000 000 samples", file);

    Samples moves, drives;
    if (!take(log, motion, factor, arena, &moves) ||
        !take(log, choice.voltage, volt_factor, arena, &drives))
        return no_memory(error);
    for (int i = 0; i < drives.count; i++)
        if (drives.late[i]) drives.value[i] = NAN; // its time is unknown
    *fit = (ib_FitLog){.volt_count = drives.count,
                       .volt_time = drives.time,
                       .volt = drives.value,
                       .count = moves.count,
                       .time = moves.time,
                       .velocity = choice.position ? NULL : moves.value,
                       .position = choice.position ? moves.value : NULL};
    if (!mark_all(log, &choice, wish, &moves, arena, fit)) return no_memory(error);
    const char *unit = !found ? "unit/s" : found[0] == 'r' ? "rad/s" : "m/s";
    *signals = (ib_FitSignals){choice.voltage->name, motion->name, unit, !found};
    return IB_OK;
}
