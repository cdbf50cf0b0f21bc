#include "claims/thesis/cylinder_run.h"

#include "base/maths.h"
#include "claims/thesis/cylinder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.141592653589793;

#define LOOP(period)                                                                               \
    "control: {valve: {kind: pva, sensors: cylinder.position, velocity: cylinder.velocity,\n"      \
    "  inputs: valve, offset: 5.25 V, kp: 152.93 V/m, kv: 5 V*s/m, period: " period "}}\n"

const char ib__rig_open[] = "robot: {kind: cylinder_rig, preset: thesis-50psig}\n"
                            "inputs: {valve: [[0 s, 0 V], [5 s, 6.25 V]]}\n"
                            "run: {duration: 10 s, solver: rosenbrock, tolerance: 1e-8}\n";

const char ib__rig_closed[] =
    "robot: {kind: cylinder_rig, preset: thesis-50psig, equations: published}\n" LOOP(
        "continuous") "inputs: {valve.goal: [[0 s, 10 mm], [2 s, 30 mm]]}\n"
                      "run: {duration: 3 s, solver: rosenbrock, tolerance: 1e-8}\n";

const double ib__rig_step_every = 1.5;
const char ib__rig_series[] = "robot: {kind: cylinder_rig, preset: thesis-50psig}\n" LOOP(
    "1 ms") "inputs: {valve.goal: [[0 s, 10 mm], [1.5 s, 30 mm], [3 s, 20 mm], [4.5 s, 35 mm],\n"
            "  [6 s, 15 mm], [7.5 s, 25 mm]]}\n"
            "run: {duration: 9 s, solver: rosenbrock, tolerance: 1e-6}\n";

// The filter is that of A.3; the lag is an estimate (docs/sensor/sensor.md).
const char ib__rig_sensors[] =
    "{lagged: {kind: transducer, signal: cap.pressure, period: 1 ms, lag: 5 ms},"
    " smoothed: {kind: transducer, signal: cap.pressure, period: 1 ms, lag: 5 ms,"
    " filter: chebyshev2, pass: 5 Hz, stop: 7 Hz, ripple: 1, attenuation: 40}}";

// ----------------------------------------------------------------------------------------- changes

void ib__rig_change(ib__RigChanges *changes, const char *path, const char *yaml)
{
    IB_ASSERT(changes->count < IB__RIG_CHANGES);
    changes->items[changes->count++] = (ib_Override){path, yaml};
}

void ib__rig_simplify(ib__RigChanges *changes, int rig)
{
    if (rig == IB__RIG_LINEAR) ib__rig_change(changes, "robot.valve.law", "linear");
    if (rig == IB__RIG_VISCOUS) ib__rig_change(changes, "robot.friction", "thesis-viscous");
}

void ib__rig_step(double volts, char *text, size_t size)
{
    snprintf(text, size, "[[0 s, %s], [5 s, %.17g V]]", volts > 0 ? "0 V" : "10 V", 5 + volts);
}

ib_Status ib__rig_default(ib_CylinderRigConfig *config, ib_Error *error)
{
    ib_RigPartConfig part = {0};
    ib_Status status = ib_schema_default(&ib_cylinder_mechanism.params, &part, error);
    if (status == IB_OK) status = ib_schema_default(&ib_cylinder_mechanism.start, &part, error);
    *config = part.rig;
    config->gravity = 9.81;
    return status;
}

// -------------------------------------------------------------------------------------------- runs

ib_Status ib__rig_trace(const char *scenario, const ib__RigChanges *changes, ib_Arena *arena,
                        ib__RigTrace *trace, ib_Error *error)
{
    int columns = 0;
    while (trace->signals[columns]) columns++;
    IB_ASSERT(columns <= IB__RIG_COLUMNS);
    size_t rows = (size_t)trace->count;
    double *all = ib_arena_array(arena, rows * (size_t)columns, sizeof *all);
    trace->times = ib_arena_array(arena, rows, sizeof *trace->times);
    bool room = all && trace->times;
    for (int k = 0; k < columns; k++) {
        trace->column[k] = ib_arena_array(arena, rows, sizeof **trace->column);
        room = room && trace->column[k];
    }
    if (!room) return ib_error_set(error, IB_FAILED, "out of memory");
    for (int i = 0; i < trace->count; i++) trace->times[i] = trace->from + i * trace->every;
    ib__ClaimRun run = {.scenario = scenario, .signals = trace->signals, .times = trace->times};
    run.overrides = changes->items, run.override_count = changes->count;
    run.time_count = trace->count, run.values = all;
    ib_Status status = ib__claim_run(&run, error);
    if (status != IB_OK) return status;
    trace->steps = run.steps;
    for (int i = 0; i < trace->count; i++)
        for (int k = 0; k < columns; k++) trace->column[k][i] = all[i * columns + k];
    return IB_OK;
}

ib_Status ib__rig_sine(double w, double periods, const char *control, ib_Arena *arena,
                       ib__RigTrace *trace, ib_Error *error)
{
    enum { KNOTS = 64, SIZE = 60 + 40 * 3 * KNOTS };
    char *text = ib_arena_array(arena, SIZE, 1), run[80];
    if (!text) return ib_error_set(error, IB_FAILED, "out of memory");
    int used = snprintf(text, SIZE, "{hold: linear, valve.goal: [");
    int count = (int)ceil(periods * KNOTS);
    IB_ASSERT(count < 3 * KNOTS);
    for (int i = 0; i <= count; i++) {
        double phase = 2 * pi * i / KNOTS;
        used += snprintf(text + used, (size_t)(SIZE - used), "%s[%.6f s, %.6f mm]", i ? ", " : "",
                         phase / w, 22.225 + 15 * ib_sin(phase));
    }
    snprintf(text + used, (size_t)(SIZE - used), "]}");
    snprintf(run, sizeof run, "{duration: %.6f s, solver: rosenbrock, tolerance: 1e-6}",
             2 * pi * periods / w + 1e-6); // its digits are cut
    ib__RigChanges changes = {0};
    if (control) ib__rig_change(&changes, "control.valve", control);
    ib__rig_change(&changes, "inputs", text);
    ib__rig_change(&changes, "run", run);
    ib__rig_change(&changes, "start",
                   "{position: 22.225 mm, cap: {pressure: 200 kPa}, "
                   "rod: {pressure: 200 kPa}}");
    trace->every = 2 * pi * periods / w / (trace->count - 1);
    return ib__rig_trace(ib__rig_series, &changes, arena, trace, error);
}

// --------------------------------------------------------------------------------------------- fit

// K and A for this tau, and the sum of squared residuals.
static double fit_linear(const double *y, int count, double every, ib__FirstOrder *fit)
{
    double s0 = count, s1 = 0, s2 = 0, sy = 0, sy1 = 0, left = 0;
    for (int i = 0; i < count; i++) {
        double e = ib_exp(-i * every / fit->tau);
        s1 += e, s2 += e * e, sy += y[i], sy1 += y[i] * e;
    }
    double det = s0 * s2 - s1 * s1;
    fit->K = (sy * s2 - sy1 * s1) / det;
    fit->A = -(s0 * sy1 - s1 * sy) / det;
    for (int i = 0; i < count; i++) {
        double e = y[i] - fit->K + fit->A * ib_exp(-i * every / fit->tau);
        left += e * e;
    }
    return left;
}

ib__FirstOrder ib__rig_first_order(const double *y, int count, double every)
{
    const double golden = 0.6180339887498949;
    double low = ib_log(every), high = ib_log(100 * every * count);
    ib__FirstOrder fit = {0};
    double mean = 0, all = 0;
    for (int i = 0; i < count; i++) mean += y[i] / count;
    for (int i = 0; i < count; i++) all += (y[i] - mean) * (y[i] - mean);
    double points[2] = {high - golden * (high - low), low + golden * (high - low)}, left[2];
    for (int k = 0; k < 2; k++) {
        fit.tau = ib_exp(points[k]);
        left[k] = fit_linear(y, count, every, &fit);
    }
    for (int i = 0; i < 60; i++) {     // each reduces the range to 0.618 of it: 3e-13 in the end
        int lower = left[0] < left[1]; // the least lies below points[1]
        if (lower)
            high = points[1], points[1] = points[0], left[1] = left[0];
        else
            low = points[0], points[0] = points[1], left[0] = left[1];
        points[!lower] = lower ? high - golden * (high - low) : low + golden * (high - low);
        fit.tau = ib_exp(points[!lower]);
        left[!lower] = fit_linear(y, count, every, &fit);
    }
    fit.tau = ib_exp((low + high) / 2);
    fit.square = 1 - fit_linear(y, count, every, &fit) / all;
    return fit;
}
