// scenario/routine_file.c: a routine's source: the scenario, or a file of its own, for any robot.
// docs/control/routine.md, "A file of its own"
//   control: {routine: ../routines/square.yaml, period: 20 ms}
//   control: {lift: {kind: pid, …}, routine: {steps: [{wait: 1 s}], period: 20 ms}}
#include "base/quote.h"
#include "scenario/control.h"

#include <string.h>

static bool says(const ib_Node *node, const char *word)
{
    return node && node->type == IB_NODE_SCALAR && strcmp(node->text, word) == 0;
}

bool ib__is_routine(const ib_Node *loop)
{
    return (loop->key && strcmp(loop->key, "routine") == 0) || ib_node_get(loop, "routine") ||
           ib_node_get(loop, "steps") || says(ib_node_get(loop, "kind"), "routine");
}

const ib_Node *ib__routine_steps(const ib_Node *map)
{
    const ib_Node *steps = ib_node_get(map, "steps");
    return steps ? steps : ib_node_get(map, "routine");
}

// Puts a node with this key into a map.
static void put(ib_Node *map, ib_Node *node, const char *key)
{
    node->key = key;
    node->next = NULL;
    ib_node_append(map, node);
}

ib_Node *ib__wrap_routine(ib_Reader *reader, ib_Node *routine)
{
    if (routine->type == IB_NODE_MAP) return routine;
    ib_Node *map = ib_node_create(reader->arena, IB_NODE_MAP, NULL, routine->place);
    if (!map) return NULL;
    map->key_place = routine->key_place;
    ib_node_replace(routine, map);
    put(map, routine, routine->type == IB_NODE_LIST ? "steps" : "file");
    return map;
}

// The tree of the file that `entry` names: a list of steps, or a map with one; NULL: mistakes.
static ib_Node *load(ib_Reader *reader, const ib_Node *entry)
{
    ib_Error error = {.status = IB_OK};
    const char *name = ib_read_text(reader, entry, "a list of steps, or the name of a file");
    const char *path = name ? ib_resolve(reader, entry) : NULL;
    ib_Node *root = path ? ib_read_yaml_file(reader, path, &error) : NULL;
    if (error.status != IB_OK) ib_wrong_value(reader, entry, "%s", error.text);
    if (!path || error.status != IB_OK || !ib_add_file(reader, path)) return NULL;
    if (!root || root->refused) return NULL;
    if (root->type == IB_NODE_LIST) return root;
    if (root->type == IB_NODE_MAP && ib__routine_steps(root) && !ib_node_get(root, "file"))
        return root;
    char got[IB_QUOTE_LENGTH + 8];
    ib_node_describe(root, got, sizeof got);
    ib_diagnostics_add(reader->diagnostics, root->place,
                       "a routine's file is its list of steps, or a map with them and keys beside: "
                       "expected '- drive: {forward: 1 m}' or 'steps:', got %s%s",
                       got, root->type == IB_NODE_MAP ? " without 'steps'" : "");
    return NULL;
}

// Keys beside the file's name take precedence over the file's.
static bool lay_file(ib_Reader *reader, ib_Node *map, ib_Node *entry)
{
    if (ib__routine_steps(map)) {
        ib_wrong_key(reader, entry, "a file beside steps: expected one of both");
        return false;
    }
    ib_Node *root = load(reader, entry);
    if (!root) return false;
    ib_node_remove(map, entry);
    if (root->type == IB_NODE_LIST)
        put(map, root, "steps");
    else
        ib_node_underlay(map, root);
    return true;
}

bool ib__lay_routine(ib_Reader *reader, ib_Node *map)
{
    ib_Node *entry = ib_node_get(map, "routine");
    if (entry && entry->type != IB_NODE_LIST) {
        ib_node_remove(map, entry);
        if (entry->type == IB_NODE_MAP)
            ib_node_underlay(map, entry);
        else
            put(map, entry, "file");
    }
    ib_Node *file = ib_node_get(map, "file");
    if (file && !lay_file(reader, map, file)) return false;
    const ib_Node *own = ib_node_get(map, "steps");
    if (!own || !ib_node_get(map, "routine")) return true;
    ib_wrong_key(reader, own, "steps beside 'routine': expected one of both");
    return false;
}
