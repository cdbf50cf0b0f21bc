// desk/plan/plan_scene.c: `obstacles:` and `clear:`, and `goals:`.
//   obstacles: [{name: tower, x: 1 m, z: 40 cm, radius: 15 cm}]
//   clear: {part: links, radius: 3 cm, margin: 1 cm}
//   goals: {low: [0.3 rad, -0.5 rad], high: {x: 1.2 m, z: 1.1 m, bend: down}}
#include "base/quote.h"
#include "desk/plan/plan_inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --------------------------------------------------------------------------------------- obstacles

// Copies its name, or "obstacle 2" without one.
static void copy_name(const ib_Node *entry, char name[IB_ARM_DISC_NAME])
{
    const ib_Node *node = ib_node_get(entry, "name");
    bool given = node && node->type == IB_NODE_SCALAR && node->text[0];
    snprintf(name, IB_ARM_DISC_NAME, "obstacle %d", entry->index + 1);
    if (given) snprintf(name, IB_ARM_DISC_NAME, "%s", node->text);
}

static void read_name(ib_Reader *reader, const ib_Node *entry, ib_ArmDisc *disc)
{
    const ib_Node *node = ib_node_get(entry, "name");
    const char *text = node ? ib_read_text(reader, node, "a name") : "it";
    if (text && (!text[0] || strlen(text) >= sizeof disc->name)) {
        ib_wrong_value(reader, node, "expected a name of 1 to %d letters, got '%s'",
                       IB_ARM_DISC_NAME - 1, ib_quote(text).text);
        text = NULL;
    }
    copy_name(entry, disc->name);
    const ib_Node *before = text ? entry->parent->first : entry;
    for (char other[IB_ARM_DISC_NAME]; before != entry; before = before->next) {
        copy_name(before, other);
        if (strcmp(other, disc->name) == 0)
            ib_wrong_value(reader, node ? node : entry, "'%s' is there twice",
                           ib_quote(disc->name).text);
    }
}

// Reads an obstacle; one with a mistake is left out, since its place is unknown.
static void read_disc(ib_Reader *reader, const ib_Node *entry, ib_ArmScene *scene)
{
    static const char *const keys[] = {"name", "x", "z", "radius", NULL};
    static const char *const numbers[] = {"x", "z", "radius"};
    static const double low[] = {-1e3, -1e3, 1e-3}, high[] = {1e3, 1e3, 1e3};
    int before = ib_diagnostics_seen(reader->diagnostics);
    ib_ArmDisc disc = {.radius = 1};
    double *values[] = {&disc.place[0], &disc.place[1], &disc.radius};
    if (!ib_check_map(reader, entry, "a map such as {name: tower, x: 1 m, z: 0 m, radius: 15 cm}"))
        return;
    ib_check_keys(reader, entry, keys);
    read_name(reader, entry, &disc);
    for (int i = 0; i < 3; i++) {
        const ib_Node *node = ib_node_get(entry, numbers[i]);
        if (node)
            ib__plan_number(reader, node, "m", low[i], high[i], values[i]);
        else
            ib_wrong_gap(reader, entry, "'%s' is missing: expected a length", numbers[i]);
    }
    bool good = ib_diagnostics_seen(reader->diagnostics) == before && !ib_node_is_refused(entry);
    if (good) scene->disc[scene->discs++] = disc;
}

static void read_clear(ib__PlanReader *plan, const ib_Node *map)
{
    static const char *const keys[] = {"part", "radius", "margin", NULL};
    static const char *const parts[] = {"hand", "links", NULL};
    ib_Reader *reader = plan->reader;
    ib_ArmScene *scene = &plan->plan->plan.scene;
    if (!ib_check_map(reader, map, "a map such as {part: links, radius: 3 cm, margin: 1 cm}"))
        return;
    const ib_Node *part = ib_node_get(map, "part"), *radius = ib_node_get(map, "radius");
    const ib_Node *margin = ib_node_get(map, "margin");
    ib_check_keys(reader, map, keys);
    const char *word = part ? ib_read_word(reader, part, parts) : NULL;
    if (word && strcmp(word, "links") == 0) scene->clear = IB_ARM_CLEAR_LINKS;
    if (radius) ib__plan_number(reader, radius, "m", 0, 1e2, &scene->radius);
    if (margin) ib__plan_number(reader, margin, "m", 0, 1e2, &plan->plan->plan.margin);
}

void ib__plan_scene(ib__PlanReader *plan)
{
    ib_Reader *reader = plan->reader;
    const ib_Node *list = ib_node_get(plan->root, "obstacles");
    const ib_Node *clear = ib_node_get(plan->root, "clear");
    if (clear) read_clear(plan, clear);
    if (list && ib_check_list(reader, list,
                              "a list such as [{name: tower, x: 1 m, z: 0 m, "
                              "radius: 15 cm}]")) {
        if (list->count > IB_ARM_DISCS)
            ib_wrong_value(reader, list, "expected at most %d obstacles, got %d", IB_ARM_DISCS,
                           list->count);
        else
            for (const ib_Node *entry = list->first; entry; entry = entry->next)
                read_disc(reader, entry, &plan->plan->plan.scene);
    }
}

// ------------------------------------------------------------------------------------------- goals

void ib__plan_goals(ib__PlanReader *plan)
{
    ib_Reader *reader = plan->reader;
    const ib_ArmPlan *made = &plan->plan->plan;
    const ib_Node *map = ib_node_get(plan->root, "goals");
    if (!map || !ib_check_map(reader, map, "a map such as {low: [0.3 rad, -0.5 rad]}")) return;
    if (map->count > IB_ARM_GOALS) {
        ib_wrong_value(reader, map, "expected at most %d goals, got %d", IB_ARM_GOALS, map->count);
        return;
    }
    for (const ib_Node *node = map->first; node; node = node->next) {
        ib_ArmGoal *goal = &plan->goals[plan->goal_count];
        if (!ib_check_name(reader, node, "a goal")) continue;
        if (!ib__plan_place(plan, node, NULL, 0, NULL, goal->th)) continue;
        goal->name = node->key;
        plan->goal_count++;
        if (!plan->arm) continue;
        ib_ArmNear near = ib_arm_scene_near(&made->scene, goal->th);
        if (near.distance < made->margin) ib__plan_refuse(plan, node, &near, "it");
    }
}
