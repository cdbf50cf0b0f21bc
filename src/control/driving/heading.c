#include "control/driving/heading.h"

#include <math.h>

#define FASTEST 1e3 ///< no robot turns faster [rad/s]

ib_Status ib_heading_check(const ib_HeadingConfig *config, ib_Error *error)
{
    if (!(config->period > 0 && config->period <= 1e3))
        return ib_error_set(error, IB_BAD_INPUT,
                            "period: expected more than 0 s and at most 1000 s, got %g s",
                            config->period);
    if (!(config->settle >= 0 && config->settle <= 1e6))
        return ib_error_set(error, IB_BAD_INPUT, "settle: expected 0 s to 1000000 s, got %g s",
                            config->settle);
    return IB_OK;
}

void ib_heading_reset(double heading, double *state)
{
    for (int i = 0; i < IB_HEADING_STATES; i++) state[i] = 0;
    state[IB_HEADING_ANGLE] = heading;
}

bool ib_heading_settles(const ib_HeadingConfig *config, const double *state)
{
    return state[IB_HEADING_COUNT] * config->period < config->settle;
}

// Finds the bias at rest: the mean of the gyro's rate. `first`: no time has passed for a mean; the
// rate counts until the next one.
static void find_bias(double rate, bool first, double *state)
{
    double *bias = &state[IB_HEADING_BIAS];
    if (!(fabs(rate) <= FASTEST)) return;
    if (first) *bias = rate;
    if (first) return;
    state[IB_HEADING_HEARD] += 1;
    *bias += (rate - *bias) / state[IB_HEADING_HEARD];
}

// The turn of a period T, from the rates w_before at its beginning and w at its end:
//   sum         w T                       off by T (w - w_before)/2 where the rate is a ramp
//   trapezoid   (w_before + w) T/2        exact where the rate is a ramp
// or the sum of all samples of the period.
double ib_heading_step(const ib_HeadingConfig *config, double rate, double sum, double *state)
{
    double before = state[IB_HEADING_RATE], now = before, T = config->period;
    state[IB_HEADING_COUNT] += 1;
    bool first = state[IB_HEADING_COUNT] == 1, settles = ib_heading_settles(config, state);
    bool summed = fabs(sum) <= FASTEST * T;
    if (settles) find_bias(summed && !first ? sum / T : rate, summed && first, state);
    if (settles) return 0;
    if (fabs(rate) <= FASTEST) now = rate - state[IB_HEADING_BIAS];
    state[IB_HEADING_RATE] = now;
    if (first) return 0;
    double turn = config->method == IB_HEADING_SUM ? now * T : 0.5 * (before + now) * T;
    if (summed) turn = sum - state[IB_HEADING_BIAS] * T;
    state[IB_HEADING_ANGLE] += turn;
    return turn;
}
