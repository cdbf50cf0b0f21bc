#include "linear/state_space.h"

#include "base/quote.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void name_all(char names[][IB_STATE_NAME + 1], int count, char letter)
{
    for (int i = 0; i < count; i++) snprintf(names[i], sizeof names[i], "%c%d", letter, i + 1);
}

ib_StateSpace ib_state_space_default(int states, int inputs, int outputs)
{
    ib_StateSpace plant = {.states = states, .inputs = inputs, .outputs = outputs};
    IB_ASSERT(states >= 1 && states <= IB_STATES_MAX && inputs >= 0 && inputs <= IB_INPUTS_MAX);
    IB_ASSERT(outputs >= 0 && outputs <= IB_OUTPUTS_MAX);
    name_all(plant.state, states, 'x');
    name_all(plant.input, inputs, 'u');
    name_all(plant.output, outputs, 'y');
    return plant;
}

static ib_Status check_size(const char *what, int count, int least, int most, ib_Error *error)
{
    if (count >= least && count <= most) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT, "%d %s: expected %d to %d", count, what, least, most);
}

static ib_Status check_matrix(const char *name, const double *a, int rows, int columns,
                              ib_Error *error)
{
    for (int i = 0; i < rows * columns; i++)
        if (!isfinite(a[i]))
            return ib_error_set(error, IB_BAD_INPUT, "%s: row %d, column %d is not a number", name,
                                i / columns + 1, i % columns + 1);
    return IB_OK;
}

static ib_Status check_names(const char *what, const char names[][IB_STATE_NAME + 1], int count,
                             ib_Error *error)
{
    for (int i = 0; i < count; i++) {
        if (!names[i][0])
            return ib_error_set(error, IB_BAD_INPUT, "%s: number %d has no name", what, i + 1);
        for (int k = 0; k < i; k++)
            if (strcmp(names[i], names[k]) == 0)
                return ib_error_set(error, IB_BAD_INPUT, "%s: '%s' is there twice", what,
                                    ib_quote(names[i]).text);
    }
    return IB_OK;
}

ib_Status ib_state_space_check(const ib_StateSpace *plant, ib_Error *error)
{
    int n = plant->states, m = plant->inputs, p = plant->outputs;
    ib_Status status = check_size("states", n, 1, IB_STATES_MAX, error);
    if (status == IB_OK) status = check_size("inputs", m, 0, IB_INPUTS_MAX, error);
    if (status == IB_OK) status = check_size("outputs", p, 0, IB_OUTPUTS_MAX, error);
    if (status == IB_OK) status = check_matrix("A", plant->A, n, n, error);
    if (status == IB_OK) status = check_matrix("B", plant->B, n, m, error);
    if (status == IB_OK) status = check_matrix("C", plant->C, p, n, error);
    if (status == IB_OK) status = check_matrix("D", plant->D, p, m, error);
    if (status == IB_OK) status = check_names("states", plant->state, n, error);
    if (status == IB_OK) status = check_names("inputs", plant->input, m, error);
    if (status == IB_OK) status = check_names("outputs", plant->output, p, error);
    if (status == IB_OK && !(plant->period >= 0 && isfinite(plant->period)))
        status = ib_error_set(error, IB_BAD_INPUT, "period: expected 0 s (continuous) or more");
    return status;
}
