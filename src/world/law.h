// world/law.h: the law of contact, for many that touch at once. docs/world.md, "The law"
// It is one law for impulses, forces and shifts. Internal to this folder.
//
// A bond is a pair that touches: at one point, or with an edge on an edge, which are two. Its
// pushes jn act along the normal at each point, its rub jt along the tangent, which is one line for
// both. With K the answer of the bodies to all pushes,
//   v+ = v + K j      vn+ >= wanted,   jn >= 0,   one of them an equality
//                     |jt| <= mu (jn + jn'),   full, and against vt+, where vt+ is not 0
// In an impact v are velocities and j impulses; at rest v are accelerations and j forces. A bond
// that slides as it is (`slide`) has its full friction against that, whatever comes of it.
#ifndef IB_WORLD_LAW_H
#define IB_WORLD_LAW_H

#include "world/skyline.h"

typedef enum ib__Grip { IB__STICKS, IB__SLIDES_UP, IB__SLIDES_DOWN } ib__Grip;

// What a unit push does to each of the two: x, y, turn.
typedef struct ib__Row {
    double on[2][3];
} ib__Row;

typedef struct ib__Bond {
    // What the caller says.
    int body[2];            ///< numbers in the island; [1]: -1 where an element is touched
    int points;             ///< 1 or 2
    ib__Row normal[2];      ///< of each point
    ib__Row tangent;
    double friction;        ///< mu, >= 0
    int slide;              ///< +1, -1: it slides along (against) the tangent; 0: it may stick
    bool bound;             ///< vn+ = wanted and, where it may stick, vt+ = 0, by pushes of any sign
    bool away[2];           ///< the point takes no part
    double vn[2], vt;       ///< before
    double wanted[2];       ///< vn after, at least

    // The pattern: where the search begins, and where it ended.
    bool closed[2];
    ib__Grip grip;

    // What comes out.
    double jn[2], jt;

    bool kept_closed[2]; ///< another pattern, to come back to
    ib__Grip kept_grip;

    // The solver's: rows in the bodies' own measure, answers of the bodies to each alone [1/kg].
    ib__Row hn[2], ht;
    double kn[2], kt;
} ib__Bond;

// An island, and the room to solve it. Arrays may be used for one island after the other.
typedef struct ib__Law {
    int body_count, bond_count;
    double (*root)[9];   ///< of each body L, inverse mass W = L L^T
    double (*change)[3]; ///< of each body's motion (vx, vy, w) by the pushes, as L change
    ib__Bond *bonds;
    double scale;   ///< largest |v| at hand
    double soft;    ///< eps of what is factored now
    bool smooth;    ///< friction is left out
    int *place;     ///< of each body in the order of elimination
    int *neighbour; ///< room for that order: lists of neighbours, their starts, a queue
    double *right;  ///< right side of the system
    ib__Skyline system;
    int body_room, bond_room;
    int factors; ///< so far, for those who count
} ib__Law;

bool ib__law_init(ib__Law *law, int body_room, int bond_room, ib_Arena *arena);

// The root of an inverse mass, symmetric, rows of 3, that may be singular.
void ib__law_root(const double inverse_mass[9], double root[9]);

// A row in a body's own measure: h = L^T g.
void ib__law_measure(const double L[9], const double *g, double *h);

// Finds the pushes. False: none obey the law, or none were found.
bool ib__law_solve(ib__Law *law);

// Without friction there are always some where wanted <= 0.
void ib__law_solve_without_friction(ib__Law *law);

// vn, vt after.
double ib__law_normal(const ib__Law *law, const ib__Bond *bond, int point);
double ib__law_tangent(const ib__Law *law, const ib__Bond *bond);

#endif
