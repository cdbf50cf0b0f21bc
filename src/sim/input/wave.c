#include "sim/input/wave.h"

#include "base/extreme.h"
#include "base/maths.h"

#include <math.h>

#define PI 3.14159265358979323846

enum { CHORDS = 400, CORNERS = 4 };

static bool is_round(const ib_Wave *wave)
{
    return wave->shape == IB_WAVE_SINE || wave->shape == IB_WAVE_CHIRP;
}

ib_Status ib_wave_check(const ib_Wave *wave, ib_Error *error)
{
    bool chirp = wave->shape == IB_WAVE_CHIRP;
    double most = chirp ? ib_max(1, wave->growth) * wave->frequency : wave->frequency;
    if (!(wave->frequency > 0 && most <= IB_WAVE_MOST))
        return ib_error_set(error, IB_BAD_INPUT,
                            "frequency: expected more than 0 Hz and at most %g Hz all the time, "
                            "got %g Hz",
                            IB_WAVE_MOST, most > IB_WAVE_MOST ? most : wave->frequency);
    if (wave->end <= wave->start)
        return ib_error_set(error, IB_BAD_INPUT, "end: expected a time later than its start, %g s",
                            ib_time_to_seconds(wave->start));
    if (chirp && wave->end == IB_TIME_NEVER)
        return ib_error_set(error, IB_BAD_INPUT,
                            "end: a chirp has one: expected the time at which it arrives");
    if (wave->shape == IB_WAVE_TRAPEZOID && !(wave->ramp * wave->frequency <= 0.5))
        return ib_error_set(error, IB_BAD_INPUT,
                            "ramp: expected at most half a period, %g s, got %g s",
                            0.5 / wave->frequency, wave->ramp);
    return IB_OK;
}

// ------------------------------------------------------------------------------------------- sines

ib_Time ib_wave_chord(const ib_Wave *wave)
{
    double most =
        wave->shape == IB_WAVE_CHIRP ? wave->frequency * ib_max(1, wave->growth) : wave->frequency;
    double longest = (double)IB_SECOND / (CHORDS * most);
    ib_Time chord = 1;
    while (chord < IB_SECOND && (double)(10 * chord) <= longest) chord *= 10;
    if ((double)(5 * chord) <= longest) return 5 * chord;
    return (double)(2 * chord) <= longest ? 2 * chord : chord;
}

// Only the fraction of a cycle counts, which keeps its digits in a run of any length.
static double at_sine(const ib_Wave *wave, ib_Time since)
{
    double t = ib_time_to_seconds(since), cycles = wave->frequency * t;
    if (wave->shape == IB_WAVE_CHIRP && wave->growth != 1) {
        double whole = ib_time_to_seconds(wave->end - wave->start), k = ib_log(wave->growth);
        cycles = wave->frequency * whole * (ib_exp(k * t / whole) - 1) / k;
    }
    cycles += wave->phase;
    return wave->mean + wave->amplitude * ib_sin(2 * PI * (cycles - floor(cycles)));
}

// ----------------------------------------------------------------------------------------- corners

// The corner `number`, four of them a cycle: where in time since the start, and how high.
typedef struct Corner {
    double t, value; ///< [s]; 1 or -1
} Corner;

static Corner corner(const ib_Wave *wave, double number)
{
    double f = wave->frequency, turn = floor(number / CORNERS);
    int which = (int)(number - CORNERS * turn); // 0: up to 1, 1: leaves it, 2: down to -1, 3
    double r = wave->shape == IB_WAVE_TRIANGLE    ? 0.5
               : wave->shape == IB_WAVE_TRAPEZOID ? f * wave->ramp
                                                  : 0;
    double at[CORNERS] = {0.5 * r, 0.5 - 0.5 * r, 0.5 + 0.5 * r, 1 - 0.5 * r};
    return (Corner){(turn + at[which] - wave->phase) / f, which < 2 ? 1 : -1};
}

// Time rounded to the nanosecond.
static double corner_time(const ib_Wave *wave, double number)
{
    return floor(corner(wave, number).t * (double)IB_SECOND + 0.5);
}

// The last corner at or before this time since the start.
static double corner_before(const ib_Wave *wave, ib_Time since)
{
    double cycles = wave->phase + wave->frequency * ib_time_to_seconds(since);
    double number = CORNERS * floor(cycles) + CORNERS;
    while (corner_time(wave, number) > (double)since) number--;
    return number;
}

static ib_Time read_corners(const ib_Wave *wave, ib_Time since, double *value, double *slope)
{
    double number = corner_before(wave, since);
    Corner a = corner(wave, number), b = corner(wave, number + 1);
    double from = corner_time(wave, number), to = corner_time(wave, number + 1);
    double rate = a.value == b.value ? 0 : (b.value - a.value) / ((to - from) * 1e-9);
    *slope = wave->amplitude * rate;
    *value = wave->mean + wave->amplitude * (a.value + rate * (((double)since - from) * 1e-9));
    return to < (double)(IB_TIME_NEVER - wave->start) ? wave->start + (ib_Time)to : IB_TIME_NEVER;
}

// ------------------------------------------------------------------------------------------- waves

static ib_Time read_sine(const ib_Wave *wave, ib_Time since, double *value, double *slope)
{
    ib_Time chord = ib_wave_chord(wave), from = since - since % chord;
    ib_Time to = ib_time_min(from + chord, wave->end - wave->start);
    double before = at_sine(wave, from), after = at_sine(wave, to);
    *slope = (after - before) / ib_time_to_seconds(to - from);
    *value = before + *slope * ib_time_to_seconds(since - from);
    return wave->start + to;
}

ib_Time ib_wave_read(const ib_Wave *wave, ib_Time time, double *value, double *slope)
{
    bool early = time < wave->start, late = time >= wave->end;
    // The value at the end is the limit from before: a square does not jump there once more.
    ib_Time at = early ? wave->start : late ? wave->end - 1 : time;
    ib_Time until =
        (is_round(wave) ? read_sine : read_corners)(wave, at - wave->start, value, slope);
    if (late) *value += *slope * 1e-9;
    if (!early && !late) return ib_time_min(until, wave->end);
    *slope = 0;
    return early ? wave->start : IB_TIME_NEVER;
}

bool ib_wave_bends(const ib_Wave *wave, ib_Time time)
{
    if (time == wave->start || time == wave->end) return true;
    if (time < wave->start || time > wave->end || is_round(wave)) return false;
    ib_Time since = time - wave->start;
    return corner_time(wave, corner_before(wave, since)) == (double)since;
}
