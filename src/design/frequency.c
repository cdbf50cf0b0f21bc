#include "design/frequency.h"

#include "base/extreme.h"
#include "base/maths.h"

#include <string.h>

enum { N = IB_STATES_MAX };

ib_Complex ib_frequency_point(double period, double frequency)
{
    if (!(period > 0)) return (ib_Complex){0, frequency};
    double angle = frequency * period;
    return (ib_Complex){ib_cos(angle), ib_sin(angle)};
}

ib_Status ib_frequency_states(const ib_StateSpace *plant, ib_Complex z, ib_Complex *x,
                              ib_Error *error)
{
    int n = plant->states, m = plant->inputs;
    ib_Complex a[N * N];
    for (int i = 0; i < n * n; i++) a[i] = (ib_Complex){-plant->A[i], 0};
    for (int i = 0; i < n; i++) a[i * n + i] = ib_complex_add(a[i * n + i], z);
    for (int i = 0; i < n * m; i++) x[i] = (ib_Complex){plant->B[i], 0};
    if (ib_complex_solve(n, m, a, x) > 0) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT, "the plant has a pole at %.6g %+.6gi", z.re, z.im);
}

ib_Status ib_frequency_response(const ib_StateSpace *plant, ib_Complex z, ib_Complex *h,
                                ib_Error *error)
{
    int n = plant->states, m = plant->inputs;
    ib_Complex x[N * IB_INPUTS_MAX];
    ib_Status status = ib_frequency_states(plant, z, x, error);
    if (status != IB_OK) return status;
    for (int i = 0; i < plant->outputs; i++)
        for (int j = 0; j < m; j++) {
            ib_Complex sum = {plant->D[i * m + j], 0};
            for (int k = 0; k < n; k++) {
                sum.re += plant->C[i * n + k] * x[k * m + j].re;
                sum.im += plant->C[i * n + k] * x[k * m + j].im;
            }
            h[i * m + j] = sum;
        }
    return IB_OK;
}

// The natural frequency of a pole [rad/s]: |s|, with s = ln(z) / T for a sampled one; 0: at 0 (at
// 1), or z = 0.
static double speed(double period, ib_Complex value)
{
    double size = ib_complex_size(value);
    if (!(period > 0)) return size;
    ib_Complex off = {value.re - 1, value.im};
    if (size == 0 || ib_complex_size(off) < 1e-9) return 0;
    ib_Complex s = {ib_log(size) / period, ib_atan2(value.im, value.re) / period};
    return ib_complex_size(s);
}

void ib_frequency_range(double period, const ib_Complex *values, int count, double *low,
                        double *high)
{
    double slow = INFINITY, fast = 0, largest = 0;
    for (int i = 0; i < count; i++) largest = ib_max(largest, speed(period, values[i]));
    for (int i = 0; i < count; i++) {
        double w = speed(period, values[i]);
        if (!(w > 1e-9 * largest)) continue;
        slow = ib_min(slow, w);
        fast = ib_max(fast, w);
    }
    double nyquist = period > 0 ? M_PI / period : INFINITY;
    if (!(fast > 0)) slow = fast = period > 0 ? 0.01 * nyquist : 1;
    *high = period > 0 ? nyquist : 10 * fast;
    *low = ib_min(0.1 * slow, 0.01 * *high);
}

double ib_frequency_spaced(double low, double high, int k, int count)
{
    if (k >= count - 1) return high;
    return low * ib_exp(ib_log(high / low) * k / (count - 1));
}

ib_Status ib_frequency_bode(const ib_StateSpace *plant, int input, int output, ib_BodePoint *points,
                            int count, ib_Error *error)
{
    ib_Complex h[IB_OUTPUTS_MAX * IB_INPUTS_MAX];
    IB_ASSERT(input >= 0 && input < plant->inputs && output >= 0 && output < plant->outputs);
    double before = 0;
    for (int k = 0; k < count; k++) {
        ib_Complex z = ib_frequency_point(plant->period, points[k].frequency);
        ib_Status status = ib_frequency_response(plant, z, h, error);
        if (status != IB_OK) return status;
        ib_Complex value = h[output * plant->inputs + input];
        points[k].size = ib_complex_size(value);
        // Unwraps the phase to the one nearest to the last point.
        double phase = ib_atan2(value.im, value.re);
        if (k > 0) phase += 2 * M_PI * floor((before - phase) / (2 * M_PI) + 0.5);
        points[k].phase = before = phase;
    }
    return IB_OK;
}
