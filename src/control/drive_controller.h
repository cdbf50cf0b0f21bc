// control/drive_controller.h: the drive loop as a controller of a robot: what it reads, sets and
// shows. The driver's commands are `throttle` and `turn`; it sets `left` and `right`, voltages on
// the scale of the nominal one.
#ifndef IB_CONTROL_DRIVE_CONTROLLER_H
#define IB_CONTROL_DRIVE_CONTROLLER_H

#include "control/controller.h"
#include "control/drive_loop.h"

// The state: that of the loop, then what the last step decided.
enum {
    IB_DRIVE_WISH,        ///< left, right [m/s]
    IB_DRIVE_GOAL = 2,    ///< left, right [m/s]
    IB_DRIVE_VOLTAGE = 4, ///< left, right [V]
    IB_DRIVE_ON_LINE = 6,
    IB_DRIVE_SHOWN,
};

typedef struct ib_DriveWiring {
    const char *sensors[IB_OUTPUTS_MAX]; ///< "sensor.left", one per output of the loop
    double scale[IB_OUTPUTS_MAX];        ///< from the sensor's unit to that of the output
    const char *battery;                 ///< "sensor.battery": voltage at hand; NULL: the nominal
    const char *gear;                    ///< the robot's command that shifts; NULL: none
    int gears[2];                        ///< entries of the loop's schedule: first, second gear
    double lowest;                       ///< voltage that is believed [V], > 0
} ib_DriveWiring;

// Everything the controller points to; must outlive it, and stay where it is.
typedef struct ib_DriveController {
    ib_Controller controller;
    ib_DriveModel drive;
    ib_DriveWiring wiring;
    const char *measurements[IB_OUTPUTS_MAX + 2];
} ib_DriveController;

// `self->drive` is filled by ib_drive_init before.
void ib_drive_controller_init(ib_DriveController *self, const ib_DriveWiring *wiring);

// What the controller decided in its last step: a state of its own, IB_DRIVE_SHOWN doubles behind
// those of the loop. For plug-ins that run the same loop.
void ib_drive_shown(const ib_DriveGoal *goal, const double u[2], double *shown);

#endif
