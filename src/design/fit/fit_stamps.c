// design/fit/fit_stamps.c: the times of voltage jumps between two samples.
//
// A log shows 0 V and at the next sample 7 V. The jump was at that sample if the program that sets
// the voltage also logs it, and otherwise at any time since the one before: then its time t_j is
// early by a part of the gap D_j, uniform over 0 … D_j, mean D_j/2, variance D_j^2/12. Each jump
// then has a delay of its own, and their scatter can be tested with the samples.
#include "design/fit/fit_inside.h"

#include "base/random.h"
#include "linear/singular.h"

#include <math.h>
#include <string.h>

enum { N = IB__FIT_COUNT, JUMPS = 16 };

typedef struct Jump {
    const ib__FitStretch *stretch;
    double time, volts, gap; ///< of its sample [s]; by how much [V]; since the sample before [s]
    double weight;           ///< (volts gap)^2
} Jump;

// The considered jumps: those of largest weight.
typedef struct Jumps {
    int count;
    Jump item[JUMPS];
    double weight; ///< of all jumps, also of those not listed
} Jumps;

// ------------------------------------------------------------------------------------------- jumps

static void take_jump(Jumps *jumps, Jump jump)
{
    int at = jumps->count < JUMPS ? jumps->count++ : JUMPS;
    jumps->weight += jump.weight;
    for (; at > 0 && jumps->item[at - 1].weight < jump.weight; at--)
        if (at < JUMPS) jumps->item[at] = jumps->item[at - 1];
    if (at < JUMPS) jumps->item[at] = jump;
}

// True if the voltage is logged at changes only: it never repeats a value, and has long gaps. Its
// times are those of the jumps.
static bool is_event(const ib__FitSamples *samples, const ib__FitVolts *volts, int k)
{
    bool repeated = k > 1 && volts->value[k - 1] == volts->value[k - 2];
    return !repeated && volts->time[k] - volts->time[k - 1] > 5.0 * samples->period;
}

// Finds the jumps inside the stretches: one before a stretch is part of its unknown start.
static void find_jumps(const ib__FitSearch *search, Jumps *jumps)
{
    const ib__FitSamples *samples = search->samples;
    double delay = search->point.k[IB__FIT_DELAY];
    memset(jumps, 0, sizeof *jumps);
    for (int j = 0; j < samples->stretch_count; j++) {
        const ib__FitStretch *stretch = &samples->stretches[j];
        const ib__FitVolts *volts = &samples->volts[stretch->log];
        double from = samples->time[stretch->first] - delay;
        double to = samples->time[stretch->first + stretch->count - 1] - delay;
        for (int k = 1; k < volts->count; k++) {
            double now = k + 1 < volts->count ? volts->begin[k] : volts->value[k];
            double size = now - volts->end[k - 1], gap = volts->time[k] - volts->time[k - 1];
            bool inside = volts->time[k] > from && volts->time[k] < to;
            if (!inside || fabs(size) <= 1e-3 || is_event(samples, volts, k)) continue;
            take_jump(jumps, (Jump){stretch, volts->time[k], size, gap, size * size * gap * gap});
        }
    }
}

// --------------------------------------------------------------------------------------- a verdict

// The effect of the jumps' times, to first order: the motion changes by C s, s_j the seconds by
// which jump j was early.
typedef struct Timing {
    double G[JUMPS * JUMPS]; ///< C'C with all constants and starts solved for
    double b[JUMPS];         ///< C'r
    double moved[N * JUMPS]; ///< of each constant by each jump, for a second: H^-1 J'C
} Timing;

static void find_timing(const ib__FitSearch *search, const ib__FitRest *rest,
                        const ib__FitSpread *spread, const Jumps *jumps, Timing *timing)
{
    double JC[N * JUMPS] = {0};
    const ib__FitSamples *samples = search->samples;
    double *one = rest->work, *other = rest->work + samples->longest;
    memset(timing, 0, sizeof *timing);
    for (int a = 0; a < jumps->count; a++) {
        const Jump *jump = &jumps->item[a];
        int first = jump->stretch->first, n = jump->stretch->count;
        ib__fit_jump_column(samples, &search->scratch, &search->point, jump->stretch, jump->time,
                            one);
        for (int i = 0; i < n; i++) {
            timing->b[a] += jump->volts * one[i] * rest->residual[first + i];
            for (int k = 0; k < N; k++)
                JC[k * JUMPS + a] += jump->volts * one[i] * rest->rows[(first + i) * N + k];
        }
        for (int b = 0; b < jumps->count; b++) {
            const Jump *with = &jumps->item[b];
            if (with->stretch != jump->stretch) continue;
            ib__fit_jump_column(samples, &search->scratch, &search->point, with->stretch,
                                with->time, other);
            for (int i = 0; i < n; i++)
                timing->G[a * JUMPS + b] += jump->volts * with->volts * one[i] * other[i];
        }
    }
    for (int k = 0; k < N; k++)
        for (int l = 0; l < N; l++)
            for (int a = 0; a < jumps->count; a++)
                timing->moved[k * JUMPS + a] += spread->inverse[k * N + l] * JC[l * JUMPS + a];
    for (int a = 0; a < jumps->count; a++)
        for (int b = 0; b < jumps->count; b++)
            for (int k = 0; k < N; k++)
                timing->G[a * JUMPS + b] -= JC[k * JUMPS + a] * timing->moved[k * JUMPS + b];
}

// Directions in which individual times of the jumps lower the sum of squares: G = sum of sigma u
// u'. A common delay is none of them if only jumps determine it.
typedef struct Directions {
    int jumps, count;
    double u[JUMPS * JUMPS], sigma[JUMPS];
} Directions;

static void find_directions(const Jumps *jumps, const Timing *timing, Directions *to)
{
    int n = jumps->count;
    double a[JUMPS * JUMPS];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) a[i * n + j] = timing->G[i * JUMPS + j];
    ib_singular_values(n, n, a, to->u, to->sigma);
    to->jumps = n;
    to->count = 0;
    while (to->count < n && to->sigma[to->count] > 1e-6 * to->sigma[0]) to->count++;
}

static double along(const Directions *directions, int j, const double x[JUMPS])
{
    double sum = 0.0;
    for (int i = 0; i < directions->jumps; i++)
        sum += directions->u[i * directions->jumps + j] * x[i];
    return sum;
}

// The reduction of the sum of squares: b'G^-1 b.
static double gain_of_times(const Directions *directions, const Timing *timing)
{
    double gain = 0.0;
    for (int j = 0; j < directions->count; j++) {
        double part = along(directions, j, timing->b);
        gain += part * part / directions->sigma[j];
    }
    return gain;
}

// The same for jumps at random times between the samples, with the noise of this log.
static double random_gain(const Directions *directions, const Jumps *jumps, double variance,
                          uint64_t draw)
{
    double early[JUMPS], gain = 0.0;
    for (int i = 0; i < jumps->count; i++)
        early[i] = jumps->item[i].gap * ib_random_uniform(1, (uint64_t)i, draw);
    for (int j = 0; j < directions->count; j++) {
        double noise = sqrt(variance) * ib_random_normal(1, (uint64_t)(JUMPS + j), draw);
        double part = sqrt(directions->sigma[j]) * along(directions, j, early) + noise;
        gain += part * part;
    }
    return gain;
}

// True if jumps at random times between the samples would give so small a reduction in less than 1
// of 100 logs: then they were at the samples.
static bool agree(const Jumps *jumps, const Timing *timing, double variance)
{
    enum { DRAWS = 1000 };
    Directions directions;
    find_directions(jumps, timing, &directions);
    double gain = gain_of_times(&directions, timing);
    int less = 0;
    for (uint64_t draw = 0; draw < DRAWS; draw++)
        less += random_gain(&directions, jumps, variance, draw) <= gain;
    return directions.count > 0 && less < DRAWS / 100;
}

bool ib__fit_stamps(const ib__FitSearch *search, const ib__FitRest *rest,
                    const ib__FitSpread *spread, double scatter[N])
{
    Jumps jumps;
    Timing matrix;
    find_jumps(search, &jumps);
    memset(scatter, 0, N * sizeof *scatter);
    if (jumps.count == 0) return true;
    find_timing(search, rest, spread, &jumps, &matrix);

    // 1.96 sqrt(sum of moved^2 D_j^2/12); jumps that are not listed count in proportion.
    for (int a = 0; a < jumps.count; a++)
        for (int k = 0; k < N; k++) {
            double moved = matrix.moved[k * JUMPS + a] * jumps.item[a].gap;
            scatter[k] += moved * moved / 12.0;
        }
    double listed = 0.0;
    for (int a = 0; a < jumps.count; a++) listed += jumps.item[a].weight;
    for (int k = 0; k < N; k++) scatter[k] = 1.96 * sqrt(scatter[k] * jumps.weight / listed);
    return agree(&jumps, &matrix, spread->variance);
}
