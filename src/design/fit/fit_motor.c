// design/fit/fit_motor.c: fits a motor: a scan of the chosen samples finds a start, a walk downhill
// the constants. The walk is that of Levenberg and Marquardt; at the end stands how sure
// each value is.
#include "design/fit/fit_motor.h"

#include "base/matrix.h"
#include "design/fit/fit_inside.h"
#include "linear/singular.h"

#include <stdio.h>
#include <string.h>

enum { N = IB__FIT_COUNT, MOST_STEPS = 60, MOST_LAG = 2000 };

// A fit on its way.
typedef struct Search {
    const ib__FitSamples *samples;
    ib__FitScratch scratch;
    bool free[N];            ///< is this constant looked for?
    double earliest, latest; ///< the delay's range [s]
    ib__FitPoint point;
    ib__FitNormal normal;
} Search;

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
    case IB_FIT_WEIGHT:
        return "the two directions differ as under a weight, which was not looked for: the "
               "constants are not to be trusted; look for kG, too (--gravity)";
    default:
        return "";
    }
}

// ------------------------------------------------------------------------------------------- start

// The time constant first, without delay; then delays, for the best time constant and its
// neighbours. Where the delay is longer than a few samples the best time constant without it is
// too long, hence the neighbours.
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

// Is this a motor that can be simulated? A stretch must not explode, nor settle within no time.
static bool plausible(const Search *search, const ib__FitPoint *point)
{
    const double *k = point->k;
    if (!(k[IB__FIT_KA] > 0.0)) return false;
    double alpha = k[IB__FIT_KV] / k[IB__FIT_KA];
    return alpha * search->samples->span > -5.0 && alpha * search->samples->period < 50.0 &&
           k[IB__FIT_DELAY] >= search->earliest && k[IB__FIT_DELAY] <= search->latest;
}

// The normal equations with unit diagonal, H_ij/(s_i s_j) for s = sqrt(diagonal); rows and columns
// of constants that are not `wanted` become those of I.
static void scale_normal(const Search *search, const bool wanted[N], double scaled[N * N],
                         double s[N])
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
    scale_normal(search, search->free, a, s);
    for (int i = 0; i < N; i++) {
        a[i * (N + 1)] *= 1.0 + damping;
        step[i] = search->free[i] ? search->normal.g[i] / s[i] : 0.0;
    }
    if (ib_matrix_factor(N, a, pivot)) return false;
    ib_matrix_solve(N, a, pivot, step);
    for (int i = 0; i < N; i++) next->k[i] = search->point.k[i] + step[i] / s[i];
    return true;
}

// To the least sum of squares that is downhill from here.
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
        damping = better ? fmax(damping * 0.1, 1e-12) : damping * 10.0;
        if (!better) continue;
        double gain = search->normal.rest - normal.rest;
        search->point = next;
        search->normal = normal;
        if (gain <= 1e-13 * normal.rest) break;
    }
}

// ---------------------------------------------------------------------------------- how sure it is

// Neighbours that err alike count less:  n_effective = n/t,  t = 1 + 2 sum of the correlation of
// residuals k samples apart, over a window of 5 t.        [A. Sokal, Monte Carlo methods, 1997]
static double correlation_time(const ib__FitSamples *samples, const double *r, double rest)
{
    double t = 1.0;
    for (int lag = 1; lag < MOST_LAG && lag < 5.0 * t && rest > 0.0; lag++) {
        double sum = 0.0;
        for (int j = 0; j < samples->stretch_count; j++) {
            const ib__FitStretch *stretch = &samples->stretches[j];
            const double *a = r + stretch->first;
            for (int i = 0; i + lag < stretch->count; i++) sum += a[i] * a[i + lag];
        }
        t = fmax(t + 2.0 * sum / rest, 1.0);
    }
    return t;
}

// The 97.5 % point of Student's distribution, from the normal one's:   [Abramowitz, Stegun 26.7.5]
static double student(double freedom)
{
    double z = 1.959963984540054, z3 = z * z * z, z5 = z3 * z * z, n = fmax(freedom, 3.0);
    return z + (z3 + z) / (4.0 * n) + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * n * n) +
           (3.0 * z5 * z * z + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * n * n * n);
}

// Diagonal of the inverse of the scaled normal equations, sum over j of u_ij^2/sigma_j. A direction
// in which the samples say nothing makes what takes part in it infinitely uncertain.
static double spread_of(int i, const double u[N * N], const double sigma[N])
{
    double sum = 0.0;
    for (int j = 0; j < N; j++) {
        double part = u[i * N + j] * u[i * N + j];
        bool silent = !(sigma[j] > 1e-10 * sigma[0]);
        if (silent && part > 1e-6) return INFINITY;
        if (!silent) sum += part / sigma[j];
    }
    return sum;
}

static double largest_voltage(const ib__FitSamples *samples)
{
    double most = 0.0;
    for (int j = 0; j < samples->stretch_count; j++) {
        const ib__FitVolts *volts = &samples->volts[samples->stretches[j].log];
        for (int i = 0; i < volts->count; i++) most = fmax(most, fabs(volts->value[i]));
    }
    return most;
}

// How large the motion is, as all columns of J are: sqrt(sum of squares), of a position from the
// start of its stretch.
static double motion_size(const ib__FitSamples *samples)
{
    double sum = 0.0;
    for (int j = 0; j < samples->stretch_count; j++) {
        const double *y = samples->y + samples->stretches[j].first;
        double start = samples->of_position ? y[0] : 0.0;
        for (int i = 0; i < samples->stretches[j].count; i++)
            sum += (y[i] - start) * (y[i] - start);
    }
    return sqrt(sum);
}

// Which constants the samples speak of. Where the whole of kV or kA, all of the voltage as kS or kG
// or a delay of one sample moves nothing by more than 1e-6 of the motion, there is only rounding in
// that column of J, and scaling it to 1 would make it look like a measurement.
static void find_heard(const Search *search, bool heard[N])
{
    const double *k = search->point.k;
    double volts = largest_voltage(search->samples), size = motion_size(search->samples);
    double change[N] = {volts, fabs(k[IB__FIT_KV]), fabs(k[IB__FIT_KA]), volts,
                        search->samples->period};
    for (int i = 0; i < N; i++) {
        double moved = sqrt(search->normal.H[i * (N + 1)]) * change[i];
        heard[i] = search->free[i] && moved > 1e-6 * size;
    }
}

// The least that an interval may be. A voltage that bends with the motion (a battery that sags)
// differs from straight lines between its samples by (T/tau)^2/12, tau = kA/kV; voltages and times
// of a log are rounded.
static void find_least(const Search *search, double least[N])
{
    const double *k = search->point.k;
    double steps = search->samples->period * k[IB__FIT_KV] / k[IB__FIT_KA];
    double volts = 1e-6 * largest_voltage(search->samples);
    for (int i = 0; i < N; i++) least[i] = fmin(steps * steps / 12.0, 1.0) * fabs(k[i]);
    least[IB__FIT_KS] = fmax(least[IB__FIT_KS], volts);
    least[IB__FIT_KG] = fmax(least[IB__FIT_KG], volts);
    least[IB__FIT_DELAY] = fmax(least[IB__FIT_DELAY], 1e-4 * search->samples->period);
}

// Covariance = t rest/(n - p) H^-1: half = student * its diagonal's root.
static void find_intervals(const Search *search, double t, double half[N], ib_FitMotor *fit)
{
    double a[N * N], s[N], u[N * N], sigma[N], least[N];
    bool heard[N];
    const ib__FitSamples *samples = search->samples;
    int p = samples->stretch_count * (samples->of_position ? 2 : 1); // starts of the stretches
    for (int i = 0; i < N; i++) p += search->free[i];
    find_heard(search, heard);
    scale_normal(search, heard, a, s);
    ib_singular_values(N, N, a, u, sigma);
    fit->condition = sigma[0] / sigma[N - 1];
    for (int i = 0; i < N; i++)
        if (search->free[i] && !heard[i]) fit->condition = INFINITY;
    fit->effective = samples->count / t;
    double variance = t * search->normal.rest / fmax(samples->count - p, 1.0);
    double factor = student(fit->effective - p / t);
    find_least(search, least);
    for (int i = 0; i < N; i++) {
        double size = heard[i] ? spread_of(i, u, sigma) : INFINITY;
        half[i] = isfinite(size) ? factor * sqrt(size * variance) / s[i] : INFINITY;
        half[i] = fmax(half[i], least[i]);
    }
}

// ---------------------------------------------------------------------------------------- verdicts

// Of use is kV within a fifth, kA within a half, kS and kG within a tenth of the largest voltage.
static void judge(const Search *search, const double half[N], ib_FitMotor *fit)
{
    const double *k = search->point.k;
    double volts = 0.1 * largest_voltage(search->samples);
    double limit[N] = {volts, 0.2 * fabs(k[IB__FIT_KV]), 0.5 * fabs(k[IB__FIT_KA]), volts,
                       INFINITY};
    ib_FitValue *values[N] = {&fit->kS, &fit->kV, &fit->kA, &fit->kG, &fit->delay};
    for (int i = 0; i < N; i++)
        *values[i] = (ib_FitValue){k[i], search->free[i] ? half[i] : 0.0, search->free[i],
                                   search->free[i] && isfinite(half[i]) && half[i] <= limit[i]};
    if (!fit->kA.determined) fit->missing |= IB_FIT_NO_DYNAMIC;
    if (!fit->kS.determined || !fit->kV.determined) fit->missing |= IB_FIT_NO_SLOW;
}

// How much of the variation is explained, how large what is left is.
static void measure(const Search *search, ib_FitMotor *fit)
{
    fit->rms = sqrt(search->normal.rest / search->samples->count);
    fit->r_squared = 1.0 - search->normal.rest / search->normal.whole;
}

static bool both_directions(const ib__FitSamples *samples)
{
    for (int j = 1; j < samples->stretch_count; j++)
        if (samples->stretches[j].sign != samples->stretches[0].sign) return true;
    return false;
}

// --------------------------------------------------------------------------------------- all of it

// From a start of its own to the bottom; false where no motor fits.
static bool explore(Search *search, ib__FitSamples *samples, int log_count, bool held)
{
    ib__fit_join(samples, log_count, held);
    if (!scan(search, search->free[IB__FIT_KG])) return false;
    descend(search);
    return true;
}

// Straight lines or steps between the samples of the voltage? Lines, unless steps explain more than
// chance would (12: 3.5 standard deviations). Where lines are no better by as much, nobody knows:
// what the constants would differ by is left in `doubt`.
static bool choose_hold(Search *search, ib__FitSamples *samples, int log_count, double doubt[N],
                        ib_FitMotor *fit)
{
    Search other = *search;
    bool steps = explore(&other, samples, log_count, true);
    bool lines = explore(search, samples, log_count, false);
    double gain = lines ? 0.0 : INFINITY;
    memset(doubt, 0, N * sizeof *doubt);
    if (steps && lines) {
        double rest = search->normal.rest, variance = fmin(rest, other.normal.rest);
        gain = (rest - other.normal.rest) / (variance / samples->count);
        for (int i = 0; i < N && fabs(gain) <= 12.0; i++)
            doubt[i] = other.point.k[i] - search->point.k[i];
    }
    fit->held = steps && gain > 12.0;
    if (fit->held) *search = other;
    ib__fit_join(samples, log_count, fit->held);
    return steps || lines;
}

static void intervals(const Search *search, double *residual, const double doubt[N], double half[N],
                      ib_FitMotor *fit)
{
    ib__FitNormal normal;
    ib__fit_normal(search->samples, &search->scratch, &search->point, residual, &normal);
    double t = correlation_time(search->samples, residual, normal.rest);
    find_intervals(search, t, half, fit);
    for (int i = 0; i < N; i++) half[i] = sqrt(half[i] * half[i] + doubt[i] * doubt[i]);
}

// A delay that is not known to a quarter of the time constant (and two samples), or that makes
// everything vague, is none.
static bool is_vague(const Search *search, double half, double condition)
{
    double constant = search->point.k[IB__FIT_KA] / search->point.k[IB__FIT_KV];
    return half > fmax(0.25 * fabs(constant), 2.0 * search->samples->period) || condition > 1e8;
}

// Was a weight overlooked? `start` is the search before its first step. Yes, if kG is told from 0
// by twice its interval and is not next to nothing (1 % of the largest voltage). What only the
// weight has made vague is then not missing.
static void suspect_weight(const Search *start, ib__FitSamples *samples, int log_count,
                           double *residual, ib_FitMotor *fit)
{
    Search heavy = *start;
    double half[N], none[N] = {0}, least = 0.01 * largest_voltage(samples);
    ib_FitMotor with = {0};
    heavy.free[IB__FIT_KG] = true;
    if (!explore(&heavy, samples, log_count, fit->held)) return;
    intervals(&heavy, residual, none, half, &with);
    judge(&heavy, half, &with);
    if (!with.kG.determined || fabs(with.kG.value) < fmax(2.0 * with.kG.half, least)) return;
    if (is_vague(&heavy, half[IB__FIT_DELAY], with.condition)) with.missing |= IB_FIT_NO_DELAY;
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

// From chosen samples to all values.
static ib_Status solve(const ib_FitMotorConfig *config, ib__FitSamples *samples, int log_count,
                       ib_Arena *arena, ib_FitMotor *fit, ib_Error *error)
{
    bool gravity = config->gravity && both_directions(samples);
    Search search = {.samples = samples, .free = {true, true, true, gravity, config->delay}};
    search.latest = config->delay ? fmin(config->delay_most, 0.5 * samples->span) : 0.0;
    search.earliest = config->delay ? -2.0 * samples->period : 0.0;
    search.scratch.columns = ib_arena_array(arena, (size_t)samples->longest * 16, sizeof(double));
    double *residual = ib_arena_array(arena, (size_t)samples->count, sizeof *residual);
    double half[N], doubt[N];
    if (!search.scratch.columns || !residual)
        return ib_error_set(error, IB_FAILED, "out of memory for the fit");
    if (config->gravity && !gravity) fit->missing |= IB_FIT_ONE_DIRECTION;

    const Search start = search;
    if (!choose_hold(&search, samples, log_count, doubt, fit))
        return ib_error_set(error, IB_FAILED,
                            "more voltage does not give more speed in these samples; is a sign "
                            "or a signal wrong%s?",
                            config->gravity ? "" : ", or is there a weight (--gravity)");
    intervals(&search, residual, doubt, half, fit);

    if (config->delay && is_vague(&search, half[IB__FIT_DELAY], fit->condition)) {
        search.free[IB__FIT_DELAY] = false;
        search.point.k[IB__FIT_DELAY] = search.earliest = search.latest = 0.0;
        fit->missing |= IB_FIT_NO_DELAY;
        descend(&search);
        intervals(&search, residual, doubt, half, fit);
    }
    measure(&search, fit);
    judge(&search, half, fit);
    ib__fit_one_step(samples, search.point.k[IB__FIT_DELAY], fit);
    if (!config->gravity && both_directions(samples))
        suspect_weight(&start, samples, log_count, residual, fit);
    return IB_OK;
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
