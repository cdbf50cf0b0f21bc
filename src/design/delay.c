#include "design/delay.h"

#include "base/matrix.h"
#include "linear/discretise.h"
#include "linear/logarithm.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    STATES_SQUARED = IB_STATES_MAX * IB_STATES_MAX,
    MOST_PERIODS = 100,
};

// latency = (whole + part) period, 0 <= part < 1. A value within rounding of a whole number is one.
static ib_Status split(double latency, double period, int *whole, double *part, ib_Error *error)
{
    double ratio = latency / period, nearest = rint(ratio);
    if (!(ratio >= 0 && ratio <= MOST_PERIODS))
        return ib_error_set(error, IB_BAD_INPUT, "latency: expected 0 s to %g s, got %g s",
                            MOST_PERIODS * period, latency);
    if (fabs(ratio - nearest) <= 1e-9) ratio = nearest;
    *whole = (int)floor(ratio);
    *part = ratio - *whole;
    return IB_OK;
}

// -------------------------------------------------------------------------------------------- gain

// carry = A_f - B_f K: the state after a part of a period under the input -K x, from the continuous
// plant behind `plant`.
static ib_Status carry_held(const ib_StateSpace *plant, const double *K, double part, double *carry,
                            ib_Error *error)
{
    ib_StateSpace rate, moved;
    double fed[STATES_SQUARED];
    int n = plant->states;
    ib_Status status = ib_undiscretise(plant, IB_HOLD_ZERO_ORDER, 0, &rate, error);
    if (status == IB_OK) status = ib_discretise(&rate, part * plant->period, &moved, error);
    if (status != IB_OK) return status;
    ib_matrix_multiply(n, plant->inputs, n, moved.B, K, fed);
    ib_matrix_add(n, n, moved.A, -1, fed, carry);
    return IB_OK;
}

// carry = (A - B K)^part, or its substitute.
static ib_Status carry_part(const ib_StateSpace *plant, const double *K, const double *loop,
                            double part, double *carry, ib_DelayMethod *method, ib_Error *error)
{
    ib_Error why, why_not;
    *method = IB_DELAY_POWER;
    if (ib_matrix_power(plant->states, loop, part, carry, &why) == IB_OK) return IB_OK;
    *method = IB_DELAY_HELD;
    if (carry_held(plant, K, part, carry, &why_not) == IB_OK) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT,
                        "latency: no gain for a part of a period: in A - B K %s, and %s; whole "
                        "periods would do",
                        why.text, why_not.text);
}

ib_Status ib_delay_gain(const ib_StateSpace *plant, const double *K, double latency,
                        double *compensated, ib_DelayMethod *method, ib_Error *error)
{
    double loop[STATES_SQUARED], carry[STATES_SQUARED], gain[IB_INPUTS_MAX * IB_STATES_MAX];
    ib_DelayMethod used = IB_DELAY_WHOLE;
    int whole = 0;
    double part = 0;
    ib_Status status = ib_state_space_check(plant, error);
    if (status != IB_OK) return status;
    if (plant->period == 0) return ib_error_set(error, IB_BAD_INPUT, "the plant is continuous");
    status = split(latency, plant->period, &whole, &part, error);
    if (status != IB_OK) return status;
    int n = plant->states, m = plant->inputs;
    ib_matrix_multiply(n, m, n, plant->B, K, carry);
    ib_matrix_add(n, n, plant->A, -1, carry, loop);

    // The part comes first, then whole periods: K (A - B K)^whole carry.
    ib_matrix_identity(n, carry);
    if (part > 0) status = carry_part(plant, K, loop, part, carry, &used, error);
    if (status != IB_OK) return status;
    memcpy(gain, K, (size_t)(m * n) * sizeof *gain);
    for (int k = 0; k < whole; k++) {
        ib_matrix_multiply(m, n, n, gain, loop, compensated);
        memcpy(gain, compensated, (size_t)(m * n) * sizeof *gain);
    }
    ib_matrix_multiply(m, n, n, gain, carry, compensated);
    if (method) *method = used;
    if (isfinite(ib_matrix_norm(m, n, compensated))) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT, "latency: its gain is too large (is A - B K stable?)");
}

// ------------------------------------------------------------------------------------------- plant

// The sampled plant, and B_new and B_old (states x inputs). A period with the old and then the new
// input is two shorter ones in a row.
static ib_Status split_inputs(const ib_StateSpace *plant, double period, double part,
                              ib_StateSpace *sampled, double *B_new, double *B_old, ib_Error *error)
{
    ib_StateSpace rate = *plant, early, late;
    ib_Status status = IB_OK;
    int n = plant->states, m = plant->inputs;
    size_t bytes = (size_t)(n * m) * sizeof *B_new;
    *sampled = *plant;
    if (plant->period == 0) status = ib_discretise(plant, period, sampled, error);
    if (status != IB_OK) return status;
    memcpy(B_new, sampled->B, bytes);
    memset(B_old, 0, bytes);
    if (part == 0) return IB_OK;
    if (plant->period > 0) status = ib_undiscretise(plant, IB_HOLD_ZERO_ORDER, 0, &rate, error);
    if (status == IB_OK) status = ib_discretise(&rate, part * period, &early, error);
    if (status == IB_OK) status = ib_discretise(&rate, (1 - part) * period, &late, error);
    if (status != IB_OK) return status;
    memcpy(B_new, late.B, bytes);
    ib_matrix_multiply(n, n, m, late.A, early.B, B_old);
    return IB_OK;
}

// Adds the effect of the inputs from `age` periods ago: B on the states and D on the outputs.
// Present ones are inputs, older ones are states.
static void connect(ib_StateSpace *delayed, int n, int age, const double *B, const double *D)
{
    int m = delayed->inputs, all = delayed->states;
    for (int j = 0; j < m; j++) {
        int at = n + (age - 1) * m + j;
        for (int i = 0; B && i < n; i++) {
            double *cell = age ? &delayed->A[i * all + at] : &delayed->B[i * m + j];
            *cell += B[i * m + j];
        }
        for (int i = 0; D && i < delayed->outputs; i++) {
            double *cell = age ? &delayed->C[i * all + at] : &delayed->D[i * m + j];
            *cell += D[i * m + j];
        }
    }
}

// "volts_2_ago". A long name is cut in the input, not in the age.
static void name_age(const char *input, int age, char *name)
{
    char ago[16];
    int length = snprintf(ago, sizeof ago, "_%d_ago", age % 1000);
    snprintf(name, IB_STATE_NAME + 1, "%.*s%.9s", IB_STATE_NAME - length, input, ago);
}

// Copies the plant's matrices into a larger one, with the queue of inputs behind, each of which
// moves on by one place.
static void lay_out(const ib_StateSpace *sampled, int ages, ib_StateSpace *delayed)
{
    int n = sampled->states, m = sampled->inputs, all = n + ages * m;
    *delayed = *sampled;
    delayed->states = all;
    memset(delayed->A, 0, sizeof delayed->A);
    memset(delayed->B, 0, sizeof delayed->B);
    memset(delayed->C, 0, sizeof delayed->C);
    memset(delayed->D, 0, sizeof delayed->D);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) delayed->A[i * all + j] = sampled->A[i * n + j];
    for (int i = 0; i < delayed->outputs; i++)
        for (int j = 0; j < n; j++) delayed->C[i * all + j] = sampled->C[i * n + j];
    for (int i = 0; i < ages * m; i++) {
        if (i < m)
            delayed->B[(n + i) * m + i] = 1;
        else
            delayed->A[(n + i) * all + n + i - m] = 1;
        name_age(sampled->input[i % m], i / m + 1, delayed->state[n + i]);
    }
}

// Checks that the plant has this period or none; finds the latency in periods.
static ib_Status check_times(const ib_StateSpace *plant, double period, double latency, int *whole,
                             double *part, ib_Error *error)
{
    ib_Status status = ib_state_space_check(plant, error);
    if (status != IB_OK) return status;
    if (!(period > 0 && isfinite(period)) || (plant->period > 0 && plant->period != period))
        return ib_error_set(error, IB_BAD_INPUT, "period: %g s is not the plant's", period);
    return split(latency, period, whole, part, error);
}

ib_Status ib_delay_inputs(const ib_StateSpace *plant, double period, double latency,
                          ib_DelayedInputs *inputs, ib_Error *error)
{
    ib_StateSpace sampled;
    double part = 0;
    ib_Status status = check_times(plant, period, latency, &inputs->whole, &part, error);
    inputs->part = part > 0;
    if (status != IB_OK) return status;
    return split_inputs(plant, period, part, &sampled, inputs->B_new, inputs->B_old, error);
}

ib_Status ib_delay_plant(const ib_StateSpace *plant, double period, double latency,
                         ib_StateSpace *delayed, ib_Error *error)
{
    double B_new[IB_STATES_MAX * IB_INPUTS_MAX], B_old[IB_STATES_MAX * IB_INPUTS_MAX], part = 0;
    ib_StateSpace sampled;
    int whole = 0;
    IB_ASSERT(plant != delayed);
    ib_Status status = check_times(plant, period, latency, &whole, &part, error);
    if (status != IB_OK) return status;
    int n = plant->states, ages = whole + (part > 0);
    if (n + ages * plant->inputs > IB_STATES_MAX)
        return ib_error_set(error, IB_BAD_INPUT,
                            "latency: %d states and %d inputs on their way: %d together are the "
                            "most",
                            n, ages * plant->inputs, IB_STATES_MAX);
    status = split_inputs(plant, period, part, &sampled, B_new, B_old, error);
    if (status != IB_OK) return status;
    lay_out(&sampled, ages, delayed);
    // At the sample itself the plant has the oldest input.
    connect(delayed, n, ages, NULL, sampled.D);
    connect(delayed, n, whole, B_new, NULL);
    if (part > 0) connect(delayed, n, whole + 1, B_old, NULL);
    return ib_state_space_check(delayed, error);
}

// --------------------------------------------------------------------------------------- predictor

// until = the first rows of A^whole of the delayed plant: the state after whole periods, during
// which only inputs on their way take effect. n x all.
static void look_ahead(const ib_StateSpace *delayed, int n, int whole, double *until)
{
    double next[STATES_SQUARED];
    int all = delayed->states;
    for (int i = 0; i < n * all; i++) until[i] = i / all == i % all ? 1 : 0;
    for (int k = 0; k < whole; k++) {
        ib_matrix_multiply(n, all, all, until, delayed->A, next);
        memcpy(until, next, (size_t)(n * all) * sizeof *until);
    }
}

// P = A_f until + B_f [the youngest input on its way]: the state at the moment at which the input
// of now takes effect. n x all.
static ib_Status look_part(const ib_StateSpace *plant, double time, int all, double *until,
                           ib_Error *error)
{
    ib_StateSpace rate = *plant, moved;
    double next[STATES_SQUARED];
    int n = plant->states, m = plant->inputs;
    ib_Status status = IB_OK;
    if (plant->period > 0) status = ib_undiscretise(plant, IB_HOLD_ZERO_ORDER, 0, &rate, error);
    if (status == IB_OK) status = ib_discretise(&rate, time, &moved, error);
    if (status != IB_OK) return status;
    ib_matrix_multiply(n, n, all, moved.A, until, next);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) next[i * all + n + j] += moved.B[i * m + j];
    memcpy(until, next, (size_t)(n * all) * sizeof *until);
    return IB_OK;
}

ib_Status ib_delay_predictor(const ib_StateSpace *plant, double period, double latency,
                             const double *K, double *gain, ib_Error *error)
{
    ib_StateSpace delayed;
    double until[STATES_SQUARED], part = 0;
    int whole = 0, n = plant->states;
    ib_Status status = ib_delay_plant(plant, period, latency, &delayed, error);
    if (status == IB_OK) status = split(latency, period, &whole, &part, error);
    if (status != IB_OK) return status;
    look_ahead(&delayed, n, whole, until);
    if (part > 0) status = look_part(plant, part * period, delayed.states, until, error);
    if (status != IB_OK) return status;
    ib_matrix_multiply(plant->inputs, n, delayed.states, K, until, gain);
    return IB_OK;
}
