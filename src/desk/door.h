// desk/door.h: the desk's interface for scenarios: `control: {design: FILE}`, and `control: {kind:
// arm_path, plan: FILE}`.
#ifndef IB_DESK_DOOR_H
#define IB_DESK_DOOR_H

#include "desk/plan_shelf.h"
#include "scenario/scenario.h"

// The value for ib_ScenarioOptions.designs.
extern const ib_DesignDoor ib_desk_door;

// The same for many scenarios: a plan is computed once. The shelf must outlive the door; the
// results do not need it.
ib_DesignDoor ib_desk_door_with(ib_PlanShelf *shelf);

#endif
