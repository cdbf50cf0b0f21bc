// solver/step_size.c: the step length of an adaptive method. See docs/solver/solver.md
#include "base/maths.h"
#include "solver/method.h"

static const double SAFETY = 0.9;     // aim below the tolerance, so that few steps are rejected
static const double SHRINK = 0.2;     // at most to this, however large the error
static const double GROW = 5;         // at most to this, however small the error
static const double SMALLEST = 1e-15; // [s], where no quantum sets a limit
enum { MAX_ATTEMPTS = 500 };          // 0.9^500 is 1e-23: the smallest step comes first

double ib__scaled_norm(const ib_Solver *solver, const double *value, const double *a,
                       const double *b)
{
    double worst = 0, tolerance = solver->config.tolerance;

    for (int i = 0; i < solver->count; i++) {
        double p = fabs(a[i]), q = fabs(b[i]);
        double ratio = fabs(value[i]) / (tolerance * (1 + (p > q ? p : q)));
        if (!ib__finite(ratio)) return INFINITY;
        if (ratio > worst) worst = ratio;
    }
    return worst;
}

const double *ib_solver_error(const ib_Solver *solver)
{
    return solver->method->adaptive || solver->method->implicit ? solver->error : NULL;
}

int ib_solver_worst(const ib_Solver *solver)
{
    int worst = 0;
    double most = 0;
    for (int i = 0; i < solver->count; i++) {
        double ratio = fabs(solver->error[i]) / (1 + fabs(solver->x0[i]));
        if (ratio > most) worst = i;
        if (ratio > most) most = ratio;
    }
    return worst;
}

// The estimate is proportional to h^p, p the method's order, so that it would meet the tolerance at
//   h error^(-1/p)
static double step_factor(const ib_Solver *solver, double error)
{
    if (error < 1e-30) error = 1e-30; // a state at rest has no error at all
    if (!ib__finite(error)) return SHRINK;
    double factor = SAFETY * ib_pow(error, -1.0 / solver->method->order);
    return factor < SHRINK ? SHRINK : factor;
}

// A first guess from the size of x, x' and x'' in units of the tolerance:  [Hairer et al. I, II.4]
//   h0 = 0.01 |x| / |x'|,   h1 = (0.01 / max(|x'|, |x''|))^(1/p),   h = min(100 h0, h1)
static double initial_step(ib_Solver *solver, const ib_System *system, double h_max,
                           const double *x0)
{
    int n = solver->count;
    double *f0 = solver->error, *f1 = solver->y, *probe = solver->probe;

    system->rate(system->context, 0, x0, f0);
    double size = ib__scaled_norm(solver, x0, x0, x0), slope = ib__scaled_norm(solver, f0, x0, x0);
    double h0 = size < 1e-5 || slope < 1e-5 ? 1e-6 : 0.01 * size / slope;
    if (!(h0 < h_max)) h0 = h_max;

    // One Euler step of that length shows how the slope changes.
    for (int i = 0; i < n; i++) probe[i] = x0[i] + h0 * f0[i];
    system->rate(system->context, h0, probe, f1);
    for (int i = 0; i < n; i++) f1[i] = (f1[i] - f0[i]) / h0;
    solver->evaluations += 2;
    double bend = ib__scaled_norm(solver, f1, x0, x0), steepest = slope > bend ? slope : bend;
    if (!ib__finite(steepest)) return h_max < 1e-6 ? h_max : 1e-6;

    double h1 = h0 > 1e-3 ? h0 * 1e-3 : 1e-6;
    if (steepest > 1e-15) h1 = ib_pow(0.01 / steepest, 1.0 / solver->method->order);
    double h = h1 < 100 * h0 ? h1 : 100 * h0;
    return h < h_max ? h : h_max;
}

// The step to try for a wanted length h, at most h_max. A length that nearly reaches the end is
// extended to it; one that would leave a shorter rest becomes half the way, so that no tiny step
// remains; others are cut to whole quanta.
static double fit_step(double h, double h_max, double quantum)
{
    if (h > 0.9 * h_max) return h_max;
    if (h > 0.5 * h_max) h = 0.5 * h_max;
    if (quantum > 0) {
        double whole = floor(h / quantum + 1e-3); // 0.5 s is 5e8 quanta, though not in binary
        h = (whole > 1 ? whole : 1) * quantum;
    }
    return h < h_max ? h : h_max;
}

// Reports why the shortest step is refused, with an error of `size` tolerances: INFINITY,
// not finite.
static ib_Status give_up(ib_Solver *solver, const ib_System *system, double size, ib_Error *error)
{
    double h = solver->h;

    solver->jumps = ib__finite(size) && ib__rate_jumps(solver, system);
    if (!ib__finite(size)) {
        return ib_error_set(error, IB_FAILED,
                            "a rate or state is not finite, however short the step (down to %g s): "
                            "the model divides by zero, or the state runs away",
                            h);
    }
    if (solver->jumps)
        return ib_error_set(error, IB_FAILED,
                            "the rate jumps without an event, and no step is short enough (down "
                            "to %g s)",
                            h);
    solver->error_ratio = size;
    return ib_error_set(error, IB_FAILED,
                        "its shortest step, %g s, has %.2g times the error that the tolerance of "
                        "%g allows: %s",
                        h, size, solver->config.tolerance, solver->method->excuse);
}

ib_Status ib__step_adaptive(ib_Solver *solver, const ib_System *system, double h_max,
                            double *h_next, const double *x0, double *x1, double *h_taken,
                            ib_SolverCounts *counts, ib_Error *error)
{
    const ib__Method *method = solver->method;
    double quantum = solver->config.quantum, smallest = quantum > SMALLEST ? quantum : SMALLEST;
    double wish = *h_next > 0 ? *h_next : initial_step(solver, system, h_max, x0), h = wish;

    solver->x0 = x0;
    solver->x1 = x1;
    method->prepare(solver, system, x0);
    for (int attempt = 0;; attempt++) {
        solver->h = fit_step(h, h_max, quantum);
        int broken = method->attempt(solver, system, solver->h, x0, x1);
        double size = broken ? INFINITY : ib__scaled_norm(solver, solver->error, x0, x1);
        double factor = step_factor(solver, size);

        if (size <= 1) {
            // After a rejection the step does not grow at once. A step cut short by h_max alone may
            // return to the wanted length.
            double back = wish / solver->h, most = back > GROW ? back : GROW;
            if (attempt > 0) most = 1;
            *h_next = solver->h * (factor < most ? factor : most);
            *h_taken = solver->h;
            counts->steps += 1;
            return IB_OK;
        }
        counts->rejected += 1;
        counts->non_finite += broken;
        if (solver->h <= smallest || attempt == MAX_ATTEMPTS) {
            return give_up(solver, system, size, error);
        }
        h = solver->h * factor;
    }
}
