// plant/electric/joint_motors.h: gearmotors on joints of a body that MuJoCo moves: a row of motors
// whose shafts are joints of the wires. The motors' equations:
// plant/electric/motor_row.h; docs/robot/quadruped.md.
//
// A joint's own integrator holds forces over a step, and takes viscous friction at the speed of its
// end. The part of a motor's torque that falls with the speed is therefore passed as damping:
//   T = T0 + b w0 - b w,   b = N G^2 (Kt Ke/R + b_motor)
// T0 at the step's start, w0. The rotors' inertia, N G^2 J, is the joint's armature.
#ifndef IB_PLANT_ELECTRIC_JOINT_MOTORS_H
#define IB_PLANT_ELECTRIC_JOINT_MOTORS_H

#include "plant/electric/motor_row.h"

typedef struct ib_JointMotorConfig {
    int given; ///< always 1
    ib_MotorConfig motor;
    int count; ///< N, 1 ..
    double reduction, efficiency;
    int loss;              ///< ib_motor_losses
    double stator, supply; ///< largest current in a winding, and from the battery [A]
} ib_JointMotorConfig;

typedef struct ib_JointMotors {
    ib_MotorRow row;
    const char *name[IB_JOINTS_MAX]; ///< prefix of its signals
    ib_MotorShaft shaft[IB_JOINTS_MAX];
    int joint[IB_JOINTS_MAX]; ///< of the wires
    int input[IB_JOINTS_MAX]; ///< voltage; IB_COMMAND_SCALE is full duty [V]
    int work;                 ///< sum: on the joints so far [J]
} ib_JointMotors;

// Adds the motors of one joint of the wires; returns their shaft. Name and input are the kind's.
int ib_joint_motors_add(ib_JointMotors *motors, const ib_JointMotorConfig *config, int joint);
ib_InputDef ib_joint_motor_input(const char *name);

// Rows of the motors of a joint, for a config struct with an ib_JointMotorConfig in `own`.
#define IB_JOINT_MOTOR_ROWS(config, own)                                                           \
    IB_MOTOR_PART_ROWS("motor", config, own.given, own.motor),                                     \
        IB_ROW("motors", IB_PARAM_COUNT, "1", "1", 1, 100, NULL, config, own.count,                \
               "number of motors that drive one joint"),                                           \
        IB_NUMBER_OF("reduction", "1", "50", 1e-3, 1e6, config, own.reduction,                     \
                     "gear reduction: motor speed over the rate of its joint"),                    \
        IB_NUMBER_OF("efficiency", "1", "1", 1e-3, 1, config, own.efficiency,                      \
                     "efficiency of the gears; 1: they lose nothing"),                             \
        IB_CHOICE_OF("loss", "viscous", ib_motor_losses, config, own.loss,                         \
                     "law of the loss torque inside a motor, whose size is from its free "         \
                     "current"),                                                                   \
        IB_ROW("current_limit", IB_PARAM_LIMIT, "A", "off", 1e-3, 1e6, NULL, config, own.stator,   \
               "largest current in a motor's winding (stator); off: no limit"),                    \
        IB_ROW("supply_limit", IB_PARAM_LIMIT, "A", "off", 1e-3, 1e6, NULL, config, own.supply,    \
               "largest current that a motor draws from the battery; off: no limit")

// Stands before ib_motor_row_part of its row.
extern const ib_PartKind ib_joint_motors_part;

#endif
