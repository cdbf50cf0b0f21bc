// A simulation that is used again is as good as a new one (src/sim/sim.c), and one that makes many
// steps at once as one that makes them one by one (src/sim/piece.c).
#include "base/hash.h"
#include "desk/design/design_loader.h"
#include "scenario/given.h"
#include "sim/sim_inside.h"
#include "sim/watch/summary.h"

#include <glob.h>
#include <math.h>

enum { MOST = 600 }; ///< steps of a run here: enough for contacts, modes and loops to be at work

// What a run comes to: its state, and all signals at its end and on the way.
typedef struct Outcome {
    uint64_t hash;
    int64_t steps;
    bool unstable;
    int clamps;
} Outcome;

static Outcome outcome_of(const ib_Sim *sim, const ib_Scenario *scenario, const ib_Summary *summary)
{
    Outcome outcome = {.hash = ib_sim_hash(sim),
                       .steps = ib_sim_steps(sim),
                       .unstable = ib_sim_unstable_step(sim) != NULL};
    ib_sim_clamps(sim, &outcome.clamps);
    outcome.hash = ib_hash_doubles(outcome.hash, summary->min, (size_t)summary->count);
    outcome.hash = ib_hash_doubles(outcome.hash, summary->max, (size_t)summary->count);
    outcome.hash = ib_hash_doubles(outcome.hash, summary->final, (size_t)summary->count);
    for (int i = 0; i < summary->count; i++) {
        if (isnan(summary->min[i])) continue; // it never was a number
        outcome.hash = ib_hash_word(outcome.hash, (uint64_t)summary->min_time[i]);
        outcome.hash = ib_hash_word(outcome.hash, (uint64_t)summary->max_time[i]);
    }
    for (int i = 0; i < scenario->expectation_count; i++) {
        const ib_Expectation *e = &scenario->expectations[i];
        double said[] = {e->decided, e->passed, e->seen, e->seen_at, e->worst, e->worst_at};
        outcome.hash = ib_hash_doubles(outcome.hash, said, sizeof said / sizeof *said);
    }
    return outcome;
}

static void attach(ib_Sim *sim, ib_Scenario *scenario, ib_Summary *summary)
{
    ib_Error error;
    assert_int_equal(ib_sim_probe(sim, ib_summary_probe(summary), &error), IB_OK);
    for (int i = 0; i < scenario->expectation_count; i++)
        assert_int_equal(ib_expectation_attach(&scenario->expectations[i], sim, &error), IB_OK);
}

// Makes at most `most` steps, watched by all who were attached.
static Outcome run_for(ib_Sim *sim, ib_Scenario *scenario, ib_Summary *summary, int most)
{
    ib_Error error;
    attach(sim, scenario, summary);
    for (int i = 0; i < most && !ib_sim_done(sim); i++)
        assert_int_equal(ib_sim_step(sim, &error), IB_OK);
    ib_sim_finish(sim);
    return outcome_of(sim, scenario, summary);
}

// Goal: after ib_sim_detach and ib_sim_reset a run has the bits of one with a new simulation, with
// all that looks at it. Method: for every scenario of the project, a run, one that is broken off at
// a third of it, and the same run again.
static void a_reset_run_is_a_new_run(void **state)
{
    (void)state;
    glob_t files;
    assert_int_equal(glob(IB_SOURCE_DIR "/scenarios/*.yaml", 0, NULL, &files), 0);
    assert_true(files.gl_pathc > 30);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        ib_Scenario *scenario = given_with(files.gl_pathv[i], NULL,
                                           &(ib_ScenarioOptions){.designs = &ib_design_loader});
        ib_Arena own = {0};
        ib_Sim *sim;
        ib_Summary *summary;
        ib_Error error;
        Outcome outcomes[3];
        assert_int_equal(ib_sim_create(scenario->model, &sim, &error), IB_OK);
        assert_int_equal(ib_summary_create(&scenario->model->signals, &own, &summary, &error),
                         IB_OK);
        for (int k = 0; k < 3; k++) {
            outcomes[k] = run_for(sim, scenario, summary, k == 1 ? MOST / 3 : MOST);
            ib_sim_detach(sim);
            ib_sim_reset(sim);
            ib_summary_reset(summary);
        }
        if (memcmp(&outcomes[0], &outcomes[2], sizeof outcomes[0]) != 0)
            fail_msg("%s: a run that was reset came out otherwise", files.gl_pathv[i]);
        ib_sim_destroy(sim);
        ib_arena_reset(&own);
        ib_scenario_destroy(scenario);
    }
    globfree(&files);
}

// Goal: to attach again what was there before allocates nothing, however often. Method: the memory
// that the scenario's summary and expectations take is that of the first time.
static void attaching_again_needs_no_memory(void **state)
{
    (void)state;
    ib_Scenario *scenario = given_with(IB_SOURCE_DIR "/scenarios/roomba_straight.yaml", NULL, NULL);
    ib_Sim *sim;
    ib_Error error;
    assert_int_equal(ib_sim_create(scenario->model, &sim, &error), IB_OK);
    size_t used = 0;
    for (int k = 0; k < 100; k++) {
        for (int i = 0; i < scenario->expectation_count; i++)
            assert_int_equal(ib_expectation_attach(&scenario->expectations[i], sim, &error), IB_OK);
        if (k == 0) used = sim->arena.used;
        assert_int_equal(sim->arena.used, used);
        ib_sim_detach(sim);
        ib_sim_reset(sim);
    }
    ib_sim_destroy(sim);
    ib_scenario_destroy(scenario);
}

// Goal: who looks at a run sees nothing of an earlier one that was watched. Method: a summary of a
// new simulation, and of one whose run before had expectations, without any.
static void nothing_is_left_of_those_who_watched(void **state)
{
    (void)state;
    ib_Scenario *scenario = given_with(IB_SOURCE_DIR "/scenarios/roomba_straight.yaml", NULL, NULL);
    int expectations = scenario->expectation_count;
    ib_Arena own = {0};
    ib_Summary *summary;
    ib_Error error;
    Outcome outcomes[2];
    assert_true(expectations > 0);
    assert_int_equal(ib_summary_create(&scenario->model->signals, &own, &summary, &error), IB_OK);
    for (int k = 0; k < 2; k++) {
        ib_Sim *sim;
        assert_int_equal(ib_sim_create(scenario->model, &sim, &error), IB_OK);
        scenario->expectation_count = expectations;
        if (k == 1) run_for(sim, scenario, summary, MOST);
        ib_sim_detach(sim);
        ib_sim_reset(sim);
        ib_summary_reset(summary);
        scenario->expectation_count = 0;
        outcomes[k] = run_for(sim, scenario, summary, MOST);
        ib_sim_destroy(sim);
    }
    assert_memory_equal(&outcomes[0], &outcomes[1], sizeof outcomes[0]);
    ib_arena_reset(&own);
    ib_scenario_destroy(scenario);
}

// All signals between the steps of a grid, too.
typedef struct Row {
    uint64_t hash;
    int count;
} Row;

static ib_Time take_row(void *self, ib_Time time, const double *signals)
{
    Row *row = self;
    row->hash = ib_hash_doubles(row->hash, signals, (size_t)row->count);
    return time + 7300001;
}

// Goal: those who look see the same bits in strides, where nothing is asked between steps, as in
// single steps: summary, verdicts and worst values of expectations, samples within steps. Method:
// for every scenario of the project without loops and sensors, on a fixed grid, as many steps as
// above, one by one, and to the same time at once.
static void strides_look_as_steps_do(void **state)
{
    (void)state;
    glob_t files;
    assert_int_equal(glob(IB_SOURCE_DIR "/scenarios/*.yaml", 0, NULL, &files), 0);
    int found = 0;
    for (size_t i = 0; i < files.gl_pathc; i++) {
        ib_Scenario *scenario = given_with(files.gl_pathv[i], NULL,
                                           &(ib_ScenarioOptions){.designs = &ib_design_loader});
        ib_Arena own = {0};
        ib_Summary *summary;
        ib_Error error;
        Outcome outcomes[2];
        Row rows[2];
        ib_Time until = 0;
        const ib_Model *model = scenario->model;
        bool plain = model->external_count + model->sensor_count + model->control_count == 0;
        int runs = plain && !ib_solver_adaptive(model->config->solver.kind) ? 2 : 0;
        found += runs == 2;
        assert_int_equal(ib_summary_create(&scenario->model->signals, &own, &summary, &error),
                         IB_OK);
        for (int k = 0; k < runs; k++) {
            ib_Sim *sim;
            assert_int_equal(ib_sim_create(scenario->model, &sim, &error), IB_OK);
            rows[k] = (Row){0, scenario->model->signals.count};
            ib_summary_reset(summary);
            ib_Probe between = {.self = &rows[k], .next = 7300001, .sample = take_row};
            assert_int_equal(ib_sim_probe(sim, between, &error), IB_OK);
            attach(sim, scenario, summary);
            for (int j = 0; k == 0 && j < MOST && !ib_sim_done(sim); j++)
                assert_int_equal(ib_sim_step(sim, &error), IB_OK);
            if (k == 0) until = ib_sim_time(sim);
            assert_int_equal(ib_sim_advance(sim, until, &error), IB_OK);
            ib_sim_finish(sim);
            outcomes[k] = outcome_of(sim, scenario, summary);
            ib_sim_destroy(sim);
        }
        if (runs == 2 && (memcmp(&outcomes[0], &outcomes[1], sizeof outcomes[0]) != 0 ||
                          rows[0].hash != rows[1].hash))
            fail_msg("%s: looks otherwise in strides", files.gl_pathv[i]);
        ib_arena_reset(&own);
        ib_scenario_destroy(scenario);
    }
    assert_true(found > 20);
    globfree(&files);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reset_run_is_a_new_run),
        cmocka_unit_test(attaching_again_needs_no_memory),
        cmocka_unit_test(nothing_is_left_of_those_who_watched),
        ib_plain_test(strides_look_as_steps_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
