// test/robot/cylinder_review.h: the cylinder rig under a bare solver: any method, any step, nothing
// divided, nobody else's choice. For the review of solvers (docs/solver/solver_review.md) and
// its tests.
#ifndef IB_TEST_CYLINDER_REVIEW_H
#define IB_TEST_CYLINDER_REVIEW_H

#include "linear/eigen.h"
#include "robot/cylinder_rig/cylinder_rig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REVIEW_STATES = 48 };

// A rig, its valve (held, or set by a law inside the rate) and where it is.
typedef struct Review {
    ib_CylinderRigConfig config;
    ib_CylinderRigModel rig;
    double input[IB_RIG_INPUTS];
    bool closed; // the valve follows  centre + Kp (goal - x) - Kd v  [reference A5]
    double kp, kd, goal;
    bool plain;    // the spool's side changes within a step, unseen, as in a program without events
    bool air_held; // only the piston moves: the friction's eigenvalue alone
    double state[REVIEW_STATES];

    ib_Arena arena;
    ib_Solver *solver;
    ib_EventWorkspace *workspace;
    ib_SolverConfig method;
    ib_Block block;
    double h_next;
    int64_t steps; // made so far
} Review;

static inline void review_stop(const char *what)
{
    fprintf(stderr, "review: %s\n", what);
    exit(1);
}

// The thesis's rig at its start, at 0 V.
static inline void review_default(Review *r)
{
    ib_Error error;
    memset(r, 0, sizeof *r);
    const ib_MechanismKind *kind = &ib_cylinder_mechanism;
    ib_RigPartConfig part = {0};
    if (ib_schema_default(&kind->params, &part, &error) != IB_OK ||
        ib_schema_default(&kind->start, &part, &error) != IB_OK)
        review_stop(error.text);
    r->config = part.rig;
    r->config.gravity = 9.81;
}

// As a file writes it.
static inline void review_set(Review *r, const char *key, const char *text)
{
    ib_Error error;
    const ib_MechanismKind *kind = &ib_cylinder_mechanism;
    ib_RigPartConfig part = {.rig = r->config};
    const ib_Param *param = ib_schema_find(&kind->params, key);
    if (!param) param = ib_schema_find(&kind->start, key);
    if (!param) review_stop(key);
    if (ib_schema_set(param, text, &part, &error) != IB_OK) review_stop(error.text);
    r->config = part.rig;
}

static inline double review_voltage(const Review *r, const double *x)
{
    if (!r->closed) return r->input[IB_RIG_VALVE];
    double u = r->config.cylinder.valve.centre + r->kp * (r->goal - x[IB_RIG_POSITION]) -
               r->kd * x[IB_RIG_VELOCITY];
    return fmin(fmax(u, 0), 10);
}

static inline void review_input(const Review *r, const double *x, double *input)
{
    memcpy(input, r->input, sizeof r->input);
    input[IB_RIG_VALVE] = review_voltage(r, x);
}

static inline void review_rate(const void *self, double t, const double *x, double *dx)
{
    const Review *r = self;
    double input[IB_RIG_INPUTS];
    (void)t;
    review_input(r, x, input);
    if (r->plain) {
        double y[REVIEW_STATES];
        memcpy(y, x, (size_t)r->rig.state_count * sizeof *y);
        y[r->rig.mode + IB_RIG_SIDE] =
            input[IB_RIG_VALVE] > r->config.cylinder.valve.centre ? 1 : -1;
        ib_cylinder_rig_rate(&r->rig, y, input, dx);
    } else {
        ib_cylinder_rig_rate(&r->rig, x, input, dx);
    }
    if (!r->air_held) return;
    memset(dx, 0, (size_t)r->rig.state_count * sizeof *dx);
    dx[IB_RIG_VELOCITY] = -ib_friction_force(&r->rig.piston.friction, x[IB_RIG_VELOCITY],
                                             x[IB_RIG_POSITION], r->rig.piston.side_load) *
                          r->rig.piston.per_mass;
}

static inline bool review_jacobian(const void *self, double t, const double *x, double *J)
{
    const Review *r = self;
    int n = r->rig.state_count;
    (void)t;
    if (r->closed || r->air_held) return false;
    memset(J, 0, (size_t)(n * n) * sizeof *J);
    return ib_cylinder_rig_jacobian(&r->rig, x, r->input, J, n);
}

static inline void review_guard(const void *self, double t, const double *x, double *guards)
{
    const Review *r = self;
    double input[IB_RIG_INPUTS];
    (void)t;
    review_input(r, x, input);
    ib_cylinder_rig_guard(&r->rig, x, input, guards);
    if (r->plain) guards[IB_RIG_GUARD_SPOOL] = 1;
}

static inline ib_System review_system(const Review *r)
{
    return (ib_System){.count = r->rig.state_count,
                       .rate = review_rate,
                       .jacobian = review_jacobian,
                       .context = r,
                       .steady = true};
}

static inline void review_settle(Review *r)
{
    double input[IB_RIG_INPUTS];
    if (r->air_held) return;
    for (int i = 0; i < 100; i++) {
        review_input(r, r->state, input);
        if (!ib_cylinder_rig_settle(&r->rig, input, r->state)) return;
    }
    review_stop("modes do not settle");
}

// The model and its state at the start, under this method; tolerance 0: steps as they are given.
static inline void review_begin(Review *r, ib_SolverKind kind, double tolerance)
{
    ib_cylinder_rig_init(&r->config, &r->rig);
    if (r->rig.state_count > REVIEW_STATES) review_stop("too many states");
    r->input[IB_RIG_GAIN] = 1;
    r->input[IB_GRAVITY] = 9.80665;
    ib_cylinder_rig_reset(&r->rig, r->state);
    r->method = (ib_SolverConfig){kind, tolerance > 0 ? tolerance : 1e-6, 0};
    r->solver = ib_solver_create(&r->method, r->rig.state_count, &r->arena);
    r->workspace = ib_event_workspace_create(IB_RIG_GUARDS, &r->arena);
    if (!r->solver || !r->workspace) review_stop("out of memory");
    if (tolerance == 0) r->method.tolerance = 0;
    r->block = (ib_Block){0, r->rig.state_count, r->rig.own_states, r->rig.state_count};
    ib_solver_set_blocks(r->solver, &r->block, 1);
    review_settle(r);
}

static inline void review_end(Review *r)
{
    ib_arena_reset(&r->arena);
    r->arena = (ib_Arena){0};
}

// One step of at most h, to its end or to the first event. Returns how far it came; 0: not finite.
static inline double review_step(Review *r, double h)
{
    ib_System system = review_system(r);
    ib_EventSystem events = {IB_RIG_GUARDS, review_guard, r, r->workspace};
    double x1[REVIEW_STATES], x[REVIEW_STATES], taken = h;
    ib_Event event = {.index = -1};
    ib_Error error;
    r->steps++;
    if (r->method.tolerance == 0) {
        if (ib_solver_step(r->solver, &system, h, r->state, x1) != 0) return 0;
    } else if (ib_solver_step_controlled(r->solver, &system, h, &r->h_next, r->state, x1, &taken,
                                         &(ib_SolverCounts){0}, &error) != IB_OK) {
        review_stop(error.text);
    }
    if (!r->air_held) ib_solver_locate(r->solver, &system, &events, taken, r->state, &event, x);
    bool hit = event.index >= 0;
    memcpy(r->state, hit ? x : x1, (size_t)r->rig.state_count * sizeof *x);
    if (!hit) return taken;
    review_settle(r);
    r->h_next = 0;
    return event.t;
}

// Over `span`: an adaptive method as it likes, another in one step and what events leave of it.
static inline bool review_advance(Review *r, double span)
{
    double left = span;
    for (int i = 0; left > 1e-13; i++) {
        double taken = review_step(r, left);
        if (!(taken > 0) || i > 1000000) return false;
        left -= taken;
    }
    return true;
}

static inline double review_pressure(const Review *r, bool cap)
{
    double input[IB_RIG_INPUTS];
    review_input(r, r->state, input);
    ib_CylinderRigNow now = ib_cylinder_rig_now(&r->rig, r->state, input);
    return now.air.chamber[cap ? IB_SIDE_CAP : IB_SIDE_ROD].pressure;
}

// Moves everything to a point; temperatures as the air around has them.
static inline void review_place(Review *r, double x, double v, double cap, double rod,
                                double cap_temperature, double rod_temperature)
{
    r->state[IB_RIG_POSITION] = x;
    r->state[IB_RIG_VELOCITY] = v;
    ib_cylinder_fill(&r->rig.cylinder, x, (double[]){cap, rod},
                     (double[]){cap_temperature, rod_temperature}, r->state + IB_RIG_AIR);
    r->state[r->rig.mode + IB_RIG_MODE] = IB_PISTON_FORTH;
    review_settle(r);
}

// Eigenvalues of the piston and the air: x, v, and mass and energy of both chambers.
static inline void review_eigenvalues(const Review *r, ib_Complex *values)
{
    int n = r->rig.state_count;
    double J[REVIEW_STATES * REVIEW_STATES] = {0}, A[36];
    ib_Error error;
    if (!ib_cylinder_rig_jacobian(&r->rig, r->state, r->input, J, n))
        review_stop("the Jacobian is not known here");
    for (int i = 0; i < 6; i++) memcpy(A + 6 * i, J + i * n, 6 * sizeof *A);
    if (ib_eigenvalues(6, A, values, &error) != IB_OK) review_stop(error.text);
}

// |R(h lambda)| <= 1 ends here on the negative real axis; 0: never.
static inline double review_limit(ib_SolverKind kind)
{
    return kind == IB_EULER    ? 2
           : kind == IB_RK4    ? 2.785293563405282
           : kind == IB_DOPRI5 ? 3.306567892634947
                               : 0;
}

// The longest step in which a small speed dies out, by bisection between `low` and `high` [s]; the
// rig is put back to its state before every try.
static inline double review_longest(Review *r, double low, double high)
{
    double start[REVIEW_STATES];
    memcpy(start, r->state, sizeof start);
    for (int i = 0; i < 40 && high - low > 1e-7 * low; i++) {
        double h = 0.5 * (low + high);
        bool stable = true;
        memcpy(r->state, start, sizeof start);
        r->state[IB_RIG_VELOCITY] += 1e-7;
        for (int k = 0; k < 4000 && stable; k++) stable = review_advance(r, h);
        stable &= fabs(r->state[IB_RIG_VELOCITY] - start[IB_RIG_VELOCITY]) < 1e-7;
        *(stable ? &low : &high) = h;
    }
    memcpy(r->state, start, sizeof start);
    return 0.5 * (low + high);
}

#endif
