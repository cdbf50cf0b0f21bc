// desk/plan/plan_times.c: the times of a way of a plan: the fastest found within its limits,
// checked on the plant.
#include "base/extreme.h"
#include "desk/plan/plan_inside.h"

#include <math.h>
#include <string.h>

// Largest used part of a limit: control/arm/arm_plan.h has 4e-5 in short cells.
static const double KEPT = 1 + 2e-4;

// Largest time over that of the passes: a slower plan is searched again. The passes slightly exceed
// their limits, but are slower than necessary.
static const double SLOW = 1.01;

enum { FINER = 2 }; ///< halvings of the cells

typedef struct Work {
    ib__PlanReader *plan;
    const ib__PlanShape *shape;
    ib_PlanWay *way;
    double fair; ///< time of passes that hardly exceed their limits [s]; infinite: not known
} Work;

bool ib__plan_timing(ib__PlanReader *plan, int count, ib_ArmTiming *timing)
{
    ib_Arena *arena = plan->reader->arena;
    timing->v = ib_arena_array(arena, (size_t)count, sizeof *timing->v);
    timing->t = ib_arena_array(arena, (size_t)count, sizeof *timing->t);
    timing->work = ib_arena_array(arena, (size_t)count, 4 * sizeof *timing->work);
    return timing->v && timing->t && timing->work;
}

// ------------------------------------------------------------------------------------------- times

static void take_figures(const Work *work, const ib_ArmPath *path, ib_PlanTimed *timed)
{
    const ib_ArmPlan *plan = &work->plan->plan->plan;
    timed->given = timed->verdict.fault == IB_ARM_FINE;
    if (timed->given)
        ib_arm_figures(&plan->plant, &plan->limits, path, &timed->timing, IB_PLAN_PARTS,
                       &timed->figures);
}

// The passes leave their speeds in their scratch memory.
static void take_passes(const Work *work)
{
    const ib_ArmPlan *plan = &work->plan->plan->plan;
    ib_PlanWay *way = work->way;
    ib_PlanTimed *passes = &way->passes;
    passes->verdict =
        ib_arm_plan_passes(&plan->plant, &plan->limits, &way->path, IB_PLAN_PARTS, &passes->timing);
    passes->given = passes->verdict.fault == IB_ARM_FINE;
    if (!passes->given) return;
    if (work->plan->use == IB_PLAN_FOR_PEOPLE)
        take_figures(work, &way->path, passes);
    else
        passes->figures = (ib_ArmFigures){.time = passes->timing.t[way->path.count - 1]};
    way->lines = (ib_PlanPasses){passes->timing.work, passes->timing.work + way->path.count,
                                 passes->timing.v};
}

// -------------------------------------------------------------------------------------- once again

static bool is_kept(const ib_PlanTimed *timed)
{
    const ib_ArmFigures *figures = &timed->figures;
    return figures->part[ib_arm_figures_tightest(figures)].value <= KEPT;
}

// The passes' bound is up to sqrt 2 larger than the ellipse of accelerations: with half its area
// they keep to it.
static double fair_time(const Work *work)
{
    const ib_ArmPlan *plan = &work->plan->plan->plan;
    const ib_PlanWay *way = work->way;
    const ib_PlanTimed *passes = &way->passes;
    ib_ArmLimits limits = plan->limits;
    ib_ArmTiming timing;
    bool round = limits.acceleration[0] < INFINITY || limits.acceleration[1] < INFINITY;
    if (!passes->given) return INFINITY;
    if (!round) return passes->figures.time;
    for (int i = 0; i < 2; i++) limits.acceleration[i] *= 0.7071;
    if (!ib__plan_timing(work->plan, way->path.count, &timing)) return INFINITY;
    ib_ArmVerdict verdict =
        ib_arm_plan_passes(&plan->plant, &limits, &way->path, IB_PLAN_PARTS, &timing);
    return verdict.fault == IB_ARM_FINE ? timing.t[way->path.count - 1] : INFINITY;
}

static bool is_slow(const Work *work, double than)
{
    return work->way->reach.figures.time > SLOW * than;
}

static bool is_good(const Work *work)
{
    const ib_PlanTimed *timed = &work->way->reach;
    return timed->given && is_kept(timed) && !is_slow(work, work->fair);
}

// True if `one` is better: existence counts first, then its limits, then its time.
static bool is_better(const ib_PlanTimed *one, const ib_PlanTimed *than)
{
    if (!one->given || !than->given) return one->given;
    bool kept = is_kept(one);
    return kept == is_kept(than) ? one->figures.time < than->figures.time : kept;
}

// Times a path by reachability, or with one rate in each cell, and keeps it if better. False: out
// of memory.
static bool try_path(const Work *work, bool even, const ib_ArmPath *path, ib_ArmPath *taken)
{
    const ib_ArmPlan *plan = &work->plan->plan->plan;
    ib_PlanTimed timed = {0};
    ib_ArmTiming *timing = &timed.timing;
    if (!ib__plan_timing(work->plan, path->count, timing)) return false;
    timed.verdict =
        even ? ib_arm_plan_even(&plan->plant, &plan->limits, path, timing)
             : ib_arm_plan_reach(&plan->plant, &plan->limits, path, (ib_ArmEnds){0, 0}, timing);
    take_figures(work, path, &timed);
    if (!is_better(&timed, &work->way->reach)) return true;
    work->way->reach = timed;
    *taken = *path;
    return true;
}

// The same path in cells of half the length, with further halvings of the first and the last
// towards the ends: an arm that can hardly more than hold still there comes to rest by its drag
// alone, and takes the same time for each half of the rest. False: no room.
static bool halve_cells(const Work *work, const ib_ArmPath *path, ib_ArmPath *finer)
{
    enum { HALVES = 8 };
    ib_ArmWorkspace workspace;
    ib_Error error;
    int last = 2 * path->count - 2;
    if (last + 1 > IB_PLAN_ROOM ||
        !ib__plan_workspace(work->plan, work->shape->node, last + 1, &workspace))
        return false;
    if (ib_arm_path_again(path, &workspace, &error) != IB_OK) return false;
    last = workspace.count - 1;
    int count = workspace.count + 2 * HALVES;
    ib_ArmPoint *points = ib_arena_array(work->plan->reader->arena, (size_t)count, sizeof *points);
    if (!points) return false;
    memcpy(points + HALVES, workspace.points, (size_t)workspace.count * sizeof *points);
    points[0] = workspace.points[0];
    points[count - 1] = workspace.points[last];
    double part = 1;
    for (int k = HALVES; k > 0; k--) {
        part /= 2;
        points[k] = ib_arm_path_within(&workspace.points[0], &workspace.points[1], part);
        points[count - 1 - k] =
            ib_arm_path_within(&workspace.points[last - 1], &workspace.points[last], 1 - part);
    }
    *finer = (ib_ArmPath){count, points};
    return true;
}

// If reachability finds no plan, or one too slow or beyond its limits, searches with one rate in
// each cell, and then by both in shorter cells, until that gains little.
static bool try_again(const Work *work)
{
    ib_PlanWay *way = work->way;
    ib_ArmPath path = way->path, taken = path;
    if (is_good(work)) return true;
    for (int n = 0; n <= FINER; n++) {
        double before = way->reach.given ? way->reach.figures.time : INFINITY;
        if (n > 0 && !halve_cells(work, &path, &path)) break;
        way->tried = path.count;
        if (n > 0 && !try_path(work, false, &path, &taken)) return false;
        if (!try_path(work, true, &path, &taken)) return false;
        bool gains = !(before < SLOW * way->reach.figures.time);
        if (is_good(work) && !gains) break;
    }
    if (taken.points == way->path.points) return true;
    // Both have a value for each point.
    way->path = taken;
    if (!ib__plan_timing(work->plan, taken.count, &way->passes.timing)) return false;
    take_passes(work);
    return true;
}

// Warns that no better time was found.
static void warn_of_time(const Work *work)
{
    const ib_PlanWay *way = work->way;
    ib_warn_key(work->plan->reader, work->shape->node,
                "path '%s' takes %.4g s, the fastest that was found with up to %d points: perhaps "
                "more than it needs, for the passes take %.4g s and hardly go beyond the limits",
                way->name, way->best->figures.time, way->tried, work->fair);
}

bool ib__plan_times(ib__PlanReader *reader, const ib__PlanShape *shape, ib_PlanWay *way, bool timed)
{
    const ib_ArmPlan *plan = &reader->plan->plan;
    Work work = {reader, shape, way, INFINITY};
    take_passes(&work);
    if (!timed)
        way->reach.verdict = ib_arm_plan_reach(&plan->plant, &plan->limits, &way->path,
                                               (ib_ArmEnds){0, 0}, &way->reach.timing);
    take_figures(&work, &way->path, &way->reach);
    way->tried = way->path.count;
    way->best = way->method == IB_PLAN_PASSES ? &way->passes : &way->reach;
    if (way->method == IB_PLAN_PASSES) return true;
    work.fair = way->passes.given ? way->passes.figures.time : INFINITY;
    if (!way->reach.given || is_slow(&work, work.fair)) work.fair = fair_time(&work);
    if (!try_again(&work)) return false;
    if (is_slow(&work, work.fair)) warn_of_time(&work);
    if (way->search.given)
        way->search.faster = 1 - way->reach.figures.time / way->search.detour_passes;
    return true;
}

// ------------------------------------------------------------------------------------------- truth

static double longest_cell(const ib_ArmPath *path)
{
    double longest = 0;
    for (int i = 0; i + 1 < path->count; i++)
        longest = ib_max(longest, path->points[i + 1].s - path->points[i].s);
    return longest;
}

// Warns of a plan with too few points to be exact.
static void warn_of_points(const Work *work)
{
    const ib_PlanWay *way = work->way;
    const ib_Node *points = ib_node_get(work->plan->root, "points");
    const ib_Node *node = points ? points : work->shape->node;
    double longest = longest_cell(&way->path);
    double needs = ceil(way->path.points[way->path.count - 1].s / IB_PLAN_CELL) + 1;
    ib_ArmBinding tightest = ib_arm_figures_tightest(&way->best->figures);
    const ib_ArmPeak *part = &way->best->figures.part[tightest];
    if (longest > IB_PLAN_CELL)
        ib_warn_key(work->plan->reader, node,
                    "cells of path '%s' are up to %.3g rad long: limits and times are exact in "
                    "cells of %g rad; %s %.0f points",
                    way->name, longest, IB_PLAN_CELL,
                    needs <= IB_PLAN_POINTS_MOST ? "expected at least"
                                                 : "expected several paths: as one it needs",
                    needs);
    if (way->method != IB_PLAN_PASSES && part->value > KEPT)
        ib_warn_key(work->plan->reader, node,
                    "path '%s' takes %.5g of %s at s = %.4g rad: expected more points, or a path "
                    "that bends less there",
                    way->name, part->value, ib_arm_binding_names[tightest], part->s);
}

// Refuses a plan that the plant does not follow under its voltages.
static bool check_truth(const Work *work)
{
    const ib_ArmRerun *rerun = &work->way->rerun;
    if (rerun->drift.value <= IB_ARM_RERUN_DRIFT) return true;
    ib_wrong_key(work->plan->reader, work->shape->node,
                 "path '%s' cannot be driven: at s = %.4g rad, theta1 = %.4g rad, theta2 = %.4g "
                 "rad, the planned voltages lead %.2g rad away from it within %g s, more than "
                 "%g rad; expected more 'points', or a path that bends less there",
                 work->way->name, rerun->drift.s, rerun->th[0], rerun->th[1], rerun->drift.value,
                 IB_ARM_RERUN_WHILE, IB_ARM_RERUN_DRIFT);
    return false;
}

bool ib__plan_judge(ib__PlanReader *reader, const ib__PlanShape *shape, ib_PlanWay *way)
{
    const ib_ArmPlan *plan = &reader->plan->plan;
    Work work = {reader, shape, way, INFINITY};
    ib_arm_rerun(&plan->plant, &way->path, &way->best->timing, IB_PLAN_PARTS,
                 reader->use == IB_PLAN_FOR_PEOPLE, &way->rerun);
    warn_of_points(&work);
    return check_truth(&work);
}
