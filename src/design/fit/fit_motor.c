// design/fit/fit_motor.c: fits a motor: a scan of the chosen samples finds a start, the
// Levenberg-Marquardt method the constants, with an interval for each value.
#include "design/fit/fit_motor.h"

#include "base/extreme.h"
#include "base/matrix.h"
#include "design/fit/fit_inside.h"

#include <stdio.h>
#include <string.h>

enum { N = IB__FIT_COUNT, MOST_STEPS = 60 };

typedef ib__FitSearch Search;

ib_FitMotorConfig ib_fit_motor_default(void)
{
    return (ib_FitMotorConfig){.delay_most = 0.2, .voltage_limit = INFINITY, .delay = true};
}

const char *ib_fit_missing_text(int flag)
{
    switch (flag) {
    case IB_FIT_NO_DYNAMIC:
        return "no dynamic test: kA is not determined; record steps of voltage, such as 7 V from "
               "rest, both ways";
    case IB_FIT_NO_SLOW:
        return "no slow test: kS and kV are not determined; record a slow ramp, such as 1 V/s, or "
               "steady runs at several voltages";
    case IB_FIT_ONE_DIRECTION:
        return "one direction only: kG cannot be told from kS; record the way back, too";
    case IB_FIT_NO_DELAY:
        return "no sudden changes: the delay cannot be told from kA and kS, and was taken as 0";
    case IB_FIT_STAMPS:
        return "steps of the voltage may have come at any time between two of its samples, which "
               "the intervals contain; if the program that sets the voltage also logs it, say "
               "--stamped; otherwise log it more often, or record more steps";
    case IB_FIT_UNSTAMPED:
        return "the motion begins before the steps of its voltage, which therefore came earlier "
               "than its samples say, in spite of --stamped; the intervals contain any time since "
               "the sample before; log the voltage where it is set, or more often";
    case IB_FIT_LATE:
        return "the motion comes later than its voltage, in spite of --no-delay, which spoils kA "
               "most; the intervals do not contain it: leave --no-delay out";
    case IB_FIT_EARLY:
        return "the motion comes before its voltage: the two have different clocks, or the voltage "
               "is logged late; the delay is not determined";
    case IB_FIT_MISFIT:
        return "the residual is several times the noise: the motor does something that the "
               "equation does not have (losses of a gearbox, a belt, a filter, another motor on "
               "the same load), which the intervals do not contain; look at it with --report";
    case IB_FIT_WEIGHT:
        return "the two directions differ as under a weight, which was not looked for: the "
               "constants are not to be trusted; look for kG, too (--gravity)";
    default:
        return "";
    }
}

// ------------------------------------------------------------------------------------------- start

// The time constant first, without delay; then delays, for the best time constant and its
// neighbours. With a delay of more than a few samples the best time constant without it is too
// long, hence the neighbours.
static bool scan(Search *search, bool gravity)
{
    enum { TIMES = 14, DELAYS = 8 };
    const ib__FitSamples *samples = search->samples;
    double best = INFINITY, time = 0.5 * samples->period, constant = time;
    double ratio = sqrt(sqrt(sqrt(sqrt(samples->span / time)))); // 16 steps to the whole span
    ib__FitPoint point;
    for (int i = 0; i < TIMES; i++, time *= ratio) {
        double rest = ib__fit_linear(samples, &search->scratch, time, 0.0, gravity, &point);
        if (rest < best) best = rest, constant = time, search->point = point;
    }
    for (int i = -3; i <= 1 && search->latest > 0.0; i++)
        for (int j = 1; j <= DELAYS; j++) {
            double delay = search->latest * j / DELAYS * j / DELAYS, shorter = constant;
            for (int k = i; k < 0; k++) shorter /= ratio;
            if (i > 0) shorter *= ratio;
            double rest =
                ib__fit_linear(samples, &search->scratch, shorter, delay, gravity, &point);
            if (rest < best) best = rest, search->point = point;
        }
    return isfinite(best);
}

// ---------------------------------------------------------------------------------------- downhill

// True if this motor can be simulated: a stretch neither explodes nor settles in no time.
static bool plausible(const Search *search, const ib__FitPoint *point)
{
    const double *k = point->k;
    if (!(k[IB__FIT_KA] > 0.0)) return false;
    double alpha = k[IB__FIT_KV] / k[IB__FIT_KA];
    return alpha * search->samples->span > -5.0 && alpha * search->samples->period < 50.0 &&
           k[IB__FIT_DELAY] >= search->earliest && k[IB__FIT_DELAY] <= search->latest;
}

void ib__fit_scale(const Search *search, const bool wanted[N], double scaled[N * N], double s[N])
{
    const double *H = search->normal.H;
    for (int i = 0; i < N; i++) s[i] = H[i * (N + 1)] > 0.0 ? sqrt(H[i * (N + 1)]) : 1.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            bool both = wanted[i] && wanted[j];
            scaled[i * N + j] = both ? H[i * N + j] / (s[i] * s[j]) : 0.0;
            if (i == j && (!both || scaled[i * N + j] <= 0.0)) scaled[i * N + j] = 1.0;
        }
}

// (H + damping diag H) step = g
static bool propose(const Search *search, double damping, ib__FitPoint *next)
{
    double a[N * N], s[N], step[N];
    int pivot[N];
    ib__fit_scale(search, search->free, a, s);
    for (int i = 0; i < N; i++) {
        a[i * (N + 1)] *= 1.0 + damping;
        step[i] = search->free[i] ? search->normal.g[i] / s[i] : 0.0;
    }
    if (ib_matrix_factor(N, a, pivot)) return false;
    ib_matrix_solve(N, a, pivot, step);
    for (int i = 0; i < N; i++) next->k[i] = search->point.k[i] + step[i] / s[i];
    return true;
}

// Descends to the local minimum of the sum of squares.
static void descend(Search *search)
{
    double damping = 1e-3;
    ib__fit_normal(search->samples, &search->scratch, &search->point, NULL, &search->normal);
    for (int i = 0; i < MOST_STEPS && damping < 1e10; i++) {
        ib__FitPoint next;
        ib__FitNormal normal;
        bool better = propose(search, damping, &next) && plausible(search, &next);
        if (better) {
            ib__fit_normal(search->samples, &search->scratch, &next, NULL, &normal);
            better = normal.rest <= search->normal.rest;
        }
        damping = better ? ib_max(damping * 0.1, 1e-12) : damping * 10.0;
        if (!better) continue;
        double gain = search->normal.rest - normal.rest;
        search->point = next;
        search->normal = normal;
        if (gain <= 1e-13 * normal.rest) break;
    }
}

// --------------------------------------------------------------------------------------- all of it

// Data shared by all parts of a fit.
typedef struct Task {
    ib__FitSamples *samples;
    int log_count;
    ib__FitRest rest;
    double quantum; ///< of the motion; 0: none
    bool stamped;   ///< the voltage jumped at the times of its samples
} Task;

// Searches from a start of its own to the minimum; false if no motor fits.
static bool explore(const Task *task, ib__FitJoin join, Search *search)
{
    ib__fit_join(task->samples, task->log_count, join);
    if (!scan(search, search->free[IB__FIT_KG])) return false;
    descend(search);
    return true;
}

// Chooses lines or steps between the samples of the voltage: lines, unless steps fit better than by
// chance (12: 3.5 standard deviations). Unless lines fit better by as much, the choice is
// uncertain: `doubt` gets the difference of the constants.
static bool choose_hold(const Task *task, Search *search, double doubt[N], ib_FitMotor *fit)
{
    Search other = *search;
    bool steps = explore(task, IB__FIT_HELD, &other);
    bool lines = explore(task, IB__FIT_JUMPS, search);
    double gain = lines ? 0.0 : INFINITY;
    memset(doubt, 0, N * sizeof *doubt);
    if (steps && lines) {
        double rest = search->normal.rest, variance = ib_min(rest, other.normal.rest);
        gain = (rest - other.normal.rest) / (variance / task->samples->count);
        for (int i = 0; i < N && fabs(gain) <= 12.0; i++)
            doubt[i] = other.point.k[i] - search->point.k[i];
    }
    fit->held = steps && gain > 12.0;
    if (fit->held) *search = other;
    ib__fit_join(task->samples, task->log_count, fit->held ? IB__FIT_HELD : IB__FIT_JUMPS);
    return steps || lines;
}

// The interval of each constant, low to high.
typedef struct Range {
    double low[N], high[N];
} Range;

// `doubt`: further errors of the constants, apart from noise and rounding.
static Range range_about(const Task *task, const Search *search, const ib__FitSpread *spread,
                         const double doubt[N])
{
    Range range;
    double half[N];
    ib__fit_intervals(search, &task->rest, spread, task->quantum, half);
    for (int i = 0; i < N; i++) {
        half[i] = sqrt(half[i] * half[i] + doubt[i] * doubt[i]);
        range.low[i] = search->point.k[i] - half[i];
        range.high[i] = search->point.k[i] + half[i];
    }
    return range;
}

static double half_of(const Range *range, int i)
{
    return isfinite(range->low[i]) ? 0.5 * (range->high[i] - range->low[i]) : INFINITY;
}

// True for a delay that is not known to a quarter of the time constant (and two samples), or that
// makes all constants vague.
static bool is_vague(const Search *search, const Range *range, double condition)
{
    double constant = search->point.k[IB__FIT_KA] / search->point.k[IB__FIT_KV];
    return half_of(range, IB__FIT_DELAY) >
               ib_max(0.25 * fabs(constant), 2.0 * search->samples->period) ||
           condition > 1e8;
}

// Continues the search without a delay.
static void drop_delay(Search *search)
{
    search->free[IB__FIT_DELAY] = false;
    search->point.k[IB__FIT_DELAY] = search->earliest = search->latest = 0.0;
    descend(search);
}

// Jumps of the voltage between two of its samples: see fit_stamps.c. Unless their times are surely
// those of the samples, the voltage is linear from one to the next, the mean of all times. The
// jumps may all have been earlier or later by as much as this differs from the samples' times, or
// each at a time of its own: the intervals contain both.
static void place_jumps(const Task *task, const double doubt[N], ib__FitSpread *spread,
                        Search *search, Range *range, ib_FitMotor *fit)
{
    double scatter[N];
    const ib__FitPoint stamped = search->point;
    bool known = ib__fit_stamps(search, &task->rest, spread, scatter);
    bool early = range->high[IB__FIT_DELAY] < 0.0 || fit->missing & IB_FIT_UNSTAMPED;
    if ((known || task->stamped) && !early) return;
    search->point.k[IB__FIT_DELAY] =
        ib_min(stamped.k[IB__FIT_DELAY] + 0.5 * task->samples->period, search->latest);
    ib__fit_join(task->samples, task->log_count, IB__FIT_LINES);
    descend(search);
    ib__fit_spread(search, &task->rest, spread, fit);
    *range = range_about(task, search, spread, doubt);
    for (int i = 0; i < N; i++) {
        double timing = ib_max(fabs(search->point.k[i] - stamped.k[i]), scatter[i]);
        range->low[i] -= timing;
        range->high[i] += timing;
    }
    fit->missing |= task->stamped ? IB_FIT_UNSTAMPED : IB_FIT_STAMPS;
}

// ---------------------------------------------------------------------------------------- verdicts

// Determined constants: kV within a fifth, kA within a half, kS and kG within a tenth of the
// largest voltage.
static void judge(const Search *search, const Range *range, ib_FitMotor *fit)
{
    const double *k = search->point.k;
    double volts = 0.1 * search->samples->most_volts;
    double limit[N] = {volts, 0.2 * fabs(k[IB__FIT_KV]), 0.5 * fabs(k[IB__FIT_KA]), volts,
                       INFINITY};
    ib_FitValue *values[N] = {&fit->kS, &fit->kV, &fit->kA, &fit->kG, &fit->delay};
    for (int i = 0; i < N; i++) {
        double half = half_of(range, i);
        double value = isfinite(half) ? 0.5 * (range->low[i] + range->high[i]) : k[i];
        *values[i] = (ib_FitValue){k[i], 0.0, search->free[i], false};
        if (search->free[i])
            *values[i] = (ib_FitValue){value, half, true, isfinite(half) && half <= limit[i]};
    }
    if (!fit->kA.determined) fit->missing |= IB_FIT_NO_DYNAMIC;
    if (!fit->kS.determined || !fit->kV.determined) fit->missing |= IB_FIT_NO_SLOW;
}

// A motion never precedes its voltage: the part of the delay's interval below 0 is cut off.
static void keep_order(ib_FitMotor *fit)
{
    ib_FitValue *delay = &fit->delay;
    if (!delay->fitted || !isfinite(delay->half)) return;
    if (delay->value + 1.5 * delay->half < 0.0) {
        fit->missing |= IB_FIT_EARLY;
        *delay = (ib_FitValue){.half = INFINITY, .fitted = true};
        return;
    }
    double low = ib_max(delay->value - delay->half, 0.0);
    double high = ib_max(delay->value + delay->half, 0.5 * delay->half);
    delay->value = 0.5 * (low + high);
    delay->half = 0.5 * (high - low);
}

// Refuses negative friction, and a voltage that falls with speed. A negative kS within noise
// becomes 0; one beyond it, 1.5 intervals (three deviations), has another reason.
static ib_Status refuse_impossible(ib_FitMotor *fit, ib_Error *error)
{
    static const char causes[] =
        "something besides this voltage moved the motor: a side of a robot that turns, is pushed "
        "or touches a wall, wheels that slip, a weight (--gravity); or this is not the motor's "
        "voltage or speed. Fit a part of the recording without it (--between), or record ramps and "
        "steps straight ahead, and look at the residual (--report)";
    ib_FitValue *kS = &fit->kS, *kV = &fit->kV;
    if (kV->value + 1.5 * kV->half <= 0.0)
        return ib_error_set(error, IB_FAILED,
                            "kV would be %.3g +- %.2g, but no motor needs less voltage for more "
                            "speed: %s",
                            kV->value, kV->half, causes);
    if (kS->value + 1.5 * kS->half < 0.0)
        return ib_error_set(error, IB_FAILED,
                            "kS would be %.3g +- %.2g V, but friction does not push: %s", kS->value,
                            kS->half, causes);
    kS->value = ib_max(kS->value, 0.0);
    return IB_OK;
}

// The explained variation, and the size of the residuals: more than four times the noise, and more
// than rounding (1e-4 of the motion), is a misfit.
static void measure(const Search *search, ib_FitMotor *fit)
{
    const ib__FitSamples *samples = search->samples;
    fit->rms = sqrt(search->normal.rest / samples->count);
    fit->r_squared = 1.0 - search->normal.rest / search->normal.whole;
    if (fit->rms > ib_max(4.0 * samples->noise, 1e-4 * samples->reach))
        fit->missing |= IB_FIT_MISFIT;
}

static bool both_directions(const ib__FitSamples *samples)
{
    for (int j = 1; j < samples->stretch_count; j++)
        if (samples->stretches[j].sign != samples->stretches[0].sign) return true;
    return false;
}

// Reports an overlooked weight: kG differs from 0 by twice its interval and is not negligible (1 %
// of the largest voltage). `start` is the search before its first step. Constants made vague by the
// weight alone are then not missing.
static void suspect_weight(const Task *task, const Search *start, ib_FitMotor *fit)
{
    Search heavy = *start;
    ib__FitSpread spread;
    double none[N] = {0}, least = 0.01 * task->samples->most_volts;
    ib_FitMotor with = {0};
    heavy.free[IB__FIT_KG] = true;
    if (!explore(task, fit->held ? IB__FIT_HELD : IB__FIT_JUMPS, &heavy)) return;
    ib__fit_spread(&heavy, &task->rest, &spread, &with);
    Range range = range_about(task, &heavy, &spread, none);
    judge(&heavy, &range, &with);
    if (!with.kG.determined || fabs(with.kG.value) < ib_max(2.0 * with.kG.half, least)) return;
    if (is_vague(&heavy, &range, with.condition)) with.missing |= IB_FIT_NO_DELAY;
    with.missing |= fit->missing & (IB_FIT_STAMPS | IB_FIT_EARLY | IB_FIT_UNSTAMPED | IB_FIT_LATE);
    fit->missing = (fit->missing & with.missing) | IB_FIT_WEIGHT;
}

static ib_Status explain_nothing(const ib_FitMotor *fit, ib_Error *error)
{
    char text[512] = "";
    for (int i = 1, used = 0; i < IB_FIT_DROPS && used < 400; i++)
        if (fit->dropped[i])
            used += snprintf(text + used, sizeof text - (size_t)used, "%s%d %s", used ? ", " : "",
                             fit->dropped[i], ib_fit_drop_text((ib_FitDrop)i));
    return ib_error_set(error, IB_FAILED, "%d of %d samples are left, too few for a fit: %s",
                        fit->used, fit->total, text[0] ? text : "there are no more");
}

static ib_Status check(const ib_FitMotorConfig *config, const ib_FitLog *logs, int log_count,
                       ib_Error *error)
{
    if (!(config->slowest >= 0.0) || !(config->delay_most >= 0.0) || config->delay_most > 1e3)
        return ib_error_set(error, IB_BAD_INPUT, "the slowest speed or the longest delay is wrong");
    if (!(config->voltage_limit > 0.0))
        return ib_error_set(error, IB_BAD_INPUT, "the voltage limit is not above 0");
    if (log_count < 1) return ib_error_set(error, IB_BAD_INPUT, "there is no log");
    for (int j = 0; j < log_count; j++) {
        if (!logs[j].velocity && !logs[j].position)
            return ib_error_set(error, IB_BAD_INPUT, "neither velocity nor position was given");
        if (!logs[j].position != !logs[0].position)
            return ib_error_set(error, IB_BAD_INPUT,
                                "one log has a position, another one has none");
        if (logs[j].count < 0 || logs[j].volt_count < 0)
            return ib_error_set(error, IB_BAD_INPUT, "a negative number of samples");
    }
    return IB_OK;
}

// Keeps the residuals at the point of the search, for plots.
static void keep_left(const Task *task, const Search *search, ib_FitLeft *left, ib_FitMotor *fit)
{
    const ib__FitSamples *samples = task->samples;
    ib__FitNormal normal;
    ib__fit_normal(samples, &search->scratch, &search->point, &task->rest, &normal);
    for (int j = 0; j < samples->stretch_count; j++) {
        const ib__FitStretch *stretch = &samples->stretches[j];
        for (int i = stretch->first; i < stretch->first + stretch->count; i++)
            left[i] = (ib_FitLeft){samples->time[i], samples->y[i], task->rest.residual[i],
                                   stretch->log, i == stretch->first};
    }
    fit->left = left;
}

static bool reserve(ib_Arena *arena, Task *task, Search *search)
{
    size_t size = (size_t)task->samples->count, longest = (size_t)task->samples->longest;
    search->scratch.columns = ib_arena_array(arena, longest * 16, sizeof(double));
    task->rest.residual = ib_arena_array(arena, size, sizeof(double));
    task->rest.rows = ib_arena_array(arena, size * N, sizeof(double));
    task->rest.work = ib_arena_array(arena, size * 2, sizeof(double));
    return search->scratch.columns && task->rest.residual && task->rest.rows && task->rest.work;
}

// Completes the search, and returns its intervals.
static Range settle(const Task *task, Search *search, const double doubt[N], ib_FitMotor *fit)
{
    ib__FitSpread spread;
    ib__fit_spread(search, &task->rest, &spread, fit);
    Range range = range_about(task, search, &spread, doubt);
    if (search->free[IB__FIT_DELAY] && is_vague(search, &range, fit->condition)) {
        drop_delay(search);
        fit->missing |= IB_FIT_NO_DELAY;
        ib__fit_spread(search, &task->rest, &spread, fit);
        range = range_about(task, search, &spread, doubt);
    }
    place_jumps(task, doubt, &spread, search, &range, fit);
    return range;
}

static void allow_delay(const ib_FitMotorConfig *config, Search *search)
{
    search->free[IB__FIT_DELAY] = true;
    search->latest = ib_min(config->delay_most, 0.5 * search->samples->span);
    search->earliest = -search->latest; // to detect a motion before its voltage
}

// Checks the assumption of no delay. A delay is fitted all the same; one that differs from 0 by 1.5
// intervals (three deviations) is reported. Only this detects voltage steps before their samples.
static void suspect_delay(const ib_FitMotorConfig *config, const Task *task, const Search *start,
                          ib_FitMotor *fit)
{
    Search late = *start;
    ib_FitMotor with = {0};
    double doubt[N];
    allow_delay(config, &late);
    if (!choose_hold(task, &late, doubt, &with)) return;
    Range range = settle(task, &late, doubt, &with);
    judge(&late, &range, &with);
    if (with.delay.fitted && with.delay.value > 1.5 * with.delay.half) fit->missing |= IB_FIT_LATE;
    keep_order(&with);
    fit->missing |= with.missing & (IB_FIT_UNSTAMPED | IB_FIT_EARLY);
}

// Computes all values from the chosen samples.
static ib_Status solve(const ib_FitMotorConfig *config, ib__FitSamples *samples, int log_count,
                       ib_Arena *arena, ib_FitMotor *fit, ib_Error *error)
{
    bool both = both_directions(samples), gravity = config->gravity && both;
    Task task = {.samples = samples, .log_count = log_count, .stamped = config->stamped};
    Search search = {.samples = samples, .free = {true, true, true, gravity, false}};
    ib_FitLeft *left = ib_arena_array(arena, (size_t)samples->count, sizeof *left);
    double doubt[N];
    if (!left || !reserve(arena, &task, &search))
        return ib_error_set(error, IB_FAILED, "out of memory for the fit");
    if (config->gravity && !gravity) fit->missing |= IB_FIT_ONE_DIRECTION;
    fit->quantum = task.quantum = ib__fit_quantum(samples, task.rest.work);

    if (config->delay)
        allow_delay(config, &search);
    else
        suspect_delay(config, &task, &search, fit);
    const Search start = search;
    if (!choose_hold(&task, &search, doubt, fit))
        return ib_error_set(error, IB_FAILED,
                            "more voltage does not give more speed in these samples; is a sign "
                            "or a signal wrong%s?",
                            config->gravity ? "" : ", or is there a weight (--gravity)");
    Range range = settle(&task, &search, doubt, fit);
    keep_left(&task, &search, left, fit);
    measure(&search, fit);
    judge(&search, &range, fit);
    keep_order(fit);
    ib__fit_one_step(samples, search.point.k[IB__FIT_DELAY], fit);
    if (!config->gravity && both) suspect_weight(&task, &start, fit);
    return refuse_impossible(fit, error);
}

ib_Status ib_fit_motor(const ib_FitMotorConfig *config, const ib_FitLog *logs, int log_count,
                       ib_Arena *arena, ib_FitMotor *fit, ib_Error *error)
{
    ib__FitSamples samples = {0};
    memset(fit, 0, sizeof *fit);
    ib_Status status = check(config, logs, log_count, error);
    if (status == IB_OK)
        status = ib__fit_choose(config, logs, log_count, arena, &samples, fit, error);
    if (status != IB_OK) return status;
    if (samples.count < 20) return explain_nothing(fit, error);
    return solve(config, &samples, log_count, arena, fit, error);
}
