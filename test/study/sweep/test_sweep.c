// Many runs of one scenario: the list, the runs, what is said about all of them.
#include "base/hash.h"
#include "base/random.h"
#include "desk/design/design_loader.h"
#include "folder.h"
#include "sim/pool.h"
#include "study/sweep/sweep_totals.h"

static const char text[] = "robot: {kind: roomba, mass: {normal: [2.7 kg, 0.1 kg]}}\n"
                           "inputs: {left: 2.7 N, right: 2.7 N}\n"
                           "run: {duration: 1 s, step: 5 ms}\n"
                           "expect:\n  - \"at end: pose.x > 0.6 m\"\n";

static const char *const masses[] = {"2 kg", "3 kg", "4 kg"};
static const char *const steps[] = {"1 ms", "2 ms"};

static const char *path; // of that text

static int begin(void **state)
{
    static FolderPath file;
    if (make_folder(state)) return -1;
    file = in_folder("sweep.yaml");
    path = file.text;
    write_file("sweep.yaml", text);
    return 0;
}

// All runs of a sweep, as they were taken.
typedef struct Kept {
    ib_Sweep *sweep;
    int64_t count;
    ib_SweepResult *results;
    ib_SweepTotals totals;
    ib_Arena arena;
} Kept;

static bool keep(void *self, int64_t index, const ib_SweepResult *result)
{
    Kept *kept = self;
    ib_SweepShape shape = kept->totals.shape;
    ib_SweepResult *own = &kept->results[index];
    assert_int_equal(index, kept->count++);
    *own = *result;
    size_t values = (size_t)shape.columns;
    own->values = ib_arena_array(&kept->arena, values, sizeof(double));
    own->passed = ib_arena_array(&kept->arena, (size_t)shape.expectations, sizeof(bool));
    memcpy(own->values, result->values, values * sizeof(double));
    memcpy(own->passed, result->passed, (size_t)shape.expectations * sizeof(bool));
    if (own->error) own->error = ib_arena_text(&kept->arena, own->error);
    if (own->warnings) own->warnings = ib_arena_text(&kept->arena, own->warnings);
    ib_sweep_totals_add(&kept->totals, index, result);
    return true;
}

static Kept *run(const ib_SweepPlan *plan, int threads)
{
    ib_Arena arena = {0};
    ib_Diagnostics diagnostics = {.arena = &arena};
    Kept *kept = calloc(1, sizeof *kept);
    ib_SweepPlan all = *plan;
    all.all = true;
    kept->sweep = ib_sweep_create(&all, &diagnostics);
    assert_non_null(kept->sweep);
    assert_true(ib_sweep_totals_init(&kept->totals, ib_sweep_shape(kept->sweep)));
    kept->results = ib_arena_array(&kept->arena, (size_t)kept->sweep->count, sizeof *kept->results);
    ib_SweepRun how = {.threads = threads, .take = keep, .self = kept};
    ib_Error error;
    assert_int_equal(ib_sweep_run(kept->sweep, &how, &error), IB_OK);
    assert_int_equal(kept->count, kept->sweep->count);
    ib_arena_reset(&arena);
    return kept;
}

static void drop(Kept *kept)
{
    ib_sweep_totals_destroy(&kept->totals);
    ib_sweep_destroy(kept->sweep);
    ib_arena_reset(&kept->arena);
    free(kept);
}

static int find(const Kept *kept, const char *signal)
{
    const ib_SignalTable *signals = &kept->sweep->first->model->signals;
    return ib_sweep_column(kept->sweep, kept->sweep->plan.measure_count) +
           ib_signals_find(signals, signal);
}

// Goal: the work list is the whole grid, seeds fastest. Method: 2 x 3 values and 5 seeds; every
// combination appears once, in order.
static void work_list_covers_the_grid(void **unused)
{
    (void)unused;
    ib_SweepPlan plan = {.file = path,
                         .axes = {{"run.step", steps, 2}, {"robot.mass", masses, 3}},
                         .axis_count = 2,
                         .has_seeds = true,
                         .first_seed = 10,
                         .seed_count = 5};
    assert_int_equal(ib_sweep_count(&plan), 30);
    for (int i = 0; i < 30; i++) {
        int values[IB_SWEEP_MAX_AXES];
        uint64_t seed;
        ib_sweep_point(&plan, i, values, &seed);
        assert_int_equal((values[0] * 3 + values[1]) * 5 + (int)(seed - 10), i);
    }
    // 6 (2^60 + 1) runs fit into 63 bits, 6 * 2^61 do not. The last one has the last of all.
    int values[IB_SWEEP_MAX_AXES];
    uint64_t seed;
    plan.seed_count = (INT64_C(1) << 60) + 1;
    assert_true(ib_sweep_count(&plan) == 6 * ((INT64_C(1) << 60) + 1));
    ib_sweep_point(&plan, ib_sweep_count(&plan) - 1, values, &seed);
    assert_int_equal(values[0] * 3 + values[1], 5);
    assert_true(seed == 10 + (UINT64_C(1) << 60));
    plan.seed_count = INT64_C(1) << 61;
    assert_int_equal(ib_sweep_count(&plan), -1);
}

// Goal: a heavier robot gets less far, by the closed form. Method: over three masses; x(1 s) =
// (m/2kd) ln cosh(t/tau).
static void runs_differ_by_their_overrides(void **unused)
{
    (void)unused;
    ib_SweepPlan plan = {
        .file = path, .axes = {{"robot.mass", masses, 3}}, .axis_count = 1, .seed_count = 1};
    Kept *sweep = run(&plan, 2);
    int x = find(sweep, "pose.x");
    for (int i = 0; i < 3; i++) {
        double m = i + 2, vt = sqrt(2.7 / 3.4), tau = m * vt / (2 * 2.7);
        assert_int_equal(sweep->results[i].status, IB_OK);
        assert_close(sweep->results[i].values[x], vt * tau * log(cosh(1 / tau)), 1e-9);
        assert_int_equal(sweep->results[i].passed[0], vt * tau * log(cosh(1 / tau)) > 0.6);
    }
    drop(sweep);
}

// Goal: each run has its measures, behind its last values, whatever the number of threads; what
// never happened is not a number. Method: the time at which three masses have gone 0.5 m, tau
// acosh(exp(x/(vt tau))), their largest speed and their mean, which is the way over the time.
static void runs_have_their_measures(void **unused)
{
    (void)unused;
    ib_SweepPlan plan = {.file = path,
                         .axes = {{"robot.mass", masses, 3}},
                         .axis_count = 1,
                         .measures = {"first pose.x > 0.5 m", "max velocity.forward",
                                      "mean velocity.forward", "first pose.x > 5 m"},
                         .measure_count = 4,
                         .seed_count = 1};
    for (int threads = 1; threads <= 3; threads++) {
        Kept *sweep = run(&plan, threads);
        for (int i = 0; i < 3; i++) {
            const double *found = sweep->results[i].values + ib_sweep_column(sweep->sweep, 0);
            double m = i + 2, vt = sqrt(2.7 / 3.4), tau = m * vt / (2 * 2.7);
            assert_close(found[0], tau * acosh(exp(0.5 / (vt * tau))), 1e-9);
            assert_close(found[1], vt * tanh(1 / tau), 1e-9);
            assert_close(found[2], sweep->results[i].values[find(sweep, "pose.x")], 1e-6);
            assert_true(isnan(found[3]));
        }
        drop(sweep);
    }
}

// Goal: results do not depend on the number of threads, and seeds matter.
// Method: 40 seeds on 1 and 7 threads.
static void threads_do_not_change_results(void **unused)
{
    (void)unused;
    ib_SweepPlan plan = {.file = path, .has_seeds = true, .seed_count = 40};
    Kept *one = run(&plan, 1), *seven = run(&plan, 7);
    int x = find(one, "pose.x");
    for (int i = 0; i < 40; i++) {
        assert_true(one->results[i].hash == seven->results[i].hash);
        if (i) assert_true(one->results[i].hash != one->results[i - 1].hash);
    }
    ib_SweepStatistics a = ib_sweep_statistics(&one->totals, x),
                       b = ib_sweep_statistics(&seven->totals, x);
    assert_memory_equal(&a, &b, sizeof a);
    assert_int_equal(a.count, 40);
    assert_true(a.deviation > 0 && a.min < a.mean && a.mean < a.max);
    drop(one);
    drop(seven);
}

// Goal: a value that cannot be read stops the sweep before anything runs. Method: a negative mass
// on the grid.
static void bad_values_are_refused_before_running(void **unused)
{
    (void)unused;
    static const char *const values[] = {"2 kg", "-1 kg", "3 m"};
    ib_SweepPlan plan = {
        .file = path, .axes = {{"robot.mass", values, 3}}, .axis_count = 1, .seed_count = 1};
    ib_Arena arena = {0};
    ib_Diagnostics diagnostics = {.arena = &arena};
    assert_null(ib_sweep_create(&plan, &diagnostics));
    assert_int_equal(diagnostics.count, 2);
    ib_arena_reset(&arena);
}

// Goal: without seeds every run has the scenario's own, and says so. Method: run.seed 7 by --set;
// the hash is that of seed 7 on the list of seeds.
static void the_seed_of_the_scenario_is_told(void **unused)
{
    (void)unused;
    static const ib_Override seven = {"run.seed", "7"};
    ib_SweepPlan own = {.file = path, .overrides = &seven, .override_count = 1, .seed_count = 1};
    ib_SweepPlan listed = {.file = path, .has_seeds = true, .first_seed = 7, .seed_count = 1};
    Kept *a = run(&own, 1), *b = run(&listed, 1);
    int values[IB_SWEEP_MAX_AXES];
    uint64_t seed;
    ib_sweep_point(&a->sweep->plan, 0, values, &seed);
    assert_int_equal(seed, 7);
    assert_true(a->results[0].hash == b->results[0].hash);
    drop(a);
    drop(b);
}

// Goal: the seed told is the one in use, also where the seeds are an axis.
// Method: --over run.seed=5,9.
static void seeds_on_an_axis_are_told(void **unused)
{
    (void)unused;
    static const char *const seeds[] = {"5", "9"};
    ib_SweepPlan plan = {
        .file = path, .axes = {{"run.seed", seeds, 2}}, .axis_count = 1, .seed_count = 1};
    Kept *sweep = run(&plan, 1);
    assert_int_equal(sweep->results[0].seed, 5);
    assert_int_equal(sweep->results[1].seed, 9);
    assert_true(sweep->results[0].hash != sweep->results[1].hash);
    drop(sweep);
}

// Goal: values that are missing do not spoil the statistics. Method: five runs of which two have no
// value and one has failed, the smallest and largest on either side of a gap.
static void statistics_leave_out_what_is_missing(void **unused)
{
    (void)unused;
    double values[] = {5, NAN, 6, NAN, 1};
    ib_SweepTotals totals;
    assert_true(ib_sweep_totals_init(&totals, (ib_SweepShape){.columns = 1}));
    for (int i = 0; i < 5; i++) {
        ib_SweepResult result = {.values = &values[i], .status = i == 4 ? IB_FAILED : IB_OK};
        ib_sweep_totals_add(&totals, i, &result);
    }
    ib_SweepStatistics s = ib_sweep_statistics(&totals, 0);
    assert_int_equal(totals.made, 5);
    assert_int_equal(totals.ended, 4);
    assert_int_equal(s.count, 2);
    assert_close(s.mean, 5.5, 0);
    assert_close(s.deviation, sqrt(0.5), 1e-15); // one rounding of the root
    assert_close(s.min, 5, 0);
    assert_close(s.max, 6, 0);
    ib_sweep_totals_destroy(&totals);
}

// Goal: a run that cannot be made has no values, not zeros, and the others have theirs. Method:
// masses drawn around 0 with a deviation of 1 kg: the mass itself is asked from the file by hand,
// and a run has failed just where it is not above 0.
static void runs_not_made_have_no_values(void **unused)
{
    (void)unused;
    static const ib_Override draws[] = {{"robot.mass", "{normal: [0.5 kg, 1 kg]}"}};
    ib_SweepPlan plan = {
        .file = path, .overrides = draws, .override_count = 1, .has_seeds = true, .seed_count = 40};
    Kept *sweep = run(&plan, 2);
    uint64_t stream = ib_hash_text(IB_HASH_START, "robot.mass");
    int refused = 0, x = find(sweep, "pose.x");
    for (int i = 0; i < 40; i++) {
        const ib_SweepResult *result = &sweep->results[i];
        bool good = 0.5 + ib_random_normal((uint64_t)i, stream, 0) > 0;
        assert_int_equal(result->status, good ? IB_OK : IB_BAD_INPUT);
        assert_int_equal(isnan(result->values[x]), !good);
        assert_int_equal(result->error == NULL, good);
        refused += !good;
    }
    assert_in_range(refused, 5, 20); // 31 % of 40 are 12, give or take 3
    assert_int_equal(sweep->totals.error_count, refused);
    assert_int_equal(sweep->totals.ended, 40 - refused);
    drop(sweep);
}

// Goal: each run keeps its own warnings, equal ones are gathered, and the list is the same for any
// number of threads. Method: a book that is off with one of two tolerances, for each of two seeds.
static void runs_keep_their_warnings(void **unused)
{
    (void)unused;
    static const char *const tolerances[] = {"1e-9", "0.1"};
    static const ib_Override bench[] = {
        {"robot", "{kind: motor_bench, motor: cim, current: implicit}"},
        {"inputs", "{command: [[0 s, 12 V], [0.7 s, -12 V]]}"},
        {"run.solver", "dopri5"},
        {"expect", "[]"}};
    ib_SweepPlan plan = {.file = path,
                         .overrides = bench,
                         .override_count = 4,
                         .axes = {{"run.tolerance", tolerances, 2}},
                         .axis_count = 1,
                         .has_seeds = true,
                         .seed_count = 2};
    for (int threads = 1; threads <= 2; threads++) {
        Kept *sweep = run(&plan, threads);
        const ib_SweepTotals *totals = &sweep->totals;
        for (int i = 0; i < 4; i++)
            assert_int_equal(ib_sweep_warning_count(&sweep->results[i]), i / 2);
        assert_int_equal(totals->warning_count, 1);
        assert_int_equal(totals->warned, 0);
        assert_int_equal(totals->warnings[0].first, 2);
        assert_int_equal(totals->warnings[0].count, 2); // the seed changes nothing here
        assert_non_null(strstr(totals->warnings[0].text, "the energy balance is off by"));
        drop(sweep);
    }
}

// Goal: so many different warnings are told, and the runs that have others are counted. Method:
// thirteen runs with one of their own each; the last two say it twice, and the first one's, too.
static void warnings_without_room_are_counted(void **unused)
{
    (void)unused;
    ib_SweepTotals totals;
    assert_true(ib_sweep_totals_init(&totals, (ib_SweepShape){0}));
    for (int i = 0; i < 13; i++) {
        char lines[64];
        snprintf(lines, sizeof lines, i < 11 ? "w%d\n" : "w%d\nw%d\nw0\n", i, i);
        ib_sweep_totals_add(&totals, i, &(ib_SweepResult){.warnings = lines});
    }
    assert_int_equal(totals.warning_count, IB_SWEEP_TOLD);
    assert_int_equal(totals.warned, 3); // of runs 10, 11 and 12, each once
    assert_int_equal(totals.warnings[0].count, 3);
    assert_string_equal(totals.warnings[9].text, "w9");
    ib_sweep_totals_destroy(&totals);
}

// Goal: runs of continuous loops are the same on any number of threads, and gains and periods of
// loops are swept like anything else. Method: two gains by a continuous and a sampled loop.
static void continuous_loops_are_swept(void **unused)
{
    (void)unused;
    static const char *const gains[] = {"30 V/m", "50 V/m"}, *const periods[] = {"continuous",
                                                                                 "1 ms"};
    static const ib_Override bench[] = {
        {"robot", "{kind: bench, mechanisms: {lift: {kind: elevator, mass: 5 kg, reduction: 10}}}"},
        {"control", "{lift: {kind: pva, ki: 20 V/(m*s), kv: 2 V*s/m}}"},
        {"inputs", "{lift.goal: 0.2 m}"},
        {"expect", "[]"}};
    ib_SweepPlan plan = {
        .file = path,
        .overrides = bench,
        .override_count = 4,
        .axes = {{"control.lift.kp", gains, 2}, {"control.lift.period", periods, 2}},
        .axis_count = 2,
        .seed_count = 1};
    Kept *one = run(&plan, 1), *two = run(&plan, 2);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(one->results[i].status, IB_OK);
        assert_true(one->results[i].hash == two->results[i].hash);
        for (int k = 0; k < i; k++) assert_true(one->results[i].hash != one->results[k].hash);
    }
    drop(one);
    drop(two);
}

// Goal: the runs of a sweep share a plan, and runs with another have another. Method: an arm with
// noise follows one of two plans, with 6 seeds each, on 3 threads: two plans are worked out, and
// every run ends as with plans of its own.
static void runs_share_their_plans(void **unused)
{
    (void)unused;
    static const char *const plans[] = {"slow.yaml", "fast.yaml"};
    const FolderPath file = in_folder("s.yaml");
#define ARM "arm: {preset: frc971-2018}\npath: {joints: [[0 rad, 0 rad], [0.5 rad, 0 rad]]}\n"
    write_file("slow.yaml", ARM "points: 50\nlimits: {voltage: 8 V}\n");
    write_file("fast.yaml", ARM "points: 50\nlimits: {voltage: 11 V}\n");
    write_file("s.yaml",
               "robot: {kind: bench, mechanisms: {arm: {kind: arm, preset: frc971-2018}},\n"
               "  sensors: {one: {kind: sampled, signal: arm.theta1, noise: 1 mrad},\n"
               "    two: {kind: sampled, signal: arm.theta2, noise: 1 mrad}}}\n"
               "control: {arm: {kind: arm_path, plan: slow.yaml, sensors: [one, two]}}\n"
               "inputs: {arm.goal: end}\nrun: {duration: 0.1 s, step: 1 ms}\n");
    ib_PlanCache *cache = ib_plan_cache_create();
    const ib_DesignLoader loader = ib_design_loader_with(cache);
    ib_SweepPlan plan = {.file = file.text,
                         .designs = &loader,
                         .axes = {{"control.arm.plan", plans, 2}},
                         .axis_count = 1,
                         .has_seeds = true,
                         .seed_count = 6};
    Kept *shared = run(&plan, 3);
    assert_int_equal(ib_plan_cache_count(cache), 2);
    ib_plan_cache_destroy(cache);
    plan.designs = &ib_design_loader;
    Kept *own = run(&plan, 1);
    for (int i = 0; i < 12; i++) {
        assert_int_equal(shared->results[i].status, IB_OK);
        assert_true(shared->results[i].hash == own->results[i].hash);
        assert_true(i == 0 || shared->results[i].hash != shared->results[i - 1].hash);
    }
    drop(shared);
    drop(own);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_list_covers_the_grid),
        cmocka_unit_test(runs_differ_by_their_overrides),
        cmocka_unit_test(runs_have_their_measures),
        cmocka_unit_test(threads_do_not_change_results),
        cmocka_unit_test(continuous_loops_are_swept),
        cmocka_unit_test(bad_values_are_refused_before_running),
        cmocka_unit_test(the_seed_of_the_scenario_is_told),
        cmocka_unit_test(seeds_on_an_axis_are_told),
        cmocka_unit_test(statistics_leave_out_what_is_missing),
        cmocka_unit_test(runs_not_made_have_no_values),
        cmocka_unit_test(runs_keep_their_warnings),
        cmocka_unit_test(warnings_without_room_are_counted),
        cmocka_unit_test(runs_share_their_plans),
    };
    return cmocka_run_group_tests(tests, begin, remove_folder);
}
