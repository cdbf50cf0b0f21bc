// sim/loop/failure.h: loops that have failed: reported, neutral, and shown as
// control.<loop>.failed. docs/control/loops.md, "Loops that fail"
//
// A loop fails for a period if its kind reports it, or an output is not a number. It is lost for
// good if a state or signal is not a plausible number: it is not called any more, its outputs are
// neutral, and its states, and with them its signals, are those of its last sound period; a
// continuous one, whose signals depend on the present measurements, shows those of its last sound
// step. One double of the flat state for each loop has this status.
#ifndef IB_SIM_LOOP_FAILURE_H
#define IB_SIM_LOOP_FAILURE_H

#include "sim/sim_inside.h"

enum { IB__LOOP_WORKS, IB__LOOP_MISSED, IB__LOOP_LOST };

extern const ib_SignalDef ib__failure_signals[1];

// Its double.
static inline double *ib__failure(const ib_Sim *sim, int loop, double *state)
{
    return state + sim->model->failure_state + loop;
}

// Gives each loop its double, and behind them a continuous one room for its signals.
void ib__failure_lay_out(ib_Model *model);

// Asks a loop for its output, unless it is lost, and checks its states and outputs.
ib_ControlStatus ib__failure_step(ib_Sim *sim, int loop, const ib_ControlTick *tick, double *state,
                                  double *response);

// Judges the laws of continuous loops at the start of a step. True: one is lost from now on.
bool ib__failure_judge_laws(ib_Sim *sim, double *state);

// True if each of these is a plausible number.
bool ib__failure_sound(const double *values, int count);

// Adds the state to a hash, failures only where there are some.
uint64_t ib__failure_hash(const ib_Sim *sim, uint64_t hash);

#endif
