// sim/shared_world.h: the robots of a run that share a MuJoCo world (robot/rigid/rigid_group.h).
#ifndef IB_SIM_SHARED_WORLD_H
#define IB_SIM_SHARED_WORLD_H

#include "robot/rigid/rigid_group.h"
#include "sim/sim.h"

// The world of robots that share one: of several, or of one beside walls and obstacles. Robots of a
// run in which nothing touches (`ghosts`) have their own.
ib_Status ib__shared_create(ib_Model *model, ib_Arena *arena, ib_Error *error);
size_t ib__shared_memory(const ib_Model *model);
int ib__shared_overlap(const ib_Model *model, ib_Error *error); ///< the robot, as ib_model_overlap

bool ib__shared_room(ib_Sim *sim);
ib_Status ib__shared_advance(ib_Sim *sim, double from, const double *start, const double *input,
                             double length, double *end, ib_Error *error);
// Forces on the guests of that world at this state, and zeros where it cannot be solved.
void ib__shared_wrenches(const ib_Sim *sim, const double *state, const double *input,
                         double (*wrenches)[6]);
// The own signals of a robot that shares a world.
void ib__shared_output(const ib_Sim *sim, int robot, const double *state, const double *input,
                       double *signals);

#endif
