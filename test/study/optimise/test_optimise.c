// The search for the best values: against sweeps of all of them, on any number of threads, and what
// is written.
#include "folder.h"
#include "sim/pool.h"
#include "study/optimise/optimise_slices.h"
#include "study/sweep/sweep_options.h"

static const char sprint[] =
    "robot: {kind: tank, mass: 50 kg, drive: {motor: neo}, battery: es17-12-match}\n"
    "inputs: {throttle: 1}\n"
    "run: {duration: 2.4 s, step: 6 ms}\n"
    "expect: [\"always: battery.voltage > 9 V\"]\n";

static FolderPath path;

static int begin(void **state)
{
    if (make_folder(state)) return -1;
    path = in_folder("sprint.yaml");
    write_file("sprint.yaml", sprint);
    return 0;
}

static const ib_Override free_of_limits = {"expect", "[]"};

static ib_OptimisePlan plan_of(const char *const *vary, const char *best, ib_Arena *arena)
{
    ib_OptimisePlan plan = {.sweep = {.file = path.text, .seed_count = 1}};
    ib_Error error;
    for (; *vary; vary++) assert_int_equal(ib_vary_add(&plan, *vary, arena, &error), IB_OK);
    assert_int_equal(ib_sweep_best_read(best, &plan.sweep, &plan.measure, &plan.largest, &error),
                     IB_OK);
    assert_int_equal(ib_optimise_check(&plan, &error), IB_OK);
    return plan;
}

static ib_Optimisation *search(const ib_OptimisePlan *plan, int threads)
{
    ib_Arena arena = {0};
    ib_Diagnostics diagnostics = {.arena = &arena};
    ib_Error error;
    ib_Optimisation *found = ib_optimise_create(plan, &diagnostics);
    assert_non_null(found);
    assert_int_equal(ib_optimise(found, &(ib_OptimiseRun){.threads = threads}, &error), IB_OK);
    ib_arena_reset(&arena);
    return found;
}

static bool keep_point(void *self, int64_t index, const ib_SweepResult *result)
{
    (void)index;
    ib_sweep_points_add(self, result);
    return true;
}

// The best value of a grid, all of it run.
static double best_of_grid(const ib_OptimisePlan *plan, const char *const *over)
{
    ib_Arena arena = {0};
    ib_Diagnostics diagnostics = {.arena = &arena};
    ib_Error error;
    ib_SweepPlan grid = plan->sweep;
    grid.axis_count = 0;
    for (; *over; over++) assert_int_equal(ib_sweep_axis_add(&grid, *over, &arena, &error), IB_OK);
    ib_Sweep *sweep = ib_sweep_create(&grid, &diagnostics);
    assert_non_null(sweep);
    ib_SweepPoints points = ib_sweep_points(sweep);
    ib_SweepBest best;
    ib_SweepRun run = {.threads = 2, .take = keep_point, .self = &points};
    assert_int_equal(ib_sweep_run(sweep, &run, &error), IB_OK);
    assert_true(ib_sweep_best(&points, ib_sweep_column(sweep, plan->measure), plan->largest, &arena,
                              &best));
    double value = best.value.mean;
    ib_sweep_points_destroy(&points);
    ib_sweep_destroy(sweep);
    ib_arena_reset(&arena);
    return value;
}

// Goal: the best of one range is within 0.5 % of that of a dense grid, in at most 40 runs, and the
// points are the same on any number of threads. Method: the reduction of a sprint of 8 m.
static void one_range_takes_forty_runs(void **unused)
{
    (void)unused;
    static const char *const vary[] = {"robot.drive.reduction=4..14", NULL};
    static const char *const over[] = {"robot.drive.reduction=4..14 by 0.2", NULL};
    ib_Arena arena = {0};
    ib_OptimisePlan plan = plan_of(vary, "first pose.x > 8 m", &arena);
    plan.sweep.overrides = &free_of_limits;
    plan.sweep.override_count = 1;
    double grid = best_of_grid(&plan, over);
    ib_Optimisation *one = search(&plan, 1), *two = search(&plan, 2);
    assert_true(one->best.count <= 40);
    assert_true(one->best.value.mean <= 1.005 * grid);
    assert_true(one->best.order[0] == ib_optimise_best(one));
    assert_int_equal(one->points.count, two->points.count);
    for (int64_t i = 0; i < one->points.count; i++) {
        assert_string_equal(one->values[i], two->values[i]);
        assert_true(one->points.hashes[i] == two->points.hashes[i]);
    }
    ib_optimise_destroy(one);
    ib_optimise_destroy(two);
    ib_arena_reset(&arena);
}

// Goal: the best of two ranges at the border of what is allowed is within 0.5 % of a grid's, in at
// most 120 runs. Method: reduction and current limit of a sprint whose battery must stay above 9 V,
// which it does not beyond some 54 A.
static void two_ranges_take_a_hundred_and_twenty(void **unused)
{
    (void)unused;
    static const char *const vary[] = {"robot.drive.reduction=4..14",
                                       "robot.drive.current_limit=20 A..80 A", NULL};
    static const char *const over[] = {"robot.drive.reduction=5..8 by 0.5",
                                       "robot.drive.current_limit=50 A..56 A by 1 A", NULL};
    ib_Arena arena = {0};
    ib_OptimisePlan plan = plan_of(vary, "first pose.x > 8 m", &arena);
    double grid = best_of_grid(&plan, over);
    ib_Optimisation *found = search(&plan, 2);
    assert_true(found->best.count <= 120);
    assert_true(found->best.allowed > 0 && found->best.allowed < found->best.count);
    assert_true(found->best.value.mean <= 1.005 * grid);
    ib_optimise_destroy(found);
    ib_arena_reset(&arena);
}

// Goal: of a list all values are tried, the largest value is found where it is wanted, and what is
// written runs as the best point did, wherever it is. Method: four gears in a file of another
// folder; the hash is compared by ib_optimise_write itself.
static void what_was_found_is_written(void **unused)
{
    (void)unused;
    static const char *const vary[] = {"robot.drive.reduction=12.75,5.95,8.45,10.71", NULL};
    static const ib_Override changes[] = {{"expect", "[]"}, {"robot.file", "limited.yaml"}};
    ib_Arena arena = {0};
    ib_Error error;
    write_file("limited.yaml", "kind: tank\ndrive: {current_limit: 40 A}\n");
    write_file("free.yaml", "robot: {mass: 50 kg, drive: {motor: neo}, battery: es17-12-match}\n"
                            "inputs: {throttle: 1}\nrun: {duration: 0.5 s}\n");
    ib_OptimisePlan plan = plan_of(vary, "largest max velocity.forward", &arena);
    FolderPath file = in_folder("free.yaml"), out = in_folder("sub/found.yaml");
    assert_int_equal(shell("mkdir -p sub"), 0);
    plan.sweep.file = file.text;
    plan.sweep.overrides = changes;
    plan.sweep.override_count = 2;
    ib_Optimisation *found = search(&plan, 2);
    assert_int_equal(found->best.count, 4);
    assert_int_equal(ib_search_end(found->search), IB_SEARCH_ALL);
    assert_int_equal(ib_optimise_write(found, out.text, &error), IB_OK);
    assert_int_equal(shell("grep -q 'from: ../free.yaml' sub/found.yaml"), 0);
    assert_int_equal(shell("grep -q 'robot.file: ../limited.yaml' sub/found.yaml"), 0);
    char line[100];
    snprintf(line, sizeof line, "grep -q 'robot.drive.reduction: %s$' sub/found.yaml",
             found->values[found->best.order[0]]);
    assert_int_equal(shell(line), 0);
    ib_optimise_destroy(found);
    ib_arena_reset(&arena);
}

// Goal: a stop keeps what was found. Method: stopped at the tenth run.
static bool stop_at_ten(void *self, int64_t index, const ib_SweepResult *result)
{
    (void)index;
    (void)result;
    return ++*(int *)self < 10;
}

static void a_stop_keeps_the_best(void **unused)
{
    (void)unused;
    static const char *const vary[] = {"robot.drive.reduction=4..14", NULL};
    ib_Arena arena = {0};
    ib_Error error;
    int runs = 0;
    ib_OptimisePlan plan = plan_of(vary, "largest final pose.x", &arena);
    ib_Diagnostics diagnostics = {.arena = &arena};
    plan.sweep.overrides = &free_of_limits;
    plan.sweep.override_count = 1;
    ib_Optimisation *found = ib_optimise_create(&plan, &diagnostics);
    ib_OptimiseRun run = {.threads = 2, .take = stop_at_ten, .self = &runs};
    assert_int_equal(ib_optimise(found, &run, &error), IB_INTERRUPTED);
    assert_int_equal(found->best.count, 10);
    assert_true(found->best.allowed == 10 && found->best.value.mean > 1);
    ib_optimise_destroy(found);
    ib_arena_reset(&arena);
}

// The value of each variable in run `run` of a slice is its own; all others are those of the best.
static void goes_through_the_best(const ib_Optimisation *found, int variable)
{
    const ib_OptimiseSlice *slice = &found->slices[variable];
    int64_t best = found->best.order[0];
    int axes = found->plan.sweep.axis_count;
    assert_string_equal(slice->axis.path, found->plan.sweep.axes[variable].path);
    assert_int_equal(slice->points.count, slice->axis.count);
    assert_string_equal(slice->axis.values[slice->best], found->values[best * axes + variable]);
    assert_true(slice->points.hashes[slice->best] == found->points.hashes[best]);
}

// Goal: slices hold even values of a range in order with the best one among them, and all of a
// list; the point that is the best one comes out as in the search; they change nothing of it.
// Method: a range and a list, on one thread and on two.
static void slices_go_through_the_best(void **unused)
{
    (void)unused;
    static const char *const vary[] = {"robot.drive.reduction=4..14",
                                       "robot.mass=60 kg,40 kg,50 kg", NULL};
    ib_Arena arena = {0};
    ib_Error error;
    ib_OptimisePlan plan = plan_of(vary, "first pose.x > 8 m", &arena);
    plan.sweep.overrides = &free_of_limits;
    plan.sweep.override_count = 1;
    ib_Optimisation *found[] = {search(&plan, 1), search(&plan, 2)};
    for (int i = 0; i < 2; i++) {
        const ib_OptimiseSlice *range = &found[i]->slices[0], *list = &found[i]->slices[1];
        int64_t count = found[i]->points.count, evaluations = found[i]->best.count;
        ib_OptimiseRun run = {.threads = 1 + i};
        assert_int_equal(ib_optimise_slices(found[i], &run, &error), IB_OK);
        assert_int_equal(found[i]->slice_count, 2);
        for (int k = 0; k < 2; k++) goes_through_the_best(found[i], k);
        assert_in_range(range->axis.count, IB_SLICE_EVEN, IB_SLICE_EVEN + 1);
        assert_string_equal(range->axis.values[0], "4");
        assert_string_equal(range->axis.values[range->axis.count - 1], "14");
        for (int k = 1; k < range->axis.count; k++)
            assert_true(atof(range->axis.values[k - 1]) < atof(range->axis.values[k]));
        assert_int_equal(list->axis.count, 3);
        assert_string_equal(list->axis.values[list->best], "40 kg");
        assert_int_equal(found[i]->slice_runs, range->axis.count + 3);
        assert_int_equal(found[i]->points.count, count);
        assert_int_equal(found[i]->best.count, evaluations);
        assert_int_equal(found[i]->sweep->count, count);
        assert_true(found[i]->sweep->given == found[i]->values);
    }
    const ib_SweepPoints *one = &found[0]->slices[0].points, *two = &found[1]->slices[0].points;
    assert_int_equal(one->count, two->count);
    assert_memory_equal(one->hashes, two->hashes, (size_t)one->count * sizeof *one->hashes);
    for (int i = 0; i < 2; i++) ib_optimise_destroy(found[i]);
    ib_arena_reset(&arena);
}

// Goal: a best value at an end of its range is there once; a stop leaves no part of a slice, and
// without an allowed point there is none. Method: the largest mass is the slowest; a flag that is
// set; an expectation that no point meets.
static void slices_end_at_the_ends(void **unused)
{
    (void)unused;
    static const char *const vary[] = {"robot.mass=40 kg..60 kg", NULL};
    static const ib_Override impossible = {"expect", "[\"at end: pose.x > 50 m\"]"};
    static const volatile sig_atomic_t stop = 1;
    ib_Arena arena = {0};
    ib_Error error;
    ib_OptimisePlan plan = plan_of(vary, "final pose.x", &arena);
    plan.sweep.overrides = &free_of_limits;
    plan.sweep.override_count = 1;
    ib_Optimisation *found = search(&plan, 2);
    ib_OptimiseRun stopped = {.threads = 2, .stop = &stop}, run = {.threads = 2};
    assert_int_equal(ib_optimise_slices(found, &stopped, &error), IB_INTERRUPTED);
    assert_int_equal(found->slice_count, 0);
    assert_int_equal(ib_optimise_slices(found, &run, &error), IB_OK);
    assert_int_equal(found->slices[0].axis.count, IB_SLICE_EVEN);
    assert_int_equal(found->slices[0].best, IB_SLICE_EVEN - 1);
    goes_through_the_best(found, 0);
    ib_optimise_destroy(found);

    plan.sweep.overrides = &impossible;
    found = search(&plan, 2);
    assert_int_equal(ib_optimise_slices(found, &run, &error), IB_OK);
    assert_int_equal(found->slice_count + found->slice_runs, 0);
    ib_optimise_destroy(found);
    ib_arena_reset(&arena);
}

// Goal: wrong ranges are refused with what was expected. Method: one of each.
static void wrong_ranges_are_refused(void **unused)
{
    (void)unused;
    static const char *const cases[][2] = {
        {"robot.mass=5..4", "'5..4' ends before it begins"},
        {"robot.mass=4 kg..4 kg", "has one value"},
        {"robot.mass=4 kg..5 m", "has several units"},
        {"robot.mass=a..b", "is no range: expected FIRST..LAST, such as '4..14'"},
        {"robot.mass=4 kg", "expected a range, PATH=4..14, or several values"},
        {"robot.mass", "expected PATH="},
    };
    ib_Arena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ib_OptimisePlan plan = {0};
        ib_Error error;
        assert_int_equal(ib_vary_add(&plan, cases[i][0], &arena, &error), IB_BAD_INPUT);
        if (!strstr(error.text, cases[i][1])) fail_msg("%s: %s", cases[i][0], error.text);
    }
    ib_arena_reset(&arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_range_takes_forty_runs),
        cmocka_unit_test(two_ranges_take_a_hundred_and_twenty),
        cmocka_unit_test(what_was_found_is_written),
        cmocka_unit_test(a_stop_keeps_the_best),
        cmocka_unit_test(slices_go_through_the_best),
        cmocka_unit_test(slices_end_at_the_ends),
        cmocka_unit_test(wrong_ranges_are_refused),
    };
    return cmocka_run_group_tests(tests, begin, remove_folder);
}
