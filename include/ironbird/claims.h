// ironbird/claims.h: everything public of src/claims.
#ifndef IRONBIRD_CLAIMS_H
#define IRONBIRD_CLAIMS_H

