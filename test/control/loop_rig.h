// test/control/loop_rig.h: loops to run and to export: the drivetrain of the reference, and random
// ones with any parts.
#ifndef IB_TEST_LOOP_RIG_H
#define IB_TEST_LOOP_RIG_H

#include "control/feedback/state_feedback.h"
#include "control/loop.h"
#include "linear/drivetrain_rig.h"
#include "spread.h"

#include <stdio.h>
#include <string.h>

// What a random loop has.
typedef struct LoopShape {
    const char *name;
    int states, inputs, outputs, integrals, gears;
    bool observer, feedforward;
    bool offset; ///< its gears are about points that are not zero
} LoopShape;

static inline void rig_copy(const double *from, int count, double *to)
{
    memcpy(to, from, sizeof *to * (size_t)count);
}

// Weights .14 and .95, 12 V; noise as in D3.                                 [reference D2, D3]
static inline void rig_drivetrain(ib_Loop *loop)
{
    memset(loop, 0, sizeof *loop);
    strcpy(loop->name, "drive");
    loop->states = 4, loop->inputs = 2, loop->outputs = 2, loop->gears = 1;
    loop->observer = true;
    loop->period = 0.005;
    for (int i = 0; i < 2; i++) loop->low[i] = -12, loop->high[i] = 12;
    ib_LoopGear *gear = &loop->gear[0];
    gear->plant = rig_sampled_drivetrain();
    rig_copy(ib__drive_K, 8, gear->K);
    rig_copy(ib__filter_M, 8, gear->M);
}

// count numbers, even over -size to size.
static inline void rig_random(uint64_t seed, uint64_t stream, double size, int count, double *a)
{
    for (int i = 0; i < count; i++)
        a[i] = size * (2 * chance_uniform(seed, stream, (uint64_t)i) - 1);
}

static inline void rig_random_point(uint64_t seed, uint64_t stream, int gear, ib_Loop *loop)
{
    double point[2 * IB_STATES_MAX + IB_INPUTS_MAX + IB_OUTPUTS_MAX];
    double *u0 = point + IB_STATES_MAX, *y0 = u0 + IB_INPUTS_MAX, *shift = y0 + IB_OUTPUTS_MAX;
    rig_random(seed, stream, 0.4, (int)(sizeof point / sizeof *point), point);
    ib_loop_place(loop, gear, point, u0, y0, shift);
}

// Gains small enough that no row of a product grows: bounded whatever the noise.
static inline void rig_random_loop(const LoopShape *shape, uint64_t seed, ib_Loop *loop)
{
    int n = shape->states, m = shape->inputs, p = shape->outputs, q = shape->integrals;
    memset(loop, 0, sizeof *loop);
    snprintf(loop->name, sizeof loop->name, "%s", shape->name);
    loop->states = n, loop->inputs = m, loop->outputs = p;
    loop->integrals = q, loop->gears = shape->gears;
    loop->observer = shape->observer, loop->feedforward = shape->feedforward;
    loop->period = 0.005;
    loop->fade = 0.9;
    rig_random(seed, 1, 1, q * n, loop->Z);
    for (int i = 0; i < m; i++) loop->low[i] = -1, loop->high[i] = i == 1 ? INFINITY : 0.8;
    for (int g = 0; g < shape->gears; g++) {
        ib_LoopGear *gear = &loop->gear[g];
        uint64_t s = 10 * ((uint64_t)g + 1);
        snprintf(gear->name, sizeof gear->name, "gear%d", g);
        gear->plant = ib_state_space_default(n, m, p);
        gear->plant.period = loop->period;
        rig_random(seed, s, 0.9 / n, n * n, gear->plant.A);
        rig_random(seed, s + 1, 0.5, n * m, gear->plant.B);
        rig_random(seed, s + 2, 1, p * n, gear->plant.C);
        rig_random(seed, s + 3, g == 0 ? 0.0 : 0.1, p * m, gear->plant.D);
        rig_random(seed, s + 4, 0.8 / n, m * n, gear->K);
        rig_random(seed, s + 5, shape->feedforward ? 0.3 : 0, m * n, gear->F);
        rig_random(seed, s + 6, 0.3, m * q, gear->G);
        rig_random(seed, s + 7, 0.5 / n, n * p, gear->M);
        if (shape->offset) rig_random_point(seed, s + 8, g, loop);
    }
}

enum { RIG_STEPS = 64 };

// A recorded run: goals that jump now and then, so that limits are met, and gears that change.
typedef struct LoopRun {
    double r[(RIG_STEPS + 1) * IB_STATES_MAX], y[RIG_STEPS * IB_STATES_MAX];
    double u[RIG_STEPS * IB_INPUTS_MAX], x[RIG_STEPS * IB_STATES_MAX];
    int gear[RIG_STEPS];
} LoopRun;

// y = C x + D u + zero + noise, or without an observer x + noise. u is that of the last period.
static inline void rig_measure(const ib_Loop *loop, const ib_LoopGear *gear, uint64_t seed,
                               double noise, int step, const double *x, const double *u, double *y)
{
    int n = loop->states, m = loop->inputs;
    for (int i = 0; i < ib_loop_measured(loop); i++) {
        y[i] = loop->observer ? 0 : x[i];
        for (int j = 0; loop->observer && j < n; j++) y[i] += gear->plant.C[i * n + j] * x[j];
        for (int j = 0; loop->observer && j < m; j++) y[i] += gear->plant.D[i * m + j] * u[j];
        if (loop->observer) y[i] += gear->zero[i];
        uint64_t index = (uint64_t)step * IB_STATES_MAX + (uint64_t)i;
        y[i] += noise * chance_normal(seed, 0, index);
    }
}

// x <- A x + B u + drift
static inline void rig_advance(const ib_LoopGear *gear, const double *u, double *x)
{
    int n = gear->plant.states, m = gear->plant.inputs;
    double next[IB_STATES_MAX];
    for (int i = 0; i < n; i++) {
        next[i] = 0;
        for (int j = 0; j < n; j++) next[i] += gear->plant.A[i * n + j] * x[j];
        for (int j = 0; j < m; j++) next[i] += gear->plant.B[i * m + j] * u[j];
        next[i] += gear->drift[i];
    }
    rig_copy(next, n, x);
}

// The loop on its own plant, which starts at zero, with noise.
static inline void rig_run(const ib_Loop *loop, uint64_t seed, double goal, LoopRun *run)
{
    int n = loop->states, m = loop->inputs, gear = 0;
    double state[IB_FEEDBACK_STATES_MAX], x[IB_STATES_MAX] = {0}, last[IB_INPUTS_MAX] = {0};
    for (int k = 0; k <= RIG_STEPS; k++)
        rig_random(seed, 1000 + (uint64_t)k / 24, goal, n, run->r + k * n);
    ib_feedback_reset(loop, NULL, gear, state);
    for (int k = 0; k < RIG_STEPS; k++) {
        // Measured in the old gear, driven on in the new one.
        double *y = run->y + k * ib_loop_measured(loop), *u = run->u + k * m;
        rig_measure(loop, &loop->gear[gear], seed, 1e-3 * goal, k, x, last, y);
        gear = run->gear[k] = (k / 17) % loop->gears;
        ib_feedback_step(loop, y, run->r + k * n, run->r + (k + 1) * n, gear, u, state);
        rig_copy(state, n, run->x + k * n);
        rig_copy(u, m, last);
        rig_advance(&loop->gear[gear], u, x);
    }
}

#endif
