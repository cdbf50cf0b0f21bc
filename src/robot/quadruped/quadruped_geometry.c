// robot/quadruped/quadruped_geometry.c: its geometry: its links as capsules, on frames that the
// joints turn.
#include "robot/quadruped/quadruped_inside.h"
#include "robot/solid.h"

#include <string.h>

#define MARGIN 0.025 ///< of stability that a crawl is to keep [m]

enum {
    LINKS = 3,
    FRAMES = 1 + 3 * LINKS * IB_QUADRUPED_LEGS + IB_QUADRUPED_WHEELS, ///< links, barrels, rods
    SOLIDS = 1 + 4 * LINKS * IB_QUADRUPED_LEGS + ///< links, both halves of barrels, rods,
             2 * IB_QUADRUPED_WHEELS,            ///< wheels; without the ground's
};

static const char *const link_names[LINKS] = {"coxa", "femur", "tibia"};

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

typedef struct Look {
    ib_Arena *arena;
    ib_FrameDef frames[FRAMES];
    ib_SolidDef *solids; ///< SOLIDS and the ground's
    int frame_count, solid_count;
    bool full; ///< of memory there is none left
} Look;

__attribute__((format(printf, 2, 0))) static const char *text(Look *look, const char *format,
                                                              const char *leg, const char *what)
{
    const char *made = ib_arena_format(look->arena, format, leg, what);
    look->full |= !made;
    return made;
}

static ib_FrameDef *add_frame(Look *look, const char *name, const char *parent, const ib_Pose *pose)
{
    ib_FrameDef *frame = &look->frames[look->frame_count++];
    *frame = (ib_FrameDef){.name = name, .parent = parent};
    memcpy(frame->place, pose->place, sizeof frame->place);
    ib_pose_attitude(pose->turn, frame->attitude);
    return frame;
}

// Half of a barrel, in the colour of its chamber's pressure.
static void add_chamber(Look *look, const char *name, const char *frame, const char *pressure,
                        double from, double to, double radius, double full)
{
    ib_SolidDef solid = ib_solid_along_x(name, frame, (double[]){0.5 * (from + to), 0, 0}, radius,
                                         to - from, IB_COLOUR_METAL);
    look->solids[look->solid_count++] = ib_solid_air(solid, pressure, full);
}

// A cylinder between its pins: the barrel turns about its pivot, the rod goes out of it.
static void add_cylinder(Look *look, const ib_QuadrupedConfig *config,
                         const ib_LegJointModel *joint, const char *carrier)
{
    const char *leg = ib__leg_names[joint->leg], *name = ib_leg_joints[joint->joint];
    const ib_LinkageModel *linkage = &joint->linkage;
    double pivot[2], pin[2], radius = 0.6 * config->cylinder.bore,
                             head = linkage->l2 - linkage->stroke;
    ib_Pose frame = ib__quadruped_joint(config, joint->leg, joint->joint), field = ib_pose_field();
    ib__quadruped_pins(linkage, joint->joint, pivot, pin);
    double along = ib_atan2(pin[1] - pivot[1], pin[0] - pivot[0]);
    ib_Pose stands = ib_pose_in(&frame, (double[]){pivot[0], pivot[1], 0}, (double[]){along, 0, 0});
    const char *barrel = text(look, "%s.%s.barrel", leg, name);
    const char *rod = text(look, "%s.%s.rod", leg, name);
    add_frame(look, barrel, carrier, &stands)->turn[0] = text(look, "leg.%s.%s.swing", leg, name);
    add_frame(look, rod, barrel, &field)->move[0] = text(look, "leg.%s.%s.position", leg, name);
    double from = 0.1 * head, to = linkage->l2 - 0.3 * head, middle = 0.5 * (from + to);
    add_chamber(look, text(look, "cap side of %s.%s", leg, name), barrel,
                text(look, "leg.%s.%s.cap.pressure", leg, name), from, middle, radius,
                ib__quadruped_pressure(config));
    add_chamber(look, text(look, "rod side of %s.%s", leg, name), barrel,
                text(look, "leg.%s.%s.rod.pressure", leg, name), middle, to, radius,
                ib__quadruped_pressure(config));
    look->solids[look->solid_count++] =
        ib_solid_along_x(text(look, "rod of %s.%s", leg, name), rod,
                         (double[]){linkage->l2 - 0.5 * linkage->stroke, 0, 0},
                         0.5 * config->cylinder.rod, linkage->stroke, IB_COLOUR_DARK);
}

static void add_leg(Look *look, const ib_QuadrupedConfig *config, const ib_LegJointModel *joints)
{
    static const uint32_t colours[LINKS] = {0xcc33ff, 0x0099ff, 0x00cc00};
    const ib_CapsuleConfig *capsules[LINKS] = {&config->coxa, &config->femur, &config->tibia};
    const double centres[LINKS] = {config->coxa_centre, config->femur_centre, config->tibia_centre};
    const char *leg = ib__leg_names[joints->leg], *carrier = "body";
    for (int j = 0; j < LINKS; j++) {
        ib_Pose pose = ib__quadruped_joint(config, joints->leg, j);
        const char *name = text(look, "%s.%s", leg, link_names[j]);
        if (joints[j].cylinder >= 0) add_cylinder(look, config, &joints[j], carrier);
        add_frame(look, name, carrier, &pose)->turn[0] =
            text(look, "leg.%s.%s.angle", leg, ib_leg_joints[j]);
        look->solids[look->solid_count++] =
            capsule(name, name, centres[j], capsules[j]->radius, capsules[j]->length, colours[j]);
        carrier = name;
    }
}

// A wheel with a bar across it, by which one sees it turn.
static void add_wheel(Look *look, const ib_QuadrupedConfig *config, int wheel)
{
    const char *name = ib__wheel_names[wheel];
    double radius = config->wheels.radius, width = config->wheels.width, none[3] = {0, 0, 0};
    ib_Pose axle = ib_pose_field();
    ib__quadruped_axle(config, wheel, axle.place);
    add_frame(look, name, "body", &axle)->turn[1] = text(look, "%s%s", name, ".angle");
    look->solids[look->solid_count++] = ib_solid_wheel(name, name, none, 0, radius, width);
    look->solids[look->solid_count++] = ib_solid_block(
        name, name, none, (double[]){1.8 * radius, 1.04 * width, 0.2 * radius}, IB_COLOUR_METAL);
}

static void add_terrain(Look *look, const ib_TerrainBox *boxes, int count)
{
    for (int i = 0; i < count; i++) {
        const ib_TerrainBox *box = &boxes[i];
        ib_SolidDef *solid = &look->solids[look->solid_count++];
        *solid = ib_solid_block("terrain", NULL, box->place, box->size, IB_COLOUR_WOOD);
        memcpy(solid->attitude, box->attitude, sizeof solid->attitude);
    }
}

const ib_Geometry *ib_quadruped_geometry(const ib_QuadrupedConfig *config,
                                         const ib_QuadrupedModel *model, ib_Arena *arena)
{
    Look look = {.arena = arena,
                 .frames = {{.name = "body",
                             .move = {"pose.x", "pose.y", "pose.z"},
                             .turn = {"pose.heading", "pose.pitch", "pose.roll"},
                             .body = true}},
                 .frame_count = 1,
                 .solid_count = 1};
    ib_TerrainBox boxes[IB_TERRAIN_BOXES];
    int box_count = ib_terrain_boxes(&config->terrain, boxes);
    look.solids = ib_arena_array(arena, (size_t)(SOLIDS + box_count), sizeof *look.solids);
    if (!look.solids) return NULL;
    look.solids[0] =
        capsule("thorax", "body", 0, config->thorax_radius, config->thorax_length, 0x8066e6);
    for (int i = 0; i < model->wheel_count; i++) add_wheel(&look, config, i);
    add_terrain(&look, boxes, box_count);
    ib_ArrowDef arrows[IB_QUADRUPED_LEGS];
    ib_TraceDef traces[IB_QUADRUPED_LEGS];
    ib_SoleDef feet[IB_QUADRUPED_LEGS];
    bool on_feet = config->base == IB_BASE_FREE && model->leg_count >= 3;
    ib_MarkDef mark = {.name = "centre of mass",
                       .move = {"centre.x", "centre.y", "centre.z"},
                       .feet = feet,
                       .foot_count = on_feet ? model->leg_count : 0,
                       .margin = MARGIN};
    for (int i = 0; i < model->leg_count; i++) {
        const char *leg = ib__leg_names[model->legs[i]];
        add_leg(&look, config, &model->joints[i * IB_LEG_JOINTS]);
        arrows[i] = (ib_ArrowDef){.name = text(&look, "force on the foot, %s%s", leg, ""),
                                  .kind = IB_ARROW_FORCE,
                                  .along = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
        feet[i] = (ib_SoleDef){.radius = config->tibia.radius};
        traces[i] = (ib_TraceDef){.name = text(&look, "way of the foot, %s%s", leg, "")};
        for (int k = 0; k < 3; k++) {
            static const char *const axes[] = {"x", "y", "z"};
            arrows[i].signal[k] = text(&look, "leg.%s.foot.force.%s", leg, axes[k]);
            arrows[i].move[k] = traces[i].move[k] = feet[i].move[k] =
                text(&look, "leg.%s.foot.%s", leg, axes[k]);
        }
        feet[i].load = arrows[i].signal[2];
    }
    const ib_Geometry all = {.frames = look.frames,
                             .frame_count = look.frame_count,
                             .solids = look.solids,
                             .solid_count = look.solid_count,
                             .arrows = arrows,
                             .arrow_count = model->leg_count,
                             .marks = &mark,
                             .mark_count = 1,
                             .traces = traces,
                             .trace_count = model->leg_count};
    return look.full ? NULL : ib_geometry_keep(&all, arena);
}
