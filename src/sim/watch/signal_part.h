// sim/watch/signal_part.h: which part of the signals one belongs to (ib_SignalPart). Internal to
// sim/ and for those who attach a probe.
#ifndef IB_SIM_WATCH_SIGNAL_PART_H
#define IB_SIM_WATCH_SIGNAL_PART_H

#include "sim/model.h"
#include "sim/watch/probe.h"

// The parts that have to be found for signal number `signal`; 0: none, as it is found whenever
// somebody looks.
unsigned ib_signal_part(const ib_Model *model, int signal);

// The pose of a robot alone, where that is no part: it is in the state.
void ib__output_pose(const ib_RobotModel *robot, const double *state, double *signals);

// The parts that sensors, loops and carried bodies look at.
unsigned ib__parts_of_sensors(const ib_Model *model);
unsigned ib__parts_of_riders(const ib_Model *model);

#endif
