// plant/drive_axis.h: the driver's control for a command, declared by its base or loop. A program
// with sticks then needs no knowledge of robots: docs/view/viewer.md, "Driving"
#ifndef IB_PLANT_DRIVE_AXIS_H
#define IB_PLANT_DRIVE_AXIS_H

typedef enum ib_DriveAxis {
    IB_DRIVES_NOTHING,    ///< no stick's: a switch, a goal, a voltage
    IB_DRIVES_LEFT_SIDE,  ///< the left side forward
    IB_DRIVES_RIGHT_SIDE, ///< the right side forward
    IB_DRIVES_FORWARD,    ///< the robot forward
    IB_DRIVES_RIGHT,      ///< the robot to the right
    IB_DRIVES_LEFT,       ///< and to the left
    IB_DRIVES_TURN_LEFT,  ///< counter-clockwise
    IB_DRIVES_TURN_RIGHT, ///< clockwise
    IB_DRIVE_AXES,
} ib_DriveAxis;

// Its name for other programs: "forward"; NULL for none.
const char *ib_drive_axis_name(ib_DriveAxis axis);

// Axis of a command by its name alone: left, right, throttle, turn.
ib_DriveAxis ib_drive_axis_of(const char *name);

#endif
