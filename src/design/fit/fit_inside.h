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
    int log;          ///< index of their log
    double sign;      ///< of the speed, +1 or -1
} ib__FitStretch;

// The used samples of all logs.
typedef struct ib__FitSamples {
    int count, stretch_count;
    double *time;              ///< of each sample [s]
    double *y;                 ///< the fitted quantity: velocity, or position if `of_position`
    ib__FitStretch *stretches; ///< in the order of the samples
    int longest;               ///< samples of the longest stretch
    double span;               ///< its time [s]
    ib__FitVolts *volts;       ///< of each log
    double period;             ///< between two samples, the median [s]
    double noise;              ///< of single values, from sample to sample
    double reach;              ///< largest value of y, either sign
    double most_volts;         ///< largest voltage of all logs, either sign [V]
    bool of_position;
} ib__FitSamples;

// Selects the samples; fills `samples`, and the counts and the speed limit of `fit`.
ib_Status ib__fit_choose(const ib_FitMotorConfig *config, const ib_FitLog *logs, int log_count,
                         ib_Arena *arena, ib__FitSamples *samples, ib_FitMotor *fit,
                         ib_Error *error);

void ib__fit_sort(double *values, int count); ///< ascending

// The course of the voltage between two of its samples.
typedef enum ib__FitJoin {
    IB__FIT_HELD,  ///< holds until the next one
    IB__FIT_JUMPS, ///< linear, but held before a jump
    IB__FIT_LINES, ///< linear: the mean of a jump at any time in between
} ib__FitJoin;
void ib__fit_join(ib__FitSamples *samples, int log_count, ib__FitJoin join);

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

// The residuals of a fit.
typedef struct ib__FitRest {
    double *residual; ///< measured less computed, of all samples
    double *rows;     ///< J, IB__FIT_COUNT a sample, with the starts solved for
    double *work;     ///< scratch memory of all samples
} ib__FitRest;

// The normal equations about a point; `rest` may be NULL.
void ib__fit_normal(const ib__FitSamples *samples, const ib__FitScratch *scratch,
                    const ib__FitPoint *point, const ib__FitRest *rest, ib__FitNormal *normal);

// The change of a stretch's motion per second by which a jump of 1 V at `time` comes earlier, with
// the start solved for. `column`: as long as the stretch.
void ib__fit_jump_column(const ib__FitSamples *samples, const ib__FitScratch *scratch,
                         const ib__FitPoint *point, const ib__FitStretch *stretch, double time,
                         double *column);

// Best kS, kV, kA (and kG) for a given time constant kA/kV and delay, which is a linear problem.
// Returns the sum of squared residuals, INFINITY without a solution with kA > 0.
double ib__fit_linear(const ib__FitSamples *samples, const ib__FitScratch *scratch,
                      double time_constant, double delay, bool gravity, ib__FitPoint *point);

// A fit in progress.
typedef struct ib__FitSearch {
    const ib__FitSamples *samples;
    ib__FitScratch scratch;
    bool free[IB__FIT_COUNT]; ///< true if this constant is fitted
    double earliest, latest;  ///< the delay's range [s]
    ib__FitPoint point;
    ib__FitNormal normal;
} ib__FitSearch;

// The normal equations with unit diagonal, H_ij/(s_i s_j) for s = sqrt(diagonal); rows and columns
// of constants that are not `wanted` become those of I.
void ib__fit_scale(const ib__FitSearch *search, const bool wanted[IB__FIT_COUNT],
                   double scaled[IB__FIT_COUNT * IB__FIT_COUNT], double s[IB__FIT_COUNT]);

// The sensitivity of the constants to errors of the samples.
typedef struct ib__FitSpread {
    double inverse[IB__FIT_COUNT * IB__FIT_COUNT]; ///< of H, without unobservable directions
    bool silent[IB__FIT_COUNT];                    ///< the samples do not depend on it
    double colour;                                 ///< t, for correlated errors: n samples count
                                                   ///< as n/t
    double variance;                               ///< t s^2
    double factor;                                 ///< Student's 97.5 % point
} ib__FitSpread;

// The spread at the point of the search, whose residuals and rows it leaves in `rest`; also fills
// effective, condition and quantum of `fit`.
void ib__fit_spread(const ib__FitSearch *search, const ib__FitRest *rest, ib__FitSpread *spread,
                    ib_FitMotor *fit);

// The 95 % intervals of noise and of rounding, half of each.
void ib__fit_intervals(const ib__FitSearch *search, const ib__FitRest *rest,
                       const ib__FitSpread *spread, double quantum, double half[IB__FIT_COUNT]);

// The largest change of each constant by rounding to multiples of `quantum`.
void ib__fit_rounding(const ib__FitSearch *search, const ib__FitRest *rest,
                      const ib__FitSpread *spread, double quantum, double most[IB__FIT_COUNT]);

// The step of which all measured values are multiples, apart from one offset; 0: none.
double ib__fit_quantum(const ib__FitSamples *samples, double *work);

// True if the voltage jumped at the times of its samples, not between two of them. The samples must
// show it: all jumps agree on one delay. `scatter`: half of the 95 % intervals due to jumps at any
// time between two samples.
bool ib__fit_stamps(const ib__FitSearch *search, const ib__FitRest *rest,
                    const ib__FitSpread *spread, double scatter[IB__FIT_COUNT]);

// The comparison of ib_FitMotor.one_step.
void ib__fit_one_step(const ib__FitSamples *samples, double delay, ib_FitMotor *fit);

#endif
