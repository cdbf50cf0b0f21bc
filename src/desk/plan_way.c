// desk/plan_way.c: one way of a plan: what its shape leaves open, its times, and whether it keeps
// to limits and room.
#include "base/quote.h"
#include "design/arm/arm_search.h"
#include "desk/plan_inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A way on which it works.
typedef struct Work {
    ib__PlanReader *plan;
    ib__PlanShape *shape;
    ib_PlanWay *way;
    ib_ArmTask *task;
} Work;

static bool out_of_memory(const Work *work)
{
    ib_wrong_key(work->plan->reader, work->shape->node, "out of memory");
    return false;
}

static bool make_timing(const Work *work, ib_ArmTiming *timing)
{
    if (timing->v) return true;
    ib_Arena *arena = work->plan->reader->arena;
    size_t count = (size_t)work->shape->count;
    timing->v = ib_arena_array(arena, count, sizeof *timing->v);
    timing->t = ib_arena_array(arena, count, sizeof *timing->t);
    timing->work = ib_arena_array(arena, count, 4 * sizeof *timing->work);
    return (timing->v && timing->t && timing->work) || out_of_memory(work);
}

// Of both methods; a search has made them already.
static bool make_timings(const Work *work)
{
    return make_timing(work, &work->way->passes.timing) &&
           make_timing(work, &work->way->reach.timing);
}

// -------------------------------------------------------------------------------------------- room

void ib__plan_refuse(ib__PlanReader *plan, const ib_Node *node, const ib_ArmNear *near,
                     const char *what)
{
    const ib_ArmPlan *made = &plan->plan->plan;
    ib_Error error;
    if (ib_arm_scene_refuse(&made->scene, near, made->margin, what, &error) != IB_OK)
        ib_wrong_key(plan->reader, node, "%s", error.text);
}

// Both ends first: of a way that begins in an obstacle nothing else is news.
static bool check_ends(const Work *work)
{
    ib__PlanReader *plan = work->plan;
    const ib__PlanShape *shape = work->shape;
    const ib_ArmPlan *made = &plan->plan->plan;
    const ib_Node *map = shape->node;
    for (int i = 0; i < 2; i++) {
        const double *th = shape->open ? shape->ends[i]
                           : i         ? shape->points[shape->count - 1].th
                                       : shape->points[0].th;
        ib_ArmNear near = ib_arm_scene_near(&made->scene, th);
        const ib_Node *node = shape->open ? ib_node_get(map, i ? "to" : "from") : map;
        if (near.distance >= made->margin) continue;
        ib__plan_refuse(plan, node ? node : map, &near, i ? "its end" : "its start");
        return false;
    }
    return true;
}

static bool check_room(const Work *work)
{
    ib_PlanWay *way = work->way;
    const ib_ArmPlan *made = &work->plan->plan->plan;
    way->near = ib_arm_scene_along(&made->scene, &way->path);
    // The search keeps a little more than the margin; what is along a limit may touch it.
    if (way->near.distance >= made->margin - IB_ARM_SCENE_EXACT) return true;
    ib__plan_refuse(work->plan, work->shape->node, &way->near, "the path");
    return false;
}

// ---------------------------------------------------------------------------------------- verdicts

// What it takes to hold still where that is hardest.
typedef struct Hold {
    double part; ///< of the limit
    int point, joint;
    bool current; ///< in amperes, not volts
    double needs, has;
} Hold;

static Hold find_hardest(const ib_ArmPlan *plan, const ib_ArmPath *path)
{
    const ib_ArmLimits *limits = &plan->limits;
    const double still[2] = {0, 0};
    Hold hardest = {0};
    for (int k = 0; k < 2 * path->count; k++) {
        double volts[2];
        int i = k % 2;
        ib_arm_volts(&plan->plant, path->points[k / 2].th, still, still, volts);
        double V = fabs(volts[i]), I = V / plan->plant.gear[i].R;
        const Hold both[] = {
            {V / limits->volts[i], k / 2, i, false, V, limits->volts[i]},
            {I / limits->current[i], k / 2, i, true, I, limits->current[i]},
        };
        for (int n = 0; n < 2; n++)
            if (both[n].part > hardest.part) hardest = both[n];
    }
    return hardest;
}

// "at row 3, s = 0.5 rad, theta1 = 0.3 rad, theta2 = 0.1 rad"
static void describe_place(const Work *work, int point, char *text, size_t size)
{
    const ib_ArmPoint *at = &work->way->path.points[point];
    const ib_ArmPath *rows = &work->shape->rows;
    char row[40] = "";
    int before = 0;
    while (before + 1 < rows->count && rows->points[before + 1].s < at->s + 1e-9) before++;
    if (rows->count) snprintf(row, sizeof row, "row %d, ", before + 1);
    snprintf(text, size, "at %ss = %.4g rad, theta1 = %.4g rad, theta2 = %.4g rad", row, at->s,
             at->th[0], at->th[1]);
}

// Limits that no motion can meet are a mistake of the limits, where there are any.
static void refuse_verdict(const Work *work, const ib_ArmVerdict *verdict)
{
    ib__PlanReader *plan = work->plan;
    const ib_Node *limits = ib_node_get(plan->root, "limits");
    const ib_Node *blame = limits ? limits : work->shape->node;
    Hold hold = find_hardest(&plan->plan->plan, &work->way->path);
    char place[160];
    if (hold.part > 1) {
        const char *unit = hold.current ? "A" : "V";
        describe_place(work, hold.point, place, sizeof place);
        ib_wrong_key(plan->reader, blame,
                     "no motion meets them on path '%s': %s, joint %d needs %.4g %s to hold still, "
                     "%.4g of its limit of %.4g %s",
                     work->way->name, place, hold.joint + 1, hold.needs, unit, hold.part, hold.has,
                     unit);
        return;
    }
    describe_place(work, verdict->point, place, sizeof place);
    ib_wrong_key(plan->reader, blame,
                 "no motion meets them on path '%s': nothing leads on %s, where joint %d needs "
                 "%.4g of what it has to hold still",
                 work->way->name, place, verdict->joint + 1, verdict->needs);
}

// ------------------------------------------------------------------------------------------- shape

// The shortest way with round corners.
static bool make_detour(const Work *work)
{
    ib__PlanReader *plan = work->plan;
    ib__PlanShape *shape = work->shape;
    const ib_ArmTask *task = work->task;
    ib_ArmRoom room;
    ib_ArmDetour *detours = ib_arena_array(plan->reader->arena, IB_ARM_DETOURS, sizeof *detours);
    ib_ArmDetour rounded;
    ib_Error error;
    int count = 0;
    if (!detours) return out_of_memory(work);
    if (!ib__plan_room(plan, shape->node, plan->points, &room)) return false;
    ib_Status status = ib_arm_detours_find(&task->scene, &task->errand, detours, &count, &error);
    if (status == IB_OK)
        status = ib_arm_detour_round(&task->scene, &task->errand, &detours[0], shape->round,
                                     &rounded, &error);
    if (status == IB_OK) status = ib_arm_detour_fine(&rounded, &room, &error);
    if (status != IB_OK) {
        ib_wrong_key(plan->reader, shape->node, "%s", error.text);
        return false;
    }
    work->way->shape =
        rounded.places.count == 2
            ? "straight"
            : ib_arena_format(plan->reader->arena, "the shortest detour: %d corner%s of %.4g rad",
                              rounded.places.count - 2, rounded.places.count == 3 ? "" : "s",
                              rounded.radius);
    return ib__plan_keep(plan, shape->node, &room, shape) &&
           (work->way->shape || out_of_memory(work));
}

// The detour itself, for a picture.
static bool keep_detour(const Work *work, const ib_ArmDetour *detour)
{
    enum { POINTS = 200 };
    ib_ArmPoint *points = ib_arena_array(work->plan->reader->arena, POINTS, sizeof *points);
    ib_Error error;
    if (!points) return out_of_memory(work);
    if (ib_arm_detour_path(detour, POINTS, points, &error) == IB_OK)
        work->way->search.detour = (ib_ArmPath){POINTS, points};
    return true;
}

// The path itself is searched for; what others take is for comparison.
static bool search(const Work *work)
{
    ib__PlanReader *plan = work->plan;
    ib__PlanShape *shape = work->shape;
    ib_PlanSearch *search = &work->way->search;
    ib_ArmSearchConfig config = ib_arm_search_default();
    ib_ArmBaseline *baseline = ib_arena_alloc(plan->reader->arena, sizeof *baseline);
    ib_ArmSearch found;
    ib_Error error;
    shape->count = plan->points;
    shape->points =
        ib_arena_array(plan->reader->arena, (size_t)shape->count, sizeof *shape->points);
    if (!baseline || !shape->points) return out_of_memory(work);
    if (!make_timings(work)) return false;
    // In the memory of what comes after.
    ib_Status status = ib_arm_baseline(work->task, shape->round, shape->count, shape->points,
                                       &work->way->passes.timing, baseline, &error);
    if (status == IB_OK)
        status = ib_arm_search(work->task, &config, shape->count, shape->points,
                               &work->way->reach.timing, &found, &error);
    if (status != IB_OK) {
        ib_wrong_key(plan->reader, shape->node, "%s", error.text);
        return false;
    }
    *search = (ib_PlanSearch){.given = true,
                              .straight = baseline->straight,
                              .detour_length = baseline->detour.length,
                              .detour_radius = baseline->detour.radius,
                              .detour_passes = baseline->passes,
                              .detour_reach = baseline->reach,
                              .faster = 1 - found.duration / baseline->passes,
                              .kinds = found.kinds,
                              .tried = found.children};
    work->way->shape = "found by a search";
    return keep_detour(work, &baseline->detour);
}

static bool make_shape(const Work *work, bool *timed)
{
    ib_PlanWay *way = work->way;
    *timed = false;
    way->shape = work->shape->words;
    if (!work->shape->open && way->method != IB_PLAN_OPTIMISE) return true;
    if (!work->shape->open) {
        const ib_Node *node = ib_node_get(work->shape->node, "method");
        if (!node) node = ib_node_get(work->plan->root, "method");
        ib_wrong_value(work->plan->reader, node,
                       "optimise finds the path itself, and '%s' gives one: expected 'from' and "
                       "'to', or method: reach",
                       way->name);
        return false;
    }
    *timed = way->method == IB_PLAN_OPTIMISE;
    return *timed ? search(work) : make_detour(work);
}

// ------------------------------------------------------------------------------------------- times

static void take_figures(const Work *work, ib_PlanTimed *timed)
{
    const ib_ArmPlan *plan = &work->plan->plan->plan;
    timed->given = timed->verdict.fault == IB_ARM_FINE;
    if (timed->given)
        ib_arm_figures(&plan->plant, &plan->limits, &work->way->path, &timed->timing, IB_PLAN_PARTS,
                       &timed->figures);
}

// The passes leave what they found on the way in their scratch memory.
static void take_passes(const Work *work)
{
    const ib_ArmPlan *plan = &work->plan->plan->plan;
    ib_PlanWay *way = work->way;
    ib_PlanTimed *passes = &way->passes;
    passes->verdict =
        ib_arm_plan_passes(&plan->plant, &plan->limits, &way->path, IB_PLAN_PARTS, &passes->timing);
    take_figures(work, passes);
    if (!passes->given) return;
    way->lines = (ib_PlanPasses){passes->timing.work, passes->timing.work + way->path.count,
                                 passes->timing.v};
}

// ------------------------------------------------------------------------------------------- truth

// In cells of this length limits are kept to that part of them: control/arm/arm_plan.h.
static const double LONGEST_CELL = 0.02; ///< [rad]
static const double KEPT = 1 + 2e-4;

static double longest_cell(const ib_ArmPath *path)
{
    double longest = 0;
    for (int i = 0; i + 1 < path->count; i++)
        longest = fmax(longest, path->points[i + 1].s - path->points[i].s);
    return longest;
}

// What is not as exact as it should be: its points are too few.
static void warn_of_points(const Work *work)
{
    const ib_PlanWay *way = work->way;
    const ib_Node *points = ib_node_get(work->plan->root, "points");
    const ib_Node *node = points ? points : work->shape->node;
    double longest = longest_cell(&way->path);
    double needs = ceil(way->path.points[way->path.count - 1].s / LONGEST_CELL) + 1;
    ib_ArmBinding tightest = ib_arm_figures_tightest(&way->best->figures);
    const ib_ArmPeak *part = &way->best->figures.part[tightest];
    if (longest > LONGEST_CELL)
        ib_warn_key(work->plan->reader, node,
                    "cells of path '%s' are up to %.3g rad long: limits and times are exact in "
                    "cells of %g rad; %s %.0f points",
                    way->name, longest, LONGEST_CELL,
                    needs <= IB_PLAN_POINTS_MOST ? "expected at least"
                                                 : "expected several paths: as one it needs",
                    needs);
    if (way->method != IB_PLAN_PASSES && part->value > KEPT)
        ib_warn_key(work->plan->reader, node,
                    "path '%s' takes %.5g of %s at s = %.4g rad: expected more points, or a path "
                    "that bends less there",
                    way->name, part->value, ib_arm_binding_names[tightest], part->s);
}

// A plan is what the plant does under its voltages; otherwise it is none.
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

static bool take_times(const Work *work, bool timed)
{
    const ib_ArmPlan *plan = &work->plan->plan->plan;
    ib_PlanWay *way = work->way;
    take_passes(work);
    if (!timed)
        way->reach.verdict = ib_arm_plan_reach(&plan->plant, &plan->limits, &way->path,
                                               (ib_ArmEnds){0, 0}, &way->reach.timing);
    take_figures(work, &way->reach);
    way->best = way->method == IB_PLAN_PASSES ? &way->passes : &way->reach;
    if (!way->best->given) {
        refuse_verdict(work, &way->best->verdict);
        return false;
    }
    ib_arm_rerun(&plan->plant, &way->path, &way->best->timing, IB_PLAN_PARTS, &way->rerun);
    warn_of_points(work);
    return check_truth(work);
}

bool ib__plan_way(ib__PlanReader *plan, ib__PlanShape *shape, ib_PlanWay *way)
{
    Work work = {plan, shape, way, ib_arena_alloc(plan->reader->arena, sizeof *work.task)};
    bool timed;
    if (!work.task) return out_of_memory(&work);
    const ib_ArmPlan *made = &plan->plan->plan;
    *work.task = (ib_ArmTask){made->plant, made->limits, made->scene, {.margin = made->margin}};
    memcpy(work.task->errand.start, shape->ends[0], sizeof shape->ends[0]);
    memcpy(work.task->errand.goal, shape->ends[1], sizeof shape->ends[1]);
    if (!check_ends(&work) || !make_shape(&work, &timed) || !make_timings(&work)) return false;
    way->path = (ib_ArmPath){shape->count, shape->points};
    return check_room(&work) && take_times(&work, timed);
}
