// design/frequency.h: the frequency response of a plant: H(z) = C (z I - A)^-1 B + D. z is j w for
// a continuous plant and e^(j w T) for a discrete one.
#ifndef IB_DESIGN_FREQUENCY_H
#define IB_DESIGN_FREQUENCY_H

#include "linear/complex.h"
#include "linear/state_space.h"

// One point of a Bode plot.
typedef struct ib_BodePoint {
    double frequency; ///< [rad/s]
    double size;      ///< |H|, output unit per input unit
    double phase;     ///< [rad], without jumps from point to point
} ib_BodePoint;

// The point of the s or z plane that belongs to `frequency` [rad/s].
ib_Complex ib_frequency_point(double period, double frequency);

// x: states x inputs, (z I - A)^-1 B. IB_BAD_INPUT: z is a pole.
ib_Status ib_frequency_states(const ib_StateSpace *plant, ib_Complex z, ib_Complex *x,
                              ib_Error *error);

// h: outputs x inputs.
ib_Status ib_frequency_response(const ib_StateSpace *plant, ib_Complex z, ib_Complex *h,
                                ib_Error *error);

// The frequency range of poles (and zeros): from a decade below the slowest to a decade above the
// fastest, at most pi / T. Poles at 0 (discrete: 1) do not count.
void ib_frequency_range(double period, const ib_Complex *values, int count, double *low,
                        double *high);

// The k-th of `count` frequencies at equal ratios from low to high, both included; count >= 2.
double ib_frequency_spaced(double low, double high, int k, int count);

// One input to one output, at the `frequency` already in each point, which rise. The phase begins
// in (-pi, pi] and has no jumps.
ib_Status ib_frequency_bode(const ib_StateSpace *plant, int input, int output, ib_BodePoint *points,
                            int count, ib_Error *error);

#endif
