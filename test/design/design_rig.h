// test/design/design_rig.h: random plants and designs of every kind.
#ifndef IB_TEST_DESIGN_RIG_H
#define IB_TEST_DESIGN_RIG_H

#include "design/analysis/analysis.h"
#include "spread.h"

#include <math.h>
#include <stdint.h>

enum { RIG_PLAIN, RIG_INTEGRAL, RIG_KALMAN, RIG_INPUT_ERROR, RIG_KINDS };
static const char *const rig_kinds[] = {"plain", "integral", "kalman", "input_error"};

// Ends of ranges: decades of periods [s], of weights of states and of inputs.
typedef struct DesignRange {
    int states; ///< at most
    double period[2], state[2], input[2];
    double latency[4]; ///< one of these, in periods; all 0: none
} DesignRange;

static inline double rig_spread(uint64_t *seed, double low, double high)
{
    return pow(10, low + (high - low) * 0.5 * (1 + spread_signed(seed)));
}

// A plant as often unstable as not, with one or two inputs, and a design of this kind.
static inline ib_AnalysisConfig rig_random_design(uint64_t *seed, int kind,
                                                  const DesignRange *range)
{
    int n = 1 + (int)((0.5 * range->states - 0.001) * (1 + spread_signed(seed)));
    int m = n > 1 && spread_signed(seed) > 0 ? 2 : 1;
    double back = spread_signed(seed) > 0 ? 3 : 0;
    ib_StateSpace plant = ib_state_space_default(n, m, n);
    for (int i = 0; i < n * n; i++)
        plant.A[i] = 4 * spread_signed(seed) - (i % (n + 1) == 0 ? back : 0);
    for (int i = 0; i < n * m; i++) plant.B[i] = 2 * spread_signed(seed);
    for (int i = 0; i < n * n; i++) plant.C[i] = 2 * spread_signed(seed);
    bool direct = kind >= RIG_KALMAN && spread_signed(seed) > 0.4;
    for (int i = 0; i < n * m && direct; i++) plant.D[i] = spread_signed(seed);
    ib_AnalysisConfig config =
        ib_analysis_default(&plant, rig_spread(seed, range->period[0], range->period[1]));
    config.feedback = IB_ANALYSIS_BY_WEIGHTS;
    if (range->latency[3] > 0)
        config.latency = range->latency[(int)(2 * (1 + spread_signed(seed)))] * config.period;
    config.integrals = kind == RIG_INTEGRAL;
    config.Z[0] = 1;
    int wide = n + config.integrals;
    for (int i = 0; i < wide; i++)
        config.Q[i * wide + i] = rig_spread(seed, range->state[0], range->state[1]);
    for (int i = 0; i < m; i++)
        config.R[i * m + i] = rig_spread(seed, range->input[0], range->input[1]);
    config.kalman = kind >= RIG_KALMAN;
    config.input_error = kind == RIG_INPUT_ERROR;
    for (int i = 0; i < n; i++) config.process[i * n + i] = rig_spread(seed, -2, 1);
    for (int i = 0; i < n; i++) config.measurement[i * n + i] = rig_spread(seed, -3, 0);
    for (int i = 0; i < m; i++) config.input_error_density[i] = 1;
    return config;
}

#endif
