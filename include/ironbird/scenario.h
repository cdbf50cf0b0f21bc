// ironbird/scenario.h: everything public of src/scenario.
#ifndef IRONBIRD_SCENARIO_H
#define IRONBIRD_SCENARIO_H

#include "scenario/expectation.h"
#include "scenario/scenario.h"
#include "scenario/schemas.h"
#include "scenario/yaml_file.h"

#endif
