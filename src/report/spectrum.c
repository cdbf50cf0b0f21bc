#include "report/spectrum.h"

#include "base/extreme.h"
#include "base/maths.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

// --------------------------------------------------------------------------------- uniform samples

typedef struct Samples {
    double *values;
    int count;
    double start, period; // [s]
} Samples;

// Copies the finite samples; returns how many.
static int copy_finite(const double *times, const double *values, int count, double *t, double *x)
{
    int used = 0;
    for (int i = 0; i < count; i++) {
        if (!isfinite(times[i]) || !isfinite(values[i])) continue;
        // A second sample at the same instant (before and after a jump) replaces the first.
        if (used > 0 && times[i] <= t[used - 1]) used--;
        t[used] = times[i];
        x[used++] = values[i];
    }
    return used;
}

static int evenly_spaced(const double *t, int count, double period)
{
    for (int i = 0; i < count; i++)
        if (fabs(t[i] - (t[0] + i * period)) > 1e-4 * period) return 0;
    return 1;
}

// Straight lines between the samples, read off at equal distances. Even samples stay untouched.
static void resample(const double *t, const double *x, int count, Samples *samples)
{
    samples->start = t[0];
    samples->period = (t[count - 1] - t[0]) / (samples->count - 1);
    if (samples->count == count && evenly_spaced(t, count, samples->period)) {
        for (int i = 0; i < count; i++) samples->values[i] = x[i];
        return;
    }
    int k = 0;
    for (int i = 0; i < samples->count; i++) {
        double at = samples->start + i * samples->period;
        while (k < count - 2 && t[k + 1] < at) k++;
        double part = (at - t[k]) / (t[k + 1] - t[k]);
        part = ib_min(ib_max(part, 0), 1);
        samples->values[i] = x[k] + part * (x[k + 1] - x[k]);
    }
}

// --------------------------------------------------------------------------------------- transform

// Puts element i where the reversed bits of i say, the order the butterflies below need.
static void reverse_bits(int n, double *re, double *im)
{
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i >= j) continue;
        double held = re[i];
        re[i] = re[j];
        re[j] = held;
        held = im[i];
        im[i] = im[j];
        im[j] = held;
    }
}

// X_k = sum_n x_n exp(-2 pi i k n / N), N a power of two: radix 2, decimated in time.
static void transform(int n, const double *cosine, const double *sine, double *re, double *im)
{
    reverse_bits(n, re, im);
    for (int half = 1; half < n; half *= 2) {
        int apart = n / (2 * half);
        for (int base = 0; base < n; base += 2 * half) {
            for (int k = 0; k < half; k++) {
                double c = cosine[k * apart], s = -sine[k * apart];
                int a = base + k, b = a + half;
                double br = c * re[b] - s * im[b], bi = c * im[b] + s * re[b];
                re[b] = re[a] - br;
                im[b] = im[a] - bi;
                re[a] += br;
                im[a] += bi;
            }
        }
    }
}

// Fades the samples in and out, w_i = (1 - cos(2 pi (i + 1/2) / n)) / 2, with the mean off first.
// Returns the mean and the sum of the window, by which an amplitude is scaled back.
static void apply_window(ib_Window window, Samples *samples, double *mean, double *sum)
{
    int n = samples->count;
    *mean = 0;
    *sum = n;
    for (int i = 0; i < n; i++) *mean += samples->values[i] / n;
    if (window == IB_WINDOW_NONE) return;

    *sum = 0;
    for (int i = 0; i < n; i++) {
        double w = 0.5 * (1 - ib_cos(2 * pi * (i + 0.5) / n));
        samples->values[i] = (samples->values[i] - *mean) * w;
        *sum += w;
    }
}

// Room for all arrays of length n, or NULL.
static double *make_tables(int n, ib_Arena *arena)
{
    double *tables = ib_arena_array(arena, 4 * (size_t)n, sizeof *tables);
    if (!tables) return NULL;
    double *cosine = tables + 2 * n, *sine = tables + 3 * n;
    for (int k = 0; k < n / 2; k++) {
        cosine[k] = ib_cos(2 * pi * k / n);
        sine[k] = ib_sin(2 * pi * k / n);
    }
    return tables;
}

// Amplitudes: 2 |X_k| / sum w for a wave, which appears at k and N - k; |X_k| / sum w at both ends.
static ib_Status amplitudes(ib_Window window, Samples *samples, ib_Arena *arena,
                            ib_Spectrum *spectrum, ib_Error *error)
{
    int n = 8;
    while (n < samples->count) n *= 2;
    double *re = make_tables(n, arena);
    int count = n / 2 + 1;
    spectrum->frequency = ib_arena_array(arena, (size_t)count, sizeof(double));
    spectrum->amplitude = ib_arena_array(arena, (size_t)count, sizeof(double));
    if (!re || !spectrum->frequency || !spectrum->amplitude)
        return ib_error_set(error, IB_FAILED, "out of memory for a spectrum");

    double mean, sum, *im = re + n;
    apply_window(window, samples, &mean, &sum);
    for (int i = 0; i < samples->count; i++) re[i] = samples->values[i];
    transform(n, re + 2 * n, re + 3 * n, re, im);

    spectrum->count = count;
    spectrum->samples = samples->count;
    spectrum->sampling = 1 / samples->period;
    for (int k = 0; k < count; k++) {
        double both = k == 0 || k == n / 2 ? 1 : 2;
        spectrum->frequency[k] = k * spectrum->sampling / n;
        spectrum->amplitude[k] = both * sqrt(re[k] * re[k] + im[k] * im[k]) / sum;
    }
    if (window == IB_WINDOW_HANN) spectrum->amplitude[0] = fabs(mean);
    return IB_OK;
}

ib_Status ib_spectrum(const double *times, const double *values, int count, ib_Window window,
                      ib_Arena *arena, ib_Spectrum *spectrum, ib_Error *error)
{
    enum { FEWEST = 8 };
    double *t = ib_arena_array(arena, (size_t)count, sizeof *t);
    double *x = ib_arena_array(arena, (size_t)count, sizeof *x);
    if (!t || !x) return ib_error_set(error, IB_FAILED, "out of memory for a spectrum");
    int used = copy_finite(times, values, count, t, x);
    if (used < FEWEST)
        return ib_error_set(error, IB_BAD_INPUT,
                            "a spectrum needs %d samples at different times, this has %d", FEWEST,
                            used);

    Samples samples = {.count = used < IB_SPECTRUM_MAX ? used : IB_SPECTRUM_MAX};
    samples.values = ib_arena_array(arena, (size_t)samples.count, sizeof(double));
    if (!samples.values) return ib_error_set(error, IB_FAILED, "out of memory for a spectrum");
    resample(t, x, used, &samples);
    return amplitudes(window, &samples, arena, spectrum, error);
}
