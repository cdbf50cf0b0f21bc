// test/world/rig.h: a small simulation of free bodies around the world's functions, as plain as it
// can be: constant pushes, rk4, the step cut at every contact.
#ifndef IB_TEST_WORLD_RIG_H
#define IB_TEST_WORLD_RIG_H

#include "cmocka_all.h"
#include "solver/solver.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

enum { RIG_BODIES = 128 };

typedef struct Rig {
    ib_World *world;
    ib_WorldWorkspace *workspace;
    double inverse_mass[9 * RIG_BODIES];
    ib_Push push[RIG_BODIES];               // constant force on each body
    ib_Push drag[RIG_BODIES];               // force per speed, against it
    ib_BodyState movers[IB_FIELD_ELEMENTS]; // at time 0; their speeds are constant
    double state[6 * RIG_BODIES], next[6 * RIG_BODIES];
    ib_Rests rests;
    double time, from; // of the run; of the piece within the step
    double piece;      // its length
    double lost;       // energy lost in impacts
    double taken;      // energy that resting contacts have taken
    int hits, stops;
    double deepest; // most negative gap seen
    ib_SolverKind kind;
    ib_Arena arena;
    ib_Solver *solver;
} Rig;

static inline void rig_init(Rig *rig, const ib_FieldConfig *field, const ib_BodyConfig *bodies,
                            int count)
{
    memset(rig, 0, sizeof *rig);
    rig->kind = IB_RK4;
    assert_int_equal(ib_world_create(field, bodies, count, &rig->arena, &rig->world, NULL), IB_OK);
    rig->workspace = ib_world_workspace_create(rig->world, &rig->arena);
    rig->rests.items =
        ib_arena_array(&rig->arena, (size_t)rig->world->rest_room, sizeof *rig->rests.items);
    assert_true(rig->workspace && rig->rests.items);
}

static inline void rig_mass(Rig *rig, int body, double mass, double inertia)
{
    double *W = rig->inverse_mass + 9 * body;
    memset(W, 0, 9 * sizeof *W);
    W[0] = W[4] = 1 / mass;
    W[8] = 1 / inertia;
}

static inline void rig_bodies(const double *state, int count, ib_BodyState *bodies)
{
    for (int i = 0; i < count; i++) memcpy(&bodies[i], state + 6 * i, sizeof *bodies);
}

static inline void rig_movers(const Rig *rig, double t, ib_BodyState *movers)
{
    for (int i = 0; i < rig->world->mover_count; i++) {
        const ib_BodyState *m = &rig->movers[i];
        movers[i] = (ib_BodyState){
            m->x + m->vx * t, m->y + m->vy * t, m->heading + m->w * t, m->vx, m->vy, m->w};
    }
}

static inline void rig_rest(const Rig *rig, const ib_BodyState *bodies, const ib_BodyState *movers,
                            const ib_Push *free, ib_Push *forces)
{
    memset(forces, 0, (size_t)rig->world->body_count * sizeof *forces);
    if (rig->rests.count > 0)
        ib_world_rest(rig->world, rig->workspace, bodies, movers, free, rig->inverse_mass, forces);
}

static inline void rig_rate(const void *context, double t, const double *x, double *dx)
{
    const Rig *rig = context;
    int count = rig->world->body_count;
    ib_BodyState bodies[RIG_BODIES], movers[IB_FIELD_ELEMENTS];
    ib_Push free[RIG_BODIES], forces[RIG_BODIES];
    rig_bodies(x, count, bodies);
    rig_movers(rig, rig->time + rig->from + t, movers);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < count; i++) {
            const double *W = rig->inverse_mass + 9 * i;
            ib_Push f = rig->push[i];
            f.x -= rig->drag[i].x * bodies[i].vx;
            f.y -= rig->drag[i].y * bodies[i].vy;
            f.turn -= rig->drag[i].turn * bodies[i].w;
            if (pass == 1) f.x += forces[i].x, f.y += forces[i].y, f.turn += forces[i].turn;
            free[i] = (ib_Push){W[0] * f.x + W[1] * f.y + W[2] * f.turn,
                                W[3] * f.x + W[4] * f.y + W[5] * f.turn,
                                W[6] * f.x + W[7] * f.y + W[8] * f.turn};
            memcpy(dx + 6 * i, &bodies[i].vx, 3 * sizeof *dx);
            memcpy(dx + 6 * i + 3, &free[i], 3 * sizeof *dx);
            if (pass == 0 && i == count - 1) rig_rest(rig, bodies, movers, free, forces);
        }
}

static inline void rig_at(const void *context, double t, ib_BodyState *bodies, ib_BodyState *movers)
{
    const Rig *rig = context;
    double x[6 * RIG_BODIES];
    const double *state = x;
    if (t == 0)
        state = rig->state;
    else if (t == rig->piece)
        state = rig->next;
    else
        ib_solver_dense(rig->solver, t / rig->piece, x);
    rig_bodies(state, rig->world->body_count, bodies);
    rig_movers(rig, rig->time + rig->from + t, movers);
}

static inline void rig_watch(Rig *rig, double t)
{
    ib_BodyState bodies[RIG_BODIES], movers[IB_FIELD_ELEMENTS];
    rig_at(rig, t, bodies, movers);
    for (int i = 0; i < rig->world->pair_count; i++)
        rig->deepest = fmin(rig->deepest, ib_world_gap(rig->world, i, bodies, movers));
}

// Adds impulses to the velocities.
static inline void rig_push(Rig *rig, const ib_Push *impulses)
{
    for (int i = 0; i < rig->world->body_count; i++) {
        const double *W = rig->inverse_mass + 9 * i;
        const ib_Push *j = &impulses[i];
        for (int k = 0; k < 3; k++)
            rig->state[6 * i + 3 + k] +=
                W[3 * k] * j->x + W[3 * k + 1] * j->y + W[3 * k + 2] * j->turn;
    }
}

static inline void rig_hit(Rig *rig)
{
    ib_BodyState bodies[RIG_BODIES], movers[IB_FIELD_ELEMENTS];
    ib_Impact impact;
    rig_bodies(rig->state, rig->world->body_count, bodies);
    rig_movers(rig, rig->time + rig->from, movers);
    ib_world_impact(rig->world, rig->workspace, bodies, movers, rig->inverse_mass,
                    (ib_Slow){IB_REST_SPEED, IB_REST_SPEED}, &rig->rests, &impact);
    rig_push(rig, impact.impulses);
    for (int i = 0; i < rig->world->body_count; i++) rig->lost += impact.lost[i];
    rig->hits++;
}

static inline void rig_settle(Rig *rig)
{
    ib_BodyState bodies[RIG_BODIES], movers[IB_FIELD_ELEMENTS];
    ib_Settling settling;
    if (rig->rests.count == 0) return;
    rig_bodies(rig->state, rig->world->body_count, bodies);
    rig_movers(rig, rig->time + rig->from, movers);
    if (!ib_world_settle(rig->world, rig->workspace, bodies, movers, rig->inverse_mass, &rig->rests,
                         &settling))
        return;
    if (settling.impulses) rig_push(rig, settling.impulses);
    for (int i = 0; settling.impulses && i < rig->world->body_count; i++)
        rig->taken += settling.lost[i];
    for (int i = 0; settling.shifts && i < rig->world->body_count; i++) {
        rig->state[6 * i] += settling.shifts[i].x;
        rig->state[6 * i + 1] += settling.shifts[i].y;
        rig->state[6 * i + 2] += settling.shifts[i].turn;
    }
    rig_bodies(rig->state, rig->world->body_count, bodies);
    ib_world_ready(rig->world, rig->workspace, bodies, movers, rig->inverse_mass, &rig->rests);
}

// One step; false when it takes more than 10 000 pieces, as in a run.
static inline int rig_step(Rig *rig, double h)
{
    int count = 6 * rig->world->body_count;
    ib_System system = {.count = count, .rate = rig_rate, .context = rig};
    if (!rig->solver) {
        ib_SolverConfig config = ib_solver_default();
        config.kind = rig->kind;
        rig->solver = ib_solver_create(&config, count, &rig->arena);
    }
    rig->from = 0;
    for (int pieces = 0; rig->from < h * (1 - 1e-12); pieces++) {
        if (pieces == 10000) return 0;
        double x[6 * RIG_BODIES];
        rig->piece = h - rig->from;
        if (rig->rests.count > 0) rig->piece = ib_world_piece(rig->workspace, rig->piece);
        ib_solver_step(rig->solver, &system, rig->piece, rig->state, rig->next);
        ib_Course course = {rig->piece, rig_at, rig};
        ib_FirstContact first =
            ib_world_first_contact(rig->world, rig->workspace, &rig->rests, &course);
        ib_world_remember(rig->workspace, &rig->rests);
        double until = first.pair >= 0 ? first.t : rig->piece;
        for (int k = 1; k <= 4; k++) rig_watch(rig, until * k / 4);
        if (first.pair < 0)
            memcpy(x, rig->next, sizeof x);
        else if (first.t == 0)
            memcpy(x, rig->state, sizeof x);
        else
            ib_solver_dense(rig->solver, first.t / rig->piece, x);
        memcpy(rig->state, x, sizeof x);
        rig->from += until;
        if (first.pair >= 0 && !first.stops) rig_hit(rig);
        rig->stops += first.pair >= 0 && first.stops;
        rig_settle(rig);
    }
    rig->time += h;
    rig->from = 0;
    return 1;
}

static inline void rig_end(Rig *rig)
{
    ib_arena_reset(&rig->arena);
}

#endif
