// desk/door.h: the desk as scenarios know it: `control: {design: FILE}`, and
// `control: {kind: arm_path, plan: FILE}`.
#ifndef IB_DESK_DOOR_H
#define IB_DESK_DOOR_H

#include "scenario/scenario.h"

// For ib_ScenarioOptions.designs.
extern const ib_DesignDoor ib_desk_door;

#endif
