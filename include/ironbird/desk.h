// ironbird/desk.h: everything public of src/desk.
#ifndef IRONBIRD_DESK_H
#define IRONBIRD_DESK_H

#include "desk/design/design_changes.h"
#include "desk/design/design_export.h"
#include "desk/design/design_file.h"
#include "desk/design/design_json.h"
#include "desk/design/design_knobs.h"
#include "desk/design/design_loader.h"
#include "desk/design/design_table.h"
#include "desk/fact.h"
#include "desk/table_json.h"
#include "desk/table_text.h"
#include "desk/trial/trial.h"
#include "desk/trial/trial_bench.h"
#include "desk/trial/trial_pair.h"
#include "desk/trial/trial_pair_json.h"
#include "desk/trial/trial_table.h"

#endif
