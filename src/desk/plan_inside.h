// desk/plan_inside.h: what the files that read parts of a plan file share. Internal to desk/.
// As in desk/design_inside.h every function names what is wrong at its place and goes on.
#ifndef IB_DESK_PLAN_INSIDE_H
#define IB_DESK_PLAN_INSIDE_H

#include "control/arm/arm_shape.h"
#include "desk/plan_file.h"
#include "file/reader.h"

// A plan on its way from the file.
typedef struct ib__PlanReader {
    ib_Reader *reader;
    ib_PlanUse use;
    ib_PlanFile *plan;
    ib_Node *root;
    bool arm;            ///< it could be read: lengths and motors are known
    int points;          ///< of each way
    bool counted;        ///< the file says so
    ib_ArmPoint *room;   ///< for a way while it is made, IB_PLAN_ROOM points; NULL: not yet
    ib_ArmGoal *goals;   ///< IB_ARM_GOALS of them
    int goal_count;      ///< so far
    ib_PlanMethod usual; ///< unless a way says so
    int clean; ///< mistakes when all but the ways was read, and those of ways that were timed
} ib__PlanReader;

// A path as it is written, before its times.
typedef struct ib__PlanShape {
    const ib_Node *node; ///< to blame
    bool open;           ///< only its ends are given: a detour or a search makes the rest
    double ends[2][2];   ///< [rad]
    double round;        ///< radius of corners [rad], > 0
    ib_ArmPoint *points; ///< `count` of them
    int count;           ///< >= 3
    ib_ArmPath rows;     ///< as somebody wrote them; count 0: nobody did
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
// whose number is then in `goal` (else -1; NULL: names are refused). `before`: bend and turns are
// the nearest to it; NULL: the elbow is up. `bend`: of what does not say it, 0: the nearest.
bool ib__plan_place(ib__PlanReader *plan, const ib_Node *node, const double *before, int bend,
                    int *goal, double th[2]);

// up: +1, down: -1; 0: wrong.
int ib__plan_bend(ib_Reader *reader, const ib_Node *node);

// ------------------------------------------------------------------------------------------- parts

bool ib__plan_arm(ib__PlanReader *plan);    ///< arm:
void ib__plan_limits(ib__PlanReader *plan); ///< limits:
void ib__plan_scene(ib__PlanReader *plan);  ///< obstacles:, clear:, and what travel allows
void ib__plan_goals(ib__PlanReader *plan);  ///< goals:

// Room for a way of `count` points and for more where it bends, in which one is made at a time; and
// what was made there, for good. False: out of memory.
bool ib__plan_room(ib__PlanReader *plan, const ib_Node *node, int count, ib_ArmRoom *room);
bool ib__plan_keep(ib__PlanReader *plan, const ib_Node *node, const ib_ArmRoom *room,
                   ib__PlanShape *shape);

// path:; false: it is wrong.
bool ib__plan_shape(ib__PlanReader *plan, const ib_Node *node, ib__PlanShape *shape);
bool ib__plan_rows(ib__PlanReader *plan, const ib_Node *node, ib__PlanShape *shape);

// A place that is too near to something: what, where, and how deep. `what`: "the path".
void ib__plan_refuse(ib__PlanReader *plan, const ib_Node *node, const ib_ArmNear *near,
                     const char *what);

// Memory for the times of a path of `count` points. False: out of memory.
bool ib__plan_timing(ib__PlanReader *plan, int count, ib_ArmTiming *timing);

// Times a way that has a path, by its method and for comparison, on more points where those of the
// file are not enough; warns of what may be slower than it need be. `timed`: a search has done so.
// `best` is given, or its verdict says why not. False: out of memory.
bool ib__plan_times(ib__PlanReader *plan, const ib__PlanShape *shape, ib_PlanWay *way, bool timed);

// Warns of what is not exact. False: the plant does not do it.
bool ib__plan_judge(ib__PlanReader *plan, const ib__PlanShape *shape, ib_PlanWay *way);

// Where a way begins, or ends (1).
const double *ib__plan_end(const ib__PlanShape *shape, int end);

// Makes what a shape leaves open, times it and judges it; for goals alone its ends are judged.
bool ib__plan_way(ib__PlanReader *plan, ib__PlanShape *shape, ib_PlanWay *way);

#endif
