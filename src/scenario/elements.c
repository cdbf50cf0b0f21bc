// scenario/elements.c: `field: {elements: {NAME: {box: [3 m, 2 m], length: 1 m}}}`: objects that
// stand on the floor or move along tracks. docs/scenario/scenario.md, docs/world/world.md
#include "scenario/scenario_inside.h"
#include "scenario/schemas.h"

#include <stdio.h>

#define ELEMENT(key, unit, fallback, min, max, field, sentence)                                    \
    {                                                                                              \
        key, IB_PARAM_NUMBER, unit, fallback, min, max, NULL, offsetof(ib_ElementConfig, field),   \
            false, sentence                                                                        \
    }
static const ib_Param element_params[] = {
    ELEMENT("length", "m", "1 m", 1e-5, 1e4, length, "length of a box, along its own x"),
    ELEMENT("width", "m", "1 m", 1e-5, 1e4, width, "width of a box, along its own y"),
    ELEMENT("heading", "rad", "0 rad", -1e4, 1e4, heading,
            "direction of a box, counter-clockwise from field x"),
    ELEMENT("radius", "m", "0 m", 0, 1e4, radius,
            "radius of a disc, or of the rounded corners of the others"),
    ELEMENT("restitution", "1", "1", 0, 1, restitution,
            "restitution of the element; not given: that of the field"),
    ELEMENT("friction", "1", "0.5", 0, 10, friction,
            "friction coefficient of the element; not given: that of the field"),
    ELEMENT("height", "m", "0.5 m", 1e-3, 1e3, height,
            "height of the element, for robots on legs; not given: that of the field"),
};
const ib_Schema ib_element_schema = IB_SCHEMA(element_params);

// [[x, y], …]
int ib__read_corners(ib_Reader *reader, const ib_Node *node, int most, double *x, double *y)
{
    static const char example[] = "a corner such as [1 m, 2 m]";
    if (!ib_check_list(reader, node,
                       "a list of corners such as [[0 m, 0 m], [2 m, 0 m], [0 m, 1 m]]"))
        return 0;
    if (node->count < 3 || node->count > most) {
        ib_wrong_value(reader, node, "expected 3 to %d corners, got %d", most, node->count);
        return 0;
    }
    bool good = true;
    for (const ib_Node *child = node->first; child; child = child->next)
        good &= ib_read_pair(reader, child, "m", example, &x[child->index], &y[child->index]);
    return good ? node->count : 0;
}

// Corners in field coordinates; its origin is their mean, about which it may turn.
static void read_polygon(ib_Reader *reader, const ib_Node *node, ib_ElementConfig *e)
{
    ib_Shape shape;
    ib_Error error;
    e->form = IB_ELEMENT_POLYGON;
    e->corner_count = ib__read_corners(reader, node, IB_SHAPE_CORNERS, e->corner_x, e->corner_y);
    // Checked here, so that a mistake is reported in the coordinates of the file.
    if (e->corner_count > 0 &&
        ib_shape_polygon(e->corner_count, e->corner_x, e->corner_y, 0, &shape, &error) != IB_OK)
        ib_wrong_value(reader, node, "%s", error.text);
    for (int i = 0; i < e->corner_count; i++) {
        e->x += e->corner_x[i] / e->corner_count;
        e->y += e->corner_y[i] / e->corner_count;
    }
    for (int i = 0; i < e->corner_count; i++) {
        e->corner_x[i] -= e->x;
        e->corner_y[i] -= e->y;
    }
}

// A disc has only a radius, a polygon only its corners: other sizes would have no effect.
static void refuse_sizes(ib_Reader *reader, const ib_Node *node, const ib_ElementConfig *e)
{
    static const char *const keys[] = {"length", "width", "heading"};
    int count = e->form == IB_ELEMENT_DISC ? 3 : e->form == IB_ELEMENT_POLYGON ? 2 : 0;
    for (int i = 0; i < count; i++) {
        const ib_Node *given = ib_node_get(node, keys[i]);
        if (given)
            ib_wrong_key(reader, given, "has no meaning with '%s'",
                         e->form == IB_ELEMENT_DISC ? "disc" : "polygon");
    }
}

// box: [x, y], disc: [x, y] or polygon: [[x, y], …]: exactly one of them.
void ib__read_form(ib_Reader *reader, const ib_Node *node, ib_ElementConfig *e)
{
    static const char *const forms[] = {"box", "disc", "polygon"};
    const ib_Node *given = NULL;
    int form = -1;
    for (int i = 0; i < 3; i++) {
        const ib_Node *child = ib_node_get(node, forms[i]);
        if (child && given)
            ib_wrong_key(reader, child, "already '%s': expected one of box, disc, polygon",
                         given->key);
        if (!child || given) continue;
        given = child;
        form = i;
    }
    if (!given)
        ib_wrong_gap(reader, node,
                     "expected one of box: [x, y], disc: [x, y] or polygon: [[x, y], …]");
    else if (form == 2)
        read_polygon(reader, given, e);
    else
        ib_read_pair(reader, given, "m", "[1 m, 2 m], its middle", &e->x, &e->y);
    if (form == 0) e->form = IB_ELEMENT_BOX;
    if (form == 1) e->form = IB_ELEMENT_DISC;
    if (given) refuse_sizes(reader, node, e);
}

// move: {x: [[0 s, 0 m], [2 s, 1 m]], …}: offsets from its place, straight between the knots.
static void read_move(ib_Reader *reader, const ib_Node *node, ib_Time duration, ib_ElementConfig *e)
{
    static const char *const keys[] = {"x", "y", "heading", NULL};
    static const ib_InputDef tracks[IB_TRACK_COUNT] = {
        {.name = "x", .unit = "m"}, {.name = "y", .unit = "m"}, {.name = "heading", .unit = "rad"}};
    if (!ib_check_map(reader, node, "a map such as {x: [[0 s, 0 m], [2 s, 1 m]]}")) return;
    ib_check_keys(reader, node, keys);
    for (int i = 0; i < IB_TRACK_COUNT; i++) {
        const ib_Node *child = ib_node_get(node, keys[i]);
        ib_Timeline timeline = {0};
        if (child) ib__read_timeline(reader, child, &tracks[i], &timeline);
        timeline.linear = true; // as tracks are
        if (child) ib__warn_of_late_knots(reader, child, &timeline, duration);
        e->move[i] = (ib_FieldTrack){timeline.count, timeline.times, timeline.values};
    }
}

static void read_element(ib_Reader *reader, const ib_Node *node, const ib_FieldConfig *field,
                         ib_Time duration, ib_ElementConfig *e)
{
    static const char *const others[] = {"box", "disc", "polygon", "move", NULL};
    ib_Error error;
    int before = ib_diagnostics_seen(reader->diagnostics);
    *e = ib_element_default(field);
    if (!ib_check_name(reader, node, "an element of the field")) return;
    snprintf(e->name, sizeof e->name, "%.*s", IB_FIELD_NAME, node->key);
    if (!ib_check_map(reader, node, "a map such as {box: [3 m, 2 m], length: 1 m, width: 1 m}"))
        return;
    ib_read_schema(reader, node, &ib_element_schema, others, e);
    if (!ib_node_get(node, "restitution")) e->restitution = field->restitution;
    if (!ib_node_get(node, "friction")) e->friction = field->friction;
    if (!ib_node_get(node, "height")) e->height = field->height;
    ib__read_form(reader, node, e);
    const ib_Node *move = ib_node_get(node, "move");
    if (move) read_move(reader, move, duration, e);
    if (ib_diagnostics_seen(reader->diagnostics) == before && !node->refused &&
        ib_element_check(e, &error) != IB_OK)
        ib_wrong_value(reader, node, "%s", error.text);
}

void ib__read_elements(ib_Reader *reader, const ib_Node *node, ib_Time duration,
                       ib_FieldConfig *field)
{
    int room = IB_FIELD_ELEMENTS - field->corner_count;
    if (!ib_check_map(reader, node, "a map of elements, each by its name")) return;
    if (node->count > room) {
        ib_wrong_value(reader, node, "%d elements: expected at most %d beside %d walls",
                       node->count, room, field->corner_count);
        return;
    }
    for (const ib_Node *child = node->first; child; child = child->next)
        read_element(reader, child, field, duration, &field->elements[field->element_count++]);
}
