// design/analysis/analysis_inside.h: functions shared by the files of the analysis. Internal to
// this folder.
#ifndef IB_DESIGN_ANALYSIS_INSIDE_H
#define IB_DESIGN_ANALYSIS_INSIDE_H

#include "design/analysis/analysis.h"
#include "design/margins/open_loop.h"
#include "linear/complex.h"

// Stores the reason for a block's refusal; the first one counts.
void ib__analysis_refuse(ib_AnalysisRefusals *refusals, ib_AnalysisPart part,
                         const ib_Error *error);

// The states that are fed back and then the integrals, as indices in the augmented plant; returns
// their number.
int ib__analysis_regulated(const ib_AnalysisConfig *config, int *states);

// K, G, poles and stability of the loop, from weights or poles.
void ib__analysis_regulate(const ib_AnalysisConfig *config, ib_Design *design,
                           ib_AnalysisRefusals *refusals);

// Q over all states of the plant (states x states), zero for a state that is not fed back.
void ib__analysis_state_weights(const ib_AnalysisConfig *config, double *W);

// The designed loop as it runs: the fed-back part of the plant, its latency, its filter, its
// integrals. The parts point into `config` and `loop`, which is filled too.
ib_Status ib__analysis_parts(const ib_AnalysisConfig *config, const ib_Design *design,
                             ib_Loop *loop, ib__LoopParts *parts, ib_Error *error);

// The same, opened at the plant's inputs.
ib_Status ib__analysis_open(const ib_AnalysisConfig *config, const ib_Design *design,
                            ib__OpenLoop *open, ib_Error *error);

// True if the states that are not fed back decay or are marginally stable. `left_out` names those
// that do not decay.
bool ib__analysis_leave_out(const ib_AnalysisConfig *config, ib_Design *design);

// Poles, stability and margins of the loop as it runs.
void ib__analysis_judge(const ib_AnalysisConfig *config, ib_Design *design,
                        ib_AnalysisRefusals *refusals);

#endif
