// claims/thesis/quadruped_steps.c: steps of the gamma and beta joints, with simpler models as well,
// and the pressure due to a moving link [thesis 5.5.2, 5.5.3].
#include "base/extreme.h"
#include "base/maths.h"
#include "claims/thesis/quadruped.h"

#include <math.h>
#include <stdio.h>

const double ib__gamma_steps[1 + IB__LEG_STEPS] = {25, 85, 55, 75, 35, 45};
const double ib__beta_steps[1 + IB__LEG_STEPS] = {-60, -10, -35, -20, -50, -40};
const double ib__leg_step_first = 0.5, ib__leg_step_every = 1.5;

static const double sample = 1e-3; // [s]

static const char *write_goals(const double *goals, ib_Arena *arena)
{
    char text[1 + 40 * (1 + IB__LEG_STEPS)];
    int used = snprintf(text, sizeof text, "[");
    for (int i = 0; i <= IB__LEG_STEPS; i++) {
        double when = i ? ib__leg_step_first + (i - 1) * ib__leg_step_every : 0;
        used += snprintf(text + used, sizeof text - (size_t)used, "%s[%.9g s, %.9g deg]",
                         i ? ", " : "", when, goals[i]);
    }
    return ib_arena_format(arena, "%s]", text);
}

// ---------------------------------------------------------------------------------------- measures

// Mean, least and largest rise of all steps.
static double rises(const ib__RigTrace *trace, const double *goals, double *least, double *most)
{
    double mean = 0;
    *least = INFINITY, *most = -INFINITY;
    for (int i = 0; i < IB__LEG_STEPS; i++) {
        double rise = ib__leg_step(trace, goals, i).rise;
        mean += rise / IB__LEG_STEPS;
        *least = ib_min(*least, rise), *most = ib_max(*most, rise);
    }
    if (isnan(mean)) *most = NAN; // one never reached its goal
    return mean;
}

static double rest_of(const ib__RigTrace *trace)
{
    double most = 0;
    for (int i = 0; i < IB__LEG_STEPS; i++)
        most = ib_max(most, ib__leg_step(trace, ib__gamma_steps, i).rest);
    return most;
}

static double highest(const double *y, int count)
{
    double most = 0;
    for (int i = 0; i < count; i++) most = ib_max(most, y[i]);
    return most;
}

// ------------------------------------------------------------------------------------------- steps

static ib_Status run_steps(const ib__LegBench *leg, int joint, double gain, const char *path,
                           const char *yaml, ib_Arena *arena, ib__RigTrace *trace, ib_Error *error)
{
    const double *goals = joint == IB_LEG_BETA ? ib__beta_steps : ib__gamma_steps;
    ib__LegTest test = {.joint = joint, .gain = gain, .start = goals[0], .step = "1 ms"};
    test.duration = ib__leg_step_first + IB__LEG_STEPS * ib__leg_step_every;
    test.goal = write_goals(goals, arena);
    if (!test.goal) return ib_error_set(error, IB_FAILED, "out of memory");
    if (path) ib__rig_change(&test.changes, path, yaml);
    return ib__leg_test(leg, &test, 0, sample, arena, trace, error);
}

// The first step with viscous friction at a quarter of the step, from that at 1 ms.
static ib_Status refine(const ib__LegBench *leg, const ib__RigTrace *coarse, ib_ClaimValue *found,
                        ib_Arena *arena, ib_Error *error)
{
    ib__LegTest test = {.joint = IB_LEG_GAMMA,
                        .gain = ib__leg_gain[IB__Q_RIG],
                        .start = ib__gamma_steps[0],
                        .step = "0.25 ms",
                        .duration = ib__leg_step_first + ib__leg_step_every,
                        .goal = write_goals(ib__gamma_steps, arena)};
    ib__RigTrace fine;
    if (!test.goal) return ib_error_set(error, IB_FAILED, "out of memory");
    ib__rig_change(&test.changes, "robot.friction", "thesis-viscous");
    ib_Status status = ib__leg_test(leg, &test, 0, sample, arena, &fine, error);
    if (status == IB_OK) ib__quadruped_put(found, IB__Q_VISCOUS_FINE, ib__leg_apart(coarse, &fine));
    return status;
}

static ib_Status simpler_models(const ib__LegBench *leg, ib_ClaimValue *found,
                                ib__QuadrupedDetails *details, ib_Arena *arena, ib_Error *error)
{
    static const ib_Override changes[3] = {
        {NULL, NULL}, {"robot.valve.law", "linear"}, {"robot.friction", "thesis-viscous"}};
    ib__RigTrace *steps = details->steps;
    ib_Status status = IB_OK;
    for (int i = 0; i < 3 && status == IB_OK; i++) {
        status = run_steps(leg, IB_LEG_GAMMA, ib__leg_gain[IB__Q_RIG], changes[i].path,
                           changes[i].yaml, arena, &steps[i], error);
        if (status != IB_OK) return status;
        ib__quadruped_put(found, IB__Q_END_FULL + i, rest_of(&steps[i]));
    }
    ib__quadruped_put(found, IB__Q_LINEAR_FROM, ib__leg_apart(&steps[0], &steps[1]));
    ib__quadruped_put(found, IB__Q_VISCOUS_FROM, ib__leg_apart(&steps[0], &steps[2]));
    return refine(leg, &steps[2], found, arena, error);
}

static ib_Status step_responses(const ib__LegBench *leg, ib_ClaimValue *found,
                                ib__QuadrupedDetails *details, ib_Arena *arena, ib_Error *error)
{
    double least, most, mean[2];
    for (int i = 0; i < 2; i++) {
        ib_Status status = run_steps(leg, i ? IB_LEG_BETA : IB_LEG_GAMMA, ib__leg_gain[IB__Q_SLOW],
                                     NULL, NULL, arena, &details->slow_steps[i], error);
        if (status != IB_OK) return status;
    }
    for (int loop = 0; loop < IB__Q_LOOPS; loop++) {
        const ib__RigTrace *trace = loop ? &details->slow_steps[0] : &details->steps[0];
        mean[0] = rises(trace, ib__gamma_steps, &least, &most);
        found[IB__Q_RISE_LEAST].form[loop] = least;
        found[IB__Q_RISE_MOST].form[loop] = most;
        found[IB__Q_ROD_STEPS].form[loop] = highest(trace->column[IB__LEG_ROD], trace->count);
    }
    mean[1] = rises(&details->slow_steps[1], ib__beta_steps, &least, &most);
    found[IB__Q_BETA_RISE].form[IB__Q_SLOW] = mean[1] / mean[0];
    return IB_OK;
}

// ---------------------------------------------------------------------------------------- pressure

// A run without a loop: all valves have commands.
static ib_Status throw_valves(const char *start, const char *inputs, const char *const *signals,
                              int count, ib_Arena *arena, ib__RigTrace *trace, ib_Error *error)
{
    const char *text = ib_arena_format(arena,
                                       "robot: {kind: quadruped, preset: thesis-leg}\n"
                                       "start: {z: 0.8 m, %s}\ninputs: {%s}\n"
                                       "run: {duration: %.9g s, step: 1 ms}\n",
                                       start, inputs, sample * count);
    if (!text) return ib_error_set(error, IB_FAILED, "out of memory");
    *trace = (ib__RigTrace){.signals = signals, .every = sample, .count = count};
    return ib__rig_trace(text, &(ib__RigChanges){0}, arena, trace, error);
}

// Gamma is sent to its end as in scenarios/leg_steps.yaml, while the others go to theirs: beta's
// stop whips the tibia, whose piston runs into a rod side that the loop has all but shut.
static ib_Status throw_gamma(const ib__LegBench *leg, ib_ClaimValue *found, ib_Arena *arena,
                             ib_Error *error)
{
    static const double others[IB_LEG_JOINTS] = {0, -40, 70};
    ib__LegTest test = {.joint = IB_LEG_GAMMA,
                        .gain = 0.5 * ib__leg_gain[IB__Q_RIG],
                        .start = others[IB_LEG_GAMMA],
                        .others = others,
                        .goal = "17 deg",
                        .step = "1 ms",
                        .duration = 0.5};
    ib__RigTrace trace;
    ib_Status status = ib__leg_test(leg, &test, 0, sample, arena, &trace, error);
    if (status != IB_OK) return status;
    ib__quadruped_put(found, IB__Q_ROD_GAMMA, highest(trace.column[IB__LEG_ROD], trace.count));
    return IB_OK;
}

// The initialisation of 5.5.2: a fixed command of 10 V from the pose of a standing leg. The result
// is the time at which the last joint is within half a degree of its end.
static ib_Status extend(ib_ClaimValue *found, ib_Arena *arena, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_LEG("fr", "alpha", "angle"),
                                          IB_NAME_LEG("fr", "beta", "angle"),
                                          IB_NAME_LEG("fr", "gamma", "angle"), NULL};
    static const double ends[] = {90, -1, 17};
    ib__RigTrace trace = {0};
    ib_Status status = throw_valves("alpha: 0 deg, beta: -34 deg, gamma: 80 deg",
                                    "leg.fr.alpha: 10 V, leg.fr.beta: 10 V, leg.fr.gamma: 10 V",
                                    signals, 2000, arena, &trace, error);
    int last = 0;
    for (int i = 0; i < trace.count && status == IB_OK; i++)
        for (int j = 0; j < 3; j++)
            if (!(fabs(trace.column[j][i] * 180 / M_PI - ends[j]) < 0.5)) last = i + 1;
    if (last < trace.count) ib__quadruped_put(found, IB__Q_EXTENDED, last * sample);
    return status;
}

ib_Status ib__quadruped_claims_steps(const ib__LegBench *leg, ib_ClaimValue *found,
                                     ib__QuadrupedDetails *details, ib_Arena *arena,
                                     ib_Error *error)
{
    ib_Status status = simpler_models(leg, found, details, arena, error);
    if (status == IB_OK) status = step_responses(leg, found, details, arena, error);
    if (status == IB_OK) status = throw_gamma(leg, found, arena, error);
    if (status == IB_OK) status = extend(found, arena, error);
    // Angle and rate of the joint, and the states of its cylinder's air [4.1.7].
    ib__quadruped_put(found, IB__Q_STATES, 2 + IB_CYLINDER_STATES);
    return status;
}
