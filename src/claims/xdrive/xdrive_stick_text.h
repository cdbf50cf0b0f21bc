// claims/xdrive/xdrive_stick_text.h: each law of mixing on one stick, for people and as JSON.
#ifndef IB_CLAIMS_XDRIVE_XDRIVE_STICK_TEXT_H
#define IB_CLAIMS_XDRIVE_XDRIVE_STICK_TEXT_H

#include "base/status.h"
#include "control/driving/stick.h"

#include <stdio.h>

// Reads "x,y,turn", each from -1 to 1; the error has the expected and the actual text.
ib_Status ib_xdrive_stick_read(const char *text, ib_Stick *stick, ib_Error *error);

void ib_xdrive_stick_text(const ib_Stick *stick, FILE *file);
void ib_xdrive_stick_json(const ib_Stick *stick, FILE *file);

#endif
