// Claims about src/claims/document.c and the documents themselves.
#include "cmocka_all.h"

#include "claims/document.h"
#include "claims/report.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ----------------------------------------------------------------------------------- all documents

static void print_wrong(const ib_Findings *findings)
{
    for (int i = 0; i < findings->group_count; i++) {
        for (int k = 0; k < findings->groups[i].count; k++) {
            const ib_Claim *claim = &findings->groups[i].claims[k];
            const ib_Judgement *judgement = &findings->judgements[i][k];
            if (!judgement->ok)
                print_error("%s: %s: computed %.17g, published %.17g: '%s', expected '%s'\n",
                            findings->document->name, claim->claim, judgement->computed,
                            judgement->published, ib_verdict_name(judgement->verdict),
                            ib_verdict_name(claim->expected));
        }
    }
}

// Goal: every claim of every document gets the verdict that is written down beside it, and what
// was written down covers all of them. Method: compute and judge all of them, twice for the motors,
// whose claims grow with the data file: nothing is kept from one time to the next.
static void every_verdict_is_the_expected_one(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int least; ///< claims
    } expected[] = {{"roomba", 90}, {"motor", 45},     {"tank", 120},      {"control", 60},
                    {"xdrive", 80}, {"cylinder", 140}, {"quadruped", 190}, {"motor", 45}};
    for (int i = 0; i < 8; i++) {
        const ib_ClaimDocument *document = ib_claim_documents[i < 7 ? i : 1];
        ib_Findings *findings;
        ib_Error error;
        assert_string_equal(document->name, expected[i].name);
        assert_int_equal(ib_findings_create(document, &findings, &error), IB_OK);
        print_wrong(findings);
        assert_int_equal(findings->unexpected, 0);
        int count = 0;
        for (int k = 0; k < IB_VERDICTS; k++) count += findings->counts[k];
        assert_true(count >= expected[i].least);
        assert_true(findings->counts[IB_VERDICT_HOLDS] > 0);
        assert_true(findings->counts[IB_VERDICT_FALSE] > 0);
        ib_findings_destroy(findings);
    }
    assert_null(ib_claim_documents[7]);
}

// Goal: the mistakes of every document are told, each with its four texts, and what shows one is a
// command. Method: all tables; nothing in them breaks a line of the text that is printed.
static void every_document_has_its_errata(void **state)
{
    (void)state;
    for (int i = 0; ib_claim_documents[i]; i++) {
        const ib_Erratum *first = ib_claim_documents[i]->errata, *at = first;
        assert_non_null(first);
        for (; at->where; at++) {
            const char *texts[] = {at->where, at->published, at->corrected, at->evidence, at->see};
            for (int k = 0; k < (at->see ? 5 : 4); k++)
                assert_true(texts[k] && texts[k][0] && !strchr(texts[k], '\n'));
            assert_true(!at->see || strncmp(at->see, "ironbird ", 9) == 0);
        }
        assert_true(at - first >= 4);
    }
}

// -------------------------------------------------------------------------------- a small document

static const ib_Claim claims[] = {
    IB_CLAIM("two is two", "p. 1", "1", IB_NEAR(2.0, 0.1, 0.2), 1, HOLDS, ""),
    IB_CLAIM("two is three", "p. 2", "1", IB_NEAR(3.0, 0.1, 0.2), 1, HOLDS, "a wrong verdict"),
    IB_CLAIM("nobody knows", "p. 3", "1", IB_NEAR(3.0, 0.1, 0.2), 2, UNKNOWN, ""),
};
static const ib_ClaimGroup groups[] = {{"Numbers", "printed", claims, 3}};

static ib_Status compute(ib_Findings *findings, ib_Error *error)
{
    (void)error;
    findings->values[1].form[0] = 2;
    return IB_OK;
}

static ib_Status fail_to_compute(ib_Findings *findings, ib_Error *error)
{
    (void)findings;
    return ib_error_set(error, IB_FAILED, "no bench");
}

static const ib_ClaimDocument small = {
    .name = "small",
    .title = "A small document",
    .forms = {"corrected"},
    .remark = "",
    .groups = groups,
    .group_count = 1,
    .row_count = 3,
    .compute = compute,
};

// Goal: a verdict that is not the expected one is told, and counted. Method: a document with one
// of three.
static void a_wrong_verdict_is_told(void **state)
{
    (void)state;
    ib_Findings *findings;
    ib_Error error;
    assert_int_equal(ib_findings_create(&small, &findings, &error), IB_OK);
    assert_int_equal(findings->unexpected, 1);
    assert_true(findings->judgements[0][0].ok);
    assert_false(findings->judgements[0][1].ok);
    assert_int_equal(findings->judgements[0][1].verdict, IB_VERDICT_FALSE);
    assert_true(findings->judgements[0][2].ok); // no value, as expected
    assert_int_equal(findings->counts[IB_VERDICT_HOLDS], 1);
    assert_int_equal(findings->counts[IB_VERDICT_FALSE], 1);
    assert_int_equal(findings->counts[IB_VERDICT_UNKNOWN], 1);
    ib_findings_destroy(findings);
}

// Goal: the page says so, too. Method: the small document's page, read as text.
static void the_page_tells_a_wrong_verdict(void **state)
{
    (void)state;
    char path[] = "/tmp/ib_claims_XXXXXX", text[20000] = "";
    int file = mkstemp(path);
    ib_Findings *findings;
    ib_Error error;
    assert_true(file >= 0 && close(file) == 0);
    assert_int_equal(ib_findings_create(&small, &findings, &error), IB_OK);
    assert_int_equal(ib_claims_report_write(findings, path, &error), IB_OK);
    ib_findings_destroy(findings);
    file = open(path, O_RDONLY);
    assert_true(file >= 0 && read(file, text, sizeof text - 1) > 0);
    close(file);
    remove(path);
    assert_non_null(strstr(text, "1 verdict not as expected"));
    assert_non_null(strstr(text, "does not hold; expected: holds"));
    assert_non_null(strstr(text, "a wrong verdict"));
}

// Goal: what cannot be computed is an error and gives nothing. Method: a bench that fails.
static void what_fails_gives_no_findings(void **state)
{
    (void)state;
    ib_ClaimDocument broken = small;
    ib_Findings *findings = NULL;
    ib_Error error;
    broken.compute = fail_to_compute;
    assert_int_equal(ib_findings_create(&broken, &findings, &error), IB_FAILED);
    assert_string_equal(error.text, "no bench");
    assert_null(findings);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        ib_plain_test(every_verdict_is_the_expected_one),
        cmocka_unit_test(every_document_has_its_errata),
        cmocka_unit_test(a_wrong_verdict_is_told),
        cmocka_unit_test(the_page_tells_a_wrong_verdict),
        cmocka_unit_test(what_fails_gives_no_findings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
