// scenario/zones.c: `field: {zones: {NAME: …}}`: areas of the floor without contact.
// docs/scenario/scenario.md, docs/world/world.md
#include "scenario/scenario_inside.h"
#include "scenario/schemas.h"

#include <stdio.h>
#include <string.h>

// A zone of one area has its keys in one map; the areas of a list have the first of them.
typedef struct Values {
    ib_ElementConfig area;
    int counts;
    bool at_rest;
} Values;

static const char *const counts_words[] = {"centre", "outline", NULL};

#define AREA_ROW(key, unit, fallback, min, max, field, sentence)                                   \
    IB_PARAM_ROW(key, IB_PARAM_NUMBER, unit, fallback, min, max, NULL, Values, area.field, false,  \
                 sentence)
#define AREA_ROWS                                                                                  \
    AREA_ROW("length", "m", "1 m", 1e-5, 1e4, length, "length of a box, along its own x"),         \
        AREA_ROW("width", "m", "1 m", 1e-5, 1e4, width, "width of a box, along its own y"),        \
        AREA_ROW("heading", "rad", "0 rad", -1e4, 1e4, heading,                                    \
                 "direction of a box, counter-clockwise from field x"),                            \
        AREA_ROW("radius", "m", "0 m", 0, 1e4, radius,                                             \
                 "radius of a disc, or of the rounded corners of the others")

static const ib_Param area_params[] = {AREA_ROWS};
static const ib_Schema area_schema = IB_SCHEMA(area_params);
static const ib_Param zone_params[] = {
    AREA_ROWS,
    IB_PARAM_ROW("counts", IB_PARAM_CHOICE, "1", "centre", 0, 1, counts_words, Values, counts,
                 false, "who is in it: whose middle lies inside, or whose outline touches it"),
    IB_PARAM_ROW("at_rest", IB_PARAM_FLAG, "1", "false", 0, 1, NULL, Values, at_rest, false,
                 "true: only while it stands"),
};
const ib_Schema ib_zone_schema = IB_SCHEMA(zone_params);

#define EXAMPLE "a map such as {box: [1 m, 2 m], length: 1 m, width: 1 m}"

// The form and the place that the map says, judged.
static void take_area(ib_Reader *reader, const ib_Node *node, int before, const Values *values,
                      ib_ElementConfig *area)
{
    static const ib_FieldConfig plain = {.restitution = 1, .friction = 0.5};
    const ib_ElementConfig stand_in = ib_element_default(&plain);
    ib_Error error;
    *area = stand_in;
    area->length = values->area.length;
    area->width = values->area.width;
    area->heading = values->area.heading;
    area->radius = values->area.radius;
    ib__read_form(reader, node, area);
    if (ib_diagnostics_seen(reader->diagnostics) == before && !node->refused &&
        ib_element_check(area, &error) != IB_OK)
        ib_wrong_value(reader, node, "%s", error.text);
    if (ib_diagnostics_seen(reader->diagnostics) != before || node->refused) *area = stand_in;
}

static void read_areas(ib_Reader *reader, const ib_Node *list, ib_ZoneConfig *zone)
{
    static const char *const forms[] = {"box", "disc", "polygon", NULL};
    if (!ib_check_list(reader, list, "a list of areas, each " EXAMPLE)) return;
    if (list->count < 1 || list->count > IB_ZONE_AREAS) {
        ib_wrong_value(reader, list, "%d areas: expected 1 to %d", list->count, IB_ZONE_AREAS);
        return;
    }
    for (const ib_Node *child = list->first; child; child = child->next) {
        Values values;
        int before = ib_diagnostics_seen(reader->diagnostics);
        if (!ib_check_map(reader, child, EXAMPLE)) continue;
        ib_read_schema(reader, child, &area_schema, forms, &values);
        take_area(reader, child, before, &values, &zone->areas[zone->area_count++]);
    }
}

// Keys of one area's place have no meaning beside a list of areas.
static void refuse_forms(ib_Reader *reader, const ib_Node *node)
{
    static const char *const keys[] = {"box",   "disc",    "polygon", "length",
                                       "width", "heading", "radius"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const ib_Node *given = ib_node_get(node, keys[i]);
        if (given) ib_wrong_key(reader, given, "has no meaning beside 'areas'");
    }
}

static void read_zone(ib_Reader *reader, const ib_Node *node, ib_ZoneConfig *zone)
{
    static const char *const others[] = {"box", "disc", "polygon", "areas", NULL};
    Values values;
    int before = ib_diagnostics_seen(reader->diagnostics);
    if (!ib_check_name(reader, node, "a zone of the field")) return;
    snprintf(zone->name, sizeof zone->name, "%.*s", IB_FIELD_NAME, node->key);
    if (node->type == IB_NODE_LIST) {
        read_areas(reader, node, zone);
        return;
    }
    if (!ib_check_map(reader, node, EXAMPLE ", or a list of such areas")) return;
    ib_read_schema(reader, node, &ib_zone_schema, others, &values);
    zone->outline = values.counts == 1;
    zone->at_rest = values.at_rest;
    const ib_Node *areas = ib_node_get(node, "areas");
    if (areas) {
        refuse_forms(reader, node);
        read_areas(reader, areas, zone);
    } else {
        take_area(reader, node, before, &values, &zone->areas[zone->area_count++]);
    }
}

void ib__read_zones(ib_Reader *reader, const ib_Node *node, ib_FieldConfig *field)
{
    if (!ib_check_map(reader, node, "a map of zones, each by its name")) return;
    if (node->count > IB_FIELD_ZONES) {
        ib_wrong_value(reader, node, "%d zones: expected at most %d", node->count, IB_FIELD_ZONES);
        return;
    }
    ib_ZoneConfig *zones = ib_arena_array(reader->arena, (size_t)node->count, sizeof *zones);
    if (!zones) {
        ib_wrong_value(reader, node, "out of memory");
        return;
    }
    field->zones = zones;
    // One that is wrong keeps its name, so that its signal is known, and a stand-in for its place.
    for (const ib_Node *child = node->first; child; child = child->next) {
        ib_ZoneConfig *zone = &zones[field->zone_count++];
        *zone = (ib_ZoneConfig){0};
        read_zone(reader, child, zone);
        if (zone->area_count > 0) continue;
        zone->area_count = 1;
        zone->areas[0] = ib_element_default(field);
    }
}
