// claims/control/control.h: the computed values for the claims of FRC 971's "Controls Documentation
// 2018". Its mistakes: docs/reference/errata.md#control
#ifndef IB_CLAIMS_CONTROL_H
#define IB_CLAIMS_CONTROL_H

#include "claims/control/control_reference.h"
#include "claims/document.h"
#include "desk/design/design_file.h"

// The forms: the program's result, and the literal result of the document's text or code.
enum { IB__DESK, IB__LETTER };

enum { IB__ZEROING_MOVES = 5 };

extern const ib_Erratum ib__control_errata[];

// The computed values, a row each.
enum {
    // The drivetrain at the desk.
    IB__DESK_KV = IB_NO_ROW + 1, ///< [rad/(s V)]
    IB__DESK_KT,                 ///< [N m/A]
    IB__DESK_R,                  ///< [ohm]
    IB__DESK_TOP,                ///< [m/s]
    IB__DESK_FREE,               ///< free speed of its motor [rpm]
    IB__DESK_SLOPES,             ///< A, B of continuous time: largest difference from the reference
    IB__DESK_SAMPLED,            ///< the same of the sampled plant
    IB__DESK_EXACT,   ///< the sampled plant after 1 s against the physics, integrated [SI]
    IB__DESK_OTHER,   ///< speed of the other side over that of the one with voltage
    IB__DESK_UNMOVED, ///< uncontrollable modes
    IB__DESK_UNSEEN,  ///< unobservable modes
    IB__DESK_LOOP,    ///< largest magnitude of a closed-loop pole
    // LQR.
    IB__LQR_OPEN,     ///< parentheses of the comment that are never closed
    IB__LQR_BEFORE,   ///< residual over P, closed before + Q
    IB__LQR_BEHIND,   ///< residual over Q, closed behind it
    IB__LQR_FORMULA,  ///< F of the code against the desk's K, relative
    IB__LQR_K,        ///< largest difference from the reference, relative to K
    IB__LQR_POLES,    ///< largest difference of a magnitude from the reference
    IB__LQR_COST,     ///< of a run, over x'P x
    IB__LQR_DEARER,   ///< least extra cost of another K, share
    IB__LQR_STEP,     ///< step to 1 m against the reference [SI]
    IB__LQR_FASTEST,  ///< time to 1 cm of it over the shortest possible
    IB__PERIOD_RATE,  ///< of the public code [Hz]
    IB__PERIOD_GAIN,  ///< relative change of K by its period
    IB__SWING_TIME,   ///< settling with damping 0.2 over that with 0.8
    IB__SWING_ENERGY, ///< sum of u^2, the same
    IB__LAZY_TIME,    ///< settling with damping 3 over that with 0.8
    // Kalman.
    IB__KALMAN_QD,       ///< against the reference, relative
    IB__KALMAN_INTEGRAL, ///< against its integral, relative
    IB__KALMAN_RD,       ///< R_d over R_c/dt
    IB__KALMAN_GAIN,     ///< M and L against the reference, relative
    IB__KALMAN_POLES,    ///< largest difference of a magnitude from the reference
    IB__KALMAN_TABLE,    ///< seven rows with uneven dt against the reference
    IB__KALMAN_BAYES,    ///< covariance after a correction against Bayes' rule, relative
    IB__KALMAN_SMALLER,  ///< trace of P after a correction over that before
    IB__KALMAN_LEARNT,   ///< relative change of Q and R in a correction …
    IB__KALMAN_CHANGED,  ///< … and of P
    IB__KALMAN_GYRO,     ///< variance of the yaw rate with a gyro over that without
    IB__FILTER_ALONE,    ///< error of a step to 1 m after 2 s: filter, no feedback
    IB__FEEDBACK_ALONE,  ///< the same: feedback of the state, no filter
    IB__CORRECT_BIAS,    ///< error of the estimate, plant with D
    IB__CORRECT_SKEW,    ///< P - P' over P, largest
    IB__CORRECT_SURE,    ///< variance after a measurement with R = 1e-18 P, over the right one
    // Polytope.
    IB__GOAL_ANSWER,  ///< largest distance from the reference's answers
    IB__GOAL_OUTSIDE, ///< largest distance from the region
    IB__GOAL_OFF,     ///< largest distance from the line where it crosses the region
    IB__GOAL_INSIDE,  ///< of a dot inside: distance of the answer from the line
    IB__GOAL_SPACE,   ///< in three dimensions against its closed form
    IB__GOAL_RADIUS,  ///< of a turn at full throttle over the one asked for
    IB__GOAL_SPEED,   ///< … and its speed
    IB__GOAL_CASE,    ///< distance of the public code's answer from the text's, one for each case
    // Zeroing.
    IB__ZERO_FILTERED = IB__GOAL_CASE + IB__GOAL_CASES, ///< position before the first pulse
    IB__ZERO_SAMPLES,  ///< until it is zeroed, with a pulse in every sample
    IB__ZERO_SLIP,     ///< 1: a slip of 0.6 of an index distance is detected
    IB__ZERO_POSITION, ///< after each move
    // The arm.
    IB__ARM_RATE = IB__ZERO_POSITION + IB__ZEROING_MOVES, ///< accelerations against the reference
    IB__ARM_SWING,                                        ///< the free swing after 1 s, the same
    IB__ARM_MIDST,                                        ///< its energy after 1.5 s [J]
    IB__ARM_LAST,                                         ///< … and after 3 s
    IB__ARM_PUSH,   ///< K3 of the second joint over that of its two motors
    IB__ARM_DRAG,   ///< K4 of the second joint over that of its own G
    IB__ARM_ROTOR1, ///< inertia of the rotors over alpha
    IB__ARM_ROTOR2, ///< … over gamma
    IB__ARM_TIME,   ///< along path B by reachability; to the letter by the three passes [s]
    IB__ARM_SLOWER, ///< additional time of the passes, share
    IB__CONTROL_ROWS,
};

// They compute the rows of their parts.
ib_Status ib__control_claims_desk(ib_ClaimValue *found, ib_Error *error);
ib_Status ib__control_claims_lqr(ib_ClaimValue *found, ib_Error *error);
ib_Status ib__control_claims_kalman(ib_ClaimValue *found, ib_Error *error);
ib_Status ib__control_claims_goal(ib_ClaimValue *found, ib_Error *error);
void ib__control_claims_zeroing(ib_ClaimValue *found);
ib_Status ib__control_claims_arm(ib_ClaimValue *found, ib_Error *error);

// A design file, changed and designed. NULL with the first mistake; ib_design_file_destroy.
ib_DesignFile *ib__control_design(const char *design, const ib_Override *override, ib_Error *error);

// The document's drivetrain (reference D2), designed; `period` "5 ms".
ib_DesignFile *ib__control_drivetrain(const char *period, ib_Error *error);

// x <- A x + B u
void ib__control_advance(int states, int inputs, const double *A, const double *B, const double *u,
                         double *x);

// One period of the drivetrain on its way from rest to 1 m, with at most 12 V.
void ib__control_towards(const ib_StateSpace *plant, const double *K, double *x);

// The largest difference of two arrays, over the largest element of the second.
double ib__control_gap(int count, const double *got, const double *wanted);

#endif
