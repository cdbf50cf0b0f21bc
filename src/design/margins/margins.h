// design/margins/margins.h: gain, phase, delay and disk margins of a loop. docs/design/margins.md
//
// The loop is cut at one plant input after the other, all others closed; L is the transfer function
// at the cut, with the sign reversed (the loop closes with u = -L u). |L| = 1 at the crossover; at
// L = -1 it would oscillate for ever.
//   gain    1 / |L| where L is real and negative          phase   angle between L and -1 at |L| = 1
//   delay   of a sampled loop: further delay of its held input at which a pole of the delayed
//           loop is on the unit circle. If only L is known (continuous, or taken as L itself):
//           phase lag to -1 at |L| = 1, over its frequency; with |L| > 1 at half the sampling rate
//           at most the part (1 + 1/L)/2 of a period, L there
//   disk    d = 2 min |1 + L| / |1 - L|: gain and phase may change at once by any complex factor
//           (1 + e/2) / (1 - e/2), |e| < d               [Seiler, Packard, Gahinet 2020]
// Limits: L = a / s -> any gain, 90 deg, delay (pi/2) / a, disk 2; L = 8 / (s+1)^3 -> all zero.
#ifndef IB_DESIGN_MARGINS_H
#define IB_DESIGN_MARGINS_H

#include "control/loop.h"
#include "linear/state_space.h"

typedef struct ib_Margin {
    double gain_up;         ///< largest factor on L, > 1; INFINITY: any
    double gain_down;       ///< least factor on L, < 1; 0: any
    double phase;           ///< [rad], either way; INFINITY: |L| is never 1
    double delay;           ///< [s]; INFINITY: any
    double disk;            ///< d, 0..2
    double disk_gain;       ///< by the disk alone: gain may change by this factor up or down, > 1
    double disk_phase;      ///< [rad], by the disk alone: 2 atan(d / 2)
    double modulus;         ///< min |1 + L|: 1 / the peak of the sensitivity
    double gain_frequency;  ///< [rad/s] of gain_up; 0: none
    double phase_frequency; ///< [rad/s] of phase: the crossover; 0: none
    double delay_frequency; ///< [rad/s] of delay; 0: none
    double disk_frequency;  ///< [rad/s]
} ib_Margin;

typedef struct ib_Margins {
    bool stable; ///< of the closed loop; if false, all margins are zero
    int inputs;
    double delay;                   ///< [s], of all inputs together, as a late measurement would
    double delay_frequency;         ///< [rad/s]; 0: none
    ib_Margin input[IB_INPUTS_MAX]; ///< cut at this plant input
} ib_Margins;

// A square plant taken as L itself (inputs = outputs, the loop closes with u = -y).
ib_Status ib_margins_open(const ib_StateSpace *loop, ib_Margins *margins, ib_Error *error);

// State feedback, u = -K x, K inputs x states: L = K (z I - A)^-1 B.
ib_Status ib_margins_feedback(const ib_StateSpace *plant, const double *K, ib_Margins *margins,
                              ib_Error *error);

// A designed loop in one of its gears, with its observer and integrals, as it runs.
ib_Status ib_margins_loop(const ib_Loop *loop, int gear, ib_Margins *margins, ib_Error *error);

#endif
