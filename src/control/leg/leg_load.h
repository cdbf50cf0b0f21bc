// control/leg/leg_load.h: the load that the cylinders of a leg hold at rest. docs/control/load.md
//
// A cylinder pushes with the supply's pressure on one side of its piston and the exhaust's on the
// other; its linkage makes a torque of that, within T- and T+ at an angle:
//
//   F+ = Ps A_c - Pe A_r - outside,   F- = Pe A_c - Ps A_r - outside,   T = F dx/dth
//
// A force N of the ground along `up` wants T0 + N T1 of the joints, T0 the weight of the links and
// T1 = -J^T up. Each joint bounds N; the smallest bound decides:
//
//   N <= (T+ - T0)/T1 where T1 > 0,   N <= (T- - T0)/T1 where T1 < 0
//
// Left out are the friction of the seals, which would hold more at rest, and forces along the
// ground, which may take torque from a joint.
#ifndef IB_CONTROL_LEG_LOAD_H
#define IB_CONTROL_LEG_LOAD_H

#include "control/leg/legs.h"

typedef struct ib_LegStrength {
    ib_LegModel leg_model;
    ib_LinkageModel linkage[IB_LEG_JOINTS];
    double force[IB_LEG_JOINTS][2]; ///< F-, F+ of each joint's cylinder [N]; without one -+infinity
} ib_LegStrength;

typedef struct ib_LegLoad {
    double most, least; ///< N that all joints hold [N]; most < least: none
    int joint;          ///< that bounds `most`; -1: none does, and it is infinite
} ib_LegLoad;

// The strength of a robot's leg number `leg`.
void ib_leg_strength(const ib_ControlLegs *legs, int leg, ib_LegStrength *strength);

// The least and greatest torque of a joint at an angle [N m].
void ib_leg_torques(const ib_LegStrength *strength, int joint, double angle, double torque[2]);

// The load that it holds at these angles; `up`, of length 1, and gravity g [m/s^2] against it, in
// the shoulder's frame.
ib_LegLoad ib_leg_load(const ib_LegStrength *strength, const double th[3], const double up[3],
                       double g);

#endif
