// The best point of a sweep, what cannot be told from it, and what makes no difference.
#include "cmocka_all.h"

#include "study/sweep/student.h"
#include "study/sweep/sweep_best.h"

#include <string.h>

// Goal: quantiles of Student's distribution are those of the tables. Method: closed forms for one
// and two degrees of freedom, tan(pi (p - 1/2)) and (2p - 1) sqrt(2 / (1 - (2p - 1)^2)); printed
// tables of seven digits for others; the normal distribution's for very many.
static void quantiles_are_those_of_the_tables(void **unused)
{
    (void)unused;
    static const struct {
        double p;
        int freedom;
        double t;
    } table[] = {{0.975, 5, 2.5705818},
                 {0.995, 9, 3.2498355},
                 {0.95, 4, 2.1318468},
                 {0.975, 30, 2.0422725},
                 {0.9, 7, 1.4149239}};
    for (double p = 0.6; p < 1; p += 0.13) {
        double q = 2 * p - 1;
        assert_close(ib_student_quantile(p, 1), tan(3.14159265358979323846 * (p - 0.5)), 1e-9);
        assert_close(ib_student_quantile(p, 2), q * sqrt(2 / (1 - q * q)), 1e-9);
    }
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        assert_close(ib_student_quantile(table[i].p, table[i].freedom), table[i].t, 1e-7);
    assert_close(ib_student_quantile(0.975, 1 << 30), 1.959964, 3e-3); // two in a thousand
}

// Points with one column, of so many seeds each; a failed run has one expectation against it.
typedef struct Setup {
    ib_SweepPoints points;
    double values[64];
    uint64_t hashes[64];
    int failed[64];
    ib_Arena arena;
    ib_SweepBest best;
} Setup;

static void find(Setup *setup, int64_t seeds, int64_t count, const double *values, bool largest)
{
    memcpy(setup->values, values, (size_t)count * sizeof *values);
    setup->points = (ib_SweepPoints){.columns = 1,
                                     .seeds = seeds,
                                     .count = count,
                                     .values = setup->values,
                                     .hashes = setup->hashes,
                                     .failed = setup->failed};
    assert_true(ib_sweep_best(&setup->points, 0, largest, &setup->arena, &setup->best));
}

// Goal: points are sorted by their means, those that fail, or have no value, come last, and equal
// values are ties. Method: six points of one seed, smallest and largest.
static void the_smallest_allowed_point_is_best(void **unused)
{
    (void)unused;
    static const double values[] = {5, 3, 1, 3, NAN, 4};
    static const int64_t small[] = {1, 3, 5, 0, 2, 4}, large[] = {0, 5, 1, 3, 2, 4};
    for (int largest = 0; largest < 2; largest++) {
        Setup setup = {.failed = {0, 0, 1, 0, 0, 0}};
        find(&setup, 1, 6, values, largest);
        assert_int_equal(setup.best.allowed, 4);
        const int64_t *order = largest ? large : small;
        // What is out stands behind: first the one without a value, which has no failed run.
        for (int i = 0; i < 4; i++) assert_int_equal(setup.best.order[i], order[i]);
        assert_int_equal(setup.best.order[4], 4);
        assert_int_equal(setup.best.order[5], 2);
        assert_close(setup.best.value.mean, largest ? 5 : 3, 0);
        assert_int_equal(setup.best.tie_count, largest ? 0 : 1);
        if (!largest) assert_int_equal(setup.best.ties[0], 3);
        ib_arena_reset(&setup.arena);
    }
}

// Goal: points are told apart by their differences seed by seed, in which common luck is gone.
// Method: luck of +-10 common to three points. The second is worse by 1 +- 0.1, which 4 seeds show
// (t = 1/(0.1155/2) = 17.3 beyond 3.18 of one-sided 97.5 %); the third by 1 with differences of +-2
// (t = 0.87), which they do not. A point with one failed run is out.
static void differences_of_common_seeds_tell(void **unused)
{
    (void)unused;
    static const double values[] = {10, -10, 5, -5, 11.1, -8.9, 5.9, -4.1,
                                    13, -7,  4, -6, 0,    0,    0,   0};
    Setup setup = {.failed = {[14] = 1}};
    find(&setup, 4, 16, values, false);
    assert_int_equal(setup.best.allowed, 3);
    assert_int_equal(setup.best.order[0], 0);
    assert_int_equal(setup.best.order[3], 3);
    assert_close(setup.best.value.mean, 0, 0);
    assert_close(setup.best.value.deviation, sqrt(250 / 3.0), 1e-14);
    assert_int_equal(setup.best.tie_count, 1);
    assert_int_equal(setup.best.ties[0], 2);
    ib_arena_reset(&setup.arena);
}

// Goal: nothing is best where nothing is allowed, and the point with the fewest failures stands
// first. Method: three points of two seeds.
static void nothing_allowed_is_said(void **unused)
{
    (void)unused;
    static const double values[] = {1, 1, 2, 2, 3, 3};
    Setup setup = {.failed = {1, 1, 0, -1, 2, 1}};
    find(&setup, 2, 6, values, false);
    assert_int_equal(setup.best.allowed, 0);
    assert_int_equal(setup.best.order[0], 1);
    assert_true(isnan(setup.best.value.mean));
    ib_arena_reset(&setup.arena);
}

// Goal: an axis that changes nothing is found, and no other. Method: 2 x 3 points of 2 seeds whose
// hashes depend on some of them.
static void axes_without_effect_are_found(void **unused)
{
    (void)unused;
    for (int parts = 0; parts < 8; parts++) {
        Setup setup = {0};
        ib_Sweep sweep = {.plan = {.axes = {{.count = 2}, {.count = 3}},
                                   .axis_count = 2,
                                   .has_seeds = true,
                                   .seed_count = 2},
                          .count = 12};
        setup.points = (ib_SweepPoints){
            .seeds = 2, .count = 12, .hashes = setup.hashes, .failed = setup.failed};
        for (int i = 0; i < 12; i++)
            setup.hashes[i] =
                (uint64_t)((parts & 1 ? i / 6 : 0) + (parts & 2 ? i / 2 % 3 * 10 : 0) +
                           (parts & 4 ? i % 2 * 100 : 0));
        assert_int_equal(ib_sweep_points_still(&setup.points, &sweep, 0), !(parts & 1));
        assert_int_equal(ib_sweep_points_still(&setup.points, &sweep, 1), !(parts & 2));
        assert_int_equal(ib_sweep_points_still(&setup.points, &sweep, -1), !(parts & 4));
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_are_those_of_the_tables),
        cmocka_unit_test(the_smallest_allowed_point_is_best),
        cmocka_unit_test(differences_of_common_seeds_tell),
        cmocka_unit_test(nothing_allowed_is_said),
        cmocka_unit_test(axes_without_effect_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
