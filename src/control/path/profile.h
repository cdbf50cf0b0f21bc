// control/path/profile.h: the fastest way from here to there within limits of speed and
// acceleration. As a reference over time it is the trapezoidal profile: docs/control/profile.md.
// The profile with a limit of jerk: control/path/jerk.h.
//
// Positions are in any unit (m, rad), called P below. A profile is made of at most 8 pieces, each a
// polynomial of time; it is planned once, in closed form, and then evaluated. Nothing allocates.
#ifndef IB_CONTROL_PATH_PROFILE_H
#define IB_CONTROL_PATH_PROFILE_H

#include "base/status.h"

enum { IB_PROFILE_PIECES = 8 };

typedef struct ib_ProfileLimits {
    double velocity;     ///< most, either way [P/s], 1e-9 .. 1e9
    double acceleration; ///< most while getting faster [P/s^2], 1e-9 .. 1e9
    double deceleration; ///< most while getting slower [P/s^2], 1e-9 .. 1e9; 0: as acceleration
} ib_ProfileLimits;

// A point of a motion: reference of a controller.
typedef struct ib_ProfilePoint {
    double position;     ///< [P], within 1e12 of zero
    double velocity;     ///< [P/s], within 1e9 of zero
    double acceleration; ///< [P/s^2], within 1e9 of zero
} ib_ProfilePoint;

// A piece of constant jerk, from `start` to the start of the next piece.
typedef struct ib_ProfilePiece {
    double start;          ///< since that of the profile [s]
    ib_ProfilePoint point; ///< at that time
    double jerk;           ///< [P/s^3]
} ib_ProfilePiece;

typedef struct ib_Profile {
    int count;                                 ///< of pieces, 0 .. IB_PROFILE_PIECES
    ib_ProfilePiece pieces[IB_PROFILE_PIECES]; ///< in the order of time
    double duration;                           ///< of all pieces [s]
    ib_ProfilePoint goal;                      ///< where the last one ends
} ib_Profile;

ib_Status ib_profile_check(const ib_ProfileLimits *limits, ib_Error *error);

// The fastest way from `start` (position, velocity) to `goal` (position, velocity within the
// limit). A start that is too fast is slowed down first; a goal that can no longer be reached at
// once is overshot and come back to. A miss of 1e-11 of the way (1e-13 of the positions) that only
// a detour could mend is left. IB_BAD_INPUT: something is not finite or too large.
ib_Status ib_profile_init(const ib_ProfileLimits *limits, const ib_ProfilePoint *start,
                          const ib_ProfilePoint *goal, ib_Profile *profile, ib_Error *error);

// The point at time t [s] after the start. Before it: the start. From the duration on: the goal,
// which goes on with its velocity.
ib_ProfilePoint ib_profile_at(const ib_Profile *profile, double t);

// Online version: advances `point` by dt [s] > 0 towards a goal that may change each time, on the
// same way as ib_profile_init and ib_profile_at. At its end the point is the goal. On IB_BAD_INPUT
// the point is unchanged.
ib_Status ib_profile_next(const ib_ProfileLimits *limits, const ib_ProfilePoint *goal, double dt,
                          ib_ProfilePoint *point, ib_Error *error);

// --------------------------------------------------------------------------- for kinds of profiles

// An empty profile at `start`, whose goal is where its pieces have led so far.
void ib__profile_begin(const ib_ProfilePoint *start, ib_Profile *profile);

// Adds a piece of `length` [s] that begins with this acceleration; one of no length is left out.
void ib__profile_append(ib_Profile *profile, double acceleration, double jerk, double length);

// IB_BAD_INPUT: a limit that is not within 1e-9 .. 1e9, a point that is not within its ranges.
ib_Status ib__profile_check_limit(const char *key, double value, ib_Error *error);
ib_Status ib__profile_check_point(const ib_ProfilePoint *point, const char *which, ib_Error *error);

#endif
