#include "claims/document.h"

#include <math.h>
#include <stdlib.h>

// Each document has one entry here.
const ib_ClaimDocument *const ib_claim_documents[] = {
    &ib_roomba_claims, &ib_motor_claims,    &ib_tank_claims,      &ib_control_claims,
    &ib_xdrive_claims, &ib_cylinder_claims, &ib_quadruped_claims, NULL,
};

static ib_Status judge(ib_Findings *findings, ib_Error *error)
{
    for (int i = 0; i < findings->group_count; i++) {
        const ib_ClaimGroup *group = &findings->groups[i];
        ib_Judgement *judgements =
            ib_arena_array(&findings->arena, (size_t)group->count + 1, sizeof *judgements);
        if (!judgements) return ib_error_set(error, IB_FAILED, "out of memory");
        findings->judgements[i] = judgements;
        for (int k = 0; k < group->count; k++) {
            judgements[k] = ib_claim_judge(&group->claims[k], findings->values);
            findings->counts[judgements[k].verdict]++;
            findings->unexpected += !judgements[k].ok;
        }
    }
    return IB_OK;
}

ib_Status ib_findings_create(const ib_ClaimDocument *document, ib_Findings **findings,
                             ib_Error *error)
{
    ib_Findings *own = *findings = calloc(1, sizeof *own);
    size_t rows = (size_t)document->row_count;
    if (own) own->values = ib_arena_array(&own->arena, rows, sizeof *own->values);
    ib_Status status = IB_OK;
    if (!own || !own->values) {
        status = ib_error_set(error, IB_FAILED, "out of memory");
    } else {
        own->document = document;
        own->group_count = document->group_count;
        for (int i = 0; i < document->group_count; i++) own->groups[i] = document->groups[i];
        for (size_t i = 0; i < rows; i++)
            for (int form = 0; form < IB_CLAIM_FORMS; form++) own->values[i].form[form] = NAN;
        status = document->compute(own, error);
    }
    if (status == IB_OK) status = judge(own, error);
    if (status == IB_OK) return IB_OK;
    ib_findings_destroy(own);
    *findings = NULL;
    return status;
}

void ib_findings_destroy(ib_Findings *findings)
{
    if (!findings) return;
    ib_arena_reset(&findings->arena);
    free(findings);
}
