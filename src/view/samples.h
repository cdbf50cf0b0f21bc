// view/samples.h: many samples of a signal as few, with all extremes. docs/view/viewer.md
//
// A sample has the signal's value, and its bounds since the sample before. Merged neighbours have
// the last one's value and the bounds of all.
#ifndef IB_VIEW_SAMPLES_H
#define IB_VIEW_SAMPLES_H

#include <stdint.h>

typedef struct ib_Sample {
    double time;     ///< [s]
    float value;     ///< SI; not finite: a gap
    float low, high; ///< since the sample before, or both `value` if not known
} ib_Sample;

// Arrays of one length, as sent over the socket.
typedef struct ib_Samples {
    double *times;              ///< [s], rising
    float *values, *low, *high; ///< SI
} ib_Samples;

typedef ib_Sample (*ib_SampleAt)(const void *self, int64_t index);

// Thins the samples first … first + count - 1 of `self` to at most `rows` (>= 2) in `out`; returns
// their number. First and last sample, every extreme and gaps stay.
int ib_samples_thin(ib_SampleAt at, const void *self, int64_t first, int64_t count, int rows,
                    ib_Samples out);

#endif
