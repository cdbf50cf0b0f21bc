// world/zone.h: areas of the floor that stop nobody: a depot, a landing zone, the place to park.
// docs/world/world.md, "Zones"
#ifndef IB_WORLD_ZONE_H
#define IB_WORLD_ZONE_H

#include "base/geometry.h"
#include "world/world.h"

enum {
    IB_FIELD_ZONES = 16, ///< of one field
    IB_ZONE_AREAS = 8,   ///< of one zone
};

#define IB_ZONE_STILL 1e-3 ///< slower bodies are at rest [m/s], [rad/s]

typedef struct ib_ZoneConfig {
    char name[IB_FIELD_NAME + 1];
    bool outline;   ///< an outline that touches it counts; false: an origin that lies inside
    bool at_rest;   ///< only while it stands
    int area_count; ///< 1 .. IB_ZONE_AREAS; a body in one of them is in the zone
    ib_ElementConfig areas[IB_ZONE_AREAS]; ///< form and place; the rest of them means nothing
} ib_ZoneConfig;

// Checks a zone; the areas one by one: ib_element_check.
ib_Status ib_zone_check(const ib_ZoneConfig *config, ib_Error *error);

// An area at its place, and a box around it, parallel to the axes.
typedef struct ib_ZoneArea {
    ib_Placed placed;
    double low_x, high_x, low_y, high_y; ///< [m]
} ib_ZoneArea;

// A zone as evaluated; never changes.
typedef struct ib_Zone {
    bool outline, at_rest;
    int area_count;
    ib_ZoneArea areas[IB_ZONE_AREAS];
} ib_Zone;

void ib_zone_init(const ib_ZoneConfig *config, ib_Zone *zone);

// True if a body counts as in the zone at this instant. `outline`: about its origin; NULL: its
// origin alone. The edge is inside; a distance below IB_TOUCH_GAP touches.
bool ib_zone_holds(const ib_Zone *zone, const ib_BodyState *body, const ib_Shape *outline);

// The areas of all zones of a field as pictures show them: polygons in the field frame, each of
// which is there once, with the name of the first zone that has it and in the colour that a word of
// this name is ("depot_red"), or else in IB_ZONE_COLOUR. NULL, and a count of 0, where there are
// none or no memory.
enum { IB_ZONE_COLOUR = 0x2a8f86 };
const ib_AreaDef *ib_zone_pictures(const ib_FieldConfig *field, ib_Arena *arena, int *count);

#endif
