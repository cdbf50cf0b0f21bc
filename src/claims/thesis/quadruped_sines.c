// claims/thesis/quadruped_sines.c: joints that follow a sine: their lag, and the effects of a
// slower clock, a network and a supply line [thesis 5.3.2, 5.5.2, 5.5.4].
//
// Neither frequency nor amplitude nor gain is printed. The values used are 5 rad/s, the fastest of
// chapter 4's sines (Figure 27), and its share of the range, two thirds of the half, from 2 s on;
// and 3 rad/s with the slow loop. The lag is that of the fundamental over whole periods.
#include "base/maths.h"
#include "claims/thesis/quadruped.h"

#include <math.h>

static const double begin = 2, sample = 1e-3; // [s]

typedef struct Sine {
    int joint;
    double mean, amplitude; ///< [deg]
} Sine;
static const Sine sines[2] = {{IB_LEG_GAMMA, 56, 26}, {IB_LEG_BETA, -34, 22}};

typedef struct Followed {
    double lag, shrink; ///< [s], response over goal
    ib__RigTrace trace; ///< from `begin` on
} Followed;

// Follows a sine for `periods`, and takes the lag over all but the first.
static ib_Status follow(const ib__LegBench *leg, const Sine *sine, double w, int periods,
                        ib__LegTest *test, ib_Arena *arena, Followed *got, ib_Error *error)
{
    double period = 2 * M_PI / w, phase;
    test->joint = sine->joint, test->start = sine->mean;
    test->duration = begin + periods * period;
    test->goal = ib_arena_format(arena,
                                 "{wave: sine, mean: %.9g deg, amplitude: %.9g deg, "
                                 "angular_frequency: %.9g rad/s, start: %.9g s}",
                                 sine->mean, sine->amplitude, w, begin);
    if (!test->goal) return ib_error_set(error, IB_FAILED, "out of memory");
    if (!test->step) test->step = "1 ms";
    ib_Status status = ib__leg_test(leg, test, begin, sample, arena, &got->trace, error);
    if (status != IB_OK) return status;
    int from = (int)floor(period / sample + 0.5);
    int count = (int)floor((periods - 1) * period / sample + 0.5);
    if (from + count > got->trace.count) count = got->trace.count - from;
    phase = ib__leg_fundamental(got->trace.column[IB__LEG_ANGLE] + from, count, from * sample,
                                sample, w, &got->shrink);
    got->lag = -phase / w;
    got->shrink /= sine->amplitude;
    return IB_OK;
}

// Gamma's sine under other conditions: at 640 Hz, 4 ms late, on a line behind a regulator.
static ib_Status compare(const ib__LegBench *leg, const Followed *plain, ib_ClaimValue *found,
                         ib_Arena *arena, ib_Error *error)
{
    static const ib_Override others[3] = {
        {"control.leg.fr.gamma.period", "1.5625 ms"},
        {"control.leg.fr.gamma.latency", "4 ms"},
        {"robot.supply.volume", "100 cm^3"},
    };
    for (int i = 0; i < 3; i++) {
        ib__LegTest test = {.gain = ib__leg_gain[IB__Q_RIG], .step = i ? "1 ms" : "1.5625 ms"};
        Followed got;
        ib__rig_change(&test.changes, others[i].path, others[i].yaml);
        ib_Status status = follow(leg, &sines[0], 5, 3, &test, arena, &got, error);
        if (status != IB_OK) return status;
        if (i == 1)
            ib__quadruped_put(found, IB__Q_LATER, fabs(got.lag - plain->lag));
        else
            ib__quadruped_put(found, i ? IB__Q_LINE : IB__Q_SLOWER_640,
                              ib__leg_apart(&got.trace, &plain->trace));
    }
    return IB_OK;
}

ib_Status ib__quadruped_claims_sines(const ib__LegBench *leg, ib_ClaimValue *found,
                                     ib__QuadrupedDetails *details, ib_Arena *arena,
                                     ib_Error *error)
{
    static const double w[IB__Q_LOOPS] = {5, 3};
    static const int periods[IB__Q_LOOPS] = {3, 2};
    ib_Status status = IB_OK;
    Followed gamma = {0};
    for (int i = 0; i < 2 * IB__Q_LOOPS && status == IB_OK; i++) {
        int which = i / 2, loop = i % 2;
        ib__LegTest test = {.gain = ib__leg_gain[loop]};
        Followed got = {0};
        status = follow(leg, &sines[which], w[loop], periods[loop], &test, arena, &got, error);
        found[which ? IB__Q_LAG_BETA : IB__Q_LAG_GAMMA].form[loop] = got.lag;
        found[which ? IB__Q_SHRINK_BETA : IB__Q_SHRINK_GAMMA].form[loop] = got.shrink;
        if (loop == IB__Q_RIG) details->sine[which] = got.trace;
        if (i == 0) gamma = got;
    }
    return status == IB_OK ? compare(leg, &gamma, found, arena, error) : status;
}
