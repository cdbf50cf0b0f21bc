// design/export/export_bound.c: the bound of the exported code's deviation in float from the loop
// in double.
#include "control/feedback/saturation.h"
#include "design/export/export.h"

#include <math.h>
#include <string.h>

// The loop of control/loop.h in float, with its gains rounded to float, replaying a trace: the
// exported code's result on a machine with IEEE floats.
typedef struct Single {
    float x[IB_STATES_MAX], z[IB_INTEGRALS_MAX];
    float w[IB_INPUTS_MAX], u[IB_INPUTS_MAX], carry[IB_INPUTS_MAX];
    int gear;
} Single;

static float dot(int n, const double *a, const float *x)
{
    float sum = (float)a[0] * x[0];
    for (int i = 1; i < n; i++) sum += (float)a[i] * x[i];
    return sum;
}

static void round_all(int n, const double *from, float *to)
{
    for (int i = 0; i < n; i++) to[i] = (float)from[i];
}

static void correct(const ib_Loop *loop, const float *y, Single *c)
{
    int n = loop->states, m = loop->inputs, p = loop->outputs;
    const ib_LoopGear *now = &loop->gear[c->gear];
    float e[IB_OUTPUTS_MAX];
    if (!loop->observer) {
        memcpy(c->x, y, sizeof *y * (size_t)n);
        return;
    }
    for (int i = 0; i < p; i++) {
        e[i] = y[i] - dot(n, now->plant.C + i * n, c->x) - dot(m, now->plant.D + i * m, c->u);
        if (loop->offset) e[i] -= (float)now->zero[i];
    }
    for (int i = 0; i < n; i++) c->x[i] += dot(p, now->M + i * p, e);
}

static void output(const ib_Loop *loop, const float *r, const float *r_next, int gear, Single *c)
{
    int n = loop->states, q = loop->integrals;
    const ib_LoopGear *now = &loop->gear[gear];
    float d[IB_STATES_MAX], ahead[IB_STATES_MAX];
    for (int i = 0; i < n; i++) d[i] = r[i] - c->x[i];
    for (int i = 0; i < n; i++) ahead[i] = r_next[i] - dot(n, now->plant.A + i * n, r);
    for (int i = 0; i < loop->inputs; i++) {
        float low = (float)loop->low[i], high = (float)loop->high[i], w;
        w = dot(n, now->K + i * n, d);
        if (loop->offset) w = (float)now->hold[i] + w;
        if (loop->feedforward) w += dot(n, now->F + i * n, ahead);
        if (q > 0) w -= dot(q, now->G + i * q, c->z);
        if (gear != c->gear) {
            c->carry[i] = c->u[i] - w;
            bool beyond =
                (c->u[i] >= high && c->carry[i] < 0) || (c->u[i] <= low && c->carry[i] > 0);
            if (beyond) c->carry[i] = 0;
        }
        w = gear != c->gear && c->carry[i] != 0 ? c->u[i] : loop->gears > 1 ? w + c->carry[i] : w;
        c->w[i] = w;
        c->u[i] = w < low ? low : w > high ? high : w;
    }
    c->gear = gear;
}

// ib_saturation_excess in float.
static float beyond(const ib_Loop *loop, int j, float w, float u)
{
    float low = (float)loop->low[j], high = (float)loop->high[j];
    float play = (float)ib_saturation_play(loop->low[j], loop->high[j], loop->largest[j]);
    float s = play < 0 ? (float)IB_SATURATION_SHARE * (u < 0 ? -u : u) : play;
    float top = u + s, bottom = u - s;
    if (top > high) top = u > high ? u : high;
    if (bottom < low) bottom = u < low ? u : low;
    return w > top ? w - top : w < bottom ? w - bottom : 0;
}

static void predict(const ib_Loop *loop, const float *r, Single *c)
{
    int n = loop->states, m = loop->inputs, q = loop->integrals;
    const ib_LoopGear *now = &loop->gear[c->gear];
    float d[IB_STATES_MAX], next[IB_STATES_MAX];
    for (int i = 0; i < n; i++) d[i] = r[i] - c->x[i];
    for (int i = 0; i < q; i++) {
        float v = dot(n, loop->Z + i * n, d);
        bool held = false;
        for (int j = 0; j < m; j++) {
            float push = (float)now->G[j * q + i] * v, excess = beyond(loop, j, c->w[j], c->u[j]);
            held |= (excess > 0 && push > 0) || (excess < 0 && push < 0);
        }
        if (!held) c->z[i] -= v * (float)loop->period;
    }
    for (int i = 0; i < n; i++) {
        next[i] = dot(n, now->plant.A + i * n, c->x) + dot(m, now->plant.B + i * m, c->u);
        if (loop->offset) next[i] += (float)now->drift[i];
    }
    memcpy(c->x, next, sizeof *next * (size_t)n);
    for (int i = 0; i < m; i++) c->carry[i] *= (float)loop->fade;
}

// Updates the largest deviation and the largest value; NaN is an infinite deviation.
static void compare(int n, const float *got, const double *expected, double *deviation,
                    double *largest)
{
    for (int i = 0; i < n; i++) {
        double apart = fabs((double)got[i] - expected[i]), size = fabs(expected[i]);
        if (!isfinite(apart)) apart = INFINITY;
        if (apart > *deviation) *deviation = apart;
        if (size > *largest) *largest = size;
    }
}

ib_ExportBound ib_export_bound(const ib_Loop *loop, const ib_ExportTrace *trace)
{
    int n = loop->states, m = loop->inputs, p = ib_loop_measured(loop);
    Single c = {.gear = trace->gear ? trace->gear[0] : 0};
    double off_u = 0, off_x = 0, large_u = 0, large_x = 0;
    round_all(n, trace->start ? trace->start : loop->start, c.x);
    for (int k = 0; k < trace->steps; k++) {
        float y[IB_STATES_MAX], r[IB_STATES_MAX], r_next[IB_STATES_MAX];
        round_all(p, trace->y + k * p, y);
        round_all(n, trace->r + k * n, r);
        bool last = !trace->r_next && k + 1 == trace->steps;
        const double *next = trace->r_next ? trace->r_next : trace->r + (last ? 0 : n);
        round_all(n, next + k * n, r_next);
        correct(loop, y, &c);
        output(loop, r, r_next, trace->gear ? trace->gear[k] : 0, &c);
        compare(m, c.u, trace->u + k * m, &off_u, &large_u);
        if (trace->applied) round_all(m, trace->applied + k * m, c.u);
        predict(loop, r, &c);
        compare(n, c.x, trace->x + k * n, &off_x, &large_x);
    }
    return (ib_ExportBound){.u = 4 * off_u + 1e-6 * large_u,
                            .x = 4 * off_x + 1e-6 * large_x,
                            .largest_u = large_u,
                            .largest_x = large_x};
}

// An estimate and a feedback that are unstable without their plant double every rounding again and
// again, in any precision: the replay in double has the same roundings, in float not.
ib_ExportTrace ib_export_shorten(const ib_Loop *loop, const ib_ExportOptions *options,
                                 const ib_ExportTrace *trace)
{
    enum { FEW = 8 };
    const double small = 0.01;
    ib_ExportTrace part = *trace;
    while (options->single && part.steps > 0) {
        ib_ExportBound bound = ib_export_bound(loop, &part);
        if (bound.u <= small * bound.largest_u && bound.x <= small * bound.largest_x) break;
        part.steps = part.steps / 2 < FEW ? 0 : part.steps / 2;
        part.recorded = trace->recorded ? trace->recorded : trace->steps;
        // The last remaining period had a next one.
        if (!trace->r_next) part.r_next = trace->r + loop->states;
    }
    return part;
}
