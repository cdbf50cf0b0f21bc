// Claims about the solver of a scenario that names none: its robots are asked. No robot of the
// program has a wish yet that depends on a file, so that a kind of the test's own is put among what
// was read.
#include "cmocka_all.h"
#include "scenario/scenario_inside.h"

#include <stdio.h>
#include <string.h>

// What a robot asks for is all that its config says.
static void wish(const void *config, ib_SolverConfig *solver)
{
    solver->kind = *(const ib_SolverKind *)config;
    solver->tolerance = 1e-5;
}

static const ib_RobotKind wishing = {.name = "wishing", .solver = wish}, plain = {.name = "plain"};

typedef struct Read {
    ib_Arena arena;
    ib_Diagnostics diagnostics;
    ib_SimConfig config;
} Read;

// Reads `run` of this text, and asks a robot without a wish and one with this one.
static Read read_run(const char *text, ib_SolverKind asked)
{
    Read read = {0};
    read.diagnostics.arena = &read.arena;
    ib_Reader reader = {.file = "t.yaml", .arena = &read.arena, .diagnostics = &read.diagnostics};
    const ib_Node *root = ib_read_tree(&reader, text, strlen(text));
    ib__Robot robots[] = {{.config = {.kind = &plain}},
                          {.config = {.kind = NULL}}, // its kind is unknown
                          {.config = {.kind = &wishing, .config = &asked}}};
    ib__ScenarioReader scenario = {.reader = &reader, .robots = robots, .robot_count = 3};
    ib__RunValues run;
    assert_non_null(root);
    ib__read_run(&reader, root, &run, &read.config);
    ib__choose_solver(&scenario, root, &run, &read.config);
    return read;
}

// Goal: a run without a solver has the one that its robot asks for, with the step or the longest
// step that belongs to it; what the file says has the last word, and keys that are of no use to
// the solver are told. Method: cases by hand.
static void robot_is_asked_where_no_solver_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *run;
        ib_SolverKind asked, chosen;
        double tolerance, step; ///< [s]
        const char *warning;    ///< NULL: none
    } cases[] = {
        {"{duration: 2 s}", IB_RK4, IB_RK4, 1e-9, 1e-3, NULL},
        {"{duration: 2 s}", IB_STIFF, IB_STIFF, 1e-5, 1e-3, NULL},
        {"{duration: 2 s}", IB_ROSENBROCK, IB_ROSENBROCK, 1e-5, 2, NULL},
        {"{duration: 2 s, solver: rk4}", IB_STIFF, IB_RK4, 1e-9, 1e-3, NULL},
        {"{duration: 2 s, solver: euler, step: 5 ms}", IB_ROSENBROCK, IB_EULER, 1e-9, 5e-3, NULL},
        {"{duration: 2 s, solver: stiff}", IB_RK4, IB_STIFF, 1e-9, 1e-3, NULL},
        {"{duration: 2 s, step: 5 ms}", IB_STIFF, IB_STIFF, 1e-5, 5e-3, NULL},
        {"{duration: 2 s, max_step: 5 ms}", IB_ROSENBROCK, IB_ROSENBROCK, 1e-5, 5e-3, NULL},
        {"{duration: 2 s, tolerance: 1e-7}", IB_ROSENBROCK, IB_ROSENBROCK, 1e-7, 2, NULL},
        {"{duration: 2 s, tolerance: 1e-7}", IB_RK4, IB_RK4, 1e-7, 1e-3,
         "run.tolerance: has no effect while solver is rk4"},
        {"{duration: 2 s, tolerance: 1e-7}", IB_STIFF, IB_STIFF, 1e-7, 1e-3,
         "run.tolerance: has no effect while solver is stiff"},
        {"{duration: 2 s, step: 5 ms}", IB_ROSENBROCK, IB_ROSENBROCK, 1e-5, 2,
         "run.step: has no effect while solver is rosenbrock"},
        {"{duration: 2 s, solver: stiff, tolerance: 1e-7}", IB_RK4, IB_STIFF, 1e-7, 1e-3,
         "run.tolerance: has no effect while solver is stiff"},
    };
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        char text[200];
        snprintf(text, sizeof text, "run: %s\n", cases[i].run);
        Read read = read_run(text, cases[i].asked);
        assert_int_equal(read.diagnostics.count, 0);
        assert_int_equal(read.config.solver.kind, cases[i].chosen);
        assert_true(read.config.solver.tolerance == cases[i].tolerance);
        assert_int_equal(read.config.step, ib_time_from_seconds(cases[i].step));
        assert_int_equal(read.diagnostics.warning_count, cases[i].warning != NULL);
        if (cases[i].warning)
            assert_non_null(strstr(read.diagnostics.warnings[0].text, cases[i].warning));
        ib_arena_reset(&read.arena);
    }
}

// Goal: mistakes are told as ever. Method: a step that is longer than the run is one for a solver
// of fixed steps, asked for or not, and none for one that chooses its own; one that is wrong says
// so once.
static void mistakes_are_told_whoever_chooses(void **state)
{
    (void)state;
    static const struct {
        const char *run;
        ib_SolverKind asked;
        int mistakes;
    } cases[] = {
        {"{duration: 2 s, step: 3 s}", IB_RK4, 1},
        {"{duration: 2 s, step: 3 s}", IB_STIFF, 1},
        {"{duration: 2 s, step: 3 s}", IB_ROSENBROCK, 0},
        {"{duration: 2 s, step: 3 kg}", IB_STIFF, 1},
        {"{duration: 2 s, solver: stif}", IB_STIFF, 1},
        {"{duration: 1e6 s, step: 1 ns}", IB_STIFF, 1},
        {"{step: 1 ms}", IB_STIFF, 1},
    };
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        char text[200];
        snprintf(text, sizeof text, "run: %s\n", cases[i].run);
        Read read = read_run(text, cases[i].asked);
        assert_int_equal(read.diagnostics.count, cases[i].mistakes);
        ib_arena_reset(&read.arena);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(robot_is_asked_where_no_solver_is_named),
        cmocka_unit_test(mistakes_are_told_whoever_chooses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
