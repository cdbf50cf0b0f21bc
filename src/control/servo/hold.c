#include "control/servo/hold.h"

#include <string.h>

// The loop's goal, named after its state: lift.goal, lift.goal.position, lift.goal.x.
static bool name_goal(const ib_ControlSite *site, const ib_ControlPin *pin, ib_Arena *arena,
                      ib_ControlCommand *command)
{
    *command = (ib_ControlCommand){.name = ib_site_name(site, arena, "goal"),
                                   .unit = pin->unit,
                                   .sentence = ib_arena_format(arena, "wanted %s", pin->name),
                                   .low = -DBL_MAX,
                                   .high = DBL_MAX,
                                   .required = true,
                                   .kept = true};
    ib_command_limit(pin, command);
    if (pin->local) {
        const char *tail = strrchr(pin->name, '.');
        command->also[0] = ib_site_name(site, arena, ib_arena_format(arena, "goal.%s", tail + 1));
        if (!command->also[0]) return false;
        if (strcmp(tail + 1, pin->local) == 0) return command->name && command->sentence;
        command->also[1] = ib_site_name(site, arena, ib_arena_format(arena, "goal.%s", pin->local));
        if (!command->also[1]) return false;
    }
    return command->name && command->sentence;
}

// The meaning of the held signal, measured or true: if it is a headline, its goal is one, too, and
// both are shown in the same unit.
static ib_SignalMeaning seen_of(const ib_ControlSite *site, const ib_ControlPin *pin)
{
    const char *name = pin->signal ? pin->signal : pin->name;
    for (int i = 0; i < site->signal_count; i++) {
        const ib_SignalMeaning *means = &site->signals[i].means;
        if (strcmp(site->signals[i].name, name) == 0)
            return (ib_SignalMeaning){.headline = means->headline, .shown = means->shown};
    }
    return (ib_SignalMeaning){0};
}

static bool name_signals(const ib_HoldConfig *config, const ib_ControlSite *site,
                         const ib_HoldPins *pins, const char *wanted, ib_Arena *arena,
                         ib_ControlPorts *ports)
{
    int own = config->signals.count;
    ib_SignalMeaning seen = seen_of(site, &pins->reads);
    ib_SignalDef *signals = ib_arena_array(arena, (size_t)own + 2, sizeof *signals);
    if (!signals) return false;
    signals[0] = (ib_SignalDef){"goal", pins->reads.unit, wanted, 0, seen};
    for (int i = 0; i < own; i++) {
        ib_SignalDef *signal = &signals[1 + i];
        *signal = config->signals.items[i];
        if (strcmp(signal->unit, "Y") == 0) signal->means.shown = seen.shown;
        signal->unit = ib_control_units(signal->unit, pins->reads.unit, pins->sets.unit, arena);
        if (!signal->unit) return false;
    }
    signals[1 + own] = (ib_SignalDef){"output", pins->sets.unit, "output that the plant got", 0};
    ports->signal_count = own + 2;
    ports->signals = signals;
    return true;
}

static bool make_ports(const ib_HoldConfig *config, const ib_ControlSite *site,
                       const ib_HoldPins *pins, ib_Arena *arena, ib_ControlPorts *ports)
{
    ib_ControlCommand *goal = ib_arena_alloc(arena, sizeof *goal);
    const char **names = ib_arena_array(arena, 2, sizeof *names);
    if (!goal || !names || !name_goal(site, &pins->reads, arena, goal)) return false;
    names[0] = pins->reads.name;
    names[1] = pins->sets.name;
    ports->state_count = config->states;
    ports->command_count = 1;
    ports->commands = goal;
    ports->measurement_count = 1;
    ports->measurements = &names[0];
    ports->output_count = 1;
    ports->outputs = &names[1];
    return name_signals(config, site, pins, goal->sentence, arena, ports);
}

ib_Status ib_hold_init(const ib_HoldConfig *config, const ib_WiringConfig *wiring,
                       const ib_ControlSite *site, ib_Arena *arena, ib_HoldPins *pins,
                       ib_ControlPorts *ports, ib_Error *error)
{
    ib_Status status = ib_site_reading(site, &wiring->sensors, 0, 1, NULL, "value that it holds",
                                       &pins->reads, error);
    if (status == IB_OK)
        status = ib_site_setting(site, &wiring->inputs, 0, 1, NULL, "output", &pins->sets, error);
    if (status != IB_OK) return status;
    if (!make_ports(config, site, pins, arena, ports))
        return ib_error_set(error, IB_FAILED, "out of memory for a controller");
    return IB_OK;
}
