// desk/design/design_loader.h: the desk as scenarios call it: `control: {design: FILE}`, and
// `control: {kind: arm_path, plan: FILE}`.
#ifndef IB_DESK_DESIGN_DESIGN_LOADER_H
#define IB_DESK_DESIGN_DESIGN_LOADER_H

#include "desk/plan/plan_cache.h"
#include "scenario/scenario.h"

// The value for ib_ScenarioOptions.designs.
extern const ib_DesignLoader ib_design_loader;

// The same for many scenarios: a plan is computed once. The cache must outlive the loader; the
// results do not need it.
ib_DesignLoader ib_design_loader_with(ib_PlanCache *cache);

#endif
