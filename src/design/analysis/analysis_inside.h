// design/analysis/analysis_inside.h: what the files of the analysis share. Internal to this folder.
#ifndef IB_DESIGN_ANALYSIS_INSIDE_H
#define IB_DESIGN_ANALYSIS_INSIDE_H

#include "design/analysis/analysis.h"
#include "design/margins/open_loop.h"
#include "linear/complex.h"

// Notes why a block was refused; the first reason counts.
void ib__analysis_refuse(ib_AnalysisRefusals *refusals, ib_AnalysisPart part,
                         const ib_Error *error);

// All inside the unit circle?
bool ib__analysis_is_stable(int count, const ib_Complex *poles);

// The states that are fed back and then the integrals, as numbers of the augmented plant; returns
// how many.
int ib__analysis_regulated(const ib_AnalysisConfig *config, int *states);

// K, G, poles and whether the loop is stable, from weights or poles.
void ib__analysis_regulate(const ib_AnalysisConfig *config, ib_Design *design,
                           ib_AnalysisRefusals *refusals);

// Q over all states of the plant (states x states), zero where a state is not fed back.
void ib__analysis_state_weights(const ib_AnalysisConfig *config, double *W);

// The designed loop as it runs: the plant as far as it is fed back, its latency, its filter, its
// integrals. The parts point into `config` and `loop`, which is filled too.
ib_Status ib__analysis_parts(const ib_AnalysisConfig *config, const ib_Design *design,
                             ib_Loop *loop, ib__LoopParts *parts, ib_Error *error);

// The same, opened at the plant's inputs.
ib_Status ib__analysis_open(const ib_AnalysisConfig *config, const ib_Design *design,
                            ib__OpenLoop *open, ib_Error *error);

// Are the states that are not fed back held by themselves, or do they at least not run away? Says
// which are not, in `left_out`.
bool ib__analysis_leave_out(const ib_AnalysisConfig *config, ib_Design *design);

// Poles of the loop as it runs, whether it is stable, what it can stand.
void ib__analysis_judge(const ib_AnalysisConfig *config, ib_Design *design,
                        ib_AnalysisRefusals *refusals);

#endif
