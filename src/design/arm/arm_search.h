// design/arm/arm_search.h: the fastest way of an arm between two places, round obstacles. The
// derivation and the figures are in docs/design/arm_search.md.
//
// The outer search varies the shape of the path (design/arm/arm_curve.h), from each kind of detour;
// the inner planner times each shape exactly (control/arm/arm_plan.h). The result is proven: its
// limits and distances are checked again, densely, by other formulas.
#ifndef IB_DESIGN_ARM_SEARCH_H
#define IB_DESIGN_ARM_SEARCH_H

#include "control/arm/arm_plan.h"
#include "design/arm/arm_detour.h"

#include <stdint.h>

// The task of a search.
typedef struct ib_ArmTask {
    ib_ArmPlant arm;
    ib_ArmLimits limits;
    ib_ArmScene scene;
    ib_ArmErrand errand;
} ib_ArmTask;

// ------------------------------------------------------------------------------------------- proof

// The largest values on a timed path, between the points too.
typedef struct ib_ArmProof {
    double volts[2], current[2], speed[2]; ///< either way [V], [A], [rad/s]
    double acceleration;                   ///< sqrt((a1/A1)^2 + (a2/A2)^2), 0 without a limit
    double sag;                            ///< of |V| over the battery's voltage then, 0
                                           ///< without sag
    double part;                           ///< largest used part of a limit, 1: all
    const char *limit;                     ///< its limit: "voltage", "acceleration", …
    int joint;                             ///< its joint; 0 for a limit of both together
    double t;                              ///< when [s]
    ib_ArmNear near;                       ///< to obstacles and joint limits
} ib_ArmProof;

// The proof from `fine` instants for each cell of the path, from ib_arm_sample as in a follower.
ib_ArmProof ib_arm_proof(const ib_ArmTask *task, const ib_ArmPath *path, const ib_ArmTiming *timing,
                         int fine);

// ------------------------------------------------------------------------------------------ search

typedef struct ib_ArmSearchConfig {
    int controls;  ///< free control points: the search has twice as many numbers, 2 .. 12
    int points;    ///< of a shape during the search, 20 .. 1024
    int children;  ///< largest number of shapes tried
    double step;   ///< first step of a control point [rad], > 0
    uint64_t seed; ///< the same seed, the same path
} ib_ArmSearchConfig;
ib_ArmSearchConfig ib_arm_search_default(void);

// The result.
typedef struct ib_ArmSearch {
    double duration;   ///< of the path [s]
    int kinds;         ///< starting detours, the shortest first
    int kind;          ///< index of the best one
    int children;      ///< shapes tried
    ib_ArmProof proof; ///< used parts of the limits, and distances
} ib_ArmSearch;

// Fills `count` >= 2 points at equal distances, and their times; `points` and `timing` are the
// caller's. Between them no limit is exceeded by more than 8e-5 of it. IB_BAD_INPUT: start or goal
// is blocked, or no way exists within the limits.
ib_Status ib_arm_search(const ib_ArmTask *task, const ib_ArmSearchConfig *config, int count,
                        ib_ArmPoint *points, ib_ArmTiming *timing, ib_ArmSearch *found,
                        ib_Error *error);

// ------------------------------------------------------------------------------------- comparisons

// The times of other ways for the same errand [s]; infinite: none.
typedef struct ib_ArmBaseline {
    double straight;      ///< the straight line, without obstacles
    ib_ArmNear near;      ///< its nearest obstacle
    ib_ArmDetour detour;  ///< the shortest detour, with round corners
    double passes, reach; ///< times on it: by the source's passes, by reachability
} ib_ArmBaseline;

// `radius` [rad] of the corners. `points` and `timing` are scratch memory of `count` points.
ib_Status ib_arm_baseline(const ib_ArmTask *task, double radius, int count, ib_ArmPoint *points,
                          ib_ArmTiming *timing, ib_ArmBaseline *baseline, ib_Error *error);

#endif
