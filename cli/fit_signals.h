// cli/fit_signals.h: from a recording to the voltage and the motion of one motor.
#ifndef IB_CLI_FIT_SIGNALS_H
#define IB_CLI_FIT_SIGNALS_H

#include "cli.h"
#include "design/fit/fit_motor.h"
#include "record/log.h"

// What to take out of a recording; NULL: found by itself.
typedef struct FitWish {
    const char *voltage, *velocity, *position;
    double from, to; ///< [s]
} FitWish;

// What was taken.
typedef struct FitSignals {
    const char *voltage, *motion; ///< names in the recording
    const char *unit;             ///< of the velocity: "rad/s", "m/s"; "unit/s": not said
    bool bare;                    ///< the recording does not say a unit of the motion
} FitSignals;

// Values in SI. EXIT_DONE, or the mistake has been printed.
int fit_signals_take(const Options *options, const char *file, const ib_Log *log,
                     const FitWish *wish, ib_Arena *arena, FitSignals *signals, ib_FitLog *fit);

#endif
