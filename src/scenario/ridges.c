// scenario/ridges.c: `field: {ridges: {NAME: {line: [[0 m, 1 m], [1 m, 0 m]], height: 2 in}}}`.
// docs/scenario/scenario.md, docs/world/world.md
#include "scenario/scenario_inside.h"

#include <stdio.h>

static const ib_Param ridge_params[] = {
    IB_PARAM_ROW("width", IB_PARAM_NUMBER, "m", "0.2 m", 1e-3, 1e3, NULL, ib_RidgeConfig, width,
                 false, "width of a ridge, from foot to foot"),
    IB_PARAM_ROW("height", IB_PARAM_NUMBER, "m", "0.05 m", 1e-6, 1e3, NULL, ib_RidgeConfig, height,
                 false, "height of its crest"),
};
static const ib_Schema ridge_schema = IB_SCHEMA(ridge_params);

// line: [[x, y], …], its crest.
static void read_line(ib_Reader *reader, const ib_Node *node, ib_RidgeConfig *ridge)
{
    static const char example[] = "a point such as [1 m, 2 m]";
    if (!ib_check_list(reader, node, "a list of points such as [[0 m, 0 m], [2 m, 0 m]]")) return;
    if (node->count < 2 || node->count > IB_RIDGE_POINTS) {
        ib_wrong_value(reader, node, "expected 2 to %d points, got %d", IB_RIDGE_POINTS,
                       node->count);
        return;
    }
    ridge->count = node->count;
    for (const ib_Node *child = node->first; child; child = child->next)
        ib_read_pair(reader, child, "m", example, &ridge->x[child->index], &ridge->y[child->index]);
}

static void read_ridge(ib_Reader *reader, const ib_Node *node, ib_RidgeConfig *ridge)
{
    static const char *const others[] = {"line", NULL};
    ib_Error error;
    int before = ib_diagnostics_seen(reader->diagnostics);
    *ridge = (ib_RidgeConfig){.count = 0};
    if (!ib_check_name(reader, node, "a ridge of the field")) return;
    snprintf(ridge->name, sizeof ridge->name, "%.*s", IB_RIDGE_NAME, node->key);
    if (!ib_check_map(reader, node,
                      "a map such as {line: [[0 m, 1 m], [1 m, 0 m]], width: 8 in, height: 2 in}"))
        return;
    ib_read_schema(reader, node, &ridge_schema, others, ridge);
    const ib_Node *line = ib_node_get(node, "line");
    if (line)
        read_line(reader, line, ridge);
    else
        ib_wrong_gap(reader, node, "expected its crest, line: [[x, y], [x, y], …]");
    if (ib_diagnostics_seen(reader->diagnostics) == before && !node->refused &&
        ib_ridge_check(ridge, &error) != IB_OK)
        ib_wrong_value(reader, node, "%s", error.text);
}

void ib__read_ridges(ib_Reader *reader, const ib_Node *node, ib_FieldConfig *field)
{
    if (!ib_check_map(reader, node, "a map of ridges, each by its name")) return;
    if (node->count > IB_FIELD_RIDGES) {
        ib_wrong_value(reader, node, "%d ridges: expected at most %d", node->count,
                       IB_FIELD_RIDGES);
        return;
    }
    for (const ib_Node *child = node->first; child; child = child->next)
        read_ridge(reader, child, &field->ridges[field->ridge_count++]);
}
