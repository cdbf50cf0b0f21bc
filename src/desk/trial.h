// desk/trial.h: a designed loop on trial in the simulation. docs/design/trial.md
// It runs on a mechanism of a robot, with its battery, current limits and stops, or on an ideal
// plant; with inputs that saturate, measurements with noise, a latency, a push. `ironbird design`
// shows it as the response, and an exported loop is tested with it.
#ifndef IB_DESK_TRIAL_H
#define IB_DESK_TRIAL_H

#include "control/state_feedback.h"
#include "sim/config.h"

// The robot on which a loop is tried, and the mechanism of it that the loop acts on. Where that
// starts is in its config. A loop may act on the robot itself, by the names of its signals and
// commands: it is then brought to the start.
typedef struct ib_TrialRobot {
    const ib_RobotKind *kind;
    void *config;
    const char *part; ///< NULL: the robot itself,
    int states;       ///< of which these many are the plant's
} ib_TrialRobot;

// What is wanted in one period.
typedef struct ib_TrialAim {
    double goal[IB_STATES_MAX]; ///< of the plant's states
    int gear;
} ib_TrialAim;

typedef struct ib_Trial {
    const ib_Loop *loop;
    int gear;
    double goal[IB_STATES_MAX];                   ///< of the plant's states, from t = 0 on
    const ib_TrialRobot *robot;                   ///< NULL: an ideal plant, the one below
    const ib_Mechanism *mechanisms[IB_GEARS_MAX]; ///< one for each gear, with a voltage at hand;
                                                  ///< NULL: the linear plant of the gear
    double start[IB_STATES_MAX];                  ///< of the plant's states; of a robot as confactd
    double duration;                              ///< [s]
    double noise[IB_STATES_MAX]; ///< standard deviation of each measured number; 0: none
    uint64_t seed;
    double push[IB_INPUTS_MAX]; ///< from `push_at` on, as if the inputs had it behind their limits
    double push_at;             ///< [s]
    double latency;   ///< until u acts [s]; to 100 periods; 0 acts before. A linear plant takes a
                      ///< part of a period as the two inputs mixed
    bool known_start; ///< the estimate begins at the start; else where the loop's does
    // Asked for what is wanted in period k, which is otherwise goal and gear from above. The loop
    // knows the next goal one period before. NULL: nothing changes. A robot has one gear.
    void (*plan)(void *self, int64_t k, ib_TrialAim *aim);
    void *plan_self;
    // Asked once a period; true ends the trial. NULL: it goes to its end.
    bool (*give_up)(void *self);
    void *give_up_self;
} ib_Trial;

// One period, at its beginning: what was measured, estimated and applied. All absolute; r, estimate
// and next have the loop's states.
// With y, r, the r of the next tick, u and next it is a row of an ib_ExportTrace.
typedef struct ib_TrialTick {
    double t;                       ///< since the start [s]
    double x[IB_STATES_MAX];        ///< true states of the plant
    double y[IB_STATES_MAX];        ///< measured; without an observer the states
    double estimate[IB_STATES_MAX]; ///< after the correction
    double next[IB_STATES_MAX];     ///< predicted for the next period
    double r[IB_STATES_MAX];        ///< wanted
    double u[IB_INPUTS_MAX];        ///< given, within the limits
} ib_TrialTick;

enum { IB_TRIAL_EVENTS = 4 };

// What it took of the robot; all NAN on an ideal plant.
typedef struct ib_TrialUse {
    double current;       ///< largest of a motor, either way [A]
    double current_limit; ///< of a motor [A]; infinite: none
    double limited;       ///< share of the time in which a motor was at its limit, 0 to 1
    double supply;        ///< most that the mechanism drew from the battery [A]
    double lowest;        ///< voltage of the battery's terminals [V]
    double stopped;       ///< share of the time at a stop, 0 to 1
    int event_count;      ///< what happened on the way that should not: a brownout, a breaker
    struct {
        double t;      ///< for the first time [s]
        char text[96]; ///< "brownout: outputs off"
    } events[IB_TRIAL_EVENTS];
} ib_TrialUse;

// Runs it and gives every tick, the end included. IB_FAILED: the plant runs away (`tick` has had
// all up to there). `use` may be NULL.
ib_Status ib_trial_run(const ib_Trial *trial, void (*tick)(void *self, const ib_TrialTick *tick),
                       void *self, ib_TrialUse *use, ib_Error *error);

#endif
