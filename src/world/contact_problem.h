// world/contact_problem.h: the law of contact at several points at once. docs/world.md, "Impact"
// It is one law for impulses and for forces. Internal to this folder.
//
// At each point a push (jn, jt) along the normal and the tangent, K the answer of the bodies:
//   v+ = v- + K j      vn+ >= wanted,   jn >= 0,   one of them an equality
//                      |jt| <= mu jn,   where vt+ is not 0 the full friction
//                      against it
// In an impact v are velocities and j impulses; at rest v are accelerations and j forces.
#ifndef IB_WORLD_CONTACT_PROBLEM_H
#define IB_WORLD_CONTACT_PROBLEM_H

#include "world/scene.h"

typedef struct ib__Touch {
    const ib__Point *point;
    ib__Row normal, tangent;
    ib__Row by_normal, by_tangent; ///< change of the bodies by a unit push along them
    double knn, knt, ktt;          ///< answer of the bodies at this point alone [1/kg]
    double vn, vt;                 ///< before
    double restitution;            ///< of an impact with vn
    double wanted;                 ///< vn after, at least
    double jn, jt;                 ///< the push
} ib__Touch;

typedef struct ib__ContactProblem {
    int count, body_count;
    const double *inverse_mass;        ///< as in ib_world_impact
    double speed;                      ///< largest |v| at hand
    double change[IB_WORLD_BODIES][3]; ///< of the bodies' motion so far
    ib__Touch touches[IB_WORLD_POINTS];
} ib__ContactProblem;

// Rows and answers of the points. The caller then fills vn, vt and wanted of every touch, in an
// impact restitution too.
void ib__contact_problem_init(const ib__Point *points, int count, const double *inverse_mass,
                              int body_count, ib__ContactProblem *problem);

// Gives a touch another tangent.
void ib__contact_problem_turn(ib__ContactProblem *problem, ib__Touch *touch,
                              const ib__Row *tangent);

// False: the law has no solution, which friction and restitution together may bring about.
bool ib__contact_problem_solve(ib__ContactProblem *problem);

// Without friction there is always a solution where wanted <= 0.
void ib__contact_problem_solve_without_friction(ib__ContactProblem *problem);

double ib__contact_problem_normal_after(const ib__ContactProblem *problem, const ib__Touch *touch);
double ib__contact_problem_tangent_after(const ib__ContactProblem *problem, const ib__Touch *touch);

// Adds the pushes of all points to those of the bodies.
void ib__contact_problem_collect(const ib__ContactProblem *problem, ib_Push *pushes);

#endif
