// control/servo/pva.h: feedback of position, velocity and acceleration, with an integral and the
// difference of two pressures. Derivation: docs/control/pva.md
//
//   e = r - x,   p = (p1 - p2) less its low-passed self l, where there is a washout Tw
//   w = u0 + kp e + I + kv (r' - v) + ka (r" - a) - kpr p + f,       u = w within its limits
//   f = ks sign(r') + fv r' + fa r"
//   I' = ki e + (u - w)/Tt,         l' = (p1 - p2 - l)/Tw
// Gains may be scheduled: each is multiplied by a factor, linear between the rows of a table.
// Limits: ka = kpr = 0 -> a PID with its derivative on the velocity; w within its limits -> I is
// the plain integral; Tw -> infinity -> the difference less its initial value.
#ifndef IB_CONTROL_SERVO_PVA_H
#define IB_CONTROL_SERVO_PVA_H

#include "base/formula.h"
#include "base/table.h"
#include "control/servo/servo.h"

// The scheduled gains.
typedef enum ib_PvaGain {
    IB_PVA_KP,
    IB_PVA_KI,
    IB_PVA_KV,
    IB_PVA_KA,
    IB_PVA_KPRESSURE,
    IB_PVA_GAINS,
} ib_PvaGain;

typedef struct ib_PvaConfig {
    double gain[IB_PVA_GAINS]; ///< kp [U/Y], ki [U/Y/s], kv [U s/Y], ka [U s^2/Y], kpr [U/Pa]
    double washout;            ///< Tw [s]; 0: none, the whole difference counts
    double tracking_time; ///< Tt [s], how fast the integral gives way to a limit; 0: from gains
    double feed_static, feed_velocity, feed_acceleration; ///< ks [U], fv [U s/Y], fa [U s^2/Y]
    ib_Table factor[IB_PVA_GAINS];                        ///< over x or another value; none: 1
} ib_PvaConfig;

// Immutable, shared by threads.
typedef struct ib_PvaModel {
    ib_PvaConfig config;
    double tracking; ///< 1/Tt [1/s]; 0: there is no integral
} ib_PvaModel;

enum { IB_PVA_INTEGRAL, IB_PVA_LOW_PASSED, IB_PVA_STATES }; ///< I [U], l [Pa]

// Shares of an output [U], and the next states.
typedef struct ib_PvaShares {
    double proportional, integral, velocity, acceleration, pressure, feedforward;
    double output;              ///< u
    double rate[IB_PVA_STATES]; ///< of I and l
} ib_PvaShares;

// Derives the model of a loop with this period [s], 0: a continuous one. An error begins with the
// key at fault.
ib_Status ib_pva_init(const ib_PvaConfig *config, double period, ib_PvaModel *model,
                      ib_Error *error);

// A gain at this value of its schedule.
IB_FORMULA double ib_pva_gain(const ib_PvaConfig *config, ib_PvaGain gain, double over)
{
    const ib_Table *factor = &config->factor[gain];
    return factor->count == 0 ? config->gain[gain]
                              : config->gain[gain] * ib_table_linear(factor, 0, over);
}

// The law at one instant, with the states I and l.
ib_PvaShares ib_pva_law(const ib_PvaModel *model, const ib_ServoModel *servo,
                        const ib_ServoPoint *at, const double *state);

#endif
