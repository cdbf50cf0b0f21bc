// scenario/include.c: `robot: {file: ../robots/roomba.yaml, mass: 3 kg}`: a robot from a file of
// its own, with some values changed.
#include "base/quote.h"
#include "scenario/scenario_inside.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

// One way to write each file, so that a circle is seen however its names are spelt.
static const char *canonical(ib_Reader *reader, const char *path)
{
    char *real = realpath(path, NULL);
    const char *copy = ib_arena_text(reader->arena, real ? real : path);
    free(real);
    return copy;
}

// Reads the file that `entry` names; NULL with the mistake named.
static ib_Node *load(ib_Reader *reader, const ib_Node *entry, const char *path)
{
    ib_Error error;
    ib_Node *root = ib_read_yaml_file(reader, path, &error);
    if (error.status != IB_OK) {
        ib_wrong_value(reader, entry, "%s", error.text);
        return NULL;
    }
    if (!ib_add_file(reader, path)) {
        ib_wrong_value(reader, entry, "out of memory");
        return NULL;
    }
    if (!root) return NULL;
    const ib_Node *inner = ib_node_get(root, "robot");
    if (!inner) inner = ib_node_get(root, "robots");
    if (inner)
        ib_diagnostics_add(reader->diagnostics, inner->key_place,
                           "a robot file is the robot's map itself: expected keys such as kind "
                           "here, not a '%s' around them",
                           inner->key);
    if (root->type != IB_NODE_MAP && !root->refused) {
        char got[IB_QUOTE_LENGTH + 8];
        ib_node_describe(root, got, sizeof got);
        ib_diagnostics_add(reader->diagnostics, root->place,
                           "a robot file is the robot's map: expected keys such as kind, got %s",
                           got);
    }
    return inner || root->type != IB_NODE_MAP ? NULL : root;
}

// Lays the file that `robot` names under it; `seen` are the files on the way here.
static bool include(ib_Reader *reader, ib_Node *robot, const char **seen, int depth)
{
    ib_Node *entry = ib_node_get(robot, "file");
    if (!entry) return true;
    if (!ib_read_text(reader, entry, "the name of a robot file")) return false;
    const char *path = ib_resolve(reader, entry);
    // The first file alone is no circle, and needs no canonical name.
    if (depth == 1) seen[0] = canonical(reader, seen[0]);
    seen[depth] = path && depth > 0 ? canonical(reader, path) : path;
    if (!seen[0] || !seen[depth]) {
        ib_wrong_value(reader, entry, "out of memory");
        return false;
    }
    for (int i = 0; i < depth; i++) {
        if (strcmp(seen[i], seen[depth]) != 0) continue;
        ib_wrong_value(reader, entry, "'%s' includes itself", ib_quote(entry->text).text);
        return false;
    }
    if (depth == IB__MAX_INCLUDES) {
        ib_wrong_value(reader, entry, "more than %d robot files inside each other",
                       IB__MAX_INCLUDES);
        return false;
    }
    ib_Node *base = load(reader, entry, path);
    if (!base || !include(reader, base, seen, depth + 1)) return false;
    ib_node_remove(robot, entry);
    ib_node_underlay(robot, base);
    return true;
}

bool ib__include(ib_Reader *reader, ib_Node *robot)
{
    const char *seen[IB__MAX_INCLUDES + 1];
    return include(reader, robot, seen, 0);
}
