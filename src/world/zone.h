// world/zone.h: areas of the floor that stop nobody: a depot, a landing zone, the place to park.
// docs/world.md, "Zones"
#ifndef IB_WORLD_ZONE_H
#define IB_WORLD_ZONE_H

#include "world/world.h"

enum {
    IB_FIELD_ZONES = 16, ///< of one field
    IB_ZONE_AREAS = 8,   ///< of one zone
};

#define IB_ZONE_STILL 1e-3 ///< who is slower than this is at rest [m/s], [rad/s]

typedef struct ib_ZoneConfig {
    char name[IB_FIELD_NAME + 1];
    bool outline;   ///< an outline that touches it counts; false: an origin that lies inside
    bool at_rest;   ///< only while it stands
    int area_count; ///< 1 .. IB_ZONE_AREAS; who is in one of them is in the zone
    ib_ElementConfig areas[IB_ZONE_AREAS]; ///< form and place; the rest of them means nothing
} ib_ZoneConfig;

// What is wrong with it; the areas one by one: ib_element_check.
ib_Status ib_zone_check(const ib_ZoneConfig *config, ib_Error *error);

// A zone as it is looked at; never changes.
typedef struct ib_Zone {
    bool outline, at_rest;
    int area_count;
    ib_Placed areas[IB_ZONE_AREAS];
} ib_Zone;

void ib_zone_init(const ib_ZoneConfig *config, ib_Zone *zone);

// Does a body count as in the zone at this instant? `outline`: where its outline is now; NULL: it
// has none, and is its origin. The edge is inside; closer than IB_TOUCH_GAP touches.
bool ib_zone_holds(const ib_Zone *zone, const ib_BodyState *body, const ib_Placed *outline);

#endif
