// robot/assembly/assembly_ports.c: inputs, signals, states and looks of a base with mechanisms.
#include "base/extreme.h"
#include "robot/assembly/assembly_inside.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const ib_SignalDef own_energies[IB__E_OWN] = {
    {IB_NAME_ENERGY("battery"), "J", "energy given by the battery's chemistry so far", 1e15,
     IB_MEANS(.role = IB_ROLE_SUPPLIED)},
    {IB_NAME_ENERGY("resistance"), "J", "energy lost in the battery's resistance so far", 0,
     IB_MEANS(.role = IB_ROLE_LOST)},
    {IB_NAME_ENERGY("background"), "J", "energy used by controller, radio and lights so far", 0,
     IB_MEANS(.role = IB_ROLE_LOST)},
};
static const ib_SignalDef energy_mechanisms = {IB_NAME_ENERGY("mechanisms"), "J",
                                               "energy taken from the bus by all mechanisms so far",
                                               0, IB_MEANS(.role = IB_ROLE_LOST)};
static const ib_SignalDef energy_error = {IB_NAME_ENERGY("error"), "J",
                                          "error of the energy book: battery - all the others", 0,
                                          IB_MEANS(.role = IB_ROLE_BALANCE)};

// ------------------------------------------------------------------------------------------- ports

static bool make_inputs(const ib__Assembly *a, int count, ib_Arena *arena, ib_RobotPorts *ports)
{
    ib_InputDef *in = ib_arena_array(arena, (size_t)count, sizeof *in);
    if (!in) return false;
    memcpy(in, ports->inputs, (size_t)ports->input_count * sizeof *in);
    bool good = true;
    if (a->own_air) good &= ib_pneumatics_inputs(&a->pneumatics, arena, in);
    for (int i = 0; i < a->count; i++) good &= ib_actuator_inputs(&a->items[i], arena, in);
    ports->inputs = in;
    ports->input_count = count;
    return good;
}

// The breakers of the mechanisms' bridges; those of the base are among its own signals.
static bool add_branches(const ib__Assembly *a, ib_Arena *arena, ib_SignalTable *table)
{
    for (int i = 0; a->power.branch_count > 0 && i < a->count; i++) {
        const ib_Actuator *item = &a->items[i];
        for (int k = 0; k < item->motors.count; k++) {
            const char *part = ib_actuator_drive_name(item, k, arena);
            const char *prefix = part ? ib_arena_format(arena, IB_PREFIX_BRANCH ".%s", part) : NULL;
            if (!prefix ||
                ib_signals_add_part(table, prefix, part, ib_branch_signals, IB_BREAKER_STATES) < 0)
                return false;
        }
    }
    return true;
}

static bool make_signals(ib__Assembly *a, ib_Arena *arena, ib_RobotPorts *ports)
{
    ib_SignalTable table = {.arena = arena};
    int good = ib_signals_add(&table, "", ports->signals, ports->signal_count);
    bool balanced = ib_signals_find(&table, IB_NAME_ENERGY("error")) >= 0;
    if (a->own_power)
        a->power_signal = ib_signals_add(&table, "", ib_power_signals, IB_POWER_SIGNALS);
    a->energy_signal = table.count;
    if (a->own_power) good |= ib_signals_add(&table, "", own_energies, IB__E_OWN);
    good |= ib_signals_add(&table, "", &energy_mechanisms, 1);
    if (!add_branches(a, arena, &table)) return false;
    if (!balanced) good |= ib_signals_add(&table, "", &energy_error, 1);
    if (a->own_air && !ib_pneumatics_signals(&a->pneumatics, &table)) return false;
    for (int i = 0; i < a->count; i++)
        if (!ib_actuator_signals(&a->items[i], &table)) return false;
    a->stored_signal = ib_signals_find(&table, IB_NAME_AIR_STORED);
    ports->signals = table.items;
    ports->signal_count = table.count;
    return good >= 0 && a->power_signal >= 0;
}

static bool make_states(const ib__Assembly *a, int count, ib_Arena *arena, ib_RobotPorts *ports)
{
    ib_StateDef *states = ib_arena_array(arena, (size_t)count, sizeof *states);
    int *shown = ib_arena_array(arena, (size_t)count, sizeof *shown);
    if (!states || !shown) return false;
    for (int i = 0; i < count; i++) shown[i] = -1;
    if (ports->states) memcpy(states, ports->states, (size_t)ports->state_count * sizeof *states);
    if (a->own_power) {
        shown[a->power.books.used] = a->power_signal + IB_POWER_SIGNAL_USED;
        shown[a->power.books.battery] = a->energy_signal + IB__E_BATTERY;
        shown[a->power.books.resistance] = a->energy_signal + IB__E_RESISTANCE;
        shown[a->power.books.background] = a->energy_signal + IB__E_BACKGROUND;
    }
    for (int i = 0; i < a->count; i++) ib_actuator_shown(&a->items[i], shown);
    for (int i = 0; i < count; i++)
        if (shown[i] >= 0) states[i].signal = ports->signals[shown[i]].name;
    ports->states = states;
    ports->state_count = count;
    return true;
}

// ------------------------------------------------------------------------------------------- looks

static bool add_looks(const ib__Assembly *a, const ib_OutfitConfig *outfit, ib_Arena *arena,
                      ib_RobotPorts *ports)
{
    static const ib_Geometry nothing = {0};
    const ib_Geometry *base = ports->geometry ? ports->geometry : &nothing;
    size_t most = (size_t)a->count;
    ib_FrameDef *frames = ib_arena_array(
        arena, (size_t)base->frame_count + most * (1 + IB_DRAFT_FRAMES), sizeof *frames);
    ib_SolidDef *solids =
        ib_arena_array(arena, (size_t)base->solid_count + most * IB_DRAFT_SOLIDS, sizeof *solids);
    ib_TraceDef *traces =
        ib_arena_array(arena, (size_t)base->trace_count + most * IB_DRAFT_TRACES, sizeof *traces);
    ib_Geometry *look = ib_arena_alloc(arena, sizeof *look);
    if (!frames || !solids || !traces || !look) return false;
    *look = *base;
    if (base->frame_count) memcpy(frames, base->frames, (size_t)base->frame_count * sizeof *frames);
    if (base->solid_count) memcpy(solids, base->solids, (size_t)base->solid_count * sizeof *solids);
    if (base->trace_count) memcpy(traces, base->traces, (size_t)base->trace_count * sizeof *traces);
    const char *body = ib_geometry_frame(base, "body") >= 0 ? "body" : NULL;
    for (int i = 0; a->hook >= 0 && body && i < base->frame_count; i++)
        if (strcmp(frames[i].name, body) == 0)
            frames[i].move[2] = ib_arena_format(arena, "%s.height", a->items[a->hook].name);
    for (int i = 0; i < a->count; i++) {
        const ib_Actuator *item = &a->items[i];
        ib_MechanismDraft draft = {.arena = arena, .name = item->name};
        draft.mount = ports->parts[i].frame;
        frames[look->frame_count++] = (ib_FrameDef){
            .name = draft.mount,
            .parent = body,
            .place = {item->config.place[0], item->config.place[1], item->config.place[2]}};
        if (item->mechanism.kind->look)
            item->mechanism.kind->look(&outfit->mechanisms.items[i].config, &draft);
        for (int k = 0; k < draft.frame_count; k++) frames[look->frame_count++] = draft.frames[k];
        for (int k = 0; k < draft.solid_count; k++) solids[look->solid_count++] = draft.solids[k];
        for (int k = 0; k < draft.trace_count; k++) traces[look->trace_count++] = draft.traces[k];
    }
    look->frames = frames;
    look->solids = solids;
    look->traces = traces;
    ports->geometry = look;
    return true;
}

bool ib__assembly_ports(ib__Assembly *a, const ib_OutfitConfig *outfit, const ib_Places *places,
                        ib_Arena *arena, ib_RobotPorts *ports)
{
    ports->guard_count = places->guards;
    return make_inputs(a, places->inputs, arena, ports) && make_signals(a, arena, ports) &&
           make_states(a, places->states, arena, ports) && ib__assembly_parts(a, arena, ports) &&
           add_looks(a, outfit, arena, ports);
}
