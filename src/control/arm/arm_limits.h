// control/arm/arm_limits.h: the acceleration along a path within the limits of an arm, at one place
// and one speed. Used by the planners; the derivation is in docs/control/arm_plan.md.
//
// Symbols: v speed along the path, u = v' its rate; way = th', bend = th" of arm_path.h.
//   V_i = A_i u + B_i v^2 + C_i v + D_i
//   A = K3^-1 M way,   B = K3^-1 (M bend + C(th, way)),   C = K3^-1 K4 way,   D = -K3^-1 weight
#ifndef IB_CONTROL_ARM_LIMITS_H
#define IB_CONTROL_ARM_LIMITS_H

#include "control/arm/arm_plan.h"

// One place of a path as the limits see it.
typedef struct ib_ArmFrame {
    double A[2], B[2], C[2], D[2]; ///< volts per u, v^2, v, and at rest
    double per_A[2];               ///< 1/A, of either sign, never infinite
    double emf[2];                 ///< back-EMF over v [V s/rad]
    double way[2], bend[2];
    double fastest; ///< v that the joints' speeds allow [rad/s], may be infinite
} ib_ArmFrame;

void ib__arm_frame(const ib_ArmPlant *arm, const ib_ArmLimits *limits, const ib_ArmPoint *point,
                   ib_ArmFrame *frame);

// Values of u within `share` of all limits (1: all of each); low > high: there is none, the more so
// the larger the difference.
typedef struct ib_ArmRange {
    double low, high; ///< [rad/s^2]
} ib_ArmRange;
ib_ArmRange ib__arm_range(const ib_ArmPlant *arm, const ib_ArmLimits *limits,
                          const ib_ArmFrame *frame, double v, double share);

// Share of each limit needed at this v and u: 1 is all of it.
typedef struct ib_ArmNeed {
    double part;
    int joint;
} ib_ArmNeed;
ib_ArmNeed ib__arm_need(const ib_ArmPlant *arm, const ib_ArmLimits *limits,
                        const ib_ArmFrame *frame, double v, double u);

#endif
