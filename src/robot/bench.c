#include "robot/bench.h"

static const ib_Param params[] = {IB_OUTFIT_ROWS(ib_BenchConfig)};

static const ib_FrameDef body = {.name = "body", .body = true};
static const ib_SolidDef plate = {.name = "bench",
                                  .frame = "body",
                                  .form = IB_SOLID_BOX,
                                  .place = {0, 0, -0.02},
                                  .size = {1.2, 0.8, 0.04},
                                  .colour = IB_COLOUR_WOOD};
static const ib_Geometry look = {
    .frames = &body, .frame_count = 1, .solids = &plate, .solid_count = 1};

// It has nothing of its own but its plate: all that it does is what stands on it
// (robot/assembly.c).
static ib_Status init(const void *config, ib_Arena *arena, void *model, ib_RobotPorts *ports,
                      ib_Error *error)
{
    (void)config, (void)arena, (void)model, (void)error;
    ports->geometry = &look;
    return IB_OK;
}

const ib_RobotKind ib_bench_kind = {
    .name = "bench",
    .sentence = "a bench bolted to the floor: mechanisms alone, with their battery",
    .docs = "docs/parts.md",
    .params = {params, sizeof params / sizeof params[0]},
    .outfits = true,
    .config_size = sizeof(ib_BenchConfig),
    .model_size = 1,
    .init = init,
};
