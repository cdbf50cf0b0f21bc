#include "plant/electric/joint_motors.h"

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

int ib_joint_motors_add(ib_JointMotors *m, const ib_JointMotorConfig *config, int joint)
{
    int at = m->row.count++;
    ib_MotorShaft *shaft = &m->shaft[at];
    *shaft = (ib_MotorShaft){.motors = config->count,
                             .reduction = config->reduction,
                             .lost = 1 - config->efficiency,
                             .gained = 1 / config->efficiency - 1,
                             .stator = config->stator,
                             .supply = config->supply};
    ib_motor_init(&config->motor, config->loss, &shaft->motor);
    m->joint[at] = joint;
    m->row.shafts = m->shaft;
    m->row.lossless = (at == 0 || m->row.lossless) && config->efficiency == 1;
    return at;
}

ib_InputDef ib_joint_motor_input(const char *name)
{
    ib_InputDef input =
        ib_number_input(name, "V", "voltage command of the joint's motors, 12 V scale",
                        -IB_COMMAND_SCALE, IB_COMMAND_SCALE, "the 12 V scale");
    input.for_loops = true;
    return input;
}

const ib_PartKind ib_joint_motors_part = {
    .name = "joint motors", .offer = offer, .push = push, .rate = rate};
