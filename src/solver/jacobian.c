// solver/jacobian.c: df/dx of a system, given or by differences. See docs/solver.md
#include "solver/solver.h"

#include <math.h>

// Column j:   df/dx_j = (f(t, x + d e_j) - f(t, x)) / d,   d = sqrt(eps) (1 + |x_j|)
// which balances truncation (d f''/2) against rounding (eps f / d). The step goes where the rate
// leads, so that a tank at zero is not emptied further.
int ib_system_jacobian(const ib_System *system, double t, const double *x, const double *rate,
                       double *work, double *jacobian)
{
    int n = system->count;
    double *y = work, *f = work + n;

    if (system->jacobian) {
        system->jacobian(system->context, t, x, jacobian);
        return 0;
    }
    for (int i = 0; i < n; i++) y[i] = x[i];
    for (int j = 0; j < n; j++) {
        double d = 1.4901161193847656e-8 * (1 + fabs(x[j])); // 2^-26
        y[j] = x[j] + (rate[j] < 0 ? -d : d);
        d = y[j] - x[j]; // what was really added
        system->rate(system->context, t, y, f);
        for (int i = 0; i < n; i++) jacobian[i * n + j] = (f[i] - rate[i]) / d;
        y[j] = x[j];
    }
    return n;
}
