// report/spectrum.h: the amplitudes of the waves that a signal is made of. See docs/report/plots.md
//
//   x(t) = a sin(2 pi f t)  shows as the amplitude a (the unit of x) at the frequency f.
#ifndef IB_REPORT_SPECTRUM_H
#define IB_REPORT_SPECTRUM_H

#include "base/arena.h"
#include "base/status.h"

typedef enum ib_Window {
    IB_WINDOW_NONE, ///< as it stands: exact where a whole number of periods was recorded
    IB_WINDOW_HANN, ///< faded in and out, the mean taken off first: waves do not leak into others
} ib_Window;

typedef struct ib_Spectrum {
    int count;         ///< frequencies, from 0 to half the sampling rate
    double *frequency; ///< [Hz], equal distances
    double *amplitude; ///< in the unit of the signal; at 0 Hz the size of the mean
    double sampling;   ///< rate of the uniform grid [Hz]
    int samples;       ///< on that grid, before zeros are added to fill a power of two
} ib_Spectrum;

enum { IB_SPECTRUM_MAX = 1 << 20 }; ///< samples; a longer series is resampled to so many

// Takes `count` samples at `times` [s], ascending; those that are not finite are left out. Times
// that are not evenly spaced are brought onto a uniform grid by straight lines. Fails with fewer
// than 8 samples or no time between them.
ib_Status ib_spectrum(const double *times, const double *values, int count, ib_Window window,
                      ib_Arena *arena, ib_Spectrum *spectrum, ib_Error *error);

#endif
