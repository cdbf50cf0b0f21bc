// test/design/arm/test_arm_evolve.c: the search on functions whose least is known.
#include "cmocka_all.h"

#include "design/arm/arm_evolve.h"

#include <string.h>

enum { DIMENSIONS = 10 };

static int asked;

// A long valley, turned against the axes: curvatures from 1 to 1e4; least 0 at (1, …, 1).
static ib_Worth valley(void *context, const double *x)
{
    double value = 0, mean = 0, weight = 1;
    (void)context;
    asked++;
    for (int i = 0; i < DIMENSIONS; i++) mean += (x[i] - 1) / DIMENSIONS;
    for (int i = 0; i < DIMENSIONS; i++, weight *= 2.782559) { // 1e4^(1/9)
        double off = x[i] - 1 - 2 * mean;                      // a mirror: lengths are kept
        value += weight * off * off;
    }
    return (ib_Worth){value, 0};
}

// Nearest to (2, 2, …) within the ball of radius 1: on its surface, on the way there.
static ib_Worth ball(void *context, const double *x)
{
    double value = 0, size = 0;
    (void)context;
    for (int i = 0; i < DIMENSIONS; i++) {
        value += (x[i] - 2) * (x[i] - 2);
        size += x[i] * x[i];
    }
    return (ib_Worth){sqrt(value), size > 1 ? size - 1 : 0};
}

// Goal: a badly scaled valley is found to its ground. Method: 10 numbers, condition 1e4, from 3
// away; 12000 children are twice what CMA-ES needs by its authors' figures.
static void a_narrow_valley_is_found(void **state)
{
    (void)state;
    ib_Evolve evolve;
    double x[DIMENSIONS] = {4, -2, 0, 1, 3, -1, 2, 0, 1, 2};
    asked = 0;
    ib_evolve_init(&evolve, DIMENSIONS, x, 0.5, 1, valley, NULL);
    ib_evolve_run(&evolve, 12000, valley, NULL);
    assert_true(asked <= 12001);
    assert_true(evolve.worth.value < 1e-6);
    for (int i = 0; i < DIMENSIONS; i++) assert_close(evolve.best[i], 1, 1e-2);
}

// Goal: it finds its way into what is allowed, and along its border. Method: it begins outside a
// ball, the best is on its surface.
static void a_border_is_kept(void **state)
{
    (void)state;
    ib_Evolve evolve;
    double x[DIMENSIONS] = {0, -3, 2, 0, 1, 0, 0, 2, 0, -1};
    ib_evolve_init(&evolve, DIMENSIONS, x, 0.5, 2, ball, NULL);
    assert_true(evolve.worth.breach > 0);
    ib_evolve_run(&evolve, 30000, ball, NULL);
    assert_true(evolve.worth.breach == 0);
    // Least value: 2 sqrt(n) - 1, the radius less the distance of (2, …).
    assert_close(evolve.worth.value, 2 * sqrt(DIMENSIONS) - 1, 1e-2);
}

// Goal: the same seed, the same search, in one piece or in several; another seed another.
static void a_search_can_be_repeated(void **state)
{
    (void)state;
    ib_Evolve one, other, third;
    double x[DIMENSIONS] = {0};
    ib_evolve_init(&one, DIMENSIONS, x, 0.5, 3, valley, NULL);
    ib_evolve_init(&other, DIMENSIONS, x, 0.5, 3, valley, NULL);
    ib_evolve_init(&third, DIMENSIONS, x, 0.5, 4, valley, NULL);
    ib_evolve_run(&one, 320, valley, NULL);
    for (int k = 0; k < 10; k++) ib_evolve_run(&other, 32, valley, NULL);
    ib_evolve_run(&third, 320, valley, NULL);
    assert_memory_equal(one.best, other.best, sizeof one.best);
    assert_true(memcmp(one.best, third.best, sizeof one.best) != 0);
}

static void what_is_not_allowed_is_worse(void **state)
{
    (void)state;
    assert_true(ib_worth_better((ib_Worth){5, 0}, (ib_Worth){1, 0.1}));
    assert_true(ib_worth_better((ib_Worth){9, 0.1}, (ib_Worth){1, 0.2}));
    assert_true(ib_worth_better((ib_Worth){1, 0}, (ib_Worth){2, 0}));
    assert_false(ib_worth_better((ib_Worth){1, 0}, (ib_Worth){1, 0}));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_narrow_valley_is_found),
        cmocka_unit_test(a_border_is_kept),
        cmocka_unit_test(a_search_can_be_repeated),
        cmocka_unit_test(what_is_not_allowed_is_worse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
