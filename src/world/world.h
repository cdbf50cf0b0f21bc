// world/world.h: contact of planar rigid bodies, hard and exact in time. docs/world.md
// They touch each other and what stands on the field.
//
// A step of a simulation uses it like this, a piece at a time:
//   1. ib_world_settle finds where the pairs that rest touch, ends what is left of motions that
//      they do not allow, and says which of them slide
//   2. integrate; inside `rate`, ib_world_rest gives the forces of contacts that rest
//   3. ib_world_first_contact finds the first instant of the piece at which two outlines meet, or
//      at which a slide comes to its end
//   4. the piece is cut there; ib_world_remember keeps what its forces say of the modes; where two
//      met, ib_world_impact gives the impulses and says what comes to rest
//
// A pair is a body and an element, or two bodies. Which pairs rest, and how, is kept by the caller
// in his state. What a room holds beside it follows from the state alone.
#ifndef IB_WORLD_WORLD_H
#define IB_WORLD_WORLD_H

#include "base/arena.h"
#include "world/field.h"

#include <stdbool.h>
#include <stdint.h>

#define IB_CONTACT_GAP 1e-9 ///< a contact is found with this gap at most [m]
#define IB_TOUCH_GAP   1e-7 ///< what is closer than this touches [m]
#define IB_REST_GAP    1e-6 ///< a resting pair with more than this has come apart [m]
#define IB_CROWD_GAP   2e-5 ///< the same in a pile, where many rattle [m]
#define IB_REST_DEPTH  1e-7 ///< a resting pair is hit anew when it goes deeper than this [m]
#define IB_REST_SLACK  1e-8 ///< a resting pair that is less deep stays as it is [m]
#define IB_REST_SPEED  0.02 ///< slower than this nothing bounces [m/s]
#define IB_REST_TURN   0.05 ///< a piece with resting pairs should not turn them by more [rad]
#define IB_APPROACH    1e-9 ///< slower than this a touching pair is not coming closer [m/s]

// How a body (its origin) moves, field frame. For a mover: offset from its place at rest and the
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
    double restitution; ///< of slow hits, 0 .. 1; of a pair it is the smaller one
    double yield_speed; ///< beyond it restitution falls [m/s], > 0; 0: it never yields, and
                        ///< restitution is the same at every speed
    double friction;    ///< >= 0; of a pair it is the geometric mean of both
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
    uint8_t *absent; ///< of each body: 1 where it is not there at the start, and may overlap
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

// To be called where bodies have been put somewhere else: what the workspace knows is no longer so.
void ib_world_workspace_reset(ib_WorldWorkspace *workspace);

// Pairs that pass through each other for the time being: 1 in an array of pair_count, which stays
// the caller's. To be followed by ib_world_workspace_reset, also where he changes it.
void ib_world_workspace_pass(ib_WorldWorkspace *workspace, const uint8_t *pairs);

enum { IB_PAIR_POINTS = 2 }; ///< at which a pair touches, at most

// A pair that rests: a mode of the caller's state.
typedef struct ib_Rest {
    int pair;
    int slide;    ///< +1, -1: its body slides along (against) the tangent; 0: it sticks
    bool crowded; ///< it is one of a pile
    bool fresh;   ///< it was hit, and nothing is known of its forces yet
    // What a search for its forces begins with; they do not depend on it.
    int points; ///< it had when they were last seen
    int closed; ///< bit p: its point p pushes
    int strain; ///< +1, -1: what sticks is about to slide along (against) the tangent
    double push[2], friction_force; ///< of its points; along the tangent [N]
} ib_Rest;

// In their pairs' order; `items` has room for rest_room of them.
typedef struct ib_Rests {
    int count;
    ib_Rest *items;
} ib_Rests;

// In all functions: `bodies` has body_count entries, `movers` mover_count (NULL where there are
// none). `inverse_mass`: 9 doubles a body, symmetric, rows x, y, heading: what an impulse (x, y,
// turn) at the origin adds to (vx, vy, w); may be singular.

// The gap of a pair [m].
double ib_world_gap(const ib_World *world, int pair, const ib_BodyState *bodies,
                    const ib_BodyState *movers);

// The pair that is deepest in each other, by more than IB_CONTACT_GAP; -1: none.
// For the start of a run.
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

// The first instant at which a pair meets, whatever the speed and the length: the gap there is
// positive and at most IB_CONTACT_GAP. A pair that touches at t = 0 and comes closer meets at 0;
// one that rests meets anew when it goes deeper than IB_REST_DEPTH, or at 0 when it touches and
// comes closer faster than IB_REST_SPEED.
ib_FirstContact ib_world_first_contact(const ib_World *world, ib_WorldWorkspace *workspace,
                                       const ib_Rests *rests, const ib_Course *course);

typedef struct ib_Impact {
    const ib_Push *impulses; ///< on each body; the workspace's
    const double *lost;      ///< kinetic energy of each body before less after [J];
                             ///< what one body gives to another is lost to it
    int points;              ///< that took part
    double bounce; ///< 1, or less where restitution was reduced so that no energy is gained
    int stuck;     ///< a pair that goes on closing, since no impulse makes way:
                   ///< a robot between a gate and a wall; -1: none
} ib_Impact;

// Slower than `bounce` nothing bounces, slower than `leave` nothing leaves what it has hit [m/s].
// IB_REST_SPEED, or more where hits follow each other without end. A solver that brings what
// has bounced back with `lag` more than it left with would let it bounce for ever with
// lag/(1 - e): nothing that is little faster bounces [m/s].
typedef struct ib_Slow {
    double bounce, leave, lag;
} ib_Slow;

// The impulses at all points that touch. Updates `rests` of the pairs that touch.
void ib_world_impact(const ib_World *world, ib_WorldWorkspace *workspace,
                     const ib_BodyState *bodies, const ib_BodyState *movers,
                     const double *inverse_mass, ib_Slow slow, ib_Rests *rests, ib_Impact *impact);

// What makes the pairs that rest agree with their modes.
typedef struct ib_Settling {
    const ib_Push *impulses; ///< on each body: they end what is left of motions against a contact;
                             ///< NULL: none is
    const double *lost;      ///< as in ib_Impact
    const ib_Push *shifts;   ///< of each body out of what it has sunk into; NULL: nothing has
} ib_Settling;

// What the forces that were found in a piece say about the pairs that rest: which of their points
// push, which of them has begun to slide. To be called when a piece has been integrated, before
// forces are asked for elsewhere.
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

// Islands: bodies that rest on each other, directly or through others. One that the caller holds
// where it is has no forces asked for; islands that are found anew are not held.
int ib_world_island_count(const ib_WorldWorkspace *workspace);
int ib_world_island(const ib_WorldWorkspace *workspace, int island, const int **bodies);
void ib_world_hold(ib_WorldWorkspace *workspace, int island, bool held);
bool ib_world_is_held(const ib_WorldWorkspace *workspace, int body);

// Has something been hit, so that nothing is known of its forces? Then they are asked for once at
// the start of the piece, and the pattern that was found is learnt: searches within the piece begin
// with it.
bool ib_world_is_new(const ib_Rests *rests);
void ib_world_learn(ib_WorldWorkspace *workspace);

// The forces of the pairs that rest, one push a body, so that none of them goes deeper. `free`: the
// accelerations of the bodies without these forces. Only bodies of ib_world_resting are asked for
// and answered. Only for what ib_world_ready has found, and
// a piece of a step from there on.
void ib_world_rest(const ib_World *world, ib_WorldWorkspace *workspace, const ib_BodyState *bodies,
                   const ib_BodyState *movers, const ib_Push *free, const double *inverse_mass,
                   ib_Push *forces);

// The same in the very state and masses that ib_world_ready has just seen.
void ib_world_rest_ready(const ib_World *world, ib_WorldWorkspace *workspace,
                         const ib_BodyState *bodies, const ib_Push *free,
                         const double *inverse_mass, ib_Push *forces);

// From now on, until it is called with false: forces of the pattern that was last found (who
// pushes, who slides), whatever their signs, for differences of forces close to where that was.
void ib_world_follow(ib_WorldWorkspace *workspace, bool follows);

// A point at which the two of a pair push each other. All is as the pair's body has it; the other
// one has the opposite. The tangent is the normal turned left by a quarter.
typedef struct ib_PushPoint {
    int body, other; ///< -1: an element
    double x, y;     ///< where it is [m]
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

// How contacts hold a body that stands still, alone against elements that do the same: a linear
// map. For free accelerations a (x, y, turn) their force is  force a,  as long as each form . a
// >= 0.
enum { IB_SUPPORT_FORMS = 24 };
typedef struct ib_Support {
    double force[9]; ///< rows x, y, turn
    int form_count;
    double forms[IB_SUPPORT_FORMS][3];
} ib_Support;

// For the modes of `rests` and where ib_world_ready has found them. False: it is not held so.
bool ib_world_support(const ib_World *world, ib_WorldWorkspace *workspace, const ib_Rests *rests,
                      int body, ib_Support *support);

// The same for one island, held or not.
void ib_world_rest_island(const ib_World *world, ib_WorldWorkspace *workspace, int island,
                          const ib_BodyState *bodies, const ib_BodyState *movers,
                          const ib_Push *free, const double *inverse_mass, ib_Push *forces);

// Do these forces keep an island where it is? `free`, `inverse_mass`: as they were
// for ib_world_rest.
bool ib_world_stands(const ib_WorldWorkspace *workspace, int island, const ib_Push *free,
                     const double *inverse_mass, const ib_Push *forces);

// Is a body that rests part of a pile, in which forces are known nearly?
bool ib_world_in_pile(const ib_WorldWorkspace *workspace, int body);

// Is it one, and are its forces those that were found at the start of this piece? Then its masses
// and its place are not asked for.
bool ib_world_is_pushed(const ib_WorldWorkspace *workspace, int body);

// A lower bound of all gaps, without looking at pairs that are far apart [m]. `travel`: how far
// bodies have moved since the workspace was last asked about them, at most. Pairs of `rests` are
// left out.
double ib_world_clearance(const ib_World *world, ib_WorldWorkspace *workspace,
                          const ib_BodyState *bodies, const ib_Rests *rests, double travel);

// How long the next piece may be, `most` at the most, so that the contacts that rest turn by
// IB_REST_TURN only: forces that turn faster than the solver looks are wrong. To be asked before
// each piece that begins with pairs that rest [s].
double ib_world_piece(ib_WorldWorkspace *workspace, double most);

// How long the piece should have been, by how the bodies that rest turn at its end [s].
double ib_world_turned(const ib_World *world, const ib_WorldWorkspace *workspace,
                       const ib_BodyState *bodies);

#endif
