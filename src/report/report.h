// report/report.h: one self-contained HTML file with the results and plots of a run.
//
// Fill an ib_Report and write it. Everything in it is borrowed and read only. The report knows no
// robot kind: parameters come from the schema, plots from the names and units of the signals,
// forces from the ports. Empty parts are left out or reported as missing.
#ifndef IB_REPORT_REPORT_H
#define IB_REPORT_REPORT_H

#include "report/series.h"
#include "robot/kind.h"
#include "sim/watch/meter.h"
#include "sim/watch/mode_changes.h"
#include "sim/watch/step_log.h"
#include "sim/ways.h"
#include "solver/solver.h"
#include "world/field.h"

#include <stdint.h>

typedef struct ib_ReportSignal {
    const char *name, *unit, *sentence; ///< complete name, SI unit
    double final, min, max;             ///< NaN: not known
    ib_SignalMeaning means;
    bool gaps; ///< it was not a number at some time, which is in none of these
} ib_ReportSignal;

typedef struct ib_ReportRobot {
    const char *name; ///< prefix of its signals; "" if it is the only one
    const ib_RobotKind *kind;
    const void *config;         ///< the kind's config struct, for the table of parameters
    const ib_RobotPorts *ports; ///< for outline and forces
    const ib_PlanFact *facts;   ///< findings of its path's plan; NULL: no path
    int fact_count;
    const ib_Timeline *timelines; ///< one per input of its ports; NULL: none
} ib_ReportRobot;

typedef struct ib_ReportExpectation {
    const char *text; ///< as written
    bool passed;
    bool open;               ///< undecided, since the run ended early: neither met nor failed
    const char *explanation; ///< "pose.x was 1.2 m at 2 s, 0.105 m too low"
} ib_ReportExpectation;

// The steps of a routine in the run.
typedef struct ib_ReportRoutine {
    const char *robot, *loop; ///< "": the only one
    const ib_StepRun *runs;   ///< of its steps, as they began
    int run_count;
} ib_ReportRoutine;

typedef struct ib_Report {
    const char *title;
    const char *file;    ///< of the scenario, as named by the user
    const char *text;    ///< of the scenario, shown unchanged; NULL: not at hand
    const char *version; ///< of the program
    const char *date;    ///< when, as it shall be shown
    const char *error;   ///< why the run ended early; NULL: it did not

    double duration; ///< simulated time reached [s]
    int64_t steps;
    double wall; ///< seconds the run took; NaN: not known
    uint64_t hash;
    const char *solver; ///< "rk4, 1 ms"
    const ib_SolverCounts *counters;

    const ib_ReportSignal *signals;
    int signal_count;
    const ib_Meter *meter; ///< uses of loads, its signals those above; NULL: from the series
    const ib_ModeChanges *changes; ///< of modes, their signals those above; NULL: from the series
    ib_SeriesSet series;           ///< the recording for the plots; a log's series will do
    const char *sampling;          ///< a sentence: which instants these are; NULL: not known
    const ib_ReportRobot *robots;
    int robot_count;
    const ib_Way *ways; ///< that they meant to drive
    int way_count;
    const ib_ReportRoutine *routines;
    int routine_count;
    const ib_FieldConfig *field; ///< the field around them; NULL: none
    const ib_ReportExpectation *expectations;
    int expectation_count;
    const char *const *messages; ///< warnings and the like, NULL-terminated; NULL: none

    double diagram_time;       ///< of the free-body diagram [s]; NaN: half way through
    const char *no_diagram;    ///< the reason for a missing requested one; NULL: none
    const double *diagram_row; ///< value of each of `signals` then; NULL: from the series
} ib_Report;

// All empty: NULL texts become "", numbers NaN or 0.
ib_Report ib_report_default(void);

// Appends the page to `html`. Plots that cannot be drawn (no gnuplot) are reported as missing, with
// the reason: the rest of the report is complete, and the result is success, with words in `error`.
ib_Status ib_report_render(const ib_Report *report, ib_Text *html, ib_Error *error);
ib_Status ib_report_write(const ib_Report *report, const char *path, ib_Error *error);

// The number of the signal's robot; -1: none, or the only robot.
int ib__report_owner(const ib_Report *report, const char *signal);
bool ib__report_owns(const ib_Report *report, int robot, const char *signal);

// With several robots, the parts of each are behind the robot's name, those of the first open.
void ib__report_fold(const ib_Report *report, int robot, const ib_Text *part, ib_Text *html);

// The signal of a robot with this role, or NULL.
const ib_ReportSignal *ib__report_role(const ib_Report *report, const char *robot,
                                       ib_SignalRole role);

#endif
