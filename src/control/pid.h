// control/pid.h: a PID controller with all that a real one needs: filtered derivative of what is
// measured, limits, anti-windup, feed-forward, a change of gains without a bump. Derivation:
// docs/control/pid.md
//
//   e = r - y                                       the shorter way round, where y wraps
//   g <- (Tf g + T (r'_before + r')/2 - (y - y_before))/(Tf + T)           filtered r' - y'
//   w = kp e + I + kd g + f + c,   u = w within its limits
//   f = kc + ks sign(r') + kv r' + ka r" + (given by the caller)
//   I <- I + T (ki e + (u - w)/Tt),  within its limit;   c <- c Tc/(Tc + T)
//
// Symbols: r wanted, y measured, u output; I the integral's share and c what is left of the last
// change of gains, both in units of the output, U. Y is the unit of y. The rate of r is what the
// caller says it is and is never found by differences: a step has none. All that is remembered is
// in the caller's doubles; nothing allocates.
#ifndef IB_CONTROL_PID_H
#define IB_CONTROL_PID_H

#include "base/schema.h"
#include "control/profile.h"

enum {
    IB_PID_STATES = 13, ///< doubles that a controller remembers
    IB_PID_PARAMS = 13,
    IB_PID_TEXT = 48, ///< characters of a unit
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

// What the last output was made of [U].
typedef struct ib_PidShares {
    double proportional, integral, derivative, feedforward, carry;
    double wanted; ///< their sum, w
    double output; ///< u: what the plant got
} ib_PidShares;

// No gains, no limits: set at least one gain, and the limits.
ib_PidConfig ib_pid_default(void);
ib_Status ib_pid_check(const ib_PidConfig *config, double period, ib_Error *error);

// Derives the model for a period [s] > 0, after a check.
ib_Status ib_pid_init(const ib_PidConfig *config, double period, ib_PidModel *model,
                      ib_Error *error);

void ib_pid_reset(const ib_PidModel *model, double *state);

// What to apply now. `wanted`: r, r', r" (a step: with r' = 0, so that nothing kicks);
// `feedforward`: what the caller adds [U]. A measurement or r that is not finite (within
// 1e100) is a missed sample: the shares of feedback stay as they are. Anything else that is not
// counts as zero.
double ib_pid_output(const ib_PidModel *model, const ib_ProfilePoint *wanted, double measured,
                     double feedforward, double *state);

// The plant got `u` instead (a sagging battery, a driver's hand): the integral gives way to it as
// it does to a limit. Between output and update.
void ib_pid_applied(double u, double *state);

// On to the next period.
void ib_pid_update(const ib_PidModel *model, double *state);

// output, then update.
double ib_pid_step(const ib_PidModel *model, const ib_ProfilePoint *wanted, double measured,
                   double feedforward, double *state);

// New gains for a running controller: with the same inputs, the output stays the same (but for
// narrower limits), and the difference fades.
void ib_pid_change(const ib_PidModel *before, const ib_PidModel *after, double *state);

ib_PidShares ib_pid_shares(const ib_PidModel *model, const double *state);

// ---------------------------------------------------------------------------------------- in files

// The parameters of ib_PidConfig in the units of one controller.
typedef struct ib_PidTable {
    ib_Param params[IB_PID_PARAMS];
    ib_Schema schema; ///< points to `params`: the table must stay where it is
    char units[IB_PID_PARAMS][IB_PID_TEXT], fallbacks[IB_PID_PARAMS][IB_PID_TEXT + 8];
} ib_PidTable;

// For a controller that measures in `measured` and puts out in `output`, SI units such as "rad" and
// "V" ("1": a pure number), at most 16 characters each. `limits` must be given in a file, all else
// has a default.
void ib_pid_params(const char *measured, const char *output, ib_PidTable *table);

#endif
