// design/analysis/analysis_margins.c: stability and margins of a designed loop, with its observer
// and latency.
#include "design/analysis/analysis_inside.h"

#include <string.h>

static void pick_columns(int rows, int columns, int count, const int *states, const double *from,
                         double *to)
{
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < count; k++) to[i * count + k] = from[i * columns + states[k]];
}

ib_Status ib__analysis_parts(const ib_AnalysisConfig *config, const ib_Design *design,
                             ib_Loop *loop, ib__LoopParts *parts, ib_Error *error)
{
    const ib_StateSpace *plant = &design->plant;
    const ib_Design *const designs[] = {design};
    int states[IB_STATES_MAX + IB_INTEGRALS_MAX], n = plant->states, m = plant->inputs;
    int count = ib__analysis_regulated(config, states) - config->integrals;
    double A[IB_STATES_MAX * IB_STATES_MAX];
    ib_Status status = ib_analysis_loop("loop", 1, &config, designs, loop, error);
    if (status != IB_OK) return status;
    *parts = (ib__LoopParts){.inputs = m,
                             .integrals = config->integrals,
                             .period = config->period,
                             .plant = &config->plant,
                             .latency = config->latency,
                             .states = count};
    for (int i = 0; i < count; i++) {
        parts->pick[i * n + states[i]] = 1;
        memcpy(A + i * n, plant->A + states[i] * n, (size_t)n * sizeof *A);
    }
    pick_columns(count, n, count, states, A, parts->A);
    pick_columns(m, n, count, states, design->K, parts->K);
    pick_columns(config->integrals, n, count, states, config->Z, parts->Z);
    memcpy(parts->G, design->G, sizeof parts->G);
    if (!design->kalman) return IB_OK;
    // The filter's states are all of the plant's and then the input errors.
    const ib_LoopGear *gear = &loop->gear[0];
    parts->observer = &gear->plant;
    parts->M = gear->M;
    memcpy(parts->wide_K, gear->K, sizeof parts->wide_K);
    memcpy(parts->wide_Z, loop->Z, sizeof parts->wide_Z);
    return IB_OK;
}

ib_Status ib__analysis_open(const ib_AnalysisConfig *config, const ib_Design *design,
                            ib__OpenLoop *open, ib_Error *error)
{
    ib_Loop loop;
    ib__LoopParts parts;
    ib_Status status = ib__analysis_parts(config, design, &loop, &parts, error);
    return status == IB_OK ? ib__open_parts(&parts, open, error) : status;
}

// ----------------------------------------------------------------------------------------- judging

static void find_margins(const ib__OpenLoop *open, const ib__LoopParts *parts, ib_Design *design)
{
    design->margined =
        ib__margins_find(open, parts, &design->margins, &design->unmargined) == IB_OK;
    if (!design->margined || design->margins.stable == design->stable) return;
    if (!design->stable) { // because of states not fed back
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
    ib__LoopParts parts;
    ib_Loop loop;
    ib_Error error;
    bool late = config->latency > 0;
    if (late) design->stable = false; // until proven
    if (refusals->count) return;
    ib_Status status = ib__analysis_parts(config, design, &loop, &parts, &error);
    if (status == IB_OK) status = ib__open_parts(&parts, &open, &error);
    if (status == IB_OK && late) {
        status = ib__open_poles(&open, design->delayed_poles, &design->stable, &error);
        design->delayed_count = open.states;
    }
    if (status != IB_OK) {
        ib__analysis_refuse(refusals, late ? IB_ANALYSIS_LATENCY : IB_ANALYSIS_PLANT, &error);
        return;
    }
    if (!ib__analysis_leave_out(config, design)) design->stable = false;
    if (config->unmargined)
        ib_error_set(&design->unmargined, IB_BAD_INPUT, "they were not asked for");
    else
        find_margins(&open, &parts, design);
}
