// Sweeps of designs and plans: their numbers by name.
#include "folder.h"
#include "study/sweep/sweep.h"

static const char design[] =
    "title: a wheel\nplant: {A: [[0.9]], B: [[0.1]], C: [[1]], D: [[0]], time: discrete}\n"
    "period: 10 ms\nlqr: {Q: [[1]], R: [[1]]}\ncheck: {stable: true, settling: 1 s}\n";

typedef struct Kept {
    int count;
    double values[4][8];
    bool passed[4][2];
    uint64_t hash[4];
} Kept;

static bool keep(void *self, int64_t index, const ib_SweepResult *result)
{
    Kept *kept = self;
    assert_int_equal(result->status, IB_OK);
    memcpy(kept->values[index], result->values, 5 * sizeof(double));
    memcpy(kept->passed[index], result->passed, sizeof kept->passed[index]);
    kept->hash[index] = result->hash;
    kept->count++;
    return true;
}

static ib_Sweep *create(const ib_SweepPlan *plan, const char *words)
{
    ib_Arena arena = {0};
    ib_Diagnostics diagnostics = {.arena = &arena};
    ib_Sweep *sweep = ib_sweep_create(plan, &diagnostics);
    if (words) {
        assert_null(sweep);
        assert_non_null(strstr(diagnostics.items[0].text, words));
    } else {
        assert_non_null(sweep);
    }
    ib_arena_reset(&arena);
    return sweep;
}

// Goal: each point of a design has its gain, its pole and what its checks found, on any number of
// threads. Method: the closed form of a loop of one state: p is the positive root of the Riccati
// equation p = a^2 p r/(r + b^2 p) + q, K = a b p/(r + b^2 p), and the pole a - b K settles to 2 %
// in T ln 50 / -ln(pole).
static void designs_are_swept(void **unused)
{
    (void)unused;
    static const char *const weights[] = {"[[1]]", "[[10]]", "[[100]]"};
    FolderPath path = in_folder("design.yaml");
    write_file("design.yaml", design);
    ib_SweepPlan plan = {.file = path.text,
                         .axes = {{"lqr.Q", weights, 3}},
                         .axis_count = 1,
                         .measures = {"K.0.0", "poles.0.re", "check.settling.found"},
                         .measure_count = 3,
                         .seed_count = 1};
    for (int threads = 1; threads < 3; threads++) {
        Kept kept = {0};
        ib_Error error;
        ib_Sweep *sweep = create(&plan, NULL);
        ib_SweepRun how = {.threads = threads, .take = keep, .self = &kept};
        assert_int_equal(ib_sweep_run(sweep, &how, &error), IB_OK);
        assert_int_equal(kept.count, 3);
        assert_string_equal(sweep->columns[4].unit, "s");
        for (int i = 0; i < 3; i++) {
            double a = 0.9, b = 0.1, r = 1, q = pow(10, i), half = a * a * r + b * b * q - r;
            double p = (half + sqrt(half * half + 4 * b * b * q * r)) / (2 * b * b);
            double gain = a * b * p / (r + b * b * p), pole = a - b * gain;
            double settling = 0.01 * log(50) / -log(pole);
            assert_close(kept.values[i][2], gain, 1e-12 * gain);
            assert_close(kept.values[i][3], pole, 1e-12);
            assert_close(kept.values[i][4], settling, 1e-9 * settling);
            assert_close(kept.values[i][1], 1 - settling, 1e-9); // the margin of the check
            assert_true(kept.passed[i][0] && kept.passed[i][1]);
        }
        assert_true(kept.hash[0] != kept.hash[1] && kept.hash[1] != kept.hash[2]);
        ib_sweep_destroy(sweep);
    }
}

// Goal: what a design does not have is refused before anything is run. Method: a wrong name, seeds,
// a duration, a value that cannot be designed.
static void wrong_sweeps_of_designs_are_refused(void **unused)
{
    (void)unused;
    static const char *const weights[] = {"[[1]]", "[[-1]]"};
    FolderPath path = in_folder("design.yaml");
    write_file("design.yaml", design);
    ib_SweepPlan good = {.file = path.text, .seed_count = 1}, plan = good;
    plan.measures[plan.measure_count++] = "K.0.1";
    create(&plan, "did you mean 'K.0.0'?");
    plan = good;
    plan.has_seeds = true;
    create(&plan, "a design has no seed and no duration: expected --over alone, got --seeds");
    plan = good;
    plan.duration = "1 s";
    create(&plan, "got --duration");
    plan = good;
    plan.axes[plan.axis_count++] = (ib_SweepAxis){"lqr.Q", weights, 2};
    create(&plan, "");
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(designs_are_swept),
        cmocka_unit_test(wrong_sweeps_of_designs_are_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
