// Tests of control/edge.h: the same as by halves alone, with few questions.
#include "cmocka_all.h"
#include "control/edge.h"
#include "spread.h"

#include <math.h>

// A limit at `most` with a kink somewhere: what is asked for grows faster beyond it.
typedef struct Limit {
    double most, kink;
    int questions;
} Limit;

static double excess(void *context, double x)
{
    Limit *limit = context;
    double far = fmax(x - limit->kink, 0) - fmax(limit->most - limit->kink, 0);
    limit->questions++;
    if (x > 3 * limit->most) return INFINITY;
    return (x - limit->most) * (1 + 0.3 * x) + 2 * far;
}

// By halves and nothing else; -1: not even `low` is allowed.
static double plainly(Limit *limit, double low, double high, bool by_ratio)
{
    if (!(excess(limit, high) > 0)) return high;
    if (excess(limit, low) > 0) return -1;
    for (int n = 0; n < IB_EDGE_HALVINGS; n++) {
        bool far = by_ratio && high > 4 * low;
        double middle = far ? sqrt(high * low) : 0.5 * (high + low);
        if (excess(limit, middle) > 0)
            high = middle;
        else
            low = middle;
    }
    return low;
}

static double quickly(Limit *limit, double low, double high, bool by_ratio, double guess,
                      double *slope)
{
    return ib_edge_find(&(ib_Edge){.excess = excess,
                                   .context = limit,
                                   .low = low,
                                   .high = high,
                                   .by_ratio = by_ratio,
                                   .guess = guess,
                                   .slope = slope});
}

// Goal: a guess, good or bad, does not change the answer. Method: limits, kinks, guesses and slopes
// at random, some of them beyond the range; the halves alone are the reference, bit by bit.
static void the_answer_is_that_of_halves_alone(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 5000; n++) {
        double r[5];
        for (uint64_t k = 0; k < 5; k++) r[k] = chance_uniform(7, n, k);
        Limit limit = {.most = 5 * r[0] * r[0], .kink = 5 * r[1]};
        double low = 4e-4, high = 0.5 + 3.5 * r[2], slope = n % 3 ? 4 * r[3] : 0;
        double guess = n % 4 == 0 ? 0 : n % 4 == 1 ? limit.most * (1 + 1e-4 * r[4]) : 5 * r[4];
        bool by_ratio = n % 2;
        double expected = plainly(&limit, low, high, by_ratio);
        assert_true(quickly(&limit, low, high, by_ratio, guess, &slope) == expected);
    }
}

// Goal: along rows whose limits change smoothly a row takes about three questions, not 18. Method:
// a limit that swings over 1000 rows, each guessed as what the last two rows lead to.
static void smooth_rows_take_few_questions(void **state)
{
    (void)state;
    double slope = 0, found[2] = {0, 0};
    Limit limit = {.kink = 2};
    for (int i = 0; i < 1000; i++) {
        limit.most = 2 + sin(0.01 * i);
        double guess = found[1] > 0 ? 2 * found[0] - found[1] : found[0];
        found[1] = found[0];
        found[0] = quickly(&limit, 4e-4, 16, true, guess, &slope);
    }
    assert_true(limit.questions < 3500);
    limit.questions = 0;
    plainly(&limit, 4e-4, 16, true);
    assert_int_equal(limit.questions, 2 + IB_EDGE_HALVINGS);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_answer_is_that_of_halves_alone),
        cmocka_unit_test(smooth_rows_take_few_questions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
