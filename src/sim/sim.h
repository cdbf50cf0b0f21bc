// sim/sim.h: a simulation: one state of a model, and the memory to move it through time.
// THE step is in sim/step.c; docs/architecture.md has one heading per call of it.
#ifndef IB_SIM_SIM_H
#define IB_SIM_SIM_H

#include "sim/advice.h"
#include "sim/model.h"
#include "sim/watch/probe.h"

enum { IB_MAX_SOURCES = 16 };

// The only interface for input. A source writes its own inputs: value at `time` and slope from
// there on. A script's values are good until the time it returns (IB_TIME_NEVER: for ever), and a
// step ends there. A live source is called at the start of every step, and its result is ignored;
// to call it often enough, an adaptive solver makes no step beyond the next multiple
// of IB_LIVE_STEP.
#define IB_LIVE_STEP (IB_SECOND / 1000)

typedef struct ib_InputSource {
    void *self;
    ib_Time (*read)(void *self, ib_Time time, double *input, double *slope);
    bool live;
} ib_InputSource;

typedef struct ib_Sim ib_Sim;

// The first time that an input was out of its range (or not a number) and had to be replaced.
typedef struct ib_Clamp {
    int input;     ///< index in ib_Model.inputs
    ib_Time time;  ///< from when on; of a ramp, where it reached the limit
    double wanted; ///< SI; of a ramp beyond the limit, its end value
    double used;   ///< SI
} ib_Clamp;

// The first time that a fixed step was too long for a state.
typedef struct ib_UnstableStep {
    int state;        ///< index in ib_sim_state
    ib_Time time;     ///< when it was seen
    double length;    ///< of the step [s]
    ib_Advice advice; ///< the remedy
} ib_UnstableStep;

// The shortest steps of an adaptive solver that had a larger error than its tolerance allows, and
// were taken all the same.
typedef struct ib_InexactSteps {
    int64_t count;
    ib_Time first; ///< when the first of them began
    double ratio;  ///< the largest error relative to the allowed one; > 1
    int state;     ///< that had it: index in ib_sim_state
} ib_InexactSteps;

// Failures of a loop: for each status except OK their number, and the first time.
typedef struct ib_LoopTrouble {
    const ib_Controller *controller;
    int64_t count[IB_CONTROL_STATUSES];
    ib_Time first[IB_CONTROL_STATUSES];
    bool lost;    ///< it has failed for good (sim/loop/failure.h), since
    int signal;   ///< this was not a number, or beyond its limit; -1: its memory was
    double value; ///< of the signal
} ib_LoopTrouble;

ib_Status ib_sim_create(const ib_Model *model, ib_Sim **sim, ib_Error *error);
void ib_sim_destroy(ib_Sim *sim);

// Resets to t = 0, to the bit as a new simulation. Probes keep their last requested time: detach
// them and attach new ones for another run.
void ib_sim_reset(ib_Sim *sim);

// Takes off all that was attached, so that it can be attached anew; nothing is allocated for as
// much as was there before.
void ib_sim_detach(ib_Sim *sim);

// Attach before the first step. Fails only without memory.
ib_Status ib_sim_probe(ib_Sim *sim, ib_Probe probe, ib_Error *error);
ib_Status ib_sim_watch(ib_Sim *sim, ib_Watch watch, ib_Error *error);
void ib_sim_connect(ib_Sim *sim, ib_InputSource source); ///< after the scenario's own

// Inputs that had to be clamped, in the order in which it happened; at most one entry per input.
const ib_Clamp *ib_sim_clamps(const ib_Sim *sim, int *count);

// NULL: no step was seen to be too long. (Adaptive solvers choose their own.)
const ib_UnstableStep *ib_sim_unstable_step(const ib_Sim *sim);

// NULL: an adaptive solver has always held its tolerance.
const ib_InexactSteps *ib_sim_inexact_steps(const ib_Sim *sim);

// One for each loop.
const ib_LoopTrouble *ib_sim_troubles(const ib_Sim *sim, int *count);

// Makes one step, from one integer time to the next:
//   input (and actuate) -> begin -> sense -> control -> how far
//   -> for each piece: integrate -> record -> take over -> contact
//   -> release
// The stages and the reason for their order: docs/architecture.md.
ib_Status ib_sim_step(ib_Sim *sim, ib_Error *error);

// Makes steps until `until` is reached or passed, or the run is over: those that ib_sim_step makes,
// faster without observers.
ib_Status ib_sim_advance(ib_Sim *sim, ib_Time until, ib_Error *error);

// All signals as they are now, between two steps: on a copy, which never changes the run. Inputs
// are those of the last step.
void ib_sim_sample(ib_Sim *sim, double *signals);

// Goes on with another model of the same states, inputs and signals (sim/linearise/variant.h),
// between two steps. The old one is not needed any more.
void ib_sim_change(ib_Sim *sim, const ib_Model *model);

// The last samples, at the end of the run. Call once, after the last step.
void ib_sim_finish(ib_Sim *sim);

const ib_Model *ib_sim_model(const ib_Sim *sim);
bool ib_sim_done(const ib_Sim *sim);
ib_Time ib_sim_time(const ib_Sim *sim);
int64_t ib_sim_steps(const ib_Sim *sim);
const double *ib_sim_state(const ib_Sim *sim);

// Steps and refused attempts of the run; rate calls and Jacobians include those for events, watches
// and recordings.
ib_SolverCounts ib_sim_solver_counts(const ib_Sim *sim);

// Time and state in 64 bits; equal for equal runs on every machine.
uint64_t ib_sim_hash(const ib_Sim *sim);

// Puts a run to a state taken with ib_sim_state, ib_sim_time and ib_sim_steps between two steps; it
// goes on with the same bits. Probes and counts (clamps, the solver's) are not part of the state
// and stay unchanged; watches begin anew.
void ib_sim_restore(ib_Sim *sim, ib_Time time, int64_t steps, const double *state);

#endif
