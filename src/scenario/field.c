// scenario/field.c: `field: frc`, or a map with walls and elements: the objects on the floor.
// docs/scenario/scenario.md, docs/world/world.md
#include "base/quote.h"
#include "file/catalogue.h"
#include "scenario/scenario_inside.h"
#include "scenario/schemas.h"

#include <stdio.h>
#include <string.h>

typedef struct Values {
    double gravity, restitution, friction, height;
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
     "friction coefficient of walls and elements; two that meet: the square root of the product, "
     "on legs the greater"},
    {"height", IB_PARAM_NUMBER, "m", "0.5 m", 1e-3, 1e3, NULL, AT(height), false,
     "height of walls and elements, for robots on legs"},
};

// An element without contact has no surface.
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
const ib_Schema ib_wall_schema = IB_SCHEMA(wall_params);

// ------------------------------------------------------------------------------------------- walls

// Position of field coordinates (0, 0), from the lower left corner of the rectangle.
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
    ib_read_schema(reader, node, &ib_wall_schema, others, &size);
    read_origin(reader, origin, &x, &y);
    const ib_Node *polygon = ib_node_get(node, "polygon");
    const ib_Node *length = ib_node_get(node, "length"), *width = ib_node_get(node, "width");
    if (polygon) {
        if (length || width)
            ib_wrong_key(reader, polygon, "beside length and width: expected one of the two");
        field->corner_count =
            ib__read_corners(reader, polygon, IB_FIELD_CORNERS, field->corner_x, field->corner_y);
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

// ----------------------------------------------------------------------------------------- presets

// The tree of a field's file, as the cache or the file itself has it. (A file of the user's with
// the same name stands in the cache with no second word.)
static ib_Node *take_field(ib_Reader *reader, const ib_DataFile *file)
{
    int before = ib_diagnostics_seen(reader->diagnostics);
    ib_Node *root = ib_tree_cache_take(reader->trees, file->path, "*", reader->arena);
    if (root) return root;
    root = ib_catalogue_read(file, reader->arena, reader->diagnostics);
    if (root && ib_diagnostics_seen(reader->diagnostics) == before)
        ib_tree_cache_put(reader->trees, file->path, "*", root);
    return root;
}

// The field of data/fields that a name means; NULL with the mistake named.
static ib_Node *find_field(ib_Reader *reader, const ib_Node *name)
{
    const ib_DataFile *files = reader->data ? reader->data : ib_data_files;
    const char *names[IB_MAX_WORDS + 1], *text = ib_read_text(reader, name, "a field's name");
    char path[64];
    int count = 0;
    if (!text) return NULL;
    snprintf(path, sizeof path, "fields/%.50s", text);
    const ib_DataFile *file = ib_catalogue_find(files, path);
    if (file) return take_field(reader, file);
    for (int i = 0; files[i].name && count < IB_MAX_WORDS; i++)
        if (strncmp(files[i].name, "fields/", 7) == 0) names[count++] = files[i].name + 7;
    names[count] = NULL;
    ib_wrong_value(reader, name, "there is no field '%s'%s; known: %s, or a map",
                   ib_quote(text).text, ib_word_hint(';', text, names).text,
                   ib_word_list(names).text);
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

// Warns of a surface without contact; `cause`: the key that prevents it (NULL: no such object).
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

// Results of a part with mistakes are unknown: a part with messages since `seen` is
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
    if (elements) ib__read_elements(reader, elements, duration, field);
    mark_part(reader, elements, &seen);
    if (zones) ib__read_zones(reader, zones, field);
    mark_part(reader, zones, &seen);
    if (ridges) ib__read_ridges(reader, ridges, field);
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
    field->height = values.height;
    read_parts(reader, map, duration, field);
    for (const ib_Node *e = elements && !values.contact ? elements->first : NULL; e; e = e->next)
        warn_of_surface(reader, e, ib_node_get(map, "contact"), "while contact is false");
    config->field = field;
}
