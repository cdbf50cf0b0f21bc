// design/margins/margins_open.c: loops opened at the plant's inputs.
#include "base/matrix.h"
#include "design/controllability.h"
#include "design/margins/open_loop.h"
#include "linear/balance.h"

#include <string.h>

enum { N = IB_STATES_MAX, M = IB_INPUTS_MAX, P = IB_OUTPUTS_MAX };

// -------------------------------------------------------------------------------------- one period

// Where the parts of s stand: x, inputs on their way (youngest first), x~, z, the last v.
typedef struct Layout {
    int ages;   ///< inputs on their way are kept so many periods
    bool asked; ///< the last v is kept: the inputs reach the outputs at once
    int queue, errors, integrals, last, states;
} Layout;

static Layout lay_out(const ib__LoopParts *parts)
{
    Layout at = {.ages = parts->whole + (parts->part ? 1 : 0)};
    const ib_StateSpace *observer = parts->observer;
    for (int i = 0; observer && i < observer->outputs * observer->inputs; i++)
        at.asked |= observer->D[i] != 0;
    if (at.asked) at.ages = parts->whole + 1;
    at.queue = parts->states;
    at.errors = at.queue + at.ages * parts->inputs;
    at.integrals = at.errors + (observer ? observer->states : 0);
    at.last = at.integrals + parts->integrals;
    at.states = at.last + (at.asked ? parts->inputs : 0);
    return at;
}

// y += factor a x
static void add_product(int rows, int columns, double factor, const double *a, const double *x,
                        double *y)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) y[i] += factor * a[i * columns + j] * x[j];
}

// The input given `age` periods ago.
static const double *input_of(const ib__LoopParts *parts, const Layout *at, const double *s,
                              const double *w, int age)
{
    return age == 0 ? w : s + at->queue + (age - 1) * parts->inputs;
}

// x~c = x~ - M (C~ x~ + D (w[whole + 1 ago] + v[1 ago]))
static void correct(const ib__LoopParts *parts, const Layout *at, const double *s, const double *w,
                    double *error)
{
    const ib_StateSpace *observer = parts->observer;
    int e = observer->states, p = observer->outputs, m = parts->inputs;
    double surprise[P] = {0};
    memcpy(error, s + at->errors, (size_t)e * sizeof *error);
    add_product(p, e, 1, observer->C, s + at->errors, surprise);
    if (at->asked) {
        add_product(p, m, 1, observer->D, input_of(parts, at, s, w, parts->whole + 1), surprise);
        add_product(p, m, 1, observer->D, s + at->last, surprise);
    }
    add_product(e, p, -1, parts->M, surprise, error);
}

// One period, as in the header: s and w to s+ and v.
static void step(const ib__LoopParts *parts, const Layout *at, const double *s, const double *w,
                 double *next, double *v)
{
    int n = parts->states, m = parts->inputs, q = parts->integrals;
    int e = parts->observer ? parts->observer->states : 0;
    const double *fresh = input_of(parts, at, s, w, parts->whole);
    const double *old = parts->part ? input_of(parts, at, s, w, parts->whole + 1) : NULL;
    double error[N] = {0};
    if (e) correct(parts, at, s, w, error);
    memset(v, 0, (size_t)m * sizeof *v);
    add_product(m, n, 1, parts->K, s, v);
    add_product(m, e, -1, parts->wide_K, error, v);
    add_product(m, q, 1, parts->G, s + at->integrals, v);

    memset(next, 0, (size_t)at->states * sizeof *next);
    add_product(n, n, 1, parts->A, s, next);
    add_product(n, m, 1, parts->B_new, fresh, next);
    if (old) add_product(n, m, 1, parts->B_old, old, next);
    for (int i = 0; i < at->ages * m; i++)
        next[at->queue + i] = i < m ? w[i] : s[at->queue + i - m];
    if (e) {
        add_product(e, e, 1, parts->observer->A, error, next + at->errors);
        add_product(e, m, 1, parts->observer->B, v, next + at->errors);
        add_product(e, m, 1, parts->wide_new, fresh, next + at->errors);
        if (old) add_product(e, m, 1, parts->wide_old, old, next + at->errors);
    }
    memcpy(next + at->integrals, s + at->integrals, (size_t)q * sizeof *next);
    add_product(q, n, parts->period, parts->Z, s, next + at->integrals);
    add_product(q, e, -parts->period, parts->wide_Z, error, next + at->integrals);
    if (at->asked) memcpy(next + at->last, v, (size_t)m * sizeof *v);
}

// One column at a time: what follows from one state (or input) of 1 and all others 0. v does not
// depend on w.
ib_Status ib__open_parts(const ib__LoopParts *parts, ib__OpenLoop *open, ib_Error *error)
{
    Layout at = lay_out(parts);
    int all = at.states, m = parts->inputs;
    if (all > IB_OPEN_MAX)
        return ib_error_set(error, IB_BAD_INPUT,
                            "the loop has %d states, with its observer and the inputs on their "
                            "way: %d are the most",
                            all, IB_OPEN_MAX);
    memset(open, 0, sizeof *open);
    open->states = all;
    open->inputs = m;
    open->period = parts->period;
    for (int column = 0; column < all + m; column++) {
        double unit[IB_OPEN_MAX + M] = {0}, next[IB_OPEN_MAX], v[M];
        unit[column] = 1;
        step(parts, &at, unit, unit + all, next, v);
        for (int i = 0; i < all; i++)
            *(column < all ? &open->A[i * all + column] : &open->B[i * m + column - all]) = next[i];
        for (int i = 0; i < m && column < all; i++) open->C[i * all + column] = v[i];
    }
    return IB_OK;
}

// ------------------------------------------------------------------------------------------- loops

void ib__open_plant(const ib_StateSpace *plant, ib__OpenLoop *open)
{
    int n = plant->states, m = plant->inputs;
    memset(open, 0, sizeof *open);
    open->states = n;
    open->inputs = m;
    open->period = plant->period;
    memcpy(open->A, plant->A, (size_t)(n * n) * sizeof *open->A);
    memcpy(open->B, plant->B, (size_t)(n * m) * sizeof *open->B);
    memcpy(open->C, plant->C, (size_t)(m * n) * sizeof *open->C);
    memcpy(open->D, plant->D, (size_t)(m * m) * sizeof *open->D);
}

// What the inputs move, in the coordinates of the staircase: x = S Q x_m.
//   A_m, B_m, K_m = K S Q_m, Z_m = Z S Q_m
static void reduce(const ib_StateSpace *plant, const double *K, const double *Z,
                   ib__LoopParts *parts)
{
    int n = plant->states, m = plant->inputs, q = parts->integrals;
    double A[N * N], B[N * M], Q[N * N], scale[N];
    memcpy(A, plant->A, (size_t)(n * n) * sizeof *A);
    memcpy(B, plant->B, (size_t)(n * m) * sizeof *B);
    ib_balance(n, m, 0, A, B, NULL, scale);
    int r = parts->states = ib_controllability_split(n, m, A, B, Q);
    for (int i = 0; i < r; i++) {
        memcpy(parts->A + i * r, A + i * n, (size_t)r * sizeof *A);
        memcpy(parts->B_new + i * m, B + i * m, (size_t)m * sizeof *B);
    }
    for (int k = 0; k < n; k++)
        for (int j = 0; j < r; j++) {
            double direction = scale[k] * Q[k * n + j];
            for (int i = 0; i < m; i++) parts->K[i * r + j] += K[i * n + k] * direction;
            for (int i = 0; i < q; i++) parts->Z[i * r + j] += Z[i * n + k] * direction;
        }
}

ib_Status ib__open_feedback(const ib_StateSpace *plant, const double *K, ib__OpenLoop *open,
                            ib_Error *error)
{
    ib__LoopParts parts = {.inputs = plant->inputs, .period = plant->period};
    reduce(plant, K, NULL, &parts);
    return ib__open_parts(&parts, open, error);
}

ib_Status ib__open_gear(const ib_Loop *loop, const ib_LoopGear *gear, ib__OpenLoop *open,
                        ib_Error *error)
{
    const ib_StateSpace *plant = &gear->plant;
    int n = plant->states, m = plant->inputs, q = loop->integrals;
    ib__LoopParts parts = {.inputs = m, .integrals = q, .period = loop->period};
    reduce(plant, gear->K, loop->Z, &parts);
    memcpy(parts.G, gear->G, (size_t)(m * q) * sizeof *parts.G);
    if (loop->observer) {
        parts.observer = plant;
        parts.M = gear->M;
        memcpy(parts.wide_K, gear->K, (size_t)(m * n) * sizeof *parts.K);
        memcpy(parts.wide_Z, loop->Z, (size_t)(q * n) * sizeof *parts.Z);
        memcpy(parts.wide_new, plant->B, (size_t)(n * m) * sizeof *parts.B_new);
    }
    return ib__open_parts(&parts, open, error);
}
