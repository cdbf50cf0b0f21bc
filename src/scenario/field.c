// scenario/field.c: `field: frc`, or a map with walls and elements: what stands on the floor.
// docs/scenario.md, docs/world.md
#include "base/quote.h"
#include "file/catalogue.h"
#include "scenario/scenario_inside.h"
#include "scenario/schemas.h"

#include <stdio.h>
#include <string.h>

typedef struct Values {
    double gravity, restitution, friction;
    bool contact;
} Values;

#define AT(field) offsetof(Values, field)

static const ib_Param field_params[] = {
    {"gravity", IB_PARAM_NUMBER, "m/s^2", "9.80665 m/s^2", 0, 1e3, NULL, AT(gravity), false,
     "acceleration of free fall"},
    {"contact", IB_PARAM_FLAG, "1", "true", 0, 1, NULL, AT(contact), false,
     "false: robots pass through walls and through each other"},
    {"restitution", IB_PARAM_NUMBER, "1", "1", 0, 1, NULL, AT(restitution), false,
     "restitution of walls and elements; of two that meet the smaller one counts"},
    {"friction", IB_PARAM_NUMBER, "1", "0.5", 0, 10, NULL, AT(friction), false,
     "friction coefficient of walls and elements; two that meet: the square root of the product"},
};

// What passes through everything meets no surface.
static const char *idle(const void *values, const char *key)
{
    bool surface = strcmp(key, "restitution") == 0 || strcmp(key, "friction") == 0;
    return surface && !((const Values *)values)->contact ? "contact" : NULL;
}

const ib_Schema ib_field_schema = {
    .params = field_params, .count = sizeof field_params / sizeof *field_params, .idle = idle};

typedef struct WallValues {
    double length, width;
} WallValues;

static const ib_Param wall_params[] = {
    {"length", IB_PARAM_NUMBER, "m", "0 m", 0, 1e5, NULL, offsetof(WallValues, length), false,
     "length inside the walls, along field x"},
    {"width", IB_PARAM_NUMBER, "m", "0 m", 0, 1e5, NULL, offsetof(WallValues, width), false,
     "width inside the walls, along field y"},
};
static const ib_Schema wall_schema = IB_SCHEMA(wall_params);

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
};
static const ib_Schema element_schema = IB_SCHEMA(element_params);

static const ib_Param ridge_params[] = {
    IB_PARAM_ROW("width", IB_PARAM_NUMBER, "m", "0.2 m", 1e-3, 1e3, NULL, ib_RidgeConfig, width,
                 false, "width of a ridge, from foot to foot"),
    IB_PARAM_ROW("height", IB_PARAM_NUMBER, "m", "0.05 m", 1e-6, 1e3, NULL, ib_RidgeConfig, height,
                 false, "height of its crest"),
};
static const ib_Schema ridge_schema = IB_SCHEMA(ridge_params);

// ---------------------------------------------------------------------------------------- polygons

// [[x, y], …]: at most `most` corners; their number, 0 with a mistake.
static int read_corners(ib_Reader *reader, const ib_Node *node, int most, double *x, double *y)
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

// ------------------------------------------------------------------------------------------- walls

// Where field coordinates (0, 0) lie, from the lower left corner of the rectangle.
static void read_origin(ib_Reader *reader, const ib_Node *node, double *x, double *y)
{
    *x = *y = 0;
    if (node) ib_read_pair(reader, node, "m", "[8.19 m, 4.11 m]", x, y);
}

static void read_walls(ib_Reader *reader, const ib_Node *node, const ib_Node *origin,
                       ib_FieldConfig *field)
{
    static const char *const others[] = {"polygon", NULL};
    WallValues size = {0};
    double x, y;
    int before = ib_diagnostics_seen(reader->diagnostics);
    if (!ib_check_map(reader, node, "a map such as {length: 54 ft, width: 27 ft}")) return;
    ib_read_schema(reader, node, &wall_schema, others, &size);
    read_origin(reader, origin, &x, &y);
    const ib_Node *polygon = ib_node_get(node, "polygon");
    const ib_Node *length = ib_node_get(node, "length"), *width = ib_node_get(node, "width");
    if (polygon) {
        if (length || width)
            ib_wrong_key(reader, polygon, "beside length and width: expected one of the two");
        field->corner_count =
            read_corners(reader, polygon, IB_FIELD_CORNERS, field->corner_x, field->corner_y);
    } else if (!(size.length > 0 && size.width > 0)) {
        if (ib_diagnostics_seen(reader->diagnostics) == before)
            ib_wrong_gap(reader, node, "expected length and width, both above 0 m, or a polygon");
    } else {
        ib_field_rectangle(field, -x, -y, size.length, size.width);
    }
    ib_Error error;
    if (ib_diagnostics_seen(reader->diagnostics) == before && !node->refused &&
        ib_perimeter_check(field, &error) != IB_OK)
        ib_wrong_value(reader, polygon ? polygon : node, "%s", error.text);
}

// ---------------------------------------------------------------------------------------- elements

// Corners in field coordinates; its origin is their mean, about which it may turn.
static void read_polygon(ib_Reader *reader, const ib_Node *node, ib_ElementConfig *e)
{
    ib_Shape shape;
    ib_Error error;
    e->form = IB_ELEMENT_POLYGON;
    e->corner_count = read_corners(reader, node, IB_SHAPE_CORNERS, e->corner_x, e->corner_y);
    // Looked at here, so that a mistake is told in the coordinates of the file.
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

// A disc has a radius and no more, a polygon its corners: what else is written about their size
// would do nothing.
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
    ib_read_schema(reader, node, &element_schema, others, e);
    if (!ib_node_get(node, "restitution")) e->restitution = field->restitution;
    if (!ib_node_get(node, "friction")) e->friction = field->friction;
    ib__read_form(reader, node, e);
    const ib_Node *move = ib_node_get(node, "move");
    if (move) read_move(reader, move, duration, e);
    if (ib_diagnostics_seen(reader->diagnostics) == before && !node->refused &&
        ib_element_check(e, &error) != IB_OK)
        ib_wrong_value(reader, node, "%s", error.text);
}

static void read_elements(ib_Reader *reader, const ib_Node *node, ib_Time duration,
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

// ------------------------------------------------------------------------------------------ ridges

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

static void read_ridges(ib_Reader *reader, const ib_Node *node, ib_FieldConfig *field)
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

// ----------------------------------------------------------------------------------------- presets

// The tree of a field's file, as the shelf or the file itself has it. (A file of the user's with
// the same name stands on the shelf with no second word.)
static ib_Node *take_field(ib_Reader *reader, const ib_DataFile *file)
{
    int before = ib_diagnostics_seen(reader->diagnostics);
    ib_Node *root = ib_tree_shelf_take(reader->trees, file->path, "*", reader->arena);
    if (root) return root;
    root = ib_catalogue_read(file, reader->arena, reader->diagnostics);
    if (root && ib_diagnostics_seen(reader->diagnostics) == before)
        ib_tree_shelf_put(reader->trees, file->path, "*", root);
    return root;
}

// The field of data/fields that a name means; NULL with the mistake named.
static ib_Node *find_field(ib_Reader *reader, const ib_Node *name)
{
    const ib_DataFile *files = reader->data ? reader->data : ib_data_files;
    const char *names[IB_MAX_WORDS + 1], *text = ib_read_text(reader, name, "a field's name");
    char list[800] = "", path[64];
    size_t used = 0;
    int count = 0;
    if (!text) return NULL;
    snprintf(path, sizeof path, "fields/%.50s", text);
    const ib_DataFile *file = ib_catalogue_find(files, path);
    if (file) return take_field(reader, file);
    for (int i = 0; files[i].name && count < IB_MAX_WORDS; i++)
        if (strncmp(files[i].name, "fields/", 7) == 0) names[count++] = files[i].name + 7;
    names[count] = NULL;
    for (int i = 0; names[i] && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", names[i]);
    const char *near = ib_nearest_word(text, names);
    ib_wrong_value(reader, name, "there is no field '%s'%s%s%s; known: %s, or a map",
                   ib_quote(text).text, near ? "; did you mean '" : "", near ? near : "",
                   near ? "'?" : "", list);
    return NULL;
}

// Lays the preset or the file that a field names under its own keys; NULL: could not be read.
static ib_Node *expand(ib_Reader *reader, ib_Node *node)
{
    bool named = node->type == IB_NODE_SCALAR && node->text[0];
    if (!named && !ib_check_map(reader, node, "a field's name, or a map with walls and elements"))
        return NULL;
    const ib_Node *name = named ? node : ib_node_get(node, "preset");
    const ib_Node *choice = ib__take_body_choice(node);
    if (!named && !ib__include(reader, node)) return NULL;
    ib_Node *base = name ? find_field(reader, name) : node;
    if (!base) return NULL;
    if (name && !named) ib_node_merge(base, node);
    if (name) ib_node_replace(node, base);
    if (choice) ib__keep_bodies(reader, base, choice);
    return base;
}

// --------------------------------------------------------------------------------------- the field

// Of what nothing meets, since `cause` (NULL: what is not there) keeps it away.
static void warn_of_surface(ib_Reader *reader, const ib_Node *map, const ib_Node *cause,
                            const char *words)
{
    static const char *const keys[] = {"restitution", "friction"};
    for (int i = 0; i < 2; i++) {
        const ib_Node *given = ib_node_get(map, keys[i]);
        if (given && !ib_key_waits(reader, &given->place, cause))
            ib_warn_key(reader, given, "has no effect %s", words);
    }
}

// What a part with mistakes leads to is unknown: one about which something was told since `seen` is
// marked `refused`.
static void mark_part(const ib_Reader *reader, ib_Node *part, int *seen)
{
    int now = ib_diagnostics_seen(reader->diagnostics);
    if (part && (now != *seen || ib_node_is_refused(part))) part->refused = true;
    *seen = now;
}

static void read_parts(ib_Reader *reader, const ib_Node *map, ib_Time duration,
                       ib_FieldConfig *field)
{
    ib_Node *walls = ib_node_get(map, "walls"), *elements = ib_node_get(map, "elements");
    ib_Node *zones = ib_node_get(map, "zones"), *ridges = ib_node_get(map, "ridges");
    int seen = ib_diagnostics_seen(reader->diagnostics);
    if (walls) read_walls(reader, walls, ib_node_get(map, "origin"), field);
    mark_part(reader, walls, &seen);
    if (elements) read_elements(reader, elements, duration, field);
    mark_part(reader, elements, &seen);
    if (zones) ib__read_zones(reader, zones, field);
    mark_part(reader, zones, &seen);
    if (ridges) read_ridges(reader, ridges, field);
    mark_part(reader, ridges, &seen);
}

void ib__read_field(ib_Reader *reader, ib_Node *node, ib_Time duration, ib_SimConfig *config)
{
    static const char *const others[] = {"walls",  "elements", "ridges", "zones", "starts",
                                         "bodies", "origin",   "preset", "file",  "source",
                                         "sure",   "note",     NULL};
    Values values;
    ib_Node *map = node ? expand(reader, node) : NULL;
    if (node && !map) node->refused = true;
    ib_read_schema(reader, map, &ib_field_schema, others, &values);
    config->gravity = values.gravity;
    config->ghosts = !values.contact;
    const ib_Node *walls = ib_node_get(map, "walls"), *elements = ib_node_get(map, "elements");
    const ib_Node *origin = ib_node_get(map, "origin"), *zones = ib_node_get(map, "zones");
    ib__check_starts(reader, ib_node_get(map, "starts"));
    const ib_Node *ridges = ib_node_get(map, "ridges");
    if (origin && !walls)
        ib_wrong_key(reader, origin, "has no meaning without walls of a length and a width");
    // Robots among themselves have their own restitution and friction.
    if (!walls && !elements && values.contact)
        warn_of_surface(reader, map, NULL, "without walls or elements");
    if (!walls && !elements && !zones && !ridges) return;
    ib_FieldConfig *field = ib_arena_alloc(reader->arena, sizeof *field);
    if (!field) {
        ib_wrong_value(reader, map, "out of memory");
        return;
    }
    *field = ib_field_default();
    field->restitution = values.restitution;
    field->friction = values.friction;
    read_parts(reader, map, duration, field);
    for (const ib_Node *e = elements && !values.contact ? elements->first : NULL; e; e = e->next)
        warn_of_surface(reader, e, ib_node_get(map, "contact"), "while contact is false");
    config->field = field;
}
