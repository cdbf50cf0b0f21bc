// claims/findings_text.h: the claims of a document with their verdicts, for people and as JSON.
#ifndef IB_CLAIMS_FINDINGS_TEXT_H
#define IB_CLAIMS_FINDINGS_TEXT_H

#include "claims/document.h"

#include <stdio.h>

void ib_findings_text(const ib_Findings *findings, FILE *file);
void ib_findings_json(const ib_Findings *findings, FILE *file);

#endif
