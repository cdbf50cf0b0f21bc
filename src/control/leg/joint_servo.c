#include "control/leg/joint_servo.h"

#include "base/extreme.h"

#include <string.h>

enum { ROWS = 17 }; // of a table over the range: an arm bends by at most 0.4 % between two of them

// The arm over its greatest length, over the joint's range.
static void table_of_arm(const ib_LinkageModel *linkage, ib_Table *table)
{
    double most = 0;
    table->count = ROWS;
    for (int i = 0; i < ROWS; i++) {
        double share = (double)i / (ROWS - 1);
        table->x[i] = linkage->range[0] + share * (linkage->range[1] - linkage->range[0]);
        table->y[0][i] = fabs(ib_linkage_at(linkage, table->x[i]).arm);
        most = ib_max(most, table->y[0][i]);
    }
    for (int i = 0; i < ROWS; i++) table->y[0][i] /= most;
}

int ib_joint_servo_reads(const ib_JointServo *joint)
{
    return joint->servo.pressures >= 0 ? 3 : 1;
}

ib_Status ib_joint_servo_init(const ib_JointServoConfig *config, const ib_JointServoShared *shared,
                              const ib_LinkageModel *linkage, double offset, ib_JointServo *joint,
                              ib_Error *error)
{
    double sign = linkage->sign;
    ib_PvaConfig pva = {.washout = shared->washout};
    memcpy(pva.gain, config->gain, sizeof pva.gain);
    for (int i = IB_PVA_KP; i <= IB_PVA_KA; i++) {
        pva.gain[i] *= sign;
        if (shared->scheduled) table_of_arm(linkage, &pva.factor[i]);
    }
    bool pressures = config->gain[IB_PVA_KPRESSURE] != 0 && joint->valve;
    joint->linkage = *linkage;
    joint->linkage.linear |= shared->straight;
    joint->feed = sign * config->feed;
    joint->servo = (ib_ServoModel){.period = shared->period,
                                   .filter_time = shared->filter_time,
                                   .reference_time = shared->reference_time,
                                   .offset = offset,
                                   .limits = {joint->low, joint->high},
                                   .velocity = -1,
                                   .acceleration = -1,
                                   .pressures = pressures ? 1 : -1};
    if (shared->reference_time > 0)
        joint->servo.fade = ib_exp(-shared->period / shared->reference_time);
    return ib_pva_init(&pva, shared->period, &joint->pva, error);
}

// I <- I + T I';  l by its own filter, from the first sample on, as of kind pva.
static double hold(const ib_JointServo *joint, const ib_ServoPoint *at, bool first, double *own)
{
    const ib_PvaConfig *pva = &joint->pva.config;
    ib_ServoModel servo = joint->servo;
    double factor = pva->factor[IB_PVA_KV].count > 0
                        ? ib_table_linear(&pva->factor[IB_PVA_KV], 0, at->schedule)
                        : 1;
    servo.offset += joint->feed * factor * at->wanted[1];
    if (first) own[IB_PVA_LOW_PASSED] = at->pressure[0] - at->pressure[1];
    ib_PvaShares s = ib_pva_law(&joint->pva, &servo, at, own);
    own[IB_PVA_INTEGRAL] += at->time * s.rate[IB_PVA_INTEGRAL];
    own[IB_PVA_LOW_PASSED] +=
        s.rate[IB_PVA_LOW_PASSED] * (at->time * pva->washout / (pva->washout + at->time + DBL_MIN));
    return s.output;
}

double ib_joint_servo_step(const ib_JointServo *joint, double goal, double rate,
                           const double *measurement, double *state)
{
    double y[3] = {0};
    memcpy(y, measurement, (size_t)ib_joint_servo_reads(joint) * sizeof *y);
    // NANs stay so: the linkage would make an angle of them.
    if (joint->stroke && fabs(y[0]) < 1e100) y[0] = ib_linkage_angle(&joint->linkage, y[0]);
    ib_ControlTick tick = {.command = &goal, .slope = &rate, .measurement = y};
    ib_ServoPoint at;
    bool first = state[IB_SERVO_SAMPLES] == 0;
    ib_servo_sample(&joint->servo, &tick, state, &at);
    double out = joint->valve ? hold(joint, &at, first, state + IB_SERVO_STATES)
                              : ib_servo_limit(&joint->servo, at.wanted[0]);
    state[IB_JOINT_SERVO_OUTPUT] = out;
    return out;
}
