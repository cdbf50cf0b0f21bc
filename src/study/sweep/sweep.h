// study/sweep/sweep.h: a file run many times: over seeds and over a grid of parameters. The file is
// a scenario, a design or a plan; each run gives numbers, the columns of its row.
//
// Four independent parts: the work list (index -> seed and overrides), the workers that make runs,
// each with a scenario and a simulation of its own that it reuses (study/sweep/sweep_inside.h), the
// pool that hands out blocks of runs (sim/pool.h), and the receiver of the results, one after the
// other in the order of the list. The output has the same bytes for any number of threads, and
// memory grows with these and not with the runs. A journal can keep the results, to continue after
// a kill: study/sweep/sweep_journal.h
#ifndef IB_STUDY_SWEEP_SWEEP_H
#define IB_STUDY_SWEEP_SWEEP_H

#include "base/signal_text.h"
#include "scenario/measure.h"
#include "scenario/scenario.h"

#include <signal.h>

enum { IB_SWEEP_MAX_AXES = 16, IB_SWEEP_MAX_MEASURES = 32, IB_SWEEP_HEADLINES = 6 };

// One `--over PATH=a,b,c`.
typedef struct ib_SweepAxis {
    const char *path;
    const char *const *values; ///< as YAML
    int count;                 ///< >= 1
} ib_SweepAxis;

// The work list. Run number i: seeds vary fastest, then the last axis, the first axis slowest.
typedef struct ib_SweepPlan {
    const char *file;
    const ib_Override *overrides; ///< common to all runs
    int override_count;
    const char *duration;              ///< NULL: the scenario's
    const ib_DesignLoader *designs;    ///< NULL: design files are refused
    const ib_PluginInterface *plugins; ///< NULL: plug-ins are refused
    ib_SweepAxis axes[IB_SWEEP_MAX_AXES];
    int axis_count;
    const char *option;                          ///< of the axes, for messages; NULL: --over
    const char *command;                         ///< for messages; NULL: sweep
    const char *measures[IB_SWEEP_MAX_MEASURES]; ///< scenario/measure.h; of other files, names
    int measure_count;                           ///< 0: ib_sweep_create puts the headlines there
    bool all;                                    ///< rows have the last values of all signals, too
    bool has_seeds;
    uint64_t first_seed; ///< without seeds, ib_sweep_create puts the scenario's own here
    int64_t seed_count;  ///< >= 1
} ib_SweepPlan;

// The result of one run.
typedef struct ib_SweepResult {
    ib_Status status;
    const char *error;    ///< NULL: none
    const char *warnings; ///< of this run, a line each (study/warnings.h); NULL: none
    uint64_t seed;        ///< used seed; for a run that could not be read, the one on the list
    uint64_t hash;
    double *values; ///< of the columns, SI; NAN: none, or the run ended before
    bool *passed;   ///< per expectation
} ib_SweepResult;

// A number of each run.
typedef struct ib_SweepColumn {
    const char *name; ///< "min battery.voltage", an expectation, a signal
    const char *unit; ///< "": not known
    ib_ShownUnit shown;
} ib_SweepColumn;

typedef struct ib_Sweep {
    ib_SweepPlan plan;
    const char *title;
    bool asked;         ///< the measures were asked for; else they are the headlines
    ib_Scenario *first; ///< the first readable run: all runs have its signals; NULL: a design or a
                        ///< plan: study/sweep/sweep_desk.h
    struct ib__SweepDesk *desk;                 ///< that one
    ib_Measure measures[IB_SWEEP_MAX_MEASURES]; ///< of the plan, with its signals
    // First the margins of all expectations, then the measures, then what `all` adds.
    ib_SweepColumn *columns;
    int column_count, expectation_count;
    const char *const *given; ///< of each point a value for each axis, instead of the grid; NULL:
                              ///< the grid
    int64_t count;            ///< runs
    uint64_t identity;        ///< hash of everything that determines the results: files,
                              ///< arguments, version
    const char *const *files; ///< read by any value of any axis; NULL-terminated
    ib_TreeCache *trees;      ///< every file is parsed once
    ib_Arena arena;
} ib_Sweep;

// Checks that every run has the values of its row. IB_BAD_INPUT if one option would override
// another: a duration or seeds for all runs that are an axis, too, and the like.
ib_Status ib_sweep_check(const ib_SweepPlan *plan, ib_Error *error);

// The number of runs of a plan; -1: more than 2^63 - 1.
int64_t ib_sweep_count(const ib_SweepPlan *plan);

// The index of each axis' value, and the seed, of run `index` of the grid.
void ib_sweep_point(const ib_SweepPlan *plan, int64_t index, int *values, uint64_t *seed);

// Reads the first run and every value of every axis once; on mistakes NULL,
// with all of them in `diagnostics`.
ib_Sweep *ib_sweep_create(const ib_SweepPlan *plan, ib_Diagnostics *diagnostics);
void ib_sweep_destroy(ib_Sweep *sweep);

// Runs these points, `count` times a value for each axis, with all seeds; not the grid.
void ib_sweep_give(ib_Sweep *sweep, const char *const *values, int64_t count);

// The value of each axis, and the seed, of run `index`.
void ib_sweep_values(const ib_Sweep *sweep, int64_t index, const char **values, uint64_t *seed);

// "robot.mass=2 kg, robot.drag=1" of a run; "": there is no axis.
void ib_sweep_describe(const ib_Sweep *sweep, int64_t index, char *text, size_t size);

// The column of a measure.
int ib_sweep_column(const ib_Sweep *sweep, int measure);

struct ib_SweepJournal;

// Options of a sweep's execution, and the receiver of its results.
typedef struct ib_SweepRun {
    int threads;                     ///< 1 .. IB_POOL_MAX_THREADS
    struct ib_SweepJournal *journal; ///< open; results in it are taken from there; NULL: none
    // Takes the result of a run, in the order of the list, in the caller's thread; it is valid
    // until the next call. False: no more are wanted.
    bool (*take)(void *self, int64_t index, const ib_SweepResult *result);
    // Called when some runs were taken and the next may take a while. May be NULL; false as above.
    bool (*pause)(void *self);
    // Called about ten times a second and at the end; may be NULL.
    void (*progress)(void *self, int64_t done, int64_t count);
    void *self;
    const volatile sig_atomic_t *stop; ///< ends it when it becomes non-zero; may be NULL
} ib_SweepRun;

// Makes all runs. IB_INTERRUPTED: stopped, or no more were wanted. A stopped run counts as never
// made. IB_BAD_INPUT: the journal's first run differs from this program's.
ib_Status ib_sweep_run(const ib_Sweep *sweep, const ib_SweepRun *run, ib_Error *error);

// The number of warnings of a run.
int ib_sweep_warning_count(const ib_SweepResult *result);

#endif
