// scenario/expectation.c: the verdict on a sentence that must come true, and its explanation.
#include "scenario/expectation.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static double margin_of(const ib_Expectation *e, double y)
{
    switch (e->relation) {
    case IB_EQUAL:
        return e->tolerance - fabs(y - e->value);
    case IB_LESS:
    case IB_AT_MOST:
        return e->value - y;
    case IB_GREATER:
    case IB_AT_LEAST:
        break;
    }
    return y - e->value;
}

// True if the value meets the relation. `<` and `>` are false at the edge.
static bool holds(const ib_Expectation *e, double y)
{
    double margin = margin_of(e, y);
    return e->relation == IB_LESS || e->relation == IB_GREATER ? margin > 0 : margin >= 0;
}

// The end of a piece is a rounded sum of seconds: a piece that ends at the time of the sentence
// ends no later than this.
static double latest_end(const ib_Expectation *e)
{
    return ib_time_to_seconds(e->time) * (1 + 4 * DBL_EPSILON);
}

// True if the sentence applies at this instant.
static bool concerns(const ib_Expectation *e, double seconds)
{
    if (e->when == IB_WHEN_AFTER) return seconds >= ib_time_to_seconds(e->time);
    return e->when != IB_WHEN_BEFORE || seconds <= latest_end(e);
}

// The earliest of all deciding values: samples are not in order of time.
static void decide(ib_Expectation *e, bool passed, double seconds, double y)
{
    if (e->decided && !(seconds < e->seen_at)) return;
    e->decided = true;
    e->passed = passed;
    e->seen = y;
    e->seen_at = seconds;
}

// True if the value is worse for the sentence: with the smallest margin, or for `never` the
// largest. `before`, which waits for the best value, keeps the best.
static bool is_worse(const ib_Expectation *e, double margin)
{
    bool best = e->when == IB_WHEN_NEVER || e->when == IB_WHEN_BEFORE;
    if (best ? margin > e->worst_margin : margin < e->worst_margin) return true;
    return isnan(e->worst);
}

static void keep_worst(ib_Expectation *e, double seconds, double y)
{
    double margin = margin_of(e, y);
    bool earlier = margin == e->worst_margin && seconds < e->worst_at;
    if (!is_worse(e, margin) && !earlier) return;
    e->worst = y;
    e->worst_margin = margin;
    e->worst_at = seconds;
}

// A value seen at some instant: `before` is fulfilled by the first that holds, the others are
// broken by the first that does not.
static void see(ib_Expectation *e, double seconds, double y)
{
    if (!concerns(e, seconds)) return;
    keep_worst(e, seconds, y);
    bool held = holds(e, y);
    if (e->when == IB_WHEN_BEFORE && held) decide(e, true, seconds, y);
    if (e->when != IB_WHEN_BEFORE && held == (e->when == IB_WHEN_NEVER))
        decide(e, false, seconds, y);
}

static ib_Time sample_then(void *self, ib_Time time, const double *signals)
{
    ib_Expectation *e = self;
    see(e, ib_time_to_seconds(time), signals[e->signal]);
    return IB_TIME_NEVER;
}

static ib_Time sample_at(void *self, ib_Time time, const double *signals)
{
    ib_Expectation *e = self;
    double y = signals[e->signal];
    e->worst = y;
    e->worst_at = ib_time_to_seconds(time);
    decide(e, holds(e, y), e->worst_at, y);
    return IB_TIME_NEVER;
}

static double margin(const void *self, const double *signals)
{
    const ib_Expectation *e = self;
    return margin_of(e, signals[e->signal]);
}

// The first deciding value is worse than all before it, unless it is not a number; crossed() tells
// the instant where the margin changes its sign on the way there.
static void looked(void *self, double seconds, const double *signals)
{
    ib_Expectation *e = self;
    double y = signals[e->signal], margin = margin_of(e, y);
    if (is_worse(e, margin) || isnan(margin)) see(e, seconds, y);
}

static bool wants(const void *self, double seconds, double margin)
{
    const ib_Expectation *e = self;
    return concerns(e, seconds) && is_worse(e, margin);
}

// True if the sentence does not apply from `from` to `to`. An instant just before a switch is no
// part of `after` it.
static bool sleeps(const void *self, double from, double to)
{
    const ib_Expectation *e = self;
    if (e->when == IB_WHEN_AFTER) return to <= latest_end(e);
    return e->when == IB_WHEN_BEFORE && from > ib_time_to_seconds(e->time);
}

// The margin changes sign here: from now on the sentence holds (rising), or no longer does.
static void crossed(void *self, double seconds, const double *signals, bool rising)
{
    ib_Expectation *e = self;
    if (!concerns(e, seconds)) return;
    keep_worst(e, seconds, signals[e->signal]);
    bool fulfils = e->when == IB_WHEN_BEFORE && rising;
    bool breaks = e->when != IB_WHEN_BEFORE && rising == (e->when == IB_WHEN_NEVER);
    if (fulfils || breaks) decide(e, fulfils, seconds, signals[e->signal]);
}

// A window y = v +- d may be passed within one step; y - v changes sign then. That matters to
// `before` and `never`; for `always` and `after` the middle of the window decides nothing.
static double distance(const void *self, const double *signals)
{
    const ib_Expectation *e = self;
    return signals[e->signal] - e->value;
}

static void met(void *self, double seconds, const double *signals, bool rising)
{
    ib_Expectation *e = self;
    (void)rising;
    see(e, seconds, signals[e->signal]);
}

ib_Status ib_expectation_attach(ib_Expectation *e, ib_Sim *sim, ib_Error *error)
{
    e->decided = e->passed = false;
    e->seen = e->seen_at = e->worst = e->worst_at = e->worst_margin = NAN;
    if (e->when == IB_WHEN_AT)
        return ib_sim_probe(sim, (ib_Probe){.self = e, .next = e->time, .sample = sample_at},
                            error);
    if (e->when == IB_WHEN_END)
        return ib_sim_probe(
            sim, (ib_Probe){.self = e, .next = IB_TIME_NEVER, .sample = sample_at, .at_end = true},
            error);
    // The watch sees all instants, except the effect of inputs that switch there.
    bool timed = e->when == IB_WHEN_AFTER || e->when == IB_WHEN_BEFORE;
    ib_Probe then = {
        .self = e, .next = timed ? e->time : IB_TIME_NEVER, .sample = sample_then, .at_end = true};
    ib_Status status = ib_sim_probe(sim, then, error);
    // Exact zero: `<=` is true there, `<` is false.
    int zero = e->relation == IB_LESS || e->relation == IB_GREATER ? -1 : +1;
    ib_Watch watch = {
        e, margin, crossed, zero, looked, wants, timed ? sleeps : NULL, e->signal + 1};
    if (status == IB_OK) status = ib_sim_watch(sim, watch, error);
    bool passing = e->when == IB_WHEN_BEFORE || e->when == IB_WHEN_NEVER;
    if (status == IB_OK && e->relation == IB_EQUAL && passing)
        status = ib_sim_watch(
            sim, (ib_Watch){e, distance, met, 0, NULL, NULL, sleeps, e->signal + 1}, error);
    return status;
}

void ib_expectation_finish(ib_Expectation *e, bool complete)
{
    // Undecided at the end: `always`, `never` and `after` are met, but only if the run
    // was completed.
    bool lasting =
        e->when == IB_WHEN_ALWAYS || e->when == IB_WHEN_NEVER || e->when == IB_WHEN_AFTER;
    if (e->when == IB_WHEN_END && !complete) e->decided = e->passed = false;
    if (!complete || e->decided) return;
    decide(e, lasting && !isnan(e->worst), e->worst_at, e->worst);
}

double ib_expectation_margin(const ib_Expectation *e)
{
    if (!e->decided || isnan(e->worst)) return NAN;
    double margin = margin_of(e, e->worst);
    return e->when == IB_WHEN_NEVER ? -margin : margin;
}

bool ib_expectation_failed(const ib_Expectation *e, ib_Time time)
{
    if (e->decided) return !e->passed;
    return e->when == IB_WHEN_BEFORE && time > e->time;
}

// "too high", "too low", or how the value misses the window.
static const char *which_way(const ib_Expectation *e)
{
    bool never = e->when == IB_WHEN_NEVER;
    switch (e->relation) {
    case IB_EQUAL:
        return never ? "inside" : e->worst > e->value ? "too high" : "too low";
    case IB_LESS:
    case IB_AT_MOST:
        return never ? "too low" : "too high";
    default:
        return never ? "too high" : "too low";
    }
}

// ", 4.5 m too high; broken first at 1 s". A value at the limit of < or > misses it by nothing.
static void explain_miss(const ib_Expectation *e, const char *unit, double worst_at, double seen_at,
                         char *text, size_t size)
{
    double off = fabs(margin_of(e, e->worst));
    int used = off > 0 ? snprintf(text, size, ", %.3g%s %s", off, unit, which_way(e))
                       : snprintf(text, size, ", exactly the limit");
    if (used < 0 || (size_t)used >= size || worst_at == seen_at) return;
    snprintf(text + used, size - (size_t)used, "; broken first at %.10g s", seen_at);
}

void ib_expectation_explain(const ib_Expectation *e, const ib_SignalTable *signals, char *text,
                            size_t size)
{
    const ib_SignalDef *def = &signals->items[e->signal];
    if (!e->decided || isnan(e->worst_at)) {
        snprintf(text, size, "%s: not decided, the run ended before", def->name);
        return;
    }
    if (!e->passed && isnan(e->seen)) {
        snprintf(text, size, "%s was not a number at %.10g s", def->name, e->seen_at);
        return;
    }
    double off = fabs(margin_of(e, e->worst));
    // A pure number stands alone.
    bool pure = strcmp(def->unit, "1") == 0;
    char unit[64] = "";
    if (!pure) snprintf(unit, sizeof unit, " %s", def->unit);
    // Times are shown to the picosecond: an instant just past a step's start is that start.
    double seen_at = rint(e->seen_at * 1e12) / 1e12, worst_at = rint(e->worst_at * 1e12) / 1e12;
    bool before = e->when == IB_WHEN_BEFORE;
    int used = snprintf(text, size, "%s was %.10g%s at %.10g s", def->name,
                        before && e->passed ? e->seen : e->worst, unit,
                        before && e->passed ? seen_at : worst_at);
    if (used < 0 || (size_t)used >= size) return;
    text += used;
    size -= (size_t)used;
    if (before && e->passed)
        snprintf(text, size, ", %.3g s to spare", ib_time_to_seconds(e->time) - e->seen_at);
    else if (before && off > 0)
        snprintf(text, size, " at best, %.3g%s missing", off, unit);
    else if (before)
        snprintf(text, size, " at best, exactly the limit");
    else if (e->passed)
        snprintf(text, size, ", %.3g%s to spare", off, unit);
    else
        explain_miss(e, unit, worst_at, seen_at, text, size);
}
