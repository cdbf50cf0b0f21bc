// sim/piece.c: one piece of a step: how long it may be, its integration up to the first jump, and
// the state that it leaves.
#include "base/extreme.h"
#include "sim/contact/contact.h"
#include "sim/contact/relief.h"
#include "sim/health/limit.h"

#include <math.h>
#include <string.h>

enum {
    MAX_CUTS = 4, ///< steps towards one contact
    CROWD = 12,   ///< of more bodies, contacts are so many that they are cut as they are
};

static const double CROSSING = 1e-8; ///< length of the step that crosses a jump [s]
static const double WEDGED = 1e-4;   ///< length of a step where contacts wedge, at most [s]
static const double FAIR = 1e-6;     ///< tolerance of the first such step
static const double ROUGH = 1e-3;    ///< and where others were before it
static const double NO_TIME = 9e-16; ///< a smaller part of a step before its end is rounding
static const double ROUNDED = 1e-6;  ///< part of a nanosecond by which a whole one may be off

// ------------------------------------------------------------------------------------------ guards

// True if no guard is near a change of sign in the piece just integrated, `length` long: every
// guard is at both ends four times farther from zero than it has moved; a dip to zero and back
// within one step of a fixed grid would need a guard that lives much faster than the steps that
// resolve the robot. Only then the search of ib_solver_locate is spared. `rate`: receives the rates
// at the end, for the next step; may be NULL.
static bool is_clear(ib_Sim *sim, double length, double *rate)
{
    const double *before = sim->guards;
    double *after = sim->end_guards;
    if (!sim->guards_known) ib__sim_guards(sim, 0, sim->state, sim->guards);
    sim->guards_known = true;
    if (sim->adaptive) return false;
    if (rate)
        ib__sim_rates_ahead(sim, length, sim->next, rate, after);
    else
        ib__sim_guards(sim, length, sim->next, after);
    bool clear = true;
    for (int i = 0; i < sim->model->guard_count; i++) {
        double move = 4 * fabs(after[i] - before[i]);
        clear &= fabs(before[i]) > move && fabs(after[i]) > move;
    }
    return clear;
}

// The guards at the end of a piece without a jump are those at the start of the next, as long as no
// input has changed in between, nor the push of a shared world.
static inline void carry_guards(ib_Sim *sim)
{
    double *before = sim->guards;
    sim->guards_known = !sim->adaptive && !sim->ramps && !sim->guests;
    sim->guards = sim->end_guards;
    sim->end_guards = before;
}

// -------------------------------------------------------------------------------------- shortening

// The piece ends with the state that is in sim->cut_state; the step that was made stays as it was,
// for states in between.
static void cut(ib_Sim *sim, ib__Piece *piece, double length)
{
    piece->length = length;
    piece->end = sim->cut_state;
}

// Ends the piece at the change of sign of a guard.
static void cut_at_guard(ib_Sim *sim, ib__Piece *piece)
{
    ib_EventSystem events = {sim->model->guard_count, ib__sim_guards, sim, sim->events};
    ib_solver_locate(sim->solver, &sim->system, &events, piece->length, sim->state, &piece->jump,
                     sim->cut_state);
    if (piece->jump.index >= 0) cut(sim, piece, piece->jump.t);
}

// Ends the piece where two outlines meet or a slide ends; the rest is not checked.
static void cut_at_contact(ib_Sim *sim, ib__Piece *piece)
{
    ib_FirstContact first = ib__contact_find(sim, piece->from, piece->length, piece->end);
    ib_FirstContact met = first;
    // The inside of a step is less accurate than its ends: a step that ends at the contact is
    // better. If it just misses the contact, the next piece finds it.
    int cuts = sim->model->world->body_count > CROWD ? 0 : MAX_CUTS;
    for (int i = 0; i < cuts && first.pair >= 0 && first.t > 0 && first.t < piece->length; i++) {
        piece->length = first.t;
        piece->jump.index = -1;
        piece->end = sim->next;
        sim->counts.steps += 1;
        if (ib_solver_step(sim->solver, &sim->system, piece->length, sim->state, sim->next)) break;
        met = first;
        first = ib__contact_find(sim, piece->from, piece->length, piece->end);
    }
    if (first.pair < 0 && met.pair >= 0 && !met.stops && piece->length == met.t &&
        ib__contact_touches(sim, met.pair, piece->from + piece->length)) {
        first = met;
    }
    piece->pair = first.pair;
    piece->hit = first.pair >= 0 && !first.stops;
    piece->stops = first.pair >= 0 && first.stops;
    if (first.pair < 0 || first.t >= piece->length) return;
    piece->jump.index = -1;
    if (piece->end == sim->next) {
        ib_solver_dense(sim->solver, first.t / ib_solver_length(sim->solver), sim->cut_state);
        cut(sim, piece, first.t);
    } else { // a guard has cut it already
        ib_solver_step_again(sim->solver, &sim->system, first.t, sim->next);
        piece->length = first.t;
        piece->end = sim->next;
    }
}

// ----------------------------------------------------------------------------------------- solving

// A step without control of its error, when all control has come to nothing: across a jump of the
// physics that no guard announces (a battery that folds under a current limit).
static ib_Status solve_plainly(ib_Sim *sim, double length, ib__Piece *piece, ib_Error *error)
{
    double whole = floor(length * 1e9 + 1e-3);
    piece->length = whole >= 1 && whole * 1e-9 < length ? whole * 1e-9 : length;
    sim->counts.steps += 1;
    if (!ib_solver_step(sim->solver, &sim->system, piece->length, sim->state, sim->next))
        return IB_OK;
    return ib_error_set(error, IB_FAILED, "the state is not finite after a step of %g s",
                        piece->length);
}

// A step with a larger allowed error than wanted: with wedged contacts, forces have so many corners
// that a step must only be plausible. Its proposal for the next step does not count.
static ib_Status solve_within(ib_Sim *sim, double allowed, ib__Piece *piece)
{
    double tolerance = sim->model->config->solver.tolerance;
    double most = ib_min(piece->most, WEDGED), wish = most;
    ib_solver_set_tolerance(sim->solver, ib_max(tolerance, allowed));
    ib_Status status = ib_solver_step_controlled(sim->solver, &sim->system, most, &wish, sim->state,
                                                 sim->next, &piece->length, &sim->counts, NULL);
    ib_solver_set_tolerance(sim->solver, tolerance);
    return status;
}

// As far as the solver gets by the piece's method, at most to its `most`.
static ib_Status solve(ib_Sim *sim, ib__Piece *piece, ib_Error *error)
{
    if (sim->model->external_count == sim->model->robot_count) { // nothing is left for the solver
        piece->length = piece->most;
        sim->counts.steps += 1;
        return IB_OK;
    }
    if (piece->method == IB__PLAIN)
        return solve_plainly(sim, ib_min(piece->most, CROSSING), piece, error);
    if (piece->method != IB__CONTROLLED)
        return solve_within(sim, piece->method == IB__FAIR ? FAIR : ROUGH, piece);
    double *wish = &sim->state[sim->model->step_state];
    return ib_solver_step_controlled(sim->solver, &sim->system, piece->most, wish, sim->state,
                                     sim->next, &piece->length, &sim->counts, error);
}

// One step of the solver, made again until the checks let it stand, or to where a guard changes its
// sign before that. `solved`: how far the solver came.
static ib_Status solve_soundly(ib_Sim *sim, ib__Piece *piece, double *solved, ib_Error *error)
{
    piece->method = ib__first_method(sim);
    piece->halvings = 0;
    piece->loosened = false;
    sim->piece_from = piece->from;
    for (;;) {
        bool made = solve(sim, piece, error) == IB_OK;
        ib__sim_flush(sim);
        if (made) sim->health.inexact_row = 0;
        const ib__StepCheck *failed = ib__step_check(sim, piece, made);
        if (!failed) {
            if (!made && error) error->text[0] = '\0';
            *solved = piece->length;
            piece->jump.index = piece->pair = -1;
            piece->start = sim->state;
            piece->end = sim->next;
            if (sim->model->guard_count == 0 || is_clear(sim, *solved, NULL)) return IB_OK;
            cut_at_guard(sim, piece);
            if (piece->end != sim->next) failed = ib__step_check_cut(sim, piece);
            if (!failed) return IB_OK;
        }
        ib_Status status = ib__step_repair(sim, piece, failed, error);
        if (status != IB_OK) return status;
    }
}

// True if the piece ends the step. One that opens it and may fill it is the step, at any length,
// unless a jump cut it short. All others continue to the step's planned end, which is a whole
// nanosecond; an adaptive solver's step ends with the piece, at the next one. A jump at the exact
// end of the step leaves no further piece.
static void find_end(const ib_Sim *sim, ib__Piece *piece, double solved)
{
    bool whole = piece->opens && piece->most == piece->step - piece->from;
    double end = piece->from + piece->length;
    piece->jumps = piece->jump.index >= 0 || piece->hit;
    if (whole) piece->step = solved;
    bool cut = piece->jumps || piece->length < solved;
    bool ends = cut || !whole; // also where contacts have left less than a step
    if (ends && sim->adaptive) piece->step = ib_min(piece->step, ceil(end * 1e9 - ROUNDED) * 1e-9);
    bool reached = piece->length >= piece->step - piece->from || end >= piece->step * (1 - NO_TIME);
    piece->closes = reached || (whole && !cut);
}

static inline void bring_along(ib_Sim *sim)
{
    // Without sensors a fixed-step solver leaves them unchanged, and both buffers hold
    // them already.
    int front = sim->model->robot_state_count;
    if (sim->adaptive || sim->model->sensor_count + sim->model->control_count > 0 ||
        sim->model->world || sim->model->riders)
        memcpy(sim->next + front, sim->state + front,
               (size_t)(sim->model->state_count - front) * sizeof *sim->state);
}

// The new state must be plausible. States that are not integrated are part of it (sensors, the step
// proposed by the solver).
static inline ib_Status finish(ib_Sim *sim, const ib__Piece *piece, ib_Error *error)
{
    ib_Status status = ib__limit_check(sim, piece->end, piece->from + piece->length, error);
    if (status == IB_OK && piece->end == sim->next && piece->length > 0) bring_along(sim);
    return status;
}

ib_Status ib__piece_integrate(ib_Sim *sim, ib__Piece *piece, ib_Error *error)
{
    double solved = 0;
    ib_Status status = solve_soundly(sim, piece, &solved, error);
    if (status != IB_OK) return status;
    if (sim->model->world) cut_at_contact(sim, piece);
    find_end(sim, piece, solved);
    if (sim->model->external_count > 0) {
        double *end = piece->end == sim->next ? sim->next : sim->cut_state;
        piece->seen = piece->length > 0;
        if (piece->seen) ib__sim_record_start(sim, piece);
        status = ib__external_advance(sim, piece->from, sim->state, piece->length, end, error);
        if (status != IB_OK) return status;
    }
    return finish(sim, piece, error);
}

// --------------------------------------------------------------------------------------- take over

static inline void swap_states(ib_Sim *sim)
{
    double *old = sim->state;
    sim->state = sim->next;
    sim->next = old;
}

void ib__piece_take_over(ib_Sim *sim, const ib__Piece *piece)
{
    if (piece->end != sim->next) {
        memcpy(sim->next, piece->end, (size_t)sim->model->robot_state_count * sizeof *sim->next);
        bring_along(sim);
    }
    if (piece->length > 0) swap_states(sim);
    if (!piece->jumps) carry_guards(sim);
}

// ----------------------------------------------------------------------------------------- lengths

double ib__sim_longest(const ib_Sim *sim)
{
    double longest = INFINITY;
    for (int i = 0; i < sim->model->robot_count; i++) {
        const ib_RobotModel *robot = &sim->model->robots[i];
        if (!robot->kind->longest) continue;
        longest = ib_min(longest, robot->kind->longest(robot->model, sim->state + robot->state));
    }
    if (sim->model->relief) longest = ib_min(longest, ib__relief_longest(sim));
    return longest;
}

// ----------------------------------------------------------------------------------------- strides

// No step of a stride has hits; ib_sim_step begins each of its steps like this.
static void forget_hits(ib_Sim *sim)
{
    double *tally = sim->state + sim->model->tally_state;
    tally[IB_TALLY_COUNT] = tally[IB_TALLY_FRUITLESS] = tally[IB_TALLY_STEPS] = 0;
}

// Makes one whole step. `ahead`: the solver has the rate at its start, and at its end afterwards.
// False: it needs a closer look.
static bool stride_once(ib_Sim *sim, ib__Piece *piece, bool *ahead)
{
    bool looks_ahead = sim->model->guard_count > 0 && sim->resting == 0;
    ib_solver_step_unchecked(sim->solver, &sim->system, piece->length, sim->state, sim->next,
                             *ahead, &sim->counts);
    ib__sim_flush(sim);
    if (ib__step_check(sim, piece, true)) return false;
    double *rate = looks_ahead ? ib_solver_ahead(sim->solver) : NULL;
    *ahead = rate != NULL;
    if (sim->model->guard_count > 0 && !is_clear(sim, piece->length, rate)) return false;
    return !sim->model->world || ib__contact_far(sim, piece->length) ||
           ib__contact_find(sim, 0, piece->length, sim->next).pair < 0;
}

static ib_Status stride(ib_Sim *sim, ib_Time until, bool looks, ib_Error *error)
{
    ib_Time step = sim->model->step;
    double length = ib_time_to_seconds(step);
    ib__Piece piece = {
        .step = length, .length = length, .most = length, .opens = true, .strides = true};
    bool ahead = false;
    sim->piece_from = 0;
    if (sim->model->world) ib__contact_far_begin(sim);
    while (sim->time + step <= until) {
        if (sim->model->sudden && ib__sim_longest(sim) < length) return IB_OK;
        ib_SolverCounts before = sim->counts;
        if (!stride_once(sim, &piece, &ahead)) {
            sim->counts = before; // ib_sim_step makes it again
            return IB_OK;
        }
        piece.start = sim->state;
        piece.end = sim->next;
        ib_Status status = finish(sim, &piece, error);
        if (status != IB_OK) return status;
        if (looks) ib__sim_record(sim, &piece);
        piece.follows = true;
        swap_states(sim); // nothing cuts a stride short
        carry_guards(sim);
        if (sim->model->world) forget_hits(sim);
        sim->time += step;
        sim->steps++;
    }
    return IB_OK;
}

ib_Status ib__sim_stride(ib_Sim *sim, ib_Time until, ib_Error *error)
{
    ib_Time inputs = sim->inputs_until, end = sim->model->config->duration, began = sim->time;
    bool looks = sim->probe_count + sim->watch_count > 0;
    ib_Status status = stride(sim, ib_time_min(until, ib_time_min(inputs, end)), looks, error);
    if (sim->watch_count > 0 && sim->time > began) ib__watch_filter_keep(sim);
    return status;
}
