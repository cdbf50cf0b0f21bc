// control/servo/hold.h: the common part of controllers that hold one value by one output: pid,
// profiled and the servos.
//
// Their ports are
//   command      <loop>.goal, also <loop>.goal.position and, as the desk calls it, <loop>.goal.x
//   measurement  that of `sensors:`, or the first state of the loop's part
//   output       that of `inputs:`, or the first input of the part
//   signals      goal | those of the kind | output
#ifndef IB_CONTROL_SERVO_HOLD_H
#define IB_CONTROL_SERVO_HOLD_H

#include "control/controller.h"

#include <float.h>
#include <math.h>

// The particulars of such a kind.
typedef struct ib_HoldConfig {
    int states;            ///< doubles that it remembers
    ib_SignalRows signals; ///< between goal and output; units Y and U: of measurement and output
} ib_HoldConfig;

// Its measurements and outputs: names, units and limits.
typedef struct ib_HoldPins {
    ib_ControlPin reads, sets;
} ib_HoldPins;

// The row of `offset:`, the output at no error: infinite in the config means that of the pin.
#define IB_OFFSET_ROW(config, field)                                                               \
    IB_PARAM_ROW("offset", IB_PARAM_LIMIT, "U", "neutral", -DBL_MAX, DBL_MAX, "neutral", config,   \
                 field, false,                                                                     \
                 "output at no error, such as a valve's middle; neutral: that of what it sets")

static inline double ib_hold_offset(double offset, const ib_HoldPins *pins)
{
    return isinf(offset) ? pins->sets.neutral : offset;
}

// Finds the pins and fills the ports. An error begins with the key at fault.
ib_Status ib_hold_init(const ib_HoldConfig *config, const ib_WiringConfig *wiring,
                       const ib_ControlSite *site, ib_Arena *arena, ib_HoldPins *pins,
                       ib_ControlPorts *ports, ib_Error *error);

#endif
