#include "sim/contact.h"

#include "base/maths.h"
#include "robot/planar.h"
#include "sim/disturbance.h"
#include "sim/field.h"
#include "sim/timeline.h"

#include <math.h>
#include <string.h>

enum {
    FREEZE_AFTER = 20,   ///< steps after which what was loose may be nailed again
    HITS_TO_DOUBLE = 16, ///< hits within a step that double the speed below which nothing bounces
    MAX_FRUITLESS = 100, ///< hits within a step that did not part what met
};

#define STANDS  1e-11 ///< a robot that rests and is slower than this stands [m/s]
#define HELD    1e-9  ///< what is left of accelerations of what is held, at most
#define CRUSHED 5e-5  ///< deeper than this, on both sides, what cannot part is crushed [m]

// ------------------------------------------------------------------------------------------ memory

static bool make_rests(const ib_World *world, ib_Arena *arena, ib_Rests *rests)
{
    *rests =
        (ib_Rests){.items = ib_arena_array(arena, (size_t)world->rest_room, sizeof *rests->items)};
    return rests->items;
}

ib__Contact *ib__contact_create(const ib_Model *model, ib_Arena *arena)
{
    const ib_World *world = model->world;
    size_t bodies = (size_t)world->body_count, movers = (size_t)world->mover_count;
    ib__Contact *contact = ib_arena_alloc(arena, sizeof *contact);
    if (!contact) return NULL;
    *contact = (ib__Contact){
        .room = ib_world_room_create(world, arena),
        .look_room = ib_world_room_create(world, arena),
        .bodies = ib_arena_array(arena, bodies, sizeof *contact->bodies),
        .movers = ib_arena_array(arena, movers, sizeof *contact->movers),
        .free = ib_arena_array(arena, bodies, sizeof *contact->free),
        .forces = ib_arena_array(arena, bodies, sizeof *contact->forces),
        .masses = ib_arena_array(arena, 9 * bodies, sizeof *contact->masses),
        .nails = ib_arena_array(arena, bodies, sizeof *contact->nails),
        .points = ib_arena_array(arena, IB_PAIR_POINTS * (size_t)world->rest_room,
                                 sizeof *contact->points),
    };
    bool good = contact->room && contact->look_room && contact->bodies && contact->movers &&
                contact->free && contact->forces && contact->masses && contact->nails &&
                contact->points && make_rests(world, arena, &contact->rests) &&
                make_rests(world, arena, &contact->look_rests);
    return good ? contact : NULL;
}

// ------------------------------------------------------------------------------------ who is where

static const ib_RobotModel *robot_of(const ib_Model *model, int body)
{
    return &model->robots[model->body_robots[body]];
}

static void find_bodies(const ib_Model *model, const double *state, ib_BodyState *bodies)
{
    for (int i = 0; i < model->world->body_count; i++) {
        const ib_RobotModel *robot = robot_of(model, i);
        ib_Motion m;
        ib_planar_motion(robot->ports.planar, state + robot->state, NULL, &m);
        bodies[i] = (ib_BodyState){m.x, m.y, m.heading, m.vx, m.vy, m.w};
    }
}

// The offsets of the moving elements `t` seconds after `input`: inputs like all others.
static void find_movers(const ib_Sim *sim, const double *input, double t, ib_BodyState *movers)
{
    const double *value = input + sim->model->mover_input;
    const double *slope = sim->slope + sim->model->mover_input;
    for (int i = 0; i < sim->model->world->mover_count; i++, value += 3, slope += 3)
        movers[i] = (ib_BodyState){.x = value[0] + slope[0] * t,
                                   .y = value[1] + slope[1] * t,
                                   .heading = value[2] + slope[2] * t,
                                   .vx = slope[0],
                                   .vy = slope[1],
                                   .w = slope[2]};
}

static void find_masses(const ib_Model *model, const double *state, double *masses)
{
    for (int i = 0; i < model->world->body_count; i++) {
        const ib_RobotModel *robot = robot_of(model, i);
        ib_planar_inverse_mass(robot->ports.planar, robot->kind, robot->model, state + robot->state,
                               masses + 9 * i);
    }
}

// Everything at an instant, `t` seconds after `input`.
static void find_all(const ib_Sim *sim, const double *input, double t, const double *state)
{
    ib__Contact *contact = sim->contact;
    find_bodies(sim->model, state, contact->bodies);
    find_movers(sim, input, t, contact->movers);
    find_masses(sim->model, state, contact->masses);
}

// Accelerations without the forces of contacts.
static void find_free(const ib_Sim *sim, const double *state, const double *input)
{
    const ib_Model *model = sim->model;
    for (int i = 0; i < model->world->body_count; i++) {
        const ib_RobotModel *robot = robot_of(model, i);
        double *rate = sim->course_state + robot->state;
        ib_Motion m;
        robot->kind->rate(robot->model, state + robot->state, input + robot->input, rate);
        ib_planar_motion(robot->ports.planar, state + robot->state, rate, &m);
        sim->contact->free[i] = (ib_Push){m.ax, m.ay, m.alpha};
    }
}

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

// ------------------------------------------------------------------------------------------- modes

static void read_rests(const ib_Model *model, const double *state, ib_Rests *rests)
{
    const double *from = state + model->rest_state;
    rests->count = (int)*from++;
    for (int i = 0; i < rests->count; i++, from += IB_REST_STATES)
        rests->items[i] = (ib_Rest){.pair = (int)from[IB_REST_PAIR],
                                    .slide = (int)from[IB_REST_SLIDE],
                                    .points = (int)from[IB_REST_POINTS],
                                    .closed = (int)from[IB_REST_CLOSED],
                                    .strain = (int)from[IB_REST_STRAIN],
                                    .push = {from[IB_REST_PUSH], from[IB_REST_PUSH + 1]},
                                    .rub = from[IB_REST_RUB]};
}

// What is no longer used is set to 0, so that equal states are equal in every number.
static void write_rests(const ib_Model *model, const ib_Rests *rests, double *state)
{
    double *to = state + model->rest_state;
    int before = (int)*to;
    *to++ = rests->count;
    for (int i = 0; i < rests->count; i++, to += IB_REST_STATES) {
        const ib_Rest *rest = &rests->items[i];
        to[IB_REST_PAIR] = rest->pair;
        to[IB_REST_SLIDE] = rest->slide;
        to[IB_REST_POINTS] = rest->points;
        to[IB_REST_CLOSED] = rest->closed;
        to[IB_REST_STRAIN] = rest->strain;
        to[IB_REST_PUSH] = rest->push[0];
        to[IB_REST_PUSH + 1] = rest->push[1];
        to[IB_REST_RUB] = rest->rub;
    }
    for (int i = IB_REST_STATES * (before - rests->count); i > 0; i--) *to++ = 0;
}

// Robots that rest on something may depend on each other, and all on where they are.
static void count(ib_Sim *sim)
{
    const ib_Model *model = sim->model;
    int resting = model->world ? sim->contact->rests.count : 0;
    if (resting == 0 || sim->resting == 0)
        ib_solver_set_blocks(sim->solver, model->blocks, resting == 0 ? model->robot_count : 0);
    sim->resting = resting;
    sim->system = ib__sim_system(sim);
}

void ib__contact_recall(ib_Sim *sim)
{
    if (sim->model->world) {
        read_rests(sim->model, sim->state, &sim->contact->rests);
        ib_world_room_reset(sim->contact->room);
        sim->contact->ready = false;
        sim->contact->nail_count = 0;
    }
    count(sim);
}

// -------------------------------------------------------------------------------------------- rest

// What holds a body gives way beyond rounding.
#define GIVES_WAY 1e-12

// To a part of 1/512 to 1/1024 of the largest.
static void round_off(double v[3])
{
    int exponent;
    frexp(fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2]))), &exponent);
    double grain = ldexp(1, exponent - 9);
    for (int i = 0; i < 3; i++) v[i] = grain * rint(v[i] / grain);
}

static void hold(const ib_Sim *sim, double *rate)
{
    ib__Contact *contact = sim->contact;
    for (int i = 0; i < contact->nail_count; i++) {
        const ib__Nail *nail = &contact->nails[i];
        const ib_RobotModel *robot = &sim->model->robots[nail->robot];
        const ib_PlanarModel *planar = robot->ports.planar;
        double *own = rate + robot->state;
        double a = own[planar->velocity[0]], b = own[planar->velocity[1]];
        double c = own[planar->yaw_rate];
        const double *steady = nail->steady;
        if (nail->rough) {
            double v[3] = {a, b, c};
            round_off(v);
            contact->loose |= v[0] != steady[0] || v[1] != steady[1] || v[2] != steady[2];
        } else if (nail->form_count < 0) {
            contact->loose |= a != steady[0] || b != steady[1] || c != steady[2];
        }
        for (int k = 0; k < nail->form_count; k++) {
            const double *form = nail->forms[k];
            double x = form[0] * a, y = form[1] * b, z = form[2] * c;
            contact->loose |= x + y + z < -GIVES_WAY * (fabs(x) + fabs(y) + fabs(z));
        }
        own[planar->velocity[0]] = own[planar->velocity[1]] = own[planar->yaw_rate] = 0;
    }
}

static void respond(const ib_Sim *sim, int body, const double *state, double *rate)
{
    const ib_RobotModel *robot = robot_of(sim->model, body);
    const ib_PlanarModel *planar = robot->ports.planar;
    const ib_BodyState *b = &sim->contact->bodies[body];
    const ib_Push *f = &sim->contact->forces[body];
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
    ib__Contact *contact = sim->contact;
    if (contact->nail_count > 0) {
        hold(sim, rate);
        return;
    }
    const int *resting;
    int resting_count = ib_world_resting(contact->room, &resting);
    for (int k = 0; k < resting_count; k++) {
        int i = resting[k];
        const ib_RobotModel *robot = robot_of(model, i);
        ib_Motion m;
        ib_planar_motion(robot->ports.planar, state + robot->state, rate + robot->state, &m);
        contact->bodies[i] = (ib_BodyState){m.x, m.y, m.heading, m.vx, m.vy, m.w};
        contact->free[i] = (ib_Push){m.ax, m.ay, m.alpha};
        ib_planar_inverse_mass(robot->ports.planar, robot->kind, robot->model, state + robot->state,
                               contact->masses + 9 * i);
    }
    find_movers(sim, ib__sim_input_at(sim, t), 0, contact->movers);
    ib_world_rest(model->world, contact->room, contact->bodies, contact->movers, contact->free,
                  contact->masses, contact->forces);
    for (int k = 0; k < resting_count; k++) respond(sim, resting[k], state, rate);
}

// Rates of velocities, in the robot's own states, as accelerations in the field: columns.
static void turn_axes(const ib_PlanarModel *planar, const double *state, double axes[9])
{
    double s = 0, c = 1;
    if (planar->own_axes) ib_sincos(state[planar->heading], &s, &c);
    memcpy(axes, (double[9]){c, -s, 0, s, c, 0, 0, 0, 1}, 9 * sizeof *axes);
}

static void fill_nail(const ib_Sim *sim, int body, const ib_Support *support, ib__Nail *nail)
{
    const ib_RobotModel *robot = robot_of(sim->model, body);
    double axes[9];
    nail->robot = sim->model->body_robots[body];
    nail->form_count = support->form_count;
    turn_axes(robot->ports.planar, sim->state + robot->state, axes);
    for (int k = 0; k < nail->form_count; k++)
        for (int c = 0; c < 3; c++)
            nail->forms[k][c] = support->forms[k][0] * axes[c] +
                                support->forms[k][1] * axes[3 + c] +
                                support->forms[k][2] * axes[6 + c];
}

// out = M v, 3 x 3
static void multiply(const double *M, const double *v, double *out)
{
    for (int r = 0; r < 3; r++)
        out[r] = M[3 * r] * v[0] + M[3 * r + 1] * v[1] + M[3 * r + 2] * v[2];
}

// Do its contacts hold it under the accelerations that it would have now?
static bool holds(const ib_Sim *sim, int body, const ib_Support *support)
{
    const ib_RobotModel *robot = robot_of(sim->model, body);
    double *rate = sim->course_state, force[3], answer[3], matrix[9];
    const double *own = sim->state + robot->state;
    ib_Motion m;
    robot->kind->rate(robot->model, own, sim->input + robot->input, rate);
    ib_planar_motion(robot->ports.planar, own, rate, &m);
    ib_planar_inverse_mass(robot->ports.planar, robot->kind, robot->model, own, matrix);
    const double a[3] = {m.ax, m.ay, m.alpha};
    multiply(support->force, a, force);
    multiply(matrix, force, answer);
    bool good = true;
    for (int k = 0; k < support->form_count; k++) {
        const double *form = support->forms[k];
        good &= form[0] * a[0] + form[1] * a[1] + form[2] * a[2] >= 0;
    }
    double allowed = HELD * (fabs(a[0]) + fabs(a[1]) + fabs(a[2]));
    for (int c = 0; c < 3; c++) good &= fabs(a[c] + answer[c]) <= allowed;
    return good;
}

// What lean on each other is nailed where nothing changes; where something does, it is not tried
// again for a while.
void ib__contact_release(ib_Sim *sim)
{
    ib_Time wait = FREEZE_AFTER * ib_time_min(sim->model->step, IB__WINDOW);
    if (sim->contact->loose)
        sim->state[sim->model->tally_state + IB_TALLY_LOOSE] = (double)(sim->time + wait);
    sim->contact->nail_count = 0;
    sim->contact->loose = false;
    count(sim);
}

// Bodies that rest, in their order: one more each time that one is found; -1: there are no more.
static int next_resting(const ib_Sim *sim, int body)
{
    const ib_Rests *rests = &sim->contact->rests;
    int next = -1;
    for (int i = 0; i < rests->count; i++) {
        ib_Pair pair = ib_world_pair(sim->model->world, rests->items[i].pair);
        if (pair.body > body && (next < 0 || pair.body < next)) next = pair.body;
    }
    return next;
}

static bool leans_on_bodies(const ib_Sim *sim)
{
    const ib_Rests *rests = &sim->contact->rests;
    int bodies = sim->model->world->body_count * sim->model->world->element_count;
    return rests->count > 0 && rests->items[rests->count - 1].pair >= bodies;
}

static bool is_still(const ib_Sim *sim, int body)
{
    const ib_RobotModel *robot = robot_of(sim->model, body);
    const ib_PlanarModel *planar = robot->ports.planar;
    const double *own = sim->state + robot->state;
    return own[planar->velocity[0]] == 0 && own[planar->velocity[1]] == 0 &&
           own[planar->yaw_rate] == 0 && !planar->varies;
}

// Bodies that lean on each other, while nothing changes.
static void freeze(ib_Sim *sim)
{
    const ib_Model *model = sim->model;
    ib__Contact *contact = sim->contact;
    const int *resting;
    int number = ib_world_resting(contact->room, &resting);
    if ((double)sim->time < sim->state[model->tally_state + IB_TALLY_LOOSE]) return;
    if (model->world->mover_count > 0) return;
    for (int i = 0; i < number; i++)
        if (!is_still(sim, resting[i])) return;
    find_all(sim, sim->input, 0, sim->state);
    find_free(sim, sim->state, sim->input);
    ib_world_piece(contact->room, ib_time_to_seconds(model->step));
    ib_world_rest(model->world, contact->room, contact->bodies, contact->movers, contact->free,
                  contact->masses, contact->forces);
    if (!ib_world_stands(contact->room, contact->free, contact->masses, contact->forces)) return;
    for (int i = 0; i < number; i++) {
        const ib_RobotModel *robot = robot_of(model, resting[i]);
        const ib_PlanarModel *planar = robot->ports.planar;
        const double *rate = sim->course_state + robot->state;
        contact->nails[i] = (ib__Nail){
            .robot = model->body_robots[resting[i]],
            .form_count = -1,
            .rough = ib_world_in_heap(contact->room, resting[i]),
            .steady = {rate[planar->velocity[0]], rate[planar->velocity[1]],
                       rate[planar->yaw_rate]},
        };
        if (contact->nails[i].rough) round_off(contact->nails[i].steady);
    }
    contact->nail_count = number;
    contact->loose = false;
    sim->system = ib__sim_system(sim);
}

void ib__contact_nail(ib_Sim *sim)
{
    ib__Contact *contact = sim->contact;
    int nails = 0, body = -1;
    if (contact->nail_count > 0 || sim->ramps) return;
    if (leans_on_bodies(sim)) {
        freeze(sim);
        return;
    }
    while ((body = next_resting(sim, body)) >= 0) {
        const ib_RobotModel *robot = robot_of(sim->model, body);
        const ib_PlanarModel *planar = robot->ports.planar;
        const double *own = sim->state + robot->state;
        ib_Support support;
        if (own[planar->velocity[0]] != 0 || own[planar->velocity[1]] != 0 ||
            own[planar->yaw_rate] != 0)
            return;
        if (!ib_world_support(sim->model->world, contact->room, &contact->rests, body, &support))
            return;
        if (planar->varies || !holds(sim, body, &support)) return;
        fill_nail(sim, body, &support, &contact->nails[nails++]);
    }
    contact->nail_count = nails;
    contact->loose = false;
    sim->system = ib__sim_system(sim);
}

double ib__contact_longest(const ib_Sim *sim, double most)
{
    if (sim->contact->nail_count > 0) return most;
    return ib_world_piece(sim->contact->room, most);
}

double ib__contact_longest_seen(const ib_Sim *sim)
{
    ib__Contact *contact = sim->contact;
    find_bodies(sim->model, sim->next, contact->bodies);
    return ib_world_turned(sim->model->world, contact->room, contact->bodies);
}

// Adds impulses to the velocities, and to the accounts what the robots lost.
static void push(const ib_Sim *sim, const ib_Push *impulses, const double *lost, double *state)
{
    for (int i = 0; i < sim->model->world->body_count; i++) {
        const ib_RobotModel *robot = robot_of(sim->model, i);
        const ib_PlanarModel *planar = robot->ports.planar;
        const ib_Push *j = &impulses[i];
        double sums[IB_PUSH_COUNT], *own = state + robot->state;
        if (j->x == 0 && j->y == 0 && j->turn == 0) continue;
        push_of(j, sim->contact->bodies[i].heading, sums);
        ib_planar_respond(planar, robot->kind, robot->model, own, sums, own);
        if (planar->contact_energy >= 0) own[planar->contact_energy] += lost[i];
    }
}

static void shift(const ib_Sim *sim, const ib_Push *shifts, double *state)
{
    for (int i = 0; i < sim->model->world->body_count; i++) {
        const ib_RobotModel *robot = robot_of(sim->model, i);
        const ib_PlanarModel *planar = robot->ports.planar;
        double *own = state + robot->state;
        own[planar->x] += shifts[i].x;
        own[planar->y] += shifts[i].y;
        own[planar->heading] += shifts[i].turn;
    }
}

// What is as slow as rounding stands. True: something has come to stand.
static bool stand(ib_Sim *sim)
{
    const ib_World *world = sim->model->world;
    const int *resting;
    int number = ib_world_resting(sim->contact->room, &resting);
    bool some = false;
    for (int i = 0; i < number; i++) {
        const ib_RobotModel *robot = robot_of(sim->model, resting[i]);
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
    ib__Contact *contact = sim->contact;
    ib_Settling settling;
    find_all(sim, sim->input, after, sim->state);
    if (contact->nail_count > 0) ib__contact_release(sim);
    bool changes = ib_world_settle(model->world, contact->room, contact->bodies, contact->movers,
                                   contact->masses, &contact->rests, &settling);
    if (settling.impulses) push(sim, settling.impulses, settling.lost, sim->state);
    if (settling.shifts) shift(sim, settling.shifts, sim->state);
    changes |= stand(sim);
    if (changes) {
        find_all(sim, sim->input, after, sim->state);
        ib_world_ready(model->world, contact->room, contact->bodies, contact->movers,
                       contact->masses, &contact->rests);
    }
    write_rests(model, &contact->rests, sim->state);
    contact->ready = true;
    if (contact->rests.count != sim->resting) count(sim);
    return changes;
}

// Does a robot get a sudden push now, or an element another speed?
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
    ib__Contact *contact = sim->contact;
    if (is_pushed(sim)) ib__contact_settle(sim, 0);
    if (contact->ready) return;
    find_all(sim, sim->input, 0, sim->state);
    ib_world_ready(sim->model->world, contact->room, contact->bodies, contact->movers,
                   contact->masses, &contact->rests);
    contact->ready = true;
}

// ----------------------------------------------------------------------------------------- meeting

// The piece that was just integrated.
typedef struct Way {
    const ib_Sim *sim;
    double from, length;
} Way;

// Bodies along the way: at its two ends, and by the solver's dense output between.
static void course_at(const void *context, double t, ib_BodyState *bodies, ib_BodyState *movers)
{
    const Way *way = context;
    const ib_Sim *sim = way->sim;
    const double *state = t <= 0 ? sim->state : sim->next;
    if (t > 0 && t < way->length) {
        ib_solver_dense(sim->solver, t / way->length, sim->course_state);
        state = sim->course_state;
    }
    find_bodies(sim->model, state, bodies);
    find_movers(sim, sim->input, way->from + t, movers);
}

ib_FirstContact ib__contact_find(ib_Sim *sim, double from, double length)
{
    ib__Contact *contact = sim->contact;
    Way way = {sim, from, length};
    ib_Course course = {length, course_at, &way};
    ib_FirstContact first =
        ib_world_first_contact(sim->model->world, contact->room, &contact->rests, &course);
    if (sim->resting > 0 && contact->nail_count == 0)
        ib_world_remember(contact->room, &contact->rests);
    return first;
}

bool ib__contact_touches(ib_Sim *sim, int pair, double after)
{
    ib__Contact *contact = sim->contact;
    find_bodies(sim->model, sim->next, contact->bodies);
    find_movers(sim, sim->input, after, contact->movers);
    double gap = ib_world_gap(sim->model->world, pair, contact->bodies, contact->movers);
    return gap <= IB_TOUCH_GAP;
}

// How far along x or y a robot may have got from where it started; each coordinate is a cubic with
// these ends and slopes, which strays less than  |d| + h (|v0| + |v1|). No direction is asked for,
// and with it no sine.
static double travel_of(const ib_PlanarModel *planar, const double *from, const double *to,
                        double length)
{
    int x = planar->x, y = planar->y, a = planar->velocity[0], b = planar->velocity[1];
    double way = fmax(fabs(to[x] - from[x]), fabs(to[y] - from[y]));
    return way + length * ((fabs(from[a]) + fabs(from[b])) + (fabs(to[a]) + fabs(to[b])));
}

// What is left of the room found earlier mostly does; else it is measured anew.
bool ib__contact_far(ib_Sim *sim, double length)
{
    const ib_Model *model = sim->model;
    ib__Contact *contact = sim->contact;
    double travel = 0;
    for (int i = 0; i < model->world->body_count; i++) {
        const ib_RobotModel *robot = robot_of(model, i);
        travel += travel_of(robot->ports.planar, sim->state + robot->state,
                            sim->next + robot->state, length);
    }
    if (!(contact->far > travel)) {
        find_bodies(model, sim->state, contact->bodies);
        contact->far = ib_world_clearance(model->world, contact->room, contact->bodies,
                                          &contact->rests, contact->moved) -
                       IB_TOUCH_GAP;
        contact->moved = 0;
    }
    contact->moved += travel;
    contact->far -= travel;
    return contact->far > 0;
}

void ib__contact_far_begin(ib_Sim *sim)
{
    sim->contact->far = 0;
}

// Where a body is pushed back, Euler's method gives it the speed of a whole step however short its
// flight was: bounces that are slower would never end.
static double euler_speed(const ib_Sim *sim, const double *state)
{
    const ib_World *world = sim->model->world;
    double most = 0;
    find_free(sim, state, sim->input);
    for (int i = 0; i < world->body_count; i++) {
        const ib_Push *a = &sim->contact->free[i];
        double turn = world->bodies[i].shape.reach * fabs(a->turn);
        most = fmax(most, sqrt(a->x * a->x + a->y * a->y) + turn);
    }
    return most * ib_time_to_seconds(sim->model->step);
}

// Hits that keep coming within one step must come to an end: ever faster ones no longer bounce.
static ib_Slow slow_speeds(const ib_Sim *sim, const double *state)
{
    double hits = state[sim->model->tally_state + IB_TALLY_COUNT];
    double times = (double)(INT64_C(1) << (int)fmin(hits / HITS_TO_DOUBLE, 30));
    bool euler = sim->model->config->solver.kind == IB_EULER;
    double bounce = fmax(IB_REST_SPEED, euler ? euler_speed(sim, state) : 0);
    return (ib_Slow){times * bounce, times * bounce};
}

// What touches `body` in the pair; NULL: the pair is none of this body's.
static const char *partner_name(const ib_Model *model, int body, int pair)
{
    ib_Pair who = ib_world_pair(model->world, pair);
    if (who.body != body && who.other != body) return NULL;
    if (who.other >= 0) return ib__field_body_name(model, who.body == body ? who.other : who.body);
    return ib__field_element_name(model, who.element);
}

// What else touches a body of the pair `stuck`; NULL: nothing.
static const char *second_partner(const ib_Sim *sim, int body, int stuck)
{
    const ib_World *world = sim->model->world;
    for (int i = 0; i < world->pair_count; i++) {
        const char *name = i != stuck ? partner_name(sim->model, body, i) : NULL;
        if (name &&
            ib_world_gap(world, i, sim->contact->bodies, sim->contact->movers) <= IB_REST_GAP)
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

// Where a body is hit: the mean of its points, by their impulses.
static void place_hit(const ib_PushPoint *points, int count, int body, double *hit)
{
    double all = 0, x = 0, y = 0;
    for (int i = 0; i < count; i++) {
        const ib_PushPoint *p = &points[i];
        if (p->body != body && p->other != body) continue;
        double size = ib_point_size(p);
        all += size;
        x += size * p->x;
        y += size * p->y;
    }
    if (!(all > 0)) return;
    hit[IB_HIT_X] = x / all;
    hit[IB_HIT_Y] = y / all;
}

static void note_hits(const ib_Sim *sim, const ib_Impact *impact, double after, double *state)
{
    const ib_Model *model = sim->model;
    ib_PushPoint *points = sim->contact->points;
    int count = ib_world_points(model->world, sim->contact->room, points);
    for (int i = 0; i < model->world->body_count; i++) {
        const ib_Push *j = &impact->impulses[i];
        double *hit = state + model->hit_state + IB_HIT_STATES * i;
        if (j->x == 0 && j->y == 0 && j->turn == 0) continue;
        hit[IB_HIT_COUNT] += 1;
        hit[IB_HIT_IMPULSE_X] = j->x;
        hit[IB_HIT_IMPULSE_Y] = j->y;
        hit[IB_HIT_TAKEN] = impact->lost[i];
        hit[IB_HIT_TIME] = ib_time_to_seconds(sim->time) + after;
        place_hit(points, count, i, hit);
    }
}

ib_Status ib__contact_hit(ib_Sim *sim, double after, double *state, ib_Error *error)
{
    const ib_Model *model = sim->model;
    ib__Contact *contact = sim->contact;
    double *tally = state + model->tally_state;
    ib_Impact impact;
    find_all(sim, sim->input, after, state);
    ib_world_impact(model->world, contact->room, contact->bodies, contact->movers, contact->masses,
                    slow_speeds(sim, state), &contact->rests, &impact);
    tally[IB_TALLY_COUNT] += 1;
    push(sim, impact.impulses, impact.lost, state);
    note_hits(sim, &impact, after, state);
    write_rests(model, &contact->rests, state);
    contact->ready = false;
    contact->nail_count = 0;
    count(sim);
    if (impact.stuck < 0) return IB_OK;
    bool deep =
        ib_world_gap(model->world, impact.stuck, contact->bodies, contact->movers) < -CRUSHED;
    tally[IB_TALLY_FRUITLESS] += 1;
    if (tally[IB_TALLY_FRUITLESS] < MAX_FRUITLESS && !deep) return IB_OK;
    return refuse_crush(sim, after, impact.stuck, error);
}

// ----------------------------------------------------------------------------------------- signals

void ib__contact_look(const ib_Sim *sim, const double *state, const double *input)
{
    const ib_Model *model = sim->model;
    ib__Contact *contact = sim->contact;
    ib_Rests *rests = &contact->look_rests;
    memset(contact->forces, 0, (size_t)model->world->body_count * sizeof *contact->forces);
    contact->point_count = 0;
    read_rests(model, state, rests);
    if (rests->count == 0) return;
    find_all(sim, input, 0, state);
    find_free(sim, state, input);
    ib_world_ready(model->world, contact->look_room, contact->bodies, contact->movers,
                   contact->masses, rests);
    ib_world_rest(model->world, contact->look_room, contact->bodies, contact->movers, contact->free,
                  contact->masses, contact->forces);
    contact->point_count = ib_world_points(model->world, contact->look_room, contact->points);
}
