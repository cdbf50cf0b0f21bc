// control/feedback_controller.h: a designed loop as a controller of a robot. The driver's commands
// are the wanted states, `goal.<state>`; measurements are the loop's outputs, and it sets the
// robot's commands that are the loop's inputs.
#ifndef IB_CONTROL_FEEDBACK_CONTROLLER_H
#define IB_CONTROL_FEEDBACK_CONTROLLER_H

#include "control/controller.h"
#include "control/state_feedback.h"

enum { IB_FEEDBACK_NAME = IB_STATE_NAME + 24 }; ///< characters of "control.estimate.<state>"

// What the loop is connected to, all in the units of the loop.
typedef struct ib_FeedbackWiring {
    const char *sensors[IB_STATES_MAX]; ///< "sensor.left", one per output (or state)
    const char *inputs[IB_INPUTS_MAX];  ///< the robot's commands, one per input
    const char *gear;                   ///< the robot's command that chooses the gear; NULL: none
} ib_FeedbackWiring;

// Everything the controller points to; must outlive it, and stay where it is.
typedef struct ib_FeedbackController {
    ib_Controller controller;
    const ib_Loop *loop;
    bool shifts;
    int goals; ///< states that can be wanted: all but estimated errors of inputs
    int goal[IB_STATES_MAX];
    const char *measurements[IB_STATES_MAX + 1];
    const char *outputs[IB_INPUTS_MAX];
    ib_ControlCommand commands[IB_STATES_MAX];
    ib_SignalDef signals[IB_STATES_MAX + IB_INPUTS_MAX];
    char goal_name[IB_STATES_MAX][IB_FEEDBACK_NAME];
    char signal_name[IB_STATES_MAX + IB_INPUTS_MAX][IB_FEEDBACK_NAME];
} ib_FeedbackController;

void ib_feedback_controller_init(ib_FeedbackController *self, const ib_Loop *loop,
                                 const ib_FeedbackWiring *wiring);

#endif
