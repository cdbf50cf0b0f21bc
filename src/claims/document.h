// claims/document.h: the claims of a source document beside the program's values.
//
// A document is a const table of claims in groups and one function that computes every value the
// table refers to. Findings are the values with the verdicts that follow from them; `ironbird
// verify` prints them.
#ifndef IB_CLAIMS_DOCUMENT_H
#define IB_CLAIMS_DOCUMENT_H

#include "base/arena.h"
#include "claims/claim.h"
#include "report/text.h"
#include "robot/errata.h"

#include <stddef.h>

typedef struct ib_Findings ib_Findings;

typedef struct ib_ClaimGroup {
    const char *title;      ///< the subject of its claims
    const char *heading;    ///< of the column with the published values
    const ib_Claim *claims; ///< `count` of them
    int count;
    const char *const *forms; ///< headings of its computed values; NULL: those of the document
} ib_ClaimGroup;

// A group of all the claims in an array.
#define IB_CLAIM_GROUP(title, heading, claims)                                                     \
    {                                                                                              \
        title, heading, claims, IB_CLAIM_COUNT(claims), NULL                                       \
    }

// A table that a document shows beside its claims; its cells are made one by one.
typedef struct ib_ClaimTable {
    const char *title;           ///< its subject
    const char *const *headings; ///< NULL-terminated; one over numbers begins with '#'
    // Writes a cell; false: no such row.
    bool (*cell)(const ib_Findings *findings, int row, int column, char *text, size_t size);
} ib_ClaimTable;

enum { IB_CLAIM_GROUPS = 12 }; ///< of one document at most

typedef struct ib_ClaimDocument {
    const char *name;                  ///< as in `ironbird verify NAME`
    const char *title;                 ///< of the document
    const char *forms[IB_CLAIM_FORMS]; ///< headings of the computed values; NULL: no such column
    const char *remark;                ///< below the table
    const ib_Erratum *errata;          ///< its mistakes
    const ib_ClaimGroup *groups;       ///< in the order of display
    int group_count;                   ///< 1 .. IB_CLAIM_GROUPS
    int row_count;                     ///< of computed values, including the empty one
    // Fills `values`, which are all NAN before; may add a group of claims and details.
    ib_Status (*compute)(ib_Findings *findings, ib_Error *error);
    const ib_ClaimTable *const *tables; ///< before the claims, NULL-terminated; NULL: none
    // Appends the figures of a report; NULL: none. A figure that cannot be drawn gives the reason.
    void (*figures)(const ib_Findings *findings, ib_Text *html);
} ib_ClaimDocument;

// The computed values for a document, and the verdicts.
struct ib_Findings {
    const ib_ClaimDocument *document;
    ib_Arena arena;                            ///< of all that follows
    ib_ClaimValue *values;                     ///< `document->row_count` rows
    ib_ClaimGroup groups[IB_CLAIM_GROUPS];     ///< the document's, and those from its data
    int group_count;                           ///< of both
    ib_Judgement *judgements[IB_CLAIM_GROUPS]; ///< of each group: one for each claim, in order
    int counts[IB_VERDICTS];                   ///< claims of each verdict
    int unexpected;                            ///< claims whose verdict is not the expected one
    const void *details;                       ///< the document's further results; NULL: none
};

// The heading of a form's column in one of its groups; NULL: no such column.
static inline const char *ib_findings_form(const ib_Findings *findings, int group, int form)
{
    const char *const *forms = findings->groups[group].forms;
    return form < IB_CLAIM_FORMS ? (forms ? forms : findings->document->forms)[form] : NULL;
}

// Computes and judges.
ib_Status ib_findings_create(const ib_ClaimDocument *document, ib_Findings **findings,
                             ib_Error *error);
void ib_findings_destroy(ib_Findings *findings);

extern const ib_ClaimDocument ib_roomba_claims, ib_motor_claims, ib_tank_claims, ib_control_claims,
    ib_xdrive_claims, ib_cylinder_claims, ib_quadruped_claims;

extern const ib_ClaimDocument *const ib_claim_documents[]; ///< all of them; ends with NULL

#endif
