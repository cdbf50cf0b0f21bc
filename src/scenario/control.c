// scenario/control.c: `control: {path: [line 2 m, circle 1 m left], mode: inverse}`, or a loop:
// control_loop.c
#include "scenario/reader.h"
#include "scenario/schemas.h"

static const char *const modes[] = {"schedule", "inverse", NULL};
static const char *const ends[] = {"stop", "coast", NULL};

static const ib_Param params[] = {
    {"mode", IB_PARAM_CHOICE, "1", "schedule", 0, 1, modes, offsetof(ib_PathConfig, mode), false,
     "constant forces leg by leg, or forces that follow the path exactly"},
    {"end", IB_PARAM_CHOICE, "1", "coast", 0, 1, ends, offsetof(ib_PathConfig, end), false,
     "at the end of the path: brake to a stop, or let go"},
    {"blend", IB_PARAM_NUMBER, "m", "5 cm", 0, 100, NULL, offsetof(ib_PathConfig, blend), false,
     "length over which a jump of curvature is spread, inverse mode"},
};

const ib_Schema ib_control_schema = {params, sizeof params / sizeof params[0]};

static void read_path(ib__Reader *reader, const ib_Node *node, ib_PathConfig *path)
{
    if (!ib__is_list(reader, node, "a list such as [line 2 m, circle 1 m left]")) return;
    if (node->count == 0 || node->count > IB_PATH_MAX) {
        ib__wrong_value(reader, node, "expected 1 to %d elements such as 'line 2 m', got %d",
                        IB_PATH_MAX, node->count);
        return;
    }
    for (const ib_Node *child = node->first; child; child = child->next) {
        ib_Error error;
        const char *text =
            ib__read_text(reader, child, "an element such as 'line 2 m' or 'circle 1 m left'");
        if (text && ib_path_read(text, &path->elements[path->count], &error) != IB_OK)
            ib__wrong_value(reader, child, "%s", error.text);
        else if (text)
            path->count++;
    }
}

void ib__read_control(ib__Reader *reader, ib__Robot *robot)
{
    static const char *const others[] = {"path", NULL};
    const ib_Node *node = robot->control;
    if (!node) return;
    if (ib__is_loop(node)) {
        ib__read_loop(reader, robot);
        return;
    }
    ib_PathConfig *path = ib_arena_alloc(reader->arena, sizeof *path);
    if (!path) {
        ib__wrong_value(reader, node, "out of memory");
        return;
    }
    ib__read_schema(reader, node, &ib_control_schema, others, path);
    if (node->type != IB_NODE_MAP) return;

    const ib_Node *list = ib_node_get(node, "path");
    if (list)
        read_path(reader, list, path);
    else
        ib__wrong_gap(reader, node,
                      "'path' is missing: expected a list such as [line 2 m, circle "
                      "1 m left], or a controller: 'design' or 'plugin'");
    if (robot->config.kind && !robot->config.kind->plan)
        ib__wrong_key(reader, node, "a %s cannot follow a path", robot->config.kind->name);

    // A stand-in, so that path.deviation is known to the expectations.
    if (path->count == 0) path->elements[path->count++] = (ib_PathElement){1, 0};
    robot->config.path = path;
}
