#include "control/loop.h"

#include "base/matrix.h"
#include "base/quote.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static bool is_identifier(const char *name)
{
    if (!name[0] || isdigit((unsigned char)name[0])) return false;
    for (const char *c = name; *c; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
              *c == '_'))
            return false;
    return true;
}

static ib_Status check_gain(const char *gear, const char *name, const double *a, int count,
                            ib_Error *error)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(a[i]))
            return ib_error_set(error, IB_BAD_INPUT, "%s%s%s: element %d is not a number",
                                ib_quote(gear).text, gear[0] ? ": " : "", name, i + 1);
    return IB_OK;
}

static ib_Status check_gear(const ib_Loop *loop, const ib_LoopGear *gear, ib_Error *error)
{
    const ib_StateSpace *plant = &gear->plant;
    int n = loop->states, m = loop->inputs;
    ib_Status status = ib_state_space_check(plant, error);
    if (status != IB_OK) return status;
    if (plant->states != n || plant->inputs != m || plant->outputs != loop->outputs)
        return ib_error_set(error, IB_BAD_INPUT, "gear '%s': its plant has other sizes",
                            ib_quote(gear->name).text);
    if (!(plant->period > 0))
        return ib_error_set(error, IB_BAD_INPUT, "gear '%s': its plant is not discrete",
                            ib_quote(gear->name).text);
    status = check_gain(gear->name, "K", gear->K, m * n, error);
    if (status == IB_OK) status = check_gain(gear->name, "F", gear->F, m * n, error);
    if (status == IB_OK) status = check_gain(gear->name, "G", gear->G, m * loop->integrals, error);
    if (status == IB_OK && loop->observer)
        status = check_gain(gear->name, "M", gear->M, n * loop->outputs, error);
    if (status == IB_OK) status = check_gain(gear->name, "hold", gear->hold, m, error);
    if (status == IB_OK) status = check_gain(gear->name, "drift", gear->drift, n, error);
    if (status == IB_OK) status = check_gain(gear->name, "zero", gear->zero, loop->outputs, error);
    return status;
}

// ----------------------------------------------------------------------------------------- offsets

static bool any(int count, const double *a)
{
    for (int i = 0; i < count; i++)
        if (a[i] != 0) return true;
    return false;
}

static bool has_offset(const ib_Loop *loop)
{
    bool found = any(loop->states, loop->start);
    for (int g = 0; g < loop->gears; g++) {
        const ib_LoopGear *gear = &loop->gear[g];
        found |= any(loop->inputs, gear->hold) || any(loop->states, gear->drift) ||
                 any(loop->outputs, gear->zero);
    }
    return found;
}

// s = x0 - A x0 + shift,   drift = s - B u0,   zero = y0 - C x0 - D u0,   hold = u0 - F s
void ib_loop_place(ib_Loop *loop, int gear, const double *x0, const double *u0, const double *y0,
                   const double *shift)
{
    ib_LoopGear *g = &loop->gear[gear];
    const ib_StateSpace *plant = &g->plant;
    int n = loop->states, m = loop->inputs, p = loop->outputs;
    double s[IB_STATES_MAX], of_x[IB_STATES_MAX], of_u[IB_STATES_MAX];
    ib_matrix_multiply(n, n, 1, plant->A, x0, of_x);
    ib_matrix_multiply(n, m, 1, plant->B, u0, of_u);
    for (int i = 0; i < n; i++) {
        s[i] = x0[i] - of_x[i] + shift[i];
        g->drift[i] = s[i] - of_u[i];
    }
    ib_matrix_multiply(p, n, 1, plant->C, x0, of_x);
    ib_matrix_multiply(p, m, 1, plant->D, u0, of_u);
    for (int i = 0; i < p; i++) g->zero[i] = y0[i] - of_x[i] - of_u[i];
    ib_matrix_multiply(m, n, 1, g->F, s, of_x);
    for (int i = 0; i < m; i++) g->hold[i] = u0[i] - of_x[i];
    if (gear == 0) memcpy(loop->start, x0, sizeof *x0 * (size_t)n);
    loop->offset = has_offset(loop);
}

// ------------------------------------------------------------------------------------------ checks

// Sizes are checked first: they may then index the arrays.
static ib_Status check_sizes(const ib_Loop *loop, ib_Error *error)
{
    if (loop->states < 1 || loop->states > IB_STATES_MAX || loop->inputs < 1 ||
        loop->inputs > IB_INPUTS_MAX || loop->outputs < (loop->observer ? 1 : 0) ||
        loop->outputs > IB_OUTPUTS_MAX)
        return ib_error_set(error, IB_BAD_INPUT, "%d states, %d inputs, %d outputs: out of bounds",
                            loop->states, loop->inputs, loop->outputs);
    if (loop->integrals < 0 || loop->integrals > IB_INTEGRALS_MAX)
        return ib_error_set(error, IB_BAD_INPUT, "%d integrals: expected 0 to %d", loop->integrals,
                            IB_INTEGRALS_MAX);
    if (loop->gears < 1 || loop->gears > IB_GEARS_MAX)
        return ib_error_set(error, IB_BAD_INPUT, "%d gears: expected 1 to %d", loop->gears,
                            IB_GEARS_MAX);
    return IB_OK;
}

ib_Status ib_loop_check(const ib_Loop *loop, ib_Error *error)
{
    ib_Status status = check_sizes(loop, error);
    if (status != IB_OK) return status;
    if (!memchr(loop->name, 0, sizeof loop->name) || !is_identifier(loop->name))
        return ib_error_set(error, IB_BAD_INPUT, "name: expected letters, digits and _, as in C");
    if (!(loop->period > 0 && isfinite(loop->period)))
        return ib_error_set(error, IB_BAD_INPUT, "period: expected more than 0 s, got %g s",
                            loop->period);
    if (!(loop->fade >= 0 && loop->fade < 1))
        return ib_error_set(error, IB_BAD_INPUT, "fade: expected 0 to below 1, got %g", loop->fade);
    for (int i = 0; i < loop->inputs; i++)
        if (!(loop->low[i] <= loop->high[i]))
            return ib_error_set(error, IB_BAD_INPUT,
                                "input %d: its low limit is above its high one", i + 1);
    for (int i = 0; i < loop->inputs; i++)
        if (!(loop->largest[i] >= 0 && isfinite(loop->largest[i])))
            return ib_error_set(error, IB_BAD_INPUT, "largest: expected at least 0, got %g",
                                loop->largest[i]);
    status = check_gain("", "Z", loop->Z, loop->integrals * loop->states, error);
    if (status == IB_OK) status = check_gain("", "start", loop->start, loop->states, error);
    for (int g = 0; status == IB_OK && g < loop->gears; g++)
        status = check_gear(loop, &loop->gear[g], error);
    if (status == IB_OK && !loop->offset && has_offset(loop))
        status = ib_error_set(error, IB_BAD_INPUT,
                              "offset: expected true, since hold, drift, zero or start is not 0");
    return status;
}
