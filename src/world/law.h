// world/law.h: the law of contact, for many that touch at once. docs/world/world.md, "The law"
// It is one law for impulses, forces and shifts. Internal to this folder.
//
// A contact is a pair that touches: at one point, or with an edge on an edge, which counts as two.
// Its pushes jn act along the normal at each point, its friction jt along the tangent, which is one
// line for both. With K the response of the bodies to all pushes,
//   v+ = v + K j      vn+ >= wanted,   jn >= 0,   one of them an equality
//                     |jt| <= mu (jn + jn'),   full, and against vt+, where vt+ is not 0
// In an impact v are velocities and j impulses; at rest v are accelerations and j forces. A contact
// that already slides (`slide`) has full friction against its slide, unconditionally.
//
// Bodies that touch each other, directly or through others, are an island: one law for itself.
#ifndef IB_WORLD_LAW_H
#define IB_WORLD_LAW_H

#include "world/skyline.h"

// IB__SMOOTH: it has no friction; never the pattern of a contact that does.
typedef enum ib__Grip { IB__STICKS, IB__SLIDES_UP, IB__SLIDES_DOWN, IB__SMOOTH } ib__Grip;

// The motion of each of the two by a unit push: x, y, turn.
typedef struct ib__Row {
    double on[2][3];
} ib__Row;

typedef struct ib__Pattern {
    bool closed[2];
    ib__Grip grip;
} ib__Pattern;

typedef struct ib__Contact {
    // Set by the caller.
    int body[2];       ///< numbers in the island; [1]: -1 where an element is touched
    int points;        ///< 1 or 2
    ib__Row normal[2]; ///< of each point
    ib__Row tangent;
    double friction;  ///< mu, >= 0
    int slide;        ///< +1, -1: it slides along (against) the tangent; 0: it may stick
    bool bound;       ///< vn+ = wanted and, where it may stick, vt+ = 0, by pushes of any sign
    bool away[2];     ///< the point takes no part
    double vn[2], vt; ///< before
    double wanted[2]; ///< vn after, at least

    ib__Pattern is;   ///< start and result of the search
    ib__Pattern hint; ///< the caller's own note of where it should begin

    double jn[2], jt; ///< the solution; of many bodies also the start of the search

    // The solver's: rows in the bodies' own measure, answers of the bodies to each alone [1/kg].
    ib__Row hn[2], ht;
    double kn[2], kt;
    double per_kn[2], per_kt; ///< their inverses, for sweeps; 0: it cannot push, or has no friction
    ib__Pattern kept, factored; ///< other patterns: to come back to, and of the system at hand
} ib__Contact;

// The method that found the pushes of a pattern; differences of pushes repeat it.
typedef struct ib__Recipe {
    double soft;    ///< eps
    int approaches; ///< steps towards them; 0: none was needed
    bool smooth;    ///< friction was left out
} ib__Recipe;

// An island.
typedef struct ib__Law {
    int body_count, contact_count;
    double (*root)[9];   ///< of each body L, inverse mass W = L L^T
    double (*change)[3]; ///< of each body's motion (vx, vy, w) by the pushes, as L change
    ib__Contact *contacts;
    double scale;  ///< largest |v| at hand
    bool held;     ///< held in place by the caller
    bool crowded;  ///< a pile, by the caller, if it is large
    bool smooth;   ///< friction is left out
    bool laboured; ///< they were not found at once
    bool found;    ///< pushes obey the law, not only nearly
    bool wedged;   ///< pushes were found only nearly, since a pattern locks itself
    bool ordered;  ///< there is room for its system
    int *place;    ///< of each body in the order of elimination
    double *right; ///< right side of the system
    ib__Skyline system;
    double soft; ///< eps of the factored matrix; 0: none
    ib__Recipe recipe;
} ib__Law;

// Memory for all islands of a world.
typedef struct ib__LawWorkspace {
    double (*root)[9];
    double (*change)[3];
    ib__Contact *contacts;
    int *place;
    int *neighbour; ///< lists of neighbours, their starts, a queue
    double *right;
    ib__SkylineWorkspace systems;
} ib__LawWorkspace;

bool ib__law_workspace_init(ib__LawWorkspace *workspace, int body_room, int contact_room,
                            ib_Arena *arena);

// Makes an island of `body_count` bodies and `contact_count` contacts from these numbers on, whose
// contacts know their bodies. The first one frees the systems of all islands before.
void ib__law_create(ib__LawWorkspace *workspace, int body, int body_count, int contact,
                    int contact_count, ib__Law *law);

// An island of many is solved once a piece.
static inline bool ib__law_is_large(const ib__Law *law)
{
    return law->body_count > 12;
}

// Bodies of which each leans on the next, and hardly any on more than two.
static inline bool ib__law_is_row(const ib__Law *law)
{
    return law->system.start[law->body_count] < law->body_count;
}

// A large island that is not a row but a pile has too many patterns to search: it is solved
// approximately, by sweeps. So is a row without a pattern at once.
static inline bool ib__law_is_pile(const ib__Law *law)
{
    return ib__law_is_large(law) && (law->crowded || !ib__law_is_row(law));
}

// The root of an inverse mass, symmetric, rows of 3, that may be singular.
void ib__law_root(const double inverse_mass[9], double root[9]);

// A row in a body's own measure: h = L^T g.
void ib__law_measure(const double L[9], const double *g, double *h);

// Called after changes of rows or roots.
void ib__law_renew_rows(ib__Law *law);

// Finds the pushes. False: they obey the law only nearly.
bool ib__law_solve(ib__Law *law);

// The same for contacts that are all bound.
void ib__law_bind(ib__Law *law);

// The same for the present pattern of the contacts, without checks of signs.
void ib__law_hold(ib__Law *law);

// The same, where the speeds at hand are a little others than when pushes were last found.
void ib__law_follow(ib__Law *law);

// The same by `times` sweeps at most, until nothing is wrong by more than `allowed`.
bool ib__law_sweep(ib__Law *law, int times, double allowed);

// All pushes times `share`.
void ib__law_weaken(ib__Law *law, double share);

// vn, vt after.
double ib__law_normal(const ib__Law *law, const ib__Contact *contact, int point);
double ib__law_tangent(const ib__Law *law, const ib__Contact *contact);

#endif
