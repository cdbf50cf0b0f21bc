// desk/trial/trial_inside.h: the ideal plants of trials, as a robot of the simulation.
#ifndef IB_DESK_TRIAL_TRIAL_INSIDE_H
#define IB_DESK_TRIAL_TRIAL_INSIDE_H

#include "desk/trial/trial.h"

// A plant of the desk: its states are signals by their names, its outputs "y.0" …; inputs are
// "u.0" …, which pushes add to (IB_INPUT_PUSH of the same names), "gear", and "tick", the number of
// the period, which advances a sampled plant.
extern const ib_RobotKind ib__trial_plant;

// Its config: the trial.
typedef struct ib__TrialPlantConfig {
    const ib_Trial *trial;
} ib__TrialPlantConfig;

// The number of states and outputs of the plant.
int ib__trial_states(const ib_Trial *trial);

#endif
