// cli/verify_stick.h: what each law of mixing makes of one stick, for people and as JSON.
#ifndef IB_CLI_VERIFY_STICK_H
#define IB_CLI_VERIFY_STICK_H

#include "base/status.h"
#include "control/stick.h"

#include <stdio.h>

// Reads "x,y,turn", each from -1 to 1; the error says what was expected and what is there.
ib_Status verify_stick_read(const char *text, ib_Stick *stick, ib_Error *error);

void verify_stick_print(const ib_Stick *stick, FILE *file);
void verify_stick_json(const ib_Stick *stick, FILE *file);

#endif
