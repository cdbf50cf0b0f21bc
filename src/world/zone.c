#include "world/zone.h"

#include <math.h>

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
        ib_shape_place(&shape, area->x, area->y, area->heading, &zone->areas[i]);
    }
}

bool ib_zone_holds(const ib_Zone *zone, const ib_BodyState *body, const ib_Placed *outline)
{
    double speed = sqrt(body->vx * body->vx + body->vy * body->vy);
    if (zone->at_rest && !(speed < IB_ZONE_STILL && fabs(body->w) < IB_ZONE_STILL)) return false;
    const ib_Placed origin = {.count = 1, .x = {body->x}, .y = {body->y}};
    const ib_Placed *who = zone->outline && outline ? outline : &origin;
    double most = who == outline ? IB_TOUCH_GAP : 0;
    for (int i = 0; i < zone->area_count; i++)
        if (ib_shape_separation(who, &zone->areas[i]).gap <= most) return true;
    return false;
}
