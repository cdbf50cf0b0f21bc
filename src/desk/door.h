// desk/door.h: the desk as scenarios know it: `control: {design: FILE}`, and
// `control: {kind: arm_path, plan: FILE}`.
#ifndef IB_DESK_DOOR_H
#define IB_DESK_DOOR_H

#include "desk/plan_shelf.h"
#include "scenario/scenario.h"

// For ib_ScenarioOptions.designs.
extern const ib_DesignDoor ib_desk_door;

// The same for many scenarios: a plan is worked out once. The shelf lives as long as the door; what
// came through needs it no more.
ib_DesignDoor ib_desk_door_with(ib_PlanShelf *shelf);

#endif
