// design/fit/fit_interval.c: the intervals of the constants: noise, correlated errors, rounding.
// The derivation is in docs/design/fit.md, "How sure?".
#include "design/fit/fit_inside.h"

#include "base/extreme.h"
#include "base/matrix.h"
#include "base/random.h"
#include "linear/singular.h"

#include <string.h>

enum { N = IB__FIT_COUNT, MOST_LAG = 2000 };

// ----------------------------------------------------------------------- neighbours that err alike

// Samples with correlated errors count less:  n_effective = n/t,  t = 1 + 2 sum of the correlation
// of residuals k samples apart, over a window of 5 t.        [A. Sokal, Monte Carlo methods, 1997]
static double summed_colour(const ib__FitSamples *samples, const double *r, double rest)
{
    double t = 1.0;
    for (int lag = 1; lag < MOST_LAG && lag < 5.0 * t && rest > 0.0; lag++) {
        double sum = 0.0;
        for (int j = 0; j < samples->stretch_count; j++) {
            const ib__FitStretch *stretch = &samples->stretches[j];
            const double *a = r + stretch->first;
            for (int i = 0; i + lag < stretch->count; i++) sum += a[i] * a[i + lag];
        }
        t = ib_max(t + 2.0 * sum / rest, 1.0);
    }
    return t;
}

// The same for first-order autoregressive noise, each sample rho times the last plus a new part:
//   t = (1 + rho)/(1 - rho),   half the mean square of differences of neighbours: s^2 (1 - rho)
// The p fitted constants follow slow parts of the noise and take p t s^2 of it away:
//   rest = (n - p t) s^2
// which hides from the sum above a good part of the correlation in short logs. They may take half
// of the samples at most.
static double remembered_colour(const ib__FitSamples *samples, const double *r, double rest, int p)
{
    double sum = 0.0, t = 1.0, n = samples->count;
    int pairs = 0;
    for (int j = 0; j < samples->stretch_count; j++) {
        const ib__FitStretch *stretch = &samples->stretches[j];
        const double *a = r + stretch->first;
        for (int i = 0; i + 1 < stretch->count; i++, pairs++)
            sum += 0.5 * (a[i + 1] - a[i]) * (a[i + 1] - a[i]);
    }
    if (!(sum > 0.0)) return 1.0;
    for (int i = 0; i < 50; i++) {
        double variance = rest / ib_max(n - p * t, 0.5 * n);
        t = ib_max(2.0 * variance * pairs / sum - 1.0, 1.0);
    }
    return t;
}

// ---------------------------------------------------------------------------------- how sure it is

// The 97.5 % point of Student's distribution, from the normal one's:   [Abramowitz, Stegun 26.7.5]
static double student(double freedom)
{
    double z = 1.959963984540054, z3 = z * z * z, z5 = z3 * z * z, n = ib_max(freedom, 3.0);
    return z + (z3 + z) / (4.0 * n) + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * n * n) +
           (3.0 * z5 * z * z + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * n * n * n);
}

// The size of the motion, as of the columns of J: sqrt(sum of squares), for a position from the
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

// Finds the observable constants. If the whole of kV or kA, all of the voltage as kS or kG or a
// delay of one sample changes the motion by less than 1e-6 of it, that column of J is only
// rounding, and scaling it to 1 would make it look like a measurement.
static void find_heard(const ib__FitSearch *search, bool heard[N])
{
    const double *k = search->point.k;
    double volts = search->samples->most_volts, size = motion_size(search->samples);
    double change[N] = {volts, fabs(k[IB__FIT_KV]), fabs(k[IB__FIT_KA]), volts,
                        search->samples->period};
    for (int i = 0; i < N; i++) {
        double moved = sqrt(search->normal.H[i * (N + 1)]) * change[i];
        heard[i] = search->free[i] && moved > 1e-6 * size;
    }
}

// H^-1 = sum over directions of u u'/sigma, scaled back. An unobservable direction makes its
// constants infinitely uncertain.
static void invert(const ib__FitSearch *search, ib__FitSpread *spread, double *condition)
{
    double a[N * N], s[N], u[N * N], sigma[N];
    bool heard[N];
    find_heard(search, heard);
    ib__fit_scale(search, heard, a, s);
    ib_singular_values(N, N, a, u, sigma);
    *condition = sigma[0] / sigma[N - 1];
    memset(spread->inverse, 0, sizeof spread->inverse);
    for (int i = 0; i < N; i++) {
        spread->silent[i] = !heard[i];
        if (search->free[i] && !heard[i]) *condition = INFINITY;
    }
    for (int j = 0; j < N; j++) {
        bool silent = !(sigma[j] > 1e-10 * sigma[0]);
        for (int i = 0; i < N; i++) {
            if (silent && u[i * N + j] * u[i * N + j] > 1e-6) spread->silent[i] = true;
            // Unobservable constants have no part in it.
            for (int l = 0; l < N && !silent; l++)
                if (heard[i] && heard[l])
                    spread->inverse[i * N + l] +=
                        u[i * N + j] * u[l * N + j] / (sigma[j] * s[i] * s[l]);
        }
    }
}

// Covariance = t s^2 H^-1,  s^2 = rest/(n - p t).
void ib__fit_spread(const ib__FitSearch *search, const ib__FitRest *rest, ib__FitSpread *spread,
                    ib_FitMotor *fit)
{
    ib__FitNormal normal;
    const ib__FitSamples *samples = search->samples;
    int p = samples->stretch_count * (samples->of_position ? 2 : 1); // starts of the stretches
    for (int i = 0; i < N; i++) p += search->free[i];
    ib__fit_normal(samples, &search->scratch, &search->point, rest, &normal);
    double t = ib_max(summed_colour(samples, rest->residual, normal.rest),
                      remembered_colour(samples, rest->residual, normal.rest, p));
    double n = samples->count, freedom = ib_max(n - p * t, 0.5 * n);
    t = ib_min(t, n);
    invert(search, spread, &fit->condition);
    spread->colour = t;
    spread->variance = t * normal.rest / freedom;
    spread->factor = student(freedom / t);
    fit->effective = n / t;
}

// ---------------------------------------------------------------------------------------- rounding

double ib__fit_quantum(const ib__FitSamples *samples, double *work)
{
    size_t size = (size_t)samples->count;
    memcpy(work, samples->y, size * sizeof *work);
    ib__fit_sort(work, samples->count);
    double least = 1e-9 * ib_max(fabs(work[0]), fabs(work[size - 1])), step = INFINITY;
    for (size_t i = 1; i < size; i++) {
        double gap = work[i] - work[i - 1];
        if (gap > least && gap < step) step = gap;
    }
    // Values of a log have some 7 digits: a hundredth of a step is neither chance nor rounding.
    for (size_t i = 1; i < size; i++) {
        double steps = (work[i] - work[i - 1]) / step;
        if (fabs(steps - round(steps)) > 0.01) return 0.0;
    }
    return isfinite(step) ? step : 0.0;
}

// Rounding is not noise: its error is constant while the speed is. It is a sawtooth of the speed,
// with an unknown phase at the begin and end of a stretch. The sawtooth is therefore applied to the
// fitted motion with many phases, and the worst counts:
//   |H^-1 J' e|,   e = q round(y/q) - y,   y = (1 + scale) y_fitted + shift of the stretch
// Noise of deviation s beside it smooths the sawtooth to e^(-2 (pi s/q)^2) of it. [B. Widrow, 1956]
void ib__fit_rounding(const ib__FitSearch *search, const ib__FitRest *rest,
                      const ib__FitSpread *spread, double quantum, double most[N])
{
    enum { PLACES = 100 };
    const double q = quantum, pi = 3.14159265358979323846;
    const ib__FitSamples *samples = search->samples;
    double square = search->normal.rest / samples->count;
    memset(most, 0, N * sizeof *most);
    if (!(q > 0.0)) return;
    // The least noise in the residuals: rounding alone leaves a quarter of q^2 at most.
    double smooth = ib_exp(-2.0 * pi * pi * ib_max(square / (q * q) - 0.25, 0.0));
    for (uint64_t place = 0; place < PLACES; place++) {
        double scale = (2.0 * ib_random_uniform(1, 0, place) - 1.0) * q / samples->reach,
               g[N] = {0};
        for (int j = 0; j < samples->stretch_count; j++) {
            const ib__FitStretch *stretch = &samples->stretches[j];
            double shift = (ib_random_uniform(1, 1 + (uint64_t)j, place) - 0.5) * q;
            for (int i = stretch->first; i < stretch->first + stretch->count; i++) {
                double y = (samples->y[i] - rest->residual[i]) * (1.0 + scale) + shift;
                double e = q * round(y / q) - y;
                for (int k = 0; k < N; k++) g[k] += rest->rows[i * N + k] * e;
            }
        }
        for (int k = 0; k < N; k++) {
            double moved = 0.0;
            for (int l = 0; l < N; l++) moved += spread->inverse[k * N + l] * g[l];
            most[k] = ib_max(most[k], smooth * fabs(moved));
        }
    }
}

// --------------------------------------------------------------------------------------- intervals

// The least widths of the intervals. A voltage that bends with the motion (a sagging battery)
// differs from straight lines between its samples by (T/tau)^2/12, tau = kA/kV; voltages and times
// of a log are rounded.
static void find_least(const ib__FitSearch *search, double least[N])
{
    const double *k = search->point.k;
    double steps = search->samples->period * k[IB__FIT_KV] / k[IB__FIT_KA];
    double volts = 1e-6 * search->samples->most_volts;
    for (int i = 0; i < N; i++) least[i] = ib_min(steps * steps / 12.0, 1.0) * fabs(k[i]);
    least[IB__FIT_KS] = ib_max(least[IB__FIT_KS], volts);
    least[IB__FIT_KG] = ib_max(least[IB__FIT_KG], volts);
    least[IB__FIT_DELAY] = ib_max(least[IB__FIT_DELAY], 1e-4 * search->samples->period);
}

void ib__fit_intervals(const ib__FitSearch *search, const ib__FitRest *rest,
                       const ib__FitSpread *spread, double quantum, double half[N])
{
    double least[N], rounding[N];
    find_least(search, least);
    ib__fit_rounding(search, rest, spread, quantum, rounding);
    for (int i = 0; i < N; i++) {
        double noise = spread->factor * sqrt(spread->inverse[i * (N + 1)] * spread->variance);
        half[i] = spread->silent[i] ? INFINITY : ib_max(noise + rounding[i], least[i]);
    }
}
