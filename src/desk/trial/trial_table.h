// desk/trial/trial_table.h: the results of a design's trial as facts: of each state that moves, of
// each input, and of motors and battery. Terminal, report, JSON and page print this table.
#ifndef IB_DESK_TRIAL_TRIAL_TABLE_H
#define IB_DESK_TRIAL_TRIAL_TABLE_H

#include "desk/fact.h"
#include "desk/trial/trial_pair.h"

// The facts of one state, with its start and goal.
typedef struct ib_DesignWay {
    double start, goal; ///< in its unit, SI
    ib_TrialFacts facts;
} ib_DesignWay;

extern const ib_Fact ib_way_facts[];    ///< of ib_DesignWay
extern const ib_Fact ib_effort_facts[]; ///< of ib_TrialEffort
extern const ib_Fact ib_use_facts[];    ///< of ib_TrialUse

// The way of a state; undisturbed only if the trial was not run with noise and a push.
ib_DesignWay ib_design_way(const ib_TrialPair *trials, int state);

// True if the trial's plant has this fact. People see only these.
bool ib_design_use_given(const ib_TrialUse *use, const ib_Fact *fact);

#endif
