// control/feedback/pid.h: a complete PID controller. Derivation: docs/control/pid.md It has a
// filtered derivative of the measurement, limits, anti-windup, feed-forward and a change of gains
// without a bump.
//
//   e = r - y                                       the shorter way round, where y wraps
//   g <- (Tf g + T (r'_before + r')/2 - (y - y_before))/(Tf + T)           filtered r' - y'
//   w = kp e + I + kd g + f + c,   u = w within its limits
//   f = kc + ks sign(r') + kv r' + ka r" + (given by the caller)
//   I <- I + T (ki e - excess/Tt),  within its limit;   c <- c Tc/(Tc + T)
//   excess = w - u at a limit, else w less the plant's input, without rounding: saturation.h
//
// Symbols: r reference, y measurement, u output; I the integral's share and c the rest of the last
// change of gains, both in units of the output, U. Y is the unit of y. The rate of r comes from the
// caller and never from differences: a step has none. The state is in the caller's doubles; no
// function allocates.
#ifndef IB_CONTROL_FEEDBACK_PID_H
#define IB_CONTROL_FEEDBACK_PID_H

#include "base/schema.h"
#include "control/path/profile.h"

#include <float.h>

enum {
    IB_PID_STATES = 13, ///< doubles that a controller remembers
};

typedef struct ib_PidConfig {
    double proportional;   ///< kp [U/Y]; all gains of feedback have one sign, or are zero
    double integral;       ///< ki [U/Y/s]
    double derivative;     ///< kd [U s/Y]
    double filter_time;    ///< Tf, of the derivative [s], >= 0
    double integral_limit; ///< most that the integral's share may be, either way [U], >= 0
    double tracking_time;  ///< Tt, how fast the integral gives way to a limit [s]; 0: sqrt(kd/ki),
                           ///< without a derivative kp/ki; never shorter than a period
    double limits[2];      ///< of the output [U], low < high
    double wrap;           ///< values of y this far apart are the same [Y], > 0; infinite: none are
    double fade_time;      ///< Tc, in which the trace of a change of gains fades [s], >= 0
    double feed_constant;  ///< kc, such as an arm's weight [U]
    double feed_static;    ///< ks, friction, with the sign of the wanted velocity [U]
    double feed_velocity;  ///< kv [U s/Y]
    double feed_acceleration; ///< ka [U s^2/Y]
} ib_PidConfig;

// Immutable, shared by threads.
typedef struct ib_PidModel {
    ib_PidConfig config;
    double period; ///< T [s]
    double track;  ///< T/Tt, 0 < track <= 1; 0 without an integral
    double fade;   ///< Tc/(Tc + T)
} ib_PidModel;

// Shares of the last output [U].
typedef struct ib_PidShares {
    double proportional, integral, derivative, feedforward, carry;
    double wanted; ///< their sum, w
    double output; ///< u: output to the plant
} ib_PidShares;

// No gains, no limits: set at least one gain, and the limits.
ib_PidConfig ib_pid_default(void);
ib_Status ib_pid_check(const ib_PidConfig *config, double period, ib_Error *error);

// Derives the model for a period [s] > 0, after a check.
ib_Status ib_pid_init(const ib_PidConfig *config, double period, ib_PidModel *model,
                      ib_Error *error);

void ib_pid_reset(const ib_PidModel *model, double *state);

// Returns the output. `wanted`: r, r', r" (a step: with r' = 0, to avoid a kick); `feedforward`:
// the caller's share [U]. A measurement or r that is not finite (within 1e100) is a missed sample:
// the shares of feedback do not change. Other values that are not finite count as zero.
double ib_pid_output(const ib_PidModel *model, const ib_ProfilePoint *wanted, double measured,
                     double feedforward, double *state);

// The plant got `u` instead (a sagging battery, a driver's hand): the integral gives way to it as
// it does to a limit. Between output and update.
void ib_pid_applied(double u, double *state);

// Proceeds to the next period.
void ib_pid_update(const ib_PidModel *model, double *state);

// output, then update.
double ib_pid_step(const ib_PidModel *model, const ib_ProfilePoint *wanted, double measured,
                   double feedforward, double *state);

// New gains for a running controller: with the same inputs, the output stays the same (but for
// narrower limits), and the difference fades.
void ib_pid_change(const ib_PidModel *before, const ib_PidModel *after, double *state);

ib_PidShares ib_pid_shares(const ib_PidModel *model, const double *state);

// Keys of IB_PID_ROWS that do nothing beside these others (ib_Schema.idle).
const char *ib_pid_idle(const ib_PidConfig *config, const char *key);

// ---------------------------------------------------------------------------------------- in files

#define IB__PID(key, type, unit, fallback, min, max, config, field, sentence)                      \
    IB_PARAM_ROW(key, type, unit, fallback, min, max, NULL, config, field, false, sentence)
#define IB__PID_NUMBER(key, unit, config, field, sentence)                                         \
    IB__PID(key, IB_PARAM_NUMBER, unit, "0 " unit, -DBL_MAX, DBL_MAX, config, field, sentence)
#define IB__PID_TIME(key, fallback, config, field, sentence)                                       \
    IB__PID(key, IB_PARAM_NUMBER, "s", fallback, 0, 1e6, config, field, sentence)

// The keys of an ib_PidConfig, the member `pid` of `config`, in units of the measurement, Y, and
// the output, U (control/controller.h).
#define IB_PID_ROWS(config, pid)                                                                   \
    IB__PID_NUMBER("kp", "U/Y", config, pid.proportional,                                          \
                   "proportional gain: output for an error"),                                      \
        IB__PID_NUMBER("ki", "U/(Y*s)", config, pid.integral,                                      \
                       "integral gain: output that an error adds in every second"),                \
        IB__PID_NUMBER(                                                                            \
            "kd", "U*s/Y", config, pid.derivative,                                                 \
            "derivative gain: output against the measured rate of change, less the wanted one"),   \
        IB__PID_TIME("filter_time", "0 s", config, pid.filter_time,                                \
                     "time constant of the low-pass filter of the measured rate of change"),       \
        IB__PID("integral_limit", IB_PARAM_LIMIT, "U", "off", 0, DBL_MAX, config,                  \
                pid.integral_limit,                                                                \
                "most that the integral may add to the output, either way; off: no limit"),        \
        IB__PID_TIME("tracking_time", "0 s", config, pid.tracking_time,                            \
                     "time in which the integral gives way to a limit; 0: from the gains"),        \
        IB__PID("limits", IB_PARAM_SPAN, "U", "off", -DBL_MAX, DBL_MAX, config, pid.limits,        \
                "[low, high]: least and most output; off: the range of what it sets"),             \
        IB__PID("wrap", IB_PARAM_LIMIT, "Y", "off", 1e-9, DBL_MAX, config, pid.wrap,               \
                "measured values this far apart are the same, such as a turn for a heading; off: " \
                "none are"),                                                                       \
        IB__PID_TIME("fade_time", "0.5 s", config, pid.fade_time,                                  \
                     "time constant in which the trace of a change of gains fades; in a run none " \
                     "changes"),                                                                   \
        IB__PID_NUMBER("feedforward.constant", "U", config, pid.feed_constant,                     \
                       "output always added, such as against a weight"),                           \
        IB__PID_NUMBER("feedforward.static", "U", config, pid.feed_static,                         \
                       "output against friction, in the direction of the wanted velocity; kind "   \
                       "pid wants none"),                                                          \
        IB__PID_NUMBER("feedforward.velocity", "U*s/Y", config, pid.feed_velocity,                 \
                       "output for each unit of the wanted velocity; kind pid wants none"),        \
        IB__PID_NUMBER("feedforward.acceleration", "U*s^2/Y", config, pid.feed_acceleration,       \
                       "output for each unit of the wanted acceleration; kind pid wants none")

#endif
