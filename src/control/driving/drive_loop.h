// control/driving/drive_loop.h: closed-loop driving with throttle and wheel.
// docs/control/drive_loop.md Both become velocities of the two sides, limited to the motors'
// present range, and a state-space loop holds them.
//
//   curvature   kappa = turn * sharpest;  v_left : v_right = (1 - kappa b) : (1 + kappa b)
//   wish        v = throttle * top speed: (v (1 - kappa b), v (1 + kappa b)) on that line
//   region      |hold + K_v (q - v^) + F_v (I - A_v) q - e^| <= V: range of the voltage V
//   goal        the point of the region that polytope.h chooses: on the line where it can be, so
//               that the radius is kept and the speed gives way
// The wheel turns on the spot at a throttle below `pivot_below`: the line is v_left = -v_right.
//
//   b half track [m], q = (v_left, v_right) [m/s], v^ estimated velocities, e^ estimated errors of
//   the inputs [V], V voltage at hand [V]
#ifndef IB_CONTROL_DRIVING_DRIVE_LOOP_H
#define IB_CONTROL_DRIVING_DRIVE_LOOP_H

#include "control/feedback/state_feedback.h"

typedef struct ib_DriveConfig {
    double half_track;  ///< [m], > 0
    double radius;      ///< of the middle's circle with the wheel fully turned [m], > 0
    double top_speed;   ///< at full throttle [m/s]; 0: that of the full voltage in each gear
    double pivot_rate;  ///< on the spot, with the wheel fully turned [rad/s]; 0: as top_speed
    double pivot_below; ///< throttle below which the wheel turns on the spot, 0 to 1
    double voltage;     ///< nominal, of commands [V], > 0
} ib_DriveConfig;

// The model of a loop and a config. The loop has the states v_left, v_right and two inputs, in this
// order; references of other states are their estimates, input errors are compensated.
typedef struct ib_DriveModel {
    const ib_Loop *loop;
    ib_DriveConfig config;
    int velocity[2];                 ///< the states v_left, v_right
    bool followed[IB_STATES_MAX];    ///< r = x^: positions
    double reach[IB_GEARS_MAX][4];   ///< du/dq, row-major
    double top_speed[IB_GEARS_MAX];  ///< [m/s]
    double pivot_rate[IB_GEARS_MAX]; ///< [rad/s]
} ib_DriveModel;

typedef struct ib_DriveGoal {
    double wish[2]; ///< velocities that the driver asks for [m/s]
    double goal[2]; ///< velocities that can be had [m/s]
    bool on_line;   ///< the goal turns with the radius that was asked for
    double r[IB_STATES_MAX], r_next[IB_STATES_MAX]; ///< of the loop
} ib_DriveGoal;

// `loop` must outlive the model. IB_BAD_INPUT: the loop lacks a state for driving, or its voltages
// do not reach both velocities.
ib_Status ib_drive_init(const ib_Loop *loop, const ib_DriveConfig *config, ib_DriveModel *model,
                        ib_Error *error);

// The present goal of the loop. `throttle` and `turn` (to the left) from -1 to 1, available
// `voltage` [V], `x` the estimate after its correction.
void ib_drive_goal(const ib_DriveModel *model, double throttle, double turn, double voltage,
                   int gear, const double *x, ib_DriveGoal *goal);

// One period: the state is that of the loop (control/feedback/state_feedback.h); `u` [V]: motor
// voltages within the available one.
void ib_drive_step(const ib_DriveModel *model, double throttle, double turn, double voltage,
                   int gear, const double *y, double u[2], ib_DriveGoal *goal, double *state);

#endif
