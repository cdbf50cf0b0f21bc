#include "design/augment.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ----------------------------------------------------------------------------------------- growing

// Room for `extra` states behind the plant's own, all new elements zero. Packed rows become longer,
// so every row moves.
static ib_Status grow(const ib_StateSpace *plant, int extra, ib_StateSpace *grown, ib_Error *error)
{
    ib_Status status = ib_state_space_check(plant, error);
    if (status != IB_OK) return status;
    int n = plant->states, m = plant->inputs, p = plant->outputs, all = n + extra;
    if (all > IB_STATES_MAX)
        return ib_error_set(error, IB_BAD_INPUT, "%d states and %d more: %d are the most", n, extra,
                            IB_STATES_MAX);
    *grown = *plant;
    grown->states = all;
    memset(grown->A, 0, sizeof grown->A);
    memset(grown->B, 0, sizeof grown->B);
    memset(grown->C, 0, sizeof grown->C);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) grown->A[i * all + j] = plant->A[i * n + j];
    for (int i = 0; i < n * m; i++) grown->B[i] = plant->B[i];
    for (int i = 0; i < p; i++)
        for (int j = 0; j < n; j++) grown->C[i * all + j] = plant->C[i * n + j];
    return IB_OK;
}

// "integral_" and "x"; long names are cut, and ib_state_space_check finds duplicates.
static void join(const char *first, const char *second, char *name)
{
    int length = snprintf(name, IB_STATE_NAME + 1, "%s", first);
    if (length < IB_STATE_NAME)
        snprintf(name + length, (size_t)(IB_STATE_NAME + 1 - length), "%.*s",
                 IB_STATE_NAME - length, second);
}

// --------------------------------------------------------------------------------- integral action

// The name of integral k: that of the one state in its row, or its number if there are several.
// Returns their count.
static int name_integral(const ib_StateSpace *plant, const double *row, int k, char *name)
{
    char number[12];
    int count = 0, last = 0;
    for (int j = 0; j < plant->states; j++)
        if (row[j] != 0) count++, last = j;
    snprintf(number, sizeof number, "%d", k + 1);
    join("integral_", count == 1 ? plant->state[last] : number, name);
    return count;
}

ib_Status ib_augment_integral(const ib_StateSpace *plant, int integrals, const double *Z,
                              ib_StateSpace *augmented, ib_Error *error)
{
    IB_ASSERT(integrals >= 0 && plant != augmented);
    ib_Status status = grow(plant, integrals, augmented, error);
    if (status != IB_OK) return status;
    int n = plant->states, all = n + integrals;
    double step = plant->period > 0 ? plant->period : 1;
    for (int k = 0; k < integrals; k++) {
        const double *row = &Z[k * n];
        for (int j = 0; j < n; j++) {
            if (!isfinite(row[j]))
                return ib_error_set(error, IB_BAD_INPUT, "integral %d is not a number", k + 1);
            augmented->A[(n + k) * all + j] = step * row[j];
        }
        if (plant->period > 0) augmented->A[(n + k) * all + n + k] = 1;
        if (name_integral(plant, row, k, augmented->state[n + k]) == 0)
            return ib_error_set(error, IB_BAD_INPUT, "integral %d: its row is zero", k + 1);
    }
    return ib_state_space_check(augmented, error);
}

void ib_augment_split(int inputs, int states, int integrals, const double *both, double *K,
                      double *G)
{
    int all = states + integrals;
    for (int i = 0; i < inputs; i++) {
        for (int j = 0; j < states; j++) K[i * states + j] = both[i * all + j];
        for (int j = 0; j < integrals; j++) G[i * integrals + j] = both[i * all + states + j];
    }
}

// ------------------------------------------------------------------------------------- input error

ib_Status ib_augment_input_error(const ib_StateSpace *plant, ib_StateSpace *augmented,
                                 ib_Error *error)
{
    IB_ASSERT(plant != augmented);
    ib_Status status = grow(plant, plant->inputs, augmented, error);
    if (status != IB_OK) return status;
    int n = plant->states, m = plant->inputs, p = plant->outputs, all = n + m;
    for (int k = 0; k < m; k++) {
        for (int i = 0; i < n; i++) augmented->A[i * all + n + k] = plant->B[i * m + k];
        for (int i = 0; i < p; i++) augmented->C[i * all + n + k] = plant->D[i * m + k];
        if (plant->period > 0) augmented->A[(n + k) * all + n + k] = 1;
        join("error_", plant->input[k], augmented->state[n + k]);
    }
    return ib_state_space_check(augmented, error);
}

ib_Status ib_augment_noise(int states, int inputs, const double *Q, const double *density,
                           double *augmented, ib_Error *error)
{
    int all = states + inputs;
    for (int k = 0; k < inputs; k++)
        if (!(density[k] >= 0 && isfinite(density[k])))
            return ib_error_set(error, IB_BAD_INPUT,
                                "input error %d: expected a density of 0 or more, got %g", k + 1,
                                density[k]);
    for (int i = 0; i < all * all; i++) augmented[i] = 0;
    for (int i = 0; i < states; i++)
        for (int j = 0; j < states; j++) augmented[i * all + j] = Q[i * states + j];
    for (int k = 0; k < inputs; k++) augmented[(states + k) * all + states + k] = density[k];
    return IB_OK;
}

void ib_augment_gain(int inputs, int states, const double *K, double *augmented)
{
    int all = states + inputs;
    ib_augment_feedforward(inputs, states, K, augmented);
    for (int i = 0; i < inputs; i++) augmented[i * all + states + i] = 1;
}

void ib_augment_feedforward(int inputs, int states, const double *F, double *augmented)
{
    int all = states + inputs;
    for (int i = 0; i < inputs; i++) {
        for (int j = 0; j < states; j++) augmented[i * all + j] = F[i * states + j];
        for (int j = 0; j < inputs; j++) augmented[i * all + states + j] = 0;
    }
}
