// robot/mjcf/mjcf_geometry.c: its geometry: the file's geoms on frames that joints move.
//
// A frame is one joint: its z is the joint's axis, which a signal turns it about or moves it along.
// A body is at a fixed pose in the frame of its last joint; one without joints is in its parent's.
//   parent's body <- place of the joint <- angle - reference <- back to the body
#include "control/leg/leg.h"
#include "robot/mjcf/mjcf.h"
#include "world/mujoco_model.h"

#include <math.h>
#include <string.h>

// Place of a body: its frame (-1: the field), and its pose there.
typedef struct Stand {
    int frame;
    ib_Pose pose;
} Stand;

typedef struct Look {
    const ib_MjcfModel *model;
    ib_Arena *arena;
    ib_FrameDef *frames; ///< one a joint, in their order
    Stand *stands;       ///< one a body
    ib_SolidDef *solids;
    int solid_count;
} Look;

static const ib_Pose here = {.turn = {1, 0, 0, 0, 1, 0, 0, 0, 1}};

// A turn whose z is `axis`, a unit vector.
static void turn_to(const double axis[3], double R[9])
{
    // x is across the axis and the one of the frame's directions that is farthest from it.
    int least = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(axis[i]) < fabs(axis[least])) least = i;
    double x[3] = {0}, y[3];
    for (int i = 0; i < 3; i++) x[i] = (i == least) - axis[least] * axis[i];
    double length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    for (int i = 0; i < 3; i++) x[i] /= length;
    for (int i = 0; i < 3; i++)
        y[i] = axis[(i + 1) % 3] * x[(i + 2) % 3] - axis[(i + 2) % 3] * x[(i + 1) % 3];
    for (int i = 0; i < 3; i++) {
        R[3 * i] = x[i];
        R[3 * i + 1] = y[i];
        R[3 * i + 2] = axis[i];
    }
}

static ib_Pose way_back(const ib_Pose *pose)
{
    ib_Pose back;
    for (int i = 0; i < 9; i++) back.turn[i] = pose->turn[3 * (i % 3) + i / 3];
    ib_leg_point_into(pose, (double[]){0, 0, 0}, back.place);
    return back;
}

// -------------------------------------------------------------------------------------- the frames

// A signal of a joint by its last word.
static const char *signal_of(const Look *look, int joint, const char *word)
{
    const ib_MjcfJoint *own = &look->model->joints[joint];
    if (joint == look->model->free) return ib_arena_format(look->arena, "pose.%s", word);
    return ib_arena_format(look->arena, "%s.%s.%s",
                           own->motion == IB_MUJOCO_FREE ? "body" : "joint", own->name, word);
}

static bool name_signals(const Look *look, int joint, ib_FrameDef *frame)
{
    static const char *const moves[] = {"x", "y", "z"}, *const turns[] = {"heading", "pitch",
                                                                          "roll"};
    ib_MujocoMotion motion = look->model->joints[joint].motion;
    bool all = true;
    for (int i = 0; i < 3 && motion <= IB_MUJOCO_BALL; i++) {
        if (motion == IB_MUJOCO_FREE)
            all &= (frame->move[i] = signal_of(look, joint, moves[i])) != NULL;
        all &= (frame->turn[i] = signal_of(look, joint, turns[i])) != NULL;
    }
    if (motion == IB_MUJOCO_SLIDE)
        all &= (frame->move[2] = signal_of(look, joint, "position")) != NULL;
    if (motion == IB_MUJOCO_HINGE)
        all &= (frame->turn[0] = signal_of(look, joint, "angle")) != NULL;
    return all;
}

// Puts a joint between a body and where that stood so far.
static bool add_joint(const Look *look, int joint, Stand *stand)
{
    const ib_MjcfJoint *own = &look->model->joints[joint];
    ib_MujocoAxis axis = ib_mujoco_axis(look->model->rigid.world, joint);
    ib_FrameDef *frame = &look->frames[joint];
    ib_Pose before = stand->pose, in = here, back;
    *frame =
        (ib_FrameDef){.name = ib_arena_format(look->arena, "joint.%s", own->name),
                      .parent = stand->frame >= 0 ? look->frames[stand->frame].name : NULL,
                      .body = look->model->free >= 0 ? own->motion == IB_MUJOCO_FREE : joint == 0};
    memcpy(in.place, axis.at, sizeof in.place);
    if (own->motion >= IB_MUJOCO_SLIDE) turn_to(axis.axis, in.turn);
    back = way_back(&in);
    ib_Pose reference = here;
    if (own->motion == IB_MUJOCO_HINGE) {
        const double none[3] = {0}, turn[3] = {-axis.reference, 0, 0};
        reference = ib_pose_in(&here, none, turn);
    } else if (own->motion == IB_MUJOCO_SLIDE) {
        reference.place[2] = -axis.reference;
    }
    if (own->motion == IB_MUJOCO_FREE) { // its position is that in the field
        before = in = back = here;
        frame->parent = NULL;
    }
    ib_Pose at = ib_leg_chain(&before, &in);
    at = ib_leg_chain(&at, &reference);
    memcpy(frame->place, at.place, sizeof frame->place);
    ib_pose_attitude(at.turn, frame->attitude);
    *stand = (Stand){joint, back};
    return frame->name && name_signals(look, joint, frame);
}

// Bodies stand behind their parents, and joints of a body behind each other.
static bool place_bodies(const Look *look)
{
    const ib_MjcfModel *model = look->model;
    look->stands[0] = (Stand){-1, here};
    int joint = 0;
    for (int i = 1; i < model->rigid.sizes.bodies; i++) {
        ib_MujocoBody body = ib_mujoco_body(model->rigid.world, i);
        ib_Pose own = ib_leg_body(body.at, body.turned);
        Stand *stand = &look->stands[i];
        *stand = look->stands[body.parent];
        stand->pose = ib_leg_chain(&stand->pose, &own);
        for (; joint < model->rigid.sizes.joints && model->joints[joint].body == i; joint++)
            if (!add_joint(look, joint, stand)) return false;
    }
    return true;
}

// -------------------------------------------------------------------------------------- the solids

static double at_least(double size)
{
    return size > 1e-6 ? size : 1e-6;
}

// An ellipsoid is shown as the capsule along its longest axis, which `turn` makes z.
static void fit_capsule(const double half[3], ib_SolidDef *solid, double turn[9])
{
    int longest = 0;
    for (int i = 1; i < 3; i++)
        if (half[i] > half[longest]) longest = i;
    double axis[3] = {0};
    axis[longest] = 1;
    turn_to(axis, turn);
    double radius = 0.5 * (half[(longest + 1) % 3] + half[(longest + 2) % 3]);
    solid->form = IB_SOLID_CAPSULE;
    solid->size[0] = at_least(radius);
    solid->size[1] = at_least(2 * (half[longest] - radius));
}

// Its form and size; `turn` is the rotation between the solid and the geom. False: it is not shown.
static bool shape_solid(const ib_MujocoGeom *geom, ib_SolidDef *solid, double turn[9])
{
    const double *size = geom->size;
    memcpy(turn, here.turn, sizeof here.turn);
    switch (geom->shape) {
    case IB_MUJOCO_PLANE: // the field has a floor of its own
    case IB_MUJOCO_HEIGHTS:
        return false;
    case IB_MUJOCO_SPHERE:
    case IB_MUJOCO_CAPSULE:
    case IB_MUJOCO_CYLINDER:
        solid->form = geom->shape == IB_MUJOCO_CYLINDER ? IB_SOLID_CYLINDER : IB_SOLID_CAPSULE;
        solid->size[0] = at_least(size[0]);
        solid->size[1] = geom->shape == IB_MUJOCO_SPHERE ? 1e-6 : at_least(2 * size[1]);
        return true;
    case IB_MUJOCO_ELLIPSOID:
        fit_capsule(size, solid, turn);
        return true;
    case IB_MUJOCO_BOX:
    case IB_MUJOCO_MESH: // as the box around it
        solid->form = IB_SOLID_BOX;
        for (int i = 0; i < 3; i++) solid->size[i] = at_least(2 * size[i]);
        return true;
    }
    return false;
}

static uint32_t colour_of(const float rgba[4])
{
    uint32_t colour = 0;
    for (int i = 0; i < 3; i++) {
        double part = rgba[i] > 0 ? (rgba[i] < 1 ? (double)rgba[i] : 1) : 0;
        colour = colour << 8 | (uint32_t)(255 * part + 0.5);
    }
    return colour;
}

static bool add_solid(Look *look, int index)
{
    const ib_Mujoco *world = look->model->rigid.world;
    ib_MujocoGeom geom = ib_mujoco_geom(world, index);
    const Stand *stand = &look->stands[geom.body];
    ib_SolidDef *solid = &look->solids[look->solid_count];
    ib_Pose between = here;
    *solid = (ib_SolidDef){0};
    if (geom.colour[3] <= 0 || ib_mujoco_geom_group(world, index) > 2) return true;
    if (!shape_solid(&geom, solid, between.turn)) return true;
    const char *name = ib_mujoco_name(world, IB_MUJOCO_GEOM, index);
    if (!name[0]) name = ib_mujoco_name(world, IB_MUJOCO_BODY, geom.body);
    solid->name =
        name[0] ? ib_arena_text(look->arena, name) : ib_arena_format(look->arena, "part %d", index);
    ib_Pose own = ib_leg_body(geom.at, geom.turned), at = ib_leg_chain(&stand->pose, &own);
    at = ib_leg_chain(&at, &between);
    memcpy(solid->place, at.place, sizeof solid->place);
    ib_pose_attitude(at.turn, solid->attitude);
    solid->frame = stand->frame >= 0 ? look->frames[stand->frame].name : NULL;
    solid->colour = colour_of(geom.colour);
    solid->opacity = geom.colour[3] < 1 ? (double)geom.colour[3] : 1;
    look->solid_count++;
    return solid->name != NULL;
}

const ib_Geometry *ib_mjcf_geometry(const ib_MjcfModel *model, ib_Arena *arena)
{
    const ib_MujocoSizes *n = &model->rigid.sizes;
    static const ib_MarkDef mark = {.name = "centre of mass",
                                    .move = {"centre.x", "centre.y", "centre.z"}};
    Look look = {.model = model, .arena = arena};
    look.frames = ib_arena_array(arena, (size_t)n->joints, sizeof *look.frames);
    look.stands = ib_arena_array(arena, (size_t)n->bodies, sizeof *look.stands);
    look.solids = ib_arena_array(arena, (size_t)n->geoms + 1, sizeof *look.solids);
    ib_Geometry *geometry = ib_arena_alloc(arena, sizeof *geometry);
    if (!look.frames || !look.stands || !look.solids || !geometry) return NULL;
    if (!place_bodies(&look)) return NULL;
    for (int i = 0; i < n->geoms; i++)
        if (!add_solid(&look, i)) return NULL;
    *geometry = (ib_Geometry){.frames = look.frames,
                              .frame_count = n->joints,
                              .solids = look.solids,
                              .solid_count = look.solid_count,
                              .marks = &mark,
                              .mark_count = 1};
    return geometry;
}
