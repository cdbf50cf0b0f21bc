// sim/trial.h: a designed loop on its plant, at the desk: the non-linear mechanism or the plant of
// the loop itself, inputs that saturate, measurements with noise, a push. What `ironbird design`
// shows as the response, and what an exported loop is tested with. docs/control/state_feedback.md
#ifndef IB_SIM_TRIAL_H
#define IB_SIM_TRIAL_H

#include "control/state_feedback.h"
#include "plant/mechanism.h"

#include <stdint.h>

typedef struct ib_Trial {
    const ib_Loop *loop;
    int gear;
    const ib_Mechanism *mechanism; ///< NULL: the linear plant of the gear, with its input errors
    double start[IB_STATES_MAX];   ///< of the plant's states
    double goal[IB_STATES_MAX];    ///< of the plant's states, from t = 0 on
    double duration;               ///< [s]
    double noise[IB_STATES_MAX];   ///< standard deviation of each measured number; 0: none
    uint64_t seed;
    double push[IB_INPUTS_MAX]; ///< added to the inputs behind the limits from `push_at` on
    double push_at;             ///< [s]
    double latency;   ///< until u acts [s]; to 100 periods; 0 acts before. A linear plant without a
                      ///< mechanism takes a part of a period as the two inputs mixed
    bool known_start; ///< the estimate begins at the start; else where the loop's does
    // Asked before period k for what changes from it on: goal, gear and mechanism of `now`. The
    // loop knows the next goal one period before. NULL: nothing does.
    void (*plan)(void *self, int64_t k, struct ib_Trial *now);
    void *plan_self;
    // Asked once a period; true ends the trial. NULL: it goes to its end.
    bool (*give_up)(void *self);
    void *give_up_self;
} ib_Trial;

// One period, at its beginning: what was measured, estimated and applied. All absolute; r, estimate
// and next have the loop's states. With y, r, the r of the next tick, u and next it is a row of an
// ib_ExportTrace.
typedef struct ib_TrialTick {
    double t;
    double x[IB_STATES_MAX];        ///< true states of the plant
    double y[IB_STATES_MAX];        ///< measured; without an observer the states
    double estimate[IB_STATES_MAX]; ///< after the correction
    double next[IB_STATES_MAX];     ///< predicted for the next period
    double r[IB_STATES_MAX];        ///< wanted
    double u[IB_INPUTS_MAX];        ///< applied, within the limits
} ib_TrialTick;

// Runs it and gives every tick, the end included. IB_FAILED: the plant runs away (`tick` has had
// all up to there).
ib_Status ib_trial_run(const ib_Trial *trial, void (*tick)(void *self, const ib_TrialTick *tick),
                       void *self, ib_Error *error);

#endif
