// control/arm/arm_ports.h: what the kinds of loops of an arm have in common: which angles and
// voltages they are wired to, and goals by name. Used by the controllers of this folder.
#ifndef IB_CONTROL_ARM_PORTS_H
#define IB_CONTROL_ARM_PORTS_H

#include "control/controller.h"

// Reads both angles, and with `rates` both rates behind them; sets both voltages. Without sensors
// in the file they are the part's own, sampled ideally. `limit` becomes what the voltages' ranges
// leave of it.
ib_Status ib__arm_wire(const ib_WiringConfig *wiring, const ib_ControlSite *site, bool rates,
                       const char **reads, const char **sets, double *limit, ib_Error *error);

// The one command: a goal of the plan by its name. False without memory.
bool ib__arm_name_goals(const ib_ControlSite *site, ib_Arena *arena, ib_ControlPorts *ports);

// The goal that the command asks for, 0 .. count - 1.
static inline int ib__arm_goal(const ib_ArmPlan *plan, double command)
{
    int goal = (int)(command + 0.5), last = plan->goal_count - 1;
    return goal < 0 ? 0 : goal > last ? last : goal;
}

#endif
