#include "robot/assembly.h"

#include "robot/look.h"
#include "robot/pneumatics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The model of a base with mechanisms on it.
typedef struct Assembly {
    ib_RobotKind kind; ///< the base's, with the functions below
    ib_Robot base;
    ib_PowerModel power;    ///< the base's, with the branches of all; or one of its own
    bool own_power;         ///< the base has none
    const ib_AirModel *air; ///< the base's or its own; NULL: there is none
    int air_state;          ///< where the air's states begin
    bool own_air;
    ib_Pneumatics pneumatics; ///< where the air is its own
    int count;
    ib_Actuator *items;
    int bridges;
    // Where signals lie among the robot's.
    int power_signal;  ///< ib_power_signals where it is the assembly's own
    int energy_signal; ///< those below
    int error_signal;  ///< energy.error
    int stored_signal; ///< air.stored; -1: there is no air
    bool own_error;    ///< the base shows none
} Assembly;

// What the supply of an assembly's own shows of its energies.
enum { E_BATTERY, E_RESISTANCE, E_BACKGROUND, E_OWN };
static const ib_SignalDef own_energies[E_OWN] = {
    {"energy.battery", "J", "given by the battery's chemistry so far", 1e15},
    {"energy.resistance", "J", "lost in the battery's resistance so far", 0},
    {"energy.background", "J", "used by controller and radio so far", 0},
};
static const ib_SignalDef energy_mechanisms = {"energy.mechanisms", "J",
                                               "taken from the bus by all mechanisms so far", 0};
static const ib_SignalDef energy_error = {"energy.error", "J",
                                          "what the book is off by: battery - all the others", 0};

// ----------------------------------------------------------------------------------------- the bus

static const ib_PoweredBase *powered(const Assembly *a)
{
    return a->own_power ? NULL : a->base.kind->powered;
}

// What the base's other load needs to be told.
typedef struct BaseLoad {
    const Assembly *a;
    const double *x, *input;
    bool on;
} BaseLoad;

static ib_Load load_at(const void *self, double volts)
{
    const BaseLoad *load = self;
    if (load->a->own_air)
        return ib_pneumatics_load(&load->a->pneumatics, load->x, load->input, load->on, volts);
    return load->a->base.kind->powered->load(load->a->base.model, load->x, load->input, load->on,
                                             volts);
}

// All bridges, and the bus that serves them.
static void solve(const Assembly *a, const double *x, const double *input, ib_Bridge *bridge,
                  ib_PowerNow *now)
{
    const ib_PoweredBase *base = powered(a);
    bool on = ib_power_on(&a->power, x);
    BaseLoad self = {a, x, input, on};
    ib_OtherLoad load = {load_at, &self};
    if (base) base->fill(a->base.model, x, input, on, bridge);
    for (int i = 0; i < a->count; i++)
        ib_actuator_bridges(&a->items[i], &a->power, x, input, on, bridge);
    bool other = a->own_air || (base && base->load);
    ib_power_solve(&a->power, x, bridge, a->bridges, other ? &load : NULL, now);
}

static ib_Feed feed_of(const Assembly *a, const double *x, const double *input,
                       const ib_PowerNow *now)
{
    ib_Feed feed = {.power = now, .gravity = input[IB_GRAVITY]};
    if (a->air) feed.air = ib_air_supply(a->air, x + a->air_state, ib_power_on(&a->power, x));
    return feed;
}

static ib_Cargo cargo_of(const Assembly *a, const double *x)
{
    ib_Cargo cargo = {0, 0, 0, 0};
    for (int i = 0; i < a->count; i++) ib_actuator_cargo(&a->items[i], x, &cargo);
    return cargo;
}

// ----------------------------------------------------------------------------- the kind's
// functions

static void rate(const void *model, const double *x, const double *input, double *dx)
{
    const Assembly *a = model;
    const ib_PoweredBase *base = powered(a);
    ib_Bridge bridge[IB_BRIDGES_MAX];
    ib_PowerNow now;
    solve(a, x, input, bridge, &now);
    ib_Feed feed = feed_of(a, x, input, &now);
    ib_Shared shared = {.power = &now};
    for (int i = 0; i < a->count; i++)
        ib_actuator_rate(&a->items[i], x, input, &feed, dx, &shared.draw);
    if (base) {
        ib_Cargo cargo = cargo_of(a, x);
        shared.cargo = &cargo;
        base->rate(a->base.model, x, input, &shared, dx);
    } else if (a->base.kind->rate) {
        a->base.kind->rate(a->base.model, x, input, dx);
    }
    if (a->own_air)
        ib_pneumatics_rate(&a->pneumatics, x, input, feed.air.on, &now, &shared.draw, dx);
    ib_power_rate(&a->power, x, &now, dx);
}

static void guard(const void *model, const double *x, const double *input, double *g)
{
    const Assembly *a = model;
    const ib_PowerModel *power = &a->power;
    const ib_PoweredBase *base = powered(a);
    ib_Bridge bridge[IB_BRIDGES_MAX];
    ib_PowerNow now;
    solve(a, x, input, bridge, &now);
    if (base)
        base->guard(a->base.model, x, input, g);
    else if (a->base.kind->guard)
        a->base.kind->guard(a->base.model, x, input, g);
    ib_power_breaker_margins(power, x, g);
    if (power->brownout_guard >= 0)
        g[power->brownout_guard] = ib_power_brownout_margin(power, x, now.bus.voltage);
    ib_Feed feed = feed_of(a, x, input, &now);
    for (int i = 0; i < a->count; i++) ib_actuator_guards(&a->items[i], x, input, &feed, g);
    if (a->own_air) ib_pneumatics_guards(&a->pneumatics, x, input, feed.air.on, g);
}

static void update(const void *model, int index, bool rising, const double *input, double *x)
{
    const Assembly *a = model;
    if (index < a->base.ports.guard_count && a->base.kind->update)
        a->base.kind->update(a->base.model, index, rising, input, x);
}

// One after the other: the bus is solved anew after each change.
static bool settle(const void *model, const double *input, double *x)
{
    const Assembly *a = model;
    const ib_PoweredBase *base = powered(a);
    ib_Bridge bridge[IB_BRIDGES_MAX];
    ib_PowerNow now;
    if (base ? base->settle(a->base.model, input, x)
             : a->base.kind->settle && a->base.kind->settle(a->base.model, input, x))
        return true;
    if (ib_power_settle_breakers(&a->power, x)) return true;
    if (a->own_air && ib_pneumatics_settle(&a->pneumatics, input, ib_power_on(&a->power, x), x))
        return true;
    solve(a, x, input, bridge, &now);
    if (a->power.brownout_state >= 0 && ib_power_settle_brownout(&a->power, now.bus.voltage, x))
        return true;
    for (int i = 0; i < a->count; i++)
        if (ib_actuator_settle_currents(&a->items[i], bridge, ib_power_fed(&a->power, x), x))
            return true;
    ib_Feed feed = feed_of(a, x, input, &now);
    for (int i = 0; i < a->count; i++)
        if (ib_actuator_settle(&a->items[i], input, &feed, x)) return true;
    return false;
}

static void reset(const void *config, const void *model, double *x)
{
    const Assembly *a = model;
    if (a->base.kind->reset) a->base.kind->reset(config, a->base.model, x);
    ib_power_reset(&a->power, x);
    if (a->own_air) ib_pneumatics_reset(&a->pneumatics, x);
    double working = a->air ? ib_air_supply(a->air, x + a->air_state, true).working : 0;
    for (int i = 0; i < a->count; i++) ib_actuator_reset(&a->items[i], working, x);
}

static void output(const void *model, const double *x, const double *input, double *y)
{
    const Assembly *a = model;
    const ib_PoweredBase *base = powered(a);
    ib_Bridge bridge[IB_BRIDGES_MAX];
    ib_PowerNow now;
    solve(a, x, input, bridge, &now);
    ib_Feed feed = feed_of(a, x, input, &now);
    if (base) {
        ib_Cargo cargo = cargo_of(a, x);
        ib_Shared shared = {.power = &now, .cargo = &cargo};
        base->output(a->base.model, x, input, &shared, y);
    } else if (a->base.kind->output) {
        a->base.kind->output(a->base.model, x, input, y);
    }
    // The supply's own book, and what the mechanisms made of their share.
    double taken = 0, errors = 0, supply = 0;
    for (int i = 0; i < a->count; i++) {
        const ib_Actuator *item = &a->items[i];
        double own = x[item->books + IB_ACTUATOR_ELECTRIC];
        ib_actuator_output(item, x, input, &feed, y);
        if (item->bridges > 0) taken += own;
        errors += own - ib_actuator_accounted(item, x, input[IB_GRAVITY]);
    }
    if (a->own_air) {
        ib_pneumatics_output(&a->pneumatics, x, input, feed.air.on, &now, y);
        supply -= x[a->pneumatics.state];
    }
    for (int i = 0; a->stored_signal >= 0 && i < a->count; i++)
        y[a->stored_signal] += ib_actuator_air(&a->items[i], x);
    double *energy = y + a->energy_signal;
    if (a->own_power) {
        const ib_PowerBooks *books = &a->power.books;
        ib_power_output(&a->power, x, &now, y + a->power_signal);
        energy[E_BATTERY] = x[books->battery];
        energy[E_RESISTANCE] = x[books->resistance];
        energy[E_BACKGROUND] = x[books->background];
        supply += x[books->battery] - x[books->resistance] - x[books->background];
        energy += E_OWN;
    }
    *energy = taken;
    for (int i = a->base.kind->powered && base ? base->bridges : 0; i < a->power.branch_count; i++)
        memcpy(energy + 1 + IB_BREAKER_STATES * (i - (base ? base->bridges : 0)),
               x + a->power.branch_state[i], IB_BREAKER_STATES * sizeof *y);
    y[a->error_signal] = (a->own_error ? 0 : y[a->error_signal]) + supply - taken + errors;
}

static ib_Twist answer(const void *model, const double *x, double jx, double jy, double turn,
                       double *change)
{
    const Assembly *a = model;
    return a->base.kind->answer(a->base.model, x, jx, jy, turn, change);
}

// The base's plan, with room for the inputs of the mechanisms.
static ib_Status plan(const void *model, const double *x, const ib_PathConfig *path,
                      ib_Arena *arena, ib_Plan *result, ib_Error *error)
{
    const Assembly *a = model;
    ib_Status status = a->base.kind->plan(a->base.model, x, path, arena, result, error);
    if (status != IB_OK) return status;
    size_t base = (size_t)a->base.ports.input_count, all = base;
    for (int i = 0; i < a->count; i++) all += 4 * IB_MECHANISM_DRIVES;
    ib_Timeline *timelines = ib_arena_array(arena, all, sizeof *timelines);
    if (!timelines) return ib_error_set(error, IB_FAILED, "out of memory for the plan");
    memcpy(timelines, result->timelines, base * sizeof *timelines);
    result->timelines = timelines;
    return IB_OK;
}

// --------------------------------------------------------------------------------------- the
// masses

// What is wrong with its start stands in `start:`, all else in its own map.
static ib_Status refuse(const ib_MechanismSpec *spec, ib_Status status, const ib_Error *part,
                        ib_Error *error)
{
    if (strncmp(part->text, "start.", 6) == 0)
        return ib_error_set(error, status, "start.%s.%.900s", spec->name, part->text + 6);
    return ib_error_set(error, status, "mechanisms.%s.%.900s", spec->name, part->text);
}

// Mass, and inertia about the base's origin with its centre where it is at the start:  m (x^2 +
// y^2)
static void carry(const ib_MechanismSpec *spec, const ib_Mechanism *mechanism,
                  ib_OutfitConfig *outfit)
{
    const ib_MechanismPorts *ports = &mechanism->ports;
    const void *config = &spec->config;
    const ib_ActuatorConfig *act = &((const ib_MechanismConfig *)config)->act;
    double x[IB_STATES_MAX] = {0}, centre[3] = {0, 0, 0};
    for (int j = 0; j < ports->joints; j++)
        if (ports->joint[j].position) x[ports->joint[j].position - 1] = act->position[j];
    if (spec->kind->centre) spec->kind->centre(&mechanism->model, x, centre);
    double px = act->place[0] + centre[0], py = act->place[1] + centre[1];
    outfit->carried += ports->mass;
    outfit->carried_inertia += ports->mass * (px * px + py * py);
}

ib_Status ib_assembly_carry(ib_OutfitConfig *outfit, ib_Error *error)
{
    outfit->carried = outfit->carried_inertia = 0;
    for (int i = 0; i < outfit->mechanisms.count; i++) {
        const ib_MechanismSpec *spec = &outfit->mechanisms.items[i];
        ib_Mechanism mechanism;
        ib_Error part;
        ib_Status status = ib_mechanism_spec_check(spec, &part);
        if (status == IB_OK)
            status = ib_mechanism_init(spec->kind, &spec->config, &mechanism, &part);
        if (status != IB_OK) return refuse(spec, status, &part, error);
        carry(spec, &mechanism, outfit);
    }
    return IB_OK;
}

// ------------------------------------------------------------------------------------------- ports

static bool add_inputs(const ib_Actuator *a, ib_Arena *arena, ib_InputDef *in)
{
    const ib_MechanismPorts *ports = &a->mechanism.ports;
    bool good = true;
    for (int i = 0; i < a->drive_count; i++) {
        double most = fmin(ports->gear[i].voltage, IB_COMMAND_SCALE);
        bool several = a->drive_count > 1;
        const char *name =
            several ? ib_arena_format(arena, "%s.%s", a->name, ports->input[i].name) : a->name;
        const char *effort = a->bridges == 0 ? "force" : "torque";
        const char *torque = name ? ib_arena_format(arena, "%s.%s", name, effort) : NULL;
        in[a->command + i] = (ib_InputDef){.name = name,
                                           .unit = "V",
                                           .sentence = "voltage command of its motors, 12 V scale",
                                           .role = IB_INPUT_COMMAND,
                                           .low = -most,
                                           .high = most,
                                           .limit = "the 12 V scale, or its voltage"};
        if (a->bridges == 0)
            in[a->command] = ib_word_input(name, "on: its cylinder extends", ib_switch_words);
        in[a->gain + i] = ib_gain_input(torque);
        good &= name && torque;
    }
    if (a->brake >= 0) {
        const char *name = ib_arena_format(arena, "%s.brake", a->name);
        in[a->brake] = ib_word_input(name, "on: its brake holds it", ib_switch_words);
        good &= name != NULL;
    }
    if (a->jolt >= 0) {
        const ib_MechanismKind *kind = a->mechanism.kind;
        const char *name = ib_arena_format(arena, "%s.%s", a->name, kind->jolt_name);
        in[a->jolt] = ib_word_input(name, kind->jolt_sentence, ib_switch_words);
        good &= name != NULL;
    }
    return good;
}

static bool make_inputs(const Assembly *a, int count, ib_Arena *arena, ib_RobotPorts *ports)
{
    ib_InputDef *in = ib_arena_array(arena, (size_t)count, sizeof *in);
    if (!in) return false;
    memcpy(in, ports->inputs, (size_t)ports->input_count * sizeof *in);
    bool good = true;
    if (a->own_air) good &= ib_pneumatics_inputs(&a->pneumatics, arena, in);
    for (int i = 0; i < a->count; i++) good &= add_inputs(&a->items[i], arena, in);
    ports->inputs = in;
    ports->input_count = count;
    return good;
}

static int find_signal(const ib_SignalTable *table, const char *name)
{
    return ib_signals_find(table, name);
}

// The breakers of the mechanisms' bridges; those of the base are among its own signals.
static bool add_branches(const Assembly *a, ib_Arena *arena, ib_SignalTable *table)
{
    for (int i = 0; a->power.branch_count > 0 && i < a->count; i++) {
        const ib_Actuator *item = &a->items[i];
        for (int k = 0; k < item->bridges; k++) {
            const char *side = item->mechanism.ports.input[k].name;
            const char *prefix = item->drive_count > 1
                                     ? ib_arena_format(arena, "branch.%s.%s", item->name, side)
                                     : ib_arena_format(arena, "branch.%s", item->name);
            if (!prefix || ib_signals_add(table, prefix, ib_branch_signals, IB_BREAKER_STATES) < 0)
                return false;
        }
    }
    return true;
}

static bool make_signals(Assembly *a, ib_Arena *arena, ib_RobotPorts *ports)
{
    ib_SignalTable table = {.arena = arena};
    int good = ib_signals_add(&table, "", ports->signals, ports->signal_count);
    a->error_signal = find_signal(&table, "energy.error");
    a->own_error = a->error_signal < 0;
    if (a->own_power)
        a->power_signal = ib_signals_add(&table, "", ib_power_signals, IB_POWER_SIGNALS);
    a->energy_signal = table.count;
    if (a->own_power) good |= ib_signals_add(&table, "", own_energies, E_OWN);
    good |= ib_signals_add(&table, "", &energy_mechanisms, 1);
    if (!add_branches(a, arena, &table)) return false;
    if (a->own_error) a->error_signal = ib_signals_add(&table, "", &energy_error, 1);
    if (a->own_air && !ib_pneumatics_signals(&a->pneumatics, &table)) return false;
    for (int i = 0; i < a->count; i++)
        if (!ib_actuator_signals(&a->items[i], &table)) return false;
    a->stored_signal = find_signal(&table, "air.stored");
    ports->signals = table.items;
    ports->signal_count = table.count;
    return good >= 0 && a->power_signal >= 0 && a->error_signal >= 0;
}

static bool make_states(const Assembly *a, int count, ib_Arena *arena, ib_RobotPorts *ports)
{
    ib_StateDef *states = ib_arena_array(arena, (size_t)count, sizeof *states);
    int *shown = ib_arena_array(arena, (size_t)count, sizeof *shown);
    if (!states || !shown) return false;
    for (int i = 0; i < count; i++) shown[i] = -1;
    if (ports->states) memcpy(states, ports->states, (size_t)ports->state_count * sizeof *states);
    if (a->own_power) {
        shown[a->power.books.used] = a->power_signal + IB_POWER_SIGNAL_USED;
        shown[a->power.books.battery] = a->energy_signal + E_BATTERY;
        shown[a->power.books.resistance] = a->energy_signal + E_RESISTANCE;
        shown[a->power.books.background] = a->energy_signal + E_BACKGROUND;
    }
    for (int i = 0; i < a->count; i++) ib_actuator_shown(&a->items[i], shown);
    for (int i = 0; i < count; i++)
        if (shown[i] >= 0) states[i].signal = ports->signals[shown[i]].name;
    ports->states = states;
    ports->state_count = count;
    return true;
}

// ---------------------------------------------------------------------------------------------
// looks

static bool add_looks(const Assembly *a, const ib_OutfitConfig *outfit, ib_Arena *arena,
                      ib_RobotPorts *ports)
{
    static const ib_Geometry nothing = {0};
    const ib_Geometry *base = ports->geometry ? ports->geometry : &nothing;
    size_t most = (size_t)a->count;
    ib_FrameDef *frames = ib_arena_array(
        arena, (size_t)base->frame_count + most * (1 + IB_DRAFT_FRAMES), sizeof *frames);
    ib_SolidDef *solids =
        ib_arena_array(arena, (size_t)base->solid_count + most * IB_DRAFT_SOLIDS, sizeof *solids);
    ib_Geometry *look = ib_arena_alloc(arena, sizeof *look);
    if (!frames || !solids || !look) return false;
    *look = *base;
    if (base->frame_count) memcpy(frames, base->frames, (size_t)base->frame_count * sizeof *frames);
    if (base->solid_count) memcpy(solids, base->solids, (size_t)base->solid_count * sizeof *solids);
    const char *body = ib_geometry_frame(base, "body") >= 0 ? "body" : NULL;
    for (int i = 0; i < a->count; i++) {
        const ib_Actuator *item = &a->items[i];
        ib_MechanismDraft draft = {.arena = arena, .name = item->name};
        draft.mount = ib_arena_format(arena, "%s.mount", item->name);
        if (!draft.mount) return false;
        frames[look->frame_count++] = (ib_FrameDef){
            .name = draft.mount,
            .parent = body,
            .place = {item->config.place[0], item->config.place[1], item->config.place[2]}};
        if (item->mechanism.kind->look)
            item->mechanism.kind->look(&outfit->mechanisms.items[i].config, &draft);
        for (int k = 0; k < draft.frame_count; k++) frames[look->frame_count++] = draft.frames[k];
        for (int k = 0; k < draft.solid_count; k++) solids[look->solid_count++] = draft.solids[k];
    }
    look->frames = frames;
    look->solids = solids;
    ports->geometry = look;
    return true;
}

// --------------------------------------------------------------------------------------------
// set-up

static void lay_out(const ib_OutfitConfig *outfit, Assembly *a, ib_Places *places)
{
    const ib_RobotPorts *base = &a->base.ports;
    *places = (ib_Places){
        .states = base->state_count, .inputs = base->input_count, .guards = base->guard_count};
    if (a->own_power) {
        ib_power_init(&outfit->power, &a->power);
        ib_power_lay_out(&outfit->power, &a->power, &places->states, &places->guards);
    } else {
        a->power = *a->base.kind->powered->power(a->base.model);
        places->bridges = a->base.kind->powered->bridges;
    }
    if (!a->own_power && a->base.kind->powered->air)
        a->air = a->base.kind->powered->air(a->base.model, &a->air_state);
    if (a->own_air) {
        ib_pneumatics_init(&outfit->air, &a->pneumatics);
        ib_pneumatics_lay_out(&a->pneumatics, places);
        a->air = &a->pneumatics.air;
        a->air_state = a->pneumatics.state + 1;
    }
    for (int i = 0; i < a->count; i++) {
        ib_Actuator *item = &a->items[i];
        ib_actuator_init(&outfit->mechanisms.items[i], a->air, item);
        ib_actuator_lay_out(item, places);
        for (int k = 0; k < item->bridges; k++)
            ib_power_branch(&outfit->power, &a->power, &places->states, &places->guards);
    }
    a->bridges = places->bridges;
}

static ib_RobotKind kind_of(const Assembly *a)
{
    ib_RobotKind kind = *a->base.kind;
    kind.rate = rate;
    kind.output = output;
    kind.reset = reset;
    kind.guard = guard;
    kind.update = update;
    kind.settle = settle;
    if (kind.answer) kind.answer = answer;
    if (kind.plan) kind.plan = plan;
    return kind;
}

// Is `other` this name, or does it begin with it and a dot?
static bool meets(const char *name, const char *other)
{
    size_t length = strlen(name);
    return strncmp(name, other, length) == 0 && (other[length] == '\0' || other[length] == '.');
}

// What a robot has already, so that no mechanism can be called so.
static const char *taken_by(const ib_Robot *base, const char *name)
{
    static const char *const others[] = {
        "hold",   "source",   "sensor",   "control",  "disturbance", "path",       "contact",
        "branch", "battery",  "breaker",  "energy",   "brownout",    "compressor", "air",
        "pose",   "cylinder", "velocity", "solenoid", NULL};
    for (int i = 0; i < base->ports.input_count; i++)
        if (meets(name, base->ports.inputs[i].name)) return base->ports.inputs[i].name;
    for (int i = 0; i < base->ports.signal_count; i++)
        if (meets(name, base->ports.signals[i].name)) return base->ports.signals[i].name;
    for (int i = 0; i < base->kind->start.count; i++)
        if (meets(name, base->kind->start.params[i].key)) return base->kind->start.params[i].key;
    for (int i = 0; others[i]; i++)
        if (strcmp(name, others[i]) == 0) return others[i];
    return NULL;
}

static ib_Status check_names(const ib_OutfitConfig *outfit, const ib_Robot *base, ib_Error *error)
{
    for (int i = 0; i < outfit->mechanisms.count; i++) {
        const char *name = outfit->mechanisms.items[i].name, *other = taken_by(base, name);
        if (other)
            return ib_error_set(error, IB_BAD_INPUT,
                                "mechanisms.%s: the %s has '%s' already: expected another name",
                                name, base->kind->name, other);
    }
    return IB_OK;
}

// The supply and the air, where they are the assembly's own; a cylinder needs air.
static ib_Status check_supplies(const ib_OutfitConfig *outfit, const Assembly *a, ib_Error *error)
{
    ib_Error part;
    ib_Status status = a->own_power ? ib_power_check(&outfit->power, error) : IB_OK;
    if (status == IB_OK && a->own_air && ib_air_check(&outfit->air, &part) != IB_OK)
        status = ib_error_set(error, IB_BAD_INPUT, "air.%.900s", part.text);
    for (int i = 0; status == IB_OK && i < a->count; i++) {
        const void *config = &outfit->mechanisms.items[i].config;
        if (!((const ib_MechanismConfig *)config)->act.piston.on || outfit->air.on) continue;
        status = ib_error_set(error, IB_BAD_INPUT,
                              "mechanisms.%s.cylinder: the robot has no air: expected air: with a "
                              "preset or a map",
                              outfit->mechanisms.items[i].name);
    }
    return status;
}

ib_Status ib_assembly_init(const ib_OutfitConfig *outfit, ib_Arena *arena, ib_Robot *robot,
                           ib_Error *error)
{
    Assembly *a = ib_arena_alloc(arena, sizeof *a);
    size_t count = (size_t)outfit->mechanisms.count;
    ib_Actuator *items = ib_arena_array(arena, count, sizeof *items);
    ib_Places places;
    if (!a || !items) return ib_error_set(error, IB_FAILED, "out of memory for the mechanisms");
    a->base = *robot;
    a->own_power = !robot->kind->powered;
    if (!a->own_power && !robot->kind->powered->power(robot->model))
        return ib_error_set(error, IB_BAD_INPUT,
                            "mechanisms: these equations of the %s know no bus that mechanisms "
                            "could share: expected equations: corrected",
                            robot->kind->name);
    a->count = (int)count;
    a->items = items;
    a->own_air = a->own_power && outfit->air.on;
    ib_Status status = check_names(outfit, robot, error);
    if (status == IB_OK) status = check_supplies(outfit, a, error);
    if (status != IB_OK) return status;
    lay_out(outfit, a, &places);
    ib_RobotPorts *ports = &robot->ports;
    ports->guard_count = places.guards;
    if (!make_inputs(a, places.inputs, arena, ports) || !make_signals(a, arena, ports) ||
        !make_states(a, places.states, arena, ports) || !add_looks(a, outfit, arena, ports))
        return ib_error_set(error, IB_FAILED, "out of memory for the mechanisms");
    if (a->own_air) {
        double own = ib_air_resolution(a->air);
        if (own > 0 && (ports->resolution == 0 || own < ports->resolution)) ports->resolution = own;
    }
    for (int i = 0; i < a->count; i++) {
        double own = ib_actuator_resolution(&a->items[i], a->power.battery.resistance);
        if (own > 0 && (ports->resolution == 0 || own < ports->resolution)) ports->resolution = own;
    }
    a->kind = kind_of(a);
    robot->kind = &a->kind;
    robot->model = a;
    return IB_OK;
}

// -------------------------------------------------------------------------------------------
// naming

static const ib_Schema *choose(const char *name, void *item)
{
    ib_MechanismSpec *spec = item;
    const ib_MechanismKind *kind = ib_mechanism_kind_find(name);
    if (!kind || kind->start.count == 0) return NULL;
    spec->kind = kind;
    return &kind->params;
}

static const ib_Schema *schema_of(const void *item)
{
    return &((const ib_MechanismSpec *)item)->kind->params;
}

// Those that can stand on a robot, one after the other.
static const char *kind_name(int index)
{
    for (int i = 0; ib_mechanism_kinds[i]; i++)
        if (ib_mechanism_kinds[i]->start.count > 0 && index-- == 0)
            return ib_mechanism_kinds[i]->name;
    return NULL;
}

// Keys of a motor and its gear mean that it has one.
static void note_given(void *item, const char *key)
{
    static const char *const motor[] = {
        "motor",  "motors",  "motors_per_side", "reduction",     "efficiency",   "voltage", "loss",
        "rotors", "current", "inductance",      "current_limit", "supply_limit", "neutral", NULL};
    ib_MechanismSpec *spec = item;
    if (strcmp(key, "gravity") == 0) spec->own_gravity = true;
    for (int i = 0; motor[i]; i++)
        if (strcmp(key, motor[i]) == 0)
            snprintf(spec->motor_key, sizeof spec->motor_key, "%s", key);
}

static const ib_KindedDef kinds = {"a kind of mechanism",
                                   choose,
                                   schema_of,
                                   kind_name,
                                   note_given,
                                   offsetof(ib_MechanismSpec, config)};

const ib_NamedDef ib_outfit_mechanisms = {
    .offset = offsetof(ib_MechanismSet, items) - offsetof(ib_MechanismSet, count),
    .size = sizeof(ib_MechanismSpec),
    .most = IB_MECHANISMS_MAX,
    .kinds = &kinds,
};
