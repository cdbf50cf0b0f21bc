// design/analysis/analysis_margins.c: a designed loop judged as it runs:
// with its observer and its latency.
#include "design/analysis/analysis_inside.h"
#include "design/delay.h"

#include <string.h>

// Rows of a matrix that are fed back.
static void pick_rows(int count, const int *states, int columns, const double *from, double *to)
{
    for (int i = 0; i < count; i++)
        memcpy(to + i * columns, from + states[i] * columns, (size_t)columns * sizeof *to);
}

static void pick_columns(int rows, int columns, int count, const int *states, const double *from,
                         double *to)
{
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < count; k++) to[i * count + k] = from[i * columns + states[k]];
}

// The filter's own states are the plant's, all of them, and then the input errors.
static void add_filter(const ib_Design *design, const ib_LoopGear *gear, const double *Z,
                       const ib_DelayedInputs *late, ib__LoopParts *parts)
{
    size_t rows = (size_t)(design->plant.states * design->plant.inputs);
    parts->observer = &gear->plant;
    parts->M = gear->M;
    memcpy(parts->wide_K, gear->K, sizeof parts->wide_K);
    memcpy(parts->wide_Z, Z, sizeof parts->wide_Z);
    memcpy(parts->wide_new, late->B_new, rows * sizeof *late->B_new);
    memcpy(parts->wide_old, late->B_old, rows * sizeof *late->B_old);
}

// Without latency the inputs are those of the sampled plant itself.
static ib_Status delay_inputs(const ib_AnalysisConfig *config, const ib_Design *design,
                              ib_DelayedInputs *late, ib_Error *error)
{
    memset(late, 0, sizeof *late);
    memcpy(late->B_new, design->plant.B, sizeof late->B_new);
    if (!(config->latency > 0)) return IB_OK;
    return ib_delay_inputs(&config->plant, config->period, config->latency, late, error);
}

ib_Status ib__analysis_open(const ib_AnalysisConfig *config, const ib_Design *design,
                            ib__OpenLoop *open, ib_Error *error)
{
    const ib_StateSpace *plant = &design->plant;
    const ib_Design *const designs[] = {design};
    int states[IB_STATES_MAX + IB_INTEGRALS_MAX], n = plant->states, m = plant->inputs;
    int count = ib__analysis_regulated(config, states) - config->integrals;
    ib_DelayedInputs late;
    ib_Loop loop;
    double A[IB_STATES_MAX * IB_STATES_MAX];
    ib_Status status = ib_analysis_loop("loop", 1, &config, designs, &loop, error);
    if (status == IB_OK) status = delay_inputs(config, design, &late, error);
    if (status != IB_OK) return status;
    ib__LoopParts parts = {.inputs = m,
                           .integrals = config->integrals,
                           .period = config->period,
                           .states = count,
                           .whole = late.whole,
                           .part = late.part};
    pick_rows(count, states, n, plant->A, A);
    pick_columns(count, n, count, states, A, parts.A);
    pick_rows(count, states, m, late.B_new, parts.B_new);
    pick_rows(count, states, m, late.B_old, parts.B_old);
    pick_columns(m, n, count, states, design->K, parts.K);
    pick_columns(config->integrals, n, count, states, config->Z, parts.Z);
    memcpy(parts.G, design->G, sizeof parts.G);
    if (design->kalman) add_filter(design, &loop.gear[0], loop.Z, &late, &parts);
    return ib__open_parts(&parts, open, error);
}

// ----------------------------------------------------------------------------------------- judging

static void find_margins(const ib__OpenLoop *open, ib_Design *design)
{
    design->margined = ib__margins_find(open, &design->margins, &design->unmargined) == IB_OK;
    if (!design->margined || design->margins.stable == design->stable) return;
    if (!design->stable) { // for what is not fed back
        memset(&design->margins, 0, sizeof design->margins);
        design->margins.inputs = design->plant.inputs;
        return;
    }
    design->margined = false;
    ib_error_set(&design->unmargined, IB_FAILED, "a pole is within rounding of the unit circle");
}

void ib__analysis_judge(const ib_AnalysisConfig *config, ib_Design *design,
                        ib_AnalysisRefusals *refusals)
{
    ib__OpenLoop open;
    ib_Error error;
    bool late = config->latency > 0;
    if (late) design->stable = false; // until it is shown
    if (refusals->count) return;
    ib_Status status = ib__analysis_open(config, design, &open, &error);
    if (status == IB_OK && late) {
        status = ib__open_poles(&open, design->delayed_poles, &design->stable, &error);
        design->delayed_count = open.states;
    }
    if (status != IB_OK) {
        ib__analysis_refuse(refusals, late ? IB_ANALYSIS_LATENCY : IB_ANALYSIS_PLANT, &error);
        return;
    }
    if (!ib__analysis_leave_out(config, design)) design->stable = false;
    find_margins(&open, design);
}
