// study/fit_signals.h: from a recording to the voltage and the motion of one motor.
#ifndef IB_STUDY_FIT_SIGNALS_H
#define IB_STUDY_FIT_SIGNALS_H

#include "design/fit/fit_motor.h"
#include "record/log.h"

// The signals to take from a recording; NULL: found automatically.
typedef struct ib_FitWish {
    const char *voltage, *velocity, *position;
    double from, to; ///< [s]
} ib_FitWish;

// The signals taken.
typedef struct ib_FitSignals {
    const char *voltage, *motion; ///< names in the recording
    const char *unit;             ///< of the velocity: "rad/s", "m/s"; "unit/s": not known
    bool bare;                    ///< the recording has no unit of the motion
} ib_FitSignals;

// Values in SI. IB_BAD_INPUT: the recording (of this file) has no such signals, or several.
ib_Status ib_fit_signals_take(const char *file, const ib_Log *log, const ib_FitWish *wish,
                              ib_Arena *arena, ib_FitSignals *signals, ib_FitLog *fit,
                              ib_Error *error);

#endif
