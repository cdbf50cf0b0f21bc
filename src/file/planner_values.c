// file/planner_values.c: values in files of planners, by key, and what is wrong with them.
#include "base/number.h"
#include "base/quote.h"
#include "file/json_tree.h"
#include "file/planner_inside.h"

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
