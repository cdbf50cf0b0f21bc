// world/world.h: contact of planar rigid bodies, hard and exact in time. docs/world/world.md They
// touch each other and the objects of the field.
//
// A step of a simulation uses it like this, a piece at a time:
//   1. ib_world_settle finds the touches of resting pairs, ends residual motions that
//      they do not allow, and says which of them slide
//   2. integrate; inside `rate`, ib_world_rest gives the forces of contacts that rest
//   3. ib_world_first_contact finds the first instant of the piece at which two outlines meet, or
//      at which a slide comes to its end
//   4. the piece is cut there; ib_world_remember updates the modes by its forces; if two
//      met, ib_world_impact gives the impulses and the pairs that come to rest
//
// A pair is a body and an element, or two bodies. The caller keeps the resting pairs and their
// modes in its state. The contents of a workspace follow from that state alone.
#ifndef IB_WORLD_WORLD_H
#define IB_WORLD_WORLD_H

#include "base/arena.h"
#include "world/field.h"

#include <stdbool.h>
#include <stdint.h>

#define IB_CONTACT_GAP 1e-9 ///< a contact is found with this gap at most [m]
#define IB_TOUCH_GAP   1e-7 ///< a smaller gap touches [m]
#define IB_REST_GAP    1e-6 ///< a resting pair with more than this has come apart [m]
#define IB_CROWD_GAP   2e-5 ///< the same in a pile, where many rattle [m]
#define IB_REST_DEPTH  1e-7 ///< a resting pair is hit anew when it goes deeper than this [m]
#define IB_REST_SLACK  1e-8 ///< shallower resting pairs stay as they are [m]
#define IB_REST_SPEED  0.02 ///< slower than this nothing bounces [m/s]
#define IB_REST_TURN   0.05 ///< a piece with resting pairs should not turn them by more [rad]
#define IB_APPROACH    1e-9 ///< slower than this a touching pair is not coming closer [m/s]

// Motion of a body (its origin), field frame. For a mover: offset from its place at rest and the
// rate of that offset.
typedef struct ib_BodyState {
    double x, y, heading; ///< [m, m, rad]
    double vx, vy, w;     ///< [m/s, m/s, rad/s]
} ib_BodyState;

// A force or an impulse at the origin of a body with its torque, an acceleration or a shift:
// field frame.
typedef struct ib_Push {
    double x, y; ///< [N, N s, m/s^2 or m]
    double turn; ///< [N m, N m s, rad/s^2 or rad]
} ib_Push;

typedef struct ib_BodyConfig {
    ib_Shape shape;
    double restitution; ///< of slow hits, 0 .. 1; a pair has the smaller one
    double yield_speed; ///< beyond it restitution falls [m/s], > 0; 0: it never yields, and
                        ///< restitution is the same at every speed
    double friction;    ///< >= 0; a pair has the geometric mean of both
    bool upright;       ///< the outline never turns and is hit at its origin [RoboSim 12]
} ib_BodyConfig;

typedef struct ib_WorldElement {
    ib_Shape shape;
    double x, y, heading;         ///< at rest, field frame [m, m, rad]
    double restitution, friction; ///< as in ib_BodyConfig; it never yields
    int mover;                    ///< index of its offset among the movers, -1: it never moves
    int config;                   ///< index in ib_FieldConfig.elements; -1: a wall of the perimeter
    ib_Placed fixed;              ///< at rest, for all that never moves
    double low_x, high_x;         ///< box around it at rest, parallel to the axes [m]
    double low_y, high_y;         ///< the same [m]
} ib_WorldElement;

// Everything derived from the field and the bodies; never changes.
typedef struct ib_World {
    int body_count, element_count, mover_count;
    int pair_count; ///< body i and element k: i element_count + k; then bodies (0, 1), (0, 2), …
    ib_BodyConfig *bodies;
    ib_WorldElement *elements;
    uint8_t *ghosts; ///< body_count^2: 1 where these two pass through each other
    uint8_t *absent; ///< of each body: 1: not there at the start, and may overlap
    int rest_room;   ///< pairs that can rest at once
} ib_World;

// Fails, with the reason, when ib_field_check does, or without memory.
ib_Status ib_world_create(const ib_FieldConfig *field, const ib_BodyConfig *bodies, int body_count,
                          ib_Arena *arena, ib_World **world, ib_Error *error);

// Lets two bodies pass through each other for ever. Part of the set-up.
void ib_world_ignore(ib_World *world, int body, int other);

// The two of a pair: `body`, and `other` (a body) or `element`; the one that is not there is -1.
typedef struct ib_Pair {
    int body, other, element;
} ib_Pair;

ib_Pair ib_world_pair(const ib_World *world, int pair);
int ib_world_pair_of_bodies(const ib_World *world, int body, int other);

// Memory for the work on one world. NULL without memory.
typedef struct ib_WorldWorkspace ib_WorldWorkspace;
ib_WorldWorkspace *ib_world_workspace_create(const ib_World *world, ib_Arena *arena);

// Called after bodies were moved from outside: clears the workspace's knowledge of their places.
void ib_world_workspace_reset(ib_WorldWorkspace *workspace);

// Sets the pairs that pass through each other for the time being: 1 in an array of pair_count,
// which stays the caller's. Call ib_world_workspace_reset afterwards, and after changes of
// the array.
void ib_world_workspace_pass(ib_WorldWorkspace *workspace, const uint8_t *pairs);

enum { IB_PAIR_POINTS = 2 }; ///< at which a pair touches, at most

// A pair that rests: a mode of the caller's state.
typedef struct ib_Rest {
    int pair;
    int slide;    ///< +1, -1: its body slides along (against) the tangent; 0: it sticks
    bool crowded; ///< one of a pile
    bool fresh;   ///< it was hit, and nothing is known of its forces yet
    // The start of the search for its forces, which do not depend on it.
    int points; ///< it had when they were last seen
    int closed; ///< bit p: its point p pushes
    int strain; ///< +1, -1: sticking, about to slide along (against) the tangent
    double push[2], friction_force; ///< of its points; along the tangent [N]
} ib_Rest;

// The rests in their pairs' order; `items` has room for rest_room of them.
typedef struct ib_Rests {
    int count;
    ib_Rest *items;
} ib_Rests;

// Arguments of all functions: `bodies` has body_count entries, `movers` mover_count (NULL: none).
// `inverse_mass`: 9 doubles a body, symmetric, rows x, y, heading: the change of (vx, vy, w) by an
// impulse (x, y, turn) at the origin; may be singular.

// The gap of a pair [m].
double ib_world_gap(const ib_World *world, int pair, const ib_BodyState *bodies,
                    const ib_BodyState *movers);

// The deepest pair, by more than IB_CONTACT_GAP; -1: none. For the start of a run.
int ib_world_overlap(const ib_World *world, const ib_BodyState *bodies, const ib_BodyState *movers,
                     double *depth);

// The course of all bodies and movers through a piece of a step. Poses must be polynomials of t, of
// degree 4 at most, as the dense output of every solver is. Called at t = 0 and at t = length first
// (often nothing else is needed); velocities matter at these two only.
typedef struct ib_Course {
    double length; ///< [s], > 0
    void (*at)(const void *context, double t, ib_BodyState *bodies, ib_BodyState *movers);
    const void *context;
    bool restless; ///< slides end and begin again and again: not all of their ends count
} ib_Course;

typedef struct ib_FirstContact {
    int pair;   ///< -1: none
    double t;   ///< [s], 0 .. length
    bool stops; ///< the pair's slide comes to its end; false: it meets
} ib_FirstContact;

// The first instant at which a pair meets, for any speed and length: the gap there is positive and
// at most IB_CONTACT_GAP. A pair that touches at t = 0 and comes closer meets at 0; a resting pair
// meets anew when deeper than IB_REST_DEPTH, or at 0 if it touches and approaches faster
// than IB_REST_SPEED.
ib_FirstContact ib_world_first_contact(const ib_World *world, ib_WorldWorkspace *workspace,
                                       const ib_Rests *rests, const ib_Course *course);

typedef struct ib_Impact {
    const ib_Push *impulses; ///< on each body; the workspace's
    const double *lost;      ///< kinetic energy of each body before less after [J]; energy passed
                             ///< to another body counts as lost
    int points;              ///< that took part
    double bounce; ///< 1, or less where restitution was reduced so that no energy is gained
    int stuck;     ///< a pair that keeps closing, since no impulse separates it: a robot between a
                   ///< gate and a wall; -1: none
} ib_Impact;

// Below the speed `bounce` no hit bounces, below `leave` no pair separates after a hit [m/s].
// IB_REST_SPEED, or more if hits follow each other without end. A solver that returns a bounced
// body with `lag` more speed than it left with would let it bounce for ever with lag/(1 - e):
// slightly faster hits do not bounce [m/s].
typedef struct ib_Slow {
    double bounce, leave, lag;
} ib_Slow;

// The impulses at all points that touch. Updates `rests` of the pairs that touch.
void ib_world_impact(const ib_World *world, ib_WorldWorkspace *workspace,
                     const ib_BodyState *bodies, const ib_BodyState *movers,
                     const double *inverse_mass, ib_Slow slow, ib_Rests *rests, ib_Impact *impact);

// Corrections that make resting pairs agree with their modes.
typedef struct ib_Settling {
    const ib_Push *impulses; ///< on each body: they end remaining motions against a contact;
                             ///< NULL: none
    const double *lost;      ///< as in ib_Impact
    const ib_Push *shifts;   ///< of each body out of penetration; NULL: none
} ib_Settling;

// Updates resting pairs from the forces of a piece: the points that push, the pairs that have begun
// to slide. Call it when a piece has been integrated, before forces are computed elsewhere.
void ib_world_remember(ib_WorldWorkspace *workspace, ib_Rests *rests);

// Drops pairs that have come apart and finds out which of the others stick and slide. True: there
// are impulses or shifts, which the caller adds to his state, and calls ib_world_ready.
bool ib_world_settle(const ib_World *world, ib_WorldWorkspace *workspace,
                     const ib_BodyState *bodies, const ib_BodyState *movers,
                     const double *inverse_mass, ib_Rests *rests, ib_Settling *settling);

// Finds where the pairs that rest touch, from the state alone; ib_world_settle without impulses has
// done so. Everything else about rest is asked of the room from then on, until the next call.
void ib_world_ready(const ib_World *world, ib_WorldWorkspace *workspace, const ib_BodyState *bodies,
                    const ib_BodyState *movers, const double *inverse_mass, ib_Rests *rests);

// The bodies of the pairs that rest, as ib_world_ready has found them; returns how many there are.
int ib_world_resting(const ib_WorldWorkspace *workspace, const int **bodies);

// Islands: bodies that rest on each other, directly or through others. An island that the caller
// holds has no forces; new islands are not held.
int ib_world_island_count(const ib_WorldWorkspace *workspace);
int ib_world_island(const ib_WorldWorkspace *workspace, int island, const int **bodies);
void ib_world_hold(ib_WorldWorkspace *workspace, int island, bool held);
bool ib_world_is_held(const ib_WorldWorkspace *workspace, int body);

// True after a hit with unknown forces. They are then computed once at the start of the piece, and
// their pattern is the start of searches within the piece.
bool ib_world_is_new(const ib_Rests *rests);
void ib_world_learn(ib_WorldWorkspace *workspace);

// The forces of the pairs that rest, one push a body, so that none of them penetrates further.
// `free`: the accelerations of the bodies without these forces. Only bodies of ib_world_resting are
// read and written. Valid only for the findings of ib_world_ready, and for a piece of a step from
// there on.
void ib_world_rest(const ib_World *world, ib_WorldWorkspace *workspace, const ib_BodyState *bodies,
                   const ib_BodyState *movers, const ib_Push *free, const double *inverse_mass,
                   ib_Push *forces);

// The same in the very state and masses that ib_world_ready has just seen.
void ib_world_rest_ready(const ib_World *world, ib_WorldWorkspace *workspace,
                         const ib_BodyState *bodies, const ib_Push *free,
                         const double *inverse_mass, ib_Push *forces);

// As ib_world_rest, but solves one island alone, held or not. Forces of the others are the last
// ones that were found.
void ib_world_rest_island(const ib_World *world, ib_WorldWorkspace *workspace, int island,
                          const ib_BodyState *bodies, const ib_BodyState *movers,
                          const ib_Push *free, const double *inverse_mass, ib_Push *forces);

// Keeps the last pattern (pushing and sliding points) for all forces until called with false,
// without checks of signs: for differences of forces close to that place.
void ib_world_follow(ib_WorldWorkspace *workspace, bool follows);

// A point at which the two of a pair push each other. All is as the pair's body has it; the other
// one has the opposite. The tangent is the normal turned left by a quarter.
typedef struct ib_PushPoint {
    int body, other; ///< -1: an element
    double x, y;     ///< place [m]
    double nx, ny;   ///< normal, unit vector at the pair's body
    double push;     ///< along the normal [N, or N s], > 0
    double
        friction_force; ///< along the tangent; of two points each has its push's share [N, or N s]
    double slide;       ///< speed of the body over the other along the tangent, before it [m/s]
} ib_PushPoint;

// The points at which the pushes that were last found act, in the pairs' order: forces behind
// ib_world_rest, impulses behind ib_world_impact. `points` has room for IB_PAIR_POINTS rest_room of
// them; returns how many there are.
int ib_world_points(const ib_World *world, const ib_WorldWorkspace *workspace,
                    ib_PushPoint *points);

// Size of push and friction together [N, or N s].
double ib_point_size(const ib_PushPoint *point);

// The support of a body at rest alone against fixed elements: a linear map. For free accelerations
// a (x, y, turn) the contacts' force is  force a,  as long as each form . a >= 0.
enum { IB_SUPPORT_FORMS = 24 };
typedef struct ib_Support {
    double force[9]; ///< rows x, y, turn
    int form_count;
    double forms[IB_SUPPORT_FORMS][3];
} ib_Support;

// Valid for the modes of `rests` and the places of ib_world_ready. False: no such support.
bool ib_world_support(const ib_World *world, ib_WorldWorkspace *workspace, const ib_Rests *rests,
                      int body, ib_Support *support);

// True if these forces keep an island at rest. `free`, `inverse_mass`: as for ib_world_rest.
bool ib_world_stands(const ib_WorldWorkspace *workspace, int island, const ib_Push *free,
                     const double *inverse_mass, const ib_Push *forces);

// True if a resting body is part of a pile, whose forces are approximate.
bool ib_world_in_pile(const ib_WorldWorkspace *workspace, int body);

// True if it is part of a pile whose forces of this piece are known already, from its start: its
// place and the inverse masses are then not needed.
bool ib_world_is_pushed(const ib_WorldWorkspace *workspace, int body);

// A lower bound of all gaps, without looking at pairs that are far apart [m]. `travel`: how far
// bodies have moved since the workspace was last asked about them, at most. Pairs of `rests` are
// left out.
double ib_world_clearance(const ib_World *world, ib_WorldWorkspace *workspace,
                          const ib_BodyState *bodies, const ib_Rests *rests, double travel);

// Length of the next piece, `most` at most, in which resting contacts turn by IB_REST_TURN only:
// forces that turn faster than the solver samples are wrong. Call it before each piece that begins
// with resting pairs [s].
double ib_world_piece(ib_WorldWorkspace *workspace, double most);

// Length that the piece should have had, by the turn of resting bodies at its end [s].
double ib_world_turned(const ib_World *world, const ib_WorldWorkspace *workspace,
                       const ib_BodyState *bodies);

#endif
