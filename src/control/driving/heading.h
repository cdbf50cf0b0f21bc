// control/driving/heading.h: a heading from a rate gyro, by integration, once a period. The
// derivation is in docs/control/heading.md.
//
// Everything remembered is in the caller's IB_HEADING_STATES doubles. A rate that is no number, or
// none that can be believed, counts as missed: the robot turns on as it did.
#ifndef IB_CONTROL_DRIVING_HEADING_H
#define IB_CONTROL_DRIVING_HEADING_H

#include "base/status.h"

#include <stdbool.h>

typedef enum ib_HeadingMethod {
    IB_HEADING_TRAPEZOID, ///< the mean of the last rate and this one, times the period
    IB_HEADING_SUM,       ///< this rate times the period                    [X-drive (33)]
} ib_HeadingMethod;

typedef struct ib_HeadingConfig {
    double period; ///< between two samples [s], > 0
    ib_HeadingMethod method;
    double settle; ///< the robot stands so long at first, and the gyro's mean over that time is
                   ///< its bias [s], >= 0
} ib_HeadingConfig;

// The state, for everybody to read.
enum {
    IB_HEADING_ANGLE, ///< the heading, continuous [rad]
    IB_HEADING_RATE,  ///< the last yaw rate, less the bias [rad/s]
    IB_HEADING_BIAS,  ///< of the gyro, found so far [rad/s]
    IB_HEADING_HEARD, ///< samples that the bias is the mean of
    IB_HEADING_COUNT, ///< samples so far
    IB_HEADING_STATES,
};

ib_Status ib_heading_check(const ib_HeadingConfig *config, ib_Error *error);

// State of rest with this heading [rad].
void ib_heading_reset(double heading, double *state);

// One period with the gyro's `rate` at its end [rad/s]. The first call only notes the start. `sum`:
// integral of the samples of a gyro of another period since the last call, with bias [rad]; NaN:
// none, and the turn is `method`'s. Returns the turn of the robot [rad].
double ib_heading_step(const ib_HeadingConfig *config, double rate, double sum, double *state);

// True while it finds the gyro's bias.
bool ib_heading_settles(const ib_HeadingConfig *config, const double *state);

#endif
