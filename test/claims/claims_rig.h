// test/claims/claims_rig.h: the findings of a document, and one of its claims by how it begins.
#ifndef IB_TEST_CLAIMS_RIG_H
#define IB_TEST_CLAIMS_RIG_H

#include "cmocka_all.h"

#include "claims/document.h"

#include <string.h>

static ib_Findings *rig_findings; ///< of the document under test, made once for its file

static inline int rig_compute(const ib_ClaimDocument *document)
{
    ib_Error error;
    if (ib_findings_create(document, &rig_findings, &error) == IB_OK) return 0;
    print_error("%s\n", error.text);
    return -1;
}

static inline int rig_forget(void **state)
{
    (void)state;
    ib_findings_destroy(rig_findings);
    return 0;
}

// The only claim whose text begins so and whose place begins with `where` ("": any).
static inline ib_Judgement rig_claim(const char *where, const char *begin)
{
    ib_Judgement found = {.verdict = IB_VERDICT_UNKNOWN};
    int count = 0;
    for (int i = 0; i < rig_findings->group_count; i++) {
        for (int k = 0; k < rig_findings->groups[i].count; k++) {
            const ib_Claim *claim = &rig_findings->groups[i].claims[k];
            if (strncmp(claim->claim, begin, strlen(begin)) ||
                strncmp(claim->where, where, strlen(where)))
                continue;
            found = rig_findings->judgements[i][k];
            count++;
        }
    }
    if (count != 1) print_error("%d claims begin with '%s', '%s'\n", count, where, begin);
    assert_int_equal(count, 1);
    return found;
}

// The claim's computed value and its verdict.
#define assert_claim(where, begin, value, tolerance, verdict_)                                     \
    do {                                                                                           \
        ib_Judgement judgement_ = rig_claim(where, begin);                                         \
        if (!(fabs(judgement_.computed - (value)) <= (tolerance)) ||                               \
            judgement_.verdict != IB_VERDICT_##verdict_)                                           \
            print_error("%s: '%s'\n", begin, ib_verdict_name(judgement_.verdict));                 \
        assert_close(judgement_.computed, value, tolerance);                                       \
        assert_int_equal(judgement_.verdict, IB_VERDICT_##verdict_);                               \
    } while (0)

#endif
