#include "control/leg/force_servo.h"

void ib_force_servo_init(const ib_ForceServoConfig *config, const ib_ControlLegs *legs, int joint,
                         double centre, double low, double high, ib_ForceServo *servo)
{
    const ib_LegJoint *told = &legs->joints[joint];
    double cap = told->area[0], rod = told->area[1], most = config->most;
    *servo = (ib_ForceServo){
        .config = *config,
        .area = {cap, rod},
        .outside = told->outside,
        .weakest = most * (legs->exhaust * cap - legs->supply * rod - told->outside),
        .strongest = most * (legs->supply * cap - legs->exhaust * rod - told->outside),
        .centre = centre,
        .low = low,
        .high = high};
}

void ib_force_servo_free(ib_ForceServo *servo)
{
    if (!(servo->config.most > 0)) return;
    servo->weakest /= servo->config.most;
    servo->strongest /= servo->config.most;
}

double ib_force_servo_felt(const ib_ForceServo *servo, const double pressure[2])
{
    return pressure[0] * servo->area[0] - pressure[1] * servo->area[1] - servo->outside;
}

double ib_force_servo_bound(const ib_ForceServo *servo, double force)
{
    return ib_min(ib_max(force, servo->weakest), servo->strongest);
}

double ib_force_servo_step(const ib_ForceServo *servo, double torque, double arm, double rate,
                           double felt)
{
    const ib_ForceServoConfig *c = &servo->config;
    double error = ib_force_servo_bound(servo, torque / arm) - felt;
    error = ib_max(error - c->dead_band, 0) + ib_min(error + c->dead_band, 0);
    double out = servo->centre + c->gain * error + c->feed * arm * rate;
    return ib_min(ib_max(out, servo->low), servo->high);
}
