#include "sim/contact.h"

#include "base/maths.h"

#include <math.h>
#include <string.h>

// -------------------------------------------------------------------------------------- who is
// where

static void bodies_of(const ib_Model *model, const double *state, ib_BodyState *bodies)
{
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        ib_Motion m;
        if (robot->body < 0) continue;
        robot->kind->motion(robot->model, state + robot->state, NULL, &m);
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

static void masses_of(const ib_Model *model, const double *state, const double *input,
                      double *matrices)
{
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        if (robot->body >= 0)
            robot->kind->inverse_mass(robot->model, state + robot->state, input + robot->input,
                                      matrices + 9 * robot->body);
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

// The forces where bodies rest on each other, from the accelerations that `rate` holds without
// them.
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
        robot->kind->motion(robot->model, state + robot->state, rate + robot->state, &m);
        bodies[robot->body] = (ib_BodyState){m.x, m.y, m.heading, m.vx, m.vy, m.w};
        free[robot->body] = (ib_Push){m.ax, m.ay, m.alpha};
    }
    masses_of(model, state, input, matrices);
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
        robot->kind->respond(robot->model, state + robot->state, input + robot->input, sums,
                             rate + robot->state);
        if (robot->ports.contact_energy >= 0)
            rate[robot->state + robot->ports.contact_energy] -=
                f->x * b->vx + f->y * b->vy + f->turn * b->w;
    }
}

void ib__contact_count(ib_Sim *sim)
{
    const ib_Model *model = sim->model;
    sim->resting = 0;
    for (int i = 0; model->world && i < model->world->pair_count; i++)
        sim->resting += sim->state[model->resting_state + i] != 0;
    sim->system = ib__sim_system(sim);
}

// -------------------------------------------------------------------------------------------
// meeting

typedef struct Stretch {
    const ib_Sim *sim;
    double from, length;
} Stretch;

// Bodies along the stretch: its two ends, and the solver's dense output between.
static void course_at(const void *context, double t, ib_BodyState *bodies, ib_BodyState *movers)
{
    const Stretch *stretch = context;
    const ib_Sim *sim = stretch->sim;
    const double *state = t <= 0 ? sim->state : sim->next;
    if (t > 0 && t < stretch->length) {
        ib_solver_dense(sim->solver, t / stretch->length, sim->course_state);
        state = sim->course_state;
    }
    bodies_of(sim->model, state, bodies);
    movers_of(sim, sim->input, stretch->from + t, movers);
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

// How far all bodies together may have got from where they started; each coordinate is a cubic with
// these ends and slopes, which strays less than  |d| + h (|v0| + |v1|).
static double travel_of(int count, const ib_BodyState *from, const ib_BodyState *to, double length)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += fabs(to[i].x - from[i].x) + fabs(to[i].y - from[i].y) +
               length * ((fabs(from[i].vx) + fabs(from[i].vy)) + (fabs(to[i].vx) + fabs(to[i].vy)));
    return sum;
}

bool ib__contact_far(ib_Sim *sim, double length)
{
    const ib_World *world = sim->model->world;
    size_t size = (size_t)world->body_count * sizeof(ib_BodyState);
    ib_BodyState end[IB_WORLD_BODIES];
    if (world->mover_count > 0) return false;
    if (!sim->far_known) {
        bodies_of(sim->model, sim->state, sim->far_bodies);
        sim->far_room = 0;
        sim->far_known = true;
    }
    bodies_of(sim->model, sim->next, end);
    double travel = travel_of(world->body_count, sim->far_bodies, end, length);
    // What is left of the room found earlier mostly does; else it is measured anew.
    if (!(sim->far_room > travel)) sim->far_room = room_of(world, sim->far_bodies);
    sim->far_room -= travel;
    memcpy(sim->far_bodies, end, size);
    return sim->far_room > 0;
}

double ib__contact_find(ib_Sim *sim, double from, double length)
{
    const ib_Model *model = sim->model;
    Stretch stretch = {sim, from, length};
    ib_Course course = {length, course_at, &stretch};
    ib_FirstContact first =
        ib_world_first_contact(model->world, sim->state + model->resting_state, &course);
    return first.pair < 0 ? -1 : first.t;
}

void ib__contact_hit(ib_Sim *sim, double after, double *state)
{
    const ib_Model *model = sim->model;
    const double *input = ib__sim_input_at(sim, after);
    ib_BodyState bodies[IB_WORLD_BODIES], movers[IB_FIELD_ELEMENTS];
    double matrices[9 * IB_WORLD_BODIES];
    ib_Impact impact;
    bodies_of(model, state, bodies);
    movers_of(sim, sim->input, after, movers);
    masses_of(model, state, input, matrices);
    ib_world_impact(model->world, bodies, movers, matrices, state + model->resting_state, &impact);
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        if (robot->body < 0) continue;
        const ib_Push *j = &impact.impulses[robot->body];
        double sums[IB_PUSH_COUNT], size = sqrt(j->x * j->x + j->y * j->y);
        if (j->x == 0 && j->y == 0 && j->turn == 0) continue;
        push_of(j, bodies[robot->body].heading, sums);
        robot->kind->respond(robot->model, state + robot->state, input + robot->input, sums,
                             state + robot->state);
        if (robot->ports.contact_energy >= 0)
            state[robot->state + robot->ports.contact_energy] += impact.lost[robot->body];
        double *hit = state + model->hit_state + IB_HIT_STATES * robot->body;
        hit[IB_HIT_COUNT] += 1;
        hit[IB_HIT_IMPULSE] = size;
    }
    ib__contact_count(sim);
}

double ib__contact_stride(const ib_Sim *sim, double from)
{
    const ib_Model *model = sim->model;
    ib_BodyState bodies[IB_WORLD_BODIES], movers[IB_FIELD_ELEMENTS];
    bodies_of(model, sim->state, bodies);
    movers_of(sim, sim->input, from, movers);
    return ib_world_stride(model->world, sim->state + model->resting_state, bodies, movers);
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

// ------------------------------------------------------------------------------------------
// signals

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
    }
    if (model->world->mover_count > 0) output_movers(sim, input, signals);
}
