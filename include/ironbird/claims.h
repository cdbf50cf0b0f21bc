// ironbird/claims.h: everything public of src/claims.
#ifndef IRONBIRD_CLAIMS_H
#define IRONBIRD_CLAIMS_H

#include "claims/claim.h"
#include "claims/document.h"
#include "claims/report.h"

#endif
