// view/samples.h: many samples of a signal as few, without losing how far it went. docs/viewer.md
//
// A sample says where the signal is, and between which bounds it was since the sample before. Where
// neighbours become one, the last one's value stays and the bounds hold all of them.
#ifndef IB_VIEW_SAMPLES_H
#define IB_VIEW_SAMPLES_H

#include <stdint.h>

typedef struct ib_Sample {
    double time;     ///< [s]
    float value;     ///< SI; not finite: a gap
    float low, high; ///< since the sample before, or both `value` where that is not known
} ib_Sample;

// Arrays of one length, as they go over the socket.
typedef struct ib_Samples {
    double *times;              ///< [s], rising
    float *values, *low, *high; ///< SI
} ib_Samples;

typedef ib_Sample (*ib_SampleAt)(const void *self, int64_t index);

// The samples first … first + count - 1 of `self` as at most `rows` (>= 2) into `out`; returns how
// many. The first and the last stay, every extreme stays, and so does a gap.
int ib_samples_thin(ib_SampleAt at, const void *self, int64_t first, int64_t count, int rows,
                    ib_Samples out);

#endif
