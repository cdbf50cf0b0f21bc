// robot/parts.c: the one rate of all robots that are made of parts, and what follows the
// same wires.
#include "robot/parts.h"

#include "robot/mechanisms.h"

#include <string.h>

// Wires and notes of one instant.
typedef struct Instant {
    ib_Wires wires;
    _Alignas(64) char notes[IB_NOTES_MAX];
} Instant;

// ---------------------------------------------------------------------------------------- the body

// Its motion, and what acts on it from outside: pushes, and a slope, which pulls at the origin.
static void begin_body(const ib_Body *b, const double *x, const double *input, ib_BodyWires *w)
{
    w->gravity = input[IB_GRAVITY];
    w->cargo = (ib_Cargo){0};
    if (!b->moves) {
        *w = (ib_BodyWires){.c = 1, .gravity = w->gravity};
        return;
    }
    ib_sincos(x[b->planar.heading], &w->s, &w->c);
    w->v = (ib_Twist){x[b->planar.velocity[0]], x[b->planar.velocity[1]], x[b->planar.yaw_rate]};
    double px = input[IB_PUSH_X] + b->mass * input[IB_SLOPE_X];
    double py = input[IB_PUSH_Y] + b->mass * input[IB_SLOPE_Y];
    w->force.fx = px * w->c + py * w->s;
    w->force.fy = py * w->c - px * w->s;
    w->force.torque = ib_push_torque(input, w->c, w->s);
    w->pushed = w->force.fx * w->v.u + w->force.fy * w->v.n + w->force.torque * w->v.w;
}

// What it presses on the floor with. What stands on it is in its mass already; where that is
// counts here, and what has been picked up since.
static void weigh_body(const ib_Body *b, ib_BodyWires *w)
{
    w->weight = (ib_Weight){b->mass * w->gravity, 0, 0, b->com_height};
    if (!(w->cargo.mass > 0)) return;
    w->weight.force += w->cargo.extra * w->gravity;
    double per = 1 / (b->mass + w->cargo.extra);
    w->weight.x = w->cargo.x * per;
    w->weight.y = w->cargo.y * per;
    w->weight.height += (w->cargo.z - w->cargo.mass * w->weight.height) * per;
}

static void multiply(const double matrix[9], const double v[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = matrix[3 * i] * v[0] + matrix[3 * i + 1] * v[1] + matrix[3 * i + 2] * v[2];
}

// Newton and Euler in the turning frame:  u' = fx/M + w n,  n' = fy/M - w u,  w' = torque/I
// Held by wheels that never slip:         v' = A (F + M (w n, -w u, 0)),   A: ib_Body.answer
static void accelerate_body(const ib_Body *b, ib_BodyWires *w)
{
    const ib_Twist *v = &w->v;
    const ib_Wrench *f = &w->force;
    if (b->held) {
        const double sum[3] = {f->fx + b->mass * v->w * v->n, f->fy - b->mass * v->w * v->u,
                               f->torque};
        double a[3];
        multiply(b->answer, sum, a);
        w->a = (ib_Twist){a[0], a[1], a[2]};
        return;
    }
    w->a.u = f->fx * b->planar.per_mass + v->w * v->n;
    w->a.n = f->fy * b->planar.per_mass - v->w * v->u;
    w->a.w = f->torque * b->planar.per_inertia;
}

static void rate_body(const ib_Body *b, const ib_BodyWires *w, double *dx)
{
    const ib_PlanarModel *p = &b->planar;
    if (!b->moves) return;
    dx[p->heading] = w->v.w;
    dx[p->x] = w->v.u * w->c - w->v.n * w->s;
    dx[p->y] = w->v.u * w->s + w->v.n * w->c;
    dx[p->velocity[0]] = w->a.u;
    dx[p->velocity[1]] = w->a.n;
    dx[p->yaw_rate] = w->a.w;
    dx[p->push_energy] += w->pushed;
}

static double kinetic_energy(const ib_Body *b, const ib_Twist *v)
{
    return 0.5 * (b->mass * (v->u * v->u + v->n * v->n) + b->inertia * v->w * v->w);
}

static void output_body(const ib_Body *b, const double *x, const ib_BodyWires *w, double *y)
{
    if (!b->moves) return;
    ib_planar_output(&b->planar, x, w->c, w->s, y + b->signal);
    y[b->kinetic] += kinetic_energy(b, &w->v);
}

ib_Twist ib_body_answer(const ib_Body *b, double jx, double jy, double turn)
{
    double v[3];
    if (!b->held)
        return (ib_Twist){jx * b->planar.per_mass, jy * b->planar.per_mass,
                          turn * b->planar.per_inertia};
    multiply(b->answer, (double[3]){jx, jy, turn}, v);
    return (ib_Twist){v[0], v[1], v[2]};
}

// What wheels that never slip do not allow of a motion at the start is not there.
static void reset_body(const ib_Body *b, const void *config, double *x)
{
    if (!b->moves) return;
    const void *start = (const char *)config + b->start;
    ib_planar_reset(&b->planar, start, x);
    if (!b->held) return;
    double *v[3] = {&x[b->planar.velocity[0]], &x[b->planar.velocity[1]], &x[b->planar.yaw_rate]};
    double momentum[3], allowed[3];
    multiply(b->whole, (double[3]){*v[0], *v[1], *v[2]}, momentum);
    multiply(b->answer, momentum, allowed);
    for (int i = 0; i < 3; i++) *v[i] = allowed[i];
}

// -------------------------------------------------------------------------------------- an instant

static void begin(const ib_PartsModel *r, const double *x, const double *input, ib_Wires *w)
{
    w->x = x;
    w->input = input;
    w->gravity = input[IB_GRAVITY];
    begin_body(&r->body, x, input, &w->body);
    ib_feed_begin(&r->feed, w);
    if (r->mechanisms) w->mount = (ib_Mount){0};
}

// offers -> weight -> bus and air
static void offer(const ib_PartsModel *r, const double *x, const double *input, Instant *at)
{
    ib_Wires *w = &at->wires;
    begin(r, x, input, w);
    for (int i = 0; i < r->part_count; i++) {
        const ib_Part *part = &r->parts[i];
        if (part->kind->offer) part->kind->offer(part->model, at->notes + part->notes, w);
    }
    weigh_body(&r->body, &w->body);
    ib_feed_solve(&r->feed, w);
}

// pushes, back along the list -> the body's accelerations -> reactions
static void push(const ib_PartsModel *r, Instant *at)
{
    ib_Wires *w = &at->wires;
    for (int i = r->part_count - 1; i >= 0; i--) {
        const ib_Part *part = &r->parts[i];
        if (part->kind->push) part->kind->push(part->model, at->notes + part->notes, w);
    }
    if (!r->body.moves) return;
    accelerate_body(&r->body, &w->body);
    if (ib_mechanisms_react(r, w)) accelerate_body(&r->body, &w->body);
}

// offers -> weight -> bus and air -> pushes -> accelerations -> reactions -> rates -> supply
static void rate(const void *model, const double *x, const double *input, double *dx)
{
    const ib_PartsModel *r = model;
    Instant at;
    offer(r, x, input, &at);
    push(r, &at);
    memset(dx + r->sum_from, 0, (size_t)(r->state_count - r->sum_from) * sizeof *dx);
    rate_body(&r->body, &at.wires.body, dx);
    for (int i = 0; i < r->part_count; i++) {
        const ib_Part *part = &r->parts[i];
        if (part->kind->rate) part->kind->rate(part->model, at.notes + part->notes, &at.wires, dx);
    }
    ib_feed_rate(&r->feed, &at.wires, dx);
}

// ------------------------------------------------------------------------------------------- modes

static void guard(const void *model, const double *x, const double *input, double *guards)
{
    const ib_PartsModel *r = model;
    Instant at;
    bool asks = r->looks || (r->feed.powered && r->feed.power.brownout_guard >= 0);
    if (asks)
        offer(r, x, input, &at);
    else
        begin(r, x, input, &at.wires);
    if (r->looks) push(r, &at);
    ib_feed_guards(&r->feed, &at.wires, guards);
    for (int i = 0; i < r->part_count; i++) {
        const ib_Part *part = &r->parts[i];
        if (part->kind->guards)
            part->kind->guards(part->model, at.notes + part->notes, &at.wires, guards);
    }
}

// One after the other: everything is solved anew after each change.
static bool settle(const void *model, const double *input, double *x)
{
    const ib_PartsModel *r = model;
    Instant at;
    if (ib_feed_settle(&r->feed, input, x)) return true;
    bool sags = r->feed.powered && r->feed.power.brownout_state >= 0;
    if (!r->looks && !sags) return false;
    offer(r, x, input, &at);
    if (ib_feed_settle_brownout(&r->feed, &at.wires, x)) return true;
    if (!r->looks) return false;
    push(r, &at);
    for (int i = 0; i < r->part_count; i++) {
        const ib_Part *part = &r->parts[i];
        if (part->kind->settle &&
            part->kind->settle(part->model, at.notes + part->notes, &at.wires, x))
            return true;
    }
    return false;
}

// ----------------------------------------------------------------------------------------- signals

static void output(const void *model, const double *x, const double *input, double *y)
{
    const ib_PartsModel *r = model;
    Instant at;
    offer(r, x, input, &at);
    push(r, &at);
    for (int i = 0; i < r->copy_count; i++) y[r->copies[2 * i]] = x[r->copies[2 * i + 1]];
    for (int i = 0; i < r->entry_count; i++) y[r->entries[i]] = 0;
    output_body(&r->body, x, &at.wires.body, y);
    ib_feed_output(&r->feed, &at.wires, y);
    for (int i = 0; i < r->part_count; i++) {
        const ib_Part *part = &r->parts[i];
        if (part->kind->output)
            part->kind->output(part->model, at.notes + part->notes, &at.wires, y);
    }
}

// What moves at the start was given before the run began.
static void reset(const void *config, const void *model, double *x)
{
    static const double still[IB_ENVIRONMENT_COUNT] = {0};
    const ib_PartsModel *r = model;
    ib_Wires w = {.x = x, .input = still, .feed = &r->feed};
    memset(x, 0, (size_t)r->state_count * sizeof *x);
    reset_body(&r->body, config, x);
    begin_body(&r->body, x, still, &w.body);
    ib_feed_reset(&r->feed, x);
    double moving = kinetic_energy(&r->body, &w.body.v);
    for (int i = 0; i < r->part_count; i++) {
        const ib_Part *part = &r->parts[i];
        if (part->kind->reset) part->kind->reset(part->model, &w, x);
        if (part->kind->kinetic) moving += part->kind->kinetic(part->model, &w);
    }
    if (r->body.moves) x[r->body.planar.push_energy] = moving;
}

static ib_Twist answer(const void *model, const double *x, double jx, double jy, double turn,
                       double *change)
{
    const ib_PartsModel *r = model;
    if (r->mechanisms) return ib_mechanisms_answer(r, x, jx, jy, turn, change);
    return ib_body_answer(&r->body, jx, jy, turn);
}

// ------------------------------------------------------------------------------------------ making

void ib_build_body(ib_Build *build, double mass, double inertia, size_t start)
{
    ib_Body *b = &build->robot->body;
    *b = (ib_Body){.moves = true, .start = start, .mass = mass, .inertia = inertia};
    b->signal = build->d->signals.count;
    ib_planar_declare(&b->planar, true, mass, inertia, build->d);
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
    r->parts[r->part_count++] = (ib_Part){kind, model, r->notes};
    r->notes += (kind->notes + 63) / 64 * 64;
    IB_ASSERT(r->notes <= IB_NOTES_MAX);
    r->looks |= kind->guards || kind->settle;
}

// States with the names of the signals that show them, and what is copied from the ones to
// the others.
static bool lay_out(ib_PartsModel *r, ib_Declarations *d, ib_RobotPorts *ports)
{
    ib_StateDef *states = ib_arena_array(d->arena, (size_t)d->state_count + 1, sizeof *states);
    int *copies = ib_arena_array(d->arena, 2 * (size_t)d->state_count + 1, sizeof *copies);
    int *entries = ib_arena_array(d->arena, (size_t)d->signals.count + 1, sizeof *entries);
    if (!states || !copies || !entries) return false;
    r->copies = copies;
    r->entries = entries;
    for (int i = 0; i < d->state_count; i++) {
        if (d->shown[i] < 0) continue;
        states[i].signal = d->signals.items[d->shown[i]].name;
        copies[2 * r->copy_count] = d->shown[i];
        copies[2 * r->copy_count++ + 1] = i;
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
    ports->input_count = d->input_count;
    ports->signals = d->signals.items;
    ports->signal_count = d->signals.count;
    ports->guard_count = d->guard_count;
    return true;
}

static void take_functions(ib_PartsModel *r)
{
    ib_RobotKind *kind = &r->kind;
    kind->rate = rate;
    kind->output = output;
    kind->reset = reset;
    kind->guard = guard;
    kind->settle = settle;
    kind->jacobian = NULL; // no part knows its own yet
    bool reacts = r->mechanisms && r->mechanisms->reacts >= 0;
    kind->answer = r->body.held || reacts ? answer : NULL;
}

static ib_Status build_all(const ib_RobotKind *kind, void *config, ib_Build *build, void *own,
                           ib_Error *error)
{
    ib_OutfitConfig *outfit = kind->outfits ? config : NULL;
    ib_Status status = outfit ? ib_outfit_carry(outfit, error) : IB_OK;
    if (status == IB_OK && kind->check) status = kind->check(config, error);
    if (status == IB_OK) status = kind->build(config, build, own, error);
    if (status == IB_OK && outfit) status = ib_mechanisms_build(outfit, build, error);
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
    r->own = own;
    for (int i = 0; i < IB_ENVIRONMENT_COUNT; i++)
        ib_declare_input(&d, ib_environment_inputs[i], NULL);
    ib_Status status = build_all(kind, held, &build, own, error);
    if (status != IB_OK) return status;
    r->feed.bridges = d.bridge_count;
    bool done = ib_declare_finish(&d);
    if (done) ib_mechanisms_show(r, d.shown);
    if (!done || !lay_out(r, &d, &robot->ports))
        return ib_error_set(error, IB_FAILED, "out of memory for the robot's tables");
    take_functions(r);
    robot->kind = &r->kind;
    return ib_mechanisms_begin(r, build.outfit, &robot->ports, arena, error);
}
