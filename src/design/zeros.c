// design/zeros.c: the transmission zeros of a plant.
// Symbols: the system S = [A B; C D] in one matrix, rows and columns of the states first.
#include "design/zeros.h"

#include "base/extreme.h"
#include "base/matrix.h"
#include "linear/balance.h"
#include "linear/singular.h"

#include <string.h>

enum {
    N = IB_STATES_MAX,
    W = IB_STATES_MAX + IB_INPUTS_MAX, ///< widest
};

#define LARGEST 1e150 ///< number of a levelled plant; the squares of larger ones overflow

_Static_assert((int)IB_OUTPUTS_MAX <= (int)IB_INPUTS_MAX, "as many rows as columns at most");

typedef struct System {
    int n, m, p;
    double a[W * W]; ///< rows W apart
    double least;    ///< singular values below this are zero
} System;

// Scales each input and output so that its column of B (row of C) has length 1; the zeros stay.
static void level(const ib_StateSpace *plant, System *s)
{
    int n = plant->states, m = plant->inputs, p = plant->outputs;
    double A[N * N], B[N * IB_INPUTS_MAX], C[IB_OUTPUTS_MAX * N], scale[N];
    double in[IB_INPUTS_MAX], out[IB_OUTPUTS_MAX];
    memcpy(A, plant->A, sizeof A);
    memcpy(B, plant->B, sizeof B);
    memcpy(C, plant->C, sizeof C);
    ib_balance(n, m, p, A, B, C, scale);
    for (int j = 0; j < m; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++) sum += B[i * m + j] * B[i * m + j];
        in[j] = sum > 0 ? 1 / sqrt(sum) : 1;
    }
    for (int i = 0; i < p; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) sum += C[i * n + j] * C[i * n + j];
        out[i] = sum > 0 ? 1 / sqrt(sum) : 1;
    }
    *s = (System){.n = n, .m = m, .p = p};
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) s->a[i * W + j] = A[i * n + j];
        for (int j = 0; j < m; j++) s->a[i * W + n + j] = B[i * m + j] * in[j];
    }
    for (int i = 0; i < p; i++) {
        for (int j = 0; j < n; j++) s->a[(n + i) * W + j] = out[i] * C[i * n + j];
        for (int j = 0; j < m; j++)
            s->a[(n + i) * W + n + j] = out[i] * plant->D[i * m + j] * in[j];
    }
    s->least = 10 * (n + m) * DBL_EPSILON * ib_max(1, ib_matrix_norm(n, n, A));
}

// Rows from .. from + count - 1 <- u' rows.
static void turn_rows(double *a, int columns, int from, int count, const double *u)
{
    double held[W];
    for (int j = 0; j < columns; j++) {
        for (int i = 0; i < count; i++) held[i] = a[(from + i) * W + j];
        for (int i = 0; i < count; i++) {
            double sum = 0;
            for (int k = 0; k < count; k++) sum += u[k * count + i] * held[k];
            a[(from + i) * W + j] = sum;
        }
    }
}

static void turn_columns(double *a, int rows, int from, int count, const double *u)
{
    double held[W];
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < count; j++) held[j] = a[i * W + from + j];
        for (int j = 0; j < count; j++) {
            double sum = 0;
            for (int k = 0; k < count; k++) sum += held[k] * u[k * count + j];
            a[i * W + from + j] = sum;
        }
    }
}

static int rank_of(int count, const double *sigma, double least)
{
    int rank = 0;
    while (rank < count && sigma[rank] > least) rank++;
    return rank;
}

// Turns the outputs so that the rows of D below the first `rank` are zero. Returns the rank.
static int compress_outputs(System *s)
{
    double d[W * W], u[W * W], sigma[W];
    if (s->p == 0 || s->m == 0) return 0;
    for (int i = 0; i < s->p; i++)
        for (int j = 0; j < s->m; j++) d[i * s->m + j] = s->a[(s->n + i) * W + s->n + j];
    ib_singular_values(s->p, s->m, d, u, sigma);
    turn_rows(s->a, s->n + s->m, s->n, s->p, u);
    return rank_of(s->p, sigma, s->least);
}

// Turns the states so that the outputs below `rank`, which no input reaches directly, depend on the
// last ones only. Returns their number.
static int compress_states(System *s, int rank)
{
    double ct[W * W], u[W * W], sigma[W], back[W * W] = {0};
    int n = s->n, blind = s->p - rank;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < blind; j++) ct[i * blind + j] = s->a[(n + rank + j) * W + i];
    ib_singular_values(n, blind, ct, u, sigma);
    // The decomposition has the seen states first; they become the last.
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) back[i * n + j] = u[i * n + n - 1 - j];
    turn_rows(s->a, n + s->m, 0, n, back);
    turn_columns(s->a, n + s->p, 0, n, back);
    return rank_of(n, sigma, s->least);
}

// The last `seen` states are zero when all outputs are; their equations 0 = A_21 x + B_2 u are
// outputs of the rest, after the first `rank` of the old ones.
static void drop_states(System *s, int rank, int seen)
{
    int n = s->n - seen, from = s->n, columns = s->n + s->m;
    double next[W * W] = {0};
    for (int i = 0; i < n + seen + rank; i++) {
        // State rows, then kept outputs, then the dropped states.
        int source = i < n ? i : i < n + rank ? from + i - n : n + (i - n - rank);
        for (int j = 0, to = 0; j < columns; j++)
            if (j < n || j >= from) next[i * W + to++] = s->a[source * W + j];
    }
    memcpy(s->a, next, sizeof next);
    s->n = n;
    s->p = rank + seen;
}

// Reduces until D has full row rank (or no row). A row of zeros in both C and D is no condition.
static void reduce(System *s)
{
    for (;;) {
        int rank = compress_outputs(s);
        if (rank == s->p) return;
        int seen = s->n > 0 ? compress_states(s, rank) : 0;
        if (seen == 0) {
            s->p = rank;
            return;
        }
        drop_states(s, rank, seen);
    }
}

static void transpose(System *s)
{
    double t[W * W] = {0};
    int n = s->n, m = s->m, p = s->p;
    for (int i = 0; i < n + p; i++)
        for (int j = 0; j < n + m; j++) t[j * W + i] = s->a[i * W + j];
    memcpy(s->a, t, sizeof t);
    s->m = p;
    s->p = m;
}

// A - B D^-1 C, column by column.
static void close(const System *s, double *result)
{
    int n = s->n, m = s->m, pivot[W];
    double d[W * W], x[W];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) d[i * m + j] = s->a[(n + i) * W + n + j];
    IB_ASSERT(m == 0 || ib_matrix_factor(m, d, pivot) == 0); // full rank by construction
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < m; i++) x[i] = s->a[(n + i) * W + j];
        ib_matrix_solve(m, d, pivot, x);
        for (int i = 0; i < n; i++) {
            result[i * n + j] = s->a[i * W + j];
            for (int k = 0; k < m; k++) result[i * n + j] -= s->a[i * W + n + k] * x[k];
        }
    }
}

ib_Status ib_zeros_find(const ib_StateSpace *plant, ib_Complex *zeros, int *count, ib_Error *error)
{
    System s;
    double closed[N * N];
    *count = 0;
    ib_Status status = ib_state_space_check(plant, error);
    if (status != IB_OK) return status;
    level(plant, &s);
    // The units of input and output have scaled D, and squares are summed up from here on.
    for (int i = 0; i < W * W; i++)
        if (!(fabs(s.a[i]) <= LARGEST))
            return ib_error_set(error, IB_BAD_INPUT,
                                "the zeros of the plant cannot be found: the numbers of its "
                                "matrices lie too far apart (A, B, C, D)");
    // Rows are reduced first, then columns, so that D becomes square.
    reduce(&s);
    transpose(&s);
    reduce(&s);
    IB_ASSERT(s.m == s.p);
    if (s.n == 0) return IB_OK;
    close(&s, closed);
    status = ib_eigenvalues(s.n, closed, zeros, error);
    if (status == IB_OK) *count = s.n;
    return status;
}
