// desk/plan/plan_way.c: one way of a plan: completes its shape, times it, and checks limits
// and distances.
#include "base/extreme.h"
#include "base/quote.h"
#include "design/arm/arm_search.h"
#include "desk/plan/plan_inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The way in progress.
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

// Makes the timings of both methods; a search has made them already.
static bool make_timings(const Work *work)
{
    ib_PlanWay *way = work->way;
    int count = work->shape->count;
    return way->reach.timing.v ||
           (ib__plan_timing(work->plan, count, &way->passes.timing) &&
            ib__plan_timing(work->plan, count, &way->reach.timing)) ||
           out_of_memory(work);
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

// The node of an end of the way.
static const ib_Node *node_of_end(const ib_Node *map, int end)
{
    static const char *const lists[] = {"joints", "hand", "rows", "arc"};
    const ib_Node *node = ib_node_get(map, end ? "to" : "from");
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        const ib_Node *list = ib_node_get(map, lists[i]);
        if (!list) continue;
        node = list;
        if (i >= 2 || list->type != IB_NODE_LIST || !list->first) break;
        for (node = list->first; end && node->next; node = node->next) continue;
    }
    return node ? node : map;
}

const double *ib__plan_end(const ib__PlanShape *shape, int end)
{
    if (shape->open) return shape->ends[end];
    return end ? shape->points[shape->count - 1].th : shape->points[0].th;
}

// Checks both ends first: a way that begins in an obstacle needs no further message.
static bool check_ends(const Work *work)
{
    ib__PlanReader *plan = work->plan;
    const ib_ArmPlan *made = &plan->plan->plan;
    for (int i = 0; i < 2; i++) {
        ib_ArmNear near = ib_arm_scene_near(&made->scene, ib__plan_end(work->shape, i));
        if (near.distance >= made->margin) continue;
        ib__plan_refuse(plan, node_of_end(work->shape->node, i), &near,
                        i ? "its end" : "its start");
        return false;
    }
    return true;
}

static bool check_room(const Work *work)
{
    ib_PlanWay *way = work->way;
    const ib_ArmPlan *made = &work->plan->plan->plan;
    way->near = ib_arm_scene_along(&made->scene, &way->path);
    // The search keeps slightly more than the margin; a way along a limit may touch it.
    if (way->near.distance >= made->margin - IB_ARM_SCENE_EXACT) return true;
    ib__plan_refuse(work->plan, work->shape->node, &way->near, "the path");
    return false;
}

// ---------------------------------------------------------------------------------------- verdicts

// The hardest place to hold still.
typedef struct Hold {
    double part; ///< of the limit
    int point, joint;
    char unit; ///< of both: V, A, W of the battery, E: V beyond its open-circuit voltage
    double needs, has;
} Hold;

// At rest a motor has no back-EMF: I = V/R, and the battery carries P = sum V^2/R, at most its
// power at the larger V, V (E - V)/R0, or its greatest power, E^2/(4 R0).
static void hold_at(const ib_ArmPlan *plan, const double th[2], int point, Hold *hardest)
{
    static const double still[2] = {0, 0};
    const ib_ArmLimits *limits = &plan->limits;
    double volts[2], P = 0;
    ib_arm_volts(&plan->plant, th, still, still, volts);
    for (int i = 0; i < 2; i++) {
        double V = fabs(volts[i]), I = V / plan->plant.gear[i].R;
        const Hold both[] = {
            {V / limits->volts[i], point, i, 'V', V, limits->volts[i]},
            {I / limits->current[i], point, i, 'A', I, limits->current[i]},
        };
        P += V * I;
        for (int n = 0; n < 2; n++)
            if (both[n].part > hardest->part) *hardest = both[n];
    }
    if (!(limits->resistance > 0)) return;
    int larger = fabs(volts[1]) > fabs(volts[0]);
    double E = limits->battery, V = ib_min(ib_max(fabs(volts[larger]), 0.5 * E), E);
    double gives = V * (E - V) / limits->resistance, most = fabs(volts[larger]);
    if (most >= E) {
        if (hardest->unit != 'E' || most > hardest->needs)
            *hardest = (Hold){HUGE_VAL, point, larger, 'E', most, E};
        return;
    }
    if (P > hardest->part * gives) *hardest = (Hold){P / gives, point, larger, 'W', P, gives};
}

static Hold find_hardest(const ib_ArmPlan *plan, const ib_ArmPath *path)
{
    Hold hardest = {0};
    for (int k = 0; k < path->count; k++) hold_at(plan, path->points[k].th, k, &hardest);
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

// "the battery of 12 V behind 0.02 ohm"
static void describe_battery(const ib_ArmLimits *limits, char *text, size_t size)
{
    snprintf(text, size, "the battery of %.4g V behind %.4g ohm", limits->battery,
             limits->resistance);
}

// The node for limits that no motion can meet: `limits:`, if given.
static const ib_Node *limits_of(const Work *work)
{
    const ib_Node *limits = ib_node_get(work->plan->root, "limits");
    return limits ? limits : work->shape->node;
}

// `none`: "no motion exists" or "none was found".
static void refuse_hold(const Work *work, const char *none, const Hold *hold, const char *place)
{
    char battery[80];
    describe_battery(&work->plan->plan->plan.limits, battery, sizeof battery);
    if (hold->unit == 'E')
        ib_wrong_key(work->plan->reader, limits_of(work),
                     "no motion meets them on path '%s': %s, joint %d needs %.4g V to hold still, "
                     "and %s has less with any current",
                     work->way->name, place, hold->joint + 1, hold->needs, battery);
    else if (hold->unit == 'W')
        ib_wrong_key(work->plan->reader, limits_of(work),
                     "%s: %s, joint %d and the other need %.4g W to hold still, %.4g times the "
                     "power of %s",
                     none, place, hold->joint + 1, hold->needs, hold->part, battery);
    else
        ib_wrong_key(
            work->plan->reader, limits_of(work),
            "%s: %s, joint %d needs %.4g %c to hold still, %.4g times its limit of %.4g %c", none,
            place, hold->joint + 1, hold->needs, hold->unit, hold->part, hold->has, hold->unit);
}

// Checks the ends, where the arm rests: no path helps if it cannot hold still there.
static bool check_holds(const Work *work)
{
    for (int i = 0; i < 2; i++) {
        const double *th = ib__plan_end(work->shape, i);
        Hold hold = {0};
        char place[120], none[120];
        hold_at(&work->plan->plan->plan, th, 0, &hold);
        if (hold.part <= 1) continue;
        snprintf(place, sizeof place, "at its %s, theta1 = %.4g rad, theta2 = %.4g rad",
                 i ? "end" : "start", th[0], th[1]);
        snprintf(none, sizeof none, "no motion meets them on path '%s'", work->way->name);
        refuse_hold(work, none, &hold, place);
        return false;
    }
    return true;
}

// Refuses a way by its verdict. Between the ends a swing might pass: "none found" does not mean
// "none exists".
static void refuse_verdict(const Work *work, const ib_ArmVerdict *verdict)
{
    const ib_ArmPlan *plan = &work->plan->plan->plan;
    Hold hold = find_hardest(plan, &work->way->path);
    char place[160], battery[90] = "", none[160];
    snprintf(none, sizeof none,
             "found no motion on path '%s' that meets them, with up to %d points", work->way->name,
             work->way->tried);
    if (hold.part > 1) {
        describe_place(work, hold.point, place, sizeof place);
        refuse_hold(work, none, &hold, place);
        return;
    }
    if (plan->limits.resistance > 0) {
        snprintf(battery, sizeof battery, ", on ");
        describe_battery(&plan->limits, battery + 5, sizeof battery - 5);
    }
    describe_place(work, verdict->point, place, sizeof place);
    ib_wrong_key(
        work->plan->reader, limits_of(work),
        "%s: no motion continues %s, where holding still takes %.4g of the limit of joint %d%s",
        none, place, verdict->needs, verdict->joint + 1, battery);
}

// ------------------------------------------------------------------------------------------- shape

// Makes the shortest way with round corners.
static bool make_detour(const Work *work)
{
    ib__PlanReader *plan = work->plan;
    ib__PlanShape *shape = work->shape;
    const ib_ArmTask *task = work->task;
    ib_ArmWorkspace workspace;
    ib_ArmDetour *detours = ib_arena_array(plan->reader->arena, IB_ARM_DETOURS, sizeof *detours);
    ib_ArmDetour rounded;
    ib_Error error;
    int count = 0;
    if (!detours) return out_of_memory(work);
    if (!ib__plan_workspace(plan, shape->node, plan->points, &workspace)) return false;
    ib_Status status = ib_arm_detours_find(&task->scene, &task->errand, detours, &count, &error);
    if (status == IB_OK)
        status = ib_arm_detour_round(&task->scene, &task->errand, &detours[0], shape->round,
                                     &rounded, &error);
    if (status == IB_OK) status = ib_arm_detour_fine(&rounded, &workspace, &error);
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
    return ib__plan_keep(plan, shape->node, &workspace, shape) &&
           (work->way->shape || out_of_memory(work));
}

// Keeps the detour itself, for a figure.
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

// Times other ways for the same errand, in the memory of the later result.
static bool compare(const Work *work)
{
    ib_PlanSearch *search = &work->way->search;
    ib_ArmBaseline *baseline = ib_arena_alloc(work->plan->reader->arena, sizeof *baseline);
    ib_Error error;
    if (!baseline) return out_of_memory(work);
    if (ib_arm_baseline(work->task, work->shape->round, work->shape->count, work->shape->points,
                        &work->way->passes.timing, baseline, &error) != IB_OK) {
        ib_wrong_key(work->plan->reader, work->shape->node, "%s", error.text);
        return false;
    }
    *search = (ib_PlanSearch){.given = true,
                              .straight = baseline->straight,
                              .detour_length = baseline->detour.length,
                              .detour_radius = baseline->detour.radius,
                              .detour_passes = baseline->passes,
                              .detour_reach = baseline->reach};
    return keep_detour(work, &baseline->detour);
}

// Searches for the path itself; people get the times of others for comparison.
static bool search(const Work *work)
{
    ib__PlanReader *plan = work->plan;
    ib__PlanShape *shape = work->shape;
    ib_ArmSearchConfig config = ib_arm_search_default();
    ib_ArmSearch found;
    ib_Error error;
    shape->count = plan->points;
    shape->points =
        ib_arena_array(plan->reader->arena, (size_t)shape->count, sizeof *shape->points);
    if (!shape->points) return out_of_memory(work);
    if (!make_timings(work)) return false;
    if (plan->use == IB_PLAN_FOR_PEOPLE && !compare(work)) return false;
    if (ib_arm_search(work->task, &config, shape->count, shape->points, &work->way->reach.timing,
                      &found, &error) != IB_OK) {
        ib_wrong_key(plan->reader, shape->node, "%s", error.text);
        return false;
    }
    work->way->search.kinds = found.kinds;
    work->way->search.tried = found.children;
    work->way->shape = "found by a search";
    return true;
}

// Checks that a path is given or searched for, not both.
static bool check_method(const Work *work)
{
    if (work->shape->open || work->way->method != IB_PLAN_OPTIMISE) return true;
    const ib_Node *node = ib_node_get(work->shape->node, "method");
    if (!node) node = ib_node_get(work->plan->root, "method");
    ib_wrong_value(work->plan->reader, node,
                   "optimise finds the path itself, and '%s' gives one: expected 'from' and "
                   "'to', or method: reach",
                   work->way->name);
    return false;
}

static bool make_shape(const Work *work, bool *timed)
{
    ib_PlanWay *way = work->way;
    *timed = way->method == IB_PLAN_OPTIMISE;
    way->shape = work->shape->words;
    if (!work->shape->open) return true;
    return *timed ? search(work) : make_detour(work);
}

// --------------------------------------------------------------------------------------------- way

bool ib__plan_way(ib__PlanReader *plan, ib__PlanShape *shape, ib_PlanWay *way)
{
    Work work = {plan, shape, way, ib_arena_alloc(plan->reader->arena, sizeof *work.task)};
    bool timed;
    if (!work.task) return out_of_memory(&work);
    const ib_ArmPlan *made = &plan->plan->plan;
    *work.task = (ib_ArmTask){made->plant, made->limits, made->scene, {.margin = made->margin}};
    memcpy(work.task->errand.start, shape->ends[0], sizeof shape->ends[0]);
    memcpy(work.task->errand.goal, shape->ends[1], sizeof shape->ends[1]);
    if (!check_ends(&work) || !check_holds(&work) || !check_method(&work)) return false;
    if (plan->use == IB_PLAN_FOR_GOALS) return true;
    if (!make_shape(&work, &timed) || !make_timings(&work)) return false;
    way->path = (ib_ArmPath){shape->count, shape->points};
    if (!check_room(&work)) return false;
    if (!ib__plan_times(plan, shape, way, timed)) return out_of_memory(&work);
    if (way->best->given) return ib__plan_judge(plan, shape, way);
    refuse_verdict(&work, &way->best->verdict);
    return false;
}
