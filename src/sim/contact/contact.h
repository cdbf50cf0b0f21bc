// sim/contact/contact.h: contact within a run: times of touch, and effects. Internal to sim/.
#ifndef IB_SIM_CONTACT_CONTACT_H
#define IB_SIM_CONTACT_CONTACT_H

#include "sim/sim_inside.h"

// Memory for contacts. Observers have their own, so that the run does not change.
typedef struct ib__Contacts {
    ib_WorldWorkspace *workspace, *look_workspace;
    ib_Rests rests, look_rests;   ///< `rests` follows from the state
    bool ready;                   ///< the workspace knows where they touch
    struct ib__Sleeper *sleepers; ///< bodies that stand against something
    int sleeper_count;
    bool all_held;    ///< all that rest are asleep
    bool loose;       ///< one of them would not be held any more
    bool stay_asleep; ///< rates of differences: those that would wake stay asleep
    double far;       ///< way left to all bodies together until two can touch [m]
    double moved;     ///< way used since the workspace was asked about it [m]
    ib_BodyState *bodies, *movers;
    ib_Push *free, *forces;
    double *masses;          ///< inverse, 9 for each body
    struct ib__Slots *slots; ///< of each body, for its signals
    uint8_t *passes;         ///< of each pair: 1: one of them rides; NULL: no riders
    ib_PushPoint *points;
    int point_count; ///< points at which observers have found forces
} ib__Contacts;

// A body at rest, held by contacts. The free rates v of its velocities become 0, as long as each
// form . v >= 0; for bodies that lean on each other, as long as v is `steady`, to the bit.
typedef struct ib__Sleeper {
    int body;
    int rates[3];   ///< of its velocities, where they stand among those of all robots
    int form_count; ///< -1: there are none, v must be steady
    bool rough;     ///< v is rounded before: in a pile, where forces are known nearly
    double forms[IB_SUPPORT_FORMS][3];
    double steady[3];
} ib__Sleeper;

// NULL without memory.
ib__Contacts *ib__contact_create(const ib_Model *model, ib_Arena *arena);

// Finds the resting pairs from the state, and their part in the rates. Call it after a change of
// the state or the model.
void ib__contact_recall(ib_Sim *sim);

// Before the first piece of a step: updates the places of contacts, and settles bodies that were
// suddenly pushed or move otherwise from now on.
void ib__contact_begin(ib_Sim *sim);

// Adds the forces of contacts that rest to the rates of all robots, `t` seconds into the step.
void ib__contact_rate(const ib_Sim *sim, double t, const double *state, double *rate);

// Before a piece, which begins `from` seconds into the step: checks new resting pairs once.
void ib__contact_learn(ib_Sim *sim, double from);

// Length of piece that resting contacts allow, `most` at most.
double ib__contact_longest(const ib_Sim *sim, double most);

// The same from the state at the end of a piece, for bodies that have begun to turn meanwhile.
double ib__contact_longest_seen(const ib_Sim *sim);

// The first instant of the piece just integrated at which two outlines meet or a slide ends, in
// seconds from its start. The piece is `length` long, begins `from` seconds into the step and ends
// with the state `end`.
ib_FirstContact ib__contact_find(ib_Sim *sim, double from, double length, const double *end);

// Names of a pair of the world.
void ib__contact_names(const ib_Model *model, int pair, const char **body, const char **other);

// True if a pair touches at the end of the piece just integrated, `after` seconds into the step.
bool ib__contact_touches(ib_Sim *sim, int pair, double after);

// True if all bodies are too far apart to meet in the step just made, `length` long. False decides
// nothing: ib__contact_find must then check. For steps that follow each other without a jump; the
// first of them calls ib__contact_far_begin.
bool ib__contact_far(ib_Sim *sim, double length);
void ib__contact_far_begin(ib_Sim *sim);

// Applies the hits of that instant to the touching robots, `after` seconds into the step. Fails if
// a robot is crushed: no motion could separate it from the pushing bodies.
ib_Status ib__contact_hit(ib_Sim *sim, double after, double *state, ib_Error *error);

// At the end of a piece, `after` seconds into the step: separated contacts are forgotten, residual
// motions against the others end, slides begin and end. True: motions of robots have changed.
bool ib__contact_settle(ib_Sim *sim, double after);

// The forces of the resting pairs, and their points, from a state and inputs alone, without the
// memory of the run.
void ib__contact_evaluate(const ib_Sim *sim, const double *state, const double *input);

#endif
