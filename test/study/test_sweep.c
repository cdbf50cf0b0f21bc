// Many runs of one scenario: the list, the runs, the merge.
#include "desk/door.h"
#include "folder.h"
#include "sim/pool.h"
#include "study/sweep.h"

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

static ib_Sweep *run(const ib_SweepPlan *plan, int threads)
{
    ib_Arena arena = {0};
    ib_Diagnostics diagnostics = {.arena = &arena};
    ib_Sweep *sweep = ib_sweep_create(plan, &diagnostics);
    assert_non_null(sweep);
    ib_Error error;
    ib_Pool pool = {.threads = threads, .job = ib_sweep_run, .self = sweep};
    assert_int_equal(ib_pool_run(&pool, sweep->count, &error), IB_OK);
    ib_arena_reset(&arena);
    return sweep;
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
    plan.seed_count = IB_SWEEP_MAX_RUNS;
    assert_int_equal(ib_sweep_count(&plan), -1);
}

// Goal: a heavier robot gets less far, by the closed form. Method: over three masses; x(1 s) =
// (m/2kd) ln cosh(t/tau).
static void runs_differ_by_their_overrides(void **unused)
{
    (void)unused;
    ib_SweepPlan plan = {
        .file = path, .axes = {{"robot.mass", masses, 3}}, .axis_count = 1, .seed_count = 1};
    ib_Sweep *sweep = run(&plan, 2);
    int x = ib_signals_find(&sweep->first->model->signals, "pose.x");
    for (int i = 0; i < 3; i++) {
        double m = i + 2, vt = sqrt(2.7 / 3.4), tau = m * vt / (2 * 2.7);
        assert_int_equal(sweep->results[i].status, IB_OK);
        assert_close(sweep->results[i].final[x], vt * tau * log(cosh(1 / tau)), 1e-9);
        assert_int_equal(sweep->results[i].passed[0], vt * tau * log(cosh(1 / tau)) > 0.6);
    }
    ib_sweep_destroy(sweep);
}

// Goal: results do not depend on the number of threads, and seeds matter.
// Method: 40 seeds on 1 and 7 threads.
static void threads_do_not_change_results(void **unused)
{
    (void)unused;
    ib_SweepPlan plan = {.file = path, .has_seeds = true, .seed_count = 40};
    ib_Sweep *one = run(&plan, 1), *seven = run(&plan, 7);
    int x = ib_signals_find(&one->first->model->signals, "pose.x");
    for (int i = 0; i < 40; i++) {
        assert_true(one->results[i].hash == seven->results[i].hash);
        if (i) assert_true(one->results[i].hash != one->results[i - 1].hash);
    }
    ib_SweepStatistics a = ib_sweep_statistics(one, x), b = ib_sweep_statistics(seven, x);
    assert_memory_equal(&a, &b, sizeof a);
    assert_int_equal(a.count, 40);
    assert_true(a.deviation > 0 && a.min < a.mean && a.mean < a.max);
    ib_sweep_destroy(one);
    ib_sweep_destroy(seven);
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
    ib_Sweep *a = run(&own, 1), *b = run(&listed, 1);
    int values[IB_SWEEP_MAX_AXES];
    uint64_t seed;
    ib_sweep_point(&a->plan, 0, values, &seed);
    assert_int_equal(seed, 7);
    assert_true(a->results[0].hash == b->results[0].hash);
    ib_sweep_destroy(a);
    ib_sweep_destroy(b);
}

// Goal: the seed told is the one in use, also where the seeds are an axis.
// Method: --over run.seed=5,9.
static void seeds_on_an_axis_are_told(void **unused)
{
    (void)unused;
    static const char *const seeds[] = {"5", "9"};
    ib_SweepPlan plan = {
        .file = path, .axes = {{"run.seed", seeds, 2}}, .axis_count = 1, .seed_count = 1};
    ib_Sweep *sweep = run(&plan, 1);
    assert_int_equal(sweep->results[0].seed, 5);
    assert_int_equal(sweep->results[1].seed, 9);
    assert_true(sweep->results[0].hash != sweep->results[1].hash);
    ib_sweep_destroy(sweep);
}

// Goal: values that are missing do not spoil the statistics. Method: five runs of which two have no
// value and one has failed, the smallest and largest on either side of a gap.
static void statistics_leave_out_what_is_missing(void **unused)
{
    (void)unused;
    double values[] = {5, NAN, 6, NAN, 1};
    ib_SweepResult results[5];
    for (int i = 0; i < 5; i++)
        results[i] = (ib_SweepResult){.done = true, .final = &values[i], .status = IB_OK};
    results[4].status = IB_FAILED;
    ib_Sweep sweep = {.count = 5, .results = results};
    ib_SweepStatistics s = ib_sweep_statistics(&sweep, 0);
    assert_int_equal(s.count, 2);
    assert_close(s.mean, 5.5, 0);
    assert_close(s.deviation, sqrt(0.5), 1e-15); // one rounding of the root
    assert_close(s.min, 5, 0);
    assert_close(s.max, 6, 0);
}

// Goal: a run that cannot be made has no values, not zeros. Method: look before anything has run.
static void runs_not_made_have_no_values(void **unused)
{
    (void)unused;
    ib_SweepPlan plan = {.file = path, .seed_count = 1};
    ib_Arena arena = {0};
    ib_Diagnostics diagnostics = {.arena = &arena};
    ib_Sweep *sweep = ib_sweep_create(&plan, &diagnostics);
    assert_non_null(sweep);
    assert_false(sweep->results[0].done);
    for (int i = 0; i < sweep->first->model->signals.count; i++)
        assert_true(isnan(sweep->results[0].final[i]));
    ib_sweep_destroy(sweep);
    ib_arena_reset(&arena);
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
        ib_Sweep *sweep = run(&plan, threads);
        ib_SweepWarning warnings[2];
        int left;
        for (int i = 0; i < 4; i++)
            assert_int_equal(ib_sweep_warning_count(&sweep->results[i]), i / 2);
        assert_int_equal(ib_sweep_warnings(sweep, 2, warnings, &left), 1);
        assert_int_equal(left, 0);
        assert_int_equal(warnings[0].first, 2);
        assert_int_equal(warnings[0].count, 2); // the seed changes nothing here
        assert_non_null(strstr(warnings[0].text, "the book of energy is off by"));
        assert_int_equal(ib_sweep_warnings(sweep, 0, warnings, &left), 0);
        assert_int_equal(left, 2);
        ib_sweep_destroy(sweep);
    }
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
    ib_Sweep *one = run(&plan, 1), *two = run(&plan, 2);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(one->results[i].status, IB_OK);
        assert_true(one->results[i].hash == two->results[i].hash);
        for (int k = 0; k < i; k++) assert_true(one->results[i].hash != one->results[k].hash);
    }
    ib_sweep_destroy(one);
    ib_sweep_destroy(two);
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
    ib_PlanShelf *shelf = ib_plan_shelf_create();
    const ib_DesignDoor door = ib_desk_door_with(shelf);
    ib_SweepPlan plan = {.file = file.text,
                         .designs = &door,
                         .axes = {{"control.arm.plan", plans, 2}},
                         .axis_count = 1,
                         .has_seeds = true,
                         .seed_count = 6};
    ib_Sweep *shared = run(&plan, 3);
    assert_int_equal(ib_plan_shelf_count(shelf), 2);
    ib_plan_shelf_destroy(shelf);
    plan.designs = &ib_desk_door;
    ib_Sweep *own = run(&plan, 1);
    for (int i = 0; i < 12; i++) {
        assert_int_equal(shared->results[i].status, IB_OK);
        assert_true(shared->results[i].hash == own->results[i].hash);
        assert_true(i == 0 || shared->results[i].hash != shared->results[i - 1].hash);
    }
    ib_sweep_destroy(shared);
    ib_sweep_destroy(own);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_list_covers_the_grid),
        cmocka_unit_test(runs_differ_by_their_overrides),
        cmocka_unit_test(threads_do_not_change_results),
        cmocka_unit_test(continuous_loops_are_swept),
        cmocka_unit_test(bad_values_are_refused_before_running),
        cmocka_unit_test(the_seed_of_the_scenario_is_told),
        cmocka_unit_test(seeds_on_an_axis_are_told),
        cmocka_unit_test(statistics_leave_out_what_is_missing),
        cmocka_unit_test(runs_not_made_have_no_values),
        cmocka_unit_test(runs_keep_their_warnings),
        cmocka_unit_test(runs_share_their_plans),
    };
    return cmocka_run_group_tests(tests, begin, remove_folder);
}
