#include "control/leg/leg_load.h"

#define NO_ARM 1e-9 ///< of a load about a joint [m]: it asks for no torque

void ib_leg_strength(const ib_ControlLegs *legs, int leg, ib_LegStrength *strength)
{
    strength->leg_model = legs->leg_model;
    for (int j = 0; j < IB_LEG_JOINTS; j++) {
        const ib_LegJoint *joint = &legs->joints[IB_LEG_JOINTS * leg + j];
        double cap = joint->area[0], rod = joint->area[1], Ps = legs->supply, Pe = legs->exhaust;
        bool cylinder = cap > 0;
        strength->linkage[j] = joint->linkage;
        strength->force[j][0] = cylinder ? Pe * cap - Ps * rod - joint->outside : -INFINITY;
        strength->force[j][1] = cylinder ? Ps * cap - Pe * rod - joint->outside : INFINITY;
    }
}

void ib_leg_torques(const ib_LegStrength *strength, int joint, double angle, double torque[2])
{
    const double *force = strength->force[joint];
    torque[0] = force[0];
    torque[1] = force[1];
    if (isinf(force[1])) return;
    ib_LinkageNow now = ib_linkage_at(&strength->linkage[joint], angle);
    double pull = ib_linkage_torque(&strength->linkage[joint], &now, force[0]);
    double push = ib_linkage_torque(&strength->linkage[joint], &now, force[1]);
    torque[0] = ib_min(pull, push);
    torque[1] = ib_max(pull, push);
}

ib_LegLoad ib_leg_load(const ib_LegStrength *strength, const double th[3], const double up[3],
                       double g)
{
    static const double none[3] = {0};
    const double down[3] = {-g * up[0], -g * up[1], -g * up[2]};
    double weight[3], arm[3];
    ib_LegLoad load = {.most = INFINITY, .least = -INFINITY, .joint = -1};
    ib_leg_hold(&strength->leg_model, th, none, down, weight);
    ib_leg_hold(&strength->leg_model, th, up, none, arm);
    for (int j = 0; j < IB_LEG_JOINTS; j++) {
        double torque[2], bound[2] = {-INFINITY, INFINITY};
        ib_leg_torques(strength, j, th[j], torque);
        bool held = weight[j] >= torque[0] && weight[j] <= torque[1];
        if (fabs(arm[j]) > NO_ARM)
            for (int k = 0; k < 2; k++)
                bound[k] = (torque[arm[j] > 0 ? k : 1 - k] - weight[j]) / arm[j];
        else if (!held)
            bound[1] = -INFINITY;
        load.least = ib_max(load.least, bound[0]);
        if (bound[1] >= load.most) continue;
        load.most = bound[1];
        load.joint = j;
    }
    return load;
}
