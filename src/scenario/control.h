// scenario/control.h: what the files that read `control:` share. Internal to this folder.
#ifndef IB_SCENARIO_CONTROL_H
#define IB_SCENARIO_CONTROL_H

#include "scenario/scenario_inside.h"

// A loop on its way from the file.
typedef struct ib__LoopReader {
    const ib__ScenarioReader *scenario;
    ib_Reader *reader; ///< of the scenario
    ib__Robot *robot;
    const char *name; ///< "": the only one
    ib_Node *map;
    ib_PathConfig *path; ///< of `path:`; NULL: none
} ib__LoopReader;

// The loop, the robot's ports extended by it; NULL: mistakes.
const ib_Controller *ib__read_loop(const ib__LoopReader *loop);

// The steps of `routine:`, for a robot as `site` has it (scenario/routine.c); NULL: mistakes.
const ib_RoutineDraft *ib__read_routine(const ib__LoopReader *loop, const ib_Node *node,
                                        const ib_ControlSite *site);

// Points that the robot cannot reach are mistakes where they are certain, else warnings; `nodes`:
// where each step stands (scenario/routine_reach.c).
void ib__check_reach(const ib__LoopReader *loop, const ib_ControlSite *site,
                     const ib_RoutineDraft *draft, const ib_Node *const *nodes);

#endif
