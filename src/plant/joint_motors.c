#include "plant/joint_motors.h"

static double drag(const ib_MotorShaft *s)
{
    return s->motors * s->reduction * s->reduction *
           (s->motor.Kt * s->motor.Ke * s->motor.per_R + s->motor.viscous);
}

static void offer(const void *part, void *notes, ib_Wires *w)
{
    const ib_JointMotors *m = part;
    (void)notes;
    for (int i = 0; i < m->row.count; i++) {
        ib_JointWire *joint = &w->joint[m->joint[i]];
        w->duty[m->row.bridge + i] = ib_power_duty(w->input[m->input[i]]);
        w->speed[m->row.bridge + i] = joint->speed;
        joint->damping += drag(&m->shaft[i]);
    }
}

static void push(const void *part, void *notes, ib_Wires *w)
{
    const ib_JointMotors *m = part;
    (void)notes;
    for (int i = 0; i < m->row.count; i++) {
        ib_JointWire *joint = &w->joint[m->joint[i]];
        joint->force += w->torque[m->row.bridge + i] + drag(&m->shaft[i]) * joint->speed;
    }
}

static void rate(const void *part, const void *notes, ib_Wires *w, double *dx)
{
    const ib_JointMotors *m = part;
    (void)notes;
    for (int i = 0; i < m->row.count; i++)
        dx[m->work] += w->torque[m->row.bridge + i] * w->speed[m->row.bridge + i];
}

const ib_PartKind ib_joint_motors_part = {
    .name = "joint motors", .offer = offer, .push = push, .rate = rate};
