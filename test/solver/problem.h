// test/solver/problem.h: problems with known solutions, and runs over them.
#ifndef IB_TEST_SOLVER_PROBLEM_H
#define IB_TEST_SOLVER_PROBLEM_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "solver/solver.h"

#include "cmocka_all.h"

enum { MAX_STATES = 4 };

// cmocka compares floats; these are doubles.
#define assert_near(a, b, tolerance)                                                               \
    do {                                                                                           \
        double a_ = (a), b_ = (b), tolerance_ = (tolerance);                                       \
        if (!(fabs(a_ - b_) <= tolerance_)) {                                                      \
            fail_msg("%s = %.17g is not %.17g +- %g", #a, a_, b_, tolerance_);                     \
        }                                                                                          \
    } while (0)

static const double PI = 3.14159265358979323846;

// What a rate function sees: where the step starts, and how often it was asked.
typedef struct Context {
    double t0;        // [s]
    double stiffness; // lambda or mu, where the problem has one
    int64_t *calls;   // NULL: not counted
} Context;

typedef struct Problem {
    const char *name;
    int count;
    double x0[MAX_STATES];
    double duration, stiffness;
    void (*rate)(const void *, double, const double *, double *);
    bool (*jacobian)(const void *, double, const double *, double *);
    void (*exact)(double t, double *x);
} Problem;

static inline void count_call(const Context *context)
{
    if (context->calls) *context->calls += 1;
}

// x'' = -x from (1, 0): cosine.
static inline void oscillator_rate(const void *context, double t, const double *x, double *dx)
{
    (void)t;
    count_call(context);
    dx[0] = x[1];
    dx[1] = -x[0];
}

static inline void oscillator_exact(double t, double *x)
{
    x[0] = cos(t);
    x[1] = -sin(t);
}

// Kepler's ellipse of eccentricity 1/2, semi-axis 1, from the pericentre: once round in 2 pi.
static inline void kepler_rate(const void *context, double t, const double *x, double *dx)
{
    double r2 = x[0] * x[0] + x[1] * x[1], r3 = r2 * sqrt(r2);
    (void)t;
    count_call(context);
    dx[0] = x[2];
    dx[1] = x[3];
    dx[2] = -x[0] / r3;
    dx[3] = -x[1] / r3;
}

static inline bool kepler_jacobian(const void *context, double t, const double *x, double *j)
{
    double r2 = x[0] * x[0] + x[1] * x[1], r3 = r2 * sqrt(r2), r5 = r3 * r2;
    const double rows[16] = {0,
                             0,
                             1,
                             0,
                             0,
                             0,
                             0,
                             1,
                             3 * x[0] * x[0] / r5 - 1 / r3,
                             3 * x[0] * x[1] / r5,
                             0,
                             0,
                             3 * x[0] * x[1] / r5,
                             3 * x[1] * x[1] / r5 - 1 / r3,
                             0,
                             0};
    (void)context;
    (void)t;
    memcpy(j, rows, sizeof rows);
    return true;
}

// Position from Kepler's equation E - e sin E = t, by Newton's method.
static inline void kepler_exact(double t, double *x)
{
    double e = 0.5, b = sqrt(0.75), E = t;
    for (int i = 0; i < 12; i++) E -= (E - e * sin(E) - t) / (1 - e * cos(E));
    double speed = 1 / (1 - e * cos(E));
    x[0] = cos(E) - e;
    x[1] = b * sin(E);
    x[2] = -sin(E) * speed;
    x[3] = b * cos(E) * speed;
}

// Logistic growth x' = x (1 - x) from 1/10.
static inline void logistic_rate(const void *context, double t, const double *x, double *dx)
{
    (void)t;
    count_call(context);
    dx[0] = x[0] * (1 - x[0]);
}

static inline bool logistic_jacobian(const void *context, double t, const double *x, double *j)
{
    (void)context;
    (void)t;
    j[0] = 1 - 2 * x[0];
    return true;
}

static inline void logistic_exact(double t, double *x)
{
    x[0] = 1 / (1 + 9 * exp(-t));
}

// x' = x cos t: x = exp(sin t). Time enters the rate.
static inline void swing_rate(const void *context, double t, const double *x, double *dx)
{
    count_call(context);
    dx[0] = x[0] * cos(((const Context *)context)->t0 + t);
}

static inline void swing_exact(double t, double *x)
{
    x[0] = exp(sin(t));
}

// Prothero and Robinson: x' = lambda (x - cos t) - sin t. The smooth solution is cos t.
static inline void robinson_rate(const void *context, double t, const double *x, double *dx)
{
    const Context *c = context;
    double s = c->t0 + t;
    count_call(c);
    dx[0] = c->stiffness * (x[0] - cos(s)) - sin(s);
}

static inline void robinson_exact(double t, double *x)
{
    x[0] = cos(t);
}

static const Problem OSCILLATOR = {"oscillator",    2,    {1, 0},          5, 0,
                                   oscillator_rate, NULL, oscillator_exact};
static const Problem KEPLER = {
    "kepler", 4, {0.5, 0, 0, 1.7320508075688772}, 3, 0, kepler_rate, kepler_jacobian, kepler_exact};
static const Problem LOGISTIC = {"logistic",    1, {0.1}, 10, 0, logistic_rate, logistic_jacobian,
                                 logistic_exact};
static const Problem SWING = {"swing", 1, {1}, 5, 0, swing_rate, NULL, swing_exact};

static inline double distance(const Problem *problem, double t, const double *x)
{
    double exact[MAX_STATES], worst = 0;
    problem->exact(t, exact);
    for (int i = 0; i < problem->count; i++) worst = fmax(worst, fabs(x[i] - exact[i]));
    return worst;
}

static inline ib_Solver *make_solver(ib_SolverKind kind, double tolerance, int count,
                                     ib_Arena *arena)
{
    ib_SolverConfig config = {.kind = kind, .tolerance = tolerance, .quantum = 1e-9};
    ib_Solver *solver = ib_solver_create(&config, count, arena);
    assert_non_null(solver);
    return solver;
}

static inline ib_System make_system(const Problem *problem, const Context *context)
{
    return (ib_System){problem->count, problem->rate, problem->jacobian, context};
}

// `steps` equal steps over the problem's duration; the largest error on the way (that at the end
// may pass through zero by chance).
static inline double fixed_error(ib_SolverKind kind, const Problem *problem, int steps)
{
    ib_Arena arena = {0};
    Context context = {.stiffness = problem->stiffness};
    ib_Solver *solver = make_solver(kind, 1e-6, problem->count, &arena);
    ib_System system = make_system(problem, &context);
    double x[2][MAX_STATES], h = problem->duration / steps, worst = 0;

    memcpy(x[0], problem->x0, sizeof x[0]);
    for (int i = 0; i < steps; i++) {
        context.t0 = i * h;
        assert_int_equal(ib_solver_step(solver, &system, h, x[i & 1], x[~i & 1]), 0);
        worst = fmax(worst, distance(problem, (i + 1) * h, x[~i & 1]));
    }
    ib_arena_reset(&arena);
    return worst;
}

// An adaptive run over the problem's duration in whole nanoseconds; the end state in x.
static inline void adaptive_run(ib_SolverKind kind, double tolerance, const Problem *problem,
                                double *x, ib_SolverCounts *counts)
{
    ib_Arena arena = {0};
    Context context = {.stiffness = problem->stiffness};
    ib_Solver *solver = make_solver(kind, tolerance, problem->count, &arena);
    ib_System system = make_system(problem, &context);
    double h_next = 0, taken, next[MAX_STATES];
    int64_t now = 0, end = llround(problem->duration * 1e9);
    ib_Error error;

    memcpy(x, problem->x0, sizeof next);
    while (now < end) {
        context.t0 = (double)now * 1e-9;
        assert_int_equal(ib_solver_step_controlled(solver, &system, (double)(end - now) * 1e-9,
                                                   &h_next, x, next, &taken, counts, &error),
                         IB_OK);
        now += llround(taken * 1e9);
        memcpy(x, next, sizeof(double) * (size_t)problem->count);
    }
    assert_int_equal(now, end);
    ib_arena_reset(&arena);
}

#endif
