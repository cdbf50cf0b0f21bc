// robot/mechanisms.c: mechanisms as parts of a robot: their quantities, forces and signals, and
// their mounting on a body.
#include "robot/mechanisms.h"

#include "base/extreme.h"
#include "base/maths.h"
#include "plant/electric/motor_row_now.h"
#include "robot/books.h"
#include "robot/uneven.h"

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ a part

// Offers the place of its mass, and its bridges. A robot that hangs by a hook presses less on
// the floor.
static void offer(const void *part, void *notes, ib_Wires *w)
{
    const ib_MechanismPart *m = part;
    const ib_Actuator *a = &m->actuator;
    (void)notes;
    if (m->robot->body.moves) ib_actuator_cargo(a, w->x, &w->body.cargo);
    ib_actuator_offer(a, w);
    if (a->hook.on) w->body.gravity = w->hook.floor / a->hook.carrier.mass;
}

// Place of its centre of mass on the body.
static void place_of(const ib_Actuator *a, const double *x, double place[2])
{
    ib_Cargo own = {0};
    ib_actuator_cargo(a, x, &own);
    place[0] = own.x / own.mass;
    place[1] = own.y / own.mass;
}

static double momentum_of(const ib_Actuator *a, const double *x)
{
    double v[IB_MECHANISM_JOINTS] = {0};
    for (int j = 0; j < a->joint_count; j++) v[j] = x[a->speed[j]];
    return ib_actuator_momentum(a, x, v);
}

// Adds the torques of its motors, the pull of a hook, the reaction of its mass moving in a body
// that turns. The reaction of its acceleration belongs only to mechanisms that feel the body.
static void push(const void *part, void *notes, ib_Wires *w)
{
    const ib_MechanismPart *m = part;
    const ib_Actuator *a = &m->actuator;
    const ib_HookNow *hook = &w->hook;
    ib_BodyWires *b = &w->body;
    ib__motor_row_push(&a->motors, notes, w);
    if (a->mechanism.ports.swings && m->robot->body.moves) {
        double place[2];
        place_of(a, w->x, place);
        ib_body_recoil(b, place[0], place[1], momentum_of(a, w->x), 0);
    }
    if (!a->hook.on) return;
    double fx = hook->fx * b->c + hook->fy * b->s, fy = hook->fy * b->c - hook->fx * b->s;
    double torque = a->hook.place[0] * fy - a->hook.place[1] * fx + hook->torque;
    b->force.fx += fx;
    b->force.fy += fy;
    b->force.torque += torque;
    b->pushed += fx * b->v.u + fy * b->v.n + torque * b->v.w;
}

static void rate(const void *part, const void *notes, ib_Wires *w, double *dx)
{
    ib_actuator_rate(&((const ib_MechanismPart *)part)->actuator, notes, w, dx);
}

static void guards(const void *part, const void *notes, const ib_Wires *w, double *margins)
{
    (void)notes;
    ib_actuator_guards(&((const ib_MechanismPart *)part)->actuator, w, margins);
}

// The base once the hand holds `mass`, if all of its momentum were its own.
static ib_Mount mount_loaded(const ib_MechanismPart *m, double mass, const ib_Wires *w, double *x)
{
    const ib_Actuator *a = &m->actuator;
    const ib_BodyWires *b = &w->body;
    double py = a->config.place[1], P = momentum_of(a, x), held = x[a->held];
    ib_BodyWires then;
    x[a->held] = mass;
    ib_parts_weigh(m->robot, x, 0, &then);
    x[a->held] = held;
    ib_Wrench p = ib_mass_momentum(&b->whole, &b->v);
    ib_Twist v = ib_uneven_response(&then, p.fx + P, p.fy, p.torque - py * P);
    return ib_mount_of(&then, py, &v);
}

// A grip changes the body's mass, and a joint at its stop changes its momentum in the robot, which
// passes to the body if that feels it. A released body flies on, with its share of the energy.
static void pass_on(const ib_MechanismPart *m, double before, bool dropped, const ib_Wires *w,
                    double *x)
{
    const ib_PlanarModel *p = &m->robot->body.planar;
    bool feels = m->actuator.config.reaction;
    double py = m->actuator.config.place[1], after = momentum_of(&m->actuator, x), work;
    ib_Wrench p0 = {before, 0, -py * before}, p1 = {after, 0, -py * after}, none = {0};
    ib_Twist dv;
    if (dropped) {
        ib_BodyWires now;
        ib_parts_weigh(m->robot, x, 0, &now);
        work = ib_mass_energy(&now.whole, &now.v) - ib_mass_energy(&w->body.whole, &now.v);
    } else {
        work = ib_uneven_jump(m->robot, &w->body, feels ? &p0 : &none, feels ? &p1 : &none, x, &dv);
        ib_parts_jump(m->robot, x, &dv, x);
    }
    if (p->push_energy >= 0) x[p->push_energy] += work;
}

static bool settle(const void *part, const void *notes, const ib_Wires *w, double *x)
{
    const ib_MechanismPart *m = part;
    const ib_Actuator *a = &m->actuator;
    bool feels = a->config.reaction && m->robot->body.moves;
    bool holds = a->held >= 0 && m->robot->body.moves;
    double before = feels ? momentum_of(a, x) : 0, held = holds ? x[a->held] : 0;
    ib_Mount loaded = {0};
    (void)notes;
    if (ib_motor_row_settle(&a->motors, w, x)) return true;
    if (feels && holds && w->input[a->load] > held)
        loaded = mount_loaded(m, w->input[a->load], w, x);
    if (!ib_actuator_settle(a, &loaded, w, x)) return false;
    bool changed = holds && x[a->held] != held;
    if (changed || (feels && momentum_of(a, x) != before))
        pass_on(m, before, changed && x[a->held] < held, w, x);
    return true;
}

static void output(const void *part, const void *notes, const ib_Wires *w, double *y)
{
    const ib_MechanismPart *m = part;
    (void)notes;
    ib_actuator_output(&m->actuator, w, y);
    if (m->own_bridges) y[m->taken] += w->x[m->actuator.books + IB_ACTUATOR_ELECTRIC];
    if (m->stored >= 0) y[m->stored] += ib_actuator_air(&m->actuator, w->x);
}

static void reset(const void *part, const void *config, const ib_Wires *w, double *x)
{
    (void)config;
    const ib_MechanismPart *m = part;
    const ib_Feed *s = w->feed;
    double working = s->breathes ? ib_air_supply(&s->air, x + s->air_state, true).working : 0;
    ib_actuator_reset(&m->actuator, working, x);
}

static const ib_PartKind mechanism_part = {
    .name = "mechanism",
    .notes = sizeof(ib_MotorRowNotes),
    .reset = reset,
    .offer = offer,
    .push = push,
    .rate = rate,
    .guards = guards,
    .settle = settle,
    .output = output,
};

// --------------------------------------------------------------------------------- one that reacts
//
// All of it goes along the body's forward axis, at the place (px, py) where the mechanism is
// mounted: there the body has the speed  u - w py,  and a force F has the torque  -py F.

static const ib_Actuator *reacting(const ib_PartsModel *r)
{
    const ib_Mechanisms *m = r->mechanisms;
    return m && m->reacts >= 0 ? &m->items[m->reacts].actuator : NULL;
}

// Its mass is at (x, y) now, and would speed up forward with  u' - w n - w' y - w^2 x.
bool ib_mechanisms_react(const ib_PartsModel *r, ib_Wires *w)
{
    const ib_Actuator *a = reacting(r);
    ib_BodyWires *b = &w->body;
    double place[2];
    if (!a) return false;
    place_of(a, w->x, place);
    w->mount = ib_mount_of(b, place[1], &b->v);
    w->mount.felt = b->a.u - b->v.w * b->v.n - b->a.w * place[1] - b->v.w * b->v.w * place[0];
    ib_body_recoil(b, place[0], place[1], 0, ib_actuator_recoil(a, w));
    return true;
}

// The body would go off with `alone`; the mechanism holds it back with J. Both books have the work
// of it: of a force with the speeds there are, of an impulse with the mean of before and after.
ib_Twist ib_mechanisms_response(const ib_PartsModel *r, const double *x, double jx, double jy,
                                double turn, double *change)
{
    const ib_Actuator *a = reacting(r);
    const ib_PlanarModel *p = &r->body.planar;
    ib_BodyWires b;
    if (!a) return ib_body_response(r, x, jx, jy, turn);
    ib_parts_weigh(r, x, 0, &b);
    double py = a->config.place[1], dv[IB_MECHANISM_JOINTS] = {0};
    ib_Twist alone = ib_uneven_response(&b, jx, jy, turn);
    ib_Mount mount = ib_mount_of(&b, py, &b.v);
    double J = ib_actuator_shake(a, x, &mount, alone.u - alone.w * py, dv);
    bool impulse = change == x;
    double P = momentum_of(a, x), dP = ib_actuator_momentum(a, x, dv);
    ib_Twist both = ib_uneven_response(&b, jx + J, jy, turn - py * J);
    double dU = both.u - both.w * py;
    if (!change) return both;
    for (int j = 0; j < a->joint_count; j++) change[a->speed[j]] += dv[j];
    change[a->books + IB_ACTUATOR_GIVEN] += dU * (P + (impulse ? 0.5 * dP : 0));
    if (p->push_energy >= 0) change[p->push_energy] += J * (mount.speed + (impulse ? 0.5 * dU : 0));
    return both;
}

// ------------------------------------------------------------------------------------------ checks

static ib_Status refuse(const char *name, ib_Error *error, const char *text)
{
    return ib_error_set(error, IB_BAD_INPUT, "mechanisms.%s.%s", name, text);
}

// True if `other` is this name, or begins with it and a dot.
static bool meets(const char *name, const char *other)
{
    size_t length = strlen(name);
    return strncmp(name, other, length) == 0 && (other[length] == '\0' || other[length] == '.');
}

// The part of a robot that already has the name, so that no mechanism can have it.
static const char *taken_by(const ib_Build *build, const char *name)
{
    static const char *const others[] = {
        "goal",    "hold",   "source",   "sensor",   "control",  "disturbance", "path",
        "contact", "branch", "battery",  "breaker",  "energy",   "brownout",    "compressor",
        "air",     "pose",   "cylinder", "velocity", "solenoid", "background",  NULL};
    const ib_Declarations *d = build->d;
    const ib_Schema *start = &build->robot->kind.start;
    for (int i = 0; i < d->input_count; i++)
        if (meets(name, d->inputs[i].name)) return d->inputs[i].name;
    for (int i = 0; i < d->signals.count; i++)
        if (meets(name, d->signals.items[i].name)) return d->signals.items[i].name;
    for (int i = 0; i < start->count; i++)
        if (meets(name, start->params[i].key)) return start->params[i].key;
    for (int i = 0; others[i]; i++)
        if (strcmp(name, others[i]) == 0) return others[i];
    return NULL;
}

static ib_Status check_names(const ib_EquipmentConfig *equipment, const ib_Build *build,
                             ib_Error *error)
{
    for (int i = 0; i < equipment->mechanisms.count; i++) {
        const char *name = equipment->mechanisms.items[i].name, *other = taken_by(build, name);
        if (other)
            return ib_error_set(error, IB_BAD_INPUT,
                                "mechanisms.%s: the %s has '%s' already: expected another name",
                                name, build->robot->kind.name, other);
    }
    return IB_OK;
}

static const ib_ActuatorConfig *actuator_of(const ib_EquipmentConfig *equipment, int i)
{
    const void *config = &equipment->mechanisms.items[i].config;
    return &((const ib_MechanismConfig *)config)->act;
}

// A cylinder needs air.
static ib_Status check_air(const ib_EquipmentConfig *equipment, ib_Error *error)
{
    for (int i = 0; i < equipment->mechanisms.count; i++)
        if (actuator_of(equipment, i)->piston && !equipment->air.on)
            return refuse(equipment->mechanisms.items[i].name, error,
                          "cylinder: the robot has no air: expected air: with a preset or a map");
    return IB_OK;
}

// A hook lifts the whole robot: a body that only its weight holds to the floor, and by one hook.
static ib_Status check_hook(const ib_EquipmentConfig *equipment, const ib_Build *build, int *hook,
                            ib_Error *error)
{
    *hook = -1;
    for (int i = 0; i < equipment->mechanisms.count; i++) {
        const char *name = equipment->mechanisms.items[i].name;
        if (!actuator_of(equipment, i)->hook.on) continue;
        if (*hook >= 0)
            return ib_error_set(error, IB_BAD_INPUT,
                                "mechanisms.%s.hook: '%s' has a hook already: expected one on a "
                                "robot",
                                name, equipment->mechanisms.items[*hook].name);
        if (!build->robot->body.loose)
            return ib_error_set(error, IB_BAD_INPUT,
                                "mechanisms.%s.hook: this %s holds to the floor whatever it "
                                "weighs, and could not hang: expected a tank or a holonomic robot "
                                "with wheels.model: friction_circle or bristle",
                                name, build->robot->kind.name);
        *hook = i;
    }
    return IB_OK;
}

static ib_Status check_reaction(const ib_EquipmentConfig *equipment, const ib_Build *build,
                                int hook, int *reacts, ib_Error *error)
{
    *reacts = -1;
    for (int i = 0; i < equipment->mechanisms.count; i++) {
        const char *name = equipment->mechanisms.items[i].name;
        if (!actuator_of(equipment, i)->reaction) continue;
        if (*reacts >= 0)
            return ib_error_set(error, IB_BAD_INPUT,
                                "mechanisms.%s.reaction: the base feels '%s' already: expected "
                                "true of one mechanism only",
                                name, equipment->mechanisms.items[*reacts].name);
        if (hook >= 0)
            return ib_error_set(error, IB_BAD_INPUT,
                                "mechanisms.%s.reaction: the robot hangs by the hook of '%s', and "
                                "no reaction is known there: expected false, or no hook",
                                name, equipment->mechanisms.items[hook].name);
        if (!build->robot->body.moves)
            return ib_error_set(error, IB_BAD_INPUT,
                                "mechanisms.%s.reaction: a %s does not move: expected false, or a "
                                "base that drives or slides",
                                name, build->robot->kind.name);
        *reacts = i;
    }
    return IB_OK;
}

// ------------------------------------------------------------------------------------------ making

static const ib_SignalDef own_book[] = {IB_BOOK_BATTERY, IB_BOOK_RESISTANCE, IB_BOOK_BACKGROUND};
static const ib_SignalDef energy_mechanisms = {IB_NAME_ENERGY("mechanisms"), "J",
                                               "energy taken from the bus by all mechanisms so far",
                                               0, IB_MEANS(.role = IB_ROLE_LOST)};
static const ib_SignalDef energy_error = {IB_NAME_ENERGY("error"), "J",
                                          "error of the energy balance: battery - all the others",
                                          0, IB_MEANS(.role = IB_ROLE_BALANCE)};

// Battery and air, where the kind has none of its own.
static ib_Status build_feed(const ib_EquipmentConfig *equipment, ib_Build *build, ib_Error *error)
{
    ib_Feed *feed = &build->robot->feed;
    ib_Error part;
    ib_Status status = feed->powered ? IB_OK : ib_power_check(&equipment->power, error);
    if (status != IB_OK) return status;
    if (!feed->breathes && equipment->air.on && ib_air_check(&equipment->air, &part) != IB_OK)
        return ib_error_set(error, IB_BAD_INPUT, "air.%.900s", part.text);
    if (!feed->breathes && equipment->air.on &&
        ib_signals_find(&build->d->signals, "air.error") >= 0)
        return ib_error_set(
            error, IB_BAD_INPUT,
            "air: a %s has an air balance of its own supply: expected a bench, with "
            "the cylinder as a mechanism",
            build->robot->kind.name);
    if (!feed->powered) {
        ib_feed_init(&equipment->power, feed);
        ib_feed_declare_power(&equipment->power, feed, build->d);
        ib_declare(build->d, "", NULL, own_book, sizeof own_book / sizeof *own_book, NULL);
        ib_feed_declare_book(feed, build->d);
    }
    if (!feed->breathes) ib_feed_add_air(&equipment->air, feed);
    return IB_OK;
}

// Declares all mechanisms, in the order of their signals.
static void declare_all(const ib_EquipmentConfig *equipment, ib_Mechanisms *m, bool air,
                        ib_Build *build)
{
    ib_Feed *s = &build->robot->feed;
    ib_Declarations *d = build->d;
    int taken = d->signals.count;
    ib_declare(d, "", NULL, &energy_mechanisms, 1, NULL);
    if (air) ib_feed_declare_compressor(s, d);
    if (air) ib_feed_declare_solenoids(s, d);
    for (int i = 0; i < m->count; i++) {
        ib_Actuator *a = &m->items[i].actuator;
        ib_actuator_declare(a, d);
        for (int k = 0; k < a->motors.count; k++)
            ib_feed_declare_branch(&equipment->power, s, a->motors.bridge + k,
                                   ib_actuator_drive_name(a, k, d), d);
    }
    if (ib_signals_find(&d->signals, energy_error.name) < 0)
        ib_declare(d, "", NULL, &energy_error, 1, NULL);
    if (air) ib_feed_declare_air(s, d);
    for (int i = 0; i < m->count; i++) ib_actuator_declare_signals(&m->items[i].actuator, d);
    for (int i = 0; i < m->count; i++) {
        m->items[i].taken = taken;
        m->items[i].stored = ib_signals_find(&d->signals, IB_NAME_AIR_STORED);
    }
}

// True if a mass is off the body's middle, or moves there.
static bool is_uneven(const ib_EquipmentConfig *equipment)
{
    bool some = false;
    for (int i = 0; i < equipment->mechanisms.count; i++) {
        const ib_MechanismSpec *spec = &equipment->mechanisms.items[i];
        const double *place = actuator_of(equipment, i)->place;
        ib_Mechanism mechanism;
        some |= spec->kind->build != NULL; // a cylinder
        if (spec->kind->build) continue;
        if (ib_mechanism_init(spec->kind, &spec->config, &mechanism, NULL) != IB_OK) continue;
        const ib_MechanismPorts *ports = &mechanism.ports;
        some |= ports->mass > 0 && (place[0] != 0 || place[1] != 0 || ports->swings);
    }
    return some;
}

ib_Status ib_mechanisms_build(const ib_EquipmentConfig *equipment, ib_Build *build, ib_Error *error)
{
    ib_PartsModel *r = build->robot;
    int count = equipment->mechanisms.count;
    bool bare = !r->body.moves && r->part_count == 0; // its battery is all that it has
    if (count == 0 && !bare && (r->feed.breathes || !equipment->air.on)) return IB_OK;
    ib_Mechanisms *m = ib_arena_alloc(build->arena, sizeof *m);
    ib_MechanismPart *items = ib_arena_array(build->arena, (size_t)count + 1, sizeof *items);
    if (!m || !items) return ib_error_set(error, IB_FAILED, "out of memory for the mechanisms");
    *m = (ib_Mechanisms){.items = items, .hook = -1, .reacts = -1};
    int hook = -1, reacts = -1;                        // counted with all others
    bool air = equipment->air.on && !r->feed.breathes; // that comes with them
    ib_Status status = check_names(equipment, build, error);
    if (status == IB_OK) status = build_feed(equipment, build, error);
    if (status == IB_OK) status = check_air(equipment, error);
    if (status == IB_OK) status = check_hook(equipment, build, &hook, error);
    if (status == IB_OK) status = check_reaction(equipment, build, hook, &reacts, error);
    if (status != IB_OK) return status;
    r->mechanisms = m;
    if (r->body.moves && is_uneven(equipment))
        ib_uneven_declare(&r->body, equipment->carried_inertia);
    r->feed.free = false;
    r->feed.shared = r->feed.breathes;
    for (int i = 0; i < count; i++) {
        const ib_MechanismSpec *spec = &equipment->mechanisms.items[i];
        ib_MechanismPart *item = &items[m->count];
        if (spec->kind->build) continue;
        if (i == hook) m->hook = m->count;
        if (i == reacts) m->reacts = m->count;
        ib_actuator_init(spec, r->feed.breathes ? &r->feed.air : NULL, &item->actuator);
        item->config = &spec->config;
        item->robot = r;
        item->own_bridges = item->actuator.motors.count > 0;
        m->count++;
    }
    if (r->body.uneven) ib_build_lifted(build);
    declare_all(equipment, m, air, build);
    for (int i = 0; i < m->count; i++) ib_build_part(build, &mechanism_part, &items[i]);
    build->equipment = equipment;
    for (int i = 0; status == IB_OK && i < count; i++) {
        const ib_MechanismSpec *spec = &equipment->mechanisms.items[i];
        if (spec->kind->build) status = spec->kind->build(&spec->config, spec->name, build, error);
    }
    return status;
}

// -------------------------------------------------------------------------------- when all is made

// The state at the start, for a hook to see where the robot hangs. No state is a mere sum any more:
// it feels where the robot is.
static ib_Status hang_up(ib_PartsModel *r, const ib_EquipmentConfig *equipment,
                         ib_RobotPorts *ports, ib_Arena *arena, ib_Error *error)
{
    ib_Mechanisms *m = r->mechanisms;
    const ib_PlanarModel *p = &r->body.planar;
    if (m->hook < 0) return IB_OK;
    ib_Actuator *a = &m->items[m->hook].actuator;
    double *x = ib_arena_array(arena, (size_t)r->state_count, sizeof *x);
    ib_Error part;
    if (!x) return ib_error_set(error, IB_FAILED, "out of memory for the mechanisms");
    const ib_HookCarrier carrier = {.mass = r->body.mass,
                                    .x = p->x,
                                    .y = p->y,
                                    .heading = p->heading,
                                    .velocity = {p->velocity[0], p->velocity[1]},
                                    .yaw_rate = p->yaw_rate,
                                    .own_axes = p->own_axes};
    ports->sum_from = ports->sum_to = 0;
    ib_actuator_carry(a, &carrier);
    r->kind.reset(equipment, r, x);
    if (ib_actuator_begin(a, x, &part) == IB_OK) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT, "start.%s.%.900s", a->name,
                        part.text + sizeof "start." - 1);
}

ib_Status ib_mechanisms_begin(ib_Build *build, ib_Error *error)
{
    ib_PartsModel *r = build->robot;
    ib_Mechanisms *m = r->mechanisms;
    const ib_EquipmentConfig *equipment = build->equipment;
    ib_RobotPorts *ports = build->ports;
    ib_Arena *arena = build->arena;
    if (!m) return IB_OK;
    ib_Status status = hang_up(r, equipment, ports, arena, error);
    if (status != IB_OK) return status;
    if (!ib_mechanisms_name(m, arena, ports) || !ib_mechanisms_geometry(m, arena, ports))
        return ib_error_set(error, IB_FAILED, "out of memory for the mechanisms");
    if (r->feed.breathes) ib_build_step(build, ib_air_resolution(&r->feed.air), 0);
    for (int i = 0; i < m->count; i++)
        ib_build_step(
            build, ib_actuator_resolution(&m->items[i].actuator, r->feed.power.battery.resistance),
            0);
    // The effect of a push depends on the arm and its place; a cylinder moves its mass as well.
    if (r->body.uneven && m->count < equipment->mechanisms.count) r->body.planar.varies = true;
    for (int i = 0; i < m->count; i++)
        if (m->items[i].actuator.mechanism.ports.swings) r->body.planar.varies = true;
    return IB_OK;
}
