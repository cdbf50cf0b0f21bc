// solver/solver.c: the methods behind one interface. See docs/solver/solver.md
#include "solver/solver.h"

#include "solver/method.h"

const char *const ib_solver_names[] = {"euler", "rk4", "dopri5", "rosenbrock", "stiff", NULL};

static const ib__Method *const methods[] = {&ib__euler, &ib__rk4, &ib__dopri5, &ib__rosenbrock,
                                            &ib__stiff};

ib_SolverConfig ib_solver_default(void)
{
    return (ib_SolverConfig){.kind = IB_RK4, .tolerance = 1e-6, .quantum = 1e-9};
}

ib_Status ib_solver_check(const ib_SolverConfig *config, ib_Error *error)
{
    if ((int)config->kind < IB_EULER || (int)config->kind >= IB_SOLVER_COUNT) {
        return ib_error_set(error, IB_BAD_INPUT, "solver: no method has the number %d",
                            (int)config->kind);
    }
    if (!(config->tolerance >= IB_LEAST_TOLERANCE && config->tolerance <= IB_MOST_TOLERANCE)) {
        return ib_error_set(error, IB_BAD_INPUT,
                            "tolerance: expected a number from 1e-14 to 0.1, got %g",
                            config->tolerance);
    }
    if (!(config->quantum >= 0 && config->quantum <= 1)) {
        return ib_error_set(error, IB_BAD_INPUT, "quantum: expected a time from 0 s to 1 s, got %g",
                            config->quantum);
    }
    return IB_OK;
}

// All vectors come from one piece of memory, each aligned: docs/performance.md
static int allocate(ib_Solver *solver, ib_Arena *arena)
{
    const ib__Method *method = solver->method;
    size_t n = (size_t)solver->count, slot = (n + 7) / 8 * 8;
    size_t vectors = (size_t)method->stages + 9;
    double *next = ib_arena_array(arena, vectors * slot, sizeof *next);

    if (!next) return 0;
    double **slots[] = {&solver->again, &solver->y,      &solver->error,
                        &solver->probe, &solver->rate_t, &solver->ahead};
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++, next += slot) *slots[i] = next;
    for (int s = 0; s < method->stages; s++, next += slot) solver->k[s] = next;
    solver->work = next;

    if (!method->implicit) return 1;
    solver->jacobian = ib_arena_array(arena, n * n, sizeof(double));
    solver->lu = ib_arena_array(arena, n * n, sizeof(double));
    solver->bends = ib_arena_array(arena, 2 * n, sizeof(double));
    solver->pivot = ib_arena_array(arena, n, sizeof(int));
    solver->factors = (ib_MatrixPack){
        .value = ib_arena_array(arena, n * n, sizeof(double)),
        .column = ib_arena_array(arena, n * n, sizeof(int)),
        .first = ib_arena_array(arena, n + 1, sizeof(int)),
        .middle = ib_arena_array(arena, n, sizeof(int)),
        .order = ib_arena_array(arena, n, sizeof(int)),
    };
    return solver->jacobian && solver->lu && solver->bends && solver->pivot &&
           solver->factors.value && solver->factors.column && solver->factors.first &&
           solver->factors.middle && solver->factors.order;
}

ib_Solver *ib_solver_create(const ib_SolverConfig *config, int count, ib_Arena *arena)
{
    IB_ASSERT(count >= 1 && ib_solver_check(config, NULL) == IB_OK);
    ib_Solver *solver = ib_arena_alloc(arena, sizeof *solver);

    if (!solver) return NULL;
    solver->config = *config;
    solver->method = methods[config->kind];
    solver->count = count;
    solver->whole = (ib_Block){0, count, count, count};
    ib_solver_set_blocks(solver, NULL, 0);
    return allocate(solver, arena) ? solver : NULL;
}

void ib_solver_set_blocks(ib_Solver *solver, const ib_Block *blocks, int count)
{
    solver->blocks = count > 0 ? blocks : &solver->whole;
    solver->block_count = count > 0 ? count : 1;
    solver->sum_from = count == 1 ? blocks->sum_from : solver->count;
    solver->sum_to = count == 1 ? blocks->sum_to : solver->count;
    IB_ASSERT(solver->blocks[0].from == 0);
    IB_ASSERT(solver->blocks[solver->block_count - 1].to == solver->count);
}

void ib_solver_set_tolerance(ib_Solver *solver, double tolerance)
{
    solver->config.tolerance = tolerance;
    IB_ASSERT(ib_solver_check(&solver->config, NULL) == IB_OK);
}

int ib_solver_order(ib_SolverKind kind)
{
    return methods[kind]->order;
}

int ib_solver_adaptive(ib_SolverKind kind)
{
    return methods[kind]->adaptive;
}

int ib_solver_implicit(ib_SolverKind kind)
{
    return methods[kind]->implicit;
}

// Remembers the two ends of the step for the dense output.
static void begin(ib_Solver *solver, double h, const double *x0, const double *x1)
{
    solver->h = h;
    solver->x0 = x0;
    solver->x1 = x1;
}

static int broken(const ib_Solver *solver, const double *x)
{
    int finite = 1;
    for (int i = 0; i < solver->count; i++) finite &= ib__finite(x[i]);
    return !finite;
}

double *ib_solver_ahead(ib_Solver *solver)
{
    if (solver->method->implicit) return NULL;
    solver->evaluations += 1;
    return solver->ahead;
}

// The rate computed ahead is the first stage.
static void take_ahead(ib_Solver *solver)
{
    double *first = solver->k[0];
    solver->k[0] = solver->ahead;
    solver->ahead = first;
}

void ib_solver_step_unchecked(ib_Solver *solver, const ib_System *system, double h,
                              const double *x0, double *x1, bool ahead, ib_SolverCounts *counts)
{
    ib_SolverWork before = ib_solver_work(solver);
    begin(solver, h, x0, x1);
    if (ahead)
        take_ahead(solver);
    else
        solver->method->prepare(solver, system, x0);
    solver->method->attempt(solver, system, h, x0, x1);
    if (!counts) return;
    counts->steps += 1;
    counts->evaluations += solver->evaluations - before.evaluations;
    counts->jacobians += solver->jacobians - before.jacobians;
}

int ib_solver_step(ib_Solver *solver, const ib_System *system, double h, const double *x0,
                   double *x1)
{
    begin(solver, h, x0, x1);
    solver->method->prepare(solver, system, x0);
    return solver->method->attempt(solver, system, h, x0, x1) || broken(solver, x1);
}

int ib_solver_step_again(ib_Solver *solver, const ib_System *system, double h, double *x1)
{
    const double *x0 = solver->x0;
    begin(solver, h, x0, x1);
    return solver->method->attempt(solver, system, h, x0, x1) || broken(solver, x1);
}

static ib_Status step_fixed(ib_Solver *solver, const ib_System *system, double h, const double *x0,
                            double *x1, double *h_taken, ib_SolverCounts *counts, ib_Error *error)
{
    *h_taken = h;
    ib_solver_step_unchecked(solver, system, h, x0, x1, false, NULL);
    if (broken(solver, x1)) {
        counts->rejected += 1;
        counts->non_finite += 1;
        return ib_error_set(error, IB_FAILED,
                            "the state is not finite after a step of %g s: the step is too long "
                            "for this problem, or the state runs away",
                            h);
    }
    counts->steps += 1;
    return IB_OK;
}

ib_SolverWork ib_solver_work(const ib_Solver *solver)
{
    return (ib_SolverWork){solver->evaluations, solver->jacobians};
}

void ib_solver_forget_work(ib_Solver *solver)
{
    solver->evaluations = solver->jacobians = 0;
}

ib_Status ib_solver_step_controlled(ib_Solver *solver, const ib_System *system, double h_max,
                                    double *h_next, const double *x0, double *x1, double *h_taken,
                                    ib_SolverCounts *counts, ib_Error *error)
{
    ib_Status status;

    IB_ASSERT(system->count == solver->count && h_max > 0);
    ib_SolverWork before = ib_solver_work(solver);
    solver->jumps = false;
    solver->error_ratio = 0;
    if (solver->method->adaptive) {
        status = ib__step_adaptive(solver, system, h_max, h_next, x0, x1, h_taken, counts, error);
    } else {
        status = step_fixed(solver, system, h_max, x0, x1, h_taken, counts, error);
    }
    counts->evaluations += solver->evaluations - before.evaluations;
    counts->jacobians += solver->jacobians - before.jacobians;
    if (status == IB_OK || !error) return status;
    ib_Error why = *error;
    return ib_error_set(error, status, "%s: %s", ib_solver_names[solver->config.kind], why.text);
}

bool ib_solver_jumps(const ib_Solver *solver)
{
    return solver->jumps;
}

double ib_solver_error_ratio(const ib_Solver *solver)
{
    return solver->error_ratio;
}

void ib_solver_dense(ib_Solver *solver, double fraction, double *x)
{
    ib__dense(solver, fraction, x);
}

double ib_solver_length(const ib_Solver *solver)
{
    return solver->h;
}
