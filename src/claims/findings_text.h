// claims/findings_text.h: the claims of a document with their verdicts, for people and as JSON.
#ifndef IB_CLAIMS_FINDINGS_TEXT_H
#define IB_CLAIMS_FINDINGS_TEXT_H

#include "base/json.h"
#include "claims/document.h"

#include <stdio.h>

void ib_findings_text(const ib_Findings *findings, FILE *file);
void ib_findings_json(const ib_Findings *findings, FILE *file);

// The mistakes of a document, one label and one text a line; JSON: a list of objects in it.
void ib_errata_text(const ib_ClaimDocument *document, FILE *file);
void ib_errata_json(const ib_ClaimDocument *document, ib_Json *json);

#endif
