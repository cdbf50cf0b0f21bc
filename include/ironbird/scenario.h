// ironbird/scenario.h: everything public of src/scenario.
#ifndef IRONBIRD_SCENARIO_H
#define IRONBIRD_SCENARIO_H

#include "scenario/catalogue.h"
#include "scenario/diagnostics.h"
#include "scenario/expect.h"
#include "scenario/scenario.h"
#include "scenario/schemas.h"
#include "scenario/sweep.h"

#endif
