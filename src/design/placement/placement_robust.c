// design/placement/placement_robust.c: places poles with several inputs, so that they move little
// with errors of the model. Symbols: X the eigenvectors of F = A - B K, one of length 1 in each
// column; S_j the subspace in which x_j must lie, since (A - l_j I) x_j = B (K x_j) is in the range
// of B; U = [U0 U1], U0 its orthonormal basis.
#include "design/placement/placement_inside.h"

#include "base/extreme.h"
#include "base/matrix.h"
#include "linear/singular.h"

#include <string.h>

enum { N = IB_STATES_MAX, MOST_SWEEPS = 60, MOST_STARTS = 5 };

#define SETTLED 1e-4 ///< relative growth of |det X| in a sweep that ends the search

// A complex vector a + i b as the real (a, b). `basis`: its columns span S_j, orthonormal.
typedef struct Subspace {
    int rows, columns;
    double basis[2 * N * 2 * N];
} Subspace;

typedef struct Vectors {
    int n;
    ib_Complex x[N * N];
    bool second[N]; ///< the conjugate of the column before
    double size;    ///< |det X|, 0..1: 1 when orthogonal
} Vectors;

// S_j = null(U1' (A - l I)). For complex l as a real matrix [X -Y; Y X] of twice the size.
static void find_subspace(int n, int rank, const double *A, const double *U, ib_Complex l,
                          Subspace *s)
{
    double seen[2 * N * 2 * N], u[2 * N * 2 * N], sigma[2 * N];
    int parts = l.im != 0 ? 2 : 1, r = n - rank, rows = parts * n, columns = parts * r;
    memset(seen, 0, sizeof seen);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < r; j++) {
            // Transposed: element (j, i) of U1' (A - re I) and of -im U1'.
            double sum = -l.re * U[i * n + rank + j], y = -l.im * U[i * n + rank + j];
            for (int k = 0; k < n; k++) sum += U[k * n + rank + j] * A[k * n + i];
            seen[i * columns + j] = sum;
            if (parts == 1) continue;
            seen[(n + i) * columns + r + j] = sum;
            seen[(n + i) * columns + j] = -y;
            seen[i * columns + r + j] = y;
        }
    ib_singular_values(rows, columns, seen, u, sigma);
    s->rows = rows;
    s->columns = rows - columns;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < s->columns; j++)
            s->basis[i * s->columns + j] = u[i * rows + columns + j];
}

// Puts the part of v in S_j, normalised, into column j (its conjugate into the next one). Leaves X
// as it is when v has no such part.
static void put_projection(const Subspace *s, const double *v, int j, Vectors *vectors)
{
    int n = vectors->n;
    double share[2 * N] = {0}, x[2 * N] = {0}, square = 0;
    for (int k = 0; k < s->columns; k++)
        for (int i = 0; i < s->rows; i++) share[k] += s->basis[i * s->columns + k] * v[i];
    for (int i = 0; i < s->rows; i++) {
        for (int k = 0; k < s->columns; k++) x[i] += s->basis[i * s->columns + k] * share[k];
        square += x[i] * x[i];
    }
    if (!(square > 1e-60)) return;
    bool pair = s->rows > n;
    for (int i = 0; i < n; i++) {
        ib_Complex value = {x[i] / sqrt(square), pair ? x[n + i] / sqrt(square) : 0};
        vectors->x[i * n + j] = value;
        if (pair) vectors->x[i * n + j + 1] = (ib_Complex){value.re, -value.im};
    }
}

// A real one: y with X' y = e_j is orthogonal to all columns but the j-th, and the part of it in
// S_j has the largest angle to them.
static void improve_real(const Subspace *s, int j, Vectors *vectors)
{
    double y[2 * N], largest = 0;
    ib_Complex a[N * N], b[N];
    int n = vectors->n;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++)
            a[k * n + i] = (ib_Complex){vectors->x[i * n + k].re, -vectors->x[i * n + k].im};
        b[i] = (ib_Complex){i == j ? 1 : 0, 0};
    }
    if (!(ib_complex_solve(n, 1, a, b) > 0)) return;
    for (int i = 0; i < n; i++) largest = ib_max(largest, fabs(b[i].re));
    for (int i = 0; i < n; i++) y[i] = b[i].re / largest;
    put_projection(s, y, j, vectors);
}

// Two orthonormal vectors, orthogonal to all columns but j and j + 1: rows of q.
static void find_complement(const Vectors *vectors, int j, double *q)
{
    int n = vectors->n, columns = n - 2, to = 0;
    double others[N * N], u[N * N], sigma[N];
    for (int k = 0; k < n; k++) {
        if (k == j || k == j + 1) continue;
        // Real and imaginary part of a pair span the same as the two.
        bool second = vectors->second[k];
        for (int i = 0; i < n; i++)
            others[i * columns + to] = second ? vectors->x[i * n + k].im : vectors->x[i * n + k].re;
        to++;
    }
    ib_singular_values(n, columns, others, u, sigma);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 2; k++) q[k * n + i] = u[i * n + n - 2 + k];
}

// A pair x = a + i b and its conjugate: with q1, q2 orthogonal to all others
//   |det X| = |2 f| |det of the others|,   f = (q1'a)(q2'b) - (q2'a)(q1'b) = x' F x, x = (a, b)
// is largest for the eigenvector of N' F N (N the basis of S_j) that belongs to the eigenvalue
// farthest from 0: the first singular vector of (N' F N + w I) or of (N' F N - w I), w large.
static void improve_pair(const Subspace *s, int j, Vectors *vectors)
{
    int n = vectors->n, c = s->columns;
    double q[2 * N], seen[4][2 * N] = {{0}}, form[4 * N * N], best = 0, v[2 * N] = {0};
    find_complement(vectors, j, q);
    // The rows (q1, 0), (q2, 0), (0, q1), (0, q2) of N.
    for (int k = 0; k < 4; k++)
        for (int l = 0; l < c; l++)
            for (int i = 0; i < n; i++)
                seen[k][l] += q[k % 2 * n + i] * s->basis[(k / 2 * n + i) * c + l];
    double size = 0;
    for (int k = 0; k < c * c; k++) {
        int l = k / c, r = k % c;
        form[k] = 0.5 * (seen[0][l] * seen[3][r] + seen[3][l] * seen[0][r] -
                         seen[1][l] * seen[2][r] - seen[2][l] * seen[1][r]);
        size += form[k] * form[k];
    }
    size = sqrt(size);
    for (int sign = -1; sign <= 1; sign += 2) {
        double a[4 * N * N], u[4 * N * N], sigma[2 * N];
        for (int k = 0; k < c * c; k++) a[k] = sign * form[k] + (k % (c + 1) == 0 ? size : 0);
        ib_singular_values(c, c, a, u, sigma);
        if (!(sigma[0] - size > best)) continue;
        best = sigma[0] - size;
        for (int i = 0; i < s->rows; i++) {
            v[i] = 0;
            for (int k = 0; k < c; k++) v[i] += s->basis[i * c + k] * u[k * c];
        }
    }
    if (best > 0) put_projection(s, v, j, vectors);
}

static double independence(const Vectors *vectors)
{
    ib_Complex a[N * N], none[N];
    memcpy(a, vectors->x, sizeof a);
    return ib_complex_solve(vectors->n, 0, a, none);
}

// The start vectors are arbitrary, but the same every time.
static void start(const Subspace *s, const ib_Complex *poles, unsigned long long *seed,
                  Vectors *vectors)
{
    for (int j = 0; j < vectors->n; j++) {
        double v[2 * N];
        if (poles[j].im < 0) continue;
        for (int i = 0; i < 2 * N; i++) {
            *seed = *seed * 6364136223846793005u + 1442695040888963407u;
            v[i] = (double)(*seed >> 11) / 9007199254740992.0 * 2 - 1;
        }
        put_projection(&s[j], v, j, vectors);
    }
}

// Moves each eigenvector in turn as far from the span of all others as its subspace allows: |det X|
// never falls.
static int improve(const Subspace *s, const ib_Complex *poles, Vectors *vectors)
{
    int sweep = 0;
    for (; sweep < MOST_SWEEPS; sweep++) {
        double before = vectors->size;
        for (int j = 0; j < vectors->n; j++) {
            if (poles[j].im > 0) improve_pair(&s[j], j, vectors);
            if (poles[j].im == 0) improve_real(&s[j], j, vectors);
        }
        vectors->size = independence(vectors);
        if (vectors->size - before <= SETTLED * vectors->size) break;
    }
    return sweep;
}

// F = X L X^-1, by X' F' = L X'; real, since the columns come as pairs.
static void compose(const Vectors *vectors, const ib_Complex *poles, double *F)
{
    ib_Complex a[N * N], b[N * N];
    int n = vectors->n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            a[j * n + i] = vectors->x[i * n + j];
            b[j * n + i] = ib_complex_multiply(poles[j], vectors->x[i * n + j]);
        }
    ib_complex_solve(n, n, a, b);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) F[i * n + j] = b[j * n + i].re;
}

ib_Status ib__placement_robust(int n, int rank, const double *A, const double *U,
                               const ib_Complex *poles, double *F, int *sweeps, ib_Error *error)
{
    Subspace s[N];
    Vectors vectors = {.n = n};
    unsigned long long seed = 1;
    for (int j = 0; j < n; j++) {
        vectors.second[j] = poles[j].im < 0;
        if (poles[j].im >= 0) find_subspace(n, rank, A, U, poles[j], &s[j]);
    }
    *sweeps = 0;
    for (int k = 0; k < MOST_STARTS && !(vectors.size > 0); k++) {
        start(s, poles, &seed, &vectors);
        *sweeps += improve(s, poles, &vectors);
    }
    if (!(vectors.size > 0))
        return ib_error_set(error, IB_FAILED, "no independent eigenvectors for these poles");
    compose(&vectors, poles, F);
    return IB_OK;
}
