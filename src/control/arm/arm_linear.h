// control/arm/arm_linear.h: the linear model of an arm about a place, for its filter and its gains:
// rates, slopes and their values over a period. docs/control/arm_follow.md
//
// Symbols: x = (th1, w1, th2, w2, e1, e2), e the unknown voltage error of the motors beyond u.
//   x' = f(x, u):  th' = w,  w' = a(th, w, T),  e' = 0,   T = push (u + e) - drag w
#ifndef IB_CONTROL_ARM_LINEAR_H
#define IB_CONTROL_ARM_LINEAR_H

#include "control/arm/arm_plan.h"

enum {
    IB_ARM_TH1, ///< states of an arm, as a follower counts them
    IB_ARM_W1,
    IB_ARM_TH2,
    IB_ARM_W2,
    IB_ARM_E1,
    IB_ARM_E2,
    IB_ARM_X, ///< their number
};
enum { IB_ARM_XX = IB_ARM_X * IB_ARM_X, IB_ARM_FED = 4 }; ///< of a matrix; that feedback acts on

void ib_arm_plant_rate(const ib_ArmPlant *arm, const double x[IB_ARM_X], const double u[2],
                       double rate[IB_ARM_X]);

// x after `h` [s] with u held: one step of RK4.
void ib_arm_advance(const ib_ArmPlant *arm, const double u[2], double h, double x[IB_ARM_X]);

// A = df/dx, by rows. Its last two columns are those of u: over a period volts and voltage errors
// have the same effect.
void ib_arm_slopes(const ib_ArmPlant *arm, const double x[IB_ARM_X], const double u[2],
                   double A[IB_ARM_XX]);

// e^(A h), by eight terms of its series:
//   I + hA (I + hA/2 (I + hA/3 ...)),   off by less than |hA|^9 / 9!
// 1e-9 of it for |hA| = 0.4; a follower refuses a period with more than 1.
void ib_arm_transition(const double A[IB_ARM_XX], double h, double Phi[IB_ARM_XX]);

#endif
