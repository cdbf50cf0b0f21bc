// control/feedback/kalman.h: a Kalman filter for a continuous plant that is measured at uneven
// times. Its page is docs/control/kalman.md.
//
//   predict   x^ <- A_d x^ + B_d u,   P <- A_d P A_d' + Q_d           A_d, B_d, Q_d over that dt
//   correct   e = y - C x^ - D u,     S = C P C' + R_d,               R_d = R_c / dt
//             K = P C' S^-1,          x^ <- x^ + K e
//             P <- (I - K C) P (I - K C)' + K R_d K'                  Joseph's form: stays >= 0
//             NIS = e' S^-1 e: on the average the number of outputs, if the model is right
//
// All that is remembered is in the caller's doubles, [x^: states][P: states x states]. The
// discretisation of recent dt is kept beside it, in a cache that changes no result: it answers for
// exactly equal dt only. Nothing allocates.
#ifndef IB_CONTROL_FEEDBACK_KALMAN_H
#define IB_CONTROL_FEEDBACK_KALMAN_H

#include "linear/state_space.h"

enum {
    IB_KALMAN_STATES_MAX = IB_STATES_MAX + IB_STATES_MAX * IB_STATES_MAX,
    IB_KALMAN_RECENT = 8, ///< different dt that are kept
};

// Immutable, shared by threads.
typedef struct ib_KalmanModel {
    ib_StateSpace plant;                        ///< continuous
    double Qc[IB_STATES_MAX * IB_STATES_MAX];   ///< density of the process noise
    double Rc[IB_OUTPUTS_MAX * IB_OUTPUTS_MAX]; ///< density of the measurement noise
} ib_KalmanModel;

// The plant over one dt, matrices packed.
typedef struct ib_KalmanPeriod {
    double dt;                               ///< [s]; 0: empty
    double A[IB_STATES_MAX * IB_STATES_MAX]; ///< x+ = A x + B u,
    double B[IB_STATES_MAX * IB_INPUTS_MAX]; ///< states x inputs
    double Q[IB_STATES_MAX * IB_STATES_MAX]; ///< covariance of the process noise of one dt
} ib_KalmanPeriod;

// One for each model and thread; starts as {0}.
typedef struct ib_KalmanCache {
    ib_KalmanPeriod recent[IB_KALMAN_RECENT];
    int oldest; ///< the one that is overwritten next
} ib_KalmanCache;

// Densities as in ib_discretise_noise: Qc symmetric and not negative, Rc symmetric and definite.
ib_Status ib_kalman_init(const ib_StateSpace *plant, const double *Qc, const double *Rc,
                         ib_KalmanModel *model, ib_Error *error);

// Number of a filter's states.
int ib_kalman_states(const ib_KalmanModel *model);

// x0: NULL is zero; P0: states x states, symmetric, NULL is zero (the start is known exactly).
void ib_kalman_reset(const ib_KalmanModel *model, const double *x0, const double *P0,
                     double *state);

// Predicts over dt [s] > 0 with inputs `u` held. IB_BAD_INPUT: dt or u; IB_FAILED: the plant grows
// beyond a double over dt. The state is then unchanged.
ib_Status ib_kalman_predict(const ib_KalmanModel *model, ib_KalmanCache *cache, const double *u,
                            double dt, double *state, ib_Error *error);

// Takes in the measurement `y`, made over the last dt [s] > 0, with `u` the inputs at that time.
// `have` says which outputs were measured (NULL: all); a missed sample is a call left out. `nis`
// may be NULL. IB_BAD_INPUT: dt, y or u; IB_FAILED: S is not definite. The state is then as before.
ib_Status ib_kalman_correct(const ib_KalmanModel *model, const double *y, const bool *have,
                            const double *u, double dt, double *state, double *nis,
                            ib_Error *error);

#endif
