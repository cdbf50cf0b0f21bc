// robot/parts.c: the one rate of all robots that are made of parts, and the other functions on the
// same wires.
#include "robot/parts.h"

#include "base/extreme.h"
#include "robot/body_now.h"
#include "robot/mechanisms.h"
#include "robot/uneven.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------- the body

static double kinetic_energy(const ib_Body *b, const ib_BodyWires *w)
{
    const ib_Twist *v = &w->v;
    if (b->uneven) return ib_uneven_energy(b, w);
    return 0.5 * (b->mass * (v->u * v->u + v->n * v->n) + b->inertia * v->w * v->w);
}

static void output_body(const ib_Body *b, const double *x, const ib_BodyWires *w, double *y)
{
    if (!b->moves) return;
    ib_planar_output(&b->planar, x, w->c, w->s, y + b->signal);
    y[b->kinetic] = kinetic_energy(b, w); // before the parts' share
    if (!b->uneven) return;
    y[b->centre] = w->whole.x / w->whole.mass;
    y[b->centre + 1] = w->whole.y / w->whole.mass;
}

// Motion at the start that non-slipping wheels do not allow is removed.
static void reset_body(const ib_Body *b, const void *config, double *x)
{
    if (!b->moves) return;
    const void *start = (const char *)config + b->start;
    ib_planar_reset(&b->planar, start, x);
    if (b->axles) x[b->planar.velocity[1]] = 0;
    if (!b->held) return;
    double *v[3] = {&x[b->planar.velocity[0]], &x[b->planar.velocity[1]], &x[b->planar.yaw_rate]};
    double momentum[3], allowed[3];
    ib__multiply(b->whole, (double[3]){*v[0], *v[1], *v[2]}, momentum);
    ib__multiply(b->response, momentum, allowed);
    for (int i = 0; i < 3; i++) *v[i] = allowed[i];
}

// -------------------------------------------------------------------------------------- an instant

// offers -> weight -> bus and air
static void offer(const ib_PartsModel *r, const double *x, const double *input, ib_Instant *at)
{
    ib_Wires *w = &at->wires;
    ib__begin_wires(r, x, input, w);
    if (r->own_solve && !r->mechanisms) {
        r->own_solve(r, w, at->notes);
        return;
    }
    ib__offer_parts(r, at);
    ib__weigh_body(&r->body, input, &w->body);
    ib_feed_solve(&r->feed, w);
}

// pushes, back along the list -> the body's accelerations -> reactions
static void push(const ib_PartsModel *r, ib_Instant *at)
{
    ib_Wires *w = &at->wires;
    if (r->own_solve && !r->mechanisms) return; // by the offers already
    ib__push_parts(r, 0, at);
    if (!r->body.moves) return;
    ib__accelerate_body(&r->body, &w->body);
    if (ib_mechanisms_react(r, w)) ib__accelerate_body(&r->body, &w->body);
}

static void find_guards(const ib_PartsModel *r, const ib_Instant *at, double *guards)
{
    ib_feed_guards(&r->feed, &at->wires, guards);
    for (int i = 0; r->guarded && i < r->part_count; i++) {
        const ib_Part *part = &r->parts[i];
        if (part->kind->guards)
            part->kind->guards(part->model, at->notes + part->notes, &at->wires, guards);
    }
}

// offers -> weight -> bus and air -> pushes -> accelerations -> reactions -> rates -> supply
void ib_parts_rate(const void *model, const double *x, const double *input, double *dx,
                   double *guards)
{
    const ib_PartsModel *r = model;
    ib_Instant at;
    offer(r, x, input, &at);
    push(r, &at);
    if (guards) find_guards(r, &at, guards);
    ib__clear_sums(r, dx);
    ib__rate_body(&r->body, x, &at.wires.body, dx);
    ib__rate_parts(r, &at, dx);
}

static void rate(const void *model, const double *x, const double *input, double *dx)
{
    const ib_PartsModel *r = model;
    r->own_rate(r, x, input, dx, NULL);
}

// ------------------------------------------------------------------------------------------- modes

static void guard(const void *model, const double *x, const double *input, double *guards)
{
    const ib_PartsModel *r = model;
    ib_Instant at;
    offer(r, x, input, &at);
    if (r->guarded) push(r, &at);
    find_guards(r, &at, guards);
}

// One after the other: everything is solved anew after each change.
static bool settle(const void *model, const double *input, double *x)
{
    const ib_PartsModel *r = model;
    ib_Instant at;
    if (ib_feed_settle(&r->feed, input, x)) return true;
    bool sags = r->feed.powered && r->feed.power.brownout_state >= 0;
    if (!r->settled && !sags) return false;
    offer(r, x, input, &at);
    if (ib_feed_settle_brownout(&r->feed, &at.wires, x)) return true;
    if (!r->settled) return false;
    push(r, &at);
    for (int i = 0; i < r->part_count; i++) {
        const ib_Part *part = &r->parts[i];
        if (part->kind->settle &&
            part->kind->settle(part->model, at.notes + part->notes, &at.wires, x))
            return true;
    }
    return false;
}

// -------------------------------------------------------------------------------- help for solvers

static double longest(const void *model, const double *x)
{
    const ib_PartsModel *r = model;
    double least = INFINITY;
    for (int i = 0; i < r->part_count; i++)
        if (r->parts[i].kind->longest)
            least = ib_min(least, r->parts[i].kind->longest(r->parts[i].model, x));
    return least;
}

static bool accept_step(const void *model, const double *before, const double *after,
                        const double *error)
{
    const ib_PartsModel *r = model;
    for (int i = 0; i < r->part_count; i++)
        if (r->parts[i].kind->accept_step &&
            !r->parts[i].kind->accept_step(r->parts[i].model, before, after, error))
            return false;
    return true;
}

enum { JACOBIAN_STATES = 256 }; // where others than those that know their columns are looked at

// Parts that know the columns of their own states fill them, others are found by differences.
//   df/dx_j = (f(x + d e_j) - f(x))/d,   d = 2^-26 (1 + |x_j|), where the rate leads
static bool jacobian(const void *model, const double *x, const double *input, double *J, int stride)
{
    const ib_PartsModel *r = model;
    double y[JACOBIAN_STATES], dx[JACOBIAN_STATES], f[JACOBIAN_STATES];
    bool known[JACOBIAN_STATES] = {false};
    int left = r->sum_from, n = r->state_count;
    if (n > JACOBIAN_STATES) return false;
    for (int i = 0; i < r->part_count; i++) {
        const ib_Part *part = &r->parts[i];
        int from, count;
        if (!part->kind->jacobian) continue;
        if (!part->kind->jacobian(part->model, x, input, J, stride)) return false;
        count = part->kind->own_states(part->model, &from);
        for (int j = from; j < from + count; j++) known[j] = true;
        left -= count;
    }
    if (left == 0) return true;
    rate(r, x, input, dx);
    memcpy(y, x, (size_t)n * sizeof *x);
    for (int j = 0; j < r->sum_from; j++) {
        if (known[j]) continue;
        double d = 1.4901161193847656e-8 * (1 + fabs(x[j]));
        y[j] = x[j] + (dx[j] < 0 ? -d : d);
        rate(r, y, input, f);
        for (int i = 0; i < n; i++) J[i * stride + j] = (f[i] - dx[i]) / (y[j] - x[j]);
        y[j] = x[j];
    }
    return true;
}

// ----------------------------------------------------------------------------------------- signals

// A robot that hangs by a hook stands on nothing, and means it.
static bool lifts(const ib_PartsModel *r, const ib_Instant *at)
{
    for (int i = 0; i < r->part_count; i++) {
        const ib_Part *part = &r->parts[i];
        if (!part->kind->lifts || (r->mechanisms && r->mechanisms->hook >= 0)) continue;
        if (part->kind->lifts(part->model, at->notes + part->notes, &at->wires)) return true;
    }
    return false;
}

static void output(const void *model, const double *x, const double *input, double *y)
{
    const ib_PartsModel *r = model;
    ib_Instant at;
    offer(r, x, input, &at);
    push(r, &at);
    ib__copy_states(r, x, y);
    output_body(&r->body, x, &at.wires.body, y);
    ib__output_parts(r, &at, y);
    if (r->body.lifted >= 0) y[r->body.lifted] = lifts(r, &at);
}

// Energy of motion at the start was given before the run began.
static void reset(const void *config, const void *model, double *x)
{
    static const double still[IB_ENVIRONMENT_COUNT] = {0};
    const ib_PartsModel *r = model;
    ib_Wires w = {.x = x, .input = still, .feed = &r->feed};
    memset(x, 0, (size_t)r->state_count * sizeof *x);
    reset_body(&r->body, config, x);
    if (r->rigid) ib_rigid_reset(r->rigid, x);
    ib__begin_body(&r->body, x, still, &w.body);
    ib_feed_reset(&r->feed, x);
    double moving = 0;
    for (int i = 0; i < r->part_count; i++) {
        const ib_Part *part = &r->parts[i];
        if (part->kind->reset) part->kind->reset(part->model, config, &w, x);
        if (part->kind->kinetic) moving += part->kind->kinetic(part->model, &w);
    }
    if (r->body.uneven) ib_parts_weigh(r, x, 0, &w.body);
    moving += kinetic_energy(&r->body, &w.body);
    if (r->body.moves && r->body.planar.push_energy >= 0) x[r->body.planar.push_energy] = moving;
}

void ib_parts_jump(const ib_PartsModel *r, const double *x, const ib_Twist *body, double *change)
{
    for (int i = 0; r->jumps && i < r->part_count; i++)
        if (r->parts[i].kind->jump) r->parts[i].kind->jump(r->parts[i].model, x, body, change);
}

static ib_Twist response(const void *model, const double *x, double jx, double jy, double turn,
                         double *change)
{
    const ib_PartsModel *r = model;
    ib_Twist v = r->mechanisms ? ib_mechanisms_response(r, x, jx, jy, turn, change)
                               : ib_body_response(r, x, jx, jy, turn);
    if (change) ib_parts_jump(r, x, &v, change);
    return v;
}

// ------------------------------------------------------------------------------------------ making

void ib_build_body(ib_Build *build, bool own_axes, double mass, double inertia, size_t start)
{
    ib_Body *b = &build->robot->body;
    *b = (ib_Body){.moves = true, .start = start, .mass = mass, .inertia = inertia};
    b->load = b->lifted = -1;
    b->signal = build->d->signals.count;
    ib_planar_declare(&b->planar, own_axes, mass, inertia, build->d);
    build->ports->planar = &b->planar;
}

void ib_build_book(ib_Build *build, const ib_SignalDef *rows, int count)
{
    ib_PartsModel *r = build->robot;
    ib_declare(build->d, "", NULL, rows, count, NULL);
    if (r->body.moves) {
        ib_declare_find(build->d, IB_NAME_ENERGY("kinetic"), &r->body.kinetic);
        ib_declare_find(build->d, IB_NAME_ENERGY("push"), &r->body.planar.push_energy);
        ib_declare_find(build->d, IB_NAME_ENERGY("collision"), &r->body.planar.contact_energy);
    }
    if (r->feed.powered) ib_feed_declare_book(&r->feed, build->d);
}

void ib_build_part(ib_Build *build, const ib_PartKind *kind, const void *model)
{
    ib_PartsModel *r = build->robot;
    IB_ASSERT(r->part_count < IB_PARTS_MAX);
    r->guarded |= kind->guards != NULL;
    r->settled |= kind->settle != NULL;
    r->parts[r->part_count++] = (ib_Part){kind, model, r->notes};
    r->notes += (kind->notes + 63) / 64 * 64;
    IB_ASSERT(r->notes <= IB_NOTES_MAX);
    if (!kind->jump) return;
    r->jumps = true;
    r->body.planar.varies = true; // a push does more than the body shows
}

void ib_build_lifted(ib_Build *build)
{
    static const ib_SignalDef row = {
        "lifted", "1",
        "a wheel or a foot bears nothing any more: it would lift, and the robot stands on the "
        "others",
        0, IB_MEANS(.binary = true, .warns = true)};
    ib_PartsModel *r = build->robot;
    bool stands = false;
    for (int i = 0; i < r->part_count; i++) stands |= r->parts[i].kind->lifts != NULL;
    if (stands && r->body.lifted < 0) ib_declare(build->d, "", NULL, &row, 1, &r->body.lifted);
}

void ib_build_own_rate(ib_Build *build, int parts, ib_PartsRate *own)
{
    build->robot->own_rate = own;
    build->robot->own_parts = parts;
}

void ib_build_outline(ib_Build *build, double length, double width, const ib_BumperConfig *bumper)
{
    build->ports->length = length;
    build->ports->width = width;
    build->ports->restitution = bumper->restitution;
    build->ports->yield_speed = bumper->yield_speed;
    build->ports->friction = bumper->friction;
}

void ib_build_step(ib_Build *build, double most, double most_stiff)
{
    double *own[] = {&build->ports->resolution, &build->ports->resolution_stiff};
    double asked[] = {most, most_stiff};
    for (int i = 0; i < 2; i++)
        if (asked[i] > 0 && (*own[i] == 0 || asked[i] < *own[i])) *own[i] = asked[i];
}

// States that are copied to the signals that show them.
static bool list_copies(ib_PartsModel *r, const ib_Declarations *d)
{
    int *copies = ib_arena_array(d->arena, 2 * (size_t)d->state_count + 1, sizeof *copies);
    r->copies = copies;
    for (int i = 0; copies && i < d->state_count; i++) {
        if (d->shown[i] < 0) continue;
        copies[2 * r->copy_count] = d->shown[i];
        copies[2 * r->copy_count++ + 1] = i;
    }
    return copies != NULL;
}

// States with the names of the signals that show them.
static bool lay_out(ib_PartsModel *r, ib_Declarations *d, ib_RobotPorts *ports)
{
    ib_StateDef *states = ib_arena_array(d->arena, (size_t)d->state_count + 1, sizeof *states);
    int *entries = ib_arena_array(d->arena, (size_t)d->signals.count + 1, sizeof *entries);
    if (!states || !entries) return false;
    r->entries = entries;
    for (int i = 0; i < d->state_count; i++) {
        if (d->shown[i] >= 0) states[i].signal = d->signals.items[d->shown[i]].name;
        if (d->stands[i] >= 0) states[i].coordinate = d->signals.items[d->stands[i]].name;
    }
    for (int i = 0; i < d->signals.count; i++) {
        const ib_SignalMeaning *means = &d->signals.items[i].means;
        if (ib_role_books(means->role) && means->form == IB_SHOWN) entries[r->entry_count++] = i;
    }
    ports->states = states;
    ports->state_count = r->state_count = d->state_count;
    ports->sum_from = r->sum_from = d->sum_from;
    ports->sum_to = d->state_count;
    ports->inputs = d->inputs;
    ports->input_count = r->input_count = d->input_count;
    ports->signals = d->signals.items;
    ports->signal_count = r->signal_count = d->signals.count;
    ports->guard_count = d->guard_count;
    return true;
}

static void take_functions(ib_PartsModel *r)
{
    ib_RobotKind *kind = &r->kind;
    IB_ASSERT_SAY(!r->own_rate || r->mechanisms || r->own_parts == r->part_count,
                  "the rate of a %s's own knows %d of its %d parts", kind->name, r->own_parts,
                  r->part_count);
    if (!r->own_rate || r->mechanisms) r->own_rate = ib_parts_rate;
    bool knows_guards = r->own_rate == ib_parts_rate || !r->guarded;
    kind->rate = rate;
    kind->rate_and_guards = knows_guards ? r->own_rate : NULL;
    kind->output = r->own_output && !r->mechanisms ? r->own_output : output;
    kind->reset = reset;
    kind->guard = guard;
    kind->settle = settle;
    bool knows = false;
    for (int i = 0; i < r->part_count; i++) {
        const ib_PartKind *part = r->parts[i].kind;
        if (part->longest) kind->longest = longest;
        if (part->accept_step) kind->accept_step = accept_step;
        knows |= part->jacobian != NULL;
    }
    // Equipment on a moving body feels that motion, at any place.
    kind->jacobian = knows && !r->body.moves ? jacobian : NULL;
    bool reacts = r->mechanisms && r->mechanisms->reacts >= 0;
    bool apart = r->body.held || r->body.axles || r->body.uneven; // from a free body in its middle
    kind->response = apart || reacts || r->jumps ? response : NULL;
    if (!r->rigid) return;
    kind->rate = NULL; // ib_rigid_integrator brings its modes in line behind every step
    kind->output = NULL;
    kind->guard = NULL;
    if (!r->feed.powered && !r->feed.breathes) kind->settle = NULL;
}

static void declare_centre(ib_Build *build)
{
    static const ib_SignalDef rows[] = {
        {"com.x", "m", "centre of mass with all that it carries, forward of the middle", 0,
         IB_MEANS(.role = IB_ROLE_CENTRE_X)},
        {"com.y", "m", "centre of mass with all that it carries, to the left of the middle", 0,
         IB_MEANS(.role = IB_ROLE_CENTRE_Y)},
    };
    ib_declare(build->d, "", NULL, rows, 2, &build->robot->body.centre);
}

static ib_Status build_all(const ib_RobotKind *kind, void *config, ib_Build *build, void *own,
                           ib_Error *error)
{
    ib_EquipmentConfig *equipment = kind->carries_equipment ? config : NULL;
    bool carries = equipment && equipment->mechanisms.count > 0;
    ib_Status status = carries ? ib_equipment_carry(equipment, error) : IB_OK;
    if (status == IB_OK && kind->check) status = kind->check(config, error);
    if (status == IB_OK) status = kind->build(config, build, own, error);
    if (status == IB_OK && equipment) status = ib_mechanisms_build(equipment, build, error);
    bool high = equipment && (build->robot->body.com_height > 0 || equipment->carried > 0);
    if (status == IB_OK && high && equipment->tilts) ib_build_lifted(build);
    if (status == IB_OK && build->robot->body.uneven) declare_centre(build);
    return status;
}

ib_Status ib_parts_init(const ib_RobotKind *kind, const void *config, ib_Arena *arena,
                        ib_Robot *robot, ib_Error *error)
{
    ib_PartsModel *r = ib_arena_alloc(arena, sizeof *r);
    void *own = ib_arena_alloc(arena, kind->model_size),
         *held = ib_arena_alloc(arena, kind->config_size);
    ib_Declarations d = {.arena = arena, .signals = {.arena = arena}};
    *robot = (ib_Robot){.model = r};
    ib_Build build = {.robot = r, .d = &d, .ports = &robot->ports, .arena = arena};
    if (!r || !own || !held) return ib_error_set(error, IB_FAILED, "out of memory for the robot");
    memcpy(held, config, kind->config_size);
    r->kind = *kind;
    r->body.load = r->body.lifted = -1;
    r->own = own;
    for (int i = 0; i < IB_ENVIRONMENT_COUNT; i++)
        ib_declare_input(&d, ib_environment_inputs[i], NULL);
    ib_Status status = build_all(kind, held, &build, own, error);
    if (status != IB_OK) return status;
    r->feed.bridges = d.bridge_count;
    bool done = ib_declare_finish(&d) && list_copies(r, &d);
    if (done && r->rigid) d.guard_count = 0;
    if (!done || !lay_out(r, &d, &robot->ports))
        return ib_error_set(error, IB_FAILED, "out of memory for the robot's tables");
    take_functions(r);
    robot->kind = &r->kind;
    return ib_mechanisms_begin(&build, error);
}
