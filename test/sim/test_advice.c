// Claims about src/sim/advice.c: what is advised may be written in a file, and how it is said.
#include "cmocka_all.h"

#include "sim/advice.h"

static const ib_SimConfig config = {
    .solver = {IB_RK4, 1e-9, 1e-9}, .step = IB_SECOND / 1000, .duration = IB_SECOND};

// Goal: a step is of the row 1, 2, 5, and never shorter than a file may say: 1 ns, and 1e10 of them
// in a run. Method: by hand, around the limits, for runs of 1 s and of 15 s.
static void steps_are_those_of_a_file(void **state)
{
    (void)state;
    static const struct {
        ib_Time duration;
        double step, row;
    } cases[] = {
        {IB_SECOND, 4.9e-5, 2e-5},      {IB_SECOND, 5.1e-5, 5e-5},   {IB_SECOND, 1e-3, 1e-3},
        {IB_SECOND, 1.1e-9, 1e-9},      {IB_SECOND, 0.9e-9, 0},      {IB_SECOND, 2e-10, 0},
        {15 * IB_SECOND, 2.1e-9, 2e-9}, {15 * IB_SECOND, 1.9e-9, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ib_SimConfig run = config;
        run.duration = cases[i].duration;
        assert_close(ib_advice_step(&run, cases[i].step), cases[i].row, 1e-12 * cases[i].row);
    }
}

// Goal: a run that is not exact enough is advised finer steps or tolerances, down to those of a
// file; at the end there is nothing to advise. Steps that are divided are advised a tenth of their
// parts. Method: by hand, each solver.
static void finer_ends_where_files_end(void **state)
{
    (void)state;
    ib_SimConfig run = config;
    ib_Model model = {.config = &run, .step = run.step};
    assert_close(ib_advice_finer(&model).step, 1e-4, 1e-16);
    model.step = run.step / 16; // a tenth of it is 6.25 us
    assert_close(ib_advice_finer(&model).step, 5e-6, 1e-18);
    assert_close(ib_advice_finer(&model).rosenbrock, 1e-9, 0);
    model.step = 5; // nanoseconds
    assert_true(ib_advice_finer(&model).step == 0 && ib_advice_finer(&model).rosenbrock > 0);
    for (int i = 0; i < 2; i++) {
        run.solver = (ib_SolverConfig){i ? IB_ROSENBROCK : IB_DOPRI5, 1e-13, 1e-9};
        ib_Advice advice = ib_advice_finer(&model);
        assert_close(advice.tolerance, 1e-14, 0);
        assert_true(advice.step == 0 && advice.rosenbrock == 0);
        run.solver.tolerance = 1e-14;
        advice = ib_advice_finer(&model);
        assert_false(ib_advice_helps(&advice));
    }
}

// Goal: the words are keys and values that can be copied into a file. Method: each combination.
static void words_are_keys_and_values(void **state)
{
    (void)state;
    static const struct {
        ib_Advice advice;
        const char *words;
    } cases[] = {
        {{.step = 5e-5}, "try run.step: 0.05 ms"},
        {{.step = 2e-9}, "try run.step: 2 ns"},
        {{.step = 5e-5, .rosenbrock = 1e-9}, "try run.step: 0.05 ms, or run.solver: rosenbrock"},
        {{.rosenbrock = 1e-5}, "try run.solver: rosenbrock with run.tolerance: 1e-05"},
        {{.tolerance = 1e-7}, "try run.tolerance: 1e-07"},
        {{.tolerance = 1e-7, .rosenbrock = 1e-9},
         "try run.tolerance: 1e-07, or run.solver: rosenbrock"},
        {{0},
         "neither a shorter run.step nor run.solver: rosenbrock would do; what makes it so fast "
         "has to change: a large drag, stiffness or factor, a small mass or inertia"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[IB_ADVICE_TEXT];
        ib_advice_format(&cases[i].advice, &config, text);
        assert_string_equal(text, cases[i].words);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_those_of_a_file),
        cmocka_unit_test(finer_ends_where_files_end),
        cmocka_unit_test(words_are_keys_and_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
