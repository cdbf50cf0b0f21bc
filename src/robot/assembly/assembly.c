#include "robot/assembly/assembly_inside.h"

#include <string.h>

// ----------------------------------------------------------------------------------------- the bus

static const ib_PoweredBase *powered(const ib__Assembly *a)
{
    return a->own_power ? NULL : a->base.kind->powered;
}

// What the base's other load needs to be told.
typedef struct BaseLoad {
    const ib__Assembly *a;
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

// The bus at one instant, and what it and the air feed the mechanisms with.
typedef struct Instant {
    ib_Wires wires;
    ib_MotorRowNotes motors[IB_MECHANISMS_MAX];
} Instant;

// All bridges, the bus that serves them, and the torques of the mechanisms' motors.
static void solve_instant(const ib__Assembly *a, const double *x, const double *input, Instant *at)
{
    const ib_PoweredBase *base = powered(a);
    ib_Wires *w = &at->wires;
    w->x = x;
    w->input = input;
    w->feed = &a->feed;
    w->gravity = input[IB_GRAVITY];
    w->on = ib_power_on(&a->power, x);
    w->mount = (ib_Mount){0};
    w->draw = (ib_AirDraw){0};
    BaseLoad self = {a, x, input, w->on};
    ib_OtherLoad load = {load_at, &self};
    if (base) base->fill(a->base.model, x, input, w->on, w->bridge);
    for (int i = 0; i < a->count; i++) ib_actuator_offer(&a->items[i], w);
    bool other = a->own_air || (base && base->load);
    ib_power_solve(&a->power, x, w->bridge, a->bridges, other ? &load : NULL, &w->power);
    w->air = a->air ? ib_air_supply(a->air, x + a->air_state, w->on) : (ib_AirSupply){0};
    for (int i = 0; i < a->count; i++) ib_motor_row_push(&a->items[i].motors, &at->motors[i], w);
}

static ib_Cargo cargo_of(const ib__Assembly *a, const double *x)
{
    ib_Cargo cargo = {0};
    for (int i = 0; i < a->count; i++) ib_actuator_cargo(&a->items[i], x, &cargo);
    return cargo;
}

// ---------------------------------------------------------------------------------------- the base

// Rates of the base's states under these inputs.
static void rate_base(const ib__Assembly *a, const double *x, const double *input,
                      ib_Shared *shared, double *dx)
{
    const ib_PoweredBase *base = powered(a);
    if (base) {
        ib_Cargo cargo = cargo_of(a, x);
        shared->cargo = &cargo;
        base->rate(a->base.model, x, input, shared, dx);
        shared->cargo = NULL;
    } else if (a->base.kind->rate) {
        a->base.kind->rate(a->base.model, x, input, dx);
    }
}

// What the mechanism that sways feels of the base: how that would move without it.
static void feel_base(const ib__Assembly *a, const double *x, const double *input, Instant *at)
{
    double dx[IB__SWAYED_STATES];
    if (a->swayed < 0) return;
    ib_Shared shared = {.power = &at->wires.power};
    rate_base(a, x, input, &shared, dx);
    at->wires.mount = ib__assembly_mount(a, x, input, dx);
}

// The base's inputs, with what a hook or a mechanism that sways does to it.
static const double *base_inputs(const ib__Assembly *a, const double *x, const double *input,
                                 Instant *at, double own[IB__HOISTED_INPUTS])
{
    if (a->swayed < 0) return ib__assembly_hoisted(a, x, input, own);
    feel_base(a, x, input, at);
    double F = ib_actuator_reaction(&a->items[a->swayed], &at->wires);
    return ib__assembly_pushed(a, x, input, F, own);
}

// --------------------------------------------------------------------------- functions of the kind

static void rate(const void *model, const double *x, const double *input, double *dx)
{
    const ib__Assembly *a = model;
    Instant at;
    double own[IB__HOISTED_INPUTS];
    solve_instant(a, x, input, &at);
    const double *felt = base_inputs(a, x, input, &at, own);
    ib_Shared shared = {.power = &at.wires.power};
    for (int i = 0; i < a->count; i++) ib_actuator_rate(&a->items[i], &at.motors[i], &at.wires, dx);
    shared.draw = at.wires.draw;
    rate_base(a, x, felt, &shared, dx);
    if (a->own_air)
        ib_pneumatics_rate(&a->pneumatics, x, input, at.wires.air.on, &at.wires.power, &shared.draw,
                           dx);
    ib_power_rate(&a->power, x, &at.wires.power, dx);
}

static void guard(const void *model, const double *x, const double *input, double *g)
{
    const ib__Assembly *a = model;
    const ib_PowerModel *power = &a->power;
    const ib_PoweredBase *base = powered(a);
    Instant at;
    solve_instant(a, x, input, &at);
    if (base)
        base->guard(a->base.model, x, input, g);
    else if (a->base.kind->guard)
        a->base.kind->guard(a->base.model, x, input, g);
    ib_power_breaker_margins(power, x, g);
    if (power->brownout_guard >= 0)
        g[power->brownout_guard] = ib_power_brownout_margin(power, x, at.wires.power.bus.voltage);
    feel_base(a, x, input, &at);
    for (int i = 0; i < a->count; i++) ib_actuator_guards(&a->items[i], &at.wires, g);
    if (a->own_air) ib_pneumatics_guards(&a->pneumatics, x, input, at.wires.air.on, g);
}

static void update(const void *model, int index, bool rising, const double *input, double *x)
{
    const ib__Assembly *a = model;
    if (index < a->base.ports.guard_count && a->base.kind->update)
        a->base.kind->update(a->base.model, index, rising, input, x);
}

// One after the other: the bus is solved anew after each change.
static bool settle(const void *model, const double *input, double *x)
{
    const ib__Assembly *a = model;
    const ib_PoweredBase *base = powered(a);
    Instant at;
    double kick = 0;
    if (base ? base->settle(a->base.model, input, x)
             : a->base.kind->settle && a->base.kind->settle(a->base.model, input, x))
        return true;
    if (ib_power_settle_breakers(&a->power, x)) return true;
    if (a->own_air && ib_pneumatics_settle(&a->pneumatics, input, ib_power_on(&a->power, x), x))
        return true;
    solve_instant(a, x, input, &at);
    if (a->power.brownout_state >= 0 &&
        ib_power_settle_brownout(&a->power, at.wires.power.bus.voltage, x))
        return true;
    for (int i = 0; i < a->count; i++)
        if (ib_motor_row_settle(&a->items[i].motors, &at.wires, x)) return true;
    feel_base(a, x, input, &at);
    for (int i = 0; i < a->count; i++) {
        if (!ib_actuator_settle(&a->items[i], &at.wires, x, &kick)) continue;
        if (kick != 0) ib__assembly_kick(a, kick, x);
        return true;
    }
    return false;
}

static void reset(const void *config, const void *model, double *x)
{
    const ib__Assembly *a = model;
    if (a->base.kind->reset) a->base.kind->reset(config, a->base.model, x);
    ib_power_reset(&a->power, x);
    if (a->own_air) ib_pneumatics_reset(&a->pneumatics, x);
    double working = a->air ? ib_air_supply(a->air, x + a->air_state, true).working : 0;
    for (int i = 0; i < a->count; i++) ib_actuator_reset(&a->items[i], working, x);
}

static void output(const void *model, const double *x, const double *input, double *y)
{
    const ib__Assembly *a = model;
    const ib_PoweredBase *base = powered(a);
    Instant at;
    solve_instant(a, x, input, &at);
    if (base) {
        ib_Cargo cargo = cargo_of(a, x);
        ib_Shared shared = {.power = &at.wires.power, .cargo = &cargo};
        double own[IB__HOISTED_INPUTS];
        base->output(a->base.model, x, base_inputs(a, x, input, &at, own), &shared, y);
    } else if (a->base.kind->output) {
        a->base.kind->output(a->base.model, x, input, y);
    }
    // The supply's own book, and what the mechanisms made of their share.
    double taken = 0;
    for (int i = 0; i < a->count; i++) {
        const ib_Actuator *item = &a->items[i];
        ib_actuator_output(item, &at.wires, y);
        if (item->motors.count > 0) taken += x[item->books + IB_ACTUATOR_ELECTRIC];
    }
    if (a->own_air)
        ib_pneumatics_output(&a->pneumatics, x, input, at.wires.air.on, &at.wires.power, y);
    for (int i = 0; a->stored_signal >= 0 && i < a->count; i++)
        y[a->stored_signal] += ib_actuator_air(&a->items[i], x);
    double *energy = y + a->energy_signal;
    if (a->own_power) {
        const ib_PowerBooks *books = &a->power.books;
        ib_power_output(&a->power, x, &at.wires.power, y + a->power_signal);
        energy[IB__E_BATTERY] = x[books->battery];
        energy[IB__E_RESISTANCE] = x[books->resistance];
        energy[IB__E_BACKGROUND] = x[books->background];
        energy += IB__E_OWN;
    }
    *energy = taken;
    int first = base ? base->bridges(a->base.model) : 0; // the base shows its own branches
    for (int i = first; i < a->power.branch_count; i++)
        memcpy(energy + 1 + IB_BREAKER_STATES * (i - first), x + a->power.branch_state[i],
               IB_BREAKER_STATES * sizeof *y);
}

static ib_Twist answer(const void *model, const double *x, double jx, double jy, double turn,
                       double *change)
{
    const ib__Assembly *a = model;
    if (a->swayed >= 0) return ib__assembly_answer(a, x, jx, jy, turn, change);
    return a->base.kind->answer(a->base.model, x, jx, jy, turn, change);
}

// The base's, whose mass includes all that stands on it; where that stands counts as well.
static ib_Status steer(const void *model, const double *x, double gravity, ib_Steering *steering,
                       ib_Error *error)
{
    const ib__Assembly *a = model;
    ib_Status status = a->base.kind->steer(a->base.model, x, gravity, steering, error);
    if (status != IB_OK) return status;
    ib_Cargo cargo = cargo_of(a, x);
    double per = 1 / steering->mass;
    steering->x += cargo.x * per;
    steering->y += cargo.y * per;
    steering->height += (cargo.z - cargo.mass * steering->height) * per;
    return IB_OK;
}

static ib_Status move(const void *model, const double *x, ib_AxisDrive axes[IB_MOVER_AXES],
                      ib_Error *error)
{
    const ib__Assembly *a = model;
    return a->base.kind->move(a->base.model, x, axes, error);
}

// ------------------------------------------------------------------------------------------ set-up

static void lay_out(const ib_OutfitConfig *outfit, ib__Assembly *a, ib_Places *places)
{
    const ib_RobotPorts *base = &a->base.ports;
    *places = (ib_Places){
        .states = base->state_count, .inputs = base->input_count, .guards = base->guard_count};
    if (a->own_power) {
        ib_power_init(&outfit->power, &a->power);
        ib_power_lay_out(&outfit->power, &a->power, &places->states, &places->guards);
    } else {
        a->power = *a->base.kind->powered->power(a->base.model);
        places->bridges = a->base.kind->powered->bridges(a->base.model);
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
        for (int k = 0; k < item->motors.count; k++)
            ib_power_branch(&outfit->power, &a->power, &places->states, &places->guards);
    }
    a->feed.power = a->power;
    a->bridges = places->bridges;
    a->inputs = places->inputs;
}

// The mechanisms on it name theirs beforehand, as a resolution.
static double longest(const void *model, const double *x)
{
    const ib__Assembly *a = model;
    return a->base.kind->longest(a->base.model, x);
}

static ib_RobotKind kind_of(const ib__Assembly *a)
{
    ib_RobotKind kind = *a->base.kind;
    kind.rate = rate;
    kind.output = output;
    kind.reset = reset;
    kind.guard = guard;
    kind.update = update;
    kind.settle = settle;
    kind.jacobian = NULL; // the base's knows nothing of what stands on it
    if (kind.longest) kind.longest = longest;
    if (kind.answer || a->swayed >= 0) kind.answer = answer;
    if (kind.steer) kind.steer = steer;
    if (kind.move) kind.move = move;
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
        "goal",    "hold",   "source",   "sensor",   "control",  "disturbance", "path",
        "contact", "branch", "battery",  "breaker",  "energy",   "brownout",    "compressor",
        "air",     "pose",   "cylinder", "velocity", "solenoid", "background",  NULL};
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
static ib_Status check_supplies(const ib_OutfitConfig *outfit, const ib__Assembly *a,
                                ib_Error *error)
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

// The state at the start, for a hook to see where the robot hangs.
static ib_Status hang_up(const ib_OutfitConfig *outfit, ib__Assembly *a, const ib_Places *places,
                         ib_Arena *arena, ib_RobotPorts *ports, ib_Error *error)
{
    if (a->hook < 0) return IB_OK;
    double *x = ib_arena_array(arena, (size_t)places->states, sizeof *x);
    if (!x) return ib_error_set(error, IB_FAILED, "out of memory for the mechanisms");
    ib__assembly_carry(a, ports);
    reset(outfit, a, x); // a base's config begins with its outfit
    return ib__assembly_begin(a, x, error);
}

ib_Status ib_assembly_init(const ib_OutfitConfig *outfit, ib_Arena *arena, ib_Robot *robot,
                           ib_Error *error)
{
    ib__Assembly *a = ib_arena_alloc(arena, sizeof *a);
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
    a->own_air = outfit->air.on && (a->own_power || !robot->kind->powered->air);
    ib_Status status = check_names(outfit, robot, error);
    if (status == IB_OK) status = check_supplies(outfit, a, error);
    if (status == IB_OK) status = ib__assembly_check_hook(outfit, a, error);
    if (status == IB_OK) status = ib__assembly_check_reaction(outfit, a, error);
    if (status != IB_OK) return status;
    lay_out(outfit, a, &places);
    ib_RobotPorts *ports = &robot->ports;
    status = hang_up(outfit, a, &places, arena, ports, error);
    if (status != IB_OK) return status;
    if (!ib__assembly_ports(a, outfit, &places, arena, ports))
        return ib_error_set(error, IB_FAILED, "out of memory for the mechanisms");
    if (a->own_air) {
        double own = ib_air_resolution(a->air);
        if (own > 0 && (ports->resolution == 0 || own < ports->resolution)) ports->resolution = own;
    }
    for (int i = 0; i < a->count; i++) {
        double own = ib_actuator_resolution(&a->items[i], a->power.battery.resistance);
        if (own > 0 && (ports->resolution == 0 || own < ports->resolution)) ports->resolution = own;
    }
    if (a->swayed >= 0) { // what a push does depends on how the arm stands
        a->planar = *ports->planar;
        a->planar.varies = true;
        ports->planar = &a->planar;
    }
    a->kind = kind_of(a);
    robot->kind = &a->kind;
    robot->model = a;
    return IB_OK;
}
