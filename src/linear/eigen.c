#include "linear/eigen.h"

#include "base/matrix.h"
#include "linear/balance.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_TURNS = 60, ///< iterations for one eigenvalue; 2 or 3 are usual
    PATIENT_TURNS = 10,
};

// -------------------------------------------------------------------------------------- Hessenberg

// Eliminates below the subdiagonal with the largest pivot of each column: a similar matrix.
static void reduce(int n, double *a)
{
    for (int m = 1; m < n - 1; m++) {
        int best = m;
        for (int i = m + 1; i < n; i++)
            if (fabs(a[i * n + m - 1]) > fabs(a[best * n + m - 1])) best = i;
        double pivot = a[best * n + m - 1];
        if (pivot == 0) continue;
        if (best != m) {
            ib__matrix_swap_rows(n, a, best, m);
            for (int i = 0; i < n; i++) {
                double held = a[i * n + best];
                a[i * n + best] = a[i * n + m];
                a[i * n + m] = held;
            }
        }
        for (int i = m + 1; i < n; i++) {
            double y = a[i * n + m - 1] / pivot;
            if (y == 0) continue;
            a[i * n + m - 1] = 0;
            for (int j = m; j < n; j++) a[i * n + j] -= y * a[m * n + j];
            for (int j = 0; j < n; j++) a[j * n + m] += y * a[j * n + i];
        }
    }
}

// ---------------------------------------------------------------------------------------------- QR

// A reflection of two or three neighbours: I - v v' 2/(v'v), which brings x to a multiple of e1.
typedef struct Mirror {
    double v[3], factor;
    int size;
} Mirror;

static Mirror mirror_of(const double *x, int size)
{
    Mirror m = {.size = size};
    double norm = 0;
    for (int i = 0; i < size; i++) norm += x[i] * x[i];
    norm = sqrt(norm);
    if (norm == 0) return m;
    for (int i = 0; i < size; i++) m.v[i] = x[i];
    m.v[0] += copysign(norm, x[0]);
    double square = 0;
    for (int i = 0; i < size; i++) square += m.v[i] * m.v[i];
    m.factor = square > 0 ? 2 / square : 0;
    return m;
}

// a = M a M on rows and columns `at` ..
static void reflect(const Mirror *m, int n, int at, double *a)
{
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int k = 0; k < m->size; k++) sum += m->v[k] * a[(at + k) * n + j];
        for (int k = 0; k < m->size; k++) a[(at + k) * n + j] -= m->factor * m->v[k] * sum;
    }
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < m->size; k++) sum += m->v[k] * a[i * n + at + k];
        for (int k = 0; k < m->size; k++) a[i * n + at + k] -= m->factor * m->v[k] * sum;
    }
}

// One step with both shifts at once, sum s and product t of the two, on rows low .. high:
// the first column of H^2 - s H + t I begins it, and the bulge is chased down.
static void francis(int n, int low, int high, double s, double t, double *h)
{
    double x[3];
    double h00 = h[low * n + low], h01 = h[low * n + low + 1], h10 = h[(low + 1) * n + low];
    double h11 = h[(low + 1) * n + low + 1];
    x[0] = h00 * h00 + h01 * h10 - s * h00 + t;
    x[1] = h10 * (h00 + h11 - s);
    x[2] = low + 2 <= high ? h10 * h[(low + 2) * n + low + 1] : 0;
    for (int k = low; k < high; k++) {
        int size = k + 2 <= high ? 3 : 2;
        Mirror mirror = mirror_of(x, size);
        reflect(&mirror, n, k, h);
        // The elements that the mirror eliminates become exactly zero.
        for (int i = k + 1; k > low && i < k + size; i++) h[i * n + k - 1] = 0;
        for (int i = 0; i < 3 && k + 1 + i <= high; i++) x[i] = h[(k + 1 + i) * n + k];
    }
    for (int i = low + 2; i <= high; i++)
        for (int j = low; j + 1 < i; j++) h[i * n + j] = 0;
}

// Both eigenvalues of the block at rows i, i + 1.
static void solve_pair(int n, const double *h, int i, ib_Complex *values)
{
    double a = h[i * n + i], b = h[i * n + i + 1], c = h[(i + 1) * n + i];
    double d = h[(i + 1) * n + i + 1], half = 0.5 * (a - d), q = half * half + b * c;
    double root = sqrt(fabs(q));
    if (q < 0) {
        values[0] = (ib_Complex){d + half, root};
        values[1] = (ib_Complex){d + half, -root};
        return;
    }
    // The eigenvalue without cancellation; the other one from the product.
    double z = half + copysign(root, half), far = d + z;
    values[0] = (ib_Complex){far, 0};
    values[1] = (ib_Complex){z != 0 ? d - b * c / z : far, 0};
}

// The first row of the block that ends at `high`: above it the subdiagonal is negligible beside its
// neighbours or, after many iterations, beside rounding of the whole matrix: several eigenvalues at
// 0, as of delayed inputs, are known no better.
static int find_low(int n, int high, int turns, double *h)
{
    double size = ib_matrix_norm(n, n, h);
    int low = high;
    for (; low > 0; low--) {
        double near = fabs(h[low * n + low]) + fabs(h[(low - 1) * n + low - 1]);
        if (near == 0) near = size;
        if (turns >= PATIENT_TURNS) near = turns * size;
        if (fabs(h[low * n + low - 1]) <= DBL_EPSILON * near) break;
    }
    if (low > 0) h[low * n + low - 1] = 0;
    return low;
}

static int iterate(int n, double *h, ib_Complex *values)
{
    int high = n - 1, turns = 0;
    while (high >= 0) {
        int low = find_low(n, high, turns, h);
        if (low == high) {
            values[high] = (ib_Complex){h[high * n + high], 0};
            high--, turns = 0;
        } else if (low == high - 1) {
            solve_pair(n, h, low, &values[low]);
            high -= 2, turns = 0;
        } else {
            if (++turns > MOST_TURNS) return 1;
            const double *last = &h[high * n + high], *above = last - n - 1;
            double s = *above + *last, t = *above * *last - last[-1] * last[-n];
            // Two real shifts may each pursue another pair and never converge: the nearer one is
            // used twice.
            double half = 0.5 * (*above - *last), q = half * half + last[-1] * last[-n];
            if (turns > PATIENT_TURNS && q > 0) {
                double one = *last + half - copysign(sqrt(q), half);
                s = 2 * one;
                t = one * one;
            }
            // Every tenth iteration has other shifts, for matrices on which the usual ones cycle.
            if (turns % 10 == 0) {
                double w = fabs(last[-1]) + fabs(h[(high - 1) * n + high - 2]);
                s = 1.5 * w;
                t = w * w;
            }
            francis(n, low, high, s, t, h);
        }
    }
    return 0;
}

// ------------------------------------------------------------------------------------------ values

static int in_order(const void *a_, const void *b_)
{
    const ib_Complex *a = a_, *b = b_;
    double size = b->re * b->re + b->im * b->im - (a->re * a->re + a->im * a->im);
    if (size != 0) return size > 0 ? 1 : -1;
    if (a->re != b->re) return a->re < b->re ? 1 : -1;
    return a->im < b->im ? 1 : a->im > b->im ? -1 : 0;
}

ib_Status ib_eigenvalues(int n, const double *a, ib_Complex *values, ib_Error *error)
{
    double h[IB_EIGEN_MAX * IB_EIGEN_MAX], scale[IB_EIGEN_MAX];
    IB_ASSERT(n >= 1 && n <= IB_EIGEN_MAX);
    if (!isfinite(ib_matrix_norm(n, n, a)))
        return ib_error_set(error, IB_BAD_INPUT, "the matrix is not finite");
    memcpy(h, a, (size_t)(n * n) * sizeof *h);
    ib_balance(n, 0, 0, h, NULL, NULL, scale);
    reduce(n, h);
    if (iterate(n, h, values))
        return ib_error_set(error, IB_FAILED, "the eigenvalues do not converge");
    qsort(values, (size_t)n, sizeof *values, in_order);
    return IB_OK;
}
