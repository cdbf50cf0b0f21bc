// sim/watch/signal_part.h: the part of a signal (ib_SignalPart). Internal to sim/ and for users
// of probes.
#ifndef IB_SIM_WATCH_SIGNAL_PART_H
#define IB_SIM_WATCH_SIGNAL_PART_H

#include "sim/model.h"
#include "sim/watch/probe.h"

// The parts to be computed for signal number `signal`; 0: none, as it is always computed.
unsigned ib_signal_part(const ib_Model *model, int signal);

// The pose of a robot alone, if it is no part: it is in the state.
void ib__output_pose(const ib_RobotModel *robot, const double *state, double *signals);

// The parts that sensors, loops and carried bodies look at.
unsigned ib__parts_of_sensors(const ib_Model *model);
unsigned ib__parts_of_riders(const ib_Model *model);

#endif
