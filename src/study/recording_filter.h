// study/recording_filter.h: a signal of a recording without noise and without delay.
#ifndef IB_STUDY_RECORDING_FILTER_H
#define IB_STUDY_RECORDING_FILTER_H

#include "record/log.h"

#define IB_FACT_FILTERED "filtered"

// Filters one signal of the log both ways (linear/filter.h). The text names the signal and the
// filter, with a transducer's keys:
//   cap.pressure={filter: chebyshev2, pass: 5 Hz, stop: 7 Hz, ripple: 1, attenuation: 40}
// The log then has a fact IB_FACT_FILTERED with the names of all such signals. IB_BAD_INPUT: no
// such signal, wrong keys, samples that are not evenly spaced, or too few.
ib_Status ib_recording_filter(ib_Log *log, const char *text, ib_Error *error);

#endif
