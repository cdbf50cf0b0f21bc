// world/workspace.h: the memory for the work on one world, and its results. Internal to
// this folder.
#ifndef IB_WORLD_WORKSPACE_H
#define IB_WORLD_WORKSPACE_H

#include "world/law.h"
#include "world/near.h"
#include "world/touch.h"
#include "world/world.h"

// The larger and the smaller of two, neither of which is NaN: docs/performance.md
static inline double ib__larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double ib__smaller(double a, double b)
{
    return a < b ? a : b;
}

// A pair that touches, and at how many points.
typedef struct ib__Link {
    int pair, points;
} ib__Link;

struct ib_WorldWorkspace {
    // Frames at the last instant: bodies, then elements.
    ib__Frame *frames;
    ib_Placed *placed; ///< outlines of bodies and moving elements, where `is_placed`
    bool *is_placed;

    ib__Near near;

    // Pairs that touch, in their order, and how.
    int touch_count, touch_room;
    ib__Touch *touches;
    ib__ContactState *contact_states;     ///< at the start of the piece
    ib_Rest *modes;                       ///< of the touches of a hit
    ib__ContactState *contact_states_now; ///< at the instant that forces were asked for
    bool struck;                          ///< the contacts have impulses of a hit; false: forces

    // Islands: bodies that touch each other. Bodies and contacts of the law are numbered island
    // by island.
    ib__LawWorkspace law;
    int island_count;
    ib__Law *islands;
    int *island_body, *island_contact; ///< where each begins; an entry more: the end
    int *local, *body_of;              ///< number of a body in the law, -1: none; and back
    int *home;                         ///< of each body: its island
    int *contact_of, *touch_of;        ///< the contact of a touch; and back
    bool looked;                       ///< at these places
    ib_BodyState *looked_at;           ///< places of bodies when touches were found
    int linked_count;
    ib__Link *linked; ///< the links of the present islands
    double piece;     ///< longest next piece [s]
    bool begins;      ///< forces of many are to be found anew
    bool follows;     ///< forces of the last pattern are wanted
    ib_Slow slow;     ///< of the hit at this instant
    double *brakes;   ///< deceleration of each rest's slide [m/s^2]

    // The results, one for each body.
    ib_Push *pushes, *shifts, *free;
    double *lost;

    // For courses.
    ib_BodyState *start, *end, *between; ///< `between`: three times
    ib_BodyState *start_movers, *end_movers, *between_movers;
    struct ib__Path *paths; ///< of each frame, where it is traced
    bool *is_traced;
};

// The states that an island's forces were last asked for with: of many, those of the piece.
static inline ib__ContactState *ib__room_contact_states(const ib_WorldWorkspace *workspace,
                                                        const ib__Law *law)
{
    return ib__law_is_large(law) ? workspace->contact_states : workspace->contact_states_now;
}

// Sets the frames of the bodies that rest and of the elements that move.
void ib__workspace_place_resting(const ib_World *world, ib_WorldWorkspace *workspace,
                                 const ib_BodyState *bodies, const ib_BodyState *movers);

// Sets the frames of all bodies and of the elements that move.
void ib__workspace_place(const ib_World *world, ib_WorldWorkspace *workspace,
                         const ib_BodyState *bodies, const ib_BodyState *movers);

// The outline of a frame at its place.
const ib_Placed *ib__workspace_outline(const ib_World *world, ib_WorldWorkspace *workspace,
                                       int frame);

// A lower bound of the gap that costs next to nothing [m].
double ib__workspace_bound(const ib_World *world, const ib_WorldWorkspace *workspace, ib_Pair pair);

// Slower than this a contact does not bounce: IB_REST_SPEED, or 1e-4 of a fast slide [m/s].
static inline double ib__contact_rest_speed(const ib__ContactState *contact_state)
{
    double slide = contact_state->vt < 0 ? -contact_state->vt : contact_state->vt;
    return ib__larger(IB_REST_SPEED, 1e-4 * slide);
}

// A pair with more than this does not rest [m].
static inline double ib__rest_gap(const ib_Rest *rest)
{
    return rest->crowded ? IB_CROWD_GAP : IB_REST_GAP;
}

// The points of a pair with a gap of `most` at the most; false: it has none.
bool ib__workspace_touch(const ib_World *world, ib_WorldWorkspace *workspace, int pair, double most,
                         ib__Touch *touch);

// From the present touches: islands; then states and rows of the contacts.
void ib__workspace_islands(const ib_World *world, ib_WorldWorkspace *workspace);

// Islands with a pair that was one of a pile still are; a mode for each touch.
void ib__workspace_mark_crowds(ib_WorldWorkspace *workspace, const ib_Rest *modes);
void ib__workspace_stand(ib_WorldWorkspace *workspace, const double *inverse_mass);

// The same for one island only, with its states into another array.
void ib__workspace_stand_island(ib_WorldWorkspace *workspace, int island,
                                const double *inverse_mass, ib__ContactState *contact_states);

// Forgets the decelerations of the slides of the first `count` rests.
void ib__workspace_forget_brakes(ib_WorldWorkspace *workspace, int count);

// Kinetic energy lost by each body to room->pushes, into room->lost.
void ib__workspace_lose(const ib_World *world, ib_WorldWorkspace *workspace,
                        const ib_BodyState *bodies, const double *inverse_mass);

// The pushes of all contacts, summed up for each body.
void ib__workspace_collect(const ib_World *world, ib_WorldWorkspace *workspace, ib_Push *pushes);

// The frame of an element, and the frames of a pair.
static inline int ib__element_frame(const ib_World *world, int element)
{
    return world->body_count + element;
}

static inline int ib__other_frame(const ib_World *world, ib_Pair pair)
{
    return pair.other >= 0 ? pair.other : ib__element_frame(world, pair.element);
}

#endif
