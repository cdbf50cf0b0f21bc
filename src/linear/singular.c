#include "linear/singular.h"

#include "base/matrix.h"
#include "base/status.h"

enum { MOST_SWEEPS = 40 }; ///< over all pairs of rows; 6 to 10 are usual

static double dot(int count, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

// (a, b) <- (c a - s b, s a + c b)
static void rotate(int count, double c, double s, double *a, double *b)
{
    for (int i = 0; i < count; i++) {
        double held = a[i];
        a[i] = c * held - s * b[i];
        b[i] = s * held + c * b[i];
    }
}

// Makes rows p, q orthogonal:  tan 2f = 2 a.b / (|b|^2 - |a|^2), the smaller angle of the two.
// `ut` holds U' and gets the same rotation. Returns 1 if they were not orthogonal.
static int turn(int rows, int columns, double *a, double *ut, int p, int q)
{
    double *x = a + p * columns, *y = a + q * columns;
    double xx = dot(columns, x, x), yy = dot(columns, y, y), xy = dot(columns, x, y);
    // Below this the product is its own rounding error.
    if (!(fabs(xy) > columns * DBL_EPSILON * sqrt(xx) * sqrt(yy) + DBL_MIN)) return 0;
    double zeta = (yy - xx) / (2 * xy);
    double t = copysign(1.0, zeta) / (fabs(zeta) + sqrt(1 + zeta * zeta));
    double c = 1 / sqrt(1 + t * t), s = c * t;
    rotate(columns, c, s, x, y);
    if (ut) rotate(rows, c, s, ut + p * rows, ut + q * rows);
    return 1;
}

static void swap(int count, double *a, double *b)
{
    for (int i = 0; i < count; i++) {
        double held = a[i];
        a[i] = b[i];
        b[i] = held;
    }
}

// Sorts the rows by falling norm.
static void sort(int rows, int columns, double *a, double *ut, double *sigma)
{
    for (int i = 0; i < rows; i++) sigma[i] = sqrt(dot(columns, a + i * columns, a + i * columns));
    for (int i = 0; i < rows; i++) {
        int best = i;
        for (int k = i + 1; k < rows; k++)
            if (sigma[k] > sigma[best]) best = k;
        if (best == i) continue;
        swap(1, sigma + i, sigma + best);
        swap(columns, a + i * columns, a + best * columns);
        if (ut) swap(rows, ut + i * rows, ut + best * rows);
    }
}

void ib_singular_values(int rows, int columns, double *a, double *u, double *sigma)
{
    double ut[IB_SINGULAR_MAX * IB_SINGULAR_MAX], *turned = u ? ut : 0;
    IB_ASSERT(rows >= 1 && rows <= IB_SINGULAR_MAX && columns >= 0);
    if (u) ib_matrix_identity(rows, ut);
    for (int sweep = 0, busy = 1; busy && sweep < MOST_SWEEPS; sweep++) {
        busy = 0;
        for (int p = 0; p < rows - 1; p++)
            for (int q = p + 1; q < rows; q++) busy |= turn(rows, columns, a, turned, p, q);
    }
    sort(rows, columns, a, turned, sigma);
    if (u) ib_matrix_transpose(rows, rows, ut, u);
}
