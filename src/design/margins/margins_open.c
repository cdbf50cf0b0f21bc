// design/margins/margins_open.c: loops opened at the plant's inputs.
#include "base/matrix.h"
#include "design/controllability.h"
#include "design/margins/open_loop.h"
#include "linear/balance.h"

#include <string.h>

enum { N = IB_STATES_MAX, M = IB_INPUTS_MAX, P = IB_OUTPUTS_MAX };

// -------------------------------------------------------------------------------------- one period

// The places of the parts of s: x, x~, z, the last v.
typedef struct Layout {
    bool asked; ///< the last v is kept: the inputs reach the outputs directly
    int errors, integrals, last, states;
} Layout;

static Layout lay_out(const ib__LoopParts *parts)
{
    Layout at = {.errors = parts->states};
    const ib_StateSpace *observer = parts->observer;
    for (int i = 0; observer && i < observer->outputs * observer->inputs; i++)
        at.asked |= observer->D[i] != 0;
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

// x~c = x~ - M (C~ x~ + D (w_old + v[1 ago]))
static void correct(const ib__LoopParts *parts, const Layout *at, const double *s,
                    const double *w_old, double *error)
{
    const ib_StateSpace *observer = parts->observer;
    int e = observer->states, p = observer->outputs, m = parts->inputs;
    double surprise[P] = {0};
    memcpy(error, s + at->errors, (size_t)e * sizeof *error);
    add_product(p, e, 1, observer->C, s + at->errors, surprise);
    if (at->asked) {
        add_product(p, m, 1, observer->D, w_old, surprise);
        add_product(p, m, 1, observer->D, s + at->last, surprise);
    }
    add_product(e, p, -1, parts->M, surprise, error);
}

// One period, as in the header: s, w_new and w_old to s+ and v.
static void step(const ib__LoopParts *parts, const ib_DelayedInputs *late, const Layout *at,
                 const double *s, const double *w_new, const double *w_old, double *next, double *v)
{
    int n = parts->states, m = parts->inputs, q = parts->integrals, all = parts->plant->states;
    int e = parts->observer ? parts->observer->states : 0;
    double error[N] = {0}, moved[N] = {0};
    if (e) correct(parts, at, s, w_old, error);
    memset(v, 0, (size_t)m * sizeof *v);
    add_product(m, n, 1, parts->K, s, v);
    add_product(m, e, -1, parts->wide_K, error, v);
    add_product(m, q, 1, parts->G, s + at->integrals, v);

    memset(next, 0, (size_t)at->states * sizeof *next);
    add_product(all, m, 1, late->B_new, w_new, moved);
    add_product(all, m, 1, late->B_old, w_old, moved);
    add_product(n, n, 1, parts->A, s, next);
    add_product(n, all, 1, parts->pick, moved, next);
    if (e) {
        add_product(e, e, 1, parts->observer->A, error, next + at->errors);
        add_product(e, m, 1, parts->observer->B, v, next + at->errors);
        for (int i = 0; i < all; i++) next[at->errors + i] += moved[i];
    }
    memcpy(next + at->integrals, s + at->integrals, (size_t)q * sizeof *next);
    add_product(q, n, parts->period, parts->Z, s, next + at->integrals);
    add_product(q, e, -parts->period, parts->wide_Z, error, next + at->integrals);
    if (at->asked) memcpy(next + at->last, v, (size_t)m * sizeof *v);
}

static ib_Status refuse_size(int states, ib_Error *error)
{
    return ib_error_set(error, IB_BAD_INPUT,
                        "the loop has %d states, with its observer and the inputs on their "
                        "way: %d are the most",
                        states, IB_OPEN_MAX);
}

// Computed one column at a time, from one state (or input) of 1 and all others 0. v does not depend
// on w_new.
ib_Status ib__split_parts(const ib__LoopParts *parts, const ib_DelayedInputs *late,
                          ib__SplitLoop *split, ib_Error *error)
{
    Layout at = lay_out(parts);
    int n = at.states, m = parts->inputs;
    if (n > IB_OPEN_MAX) return refuse_size(n, error);
    memset(split, 0, sizeof *split);
    split->states = n;
    split->inputs = m;
    for (int column = 0; column < n + 2 * m; column++) {
        double unit[IB_OPEN_MAX + 2 * M] = {0}, next[IB_OPEN_MAX], v[M];
        unit[column] = 1;
        step(parts, late, &at, unit, unit + n, unit + n + m, next, v);
        bool state = column < n, old = column >= n + m;
        double *to = state ? split->A : old ? split->B_old : split->B_new;
        double *out = state ? split->C : split->D_old;
        int width = state ? n : m, place = state ? column : (column - n) % m;
        for (int i = 0; i < n; i++) to[i * width + place] = next[i];
        for (int i = 0; i < m && (state || old); i++) out[i * width + place] = v[i];
    }
    return IB_OK;
}

// ------------------------------------------------------------------------------- inputs on the way

// Column j of a matrix with m columns, into column `to` of one with `all`, below `rows` rows.
static void put_column(int rows, int m, int j, const double *from, int all, int to, double *into)
{
    for (int i = 0; i < rows; i++) into[i * all + to] += from[i * m + j];
}

// The queue of input j: `ages` places from `first` on, the youngest first.
static void put_queue(const ib__SplitLoop *split, int j, int whole, int ages, int first,
                      ib__OpenLoop *open)
{
    int n = split->states, m = split->inputs, all = open->states;
    if (ages > 0) open->B[first * m + j] = 1;
    for (int k = 1; k < ages; k++) open->A[(first + k) * all + first + k - 1] = 1;
    if (whole == 0)
        put_column(n, m, j, split->B_new, m, j, open->B);
    else
        put_column(n, m, j, split->B_new, all, first + whole - 1, open->A);
    if (ages <= whole) return;
    put_column(n, m, j, split->B_old, all, first + whole, open->A);
    put_column(m, m, j, split->D_old, all, first + whole, open->C);
}

ib_Status ib__split_queue(const ib__SplitLoop *split, const ib__Queue *queue, double period,
                          ib__OpenLoop *open, double *B_old, double *D_old, ib_Error *error)
{
    int n = split->states, m = split->inputs, all = n, ages[M];
    for (int j = 0; j < m; j++) {
        bool direct = false;
        for (int i = 0; i < m; i++) direct |= split->D_old[i * m + j] != 0;
        ages[j] = queue->free[j] ? 0 : queue->whole[j] + (queue->part[j] || direct);
        all += ages[j];
    }
    if (all > IB_OPEN_MAX) return refuse_size(all, error);
    memset(open, 0, sizeof *open);
    open->states = all;
    open->inputs = m;
    open->period = period;
    for (int i = 0; i < n; i++)
        memcpy(open->A + i * all, split->A + i * n, (size_t)n * sizeof *open->A);
    for (int i = 0; i < m; i++)
        memcpy(open->C + i * all, split->C + i * n, (size_t)n * sizeof *open->C);
    for (int j = 0, first = n; j < m; first += ages[j], j++) {
        put_queue(split, j, queue->free[j] ? 0 : queue->whole[j], ages[j], first, open);
        if (!queue->free[j]) continue;
        put_column(n, m, j, split->B_old, m, j, B_old);
        put_column(m, m, j, split->D_old, m, j, D_old);
    }
    return IB_OK;
}

// Continuous time has neither hold nor latency.
static ib_DelayedInputs take_as_is(const ib_StateSpace *plant)
{
    ib_DelayedInputs inputs = {0};
    memcpy(inputs.B_new, plant->B, sizeof inputs.B_new);
    return inputs;
}

ib_Status ib__open_parts(const ib__LoopParts *parts, ib__OpenLoop *open, ib_Error *error)
{
    ib_DelayedInputs late;
    ib__SplitLoop split;
    ib__Queue queue = {0};
    ib_Status status = IB_OK;
    if (parts->period > 0)
        status = ib_delay_inputs(parts->plant, parts->period, parts->latency, &late, error);
    else
        late = take_as_is(parts->plant);
    if (status == IB_OK) status = ib__split_parts(parts, &late, &split, error);
    if (status != IB_OK) return status;
    for (int j = 0; j < parts->inputs; j++) {
        queue.whole[j] = late.whole;
        queue.part[j] = late.part;
    }
    return ib__split_queue(&split, &queue, parts->period, open, NULL, NULL, error);
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

// The controllable part, in the coordinates of the staircase: x = S Q x_m, x_m = Q_m' S^-1 x.
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
    for (int i = 0; i < r; i++) memcpy(parts->A + i * r, A + i * n, (size_t)r * sizeof *A);
    for (int k = 0; k < n; k++)
        for (int j = 0; j < r; j++) {
            double direction = scale[k] * Q[k * n + j];
            for (int i = 0; i < m; i++) parts->K[i * r + j] += K[i * n + k] * direction;
            for (int i = 0; i < q; i++) parts->Z[i * r + j] += Z[i * n + k] * direction;
            parts->pick[j * n + k] = Q[k * n + j] / scale[k];
        }
}

void ib__parts_of_feedback(const ib_StateSpace *plant, const double *K, ib__LoopParts *parts)
{
    *parts = (ib__LoopParts){.inputs = plant->inputs, .period = plant->period, .plant = plant};
    reduce(plant, K, NULL, parts);
}

void ib__parts_of_gear(const ib_Loop *loop, const ib_LoopGear *gear, ib__LoopParts *parts)
{
    const ib_StateSpace *plant = &gear->plant;
    int n = plant->states, m = plant->inputs, q = loop->integrals;
    *parts = (ib__LoopParts){
        .inputs = m, .integrals = q, .period = loop->period, .plant = plant, .M = gear->M};
    reduce(plant, gear->K, loop->Z, parts);
    memcpy(parts->G, gear->G, (size_t)(m * q) * sizeof *parts->G);
    if (!loop->observer) return;
    parts->observer = plant;
    memcpy(parts->wide_K, gear->K, (size_t)(m * n) * sizeof *parts->K);
    memcpy(parts->wide_Z, loop->Z, (size_t)(q * n) * sizeof *parts->Z);
}
