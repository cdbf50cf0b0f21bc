// Heaps in whole runs: looking changes nothing, and all that goes on is in the state.
#include "cmocka_all.h"
#include "sim/pile.h"

enum { INSTANTS = IB_ROUNDS(8, 2) };

enum { COLUMNS = 6, ROWS = 6 };

// 36 boxes and discs on a slope into the corner of a room, pushed at twice; the slope ends at
// `until`, and friction with the floor stops what is left.
static void pile_into_a_corner(Pile *pile, ib_SolverKind solver, double duration, double until)
{
    pile_default(pile, duration);
    pile->config.solver = (ib_SolverConfig){solver, 1e-7, 1e-9};
    if (solver != IB_RK4) pile->config.step = IB_SECOND / 100;
    ib_field_rectangle(&pile->field, 0, 0, 1.2, 1.1);
    pile->field.restitution = 0;
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        double size = 0.11 + 0.005 * (i % 4), mass = 0.2 + 0.3 * (i % 5);
        ib_BumperConfig bumper = {1, 0.1 * (i % 3), INFINITY, 0.2 * (i % 4)};
        double x = 0.09 + 0.17 * (i % COLUMNS), y = 0.09 + 0.17 * (i / COLUMNS);
        PileBody *body = i % 3 == 1 ? pile_disc(pile, mass, size, 0.3, bumper)
                                    : pile_box(pile, mass, size, 0.09, 0.3, bumper);
        assert_true(pile_put(pile, i, x, y, 0.1 * (i % 7), 1e-3));
        body->planar->velocity_heading = 0.5 * (i % 3);
    }
    pile_push(pile, (ib_Disturbance){.type = IB_DISTURBANCE_TILT,
                                     .robot = -1,
                                     .until = ib_time_from_seconds(until),
                                     .size = 0.9,
                                     .direction = -2.4});
    for (int i = 0; i < 2; i++)
        pile_push(pile, (ib_Disturbance){.type = IB_DISTURBANCE_FORCE,
                                         .robot = 20 + i,
                                         .at = ib_time_from_seconds((0.5 + 0.3 * i) * duration),
                                         .until = ib_time_from_seconds((0.6 + 0.3 * i) * duration),
                                         .size = 40,
                                         .direction = 3.9});
}

typedef struct Run {
    ib_Arena arena;
    ib_Model *model;
    ib_Sim *sim;
    ib_Error error;
} Run;

static void run_start(Run *run, const Pile *pile)
{
    *run = (Run){.model = NULL};
    if (ib_model_create(&pile->config, &run->arena, &run->model, &run->error) != IB_OK ||
        ib_sim_create(run->model, &run->sim, &run->error) != IB_OK)
        fail_msg("%s", run->error.text);
}

static void run_until(Run *run, double seconds)
{
    if (ib_sim_advance(run->sim, ib_time_from_seconds(seconds), &run->error) != IB_OK)
        fail_msg("%s", run->error.text);
}

static void run_end(Run *run)
{
    ib_sim_destroy(run->sim);
    ib_arena_reset(&run->arena);
}

// How many pairs rest.
static int resting(const Run *run)
{
    return (int)ib_sim_state(run->sim)[run->model->rest_state];
}

static double fastest(const Run *run)
{
    double most = 0;
    for (int i = 0; i < run->model->robot_count; i++) {
        const ib_RobotModel *robot = &run->model->robots[i];
        const double *own = ib_sim_state(run->sim) + robot->state;
        const int *v = robot->ports.planar->velocity;
        most = fmax(most, fabs(own[v[0]]) + fabs(own[v[1]]));
    }
    return most;
}

static ib_Time look_often(void *self, ib_Time time, const double *signals)
{
    double *sum = self;
    *sum += signals[0];
    return time + 370001; // ns: hardly ever on a step
}

// Goal: who looks, between steps, at jumps or at odd times, changes no bit of a pile's run, in
// motion or at rest. Method: one run that nobody looks at and one that is sampled at every step,
// jump and 0.37 ms, and looked at between; their hashes on the way and at the end.
static void looking_changes_nothing(void **unused)
{
    (void)unused;
    static const ib_SolverKind solvers[] = {IB_RK4, IB_DOPRI5};
    Pile *pile = malloc(sizeof *pile);
    assert_non_null(pile);
    for (int s = 0; s < 2; s++) {
        Run alone, seen;
        double sum = 0;
        pile_into_a_corner(pile, solvers[s], s ? 0.4 : 1.6, 0.7);
        run_start(&alone, pile);
        run_start(&seen, pile);
        ib_Probe probe = {.self = &sum,
                          .sample = look_often,
                          .each_step = true,
                          .each_jump = true,
                          .at_end = true};
        assert_int_equal(ib_sim_probe(seen.sim, probe, &seen.error), IB_OK);
        double *signals = calloc((size_t)seen.model->signals.count, sizeof *signals);
        for (int i = 1; i <= 8; i++) {
            double t = ib_time_to_seconds(pile->config.duration) * i / 8;
            run_until(&alone, t);
            run_until(&seen, t);
            ib_sim_sample(seen.sim, signals);
            if (ib_sim_hash(alone.sim) != ib_sim_hash(seen.sim))
                fail_msg("%s: looked at, it is another run at %g s", ib_solver_names[solvers[s]],
                         t);
        }
        assert_true(resting(&alone) > 20 && sum != 0);
        if (s == 0) assert_true(fastest(&alone) < 1e-3); // what friction with the floor leaves
        free(signals);
        run_end(&alone);
        run_end(&seen);
    }
    free(pile);
}

// Goal: a pile that is put into a fresh simulation goes on with the same bits, on its way, in the
// crush of the corner and at rest. Method: at instants of a run its state is restored elsewhere;
// both must end with one hash.
static void restored_pile_goes_on_alike(void **unused)
{
    (void)unused;
    static const ib_SolverKind solvers[] = {IB_RK4, IB_DOPRI5};
    Pile *pile = malloc(sizeof *pile);
    assert_non_null(pile);
    for (int s = 0; s < 2; s++) {
        Run whole, run;
        double duration = s ? 0.4 : 1.2;
        pile_into_a_corner(pile, solvers[s], duration, 0.7);
        run_start(&whole, pile);
        run_start(&run, pile);
        run_until(&whole, duration);
        for (int i = 0; i < INSTANTS; i++) {
            Run again;
            run_until(&run, duration * (i + 0.37) / INSTANTS);
            run_start(&again, pile);
            ib_sim_restore(again.sim, ib_sim_time(run.sim), ib_sim_steps(run.sim),
                           ib_sim_state(run.sim));
            run_until(&again, duration);
            if (ib_sim_hash(again.sim) != ib_sim_hash(whole.sim))
                fail_msg("%s: restored at %.9g s with %d pairs at rest it ends otherwise",
                         ib_solver_names[solvers[s]], ib_time_to_seconds(ib_sim_time(run.sim)),
                         resting(&run));
            run_end(&again);
        }
        assert_true(resting(&whole) > 20);
        run_end(&run);
        run_end(&whole);
    }
    free(pile);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        ib_plain_test(looking_changes_nothing),
        cmocka_unit_test(restored_pile_goes_on_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
