// design/margins/margins_cut.c: an opened loop closed again at all inputs, or at all but one.
#include "base/extreme.h"
#include "base/matrix.h"
#include "design/controllability.h"
#include "design/margins/open_loop.h"
#include "linear/balance.h"

#include <string.h>

enum { N = IB_OPEN_MAX, M = IB_INPUTS_MAX };

#define LARGE 1e150 ///< stands for a value at a pole; its square is finite

// ----------------------------------------------------------------------------------------- closing

// Closes w_o = -v_o for the listed inputs o:
//   F = (I + D_oo)^-1,   A - B_o F C_o,   B_i - B_o F D_oi,
//                        C_i - D_io F C_o,   D_ii - D_io F D_oi
// In place; the listed inputs are then undefined. `other`: -1, or the i that is kept.
static ib_Status close_inputs(ib__OpenLoop *open, int count, const int *list, int other,
                              ib_Error *error)
{
    int n = open->states, m = open->inputs, pivot[M];
    double f[M * M], x[M * (N + 1)] = {0};
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++)
            f[i * count + j] = (i == j ? 1 : 0) + open->D[list[i] * m + list[j]];
        memcpy(x + i * (n + 1), open->C + list[i] * n, (size_t)n * sizeof *x);
        if (other >= 0) x[i * (n + 1) + n] = open->D[list[i] * m + other];
    }
    if (ib_matrix_factor(count, f, pivot))
        return ib_error_set(error, IB_BAD_INPUT, "the loop cannot be closed: I + D is singular");
    ib_matrix_solve_columns(count, n + 1, f, pivot, x);
    for (int k = 0; k < count; k++) {
        const double *row = x + k * (n + 1);
        for (int i = 0; i < n; i++) {
            double b = open->B[i * m + list[k]];
            for (int j = 0; j < n; j++) open->A[i * n + j] -= b * row[j];
            if (other >= 0) open->B[i * m + other] -= b * row[n];
        }
        if (other < 0) continue;
        double d = open->D[other * m + list[k]];
        for (int j = 0; j < n; j++) open->C[other * n + j] -= d * row[j];
        open->D[other * m + other] -= d * row[n];
    }
    return IB_OK;
}

ib_Status ib__open_poles(const ib__OpenLoop *open, ib_Complex *poles, bool *stable, ib_Error *error)
{
    ib__OpenLoop closed = *open;
    int list[M], n = open->states;
    *stable = true;
    if (n == 0) return IB_OK;
    for (int i = 0; i < open->inputs; i++) list[i] = i;
    ib_Status status = close_inputs(&closed, open->inputs, list, -1, error);
    if (status == IB_OK) status = ib_eigenvalues(n, closed.A, poles, error);
    for (int i = 0; status == IB_OK && i < n; i++)
        *stable &=
            ib_controllability_dies_out(poles[i], open->period > 0, ib_complex_size(poles[0]));
    return status;
}

// -------------------------------------------------------------------------------------- Hessenberg

// x less the multiple of h that reflects it, from element `first` on; elements lie `apart`.
static void reflect(int n, int first, const double *h, double square, int apart, double *x)
{
    double sum = 0;
    for (int i = first; i < n; i++) sum += h[i] * x[i * apart];
    sum *= 2 / square;
    for (int i = first; i < n; i++) x[i * apart] -= sum * h[i];
}

// [Golub, Van Loan, 7.4.3]
void ib__hessenberg(int n, double *H, int columns, double *along)
{
    for (int k = 0; k + 2 < n; k++) {
        double h[N], large = 0, square = 0;
        for (int i = k + 1; i < n; i++) large = ib_max(large, fabs(H[i * n + k]));
        if (!(large > 0)) continue;
        for (int i = k + 1; i < n; i++) {
            h[i] = H[i * n + k] / large;
            square += h[i] * h[i];
        }
        // h = a + sign(a_1) |a| e_1,   h'h = 2 (|a|^2 + |a_1| |a|)
        double size = sqrt(square), lead = fabs(h[k + 1]);
        h[k + 1] += copysign(size, h[k + 1]);
        square = 2 * (square + lead * size);
        for (int j = 0; j < n; j++) reflect(n, k + 1, h, square, n, H + j);
        for (int i = 0; i < n; i++) reflect(n, k + 1, h, square, 1, H + i * n);
        for (int j = 0; j < columns; j++) reflect(n, k + 1, h, square, columns, along + j);
        for (int i = k + 2; i < n; i++) H[i * n + k] = 0;
    }
}

ib_Status ib__cut_make(const ib__OpenLoop *open, int input, ib__Cut *cut, ib_Error *error)
{
    ib__OpenLoop closed = *open;
    int list[M], count = 0, n = open->states, m = open->inputs;
    double scale[N];
    for (int i = 0; i < m; i++)
        if (i != input) list[count++] = i;
    ib_Status status = close_inputs(&closed, count, list, input, error);
    if (status != IB_OK) return status;
    cut->states = n;
    cut->period = open->period;
    cut->d = closed.D[input * m + input];
    memcpy(cut->H, closed.A, (size_t)(n * n) * sizeof *cut->H);
    for (int i = 0; i < n; i++) {
        cut->b[i] = closed.B[i * m + input];
        cut->c[i] = closed.C[input * n + i];
    }
    ib_balance(n, 1, 1, cut->H, cut->b, cut->c, scale);
    double both[N * 2];
    for (int i = 0; i < n; i++) both[2 * i] = cut->b[i], both[2 * i + 1] = cut->c[i];
    ib__hessenberg(n, cut->H, 2, both);
    for (int i = 0; i < n; i++) cut->b[i] = both[2 * i], cut->c[i] = both[2 * i + 1];
    return IB_OK;
}

// -------------------------------------------------------------------------------- at one frequency

static void swap(int count, ib_Complex *a, ib_Complex *b)
{
    for (int j = 0; j < count; j++) {
        ib_Complex held = a[j];
        a[j] = b[j];
        b[j] = held;
    }
}

// Eliminates element k of row k + 1 of a, the larger of both rows first. Returns 1 if both
// are zero.
static int eliminate(int n, int k, ib_Complex *a, int columns, ib_Complex *x)
{
    ib_Complex *above = a + k * n, *below = above + n, *here = x + k * columns;
    if (k + 1 < n && ib_complex_size(below[k]) > ib_complex_size(above[k])) {
        swap(n - k, above + k, below + k);
        swap(columns, here, here + columns);
    }
    double size = ib_complex_size(above[k]);
    if (!(size > 0 && size < LARGE)) return 1;
    if (k + 1 == n || (below[k].re == 0 && below[k].im == 0)) return 0;
    ib_Complex factor = ib_complex_divide(below[k], above[k]);
    for (int j = k + 1; j < n; j++)
        below[j] = ib_complex_subtract(below[j], ib_complex_multiply(factor, above[j]));
    for (int c = 0; c < columns; c++)
        here[columns + c] =
            ib_complex_subtract(here[columns + c], ib_complex_multiply(factor, here[c]));
    return 0;
}

// By elimination: one element below the diagonal to a column.
bool ib__hessenberg_solve(int n, const double *H, ib_Complex z, int columns, ib_Complex *x)
{
    ib_Complex a[N * N];
    for (int i = 0; i < n; i++) {
        for (int j = i > 0 ? i - 1 : 0; j < n; j++) a[i * n + j] = (ib_Complex){-H[i * n + j], 0};
        a[i * n + i] = ib_complex_add(a[i * n + i], z);
    }
    for (int k = 0; k < n; k++)
        if (eliminate(n, k, a, columns, x)) return false;
    for (int k = n - 1; k >= 0; k--)
        for (int c = 0; c < columns; c++) {
            ib_Complex *at = &x[k * columns + c];
            for (int j = k + 1; j < n; j++)
                *at =
                    ib_complex_subtract(*at, ib_complex_multiply(a[k * n + j], x[j * columns + c]));
            *at = ib_complex_divide(*at, a[k * n + k]);
        }
    return true;
}

ib_Complex ib__cut_back(const ib__Cut *cut, ib_Complex z)
{
    const ib_Complex none = {LARGE, 0};
    ib_Complex x[N], L = {cut->d, 0};
    int n = cut->states;
    for (int i = 0; i < n; i++) x[i] = (ib_Complex){cut->b[i], 0};
    if (!ib__hessenberg_solve(n, cut->H, z, 1, x)) return none;
    for (int k = n - 1; k >= 0; k--) {
        L.re += cut->c[k] * x[k].re;
        L.im += cut->c[k] * x[k].im;
    }
    return ib_complex_size(L) < LARGE ? L : none;
}
