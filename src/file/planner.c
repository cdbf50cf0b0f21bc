#include "file/planner.h"

#include "base/number.h"
#include "base/quote.h"
#include "file/contents.h"
#include "file/json_tree.h"
#include "file/planner_inside.h"

#include <stdio.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ values

bool ib__planner_failed(const ib__Planner *planner)
{
    return ib_diagnostics_seen(planner->reader.diagnostics) > planner->reader.before;
}

const ib_Node *ib__planner_find(const ib_Node *map, const char *key)
{
    const ib_Node *node = ib_node_get(map, key);
    return node && !ib_json_is_null(node) ? node : NULL;
}

const ib_Node *ib__planner_need(ib__Planner *planner, const ib_Node *map, const char *key,
                                const char *expected)
{
    const ib_Node *node = ib_node_get(map, key);
    if (!node)
        ib_wrong_gap(&planner->reader, map, "'%s' is missing: expected %s", key, expected);
    else if (ib_json_is_null(node))
        ib_wrong_value(&planner->reader, node, "expected %s, got null", expected);
    else
        return node;
    return NULL;
}

const ib_Node *ib__planner_map(ib__Planner *planner, const ib_Node *map, const char *key)
{
    const ib_Node *node = ib__planner_need(planner, map, key, "a map");
    return node && ib_check_map(&planner->reader, node, "a map") ? node : NULL;
}

static const ib_Node *check_list(ib__Planner *planner, const ib_Node *list, int least, int most)
{
    if (!list || !ib_check_list(&planner->reader, list, "a list")) return NULL;
    if (list->count >= least && list->count <= most) return list;
    ib_wrong_value(&planner->reader, list, "expected %d to %d items, got %d", least, most,
                   list->count);
    return NULL;
}

const ib_Node *ib__planner_list(ib__Planner *planner, const ib_Node *map, const char *key,
                                int least, int most)
{
    return check_list(planner, ib__planner_need(planner, map, key, "a list"), least, most);
}

const ib_Node *ib__planner_some(ib__Planner *planner, const ib_Node *map, const char *key, int most)
{
    return check_list(planner, ib__planner_find(map, key), 0, most);
}

bool ib__planner_number(ib__Planner *planner, const ib_Node *map, const char *key, double least,
                        double most, double *value)
{
    const ib_Node *node = ib__planner_need(planner, map, key, "a number");
    if (!node) return false;
    if (!ib_json_is_number(node)) {
        char got[IB_QUOTE_LENGTH + 8];
        ib_node_describe(node, got, sizeof got);
        ib_wrong_value(&planner->reader, node, "expected a number, got %s", got);
        return false;
    }
    ib_Error error;
    bool good = ib_number_read(node->text, value, &error) == IB_OK;
    if (!good)
        ib_wrong_value(&planner->reader, node, "%s", error.text);
    else if (!(good = *value >= least && *value <= most))
        ib_wrong_value(&planner->reader, node, "expected %g to %g, got %s", least, most,
                       ib_quote(node->text).text);
    return good;
}

void ib__planner_flag(ib__Planner *planner, const ib_Node *map, const char *key, bool *value)
{
    const ib_Node *node = ib__planner_find(map, key);
    if (!node) return;
    if (ib_json_is_flag(node))
        *value = node->text[0] == 't';
    else
        ib_wrong_value(&planner->reader, node, "expected true or false");
}

const char *ib__planner_text(ib__Planner *planner, const ib_Node *map, const char *key)
{
    const ib_Node *node = ib__planner_need(planner, map, key, "a text");
    if (!node) return NULL;
    if (node->type != IB_NODE_SCALAR || !node->quoted) {
        ib_wrong_value(&planner->reader, node, "expected a text in quotes");
        return NULL;
    }
    const char *text = ib_arena_text(planner->arena, node->text);
    if (!text) ib_wrong_value(&planner->reader, node, "out of memory");
    return text;
}

// ---------------------------------------------------------------------------------------- the file

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

// Chooses the format by the root's keys, and by the file's name if they do not decide.
static void read_root(ib__Planner *planner, const ib_Node *root)
{
    const char *file = planner->reader.file;
    bool choreo = ib_node_get(root, "trajectory") || ib_node_get(root, "samples");
    bool pathplanner = !choreo && ib_node_get(root, "waypoints");
    bool neither = !choreo && !pathplanner;
    if (!ib_check_map(&planner->reader, root, "a map, as planners write it")) return;
    if (neither && ib_node_get(root, "command"))
        ib_wrong_value(&planner->reader, root,
                       "this is a routine of PathPlanner (.auto): expected one of its paths");
    else if (neither && ib_node_get(root, "variables"))
        ib_wrong_value(&planner->reader, root,
                       "this is a project of Choreo (.chor): expected one of its .traj files");
    else if (choreo || (neither && ends_with(file, ".traj")))
        ib__choreo_read(planner, root);
    else if (pathplanner || ends_with(file, ".path"))
        ib__pathplanner_read(planner, root);
    else
        ib_wrong_value(&planner->reader, root,
                       "no planner's file: expected 'trajectory' (Choreo, .traj) or 'waypoints' "
                       "(PathPlanner, .path)");
}

ib_PlannerOptions ib_planner_default(void)
{
    return (ib_PlannerOptions){.base = IB_PLANNED_ANY_DIRECTION};
}

bool ib_planner_read(const char *file, const char *text, size_t length,
                     const ib_PlannerOptions *options, ib_Arena *arena, ib_PlannedPath *path,
                     ib_Diagnostics *diagnostics)
{
    ib_Arena scratch = {0};
    ib_Error error;
    *path = (ib_PlannedPath){0};
    ib__Planner planner = {
        .reader = {.file = file, .arena = &scratch, .diagnostics = diagnostics},
        .options = options,
        .arena = arena,
        .path = path,
    };
    planner.reader.before = ib_diagnostics_seen(diagnostics);
    if (!text)
        text = ib_contents_load_large(file, IB_JSON_MAX_SIZE >> 20, &scratch, &length, &error);
    if (!text) ib_diagnostics_add(diagnostics, (ib_Place){file, 1, 1}, "%s", error.text);
    const ib_Node *root =
        text ? ib_json_tree_read(file, text, length, &scratch, diagnostics) : NULL;
    if (root) read_root(&planner, root);
    bool failed = ib__planner_failed(&planner);
    ib_diagnostics_sort(diagnostics);
    ib_arena_reset(&scratch);
    if (failed) *path = (ib_PlannedPath){0};
    return !failed;
}
