// world/room.h: the memory for the work on one world, and what is found in it.
// Internal to this folder.
#ifndef IB_WORLD_ROOM_H
#define IB_WORLD_ROOM_H

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

struct ib_WorldRoom {
    // Where everything is at the instant that was last asked for: bodies, then elements.
    ib__Frame *frames;
    ib_Placed *placed; ///< outlines of bodies and moving elements, where `is_placed`
    bool *is_placed;

    ib__Near near;

    // Pairs that touch, in their order, and how.
    int touch_count, touch_room;
    ib__Touch *touches;
    ib__Stance *stances;     ///< at the start of the piece
    ib_Rest *modes;          ///< of the touches of a hit
    ib__Stance *stances_now; ///< at the instant that forces were asked for
    bool struck;             ///< what the bonds have are impulses of a hit; false: forces

    // Islands: bodies that touch each other. Bodies and bonds of the law are numbered island
    // by island.
    ib__LawRoom law;
    int island_count;
    ib__Law *islands;
    int *island_body, *island_bond; ///< where each begins; an entry more: the end
    int *local, *body_of;           ///< number of a body in the law, -1: none; and back
    int *home;                      ///< of each body: its island
    int *bond_of, *touch_of;        ///< the bond of a touch; and back
    bool looked;                    ///< at these places
    ib_BodyState *looked_at;        ///< where bodies were when touches were found
    int linked_count;
    ib__Link *linked; ///< that the islands were made of
    double piece;     ///< how long the next piece is at most [s]
    bool begins;      ///< forces of many are to be found anew
    bool follows;     ///< forces of the last pattern are wanted
    ib_Slow slow;     ///< of the hit at this instant
    double *brakes;   ///< of each rest: how much its slide slows down [m/s^2]

    // What comes out, one for each body.
    ib_Push *pushes, *shifts, *free;
    double *lost;

    // For courses.
    ib_BodyState *start, *end, *between; ///< `between`: three times
    ib_BodyState *start_movers, *end_movers, *between_movers;
    struct ib__Path *paths; ///< of each frame, where it is traced
    bool *is_traced;
};

// The stances that an island's forces were last asked for with: of many, those of the piece.
static inline ib__Stance *ib__room_stances(const ib_WorldRoom *room, const ib__Law *law)
{
    return ib__law_is_large(law) ? room->stances : room->stances_now;
}

// Sets the frames of the bodies that rest and of the elements that move.
void ib__room_place_resting(const ib_World *world, ib_WorldRoom *room, const ib_BodyState *bodies,
                            const ib_BodyState *movers);

// Sets the frames of all bodies and of the elements that move.
void ib__room_place(const ib_World *world, ib_WorldRoom *room, const ib_BodyState *bodies,
                    const ib_BodyState *movers);

// The outline of a frame at its place.
const ib_Placed *ib__room_outline(const ib_World *world, ib_WorldRoom *room, int frame);

// A lower bound of the gap that costs next to nothing [m].
double ib__room_bound(const ib_World *world, const ib_WorldRoom *room, ib_Pair pair);

// Slower than this a contact does not bounce: IB_REST_SPEED, or 1e-4 of a fast slide [m/s].
static inline double ib__stance_rest_speed(const ib__Stance *stance)
{
    double slide = stance->vt < 0 ? -stance->vt : stance->vt;
    return ib__larger(IB_REST_SPEED, 1e-4 * slide);
}

// A pair with more than this does not rest [m].
static inline double ib__rest_gap(const ib_Rest *rest)
{
    return rest->crowded ? IB_CROWD_GAP : IB_REST_GAP;
}

// The points of a pair with a gap of `most` at the most; false: it has none.
bool ib__room_touch(const ib_World *world, ib_WorldRoom *room, int pair, double most,
                    ib__Touch *touch);

// From the touches at hand: islands; then stances and rows of the bonds.
void ib__room_islands(const ib_World *world, ib_WorldRoom *room);

// Islands with a pair that was one of a heap still are; a mode for each touch.
void ib__room_mark_crowds(ib_WorldRoom *room, const ib_Rest *modes);
void ib__room_stand(ib_WorldRoom *room, const double *inverse_mass);

// The same for one island only, with its stances into another array.
void ib__room_stand_island(ib_WorldRoom *room, int island, const double *inverse_mass,
                           ib__Stance *stances);

// Of the first `count` rests nothing is known of how their slides slow down.
void ib__room_forget_brakes(ib_WorldRoom *room, int count);

// Kinetic energy lost by each body to room->pushes, into room->lost.
void ib__room_lose(const ib_World *world, ib_WorldRoom *room, const ib_BodyState *bodies,
                   const double *inverse_mass);

// The pushes of all bonds, summed up for each body.
void ib__room_collect(const ib_World *world, ib_WorldRoom *room, ib_Push *pushes);

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
