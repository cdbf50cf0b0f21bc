#include "scenario/measure.h"

#include "base/extreme.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { POINTS = 1000 }; ///< of a mean, at least

static double value_of(const ib_Measure *m, const double *signals)
{
    double y = signals[m->signal];
    return m->absolute ? fabs(y) : y;
}

// The end of a piece is a rounded sum of seconds: a piece that ends at this time ends no later
// than that.
static double latest(ib_Time time)
{
    return time == IB_TIME_NEVER ? INFINITY : ib_time_to_seconds(time) * (1 + 4 * DBL_EPSILON);
}

static bool is_within(const ib_Measure *m, double seconds)
{
    return seconds >= ib_time_to_seconds(m->from) && seconds <= latest(m->to);
}

static bool sleeps(const void *self, double from, double to)
{
    const ib_Measure *m = self;
    bool met = m->kind == IB_MEASURE_FIRST && m->found <= from;
    return met || to <= latest(m->from) || from > latest(m->to);
}

// ---------------------------------------------------------------------------------------- extremes

static bool is_more(const ib_Measure *m, double y)
{
    return isnan(m->found) || (m->kind == IB_MEASURE_MIN ? y < m->found : y > m->found);
}

static void keep_extreme(ib_Measure *m, double seconds, double y)
{
    bool earlier = y == m->found && seconds < m->found_at;
    if (isnan(y) || !is_within(m, seconds) || !(is_more(m, y) || earlier)) return;
    m->found = y;
    m->found_at = seconds;
}

// The signal with its sign: |y| has a corner where y has none, and is least where y changes sign.
static double margin(const void *self, const double *signals)
{
    return signals[((const ib_Measure *)self)->signal];
}

static void passed(void *self, double seconds, const double *signals, bool rising)
{
    (void)rising;
    keep_extreme(self, seconds, value_of(self, signals));
}

static void looked(void *self, double seconds, const double *signals)
{
    keep_extreme(self, seconds, value_of(self, signals));
}

static bool wants(const void *self, double seconds, double y)
{
    const ib_Measure *m = self;
    return is_within(m, seconds) && is_more(m, m->absolute ? fabs(y) : y);
}

static ib_Time sample_extreme(void *self, ib_Time time, const double *signals)
{
    ib_Measure *m = self;
    keep_extreme(m, ib_time_to_seconds(time), value_of(m, signals));
    return time < m->to ? m->to : IB_TIME_NEVER;
}

// ---------------------------------------------------------------------------------- the first time

// Positive where the relation is met.
static double distance(const void *self, const double *signals)
{
    const ib_Measure *m = self;
    bool greater = m->relation == IB_GREATER || m->relation == IB_AT_LEAST;
    double y = value_of(m, signals);
    return greater ? y - m->value : m->value - y;
}

static void meet(ib_Measure *m, double seconds)
{
    if (is_within(m, seconds) && !(m->found <= seconds)) m->found = seconds;
}

static void crossed(void *self, double seconds, const double *signals, bool rising)
{
    (void)signals;
    if (rising) meet(self, seconds);
}

static ib_Time sample_first(void *self, ib_Time time, const double *signals)
{
    ib_Measure *m = self;
    double g = distance(m, signals);
    bool edge = m->relation == IB_AT_MOST || m->relation == IB_AT_LEAST;
    if (g > 0 || (edge && g == 0)) meet(m, ib_time_to_seconds(time));
    return IB_TIME_NEVER;
}

// ------------------------------------------------------------------------------------------- means

// Mean of a straight line from a to b; of its size, which has a corner where it passes zero; or of
// its square.
static double mean_of_line(const ib_Measure *m, double a, double b)
{
    if (m->kind == IB_MEASURE_RMS) return (a * a + a * b + b * b) / 3;
    if (m->absolute && a * b < 0) return 0.5 * (a * a + b * b) / fabs(a - b);
    return m->absolute ? 0.5 * fabs(a + b) : 0.5 * (a + b);
}

static ib_Time sample_mean(void *self, ib_Time time, const double *signals)
{
    ib_Measure *m = self;
    double seconds = ib_time_to_seconds(time), y = signals[m->signal];
    if (time < m->from) return m->from;
    if (time > m->to) return IB_TIME_NEVER;
    double step = isnan(m->last_at) ? 0 : seconds - m->last_at;
    m->sum += step * mean_of_line(m, m->last, y);
    m->length += step;
    m->last = y;
    m->last_at = seconds;
    ib_Time next = m->from + (1 + (time - m->from) / m->grid) * m->grid;
    return time < m->to && next > m->to ? m->to : next > m->to ? IB_TIME_NEVER : next;
}

static ib_Time sample_final(void *self, ib_Time time, const double *signals)
{
    ib_Measure *m = self;
    m->found = value_of(m, signals);
    m->found_at = ib_time_to_seconds(time);
    return IB_TIME_NEVER;
}

// --------------------------------------------------------------------------------------------- run

ib_Status ib_measure_attach(ib_Measure *m, ib_Time duration, ib_Sim *sim, ib_Error *error)
{
    ib_Time length = (m->to < duration ? m->to : duration) - m->from;
    m->found = m->found_at = m->last_at = NAN;
    m->last = m->sum = m->length = 0;
    m->grid = length > POINTS ? length / POINTS : 1;
    if (m->kind == IB_MEASURE_FINAL)
        return ib_sim_probe(
            sim,
            (ib_Probe){.self = m, .next = IB_TIME_NEVER, .at_end = true, .sample = sample_final},
            error);
    if (m->kind == IB_MEASURE_MEAN || m->kind == IB_MEASURE_RMS)
        return ib_sim_probe(sim,
                            (ib_Probe){.self = m,
                                       .next = m->from,
                                       .each_step = true,
                                       .each_jump = true,
                                       .each_end = true,
                                       .at_end = true,
                                       .sample = sample_mean},
                            error);
    bool first = m->kind == IB_MEASURE_FIRST;
    // The watch sees all instants, except the effect of inputs that switch there.
    ib_Probe begin = {.self = m,
                      .next = m->from,
                      .at_end = true,
                      .sample = first ? sample_first : sample_extreme};
    ib_Status status = ib_sim_probe(sim, begin, error);
    int zero = m->relation == IB_LESS || m->relation == IB_GREATER ? -1 : +1;
    ib_Watch watch = {.self = m,
                      .margin = first ? distance : margin,
                      .crossed = first ? crossed : passed,
                      .zero = first ? zero : 0,
                      .looked = first ? NULL : looked,
                      .wants = first ? NULL : wants,
                      .sleeps = sleeps,
                      .signal = m->signal + 1};
    return status == IB_OK ? ib_sim_watch(sim, watch, error) : status;
}

void ib_measure_finish(ib_Measure *m)
{
    if (m->kind != IB_MEASURE_MEAN && m->kind != IB_MEASURE_RMS) return;
    double mean = m->length > 0 ? m->sum / m->length : NAN;
    m->found = m->kind == IB_MEASURE_RMS ? sqrt(mean) : mean;
}

const char *ib_measure_unit(const ib_Measure *m, const ib_SignalTable *signals)
{
    return m->kind == IB_MEASURE_FIRST ? "s" : signals->items[m->signal].unit;
}
