// design/analysis/analysis_loop.c: designs as one executable loop: the gears of a table.
#include "base/maths.h"
#include "design/analysis/analysis_inside.h"
#include "design/augment.h"
#include "linear/discretise.h"

#include <stdio.h>
#include <string.h>

// Half-life of the difference after a change of gear [s].
static const double fade_half_time = 0.05;

static bool same_names(int count, int other, const char (*a)[IB_STATE_NAME + 1],
                       const char (*b)[IB_STATE_NAME + 1])
{
    bool same = count == other;
    for (int i = 0; same && i < count; i++) same = strcmp(a[i], b[i]) == 0;
    return same;
}

// Checks that a gear has the shape of the first one.
static ib_Status check_shape(const ib_AnalysisConfig *first, const ib_AnalysisConfig *other,
                             const ib_Design *one, const ib_Design *two, ib_Error *error)
{
    const ib_StateSpace *a = &first->plant, *b = &other->plant;
    const char *what = NULL;
    if (!same_names(a->states, b->states, a->state, b->state))
        what = "states";
    else if (!same_names(a->inputs, b->inputs, a->input, b->input))
        what = "inputs";
    else if (!same_names(a->outputs, b->outputs, a->output, b->output))
        what = "outputs";
    else if (first->period != other->period)
        what = "period";
    else if (first->integrals != other->integrals ||
             memcmp(first->Z, other->Z, sizeof first->Z) != 0)
        what = "integral";
    else if (one->kalman != two->kalman)
        what = "kalman";
    else if (first->input_error != other->input_error)
        what = "input_error";
    else if (one->feedback != two->feedback)
        what = "feedback (lqr or poles)";
    else if (memcmp(first->low, other->low, sizeof first->low) != 0 ||
             memcmp(first->high, other->high, sizeof first->high) != 0)
        what = "limits";
    if (!what) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT,
                        "'%s' and '%s' differ in their %s: expected gears of one loop", one->name,
                        two->name, what);
}

static void fill_gear(const ib_AnalysisConfig *config, const ib_Design *design, ib_LoopGear *gear)
{
    int n = design->plant.states, m = design->plant.inputs;
    memcpy(gear->name, design->name, sizeof gear->name);
    gear->plant = design->kalman ? design->estimator : design->plant;
    memcpy(gear->G, design->G, sizeof gear->G);
    memcpy(gear->M, design->filter_gain, sizeof gear->M);
    if (design->kalman && config->input_error) {
        ib_augment_gain(m, n, design->K, gear->K);
        ib_augment_feedforward(m, n, design->F, gear->F);
    } else {
        memcpy(gear->K, design->K, sizeof gear->K);
        memcpy(gear->F, design->F, sizeof gear->F);
    }
}

// The loop's inputs and outputs are absolute values. At a point out of equilibrium the plant
// moves by
//   shift = int_0^T e^(A t) dt rate0,   the zero-order hold of an input with B = rate0
// Input errors are 0 there.
static ib_Status place_gear(const ib_AnalysisConfig *config, int gear, ib_Loop *loop,
                            ib_Error *error)
{
    ib_StateSpace moving = config->plant, moved;
    double x0[IB_STATES_MAX] = {0}, shift[IB_STATES_MAX] = {0};
    size_t size = sizeof *x0 * (size_t)config->plant.states;
    memcpy(x0, config->x0, size);
    if (config->plant.period == 0) {
        moving.inputs = 1;
        memcpy(moving.B, config->rate0, size);
        memset(moving.D, 0, sizeof moving.D);
        ib_Status status = ib_discretise(&moving, config->period, &moved, error);
        if (status != IB_OK) return status;
        memcpy(shift, moved.B, size);
    }
    ib_loop_place(loop, gear, x0, config->u0, config->y0, shift);
    return IB_OK;
}

// The integral rows over the loop's states, to which input errors are appended.
static void fill_integrals(const ib_AnalysisConfig *config, ib_Loop *loop)
{
    int n = config->plant.states;
    for (int i = 0; i < config->integrals; i++)
        for (int k = 0; k < n; k++) loop->Z[i * loop->states + k] = config->Z[i * n + k];
}

// Gears share their limits, but not their tolerances: the widest counts.
static void fill_inputs(int gears, const ib_AnalysisConfig *const *configs, ib_Loop *loop)
{
    for (int i = 0; i < loop->inputs; i++) {
        loop->low[i] = configs[0]->low[i];
        loop->high[i] = configs[0]->high[i];
        for (int g = 0; g < gears; g++)
            if (configs[g]->largest[i] > loop->largest[i])
                loop->largest[i] = configs[g]->largest[i];
    }
}

ib_Status ib_analysis_loop(const char *name, int gears, const ib_AnalysisConfig *const *configs,
                           const ib_Design *const *designs, ib_Loop *loop, ib_Error *error)
{
    const ib_AnalysisConfig *config = configs[0];
    const ib_Design *design = designs[0];
    memset(loop, 0, sizeof *loop);
    if (gears < 1 || gears > IB_GEARS_MAX)
        return ib_error_set(error, IB_BAD_INPUT, "expected 1 to %d gears, got %d", IB_GEARS_MAX,
                            gears);
    for (int i = 1; i < gears; i++) {
        ib_Status status = check_shape(config, configs[i], design, designs[i], error);
        if (status != IB_OK) return status;
    }
    if (!design->feedback)
        return ib_error_set(error, IB_BAD_INPUT, "there is no feedback: expected lqr or poles");

    snprintf(loop->name, sizeof loop->name, "%s", name);
    loop->observer = design->kalman;
    loop->states = design->kalman ? design->estimator.states : design->plant.states;
    loop->inputs = design->plant.inputs;
    loop->outputs = design->plant.outputs;
    loop->integrals = config->integrals;
    loop->period = config->period;
    loop->fade = gears > 1 ? ib_exp(-0.6931471805599453 * config->period / fade_half_time) : 0;
    loop->gears = gears;
    fill_integrals(config, loop);
    fill_inputs(gears, configs, loop);
    for (int i = 0; i < gears; i++) {
        loop->feedforward |= configs[i]->feedforward;
        fill_gear(configs[i], designs[i], &loop->gear[i]);
        ib_Status status = place_gear(configs[i], i, loop, error);
        if (status != IB_OK) return status;
    }
    return ib_loop_check(loop, error);
}
