// study/optimise/optimise_slices.h: what each variable does around the best point: runs for a
// picture. They are no evaluations of the search.
#ifndef IB_STUDY_OPTIMISE_OPTIMISE_SLICES_H
#define IB_STUDY_OPTIMISE_OPTIMISE_SLICES_H

#include "study/optimise/optimise.h"

enum { IB_SLICE_EVEN = 33 }; ///< values of a range, and the best one among them

// Runs a slice for each variable, with all seeds, after ib_optimise; none if no point is allowed.
// Of `run`, `take` is not called. IB_INTERRUPTED: stopped; the slices that are complete count.
ib_Status ib_optimise_slices(ib_Optimisation *optimisation, const ib_OptimiseRun *run,
                             ib_Error *error);

#endif
