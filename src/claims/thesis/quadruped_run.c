// claims/thesis/quadruped_run.c: one leg on a fixed body, one of its joints under a loop [thesis
// 5.4, 5.5.2].
#include "base/extreme.h"
#include "base/maths.h"
#include "claims/thesis/quadruped.h"

#include <math.h>
#include <stdio.h>

// The gain of reference A5, and 0.4 of it, which gives both printed lags at 3 rad/s.
const double ib__leg_gain[IB__Q_LOOPS] = {152.93, 60};
const double ib__leg_damping = 5;

const char ib__leg_text[] = "robot: {kind: quadruped, preset: thesis-leg}\n"
                            "control: {legs: {kind: legs}}\n"
                            "run: {duration: 1 s, step: 1 ms}\n";

ib_Status ib__leg_bench(const char *text, const ib_Override *overrides, int count,
                        ib__LegBench *bench, ib_Error *error)
{
    bench->scenario = ib__claim_load(text, overrides, count, error);
    if (!bench->scenario) return IB_FAILED;
    bench->config = bench->scenario->model->robots[0].config;
    bench->robot = &bench->scenario->model->robots[0];
    bench->model = ib_parts_own(bench->robot->model);
    return IB_OK;
}

void ib__leg_bench_end(ib__LegBench *bench)
{
    ib_scenario_destroy(bench->scenario);
}

// ------------------------------------------------------------------------------------------- tests

double ib__leg_longest(const ib_LinkageModel *k)
{
    double longest = 0, span = k->range[1] - k->range[0];
    for (int i = 0; i <= 1000; i++)
        longest = ib_max(longest, fabs(ib_linkage_at(k, k->range[0] + span * i / 1000).arm));
    return longest;
}

// Volts for a metre of the rod become volts for a radian by the arm: gains at the longest one, and
// a schedule elsewhere. A rod that lowers the angle has gains below 0.
static const char *write_loop(const ib_LinkageModel *k, double gain, ib_Arena *arena)
{
    enum { ROWS = 7 };
    double longest = ib__leg_longest(k);
    double low = k->range[0], apart = (k->range[1] - low) / (ROWS - 1);
    char rows[ROWS * 40];
    int used = 0;
    for (int i = 0; i < ROWS; i++) {
        double th = low + apart * i;
        used += snprintf(rows + used, sizeof rows - (size_t)used, "%s[%.6f rad, %.6f]",
                         i ? ", " : "", th, fabs(ib_linkage_at(k, th).arm) / longest);
    }
    return ib_arena_format(arena,
                           "{kind: pva, kp: %.8f V/rad, kv: %.8f V*s/rad, period: 1 ms, "
                           "schedule: {kp: [%s], kv: [%s]}}",
                           k->sign * gain * longest, k->sign * ib__leg_damping * longest, rows,
                           rows);
}

// The rods of the others are out, or go there: alpha 90, beta -1, gamma 17 deg.
static const char *write_test(const ib__LegBench *bench, const ib__LegTest *test, ib_Arena *arena)
{
    static const double out[IB_LEG_JOINTS] = {90, -1, 17};
    const char *name = ib_leg_joints[test->joint];
    const char *loop = write_loop(&bench->model->joints[test->joint].linkage, test->gain, arena);
    double at[IB_LEG_JOINTS];
    char others[80];
    int used = 0;
    for (int j = 0; j < IB_LEG_JOINTS; j++) {
        at[j] = j == test->joint ? test->start : test->others ? test->others[j] : out[j];
        if (j == test->joint) continue;
        used += snprintf(others + used, sizeof others - (size_t)used, "leg.fr.%s: 10 V, ",
                         ib_leg_joints[j]);
    }
    if (!loop) return NULL;
    return ib_arena_format(arena,
                           "robot: {kind: quadruped, preset: thesis-leg}\n"
                           "start: {z: 0.8 m, alpha: %.9g deg, beta: %.9g deg, gamma: %.9g deg}\n"
                           "control: {leg.fr.%s: %s}\ninputs: {%sleg.fr.%s.goal: %s}\n"
                           "run: {duration: %.9g s, step: %s}\n",
                           at[0], at[1], at[2], name, loop, others, name, test->goal,
                           test->duration, test->step);
}

ib_Status ib__leg_test(const ib__LegBench *bench, const ib__LegTest *test, double from,
                       double every, ib_Arena *arena, ib__RigTrace *trace, ib_Error *error)
{
    static const char *const formats[IB__LEG_COLUMNS] = {
        IB_NAME_LEG("fr", "%s", "angle"), IB_NAME_LEG("fr", "%s", IB_NAME_CAP("pressure")),
        IB_NAME_LEG("fr", "%s", IB_NAME_ROD("pressure"))};
    const char **signals = ib_arena_array(arena, IB__LEG_COLUMNS + 1, sizeof *signals);
    const char *text = write_test(bench, test, arena);
    bool room = signals && text;
    for (int i = 0; i < IB__LEG_COLUMNS && room; i++) {
        signals[i] = ib_arena_format(arena, formats[i], ib_leg_joints[test->joint]);
        room = signals[i] != NULL;
    }
    if (!room) return ib_error_set(error, IB_FAILED, "out of memory");
    *trace = (ib__RigTrace){.signals = signals, .from = from, .every = every};
    trace->count = (int)floor((test->duration - from) / every + 1e-6) + 1;
    ib_Status status = ib__rig_trace(text, &test->changes, arena, trace, error);
    if (status != IB_OK) return status;
    for (int i = 0; i < trace->count; i++) {
        trace->column[IB__LEG_ANGLE][i] *= 180 / M_PI;
        trace->column[IB__LEG_CAP][i] /= IB__PSI;
        trace->column[IB__LEG_ROD][i] /= IB__PSI;
    }
    return IB_OK;
}

// ---------------------------------------------------------------------------------------- measures

static double mean_of(const double *y, int count)
{
    double mean = 0;
    for (int i = 0; i < count; i++) mean += y[i] / count;
    return mean;
}

double ib__leg_rms(const double *y, int count)
{
    double mean = mean_of(y, count), sum = 0;
    for (int i = 0; i < count; i++) sum += (y[i] - mean) * (y[i] - mean);
    return sqrt(sum / count);
}

double ib__leg_apart(const ib__RigTrace *a, const ib__RigTrace *b)
{
    int count = a->count < b->count ? a->count : b->count;
    double sum = 0;
    for (int i = 0; i < count; i++) {
        double off = a->column[IB__LEG_ANGLE][i] - b->column[IB__LEG_ANGLE][i];
        sum += off * off;
    }
    return sqrt(sum / count);
}

double ib__leg_frequency(const double *y, int count, double every)
{
    double mean = mean_of(y, count);
    int first = -1, last = 0, passes = 0;
    for (int i = 1; i < count; i++) {
        if ((y[i - 1] < mean) == (y[i] < mean)) continue;
        if (first < 0) first = i;
        last = i, passes++;
    }
    return passes > 1 ? (passes - 1) / (2 * every * (last - first)) : 0;
}

//   a = sum y sin,  b = sum y cos,  over whole periods, the mean left out
double ib__leg_fundamental(const double *y, int count, double from, double every, double w,
                           double *amplitude)
{
    double a = 0, b = 0, mean = mean_of(y, count);
    for (int i = 0; i < count; i++) {
        double s, c;
        ib_sincos(w * (from + i * every), &s, &c);
        a += (y[i] - mean) * s, b += (y[i] - mean) * c;
    }
    *amplitude = 2 * sqrt(a * a + b * b) / count;
    return ib_atan2(b, a);
}

ib__LegStep ib__leg_step(const ib__RigTrace *trace, const double *goals, int index)
{
    const double rest = 0.3, every = trace->every;
    const double *y = trace->column[IB__LEG_ANGLE];
    int from = (int)floor((ib__leg_step_first + index * ib__leg_step_every) / every + 0.5);
    int count = (int)floor(ib__leg_step_every / every + 0.5);
    int last = count - (int)floor(rest / every + 0.5);
    double begin = y[from], way = goals[index + 1] - begin, low = NAN, high = NAN;
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < count; i++) {
        double part = (y[from + i] - begin) / way;
        if (isnan(low) && part >= 0.1) low = i * every;
        if (isnan(high) && part >= 0.9) high = i * every;
        if (i < last) continue;
        least = ib_min(least, y[from + i]), most = ib_max(most, y[from + i]);
    }
    return (ib__LegStep){high - low, most - least};
}
