// design/arm/arm_search.h: the fastest way of an arm between two places, round what is in its way.
// The derivation and the figures are in docs/design/arm_search.md.
//
// Outside a search over the shapes of the path (design/arm/arm_curve.h), begun on each kind of
// detour; inside the exact time of each shape (control/arm/arm_plan.h). What comes out is proven,
// not trusted: its limits and distances are looked at again, densely, by other formulas.
#ifndef IB_DESIGN_ARM_SEARCH_H
#define IB_DESIGN_ARM_SEARCH_H

#include "control/arm/arm_plan.h"
#include "design/arm/arm_detour.h"

#include <stdint.h>

// All that a search is about.
typedef struct ib_ArmTask {
    ib_ArmPlant arm;
    ib_ArmLimits limits;
    ib_ArmScene scene;
    ib_ArmErrand errand;
} ib_ArmTask;

// ------------------------------------------------------------------------------------------- proof

// The largest of everything on a path with its times, between the points too.
typedef struct ib_ArmProof {
    double volts[2], current[2], speed[2]; ///< either way [V], [A], [rad/s]
    double acceleration;                   ///< sqrt((a1/A1)^2 + (a2/A2)^2), 0 without a limit
    double sag;                            ///< of |V| over what the battery has then, 0 without
    double part;                           ///< of a limit: 1 is all of it
    const char *limit;                     ///< which: "voltage", "acceleration", …
    int joint;                             ///< whose; 0 of a limit of both together
    double t;                              ///< when [s]
    ib_ArmNear near;                       ///< to obstacles and joint limits
} ib_ArmProof;

// `fine` instants for each cell of the path, taken from ib_arm_sample as a follower takes them.
ib_ArmProof ib_arm_proof(const ib_ArmTask *task, const ib_ArmPath *path, const ib_ArmTiming *timing,
                         int fine);

// ------------------------------------------------------------------------------------------ search

typedef struct ib_ArmSearchConfig {
    int controls;  ///< control points that move: the search has twice as many numbers, 2 .. 12
    int points;    ///< of a shape while it is searched, 20 .. 1024
    int children;  ///< shapes that are tried at most
    double step;   ///< of a control point to begin with [rad], > 0
    uint64_t seed; ///< the same seed, the same path
} ib_ArmSearchConfig;
ib_ArmSearchConfig ib_arm_search_default(void);

// What was found.
typedef struct ib_ArmSearch {
    double duration;   ///< of the path [s]
    int kinds;         ///< detours that it was begun with, the shortest first
    int kind;          ///< which of them it came from
    int children;      ///< shapes tried
    ib_ArmProof proof; ///< what the path needs of its limits, and what it is near to
} ib_ArmSearch;

// Fills `count` >= 2 points at equal distances, and their times; `points` and `timing` are the
// caller's. Between them no limit is exceeded by more than 8e-5 of it. IB_BAD_INPUT: start or goal
// is blocked, there is no way, or the limits allow none.
ib_Status ib_arm_search(const ib_ArmTask *task, const ib_ArmSearchConfig *config, int count,
                        ib_ArmPoint *points, ib_ArmTiming *timing, ib_ArmSearch *found,
                        ib_Error *error);

// ------------------------------------------------------------------------------------- comparisons

// What the same errand takes by other ways [s]; infinite: there is none.
typedef struct ib_ArmBaseline {
    double straight;      ///< the straight line, as if nothing were in its way
    ib_ArmNear near;      ///< what is
    ib_ArmDetour detour;  ///< the shortest detour, with round corners
    double passes, reach; ///< times on it: by the source's passes, by reachability
} ib_ArmBaseline;

// `radius` [rad] of the corners. `points` and `timing` are scratch memory of `count` points.
ib_Status ib_arm_baseline(const ib_ArmTask *task, double radius, int count, ib_ArmPoint *points,
                          ib_ArmTiming *timing, ib_ArmBaseline *baseline, ib_Error *error);

#endif
