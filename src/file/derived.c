#include "file/derived.h"

#include "base/quote.h"

#include <string.h>

enum { DEPTH = 8 }; ///< files from each other

static ib_Node *derive(ib_Reader *reader, ib_Node *root, int depth);

// The tree of the other file, itself perhaps from a third.
static ib_Node *load(ib_Reader *reader, const ib_Node *from, int depth)
{
    ib_Error error;
    if (!ib_read_text(reader, from, "the name of a file")) return NULL;
    if (depth == DEPTH) {
        ib_wrong_value(reader, from, "more than %d files from each other", DEPTH);
        return NULL;
    }
    const char *path = ib_resolve(reader, from);
    ib_Node *root = path ? ib_read_yaml_file(reader, path, &error) : NULL;
    if (path && !root && error.status != IB_OK) ib_wrong_value(reader, from, "%s", error.text);
    if (!root) return NULL;
    if (root->type == IB_NODE_MAP && ib_add_file(reader, path))
        return derive(reader, root, depth + 1);
    ib_wrong_value(reader, from, "'%s' is no map of keys", ib_quote(from->text).text);
    return NULL;
}

static ib_Node *derive(ib_Reader *reader, ib_Node *root, int depth)
{
    static const char *const keys[] = {"format", "title", "from", "set", NULL};
    const ib_Node *from = ib_node_get(root, "from"), *set = ib_node_get(root, "set");
    ib_Node *title = ib_node_get(root, "title");
    if (!from) return root;
    ib_check_keys(reader, root, keys);
    if (set && !ib_check_map(reader, set, "a map such as {robot.mass: 50 kg}")) return NULL;
    ib_Node *base = load(reader, from, depth);
    for (ib_Node *value = set ? set->first : NULL, *next; base && value; value = next) {
        next = value->next; // a node is in one map at a time
        ib_node_set(base, value->key, value, reader->arena, reader->diagnostics);
    }
    if (base && title) ib_node_set(base, "title", title, reader->arena, reader->diagnostics);
    return base;
}

ib_Node *ib_read_derived(ib_Reader *reader, ib_Node *root)
{
    return root->type == IB_NODE_MAP ? derive(reader, root, 0) : root;
}
