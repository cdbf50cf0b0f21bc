// desk/trial/trial.h: a trial of a designed loop in the simulation. docs/design/trial.md It runs on
// a mechanism of a robot, with its battery, current limits and stops, or on an ideal plant; with
// saturated inputs, noisy measurements, a latency, a push. `ironbird design` shows it as the
// response, and an exported loop is tested with it.
#ifndef IB_DESK_TRIAL_TRIAL_H
#define IB_DESK_TRIAL_TRIAL_H

#include "control/feedback/state_feedback.h"
#include "sim/config.h"

// The robot of a trial, and its mechanism that the loop acts on, with its start in the config. A
// loop may act on the robot itself, by the names of its signals and commands: the robot is then put
// at the start.
typedef struct ib_TrialRobot {
    const ib_RobotKind *kind;
    void *config;
    const char *part; ///< NULL: the robot itself,
    int states;       ///< number of them in the plant
} ib_TrialRobot;

// The goal of one period.
typedef struct ib_TrialAim {
    double goal[IB_STATES_MAX]; ///< of the plant's states
    int gear;
} ib_TrialAim;

typedef struct ib_Trial {
    const ib_Loop *loop;
    int gear;
    double goal[IB_STATES_MAX];                   ///< of the plant's states, from t = 0 on
    const ib_TrialRobot *robot;                   ///< NULL: an ideal plant, the one below
    const ib_Mechanism *mechanisms[IB_GEARS_MAX]; ///< one for each gear, driven by voltages; NULL:
                                                  ///< the linear plant of the gear
    double start[IB_STATES_MAX];                  ///< of the plant's states; a robot's is in
                                                  ///< its config
    double duration;                              ///< [s]
    double noise[IB_STATES_MAX]; ///< standard deviation of each measured number; 0: none
    uint64_t seed;
    double push[IB_INPUTS_MAX]; ///< from `push_at` on, added to the inputs behind their limits
    double push_at;             ///< [s]
    double latency;   ///< until u acts [s]; up to 100 periods. A linear plant takes a part of a
                      ///< period as a mixture of two inputs
    bool known_start; ///< the estimate begins at the start; else at the loop's default
    // Returns goal and gear of period k, by default those above. The loop knows the next goal one
    // period before. NULL: no changes. A robot has one gear.
    void (*plan)(void *self, int64_t k, ib_TrialAim *aim);
    void *plan_self;
    // Called once a period; true ends the trial. NULL: it continues to its end.
    bool (*give_up)(void *self);
    void *give_up_self;
} ib_Trial;

// One period, at its beginning: measurements, estimates and outputs. All values are absolute; r,
// estimate and next have the loop's states. y, r, the r of the next tick, u and next are a row of
// an ib_ExportTrace.
typedef struct ib_TrialTick {
    double t;                       ///< since the start [s]
    double x[IB_STATES_MAX];        ///< true states of the plant
    double y[IB_STATES_MAX];        ///< measured; without an observer the states
    double estimate[IB_STATES_MAX]; ///< after the correction
    double next[IB_STATES_MAX];     ///< predicted for the next period
    double r[IB_STATES_MAX];        ///< wanted
    double u[IB_INPUTS_MAX];        ///< output, within the limits
} ib_TrialTick;

enum { IB_TRIAL_EVENTS = 4 };

// The load on the robot; all NAN on an ideal plant.
typedef struct ib_TrialUse {
    double current;       ///< largest of a motor, either way [A]
    double current_limit; ///< of a motor [A]; infinite: none
    double limited;       ///< share of the time in which a motor was at its limit, 0 to 1
    double supply;        ///< largest current of the mechanism from the battery [A]
    double lowest;        ///< lowest voltage of the battery's terminals [V]
    double stopped;       ///< share of the time at a stop, 0 to 1
    int event_count;      ///< undesired events: a brownout, a breaker
    struct {
        double t;      ///< first occurrence [s]
        char text[96]; ///< "brownout: outputs off"
    } events[IB_TRIAL_EVENTS];
} ib_TrialUse;

// Runs the trial and gives every tick, the end included. IB_FAILED: the plant diverges (`tick` has
// had all before). `use` may be NULL.
ib_Status ib_trial_run(const ib_Trial *trial, void (*tick)(void *self, const ib_TrialTick *tick),
                       void *self, ib_TrialUse *use, ib_Error *error);

#endif
