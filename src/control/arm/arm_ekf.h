// control/arm/arm_ekf.h: an extended Kalman filter for an arm: angles and speeds from encoders with
// noise, and the volts that the model lacks. docs/control/arm_follow.md
//
//   predict   x <- x after a period with the volts that were applied, by the real dynamics
//             P <- Phi P Phi' + Q_d,   Q_d = h/6 (Q + 4 Phi_h Q Phi_h' + Phi Q Phi')   Simpson
//   correct   S = C P C' + R,   K = P C' S^-1,   x <- x + K (y - C x)
//             P <- (I - K C) P (I - K C)' + K R K'                                     Joseph
// Phi, Phi_h: e^(A h) and e^(A h/2), A the slopes half-way. An unknown load is weight that the
// motors do not see: the errors e1, e2 take it up as volts.
#ifndef IB_CONTROL_ARM_EKF_H
#define IB_CONTROL_ARM_EKF_H

#include "control/arm/arm_linear.h"

typedef struct ib_ArmEkfConfig {
    double encoder[2]; ///< noise of a sample: standard deviation [rad], > 0
    double speed;      ///< random walk of a speed off the model in 1 s [rad/s], >= 0
    double error;      ///< random walk of a voltage error in 1 s [V], >= 0
    double unknown;    ///< of a voltage error at the start: standard deviation [V], >= 0
    double moving;     ///< of a speed at the start: standard deviation [rad/s], >= 0
    double largest;    ///< a voltage error is kept within, either way [V], > 0
} ib_ArmEkfConfig;

// Encoders to 1 mrad, speeds to 0.3 rad/s and errors to 3 V in a second, up to 12 V.
ib_ArmEkfConfig ib_arm_ekf_default(void);
ib_Status ib_arm_ekf_check(const ib_ArmEkfConfig *config, ib_Error *error);

// Immutable, shared by threads.
typedef struct ib_ArmEkf {
    ib_ArmPlant plant;
    double period; ///< [s]
    double Q[IB_ARM_X], R[2];
    double start[IB_ARM_X]; ///< variances
    double largest;
} ib_ArmEkf;
void ib_arm_ekf_init(const ib_ArmEkfConfig *config, const ib_ArmPlant *plant, double period,
                     ib_ArmEkf *ekf);

// [x: IB_ARM_X][P: IB_ARM_XX]
enum { IB_ARM_EKF_STATES = IB_ARM_X + IB_ARM_XX };

// State of rest at the encoders' angles.
void ib_arm_ekf_reset(const ib_ArmEkf *ekf, const double y[2], double *state);
void ib_arm_ekf_predict(const ib_ArmEkf *ekf, const double u[2], double *state);

// A sample that is not finite is left out: both of them. Returns (y - C x)' S^-1 (y - C x), which
// is 2 on the average if the model is right; 0: left out.
double ib_arm_ekf_correct(const ib_ArmEkf *ekf, const double y[2], double *state);

#endif
