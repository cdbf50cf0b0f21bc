// design/arm/arm_search.c: evolves shapes from each kind of detour, and continues with the best.
#include "design/arm/arm_search.h"

#include "base/arena.h"
#include "base/extreme.h"
#include "design/arm/arm_curve.h"
#include "design/arm/arm_estimate.h"
#include "design/arm/arm_evolve.h"

#include <math.h>
#include <string.h>

enum {
    ROUNDS = 3,  ///< each halves the number of kinds
    REPAIRS = 4, ///< further searches after a path that fails its proof
    FINE = 10,   ///< checked instants of a cell
};

// Largest length of a starting detour over the shortest.
static const double TOO_LONG = 1.75;

// Largest curvature of a path [1/rad]: a turn within less than 0.1 rad would need more points than
// the planner has, and gains nothing, as the arm is slow there.
static const double MOST_BEND = 10;

// Largest used part of a limit on a proven path.
static const double MOST_PART = 1 + 8e-5;

// The distance between the points of a shape can be smaller than at them: by (l1 + l2)/8 of the
// square of a cell's length and a little for the turn of the arm about a disc.
static double between_points(const ib_ArmScene *scene, double cell)
{
    return 0.5 * (scene->length[0] + scene->length[1]) * cell * cell;
}

ib_ArmSearchConfig ib_arm_search_default(void)
{
    return (ib_ArmSearchConfig){
        .controls = 6, .points = 128, .children = 24000, .step = 0.05, .seed = 19};
}

static ib_Status check(const ib_ArmSearchConfig *config, ib_Error *error)
{
    if (config->controls < 2 || config->controls > IB_ARM_CONTROLS - 4)
        return ib_error_set(error, IB_BAD_INPUT,
                            "a search with %d control points: expected from 2 to %d",
                            config->controls, IB_ARM_CONTROLS - 4);
    if (config->points < 20 || config->points > IB_ARM_CURVE_POINTS)
        return ib_error_set(error, IB_BAD_INPUT, "a search on %d points: expected from 20 to %d",
                            config->points, IB_ARM_CURVE_POINTS);
    if (config->children < 0 || !(config->step > 0))
        return ib_error_set(error, IB_BAD_INPUT,
                            "a search of %d children with steps of %g rad: expected >= 0 and > 0",
                            config->children, config->step);
    return IB_OK;
}

// ------------------------------------------------------------------------------------------- worth

// The data for the value of a child.
typedef struct Nursery {
    const ib_ArmTask *task;
    double margin, bend; ///< least margin [m], [rad]; largest curvature [1/rad]
    ib_ArmCurveTable *table;
    ib_ArmPoint *points;
    ib_ArmFrame *frames;
    double *speeds;
    int children;
} Nursery;

static ib_ArmCurveShape shape_of(const ib_ArmErrand *errand, int controls, const double *x)
{
    ib_ArmCurveShape shape = {.controls = controls};
    for (int i = 0; i < 2; i++) {
        shape.c[0][i] = errand->start[i];
        shape.c[controls - 1][i] = errand->goal[i];
        for (int k = 1; k < controls - 1; k++) shape.c[k][i] = x[2 * (k - 1) + i];
    }
    return shape;
}

// The sum over a shape's points of missing distance and excess curvature. No point of the arm moves
// further than l1 |d th1| + l2 |d th2|, no angle than |d th1| + |d th2|: near a place with enough
// room the distance need not be computed. A nanometre covers rounding.
static double breach_of(const Nursery *nursery, const ib_ArmPath *path)
{
    const ib_ArmScene *scene = &nursery->task->scene;
    const double *asked = path->points[0].th;
    double breach = 0, spare = 0;
    for (int k = 0; k < path->count; k++) {
        const ib_ArmPoint *point = &path->points[k];
        double d[2] = {fabs(point->th[0] - asked[0]), fabs(point->th[1] - asked[1])};
        double moved = ib_max(scene->length[0] * d[0] + scene->length[1] * d[1], d[0] + d[1]);
        bool end = k == 0 || k == path->count - 1;
        if (!end && !(moved + 1e-9 < spare)) {
            asked = point->th;
            spare = ib_arm_scene_near(scene, asked).distance - nursery->margin;
            breach += ib_max(-spare, 0);
        }
        double bend = sqrt(point->bend[0] * point->bend[0] + point->bend[1] * point->bend[1]);
        breach += ib_max(bend / nursery->bend - 1, 0);
    }
    return breach;
}

// The time of a feasible shape.
static ib_Worth worth_of(void *context, const double *x)
{
    Nursery *nursery = context;
    const ib_ArmTask *task = nursery->task;
    int count = nursery->table->count;
    ib_ArmCurveShape shape = shape_of(&task->errand, nursery->table->controls, x);
    ib_ArmPath path = {count, nursery->points};
    nursery->children++;
    if (!ib_arm_curve_points(nursery->table, &shape, nursery->points))
        return (ib_Worth){.breach = 1e6};
    double breach = breach_of(nursery, &path);
    if (breach > 0) return (ib_Worth){.breach = breach};
    double t = ib_arm_estimate(&task->arm, &task->limits, &path, nursery->frames, nursery->speeds);
    return (ib_Worth){.value = t, .breach = t < INFINITY ? 0 : 1e-9};
}

// ------------------------------------------------------------------------------------------- begin

// Puts control points on the detour after equal parts of its length.
static void begin_on(const ib_ArmDetour *detour, int controls, double *x)
{
    const ib_ArmPlaces *places = &detour->places;
    int line = 0;
    double before = 0, length = 0;
    for (int k = 1; k < controls - 1; k++) {
        double at = detour->length * k / (controls - 1), d[2];
        for (;; line++, before += length) {
            for (int i = 0; i < 2; i++) d[i] = places->th[line + 1][i] - places->th[line][i];
            length = sqrt(d[0] * d[0] + d[1] * d[1]);
            if (at <= before + length || line + 2 == places->count) break;
        }
        for (int i = 0; i < 2; i++)
            x[2 * (k - 1) + i] = places->th[line][i] + d[i] * (at - before) / length;
    }
}

// ------------------------------------------------------------------------------------------ search

static int best_of(const ib_Evolve *broods, int count, const bool *out)
{
    int best = -1;
    for (int k = 0; k < count; k++) {
        if (out[k]) continue;
        if (best < 0 || ib_worth_better(broods[k].worth, broods[best].worth)) best = k;
    }
    return best;
}

// Runs one evolution for every kind. A third of all children go to each round, in equal parts; the
// worse half of the kinds is dropped after it.
static int breed(Nursery *nursery, const ib_ArmSearchConfig *config, ib_Evolve *broods, int kinds)
{
    bool out[IB_ARM_DETOURS] = {false};
    int left = kinds;
    for (int round = 0; round < ROUNDS; round++) {
        for (int k = 0; k < kinds; k++)
            if (!out[k])
                ib_evolve_run(&broods[k], config->children / (ROUNDS * left), worth_of, nursery);
        bool next[IB_ARM_DETOURS];
        for (int k = 0; k < kinds; k++) next[k] = true;
        int keep = round + 2 < ROUNDS ? (left + 1) / 2 : 1;
        for (int n = 0; n < keep; n++) {
            int best = best_of(broods, kinds, out);
            next[best] = false;
            out[best] = true;
        }
        for (int k = 0; k < kinds; k++) out[k] = next[k];
        left = keep;
    }
    return best_of(broods, kinds, out);
}

// The best shape as a path of equal distances, with its times and its proof. IB_BAD_INPUT: the
// proof fails.
static ib_Status finish(const Nursery *nursery, const double *x, int count, ib_ArmPoint *points,
                        ib_ArmTiming *timing, ib_ArmSearch *found, ib_Error *error)
{
    const ib_ArmTask *task = nursery->task;
    ib_ArmCurveShape shape = shape_of(&task->errand, nursery->table->controls, x);
    ib_Status status = ib_arm_path_sampled(ib_arm_curve_at, &shape, 0, 1, count, points, error);
    if (status != IB_OK) return status;
    ib_ArmPath path = {count, points};
    ib_ArmNear near = ib_arm_scene_along(&task->scene, &path);
    double keeps = task->errand.margin - IB_ARM_SCENE_EXACT;
    if (near.distance < keeps)
        return ib_arm_scene_refuse(&task->scene, &near, task->errand.margin,
                                   "the best way that was found", error);
    ib_ArmVerdict verdict =
        ib_arm_plan_reach(&task->arm, &task->limits, &path, (ib_ArmEnds){0, 0}, timing);
    if (verdict.fault == IB_ARM_FINE) found->proof = ib_arm_proof(task, &path, timing, FINE);
    // Weak arms: control/arm/arm_plan.h.
    if (verdict.fault != IB_ARM_FINE || found->proof.part > MOST_PART) {
        verdict = ib_arm_plan_even(&task->arm, &task->limits, &path, timing);
        if (verdict.fault == IB_ARM_FINE) found->proof = ib_arm_proof(task, &path, timing, FINE);
    }
    if (verdict.fault != IB_ARM_FINE)
        return ib_error_set(
            error, IB_BAD_INPUT,
            "joint %d needs %.3g times its limits at (%.4g, %.4g) rad on the best way "
            "that was found: expected limits that allow one",
            verdict.joint + 1, verdict.needs, points[verdict.point].th[0],
            points[verdict.point].th[1]);
    found->duration = timing->t[count - 1];
    if (found->proof.part > MOST_PART)
        return ib_error_set(error, IB_BAD_INPUT,
                            "joint %d needs %.6g times its %s at %.4g s on the best way that was "
                            "found: expected at most 1; plan it on more points",
                            found->proof.joint + 1, found->proof.part, found->proof.limit,
                            found->proof.t);
    return found->proof.near.least >= task->errand.margin
               ? IB_OK
               : ib_arm_scene_refuse(&task->scene, &found->proof.near,
                                     task->errand.margin + IB_ARM_SCENE_EXACT,
                                     "the best way that was found", error);
}

// Searches, and checks the result as a path of many points. If that is too near between the points
// of a shape, or beyond its limits, the best continues with more margin and less curvature.
static ib_Status search_with(Nursery *nursery, const ib_ArmSearchConfig *config,
                             const ib_ArmDetour *detours, ib_Evolve *broods, int count,
                             ib_ArmPoint *points, ib_ArmTiming *timing, ib_ArmSearch *found,
                             ib_Error *error)
{
    const ib_ArmTask *task = nursery->task;
    int controls = config->controls + 2, n = 2 * config->controls;
    double x[IB_EVOLVE_MOST], more;
    more = between_points(&task->scene, detours[0].length / (config->points - 1));
    nursery->margin = task->errand.margin + more;
    nursery->bend = MOST_BEND;
    ib_arm_curve_table(controls, config->points, nursery->table);
    for (int k = 0; k < found->kinds; k++) {
        begin_on(&detours[k], controls, x);
        ib_evolve_init(&broods[k], n, x, config->step, config->seed + (uint64_t)k, worth_of,
                       nursery);
    }
    found->kind = breed(nursery, config, broods, found->kinds);
    ib_Evolve *best = &broods[found->kind];
    ib_Status status = IB_BAD_INPUT;
    for (int repair = 0; repair <= REPAIRS && status == IB_BAD_INPUT; repair++) {
        if (repair > 0) {
            more *= 2;
            nursery->margin = task->errand.margin + more;
            nursery->bend *= 0.75;
            memcpy(x, best->best, sizeof x);
            ib_evolve_init(best, n, x, 0.2 * config->step, config->seed + 100 + (uint64_t)repair,
                           worth_of, nursery);
            ib_evolve_run(best, config->children / 8, worth_of, nursery);
        }
        // An infeasible shape is evaluated as well, for the error message.
        status = finish(nursery, best->best, count, points, timing, found, error);
    }
    found->children = nursery->children;
    return status;
}

ib_Status ib_arm_search(const ib_ArmTask *task, const ib_ArmSearchConfig *config, int count,
                        ib_ArmPoint *points, ib_ArmTiming *timing, ib_ArmSearch *found,
                        ib_Error *error)
{
    ib_ArmDetour detours[IB_ARM_DETOURS];
    *found = (ib_ArmSearch){0};
    ib_Status status = check(config, error);
    if (status == IB_OK) status = ib_arm_scene_check(&task->scene, error);
    if (status == IB_OK)
        status = ib_arm_detours_find(&task->scene, &task->errand, detours, &found->kinds, error);
    if (status != IB_OK) return status;
    while (detours[found->kinds - 1].length > TOO_LONG * detours[0].length) found->kinds--;

    ib_Arena arena = {0};
    size_t n = (size_t)config->points;
    Nursery nursery = {.task = task,
                       .table = ib_arena_alloc(&arena, sizeof(ib_ArmCurveTable)),
                       .points = ib_arena_array(&arena, n, sizeof(ib_ArmPoint)),
                       .frames = ib_arena_array(&arena, n, sizeof(ib_ArmFrame)),
                       .speeds = ib_arena_array(&arena, n, sizeof(double))};
    ib_Evolve *broods = ib_arena_array(&arena, (size_t)found->kinds, sizeof *broods);
    if (!nursery.table || !nursery.points || !nursery.frames || !nursery.speeds || !broods)
        status = ib_error_set(error, IB_FAILED, "no memory for the search of an arm's path");
    else
        status =
            search_with(&nursery, config, detours, broods, count, points, timing, found, error);
    ib_arena_reset(&arena);
    return status;
}
