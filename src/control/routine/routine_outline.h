// control/routine/routine_outline.h: the way of a routine before it runs: by dead reckoning, from
// where the robot stands through all moves, as if nothing were missed. docs/control/routine.md
#ifndef IB_CONTROL_ROUTINE_ROUTINE_OUTLINE_H
#define IB_CONTROL_ROUTINE_ROUTINE_OUTLINE_H

#include "control/routine/routine.h"

enum { IB_OUTLINE_MOVES = 1000, IB_OUTLINE_MOST = 4000 }; ///< moves that are followed; points

// A point of the way, field frame.
typedef struct ib_WayPoint {
    double x, y, heading;
    int step; ///< whose move leads there: its place in the tree; -1: the start
    bool end; ///< the move ends there
} ib_WayPoint;

// The start, then the end of every move, and of a planned path points on the way. Rounds are
// repeated, until there are IB_OUTLINE_MOVES moves or no more room. Returns how many there are.
int ib_routine_outline(const ib_RoutineStep *steps, const ib_Locomotion *base,
                       const ib_BasePose *start, ib_WayPoint *points, int room);

#endif
