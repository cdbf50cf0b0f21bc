// design/fit/fit_motor.h: the constants of a motor with its load, from a log of voltage and motion.
// The derivation is in docs/fit.md.
//
//   V(t - delay) = kS sgn(v) + kV v + kA dv/dt (+ kG)
// The speed that this equation gives is laid over the measured one (or its sum over the measured
// position) so that the squares of what is left are least. Nothing is differentiated: noise on
// the motion widens the intervals, but does not move the values.
// Limits: a slow ramp -> a straight line of V over v; a step -> an exponential of time kA/kV.
#ifndef IB_DESIGN_FIT_MOTOR_H
#define IB_DESIGN_FIT_MOTOR_H

#include "base/arena.h"
#include "base/status.h"

#include <stdbool.h>

// Why a sample does not count.
typedef enum ib_FitDrop {
    IB_FIT_KEPT,
    IB_FIT_NOT_FINITE, ///< no number
    IB_FIT_TIME,       ///< its time does not increase
    IB_FIT_OUTSIDE,    ///< outside of the time asked for (the caller's)
    IB_FIT_NO_VOLTAGE, ///< the voltage is not known there
    IB_FIT_SATURATED,  ///< at the voltage limit: more was asked for than came
    IB_FIT_BROWNOUT,   ///< the supply was down (the caller's)
    IB_FIT_SLIP,       ///< the wheels slipped (the caller's)
    IB_FIT_TURN,       ///< the robot turned: its other side moved this one, too (the caller's)
    IB_FIT_PUSHED,     ///< something else pushed: a wall, a slope (the caller's)
    IB_FIT_SPIKE,      ///< far away from all its neighbours
    IB_FIT_STANDING,   ///< too slow: at rest friction is anything up to kS
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
    const double *position;         ///< NULL: there is none; otherwise it is what is fitted
    const unsigned char *spoilt;    ///< an ib_FitDrop each, IB_FIT_KEPT where good; NULL: all are
} ib_FitLog;

typedef struct ib_FitMotorConfig {
    double slowest;       ///< speeds below it are standing still [U], >= 0; 0: from the data
    double delay_most;    ///< longest delay looked for [s], >= 0
    double voltage_limit; ///< samples at it or beyond are dropped [V], > 0; INFINITY: none
    bool delay;           ///< look for a delay; otherwise it is 0
    bool gravity;         ///< look for kG; otherwise it is 0
    bool stamped;         ///< the voltage is logged where it is set: its steps are when it says
} ib_FitMotorConfig;

// One constant and its 95 % interval, value +- half.
typedef struct ib_FitValue {
    double value, half; ///< both in the unit of the constant
    bool fitted;        ///< false: it was not looked for, or could not be told from the others
    bool determined;    ///< the interval is narrow enough to be of use; half: INFINITY where the
                        ///< samples say nothing at all
} ib_FitValue;

// What the recordings lack: flag i of IB_FIT_FLAGS is 1 << i.
enum {
    IB_FIT_NO_DYNAMIC = 1,    ///< no fast change: kA is not determined
    IB_FIT_NO_SLOW = 2,       ///< no steady speeds, or only one: kS and kV are not
    IB_FIT_ONE_DIRECTION = 4, ///< kG cannot be told from kS
    IB_FIT_NO_DELAY = 8,      ///< the delay cannot be told from kA and was taken as 0
    IB_FIT_WEIGHT = 16,  ///< kG was not looked for, but the two directions say that it is there
    IB_FIT_STAMPS = 32,  ///< when the voltage jumped is known to the spacing of its samples only
    IB_FIT_EARLY = 64,   ///< the motion comes before the voltage: the delay is not determined
    IB_FIT_MISFIT = 128, ///< what is left is several times the noise: the equation lacks something
    IB_FIT_UNSTAMPED = 256, ///< the voltage jumped before its samples say, although `stamped`
    IB_FIT_LATE = 512,      ///< no delay was looked for, but there is one
    IB_FIT_FLAGS = 10,
};
const char *ib_fit_missing_text(int flag); ///< one sentence that says what to do

// A sample that was fitted, and what is left of it.
typedef struct ib_FitLeft {
    double time;     ///< as recorded [s]
    double motion;   ///< as recorded: the velocity [U] or the position [U s]
    double residual; ///< measured less computed, in the same unit
    int log;         ///< index of its recording
    bool first;      ///< of its stretch: what is before it is not its neighbour
} ib_FitLeft;

typedef struct ib_FitMotor {
    ib_FitValue kS, kV, kA, kG; ///< [V], [V/U], [V/(U/s)], [V]; U: unit of the velocity
    ib_FitValue delay;          ///< from voltage to motion [s]
    int missing;                ///< IB_FIT_NO_DYNAMIC …
    double rms;                 ///< of what is left, in the unit of what was fitted
    double r_squared;           ///< 1: everything explained
    double effective;           ///< samples that are independent: neighbours may err alike
    double condition; ///< of the scaled normal equations; 1e10: hopeless; INFINITY: no rank
    double slowest;   ///< the speed limit in use [U]
    double quantum;   ///< all values of the motion are multiples of it; 0: there is no such step
    double period;    ///< of the motion's samples, median [s]
    bool of_position; ///< the position was fitted, not the velocity
    bool held;        ///< the voltage fits better as steps than as straight lines
    int total, used, stretches; ///< samples given, fitted, and in how many unbroken stretches
    int dropped[IB_FIT_DROPS];
    const ib_FitLeft *left; ///< of the used samples, in the arena; NULL: there was no fit

    // For comparison, v+ = a v + b V + c sgn(v) by least squares of one step. The noise of v is on
    // both sides of it: kA comes out too small, the more the faster the sampling.
    struct {
        bool valid;
        double kS, kV, kA; ///< in the units above
    } one_step;
} ib_FitMotor;

ib_FitMotorConfig ib_fit_motor_default(void); ///< delay to 0.2 s, no kG

// Several recordings of one motor are fitted together; `arena` is for scratch memory and for what
// is left. IB_BAD_INPUT: the config, no motion at all; IB_FAILED: these data have no answer, or one
// that no motor has, and why; the counts of `fit` are right then, too.
ib_Status ib_fit_motor(const ib_FitMotorConfig *config, const ib_FitLog *logs, int log_count,
                       ib_Arena *arena, ib_FitMotor *fit, ib_Error *error);

#endif
