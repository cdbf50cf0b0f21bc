#include "control/feedback_controller.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

static void reset(const void *self, double *state)
{
    ib_feedback_reset(((const ib_FeedbackController *)self)->loop, NULL, 0, state);
}

static void step(const void *self_, ib_Time time, const double *command, const double *measurement,
                 double *state, double *output)
{
    (void)time;
    const ib_FeedbackController *self = self_;
    const ib_Loop *loop = self->loop;
    int measured = ib_loop_measured(loop);
    double r[IB_STATES_MAX] = {0};
    for (int i = 0; i < self->goals; i++) r[self->goal[i]] = command[i];
    int gear = self->shifts ? (int)measurement[measured] : 0;
    if (gear < 0 || gear >= loop->gears) gear = 0;
    ib_feedback_step(loop, measurement, r, NULL, gear, output, state);
}

static void show(const void *self_, const double *state, double *y)
{
    const ib_FeedbackController *self = self_;
    const ib_Loop *loop = self->loop;
    memcpy(y, state, (size_t)loop->states * sizeof *y);
    memcpy(y + loop->states, state + ib_feedback_parts(loop).u, (size_t)loop->inputs * sizeof *y);
}

static void name_ports(ib_FeedbackController *self)
{
    const ib_StateSpace *plant = &self->loop->gear[0].plant;
    for (int i = 0; i < plant->states; i++) {
        snprintf(self->signal_name[i], IB_FEEDBACK_NAME, "control.estimate.%s", plant->state[i]);
        self->signals[i] =
            (ib_SignalDef){self->signal_name[i], "1", "estimated for the next tick, SI", 0};
        if (!strncmp(plant->state[i], "error_", 6)) continue;
        char *name = self->goal_name[self->goals];
        snprintf(name, IB_FEEDBACK_NAME, "goal.%s", plant->state[i]);
        self->commands[self->goals] = (ib_ControlCommand){
            name, "1", "wanted, SI", self->loop->start[i], -DBL_MAX, DBL_MAX, false};
        self->goal[self->goals++] = i;
    }
    for (int i = 0; i < plant->inputs; i++) {
        char *name = self->signal_name[plant->states + i];
        snprintf(name, IB_FEEDBACK_NAME, "control.output.%s", plant->input[i]);
        self->signals[plant->states + i] =
            (ib_SignalDef){name, "1", "given by the loop, within its limits, SI", 0};
    }
}

void ib_feedback_controller_init(ib_FeedbackController *self, const ib_Loop *loop,
                                 const ib_FeedbackWiring *wiring)
{
    int measured = ib_loop_measured(loop);
    *self = (ib_FeedbackController){.loop = loop, .shifts = wiring->gear != NULL};
    name_ports(self);
    for (int i = 0; i < measured; i++) self->measurements[i] = wiring->sensors[i];
    if (wiring->gear) self->measurements[measured] = wiring->gear;
    for (int i = 0; i < loop->inputs; i++) self->outputs[i] = wiring->inputs[i];
    self->controller = (ib_Controller){
        .name = "the feedback loop",
        .self = self,
        .period = ib_time_from_seconds(loop->period),
        .state_count = ib_feedback_states(loop),
        .command_count = self->goals,
        .commands = self->commands,
        .measurement_count = measured + (wiring->gear ? 1 : 0),
        .measurements = self->measurements,
        .output_count = loop->inputs,
        .outputs = self->outputs,
        .signal_count = loop->states + loop->inputs,
        .signals = self->signals,
        .reset = reset,
        .step = step,
        .show = show,
    };
}
