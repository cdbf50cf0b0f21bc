// design/placement/placement_deflate.c: places poles with one input, one real pole or pair at a
// time. Symbols: p(A) = A - l I, or (A - re I)^2 + im^2 I for a pair; d its degree; S a subspace of
// dimension d that A - b k' maps onto itself with just these poles.
#include "design/placement/placement_inside.h"

#include "base/matrix.h"
#include "linear/singular.h"

#include <string.h>

enum { N = IB_STATES_MAX };

// p(A) and the d columns b, (A - re I) b, each of length 1.
static void raise(int n, int d, const double *A, const double *b, ib_Complex l, double *p,
                  double *krylov)
{
    double moved[N * N], size = 0;
    memcpy(moved, A, (size_t)(n * n) * sizeof *A);
    for (int i = 0; i < n; i++) moved[i * n + i] -= l.re;
    for (int i = 0; i < n; i++) size += b[i] * b[i];
    for (int i = 0; i < n; i++) krylov[i * d] = b[i] / sqrt(size);
    if (d == 1) {
        memcpy(p, moved, (size_t)(n * n) * sizeof *p);
        return;
    }
    ib_matrix_multiply(n, n, n, moved, moved, p);
    for (int i = 0; i < n; i++) p[i * n + i] += l.im * l.im;
    // The second column is made orthogonal first: only its new direction counts.
    double next[N], along = 0;
    size = 0;
    for (int i = 0; i < n; i++) {
        next[i] = 0;
        for (int j = 0; j < n; j++) next[i] += moved[i * n + j] * krylov[j * d];
        along += next[i] * krylov[i * d];
    }
    for (int i = 0; i < n; i++) next[i] -= along * krylov[i * d];
    for (int i = 0; i < n; i++) size += next[i] * next[i];
    for (int i = 0; i < n; i++) krylov[i * d + 1] = size > 0 ? next[i] / sqrt(size) : 0;
}

// An orthogonal U (n x n) whose last d columns span S. A feedback through b adds vectors along b,
// (A - b k') b, … only to p(A - b k'); p(A) S must therefore lie in span{b, A b}:
//   W' p(A) S = 0,   W the orthogonal complement of b (and A b)
static void find_subspace(int n, int d, const double *A, const double *b, ib_Complex l, double *U)
{
    double p[N * N], krylov[N * 2], w[N * N], sigma[N], seen[N * N];
    raise(n, d, A, b, l, p, krylov);
    ib_singular_values(n, d, krylov, w, sigma);
    // (W' p(A))', n x (n - d): its left null space is S.
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n - d; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += w[k * n + d + j] * p[k * n + i];
            seen[i * (n - d) + j] = sum;
        }
    ib_singular_values(n, n - d, seen, U, sigma);
}

// The last pole or pair, on 1 or 2 states: trace and determinant of A - b k' are linear in k.
//   k'b = tr A - s,   k' adj(A) b = det A - t,    s, t sum and product of the poles
static int finish(int n, const double *A, const double *b, ib_Complex l, double *k)
{
    if (n == 1) {
        k[0] = (A[0] - l.re) / b[0];
        return b[0] == 0;
    }
    double e = A[0] - l.re, f = A[1], g = A[2], h = A[3] - l.re; // poles +- i im
    double system[4] = {b[0], b[1], h * b[0] - f * b[1], e * b[1] - g * b[0]};
    int pivot[2];
    k[0] = e + h;
    k[1] = e * h - f * g - l.im * l.im;
    if (ib_matrix_factor(2, system, pivot)) return 1;
    ib_matrix_solve(2, system, pivot, k);
    return 0;
}

// k on S, then A and b on the rest. With U = [U2 U1], S = span U1:
//   U2' (A - b k') U1 = 0   ->   k' U1 = (U2' b)+ (U2' A U1)
// Returns 1 when b does not reach U2.
static int deflate(int n, int d, const double *U, double *A, double *b, double *k)
{
    double t[N * N], turned[N * N], ut[N * N], c[N], square = 0;
    int r = n - d;
    ib_matrix_transpose(n, n, U, ut);
    ib_matrix_multiply(n, n, n, ut, A, t);
    ib_matrix_multiply(n, n, n, t, U, turned);
    ib_matrix_multiply(n, n, 1, ut, b, c);
    for (int i = 0; i < r; i++) square += c[i] * c[i];
    if (!(square > 0)) return 1;
    for (int j = 0; j < d; j++) {
        double sum = 0;
        for (int i = 0; i < r; i++) sum += c[i] * turned[i * n + r + j];
        k[r + j] = sum / square;
    }
    for (int i = 0; i < r; i++) {
        b[i] = c[i];
        for (int j = 0; j < r; j++) A[i * r + j] = turned[i * n + j];
    }
    return 0;
}

ib_Status ib__placement_deflate(int n, double *A, double *b, const ib_Complex *poles, double *k,
                                ib_Error *error)
{
    // U of every step, to turn k back: k = U [k of the rest; k on S].
    double U[N][N * N], part[N];
    int sizes[N], steps = 0, left = n, at = 0, bad = 0;
    for (; left > 0 && !bad; steps++) {
        int d = poles[at].im != 0 ? 2 : 1;
        sizes[steps] = left;
        if (left == d) {
            bad = finish(left, A, b, poles[at], k);
            left = 0;
            break;
        }
        find_subspace(left, d, A, b, poles[at], U[steps]);
        bad = deflate(left, d, U[steps], A, b, k);
        left -= d;
        at += d;
    }
    if (bad) return ib_error_set(error, IB_FAILED, "the input does not reach every state");
    while (steps-- > 0) {
        int size = sizes[steps];
        ib_matrix_multiply(size, size, 1, U[steps], k, part);
        memcpy(k, part, (size_t)size * sizeof *k);
    }
    return IB_OK;
}
