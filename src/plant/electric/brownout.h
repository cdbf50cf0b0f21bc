// plant/electric/brownout.h: the robot controller's response to a falling bus voltage. The
// derivation is in docs/plant/brownout.md.
//
//   stage      entered when               outputs   left when
//   fine                                  on        V <= droop
//   droop      V <= droop                 on        V >= droop + 0.05 V: fine; V <= off: low
//   low        V <= off                   on        V >= off + 0.05 V: droop;
//                                                   V <= off, `delay` after it began: disabled
//   disabled   V <= off for `delay`       off       V >= on, `hold` after it began: fine
//   black      V <= blackout              off       V >= reboot: booting
//   booting                               off       `boot` later: fine
//
// States: the stage and a timer, the seconds since the stage began (rate 1, set to 0 by a change).
// `low` is the part of the droop in which the delay is counted: signals show a droop.
#ifndef IB_PLANT_ELECTRIC_BROWNOUT_H
#define IB_PLANT_ELECTRIC_BROWNOUT_H

#include "base/extreme.h"
#include "base/formula.h"
#include "base/status.h"

#include <stdbool.h>

enum {
    IB_BROWNOUT_FINE,     ///< all is on
    IB_BROWNOUT_DROOP,    ///< the 6 V rail for servos sags; motors still run
    IB_BROWNOUT_DISABLED, ///< motor controllers, relays and solenoids are off
    IB_BROWNOUT_BLACK,    ///< the controller itself is off
    IB_BROWNOUT_BOOTING,  ///< it has power again and starts
    IB_BROWNOUT_LOW,      ///< a droop with V <= off: motors run on for `delay`; last, since the
                          ///< others have their numbers in files
    IB_BROWNOUT_STAGES,
};

// Rise of the voltage above `droop` or `off` that ends the stages that begin there [V], so that
// they cannot flutter.
#define IB_BROWNOUT_CLEAR 0.05

typedef struct ib_BrownoutConfig {
    double droop;    ///< servo rail sags below [V], >= off
    double off;      ///< outputs go off below [V], > blackout
    double on;       ///< outputs come back above [V], > off, >= droop + IB_BROWNOUT_CLEAR
    double blackout; ///< the controller goes down below [V], > 0
    double reboot;   ///< and starts again above [V], > blackout
    double delay;    ///< outputs go off when V <= off has lasted so long [s], > 0
    double hold;     ///< outputs stay off at least so long [s], > 0
    double boot;     ///< from power to a running robot program [s], >= 0
} ib_BrownoutConfig;

typedef ib_BrownoutConfig ib_BrownoutModel; ///< nothing is derived

ib_Status ib_brownout_check(const ib_BrownoutConfig *config, ib_Error *error);
void ib_brownout_init(const ib_BrownoutConfig *config, ib_BrownoutModel *brownout);

// Motors, compressor and solenoids obey only in stages `fine`, `droop` and `low`.
IB_FORMULA bool ib_brownout_enabled(int stage)
{
    return stage <= IB_BROWNOUT_DROOP || stage == IB_BROWNOUT_LOW;
}

// The stage in the signal.
IB_FORMULA int ib_brownout_shown(int stage)
{
    return stage == IB_BROWNOUT_LOW ? IB_BROWNOUT_DROOP : stage;
}

// Positive as long as the stage stays. Volts and seconds are compared; only the sign has a meaning.
IB_FORMULA double ib_brownout_margin(const ib_BrownoutModel *b, int stage, double timer,
                                     double voltage)
{
    switch (stage) {
    case IB_BROWNOUT_FINE:
        return voltage - b->droop;
    case IB_BROWNOUT_DROOP:
        return ib_min(voltage - b->off, b->droop + IB_BROWNOUT_CLEAR - voltage);
    case IB_BROWNOUT_LOW:
        return ib_min(ib_max(voltage - b->off, b->delay - timer),
                      b->off + IB_BROWNOUT_CLEAR - voltage);
    case IB_BROWNOUT_DISABLED:
        return ib_min(voltage - b->blackout, ib_max(b->on - voltage, b->hold - timer));
    case IB_BROWNOUT_BLACK:
        return b->reboot - voltage;
    default:
        return ib_min(voltage - b->blackout, b->boot - timer);
    }
}

// The stage that follows; the same one while the margin is positive. The caller sets the timer to 0
// when it changes.
IB_FORMULA int ib_brownout_next(const ib_BrownoutModel *b, int stage, double timer, double voltage)
{
    if (ib_brownout_margin(b, stage, timer, voltage) > 0) return stage;
    switch (stage) {
    case IB_BROWNOUT_FINE:
        return IB_BROWNOUT_DROOP;
    case IB_BROWNOUT_DROOP:
        return voltage > b->droop ? IB_BROWNOUT_FINE : IB_BROWNOUT_LOW;
    case IB_BROWNOUT_LOW:
        return voltage > b->off ? IB_BROWNOUT_DROOP : IB_BROWNOUT_DISABLED;
    case IB_BROWNOUT_DISABLED:
        return voltage <= b->blackout ? IB_BROWNOUT_BLACK : IB_BROWNOUT_FINE;
    case IB_BROWNOUT_BLACK:
        return IB_BROWNOUT_BOOTING;
    default:
        return voltage <= b->blackout ? IB_BROWNOUT_BLACK : IB_BROWNOUT_FINE;
    }
}

#endif
