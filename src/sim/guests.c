#include "sim/guests.h"

#include "base/extreme.h"
#include "base/maths.h"
#include "robot/planar.h"

#include <math.h>
#include <string.h>

// Height of a robot whose look does not tell it [m].
static const double usual_height = 0.3;

// Mass of a moving element, which goes where its timeline says: so much that the other one's mass
// decides how a contact gives way, and little enough for the sums of MuJoCo's solver [kg].
static const double element_mass = 1e5;

static const ib_SignalDef legs_signals[IB_LEGS_SIGNALS] = {
    [IB_LEGS_X] = {"contact.legs.x", "N",
                   "sum of the forces of robots on legs and bodies beside them, field x", 0},
    [IB_LEGS_Y] = {"contact.legs.y", "N",
                   "sum of the forces of robots on legs and bodies beside them, field y", 0},
    [IB_LEGS_TORQUE] = {"contact.legs.torque", "N*m", "torque of these about its origin", 0},
};

static ib_Status no_memory(ib_Error *error)
{
    return ib_error_set(error, IB_FAILED, "out of memory for a world of several robots");
}

// -------------------------------------------------------------------------------- robots on wheels

// The top of a solid that stands on its body's frame; one that lies counts by its radius.
static double top_of(const ib_SolidDef *solid)
{
    double z = solid->place[2], size = solid->size[0];
    bool lies = solid->attitude[1] != 0 || solid->attitude[2] != 0;
    if (!solid->frame || strcmp(solid->frame, "body") != 0) return 0;
    switch (solid->form) {
    case IB_SOLID_BOX:
        return z + 0.5 * solid->size[2];
    case IB_SOLID_CYLINDER:
        return z + (lies ? size : 0.5 * solid->size[1]);
    case IB_SOLID_CAPSULE:
        return z + size + (lies ? 0 : 0.5 * solid->size[1]);
    case IB_SOLID_POLYGON:
        return z + size;
    }
    return 0;
}

static double height_of(const ib_RobotPorts *ports)
{
    const ib_Geometry *look = ports->geometry;
    double height = 0;
    for (int i = 0; look && i < look->solid_count; i++)
        height = ib_max(height, top_of(&look->solids[i]));
    return height > 0 ? height : usual_height;
}

// The upright prism of an outline, from the floor up.
static ib_GuestGeom prism(bool round, double length, double width, double height, double friction)
{
    ib_GuestGeom geom = {.shape = round ? IB_MUJOCO_CYLINDER : IB_MUJOCO_BOX,
                         .size = {0.5 * length, 0.5 * (round ? height : width), 0.5 * height},
                         .at = {0, 0, 0.5 * height},
                         .turned = {1},
                         .friction = friction};
    return geom;
}

void ib__guests_flat(const ib_PlanarModel *planar, const double *own, ib_GuestState *state)
{
    ib_Motion m;
    ib_planar_motion(planar, own, NULL, &m);
    *state = (ib_GuestState){{m.x, m.y, m.heading}, {m.vx, m.vy, m.w}};
}

// Moments that MuJoCo knows: about the vertical, as the wheels let it turn. It may answer less, by
// what turns in its drive or by wheels that do not slip: its contacts are softer then.
static bool fill_robot(const ib_RobotModel *robot, ib_Arena *arena, ib_RigidGuest *guest)
{
    const ib_RobotPorts *ports = &robot->ports;
    const ib_PlanarModel *planar = ports->planar;
    double *state = ib_arena_array(arena, (size_t)ports->state_count, sizeof *state), matrix[9];
    ib_GuestGeom *geom = ib_arena_alloc(arena, sizeof *geom);
    if (!state || !geom) return false;
    robot->kind->reset(robot->config, robot->model, state);
    ib_planar_inverse_mass(planar, robot->kind, robot->model, state, matrix);
    double moment = 1 / (matrix[8] > 0 ? matrix[8] : planar->per_inertia);
    *geom = prism(ports->round, ports->length, ports->width, height_of(ports), ports->friction);
    *guest = (ib_RigidGuest){.motion = IB_GUEST_FLAT,
                             .inertia = {.mass = 1 / planar->per_mass,
                                         .turned = {1},
                                         .moments = {moment, moment, moment}},
                             .geoms = geom,
                             .geom_count = 1};
    ib__guests_flat(planar, state, &guest->start);
    return true;
}

// ---------------------------------------------------------------------------------------- elements

// Rounded boxes and polygons are the prisms of their outlines.
static bool fill_points(const ib_ElementConfig *e, ib_Arena *arena, ib_GuestGeom *geom)
{
    double x[IB_OUTLINE_POINTS], y[IB_OUTLINE_POINTS];
    ib_Shape shape = ib_element_shape(e);
    ib_Placed placed;
    ib_shape_place(&shape, 0, 0, 0, &placed);
    int count = ib_shape_outline(&placed, x, y);
    double *points = ib_arena_array(arena, 6 * (size_t)count, sizeof *points);
    for (int k = 0; points && k < 2 * count; k++)
        memcpy(points + 3 * k, (double[]){x[k % count], y[k % count], k < count ? 0 : e->height},
               3 * sizeof *points);
    *geom = (ib_GuestGeom){.shape = IB_MUJOCO_MESH,
                           .turned = {1},
                           .friction = e->friction,
                           .points = points,
                           .point_count = 2 * count};
    return points != NULL;
}

void ib__guests_moved(const ib_ElementConfig *e, const ib_BodyState *by, ib_GuestState *state)
{
    *state = (ib_GuestState){{e->x + by->x, e->y + by->y, e->heading + by->heading},
                             {by->vx, by->vy, by->w}};
}

static bool fill_element(const ib_ElementConfig *e, ib_Arena *arena, ib_RigidGuest *guest)
{
    ib_GuestGeom *geom = ib_arena_alloc(arena, sizeof *geom);
    bool disc = e->form == IB_ELEMENT_DISC, box = e->form == IB_ELEMENT_BOX && e->radius == 0;
    double length = disc ? 2 * e->radius : e->length, at[IB_TRACK_COUNT];
    if (!geom) return false;
    *geom = prism(disc, length, e->width, e->height, e->friction);
    if (!disc && !box && !fill_points(e, arena, geom)) return false;
    *guest = (ib_RigidGuest){.name = e->name,
                             .robot = -1,
                             .motion = IB_GUEST_FLAT,
                             .inertia = {.mass = element_mass,
                                         .turned = {1},
                                         .moments = {element_mass, element_mass, element_mass}},
                             .geoms = geom,
                             .geom_count = 1};
    for (int k = 0; k < IB_TRACK_COUNT; k++) at[k] = e->move[k].count ? e->move[k].values[0] : 0;
    ib__guests_moved(e, &(ib_BodyState){.x = at[0], .y = at[1], .heading = at[2]}, &guest->start);
    return true;
}

// -------------------------------------------------------------------------------------------- list

static bool is_flat(const ib_RobotModel *robot)
{
    return robot->body >= 0 && robot->rider < 0;
}

static int count_guests(const ib_Model *model)
{
    int count = model->world ? model->world->mover_count : 0;
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        if (is_flat(robot)) count++;
        if (ib__guests_has_world(robot)) count += ib_rigid_guests_of(robot->model, NULL, NULL);
    }
    return count;
}

// One robot's; false: without memory.
static bool add_robot(const ib_Model *model, int i, ib_Arena *arena, ib__Guests *guests,
                      ib_RigidGuest *list)
{
    const ib_RobotModel *robot = &model->robots[i];
    ib_RigidGuest *own = list + guests->count;
    int count = 0;
    if (is_flat(robot)) count = fill_robot(robot, arena, own) ? 1 : -1;
    if (ib__guests_has_world(robot)) count = ib_rigid_guests_of(robot->model, own, arena);
    for (int k = 0; k < count; k++) {
        own[k].name = robot->name;
        own[k].robot = i;
        guests->items[guests->count++] = (ib__Guest){.robot = i, .body = own[k].body};
    }
    return count >= 0;
}

ib_Status ib__guests_find(const ib_Model *model, ib_Arena *arena, ib__Guests **result,
                          ib_RigidGuest **list, ib_Error *error)
{
    size_t count = (size_t)count_guests(model);
    *result = NULL;
    if (count == 0) return IB_OK;
    ib__Guests *guests = *result = ib_arena_alloc(arena, sizeof *guests);
    *list = ib_arena_array(arena, count, sizeof **list);
    if (guests) guests->items = ib_arena_array(arena, count, sizeof *guests->items);
    if (!guests || !*list || !guests->items) return no_memory(error);
    for (int i = 0; i < model->robot_count; i++)
        if (!add_robot(model, i, arena, guests, *list)) return no_memory(error);
    for (int i = 0; model->world && i < model->world->element_count; i++) {
        const ib_WorldElement *e = &model->world->elements[i];
        if (e->mover < 0) continue;
        if (!fill_element(&model->config->field->elements[e->config], arena, *list + guests->count))
            return no_memory(error);
        guests->items[guests->count++] = (ib__Guest){.robot = -1, .mover = e->mover, .body = i};
    }
    return IB_OK;
}

ib_Status ib__guests_signals(ib_Model *model, ib_Error *error)
{
    for (int i = 0; i < model->guests->count; i++) {
        int number = model->guests->items[i].robot;
        ib_RobotModel *robot = number < 0 ? NULL : &model->robots[number];
        if (!robot || !is_flat(robot)) continue;
        robot->legs_signal =
            ib_signals_add(&model->signals, robot->name, legs_signals, IB_LEGS_SIGNALS);
        if (robot->legs_signal < 0) return no_memory(error);
    }
    return IB_OK;
}
