// control/controller.h: what a controller is to the rest of Ironbird: names of what it takes and
// gives, and a step that turns one into the other, once a period. It reads sensors, never the
// plant. Everything it remembers is in the caller's doubles, so that a run can be hashed, recorded
// and restored; `self` never changes.
#ifndef IB_CONTROL_CONTROLLER_H
#define IB_CONTROL_CONTROLLER_H

#include "base/clock.h"
#include "base/signal.h"

#include <stdbool.h>

enum {
    IB_CONTROL_COMMANDS_MAX = 32,
    IB_CONTROL_MEASUREMENTS_MAX = 32,
    IB_CONTROL_OUTPUTS_MAX = 16,
    IB_CONTROL_SIGNALS_MAX = 64,
    IB_CONTROL_STATES_MAX = 4096,
};

// What a driver or a script asks of the controller: a key in `inputs:`.
typedef struct ib_ControlCommand {
    const char *name, *unit, *sentence;
    double neutral, low, high;
    bool required;
} ib_ControlCommand;

typedef struct ib_Controller {
    const char *name; ///< for messages: "the drive loop"
    const void *self;
    ib_Time period; ///< > 0
    int state_count;
    int command_count;
    const ib_ControlCommand *commands;
    int measurement_count;
    const char *const *measurements; ///< sensors by name ("sensor.gyro"), or other commands of the
                                     ///< robot ("gear")
    int output_count;
    const char *const *outputs; ///< commands of the robot ("left"), which nobody else sets then
    int signal_count;
    const ib_SignalDef *signals; ///< what it shows, such as control.goal.left

    void (*reset)(const void *self, double *state);
    // One period, at `time`: the outputs are applied from now to the next call, each within its
    // range; what is not a number is replaced by neutral, with a warning.
    void (*step)(const void *self, ib_Time time, const double *command, const double *measurement,
                 double *state, double *output);
    // The signals as the last step left them. May be NULL where there are none.
    void (*show)(const void *self, const double *state, double *signals);
} ib_Controller;

#endif
