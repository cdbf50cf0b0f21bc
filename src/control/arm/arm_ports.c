#include "control/arm/arm_ports.h"

#include "base/extreme.h"

#include <string.h>

// State number `index` of the part in this unit, as the part calls it; NULL: it has none.
static const char *state_of(const ib_ControlPart *part, const char *unit, int index)
{
    for (int i = 0; part && i < part->state_count; i++)
        if (strcmp(part->states[i].unit, unit) == 0 && index-- == 0) return part->states[i].local;
    return NULL;
}

// Both angles, with `rates` both rates behind them; both voltages, and the rest of the limit.
static ib_Status wire(const ib_WiringConfig *wiring, const ib_ControlSite *site, bool rates,
                      const char **reads, const char **sets, double *limit, ib_Error *error)
{
    const ib_ControlPart *part = site->part;
    int count = rates ? 4 : 2;
    ib_ControlPin pin;
    if (part && wiring->sensors.count == 0 && !state_of(part, "rad", 1))
        return ib_error_set(error, IB_BAD_INPUT,
                            "'%s' is no arm of two links: expected a mechanism with two angles, "
                            "such as `kind: arm`",
                            part->name);
    for (int i = 0; i < count; i++) {
        const char *unit = i < 2 ? "rad" : "rad/s";
        ib_Status status = ib_site_reading(site, &wiring->sensors, i, count,
                                           state_of(part, unit, i % 2), "joint", &pin, error);
        if (status != IB_OK) return status;
        if (strcmp(pin.unit, unit) != 0)
            return ib_error_set(error, IB_BAD_INPUT, "sensors.%d: '%s' is in %s: expected the %s",
                                i, pin.name, pin.unit,
                                i < 2 ? "angle of a link" : "rate of a link, behind both angles");
        reads[i] = pin.name;
    }
    for (int i = 0; i < 2; i++) {
        ib_Status status = ib_site_setting(site, &wiring->inputs, i, 2, NULL, "joint", &pin, error);
        if (status != IB_OK) return status;
        if (strcmp(pin.unit, "V") != 0)
            return ib_error_set(error, IB_BAD_INPUT, "inputs.%d: '%s' is in %s: expected a voltage",
                                i, pin.name, pin.unit);
        *limit = ib_min(*limit, ib_min(pin.high, -pin.low));
        sets[i] = pin.name;
    }
    return IB_OK;
}

// The one command: a goal of the plan by its name. False without memory.
static bool name_goals(const ib_ControlSite *site, ib_Arena *arena, ib_ControlPorts *ports)
{
    const ib_ArmPlan *plan = site->plan;
    ib_ControlCommand *command = ib_arena_alloc(arena, sizeof *command);
    const char **words = ib_arena_array(arena, (size_t)plan->goal_count + 1, sizeof *words);
    if (!command || !words) return false;
    for (int i = 0; i < plan->goal_count; i++) words[i] = plan->goals[i].name;
    *command = (ib_ControlCommand){.name = ib_site_name(site, arena, "goal"),
                                   .unit = "1",
                                   .sentence = "the goal of the arm's plan to go to",
                                   .high = plan->goal_count - 1,
                                   .required = true,
                                   .kept = true,
                                   .words = words};
    ports->command_count = 1;
    ports->commands = command;
    return command->name != NULL;
}

ib_Status ib__arm_open(const ib_WiringConfig *wiring, const ib_Words *battery,
                       const ib_ControlSite *site, bool rates, ib_Arena *arena, double *limit,
                       ib_ControlPorts *ports, ib_Error *error)
{
    int count = rates ? 4 : 2;
    ib_ControlPin supply = {0};
    ib_Error reason;
    if (!site->plan)
        return ib_error_set(error, IB_BAD_INPUT, "'plan' is missing: expected a plan file");
    if (ib_arm_plan_check(site->plan, &reason) != IB_OK)
        return ib_error_set(error, IB_BAD_INPUT, "plan: %.900s", reason.text);
    const char **reads = ib_arena_array(arena, (size_t)count + 1, sizeof *reads);
    const char **sets = ib_arena_array(arena, 2, sizeof *sets);
    if (!reads || !sets) return ib__arm_no_memory(error);
    ib_Status status = wire(wiring, site, rates, reads, sets, limit, error);
    if (status == IB_OK && battery && battery->count > 0) {
        status = ib_site_battery(site, battery, &supply, error);
        reads[count++] = supply.name;
    }
    *ports = (ib_ControlPorts){
        .measurement_count = count, .measurements = reads, .output_count = 2, .outputs = sets};
    if (status != IB_OK) return status;
    return name_goals(site, arena, ports) ? IB_OK : ib__arm_no_memory(error);
}
