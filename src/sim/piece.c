// sim/piece.c: one piece of a step: how long it may be, its integration up to the first jump, and
// the state that it leaves.
#include "base/extreme.h"
#include "sim/contact.h"
#include "sim/limit.h"
#include "sim/relief.h"
#include "sim/sim_inside.h"
#include "sim/sleep.h"

#include <math.h>
#include <string.h>

enum {
    MAX_CROSSINGS = 1000, ///< of jumps that no guard announces, in one run
    MAX_CUTS = 4,         ///< steps towards one contact
    MAX_HALVES = 20,      ///< of a fixed step that is not sound
    FEW_HALVES = 6,       ///< of one whose error alone is too large
    CROWD = 12,           ///< of more bodies, contacts are so many that they are cut as they are
};

static const double CROSSING = 1e-8; ///< length of the step that crosses one [s]
static const double WEDGED = 1e-4;   ///< length of a step where contacts wedge, at most [s]
static const double FAIR = 1e-6;     ///< tolerance of such a step where it is the first
static const double ROUGH = 1e-3;    ///< and where others were before it
static const double FIXED = 1e-4;    ///< of a fixed step with contacts, where its error is known
static const double NO_TIME = 9e-16; ///< a smaller part of a step before its end is rounding
static const double ROUNDED = 1e-6;  ///< part of a nanosecond by which a whole one may be off

// ------------------------------------------------------------------------------------------ guards

// Is no guard anywhere near a change of sign in what was just integrated, `length` long? So it is
// where every guard is at both ends four times farther from zero than it has moved: a dip to zero
// and back within one step of a fixed grid would need a guard that lives much faster than the steps
// that resolve the robot. Only then the closer look of ib_solver_locate is spared. `rate`: where
// the rates at the end go besides, for the next step; NULL: nobody asks for them.
static bool is_clear(ib_Sim *sim, double length, double *rate)
{
    const double *before = sim->guards;
    double *after = sim->end_guards;
    if (!sim->guards_known) ib__sim_guards(sim, 0, sim->state, sim->guards);
    sim->guards_known = true;
    if (sim->adaptive) return false;
    if (rate)
        ib__sim_look_ahead(sim, length, sim->next, rate, after);
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
// input has changed in between.
static inline void carry_guards(ib_Sim *sim)
{
    double *before = sim->guards;
    sim->guards_known = !sim->adaptive && !sim->ramps;
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

// Where a guard changes sign within the piece, it ends there.
static void cut_at_guard(ib_Sim *sim, ib__Piece *piece)
{
    ib_EventSystem events = {sim->model->guard_count, ib__sim_guards, sim, sim->events};
    ib_solver_locate(sim->solver, &sim->system, &events, piece->length, sim->state, &piece->jump,
                     sim->cut_state);
    if (piece->jump.index >= 0) cut(sim, piece, piece->jump.t);
}

// Where two outlines meet within the piece, or a slide ends, it ends there, and what lies behind is
// not looked at.
static void cut_at_contact(ib_Sim *sim, ib__Piece *piece)
{
    ib_FirstContact first = ib__contact_find(sim, piece->from, piece->length, piece->end);
    ib_FirstContact met = first;
    // What lies between the ends of a step is known less well than the ends: a step that ends at
    // the contact says more. Where it just misses the contact, the next piece finds it.
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

// A step with an error that is allowed to be larger than wanted. What it would wish for next is no
// measure for others.
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

// Where contacts wedge, forces have so many corners that a step is held only to be no nonsense.
static ib_Status solve_roughly(ib_Sim *sim, ib__Piece *piece, ib_Error *error)
{
    if (solve_within(sim, ROUGH, piece) == IB_OK) return IB_OK;
    return solve_plainly(sim, ib_min(piece->most, CROSSING), piece, error);
}

// A slide that is about to jam has forces without a bound, which no step follows as it should.
static ib_Status solve_singular(ib_Sim *sim, ib__Piece *piece, ib_Error *error)
{
    if (error) error->text[0] = '\0'; // of the step that failed
    if (solve_within(sim, FAIR, piece) == IB_OK) return IB_OK;
    return solve_roughly(sim, piece, error);
}

// The solver knows that a state ran away, and the table knows its name; of what else it refused, it
// knows neither the time nor the name. (An adaptive one has refused its shortest step.)
static void explain(ib_Sim *sim, const ib__Piece *piece, ib_Error *error)
{
    if (!error) return;
    ib_Error why = *error;
    const ib_Model *model = sim->model;
    double tried = sim->adaptive ? model->config->solver.quantum : piece->most;
    double now = ib_time_to_seconds(sim->time) + piece->from;
    if (ib_solver_strain(sim->solver) > 0) {
        int signal = model->state_signal[ib_solver_worst(sim->solver)];
        ib_error_set(error, IB_FAILED, "at %.9g s: %s; %s has the largest error", now, why.text,
                     signal < 0 ? "a state" : model->signals.items[signal].name);
    } else if (ib__limit_check(sim, sim->next, piece->from + tried, error) == IB_OK) {
        ib_error_set(error, IB_FAILED, "at %.9g s: %s", now, why.text);
    }
}

// What an adaptive solver would need to go on is said, too.
static void advise(ib_Sim *sim, ib_Error *error)
{
    if (!error) return;
    ib_Error why = *error;
    ib_Advice advice = ib__sim_advise(sim);
    char words[IB_ADVICE_TEXT];
    ib_advice_format(&advice, sim->model->config, words);
    ib_error_set(error, IB_FAILED, "%s; %s", why.text, words);
}

// As far as the solver comes, at most to the piece's `most`.
static ib_Status solve(ib_Sim *sim, ib__Piece *piece, ib_Error *error)
{
    double *wish = &sim->state[sim->model->step_state];
    sim->piece_from = piece->from;
    if (sim->model->external_count == sim->model->robot_count) { // nothing is left for the solver
        piece->length = piece->most;
        sim->counts.steps += 1;
        return IB_OK;
    }
    if (ib__sim_is_restless(sim)) return solve_roughly(sim, piece, error);
    ib_Status status =
        ib_solver_step_controlled(sim->solver, &sim->system, piece->most, wish, sim->state,
                                  sim->next, &piece->length, &sim->counts, error);
    if (status != IB_OK && sim->adaptive && sim->resting > 0) {
        *wish = 0;
        return solve_singular(sim, piece, error);
    }
    if (status != IB_OK && sim->adaptive && ib_solver_jumps(sim->solver) &&
        sim->crossings++ < MAX_CROSSINGS) {
        *wish = 0; // chosen anew behind the jump
        status = solve_plainly(sim, ib_min(piece->most, CROSSING), piece, NULL);
    }
    if (status == IB_OK) {
        sim->strain_row = 0;
    } else if (ib__sim_bears(sim, piece->from)) {
        status = IB_OK;
        *wish = piece->length = ib_solver_length(sim->solver);
        sim->counts.steps += 1;
        if (error) error->text[0] = '\0';
    }
    if (status != IB_OK) explain(sim, piece, error);
    if (status != IB_OK && sim->adaptive) advise(sim, error);
    if (status != IB_OK || !sim->adaptive) return status;
    return ib__sim_check_toil(sim, piece->from, error);
}

// Does the piece end the step? One that opens it and may fill it is the step, however far the
// solver came, unless a jump cut it short. All others go on to where the step would have ended,
// which is a whole nanosecond; an adaptive solver's step ends with the piece, at the next one. A
// jump on the very end of the step leaves nothing to go on with.
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

// A fixed step with contacts that turn faster in the end than they did at its start is made
// again, shorter. How much, a step that was far too long knows only badly.
static ib_Status solve_turning(ib_Sim *sim, ib__Piece *piece, ib_Error *error)
{
    ib_Status status = solve(sim, piece, error);
    if (status != IB_OK || sim->adaptive || sim->resting == 0 || sim->contacts->all_held)
        return status;
    double seen = ib__contact_longest_seen(sim);
    while (status == IB_OK && piece->length > 1.5 * seen) {
        piece->most = ib__contact_longest(sim, ib_max(seen, piece->length / 8));
        status = solve(sim, piece, error);
        seen = ib__contact_longest_seen(sim);
    }
    return status;
}

// Could what was just integrated lead to `end`, as all robots see it? `closely`: they are told the
// error that the solver estimates, too.
static bool is_sound(const ib_Sim *sim, const double *end, bool closely)
{
    const double *error = closely ? ib_solver_error(sim->solver) : NULL;
    for (int i = 0; i < sim->model->robot_count; i++) {
        const ib_RobotModel *robot = &sim->model->robots[i];
        if (robot->kind->sound &&
            !robot->kind->sound(robot->model, sim->state + robot->state, end + robot->state,
                                error ? error + robot->state : NULL))
            return false;
    }
    return true;
}

// Forces of contacts that rest have corners, and jumps where they jam, that nothing announces. Is
// the error that the solver of a fixed step estimates, if it does, small all the same?
static bool is_exact(const ib_Sim *sim)
{
    const double *error = ib_solver_error(sim->solver);
    if (sim->adaptive || !error || sim->resting == 0 || sim->contacts->all_held) return true;
    bool exact = true;
    for (int i = 0; i < sim->model->robot_state_count; i++)
        exact &= fabs(error[i]) <= FIXED * (1 + fabs(sim->next[i]));
    return exact;
}

// Integrates as far as the solver comes, `solved`, or to where a guard changes its sign before
// that. False: it failed, or is not sound, after so many `halves` of a step.
static bool solve_to_guard(ib_Sim *sim, ib__Piece *piece, int halves, double *solved,
                           ib_Status *status, ib_Error *error)
{
    bool sounds = sim->model->sounds && halves < MAX_HALVES, closely = halves <= FEW_HALVES;
    *status = solve_turning(sim, piece, error);
    if (sim->resting > 0 && sim->contacts->loose) {
        ib__sleep_wake_loose(sim);
        piece->most = ib__contact_longest(sim, piece->most);
        *status = solve_turning(sim, piece, error);
    }
    if (*status == IB_OK) ib__sim_drop_nothing(sim);
    if (*status != IB_OK || (sounds && !is_sound(sim, sim->next, closely))) return false;
    if (closely && !is_exact(sim)) return false;
    *solved = piece->length;
    // Forces of contacts that rest have corners, which would look like steps that are too long.
    if (sim->steps >= sim->coarse_next && sim->resting == 0 && sim->model->external_count == 0)
        ib__sim_check_coarse(sim, *solved);
    piece->jump.index = piece->pair = -1;
    piece->start = sim->state;
    piece->end = sim->next;
    if (sim->model->guard_count > 0 && !is_clear(sim, *solved, NULL)) cut_at_guard(sim, piece);
    return piece->end == sim->next || !sounds || is_sound(sim, piece->end, closely);
}

// A fixed step that is not sound, or not exact, is made again, half as long, and so on; in the end
// it is taken.
static ib_Status solve_soundly(ib_Sim *sim, ib__Piece *piece, double *solved, ib_Error *error)
{
    ib_Status status;
    bool sound = solve_to_guard(sim, piece, 0, solved, &status, error);
    for (int i = 1; i <= MAX_HALVES && !sound && (sim->model->sounds || status == IB_OK); i++) {
        if (error) error->text[0] = '\0'; // of the step that failed
        piece->most *= 0.5;
        sound = solve_to_guard(sim, piece, i, solved, &status, error);
    }
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
    return ib__limit_check(sim, piece->end, piece->from + piece->length, error);
}

// --------------------------------------------------------------------------------------- take over

// What is not integrated rides along: sensors, the solver's wish.
static inline void bring_along(ib_Sim *sim)
{
    // Without sensors a fixed-step solver leaves them alone, and both buffers hold them already.
    int front = sim->model->robot_state_count;
    if (sim->adaptive || sim->model->sensor_count + sim->model->control_count > 0 ||
        sim->model->world || sim->model->riders)
        memcpy(sim->next + front, sim->state + front,
               (size_t)(sim->model->state_count - front) * sizeof *sim->state);
}

// The state moves on.
static inline void take_over(ib_Sim *sim)
{
    double *old = sim->state;
    sim->state = sim->next;
    sim->next = old;
}

void ib__piece_take_over(ib_Sim *sim, const ib__Piece *piece)
{
    if (piece->end != sim->next)
        memcpy(sim->next, piece->end, (size_t)sim->model->robot_state_count * sizeof *sim->next);
    if (piece->length > 0) {
        bring_along(sim);
        take_over(sim);
    }
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

static ib_Status stride(ib_Sim *sim, ib_Time until, bool looks, ib_Error *error)
{
    ib_Time step = sim->model->step;
    double length = ib_time_to_seconds(step);
    ib__Piece piece = {
        .step = length, .length = length, .most = length, .opens = true, .strides = true};
    bool ahead = false, looks_ahead = sim->model->guard_count > 0 && sim->resting == 0;
    sim->piece_from = 0;
    if (sim->model->world) ib__contact_far_begin(sim);
    while (sim->time + step <= until) {
        if (sim->model->sudden && ib__sim_longest(sim) < length) return IB_OK;
        ib_SolverCounts before = sim->counts;
        ib_solver_step_unchecked(sim->solver, &sim->system, length, sim->state, sim->next, ahead,
                                 &sim->counts);
        ib__sim_drop_nothing(sim);
        if (sim->steps >= sim->coarse_next && sim->resting == 0) ib__sim_check_coarse(sim, length);
        double *rate = looks_ahead ? ib_solver_ahead(sim->solver) : NULL;
        bool clear = sim->model->guard_count == 0 || is_clear(sim, length, rate);
        ahead = rate != NULL;
        clear &= sim->resting == 0 || !sim->contacts->loose;
        clear = clear && (!sim->model->sounds || is_sound(sim, sim->next, true));
        if (clear && sim->model->world && !ib__contact_far(sim, length))
            clear = ib__contact_find(sim, 0, length, sim->next).pair < 0;
        if (!clear) {
            sim->counts = before; // ib_sim_step makes it again
            return IB_OK;
        }
        ib_Status status = ib__limit_check(sim, sim->next, length, error);
        if (status != IB_OK) return status;
        bring_along(sim);
        if (looks) {
            piece.start = sim->state;
            piece.end = sim->next;
            ib__sim_record(sim, &piece);
            piece.follows = true;
        }
        take_over(sim);
        if (sim->model->world) forget_hits(sim);
        carry_guards(sim);
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
