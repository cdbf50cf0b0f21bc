// Claims about src/sim/watch/watch_filter.c on whole robots: few looks find what all of them do.
#include "cmocka_all.h"

#include "base/hash.h"
#include "desk/design/design_loader.h"
#include "mistakes.h"
#include "scenario/scenario.h"
#include "sim/sim_inside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// One signal, a level within its range, and where it was crossed.
typedef struct Level {
    int signal;
    double low, high, level;
    int64_t count;
    uint64_t hash; ///< of all instants and ways
} Level;

typedef struct Rows {
    Level *levels; ///< one for each signal
    int count;
    uint64_t seen; ///< of all signals at the starts of steps and behind jumps
} Rows;

static double margin(const void *self, const double *signals)
{
    const Level *level = self;
    return signals[level->signal] - level->level;
}

static void crossed(void *self, double seconds, const double *signals, bool rising)
{
    Level *level = self;
    double facts[] = {seconds, signals[level->signal], rising};
    level->count++;
    level->hash = ib_hash_doubles(level->hash, facts, 3);
}

static ib_Time sample(void *self, ib_Time time, const double *signals)
{
    Rows *rows = self;
    rows->seen = ib_hash_word(rows->seen, (uint64_t)time);
    rows->seen = ib_hash_doubles(rows->seen, signals, (size_t)rows->count);
    for (int i = 0; i < rows->count; i++) {
        rows->levels[i].low = fmin(rows->levels[i].low, signals[i]);
        rows->levels[i].high = fmax(rows->levels[i].high, signals[i]);
    }
    return IB_TIME_NEVER;
}

// Roundings alone: where a level within them is crossed depends on where they are looked at.
static bool is_noise(const Level *level)
{
    return !(level->high - level->low > 1e-9);
}

typedef enum Way { UNWATCHED, FULLY, QUICKLY } Way;

static uint64_t run(ib_Scenario *scenario, Way way, Rows *rows)
{
    ib_Sim *sim;
    ib_Error error;
    assert_int_equal(ib_sim_create(scenario->model, &sim, &error), IB_OK);
    ib_Probe probe = {.self = rows,
                      .next = IB_TIME_NEVER,
                      .each_step = true,
                      .each_jump = true,
                      .sample = sample};
    assert_int_equal(ib_sim_probe(sim, probe, &error), IB_OK);
    for (int i = 0; way != UNWATCHED && i < rows->count; i++) {
        ib_Watch watch = {&rows->levels[i], margin, crossed, -1, NULL, NULL, NULL};
        if (way == QUICKLY) watch.signal = rows->levels[i].signal + 1;
        if (!is_noise(&rows->levels[i])) assert_int_equal(ib_sim_watch(sim, watch, &error), IB_OK);
    }
    for (int i = 0; way != UNWATCHED && i < scenario->expectation_count; i++)
        assert_int_equal(ib_expectation_attach(&scenario->expectations[i], sim, &error), IB_OK);
    if (way == FULLY) ib__sim_watch_fully(sim);
    rows->seen = IB_HASH_START;
    for (int i = 0; i < rows->count; i++) rows->levels[i].count = 0;
    for (int i = 0; i < rows->count; i++) rows->levels[i].hash = IB_HASH_START;
    if (ib_sim_advance(sim, scenario->model->config->duration, &error) != IB_OK)
        fail_msg("%s", error.text);
    uint64_t hash = ib_sim_hash(sim);
    ib_sim_destroy(sim);
    return hash;
}

static void compare_levels(const char *name, const ib_SignalTable *signals, const Rows *all,
                           const Rows *few, int64_t *found)
{
    for (int i = 0; i < all->count; i++) {
        const Level *a = &all->levels[i], *b = &few->levels[i];
        if (a->count != b->count || a->hash != b->hash)
            fail_msg("%s, %s at %.9g: %lld, %lld", name, signals->items[i].name, a->level,
                     (long long)a->count, (long long)b->count);
        *found += a->count;
    }
}

// Worst values to 1e-9 of what they are, and as much of their unit for those that are roundings.
static void compare_verdicts(const char *name, const ib_Expectation *all, const ib_Expectation *few)
{
    bool same = all->decided == few->decided && all->passed == few->passed;
    if (all->when != IB_WHEN_BEFORE || !all->passed)
        same &= fabs(all->worst - few->worst) <= 1e-9 * (1 + fabs(all->worst)) ||
                (isnan(all->worst) && isnan(few->worst));
    if (!same || (all->decided && all->seen_at != few->seen_at))
        fail_msg("%s, %s: %.17g at %.17g, %.17g at %.17g", name, all->text, all->worst,
                 all->seen_at, few->worst, few->seen_at);
}

enum { SENTENCES = 64 };

static void compare_ways(const char *name, ib_Scenario *scenario, int64_t *found)
{
    static const double shares[] = {0.999, 0.37};
    ib_Expectation told[SENTENCES];
    size_t size = (size_t)scenario->model->signals.count;
    Level *levels = calloc(2 * size, sizeof *levels);
    assert_true(levels && scenario->expectation_count <= SENTENCES);
    Rows few = {.levels = levels, .count = (int)size}, all = few;
    all.levels = levels + size;
    for (int i = 0; i < few.count; i++)
        levels[i] = (Level){.signal = i, .low = INFINITY, .high = -INFINITY};
    uint64_t hash = run(scenario, UNWATCHED, &few), seen = few.seen;
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < few.count; i++)
            levels[i].level = levels[i].low + shares[k] * (levels[i].high - levels[i].low);
        memcpy(all.levels, levels, size * sizeof *levels);
        assert_true(run(scenario, FULLY, &all) == hash);
        for (int i = 0; i < scenario->expectation_count; i++) told[i] = scenario->expectations[i];
        assert_true(run(scenario, QUICKLY, &few) == hash);
        assert_true(all.seen == seen && few.seen == seen);
        compare_levels(name, &scenario->model->signals, &all, &few, found);
        for (int i = 0; i < scenario->expectation_count; i++)
            compare_verdicts(name, &told[i], &scenario->expectations[i]);
    }
    free(levels);
}

// Goal: few looks find what all of them do, and whoever gets the start of a step from those who
// watch sees the same bits. Method: robots with drives, air, contacts, riders, loops, sensors and
// ridges, and two on MuJoCo, by fixed and adaptive solvers; each of their signals held to a level
// close to its largest value, and to one in between: the same crossings to the bit; the same
// signals at all starts of steps and behind all jumps as without a watch.
static void few_looks_find_what_all_do(void **unused)
{
    (void)unused;
    static const struct {
        const char *name, *duration, *solver;
    } cases[] = {{"arm_free_swing", NULL, NULL}, {"arm_volts", NULL, NULL},
                 {"tank_launch", NULL, NULL},    {"cylinder_valves", NULL, NULL},
                 {"mjcf_arm", NULL, NULL},       {"mjcf_hopper", "1 s", NULL},
                 {"tank_corner", NULL, NULL},    {"tank_corner", NULL, "dopri5"},
                 {"tank_box", NULL, NULL},       {"marker_drop", NULL, NULL},
                 {"roomba_noise", NULL, NULL},   {"roomba_heading", NULL, NULL},
                 {"servo", NULL, NULL},          {"primer_bounce", NULL, NULL},
                 {"match", "5 s", NULL},         {"match", "5 s", "dopri5"},
                 {"xdrive_slip", NULL, NULL},    {"tank_brownout", NULL, NULL},
                 {"bench_air", NULL, NULL},      {"pid_slope", NULL, NULL}};
    int64_t found = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char file[1000];
        ib_Arena arena = {0};
        ib_Diagnostics diagnostics = {.arena = &arena};
        ib_Override solver = {"run.solver", cases[i].solver};
        ib_ScenarioOptions options = {.designs = &ib_design_loader,
                                      .duration = cases[i].duration,
                                      .overrides = &solver,
                                      .override_count = cases[i].solver != NULL};
        snprintf(file, sizeof file, "%s/scenarios/%s.yaml", IB_SOURCE_DIR, cases[i].name);
        ib_Scenario *scenario = ib_scenario_read(file, &options, &diagnostics);
        print_mistakes(&diagnostics);
        assert_non_null(scenario);
        compare_ways(cases[i].name, scenario, &found);
        ib_scenario_destroy(scenario);
        ib_arena_reset(&arena);
    }
    assert_true(found > 1000);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {ib_plain_test(few_looks_find_what_all_do)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
