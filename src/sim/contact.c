#include "sim/contact.h"

#include "base/maths.h"
#include "robot/planar.h"

#include <math.h>

enum {
    HITS_TO_DOUBLE = 16, ///< hits within a step that double the speed below which nothing bounces
    MAX_FRUITLESS = 100, ///< hits within a step that did not part what met
};

#define CRUSHED 1e-4 ///< deeper than this what cannot part is crushed [m]

// ------------------------------------------------------------------------------------ who is where

static void bodies_of(const ib_Model *model, const double *state, ib_BodyState *bodies)
{
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        ib_Motion m;
        if (robot->body < 0) continue;
        ib_planar_motion(robot->ports.planar, state + robot->state, NULL, &m);
        bodies[robot->body] = (ib_BodyState){m.x, m.y, m.heading, m.vx, m.vy, m.w};
    }
}

// The offsets of the moving elements `t` seconds after `input`: inputs like all others.
static void movers_of(const ib_Sim *sim, const double *input, double t, ib_BodyState *movers)
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

static void masses_of(const ib_Model *model, const double *state, double *matrices)
{
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        if (robot->body >= 0)
            ib_planar_inverse_mass(robot->ports.planar, robot->kind, robot->model,
                                   state + robot->state, matrices + 9 * robot->body);
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

// -------------------------------------------------------------------------------------------- rest

// The forces where bodies rest on each other,
// from the accelerations that `rate` holds without them.
static void rest_forces(const ib_Sim *sim, const double *input, const double *resting,
                        const double *state, const double *rate, ib_BodyState *bodies,
                        ib_Push *forces)
{
    const ib_Model *model = sim->model;
    ib_BodyState movers[IB_FIELD_ELEMENTS];
    ib_Push free[IB_WORLD_BODIES];
    double matrices[9 * IB_WORLD_BODIES];
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        ib_Motion m;
        if (robot->body < 0) continue;
        ib_planar_motion(robot->ports.planar, state + robot->state, rate + robot->state, &m);
        bodies[robot->body] = (ib_BodyState){m.x, m.y, m.heading, m.vx, m.vy, m.w};
        free[robot->body] = (ib_Push){m.ax, m.ay, m.alpha};
    }
    masses_of(model, state, matrices);
    movers_of(sim, input, 0, movers);
    ib_world_rest(model->world, resting, bodies, movers, free, matrices, forces);
}

void ib__contact_rate(const ib_Sim *sim, double t, const double *state, double *rate)
{
    const ib_Model *model = sim->model;
    ib_BodyState bodies[IB_WORLD_BODIES];
    ib_Push forces[IB_WORLD_BODIES];
    const double *input = ib__sim_input_at(sim, t);
    rest_forces(sim, input, sim->state + model->resting_state, state, rate, bodies, forces);
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        if (robot->body < 0) continue;
        const ib_BodyState *b = &bodies[robot->body];
        const ib_Push *f = &forces[robot->body];
        double sums[IB_PUSH_COUNT];
        push_of(f, b->heading, sums);
        const ib_PlanarModel *planar = robot->ports.planar;
        ib_planar_respond(planar, robot->kind, robot->model, state + robot->state, sums,
                          rate + robot->state);
        if (planar->contact_energy >= 0)
            rate[robot->state + planar->contact_energy] -=
                f->x * b->vx + f->y * b->vy + f->turn * b->w;
    }
}

void ib__contact_count(ib_Sim *sim)
{
    const ib_Model *model = sim->model;
    sim->resting = 0;
    for (int i = 0; model->world && i < model->world->pair_count; i++)
        sim->resting += sim->state[model->resting_state + i] != 0;
    // Robots that rest on something may depend on each other, and all on where they are.
    ib_solver_set_blocks(sim->solver, model->blocks, sim->resting == 0 ? model->robot_count : 0);
    sim->system = ib__sim_system(sim);
}

// ----------------------------------------------------------------------------------------- meeting

double ib__contact_longest(const ib_Sim *sim, double from)
{
    const ib_Model *model = sim->model;
    ib_BodyState bodies[IB_WORLD_BODIES], movers[IB_FIELD_ELEMENTS];
    bodies_of(model, sim->state, bodies);
    movers_of(sim, sim->input, from, movers);
    return ib_world_longest_piece(model->world, sim->state + model->resting_state, bodies, movers);
}

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
    bodies_of(sim->model, state, bodies);
    movers_of(sim, sim->input, way->from + t, movers);
}

// A lower bound of all gaps: circles around the bodies, boxes around what stands.
static double room_of(const ib_World *world, const ib_BodyState *bodies)
{
    double room = INFINITY;
    for (int i = 0; i < world->body_count; i++) {
        double x = bodies[i].x, y = bodies[i].y, reach = world->bodies[i].shape.reach;
        for (int k = 0; k < world->element_count; k++) {
            double dx = fmax(world->low_x[k] - x, x - world->high_x[k]);
            double dy = fmax(world->low_y[k] - y, y - world->high_y[k]);
            room = fmin(room, fmax(dx, dy) - reach);
        }
        for (int k = 0; k < i; k++) {
            double gap = fmax(fabs(x - bodies[k].x), fabs(y - bodies[k].y));
            room = fmin(room, gap - (reach + world->bodies[k].shape.reach));
        }
    }
    return room - IB_TOUCH_GAP;
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

bool ib__contact_far(ib_Sim *sim, double length)
{
    const ib_Model *model = sim->model;
    double travel = 0;
    if (model->world->mover_count > 0) return false;
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        if (robot->body >= 0)
            travel += travel_of(robot->ports.planar, sim->state + robot->state,
                                sim->next + robot->state, length);
    }
    // What is left of the room found earlier mostly does; else it is measured anew.
    if (!(sim->far_room > travel)) {
        ib_BodyState bodies[IB_WORLD_BODIES];
        bodies_of(model, sim->state, bodies);
        sim->far_room = room_of(model->world, bodies);
    }
    sim->far_room -= travel;
    return sim->far_room > 0;
}

double ib__contact_find(ib_Sim *sim, double from, double length)
{
    const ib_Model *model = sim->model;
    Way way = {sim, from, length};
    ib_Course course = {length, course_at, &way};
    ib_FirstContact first =
        ib_world_first_contact(model->world, sim->state + model->resting_state, &course);
    return first.pair < 0 ? -1 : first.t;
}

// Hits that keep coming within one step must come to an end: ever faster ones no longer bounce.
static double rest_speed(int hits)
{
    int doublings = hits / HITS_TO_DOUBLE;
    return IB_REST_SPEED * (double)(INT64_C(1) << (doublings < 30 ? doublings : 30));
}

static const char *body_name(const ib_Model *model, int body)
{
    for (int i = 0; i < model->robot_count; i++)
        if (model->robots[i].body == body && model->robots[i].name[0]) return model->robots[i].name;
    return "the robot";
}

// What touches `body` in the pair; NULL: the pair is none of this body's.
static const char *partner_name(const ib_Model *model, int body, int pair)
{
    ib_Pair who = ib_world_pair(model->world, pair);
    if (who.body != body && who.other != body) return NULL;
    if (who.other >= 0) return body_name(model, who.body == body ? who.other : who.body);
    int config = model->world->elements[who.element].config;
    return config < 0 ? "a wall of the field" : model->config->field->elements[config].name;
}

// What else touches a body of the pair `stuck`; NULL: nothing.
static const char *second_partner(const ib_Model *model, int body, int stuck,
                                  const ib_BodyState *bodies, const ib_BodyState *movers)
{
    for (int i = 0; i < model->world->pair_count; i++)
        if (i != stuck && partner_name(model, body, i) &&
            ib_world_gap(model->world, i, bodies, movers) <= IB_REST_GAP)
            return partner_name(model, body, i);
    return NULL;
}

static ib_Status refuse_crush(const ib_Sim *sim, double after, int stuck,
                              const ib_BodyState *bodies, const ib_BodyState *movers,
                              ib_Error *error)
{
    const ib_Model *model = sim->model;
    ib_Pair who = ib_world_pair(model->world, stuck);
    int body = who.body;
    const char *second = second_partner(model, body, stuck, bodies, movers);
    if (!second && who.other >= 0) {
        body = who.other;
        second = second_partner(model, body, stuck, bodies, movers);
    }
    return ib_error_set(error, IB_FAILED,
                        "%s is crushed between %s and %s at %.9g s: rigid bodies cannot give way. "
                        "Let what moves stop earlier, or leave more room",
                        body_name(model, body), partner_name(model, body, stuck),
                        second ? second : "wheels that do not slip",
                        ib_time_to_seconds(sim->time) + after);
}

ib_Status ib__contact_hit(ib_Sim *sim, double after, double *state, ib_Error *error)
{
    const ib_Model *model = sim->model;
    ib_BodyState bodies[IB_WORLD_BODIES], movers[IB_FIELD_ELEMENTS];
    double matrices[9 * IB_WORLD_BODIES];
    ib_Impact impact;
    bodies_of(model, state, bodies);
    movers_of(sim, sim->input, after, movers);
    masses_of(model, state, matrices);
    ib_world_impact(model->world, bodies, movers, matrices, rest_speed(sim->hits.count++),
                    state + model->resting_state, &impact);
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        if (robot->body < 0) continue;
        const ib_Push *j = &impact.impulses[robot->body];
        double sums[IB_PUSH_COUNT], size = sqrt(j->x * j->x + j->y * j->y);
        if (j->x == 0 && j->y == 0 && j->turn == 0) continue;
        push_of(j, bodies[robot->body].heading, sums);
        const ib_PlanarModel *planar = robot->ports.planar;
        ib_planar_respond(planar, robot->kind, robot->model, state + robot->state, sums,
                          state + robot->state);
        if (planar->contact_energy >= 0)
            state[robot->state + planar->contact_energy] += impact.lost[robot->body];
        double *hit = state + model->hit_state + IB_HIT_STATES * robot->body;
        hit[IB_HIT_COUNT] += 1;
        hit[IB_HIT_IMPULSE] = size;
    }
    ib__contact_count(sim);
    if (impact.stuck < 0) return IB_OK;
    bool deep = ib_world_gap(model->world, impact.stuck, bodies, movers) < -CRUSHED;
    if (++sim->hits.fruitless < MAX_FRUITLESS && !deep) return IB_OK;
    return refuse_crush(sim, after, impact.stuck, bodies, movers, error);
}

void ib__contact_release(ib_Sim *sim, double after)
{
    const ib_Model *model = sim->model;
    ib_BodyState bodies[IB_WORLD_BODIES], movers[IB_FIELD_ELEMENTS];
    bodies_of(model, sim->state, bodies);
    movers_of(sim, sim->input, after, movers);
    int left = ib_world_release(model->world, bodies, movers, sim->state + model->resting_state);
    if (left != sim->resting) ib__contact_count(sim);
}

// ----------------------------------------------------------------------------------------- signals

static void output_movers(const ib_Sim *sim, const double *input, double *signals)
{
    const ib_World *world = sim->model->world;
    double *y = signals + sim->model->mover_signal;
    for (int i = 0; i < world->element_count; i++) {
        const ib_WorldElement *e = &world->elements[i];
        const double *offset = input + sim->model->mover_input + 3 * e->mover;
        if (e->mover < 0) continue;
        y[3 * e->mover + 0] = e->x + offset[0];
        y[3 * e->mover + 1] = e->y + offset[1];
        y[3 * e->mover + 2] = e->heading + offset[2];
    }
}

void ib__contact_output(const ib_Sim *sim, const double *state, const double *input,
                        double *signals)
{
    const ib_Model *model = sim->model;
    ib_BodyState bodies[IB_WORLD_BODIES];
    ib_Push forces[IB_WORLD_BODIES] = {0};
    int resting = 0;
    for (int i = 0; i < model->world->pair_count; i++)
        resting += state[model->resting_state + i] != 0;
    if (resting > 0) {
        double *rate = sim->course_state;
        for (int i = 0; i < model->robot_count; i++) {
            const ib_RobotModel *robot = &model->robots[i];
            robot->kind->rate(robot->model, state + robot->state, input + robot->input,
                              rate + robot->state);
        }
        rest_forces(sim, input, state + model->resting_state, state, rate, bodies, forces);
    }
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        if (robot->body < 0) continue;
        double *y = signals + robot->contact_signal;
        const double *hit = state + model->hit_state + IB_HIT_STATES * robot->body;
        const ib_Push *f = &forces[robot->body];
        double force = sqrt(f->x * f->x + f->y * f->y);
        y[0] = hit[IB_HIT_COUNT];
        y[1] = hit[IB_HIT_IMPULSE];
        y[2] = force > 0;
        y[3] = force;
        y[4] = f->x;
        y[5] = f->y;
    }
    if (model->world->mover_count > 0) output_movers(sim, input, signals);
}
