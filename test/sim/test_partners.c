// Claims about src/sim/contact/partners.c: who has touched whom.
#include "cmocka_all.h"
#include "scenario/given.h"
#include "sim/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Run {
    ib_Scenario *scenario;
    ib_Sim *sim;
    double *signals;
} Run;

static void open_run(Run *run, const char *text)
{
    ib_Error error;
    run->scenario = given(text);
    assert_int_equal(ib_sim_create(run->scenario->model, &run->sim, &error), IB_OK);
    run->signals = calloc((size_t)run->scenario->model->signals.count, sizeof *run->signals);
    assert_non_null(run->signals);
}

static void close_run(Run *run)
{
    ib_sim_destroy(run->sim);
    ib_scenario_destroy(run->scenario);
    free(run->signals);
}

static double see(Run *run, const char *name)
{
    int signal = ib_signals_find(&run->scenario->model->signals, name);
    if (signal < 0) fail_msg("no signal %s", name);
    ib_sim_sample(run->sim, run->signals);
    return run->signals[signal];
}

static void step_to(Run *run, double t)
{
    ib_Error error;
    while (ib_sim_time(run->sim) < ib_time_from_seconds(t))
        assert_int_equal(ib_sim_step(run->sim, &error), IB_OK);
}

#define ROOMBA(name, x, y, heading, force)                                                         \
    "  " name ": {kind: roomba, start: {x: " x " m, y: " y " m, heading: " heading                 \
    " deg}, inputs: {left: " force " N, right: " force " N}}\n"

// Goal: two that drive into each other count it, each the same and only of the other; who stands
// aside counts nothing, and a box is not counted. Method: red and blue head on, green behind a box
// that it pushes. Before the gap of the two (distance less both radii) is 0 the count is 0, behind
// it is 1 or more and never falls; red touches nothing but blue, so that it counts all its hits.
static void two_that_meet_count_each_other(void **state)
{
    (void)state;
    Run run;
    open_run(&run,
             "run: {duration: 6 s}\nrobots:\n" ROOMBA("red", "0", "0", "0", "1")
                 ROOMBA("blue", "1", "0", "180", "1")
                     ROOMBA("green", "0", "3", "0",
                            "1") "  crate: {kind: box, mass: 1 kg, length: 20 cm, width: 20 cm,"
                                 " start: {x: 1 m, y: 3 m}}\n");
    double before = 0, met = -1;
    for (double t = 0.05; t < 6; t += 0.05) {
        step_to(&run, t);
        double count = see(&run, "red.contact.with.blue");
        assert_true(count >= before && count == see(&run, "blue.contact.with.red"));
        assert_true(see(&run, "red.contact.with.green") == 0);
        assert_true(see(&run, "green.contact.with.blue") == 0);
        assert_true(count == see(&run, "red.contact.hits") ||
                    (count == 1 && see(&run, "red.contact.hits") == 0));
        if (count == 0) {
            double gap = see(&run, "blue.pose.x") - see(&run, "red.pose.x");
            assert_true(gap > run.scenario->model->robots[0].ports.length);
        } else if (met < 0) {
            met = t;
        }
        before = count;
    }
    assert_true(met > 0);
    assert_true(see(&run, "green.contact.hits") > 0);
    const ib_SignalTable *table = &run.scenario->model->signals;
    assert_int_equal(ib_signals_find(table, "green.contact.with.crate"), -1);
    assert_int_equal(ib_signals_find(table, "crate.contact.with.green"), -1);
    close_run(&run);
}

// Goal: a touch without a hit counts once, and stays when they part. Method: red starts in touch
// with blue and drives away from it after it has pressed for a while.
static void touch_counts_once_and_stays(void **state)
{
    (void)state;
    Run run;
    open_run(&run,
             "run: {duration: 4 s}\nrobots:\n"
             "  red: {kind: tank, length: 80 cm, width: 60 cm, inputs: {left: [[0 s, 2 V], [1 s,"
             " -6 V]], right: [[0 s, 2 V], [1 s, -6 V]]}}\n"
             "  blue: {kind: tank, length: 80 cm, width: 60 cm, start: {x: 80 cm}, inputs: {left: "
             "0 V, right: 0 V}}\n");
    step_to(&run, 0.5);
    assert_true(see(&run, "red.contact.touching") == 1);
    double pressed = see(&run, "red.contact.with.blue");
    assert_true(pressed >= 1);
    step_to(&run, 3.9);
    assert_true(see(&run, "red.contact.touching") == 0);
    assert_true(see(&run, "blue.pose.x") - see(&run, "red.pose.x") > 0.9);
    assert_true(see(&run, "red.contact.with.blue") >= pressed);
    close_run(&run);
}

// Goal: the counts are part of the state: a run that is restored goes on with the same bits.
// Method: the first scene, restored into another simulation after the hit, run to its end.
static void counts_are_restored(void **state)
{
    (void)state;
    static const char scene[] = "run: {duration: 5 s}\nrobots:\n" ROOMBA("red", "0", "0", "0", "1")
        ROOMBA("blue", "0.8", "0.1", "180", "1");
    Run run, again;
    open_run(&run, scene);
    open_run(&again, scene);
    step_to(&run, 4);
    assert_true(see(&run, "red.contact.with.blue") >= 1);
    ib_sim_restore(again.sim, ib_sim_time(run.sim), ib_sim_steps(run.sim), ib_sim_state(run.sim));
    assert_true(see(&again, "red.contact.with.blue") == see(&run, "red.contact.with.blue"));
    step_to(&run, 5);
    step_to(&again, 5);
    assert_true(ib_sim_hash(run.sim) == ib_sim_hash(again.sim));
    close_run(&run);
    close_run(&again);
}

// Goal: every two of several have a count of their own. Method: eight in a row; the fifth is pushed
// into the sixth: of all 56 signals two are not 0. With a ninth nobody is counted.
static void each_two_have_their_own_count(void **state)
{
    (void)state;
    for (int count = 8; count < 10; count++) {
        char text[2000];
        size_t used = (size_t)snprintf(text, sizeof text, "run: {duration: 3 s}\nrobots:\n");
        for (int i = 0; i < count; i++)
            used += (size_t)snprintf(
                text + used, sizeof text - used,
                "  r%d: {kind: roomba, start: {x: %g m}, inputs: {left: %d N, right: %d N}}\n", i,
                i == 4   ? 5.4
                : i == 5 ? 6.0
                         : 1.5 * i - (i == 6 ? 0.5 : 0),
                i == 4, i == 4);
        Run run;
        open_run(&run, text);
        step_to(&run, 1.5);
        for (int a = 0; a < count; a++)
            for (int b = 0; b < count; b++) {
                char name[40];
                snprintf(name, sizeof name, "r%d.contact.with.r%d", a, b);
                bool there = ib_signals_find(&run.scenario->model->signals, name) >= 0;
                assert_int_equal(there, a != b && count == 8);
                bool meet = (a == 4 && b == 5) || (a == 5 && b == 4);
                if (there) assert_int_equal(see(&run, name) > 0, meet);
            }
        close_run(&run);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_that_meet_count_each_other),
        cmocka_unit_test(touch_counts_once_and_stays),
        cmocka_unit_test(counts_are_restored),
        cmocka_unit_test(each_two_have_their_own_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
