#include "control/drive_controller.h"

#include <math.h>

static const ib_ControlCommand commands[] = {
    {"throttle", "1", "forward, -1 to 1 of the top speed", 0, -1, 1, true},
    {"turn", "1", "wheel, to the left, -1 to 1 of the sharpest curve", 0, -1, 1, false},
};

static const char *const outputs[] = {"left", "right"};

enum { VOLTAGES, GOALS = 2, WISHES = 4, ESTIMATES = 6, ON_LINE = 8, SIGNALS };

static const ib_SignalDef signals[SIGNALS] = {
    {"control.voltage.left", "V", "that the loop wants at the left motors", 0},
    {"control.voltage.right", "V", "that the loop wants at the right motors", 0},
    {"control.goal.left", "m/s", "velocity of the left side that can be had", 0},
    {"control.goal.right", "m/s", "velocity of the right side that can be had", 0},
    {"control.wish.left", "m/s", "velocity of the left side that the driver asks for", 0},
    {"control.wish.right", "m/s", "velocity of the right side that the driver asks for", 0},
    {"control.estimate.left", "m/s", "velocity of the left side for the next tick, estimated", 0},
    {"control.estimate.right", "m/s", "velocity of the right side for the next tick, estimated", 0},
    {"control.on_line", "1", "1: the goal keeps the radius that the driver asks for", 0},
};

void ib_drive_shown(const ib_DriveGoal *goal, const double u[2], double *shown)
{
    for (int i = 0; i < 2; i++) {
        shown[IB_DRIVE_WISH + i] = goal->wish[i];
        shown[IB_DRIVE_GOAL + i] = goal->goal[i];
        shown[IB_DRIVE_VOLTAGE + i] = u[i];
    }
    shown[IB_DRIVE_ON_LINE] = goal->on_line;
}

static void reset(const void *self_, double *state)
{
    const ib_DriveController *self = self_;
    const ib_Loop *loop = self->drive.loop;
    ib_feedback_reset(loop, NULL, self->wiring.gears[0], state);
    double *shown = state + ib_feedback_states(loop);
    for (int i = 0; i < IB_DRIVE_SHOWN; i++) shown[i] = 0;
}

// What the battery gives now, as far as it is to be believed: a tap that fails must not stop a
// robot.
static double voltage_at_hand(const ib_DriveController *self, double measured)
{
    double nominal = self->drive.config.voltage;
    if (!self->wiring.battery || !(measured > self->wiring.lowest)) return nominal;
    return fmin(measured, 2 * nominal);
}

static void step(const void *self_, ib_Time time, const double *command, const double *measurement,
                 double *state, double *output)
{
    (void)time;
    const ib_DriveController *self = self_;
    const ib_Loop *loop = self->drive.loop;
    double y[IB_OUTPUTS_MAX], u[2];
    const double *next = measurement + loop->outputs;
    for (int i = 0; i < loop->outputs; i++) y[i] = self->wiring.scale[i] * measurement[i];
    double volts = voltage_at_hand(self, self->wiring.battery ? *next++ : 0);
    int gear = self->wiring.gears[self->wiring.gear && *next > 0.5];

    ib_DriveGoal goal;
    ib_drive_step(&self->drive, command[0], command[1], fmin(volts, self->drive.config.voltage),
                  gear, y, u, &goal, state);
    ib_drive_shown(&goal, u, state + ib_feedback_states(loop));
    // Commands are shares of what the battery gives, on the scale of the nominal voltage.
    double nominal = self->drive.config.voltage;
    for (int i = 0; i < 2; i++) output[i] = fmin(fmax(u[i] / volts, -1), 1) * nominal;
}

static void show(const void *self_, const double *state, double *y)
{
    const ib_DriveController *self = self_;
    const double *shown = state + ib_feedback_states(self->drive.loop);
    for (int i = 0; i < 2; i++) {
        y[VOLTAGES + i] = shown[IB_DRIVE_VOLTAGE + i];
        y[GOALS + i] = shown[IB_DRIVE_GOAL + i];
        y[WISHES + i] = shown[IB_DRIVE_WISH + i];
        y[ESTIMATES + i] = state[self->drive.velocity[i]];
    }
    y[ON_LINE] = shown[IB_DRIVE_ON_LINE];
}

void ib_drive_controller_init(ib_DriveController *self, const ib_DriveWiring *wiring)
{
    const ib_Loop *loop = self->drive.loop;
    int count = 0;
    self->wiring = *wiring;
    for (int i = 0; i < loop->outputs; i++) self->measurements[count++] = wiring->sensors[i];
    if (wiring->battery) self->measurements[count++] = wiring->battery;
    if (wiring->gear) self->measurements[count++] = wiring->gear;
    self->controller = (ib_Controller){
        .name = "the drive loop",
        .self = self,
        .period = ib_time_from_seconds(loop->period),
        .state_count = ib_feedback_states(loop) + IB_DRIVE_SHOWN,
        .command_count = sizeof commands / sizeof commands[0],
        .commands = commands,
        .measurement_count = count,
        .measurements = self->measurements,
        .output_count = sizeof outputs / sizeof outputs[0],
        .outputs = outputs,
        .signal_count = SIGNALS,
        .signals = signals,
        .reset = reset,
        .step = step,
        .show = show,
    };
}
