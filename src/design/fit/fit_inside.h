// design/fit/fit_inside.h: pieces of the motor fit. Internal to src/design.
//
// Symbols: v' = -al v + be V(t - d) - ga sgn(v) - de, so al = kV/kA, be = 1/kA, ga = kS/kA,
// de = kG/kA. A stretch is a row of samples without a gap, moving in one direction.
#ifndef IB_DESIGN_FIT_INSIDE_H
#define IB_DESIGN_FIT_INSIDE_H

#include "design/fit/fit_motor.h"

// Voltage of one log: straight lines between `time[k]` and `time[k + 1]`, from begin[k] to end[k].
typedef struct ib__FitVolts {
    int count;           ///< of samples
    double *time;        ///< of each [s]
    double *value;       ///< as recorded [V]
    double *begin, *end; ///< of the line from a sample to the next [V]
} ib__FitVolts;

typedef struct ib__FitStretch {
    int first, count; ///< of the samples
    int log;          ///< index of the log that they are from
    double sign;      ///< of the speed, +1 or -1
} ib__FitStretch;

// The samples that count, of all logs.
typedef struct ib__FitSamples {
    int count, stretch_count;
    double *time;              ///< of each sample [s]
    double *y;                 ///< what is fitted: velocity, or position where `of_position`
    ib__FitStretch *stretches; ///< in the order of the samples
    int longest;               ///< samples of the longest stretch
    double span;               ///< its time [s]
    ib__FitVolts *volts;       ///< of each log
    double period;             ///< between two samples, the median [s]
    bool of_position;
} ib__FitSamples;

// Sorts out; fills samples, and of `fit` the counts and the speed limit.
ib_Status ib__fit_choose(const ib_FitMotorConfig *config, const ib_FitLog *logs, int log_count,
                         ib_Arena *arena, ib__FitSamples *samples, ib_FitMotor *fit,
                         ib_Error *error);

// Voltage between its samples: held, or straight lines that hold only where it jumps.
void ib__fit_join(ib__FitSamples *samples, int log_count, bool held);

// Mean of V(t - delay) from t0 to t1.
double ib__fit_mean_voltage(const ib__FitVolts *volts, double delay, double t0, double t1);

enum { IB__FIT_KS, IB__FIT_KV, IB__FIT_KA, IB__FIT_KG, IB__FIT_DELAY, IB__FIT_COUNT };

typedef struct ib__FitPoint {
    double k[IB__FIT_COUNT]; ///< kS kV kA kG delay
} ib__FitPoint;

// Normal equations about a point: H = J'J, g = J'r with the start of every stretch solved for.
typedef struct ib__FitNormal {
    double H[IB__FIT_COUNT * IB__FIT_COUNT], g[IB__FIT_COUNT];
    double rest;  ///< r'r
    double whole; ///< sum of (y - mean of the stretch)^2
} ib__FitNormal;

// Memory for the response of one stretch.
typedef struct ib__FitScratch {
    double *columns; ///< 16 columns of the longest stretch
} ib__FitScratch;

// About a point; `residual` (all samples) may be NULL.
void ib__fit_normal(const ib__FitSamples *samples, const ib__FitScratch *scratch,
                    const ib__FitPoint *point, double *residual, ib__FitNormal *normal);

// Best kS, kV, kA (and kG) for a given time constant kA/kV and delay, which is a linear problem.
// Returns the sum of squares left, INFINITY where there is no answer with kA > 0.
double ib__fit_linear(const ib__FitSamples *samples, const ib__FitScratch *scratch,
                      double time_constant, double delay, bool gravity, ib__FitPoint *point);

// The comparison of ib_FitMotor.one_step.
void ib__fit_one_step(const ib__FitSamples *samples, double delay, ib_FitMotor *fit);

#endif
