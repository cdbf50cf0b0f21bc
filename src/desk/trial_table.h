// desk/trial_table.h: what the trial of a design found, as facts.
// They are of each state that moves, of each input, and of motors and battery. The one table that
// terminal, report, JSON and page print.
#ifndef IB_DESK_TRIAL_TABLE_H
#define IB_DESK_TRIAL_TABLE_H

#include "desk/fact.h"
#include "desk/trial_pair.h"

// The way of one state.
typedef struct ib_DesignWay {
    double start, goal; ///< in its unit, SI
    ib_TrialFacts facts;
} ib_DesignWay;

extern const ib_Fact ib_way_facts[];    ///< of ib_DesignWay
extern const ib_Fact ib_effort_facts[]; ///< of ib_TrialEffort
extern const ib_Fact ib_use_facts[];    ///< of ib_TrialUse

// Undisturbed alone where the trial was not run with noise and a push.
ib_DesignWay ib_design_way(const ib_TrialPair *trials, int state);

// Is there anything of the kind on what it was tried on? People are only told of what there is.
bool ib_design_use_given(const ib_TrialUse *use, const ib_Fact *fact);

#endif
