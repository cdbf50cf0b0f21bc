// claims/roomba/roomba.h: the computed values for the claims of the Roomba
// document. docs/robot/roomba.md
#ifndef IB_CLAIMS_ROOMBA_H
#define IB_CLAIMS_ROOMBA_H

#include "claims/document.h"
#include "robot/roomba/roomba.h"

#include "solver/solver.h"

// The computed values, a row each. The forms are those of ib_RoombaConfig.equations, in its order.
enum {
    // Both wheels 2.7 N from rest, heading 30 degrees.
    IB__STRAIGHT_X = IB_NO_ROW + 1, ///< at 2 s
    IB__STRAIGHT_Y,
    IB__STRAIGHT_SPEED_SHARE, ///< at 2 s, of the terminal speed
    IB__STRAIGHT_YAW_RATE,    ///< at 2 s
    IB__STRAIGHT_TIME,        ///< time at x = 1.4 m
    IB__STRAIGHT_Y_THEN,
    IB__STRAIGHT_DISTANCE, ///< at 2 s, and by its closed form
    IB__STRAIGHT_DISTANCE_CLOSED,
    IB__STRAIGHT_SPEED,
    IB__STRAIGHT_SPEED_CLOSED,
    IB__STRAIGHT_CRUISE_TIME,  ///< time at 95 % of the terminal speed
    IB__STRAIGHT_ACCELERATION, ///< at 2 s
    IB__STRAIGHT_DRAG_START,   ///< drag over drive, at rest and at 2 s
    IB__STRAIGHT_DRAG_END,
    IB__STRAIGHT_NUDGE, ///< speed after 1 s of 1 mN on each wheel
    // Left wheel 2.7 N alone, from rest.
    IB__CIRCLE_X, ///< at 0.6 s
    IB__CIRCLE_Y,
    IB__CIRCLE_TOP_TIME, ///< first maximum of x
    IB__CIRCLE_TOP_X,
    IB__CIRCLE_TOP_Y,
    IB__CIRCLE_BOUND, ///< largest distance in 0.6 s with any dissipative drag
    IB__CIRCLE_DISTANCE,
    IB__CIRCLE_TURN_TIME,
    IB__CIRCLE_YAW_SHARE,   ///< yaw rate at 0.5 s over that at 3 s
    IB__CIRCLE_YAW_RATE,    ///< at 3 s
    IB__CIRCLE_FINITE,      ///< time up to which the run stays finite
    IB__CIRCLE_WHOLE_X,     ///< largest x of the whole turn, sampled every 10 ms
    IB__CIRCLE_HEADING,     ///< at 2 s
    IB__CIRCLE_SPEED_SHARE, ///< speed after a full turn over that of the steady circle
    // The circle it settles into, after 40 s and as the root of the equilibrium.
    IB__STEADY_RADIUS,
    IB__STEADY_RADIUS_ROOT,
    IB__STEADY_SPEED,
    IB__STEADY_SPEED_ROOT,
    IB__STEADY_YAW_RATE,
    IB__STEADY_YAW_RATE_ROOT,
    IB__STEADY_SLIP, ///< [deg]
    IB__STEADY_SLIP_ROOT,
    IB__STEADY_SIDE,        ///< velocity across the heading
    IB__STEADY_RIGHT_WHEEL, ///< speed of the wheel without force
    IB__STEADY_RIGHT_WHEEL_ROOT,
    IB__NO_SLIP_RADIUS, ///< at kn = 1e3, 1e4, 1e5, 1e6, 1e8, 1e10
    IB__NO_SLIP_EXPONENT = IB__NO_SLIP_RADIUS + 6,
    // The authors' schedule.
    IB__LEG_X, ///< at 2.4 s
    IB__LEG_Y,
    IB__LEG_YAW_RATE,
    IB__LEG_TIME, ///< time at x = 2 m
    IB__RING_RADIUS,
    IB__RING_RADIUS_ROOT,
    IB__RING_WIDTH,   ///< extent in x of the circle leg
    IB__RING_HEIGHT,  ///< largest y
    IB__RING_HEADING, ///< at 10.6665 s
    IB__RING_TIME,    ///< time of a full turn
    IB__RING_RETURN,  ///< distance from the begin to the end of the circle leg
    IB__RING_SLIP,    ///< at its end [deg]
    IB__RING_YAW_RATE,
    IB__LAST_LEG,   ///< distance from the end of the circle leg to the position at 18 s
    IB__LAST_SHARE, ///< speed at 18 s over that at 11.84589 s
    IB__LAST_TIME,  ///< time at x = 4 m
    IB__LAST_X,     ///< at 18 s
    IB__LAST_Y,
    IB__LAST_SPEED,
    IB__LAST_SPEED_CLOSED,
    IB__LAST_HEADING,
    IB__FULL_TIME, ///< full force to the end: time at x = 4 m
    IB__FULL_X,    ///< full force to the end: x at 14.3 s
    // The yaw equation.
    IB__YAW_ACCELERATION, ///< at vt = 0.5 m/s, w = -1 rad/s, no force
    IB__YAW_ACCELERATION_MOMENT,
    IB__YAW_ACCELERATION_CODE,
    IB__YAW_GROWTH, ///< of a small yaw rate in straight running
    IB__YAW_GROWTH_CLOSED,
    IB__RATE_ENTRIES, ///< number of values of the right-hand side
    // The other equations, all at one state with motion in all directions: by the program and
    // as printed.
    IB__EQUATION_AX, ///< x''
    IB__EQUATION_AX_1,
    IB__EQUATION_AX_12,
    IB__EQUATION_AX_CODE,
    IB__EQUATION_AY, ///< y''
    IB__EQUATION_AY_2,
    IB__EQUATION_AY_13,
    IB__EQUATION_AY_CODE,
    IB__EQUATION_VN,
    IB__EQUATION_VN_4,
    IB__EQUATION_VL,
    IB__EQUATION_VL_5,
    IB__EQUATION_VR,
    IB__EQUATION_VR_6,
    IB__EQUATION_INERTIA,
    IB__EQUATION_INERTIA_7,
    IB__EQUATION_SIDE,
    IB__EQUATION_SIDE_8,
    IB__EQUATION_DRAG_RIGHT,
    IB__EQUATION_DRAG_RIGHT_9,
    IB__EQUATION_DRAG_LEFT,
    IB__EQUATION_DRAG_LEFT_10,
    IB__EQUATION_POWER, ///< largest power of a drag, forwards and backwards
    IB__EQUATION_SIDES, ///< side force of the left wheel over that of the right one
    // The accuracy of the computed values.
    IB__RK4_ERROR,        ///< largest over the states at 18 s, steps cut at the switches
    IB__RK4_ERROR_INSIDE, ///< the switches tested inside the right-hand side
    IB__ROOMBA_ROWS,
};

enum { IB__KN_COUNT = 6 };

ib_Status ib__roomba_claims_compute(ib_Findings *findings, ib_Error *error);
// They compute their rows: the schedule under one form of the equations, and the
// equations themselves.
ib_Status ib__roomba_claims_schedule(ib_ClaimValue *found, int form, ib_Error *error);
ib_Status ib__roomba_claims_yaw_growth(ib_ClaimValue *found, int form, ib_Error *error);
void ib__roomba_claims_equations(ib_ClaimValue *found);

// -------------------------------------------------------------------------------------------- runs

typedef struct ib__RoombaLeg {
    double from;        ///< its begin [s]
    double left, right; ///< forces of the wheels until the next one [N]
} ib__RoombaLeg;

// The state at a time, or at the first passage of a signal through a level; NAN if the run
// ends before.
typedef struct ib__RoombaLook {
    double at;                      ///< [s]
    double state[IB_ROOMBA_STATES]; ///< then
} ib__RoombaLook;

typedef struct ib__RoombaCrossing {
    int signal;                     ///< an IB_ROOMBA_X …, of the state
    double level;                   ///< in its unit
    bool rising;                    ///< passed from below; false: from above
    double seconds;                 ///< time of the passage [s]
    double state[IB_ROOMBA_STATES]; ///< then
} ib__RoombaCrossing;

enum { IB__MAX_LEGS = 8 };

typedef struct ib__RoombaRun {
    ib_RoombaConfig roomba;
    ib_SolverConfig solver;
    double step; ///< [s]
    const ib__RoombaLeg *legs;
    int leg_count;
    double duration;       ///< [s]
    ib__RoombaLook *looks; ///< in the order of time
    int look_count;
    ib__RoombaCrossing *crossings;
    int crossing_count;

    // Results.
    double finite; ///< time up to which it stayed finite; a pole is extrapolated [s]
} ib__RoombaRun;

// The document's robot from rest, dopri5 at 1e-12.
ib__RoombaRun ib__roomba_run_default(int equations, const ib__RoombaLeg *legs, int leg_count,
                                     double duration);

// Runs the legs; divergence is a result (`finite`), not an error.
ib_Status ib__roomba_run(ib__RoombaRun *run, ib_Error *error);

// The document's robot, and its input without disturbances for these wheel forces.
ib_RoombaModel ib__roomba_document(int equations);
void ib__roomba_wheels(double left, double right, double input[IB_ROOMBA_INPUTS]);

// The authors' schedule: line, circle, line, coast.
enum { IB__ROOMBA_LEGS = 4 };
extern const ib__RoombaLeg ib__roomba_legs[IB__ROOMBA_LEGS];

double ib__roomba_speed(const double *state);                     ///< [m/s]
double ib__roomba_distance(const double *from, const double *to); ///< between two places [m]
double ib__roomba_slip(const double *state);                      ///< course minus heading [deg]

// ------------------------------------------------------------------------------------- equilibrium

typedef struct ib__SteadyCircle {
    double vt, vn, w;     ///< [m/s, m/s, rad/s]
    double speed, radius; ///< [m/s, m]
    double slip;          ///< course minus heading [rad]
} ib__SteadyCircle;

// The steady circle under constant wheel forces, left + right > 0.
ib__SteadyCircle ib__steady_circle(const ib_RoombaModel *model, double left, double right);

#endif
