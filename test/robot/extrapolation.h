// test/robot/extrapolation.h: an adaptive integrator of a reference: Gragg's midpoint rule with
// 2, 4 … 16 substeps, extrapolated to steps of length 0 (Bulirsch and Stoer; Hairer, Nørsett and
// Wanner, Solving Ordinary Differential Equations I, II.9). Order 16, and nothing of src/solver.
#ifndef IB_TEST_EXTRAPOLATION_H
#define IB_TEST_EXTRAPOLATION_H

#include <math.h>
#include <string.h>

enum { EXTRAPOLATION_STATES = 40, EXTRAPOLATION_ROWS = 8 };

typedef void (*ExtrapolationRate)(void *self, const double *x, double *rate);

// Gragg's rule: an error series in (h/n)² alone, for even n.
static inline void midpoint_rule(ExtrapolationRate rate, void *self, int size, const double *x,
                                 const double *first, double h, int n, double *end)
{
    double before[EXTRAPOLATION_STATES], now[EXTRAPOLATION_STATES], slope[EXTRAPOLATION_STATES];
    double piece = h / n;
    for (int i = 0; i < size; i++) before[i] = x[i], now[i] = x[i] + piece * first[i];
    for (int k = 1; k < n; k++) {
        rate(self, now, slope);
        for (int i = 0; i < size; i++) {
            double next = before[i] + 2 * piece * slope[i];
            before[i] = now[i];
            now[i] = next;
        }
    }
    memcpy(end, now, (size_t)size * sizeof *end);
}

// The largest difference, over 1 + |x|.
static inline double largest_change(int size, const double *x, const double *a, const double *b)
{
    double worst = 0;
    for (int i = 0; i < size; i++) worst = fmax(worst, fabs(a[i] - b[i]) / (1 + fabs(x[i])));
    return worst;
}

// One step; returns its error estimate, over 1 + |x|. Rows are added until that is rounding.
static inline double extrapolate(ExtrapolationRate rate, void *self, int size, const double *x,
                                 double h, double *end)
{
    double table[EXTRAPOLATION_ROWS][EXTRAPOLATION_STATES], first[EXTRAPOLATION_STATES], error = 1;
    rate(self, x, first);
    for (int j = 0; j < EXTRAPOLATION_ROWS && error > 1e-15; j++) {
        midpoint_rule(rate, self, size, x, first, h, 2 * (j + 1), table[j]);
        // Aitken and Neville: table[j - k] holds column k of row j, until row j + 1 takes it.
        for (int k = 1; k <= j; k++) {
            double ratio = (double)(j + 1) / (j + 1 - k), over = ratio * ratio - 1;
            double *low = table[j - k], *high = table[j - k + 1];
            for (int i = 0; i < size; i++) low[i] = high[i] + (high[i] - low[i]) / over;
        }
        if (j > 1) error = largest_change(size, x, table[0], table[1]);
    }
    memcpy(end, table[0], (size_t)size * sizeof *end);
    return error;
}

#endif
