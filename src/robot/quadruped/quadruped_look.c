// robot/quadruped/quadruped_look.c: how it looks: its links as the capsules that they are, on
// frames that the joints turn; wheels; what stands on the ground.
#include "robot/look.h"
#include "robot/quadruped/quadruped_inside.h"

#include <string.h>

enum { LINKS = 3, MOST = 1 + LINKS * IB_QUADRUPED_LEGS + IB_QUADRUPED_WHEELS };

static const char *const link_names[LINKS] = {"coxa", "femur", "tibia"};

// Yaw, pitch and roll of a turn: R = Rz Ry Rx.
static void attitude_of(const double R[9], double attitude[3])
{
    attitude[0] = ib_atan2(R[3], R[0]);
    attitude[1] = ib_atan2(-R[6], sqrt(R[0] * R[0] + R[3] * R[3]));
    attitude[2] = ib_atan2(R[7], R[8]);
}

static ib_SolidDef capsule(const char *name, const char *frame, double x, double radius,
                           double length, uint32_t colour)
{
    return (ib_SolidDef){.name = name,
                         .frame = frame,
                         .form = IB_SOLID_CAPSULE,
                         .place = {x, 0, 0},
                         .attitude = {0, IB_SOLID_LYING, 0},
                         .size = {radius, length > 1e-6 ? length : 1e-6},
                         .colour = colour};
}

// A wheel with a bar across it, by which one sees it turn.
static bool add_wheel(const ib_QuadrupedConfig *config, int wheel, ib_Arena *arena,
                      ib_FrameDef *frame, ib_SolidDef solids[2])
{
    const char *name = ib__wheel_names[wheel];
    double radius = config->wheels.radius, width = config->wheels.width;
    *frame = (ib_FrameDef){.name = name, .parent = "body"};
    ib__quadruped_axle(config, wheel, frame->place);
    frame->turn[1] = ib_arena_format(arena, "%s.angle", name);
    solids[0] = ib_look_upright(name, name, (double[]){0, 0, 0}, radius, width, IB_COLOUR_TYRE);
    solids[0].attitude[2] = IB_SOLID_LYING;
    solids[1] =
        ib_look_block(name, name, (double[]){0, 0, 0},
                      (double[]){1.8 * radius, 1.04 * width, 0.2 * radius}, IB_COLOUR_METAL);
    return frame->turn[1] != NULL;
}

static ib_SolidDef solid_of(const ib_TerrainBox *box)
{
    ib_SolidDef solid = ib_look_block("terrain", NULL, box->place, box->size, IB_COLOUR_WOOD);
    memcpy(solid.attitude, box->attitude, sizeof solid.attitude);
    return solid;
}

const ib_Geometry *ib_quadruped_look(const ib_QuadrupedConfig *config,
                                     const ib_QuadrupedModel *model, ib_Arena *arena)
{
    static const uint32_t colours[LINKS] = {0xcc33ff, 0x0099ff, 0x00cc00};
    const ib_CapsuleConfig *capsules[LINKS] = {&config->coxa, &config->femur, &config->tibia};
    const double centres[LINKS] = {config->coxa_centre, config->femur_centre, config->tibia_centre};
    ib_FrameDef frames[MOST] = {{.name = "body",
                                 .move = {"pose.x", "pose.y", "pose.z"},
                                 .turn = {"pose.heading", "pose.pitch", "pose.roll"},
                                 .body = true}};
    int boxes = ib_terrain_count(&config->terrain), most = MOST + IB_QUADRUPED_WHEELS + boxes;
    ib_SolidDef *solids = ib_arena_array(arena, (size_t)most, sizeof *solids);
    if (!solids) return NULL;
    solids[0] =
        capsule("thorax", "body", 0, config->thorax_radius, config->thorax_length, 0x8066e6);
    ib_ArrowDef arrows[IB_QUADRUPED_LEGS];
    ib_TraceDef traces[IB_QUADRUPED_LEGS];
    ib_MarkDef mark = {.name = "centre of mass", .move = {"centre.x", "centre.y", "centre.z"}};
    int count = 1;
    for (int i = 0; i < model->leg_count; i++) {
        const char *leg = ib__leg_names[model->legs[i]], *parent = "body";
        for (int j = 0; j < LINKS; j++) {
            ib_Pose pose = ib__quadruped_joint(config, model->legs[i], j);
            ib_FrameDef *frame = &frames[count];
            *frame = (ib_FrameDef){.name = ib_arena_format(arena, "%s.%s", leg, link_names[j]),
                                   .parent = parent};
            memcpy(frame->place, pose.place, sizeof frame->place);
            attitude_of(pose.turn, frame->attitude);
            frame->turn[0] = ib_arena_format(arena, "leg.%s.%s.angle", leg, ib_limb_joints[j]);
            if (!frame->name || !frame->turn[0]) return NULL;
            parent = frame->name;
            solids[count++] = capsule(frame->name, frame->name, centres[j], capsules[j]->radius,
                                      capsules[j]->length, colours[j]);
        }
        arrows[i] = (ib_ArrowDef){.name = ib_arena_format(arena, "force on the foot, %s", leg),
                                  .kind = IB_ARROW_FORCE,
                                  .along = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
        traces[i] = (ib_TraceDef){.name = ib_arena_format(arena, "way of the foot, %s", leg)};
        if (!arrows[i].name || !traces[i].name) return NULL;
        for (int k = 0; k < 3; k++) {
            arrows[i].signal[k] = ib_arena_format(arena, "leg.%s.foot.force.%c", leg, 'x' + k);
            arrows[i].move[k] = traces[i].move[k] =
                ib_arena_format(arena, "leg.%s.foot.%c", leg, 'x' + k);
            if (!arrows[i].signal[k] || !arrows[i].move[k]) return NULL;
        }
    }
    int solid_count = count;
    for (int i = 0; i < model->wheel_count; i++, solid_count += 2)
        if (!add_wheel(config, i, arena, &frames[count++], solids + solid_count)) return NULL;
    for (int i = 0; i < boxes; i++) {
        ib_TerrainBox box = ib_terrain_box(&config->terrain, i);
        solids[solid_count++] = solid_of(&box);
    }
    const ib_Geometry look = {.frames = frames,
                              .frame_count = count,
                              .solids = solids,
                              .solid_count = solid_count,
                              .arrows = arrows,
                              .arrow_count = model->leg_count,
                              .marks = &mark,
                              .mark_count = 1,
                              .traces = traces,
                              .trace_count = model->leg_count};
    return ib_look_keep(&look, arena);
}
