// control/arm/arm_mpc.h: a controller that plans a short way ahead at every tick: model predictive
// control of an arm of two links among discs. Here to be compared with a planner: it sees no
// further than its horizon and stops where every way on is at first a way back.
// Reason: docs/design/arm_search.md
//
// Symbols: x = (th1, th2, w1, w2), u = voltages, N steps of h; e = th - goal.
//   J = sum over the horizon of  q |e|^2 + r_w |w|^2 + r_u |u|^2 + p sum max(keep - d_k(th), 0)^2
//   and at its end  end |e|^2 + r_end |w|^2 instead of the first two,      |u| <= most
//   x+ = x + h f(x + h f(x, u)/2, u)                                        the midpoint rule
// J is brought down by a Riccati recursion about the way of the last tick, moved on by one step;
// voltages at their limit do not take part. [Tassa, Mansard, Todorov, ICRA 2014]
// Works in its own memory, with a fixed number of operations a tick: it could run on a robot.
#ifndef IB_CONTROL_ARM_MPC_H
#define IB_CONTROL_ARM_MPC_H

#include "control/arm/arm_plan.h"

enum {
    IB_ARM_MPC_STEPS = 64, ///< most of N
    IB_ARM_MPC_DISCS = 16, ///< most of them
    IB_ARM_MPC_STATES = 4,
};

typedef struct ib_ArmMpcConfig {
    int steps;        ///< N, 1 .. IB_ARM_MPC_STEPS
    double step;      ///< h: of the horizon and between two ticks [s], > 0
    int rounds;       ///< of the recursion in a tick, >= 1
    double error;     ///< q [1/rad^2]
    double speed;     ///< r_w [s^2/rad^2]
    double effort;    ///< r_u [1/V^2]
    double end;       ///< of |e|^2 at the end of the horizon [1/rad^2]
    double end_speed; ///< of |w|^2 there [s^2/rad^2]
    double push;      ///< p [1/m^2]
    double keep;      ///< distance of the hand from a disc that costs nothing [m]
    double most;      ///< of each voltage, either way [V]
    double goal[2];   ///< [rad]
    int discs;
    double place[IB_ARM_MPC_DISCS][2]; ///< x forward, z up from the first joint [m]
    double radius[IB_ARM_MPC_DISCS];   ///< the hand's included [m]
} ib_ArmMpcConfig;

// 20 steps of 15 ms, 12 V, no discs; weights that take the arm to its goal in
// 0.7 s if nothing is in its way.
ib_ArmMpcConfig ib_arm_mpc_default(void);

typedef struct ib_ArmMpc {
    double u[IB_ARM_MPC_STEPS][2];                     ///< the plan
    double x[IB_ARM_MPC_STEPS + 1][IB_ARM_MPC_STATES]; ///< where it leads
    double cost;                                       ///< J of it
} ib_ArmMpc;

// A plan that holds the arm in place.
void ib_arm_mpc_reset(const ib_ArmPlant *arm, const double x[IB_ARM_MPC_STATES], ib_ArmMpc *mpc);

// One tick: a new plan from x; its first voltages are those to apply.
void ib_arm_mpc_update(const ib_ArmMpcConfig *config, const ib_ArmPlant *arm,
                       const double x[IB_ARM_MPC_STATES], ib_ArmMpc *mpc, double volts[2]);

#endif
