// claims/thesis/quadruped_alpha.c: the alpha joint's limit cycle, in steps and on the walking
// motion, at full gain and at 75 % of it [thesis 5.5.2.3, 5.5.2.4, 6.4].
#include "base/extreme.h"
#include "base/maths.h"
#include "claims/thesis/quadruped.h"

#include <math.h>

const double ib__alpha_steps[2] = {0, 30}; // at 0.5 s [deg]

static const double sample = 1e-3; // [s]
static const double less = 0.75;   // of the gain, for "reduced by 25 %"

// ------------------------------------------------------------------------------------------- steps

// A step at 0.5 s and the remaining oscillation from 2 s on.
static ib_Status step(const ib__LegBench *leg, double gain, const char *length, ib_Arena *arena,
                      ib__RigTrace *trace, ib_Error *error)
{
    ib__LegTest test = {.joint = IB_LEG_ALPHA,
                        .gain = gain,
                        .start = ib__alpha_steps[0],
                        .duration = 4,
                        .step = length,
                        .goal = "[[0 s, 0 deg], [0.5 s, 30 deg]]"};
    return ib__leg_test(leg, &test, 0, sample, arena, trace, error);
}

static ib_Status cycle(const ib__LegBench *leg, ib_ClaimValue *found, ib__QuadrupedDetails *details,
                       ib_Arena *arena, ib_Error *error)
{
    const int from = 2000, count = 2000;
    double gain = ib__leg_gain[IB__Q_RIG];
    ib__RigTrace fine, *full = &details->alpha[0], *reduced = &details->alpha[1];
    ib_Status status = step(leg, gain, "1 ms", arena, full, error);
    if (status == IB_OK) status = step(leg, less * gain, "1 ms", arena, reduced, error);
    if (status == IB_OK) status = step(leg, gain, "0.25 ms", arena, &fine, error);
    if (status != IB_OK) return status;
    const double *y = full->column[IB__LEG_ANGLE] + from;
    double rms = ib__leg_rms(y, count), most = 0;
    for (int i = 0; i < full->count; i++) most = ib_max(most, full->column[IB__LEG_ROD][i]);
    ib__quadruped_put(found, IB__Q_CYCLE, rms);
    ib__quadruped_put(found, IB__Q_CYCLE_RATE, ib__leg_frequency(y, count, sample));
    ib__quadruped_put(found, IB__Q_CYCLE_FINE,
                      ib__leg_rms(fine.column[IB__LEG_ANGLE] + from, count) / rms);
    ib__quadruped_put(found, IB__Q_CYCLE_LESS,
                      ib__leg_rms(reduced->column[IB__LEG_ANGLE] + from, count));
    ib__quadruped_put(found, IB__Q_ROD_ALPHA, most);
    return IB_OK;
}

// ----------------------------------------------------------------------------------------- walking

// One joint's gains of the legs' own loop, which schedules them over the arm itself.
static const char *write_gains(const ib__LegBench *leg, int joint, double gain, ib_Arena *arena)
{
    const ib_LinkageModel *k = &leg->model->joints[joint].linkage;
    double longest = ib__leg_longest(k);
    return ib_arena_format(arena,
                           "{kp: %.8f V/rad, ki: 0 V/(rad*s), kv: %.8f V*s/rad, "
                           "kpressure: 0 V/Pa, feedforward: 0 V*s/rad}",
                           gain * longest, ib__leg_damping * longest);
}

// Three medium and three fast cycles of the foot, then rest; angles and their errors [deg].
static ib_Status walk(const ib__LegBench *leg, double gain, ib_Arena *arena, ib__RigTrace *trace,
                      ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_LEG("fr", "alpha", "angle"),
                                          IB_NAME_LEG("fr", "beta", "angle"),
                                          IB_NAME_LEG("fr", "gamma", "angle"),
                                          "control."
                                          "legs"
                                          ".fr.alpha.error",
                                          "control."
                                          "legs"
                                          ".fr.beta.error",
                                          "control."
                                          "legs"
                                          ".fr.gamma.error",
                                          NULL};
    const char *gains[IB_LEG_JOINTS];
    bool room = true;
    for (int j = 0; j < IB_LEG_JOINTS; j++) {
        double own = j == IB_LEG_ALPHA ? gain : ib__leg_gain[IB__Q_RIG];
        gains[j] = write_gains(leg, j, own, arena);
        room = room && gains[j];
    }
    const char *text =
        room ? ib_arena_format(
                   arena,
                   "robot: {kind: quadruped, preset: thesis-leg}\n"
                   "start: {z: 0.8 m, alpha: 0 deg, beta: -40 deg, gamma: 70 deg}\n"
                   "control: {legs: {kind: legs, mode: foot_path, alpha: %s, beta: %s, gamma: %s, "
                   "foot_path: {start: 1 s, slow: 0 s, medium: 2 s, fast: 1 s, cycles: 3}}}\n"
                   "run: {duration: 11 s, step: 1 ms}\n",
                   gains[0], gains[1], gains[2])
             : NULL;
    if (!text) return ib_error_set(error, IB_FAILED, "out of memory");
    *trace = (ib__RigTrace){.signals = signals, .from = 1, .every = 5e-3, .count = 2001};
    ib_Status status = ib__rig_trace(text, &(ib__RigChanges){0}, arena, trace, error);
    for (int k = 0; k < 6 && status == IB_OK; k++)
        for (int i = 0; i < trace->count; i++) trace->column[k][i] *= 180 / M_PI;
    return status;
}

static double rms(const double *y, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++) sum += y[i] * y[i];
    return sqrt(sum / count);
}

static ib_Status walks(const ib__LegBench *leg, ib_ClaimValue *found, ib__QuadrupedDetails *details,
                       ib_Arena *arena, ib_Error *error)
{
    const int moving = 1800; // 9 s of cycles; it stands in the last 0.8 s
    for (int i = 0; i < 2; i++) {
        ib__RigTrace *trace = &details->walk[i];
        ib_Status status = walk(leg, (i ? less : 1) * ib__leg_gain[IB__Q_RIG], arena, trace, error);
        if (status != IB_OK) return status;
        for (int j = 0; j < IB_LEG_JOINTS; j++)
            ib__quadruped_put(found, (i ? IB__Q_WALK_LESS : IB__Q_WALK_FULL) + j,
                              rms(trace->column[3 + j], moving));
        ib__quadruped_put(found, i ? IB__Q_WALK_CALM : IB__Q_WALK_CYCLE,
                          ib__leg_rms(trace->column[0] + 1840, trace->count - 1840));
    }
    return IB_OK;
}

ib_Status ib__quadruped_claims_alpha(const ib__LegBench *leg, ib_ClaimValue *found,
                                     ib__QuadrupedDetails *details, ib_Arena *arena,
                                     ib_Error *error)
{
    ib_Status status = cycle(leg, found, details, arena, error);
    if (status == IB_OK) status = walks(leg, found, details, arena, error);
    // The margin is the allowed growth of the gain: cut to 75 %, it may grow by 1/0.75 more.
    found[IB__Q_GAIN_MARGIN] = (ib_ClaimValue){{1 / less, less, NAN}};
    return status;
}
