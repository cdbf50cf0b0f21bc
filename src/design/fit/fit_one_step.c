// design/fit/fit_one_step.c: the usual fit, for comparison: from each sample to the next, by linear
// least squares.
#include "design/fit/fit_inside.h"

#include "base/maths.h"
#include "base/matrix.h"

// v of sample i: as measured, or the distance since the sample before over the time.
static double speed_at(const ib__FitSamples *samples, int i)
{
    if (!samples->of_position) return samples->y[i];
    return (samples->y[i] - samples->y[i - 1]) / (samples->time[i] - samples->time[i - 1]);
}

// One row of the normal equations for (a, b, c).
static void add_step(const ib__FitSamples *samples, const ib__FitStretch *stretch, int i,
                     double delay, double H[9], double g[3])
{
    double from = samples->time[i], to = samples->time[i + 1];
    // A speed from two positions is that halfway between them.
    double back = samples->of_position ? 0.5 * samples->period : 0.0;
    double volts =
        ib__fit_mean_voltage(&samples->volts[stretch->log], delay, from - back, to - back);
    double row[3] = {speed_at(samples, i), volts, stretch->sign};
    double next = speed_at(samples, i + 1);
    for (int a = 0; a < 3; a++) {
        g[a] += row[a] * next;
        for (int b = 0; b < 3; b++) H[a * 3 + b] += row[a] * row[b];
    }
}

// From the hold:  a = e^(-T kV/kA),  b = (1 - a)/kV,  c = -kS b
void ib__fit_one_step(const ib__FitSamples *samples, double delay, ib_FitMotor *fit)
{
    double H[9] = {0}, x[3] = {0}, T = samples->period;
    int pivot[3];
    for (int j = 0; j < samples->stretch_count; j++) {
        const ib__FitStretch *stretch = &samples->stretches[j];
        int last = stretch->first + stretch->count - 1;
        for (int i = stretch->first + (samples->of_position ? 1 : 0); i < last; i++) {
            double step = samples->time[i + 1] - samples->time[i];
            if (fabs(step - T) <= 0.05 * T) add_step(samples, stretch, i, delay, H, x);
        }
    }
    if (ib_matrix_factor(3, H, pivot)) return;
    ib_matrix_solve(3, H, pivot, x);
    double a = x[0], b = x[1];
    fit->one_step.valid = a > 0.0 && a < 1.0 && b > 0.0;
    if (!fit->one_step.valid) return;
    fit->one_step.kV = (1.0 - a) / b;
    fit->one_step.kS = -x[2] / b;
    fit->one_step.kA = -fit->one_step.kV * T / ib_log(a);
}
