// control/arm/arm_ports.h: the common part of an arm's kinds of loops: wiring of angles and
// voltages, and goals by name. Used by the controllers of this folder.
#ifndef IB_CONTROL_ARM_PORTS_H
#define IB_CONTROL_ARM_PORTS_H

#include "control/controller.h"

// The beginning of every loop of an arm: a valid plan, measurements, outputs and the one command, a
// goal of the plan by its name. Reads both angles, with `rates` both rates behind them, and the
// voltage of `battery` last, if that names one (NULL: none); sets both voltages. Without sensors in
// the file they are the part's own, sampled ideally. `limit` is reduced to the voltages' ranges.
// The rest of `ports` is none.
ib_Status ib__arm_open(const ib_WiringConfig *wiring, const ib_Words *battery,
                       const ib_ControlSite *site, bool rates, ib_Arena *arena, double *limit,
                       ib_ControlPorts *ports, ib_Error *error);

static inline ib_Status ib__arm_no_memory(ib_Error *error)
{
    return ib_error_set(error, IB_FAILED, "out of memory for a controller");
}

// The goal that the command asks for, 0 .. count - 1.
static inline int ib__arm_goal(const ib_ArmPlan *plan, double command)
{
    int goal = (int)(command + 0.5), last = plan->goal_count - 1;
    return goal < 0 ? 0 : goal > last ? last : goal;
}

#endif
