#include "design/analysis/analysis.h"

#include "base/maths.h"
#include "design/analysis/analysis_inside.h"
#include "design/augment.h"
#include "design/feedforward.h"
#include "design/kalman_gain.h"
#include "design/zeros.h"
#include "linear/discretise.h"

#include <math.h>
#include <string.h>

ib_AnalysisConfig ib_analysis_default(const ib_StateSpace *plant, double period)
{
    ib_AnalysisConfig config = {.plant = *plant, .period = period};
    for (int i = 0; i < IB_INPUTS_MAX; i++) {
        config.low[i] = -INFINITY;
        config.high[i] = INFINITY;
    }
    return config;
}

// ------------------------------------------------------------------------------------------- poles

#define ON_CIRCLE 1e-9  ///< eigenvalues as near to the unit circle count as on it
#define GONE      1e-12 ///< eigenvalues as near to 0 count as 0

// s = ln(z) / T:   ln z = ln |z| + i arg z
ib_PoleShape ib_pole_shape(ib_Complex z, double period)
{
    double size = ib_complex_size(z);
    if (size < GONE) return (ib_PoleShape){INFINITY, 1, 0};
    ib_Complex off = {z.re - 1, z.im};
    if (ib_complex_size(off) < ON_CIRCLE) return (ib_PoleShape){0, NAN, INFINITY};
    if (fabs(size - 1) < ON_CIRCLE) size = 1;
    ib_Complex s = {ib_log(size) / period, ib_atan2(z.im, z.re) / period};
    double frequency = ib_complex_size(s);
    return (ib_PoleShape){
        .frequency = frequency,
        .damping = frequency > 0 ? -s.re / frequency : NAN,
        .settling = s.re < 0 ? ib_log(0.02) / s.re : INFINITY,
    };
}

// A double pole is found as two, a root of the rounding error apart.
ib_PlantRest ib_plant_rest(int count, const ib_Complex *poles)
{
    ib_PlantRest rest = IB_PLANT_SETTLES;
    for (int i = 0; i < count; i++) {
        double beyond = ib_complex_size(poles[i]) - 1;
        if (!(beyond < ON_CIRCLE)) return IB_PLANT_RUNS_AWAY;
        if (beyond < -ON_CIRCLE) continue;
        rest = IB_PLANT_STAYS;
        for (int k = 0; k < i; k++) {
            ib_Complex apart = {poles[i].re - poles[k].re, poles[i].im - poles[k].im};
            if (ib_complex_size(apart) < 1e-5) return IB_PLANT_RUNS_AWAY;
        }
    }
    return rest;
}

int ib_design_poles(const ib_Design *design, const ib_Complex **poles)
{
    *poles = design->delayed_count ? design->delayed_poles : design->poles;
    return design->delayed_count ? design->delayed_count : design->pole_count;
}

// ------------------------------------------------------------------------------------------ blocks

// The plant sampled at the controller's period.
static bool sample(const ib_AnalysisConfig *config, ib_Design *design,
                   ib_AnalysisRefusals *refusals)
{
    const ib_StateSpace *plant = &config->plant;
    ib_Error error;
    ib_AnalysisPart part = config->period > 0 ? IB_ANALYSIS_PLANT : IB_ANALYSIS_PERIOD;
    ib_Status status = IB_OK;
    if (plant->period == 0) {
        status = ib_discretise_by(plant, config->hold, config->prewarp, config->period,
                                  &design->plant, &error);
    } else {
        design->plant = *plant;
        status = ib_state_space_check(plant, &error);
        if (status == IB_OK && plant->period != config->period)
            status = ib_error_set(&error, IB_BAD_INPUT, "the plant has the period %g s, not %g s",
                                  plant->period, config->period);
    }
    if (status == IB_OK)
        status = ib_controllability_find(&design->plant, &design->controllability, &error);
    if (status == IB_OK)
        status = ib_eigenvalues(design->plant.states, design->plant.A, design->plant_poles, &error);
    if (status == IB_OK)
        status = ib_zeros_find(&design->plant, design->plant_zeros, &design->zero_count, &error);
    if (status != IB_OK) ib__analysis_refuse(refusals, part, &error);
    design->stable = status == IB_OK &&
                     ib_plant_rest(design->plant.states, design->plant_poles) == IB_PLANT_SETTLES;
    return status == IB_OK;
}

// u = F (r+ - A r), with the state weights of the feedback, or without weights if those leave an
// input free.
static void invert(const ib_AnalysisConfig *config, ib_Design *design,
                   ib_AnalysisRefusals *refusals)
{
    double W[IB_STATES_MAX * IB_STATES_MAX];
    ib_Error error;
    ib__analysis_state_weights(config, W);
    bool weighted = config->feedback == IB_ANALYSIS_BY_WEIGHTS;
    ib_Status status = ib_feedforward(&design->plant, weighted ? W : NULL, design->F, &error);
    if (status != IB_OK && weighted)
        status = ib_feedforward(&design->plant, NULL, design->F, &error);
    if (status != IB_OK) ib__analysis_refuse(refusals, IB_ANALYSIS_FEEDFORWARD, &error);
}

// The noise of one sample, with the drift of the input errors if they are estimated.
static ib_Status sample_noise(const ib_AnalysisConfig *config, ib_Design *design, ib_Error *error)
{
    const ib_StateSpace *plant = &config->plant;
    int n = plant->states, m = plant->inputs;
    double process[IB_STATES_MAX * IB_STATES_MAX];
    ib_StateSpace wide = *plant;
    ib_Status status = IB_OK;
    memcpy(process, config->process, sizeof process);
    if (config->input_error) {
        status = ib_augment_input_error(plant, &wide, error);
        if (status == IB_OK)
            status = ib_augment_noise(n, m, config->process, config->input_error_density, process,
                                      error);
    }
    if (status != IB_OK) return status;
    if (plant->period == 0) {
        status = ib_discretise_noise(&wide, process, config->measurement, config->period,
                                     design->Qd, design->Rd, error);
        if (status == IB_OK)
            status = ib_discretise(&wide, config->period, &design->estimator, error);
        return status;
    }
    design->estimator = wide;
    memcpy(design->Qd, process, sizeof design->Qd);
    memcpy(design->Rd, config->measurement, sizeof design->Rd);
    return IB_OK;
}

static void filter(const ib_AnalysisConfig *config, ib_Design *design,
                   ib_AnalysisRefusals *refusals)
{
    ib_KalmanGain gain = {0};
    ib_Error error;
    ib_Status status = sample_noise(config, design, &error);
    if (status == IB_OK)
        status = ib_kalman_gain(&design->estimator, design->Qd, design->Rd, &gain, &error);
    if (status != IB_OK) {
        ib__analysis_refuse(refusals, IB_ANALYSIS_KALMAN, &error);
        return;
    }
    design->kalman = true;
    memcpy(design->filter_gain, gain.M, sizeof gain.M);
    memcpy(design->predictor_gain, gain.L, sizeof gain.L);
    memcpy(design->covariance, gain.P, sizeof gain.P);
    memcpy(design->kalman_poles, gain.poles, sizeof gain.poles);
    design->filter_riccati = gain.riccati;
}

// Refuses feedback and filter with Tustin: its states are (I - h A) x - h B u, mixtures with an
// input that is still to be chosen. Their gains would be fed with x, and their noise is not that
// of x.
static bool check_hold(const ib_AnalysisConfig *config, ib_AnalysisRefusals *refusals)
{
    ib_Error error;
    bool sampled = config->plant.period != 0;
    bool loop = config->feedback != IB_ANALYSIS_NO_FEEDBACK || config->kalman;
    if (config->hold == IB_HOLD_ZERO_ORDER || (!sampled && !loop)) return true;
    if (sampled)
        ib_error_set(&error, IB_BAD_INPUT, "the plant is discrete already: expected no hold");
    else
        ib_error_set(&error, IB_BAD_INPUT,
                     "Tustin's states are mixtures with the input, which no sensor measures: "
                     "expected zero_order, or neither feedback nor kalman");
    ib__analysis_refuse(refusals, IB_ANALYSIS_HOLD, &error);
    return false;
}

// Checks that the point of operation leaves the inputs some room on both sides.
static void check_limits(const ib_AnalysisConfig *config, ib_AnalysisRefusals *refusals)
{
    ib_Error error;
    for (int i = 0; i < config->plant.inputs; i++) {
        double low = config->low[i], high = config->high[i], u0 = config->u0[i];
        if (low < high && low < u0 && u0 < high) continue;
        ib_error_set(&error, IB_BAD_INPUT,
                     "%s: expected limits around %.6g, which holds the plant at its operating "
                     "point; got %.6g to %.6g",
                     config->plant.input[i], u0, low, high);
        ib__analysis_refuse(refusals, IB_ANALYSIS_LIMITS, &error);
        return;
    }
}

// Refuses an integral with a filter: it comes to rest where the estimate is at its goal. Under a
// constant disturbance that the filter does not model the estimate is off, and so is the state.
static void check_integral(const ib_AnalysisConfig *config, ib_AnalysisRefusals *refusals)
{
    ib_Error error;
    if (!config->integrals || !config->kalman) return;
    ib_error_set(
        &error, IB_BAD_INPUT,
        "an integral of kalman's estimate keeps the estimate's error under a constant push: "
        "expected input_error, which estimates the push itself and compensates it");
    ib__analysis_refuse(refusals, IB_ANALYSIS_INTEGRAL, &error);
}

ib_Status ib_analysis_design(const ib_AnalysisConfig *config, ib_Design *design,
                             ib_AnalysisRefusals *refusals)
{
    memset(design, 0, sizeof *design);
    refusals->count = 0;
    memcpy(design->name, config->name, sizeof design->name);
    design->integrals = config->integrals;
    if (!check_hold(config, refusals)) return IB_BAD_INPUT;
    if (!sample(config, design, refusals)) return IB_BAD_INPUT;
    check_limits(config, refusals);
    check_integral(config, refusals);
    if (config->feedback != IB_ANALYSIS_NO_FEEDBACK)
        ib__analysis_regulate(config, design, refusals);
    if (design->feedback && config->feedforward) invert(config, design, refusals);
    if (config->kalman) filter(config, design, refusals);
    if (design->feedback)
        ib__analysis_judge(config, design, refusals);
    else
        ib_error_set(&design->unmargined, IB_BAD_INPUT, "there is no feedback");
    return refusals->count ? IB_BAD_INPUT : IB_OK;
}
