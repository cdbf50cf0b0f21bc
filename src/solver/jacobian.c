// solver/jacobian.c: df/dx of a system, given or by differences. See docs/solver.md
#include "solver/solver.h"

#include <math.h>

// Column j:   df/dx_j = (f(t, x + d e_j) - f(t, x)) / d,   d = sqrt(eps) (1 + |x_j|)
// which balances truncation (d f''/2) against rounding (eps f / d). The step goes where the rate
// leads, so that a tank at zero is not emptied further.
static void difference_column(const ib_System *system, double t, const double *x,
                              const double *rate, int j, double *work, double *jacobian)
{
    int n = system->count;
    double *y = work, *f = work + n;
    double d = 1.4901161193847656e-8 * (1 + fabs(x[j])); // 2^-26

    y[j] = x[j] + (rate[j] < 0 ? -d : d);
    d = y[j] - x[j]; // what was really added
    system->rate(system->context, t, y, f);
    for (int i = 0; i < n; i++) jacobian[i * n + j] = (f[i] - rate[i]) / d;
    y[j] = x[j];
}

int ib_system_jacobian(const ib_System *system, double t, const double *x, const double *rate,
                       int sum_from, int sum_to, double *work, double *jacobian)
{
    int n = system->count, calls = 0;

    if (system->jacobian) {
        system->jacobian(system->context, t, x, jacobian);
        return 0;
    }
    for (int i = 0; i < n; i++) work[i] = x[i];
    for (int j = 0; j < n; j++) {
        if (j < sum_from || j >= sum_to) {
            difference_column(system, t, x, rate, j, work, jacobian);
            calls++;
        } else {
            for (int i = 0; i < n; i++) jacobian[i * n + j] = 0;
        }
    }
    return calls;
}
