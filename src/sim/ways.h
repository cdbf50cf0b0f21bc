// sim/ways.h: planned ways of robots, as far as known before a run: paths that are followed or
// planned, and the outlines of routines.
#ifndef IB_SIM_WAYS_H
#define IB_SIM_WAYS_H

#include "sim/model.h"

enum { IB_WAY_POINTS = 4000 }; ///< of one way at most

typedef struct ib_Way {
    int robot;
    int control;         ///< owner of the plan; -1: the robot's own
    int count;           ///< of points, >= 2
    const double *x, *y; ///< field frame [m], joined by straight lines
} ib_Way;

// All of them, in the order of the robots; NULL: none, or no memory. Ways that lead nowhere are
// left out.
const ib_Way *ib_model_ways(const ib_Model *model, ib_Arena *arena, int *count);

#endif
