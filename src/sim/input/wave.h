// sim/input/wave.h: an input that goes up and down for ever: sine, square, triangle,
// trapezoid, chirp.
//
//   c = phase + f t                                     cycles since its start
//   c = phase + f T (growth^(t/T) - 1)/ln growth        chirp, T from start to end
//   sine, chirp   u = mean + A sin(2 pi c)
//   others        u = mean + A z(c): through 0 upwards at c = 0, a flank of the part r of a cycle
//                 up to 1, there until 1/2 - r/2, down through 0 at 1/2, -1 until 1 - r/2
//   square: r = 0;  triangle: r = 1/2;  trapezoid: r = f ramp
//
// An input is straight within a step, so a sine is a chain of chords: its points lie `chord` apart,
// are exact, and no more than 1/400 of a period apart, so that between two of them it is off by at
// most A (2 pi/400)^2/8 = 3.1e-5 A. The chain is the same for any solver or step.
#ifndef IB_SIM_INPUT_WAVE_H
#define IB_SIM_INPUT_WAVE_H

#include "base/clock.h"
#include "base/status.h"

#include <stdbool.h>

typedef enum ib_WaveShape {
    IB_WAVE_SINE,
    IB_WAVE_SQUARE,
    IB_WAVE_TRIANGLE,
    IB_WAVE_TRAPEZOID,
    IB_WAVE_CHIRP,
} ib_WaveShape;

#define IB_WAVE_MOST 1e5 ///< highest frequency [Hz]

typedef struct ib_Wave {
    ib_WaveShape shape;
    double mean, amplitude; ///< of the input, SI
    double frequency;       ///< f [Hz], 0 < f <= IB_WAVE_MOST; of a chirp at its start
    double phase;           ///< at its start [cycles]
    double ramp;            ///< of a trapezoid: time of a flank [s], f ramp <= 1/2
    double growth;          ///< of a chirp: its frequency at the end, in those of the start, > 0
    ib_Time start, end;     ///< before and after them it stands still; end > start or IB_TIME_NEVER
} ib_Wave;

// Checks it; the error begins with the key at fault.
ib_Status ib_wave_check(const ib_Wave *wave, ib_Error *error);

// Value and slope [1/s] at `time`, good until the time returned (IB_TIME_NEVER: for ever).
ib_Time ib_wave_read(const ib_Wave *wave, ib_Time time, double *value, double *slope);

// Time between two points of a sine or a chirp: 1, 2 or 5 times a power of ten nanoseconds, so that
// most of them lie on the grid of a run.
ib_Time ib_wave_chord(const ib_Wave *wave);

// True if it changes its slope, or jumps, at exactly this time. A point of a sine is no bend.
bool ib_wave_bends(const ib_Wave *wave, ib_Time time);

#endif
