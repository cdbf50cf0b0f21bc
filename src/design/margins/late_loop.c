#include "design/margins/late_loop.h"

#include "base/matrix.h"
#include "linear/balance.h"

#include <stdlib.h>
#include <string.h>

enum { N = IB_OPEN_MAX, M = IB_INPUTS_MAX };

// ---------------------------------------------------------------------------------------- one part

// B_new and B_old of the whole plant for inputs delayed by this part of a period.
static void split_period(const ib__LoopParts *parts, double part, ib_DelayedInputs *late)
{
    int count = parts->plant->states * parts->inputs;
    double B[IB_STATES_MAX * M];
    if (part < 1 &&
        ib_delay_inputs(parts->plant, parts->period, part * parts->period, late, NULL) == IB_OK)
        return;
    ib_DelayedInputs now;
    if (ib_delay_inputs(parts->plant, parts->period, 0, &now, NULL) != IB_OK)
        memset(&now, 0, sizeof now);
    memcpy(B, now.B_new, (size_t)count * sizeof *B);
    for (int i = 0; i < count; i++) {
        late->B_new[i] = (1 - part) * B[i];
        late->B_old[i] = part * B[i];
    }
}

static bool is_late(const ib__LateLoop *late, int input)
{
    return late->input < 0 || late->input == input;
}

// The opened loop with the late inputs free and all others closed: w_o = -v_o,
//   A - B_o C_o,   B_old - B_o D_old,o
// v_o does not depend on any present w.
static void close_others(const ib__LateLoop *late, ib__OpenLoop *open, double *B_old,
                         const double *D_old)
{
    int n = open->states, m = open->inputs;
    for (int o = 0; o < m; o++) {
        if (is_late(late, o)) continue;
        for (int i = 0; i < n; i++) {
            double b = open->B[i * m + o];
            for (int j = 0; j < n; j++) open->A[i * n + j] -= b * open->C[o * n + j];
            for (int j = 0; j < m; j++) B_old[i * m + j] -= b * D_old[o * m + j];
        }
    }
}

// The parts as one system, and the entry of all inputs except the late ones.
static ib_Status split_at(const ib__LateLoop *late, double part, ib__SplitLoop *split,
                          ib__Queue *queue, ib_Error *error)
{
    const ib__LoopParts *parts = late->parts;
    int n = parts->plant->states, m = parts->inputs;
    ib_DelayedInputs inputs, own;
    ib_Status status = ib_delay_inputs(parts->plant, parts->period, parts->latency, &own, error);
    if (status != IB_OK) return status;
    split_period(parts, part, &inputs);
    memset(queue, 0, sizeof *queue);
    for (int j = 0; j < m; j++) {
        if (is_late(late, j)) continue;
        queue->whole[j] = own.whole;
        queue->part[j] = own.part;
        for (int i = 0; i < n; i++) {
            inputs.B_new[i * m + j] = own.B_new[i * m + j];
            inputs.B_old[i * m + j] = own.B_old[i * m + j];
        }
    }
    return ib__split_parts(parts, &inputs, split, error);
}

static ib_Status open_at(const ib__LateLoop *late, double part, ib__OpenLoop *open, double *B_old,
                         double *D_old, ib_Error *error)
{
    ib__SplitLoop split;
    ib__Queue queue;
    ib_Status status = split_at(late, part, &split, &queue, error);
    if (status != IB_OK) return status;
    for (int j = 0; j < split.inputs; j++) queue.free[j] = is_late(late, j);
    status = ib__split_queue(&split, &queue, late->parts->period, open, B_old, D_old, error);
    if (status == IB_OK) close_others(late, open, B_old, D_old);
    return status;
}

ib_Status ib__late_is_stable(const ib__LateLoop *late, int periods, bool *stable, ib_Error *error)
{
    ib__SplitLoop split;
    ib__Queue queue;
    ib__OpenLoop open;
    ib_Complex poles[N];
    ib_Status status = split_at(late, 0, &split, &queue, error);
    if (status != IB_OK) return status;
    for (int j = 0; j < split.inputs; j++)
        if (is_late(late, j)) queue.whole[j] = periods;
    status = ib__split_queue(&split, &queue, late->parts->period, &open, NULL, NULL, error);
    return status == IB_OK ? ib__open_poles(&open, poles, stable, error) : status;
}

bool ib__late_is_direct(const ib__LateLoop *late, const ib__LatePart *at)
{
    bool direct = false;
    for (int i = 0; i < late->count * late->count; i++) direct |= at->D_old[i] != 0;
    return direct;
}

// Columns of late inputs, through `turn`.
static void turn_columns(const ib__LateLoop *late, const double *B, double *turned)
{
    int n = late->states, m = late->parts->inputs;
    double picked[N * M];
    for (int j = 0, to = 0; j < m; j++) {
        if (!is_late(late, j)) continue;
        for (int i = 0; i < n; i++) picked[i * late->count + to] = B[i * m + j];
        to++;
    }
    ib_matrix_multiply(n, n, late->count, late->turn, picked, turned);
}

ib_Status ib__late_part(const ib__LateLoop *late, double part, ib__LatePart *at, ib_Error *error)
{
    ib__OpenLoop open;
    double B_old[N * M] = {0}, D_old[M * M] = {0};
    int m = late->parts->inputs, first = late->input < 0 ? 0 : late->input;
    ib_Status status = open_at(late, part, &open, B_old, D_old, error);
    if (status != IB_OK) return status;
    at->part = part;
    turn_columns(late, open.B, at->B_new);
    turn_columns(late, B_old, at->B_old);
    for (int i = 0; i < late->count; i++)
        for (int j = 0; j < late->count; j++)
            at->D_old[i * late->count + j] = D_old[(first + i) * m + first + j];
    return IB_OK;
}

ib_Status ib__late_make(const ib__LoopParts *parts, int input, ib__LateLoop *late, ib_Complex *own,
                        ib_Error *error)
{
    ib__OpenLoop open;
    double B_old[N * M] = {0}, D_old[M * M] = {0}, scale[N];
    memset(late, 0, sizeof *late);
    late->parts = parts;
    late->input = input;
    late->count = input < 0 ? parts->inputs : 1;
    ib_Status status = open_at(late, 0, &open, B_old, D_old, error);
    int n = late->states = open.states, m = parts->inputs, first = input < 0 ? 0 : input;
    if (status == IB_OK && n > 0) status = ib_eigenvalues(n, open.A, own, error);
    if (status != IB_OK) return status;

    // s = S s_b, A_b' = Q H Q':   R B = ((z I - H)^-1 Q' S C')' (Q' S^-1 B)
    ib_balance(n, m, m, open.A, open.B, open.C, scale);
    ib_matrix_transpose(n, n, open.A, late->H);
    ib_matrix_identity(n, late->turn);
    ib__hessenberg(n, late->H, n, late->turn);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            for (int j = 0; j < late->count; j++)
                late->c[i * late->count + j] += late->turn[i * n + k] * open.C[(first + j) * n + k];
            late->turn[i * n + k] /= scale[k];
        }
    return IB_OK;
}

// -------------------------------------------------------------------------------------------- loci

bool ib__late_solve(const ib__LateLoop *late, ib_Complex z, ib_Complex *x)
{
    for (int i = 0; i < late->states * late->count; i++) x[i] = (ib_Complex){late->c[i], 0};
    return ib__hessenberg_solve(late->states, late->H, z, late->count, x);
}

static int in_order(const void *a_, const void *b_)
{
    const ib_Complex *a = a_, *b = b_;
    double more = b->re * b->re + b->im * b->im - (a->re * a->re + a->im * a->im);
    return more > 0 ? 1 : more < 0 ? -1 : 0;
}

void ib__late_loci(const ib__LateLoop *late, const ib__LatePart *at, ib_Complex z,
                   const ib_Complex *x, ib_Complex *loci)
{
    int n = late->states, m = late->count;
    const ib_Complex back = {z.re, -z.im}; // 1 / z on the unit circle
    ib_Complex G[M * M];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            ib_Complex fresh = {0, 0}, old = {at->D_old[i * m + j], 0};
            for (int k = 0; k < n; k++) {
                double b_new = at->B_new[k * m + j], b_old = at->B_old[k * m + j];
                fresh.re += x[k * m + i].re * b_new;
                fresh.im += x[k * m + i].im * b_new;
                old.re += x[k * m + i].re * b_old;
                old.im += x[k * m + i].im * b_old;
            }
            G[i * m + j] = ib_complex_add(fresh, ib_complex_multiply(back, old));
        }
    ib_complex_eigenvalues(m, G, loci);
    if (m > 1) qsort(loci, (size_t)m, sizeof *loci, in_order);
}
