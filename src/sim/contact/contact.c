#include "sim/contact/contact.h"

#include "base/extreme.h"
#include "base/maths.h"
#include "robot/planar.h"
#include "sim/contact/bodies.h"
#include "sim/contact/contact_signals.h"
#include "sim/contact/field.h"
#include "sim/contact/partners.h"
#include "sim/contact/sleep.h"
#include "sim/input/disturbance.h"
#include "sim/input/timeline.h"

#include <math.h>
#include <string.h>

enum {
    HITS_TO_DOUBLE = 16, ///< hits within a step that double the speed below which nothing bounces
    MAX_FRUITLESS = 100, ///< hits within a step that did not separate the pair
};

#define STANDS  1e-11 ///< a robot that rests and is slower than this stands [m/s]
#define CRUSHED 5e-5  ///< a stuck pair deeper than this, on both sides, is crushed [m]

// ------------------------------------------------------------------------------------------ memory

static bool make_rests(const ib_World *world, ib_Arena *arena, ib_Rests *rests)
{
    *rests =
        (ib_Rests){.items = ib_arena_array(arena, (size_t)world->rest_room, sizeof *rests->items)};
    return rests->items;
}

ib__Contacts *ib__contact_create(const ib_Model *model, ib_Arena *arena)
{
    const ib_World *world = model->world;
    size_t bodies = (size_t)world->body_count, movers = (size_t)world->mover_count;
    ib__Contacts *contacts = ib_arena_alloc(arena, sizeof *contacts);
    if (!contacts) return NULL;
    *contacts = (ib__Contacts){
        .workspace = ib_world_workspace_create(world, arena),
        .look_workspace = ib_world_workspace_create(world, arena),
        .bodies = ib_arena_array(arena, bodies, sizeof *contacts->bodies),
        .movers = ib_arena_array(arena, movers, sizeof *contacts->movers),
        .free = ib_arena_array(arena, bodies, sizeof *contacts->free),
        .forces = ib_arena_array(arena, bodies, sizeof *contacts->forces),
        .masses = ib_arena_array(arena, 9 * bodies, sizeof *contacts->masses),
        .sleepers = ib_arena_array(arena, bodies, sizeof *contacts->sleepers),
        .points = ib_arena_array(arena, IB_PAIR_POINTS * (size_t)world->rest_room,
                                 sizeof *contacts->points),
    };
    contacts->slots = ib_arena_array(arena, bodies, sizeof *contacts->slots);
    bool good = contacts->slots && contacts->workspace && contacts->look_workspace &&
                contacts->bodies && contacts->movers && contacts->free && contacts->forces &&
                contacts->masses && contacts->sleepers && contacts->points &&
                make_rests(world, arena, &contacts->rests) &&
                make_rests(world, arena, &contacts->look_rests);
    if (good && model->riders) {
        contacts->passes = ib_arena_array(arena, (size_t)world->pair_count, 1);
        good = contacts->passes != NULL;
        ib_world_workspace_pass(contacts->workspace, contacts->passes);
    }
    return good ? contacts : NULL;
}

// ------------------------------------------------------------------------------------------- modes

static void read_rests(const ib_Model *model, const double *state, ib_Rests *rests)
{
    const double *from = state + model->rest_state;
    rests->count = (int)*from++;
    for (int i = 0; i < rests->count; i++, from += IB_REST_STATES)
        rests->items[i] = (ib_Rest){.pair = (int)from[IB_REST_PAIR],
                                    .slide = (int)from[IB_REST_SLIDE],
                                    .crowded = from[IB_REST_CROWDED] != 0,
                                    .fresh = from[IB_REST_FRESH] != 0,
                                    .points = (int)from[IB_REST_POINTS],
                                    .closed = (int)from[IB_REST_CLOSED],
                                    .strain = (int)from[IB_REST_STRAIN],
                                    .push = {from[IB_REST_PUSH], from[IB_REST_PUSH + 1]},
                                    .friction_force = from[IB_REST_FRICTION]};
}

// Unused entries are set to 0, so that equal states are equal in every number.
static void write_rests(const ib_Model *model, const ib_Rests *rests, double *state)
{
    double *to = state + model->rest_state;
    int before = (int)*to;
    ib__partners_rest(model, rests, state);
    *to++ = rests->count;
    for (int i = 0; i < rests->count; i++, to += IB_REST_STATES) {
        const ib_Rest *rest = &rests->items[i];
        to[IB_REST_PAIR] = rest->pair;
        to[IB_REST_SLIDE] = rest->slide;
        to[IB_REST_CROWDED] = rest->crowded;
        to[IB_REST_FRESH] = rest->fresh;
        to[IB_REST_POINTS] = rest->points;
        to[IB_REST_CLOSED] = rest->closed;
        to[IB_REST_STRAIN] = rest->strain;
        to[IB_REST_PUSH] = rest->push[0];
        to[IB_REST_PUSH + 1] = rest->push[1];
        to[IB_REST_FRICTION] = rest->friction_force;
    }
    for (int i = IB_REST_STATES * (before - rests->count); i > 0; i--) *to++ = 0;
}

// Robots that rest on something may depend on each other, and all on where they are.
static void count(ib_Sim *sim)
{
    const ib_Model *model = sim->model;
    int resting = model->world ? sim->contacts->rests.count : 0;
    if (resting == 0 || sim->resting == 0)
        ib_solver_set_blocks(sim->solver, model->blocks, resting == 0 ? model->robot_count : 0);
    sim->resting = resting;
    sim->system = ib__sim_system(sim);
}

void ib__contact_recall(ib_Sim *sim)
{
    if (sim->model->world) {
        read_rests(sim->model, sim->state, &sim->contacts->rests);
        ib_world_workspace_reset(sim->contacts->workspace);
        sim->contacts->ready = false;
        ib__sleep_wake_all(sim);
    }
    count(sim);
}

// -------------------------------------------------------------------------------------------- rest

// A force or impulse at the origin as the sums of plant/environment.h: cross and dot are chosen so
// that the torque comes out at this heading.
static void push_of(const ib_Push *push, double heading, double *sums)
{
    double s, c;
    ib_sincos(heading, &s, &c);
    sums[IB_PUSH_X] = push->x;
    sums[IB_PUSH_Y] = push->y;
    sums[IB_PUSH_CROSS] = push->turn * c;
    sums[IB_PUSH_DOT] = -push->turn * s;
}

static void respond(const ib_Sim *sim, int body, const double *state, double *rate)
{
    const ib_RobotModel *robot = ib__robot_of(sim->model, body);
    const ib_PlanarModel *planar = robot->ports.planar;
    const ib_BodyState *b = &sim->contacts->bodies[body];
    const ib_Push *f = &sim->contacts->forces[body];
    double sums[IB_PUSH_COUNT];
    if (f->x == 0 && f->y == 0 && f->turn == 0) return;
    push_of(f, b->heading, sums);
    ib_planar_respond(planar, robot->kind, robot->model, state + robot->state, sums,
                      rate + robot->state);
    if (planar->contact_energy >= 0)
        rate[robot->state + planar->contact_energy] -= f->x * b->vx + f->y * b->vy + f->turn * b->w;
}

void ib__contact_rate(const ib_Sim *sim, double t, const double *state, double *rate)
{
    const ib_Model *model = sim->model;
    ib__Contacts *contacts = sim->contacts;
    if (contacts->sleeper_count > 0) ib__sleep_hold(sim, rate);
    if (contacts->all_held) return;
    const int *resting;
    int resting_count = ib_world_resting(contacts->workspace, &resting);
    for (int k = 0; k < resting_count; k++) {
        int i = resting[k];
        if (ib_world_is_held(contacts->workspace, i)) continue;
        const ib_RobotModel *robot = ib__robot_of(model, i);
        ib_Motion m;
        ib_planar_motion(robot->ports.planar, state + robot->state, rate + robot->state, &m);
        contacts->bodies[i] = (ib_BodyState){m.x, m.y, m.heading, m.vx, m.vy, m.w};
        contacts->free[i] = (ib_Push){m.ax, m.ay, m.alpha};
        if (!ib_world_is_pushed(contacts->workspace, i))
            ib_planar_inverse_mass(robot->ports.planar, robot->kind, robot->model,
                                   state + robot->state, contacts->masses + 9 * i);
    }
    ib__bodies_find_movers(sim, ib__sim_input_at(sim, t), 0, contacts->movers);
    ib_world_rest(model->world, contacts->workspace, contacts->bodies, contacts->movers,
                  contacts->free, contacts->masses, contacts->forces);
    for (int k = 0; k < resting_count; k++)
        if (!ib_world_is_held(contacts->workspace, resting[k]))
            respond(sim, resting[k], state, rate);
}

void ib__contact_learn(ib_Sim *sim, double from)
{
    if (sim->contacts->all_held || !ib_world_is_new(&sim->contacts->rests)) return;
    sim->piece_from = from;
    sim->system.rate(sim->system.context, 0, sim->state, sim->course_state);
    ib_world_learn(sim->contacts->workspace);
}

double ib__contact_longest(const ib_Sim *sim, double most)
{
    if (sim->contacts->all_held) return most;
    double longest = ib_world_piece(sim->contacts->workspace, most);
    // An adaptive solver's step ends with the piece, and on a whole nanosecond.
    return sim->adaptive && longest < most ? ib_max(1, floor(longest * 1e9)) * 1e-9 : longest;
}

double ib__contact_longest_seen(const ib_Sim *sim)
{
    ib__Contacts *contacts = sim->contacts;
    ib__bodies_find(sim->model, sim->next, contacts->bodies);
    return ib_world_turned(sim->model->world, contacts->workspace, contacts->bodies);
}

// Adds impulses to the velocities, and the robots' losses to the accounts.
static void push(const ib_Sim *sim, const ib_Push *impulses, const double *lost, double *state)
{
    for (int i = 0; i < sim->model->world->body_count; i++) {
        const ib_RobotModel *robot = ib__robot_of(sim->model, i);
        const ib_PlanarModel *planar = robot->ports.planar;
        const ib_Push *j = &impulses[i];
        double sums[IB_PUSH_COUNT], *own = state + robot->state;
        if (j->x == 0 && j->y == 0 && j->turn == 0) continue;
        push_of(j, sim->contacts->bodies[i].heading, sums);
        ib_planar_respond(planar, robot->kind, robot->model, own, sums, own);
        if (planar->contact_energy >= 0) own[planar->contact_energy] += lost[i];
    }
}

static void shift(const ib_Sim *sim, const ib_Push *shifts, double *state)
{
    for (int i = 0; i < sim->model->world->body_count; i++) {
        const ib_RobotModel *robot = ib__robot_of(sim->model, i);
        const ib_PlanarModel *planar = robot->ports.planar;
        double *own = state + robot->state;
        own[planar->x] += shifts[i].x;
        own[planar->y] += shifts[i].y;
        own[planar->heading] += shifts[i].turn;
    }
}

// Sets speeds as small as rounding to 0. True: a body has come to rest.
static bool stand(ib_Sim *sim)
{
    const ib_World *world = sim->model->world;
    const int *resting;
    int number = ib_world_resting(sim->contacts->workspace, &resting);
    bool some = false;
    for (int i = 0; i < number; i++) {
        const ib_RobotModel *robot = ib__robot_of(sim->model, resting[i]);
        const ib_PlanarModel *planar = robot->ports.planar;
        double *own = sim->state + robot->state, *a = &own[planar->velocity[0]];
        double *b = &own[planar->velocity[1]], *w = &own[planar->yaw_rate];
        double speed = fabs(*a) + fabs(*b) + world->bodies[resting[i]].shape.reach * fabs(*w);
        if (speed == 0 || speed > STANDS) continue;
        *a = *b = *w = 0;
        some = true;
    }
    return some;
}

bool ib__contact_settle(ib_Sim *sim, double after)
{
    const ib_Model *model = sim->model;
    ib__Contacts *contacts = sim->contacts;
    ib_Settling settling;
    ib__bodies_find_all(sim, sim->input, after, sim->state);
    bool changes = ib_world_settle(model->world, contacts->workspace, contacts->bodies,
                                   contacts->movers, contacts->masses, &contacts->rests, &settling);
    if (settling.impulses) push(sim, settling.impulses, settling.lost, sim->state);
    if (settling.shifts) shift(sim, settling.shifts, sim->state);
    changes |= stand(sim);
    if (changes) {
        ib__bodies_find_all(sim, sim->input, after, sim->state);
        ib_world_ready(model->world, contacts->workspace, contacts->bodies, contacts->movers,
                       contacts->masses, &contacts->rests);
    }
    ib__sleep_check(sim);
    write_rests(model, &contacts->rests, sim->state);
    contacts->ready = true;
    if (contacts->rests.count != sim->resting)
        count(sim);
    else
        sim->system = ib__sim_system(sim); // some may have woken
    return changes;
}

// True if a robot gets a sudden push now, or an element another speed.
static bool is_pushed(const ib_Sim *sim)
{
    const ib_Model *model = sim->model;
    bool pushed = ib_disturbances_push(model, sim->time);
    for (int i = 0; i < IB_TRACK_COUNT * model->world->mover_count; i++)
        pushed |= ib_timeline_bends(&model->mover_timelines[i], sim->time);
    return pushed;
}

void ib__contact_begin(ib_Sim *sim)
{
    ib__Contacts *contacts = sim->contacts;
    if (is_pushed(sim)) {
        ib__sleep_wake_all(sim);
        ib__contact_settle(sim, 0);
    }
    if (contacts->ready) return;
    ib__bodies_find_all(sim, sim->input, 0, sim->state);
    ib_world_ready(sim->model->world, contacts->workspace, contacts->bodies, contacts->movers,
                   contacts->masses, &contacts->rests);
    contacts->ready = true;
}

// ----------------------------------------------------------------------------------------- meeting

// The piece that was just integrated.
typedef struct Way {
    const ib_Sim *sim;
    double from, length;
    const double *end;
} Way;

// Bodies along the way: at its two ends, and by the solver's dense output between.
static void course_at(const void *context, double t, ib_BodyState *bodies, ib_BodyState *movers)
{
    const Way *way = context;
    const ib_Sim *sim = way->sim;
    const double *state = t <= 0 ? sim->state : way->end;
    if (t > 0 && t < way->length) {
        ib_solver_dense(sim->solver, t / ib_solver_length(sim->solver), sim->course_state);
        state = sim->course_state;
    }
    ib__bodies_find(sim->model, state, bodies);
    ib__bodies_find_movers(sim, sim->input, way->from + t, movers);
}

ib_FirstContact ib__contact_find(ib_Sim *sim, double from, double length, const double *end)
{
    ib__Contacts *contacts = sim->contacts;
    Way way = {sim, from, length, end};
    ib_Course course = {length, course_at, &way, ib__sim_is_restless(sim)};
    ib_FirstContact first =
        ib_world_first_contact(sim->model->world, contacts->workspace, &contacts->rests, &course);
    if (sim->resting > 0 && !contacts->all_held)
        ib_world_remember(contacts->workspace, &contacts->rests);
    return first;
}

bool ib__contact_touches(ib_Sim *sim, int pair, double after)
{
    ib__Contacts *contacts = sim->contacts;
    ib__bodies_find(sim->model, sim->next, contacts->bodies);
    ib__bodies_find_movers(sim, sim->input, after, contacts->movers);
    double gap = ib_world_gap(sim->model->world, pair, contacts->bodies, contacts->movers);
    return gap <= IB_TOUCH_GAP;
}

// Largest travel of a robot along x or y from its start; each coordinate is a cubic with these ends
// and slopes, which deviates less than  |d| + h (|v0| + |v1|). No direction is needed, and so
// no sine.
static double travel_of(const ib_PlanarModel *planar, const double *from, const double *to,
                        double length)
{
    int x = planar->x, y = planar->y, a = planar->velocity[0], b = planar->velocity[1];
    double way = ib_max(fabs(to[x] - from[x]), fabs(to[y] - from[y]));
    return way + length * ((fabs(from[a]) + fabs(from[b])) + (fabs(to[a]) + fabs(to[b])));
}

// The rest of the room found earlier mostly suffices; else it is measured anew.
bool ib__contact_far(ib_Sim *sim, double length)
{
    const ib_Model *model = sim->model;
    ib__Contacts *contacts = sim->contacts;
    double travel = 0;
    for (int i = 0; i < model->world->body_count; i++) {
        const ib_RobotModel *robot = ib__robot_of(model, i);
        travel += travel_of(robot->ports.planar, sim->state + robot->state,
                            sim->next + robot->state, length);
    }
    if (!(contacts->far > travel)) {
        ib__bodies_find(model, sim->state, contacts->bodies);
        contacts->far = ib_world_clearance(model->world, contacts->workspace, contacts->bodies,
                                           &contacts->rests, contacts->moved) -
                        IB_TOUCH_GAP;
        contacts->moved = 0;
    }
    contacts->moved += travel;
    contacts->far -= travel;
    return contacts->far > 0;
}

void ib__contact_far_begin(ib_Sim *sim)
{
    sim->contacts->far = 0;
}

// Euler's method gives a body that is pushed back the speed of a whole step even after a shorter
// flight: slower bounces would never end.
static double euler_speed(const ib_Sim *sim, const double *state)
{
    const ib_World *world = sim->model->world;
    double most = 0;
    ib__bodies_find_free(sim, state, ib__sim_continuous_input(sim, state, sim->input));
    for (int i = 0; i < world->body_count; i++) {
        const ib_Push *a = &sim->contacts->free[i];
        double turn = world->bodies[i].shape.reach * fabs(a->turn);
        most = ib_max(most, sqrt(a->x * a->x + a->y * a->y) + turn);
    }
    return most * ib_time_to_seconds(sim->model->step);
}

// Hits that keep coming within one step must come to an end: ever faster ones no longer bounce.
static ib_Slow slow_speeds(const ib_Sim *sim, const double *state)
{
    double hits = state[sim->model->tally_state + IB_TALLY_COUNT];
    double times = (double)(INT64_C(1) << (int)ib_min(hits / HITS_TO_DOUBLE, 30));
    bool euler = sim->model->config->solver.kind == IB_EULER;
    double lag = euler ? euler_speed(sim, state) : 0, bounce = ib_max(IB_REST_SPEED, lag);
    return (ib_Slow){times * bounce, times * bounce, lag};
}

// Name of the pair's other body or element; NULL: the pair does not include `body`.
static const char *partner_name(const ib_Model *model, int body, int pair)
{
    ib_Pair who = ib_world_pair(model->world, pair);
    if (who.body != body && who.other != body) return NULL;
    if (who.other >= 0) return ib__field_body_name(model, who.body == body ? who.other : who.body);
    return ib__field_element_name(model, who.element);
}

void ib__contact_names(const ib_Model *model, int pair, const char **body, const char **other)
{
    ib_Pair who = ib_world_pair(model->world, pair);
    *body = ib__field_body_name(model, who.body);
    *other = partner_name(model, who.body, pair);
}

// Name of another body or element in contact with a body of the pair `stuck`; NULL: none.
static const char *second_partner(const ib_Sim *sim, int body, int stuck)
{
    const ib_World *world = sim->model->world;
    for (int i = 0; i < world->pair_count; i++) {
        const char *name = i != stuck ? partner_name(sim->model, body, i) : NULL;
        if (name &&
            ib_world_gap(world, i, sim->contacts->bodies, sim->contacts->movers) <= IB_REST_GAP)
            return name;
    }
    return NULL;
}

static ib_Status refuse_crush(const ib_Sim *sim, double after, int stuck, ib_Error *error)
{
    const ib_Model *model = sim->model;
    ib_Pair who = ib_world_pair(model->world, stuck);
    int body = who.body;
    const char *second = second_partner(sim, body, stuck);
    if (!second && who.other >= 0) {
        body = who.other;
        second = second_partner(sim, body, stuck);
    }
    return ib_error_set(error, IB_FAILED,
                        "%s is crushed between %s and %s at %.9g s: rigid bodies cannot give way. "
                        "Let what moves stop earlier, or leave more room",
                        ib__field_body_name(model, body), partner_name(model, body, stuck),
                        second ? second : "wheels that do not slip",
                        ib_time_to_seconds(sim->time) + after);
}

static void weigh(const ib_PushPoint *point, ib_Push *sum)
{
    double size = ib_point_size(point);
    sum->x += size * point->x;
    sum->y += size * point->y;
    sum->turn += size;
}

// The place of a hit: the mean of its points, weighted by their impulses. Sums of x, y and 1.
static void weigh_points(const ib_Sim *sim, ib_Push *sums, int count)
{
    const ib_World *world = sim->model->world;
    const ib_PushPoint *points = sim->contacts->points;
    memset(sums, 0, (size_t)world->body_count * sizeof *sums);
    for (int i = 0; i < count; i++) {
        weigh(&points[i], &sums[points[i].body]);
        if (points[i].other >= 0) weigh(&points[i], &sums[points[i].other]);
    }
}

static void note_hits(const ib_Sim *sim, const ib_Impact *impact, double after, double *state)
{
    const ib_Model *model = sim->model;
    ib_Push *sums = sim->contacts->forces;
    int count = ib_world_points(model->world, sim->contacts->workspace, sim->contacts->points);
    ib__partners_hit(model, sim->contacts->points, count, state);
    weigh_points(sim, sums, count);
    for (int i = 0; i < model->world->body_count; i++) {
        const ib_Push *j = &impact->impulses[i];
        double *hit = state + model->hit_state + IB_HIT_STATES * i;
        if (j->x == 0 && j->y == 0 && j->turn == 0) continue;
        hit[IB_HIT_COUNT] += 1;
        hit[IB_HIT_IMPULSE_X] = j->x;
        hit[IB_HIT_IMPULSE_Y] = j->y;
        hit[IB_HIT_TAKEN] = impact->lost[i];
        hit[IB_HIT_TIME] = ib_time_to_seconds(sim->time) + after;
        if (!(sums[i].turn > 0)) continue;
        hit[IB_HIT_X] = sums[i].x / sums[i].turn;
        hit[IB_HIT_Y] = sums[i].y / sums[i].turn;
    }
}

ib_Status ib__contact_hit(ib_Sim *sim, double after, double *state, ib_Error *error)
{
    const ib_Model *model = sim->model;
    ib__Contacts *contacts = sim->contacts;
    double *tally = state + model->tally_state;
    ib_Impact impact;
    ib__bodies_find_all(sim, sim->input, after, state);
    ib_world_impact(model->world, contacts->workspace, contacts->bodies, contacts->movers,
                    contacts->masses, slow_speeds(sim, state), &contacts->rests, &impact);
    tally[IB_TALLY_COUNT] += 1;
    push(sim, impact.impulses, impact.lost, state);
    note_hits(sim, &impact, after, state);
    write_rests(model, &contacts->rests, state);
    contacts->ready = false;
    ib__sleep_wake_all(sim);
    count(sim);
    if (impact.stuck < 0) return IB_OK;
    bool deep =
        ib_world_gap(model->world, impact.stuck, contacts->bodies, contacts->movers) < -CRUSHED;
    tally[IB_TALLY_FRUITLESS] += 1;
    bool often = tally[IB_TALLY_FRUITLESS] >= MAX_FRUITLESS;
    // Only a gate is as strong as it must be; else many hits may be solved only nearly.
    bool crushed = model->world->mover_count > 0 ? often || deep : often && deep;
    if (!crushed) return IB_OK;
    return refuse_crush(sim, after, impact.stuck, error);
}

// ----------------------------------------------------------------------------------------- signals

void ib__contact_evaluate(const ib_Sim *sim, const double *state, const double *input)
{
    const ib_Model *model = sim->model;
    ib__Contacts *contacts = sim->contacts;
    ib_Rests *rests = &contacts->look_rests;
    memset(contacts->forces, 0, (size_t)model->world->body_count * sizeof *contacts->forces);
    contacts->point_count = 0;
    read_rests(model, state, rests);
    if (rests->count == 0) return;
    ib__bodies_find_all(sim, input, 0, state);
    ib__bodies_find_free(sim, state, input);
    ib_world_ready(model->world, contacts->look_workspace, contacts->bodies, contacts->movers,
                   contacts->masses, rests);
    ib_world_rest_ready(model->world, contacts->look_workspace, contacts->bodies, contacts->free,
                        contacts->masses, contacts->forces);
    contacts->point_count =
        ib_world_points(model->world, contacts->look_workspace, contacts->points);
}
