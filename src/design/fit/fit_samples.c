// design/fit/fit_samples.c: selects the usable samples of a log, and the voltage between
// its samples.
#include "base/extreme.h"
#include "design/fit/fit_inside.h"

#include <math.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    AROUND = 3,   ///< neighbours to each side for the test of a spike
    SHORTEST = 8, ///< samples of a stretch
};

// The speed that decides between moving and standing is smoothed over `window` neighbours to each
// side, and samples within `clearance` of standing are left out. For a mean the clearance is twice
// the window: then no sample is selected by its own noise, which would bias kS.
typedef struct Filter {
    int window, clearance;
} Filter;

static const Filter of_velocity = {2, 5}, of_position = {4, 4};

// One log during selection; arrays of all its samples.
typedef struct Look {
    const ib_FitLog *log;
    unsigned char *reason;
    double *speed; ///< smoothed; valid where kept
    int *kept;     ///< indices of the samples good so far
    int kept_count;
    Filter filter;
    double gap; ///< a longer distance is a hole [s]
    ib__FitVolts *volts;
} Look;

static const char *const texts[IB_FIT_DROPS] = {
    [IB_FIT_KEPT] = "kept",
    [IB_FIT_NOT_FINITE] = "not a number",
    [IB_FIT_TIME] = "time does not increase",
    [IB_FIT_OUTSIDE] = "outside of the time asked for",
    [IB_FIT_NO_VOLTAGE] = "voltage not known",
    [IB_FIT_SATURATED] = "voltage at its limit",
    [IB_FIT_BROWNOUT] = "supply or breaker was off",
    [IB_FIT_SLIP] = "wheels slipped",
    [IB_FIT_TURN] = "robot turned",
    [IB_FIT_PUSHED] = "robot was pushed, stood on a slope or touched something",
    [IB_FIT_SPIKE] = "spike, far from its neighbours",
    [IB_FIT_STANDING] = "standing still",
    [IB_FIT_REVERSAL] = "next to standing or to a reversal",
    [IB_FIT_SHORT] = "in a stretch that is too short",
};

const char *ib_fit_drop_text(ib_FitDrop reason)
{
    return texts[reason];
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void ib__fit_sort(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
}

// The median of `count` values, which it sorts; 0 for none.
static double median(double *values, int count)
{
    if (count == 0) return 0.0;
    ib__fit_sort(values, count);
    return values[count / 2];
}

// ---------------------------------------------------------------------------------- single samples

static const double *motion_of(const ib_FitLog *log)
{
    return log->position ? log->position : log->velocity;
}

// Checks for finite values and increasing times.
static void check_values(Look *look)
{
    const ib_FitLog *log = look->log;
    double last = -INFINITY;
    for (int i = 0; i < log->count; i++) {
        bool finite = isfinite(log->time[i]) && isfinite(motion_of(log)[i]);
        if (log->spoilt && log->spoilt[i]) {
            look->reason[i] = log->spoilt[i];
        } else if (!finite) {
            look->reason[i] = IB_FIT_NOT_FINITE;
        } else if (!(log->time[i] > last)) {
            look->reason[i] = IB_FIT_TIME;
        } else {
            last = log->time[i];
        }
    }
}

static void list_kept(Look *look)
{
    look->kept_count = 0;
    for (int i = 0; i < look->log->count; i++)
        if (look->reason[i] == IB_FIT_KEPT) look->kept[look->kept_count++] = i;
}

// Noise of single values: the median of second differences, whose deviation is sqrt(6) times that
// of a value (0.6745: median of |normal|); at least that of rounding to the smallest step seen.
static double noise_of(const double *values, const int *kept, int count, double *work)
{
    double smallest = INFINITY;
    for (int i = 0; i + 2 < count; i++) {
        double a = values[kept[i]], b = values[kept[i + 1]], c = values[kept[i + 2]];
        work[i] = fabs(a - 2.0 * b + c);
        if (b != a && fabs(b - a) < smallest) smallest = fabs(b - a);
    }
    double noise = median(work, count > 2 ? count - 2 : 0) / (0.6745 * sqrt(6.0));
    double rounding = isfinite(smallest) ? smallest / sqrt(12.0) : 0.0;
    return noise > rounding ? noise : rounding;
}

// True if `k` is far outside the range of its neighbours, without the lowest and the highest
// of them.
static bool is_spike(const double *values, const int *kept, int count, int k, double noise)
{
    double near[2 * AROUND];
    int size = 0;
    for (int i = k - AROUND; i <= k + AROUND; i++)
        if (i >= 0 && i < count && i != k) near[size++] = values[kept[i]];
    if (size < 5) return false;
    ib__fit_sort(near, size);
    double low = near[1], high = near[size - 2], room = 3.0 * (high - low) + 10.0 * noise;
    double value = values[kept[k]];
    return value < low - room || value > high + room;
}

static void drop_spikes(Look *look, const double *values, double *work)
{
    int spikes = 0, *kept = look->kept, count = look->kept_count;
    double noise = noise_of(values, kept, count, work);
    for (int k = 0; k < count; k++)
        if (is_spike(values, kept, count, k, noise)) look->reason[kept[k]] = IB_FIT_SPIKE, spikes++;
    if (spikes) list_kept(look);
}

// ----------------------------------------------------------------------------------------- voltage

// Drops samples with a missing voltage, one at its limit, or one between two good ones around a
// bad one.
static void check_voltage(Look *look, double limit)
{
    const ib_FitLog *log = look->log;
    const ib__FitVolts *volts = look->volts;
    int piece = -1, bad = 0;
    for (int i = 0; i < log->count; i++) {
        if (look->reason[i] != IB_FIT_KEPT) continue;
        double time = log->time[i];
        while (piece + 1 < volts->count && volts->time[piece + 1] <= time) piece++;
        while (bad < log->volt_count && !(log->volt_time[bad] >= time)) bad++;
        bool spoilt = bad < log->volt_count && log->volt_time[bad] == time &&
                      (piece < 0 || volts->time[piece] != time);
        if (piece < 0 || spoilt)
            look->reason[i] = IB_FIT_NO_VOLTAGE;
        else if (fabs(volts->value[piece]) >= limit)
            look->reason[i] = IB_FIT_SATURATED;
    }
}

// Takes the good samples of the voltage, in the order of time; spikes are left out of a voltage
// that is sampled with the motion (one logged at changes has no recognisable spikes).
static bool take_voltage(const ib_FitLog *log, ib_Arena *arena, ib__FitVolts *volts)
{
    size_t size = (size_t)log->volt_count + 1;
    double **all[] = {&volts->time, &volts->value, &volts->begin, &volts->end};
    for (int i = 0; i < 4; i++)
        if (!(*all[i] = ib_arena_array(arena, size, sizeof(double)))) return false;
    int *kept = ib_arena_array(arena, size, sizeof *kept);
    if (!kept) return false;
    int count = 0;
    for (int i = 0; i < log->volt_count; i++) {
        if (!isfinite(log->volt_time[i]) || !isfinite(log->volt[i])) continue;
        if (count && !(log->volt_time[i] > log->volt_time[kept[count - 1]])) continue;
        kept[count++] = i;
    }
    bool together = log->volt_count == log->count;
    double noise = together ? noise_of(log->volt, kept, count, volts->begin) + 0.3 : 0.0;
    for (int k = 0; k < count; k++) {
        if (together && is_spike(log->volt, kept, count, k, noise)) continue;
        volts->time[volts->count] = log->volt_time[kept[k]];
        volts->value[volts->count++] = log->volt[kept[k]];
    }
    return true;
}

// A piece is a jump if it changes by far more than both its neighbours; those of a ramp are alike.
void ib__fit_join(ib__FitSamples *samples, int log_count, ib__FitJoin join)
{
    for (int j = 0; j < log_count; j++) {
        ib__FitVolts *v = &samples->volts[j];
        for (int k = 0; k + 1 < v->count; k++) {
            double change = fabs(v->value[k + 1] - v->value[k]);
            double before = k > 0 ? fabs(v->value[k] - v->value[k - 1]) : 0.0;
            double after = k + 2 < v->count ? fabs(v->value[k + 2] - v->value[k + 1]) : 0.0;
            bool jump = change > 4.0 * (before > after ? before : after) + 1e-3;
            v->begin[k] = v->value[k];
            bool hold = join == IB__FIT_HELD || (join == IB__FIT_JUMPS && jump);
            v->end[k] = hold ? v->value[k] : v->value[k + 1];
        }
    }
}

// ---------------------------------------------------------------------------------------- standing

// Mean of the velocity, or slope of the position, over a window of neighbours without a hole:
//   slope = sum (t - t_mean) x / sum (t - t_mean)^2
static double smooth_speed(const Look *look, int k)
{
    const double *time = look->log->time, *values = motion_of(look->log);
    int low = k, high = k;
    while (low > 0 && k - low < look->filter.window &&
           time[look->kept[low]] - time[look->kept[low - 1]] <= look->gap)
        low--;
    while (high + 1 < look->kept_count && high - k < look->filter.window &&
           time[look->kept[high + 1]] - time[look->kept[high]] <= look->gap)
        high++;
    int n = high - low + 1;
    double mean_t = 0.0, mean_x = 0.0, top = 0.0, bottom = 0.0;
    for (int i = low; i <= high; i++) {
        mean_t += time[look->kept[i]] / n;
        mean_x += values[look->kept[i]] / n;
    }
    if (!look->log->position) return mean_x;
    for (int i = low; i <= high; i++) {
        double t = time[look->kept[i]] - mean_t;
        top += t * (values[look->kept[i]] - mean_x);
        bottom += t * t;
    }
    return bottom > 0.0 ? top / bottom : 0.0;
}

// Noise of that speed: sigma/sqrt(n) of a mean, sigma sqrt(12/(n (n^2 - 1)))/T of a slope.
static double smooth_noise(const Look *look, double period, double sigma)
{
    double n = 2.0 * look->filter.window + 1.0;
    return look->log->position ? sigma * sqrt(12.0 / (n * (n * n - 1.0))) / period
                               : sigma / sqrt(n);
}

static int direction(const Look *look, int k, double slowest)
{
    double speed = look->speed[look->kept[k]];
    return speed > slowest ? 1 : speed < -slowest ? -1 : 0;
}

static void drop_standing(Look *look, double slowest)
{
    int clearance = look->filter.clearance;
    for (int k = 0; k < look->kept_count; k++) {
        int way = direction(look, k, slowest), i = look->kept[k];
        if (way == 0) look->reason[i] = IB_FIT_STANDING;
        for (int j = k - clearance; way && j <= k + clearance; j++)
            if (j >= 0 && j < look->kept_count && direction(look, j, slowest) != way)
                look->reason[i] = IB_FIT_REVERSAL;
    }
}

// --------------------------------------------------------------------------------------- stretches

// True if something else moved the motor at this sample. A spike, a NaN or a wrong time only hides
// the motion.
static bool was_elsewhere(ib_FitDrop reason)
{
    return reason == IB_FIT_OUTSIDE || reason == IB_FIT_SATURATED || reason == IB_FIT_BROWNOUT ||
           reason == IB_FIT_SLIP || reason == IB_FIT_TURN || reason == IB_FIT_PUSHED;
}

// The end of the stretch from `first` on: a hole, another direction or a dropped sample. A dropped
// spike does not matter: the motion between two samples is computed, not read. It cannot be
// computed if something else moved the motor in between.
static int stretch_end(const Look *look, int first)
{
    int k = first + 1;
    const double *time = look->log->time, *speed = look->speed;
    for (; k < look->kept_count; k++) {
        int i = look->kept[k], before = look->kept[k - 1];
        if (look->reason[i] != IB_FIT_KEPT || time[i] - time[before] > look->gap ||
            (speed[i] > 0) != (speed[before] > 0))
            break;
        bool broken = false;
        for (int j = before + 1; j < i && !broken; j++)
            broken = was_elsewhere((ib_FitDrop)look->reason[j]);
        if (broken) break;
    }
    return k;
}

static void add_stretches(Look *look, int log, ib__FitSamples *samples)
{
    const double *values = motion_of(look->log), *time = look->log->time;
    for (int k = 0, end; k < look->kept_count; k = end) {
        end = k + 1;
        if (look->reason[look->kept[k]] != IB_FIT_KEPT) continue;
        end = stretch_end(look, k);
        if (end - k < SHORTEST) {
            for (int i = k; i < end; i++) look->reason[look->kept[i]] = IB_FIT_SHORT;
            continue;
        }
        double sign = look->speed[look->kept[k]] > 0 ? 1.0 : -1.0;
        double span = time[look->kept[end - 1]] - time[look->kept[k]];
        samples->stretches[samples->stretch_count++] =
            (ib__FitStretch){samples->count, end - k, log, sign};
        if (end - k > samples->longest) samples->longest = end - k;
        if (span > samples->span) samples->span = span;
        for (int i = k; i < end; i++) {
            samples->time[samples->count] = time[look->kept[i]];
            samples->y[samples->count++] = values[look->kept[i]];
        }
    }
}

// ------------------------------------------------------------------------------------- all of them

static ib_Status no_memory(ib_Error *error)
{
    return ib_error_set(error, IB_FAILED, "out of memory for the samples");
}

// Drops samples that are faulty by themselves.
static ib_Status look_at(const ib_FitMotorConfig *config, const ib_FitLog *log, ib_Arena *arena,
                         double *work, Look *look, ib_Error *error)
{
    size_t size = (size_t)log->count + 1;
    look->log = log;
    look->filter = log->position ? of_position : of_velocity;
    look->reason = ib_arena_array(arena, size, 1);
    look->speed = ib_arena_array(arena, size, sizeof *look->speed);
    look->kept = ib_arena_array(arena, size, sizeof *look->kept);
    if (!look->reason || !look->speed || !look->kept || !take_voltage(log, arena, look->volts))
        return no_memory(error);
    check_values(look);
    check_voltage(look, config->voltage_limit);
    list_kept(look);
    drop_spikes(look, motion_of(log), work);
    return IB_OK;
}

// Median time between samples of all logs.
static double find_period(const Look *looks, int log_count, double *work)
{
    int count = 0;
    for (int j = 0; j < log_count; j++)
        for (int k = 1; k < looks[j].kept_count; k++)
            work[count++] =
                looks[j].log->time[looks[j].kept[k]] - looks[j].log->time[looks[j].kept[k - 1]];
    return median(work, count);
}

// The speeds, and from them the limit of standing: 2 % of the fastest or four times the noise, but
// never more than a quarter of the fastest.
static double find_speeds(const ib_FitMotorConfig *config, Look *looks, int log_count,
                          ib__FitSamples *samples, double *work)
{
    double fastest = 0.0, noise = 0.0, period = samples->period;
    for (int j = 0; j < log_count; j++) {
        Look *look = &looks[j];
        look->gap = 5.0 * period;
        for (int k = 0; k < look->kept_count; k++) {
            double speed = look->speed[look->kept[k]] = smooth_speed(look, k);
            if (fabs(speed) > fastest) fastest = fabs(speed);
        }
        double sigma = noise_of(motion_of(look->log), look->kept, look->kept_count, work);
        samples->noise = ib_max(samples->noise, sigma);
        if (period > 0.0) noise = ib_max(noise, smooth_noise(look, period, sigma));
    }
    if (config->slowest > 0.0) return config->slowest;
    return ib_min(ib_max(0.02 * fastest, 4.0 * noise), 0.25 * fastest);
}

// The largest voltage of the logs with stretches.
static double largest_voltage(const ib__FitSamples *samples)
{
    double most = 0.0;
    for (int j = 0; j < samples->stretch_count; j++) {
        const ib__FitVolts *volts = &samples->volts[samples->stretches[j].log];
        for (int i = 0; i < volts->count; i++) most = ib_max(most, fabs(volts->value[i]));
    }
    return most;
}

static ib_Status reserve(int total, int log_count, ib_Arena *arena, ib__FitSamples *samples,
                         double **work, Look **looks, ib_Error *error)
{
    size_t size = (size_t)total + 1;
    samples->time = ib_arena_array(arena, size, sizeof(double));
    samples->y = ib_arena_array(arena, size, sizeof(double));
    samples->stretches = ib_arena_array(arena, size / SHORTEST + 1, sizeof(ib__FitStretch));
    samples->volts = ib_arena_array(arena, (size_t)log_count, sizeof(ib__FitVolts));
    *work = ib_arena_array(arena, size, sizeof(double));
    *looks = ib_arena_array(arena, (size_t)log_count, sizeof(Look));
    bool whole = samples->time && samples->y && samples->stretches && samples->volts && *work;
    return whole && *looks ? IB_OK : no_memory(error);
}

ib_Status ib__fit_choose(const ib_FitMotorConfig *config, const ib_FitLog *logs, int log_count,
                         ib_Arena *arena, ib__FitSamples *samples, ib_FitMotor *fit,
                         ib_Error *error)
{
    double *work = NULL;
    Look *looks = NULL;
    for (int j = 0; j < log_count; j++) fit->total += logs[j].count;
    ib_Status status = reserve(fit->total, log_count, arena, samples, &work, &looks, error);
    for (int j = 0; j < log_count && status == IB_OK; j++) {
        looks[j].volts = &samples->volts[j];
        status = look_at(config, &logs[j], arena, work, &looks[j], error);
    }
    if (status != IB_OK) return status;

    samples->of_position = logs[0].position != NULL;
    samples->period = find_period(looks, log_count, work);
    fit->slowest = find_speeds(config, looks, log_count, samples, work);
    for (int j = 0; j < log_count; j++) {
        drop_standing(&looks[j], fit->slowest);
        add_stretches(&looks[j], j, samples);
        for (int i = 0; i < logs[j].count; i++) fit->dropped[looks[j].reason[i]]++;
    }
    samples->most_volts = largest_voltage(samples);
    for (int i = 0; i < samples->count; i++)
        samples->reach = ib_max(samples->reach, fabs(samples->y[i]));
    fit->dropped[IB_FIT_KEPT] = 0;
    fit->used = samples->count;
    fit->stretches = samples->stretch_count;
    fit->period = samples->period;
    fit->of_position = samples->of_position;
    return IB_OK;
}
