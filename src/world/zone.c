#include "world/zone.h"

#include "base/extreme.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

ib_Status ib_zone_check(const ib_ZoneConfig *config, ib_Error *error)
{
    ib_Error inner;
    if (config->area_count < 1 || config->area_count > IB_ZONE_AREAS)
        return ib_error_set(error, IB_BAD_INPUT, "%s: %d areas: expected 1 to %d", config->name,
                            config->area_count, IB_ZONE_AREAS);
    for (int i = 0; i < config->area_count; i++) {
        ib_Status status = ib_element_check(&config->areas[i], &inner);
        if (status != IB_OK)
            return ib_error_set(error, status, "%s: area %d: %s", config->name, i, inner.text);
    }
    return IB_OK;
}

void ib_zone_init(const ib_ZoneConfig *config, ib_Zone *zone)
{
    *zone = (ib_Zone){
        .outline = config->outline, .at_rest = config->at_rest, .area_count = config->area_count};
    for (int i = 0; i < config->area_count; i++) {
        const ib_ElementConfig *area = &config->areas[i];
        ib_Shape shape = ib_element_shape(area);
        ib_ZoneArea made = {
            .low_x = INFINITY, .high_x = -INFINITY, .low_y = INFINITY, .high_y = -INFINITY};
        ib_shape_place(&shape, area->x, area->y, area->heading, &made.placed);
        for (int k = 0; k < shape.count; k++) {
            made.low_x = ib_min(made.low_x, made.placed.x[k] - shape.radius);
            made.high_x = ib_max(made.high_x, made.placed.x[k] + shape.radius);
            made.low_y = ib_min(made.low_y, made.placed.y[k] - shape.radius);
            made.high_y = ib_max(made.high_y, made.placed.y[k] + shape.radius);
        }
        zone->areas[i] = made;
    }
}

// True if it is farther from the box around the area than any point of the body from its origin.
static bool is_far(const ib_ZoneArea *area, const ib_BodyState *body, double reach)
{
    return body->x < area->low_x - reach || body->x > area->high_x + reach ||
           body->y < area->low_y - reach || body->y > area->high_y + reach;
}

bool ib_zone_holds(const ib_Zone *zone, const ib_BodyState *body, const ib_Shape *outline)
{
    double square = body->vx * body->vx + body->vy * body->vy;
    bool stands = square < IB_ZONE_STILL * IB_ZONE_STILL && fabs(body->w) < IB_ZONE_STILL;
    if (zone->at_rest && !stands) return false;
    bool whole = zone->outline && outline;
    double most = whole ? IB_TOUCH_GAP : 0, reach = whole ? outline->reach + 2 * most : 0;
    for (int i = 0; i < zone->area_count; i++) {
        if (is_far(&zone->areas[i], body, reach)) continue;
        ib_Placed who = {.count = 1, .x = {body->x}, .y = {body->y}};
        if (whole) ib_shape_place(outline, body->x, body->y, body->heading, &who);
        if (ib_shape_is_within(&who, &zone->areas[i].placed, most)) return true;
    }
    return false;
}

// ---------------------------------------------------------------------------------------- pictures

// The colour that a word of the name is, words being parted by '_'.
static uint32_t colour_of(const char *name)
{
    uint32_t colour;
    for (const char *word = name; *word;) {
        char text[IB_FIELD_NAME + 1];
        size_t length = strcspn(word, "_");
        snprintf(text, sizeof text, "%.*s", (int)length, word);
        if (ib_colour_named(text, &colour)) return colour;
        word += length + (word[length] == '_');
    }
    return IB_ZONE_COLOUR;
}

static bool same_corners(const ib_AreaDef *a, const ib_AreaDef *b)
{
    bool same = a->corner_count == b->corner_count;
    for (int i = 0; same && i < a->corner_count; i++)
        same = fabs(a->corner_x[i] - b->corner_x[i]) < 1e-6 &&
               fabs(a->corner_y[i] - b->corner_y[i]) < 1e-6;
    return same;
}

static bool picture_of(const ib_ElementConfig *area, ib_Arena *arena, ib_AreaDef *picture)
{
    ib_Shape shape = ib_element_shape(area);
    ib_Placed placed;
    double *x = ib_arena_array(arena, IB_OUTLINE_POINTS, sizeof *x);
    double *y = ib_arena_array(arena, IB_OUTLINE_POINTS, sizeof *y);
    if (!x || !y || shape.count == 0) return false;
    ib_shape_place(&shape, area->x, area->y, area->heading, &placed);
    *picture =
        (ib_AreaDef){.corner_count = ib_shape_outline(&placed, x, y), .corner_x = x, .corner_y = y};
    return true;
}

static bool is_known(const ib_AreaDef *pictures, int count, const ib_AreaDef *picture)
{
    for (int i = 0; i < count; i++)
        if (same_corners(&pictures[i], picture)) return true;
    return false;
}

const ib_AreaDef *ib_zone_pictures(const ib_FieldConfig *field, ib_Arena *arena, int *count)
{
    size_t room = (size_t)field->zone_count * IB_ZONE_AREAS;
    ib_AreaDef *pictures = room > 0 ? ib_arena_array(arena, room, sizeof *pictures) : NULL;
    *count = 0;
    for (int i = 0; pictures && i < field->zone_count; i++)
        for (int k = 0; k < field->zones[i].area_count; k++) {
            ib_AreaDef picture;
            if (!picture_of(&field->zones[i].areas[k], arena, &picture)) continue;
            if (is_known(pictures, *count, &picture)) continue;
            picture.name = field->zones[i].name;
            picture.colour = colour_of(picture.name);
            pictures[(*count)++] = picture;
        }
    return *count > 0 ? pictures : NULL;
}
