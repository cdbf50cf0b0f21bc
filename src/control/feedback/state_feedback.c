#include "control/feedback/state_feedback.h"

#include "control/feedback/saturation.h"

#include <string.h>

// The formulas, their order and their letters are those of control/loop.h.

ib_FeedbackParts ib_feedback_parts(const ib_Loop *loop)
{
    int m = loop->inputs, many = loop->gears > 1;
    ib_FeedbackParts at = {.z = loop->states};
    at.w = at.z + loop->integrals;
    at.u = at.w + m;
    at.carry = at.u + m;
    at.gear = at.carry + (many ? m : 0);
    at.count = at.gear + (many ? 1 : 0);
    return at;
}

int ib_feedback_states(const ib_Loop *loop)
{
    return ib_feedback_parts(loop).count;
}

// a . x, in index order from the first term.
static double dot(int n, const double *a, const double *x)
{
    double sum = a[0] * x[0];
    for (int i = 1; i < n; i++) sum += a[i] * x[i];
    return sum;
}

static const ib_LoopGear *gear_now(const ib_Loop *loop, const double *state)
{
    return &loop->gear[loop->gears > 1 ? (int)state[ib_feedback_parts(loop).gear] : 0];
}

void ib_feedback_reset(const ib_Loop *loop, const double *x0, int gear, double *state)
{
    ib_FeedbackParts at = ib_feedback_parts(loop);
    IB_ASSERT(gear >= 0 && gear < loop->gears);
    memset(state, 0, sizeof *state * (size_t)at.count);
    memcpy(state, x0 ? x0 : loop->start, sizeof *state * (size_t)loop->states);
    if (loop->gears > 1) state[at.gear] = gear;
}

// e = y - C x^ - D u - zero,   x^ <- x^ + M e
void ib_feedback_correct(const ib_Loop *loop, const double *y, double *state)
{
    int n = loop->states, m = loop->inputs, p = loop->outputs;
    if (!loop->observer) {
        memcpy(state, y, sizeof *state * (size_t)n);
        return;
    }
    const ib_LoopGear *now = gear_now(loop, state);
    const double *u = state + ib_feedback_parts(loop).u;
    double e[IB_OUTPUTS_MAX];
    for (int i = 0; i < p; i++) {
        e[i] = y[i] - dot(n, now->plant.C + i * n, state) - dot(m, now->plant.D + i * m, u);
        if (loop->offset) e[i] -= now->zero[i];
    }
    for (int i = 0; i < n; i++) state[i] += dot(p, now->M + i * p, e);
}

// w = hold + K (r - x^) + F (r+ - A r) - G z, without the carry
static void wanted(const ib_Loop *loop, const ib_LoopGear *now, const double *r,
                   const double *r_next, const double *state, double *w)
{
    int n = loop->states, q = loop->integrals;
    double d[IB_STATES_MAX], ahead[IB_STATES_MAX];
    for (int i = 0; i < n; i++) d[i] = r[i] - state[i];
    for (int i = 0; loop->feedforward && i < n; i++)
        ahead[i] = (r_next ? r_next : r)[i] - dot(n, now->plant.A + i * n, r);
    for (int i = 0; i < loop->inputs; i++) {
        w[i] = dot(n, now->K + i * n, d);
        if (loop->offset) w[i] = now->hold[i] + w[i];
        if (loop->feedforward) w[i] += dot(n, now->F + i * n, ahead);
        if (q > 0) w[i] -= dot(q, now->G + i * q, state + n);
    }
}

// The carry that keeps u as it was; none where the new output is cut at the same limit anyway.
static double carry_over(double u, double w, double low, double high)
{
    double carry = u - w;
    if ((u >= high && carry < 0) || (u <= low && carry > 0)) carry = 0;
    return carry;
}

void ib_feedback_output(const ib_Loop *loop, const double *r, const double *r_next, int gear,
                        double *u, double *state)
{
    ib_FeedbackParts at = ib_feedback_parts(loop);
    IB_ASSERT(gear >= 0 && gear < loop->gears);
    wanted(loop, &loop->gear[gear], r, r_next, state, state + at.w);

    bool many = loop->gears > 1, changed = many && (int)state[at.gear] != gear;
    for (int i = 0; i < loop->inputs; i++) {
        double *w = &state[at.w + i], low = loop->low[i], high = loop->high[i];
        if (changed) state[at.carry + i] = carry_over(state[at.u + i], *w, low, high);
        // The carried value is u itself: u - w + w could be beyond its limit by rounding.
        if (changed && state[at.carry + i] != 0)
            *w = state[at.u + i];
        else if (many)
            *w += state[at.carry + i];
        double cut = *w < low ? low : *w;
        state[at.u + i] = cut > high ? high : cut;
        if (u) u[i] = state[at.u + i];
    }
    if (many) state[at.gear] = gear;
}

void ib_feedback_applied(const ib_Loop *loop, const double *u, double *state)
{
    memcpy(state + ib_feedback_parts(loop).u, u, sizeof *u * (size_t)loop->inputs);
}

// True if integral i, growing against v = (Z d)_i, would push a saturated input further.
static bool winds_up(const ib_Loop *loop, const ib_LoopGear *now, int i, double v, const double *w,
                     const double *u)
{
    for (int j = 0; j < loop->inputs; j++) {
        double push = now->G[j * loop->integrals + i] * v;
        double low = loop->low[j], high = loop->high[j];
        double play = ib_saturation_play(low, high, loop->largest[j]);
        double excess = ib_saturation_excess(w[j], u[j], low, high, play);
        if ((excess > 0 && push > 0) || (excess < 0 && push < 0)) return true;
    }
    return false;
}

void ib_feedback_predict(const ib_Loop *loop, const double *r, double *state)
{
    ib_FeedbackParts at = ib_feedback_parts(loop);
    int n = loop->states, m = loop->inputs;
    const ib_LoopGear *now = gear_now(loop, state);
    double d[IB_STATES_MAX], next[IB_STATES_MAX];

    // z <- z - (Z d) T, held where it would wind up
    for (int i = 0; i < n; i++) d[i] = r[i] - state[i];
    for (int i = 0; i < loop->integrals; i++) {
        double v = dot(n, loop->Z + i * n, d);
        if (!winds_up(loop, now, i, v, state + at.w, state + at.u))
            state[at.z + i] -= v * loop->period;
    }

    // x^ <- A x^ + B u + drift
    for (int i = 0; i < n; i++) {
        next[i] = dot(n, now->plant.A + i * n, state) + dot(m, now->plant.B + i * m, state + at.u);
        if (loop->offset) next[i] += now->drift[i];
    }
    memcpy(state, next, sizeof *next * (size_t)n);
    for (int i = at.carry; i < at.gear; i++) state[i] *= loop->fade;
}

void ib_feedback_step(const ib_Loop *loop, const double *y, const double *r, const double *r_next,
                      int gear, double *u, double *state)
{
    if (y) ib_feedback_correct(loop, y, state);
    ib_feedback_output(loop, r, r_next, gear, u, state);
    ib_feedback_predict(loop, r, state);
}
