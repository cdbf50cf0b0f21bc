// test/sim/point.h: a point on a line that begins at rest, under an acceleration of the test's own,
// and its run by an adaptive solver. To the simulation it is a ball that has no floor.
//
//   x' = v,   v' = acceleration(x, v)
#ifndef IB_TEST_POINT_H
#define IB_TEST_POINT_H

#include "cmocka_all.h"
#include "sim/ball.h"
#include "sim/sim.h"

typedef struct Point {
    double (*acceleration)(const void *of, double place, double speed); // [m/s^2]
    const void *of;                                                     // what it depends on
} Point;

static ib_Status point_init(const void *config, ib_Arena *arena, void *model, ib_RobotPorts *ports,
                            ib_Error *error)
{
    ib_Status status = ball_init(&(Ball){0}, arena, &(Ball){0}, ports, error);
    ports->guard_count = 0;
    *(Point *)model = *(const Point *)config;
    return status;
}

static void point_reset(const void *config, const void *model, double *state)
{
    (void)config, (void)model;
    state[0] = state[1] = 0;
}

static void point_rate(const void *model, const double *state, const double *input, double *rate)
{
    const Point *point = model;
    (void)input;
    rate[0] = state[1];
    rate[1] = point->acceleration(point->of, state[0], state[1]);
}

typedef struct PointRun {
    ib_Status status;
    double time, place, speed; // at which it ended [s, m, m/s]
    int64_t tries;             // steps, those that were rejected included
    ib_InexactSteps inexact;
    ib_Error error;
} PointRun;

static PointRun run_point(Point point, ib_SolverConfig solver, double duration)
{
    ib_RobotKind kind = ball_kind;
    kind.config_size = kind.model_size = sizeof(Point);
    kind.init = point_init;
    kind.reset = point_reset;
    kind.rate = point_rate;
    ib_RobotConfig robot = {.name = "", .kind = &kind, .config = &point};
    ib_SimConfig config = {.robots = &robot,
                           .robot_count = 1,
                           .solver = solver,
                           .step = IB_SECOND / 10,
                           .duration = ib_time_from_seconds(duration)};
    ib_Arena arena = {0};
    ib_Model *model;
    ib_Sim *sim;
    PointRun out = {0};
    assert_int_equal(ib_model_create(&config, &arena, &model, &out.error), IB_OK);
    assert_int_equal(ib_sim_create(model, &sim, &out.error), IB_OK);
    out.status = ib_sim_advance(sim, config.duration, &out.error);
    out.time = ib_time_to_seconds(ib_sim_time(sim));
    out.place = ib_sim_state(sim)[0];
    out.speed = ib_sim_state(sim)[1];
    out.tries = ib_sim_solver_counts(sim).steps + ib_sim_solver_counts(sim).rejected;
    if (ib_sim_inexact_steps(sim)) out.inexact = *ib_sim_inexact_steps(sim);
    ib_sim_destroy(sim);
    ib_arena_reset(&arena);
    return out;
}

#endif
