// solver/solver.h: one interface to all integrators. Derivations and orders: docs/solver/solver.md
//
//   dx/dt = f(t, x)
//
// A method makes one step of length h from t = 0 (time inside a step is relative, so that it keeps
// its digits at t = 1e7 s). Fixed-step methods take the step they are given. Adaptive ones estimate
// the error and choose; the step to try next belongs to the state of the simulation, not to the
// solver: (x, h_next) suffices to continue with the same bits.
#ifndef IB_SOLVER_SOLVER_H
#define IB_SOLVER_SOLVER_H

#include "base/arena.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ib_System {
    int count; ///< states, >= 1
    // dx = f(t, x), t in seconds since the start of the step, 0 <= t <= h. Never called outside the
    // step, so that an input need only be defined there.
    void (*rate)(const void *context, double t, const double *x, double *dx);
    // The whole df/dx, row-major; false: not known there. Finite differences replace a Jacobian
    // that is unknown or NULL.
    bool (*jacobian)(const void *context, double t, const double *x, double *jacobian);
    const void *context;
    // `rate` close to its last arguments, without a corner in between (contacts stay as they are),
    // for finite differences; NULL: `rate`.
    void (*frozen_rate)(const void *context, double t, const double *x, double *dx);
    bool steady; ///< no rate depends on t: df/dt is zero and is not computed
} ib_System;

// The states from <= i < to, whose rates depend on none outside (a robot among others, say), and on
// none of the sums, sum_from <= i < sum_to, inside (its energy balance).
typedef struct ib_Block {
    int from, to;         ///< from <= to
    int sum_from, sum_to; ///< from <= sum_from <= sum_to <= to; equal: there are none
} ib_Block;

// Row-major df/dx at (t, x), where `rate` is f(t, x), just computed: the system's own, or forward
// differences, right to about 1e-8 of the rate's size. One rate call gives a column of every block;
// the sums need none, theirs are zero. The blocks have all states, in order; `work` holds 3 * count
// doubles. Returns the number of rate calls made.
int ib_system_jacobian(const ib_System *system, double t, const double *x, const double *rate,
                       const ib_Block *blocks, int block_count, double *work, double *jacobian);

typedef enum ib_SolverKind { IB_EULER, IB_RK4, IB_DOPRI5, IB_ROSENBROCK, IB_STIFF } ib_SolverKind;
enum { IB_SOLVER_COUNT = IB_STIFF + 1 };

extern const char *const ib_solver_names[]; ///< NULL-terminated, in the order of ib_SolverKind

#define IB_LEAST_TOLERANCE 1e-14
#define IB_MOST_TOLERANCE  1e-1

typedef struct ib_SolverConfig {
    ib_SolverKind kind;
    double tolerance; ///< relative and absolute per step, adaptive methods only; IB_LEAST_TOLERANCE
                      ///< .. IB_MOST_TOLERANCE
    double quantum;   ///< accepted steps are whole multiples of this [s], >= 0; 0: any length
} ib_SolverConfig;

// rk4, tolerance 1e-6, quantum 1 ns.
ib_SolverConfig ib_solver_default(void);
ib_Status ib_solver_check(const ib_SolverConfig *config, ib_Error *error);

// Scratch memory of one solver; made once, holds nothing between steps but the last step's stages.
typedef struct ib_Solver ib_Solver;

// NULL when the arena is full. The config must have passed ib_solver_check.
ib_Solver *ib_solver_create(const ib_SolverConfig *config, int count, ib_Arena *arena);

// Sets the independent blocks of the system, which have all states, in order. The sums that `rate`
// gets inside a step are then undefined. Valid until the next call, while the caller keeps the
// blocks; 0 blocks: one system, as after creation. Results are the same to the bit; to rounding
// where an implicit method has a single block whose sums stand behind its other states, and a
// Jacobian of the system's own.
void ib_solver_set_blocks(ib_Solver *solver, const ib_Block *blocks, int count);

// Sets the tolerance of the steps from now on.
void ib_solver_set_tolerance(ib_Solver *solver, double tolerance);

int ib_solver_order(ib_SolverKind kind);
int ib_solver_adaptive(ib_SolverKind kind);

// True if the method solves linear systems with the Jacobian and is stable at every step length.
int ib_solver_implicit(ib_SolverKind kind);

// Counts of one solver's steps, added up over the run.
typedef struct ib_SolverCounts {
    int64_t steps;       ///< accepted
    int64_t rejected;    ///< attempts thrown away: error too large, or not finite
    int64_t evaluations; ///< rate calls of all attempts, those for Jacobians included; no others
    int64_t jacobians;
    int64_t non_finite; ///< attempts in which a rate or state was not finite
                        ///< (or I/(h gamma) - J singular)
} ib_SolverCounts;

// The rate calls and Jacobians of a solver since its creation or ib_solver_forget_work: those of
// steps, of refused attempts, and of all evaluations within a step.
typedef struct ib_SolverWork {
    int64_t evaluations, jacobians;
} ib_SolverWork;

ib_SolverWork ib_solver_work(const ib_Solver *solver);
void ib_solver_forget_work(ib_Solver *solver);

// One step of exactly h, no error control, from x0 to x1 (which must not overlap x0). Returns 0, or
// 1 when a rate or state was not finite. Used for fixed-step methods, for sampling between step
// ends and for locating events.
int ib_solver_step(ib_Solver *solver, const ib_System *system, double h, const double *x0,
                   double *x1);

// Repeats the step last made from its start, under the same inputs, with another length: the same
// bits as ib_solver_step for less, as the rate at the start and the Jacobian are known.
int ib_solver_step_again(ib_Solver *solver, const ib_System *system, double h, double *x1);

// ib_solver_step of a fixed-step method without a check of the result, for a caller with limits of
// its own; counted in `counts` (NULL: not counted). `ahead`: ib_solver_ahead has the rate at x0.
void ib_solver_step_unchecked(ib_Solver *solver, const ib_System *system, double h,
                              const double *x0, double *x1, bool ahead, ib_SolverCounts *counts);

// Memory for the rate at the end of the step last made, for a caller who computes it with something
// else and begins the next step there, under the same inputs. Evaluations in between leave it as it
// is; it counts as a call. NULL: an implicit method, which does not use it.
double *ib_solver_ahead(ib_Solver *solver);

// A state that the fixed step last made is too long for.
typedef struct ib_Instability {
    int state;
    double ratio; ///< h lambda of its fast mode, as estimated, >= 2
    bool thrown;  ///< this step alone changed it by more than a quarter of 1 + |x|
} ib_Instability;

// True if the step last made, of a fixed-step method, was too long, by its stages (Euler: by those
// of RK4, three rates more). One answer can be wrong if some rates happen to be near zero; many in
// a row are not. Steps of an implicit method are never too long.
bool ib_solver_unstable(ib_Solver *solver, const ib_System *system, ib_Instability *found);

// One accepted step of at most `h_max` (> 0), x1 not overlapping x0. `h_next` is the length to try
// first (0: choose) and becomes the one to try next. An adaptive method holds, in every state, the
// estimated error of the step below tolerance * (1 + max(|x0|, |x1|)); its step is h_max itself or
// a whole number of quanta. Fixed-step methods take h_max and leave h_next alone. Fails, with the
// reason, when the shortest step is still refused or the state is not finite.
ib_Status ib_solver_step_controlled(ib_Solver *solver, const ib_System *system, double h_max,
                                    double *h_next, const double *x0, double *x1, double *h_taken,
                                    ib_SolverCounts *counts, ib_Error *error);

// True if the rate jumps within the step that ib_solver_step_controlled refused at its shortest, so
// that no step size helps. False: the problem is too stiff for the method, or not finite.
bool ib_solver_jumps(const ib_Solver *solver);

// The error of that step over the allowed one, if it is finite and the rate does not jump; 0: the
// step was refused for another reason. The step is the one last made, and ends in x1: a caller who
// accepts the error goes on from there.
double ib_solver_error_ratio(const ib_Solver *solver);

// The estimated error of the step last made, of all states; NULL: the method estimates none.
const double *ib_solver_error(const ib_Solver *solver);

// The state whose error is largest in the step that an adaptive method has last tried.
int ib_solver_worst(const ib_Solver *solver);

// The state at `fraction` (0..1) of the step last made, from its stages, without a rate call. At 1
// it is x1 to the bit. Order: dopri5 4, rk4, rosenbrock and stiff 3, euler 1 (a straight line).
// Valid as long as the two ends of that step are left in their places.
void ib_solver_dense(ib_Solver *solver, double fraction, double *x);

// Length of the step last made [s].
double ib_solver_length(const ib_Solver *solver);

// Memory for the search of events among at most `count` guards, used again and again.
typedef struct ib_EventWorkspace ib_EventWorkspace;
ib_EventWorkspace *ib_event_workspace_create(int count, ib_Arena *arena); // NULL without memory

// Events: the first instant in the step last made at which one of `count` guards changes sign.
typedef struct ib_EventSystem {
    int count; ///< >= 0, no more than there is room for
    void (*guard)(const void *context, double t, const double *x, double *g);
    const void *context;
    ib_EventWorkspace *workspace;
} ib_EventSystem;

typedef struct ib_Event {
    int index;           ///< of the guard, the lowest of several that change at once; -1: none
    double t;            ///< seconds since the start of the step, 0 < t <= h
    int rising;          ///< 1: from negative to positive
    const bool *crossed; ///< for each guard: it changes sign at this instant (two wheels, one
        ///< wall); the workspace's, valid until the next search; NULL without an event
} ib_Event;

// Looks for the first sign change within the step from x0 of length h, which must be the step last
// made. Searches with the dense output and locates by steps of the method itself, to the last bit
// of h (bounded). Writes the state just past the event into x: the guard has its new sign there or
// is exactly zero. A guard that starts at exactly zero counts by the sign it takes next. With an
// event, the step last made is afterwards the one that ends in x. Without one, x is not written.
void ib_solver_locate(ib_Solver *solver, const ib_System *system, const ib_EventSystem *events,
                      double h, const double *x0, ib_Event *event, double *x);

#endif
