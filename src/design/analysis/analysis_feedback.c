// design/analysis/analysis_feedback.c: the feedback of a design, with integrals.
#include "base/extreme.h"
#include "design/analysis/analysis_inside.h"
#include "design/augment.h"
#include "design/delay.h"
#include "design/lqr.h"
#include "design/placement/placement.h"
#include "design/riccati/schur.h"

#include <math.h>
#include <string.h>

void ib__analysis_refuse(ib_AnalysisRefusals *refusals, ib_AnalysisPart part, const ib_Error *error)
{
    for (int i = 0; i < refusals->count; i++)
        if (refusals->part[i] == part) return;
    refusals->part[refusals->count] = part;
    refusals->error[refusals->count++] = *error;
}

// True if all poles are inside the unit circle.
static bool is_stable(int count, const ib_Complex *poles)
{
    for (int i = 0; i < count; i++)
        if (!(ib_complex_size(poles[i]) < 1)) return false;
    return true;
}

int ib__analysis_regulated(const ib_AnalysisConfig *config, int *states)
{
    int count = 0, n = config->plant.states;
    for (int i = 0; i < (config->over ? config->over : n); i++)
        states[count++] = config->over ? config->over_state[i] : i;
    for (int i = 0; i < config->integrals; i++) states[count++] = n + i;
    return count;
}

// The plant of the listed states alone. They must not depend on the others: A[listed, others] = 0.
static ib_Status take_part(const ib_StateSpace *plant, int count, const int *states,
                           ib_StateSpace *part, ib_Error *error)
{
    bool listed[IB_STATES_MAX] = {0};
    int n = plant->states, m = plant->inputs, p = plant->outputs;
    for (int i = 0; i < count; i++) listed[states[i]] = true;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < n; k++)
            if (!listed[k] && plant->A[states[i] * n + k] != 0)
                return ib_error_set(error, IB_BAD_INPUT,
                                    "'%s' depends on '%s', which is not fed back: expected states "
                                    "that are a plant of their own",
                                    plant->state[states[i]], plant->state[k]);
    *part = ib_state_space_default(count, m, p);
    part->period = plant->period;
    for (int i = 0; i < count; i++) {
        memcpy(part->state[i], plant->state[states[i]], sizeof part->state[i]);
        for (int k = 0; k < count; k++)
            part->A[i * count + k] = plant->A[states[i] * n + states[k]];
        for (int k = 0; k < m; k++) part->B[i * m + k] = plant->B[states[i] * m + k];
        for (int k = 0; k < p; k++) part->C[k * count + i] = plant->C[k * n + states[i]];
    }
    memcpy(part->D, plant->D, sizeof part->D);
    memcpy(part->input, plant->input, sizeof part->input);
    memcpy(part->output, plant->output, sizeof part->output);
    return IB_OK;
}

// Refuses uncontrollable modes: they make the loop unstable or, if they decay, as slow as they are.
static bool check_reach(const ib_AnalysisConfig *config, const ib_StateSpace *part,
                        ib_AnalysisRefusals *refusals)
{
    ib_Controllability controllability;
    ib_Error error;
    if (ib_controllability_find(part, &controllability, &error) != IB_OK) {
        ib__analysis_refuse(refusals, IB_ANALYSIS_PLANT, &error);
        return false;
    }
    bool enough = config->accept_uncontrollable && config->feedback == IB_ANALYSIS_BY_WEIGHTS;
    if (controllability.input.full || (enough && controllability.input.enough)) return true;
    bool offer = controllability.input.enough && config->feedback == IB_ANALYSIS_BY_WEIGHTS;
    ib_error_set(&error, IB_BAD_INPUT, "not controllable: %s%s", controllability.input.text,
                 offer ? "; it dies out by itself: check: {controllable: false} accepts it" : "");
    // If only the plant with integrals is uncontrollable, the integrals are at fault.
    ib_AnalysisPart blame = config->integrals ? IB_ANALYSIS_INTEGRAL : IB_ANALYSIS_PLANT;
    ib__analysis_refuse(refusals, blame, &error);
    return false;
}

// N, or NULL without cross weights: refusals then concern Q alone.
static const double *cross(const ib_AnalysisConfig *config)
{
    for (int i = 0; i < IB_STATES_MAX * IB_INPUTS_MAX; i++)
        if (config->N[i] != 0) return config->N;
    return NULL;
}

static ib_Status by_weights(const ib_AnalysisConfig *config, const ib_StateSpace *part,
                            ib_Design *design, double *K, ib_Error *error)
{
    ib_Lqr lqr = {0};
    ib_Status status = ib_lqr(part, config->Q, config->R, cross(config), &lqr, error);
    if (status != IB_OK) return status;
    memcpy(K, lqr.K, sizeof lqr.K);
    memcpy(design->poles, lqr.poles, sizeof lqr.poles);
    design->pole_count = lqr.pole_count;
    design->riccati = lqr.riccati;
    design->weighted = true;
    return IB_OK;
}

static ib_Status by_poles(const ib_AnalysisConfig *config, const ib_StateSpace *part,
                          ib_Design *design, double *K, ib_Error *error)
{
    ib_Placement placement = {0};
    if (config->pole_count != part->states)
        return ib_error_set(error, IB_BAD_INPUT, "expected %d poles, got %d", part->states,
                            config->pole_count);
    ib_Status status = ib_placement_solve(part, config->pole, &placement, error);
    if (status != IB_OK) return status;
    memcpy(K, placement.K, sizeof placement.K);
    memcpy(design->poles, placement.poles, sizeof placement.poles);
    design->pole_count = part->states;
    design->placement_accuracy = placement.accuracy;
    return IB_OK;
}

// Distributes the gain of the part to the plant's states (zero if not fed back) and integrals.
static void spread(const ib_AnalysisConfig *config, int count, const int *states,
                   const double *gain, double *K, double *G)
{
    int n = config->plant.states, m = config->plant.inputs, q = config->integrals;
    for (int i = 0; i < m; i++)
        for (int k = 0; k < count; k++) {
            double value = gain[i * count + k];
            if (states[k] < n) K[i * n + states[k]] = value;
            if (states[k] >= n) G[i * q + states[k] - n] = value;
        }
}

// [K G] for the states and integrals at the instant when the input takes effect.
static void compensate(const ib_AnalysisConfig *config, const ib_StateSpace *part,
                       const double *gain, const int *states, ib_Design *design,
                       ib_AnalysisRefusals *refusals)
{
    double compensated[IB_INPUTS_MAX * IB_STATES_MAX];
    ib_Error error;
    if (ib_delay_gain(part, gain, config->latency, compensated, NULL, &error) == IB_OK)
        spread(config, part->states, states, compensated, design->K, design->G);
    else
        ib__analysis_refuse(refusals, IB_ANALYSIS_LATENCY, &error);
}

void ib__analysis_regulate(const ib_AnalysisConfig *config, ib_Design *design,
                           ib_AnalysisRefusals *refusals)
{
    bool poles = config->feedback == IB_ANALYSIS_BY_POLES;
    ib_AnalysisPart part_name = poles ? IB_ANALYSIS_POLES : IB_ANALYSIS_LQR;
    double gain[IB_INPUTS_MAX * IB_STATES_MAX] = {0};
    int states[IB_STATES_MAX + IB_INTEGRALS_MAX], count = ib__analysis_regulated(config, states);
    ib_StateSpace wide = design->plant, part;
    ib_Error error;
    ib_Status status = IB_OK;
    if (config->integrals)
        status = ib_augment_integral(&design->plant, config->integrals, config->Z, &wide, &error);
    if (status != IB_OK) {
        ib__analysis_refuse(refusals, IB_ANALYSIS_INTEGRAL, &error);
        return;
    }
    status = take_part(&wide, count, states, &part, &error);
    if (status == IB_OK && !check_reach(config, &part, refusals)) return;
    if (status == IB_OK)
        status = poles ? by_poles(config, &part, design, gain, &error)
                       : by_weights(config, &part, design, gain, &error);
    if (status != IB_OK) {
        ib__analysis_refuse(refusals, part_name, &error);
        return;
    }
    spread(config, count, states, gain, design->uncompensated_K, design->uncompensated_G);
    spread(config, count, states, gain, design->K, design->G);
    design->feedback = true;
    design->stable = is_stable(design->pole_count, design->poles);
    if (config->latency > 0) compensate(config, &part, gain, states, design, refusals);
}

void ib__analysis_state_weights(const ib_AnalysisConfig *config, double *W)
{
    int states[IB_STATES_MAX + IB_INTEGRALS_MAX], count = ib__analysis_regulated(config, states);
    int n = config->plant.states;
    memset(W, 0, sizeof(double) * IB_STATES_MAX * IB_STATES_MAX);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++)
            if (states[i] < n && states[k] < n)
                W[states[i] * n + states[k]] = config->Q[i * count + k];
}

// ---------------------------------------------------------------------------------- second opinion

// |a - b| over |b|, by their largest elements.
static double difference(int count, const double *a, const double *b)
{
    double apart = 0, size = 0;
    for (int i = 0; i < count; i++) {
        apart = ib_max(apart, fabs(a[i] - b[i]));
        size = ib_max(size, fabs(b[i]));
    }
    return size > 0 ? apart / size : apart;
}

ib_Status ib_analysis_second_opinion(const ib_AnalysisConfig *config, const ib_Design *design,
                                     double *apart, ib_Error *error)
{
    int states[IB_STATES_MAX + IB_INTEGRALS_MAX], count = ib__analysis_regulated(config, states);
    ib_StateSpace wide = design->plant, part;
    ib_RiccatiAccuracy accuracy;
    double gain[IB_INPUTS_MAX * IB_STATES_MAX], other_K[IB_INPUTS_MAX * IB_STATES_MAX] = {0};
    double other_G[IB_INPUTS_MAX * IB_INTEGRALS_MAX] = {0};
    if (!design->weighted)
        return ib_error_set(error, IB_BAD_INPUT, "there are no weights, and no Riccati equation");
    ib_Status status = IB_OK;
    if (config->integrals)
        status = ib_augment_integral(&design->plant, config->integrals, config->Z, &wide, error);
    if (status == IB_OK) status = take_part(&wide, count, states, &part, error);
    if (status != IB_OK) return status;
    ib_Riccati problem = {.states = count,
                          .inputs = part.inputs,
                          .A = part.A,
                          .B = part.B,
                          .Q = config->Q,
                          .R = config->R,
                          .N = config->N};
    status = ib_dare_schur(&problem, NULL, gain, &accuracy, error);
    if (status != IB_OK) return status;
    spread(config, count, states, gain, other_K, other_G);
    int n = config->plant.states, m = config->plant.inputs;
    *apart = ib_max(difference(m * n, design->uncompensated_K, other_K),
                    difference(m * config->integrals, design->uncompensated_G, other_G));
    return IB_OK;
}
