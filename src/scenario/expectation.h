// scenario/expectation.h: sentences that make a scenario a test: "at 2 s: pose.x = 1.3 m +- 1 mm".
//
//   when:   always | never | at T | at end | before T | after T
//   what:   SIGNAL (= VALUE +- TOLERANCE | < | <= | > | >= VALUE)
//
// A sentence becomes a margin: how far the signal is on the right side, in its own unit;
// negative is wrong.
//   y >= v: y - v;   y <= v: v - y;   y = v +- d: d - |y - v|
// `at` is evaluated exactly at its time, `always`, `never`, `before` and `after` at every step and,
// where the margin changes sign between steps, at the instant located by the solver.
#ifndef IB_SCENARIO_EXPECTATION_H
#define IB_SCENARIO_EXPECTATION_H

#include "base/signal.h"
#include "sim/sim.h"

typedef enum ib_When {
    IB_WHEN_ALWAYS,
    IB_WHEN_NEVER,
    IB_WHEN_AT,
    IB_WHEN_END,
    IB_WHEN_BEFORE,
    IB_WHEN_AFTER,
} ib_When;

typedef enum ib_Relation { IB_EQUAL, IB_LESS, IB_AT_MOST, IB_GREATER, IB_AT_LEAST } ib_Relation;

typedef struct ib_Expectation {
    const char *text; ///< as written
    ib_When when;
    ib_Time time; ///< of at, before, after
    int signal;   ///< index in the table
    ib_Relation relation;
    double value, tolerance; ///< SI
    // The verdict, filled while running.
    bool decided, passed;
    double seen, seen_at;   ///< the value that decided, and when [s]; NAN: none
    double worst, worst_at; ///< the worst value for it, and when [s]; the best for `before`
    double worst_margin;    ///< that it has
} ib_Expectation;

// Reads one sentence. The signal must be in `signals`, the units must fit.
ib_Status ib_expectation_read(const char *text, const ib_SignalTable *signals, ib_Arena *arena,
                              ib_Expectation *expectation, ib_Error *error);

// Judges the form of a sentence, for a robot whose signals are unknown: when, relation, numbers.
// Only `when`, `time` and `relation` are filled.
ib_Status ib_expectation_check_form(const char *text, ib_Expectation *expectation, ib_Error *error);

// Attaches it to a run; its verdict is complete after ib_expectation_finish at the end of the run.
// After an incomplete run (`complete` false) an undecided expectation stays open, which is
// not passed.
ib_Status ib_expectation_attach(ib_Expectation *expectation, ib_Sim *sim, ib_Error *error);
void ib_expectation_finish(ib_Expectation *expectation, bool complete);

// By how much it holds, in the unit of its signal: of the worst value, of the best for `before`;
// negative: by how much it fails. NAN: not decided. 0 is a failure of < and >.
double ib_expectation_margin(const ib_Expectation *expectation);

// True if it is known, at `time` of the run, that it will fail.
bool ib_expectation_failed(const ib_Expectation *expectation, ib_Time time);

// "pose.x was 1.2 m at 2 s, 0.105 m too low" for messages.
void ib_expectation_explain(const ib_Expectation *expectation, const ib_SignalTable *signals,
                            char *text, size_t size);

#endif
