// study/optimise/optimise_text.h: what a search found, for people, and as JSON.
#ifndef IB_STUDY_OPTIMISE_OPTIMISE_TEXT_H
#define IB_STUDY_OPTIMISE_OPTIMISE_TEXT_H

#include "base/json.h"
#include "study/optimise/optimise.h"
#include "study/sweep/sweep_text.h"

// Prints the best points as a table, the verdicts, the best one with its ties, what is nearly as
// good, and why the search ended; `quiet`: the best one alone.
void ib_optimise_text(const ib_Optimisation *optimisation, const ib_SweepTotals *totals,
                      bool stopped, bool quiet, FILE *file);

// "12 points, best robot.drive.reduction=6: 1.813 s"
void ib_optimise_text_progress(const ib_Optimisation *optimisation, char *text, size_t size);

// "search.svg: the search, and slices of 132 more runs around the best"
void ib_optimise_text_drawn(const ib_Optimisation *optimisation, const char *path, FILE *file);

// {"scenario":…,"runs":[ , the runs (ib_sweep_json_row), ],"evaluations":…,"end":…,"best":…}
void ib_optimise_json_begin(ib_Json *json, const ib_Optimisation *optimisation);
void ib_optimise_json_end(ib_Json *json, const ib_Optimisation *optimisation);

#endif
