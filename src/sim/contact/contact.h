// sim/contact/contact.h: contact within a run: what touches when, and what it does. Internal
// to sim/.
#ifndef IB_SIM_CONTACT_CONTACT_H
#define IB_SIM_CONTACT_CONTACT_H

#include "sim/sim_inside.h"

// Memory for contacts. Those who look have their own, so that the run does not notice them.
typedef struct ib__Contacts {
    ib_WorldWorkspace *workspace, *look_workspace;
    ib_Rests rests, look_rests;   ///< `rests` is what the state says
    bool ready;                   ///< the workspace knows where they touch
    struct ib__Sleeper *sleepers; ///< bodies that stand against something
    int sleeper_count;
    bool all_held; ///< all that rest are asleep
    bool loose;    ///< one of them would not be held any more
    bool frozen;   ///< rates are wanted as if none would
    double far;    ///< how far all bodies together may still move before two can
                   ///< touch [m]
    double moved;  ///< how far they have since the workspace was asked about it [m]
    ib_BodyState *bodies, *movers;
    ib_Push *free, *forces;
    double *masses;          ///< inverse, 9 for each body
    struct ib__Slots *slots; ///< of each body, for its signals
    uint8_t *passes;         ///< of each pair: 1 where one of them rides; NULL: nobody does
    ib_PushPoint *points;
    int point_count; ///< at which those who look have found forces
} ib__Contacts;

// A body that contacts hold where it is, without any speed. The rates v that its velocities would
// have become 0, as long as each form . v >= 0; of bodies that lean on each other, as long as v is
// `steady`, to the bit.
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

// Which pairs rest, from the state, and what the rates have to take into account. To be called
// where the state or the model is another.
void ib__contact_recall(ib_Sim *sim);

// Before the first piece of a step: contacts know where they are, and what was suddenly pushed or
// moves otherwise from now on has settled.
void ib__contact_begin(ib_Sim *sim);

// Adds the forces of contacts that rest to the rates of all robots, `t` seconds into the step.
void ib__contact_rate(const ib_Sim *sim, double t, const double *state, double *rate);

// Before a piece, which begins `from` seconds into the step: what begins to rest is looked at once.
void ib__contact_learn(ib_Sim *sim, double from);

// How long a piece the contacts which rest allow, `most` at the most.
double ib__contact_longest(const ib_Sim *sim, double most);

// The same from the state at the end of a piece, for what has begun to turn meanwhile.
double ib__contact_longest_seen(const ib_Sim *sim);

// The first instant of the piece just integrated at which two outlines meet or a slide ends, in
// seconds from its start. The piece is `length` long, begins `from` seconds into the step and ends
// with the state `end`.
ib_FirstContact ib__contact_find(ib_Sim *sim, double from, double length, const double *end);

// What a pair of the world is called.
void ib__contact_names(const ib_Model *model, int pair, const char **body, const char **other);

// Does a pair touch at the end of the piece just integrated, `after` seconds into the step?
bool ib__contact_touches(ib_Sim *sim, int pair, double after);

// Is everything so far apart that nothing can meet in the step just made, `length` long? No is no
// answer: then ib__contact_find must look. For steps that follow each other without a jump; the
// first of them calls ib__contact_far_begin.
bool ib__contact_far(ib_Sim *sim, double length);
void ib__contact_far_begin(ib_Sim *sim);

// What happens at that instant to the robots that touch, `after` seconds into the step. Fails where
// a robot is crushed: nothing it could do would keep it out of what pushes it.
ib_Status ib__contact_hit(ib_Sim *sim, double after, double *state, ib_Error *error);

// At the end of a piece, `after` seconds into the step: contacts that have come apart are
// forgotten, what is left of motions against the others ends, slides begin and end. True: this
// has changed how robots move.
bool ib__contact_settle(ib_Sim *sim, double after);

// The forces of the pairs that rest, and their points, from a state and inputs alone: what the run
// knows is left out of it.
void ib__contact_look(const ib_Sim *sim, const double *state, const double *input);

#endif
