#include "claims/claim.h"

#include "base/units.h"

const char *ib_verdict_name(ib_Verdict verdict)
{
    static const char *const names[IB_VERDICTS] = {
        [IB_VERDICT_HOLDS] = "holds",
        [IB_VERDICT_NEARLY] = "approximately",
        [IB_VERDICT_FALSE] = "does not hold",
        [IB_VERDICT_UNKNOWN] = "not computed",
    };
    return names[verdict];
}

static ib_Verdict judge_number(const ib_ClaimRule *rule, double published, double computed)
{
    double gap = computed - published;
    if (!isfinite(gap)) return IB_VERDICT_UNKNOWN;
    if (gap >= -rule->below && gap <= rule->above) return IB_VERDICT_HOLDS;
    return fabs(gap) <= rule->nearly ? IB_VERDICT_NEARLY : IB_VERDICT_FALSE;
}

// A printed unit is right if its dimension is that of its quantities.
static ib_Verdict judge_unit(const ib_Claim *claim)
{
    ib_Dimension printed, wanted, required;
    ib_Error error;
    if (ib_units_dimension(claim->published_unit, &printed, &error) != IB_OK ||
        ib_units_dimension(claim->made_of, &wanted, &error) != IB_OK ||
        ib_units_dimension(claim->unit, &required, &error) != IB_OK ||
        !ib_dimension_equal(wanted, required))
        return IB_VERDICT_UNKNOWN;
    return ib_dimension_equal(printed, wanted) ? IB_VERDICT_HOLDS : IB_VERDICT_FALSE;
}

ib_Judgement ib_claim_judge(const ib_Claim *claim, const ib_ClaimValue *values)
{
    const ib_ClaimRule *rule = &claim->rule;
    ib_Judgement judgement = {.published = NAN, .computed = NAN};
    if (claim->published_unit) {
        judgement.verdict = judge_unit(claim);
    } else {
        judgement.published = rule->row > 0 ? values[rule->row].form[rule->form] : rule->published;
        judgement.computed = values[claim->row].form[claim->form];
        judgement.verdict = judge_number(rule, judgement.published, judgement.computed);
    }
    judgement.ok = judgement.verdict == claim->expected;
    return judgement;
}
