// desk/plan/plan_file.c: reads, plans and checks a plan file, way by way.
#include "desk/plan/plan_file.h"

#include "base/quote.h"
#include "desk/design/design_inside.h"
#include "desk/plan/plan_inside.h"

#include <math.h>
#include <string.h>

const char *const ib_plan_methods[IB_PLAN_METHODS + 1] = {"passes", "reach", "optimise", NULL};

// The keys of a plan file itself.
static const char *const top_keys[] = {"format", "title", "arm",   "limits", "obstacles", "clear",
                                       "goals",  "path",  "paths", "method", "points",    NULL};

// ------------------------------------------------------------------------------------ simple parts

static ib_PlanMethod read_method(ib_Reader *reader, const ib_Node *map, ib_PlanMethod usual)
{
    const ib_Node *node = ib_node_get(map, "method");
    const char *word = node ? ib_read_word(reader, node, ib_plan_methods) : NULL;
    for (int i = 0; word && i < IB_PLAN_METHODS; i++)
        if (strcmp(word, ib_plan_methods[i]) == 0) return (ib_PlanMethod)i;
    return usual;
}

static int read_points(ib_Reader *reader, const ib_Node *root)
{
    const ib_Node *node = ib_node_get(root, "points");
    double points = IB_PLAN_POINTS;
    if (!node || !ib__plan_number(reader, node, "1", 3, IB_PLAN_POINTS_MOST, &points))
        return IB_PLAN_POINTS;
    if (points == floor(points)) return (int)points;
    ib_wrong_value(reader, node, "expected a whole number, got '%s'", ib_quote(node->text).text);
    return IB_PLAN_POINTS;
}

// -------------------------------------------------------------------------------------------- ways

// The goal at this place, a new one if necessary.
static int goal_at(ib__PlanReader *plan, const ib_Node *node, const double th[2], const char *way,
                   const char *end)
{
    const double same = 1e-9;
    for (int i = 0; i < plan->goal_count; i++) {
        const double *goal = plan->goals[i].th;
        if (fabs(goal[0] - th[0]) < same && fabs(goal[1] - th[1]) < same) return i;
    }
    if (plan->goal_count == IB_ARM_GOALS) {
        ib_wrong_key(plan->reader, node, "expected at most %d goals, the ends of paths included",
                     IB_ARM_GOALS);
        return 0;
    }
    ib_ArmGoal *goal = &plan->goals[plan->goal_count];
    goal->name = way ? ib_arena_format(plan->reader->arena, "%s_%s", way, end) : end;
    memcpy(goal->th, th, sizeof goal->th);
    return plan->goal_count++;
}

// Reads one way: its shape is checked in any case, its times if there are no other mistakes.
static void read_way(ib__PlanReader *plan, const ib_Node *node, const char *name, ib_PlanWay *way)
{
    ib_Reader *reader = plan->reader;
    ib__PlanShape shape;
    way->name = name ? name : "path";
    way->method = read_method(reader, node, plan->usual);
    if (!ib__plan_shape(plan, node, &shape) || !plan->arm) return;
    if (ib_diagnostics_seen(reader->diagnostics) != plan->clean) return;
    if (!ib__plan_way(plan, &shape, way)) {
        // An impossible way does not prevent the check of the others.
        plan->clean = ib_diagnostics_seen(reader->diagnostics);
        return;
    }
    way->from = goal_at(plan, node, ib__plan_end(&shape, 0), name, "begin");
    way->to = goal_at(plan, node, ib__plan_end(&shape, 1), name, "end");
}

static void read_ways(ib__PlanReader *plan)
{
    ib_Reader *reader = plan->reader;
    ib_PlanFile *file = plan->plan;
    const ib_Node *one = ib_node_get(plan->root, "path"), *many = ib_node_get(plan->root, "paths");
    static const char expected[] = "a map of paths, each with a name of its own";
    if (one && many) ib_wrong_key(reader, many, "'path' is there too: expected one of both");
    if (!one && !many)
        ib_diagnostics_add(reader->diagnostics, (ib_Place){reader->file, 1, 1},
                           "'path' is missing: expected a map such as {from: low, to: high}");
    if (many && (!ib_check_map(reader, many, expected) || one)) return;
    int count = many ? many->count : 1;
    if (count < 1 || count > IB_ARM_TRACKS) {
        ib_wrong_value(reader, many, "expected 1 to %d paths, got %d", IB_ARM_TRACKS, count);
        return;
    }
    file->ways = ib_arena_array(reader->arena, (size_t)count, sizeof *file->ways);
    if (!file->ways) {
        ib_wrong_key(reader, plan->root, "out of memory");
        return;
    }
    file->way_count = count;
    plan->clean = ib_diagnostics_seen(reader->diagnostics);
    plan->arm &= plan->clean == reader->before;
    if (one) read_way(plan, one, NULL, &file->ways[0]);
    for (const ib_Node *node = many ? many->first : NULL; node; node = node->next)
        if (ib_check_name(reader, node, "a path"))
            read_way(plan, node, node->key, &file->ways[node->index]);
}

// Makes the plan for a follower.
static void make_plan(ib__PlanReader *plan)
{
    ib_PlanFile *file = plan->plan;
    ib_ArmPlan *made = &file->plan;
    ib_ArmTrack *tracks =
        ib_arena_array(plan->reader->arena, (size_t)file->way_count, sizeof *tracks);
    if (!tracks) {
        ib_wrong_key(plan->reader, plan->root, "out of memory");
        return;
    }
    made->track_count = plan->use == IB_PLAN_FOR_GOALS ? 0 : file->way_count;
    for (int i = 0; i < made->track_count; i++) {
        const ib_PlanWay *way = &file->ways[i];
        tracks[i] = (ib_ArmTrack){way->from, way->to, way->path, way->best->timing};
    }
    made->name = file->name;
    made->goal_count = plan->goal_count;
    made->goals = plan->goals;
    made->tracks = tracks;
}

// --------------------------------------------------------------------------------------- the entry

static void read_keys(ib_Reader *reader, ib_Node *root, ib_PlanUse use, ib_PlanFile *file)
{
    static const ib_TwoLink stand_in = {.length = {1, 1}};
    ib__PlanReader plan = {.reader = reader, .use = use, .plan = file, .root = root};
    ib_check_keys(reader, root, top_keys);
    file->name = ib__default_name(reader);
    file->plan.scene = ib_arm_scene_default(&stand_in);
    plan.goals = ib_arena_array(reader->arena, IB_ARM_GOALS, sizeof *plan.goals);
    if (!plan.goals) {
        ib_wrong_key(reader, root, "out of memory");
        return;
    }
    plan.usual = read_method(reader, root, IB_PLAN_REACH);
    plan.points = read_points(reader, root);
    plan.counted = ib_node_get(root, "points") != NULL;
    plan.arm = ib__plan_arm(&plan);
    ib__plan_limits(&plan);
    ib__plan_scene(&plan);
    ib__plan_goals(&plan);
    read_ways(&plan);
    if (ib_diagnostics_seen(reader->diagnostics) == reader->before) make_plan(&plan);
}

static void read_for_people(ib_Reader *reader, ib_Node *root, const ib_ScenarioOptions *options,
                            void *made)
{
    (void)options;
    read_keys(reader, root, IB_PLAN_FOR_PEOPLE, made);
}

static void read_for_ways(ib_Reader *reader, ib_Node *root, const ib_ScenarioOptions *options,
                          void *made)
{
    (void)options;
    read_keys(reader, root, IB_PLAN_FOR_WAYS, made);
}

static void read_for_goals(ib_Reader *reader, ib_Node *root, const ib_ScenarioOptions *options,
                           void *made)
{
    (void)options;
    read_keys(reader, root, IB_PLAN_FOR_GOALS, made);
}

static const ib_YamlFileKind kind = {.size = sizeof(ib_PlanFile),
                                     .keys = top_keys,
                                     .expected = "a map with keys such as arm and path",
                                     .read = read_for_people};

ib_PlanFile *ib_plan_file_read(const char *file, const ib_ScenarioOptions *options,
                               ib_Diagnostics *diagnostics)
{
    return ib_yaml_file_read(&kind, file, NULL, 0, options, diagnostics);
}

ib_PlanFile *ib_plan_file_read_for(ib_PlanUse use, const char *file,
                                   const ib_ScenarioOptions *options, ib_Diagnostics *diagnostics)
{
    ib_YamlFileKind other = kind;
    if (use == IB_PLAN_FOR_WAYS) other.read = read_for_ways;
    if (use == IB_PLAN_FOR_GOALS) other.read = read_for_goals;
    return ib_yaml_file_read(&other, file, NULL, 0, options, diagnostics);
}

ib_PlanFile *ib_plan_file_read_text(const char *file, const char *text, size_t length,
                                    const ib_ScenarioOptions *options, ib_Diagnostics *diagnostics)
{
    return ib_yaml_file_read(&kind, file, text ? text : "", length, options, diagnostics);
}

void ib_plan_file_destroy(ib_PlanFile *plan)
{
    ib_yaml_file_destroy(&kind, plan);
}

const ib_PlanWay *ib_plan_way_find(const ib_PlanFile *plan, const char *name)
{
    for (int i = 0; i < plan->way_count; i++)
        if (strcmp(plan->ways[i].name, name) == 0) return &plan->ways[i];
    return NULL;
}
