// control/leg/stance.h: the weight of a body shared by the feet that stand. docs/control/walk.md
//
// The forces f_i of the ground on the feet at p_i, from the centre of mass, make the wrench b on
// the body. Of all that do, those are taken that cost the least:
//   sum f_i = force,   sum p_i x f_i = moment,   sum f_i' H_i f_i least
//   H_i = (1 + c J_i J_i')/w_i,   f_i = H_i^-1 G_i' (sum G_i H_i^-1 G_i')^-1 b
// with J_i' f_i the torques of a leg's joints, c what they cost, and w_i the foot's share of load,
// 0 .. 1: one that is about to lift carries less and less. Then each is clipped: no pull, and no
// more along the ground than friction holds.
#ifndef IB_CONTROL_STANCE_H
#define IB_CONTROL_STANCE_H

#include "control/leg/leg.h"

typedef struct ib_StanceFoot {
    double place[3];    ///< from the centre of mass, in the body's frame [m]
    double jacobian[9]; ///< of the place by the joints, in the body's frame [m/rad]
    double load;        ///< w, 0 .. 1; 0: it is in the air
} ib_StanceFoot;

typedef struct ib_StanceConfig {
    double torque_cost; ///< c [1/m^2]
    double friction;    ///< the most force along the ground, in parts of that into it
    double slack;       ///< what a moment that is missing costs: 0: none may be missing [1/(kg m)]
} ib_StanceConfig;

// Forces on the feet for a force and a moment on the body, `up` against gravity, all in the body's
// frame. Feet without load get none.
void ib_stance_share(const ib_StanceConfig *config, const ib_StanceFoot *feet, int count,
                     const double force[3], const double moment[3], const double up[3],
                     double (*forces)[3]);

// The force of the ground on a foot, from its joints' torques: `torque` as measured, `free` what
// would hold the leg without a force:  J' f = free - torque. False: the leg is singular.
bool ib_stance_felt(const double jacobian[9], const double torque[3], const double free[3],
                    double force[3]);

#endif
