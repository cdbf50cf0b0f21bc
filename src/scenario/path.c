// scenario/path.c: the elements of a path: lines, arcs, circles and waypoints. docs/control/path.md
//   path: [line 2 m, circle 1 m left, [4 m, 1 m, 90 deg]]
#include "scenario/control.h"

// [x, y] or [x, y, heading], in the field's frame.
static void read_waypoint(ib_Reader *reader, const ib_Node *node, ib_PathConfig *path)
{
    const char *text[3] = {NULL, NULL, NULL};
    ib_Waypoint waypoint;
    ib_Error error;
    if (node->count != 2 && node->count != 3) {
        ib_wrong_value(reader, node, "expected [x, y] or [x, y, heading], got a list of %d",
                       node->count);
        return;
    }
    for (const ib_Node *child = node->first; child; child = child->next) {
        text[child->index] = ib_read_text(reader, child, "a number with its unit");
        if (!text[child->index]) return;
    }
    if (ib_path_read_waypoint(text[0], text[1], text[2], &waypoint, &error) != IB_OK)
        ib_wrong_value(reader, node, "%s", error.text);
    else
        ib_path_add(path, &waypoint);
}

void ib__read_path(ib_Reader *reader, const ib_Node *node, ib_PathConfig *path)
{
    if (!ib_check_list(reader, node, "a list such as [line 2 m, circle 1 m left]")) return;
    if (node->count == 0 || node->count > IB_PATH_MAX) {
        ib_wrong_value(reader, node, "expected 1 to %d elements such as 'line 2 m', got %d",
                       IB_PATH_MAX, node->count);
        return;
    }
    for (const ib_Node *child = node->first; child; child = child->next) {
        ib_Error error;
        if (child->type == IB_NODE_LIST) {
            read_waypoint(reader, child, path);
            continue;
        }
        const char *text = ib_read_text(
            reader, child, "an element such as 'line 2 m', 'circle 1 m left' or [2 m, 1 m]");
        if (text && ib_path_read(text, &path->elements[path->count], &error) != IB_OK)
            ib_wrong_value(reader, child, "%s", error.text);
        else if (text)
            path->count++;
    }
}
