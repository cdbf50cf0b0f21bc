// design/arm/arm_proof.c: the used part of every limit on a timed path, recomputed; and the times
// of other ways for the same errand.
#include "base/extreme.h"
#include "design/arm/arm_search.h"

#include <math.h>

enum { PARTS = 10 }; ///< sub-steps of the source's passes in a cell

// ------------------------------------------------------------------------------------------- proof

static void take(ib_ArmProof *proof, double part, const char *limit, int joint, double t)
{
    if (!(part > proof->part)) return;
    proof->part = part;
    proof->limit = limit;
    proof->joint = joint;
    proof->t = t;
}

// Current of all motors of a joint, I = (V - G w/Kv)/R; for a gear known by push and drag alone
// G/Kv is drag/push. Without R it is unknown: 0.
static double current_of(const ib_ArmPlant *arm, int i, double volts, double w)
{
    const ib_GearmotorModel *gear = &arm->gear[i];
    double emf = gear->Kv > 0 ? arm->reduction[i] / gear->Kv : gear->drag / gear->push;
    return gear->R > 0 ? (volts - emf * w) / gear->R : 0;
}

// The battery has U with U^2 - E U + R P = 0, P the power of all motors; a power that it cannot
// give uses an infinite part.
static double sag_part(const ib_ArmLimits *limits, const double volts[2], const double current[2])
{
    double E = limits->battery, P = volts[0] * current[0] + volts[1] * current[1];
    double square = E * E - 4 * limits->resistance * P;
    if (square < 0) return INFINITY;
    return ib_max(fabs(volts[0]), fabs(volts[1])) / (0.5 * (E + sqrt(square)));
}

static void prove_at(const ib_ArmTask *task, const ib_ArmSample *at, double t, ib_ArmProof *proof)
{
    const ib_ArmLimits *limits = &task->limits;
    double volts[2], current[2], ellipse = 0;
    // The volts are recomputed from the accelerations by the inverse dynamics.
    ib_arm_volts(&task->arm, at->th, at->w, at->a, volts);
    for (int i = 0; i < 2; i++) {
        current[i] = current_of(&task->arm, i, volts[i], at->w[i]);
        proof->volts[i] = ib_max(proof->volts[i], fabs(volts[i]));
        proof->current[i] = ib_max(proof->current[i], fabs(current[i]));
        proof->speed[i] = ib_max(proof->speed[i], fabs(at->w[i]));
        take(proof, fabs(volts[i]) / limits->volts[i], "voltage", i, t);
        take(proof, fabs(current[i]) / limits->current[i], "current", i, t);
        take(proof, fabs(at->w[i]) / limits->speed[i], "speed", i, t);
        double share = at->a[i] / limits->acceleration[i];
        ellipse += share * share;
    }
    proof->acceleration = ib_max(proof->acceleration, sqrt(ellipse));
    take(proof, sqrt(ellipse), "acceleration", 0, t);
    if (!(limits->resistance > 0)) return;
    double sag = sag_part(limits, volts, current);
    proof->sag = ib_max(proof->sag, sag);
    take(proof, sag, "battery", 0, t);
}

ib_ArmProof ib_arm_proof(const ib_ArmTask *task, const ib_ArmPath *path, const ib_ArmTiming *timing,
                         int fine)
{
    ib_ArmProof proof = {.limit = "none"};
    int hint = 0;
    for (int k = 0; k + 1 < path->count; k++)
        for (int n = 0; n <= fine; n++) {
            double t = timing->t[k] + (timing->t[k + 1] - timing->t[k]) * n / fine;
            ib_ArmSample at = ib_arm_sample(&task->arm, path, timing, t, &hint);
            prove_at(task, &at, t, &proof);
        }
    proof.near = ib_arm_scene_along(&task->scene, path);
    return proof;
}

// ------------------------------------------------------------------------------------- comparisons

static double duration_of(ib_ArmVerdict verdict, const ib_ArmTiming *timing, int count)
{
    return verdict.fault == IB_ARM_FINE ? timing->t[count - 1] : INFINITY;
}

// The time from rest to rest: for weak arms the plan with one rate in each cell may be faster.
static double reach_time(const ib_ArmTask *task, const ib_ArmPath *path, ib_ArmTiming *timing)
{
    const ib_ArmEnds rest = {0, 0};
    double reach = duration_of(ib_arm_plan_reach(&task->arm, &task->limits, path, rest, timing),
                               timing, path->count);
    double even =
        duration_of(ib_arm_plan_even(&task->arm, &task->limits, path, timing), timing, path->count);
    return ib_min(reach, even);
}

ib_Status ib_arm_baseline(const ib_ArmTask *task, double radius, int count, ib_ArmPoint *points,
                          ib_ArmTiming *timing, ib_ArmBaseline *baseline, ib_Error *error)
{
    const ib_ArmErrand *errand = &task->errand;
    ib_ArmPath path = {count, points};
    ib_ArmDetour detours[IB_ARM_DETOURS];
    int kinds;
    *baseline = (ib_ArmBaseline){0};
    baseline->near = ib_arm_scene_line(&task->scene, errand->start, errand->goal);
    ib_Status status = ib_arm_path_straight(errand->start, errand->goal, count, points, error);
    if (status != IB_OK) return status;
    baseline->straight = reach_time(task, &path, timing);

    status = ib_arm_detours_find(&task->scene, errand, detours, &kinds, error);
    if (status != IB_OK) return status;
    baseline->detour = detours[0];
    if (detours[0].places.count > 2)
        status = ib_arm_detour_round(&task->scene, errand, &detours[0], radius, &baseline->detour,
                                     error);
    if (status == IB_OK) status = ib_arm_detour_path(&baseline->detour, count, points, error);
    if (status != IB_OK) return status;
    baseline->passes = duration_of(
        ib_arm_plan_passes(&task->arm, &task->limits, &path, PARTS, timing), timing, count);
    baseline->reach = reach_time(task, &path, timing);
    return IB_OK;
}
