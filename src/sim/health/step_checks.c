// sim/health/step_checks.c: the checks of a step in their order, and the remedy of each.
// docs/architecture.md, "Integrate"
#include "base/extreme.h"
#include "sim/contact/contact.h"
#include "sim/contact/sleep.h"
#include "sim/health/limit.h"

#include <math.h>

enum {
    MAX_JUMPS = 1000, ///< that no guard announces, in one run
    MAX_HALVES = 20,  ///< of a fixed step that a robot does not accept
    FEW_HALVES = 7,   ///< of one whose error alone is too large
};

static const double FIXED = 1e-4; ///< error of a fixed step with contacts, if known

// ------------------------------------------------------------------------------- refused, adaptive

// A slide that is about to jam has forces without a bound, which no step follows as it should.
static bool is_singular(ib_Sim *sim, const ib__Piece *piece)
{
    (void)sim;
    return piece->method < IB__PLAIN;
}

static ib_Status make_rougher(ib_Sim *sim, ib__Piece *piece, ib_Error *error)
{
    (void)error;
    if (piece->method == IB__CONTROLLED) sim->state[sim->model->step_state] = 0;
    piece->method++;
    return IB_OK;
}

// A jump of the physics (a battery that folds under a current limit).
static bool jumps(ib_Sim *sim, const ib__Piece *piece)
{
    return piece->method == IB__CONTROLLED && ib_solver_jumps(sim->solver);
}

static ib_Status make_plainly(ib_Sim *sim, ib__Piece *piece, ib_Error *error)
{
    (void)error;
    sim->state[sim->model->step_state] = 0; // chosen anew behind the jump
    piece->method = IB__PLAIN;
    return IB_OK;
}

// ---------------------------------------------------------------------------------------- contacts

// Contacts turn faster in the end than they did at the start of a fixed step.
static bool is_turning(ib_Sim *sim, const ib__Piece *piece)
{
    if (sim->contacts->all_held) return false;
    return piece->length > 1.5 * ib__contact_longest_seen(sim);
}

// Shortens the step; one that was far too long estimates its error badly.
static ib_Status make_shorter(ib_Sim *sim, ib__Piece *piece, ib_Error *error)
{
    (void)error;
    double seen = ib__contact_longest_seen(sim);
    piece->most = ib__contact_longest(sim, ib_max(seen, piece->length / 8));
    return IB_OK;
}

// A body that was at rest against something has been pushed away: seen once in each halving.
static bool is_loose(ib_Sim *sim, const ib__Piece *piece)
{
    return !piece->loosened && sim->contacts->loose;
}

static ib_Status work_loose(ib_Sim *sim, ib__Piece *piece, ib_Error *error)
{
    (void)error;
    ib__sleep_wake_loose(sim);
    sim->system = ib__sim_system(sim);
    piece->most = ib__contact_longest(sim, piece->most);
    piece->loosened = true;
    piece->method = ib__first_method(sim);
    return IB_OK;
}

// Forces of resting contacts have corners, and jumps if they jam, without a guard. True if the
// solver of a fixed step estimates its error, and that is too large.
static bool has_error(ib_Sim *sim, const ib__Piece *piece)
{
    (void)piece;
    const double *error = ib_solver_error(sim->solver);
    if (!error || sim->contacts->all_held) return false;
    bool exact = true;
    for (int i = 0; i < sim->model->robot_state_count; i++)
        exact &= fabs(error[i]) <= FIXED * (1 + fabs(sim->next[i]));
    return !exact;
}

// ------------------------------------------------------------------------------------------ robots

// True if all robots accept the step to `end`. `closely`: they get the error that the solver
// estimates, too.
static bool is_accepted(const ib_Sim *sim, const double *end, bool closely)
{
    const double *error = closely ? ib_solver_error(sim->solver) : NULL;
    for (int i = 0; i < sim->model->robot_count; i++) {
        const ib_RobotModel *robot = &sim->model->robots[i];
        if (robot->kind->accept_step &&
            !robot->kind->accept_step(robot->model, sim->state + robot->state, end + robot->state,
                                      error ? error + robot->state : NULL))
            return false;
    }
    return true;
}

static bool robots_refuse(ib_Sim *sim, const ib__Piece *piece)
{
    return !is_accepted(sim, sim->next, piece->halvings < FEW_HALVES);
}

// --------------------------------------------------------------------------------------------- end

static bool is_refused(ib_Sim *sim, const ib__Piece *piece)
{
    (void)sim, (void)piece;
    return true;
}

// The solver knows that a state diverged, and the table knows its name; other refusals have neither
// time nor name. (An adaptive solver has refused its shortest step.) The message includes advice.
static ib_Status explain(ib_Sim *sim, ib__Piece *piece, ib_Error *error)
{
    if (!error) return IB_FAILED;
    ib_Error why = *error;
    const ib_Model *model = sim->model;
    double tried = sim->adaptive ? model->config->solver.quantum : piece->most;
    double now = ib_time_to_seconds(sim->time) + piece->from;
    if (ib_solver_error_ratio(sim->solver) > 0) {
        int signal = model->state_signal[ib_solver_worst(sim->solver)];
        ib_error_set(error, IB_FAILED, "at %.9g s: %s; %s has the largest error", now, why.text,
                     signal < 0 ? "a state" : model->signals.items[signal].name);
    } else if (ib__limit_check(sim, sim->next, piece->from + tried, error) == IB_OK) {
        ib_error_set(error, IB_FAILED, "at %.9g s: %s", now, why.text);
    }
    if (!sim->adaptive) return IB_FAILED;
    why = *error;
    ib_Advice advice = ib__sim_advise(sim);
    char words[IB_ADVICE_TEXT];
    ib_advice_format(&advice, model->config, words);
    return ib_error_set(error, IB_FAILED, "%s; %s", why.text, words);
}

// ------------------------------------------------------------------------------------------- table

static const ib__StepCheck checks[IB__STEP_CHECKS] = {
    [IB__SINGULAR_CONTACT] = {IB__OF_REFUSED, IB__IN_ADAPTIVE | IB__IN_CONTACTS, IB__RESTART, 0,
                              is_singular, make_rougher},
    [IB__UNANNOUNCED_JUMP] = {IB__OF_REFUSED, IB__IN_ADAPTIVE, IB__RESTART, MAX_JUMPS, jumps,
                              make_plainly},
    [IB__INEXACT_STEP] = {IB__OF_REFUSED, IB__IN_ADAPTIVE, IB__ACCEPT, 0,
                          ib__inexact_step_is_harmless, ib__inexact_step_accept},
    [IB__STEP_BUDGET] = {IB__OF_MADE, IB__IN_ADAPTIVE, IB__REFUSE, 0, ib__step_budget_is_spent,
                         ib__step_budget_refuse},
    [IB__TURNING_CONTACTS] = {IB__OF_MADE, IB__IN_FIXED | IB__IN_CONTACTS, IB__RESTART, 0,
                              is_turning, make_shorter},
    [IB__LOOSE_CONTACTS] = {IB__OF_REFUSED | IB__OF_MADE, IB__IN_CONTACTS, IB__RESTART, 0, is_loose,
                            work_loose},
    [IB__NOT_FINITE] = {IB__OF_REFUSED, IB__IN_JUDGED, IB__HALVE, MAX_HALVES, is_refused, NULL},
    [IB__REFUSED_STEP] = {IB__OF_REFUSED, 0, IB__REFUSE, 0, is_refused, explain},
    [IB__ROBOTS_REFUSE] = {IB__OF_MADE, IB__IN_JUDGED, IB__HALVE, MAX_HALVES, robots_refuse, NULL},
    [IB__CONTACT_ERROR] = {IB__OF_MADE, IB__IN_FIXED | IB__IN_CONTACTS, IB__HALVE, FEW_HALVES,
                           has_error, NULL},
    // Forces of contacts that rest have corners, which would look like steps that are too long.
    [IB__UNSTABLE_STEP] = {IB__OF_MADE, IB__IN_EXPLICIT, IB__ACCEPT, 0, ib__step_is_unstable,
                           ib__unstable_step_note},
};

void ib__health_choose(ib_Sim *sim)
{
    const ib_Model *model = sim->model;
    bool implicit = ib_solver_implicit(model->config->solver.kind);
    unsigned is = sim->adaptive ? IB__IN_ADAPTIVE : IB__IN_FIXED;
    if (!sim->adaptive && !implicit && model->external_count == 0) is |= IB__IN_EXPLICIT;
    if (model->world) is |= IB__IN_CONTACTS;
    if (model->judged) is |= IB__IN_JUDGED;
    for (int rests = 0; rests < 2; rests++) {
        const ib__StepCheck **refused = sim->health.checks[false][rests];
        const ib__StepCheck **made = sim->health.checks[true][rests];
        for (int i = 0; i < IB__STEP_CHECKS; i++) {
            if (checks[i].in & ~is || (checks[i].in & IB__IN_CONTACTS && !rests)) continue;
            if (checks[i].of & IB__OF_REFUSED) *refused++ = &checks[i];
            if (checks[i].of & IB__OF_MADE) *made++ = &checks[i];
        }
        *refused = *made = NULL;
    }
}

void ib__health_reset(ib_Sim *sim)
{
    sim->health = (ib__Health){0};
    ib__health_choose(sim);
}

static inline bool is_asked(const ib_Sim *sim, const ib__Piece *piece, const ib__StepCheck *check)
{
    if (check->most == 0) return true;
    return check->remedy == IB__HALVE ? piece->halvings < check->most
                                      : sim->health.counts[check - checks] < check->most;
}

// A check that the step fails. True if it ends the search, with `found`.
static bool ends_search(ib_Sim *sim, ib__Piece *piece, bool made, const ib__StepCheck *check,
                        const ib__StepCheck **found)
{
    if (!is_asked(sim, piece, check)) return false;
    *found = check;
    if (check->remedy != IB__ACCEPT) return true;
    ib__step_repair(sim, piece, check, NULL);
    if (!made) *found = ib__step_check(sim, piece, true);
    return !made;
}

const ib__StepCheck *ib__step_check(ib_Sim *sim, ib__Piece *piece, bool made)
{
    const ib__StepCheck *const *at = sim->health.checks[made][sim->resting > 0], *found;
    for (; *at; at++)
        if ((*at)->fails(sim, piece) && ends_search(sim, piece, made, *at, &found)) return found;
    return NULL;
}

const ib__StepCheck *ib__step_check_cut(ib_Sim *sim, const ib__Piece *piece)
{
    const ib__StepCheck *check = &checks[IB__ROBOTS_REFUSE];
    if (!sim->model->judged || !is_asked(sim, piece, check)) return NULL;
    return is_accepted(sim, piece->end, piece->halvings < FEW_HALVES) ? NULL : check;
}

ib_Status ib__step_repair(ib_Sim *sim, ib__Piece *piece, const ib__StepCheck *check,
                          ib_Error *error)
{
    sim->health.counts[check - checks]++;
    if (check->remedy != IB__REFUSE && error) error->text[0] = '\0'; // of the step that failed
    if (check->remedy == IB__HALVE) {
        piece->most *= 0.5;
        piece->halvings++;
        piece->loosened = false;
    }
    return check->act ? check->act(sim, piece, error) : IB_OK;
}
