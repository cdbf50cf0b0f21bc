// desk/plan/plan_file.h: reads a plan file and plans its ways: an arm of two links follows them as
// fast as motors and battery allow, with every mistake named at its place. docs/design/plan.md
//
// Reading a file includes the planning: a goal out of reach, or a way without a motion within the
// limits, is a mistake of the file like a wrong unit, and is shown at its place.
#ifndef IB_DESK_PLAN_PLAN_FILE_H
#define IB_DESK_PLAN_PLAN_FILE_H

#include "control/arm/arm_track.h"
#include "design/arm/arm_figures.h"
#include "file/diagnostics.h"
#include "scenario/scenario.h"

enum {
    IB_PLAN_POINTS = 800,                   ///< of a way by default
    IB_PLAN_POINTS_MOST = 4096,             ///< of a way, largest number in a file
    IB_PLAN_ROOM = 2 * IB_PLAN_POINTS_MOST, ///< of a way, with further ones in bends
    IB_PLAN_PARTS = 10, ///< instants per cell for the figures, and sub-steps of the passes
};

// Cell length with exact limits and times: control/arm/arm_plan.h.
#define IB_PLAN_CELL 0.02 ///< [rad]

// The purpose of a plan: a smaller one is read faster.
typedef enum ib_PlanUse {
    IB_PLAN_FOR_PEOPLE, ///< with the times of other ways, for comparison
    IB_PLAN_FOR_WAYS,   ///< for a follower of its ways
    IB_PLAN_FOR_GOALS,  ///< without tracks: only the ends of its ways are checked
    IB_PLAN_USES,
} ib_PlanUse;

typedef enum ib_PlanMethod {
    IB_PLAN_PASSES,   ///< of the source: curvature, backward, forward
    IB_PLAN_REACH,    ///< the fastest on the given path
    IB_PLAN_OPTIMISE, ///< searches for the path as well
    IB_PLAN_METHODS,
} ib_PlanMethod;

extern const char *const ib_plan_methods[IB_PLAN_METHODS + 1]; ///< as in the file

// A path timed by one method.
typedef struct ib_PlanTimed {
    bool given; ///< otherwise `verdict` has the reason
    ib_ArmVerdict verdict;
    ib_ArmTiming timing;
    ib_ArmFigures figures;
} ib_PlanTimed;

// Speeds of the three passes, one for each point [rad/s].
typedef struct ib_PlanPasses {
    const double *curvature; ///< sustainable speed
    const double *backward;  ///< speed from which braking is possible
    const double *forward;   ///< speed after acceleration: the result
} ib_PlanPasses;

// The results of a path search, besides the path itself.
typedef struct ib_PlanSearch {
    bool given;
    ib_ArmPath detour;    ///< the shortest with round corners
    double detour_length; ///< of it [rad]
    double detour_radius; ///< of these corners [rad]
    double detour_passes; ///< its time by the passes [s]
    double detour_reach;  ///< and by reachability [s]
    double straight;      ///< time of the straight line without obstacles [s]
    double faster;        ///< than the passes on the detour: 0.15 is 15 % less time
    int kinds, tried;     ///< starting kinds of detours; timed paths
} ib_PlanSearch;

typedef struct ib_PlanWay {
    const char *name;
    const char *shape; ///< in words: "an arc", "8 rows of a table"
    ib_PlanMethod method;
    int from, to; ///< goals
    ib_ArmPath path;
    ib_PlanTimed passes, reach;
    const ib_PlanTimed *best; ///< that of `method`
    int tried;                ///< largest number of points in the search
    ib_PlanPasses lines;      ///< of the passes; all NULL without passes
    ib_PlanSearch search;
    ib_ArmRerun rerun; ///< of `best`
    ib_ArmNear near;   ///< its nearest obstacle
} ib_PlanWay;

typedef struct ib_PlanFile {
    ib_YamlFile yaml; ///< its file, title and warnings; owns everything below
    const char *arm;  ///< in words: "frc971-2018", "arm of ../robots/x.yaml"
    ib_ArmPlan plan;  ///< for a follower; the rest is for people
    int way_count;    ///< >= 1
    ib_PlanWay *ways;
    const char *name; ///< of the exported files, a C identifier
} ib_PlanFile;

// Reads a file (or, for tests and fuzzing, `length` bytes of text with `file` as its name) and
// plans its ways. On mistakes returns NULL with all of them in `diagnostics`, whose arena the
// caller provides. Of `options` only the overrides and the data files are used.
ib_PlanFile *ib_plan_file_read(const char *file, const ib_ScenarioOptions *options,
                               ib_Diagnostics *diagnostics);
ib_PlanFile *ib_plan_file_read_text(const char *file, const char *text, size_t length,
                                    const ib_ScenarioOptions *options, ib_Diagnostics *diagnostics);

// The same for another purpose.
ib_PlanFile *ib_plan_file_read_for(ib_PlanUse use, const char *file,
                                   const ib_ScenarioOptions *options, ib_Diagnostics *diagnostics);

void ib_plan_file_destroy(ib_PlanFile *plan);

// A copy of a plan for a follower, in another arena: it outlives the file. NULL: out of memory.
const ib_ArmPlan *ib_plan_copy(const ib_ArmPlan *plan, ib_Arena *arena);

// The way of this name, or NULL.
const ib_PlanWay *ib_plan_way_find(const ib_PlanFile *plan, const char *name);

#endif
