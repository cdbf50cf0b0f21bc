// Claims about src/claims/claim.c: a verdict follows from the numbers by the claim's own rule.
#include "cmocka_all.h"

#include "claims/claim.h"

// Row 0 is none; row 1 is a number under three forms; row 2 could not be computed.
static const ib_ClaimValue values[] = {{{NAN, NAN, NAN}}, {{1.04, 2.0, 1.04}}, {{NAN, NAN, NAN}}};

static ib_Verdict verdict_of(ib_ClaimRule rule, int row, int form)
{
    ib_Claim claim = {.claim = "x", .unit = "m", .rule = rule, .row = row, .form = form};
    return ib_claim_judge(&claim, values).verdict;
}

// Goal: a printed number holds when the computed one rounds to it, and holds approximately within
// 5 %. Method: 1.04 against 1.0 with one digit, with two, and against 0.9.
static void a_printed_number_holds_when_the_computed_one_rounds_to_it(void **state)
{
    (void)state;
    assert_int_equal(verdict_of((ib_ClaimRule)IB_PRINTED(1.0, 0.1), 1, 0), IB_VERDICT_HOLDS);
    assert_int_equal(verdict_of((ib_ClaimRule)IB_PRINTED(1.0, 0.01), 1, 0), IB_VERDICT_NEARLY);
    assert_int_equal(verdict_of((ib_ClaimRule)IB_PRINTED(0.9, 0.1), 1, 0), IB_VERDICT_FALSE);
}

// Goal: limits may differ above and below, and a value may be held against another form. Method:
// "just over 1" holds for 1.04 and not for a rule that allows only what is below; the first form
// against the third, which is the same, and the second, which is not.
static void limits_and_forms_are_the_rules_own(void **state)
{
    (void)state;
    assert_int_equal(verdict_of((ib_ClaimRule){1, 0, 0.1, 0, 0, 0}, 1, 0), IB_VERDICT_HOLDS);
    assert_int_equal(verdict_of((ib_ClaimRule){1, 0.1, 0, 0, 0, 0}, 1, 0), IB_VERDICT_FALSE);
    assert_int_equal(verdict_of((ib_ClaimRule)IB_EQUATION(2, 1, 0.0), 1, 0), IB_VERDICT_HOLDS);
    assert_int_equal(verdict_of((ib_ClaimRule)IB_EQUATION(1, 1, 0.1), 1, 0), IB_VERDICT_FALSE);
}

// Goal: a limit on one side lets everything on the other side pass, and itself. Method: 1.04 is no
// more than 1.04 and 2, and no less than 1.04 and -1e300.
static void a_limit_on_one_side_leaves_the_other_open(void **state)
{
    (void)state;
    assert_int_equal(verdict_of((ib_ClaimRule)IB_AT_MOST(1.04), 1, 0), IB_VERDICT_HOLDS);
    assert_int_equal(verdict_of((ib_ClaimRule)IB_AT_MOST(2.0), 1, 0), IB_VERDICT_HOLDS);
    assert_int_equal(verdict_of((ib_ClaimRule)IB_AT_MOST(1.0), 1, 0), IB_VERDICT_FALSE);
    assert_int_equal(verdict_of((ib_ClaimRule)IB_AT_LEAST(1.04), 1, 0), IB_VERDICT_HOLDS);
    assert_int_equal(verdict_of((ib_ClaimRule)IB_AT_LEAST(-1e300), 1, 0), IB_VERDICT_HOLDS);
    assert_int_equal(verdict_of((ib_ClaimRule)IB_AT_LEAST(1.1), 1, 0), IB_VERDICT_FALSE);
    assert_int_equal(verdict_of((ib_ClaimRule)IB_AT_LEAST(0.0), 2, 0), IB_VERDICT_UNKNOWN);
}

// Goal: what was not computed is not judged. Method: a row of NAN, on either side.
static void what_was_not_computed_is_unknown(void **state)
{
    (void)state;
    assert_int_equal(verdict_of((ib_ClaimRule)IB_NEAR(1.0, 1.0, 1.0), 2, 0), IB_VERDICT_UNKNOWN);
    assert_int_equal(verdict_of((ib_ClaimRule)IB_EQUATION(0, 2, 1.0), 1, 0), IB_VERDICT_UNKNOWN);
}

// Goal: a printed unit holds when its dimension is that of what it is made of. Method: a drag
// coefficient, printed right and wrong, and one whose parts do not make the required unit.
static void a_unit_is_judged_by_its_dimension(void **state)
{
    (void)state;
    ib_Claim claim = {.unit = "N*s^2/m^2", .published_unit = "N*s^2/m^2", .made_of = "N/m*s/m*s"};
    assert_int_equal(ib_claim_judge(&claim, values).verdict, IB_VERDICT_HOLDS);
    claim.published_unit = "N*s^2/m";
    assert_int_equal(ib_claim_judge(&claim, values).verdict, IB_VERDICT_FALSE);
    claim.made_of = "N/m*s";
    assert_int_equal(ib_claim_judge(&claim, values).verdict, IB_VERDICT_UNKNOWN);
}

// Goal: a judgement is right when the verdict is the one that was expected, even where that is
// "does not hold". Method: one false claim under both expectations.
static void a_false_claim_may_be_what_is_expected(void **state)
{
    (void)state;
    ib_Claim claim = {.unit = "m", .rule = IB_NEAR(5.0, 0.1, 0.2), .row = 1};
    claim.expected = IB_VERDICT_FALSE;
    assert_true(ib_claim_judge(&claim, values).ok);
    claim.expected = IB_VERDICT_HOLDS;
    assert_false(ib_claim_judge(&claim, values).ok);
    assert_string_equal(ib_verdict_name(IB_VERDICT_FALSE), "does not hold");
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_printed_number_holds_when_the_computed_one_rounds_to_it),
        cmocka_unit_test(limits_and_forms_are_the_rules_own),
        cmocka_unit_test(a_limit_on_one_side_leaves_the_other_open),
        cmocka_unit_test(what_was_not_computed_is_unknown),
        cmocka_unit_test(a_unit_is_judged_by_its_dimension),
        cmocka_unit_test(a_false_claim_may_be_what_is_expected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
