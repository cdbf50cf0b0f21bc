// sim/health/health.h: the checks of a step, and their counts in a run.
// docs/architecture.md, "Integrate"
//
// When the solver has made a step, or refused to, the table of step_checks.c is asked row by row.
// The first check that the step fails decides its treatment; the result is checked again, from the
// first row on:
//
//   accept    the step stands all the same, and is noted; the rows behind are asked
//   halve     it is made again, half as long; after so many halvings it stands as it is
//   restart   it is made again, shorter or by another method
//   refuse    the run ends with a sentence
//
// Internal to sim/.
#ifndef IB_SIM_HEALTH_H
#define IB_SIM_HEALTH_H

#include "sim/sim.h"

struct ib__Piece;

typedef enum ib__Remedy { IB__ACCEPT, IB__HALVE, IB__RESTART, IB__REFUSE } ib__Remedy;

// Steps of a check.
enum { IB__OF_REFUSED = 1, IB__OF_MADE = 2 };

// Runs of a check: those that have all of these.
enum {
    IB__IN_ADAPTIVE = 1,
    IB__IN_FIXED = 2,
    IB__IN_EXPLICIT = 4, ///< with fixed steps, and without robots that have an external integrator
    IB__IN_CONTACTS = 8, ///< robots may touch; and only while something rests
    IB__IN_JUDGED = 16,  ///< with fixed steps; a robot has an `accept_step`
};

typedef struct ib__StepCheck {
    unsigned of, in;
    ib__Remedy remedy;
    int most; ///< largest number of halvings of a piece, or restarts in a run; 0: no bound
    bool (*fails)(ib_Sim *sim, const struct ib__Piece *piece);
    // Notes, sets the piece up for a restart, or says why the run ends. A piece is halved without.
    ib_Status (*act)(ib_Sim *sim, struct ib__Piece *piece, ib_Error *error);
} ib__StepCheck;

// The checks, in their order.
enum {
    IB__SINGULAR_CONTACT,
    IB__UNANNOUNCED_JUMP,
    IB__INEXACT_STEP,
    IB__STEP_BUDGET,
    IB__TURNING_CONTACTS,
    IB__LOOSE_CONTACTS,
    IB__NOT_FINITE,
    IB__REFUSED_STEP,
    IB__ROBOTS_REFUSE,
    IB__CONTACT_ERROR,
    IB__UNSTABLE_STEP,
    IB__STEP_CHECKS,
};

// Counts of one run.
typedef struct ib__Health {
    // Of refused steps, of those made; while nothing rests, while something does. Ends with NULL.
    const ib__StepCheck *checks[2][2][IB__STEP_CHECKS + 1];
    int64_t counts[IB__STEP_CHECKS]; ///< number of times that each has acted

    ib_Time budget_since; ///< start of the second in which tries are counted
    int64_t budget_from;  ///< tries before it

    ib_InexactSteps inexact;
    int inexact_row; ///< such steps in a row

    // Fixed steps are sampled now and then, and more closely if they seem unstable.
    int64_t stability_next; ///< number of the step to look at next
    int stability_closer;   ///< steps left to be checked one by one
    int stability_row;      ///< unstable steps in a row
    ib_Instability seen;    ///< of the last checked step
    bool unstable_told;     ///< `unstable` is known
    ib_UnstableStep unstable;
} ib__Health;

// Nothing is counted so far; and, of another model alone, the checks that apply to it.
void ib__health_reset(ib_Sim *sim);
void ib__health_choose(ib_Sim *sim);

// The first check that the step fails which the solver has just `made`, or refused; NULL: none. A
// step that is accepted all the same is noted on the way.
const ib__StepCheck *ib__step_check(ib_Sim *sim, struct ib__Piece *piece, bool made);

// The same of a step that a guard has cut short: its end is another state.
const ib__StepCheck *ib__step_check_cut(ib_Sim *sim, const struct ib__Piece *piece);

// Applies the check's remedy, so that the step can be made again; an error: the run ends.
ib_Status ib__step_repair(ib_Sim *sim, struct ib__Piece *piece, const ib__StepCheck *check,
                          ib_Error *error);

// ----------------------------------------------------------------------------------- single checks

// step_budget.c: an adaptive solver has tried too often in this second of the run, which may also
// begin at the present time.
void ib__step_budget_begin(ib_Sim *sim);
bool ib__step_budget_is_spent(ib_Sim *sim, const struct ib__Piece *piece);
ib_Status ib__step_budget_refuse(ib_Sim *sim, struct ib__Piece *piece, ib_Error *error);

// inexact_step.c: the shortest step of an adaptive solver has an error that does no harm.
bool ib__inexact_step_is_harmless(ib_Sim *sim, const struct ib__Piece *piece);
ib_Status ib__inexact_step_accept(ib_Sim *sim, struct ib__Piece *piece, ib_Error *error);

// step_stability.c: fixed steps are too long to be stable.
bool ib__step_is_unstable(ib_Sim *sim, const struct ib__Piece *piece);
ib_Status ib__unstable_step_note(ib_Sim *sim, struct ib__Piece *piece, ib_Error *error);

// After a jump the next steps are checked one by one.
void ib__step_stability_watch(ib_Sim *sim);

#endif
