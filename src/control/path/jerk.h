// control/path/jerk.h: the fastest way to a standstill within limits of speed, acceleration and
// jerk. The profile of seven pieces excites no vibration: docs/control/profile.md
#ifndef IB_CONTROL_PATH_JERK_H
#define IB_CONTROL_PATH_JERK_H

#include "control/path/profile.h"

typedef struct ib_JerkLimits {
    double velocity;     ///< most, either way [P/s], 1e-9 .. 1e9
    double acceleration; ///< most, either way [P/s^2], 1e-9 .. 1e9
    double jerk;         ///< most, either way [P/s^3], 1e-9 .. 1e9
} ib_JerkLimits;

ib_Status ib_jerk_check(const ib_JerkLimits *limits, ib_Error *error);

// The fastest way from `start` to rest at `goal` [P]; look it up with ib_profile_at. A start that
// is too fast is slowed down first; a goal that can no longer be reached at once is overshot and
// come back to. An acceleration at the start is taken back to zero first: allowed, but not the
// fastest, so plan when the goal changes, not every period. IB_BAD_INPUT: something is not finite
// or too large.
ib_Status ib_jerk_init(const ib_JerkLimits *limits, const ib_ProfilePoint *start, double goal,
                       ib_Profile *profile, ib_Error *error);

#endif
