#include "linear/balance.h"

#include <math.h>

enum { MOST_SWEEPS = 100 };

#define FARTHEST 0x1p400 ///< largest scale, so that nothing overflows

// Sums of magnitudes of row i (what drives state i) and of column i (what it drives).
static void sums(int n, int m, int p, const double *A, const double *B, const double *C, int i,
                 double *row, double *column)
{
    *row = *column = 0;
    for (int j = 0; j < n; j++) {
        if (j == i) continue;
        *row += fabs(A[i * n + j]);
        *column += fabs(A[j * n + i]);
    }
    for (int j = 0; j < m; j++) *row += fabs(B[i * m + j]);
    for (int j = 0; j < p; j++) *column += fabs(C[j * n + i]);
}

// State i in units that are f times as large.
static void rescale(int n, int m, int p, double *A, double *B, double *C, int i, double f)
{
    for (int j = 0; j < n; j++) A[i * n + j] /= f;
    for (int j = 0; j < n; j++) A[j * n + i] *= f;
    for (int j = 0; j < m; j++) B[i * m + j] /= f;
    for (int j = 0; j < p; j++) C[j * n + i] *= f;
}

void ib_balance(int n, int m, int p, double *A, double *B, double *C, double *scale)
{
    for (int i = 0; i < n; i++) scale[i] = 1;
    for (int sweep = 0, busy = 1; busy && sweep < MOST_SWEEPS; sweep++) {
        busy = 0;
        for (int i = 0; i < n; i++) {
            double row, column, f = 1;
            sums(n, m, p, A, B, C, i, &row, &column);
            if (row == 0 || column == 0) continue;
            double sum = row + column, r = row, c = column;
            for (; c < r / 2 && f < 0x1p50; c *= 4) f *= 2;
            for (; c >= r * 2 && f > 0x1p-50; c /= 4) f /= 2;
            if (row / f + column * f >= 0.95 * sum) continue;
            double after = scale[i] * f;
            if (after > FARTHEST || after < 1 / FARTHEST) continue;
            busy = 1;
            rescale(n, m, p, A, B, C, i, f);
            scale[i] = after;
        }
    }
}
