// desk/plan_file.h: a plan file read and worked out: how an arm of two links goes along its ways as
// fast as motors and battery allow, with every mistake named at its place. docs/plan.md
//
// Reading a plan is planning it: that a goal is out of reach, or that no motion meets the limits,
// is a mistake of the file like a wrong unit, and is shown where it is written.
#ifndef IB_DESK_PLAN_FILE_H
#define IB_DESK_PLAN_FILE_H

#include "control/arm/arm_track.h"
#include "design/arm/arm_figures.h"
#include "file/diagnostics.h"
#include "scenario/scenario.h"

enum {
    IB_PLAN_POINTS = 800,                   ///< of a way, unless the file says so
    IB_PLAN_POINTS_MOST = 4096,             ///< of a way, as a file may ask for
    IB_PLAN_ROOM = 2 * IB_PLAN_POINTS_MOST, ///< of a way, with those where it bends
    IB_PLAN_PARTS = 10, ///< times so many the figures look, and sub-steps of the passes
};

// In cells of this length limits and times are exact: control/arm/arm_plan.h.
#define IB_PLAN_CELL 0.02 ///< [rad]

// What a plan is read for: the less, the sooner it is there.
typedef enum ib_PlanUse {
    IB_PLAN_FOR_PEOPLE, ///< with what other ways would take, for comparison
    IB_PLAN_FOR_WAYS,   ///< for a follower of its ways
    IB_PLAN_FOR_GOALS,  ///< the plan has no tracks: of its ways the ends alone are judged
    IB_PLAN_USES,
} ib_PlanUse;

typedef enum ib_PlanMethod {
    IB_PLAN_PASSES,   ///< of the source: curvature, backward, forward
    IB_PLAN_REACH,    ///< the fastest on the path as it is
    IB_PLAN_OPTIMISE, ///< the path is searched for as well
    IB_PLAN_METHODS,
} ib_PlanMethod;

extern const char *const ib_plan_methods[IB_PLAN_METHODS + 1]; ///< as in the file

// A path timed by one method.
typedef struct ib_PlanTimed {
    bool given; ///< otherwise `verdict` says why not
    ib_ArmVerdict verdict;
    ib_ArmTiming timing;
    ib_ArmFigures figures;
} ib_PlanTimed;

// Speeds that the passes found on their way, one for each point [rad/s].
typedef struct ib_PlanPasses {
    const double *curvature; ///< that can be kept
    const double *backward;  ///< from which it can still brake
    const double *forward;   ///< to which it has sped up: the answer
} ib_PlanPasses;

// What a search for a path found, beside the path itself.
typedef struct ib_PlanSearch {
    bool given;
    ib_ArmPath detour;    ///< the shortest with round corners
    double detour_length; ///< of it [rad]
    double detour_radius; ///< of these corners [rad]
    double detour_passes; ///< its time by the passes [s]
    double detour_reach;  ///< and by reachability [s]
    double straight;      ///< time of the straight line, as if nothing were in its way [s]
    double faster;        ///< than the passes on the detour: 0.15 is 15 % less time
    int kinds, tried;     ///< kinds of detours that were begun with; paths that were timed
} ib_PlanSearch;

typedef struct ib_PlanWay {
    const char *name;
    const char *shape; ///< in words: "an arc", "8 rows of a table"
    ib_PlanMethod method;
    int from, to; ///< goals
    ib_ArmPath path;
    ib_PlanTimed passes, reach;
    const ib_PlanTimed *best; ///< the one of `method`
    int tried;                ///< most points with which it was looked for
    ib_PlanPasses lines;      ///< of the passes; all NULL where there are none
    ib_PlanSearch search;
    ib_ArmRerun rerun; ///< of `best`
    ib_ArmNear near;   ///< what it passes nearest
} ib_PlanWay;

typedef struct ib_PlanFile {
    ib_YamlFile yaml; ///< its file, title and warnings; owns everything below
    const char *arm;  ///< in words: "frc971-2018", "arm of ../robots/x.yaml"
    ib_ArmPlan plan;  ///< for a follower; the rest is for people
    int way_count;    ///< >= 1
    ib_PlanWay *ways;
    const char *name; ///< of what is exported, a C identifier
} ib_PlanFile;

// Reads a file (or, for tests and fuzzing, `length` bytes of text with `file` as its name) and
// plans what it asks for. On mistakes returns NULL with all of them in `diagnostics`, whose arena
// the caller provides. Of `options` the overrides and the data files count.
ib_PlanFile *ib_plan_file_read(const char *file, const ib_ScenarioOptions *options,
                               ib_Diagnostics *diagnostics);
ib_PlanFile *ib_plan_file_read_text(const char *file, const char *text, size_t length,
                                    const ib_ScenarioOptions *options, ib_Diagnostics *diagnostics);

// The same for less than people want to see.
ib_PlanFile *ib_plan_file_read_for(ib_PlanUse use, const char *file,
                                   const ib_ScenarioOptions *options, ib_Diagnostics *diagnostics);

void ib_plan_file_destroy(ib_PlanFile *plan);

// What a follower needs of it, in another arena: it outlives the file. NULL: out of memory.
const ib_ArmPlan *ib_plan_copy(const ib_ArmPlan *plan, ib_Arena *arena);

// The way of this name, or NULL.
const ib_PlanWay *ib_plan_way_find(const ib_PlanFile *plan, const char *name);

#endif
