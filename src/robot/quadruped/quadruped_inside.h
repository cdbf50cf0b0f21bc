// robot/quadruped/quadruped_inside.h: what the files of this folder share.
#ifndef IB_ROBOT_QUADRUPED_INSIDE_H
#define IB_ROBOT_QUADRUPED_INSIDE_H

#include "robot/quadruped/quadruped.h"

extern const char *const ib__leg_names[IB_QUADRUPED_LEGS]; ///< "fl" …

// Where the frame of a joint at 0 is in the frame of the body that carries it: the thorax for
// alpha, coxa and femur for beta and gamma.
ib_Pose ib__quadruped_joint(const ib_QuadrupedConfig *config, int leg, int joint);

// Pivot and pin of a cylinder in the plane of its joint: the pivot in the frame above, the pin in
// that of the link that turns.
void ib__quadruped_pins(const ib_LinkageModel *linkage, int joint, double pivot[2], double pin[2]);

// By how much a cylinder is turned about its pivot at an angle of its joint, from where it is at 0.
double ib__quadruped_swing(const ib_LinkageModel *linkage, int joint, double angle);

// The quaternion w x y z of a turn.
void ib__quaternion(const double turn[9], double quaternion[4]);

// The links that a cylinder has as bodies: the barrel from its pivot on, the rod back from its pin.
void ib__quadruped_barrel(const ib_QuadrupedConfig *config, int joint, ib_Link *barrel,
                          ib_Link *rod);

#endif
