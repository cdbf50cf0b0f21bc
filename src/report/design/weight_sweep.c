// report/design/weight_sweep.c: one design after the other over one weight.
#include "report/design/design_figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Scales a weight w_ii by f, and its coupling with others by sqrt(f): a definite matrix
// stays definite.
static void scale_weight(ib_AnalysisConfig *config, int wide, int at, double factor)
{
    double root = sqrt(factor);
    for (int k = 0; k < wide; k++) {
        config->Q[at * wide + k] *= root;
        config->Q[k * wide + at] *= root;
    }
    for (int k = 0; k < config->plant.inputs; k++) config->N[at * config->plant.inputs + k] *= root;
}

// Designs the feedback alone, without filter and latency, at each of the weights.
static void fill(const ib_DesignGear *gear, int wide, int at, ib_AnalysisConfig *config,
                 ib_Design *design, ib_AnalysisRefusals *refusals, ib_WeightSweep *sweep)
{
    for (int i = 0; i < IB_SWEEP_POINTS; i++) {
        double factor = pow(10, 6.0 * i / (IB_SWEEP_POINTS - 1) - 3);
        *config = gear->config;
        config->kalman = config->input_error = config->feedforward = false;
        config->latency = 0;
        scale_weight(config, wide, at, factor);
        sweep->tolerance[i] = 1 / sqrt(config->Q[at * wide + at]);
        sweep->found[i] = ib_analysis_design(config, design, refusals) == IB_OK;
        sweep->poles = design->pole_count ? design->pole_count : sweep->poles;
        memcpy(sweep->pole[i], design->poles, sizeof design->poles);
        memcpy(sweep->K[i], design->K, sizeof design->K);
    }
}

const ib_WeightSweep *ib__weight_sweep(const ib_DesignGear *gear, ib_Arena *arena, ib_Error *error)
{
    const ib_AnalysisConfig *config = &gear->config;
    int regulated = config->over ? config->over : config->plant.states;
    int wide = regulated + config->integrals, at = 0;
    if (config->feedback != IB_ANALYSIS_BY_WEIGHTS || !gear->design.feedback) {
        ib_error_set(error, IB_BAD_INPUT, "%s",
                     gear->design.feedback ? "the poles were chosen: there is no weight to change"
                                           : "there is no feedback");
        return NULL;
    }
    while (at < regulated && !(config->Q[at * wide + at] > 0)) at++;
    if (at == regulated) {
        ib_error_set(error, IB_BAD_INPUT, "no state has a weight");
        return NULL;
    }
    ib_WeightSweep *sweep = ib_arena_alloc(arena, sizeof *sweep);
    ib_AnalysisConfig *changed = ib_arena_alloc(arena, sizeof *changed);
    ib_Design *design = ib_arena_alloc(arena, sizeof *design);
    ib_AnalysisRefusals *refusals = ib_arena_alloc(arena, sizeof *refusals);
    if (!sweep || !changed || !design || !refusals) {
        ib_error_set(error, IB_FAILED, "out of memory");
        return NULL;
    }
    int state = config->over ? config->over_state[at] : at;
    snprintf(sweep->name, sizeof sweep->name, "%s", config->plant.state[state]);
    sweep->unit = gear->state_unit[state];
    fill(gear, wide, at, changed, design, refusals, sweep);
    return sweep;
}
