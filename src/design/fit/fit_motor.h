// design/fit/fit_motor.h: the constants of a motor with its load, from a log of voltage and motion.
// The derivation is in docs/design/fit.md.
//
//   V(t - delay) = kS sgn(v) + kV v + kA dv/dt (+ kG)
// A least-squares fit of this equation's speed to the measured one (or of its integral to the
// measured position). No signal is differentiated: noise on the motion widens the intervals, but
// does not bias the values. Limits: a slow ramp -> a straight line of V over v; a step -> an
// exponential of time kA/kV.
#ifndef IB_DESIGN_FIT_MOTOR_H
#define IB_DESIGN_FIT_MOTOR_H

#include "base/arena.h"
#include "base/status.h"

#include <stdbool.h>

// The reason why a sample is not used.
typedef enum ib_FitDrop {
    IB_FIT_KEPT,
    IB_FIT_NOT_FINITE, ///< not a number
    IB_FIT_TIME,       ///< its time does not increase
    IB_FIT_OUTSIDE,    ///< outside the requested time (the caller's)
    IB_FIT_NO_VOLTAGE, ///< the voltage is not known there
    IB_FIT_SATURATED,  ///< at the voltage limit: the command was higher
    IB_FIT_BROWNOUT,   ///< the supply was down (the caller's)
    IB_FIT_SLIP,       ///< the wheels slipped (the caller's)
    IB_FIT_TURN,       ///< the robot turned: its other side moved this one, too (the caller's)
    IB_FIT_PUSHED,     ///< something else pushed: a wall, a slope (the caller's)
    IB_FIT_SPIKE,      ///< far away from all its neighbours
    IB_FIT_STANDING,   ///< too slow: at rest friction has any value up to kS
    IB_FIT_REVERSAL,   ///< next to standing or to a change of direction
    IB_FIT_SHORT,      ///< in a stretch of too few samples
    IB_FIT_DROPS,
} ib_FitDrop;

const char *ib_fit_drop_text(ib_FitDrop reason); ///< "standing still"

// One recording; voltage and motion have times of their own. The caller's memory.
typedef struct ib_FitLog {
    int volt_count;
    const double *volt_time, *volt; ///< at the motor [s], [V]
    int count;                      ///< samples of the motion
    const double *time;             ///< [s]
    const double *velocity;         ///< NULL: there is none
    const double *position;         ///< NULL: none; else the fitted quantity
    const unsigned char *spoilt;    ///< an ib_FitDrop each, IB_FIT_KEPT: good; NULL: all are
} ib_FitLog;

typedef struct ib_FitMotorConfig {
    double slowest;       ///< lower speeds count as standing still [U], >= 0; 0: from the data
    double delay_most;    ///< largest possible delay [s], >= 0
    double voltage_limit; ///< samples at it or beyond are dropped [V], > 0; INFINITY: none
    bool delay;           ///< fit a delay; otherwise it is 0
    bool gravity;         ///< fit kG; otherwise it is 0
    bool stamped;         ///< the voltage is logged where it is set: its steps are at its samples
} ib_FitMotorConfig;

// One constant and its 95 % interval, value +- half.
typedef struct ib_FitValue {
    double value, half; ///< both in the unit of the constant
    bool fitted;        ///< false: not requested, or not distinguishable from the others
    bool determined;    ///< the interval is narrow enough; half: INFINITY if the samples do not
                        ///< depend on it
} ib_FitValue;

// Shortcomings of the recordings: flag i of IB_FIT_FLAGS is 1 << i.
enum {
    IB_FIT_NO_DYNAMIC = 1,    ///< no fast change: kA is not determined
    IB_FIT_NO_SLOW = 2,       ///< no steady speeds, or only one: kS and kV are not
    IB_FIT_ONE_DIRECTION = 4, ///< kG cannot be distinguished from kS
    IB_FIT_NO_DELAY = 8,      ///< the delay cannot be distinguished from kA and was taken as 0
    IB_FIT_WEIGHT = 16,       ///< kG was not fitted, but the two directions show it
    IB_FIT_STAMPS = 32,       ///< times of voltage jumps are known to the sample spacing only
    IB_FIT_EARLY = 64,        ///< the motion precedes the voltage: the delay is not determined
    IB_FIT_MISFIT = 128,      ///< residuals of several times the noise: the equation lacks a term
    IB_FIT_UNSTAMPED = 256,   ///< the voltage jumped before its samples, although `stamped`
    IB_FIT_LATE = 512,        ///< no delay was fitted, but there is one
    IB_FIT_FLAGS = 10,
};
const char *ib_fit_missing_text(int flag); ///< one sentence of advice

// A fitted sample and its residual.
typedef struct ib_FitLeft {
    double time;     ///< as recorded [s]
    double motion;   ///< as recorded: the velocity [U] or the position [U s]
    double residual; ///< measured less computed, in the same unit
    int log;         ///< index of its recording
    bool first;      ///< first of its stretch: the sample before it is no neighbour
} ib_FitLeft;

typedef struct ib_FitMotor {
    ib_FitValue kS, kV, kA, kG; ///< [V], [V/U], [V/(U/s)], [V]; U: unit of the velocity
    ib_FitValue delay;          ///< from voltage to motion [s]
    int missing;                ///< IB_FIT_NO_DYNAMIC …
    double rms;                 ///< of the residuals, in the unit of the fitted quantity
    double r_squared;           ///< 1: everything explained
    double effective;           ///< number of independent samples: errors may be correlated
    double condition; ///< of the scaled normal equations; 1e10: hopeless; INFINITY: no rank
    double slowest;   ///< the speed limit in use [U]
    double quantum;   ///< all values of the motion are multiples of it; 0: no such step
    double period;    ///< of the motion's samples, median [s]
    bool of_position; ///< the position was fitted, not the velocity
    bool held;        ///< the voltage fits better as steps than as straight lines
    int total, used, stretches; ///< samples given, samples fitted, unbroken stretches
    int dropped[IB_FIT_DROPS];
    const ib_FitLeft *left; ///< of the used samples, in the arena; NULL: no fit

    // For comparison, v+ = a v + b V + c sgn(v) by least squares of one step. The noise of v is on
    // both sides: kA is too small, the more the faster the sampling.
    struct {
        bool valid;
        double kS, kV, kA; ///< in the units above
    } one_step;
} ib_FitMotor;

ib_FitMotorConfig ib_fit_motor_default(void); ///< delay to 0.2 s, no kG

// Several recordings of one motor are fitted together; `arena` is for scratch memory and for the
// residuals. IB_BAD_INPUT: the config, no motion at all; IB_FAILED: no solution, or one impossible
// for a motor, with the reason; the counts of `fit` are valid then, too.
ib_Status ib_fit_motor(const ib_FitMotorConfig *config, const ib_FitLog *logs, int log_count,
                       ib_Arena *arena, ib_FitMotor *fit, ib_Error *error);

#endif
