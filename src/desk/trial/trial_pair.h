// desk/trial/trial_pair.h: the trial of a design, recorded: undisturbed, and with noise and a push.
//
// It runs in the simulation (desk/trial/trial_bench.h). The noise is that of the Kalman filter; the
// push is an error of the first input, of a tenth of its range, from half-time on. The effect of
// the noise alone is measured separately, with a loop at its goal for a long time.
#ifndef IB_DESK_TRIAL_TRIAL_PAIR_H
#define IB_DESK_TRIAL_TRIAL_PAIR_H

#include "base/arena.h"
#include "design/response.h"
#include "desk/trial/trial_bench.h"

enum { IB_TRIAL_PERIODS_MAX = 200000 }; ///< periods; a longer trial is cut

typedef struct ib_TrialCurves {
    int count;           ///< periods
    int states, inputs;  ///< of the plant
    const double *t;     ///< count
    const double *x;     ///< true, states x count: one row for each state
    const double *guess; ///< estimated, states x count
    const double *u;     ///< applied, inputs x count
    const char *ended;   ///< reason of an early end; NULL: none
} ib_TrialCurves;

typedef struct ib_TrialPair {
    const ib_DesignFile *design;
    int gear;
    ib_Trial trial; ///< the one with noise and push
    bool chosen;    ///< the file has no `try:`: start and duration are defaults
    bool noisy;     ///< a noise is known
    ib_TrialCurves quiet, disturbed;
    ib_TrialUse use;             ///< load of the undisturbed one on the robot
    double noise[IB_STATES_MAX]; ///< standard deviation of each state at the goal; NAN: no noise is
                                 ///< known, or the loop does not stay there
} ib_TrialPair;

// The facts of one state.
typedef struct ib_TrialFacts {
    ib_Response quiet;
    double noise; ///< standard deviation at the goal; NAN as above
    double push;  ///< largest deviation after the push
    double left;  ///< deviation at the end, the mean of the last tenth of the time
} ib_TrialFacts;

// The effort of one input, undisturbed; in its unit, SI.
typedef struct ib_TrialEffort {
    double low, high;         ///< its limits; may be infinite
    double smallest, largest; ///< of the output
    double saturated;         ///< share of the time at a limit, 0 to 1
    double peak;              ///< either way
} ib_TrialEffort;

// An effect outside the linear design, as a sentence: "the current limit of 120 A acts in 23 % of
// the time"; false: there are fewer than `index` + 1.
bool ib_trial_use_note(const ib_TrialUse *use, int index, char *text, size_t size);

// Runs one trial and records it, in `arena`. After an early end, `run` has the part before, and the
// reason. As ib_trial_bench_run otherwise.
ib_Status ib_trial_record(const ib_DesignFile *design, const ib_Trial *trial, ib_Arena *arena,
                          ib_TrialCurves *run, ib_TrialUse *use, ib_Error *error);

// The undisturbed run alone, in one gear.
ib_Status ib_trial_pair_quiet(const ib_DesignFile *design, int gear, ib_Arena *arena,
                              ib_TrialPair *trials, ib_Error *error);

// Runs both in one gear; all is in `arena`. `like`: with start, goal, time and push of these
// trials, of a design for comparison; NULL: its own. IB_BAD_INPUT: the design has no feedback. A
// diverging loop is no failure: `ended` reports it.
ib_Status ib_trial_pair_run(const ib_DesignFile *design, int gear, const ib_TrialPair *like,
                            ib_Arena *arena, ib_TrialPair *trials, ib_Error *error);

// True if this state moves from one value to another.
bool ib_trial_pair_moves(const ib_TrialPair *trials, int state);

// The undisturbed response of a state.
ib_Response ib_trial_pair_response(const ib_TrialPair *trials, int state);

ib_TrialFacts ib_trial_pair_facts(const ib_TrialPair *trials, int state);
ib_TrialEffort ib_trial_pair_effort(const ib_TrialPair *trials, int input);

#endif
