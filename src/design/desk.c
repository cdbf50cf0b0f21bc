#include "design/desk.h"

#include "base/maths.h"
#include "design/augment.h"
#include "design/delay.h"
#include "design/desk_parts.h"
#include "design/discretise.h"
#include "design/feedforward.h"
#include "design/kalman_gain.h"

#include <math.h>
#include <string.h>

ib_DeskConfig ib_desk_default(const ib_StateSpace *plant, double period)
{
    ib_DeskConfig config = {.plant = *plant, .period = period};
    for (int i = 0; i < IB_INPUTS_MAX; i++) {
        config.low[i] = -INFINITY;
        config.high[i] = INFINITY;
    }
    return config;
}

// ------------------------------------------------------------------------------------------- poles

// s = ln(z) / T:   ln z = ln |z| + i arg z
ib_PoleShape ib_pole_shape(ib_Complex z, double period)
{
    double size = ib_complex_size(z);
    if (size == 0) return (ib_PoleShape){INFINITY, 1, 0};
    ib_Complex s = {ib_log(size) / period, ib_atan2(z.im, z.re) / period};
    double frequency = ib_complex_size(s);
    return (ib_PoleShape){
        .frequency = frequency,
        .damping = frequency > 0 ? -s.re / frequency : NAN,
        .settling = s.re < 0 ? ib_log(0.02) / s.re : INFINITY,
    };
}

bool ib__desk_is_stable(int count, const ib_Complex *poles)
{
    for (int i = 0; i < count; i++)
        if (!(ib_complex_size(poles[i]) < 1)) return false;
    return true;
}

ib_Status ib__desk_closed_poles(const ib_StateSpace *plant, const double *K, ib_Complex *poles,
                                ib_Error *error)
{
    int n = plant->states, m = plant->inputs;
    double closed[IB_STATES_MAX * IB_STATES_MAX];
    ib_matrix_multiply(n, m, n, plant->B, K, closed);
    ib_matrix_add(n, n, plant->A, -1, closed, closed);
    return ib_eigenvalues(n, closed, poles, error);
}

// ---------------------------------------------------------------------------------------- refusals

void ib__desk_refuse(ib_DeskRefusals *refusals, ib_DeskPart part, const ib_Error *error)
{
    for (int i = 0; i < refusals->count; i++)
        if (refusals->part[i] == part) return;
    refusals->part[refusals->count] = part;
    refusals->error[refusals->count++] = *error;
}

// ----------------------------------------------------------------------------------------- blocks

// The plant as the sampled controller sees it.
static bool sample(const ib_DeskConfig *config, ib_Design *design, ib_DeskRefusals *refusals)
{
    const ib_StateSpace *plant = &config->plant;
    ib_Error error;
    ib_DeskPart part = config->period > 0 ? IB_DESK_PLANT : IB_DESK_PERIOD;
    ib_Status status = IB_OK;
    if (plant->period == 0) {
        status = ib_discretise(plant, config->period, &design->plant, &error);
    } else {
        design->plant = *plant;
        status = ib_state_space_check(plant, &error);
        if (status == IB_OK && plant->period != config->period)
            status = ib_error_set(&error, IB_BAD_INPUT, "the plant has the period %g s, not %g s",
                                  plant->period, config->period);
    }
    if (status == IB_OK) status = ib_reach_find(&design->plant, &design->reach, &error);
    if (status == IB_OK)
        status = ib_eigenvalues(design->plant.states, design->plant.A, design->plant_poles, &error);
    if (status != IB_OK) ib__desk_refuse(refusals, part, &error);
    design->stable = design->reach.stable;
    return status == IB_OK;
}

// u = F (r+ - A r), weighed as the feedback weighs the states; by itself where those weights leave
// an input free.
static void invert(const ib_DeskConfig *config, ib_Design *design, ib_DeskRefusals *refusals)
{
    double W[IB_STATES_MAX * IB_STATES_MAX];
    ib_Error error;
    ib__desk_state_weights(config, W);
    bool weighted = config->feedback == IB_DESK_BY_WEIGHTS;
    ib_Status status = ib_feedforward(&design->plant, weighted ? W : NULL, design->F, &error);
    if (status != IB_OK && weighted)
        status = ib_feedforward(&design->plant, NULL, design->F, &error);
    if (status != IB_OK) ib__desk_refuse(refusals, IB_DESK_FEEDFORWARD, &error);
}

// The gain for a known latency, and the poles that the loop then really has.
static void compensate(const ib_DeskConfig *config, ib_Design *design, ib_DeskRefusals *refusals)
{
    const ib_StateSpace *plant = &design->plant;
    int n = plant->states, m = plant->inputs;
    ib_StateSpace delayed;
    ib_Error error;
    double K[IB_INPUTS_MAX * IB_STATES_MAX] = {0};
    ib_Status status =
        ib_delay_gain(plant, design->uncompensated_K, config->latency, design->K, NULL, &error);
    if (status != IB_OK) {
        ib__desk_refuse(refusals, IB_DESK_LATENCY, &error);
        return;
    }
    // Integrals would be states of that loop as well: its poles are told without them only.
    if (design->integrals || config->over) return;
    status = ib_delay_plant(&config->plant, config->period, config->latency, &delayed, &error);
    if (status != IB_OK) return;
    for (int i = 0; i < m; i++)
        memcpy(K + i * delayed.states, design->K + i * n, sizeof(double) * (size_t)n);
    if (ib__desk_closed_poles(&delayed, K, design->delayed_poles, &error) != IB_OK) return;
    design->delayed_count = delayed.states;
    design->stable = ib__desk_is_stable(delayed.states, design->delayed_poles);
}

// The noise of one sample, with the wandering of the input errors where they are estimated.
static ib_Status sample_noise(const ib_DeskConfig *config, ib_Design *design, ib_Error *error)
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

static void filter(const ib_DeskConfig *config, ib_Design *design, ib_DeskRefusals *refusals)
{
    ib_KalmanGain gain = {0};
    ib_Error error;
    ib_Status status = sample_noise(config, design, &error);
    if (status == IB_OK)
        status = ib_kalman_gain(&design->estimator, design->Qd, design->Rd, &gain, &error);
    if (status != IB_OK) {
        ib__desk_refuse(refusals, IB_DESK_KALMAN, &error);
        return;
    }
    design->kalman = true;
    memcpy(design->filter_gain, gain.M, sizeof gain.M);
    memcpy(design->predictor_gain, gain.L, sizeof gain.L);
    memcpy(design->covariance, gain.P, sizeof gain.P);
    memcpy(design->kalman_poles, gain.poles, sizeof gain.poles);
    design->filter_riccati = gain.riccati;
}

// The point of operation must leave the inputs some room on both sides.
static void check_limits(const ib_DeskConfig *config, ib_DeskRefusals *refusals)
{
    ib_Error error;
    for (int i = 0; i < config->plant.inputs; i++) {
        double low = config->low[i], high = config->high[i], u0 = config->u0[i];
        if (low < high && low < u0 && u0 < high) continue;
        ib_error_set(&error, IB_BAD_INPUT,
                     "%s: expected limits around %.6g, which holds the plant at its operating "
                     "point; got %.6g to %.6g",
                     config->plant.input[i], u0, low, high);
        ib__desk_refuse(refusals, IB_DESK_LIMITS, &error);
        return;
    }
}

ib_Status ib_desk_design(const ib_DeskConfig *config, ib_Design *design, ib_DeskRefusals *refusals)
{
    memset(design, 0, sizeof *design);
    refusals->count = 0;
    memcpy(design->name, config->name, sizeof design->name);
    design->integrals = config->integrals;
    if (!sample(config, design, refusals)) return IB_BAD_INPUT;
    check_limits(config, refusals);
    if (config->feedback != IB_DESK_NO_FEEDBACK) ib__desk_regulate(config, design, refusals);
    if (design->feedback && config->feedforward) invert(config, design, refusals);
    if (design->feedback && config->latency > 0) compensate(config, design, refusals);
    if (config->kalman) filter(config, design, refusals);
    if (design->feedback && refusals->count == 0) ib__desk_margins(config, design);
    return refusals->count ? IB_BAD_INPUT : IB_OK;
}
