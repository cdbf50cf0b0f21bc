// control/leg/joint_servo.h: one joint of a leg that is held at an angle by the valve of its
// cylinder, or by a servo of its own. docs/control/legs.md
//
// The law is that of control/servo/pva.h on the angle, with gains for a joint whose arm is as long
// as it gets. A volt moves the rod at a speed, and the rod the joint by speed/arm, so that gains in
// proportion to the arm give the same loop at every angle:
//   kp(th) = kp arm(th)/arm_most,   the same of ki, kv, ka and the feed-forward
// and its sign covers a rod that lowers the angle. The difference of the pressures acts on the rod,
// for any arm. A measured stroke is converted to an angle by the linkage.
#ifndef IB_CONTROL_JOINT_SERVO_H
#define IB_CONTROL_JOINT_SERVO_H

#include "control/servo/pva.h"
#include "plant/linkage.h"

typedef struct ib_JointServoConfig {
    double gain[IB_PVA_GAINS]; ///< kp [V/rad] … kpressure [V/Pa]
    double feed;               ///< [V s/rad], for the wanted rate
} ib_JointServoConfig;

// The common part of a loop's joints.
typedef struct ib_JointServoShared {
    double period;         ///< [s]
    double filter_time;    ///< of rates that are found by differences [s]
    double reference_time; ///< of the way to goals that step [s]
    double washout;        ///< of the pressures [s]
    bool scheduled;        ///< over the arm
    bool straight;         ///< strokes become angles by a straight line between the ends [5.2]
} ib_JointServoShared;

typedef struct ib_JointServo {
    bool valve;       ///< it sets a valve; else the angle itself
    bool stroke;      ///< it measures a stroke
    double low, high; ///< of its output
    double feed;      ///< [V s/rad], with the arm's sign
    ib_LinkageModel linkage;
    ib_ServoModel servo;
    ib_PvaModel pva;
} ib_JointServo;

// Measurements of a joint: its angle or stroke, then both pressures if kpressure is not 0.
int ib_joint_servo_reads(const ib_JointServo *joint);

enum { IB_JOINT_SERVO_OUTPUT = IB_SERVO_STATES + IB_PVA_STATES, IB_JOINT_SERVO_STATES };

// `offset`: output at no error, such as the valve's centre.
ib_Status ib_joint_servo_init(const ib_JointServoConfig *config, const ib_JointServoShared *shared,
                              const ib_LinkageModel *linkage, double offset, ib_JointServo *joint,
                              ib_Error *error);

// One period: towards an angle that moves at a rate. The output is within low .. high.
double ib_joint_servo_step(const ib_JointServo *joint, double goal, double rate,
                           const double *measurement, double *state);

// Its last reference and measurement [rad].
static inline double ib_joint_servo_wanted(const double *state)
{
    return state[IB_SERVO_REFERENCE];
}
static inline double ib_joint_servo_measured(const double *state)
{
    return state[IB_SERVO_MEASURED];
}

#endif
