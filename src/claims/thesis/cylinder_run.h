// claims/thesis/cylinder_run.h: the thesis's rig, open and closed, with changes; its signals
// as columns.
#ifndef IB_CLAIMS_THESIS_CYLINDER_RUN_H
#define IB_CLAIMS_THESIS_CYLINDER_RUN_H

#include "base/arena.h"
#include "claims/claim_run.h"
#include "robot/cylinder_rig/cylinder_rig.h"

// The goal and the output of the loop in all these runs, which is named after its command.
#define IB__CYLINDER_LOOP                                                                          \
    "control."                                                                                     \
    "valve"
#define IB__CYLINDER_GOAL   IB__CYLINDER_LOOP ".goal"
#define IB__CYLINDER_OUTPUT IB__CYLINDER_LOOP ".output"

#define IB__PSI  6894.76         ///< [Pa], as the thesis counts
#define IB__LBF  4.4482216152605 ///< [N]
#define IB__INCH 0.0254          ///< [m]

enum { IB__RIG_CHANGES = 8, IB__RIG_COLUMNS = 6 };

// 5 s of opposite saturation, then a step: `inputs.valve` is the step of 1.25 V.
extern const char ib__rig_open[];
// The loop of reference A5: 10 mm, from 2 s on 30 mm.
extern const char ib__rig_closed[];
// The same loop, sampled at 1 kHz as in the thesis: under a continuous loop a valve that switches
// at its centre would switch without end. Five steps.
extern const char ib__rig_series[];
extern const double ib__rig_step_every; ///< between its steps, and to the first [s]

typedef struct ib__RigChanges {
    int count;
    ib_Override items[IB__RIG_CHANGES];
} ib__RigChanges;

void ib__rig_change(ib__RigChanges *changes, const char *path, const char *yaml);

// Makes the rig of chapter 4 that of section 5.5.3. `rig`: IB__RIG_LINEAR (the valve) or
// IB__RIG_VISCOUS (friction); IB__RIG_FULL changes nothing.
void ib__rig_simplify(ib__RigChanges *changes, int rig);

// The input of a step of so many volts from 5 V, as the text of `inputs`.
void ib__rig_step(double volts, char *text, size_t size);

// Signals at times that are `every` apart, each a column.
typedef struct ib__RigTrace {
    const char *const *signals; ///< NULL-terminated, IB__RIG_COLUMNS at most
    double from, every;         ///< [s]
    int count;                  ///< rows

    // Results.
    double *times;
    double *column[IB__RIG_COLUMNS];
    int64_t steps; ///< of the solver
} ib__RigTrace;

ib_Status ib__rig_trace(const char *scenario, const ib__RigChanges *changes, ib_Arena *arena,
                        ib__RigTrace *trace, ib_Error *error);

// Runs the rig with its position following 22.225 mm + 15 mm sin(w t) for so many periods, at most
// 2.9, by that loop or by the given `control.valve` (NULL: that loop); `trace` has its signals
// and count.
ib_Status ib__rig_sine(double w, double periods, const char *control, ib_Arena *arena,
                       ib__RigTrace *trace, ib_Error *error);

// Two pressure sensors on the cap, the second with the thesis's filter: `robot.sensors`.
extern const char ib__rig_sensors[];

// The rig itself, for formulas.
ib_Status ib__rig_default(ib_CylinderRigConfig *config, ib_Error *error);

// Least squares of y = K - A e^(-t/tau), t from 0 on `every` apart: for each tau, K and A follow;
// tau is sought between `every` and 100 times the window. R^2 is the explained share of
// y's variance.
typedef struct ib__FirstOrder {
    double K, A, tau, square;
} ib__FirstOrder;

ib__FirstOrder ib__rig_first_order(const double *y, int count, double every);

#endif
