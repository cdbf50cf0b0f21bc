// scenario/control.h: declarations shared by the files that read `control:`. Internal to
// this folder.
#ifndef IB_SCENARIO_CONTROL_H
#define IB_SCENARIO_CONTROL_H

#include "base/number_list.h"
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

// A controller of a kind of ours (scenario/control_loop.c), or of a plug-in's (control_plugin.c);
// NULL: mistakes.
const ib_Controller *ib__read_controller(const ib__LoopReader *loop);
const ib_Controller *ib__read_plugin(const ib__LoopReader *loop, const ib_Node *node);

// The numbers that a plug-in is told by name (scenario/plugin_world.c); NULL without memory.
const ib_NumberList *ib__find_plugin_world(const ib__LoopReader *loop);

// A mistake in a loop: "gears.1: text" is shown at that key, or at the innermost existing map; a
// missing key, or a mistake without a key, at the loop.
void ib__refuse_loop(const ib__LoopReader *loop, const char *text);

// A loop without a part that sets a part's input acts on that part.
void ib__find_part(const ib__LoopReader *loop, const ib_Words *inputs, ib_ControlSite *site);

// Finds the base with its abilities and its start; `what` it cannot do, if nothing can move it.
// False without memory.
bool ib__find_base(const ib__ScenarioReader *scenario, const ib__Robot *robot, const char *what,
                   ib_ControlSite *site);

// The elements of a path, behind those that are there (scenario/path.c).
void ib__read_path(ib_Reader *reader, const ib_Node *node, ib_PathConfig *path);

// True for a routine: a loop of this name, or a map with steps.
bool ib__is_routine(const ib_Node *loop);

// The map of a routine that may be its list of steps, or the name of its file; NULL: mistakes.
ib_Node *ib__wrap_routine(ib_Reader *reader, ib_Node *routine);

// Collects a routine in its loop's map: the keys of the map itself over those under `routine`, over
// those of its file. False: mistakes.
bool ib__lay_routine(ib_Reader *reader, ib_Node *map);

// The list of steps in the map of a loop; NULL: there is none.
const ib_Node *ib__routine_steps(const ib_Node *map);

// The steps of `routine:`, for a robot as `site` has it, and where each stands
// (scenario/routine.c); NULL: mistakes.
const ib_RoutineDraft *ib__read_routine(const ib__LoopReader *loop, const ib_Node *node,
                                        const ib_ControlSite *site, const ib_Node *const **nodes);

// Fixed objects of a field, and the room that a robot needs to turn (scenario/obstacles.c); NULL:
// no objects, or no memory.
const ib_DetourConfig *ib__find_obstacles(const ib_FieldConfig *field, const ib_RobotPorts *ports,
                                          ib_Arena *arena);
// Points that the robot cannot reach are mistakes where they are certain, else warnings; `nodes`:
// where each step stands (scenario/routine_reach.c).
void ib__check_reach(const ib__LoopReader *loop, const ib_RoutineDraft *draft,
                     const ib_Node *const *nodes, const ib_ControlPorts *ports);

#endif
