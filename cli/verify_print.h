// cli/verify_print.h: the claims of a document with their verdicts, for people and as JSON.
#ifndef IB_CLI_VERIFY_PRINT_H
#define IB_CLI_VERIFY_PRINT_H

#include "claims/document.h"

#include <stdio.h>

void verify_print(const ib_Findings *findings, FILE *file);
void verify_print_json(const ib_Findings *findings, FILE *file);

#endif
