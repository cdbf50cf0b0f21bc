// sim/contact/relief.h: the ridges of the floor, and their effect on robots.
// docs/world/world.md, "Ridges"
//
// A robot stands on feet p_i with the static loads N_i = share_i m g. Its potential energy and the
// force on it are
//
//   U = sum N_i z(p_i),     F = -sum N_i grad z(p_i), each at its p_i
//
// Ridges that cross add up. The force enters as a push among the robot's inputs, so that its rates
// and its book know it like any other push. Internal to sim/.
#ifndef IB_SIM_CONTACT_RELIEF_H
#define IB_SIM_CONTACT_RELIEF_H

#include "sim/sim_inside.h"

// Stance of a robot; count 0: not on the floor.
typedef struct ib__Stand {
    int count;
    const ib_FootDef *feet;
    double mass;  ///< with its load [kg]
    double reach; ///< of the farthest foot [m]
} ib__Stand;

typedef struct ib__Relief {
    int count;
    ib_Ridge *ridges;
    ib__Stand *stands; ///< of each robot
} ib__Relief;

// Signals of a robot on a floor with ridges, from its ridge_signal on.
enum { IB_RIDGE_HEIGHT, IB_RIDGE_FORCE, IB_RIDGE_SIGNALS };

// Called from ib_model_create, with its signals; leaves model->relief NULL for a flat floor.
ib_Status ib__relief_create(ib_Model *model, ib_Arena *arena, ib_Error *error);

// Length of a piece such that no robot jumps over a ridge or a good part of it [s].
double ib__relief_longest(const ib_Sim *sim);

void ib__relief_output(const ib_Sim *sim, const double *state, const double *input,
                       double *signals);

#endif
