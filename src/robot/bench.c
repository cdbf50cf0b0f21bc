#include "robot/bench.h"

#include "base/extreme.h"
#include "robot/parts.h"
#include "robot/solid.h"

#include <math.h>
#include <string.h>

static const ib_Param params[] = {IB_OUTFIT_ROWS(ib_BenchConfig)};

// A plate below all that stands on it.
static const ib_Geometry *geometry(const ib_BenchConfig *config, ib_Arena *arena)
{
    static const ib_FrameDef body = {.name = "body", .body = true};
    double length = 0.6, width = 0.4;
    for (int i = 0; i < config->equipment.mechanisms.count; i++) {
        const void *own = &config->equipment.mechanisms.items[i].config;
        const double *place = ((const ib_MechanismConfig *)own)->act.place;
        length = ib_max(length, fabs(place[0]) + 0.4);
        width = ib_max(width, fabs(place[1]) + 0.4);
    }
    const ib_SolidDef plate = {.name = "bench",
                               .frame = "body",
                               .form = IB_SOLID_BOX,
                               .place = {0, 0, -0.016}, // its top just above the floor
                               .size = {2 * length, 2 * width, 0.04},
                               .colour = IB_COLOUR_WOOD,
                               .livery = true};
    ib_Geometry whole = {.frames = &body, .frame_count = 1, .solids = &plate, .solid_count = 1};
    return ib_geometry_keep(&whole, arena);
}

// The bench itself is only a plate: its physics is the equipment (robot/mechanisms.h).
static ib_Status build(const void *config, ib_Build *build, void *model, ib_Error *error)
{
    (void)model;
    build->ports->geometry = geometry(config, build->arena);
    return build->ports->geometry ? IB_OK
                                  : ib_error_set(error, IB_FAILED, "out of memory for the bench");
}

// Its battery feeds `background_current` also where nothing stands on it.
static const char *idle(const void *config, const char *key)
{
    bool branch = strncmp(key, "branch_breaker.", 15) == 0;
    return branch ? ib_equipment_idle(config, key)
                  : ib_equipment_supply_idle(&((const ib_BenchConfig *)config)->equipment, key);
}

const ib_RobotKind ib_bench_kind = {
    .name = "bench",
    .sentence = "a bench bolted to the floor: mechanisms alone, with their battery",
    .docs = "docs/robot/parts.md",
    .params = IB_SCHEMA(params),
    .params.idle = idle,
    .carries_equipment = true,
    .config_size = sizeof(ib_BenchConfig),
    .model_size = 1,
    .build = build,
};
