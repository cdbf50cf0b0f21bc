// test/study/test_search.c: lists, words, budgets and points of a search.
#include "cmocka_all.h"

#include "study/search/search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef ib_SearchScore Function(const double *values);

static ib_Search *search_whole(const ib_SearchVariable *variables, int count, int most,
                               Function *function)
{
    ib_SearchScore scores[1024];
    ib_Search *search = ib_search_create(variables, count, most);
    for (int batch; (batch = ib_search_ask(search)) > 0; ib_search_tell(search, scores)) {
        assert_true(batch <= 1024);
        for (int i = 0; i < batch; i++)
            scores[i] = function(ib_search_values(search, ib_search_count(search) - batch + i));
    }
    return search;
}

static const double *best_values(const ib_Search *search)
{
    return ib_search_values(search, ib_search_best(search));
}

// ------------------------------------------------------------------------------------------- lists

static ib_SearchScore product(const double *values)
{
    return (ib_SearchScore){0, -(values[0] + 1) * (values[1] + 1)};
}

// Goal: lists with few combinations are tried whole, each once. Method: 3 words by 5 gears.
static void all_combinations_are_tried(void **state)
{
    (void)state;
    const ib_SearchVariable lists[] = {{.choices = 3}, {.choices = 5, .ordered = true}};
    ib_Search *search = search_whole(lists, 2, 15, product);
    int seen[3][5] = {0};
    assert_int_equal(ib_search_count(search), 15);
    assert_int_equal(ib_search_end(search), IB_SEARCH_ALL);
    for (int i = 0; i < 15; i++) {
        const double *values = ib_search_values(search, i);
        assert_int_equal(seen[(int)values[0]][(int)values[1]]++, 0);
    }
    assert_int_equal((int)best_values(search)[0], 2);
    assert_int_equal((int)best_values(search)[1], 4);
    ib_search_destroy(search);
}

static ib_SearchScore far_gear(const double *values)
{
    return (ib_SearchScore){0, fabs(values[0] - 617)};
}

// Goal: a long list in order is searched like an axis. Method: 1000 gears, 40 points.
static void a_long_list_is_searched(void **state)
{
    (void)state;
    const ib_SearchVariable list = {.choices = 1000, .ordered = true};
    ib_Search *search = search_whole(&list, 1, 40, far_gear);
    assert_int_equal((int)best_values(search)[0], 617);
    ib_search_destroy(search);
}

static ib_SearchScore gear_and_mass(const double *values)
{
    double gear = values[0] - 4, mass = values[1] - 3.3;
    return (ib_SearchScore){0, gear * gear + 10 * mass * mass + 4 * gear * mass};
}

// Goal: a list in order and a continuous variable together. Method: a tilted valley.
static void a_gear_and_a_mass_are_searched(void **state)
{
    (void)state;
    const ib_SearchVariable both[] = {{.choices = 7, .ordered = true}, {.low = 1, .high = 5}};
    ib_Search *search = search_whole(both, 2, 120, gear_and_mass);
    assert_int_equal((int)best_values(search)[0], 4);
    assert_close(best_values(search)[1], 3.3, 0.01);
    ib_search_destroy(search);
}

// Word 3 is the best one, but only near 0.85; all others are better than it elsewhere.
static ib_SearchScore word_and_number(const double *values)
{
    static const double least[] = {0.2, 0.5, 0.3, 0.85, 0.1}, ground[] = {0.5, 0.4, 0.6, 0, 0.5};
    int word = (int)values[0];
    double off = values[1] - least[word];
    return (ib_SearchScore){0, ground[word] + (word == 3 ? 8 : 1) * off * off};
}

// Goal: the best word is found though its neighbours in the list are not alike.
static void the_best_word_is_found(void **state)
{
    (void)state;
    const ib_SearchVariable both[] = {{.choices = 5}, {.low = 0, .high = 1}};
    ib_Search *search = search_whole(both, 2, ib_search_budget(both, 2), word_and_number);
    assert_int_equal((int)best_values(search)[0], 3);
    assert_close(best_values(search)[1], 0.85, 0.01);
    ib_search_destroy(search);
}

// Three words by two numbers; the best word is far from the others in both.
static ib_SearchScore word_and_two(const double *values)
{
    static const double least[3][2] = {{0.2, 0.3}, {0.8, 0.9}, {0.5, 0.1}},
                        ground[] = {0.3, 0, 0.2};
    int word = (int)values[1];
    double a = values[0] - least[word][0], b = values[2] - least[word][1];
    return (ib_SearchScore){0, ground[word] + a * a + 3 * b * b + a * b};
}

static void a_word_among_numbers_is_found(void **state)
{
    (void)state;
    const ib_SearchVariable three[] = {{.high = 1}, {.choices = 3}, {.high = 1}};
    ib_Search *search = search_whole(three, 3, ib_search_budget(three, 3), word_and_two);
    const double *best = best_values(search);
    assert_int_equal((int)best[1], 1);
    assert_close(best[0], 0.8, 0.01);
    assert_close(best[2], 0.9, 0.01);
    ib_search_destroy(search);
}

// Word 333 of 400 pairs is the best, whatever the number; its neighbours tell nothing.
static ib_SearchScore pair_of_words(const double *values)
{
    int pair = (int)(20 * values[0] + values[1]);
    return (ib_SearchScore){0, (pair == 333 ? 0 : 1 + pair % 7) + values[2] * values[2]};
}

// Goal: many words are tried, each with few numbers. Method: 400 pairs, 1000 points.
static void many_words_are_tried(void **state)
{
    (void)state;
    const ib_SearchVariable three[] = {{.choices = 20}, {.choices = 20}, {.low = -1, .high = 1}};
    ib_Search *search = search_whole(three, 3, 1000, pair_of_words);
    const double *best = best_values(search);
    assert_int_equal((int)(20 * best[0] + best[1]), 333);
    assert_close(best[2], 0, 0.01);
    ib_search_destroy(search);
}

static ib_SearchScore gears(const double *values)
{
    double a = values[0] - 12, b = values[1] - 3, c = values[2] - 30;
    return (ib_SearchScore){a + b > 4 ? a + b - 4 : 0, a * a + 4 * b * b + c * c + 1.5 * a * b};
}

// Goal: lists with more combinations than points are searched by their order. Method: 20 x 10 x 40
// gears, 120 points; the best one differs from each of its neighbours.
static void lists_in_order_are_searched(void **state)
{
    (void)state;
    const ib_SearchVariable lists[] = {{.choices = 20, .ordered = true},
                                       {.choices = 10, .ordered = true},
                                       {.choices = 40, .ordered = true}};
    ib_Search *search = search_whole(lists, 3, 120, gears);
    const double *best = best_values(search);
    assert_int_equal((int)best[0], 12);
    assert_int_equal((int)best[1], 3);
    assert_int_equal((int)best[2], 30);
    ib_search_destroy(search);
}

// ----------------------------------------------------------------------------------------- the end

static ib_SearchScore barred(const double *values)
{
    return (ib_SearchScore){2 + values[0] * values[0], NAN};
}

// Goal: where nothing is allowed the best is the least violation, and the caller can tell.
static void the_least_violation_is_the_best(void **state)
{
    (void)state;
    const ib_SearchVariable axis = {.low = -1, .high = 2};
    ib_Search *search = search_whole(&axis, 1, 40, barred);
    ib_SearchScore best = ib_search_score(search, ib_search_best(search));
    assert_true(best.violation > 0);
    assert_close(best.violation, 2, 1e-3);
    ib_search_destroy(search);
}

static ib_SearchScore nowhere(const double *values)
{
    (void)values;
    return (ib_SearchScore){0, NAN};
}

// Goal: a search ends at its budget, whatever it is, and a run without a value is not allowed.
static void budgets_are_kept(void **state)
{
    (void)state;
    const ib_SearchVariable mixed[] = {
        {.low = 0, .high = 1}, {.choices = 3}, {.low = 5, .high = 6}};
    for (int most = 1; most < 100; most += 7) {
        ib_Search *search = search_whole(mixed, 3, most, nowhere);
        assert_int_equal(ib_search_count(search), most);
        assert_int_equal(ib_search_end(search), IB_SEARCH_BUDGET);
        assert_true(ib_search_score(search, ib_search_best(search)).violation > 0);
        ib_search_destroy(search);
    }
}

// Goal: a plateau may be as long as the budget. Method: no point has a value; one axis, and two.
static void plateaus_are_searched_evenly(void **state)
{
    (void)state;
    const ib_SearchVariable axes[] = {{.low = 0, .high = 1}, {.low = 5, .high = 6}};
    for (int count = 1; count <= 2; count++) {
        ib_Search *search = search_whole(axes, count, 500, nowhere);
        bool tenth[10] = {0};
        assert_int_equal(ib_search_count(search), 500);
        for (int i = 0; i < 500; i++)
            tenth[(int)fmin(10 * ib_search_values(search, i)[0], 9)] = true;
        for (int i = 0; i < 10; i++) assert_true(tenth[i]);
        ib_search_destroy(search);
    }
}

// ------------------------------------------------------------------------------------------ values

static ib_SearchScore bent(const double *values)
{
    return (ib_SearchScore){0, fabs(values[0] - 0.123456789e-3)};
}

// Goal: values print with few digits. Method: %.7g gives back each value of a range from 1e-4 to
// 1e-3 but for its ends; a ten-thousandth of the range has one digit at 1e-8.
static void values_have_few_digits(void **state)
{
    (void)state;
    const ib_SearchVariable axis = {.low = 1e-4 / 3, .high = 1e-3};
    ib_Search *search = search_whole(&axis, 1, 40, bent);
    for (int i = 0; i < ib_search_count(search); i++) {
        double value = ib_search_values(search, i)[0];
        char text[32];
        snprintf(text, sizeof text, "%.8f", value);
        assert_true(strtod(text, NULL) == value || value == axis.low);
    }
    assert_close(best_values(search)[0], 0.123456789e-3, 1e-6);
    ib_search_destroy(search);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_combinations_are_tried),
        cmocka_unit_test(a_long_list_is_searched),
        cmocka_unit_test(a_gear_and_a_mass_are_searched),
        cmocka_unit_test(the_best_word_is_found),
        cmocka_unit_test(a_word_among_numbers_is_found),
        cmocka_unit_test(many_words_are_tried),
        cmocka_unit_test(lists_in_order_are_searched),
        cmocka_unit_test(the_least_violation_is_the_best),
        cmocka_unit_test(budgets_are_kept),
        cmocka_unit_test(plateaus_are_searched_evenly),
        cmocka_unit_test(values_have_few_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
