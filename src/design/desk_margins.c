// design/desk_margins.c: what a designed loop can stand, with its observer.
#include "design/desk_parts.h"

#include <string.h>

// Over some of the states only: the others, such as positions, would never settle.
ib_Status ib__desk_open_part(const ib_DeskConfig *config, const ib_Design *design,
                             ib_StateSpace *part, double *K, ib_Error *error)
{
    int states[IB_STATES_MAX + IB_INTEGRALS_MAX], count = ib__desk_regulated(config, states);
    int n = design->plant.states, m = design->plant.inputs;
    if (config->integrals)
        return ib_error_set(error, IB_BAD_INPUT,
                            "no margins of a loop over some states with "
                            "integrals");
    ib_Status status = ib__desk_part(&design->plant, count, states, part, error);
    if (status != IB_OK) return status;
    for (int i = 0; i < m; i++)
        for (int k = 0; k < count; k++) K[i * count + k] = design->K[i * n + states[k]];
    return IB_OK;
}

// The loop cut at the plant's inputs v, with input errors among the states of the filter, which the
// plant does not have. What comes back is K x^c, x^c the corrected estimate:
//   x+ = A x + B v,   x^c = (I - M Ce) x^ + M C x,   x^+ = (Ae - Be Ke) x^c
// Ae, Be, Ce, Ke with the errors. The filter knows its own output, not v. Only for D = 0.
ib_Status ib__desk_open_wide(const ib_Design *design, const ib_LoopGear *gear, ib_StateSpace *open,
                             ib_Error *error)
{
    const ib_StateSpace *plant = &design->plant, *wide = &gear->plant;
    int n = plant->states, m = plant->inputs, p = plant->outputs, e = wide->states, all = n + e;
    for (int i = 0; i < p * m; i++)
        if (plant->D[i] != 0)
            return ib_error_set(error, IB_BAD_INPUT, "the inputs reach the outputs at once");
    if (all > IB_STATES_MAX) return ib_error_set(error, IB_BAD_INPUT, "too many states");
    *open = ib_state_space_default(all, m, m);
    open->period = plant->period;
    for (int i = 0; i < n; i++) {
        memcpy(open->A + i * all, plant->A + i * n, sizeof(double) * (size_t)n);
        memcpy(open->B + i * m, plant->B + i * m, sizeof(double) * (size_t)m);
    }
    // corrected = [M C, I - M Ce], e x (n + e)
    double corrected[IB_STATES_MAX * IB_STATES_MAX] = {0}, closed[IB_STATES_MAX * IB_STATES_MAX];
    for (int i = 0; i < e; i++) {
        corrected[i * all + n + i] = 1;
        for (int k = 0; k < p; k++) {
            double M = gear->M[i * p + k];
            for (int j = 0; j < n; j++) corrected[i * all + j] += M * plant->C[k * n + j];
            for (int j = 0; j < e; j++) corrected[i * all + n + j] -= M * wide->C[k * e + j];
        }
    }
    ib_matrix_multiply(e, m, e, wide->B, gear->K, closed);
    ib_matrix_add(e, e, wide->A, -1, closed, closed);
    ib_matrix_multiply(e, e, all, closed, corrected, open->A + n * all);
    ib_matrix_multiply(m, e, all, gear->K, corrected, open->C);
    return IB_OK;
}

void ib__desk_margins(const ib_DeskConfig *config, ib_Design *design)
{
    ib_Loop loop;
    ib_StateSpace open;
    ib_Error error;
    double K[IB_INPUTS_MAX * IB_STATES_MAX];
    ib_Status status;
    if (config->over) {
        status = ib__desk_open_part(config, design, &open, K, &error);
        if (status == IB_OK) status = ib_margins_feedback(&open, K, &design->margins, &error);
        design->margined = status == IB_OK;
        return;
    }
    const ib_Design *const designs[] = {design};
    status = ib_desk_loop("loop", 1, &config, designs, &loop, &error);
    if (status == IB_OK && config->input_error) {
        status = ib__desk_open_wide(design, &loop.gear[0], &open, &error);
        if (status == IB_OK) status = ib_margins_open(&open, &design->margins, &error);
    } else if (status == IB_OK) {
        status = ib_margins_loop(&loop, 0, &design->margins, &error);
    }
    design->margined = status == IB_OK;
}
