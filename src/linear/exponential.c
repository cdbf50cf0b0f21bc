#include "linear/exponential.h"

#include "base/matrix.h"

#include <string.h>

enum { CELLS = IB_EXPONENTIAL_MAX * IB_EXPONENTIAL_MAX };

// Largest |X| for which degree 13 is exact to rounding.                  [Higham 2005, table 2.3]
static const double reach = 5.371920351148152;

// Coefficients of the numerator, from the constant term on.
static const double b[] = {64764752532480000,
                           32382376266240000,
                           7771770303897600,
                           1187353796428800,
                           129060195264000,
                           10559470521600,
                           670442572800,
                           33522128640,
                           1323241920,
                           40840800,
                           960960,
                           16380,
                           182,
                           1};

// The matrices of one computation.
typedef struct Work {
    int n;
    double x[CELLS], x2[CELLS], x4[CELLS], x6[CELLS];
    double u[CELLS], v[CELLS], t[CELLS];
} Work;

// sum = c6 X^6 + c4 X^4 + c2 X^2 + c0 I
static void combine(const Work *w, double c6, double c4, double c2, double c0, double *sum)
{
    int n = w->n;
    for (int i = 0; i < n * n; i++) sum[i] = c6 * w->x6[i] + c4 * w->x4[i] + c2 * w->x2[i];
    for (int i = 0; i < n; i++) sum[i * n + i] += c0;
}

// Odd and even parts of the numerator:
//   U = X (X^6 (b13 X^6 + b11 X^4 + b9 X^2) + b7 X^6 + b5 X^4 + b3 X^2 + b1 I)
//   V =    X^6 (b12 X^6 + b10 X^4 + b8 X^2) + b6 X^6 + b4 X^4 + b2 X^2 + b0 I
static void numerator(Work *w)
{
    int n = w->n;
    ib_matrix_multiply(n, n, n, w->x, w->x, w->x2);
    ib_matrix_multiply(n, n, n, w->x2, w->x2, w->x4);
    ib_matrix_multiply(n, n, n, w->x4, w->x2, w->x6);
    combine(w, b[13], b[11], b[9], 0, w->t);
    ib_matrix_multiply(n, n, n, w->x6, w->t, w->v);
    combine(w, b[7], b[5], b[3], b[1], w->t);
    ib_matrix_add(n, n, w->v, 1, w->t, w->t);
    ib_matrix_multiply(n, n, n, w->x, w->t, w->u);
    combine(w, b[12], b[10], b[8], 0, w->t);
    ib_matrix_multiply(n, n, n, w->x6, w->t, w->v);
    combine(w, b[6], b[4], b[2], b[0], w->t);
    ib_matrix_add(n, n, w->v, 1, w->t, w->v);
}

// result = (V - U)^-1 (V + U), column by column.
static int quotient(Work *w, double *result)
{
    int n = w->n, pivot[IB_EXPONENTIAL_MAX];
    ib_matrix_add(n, n, w->v, 1, w->u, w->x2);
    ib_matrix_add(n, n, w->v, -1, w->u, w->t);
    if (ib_matrix_factor(n, w->t, pivot)) return 1;
    for (int j = 0; j < n; j++) {
        double column[IB_EXPONENTIAL_MAX];
        for (int i = 0; i < n; i++) column[i] = w->x2[i * n + j];
        ib_matrix_solve(n, w->t, pivot, column);
        for (int i = 0; i < n; i++) result[i * n + j] = column[i];
    }
    return 0;
}

ib_Status ib_matrix_exponential(int n, const double *a, double *result, ib_Error *error)
{
    static const int most_squarings = 1100; // beyond any double
    IB_ASSERT(n >= 1 && n <= IB_EXPONENTIAL_MAX);
    Work w; // 130 kB, of which a small matrix uses little
    w.n = n;
    double norm = ib_matrix_norm(n, n, a), scale = 1;
    int squarings = 0;
    if (!isfinite(norm)) return ib_error_set(error, IB_BAD_INPUT, "the matrix is not finite");
    while (norm * scale > reach && squarings < most_squarings) {
        scale *= 0.5;
        squarings++;
    }
    for (int i = 0; i < n * n; i++) w.x[i] = a[i] * scale;
    numerator(&w);
    if (quotient(&w, result)) return ib_error_set(error, IB_FAILED, "its exponential is too large");
    for (int k = 0; k < squarings; k++) {
        ib_matrix_multiply(n, n, n, result, result, w.t);
        memcpy(result, w.t, (size_t)(n * n) * sizeof *result);
    }
    if (isfinite(ib_matrix_norm(n, n, result))) return IB_OK;
    return ib_error_set(error, IB_FAILED, "its exponential is too large");
}
