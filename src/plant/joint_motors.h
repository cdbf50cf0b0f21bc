// plant/joint_motors.h: gearmotors on joints of a body that MuJoCo moves: a row of motors whose
// shafts are joints of the wires. The motors' equations: plant/motor_row.h; docs/quadruped.md.
//
// A joint's own integrator holds forces over a step, and takes viscous friction at the speed of its
// end. So the part of a motor's torque that falls with the speed is told as such:
//   T = T0 + b w0 - b w,   b = N G^2 (Kt Ke/R + b_motor)
// T0 at the step's start, w0. The rotors' inertia, N G^2 J, is the joint's armature.
#ifndef IB_PLANT_JOINT_MOTORS_H
#define IB_PLANT_JOINT_MOTORS_H

#include "plant/motor_row.h"

typedef struct ib_JointMotors {
    ib_MotorRow row;
    ib_MotorShaft shaft[IB_JOINTS_MAX];
    int joint[IB_JOINTS_MAX]; ///< of the wires
    int input[IB_JOINTS_MAX]; ///< voltage; IB_COMMAND_SCALE is full duty [V]
    int work;                 ///< sum: on the joints so far [J]
} ib_JointMotors;

// Stands before ib_motor_row_part of its row.
extern const ib_PartKind ib_joint_motors_part;

#endif
