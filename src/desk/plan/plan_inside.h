// desk/plan/plan_inside.h: functions shared by the readers of a plan file's parts. Internal to
// desk/. As in desk/design/design_inside.h every function reports a mistake at its place
// and continues.
#ifndef IB_DESK_PLAN_PLAN_INSIDE_H
#define IB_DESK_PLAN_PLAN_INSIDE_H

#include "control/arm/arm_shape.h"
#include "desk/plan/plan_file.h"
#include "file/reader.h"

// The reader of a plan.
typedef struct ib__PlanReader {
    ib_Reader *reader;
    ib_PlanUse use;
    ib_PlanFile *plan;
    ib_Node *root;
    bool arm;            ///< the arm was read: lengths and motors are known
    int points;          ///< of each way
    bool counted;        ///< `points` is from the file
    ib_ArmPoint *room;   ///< scratch memory for a way, IB_PLAN_ROOM points; NULL: not yet
    ib_ArmGoal *goals;   ///< IB_ARM_GOALS of them
    int goal_count;      ///< so far
    ib_PlanMethod usual; ///< default for ways
    int clean;           ///< mistakes before the ways, and those of timed ways
} ib__PlanReader;

// A path as written, before its times.
typedef struct ib__PlanShape {
    const ib_Node *node; ///< for messages
    bool open;           ///< only the ends are given: a detour or a search adds the rest
    double ends[2][2];   ///< [rad]
    double round;        ///< radius of corners [rad], > 0
    ib_ArmPoint *points; ///< `count` of them
    int count;           ///< >= 3
    ib_ArmPath rows;     ///< rows from the file; count 0: none
    const char *words;   ///< "an arc of 1.8 rad"
} ib__PlanShape;

// ------------------------------------------------------------------------------------------ values

// A number of a unit within bounds.
bool ib__plan_number(ib_Reader *reader, const ib_Node *node, const char *unit, double low,
                     double high, double *value);

// One number for both joints, or [first, second].
bool ib__plan_both(ib_Reader *reader, const ib_Node *node, const char *unit, double low,
                   double high, const char *example, double values[2]);

// A place: [theta1, theta2], {theta1: …, theta2: …}, {x: …, z: …, bend: up} or the name of a goal,
// whose index is then in `goal` (else -1; NULL: names are refused). `before`: bend and turns are
// the nearest to it; NULL: the elbow is up. `bend`: the default, 0: the nearest.
bool ib__plan_place(ib__PlanReader *plan, const ib_Node *node, const double *before, int bend,
                    int *goal, double th[2]);

// up: +1, down: -1; 0: wrong.
int ib__plan_bend(ib_Reader *reader, const ib_Node *node);

// ------------------------------------------------------------------------------------------- parts

bool ib__plan_arm(ib__PlanReader *plan);    ///< arm:
void ib__plan_limits(ib__PlanReader *plan); ///< limits:
void ib__plan_scene(ib__PlanReader *plan);  ///< obstacles:, clear:, and what travel allows
void ib__plan_goals(ib__PlanReader *plan);  ///< goals:

// Room for a way of `count` points and further ones in bends, used for one way at a time; and a
// permanent copy of the result. False: out of memory.
bool ib__plan_workspace(ib__PlanReader *plan, const ib_Node *node, int count,
                        ib_ArmWorkspace *workspace);
bool ib__plan_keep(ib__PlanReader *plan, const ib_Node *node, const ib_ArmWorkspace *workspace,
                   ib__PlanShape *shape);

// Reads `path:`; false: wrong.
bool ib__plan_shape(ib__PlanReader *plan, const ib_Node *node, ib__PlanShape *shape);
bool ib__plan_rows(ib__PlanReader *plan, const ib_Node *node, ib__PlanShape *shape);

// Refuses a place too near to an obstacle, with the obstacle, place and depth. `what`: "the path".
void ib__plan_refuse(ib__PlanReader *plan, const ib_Node *node, const ib_ArmNear *near,
                     const char *what);

// Memory for the times of a path of `count` points. False: out of memory.
bool ib__plan_timing(ib__PlanReader *plan, int count, ib_ArmTiming *timing);

// Times a way that has a path, by its method and for comparison, on more points if those of the
// file are too few; warns of a result that may be too slow. `timed`: a search has done so. `best`
// is set, or its verdict has the reason. False: out of memory.
bool ib__plan_times(ib__PlanReader *plan, const ib__PlanShape *shape, ib_PlanWay *way, bool timed);

// Warns of inexact results. False: the plant does not follow the plan.
bool ib__plan_judge(ib__PlanReader *plan, const ib__PlanShape *shape, ib_PlanWay *way);

// The begin of a way, or (1) its end.
const double *ib__plan_end(const ib__PlanShape *shape, int end);

// Completes a shape, times and checks it; for goals alone only its ends are checked.
bool ib__plan_way(ib__PlanReader *plan, ib__PlanShape *shape, ib_PlanWay *way);

#endif
