// control/arm/arm_follow.h: brings an arm to named goals along timed ways, with feed-forward, gains
// that vary along the way, a filter, and a new way when the goal changes in mid-motion.
// The derivation is in docs/control/arm_follow.md.
//
// Symbols: t time along the way, p pace: dt per second, 1 as planned; r the reference at t.
//   th = th_r,   w = p w_r,   a = p^2 a_r + p' w_r
//   u  = V(th, w, a) + K (x_r - x) - e,   |u_i| <= U
// The volts are linear in p', so that each period takes the p' nearest to where the pace should
// go that keeps both voltages within U: an arm that cannot keep up is waited for, on its way.
//                                                        [Dahl, Nielsen 1990: path-speed scaling]
// With a supply known to be below the plan's, the pace goes to a value at which the rest of the way
// fits. The state is in the caller's doubles; a step allocates nothing.
#ifndef IB_CONTROL_ARM_FOLLOW_H
#define IB_CONTROL_ARM_FOLLOW_H

#include "base/arena.h"
#include "control/arm/arm_ekf.h"
#include "control/arm/arm_table.h"
#include "control/arm/arm_track.h"

typedef struct ib_ArmFollowConfig {
    double period; ///< [s], > 0
    double volts;  ///< U [V], > 0
    ib_ArmWorth weights;
    ib_ArmEkfConfig ekf;
} ib_ArmFollowConfig;

// 200 Hz, 12 V; 0.05 rad and 1 rad/s are worth 12 V.
ib_ArmFollowConfig ib_arm_follow_default(void);

typedef struct ib_ArmFollower {
    ib_ArmFollowConfig config;
    ib_ArmEkf ekf;
    const ib_ArmPlan *plan;
    const ib_ArmTable *tables; ///< of each track
} ib_ArmFollower;

// `plan` must live as long. IB_BAD_INPUT: a mistake in config or plan.
ib_Status ib_arm_follow_init(const ib_ArmFollowConfig *config, const ib_ArmPlan *plan,
                             ib_Arena *arena, ib_ArmFollower *follower, ib_Error *error);

typedef enum ib_ArmMode {
    IB_ARM_WAITS,    ///< for a first sample
    IB_ARM_RESTS,    ///< at its goal
    IB_ARM_FOLLOWS,  ///< a way from rest
    IB_ARM_JOINS,    ///< a way that began in mid-motion
    IB_ARM_BRAKES,   ///< along its way, since there is no free way to the new goal in mid-motion
    IB_ARM_FINISHES, ///< its way first, since from where it braked there is none either
    IB_ARM_BLOCKED,  ///< rests: there is no free way to the goal
    IB_ARM_MODES,
} ib_ArmMode;

// The state: the filter's, then these, then the rows of its own way.
enum {
    IB_ARM_FOLLOW_X = 0,                 ///< as IB_ARM_TH1 ..
    IB_ARM_FOLLOW_U = IB_ARM_EKF_STATES, ///< volts given last, two
    IB_ARM_FOLLOW_MODE = IB_ARM_FOLLOW_U + 2,
    IB_ARM_FOLLOW_T,         ///< time along the way [s]
    IB_ARM_FOLLOW_PACE,      ///< p
    IB_ARM_FOLLOW_GOAL,      ///< that was asked for; -1: none yet
    IB_ARM_FOLLOW_TO,        ///< goal at the end of its way; -1: none
    IB_ARM_FOLLOW_TRACK,     ///< whose way it follows; -1: its own
    IB_ARM_FOLLOW_REPLANS,   ///< ways that it planned itself
    IB_ARM_FOLLOW_SATURATED, ///< 1: the volts were cut at U
    IB_ARM_FOLLOW_REFERENCE, ///< th1, w1, th2, w2 wanted at the last tick
    IB_ARM_FOLLOW_COUNT = IB_ARM_FOLLOW_REFERENCE + IB_ARM_FED, ///< rows of its own way
    IB_ARM_FOLLOW_SPACING,                                      ///< between them [s]
    IB_ARM_FOLLOW_ROWS,
    IB_ARM_OWN_ROWS = 160, ///< most of its own way
    IB_ARM_FOLLOW_STATES = IB_ARM_FOLLOW_ROWS + IB_ARM_OWN_ROWS * IB_ARM_TABLE_ROW,
};

void ib_arm_follow_reset(const ib_ArmFollower *follower, double *state);

// One period. y: both encoders [rad]; values that are not finite are left out. `goal`: index of a
// goal of the plan. `supply`: highest voltage for the motors [V]; NAN: unknown. False: it waits for
// a first sample, and the volts are 0.
bool ib_arm_follow_step(const ib_ArmFollower *follower, const double y[2], int goal, double supply,
                        double *state, double volts[2]);

// One period about a table, from estimates to volts; goes on with t and pace. True: the volts were
// cut. `reference` is the table's value at t, for a pace of 1. A board runs this and the filter.
typedef struct ib_ArmPace {
    double t, pace; ///< [s], p
    double wanted;  ///< where the pace should go: 1, less for a low supply, 0: brake
    double low;     ///< least p' that other limits allow [1/s]; -infinity: any
} ib_ArmPace;
#define IB_ARM_PACE_RATE 20.0 ///< most that a pace changes [1/s]
bool ib_arm_follow_act(const ib_ArmPlant *arm, const ib_ArmTable *table, double period,
                       double limit, const double x[IB_ARM_X], ib_ArmPace *pace, double volts[2],
                       ib_ArmReference *reference);

#endif
