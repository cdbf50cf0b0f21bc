// cli/verify_roomba.h: what is computed for the claims of the Roomba document.
// The derivation is in docs/roomba.md.
#ifndef IB_CLI_VERIFY_ROOMBA_H
#define IB_CLI_VERIFY_ROOMBA_H

#include "robot/roomba/roomba.h"
#include "verify.h"

#include "solver/solver.h"

// The computed values, a row each. The forms are those of ib_RoombaConfig.equations, in its order.
enum {
    NO_ROW,
    // Both wheels 2.7 N from rest, heading 30 degrees.
    STRAIGHT_X, ///< at 2 s
    STRAIGHT_Y,
    STRAIGHT_SPEED_SHARE, ///< at 2 s, of the terminal speed
    STRAIGHT_YAW_RATE,    ///< at 2 s
    STRAIGHT_TIME,        ///< when x is 1.4 m
    STRAIGHT_Y_THEN,
    STRAIGHT_DISTANCE, ///< at 2 s, and by its closed form
    STRAIGHT_DISTANCE_CLOSED,
    STRAIGHT_SPEED,
    STRAIGHT_SPEED_CLOSED,
    // Left wheel 2.7 N alone, from rest.
    CIRCLE_X, ///< at 0.6 s
    CIRCLE_Y,
    CIRCLE_TOP_TIME, ///< first maximum of x
    CIRCLE_TOP_X,
    CIRCLE_TOP_Y,
    CIRCLE_BOUND, ///< distance that no dissipative drag lets it exceed in 0.6 s
    CIRCLE_DISTANCE,
    CIRCLE_TURN_TIME,
    CIRCLE_YAW_SHARE, ///< yaw rate at 0.5 s over that at 3 s
    CIRCLE_YAW_RATE,  ///< at 3 s
    CIRCLE_FINITE,    ///< until when the run stays finite
    // The circle it settles into, after 40 s and as the root of the equilibrium.
    STEADY_RADIUS,
    STEADY_RADIUS_ROOT,
    STEADY_SPEED,
    STEADY_SPEED_ROOT,
    STEADY_YAW_RATE,
    STEADY_YAW_RATE_ROOT,
    STEADY_SLIP, ///< [deg]
    STEADY_SLIP_ROOT,
    STEADY_RIGHT_WHEEL, ///< speed of the wheel without force
    STEADY_RIGHT_WHEEL_ROOT,
    NO_SLIP_RADIUS, ///< at kn = 1e3, 1e4, 1e5, 1e6, 1e8, 1e10
    NO_SLIP_EXPONENT = NO_SLIP_RADIUS + 6,
    // The authors' schedule.
    LEG_X, ///< at 2.4 s
    LEG_Y,
    LEG_YAW_RATE,
    LEG_TIME, ///< when x is 2 m
    RING_RADIUS,
    RING_RADIUS_ROOT,
    RING_WIDTH,   ///< extent in x of the circle leg
    RING_HEADING, ///< at 10.6665 s
    RING_TIME,    ///< when a full turn is complete
    LAST_X,       ///< at 18 s
    LAST_Y,
    LAST_SPEED,
    LAST_SPEED_CLOSED,
    LAST_HEADING,
    FULL_TIME, ///< full force to the end: when x is 4 m
    FULL_X,    ///< full force to the end: x at 14.3 s
    // The yaw equation.
    YAW_ACCELERATION, ///< at vt = 0.5 m/s, w = -1 rad/s, no force
    YAW_ACCELERATION_MOMENT,
    YAW_ACCELERATION_CODE,
    YAW_GROWTH, ///< of a small yaw rate in straight running
    YAW_GROWTH_CLOSED,
    RATE_ENTRIES, ///< how many numbers the right-hand side returns
    // How the computed values can be trusted.
    RK4_ERROR,        ///< largest over the states at 18 s, steps cut at the switches
    RK4_ERROR_INSIDE, ///< the switches tested inside the right-hand side
    ROOMBA_ROWS,
};

enum { KN_COUNT = 6 };

ib_Status roomba_compute(Found *found, ib_Error *error);

// -------------------------------------------------------------------------------------------- runs

typedef struct Leg {
    double from, left, right; ///< [s, N, N]
} Leg;

// The state at a time, or where a signal first passes a level;
// NAN where the run does not get there.
typedef struct Look {
    double at; ///< [s]
    double state[IB_ROOMBA_STATES];
} Look;

typedef struct Crossing {
    int signal; ///< an IB_ROOMBA_X …, of the state
    double level;
    bool rising;
    double seconds;
    double state[IB_ROOMBA_STATES];
} Crossing;

enum { MAX_LEGS = 8 };

typedef struct RoombaRun {
    ib_RoombaConfig roomba;
    ib_SolverConfig solver;
    double step; ///< [s]
    const Leg *legs;
    int leg_count;
    double duration; ///< [s]
    Look *looks;     ///< in the order of time
    int look_count;
    Crossing *crossings;
    int crossing_count;

    // Results.
    double finite; ///< until when it stayed finite; a pole is extrapolated [s]
} RoombaRun;

// The document's robot from rest, dopri5 at 1e-12.
RoombaRun roomba_run_default(int equations, const Leg *legs, int leg_count, double duration);

// Runs; divergence is a result (`finite`), not an error.
ib_Status roomba_run(RoombaRun *run, ib_Error *error);

// ------------------------------------------------------------------------------------- equilibrium

typedef struct SteadyCircle {
    double vt, vn, w;     ///< [m/s, m/s, rad/s]
    double speed, radius; ///< [m/s, m]
    double slip;          ///< course minus heading [rad]
} SteadyCircle;

// The circle that constant wheel forces lead to, left + right > 0.
SteadyCircle steady_circle(const ib_RoombaModel *model, double left, double right);

#endif
