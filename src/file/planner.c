#include "file/planner.h"

#include "file/contents.h"
#include "file/json_tree.h"
#include "file/planner_inside.h"

#include <string.h>

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
