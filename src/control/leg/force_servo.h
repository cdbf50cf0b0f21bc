// control/leg/force_servo.h: one joint of a leg whose cylinder pushes with a wanted force, by the
// pressures on both sides of its piston. docs/control/walk.md
//
//   F_d = T/arm, within the most that the supply gives,   F = p_c A_c - p_r A_r - outside
//   u = centre + gain dead(F_d - F) + feed arm th_d'
// A volt is a flow, which moves the rod and fills the chambers: the wanted speed of the rod,
// arm th_d', is fed forward, so that the force alone is left to the gain.
#ifndef IB_CONTROL_FORCE_SERVO_H
#define IB_CONTROL_FORCE_SERVO_H

#include "control/leg/legs.h"

typedef struct ib_ForceServoConfig {
    double gain;      ///< [V/N]
    double dead_band; ///< error of the force that is left as it is [N]
    double feed;      ///< [V s/m]
    double most;      ///< part of the supply's force that it asks for, 0 .. 1
} ib_ForceServoConfig;

typedef struct ib_ForceServo {
    ib_ForceServoConfig config;
    double area[2], outside;   ///< [m^2], [N]
    double weakest, strongest; ///< that it asks for [N]
    double centre, low, high;  ///< of the valve [V]
} ib_ForceServo;

void ib_force_servo_init(const ib_ForceServoConfig *config, const ib_ControlLegs *legs, int joint,
                         double centre, double low, double high, ib_ForceServo *servo);

// Lets it ask for all that the supply gives, `most` or not.
void ib_force_servo_free(ib_ForceServo *servo);

// Force of the cylinder towards extension [N], by its pressures [Pa].
double ib_force_servo_felt(const ib_ForceServo *servo, const double pressure[2]);

// The force that it asks for, of a wanted one: no more than the supply gives.
double ib_force_servo_bound(const ib_ForceServo *servo, double force);

// The valve's voltage for a torque [N m] at a joint with this arm [m/rad] that shall turn at `rate`
// [rad/s], while the cylinder pushes with `felt` [N].
double ib_force_servo_step(const ib_ForceServo *servo, double torque, double arm, double rate,
                           double felt);

#endif
