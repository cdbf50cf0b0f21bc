// test/plant/solve.h: a system without events, solved as exactly as doubles allow.
#ifndef IB_TEST_PLANT_SOLVE_H
#define IB_TEST_PLANT_SOLVE_H

#include "cmocka_all.h"
#include "solver/solver.h"

#include <string.h>

enum { SOLVE_STATES = 32 };

// Moves x on by `duration` [s] with dopri5; `end`: so near to it is there.
static inline void solve(const ib_System *system, double tolerance, double end, double duration,
                         double *x)
{
    ib_Arena arena = {0};
    ib_Error error;
    ib_SolverCounts counts = {0};
    ib_SolverConfig config = {IB_DOPRI5, tolerance, 0};
    ib_Solver *solver = ib_solver_create(&config, system->count, &arena);
    double next[SOLVE_STATES], now = 0, h_next = 0, taken;
    assert_true(solver && system->count <= SOLVE_STATES);
    while (duration - now > end) {
        assert_int_equal(ib_solver_step_controlled(solver, system, duration - now, &h_next, x, next,
                                                   &taken, &counts, &error),
                         IB_OK);
        now += taken;
        memcpy(x, next, (size_t)system->count * sizeof *x);
    }
    ib_arena_reset(&arena);
}

#endif
