// sim/watch/step_log.h: every step of every routine in a run, with the true pose beside the robot's
// estimate. docs/control/routine.md, "What it tells"
//
// A step of a routine knows the robot's estimate of its pose. An observer of the run knows the true
// one, and so the error of a move.
#ifndef IB_SIM_WATCH_STEP_LOG_H
#define IB_SIM_WATCH_STEP_LOG_H

#include "sim/sim.h"

// A finished move is lost if it is this much further from its goal than it knows [m]: wheels have
// spun against a wall, or odometry has drifted, and the next move starts from a wrong place. A
// robot is some 50 cm wide, and the error of sound odometry in a few metres is centimetres.
#define IB_STEP_LOST 0.2

// The same of its heading [rad]: 11 deg, which are 20 cm after a metre.
#define IB_STEP_LOST_ANGLE 0.2

// Runs of steps that are kept, the first ones; all others are counted.
enum { IB_STEP_LOG_ROOM = 4096 };

// One run of a step. Unknown values are NAN.
typedef struct ib_StepRun {
    int control;         ///< whose step: of ib_Model.controls
    ib_ControlStep step; ///< its last report: at its end, or at the end of the run
    ib_Time began;       ///< IB_TIME_NEVER: it did not
    ib_Time ended;       ///< IB_TIME_NEVER: it did not
    int round;           ///< number of its starts, this one included; 0: never
    bool posed;          ///< both poses are known:
    double where[3];     ///< of the robot as it ended, the truth: x, y, heading
    double error;        ///< from there to where it took itself to be [m]
    double error_angle;  ///< its heading by odometry, less the true one [rad]
    // Errors of a move against its promise:
    double off;        ///< from its goal as it ended [m]
    double off_angle;  ///< heading then, less that of the goal, the shorter way [rad]
    double most;       ///< largest distance from where it should have been at the same time [m]
    ib_Time most_time; ///< and when
    bool
        lost; ///< done, and far from its goal or its heading without a notion of it; only the worst
              ///< of all rounds
} ib_StepRun;

typedef struct ib_StepLog ib_StepLog;

// Log of all routines of a simulation, memory from `arena`; NULL: none has steps. Attach with
// ib_sim_probe(sim, ib_step_log_probe(log)).
ib_Status ib_step_log_create(const ib_Sim *sim, ib_Arena *arena, ib_StepLog **log, ib_Error *error);
ib_Probe ib_step_log_probe(ib_StepLog *log);

// Resets it for another run of the same model. `log` may be NULL.
void ib_step_log_reset(ib_StepLog *log);

// All runs in the order in which they began; steps that never did come last, those of each routine
// in the order of the file. `log` may be NULL.
int ib_step_log_count(const ib_StepLog *log);
ib_StepRun ib_step_log_run(const ib_StepLog *log, int index);

// Runs for which there was no room any more.
int64_t ib_step_log_untold(const ib_StepLog *log);

// "done", "timed out", "stopped", "still running", "not begun".
const char *ib_step_run_outcome(const ib_StepRun *run);

// Its duration, so far if not ended [s]; NAN: it did not begin. `end` of the run.
double ib_step_run_took(const ib_StepRun *run, ib_Time end);

// A warning about it: "routine: step 3 'until …' (line 12) was still running at the end".
// False: none.
bool ib_step_run_warning(const ib_Model *model, const ib_StepRun *run, char *text, size_t size);

#endif
