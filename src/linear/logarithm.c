#include "linear/logarithm.h"

#include "base/maths.h"
#include "base/matrix.h"
#include "linear/eigen.h"
#include "linear/exponential.h"

#include <string.h>

enum {
    CELLS = IB_LOGARITHM_MAX * IB_LOGARITHM_MAX,
    MOST_ROOTS = 60, ///< 2^60 is beyond what a double can tell from I
    MOST_TURNS = 50, ///< of one root; 5 to 10 are usual
};

// Largest |X| for which 8 points are exact to rounding.                   [Higham 2008, table 11.1]
static const double reach = 0.34;

// Points and weights of Gauss's rule on 0 .. 1.
static const double point[8] = {0.019855071751231912, 0.10166676129318664, 0.2372337950418355,
                                0.4082826787521751,   0.591717321247825,   0.7627662049581645,
                                0.8983332387068134,   0.9801449282487681};
static const double weight[8] = {0.050614268145188185, 0.11119051722668709, 0.15685332293894372,
                                 0.18134189168918102,  0.18134189168918102, 0.15685332293894372,
                                 0.11119051722668709,  0.050614268145188185};

// ------------------------------------------------------------------------------------- square root

// inverse = m^-1; returns 1 where there is none. `size` becomes |det m|^(1/n).
static int invert(int n, const double *m, double *inverse, double *size)
{
    double lu[CELLS], log_det = 0;
    int pivot[IB_LOGARITHM_MAX] = {0};
    memcpy(lu, m, (size_t)(n * n) * sizeof *lu);
    if (ib_matrix_factor(n, lu, pivot)) return 1;
    for (int i = 0; i < n; i++) log_det += ib_log(fabs(lu[i * n + i]));
    *size = ib_exp(log_det / n);
    ib_matrix_identity(n, inverse);
    ib_matrix_solve_columns(n, n, lu, pivot, inverse);
    return 0;
}

// The distance of m from I.
static double distance(int n, const double *m)
{
    double off[CELLS];
    memcpy(off, m, (size_t)(n * n) * sizeof *off);
    for (int i = 0; i < n; i++) off[i * n + i] -= 1;
    return ib_matrix_norm(n, n, off);
}

// a = a^(1/2), by the product form of Denman and Beavers' iteration:   [Cheng, Higham et al. 2001]
//   M <- (I + (s M + M^-1 / s) / 2) / 2,   X <- sqrt(s) X (I + M^-1 / s) / 2,   M = X = A at first
// M goes to I and X to the root, at the end quadratically. s = |det M|^(-1/n) brings the
// eigenvalues of M around 1 first. Returns 1 where it does not converge.
static int take_root(int n, double *a)
{
    double m[CELLS], inverse[CELLS], next[CELLS], before = INFINITY;
    memcpy(m, a, (size_t)(n * n) * sizeof *m);
    for (int turn = 0; turn < MOST_TURNS; turn++) {
        double size, off = distance(n, m);
        // Converged to rounding, or no longer improving.
        if (off <= 2 * DBL_EPSILON || (off < 1e-8 && off >= 0.5 * before)) return 0;
        if (invert(n, m, inverse, &size)) return 1;
        double s = off < 0.1 ? 1 : 1 / size, half = 0.5 * sqrt(s);
        for (int i = 0; i < n * n; i++) {
            inverse[i] /= s;
            m[i] = 0.25 * (s * m[i] + inverse[i]);
        }
        for (int i = 0; i < n; i++) {
            m[i * n + i] += 0.5;
            inverse[i * n + i] += 1;
        }
        ib_matrix_multiply(n, n, n, a, inverse, next);
        for (int i = 0; i < n * n; i++) a[i] = half * next[i];
        before = off;
    }
    return 1;
}

// --------------------------------------------------------------------------------------- logarithm

// sum = log(I + x), x small: sum over the points of w x (I + t x)^-1. All of these commute, so the
// division may stand on the left.
static int integrate(int n, const double *x, double *sum)
{
    memset(sum, 0, (size_t)(n * n) * sizeof *sum);
    for (int k = 0; k < 8; k++) {
        double lu[CELLS], part[CELLS];
        int pivot[IB_LOGARITHM_MAX] = {0};
        for (int i = 0; i < n * n; i++) {
            lu[i] = point[k] * x[i];
            part[i] = weight[k] * x[i];
        }
        for (int i = 0; i < n; i++) lu[i * n + i] += 1;
        if (ib_matrix_factor(n, lu, pivot)) return 1;
        ib_matrix_solve_columns(n, n, lu, pivot, part);
        ib_matrix_add(n, n, sum, 1, part, sum);
    }
    return 0;
}

static int approximate(int n, const double *a, double *result)
{
    double root[CELLS];
    int roots = 0;
    memcpy(root, a, (size_t)(n * n) * sizeof *root);
    for (; !(distance(n, root) <= reach); roots++)
        if (roots == MOST_ROOTS || take_root(n, root)) return 1;
    for (int i = 0; i < n; i++) root[i * n + i] -= 1;
    if (integrate(n, root, result)) return 1;
    for (int i = 0; i < n * n; i++) result[i] = ldexp(result[i], roots);
    return 0;
}

// |e^L - A| / |A|
static double miss(int n, const double *a, const double *logarithm)
{
    double e[CELLS];
    if (ib_matrix_exponential(n, logarithm, e, NULL) != IB_OK) return INFINITY;
    ib_matrix_add(n, n, e, -1, a, e);
    return ib_matrix_norm(n, n, e) / ib_matrix_norm(n, n, a);
}

// One Newton step on e^L = A: L <- L + e^-L A - I, kept if it helps. Returns the miss.
static double refine_logarithm(int n, const double *a, double *logarithm)
{
    double minus[CELLS], inverse[CELLS], step[CELLS];
    double before = miss(n, a, logarithm);
    for (int i = 0; i < n * n; i++) minus[i] = -logarithm[i];
    if (ib_matrix_exponential(n, minus, inverse, NULL) != IB_OK) return before;
    ib_matrix_multiply(n, n, n, inverse, a, step);
    for (int i = 0; i < n; i++) step[i * n + i] -= 1;
    ib_matrix_add(n, n, logarithm, 1, step, step);
    double after = miss(n, a, step);
    if (!(after < before)) return before;
    memcpy(logarithm, step, (size_t)(n * n) * sizeof *step);
    return after;
}

ib_Status ib_matrix_logarithm(int n, const double *a, double *result, ib_Error *error)
{
    static const double tolerance = 1e-10;
    ib_Complex values[IB_EIGEN_MAX];
    IB_ASSERT(n >= 1 && n <= IB_LOGARITHM_MAX);
    ib_Status status = ib_eigenvalues(n, a, values, error);
    if (status != IB_OK) return status;
    for (int i = 0; i < n; i++)
        if (values[i].im == 0 && !(values[i].re > 0))
            return ib_error_set(error, IB_BAD_INPUT,
                                "the eigenvalue %.6g is real and not above 0: no real logarithm",
                                values[i].re);
    if (approximate(n, a, result))
        return ib_error_set(error, IB_FAILED, "the square roots do not converge");
    double off = refine_logarithm(n, a, result);
    if (off <= tolerance) return IB_OK;
    return ib_error_set(error, IB_FAILED, "the logarithm is found to %.1e only", off);
}

// ------------------------------------------------------------------------------------------- power

// a^p by squaring: the bits of p from the lowest on.
static void multiply_out(int n, const double *a, int p, double *result)
{
    double square[CELLS], next[CELLS];
    size_t bytes = (size_t)(n * n) * sizeof *square;
    memcpy(square, a, bytes);
    ib_matrix_identity(n, result);
    for (; p > 0; p /= 2) {
        if (p % 2) {
            ib_matrix_multiply(n, n, n, result, square, next);
            memcpy(result, next, bytes);
        }
        ib_matrix_multiply(n, n, n, square, square, next);
        memcpy(square, next, bytes);
    }
}

ib_Status ib_matrix_power(int n, const double *a, double p, double *result, ib_Error *error)
{
    static const double most_whole = 1 << 20;
    double logarithm[CELLS];
    IB_ASSERT(n >= 1 && n <= IB_LOGARITHM_MAX);
    if (!isfinite(p) || !isfinite(ib_matrix_norm(n, n, a)))
        return ib_error_set(error, IB_BAD_INPUT, "the matrix or its exponent is not finite");
    if (p >= 0 && p <= most_whole && p == floor(p)) {
        multiply_out(n, a, (int)p, result);
        if (isfinite(ib_matrix_norm(n, n, result))) return IB_OK;
        return ib_error_set(error, IB_FAILED, "its power is too large");
    }
    ib_Status status = ib_matrix_logarithm(n, a, logarithm, error);
    if (status != IB_OK) return status;
    for (int i = 0; i < n * n; i++) logarithm[i] *= p;
    return ib_matrix_exponential(n, logarithm, result, error);
}
