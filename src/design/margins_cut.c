// Symbols: X = (z I - A)^-1 B the states' answer to the plant's input; v = -u what the controller
// asks for, with the sign turned: L takes the plant's input to v.
#include "design/margins_inside.h"

#include "base/matrix.h"
#include "design/balance.h"
#include "design/frequency.h"
#include "design/reach.h"

#include <string.h>

enum { N = IB_STATES_MAX, M = IB_INPUTS_MAX, P = IB_OUTPUTS_MAX };

#define LARGE 1e150 ///< stands for a value at a pole; its square is finite

// c = a b, complex.
static void multiply(int rows, int inner, int columns, const ib_Complex *a, const ib_Complex *b,
                     ib_Complex *c)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            ib_Complex sum = {0, 0};
            for (int k = 0; k < inner; k++)
                sum =
                    ib_complex_add(sum, ib_complex_multiply(a[i * inner + k], b[k * columns + j]));
            c[i * columns + j] = sum;
        }
}

// c = a b, a real.
static void multiply_real(int rows, int inner, int columns, const double *a, const ib_Complex *b,
                          ib_Complex *c)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            ib_Complex sum = {0, 0};
            for (int k = 0; k < inner; k++) {
                sum.re += a[i * inner + k] * b[k * columns + j].re;
                sum.im += a[i * inner + k] * b[k * columns + j].im;
            }
            c[i * columns + j] = sum;
        }
}

// ------------------------------------------------------------------ the loop at one frequency

// With integrals z+ = z + T Z x^:  v = K x^ + G z = (K + G Z T / (z - 1)) x^
static int effective_gain(const ib__Cut *cut, ib_Complex z, ib_Complex *K)
{
    int n = cut->plant->states, m = cut->plant->inputs, q = cut->loop ? cut->loop->integrals : 0;
    for (int i = 0; i < m * n; i++) K[i] = (ib_Complex){cut->K[i], 0};
    if (q == 0) return 0;
    ib_Complex less = {z.re - 1, z.im};
    if (less.re == 0 && less.im == 0) return 1;
    ib_Complex factor = ib_complex_divide((ib_Complex){cut->loop->period, 0}, less);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < q; k++) sum += cut->gear->G[i * q + k] * cut->loop->Z[k * n + j];
            K[i * n + j].re += factor.re * sum;
            K[i * n + j].im += factor.im * sum;
        }
    return 0;
}

// g: inputs x outputs, from y - D u to v, with x^ = x- + M (y - D u - C x-), z x- = A x^ - B v:
//   (z I - (I - M C)(A - B K)) x^ = z M (y - D u),   v = K x^
static int observer_gain(const ib__Cut *cut, ib_Complex z, const ib_Complex *K, ib_Complex *g)
{
    int n = cut->plant->states, m = cut->plant->inputs, p = cut->plant->outputs;
    ib_Complex a[N * N], closed[N * N], x[N * P];
    double less[N * N] = {0}; // M C - I
    multiply_real(n, m, n, cut->plant->B, K, closed);
    for (int i = 0; i < n * n; i++)
        closed[i] = (ib_Complex){cut->plant->A[i] - closed[i].re, -closed[i].im};
    ib_matrix_multiply(n, p, n, cut->gear->M, cut->plant->C, less);
    for (int i = 0; i < n; i++) less[i * n + i] -= 1;
    multiply_real(n, n, n, less, closed, a);
    for (int i = 0; i < n; i++) a[i * n + i] = ib_complex_add(a[i * n + i], z);
    for (int i = 0; i < n * p; i++)
        x[i] = (ib_Complex){z.re * cut->gear->M[i], z.im * cut->gear->M[i]};
    if (!(ib_complex_solve(n, p, a, x) > 0)) return 1;
    multiply(m, n, p, K, x, g);
    return 0;
}

// A measurement shows the input of the period before, y = C x + D u / z, and the controller takes
// off what it asked for itself:   v = g (C X + D / z) u + g (D / z) v
static int with_observer(const ib__Cut *cut, ib_Complex z, const ib_Complex *K, const ib_Complex *X,
                         ib_Complex *L)
{
    int n = cut->plant->states, m = cut->plant->inputs, p = cut->plant->outputs;
    ib_Complex g[M * P], y[P * M], d[P * M], gd[M * M], one = {1, 0};
    if (observer_gain(cut, z, K, g)) return 1;
    multiply_real(p, n, m, cut->plant->C, X, y);
    for (int i = 0; i < p * m; i++) {
        d[i] = ib_complex_divide((ib_Complex){cut->plant->D[i], 0}, z);
        y[i] = ib_complex_add(y[i], d[i]);
    }
    multiply(m, p, m, g, y, L);
    multiply(m, p, m, g, d, gd);
    for (int i = 0; i < m * m; i++) gd[i] = (ib_Complex){-gd[i].re, -gd[i].im};
    for (int i = 0; i < m; i++) gd[i * m + i] = ib_complex_add(gd[i * m + i], one);
    return !(ib_complex_solve(m, m, gd, L) > 0);
}

int ib__cut_matrix(const ib__Cut *cut, ib_Complex z, ib_Complex *L)
{
    ib_Complex X[N * M], K[M * N];
    int n = cut->plant->states, m = cut->plant->inputs;
    if (!cut->K) return ib_frequency_response(cut->plant, z, L, NULL) != IB_OK;
    if (ib_frequency_states(cut->plant, z, X, NULL) != IB_OK) return 1;
    if (effective_gain(cut, z, K)) return 1;
    if (cut->loop && cut->loop->observer) return with_observer(cut, z, K, X, L);
    multiply(m, n, m, K, X, L);
    return 0;
}

// L_i = L_ii - L_io (I + L_oo)^-1 L_oi, o the other inputs, closed with u_o = -L u
void ib__cut_back(const ib__Cut *cut, ib_Complex z, int input, ib_Complex *back)
{
    ib_Complex L[M * M], a[M * M], b[M];
    int m = cut->plant->inputs, r = m - 1;
    *back = (ib_Complex){LARGE, 0};
    if (ib__cut_matrix(cut, z, L)) return;
    for (int i = 0; i < r; i++) {
        int from = i < input ? i : i + 1;
        for (int j = 0; j < r; j++) a[i * r + j] = L[from * m + (j < input ? j : j + 1)];
        a[i * r + i].re += 1;
        b[i] = L[from * m + input];
    }
    if (r > 0 && !(ib_complex_solve(r, 1, a, b) > 0)) return;
    ib_Complex value = L[input * m + input];
    for (int i = 0; i < r; i++)
        value = ib_complex_subtract(
            value, ib_complex_multiply(L[input * m + (i < input ? i : i + 1)], b[i]));
    if (ib_complex_size(value) < LARGE) *back = value;
}

// ------------------------------------------------------------------ poles

static ib_Status append(int n, const double *a, ib_Complex *poles, int *count, bool discrete,
                        bool *stable, ib_Error *error)
{
    ib_Status status = n > 0 ? ib_eigenvalues(n, a, poles + *count, error) : IB_OK;
    if (status != IB_OK) return status;
    for (int i = 0; i < n && stable; i++)
        if (!ib_reach_dies_out(poles[*count + i], discrete, ib_matrix_norm(n, n, a)))
            *stable = false;
    *count += n;
    return IB_OK;
}

// u = -y closed around the plant:  A - B (I + D)^-1 C
static ib_Status open_poles(const ib_StateSpace *plant, ib_Complex *poles, int *count, bool *stable,
                            ib_Error *error)
{
    int n = plant->states, m = plant->inputs, pivot[M];
    double d[M * M], x[M], closed[N * N];
    memcpy(d, plant->D, (size_t)(m * m) * sizeof *d);
    for (int i = 0; i < m; i++) d[i * m + i] += 1;
    if (ib_matrix_factor(m, d, pivot))
        return ib_error_set(error, IB_BAD_INPUT, "the loop cannot be closed: I + D is singular");
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < m; i++) x[i] = plant->C[i * n + j];
        ib_matrix_solve(m, d, pivot, x);
        for (int i = 0; i < n; i++) {
            closed[i * n + j] = plant->A[i * n + j];
            for (int k = 0; k < m; k++) closed[i * n + j] -= plant->B[i * m + k] * x[k];
        }
    }
    return append(n, closed, poles, count, plant->period > 0, stable, error);
}

// The regulator over what the inputs can move (the rest, as estimated input errors, is no part of
// the loop), with its integrals:
//   [A_m - B_m K_m, -B_m G; T Z_m, I]
static ib_Status regulator_poles(const ib__Cut *cut, ib_Complex *poles, int *count, bool *stable,
                                 ib_Error *error)
{
    enum { WIDEST = IB_STATES_MAX + IB_INTEGRALS_MAX };
    int n = cut->plant->states, m = cut->plant->inputs, q = cut->loop ? cut->loop->integrals : 0;
    double A[N * N], B[N * M], Q[N * N], scale[N], gain[M * WIDEST] = {0}, a[WIDEST * WIDEST];
    memcpy(A, cut->plant->A, (size_t)(n * n) * sizeof *A);
    memcpy(B, cut->plant->B, (size_t)(n * m) * sizeof *B);
    ib_balance(n, m, 0, A, B, NULL, scale);
    int r = ib_reach_split(n, m, A, B, Q), w = r + q;

    memset(a, 0, sizeof a);
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < r; j++)
            for (int k = 0; k < n; k++)
                gain[i * w + j] += cut->K[i * n + k] * scale[k] * Q[k * n + j];
        for (int j = 0; j < q; j++) gain[i * w + r + j] = cut->gear->G[i * q + j];
    }
    for (int i = 0; i < r; i++)
        for (int j = 0; j < w; j++) {
            a[i * w + j] = j < r ? A[i * n + j] : 0;
            for (int k = 0; k < m; k++) a[i * w + j] -= B[i * m + k] * gain[k * w + j];
        }
    for (int i = 0; i < q; i++) {
        for (int j = 0; j < r; j++)
            for (int k = 0; k < n; k++)
                a[(r + i) * w + j] +=
                    cut->loop->period * cut->loop->Z[i * n + k] * scale[k] * Q[k * n + j];
        a[(r + i) * w + r + i] = 1;
    }
    return append(w, a, poles, count, cut->plant->period > 0, stable, error);
}

// The estimation error, (I - M C) A, and the controller by itself, (I - M C)(A - B K).
static ib_Status observer_poles(const ib__Cut *cut, ib_Complex *poles, int *count, bool *stable,
                                ib_Error *error)
{
    int n = cut->plant->states, m = cut->plant->inputs, p = cut->plant->outputs;
    double keep[N * N], a[N * N] = {0}, bk[N * N], closed[N * N];
    ib_matrix_multiply(n, p, n, cut->gear->M, cut->plant->C, keep);
    for (int i = 0; i < n * n; i++) keep[i] = (i % (n + 1) == 0 ? 1 : 0) - keep[i];
    ib_matrix_multiply(n, n, n, keep, cut->plant->A, a);
    ib_Status status = append(n, a, poles, count, true, stable, error);
    if (status != IB_OK) return status;
    ib_matrix_multiply(n, m, n, cut->plant->B, cut->K, bk);
    ib_matrix_add(n, n, cut->plant->A, -1, bk, closed);
    ib_matrix_multiply(n, n, n, keep, closed, a);
    return append(n, a, poles, count, true, NULL, error);
}

ib_Status ib__cut_poles(const ib__Cut *cut, ib_Complex *poles, int *count, bool *stable,
                        ib_Error *error)
{
    const ib_StateSpace *plant = cut->plant;
    *count = 0;
    *stable = true;
    ib_Status status =
        append(plant->states, plant->A, poles, count, plant->period > 0, NULL, error);
    if (status != IB_OK) return status;
    if (!cut->K) return open_poles(plant, poles, count, stable, error);
    status = regulator_poles(cut, poles, count, stable, error);
    if (status == IB_OK && cut->loop && cut->loop->observer)
        status = observer_poles(cut, poles, count, stable, error);
    return status;
}
